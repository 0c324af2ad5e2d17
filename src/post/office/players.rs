/*! Who plays in any game, by address: the register for letters that name no game.

The files of secrets have the addresses, but if we read all of them for every letter of a stranger, one stranger could
slow down everybody. So the register is kept in memory, and in a file beside the games, `players`: a line for each
game, with the time and the length of its `host.yaml` when that was read. The file may be lost or wrong: games that
have changed since are read again.
*/

use crate::book::guest;
use mail::letter::mailbox::Mailbox;
use record::file::secrets::{SECRETS, Secrets};
use std::collections::BTreeMap;
use store::Store;
use store::drawer::Drawer;

/// The file, in the drawer of the counter.
const PLAYERS: &str = "players";

/// What is known of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Listed {
    /// The time and the length of its secrets when they were read.
    state: String,
    players: Vec<Mailbox>,
}

/// The players of all games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Players {
    games: BTreeMap<String, Listed>,
    /// The addresses, with the number of games in which each plays.
    addresses: BTreeMap<Mailbox, usize>,
}

impl Players {
    /// Reads the register.
    pub fn open(home: &Drawer) -> Players {
        let mut players = Players::default();
        let text = home.read(PLAYERS).ok().and_then(|text| String::from_utf8(text).ok()).unwrap_or_default();
        for line in text.lines() {
            let mut words = line.split(' ');
            if let (Some(game), Some(state)) = (words.next(), words.next()) {
                let listed = Listed { state: state.to_owned(), players: words.filter_map(Mailbox::read).collect() };
                players.enter(game.to_owned(), listed);
            }
        }
        players
    }

    /// Reads those of the games that have changed since. Trouble with one game does not keep the others out of the
    /// register. Returns whether it is to be saved.
    pub fn refresh(&mut self, games: Vec<String>, store: &Store) -> bool {
        let mut is_changed = false;
        let gone: Vec<String> = self.games.keys().filter(|game| games.binary_search(game).is_err()).cloned().collect();
        for game in gone {
            self.strike(&game);
            is_changed = true;
        }
        for game in games {
            let drawer = store.drawer(&game);
            let Some(state) = state(&drawer) else { continue };
            if self.games.get(&game).is_some_and(|listed| listed.state == state) {
                continue;
            }
            // If the file cannot be read now, it is read the next time.
            let Ok(secrets) = Secrets::read(&drawer) else { continue };
            self.strike(&game);
            self.enter(game, Listed { state, players: players_of(&secrets) });
            is_changed = true;
        }
        is_changed
    }

    /// Saves the register. If this fails, the same is read again later.
    pub fn save(&self, home: &Drawer) {
        let _ = home.replace(PLAYERS, self.to_text().as_bytes());
    }

    /// Whether somebody with this address plays in any game.
    pub fn include(&self, address: &Mailbox) -> bool {
        self.addresses.contains_key(address)
    }

    fn enter(&mut self, game: String, listed: Listed) {
        for player in &listed.players {
            *self.addresses.entry(player.clone()).or_default() += 1;
        }
        self.games.insert(game, listed);
    }

    fn strike(&mut self, game: &str) {
        for player in self.games.remove(game).map(|listed| listed.players).unwrap_or_default() {
            if let Some(count) = self.addresses.get_mut(&player) {
                *count -= 1;
            }
        }
        self.addresses.retain(|_, count| *count > 0);
    }

    fn to_text(&self) -> String {
        let line = |(game, listed): (&String, &Listed)| {
            let players: String = listed.players.iter().map(|player| format!(" {player}")).collect();
            format!("{game} {}{players}\n", listed.state)
        };
        self.games.iter().map(line).collect()
    }
}

/// Changes whenever the secrets of a game are replaced.
fn state(drawer: &Drawer) -> Option<String> {
    let seen = drawer.look(SECRETS).ok()?;
    Some(format!("{}.{:09}/{}", seen.changed.as_second(), seen.changed.subsec_nanosecond(), seen.length))
}

/// Guests are answered like strangers: some of them invited themselves, and not always under their own names.
fn players_of(secrets: &Secrets) -> Vec<Mailbox> {
    let seats = secrets.seats.iter().filter(|seat| guest::number(&seat.seat).is_none());
    seats.flat_map(|seat| &seat.addresses).filter_map(|written| Mailbox::read(written)).collect()
}
