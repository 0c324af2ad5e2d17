/*! Letters to the host: what needs a person, told once (requirement L4). */

use super::counter::Counter;
use crate::mail::draft::{Draft, Purpose};
use crate::mail::letter::mailbox::Mailbox;
use crate::mail::wire::hint;
use crate::post::book::fault::PostError;
use crate::post::desk::Desk;
use crate::post::desk::reach::{self, Unreachable};
use crate::record::fold::Phase;
use crate::record::value::hash::sha256;
use crate::record::value::stamp::Stamp;
use crate::report::columns::paragraphs;

/// Something the host must know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A player is not reached any more.
    Lost { game: String, player: Unreachable },
    /// A player objects to an entry of the log.
    Disputed { game: String, seat: String, seq: u64, line: String },
    /// A letter to a game was taken for that of a vacation robot, by its subject alone (L2).
    Away { author: Mailbox, subject: String },
    /// A player, or a program of his, has had so many letters refused that no further one is answered today (L3).
    Silenced { game: String, seat: String },
    /// A seat waits for another player, since this entry.
    Free { game: String, seat: String, seq: u64 },
    /// A game, or a letter to it, cannot be dealt with.
    Stuck { game: String, why: String },
}

/// What the host must know of a game as it stands: who is lost, and which seats wait for another player.
#[must_use]
pub fn of_game(game: &str, desk: &Desk) -> Vec<Notice> {
    let fold = desk.table.fold();
    let lost = reach::lost(desk).into_iter().map(|player| Notice::Lost { game: game.to_owned(), player });
    let freed = fold.council().freed().filter(|_| fold.phase() == Phase::Playing);
    let free = |(seat, seq)| Notice::Free { game: game.to_owned(), seat: fold.plan().word(seat).to_owned(), seq };
    lost.chain(freed.map(free)).collect()
}

impl Notice {
    /// One line.
    #[must_use]
    pub fn subject(&self) -> String {
        match self {
            Notice::Lost { game, player } => format!("{game}: {} is not reached at {}", player.seat, player.to),
            Notice::Disputed { game, seat, seq, .. } => format!("{game}: {seat} disputes an entry (#{seq})"),
            Notice::Away { author, .. } => format!("{author} seems to be away"),
            Notice::Silenced { game, seat } => format!("{game}: {seat} is not answered any more today"),
            Notice::Free { game, seat, .. } => format!("{game}: {seat} is free for another player"),
            Notice::Stuck { game, .. } => format!("{game}: it cannot go on"),
        }
    }

    fn text(&self) -> String {
        match self {
            Notice::Lost { game, player } => format!(
                "Letters to {to}, who plays {seat} in {game}, have come back on two different days, the first one on \
                 {since}.\n\nThe server said: {said}\n\nThe game waits for {seat}; the clock of that seat stands \
                 still. Ask the player in another way. As soon as he writes, or has another address, the game goes \
                 on by itself.\n",
                to = player.to,
                seat = player.seat,
                since = player.since,
                said = player.said,
            ),
            Notice::Disputed { game, seat, seq, line } => format!(
                "The player of {seat} in {game} writes: {line}\n\nIt is entry #{seq} of the log, and all players were \
                 told. Nothing else has changed. `ringmail why` explains any entry; what the table agrees on is put on \
                 record by a vote.\n"
            ),
            Notice::Away { author, subject } => format!(
                "A letter of {author} was not played: by its subject it is that of a vacation robot.\n\n\
                 {subject}\n\nHas the player written it himself, let him send it once more with another subject. Is \
                 he away, he can say so by `absence`, and those days do not count.\n"
            ),
            Notice::Silenced { game, seat } => format!(
                "So many letters of the player of {seat} in {game} were refused today that no further one is \
                 answered before tomorrow; what is right in them is played all the same. Is it a robot, nothing need \
                 be done; is it the player, help him in another way.\n"
            ),
            Notice::Free { game, seat, seq } => format!(
                "By entry #{seq} the seat {seat} of {game} is free for another player, and no time passes for it until \
                 somebody takes it; until then its old player can still answer. To invite somebody:\n\n\
                 ringmail invite {game} --seat {seat} \"NAME <ADDRESS>\"\n"
            ),
            Notice::Stuck { game, why } => {
                let advice = hint::of("", why).map_or(String::new(), |advice| format!("What to do: {advice}\n\n"));
                format!("{why}\n\n{advice}Letters to {game} are kept and tried again. All other games go on.\n")
            }
        }
    }

    /// What tells this notice from every other one: the same is told once.
    fn key(&self, at: Stamp) -> String {
        let words = match self {
            Notice::Lost { game, player } => format!("lost {game} {} {} {}", player.seat, player.to, player.since),
            Notice::Disputed { game, seq, .. } => format!("disputed {game} {seq}"),
            Notice::Away { author, subject } => format!("away {author} {subject}"),
            Notice::Silenced { game, seat } => format!("silenced {game} {seat} {}", day(at)),
            Notice::Free { game, seat, seq } => format!("free {game} {seat} {seq}"),
            // The same trouble is told again on another day, if it is still there.
            Notice::Stuck { why, .. } => format!("stuck {why} {}", day(at)),
        };
        sha256(words.as_bytes()).to_string()[..32].to_owned()
    }

    /// Puts the letter into the outbox of the counter, unless it has been there before. `None` if it has.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn post(
        &self,
        counter: &mut Counter,
        ours: &Mailbox,
        host: &Mailbox,
        at: Stamp,
    ) -> Result<Option<String>, PostError> {
        let message_id = format!("<notice.{}@{}>", self.key(at), ours.host);
        let name = format!("{}.eml", message_id.trim_matches(['<', '>']));
        if counter.book.letter_out(&name).is_some() {
            return Ok(None);
        }
        let draft = Draft {
            purpose: Purpose::Report,
            message_id,
            date: at,
            ours: ours.clone(),
            to: host.clone(),
            subject: format!("[ringmail] {}", self.subject()),
            in_reply_to: None,
            references: Vec::new(),
            seat: None,
            text: paragraphs(&self.text()),
            log: None,
        };
        counter.queue(&draft, at).map(Some)
    }
}

/// `2026-11-20`.
fn day(at: Stamp) -> String {
    at.as_str().get(..10).unwrap_or_default().to_owned()
}
