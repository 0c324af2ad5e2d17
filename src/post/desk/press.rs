/*! Press: what players write to one another through the post (requirement X4).

A letter is composed anew from its words alone: no header, address, signature or attachment of its writer goes on. It is
mail, and no entry of the log. Each seat gets a letter of its own, which it can answer.
*/

use super::Desk;
use crate::book::fault::PostError;
use crate::book::outgoing::{Key, Outgoing};
use crate::book::relayed::Relayed;
use crate::book::{Book, Event};
use crate::order::request::{self, Sender};
use engine::seat::Seat;
use ground::hash::{Hash, mac};
use ground::span::Span;
use ground::stamp::Stamp;
use jiff::SignedDuration;
use mail::letter::mailbox::Mailbox;
use mail::letter::spelling;
use record::charter::plan::Plan;
use record::entry::body;
use record::file::secrets::Secrets;
use report::press as page;

/// The most letters of one seat to others in a day.
const A_DAY: usize = 20;
/// The most characters and lines of one letter.
const CHARACTERS_MAX: usize = 4000;
const LINES_MAX: usize = 80;

/// X4: the least and the most seconds after which a letter without a name goes out, so that the time of its arrival
/// does not tell who was writing then.
const DELAY_LEAST: i64 = 30 * 60;
const DELAY_MOST: i64 = 6 * 60 * 60;

/// When a line of a letter goes out to others. For a letter without a name the time is drawn from a secret of the
/// host, and is the same at every call.
pub fn due(secrets: &Secrets, sender: Sender, raw: &Hash, line: usize, came: Stamp) -> Stamp {
    if sender == Sender::Named {
        return came;
    }
    let drawn = mac(&secrets.token_key, "press-delay", &[&raw.0, &(line as u64).to_be_bytes()]);
    let drawn = u32::from_be_bytes(drawn.0[..4].try_into().expect("four of 32 bytes"));
    came.later(Span::of(DELAY_LEAST + i64::from(drawn) % (DELAY_MOST - DELAY_LEAST)))
}

/// The seats that a letter goes to, or why it is not sent.
///
/// # Errors
/// What is wrong, for the player who wrote it.
pub fn recipients(plan: &Plan, from: Seat, press: &request::Press) -> Result<Vec<Seat>, String> {
    // Team mates may always write to one another.
    let mates = mates(plan, from);
    let unknown = || {
        let other = if mates.is_empty() { "" } else { " who are not of one team" };
        format!("the charter of this game knows no letters between players{other}")
    };
    match (plan.press, press.sender) {
        (body::Press::None, _) if mates.is_empty() => return Err(unknown()),
        (body::Press::None | body::Press::Open, Sender::Anonymous) => {
            return Err(
                "in this game letters between players name their sender; write it without `anonymous`".to_owned()
            );
        }
        _ => {}
    }
    let is_known = |seat: &Seat| plan.press != body::Press::None || mates.contains(seat);
    let all = (0..plan.seats.len()).map(Seat::at).filter(|seat| *seat != from);
    if press.to.is_empty() {
        let all: Vec<Seat> = all.collect();
        return if all.iter().all(is_known) { Ok(all) } else { Err(unknown()) };
    }
    let mut seats = Vec::new();
    for word in &press.to {
        let known = || plan.seats.iter().map(|seat| seat.word.as_str()).collect::<Vec<&str>>().join(", ");
        let seat = called(plan, word);
        let seat = seat.ok_or_else(|| format!("there is no seat `{word}`; there are: all, {}", known()))?;
        if seat == from {
            return Err(format!("`{word}` is your own seat"));
        }
        if !is_known(&seat) {
            return Err(unknown());
        }
        if !seats.contains(&seat) {
            seats.push(seat);
        }
    }
    Ok(seats)
}

/// The seats that win together with this one.
fn mates(plan: &Plan, seat: Seat) -> Vec<Seat> {
    let sides = (plan.title.teams.sides)(&plan.setup);
    let own = sides.into_iter().find(|side| side.contains(&seat)).unwrap_or_default();
    own.into_iter().filter(|mate| *mate != seat).collect()
}

/// The seat that a word means: the seat's own word, or a word that only its player has in his name.
pub fn called(plan: &Plan, word: &str) -> Option<Seat> {
    let is_name = |name: &str| name.split_whitespace().any(|part| spelling::plain(part) == word);
    let mut named = plan.seats.iter().enumerate().filter(|(_, seat)| is_name(&seat.player));
    let named = named.next().filter(|_| named.next().is_none());
    plan.seat(word).or(named.map(|(index, _)| Seat::at(index)))
}

/// The text of a letter, fit to be sent on, or why it is not.
///
/// # Errors
/// What is wrong, for the player who wrote it.
pub fn fit(text: &str) -> Result<String, String> {
    let lines: Vec<String> = text.lines().map(request::tidy).collect();
    let text = lines.join("\n").trim_matches('\n').to_owned();
    if let Some(fault) = text.lines().find_map(spelling::fault) {
        return Err(fault.to_string());
    }
    let (characters, count) = (text.chars().count(), text.lines().count());
    if text.is_empty() {
        return Err("the text is missing".to_owned());
    }
    if characters > CHARACTERS_MAX || count > LINES_MAX {
        return Err(format!(
            "the text has {characters} characters in {count} lines; at most {CHARACTERS_MAX} in {LINES_MAX} are sent"
        ));
    }
    Ok(text)
}

/// Whether a seat has sent as many letters today as it may. `more` counts those of the letter in play.
pub fn is_too_much(book: &Book, seat: &str, at: Stamp, more: usize) -> bool {
    let is_today = |raw: &Hash| {
        let came = book.letter_in(raw).and_then(|letter| at.since_written(&letter.at));
        came.is_none_or(|passed| passed < SignedDuration::from_hours(24))
    };
    let sent = book.all_press().filter(|relayed| relayed.from == seat && is_today(&relayed.raw)).count();
    sent + more >= A_DAY
}

impl Desk {
    /// Notes a letter that is to be relayed, once.
    pub(super) fn note_relayed(&mut self, relayed: &Relayed) -> Result<(), PostError> {
        if !self.book.knows_press(&relayed.raw, relayed.line) {
            self.book.append(Event::Press(Box::new(relayed.clone())))?;
        }
        Ok(())
    }

    /// Writes the letters to players whose time has come, each once, and notes them in the book, which is to be
    /// settled afterwards.
    pub(super) fn relay(&mut self, now: Stamp) -> Result<Vec<String>, PostError> {
        let mut letters = Vec::new();
        let waiting: Vec<Relayed> = self.book.press().cloned().collect();
        for relayed in waiting {
            let unsent = self.unsent(&relayed);
            let (due, later): (Vec<Unsent>, Vec<Unsent>) = unsent.into_iter().partition(|unsent| unsent.at <= now);
            let due = due.into_iter().map(|unsent| self.relay_to(&relayed, unsent)).collect();
            letters.extend(self.post(due)?);
            if later.is_empty() {
                self.book.note(Event::PressSent { raw: relayed.raw, line: relayed.line });
            }
        }
        Ok(letters)
    }

    /// When the next waiting letter to players goes out: at its time, or at the end of its reader's night.
    pub(super) fn next_relay(&self) -> Option<Stamp> {
        self.book.press().flat_map(|relayed| self.unsent(relayed)).map(|unsent| unsent.at).min()
    }

    fn unsent(&self, relayed: &Relayed) -> Vec<Unsent> {
        let fold = self.table.fold();
        let due = Stamp::parse(&relayed.due).unwrap_or_else(|| fold.at());
        let letter = |word: &String| {
            let seat = fold.plan().seat(word)?;
            let address = self.addresses(word).into_iter().next()?;
            let key = Key::press(word, &self.table.secrets().token_key, &relayed.raw, relayed.line);
            let at = self.book.settings(word).awake(due, &fold.zone(seat));
            self.book.letter_of(&key).is_none().then_some(Unsent { key, seat, address, at })
        };
        relayed.to.iter().filter_map(letter).collect()
    }

    fn relay_to(&self, relayed: &Relayed, unsent: Unsent) -> Outgoing {
        let Unsent { key, seat, address, at } = unsent;
        let page = page::letter(self.table.fold(), &self.heard(relayed, seat));
        Outgoing { date: at, ..self.outgoing(key, address, page, at) }
    }

    fn heard(&self, relayed: &Relayed, to: Seat) -> page::Heard {
        let plan = self.table.fold().plan();
        let writer = plan.seat(&relayed.from).filter(|_| relayed.sender == Sender::Named);
        page::Heard {
            from: writer.map(|seat| plan.word(seat).to_owned()),
            player: writer.map(|seat| plan.seats[seat.index()].player.clone()),
            to: relayed.to.clone(),
            everybody: relayed.to.len() + 1 == plan.seats.len(),
            reader: plan.word(to).to_owned(),
            lines: relayed.text.lines().map(str::to_owned).collect(),
        }
    }
}

/// A letter to one of its recipients, before it is written.
struct Unsent {
    key: Key,
    seat: Seat,
    address: Mailbox,
    /// When it goes out.
    at: Stamp,
}

#[cfg(test)]
mod tests {
    use super::*;
    use ground::hash::sha256;

    #[test]
    fn x4_a_letter_without_a_name_goes_out_at_a_time_drawn_from_secrets() {
        let secrets = [Secrets::random().unwrap(), Secrets::random().unwrap()];
        let came = Stamp::parse("2026-11-24T08:00:00Z").unwrap();
        let raw = sha256(b"letter");
        assert_eq!(due(&secrets[0], Sender::Named, &raw, 1, came), came);
        let drawn = |secrets: &Secrets, line| due(secrets, Sender::Anonymous, &raw, line, came);
        let (least, most) = ("2026-11-24T08:30:00Z", "2026-11-24T14:00:00Z");
        let times: Vec<Stamp> = (1..40).map(|line| drawn(&secrets[0], line)).collect();
        assert!(times.iter().all(|at| (least..most).contains(&at.to_string().as_str())), "{times:?}");
        assert_eq!(times[3], drawn(&secrets[0], 4), "it is drawn once");
        assert!(times.iter().collect::<std::collections::BTreeSet<_>>().len() > 30, "{times:?}");
        assert_ne!(times, (1..40).map(|line| drawn(&secrets[1], line)).collect::<Vec<Stamp>>());
    }
}
