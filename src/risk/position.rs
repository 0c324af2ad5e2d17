/*! A game set up at any position: for scenarios, and for asking "what if".

A position is lines of `key: value` like the facts, except that hands name their cards instead of slots. Whatever no
line names is as at the start:

```text
rest: black 2
the-shire: green 3 leader
green-territory-cards: moria, wild-1
green-adventure-cards: ambush, gollum
red-powers: black-sails
adventure-discards: raiders
effects: winter-storms bree moria lorien until red, corsairs-of-umbar until red
fellowship: moria
territory-deck: bree, moria
turn: green
step: combat
```
*/

use crate::board::player::{DefenceWish, Status};
use crate::board::{Board, Effect, EffectKind, Holder, Storms};
use crate::card::{self, Face};
use crate::colour::Colour;
use crate::phase::Phase;
use crate::step::Step;
use crate::territory::{Bridge, Territory};
use crate::title::{empty_table, missions_and_powers};
use crate::{ADVENTURE_DECK, Play, TERRITORY_DECK};
use engine::game::Game;
use engine::name::{Named, words};
use engine::seat::Seat;
use engine::slot::{Card, Faces, Slot};
use engine::title::{Setup, Unplayable};

/// A game at this position, run up to its first need, and the faces of all cards.
///
/// # Errors
/// A line cannot be read (the message names it), or the position is impossible.
pub fn begin(setup: &Setup, lines: &[(&str, &str)]) -> Result<(Box<dyn Game>, Faces), Unplayable> {
    let mut position = Position::new(setup)?;
    let mut phase = Phase::Reinforce;
    for (key, value) in lines {
        let read = match *key {
            "step" => Phase::of(value).map(|read| phase = read).ok_or_else(|| format!("one of {}", Phase::words())),
            _ => position.line(key, value),
        };
        read.map_err(|wanted| Unplayable(format!("`{key}: {value}` is no line of a position; it needs {wanted}")))?;
    }
    position.finish()?;
    Ok((Box::new(Play::begin(position.board, vec![Step::ContinueTurn(phase)])), position.faces))
}

/// A board being set up, and the cards of both decks that no line has used yet.
struct Position {
    board: Board,
    faces: Faces,
    rest: Option<(Holder, u32)>,
}

/// The result of reading a line; the error says what the line needs instead.
type Read = Result<(), String>;

impl Position {
    /// Both decks are complete, as after the setup: the position of every card is its place in the printed order.
    fn new(setup: &Setup) -> Result<Position, Unplayable> {
        let mut board = empty_table(setup)?;
        let mut faces = Faces::default();
        let mut adventure = missions_and_powers(board.switches());
        if !board.is_standard() {
            adventure.extend(card::events());
            board.adventure_deck.masked(adventure.len());
        }
        for (index, card) in card::territory_deck().into_iter().enumerate() {
            faces.learn(board.territory_deck.slot(place(index)), card);
        }
        for (index, card) in adventure.into_iter().enumerate() {
            faces.learn(board.adventure_deck.slot(place(index)), card);
        }
        let first = board.seats().next();
        board.turn.number = 1;
        board.turn.seat = first;
        board.turn.first = first;
        board.turn.fortifications = 1;
        Ok(Position { board, faces, rest: None })
    }

    fn line(&mut self, key: &str, value: &str) -> Read {
        if let Some(territory) = Territory::of_id(key) {
            return self.territory(territory, value);
        }
        let player = Colour::ALL.into_iter().find_map(|colour| Some((colour, key.strip_prefix(colour.word())?)));
        if let Some((colour, what)) = player {
            let seat = self.board.seat_of(colour).ok_or("a colour that plays")?;
            return self.player(seat, what, value);
        }
        match key {
            "rest" => self.rest = Some(self.held(value)?),
            "turn" => {
                let (number, colour) = value.split_once(' ').unwrap_or(("1", value));
                self.board.turn.seat = Some(self.seat(colour)?);
                self.board.turn.number = number.parse().map_err(|_| "the number of the turn and a colour")?;
            }
            "fellowship" => {
                let step = Territory::of_id(value).and_then(Territory::path_step).or(value.parse().ok());
                let step = step.filter(|step| (1..=18).contains(step));
                self.board.ring = step.ok_or("a territory of the path, or a step of it from 1 to 18")?;
            }
            "conquered" => {
                self.board.turn.conquered = value.contains("territory");
                self.board.turn.site_conquered = value.contains("site");
            }
            "extra-cards" => self.board.turn.extra_cards = value.parse().map_err(|_| "a number")?,
            "to-place" => self.board.turn.to_place = value.parse().map_err(|_| "a number")?,
            "fortifications" => self.board.turn.fortifications = value.parse().map_err(|_| "a number")?,
            "effects" => {
                for effect in things(value) {
                    let effect = self.effect(effect)?;
                    self.board.effects.push(effect);
                }
            }
            "territory-discards" | "adventure-discards" => {
                for name in things(value) {
                    let (_, card) = self.card(name)?;
                    let pile = if key.starts_with('t') {
                        &mut self.board.territory_deck
                    } else {
                        &mut self.board.adventure_deck
                    };
                    pile.discards.push(card);
                }
            }
            "territory-deck" | "adventure-deck" => self.left(key, value)?,
            "leaders-entered" => {
                let entered: Option<_> = value.split(' ').map(Territory::of_id).collect();
                self.board.turn.leaders_entered = entered.ok_or("territories, separated by blanks")?;
            }
            _ => return Err("a key of the facts, or `rest`, or `step`".to_string()),
        }
        Ok(())
    }

    /// `green 3 leader`, `neutral 2`.
    fn territory(&mut self, territory: Territory, value: &str) -> Read {
        let (held, leader) = match value.strip_suffix(" leader") {
            Some(held) => (held, true),
            None => (value, false),
        };
        let (holder, battalions) = self.held(held)?;
        self.board.occupy(territory, holder, battalions);
        self.board.holdings[territory.index()].leader = leader;
        Ok(())
    }

    fn held(&self, value: &str) -> Result<(Holder, u32), String> {
        let wanted = || "a colour that plays or `neutral`, and how many battalions, at least 1".to_string();
        let (word, battalions) = value.split_once(' ').ok_or_else(wanted)?;
        let holder = match word {
            "neutral" => Holder::Neutral,
            colour => Holder::Seat(self.seat(colour)?),
        };
        let battalions = battalions.parse().ok().filter(|number| (1..=9999).contains(number)).ok_or_else(wanted)?;
        Ok((holder, battalions))
    }

    fn player(&mut self, seat: Seat, what: &str, value: &str) -> Read {
        if what == "-defence" {
            self.board.players[seat.index()].defence = match value {
                "ask" => DefenceWish::Ask,
                "max" => DefenceWish::Max,
                _ => return Err("`ask` or `max`".to_string()),
            };
            return Ok(());
        }
        for name in things(value) {
            let (slot, card) = self.card(name)?;
            let player = &mut self.board.players[seat.index()];
            match (what, Face::of(card)) {
                ("-territory-cards", Face::Territory(_) | Face::Wild(_)) => player.territory_cards.push(slot),
                ("-adventure-cards", Face::Mission(_) | Face::Power(_)) => player.adventure_cards.push(slot),
                ("-missions", Face::Mission(mission)) => player.missions.push((slot, mission)),
                ("-powers", Face::Power(power)) => player.powers.push((slot, power)),
                ("-uprising", Face::Territory(_)) => player.uprising.push(slot),
                ("-territory-cards" | "-adventure-cards" | "-missions" | "-powers" | "-uprising", _) => {
                    return Err("cards of that kind".to_string());
                }
                _ => {
                    let kinds = "territory-cards, adventure-cards, missions, powers, uprising, defence";
                    return Err(format!("after the colour one of {kinds}"));
                }
            }
        }
        Ok(())
    }

    /// Takes a card of this name out of its deck.
    fn card(&mut self, name: &str) -> Result<(Slot, Card), String> {
        let said = words(name);
        let named = |face: &Face| !said.is_empty() && face.name().spelled_by(&said) == said.len();
        // A Mission and a Territory card can have the same name: the one that is still in its deck is meant.
        let faces: Vec<Face> = Face::all().filter(named).collect();
        let found = self.faces.iter().find(|(slot, card)| faces.contains(&Face::of(*card)) && self.is_left(*slot));
        let (slot, card) = found.ok_or_else(|| format!("cards; no card `{name}` is left"))?;
        match slot.deck {
            TERRITORY_DECK => self.board.territory_deck.take(slot),
            _ => self.board.adventure_deck.take(slot),
        }
        Ok((slot, card))
    }

    /// Leaves only these cards in the deck. Such lines must come after those that take cards out.
    fn left(&mut self, key: &str, value: &str) -> Read {
        let mut left = 0;
        for name in things(value) {
            let (slot, _) = self.card(name)?;
            left |= 1 << slot.position;
        }
        match key {
            "territory-deck" => self.board.territory_deck.left = left,
            _ => self.board.adventure_deck.left = left,
        }
        Ok(())
    }

    fn is_left(&self, slot: Slot) -> bool {
        let pile = if slot.deck == ADVENTURE_DECK { &self.board.adventure_deck } else { &self.board.territory_deck };
        pile.epoch == slot.epoch && pile.left >> slot.position & 1 == 1
    }

    fn effect(&self, text: &str) -> Result<Effect, String> {
        let wanted = || "effects as in the facts, each with `until` and a colour".to_string();
        let (text, colour) = text.split_once(" until ").ok_or_else(wanted)?;
        let until = self.seat(colour)?;
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        let kind = match kind {
            "bridge-blocked" => {
                let bridge = Bridge::ALL.into_iter().find(|bridge| bridge.name().id() == rest);
                EffectKind::BridgeBlocked(bridge.ok_or("a bridge, by its two ends: `minas-tirith--ithilien`")?)
            }
            "winter-storms" => {
                let territories: Vec<Territory> = rest.split(' ').filter_map(Territory::of_id).collect();
                EffectKind::WinterStorms(Storms::over(&territories).ok_or("one to three territories in Winter Storms")?)
            }
            "corsairs-of-umbar" => EffectKind::CorsairsOfUmbar,
            _ => return Err(wanted()),
        };
        Ok(Effect { kind, until })
    }

    fn seat(&self, word: &str) -> Result<Seat, String> {
        let colour = Colour::ALL.into_iter().find(|colour| colour.word() == word);
        colour.and_then(|colour| self.board.seat_of(colour)).ok_or_else(|| "a colour that plays".to_string())
    }

    /// Fills what no line has named, and marks the players who are eliminated.
    fn finish(&mut self) -> Result<(), Unplayable> {
        for territory in self.board.unclaimed().iter() {
            let (holder, battalions) = self.rest.ok_or_else(|| {
                Unplayable(format!("nobody holds {}: say so, or say who holds the `rest`", territory.name().id()))
            })?;
            self.board.occupy(territory, holder, battalions);
        }
        for seat in self.board.seats() {
            if self.board.leaders(seat).count() > 2 {
                return Err(Unplayable(format!("{} has more than 2 Leaders", self.board.colour(seat).word())));
            }
            if self.board.lands(seat).is_empty() {
                self.board.players[seat.index()].status = Status::Eliminated;
            }
        }
        if self.board.is_eliminated(self.board.active()) {
            return Err(Unplayable("it is the turn of a player who holds nothing".to_string()));
        }
        Ok(())
    }
}

/// The things of a list separated by commas.
fn things(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim).filter(|thing| !thing.is_empty() && *thing != "-")
}

fn place(index: usize) -> u16 {
    u16::try_from(index).expect("a deck has few cards")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EDITION;
    use engine::facts::Facts;

    fn setup() -> Setup {
        let seats = ["yellow", "red"].map(str::to_string).to_vec();
        Setup { edition: EDITION.to_string(), seats, options: Vec::new() }
    }

    #[test]
    fn a_position_is_read_and_asks() {
        let lines = [
            ("rest", "red 2"),
            ("the-shire", "yellow 5 leader"),
            ("yellow-adventure-cards", "ambush, Gollum"),
            ("yellow-territory-cards", "bree, wild-1"),
            ("effects", "corsairs-of-umbar until red, bridge-blocked the-shire--buckland until red"),
            ("turn", "7 yellow"),
            ("step", "combat"),
        ];
        let refused = begin(&setup(), &lines).err().unwrap();
        assert!(refused.to_string().contains("cards of that kind"), "{refused}");
        let mut lines = lines;
        lines[3].1 = "moria, wild-1";
        let (game, faces) = begin(&setup(), &lines).unwrap();
        let mut facts = Facts::default();
        game.facts(&mut facts);
        assert!(facts.text().contains("the-shire: yellow 5 leader\n"));
        assert!(
            facts.text().contains("effects: corsairs-of-umbar until red bridge-blocked the-shire--buckland until red")
        );
        assert!(game.read(Seat(1), "attack buckland from the-shire with 2", &faces).is_ok());
        assert!(game.read(Seat(1), "attack buckland from the-shire without leader", &faces).is_err());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(begin(&setup(), &[("rest", "green 1")]).is_err());
        assert!(begin(&setup(), &[("the-shire", "yellow 1")]).is_err());
        assert!(begin(&setup(), &[("rest", "red 1"), ("turn", "yellow")]).is_err());
        assert!(begin(&setup(), &[("rest", "red 1"), ("step", "dinner")]).is_err());
    }
}
