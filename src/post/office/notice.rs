/*! Letters to the host about things that need a person, each told once (requirement L4). */

use super::counter::Counter;
use crate::book::fault::PostError;
use crate::book::outgoing::{Key, Outgoing};
use crate::desk::Desk;
use crate::desk::outage::{Doubt, Outage};
use crate::desk::reach::{self, Unreachable};
use crate::names::message_id::is_game;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use record::fold::Phase;
use report::office as page;
use serde::Serialize;

/// Something the host must know or do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Notice {
    /// Letters to a player come back.
    Lost { game: String, player: Unreachable },
    /// A player objects to an entry of the log.
    Disputed { game: String, seat: String, seq: u64, line: String },
    /// A letter to a game was taken for one of a vacation robot, by its subject alone (L2).
    Away { author: String, subject: String },
    /// A player, or a program of his, has had as many letters refused as get an answer in a day: he gets no more
    /// today (L3).
    Silenced { game: String, seat: String },
    /// A seat has been waiting for another player since this entry.
    Free { game: String, seat: String, seq: u64 },
    /// The round that a game waits for has not come for an hour.
    Beacon { game: String, round: u64, why: String },
    /// The clock of this machine has jumped by days, and nothing is dated by it.
    Clock { gone: Stamp, shown: Stamp, believed: Stamp, is_fast: bool },
    /// A game, or a letter to it, cannot be dealt with.
    Stuck { game: String, why: String, advice: Option<String> },
}

/// What the host must know of a game now: which players cannot be reached, which seats wait for another player, and
/// whether the beacon cannot be reached.
pub fn of_game(game: &str, desk: &Desk) -> Vec<Notice> {
    let fold = desk.table.fold();
    let lost = reach::lost(desk).into_iter().map(|player| Notice::Lost { game: game.to_owned(), player });
    let freed = fold.council().freed().filter(|_| fold.phase() == Phase::Playing);
    let free = |(seat, seq)| Notice::Free { game: game.to_owned(), seat: fold.plan().word(seat).to_owned(), seq };
    let beacon = desk.beacon_trouble().map(|(round, why)| {
        let (game, why) = (game.to_owned(), why.to_owned());
        Notice::Beacon { game, round, why }
    });
    lost.chain(freed.map(free)).chain(beacon).collect()
}

impl Notice {
    pub(super) fn of_clock(doubt: &Doubt) -> Notice {
        let Outage { gone, back: shown } = doubt.gap;
        Notice::Clock { gone, shown, believed: doubt.believed(), is_fast: doubt.contradicted.is_some() }
    }

    /// The game that it concerns.
    pub fn game(&self) -> Option<&str> {
        match self {
            Notice::Lost { game, .. }
            | Notice::Disputed { game, .. }
            | Notice::Silenced { game, .. }
            | Notice::Free { game, .. }
            | Notice::Beacon { game, .. } => Some(game),
            // Despite its name, this field may hold the name of a letter.
            Notice::Stuck { game, .. } => Some(game.as_str()).filter(|game| is_game(game)),
            Notice::Away { .. } | Notice::Clock { .. } => None,
        }
    }

    /// One line.
    pub fn subject(&self) -> String {
        match self {
            Notice::Lost { game, player } => format!("{game}: {} is not reached at {}", player.seat, player.to),
            Notice::Disputed { game, seat, seq, .. } => format!("{game}: {seat} disputes an entry (#{seq})"),
            Notice::Away { author, .. } => format!("{author} seems to be away"),
            Notice::Silenced { game, seat } => format!("{game}: {seat} is not answered any more today"),
            Notice::Free { game, seat, .. } => format!("{game}: {seat} is free for another player"),
            Notice::Beacon { game, round, .. } => format!("{game}: round {round} of the beacon cannot be fetched"),
            Notice::Clock { is_fast: true, .. } => "the clock of the post office is fast".to_owned(),
            Notice::Clock { is_fast: false, .. } => "is the clock of the post office right?".to_owned(),
            Notice::Stuck { game, .. } => format!("{game}: it cannot go on"),
        }
    }

    /// Identifies a notice: one with the same key is not written again.
    fn key(&self, at: Stamp) -> Key {
        Key::notice(&match self {
            Notice::Lost { game, player } => format!("lost {game} {} {} {}", player.seat, player.to, player.since),
            Notice::Disputed { game, seq, .. } => format!("disputed {game} {seq}"),
            Notice::Away { author, subject } => format!("away {author} {subject}"),
            Notice::Silenced { game, seat } => format!("silenced {game} {seat} {}", day(at)),
            Notice::Free { game, seat, seq } => format!("free {game} {seat} {seq}"),
            Notice::Beacon { game, round, .. } => format!("beacon {game} {round}"),
            Notice::Clock { gone, is_fast, .. } => format!("clock {gone} {is_fast}"),
            // If the trouble lasts, it is told again the next day.
            Notice::Stuck { why, .. } => format!("stuck {why} {}", day(at)),
        })
    }

    /// Writes to the host. Returns `None` if he has been told before.
    pub fn post(&self, counter: &mut Counter, host: &Mailbox, at: Stamp) -> Result<Option<String>, PostError> {
        let key = self.key(at);
        if counter.book.letter_of(&key).is_some() {
            return Ok(None);
        }
        let page = page::notice(&self.subject(), self);
        counter.post(Outgoing::new(key, host.clone(), page, at)).map(Some)
    }
}

/// `2026-11-20`.
fn day(at: Stamp) -> String {
    at.as_str().get(..10).unwrap_or_default().to_owned()
}
