/*! The letters of a game as its host keeps and shows them, compared with the log one by one (log 10.9).

They are a folder with `mail/`, `keys/` and `addresses/`, such as the vault of the game. Only the part of a letter
that its domain signed counts as what it says.
*/

use crate::book::vault::KeyArchive;
use crate::names::question::Question;
use crate::order::request::{Proposed, Request};
use crate::order::sentences::{self, Form, Said, Sentence};
use crate::order::vocabulary;
use crate::order::words::{self, LET_GO_ON};
use engine::title::Titles;
use ground::hash::{Hash, sha256};
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::letter::signed_part::SignedPart;
use record::commit::address::SaltedAddress;
use record::entry::Body;
use record::entry::acts::NO_REASON;
use record::entry::body::{ClockChange, Correcting, Motion};
use record::verify::letters::{Asked, LetterLine, Letters, ProvenLetter, Shown};
use std::io;
use store::drawer::Drawer;
use store::home::FileKind;

/// A folder of letters, of the keys with which they were checked, and of the addresses they came from.
#[derive(Clone, Debug)]
pub struct Archive {
    /// The folder.
    drawer: Drawer,
    keys: KeyArchive,
    titles: Titles,
}

/// Whether a line is a clause of the sentence above it, or lets a plan go on: it need not lead to a record.
fn is_of_a_plan(line: &str) -> bool {
    line.starts_with(';') || line.starts_with("else ") || words::begins_clause(line) || line == LET_GO_ON
}

impl Archive {
    /// Opens a folder of letters. [`io::ErrorKind::NotFound`] if it has no `mail`.
    pub fn open(folder: impl Into<Drawer>, titles: Titles) -> io::Result<Archive> {
        let drawer = folder.into();
        if !drawer.list("")?.iter().any(|found| found.name == "mail" && found.kind == FileKind::Folder) {
            let folder = drawer.path();
            let why = format!("{} has no folder `mail` with letters, as the vault of a game has", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, why));
        }
        let keys = KeyArchive::read(&drawer, "keys")?;
        Ok(Archive { drawer, keys, titles })
    }

    /// The address of a commitment, if the folder has it.
    fn salted(&self, commitment: &Hash) -> Option<SaltedAddress> {
        let kept = self.drawer.read(&format!("addresses/{commitment}.txt")).ok()?;
        SaltedAddress::read(&String::from_utf8(kept).ok()?)
    }

    fn proven(&self, bytes: &[u8], asked: &Asked<'_>, address: &SaltedAddress) -> Result<ProvenLetter, String> {
        if address.commitment(&asked.game, asked.seat) != asked.address {
            return Err("the address that was given with it is not the one that the log commits to".to_owned());
        }
        let keys = match asked.keys {
            Some(dated) => self.keys.only(&dated.iter().copied().collect::<Vec<Hash>>()),
            None => self.keys.clone(),
        };
        let part = SignedPart::open(bytes, asked.at, &keys, &Limits::ORDINARY).map_err(|why| why.to_string())?;
        if part.letter.envelope.author.as_ref().ok() != Mailbox::read(&address.address).as_ref() {
            return Err("it was not written from the address of the seat".to_owned());
        }
        part.is_dated(asked.between.0, asked.between.1)?;
        let Question { game, seat, seq, head } = Question::of(&part)?;
        let (identity, lines) = (part.identity(), self.lines(&part));
        Ok(ProvenLetter { domain: part.signed.domain, identity, game, seat, seq, head, lines })
    }

    /// The lines of a letter that its domain signed, each with the lines below that may belong to it.
    fn lines(&self, part: &SignedPart) -> Vec<LetterLine> {
        let vocabulary = vocabulary::of_all(self.titles);
        let read = |text| sentences::read(text, vocabulary, &Limits::ORDINARY).ok();
        let reading = part.text().and_then(read).unwrap_or_default();
        reading.said.into_iter().map(|said| self.line(said)).collect()
    }

    fn line(&self, said: Said) -> LetterLine {
        let number = said.line();
        let sentence = match said {
            Said::Sentence(sentence) => sentence,
            Said::Refused(_) => {
                return LetterLine { number, words: Vec::new(), is_aside: false, asks: Box::new(|_| false) };
            }
        };
        let words = words_of(&sentence);
        let is_aside = !matches!(sentence.form, Form::Answer | Form::Misread(_)) || is_of_a_plan(&sentence.words);
        let Form::Request(asked) = sentence.form else {
            return LetterLine { number, words, is_aside, asks: Box::new(|_| false) };
        };
        let archive = self.clone();
        let asks = move |body: &Body<'_>| archive.asks(&asked.request, body);
        LetterLine { number, words, is_aside, asks: Box::new(asks) }
    }

    /// Whether a request asks for what a record says.
    fn asks(&self, request: &Request, body: &Body<'_>) -> bool {
        match (request, body) {
            (Request::Vote { motion, says }, Body::Vote(vote)) => {
                *says == vote.says && motion.is_none_or(|motion| motion == vote.motion)
            }
            (Request::Concede { text }, Body::Concede(concede)) => text.as_deref() == concede.text.as_deref(),
            (Request::Dispute { about, text }, Body::Dispute(dispute)) => {
                *about == dispute.about && *text == dispute.text
            }
            (Request::Consent { words }, Body::Consent(given)) => {
                *words == *given.phrase.as_deref().unwrap_or_default()
            }
            (Request::Key { key }, Body::Keys(keys)) => keys.keys.len() == 1 && keys.keys[0] == key.to_string(),
            (Request::Propose(proposed), Body::Motion(motion)) => is_moved(proposed, motion),
            (Request::Delegate { .. }, Body::Motion(motion)) => motion.what == Correcting::Seat,
            // If the salt of an address is not given, it cannot be compared with its commitment.
            (Request::Address { to }, Body::Address(changed)) => {
                let given = self.salted(&changed.address);
                given.is_none_or(|given| Mailbox::read(&given.address).as_ref() == Some(to))
            }
            (Request::Absence { from, to }, Body::Clock(clock)) => {
                clock.what == ClockChange::Absent
                    && clock.from.as_deref() == Some(from)
                    && clock.to.as_deref() == Some(to)
            }
            (Request::Back, Body::Clock(clock)) => clock.what == ClockChange::Back,
            (Request::Extend { .. }, Body::Clock(clock)) => clock.what == ClockChange::Extended,
            (Request::Zone { name }, Body::Clock(clock)) => {
                clock.what == ClockChange::Zone && clock.zone.as_deref() == Some(name)
            }
            _ => false,
        }
    }
}

impl Letters for Archive {
    fn show(&self, asked: &Asked<'_>) -> Shown {
        let unproven = |why: String| Shown::Unproven { why };
        let bytes = match self.drawer.read(&format!("mail/{}.eml", asked.raw)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Shown::Missing,
            Err(error) => return unproven(format!("the file cannot be read: {error}")),
        };
        if sha256(&bytes) != asked.raw {
            return unproven("the file is not that letter".to_owned());
        }
        let Some(address) = self.salted(&asked.address) else { return Shown::Missing };
        match self.proven(&bytes, asked, &address) {
            Ok(letter) => Shown::Proven(Box::new(letter)),
            Err(why) => unproven(why),
        }
    }
}

/// A sentence alone, and joined with the lines below that may belong to it, one more each time; with the last line of
/// each variant.
fn words_of(sentence: &Sentence) -> Vec<(String, usize)> {
    let mut words = sentence.words.clone();
    let mut found = vec![(words.clone(), sentence.last)];
    for rest in sentence.rest() {
        words = sentences::joined(&words, &rest.words);
        found.push((words.clone(), rest.line));
    }
    // The longest sentence comes first.
    found.reverse();
    found
}

/// Whether a motion is what was proposed. The proposal may give a new deadline as a span, so only its presence
/// counts.
fn is_moved(proposed: &Proposed, motion: &Motion<'_>) -> bool {
    let is_own = proposed.what == Correcting::Key;
    proposed.what == motion.what
        && proposed.to == motion.to
        && (is_own || proposed.of.as_deref() == motion.of.as_deref())
        && proposed.key.map(|key| key.to_string()).as_deref() == motion.key.as_deref()
        && proposed.rules.as_deref() == motion.rules.as_deref()
        && proposed.until.is_some() == motion.until.is_some()
        && proposed.text.as_deref().unwrap_or(NO_REASON) == motion.text
}
