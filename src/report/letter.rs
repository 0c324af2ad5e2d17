/*! The letter to a seat: a subject that says what is wanted, and a text of 72 columns that is complete and can be
answered.
*/

use crate::columns;
use crate::frame::Frame;
use crate::html::{self, Answering, Enclosed, Form, Html, Look, Pictures};
use crate::occasion::{Occasion, Waits};
use crate::print::{self, Sheet};
use crate::templates;
use record::commit::words::{WORDS_IN_SUBJECT, in_subject};
use record::fold::Fold;

/// Digits of the head in a subject.
const HEAD_IN_SUBJECT: usize = 20;

/// The most columns of a subject that say what is wanted.
const WANTED_MAX: usize = 60;

/// A letter as it goes out, before it is put into an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub subject: String,
    /// Lines of at most 72 columns ended by LF, no blanks at their ends.
    pub text: String,
    /// The same as a page, if its reader wants one.
    pub html: Option<Box<Html>>,
    pub pictures: Vec<Enclosed>,
    /// The same on paper, if its reader wants that.
    pub sheet: Option<Box<Sheet>>,
}

impl Letter {
    /// A letter without a page.
    pub fn of_text(subject: String, text: String) -> Letter {
        Letter { subject, text, html: None, pictures: Vec::new(), sheet: None }
    }
}

/// What a subject begins with: the game, its newest record with the first digits of its hash, and the first words of
/// the fingerprint, which tell a game that was made anew from the old one of that name.
fn tag(game: &str, seq: u64, head: &str, words: &[&str]) -> String {
    format!("[{game} #{seq} {} {}]", head.get(..HEAD_IN_SUBJECT).unwrap_or(head), words.join(" "))
}

/// The same for the game of an occasion.
fn tag_at(occasion: &Occasion) -> String {
    let words: Vec<&str> = occasion.fingerprint.iter().take(WORDS_IN_SUBJECT).map(String::as_str).collect();
    tag(&occasion.game, occasion.seq, &occasion.head, &words)
}

/// The same for the game of a fold.
pub(super) fn tag_of(fold: &Fold) -> String {
    let head = fold.head();
    tag(&fold.plan().name, head.seq, &head.hash.to_string(), &in_subject(&fold.genesis()))
}

pub fn letter(occasion: &Occasion) -> Letter {
    let frame = Frame::of(occasion, columns::LETTER);
    let subject = columns::ruly(&subject(occasion, &frame));
    Letter::of_text(subject, templates::page("letter.txt", &templates::context(&frame)))
}

/// The letter as its reader wants it to look; `to` is the address for answers, `asked_for` a part of the map that he
/// wants to see.
pub fn looking(occasion: &Occasion, to: &str, look: Look, asked_for: Option<&str>) -> Letter {
    let mut letter = letter(occasion);
    letter.pictures = html::pictures(occasion, look, asked_for);
    let answering = Answering { to: to.to_string(), tag: tag_at(occasion) };
    if look.pictures == Pictures::Print {
        letter.sheet = Some(Box::new(print::sheet(occasion, Some(&answering))));
    }
    if look.form == Form::Html {
        let page = html::html(&Frame::of(occasion, columns::LETTER), &letter.subject, &answering, &letter.pictures);
        letter.html = Some(Box::new(page));
    }
    letter
}

/// `[g1 #57 9c1e0a77b2d49c1e0a77 grid creek] Risk, turn 5: your move – attack, fortify or done`.
fn subject(occasion: &Occasion, frame: &Frame<'_>) -> String {
    let title = occasion.title_name.split(':').next().unwrap_or(&occasion.title_name);
    let wanted = columns::cut(&frame.ask.short, WANTED_MAX);
    let until = occasion.deadline.as_ref().and_then(|deadline| deadline.until.as_deref());
    let until = until.map_or(String::new(), |until| format!(" (until {until})"));
    let reminds = occasion.deadline.as_ref().is_some_and(|deadline| deadline.reminds.is_some());
    let vote = occasion.to_vote.first().map_or(String::new(), |seq| format!("your vote on #{seq} – "));
    let verdict = occasion.verdict.as_ref().map_or(String::new(), |verdict| format!("{} – ", verdict.short));
    let wanted = match &occasion.waits {
        _ if occasion.wants_consent => "your consent is wanted".to_string(),
        Waits::Reader { .. } if reminds => format!("reminder: your move – {wanted}{until}"),
        Waits::Reader { .. } => format!("your move – {wanted}{until}"),
        Waits::Other { seat, .. } => format!("{vote}waiting for {seat}{until}"),
        Waits::Host { .. } => "to be continued".to_string(),
        Waits::Nobody { ended: Some(ended) } => {
            let winners = if ended.winners.is_empty() { "nobody".to_string() } else { ended.winners.join(" and ") };
            format!("the game is over – {winners} {}", if ended.winners.len() > 1 { "win" } else { "wins" })
        }
        Waits::Nobody { ended: None } => "the game is over".to_string(),
    };
    let head = format!("{} {title}", tag_at(occasion));
    match &occasion.waits {
        // A finished game has no moment.
        Waits::Nobody { .. } => format!("{head}: {verdict}{wanted}"),
        _ => format!("{head}, {}: {verdict}{wanted}", occasion.turn),
    }
}
