/*! Press: what players write to one another through the post (requirement X4).

A letter is composed anew from its words alone: no header, address, signature or attachment of its writer goes on. It is
mail, and no entry of the log. Each seat gets a letter of its own, which it can answer.
*/

use super::address::Place;
use super::asked;
use super::book::{Book, Fate, LetterIn};
use super::desk::Desk;
use super::draft::{Draft, Purpose};
use super::fault::PostError;
use super::request::{self, Sender, Verb};
use super::spelling;
use crate::engine::seat::Seat;
use crate::record::body;
use crate::record::hash::{Hash, sha256};
use crate::record::plan::Plan;
use crate::record::stamp::Stamp;
use crate::report::press as page;
use jiff::{SignedDuration, Timestamp};

/// Letters of one seat to others in a day.
const A_DAY: usize = 20;
/// Characters and lines of one letter.
const CHARACTERS_MAX: usize = 4000;
const LINES_MAX: usize = 80;

/// A letter that is allowed, and goes out when the letter that brought it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relayed {
    pub from: Seat,
    pub to: Vec<Seat>,
    pub sender: Sender,
    pub text: String,
    /// The letter that brought it, and its line there.
    pub raw: Hash,
    pub line: usize,
}

/// Who a letter goes to, or why it does not go.
///
/// # Errors
/// What is wrong, for whoever wrote it.
pub fn recipients(plan: &Plan, from: Seat, press: &request::Press) -> Result<Vec<Seat>, String> {
    match (plan.press, press.sender) {
        (body::Press::None, _) => return Err("the charter of this game knows no letters between players".to_owned()),
        (body::Press::Open, Sender::Anonymous) => {
            return Err(
                "in this game letters between players name their sender; write it without `anonymous`".to_owned()
            );
        }
        _ => {}
    }
    let all = (0..plan.seats.len()).map(Seat::at).filter(|seat| *seat != from);
    if press.to.is_empty() {
        return Ok(all.collect());
    }
    let mut seats = Vec::new();
    for word in &press.to {
        let known = || plan.seats.iter().map(|seat| seat.word.as_str()).collect::<Vec<&str>>().join(", ");
        let seat = plan.seat(word).ok_or_else(|| format!("there is no seat `{word}`; there are: all, {}", known()))?;
        if seat == from {
            return Err(format!("`{word}` is your own seat"));
        }
        if !seats.contains(&seat) {
            seats.push(seat);
        }
    }
    Ok(seats)
}

/// The text of a letter, fit to be sent on, or why it is not.
///
/// # Errors
/// What is wrong, for whoever wrote it.
pub fn fit(text: &str) -> Result<String, String> {
    let lines: Vec<String> = text.lines().map(asked::tidy).collect();
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

/// Whether a seat has sent as many letters in a day as it may.
pub fn is_too_much(book: &Book, seat: &str, at: Stamp) -> bool {
    let is_today = |letter: &&LetterIn| {
        let passed = letter.at.parse().ok().zip(at.as_str().parse().ok());
        let passed = passed.map(|(since, now): (Timestamp, Timestamp)| now.duration_since(since));
        letter.seat.as_deref() == Some(seat) && passed.is_none_or(|passed| passed < SignedDuration::from_hours(24))
    };
    let is_press = |fate: &&Fate| match fate {
        Fate::Done { said, .. } => request::find(said).is_some_and(|definition| definition.verb == Verb::Press),
        Fate::Kept { .. } | Fate::Refused { .. } | Fate::Ignored { .. } => false,
    };
    let sent: usize =
        book.letters_in().filter(is_today).map(|letter| letter.fates.values().filter(is_press).count()).sum();
    sent >= A_DAY
}

impl Desk {
    /// Writes the letters of one that is relayed. They follow from it, so that a crash doubles none.
    ///
    /// # Errors
    /// Something cannot be written.
    pub(super) fn relay(&mut self, relayed: &Relayed, date: Stamp) -> Result<Vec<String>, PostError> {
        let mut letters = Vec::new();
        for to in &relayed.to {
            let place = Place { game: self.name(), seat: self.table.word(*to) };
            let Some(address) = self.addresses(&place.seat).into_iter().next() else { continue };
            let page = page::letter(self.table.fold(), &self.heard(relayed, *to));
            // The name of the letter tells nobody which letter brought it, nor who wrote that.
            let key = self.table.secrets().token_key;
            let mark = sha256(format!("press {key} {} {} {}", relayed.raw, relayed.line, place.seat).as_bytes());
            let id = self.message_id(&place, Some(mark.to_string()[..12].to_owned()));
            let draft = Draft {
                purpose: Purpose::Report,
                message_id: id.to_string(),
                date,
                ours: self.ours.clone(),
                to: address,
                subject: page.subject,
                in_reply_to: None,
                references: Vec::new(),
                seat: Some(self.heading(&place)),
                text: page.text,
                log: None,
            };
            letters.push(self.queue_untold(&id.file_name(), &draft)?);
        }
        Ok(letters)
    }

    fn heard(&self, relayed: &Relayed, to: Seat) -> page::Heard {
        let plan = self.table.fold().plan();
        let everybody = relayed.to.len() + 1 == plan.seats.len();
        page::Heard {
            from: (relayed.sender == Sender::Named).then(|| plan.word(relayed.from).to_owned()),
            player: (relayed.sender == Sender::Named).then(|| plan.seats[relayed.from.index()].player.clone()),
            to: relayed.to.iter().map(|seat| plan.word(*seat).to_owned()).collect(),
            everybody,
            reader: plan.word(to).to_owned(),
            lines: relayed.text.lines().map(str::to_owned).collect(),
        }
    }
}
