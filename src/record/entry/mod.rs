/*! One record of the log: the head every record has, what it says, and what followed from it.

[`body`] lists every type of record with its keys, [`receipts`] those that need a beacon. Nothing here knows whether a
record is right.
*/

pub mod acts;
pub mod body;
pub mod lines;
pub mod receipts;
mod via;

use self::body::{
    Address, Clock, Concede, ConsentGiven, Consequence, Correction, Deck, Dispute, Dns, End, Genesis, Host, Join, Keys,
    Kind, Motion, Reveal, Say, Start, Text, Via, Vote,
};
use self::receipts::{Receipt, Round, Stopped};
use crate::canon::emit::Emitter;
use crate::canon::fault::{Fault, FaultKind};
use crate::canon::read::Reader;
use crate::canon::values::{Mapping, Value};
use ground::hash::{Hash, sha256};
use ground::stamp::Stamp;
use serde::{Deserialize, Serialize, Serializer};

/// The word that stands for the host where a seat is named.
pub const HOST: &str = "host";

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    pub seq: u64,
    /// SHA-256 of the whole record before; zeros in the first.
    pub prev: Hash,
    pub at: Stamp,
    /// Who says it: the word of a seat, or [`HOST`].
    pub seat: Text<'a>,
    pub via: Option<Via>,
    /// The commitment to the order books of all seats; in the records that [`Entry::is_of_a_seat`] names, once the game
    /// has started.
    pub books: Option<Hash>,
    pub body: Body<'a>,
    /// What followed; exactly in the kinds that are played.
    pub outcome: Option<Consequence<'a>>,
    /// SHA-256 of all facts after it; in the records of [`Entry::bears_digest`] once the game has started.
    pub digest: Option<Hash>,
}

/// Records whose number is a multiple of this bear a digest of all facts.
pub const DIGEST_EVERY: u64 = 64;

/// A record, identified by its number and its hash; usually the last one of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    pub seq: u64,
    /// SHA-256 of the record's bytes.
    pub hash: Hash,
}

/// What a record says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Body<'a> {
    Genesis(Box<Genesis<'a>>),
    Join(Join<'a>),
    Start(Start<'a>),
    Say(Say<'a>),
    /// A letter of the seat was read, and nothing in it was played.
    Heard,
    Deck(Deck<'a>),
    Receipt(Receipt),
    Round(Round),
    Stopped(Stopped<'a>),
    Dns(Dns),
    Keys(Keys<'a>),
    Address(Address),
    Host(Host<'a>),
    Consent(ConsentGiven<'a>),
    Correction(Correction<'a>),
    Motion(Motion<'a>),
    Vote(Vote),
    Concede(Concede<'a>),
    Dispute(Dispute<'a>),
    Clock(Clock<'a>),
    Reveal(Reveal<'a>),
    End(End<'a>),
}

impl Kind {
    /// Whether the game goes on with records of this kind, so that they carry an outcome.
    pub fn is_played(self) -> bool {
        match self {
            Kind::Start | Kind::Say | Kind::Deck | Kind::Correction => true,
            Kind::Genesis
            | Kind::Join
            | Kind::Heard
            | Kind::Motion
            | Kind::Vote
            | Kind::Concede
            | Kind::Dispute
            | Kind::Clock
            | Kind::Receipt
            | Kind::Round
            | Kind::Stopped
            | Kind::Dns
            | Kind::Keys
            | Kind::Address
            | Kind::Host
            | Kind::Consent
            | Kind::Reveal
            | Kind::End => false,
        }
    }
}

impl<'a> Body<'a> {
    pub fn kind(&self) -> Kind {
        match self {
            Body::Genesis(_) => Kind::Genesis,
            Body::Join(_) => Kind::Join,
            Body::Start(_) => Kind::Start,
            Body::Say(_) => Kind::Say,
            Body::Heard => Kind::Heard,
            Body::Deck(_) => Kind::Deck,
            Body::Receipt(_) => Kind::Receipt,
            Body::Round(_) => Kind::Round,
            Body::Stopped(_) => Kind::Stopped,
            Body::Dns(_) => Kind::Dns,
            Body::Keys(_) => Kind::Keys,
            Body::Address(_) => Kind::Address,
            Body::Host(_) => Kind::Host,
            Body::Consent(_) => Kind::Consent,
            Body::Correction(_) => Kind::Correction,
            Body::Motion(_) => Kind::Motion,
            Body::Vote(_) => Kind::Vote,
            Body::Concede(_) => Kind::Concede,
            Body::Dispute(_) => Kind::Dispute,
            Body::Clock(_) => Kind::Clock,
            Body::Reveal(_) => Kind::Reveal,
            Body::End(_) => Kind::End,
        }
    }

    fn emit_fields(&self, emitter: &mut Emitter) {
        match self {
            Body::Genesis(body) => body.emit_fields(emitter),
            Body::Join(body) => body.emit_fields(emitter),
            Body::Start(body) => body.emit_fields(emitter),
            Body::Say(body) => body.emit_fields(emitter),
            Body::Heard => {}
            Body::Deck(body) => body.emit_fields(emitter),
            Body::Receipt(body) => body.emit_fields(emitter),
            Body::Round(body) => body.emit_fields(emitter),
            Body::Stopped(body) => body.emit_fields(emitter),
            Body::Dns(body) => body.emit_fields(emitter),
            Body::Keys(body) => body.emit_fields(emitter),
            Body::Address(body) => body.emit_fields(emitter),
            Body::Host(body) => body.emit_fields(emitter),
            Body::Consent(body) => body.emit_fields(emitter),
            Body::Correction(body) => body.emit_fields(emitter),
            Body::Motion(body) => body.emit_fields(emitter),
            Body::Vote(body) => body.emit_fields(emitter),
            Body::Concede(body) => body.emit_fields(emitter),
            Body::Dispute(body) => body.emit_fields(emitter),
            Body::Clock(body) => body.emit_fields(emitter),
            Body::Reveal(body) => body.emit_fields(emitter),
            Body::End(body) => body.emit_fields(emitter),
        }
    }

    fn read_fields(kind: Kind, reader: &mut Reader<'a>) -> Result<Body<'a>, Fault> {
        Ok(match kind {
            Kind::Genesis => Body::Genesis(Box::new(Genesis::read_fields(reader)?)),
            Kind::Join => Body::Join(Join::read_fields(reader)?),
            Kind::Start => Body::Start(Start::read_fields(reader)?),
            Kind::Say => Body::Say(Say::read_fields(reader)?),
            Kind::Heard => Body::Heard,
            Kind::Deck => Body::Deck(Deck::read_fields(reader)?),
            Kind::Receipt => Body::Receipt(Receipt::read_fields(reader)?),
            Kind::Round => Body::Round(Round::read_fields(reader)?),
            Kind::Stopped => Body::Stopped(Stopped::read_fields(reader)?),
            Kind::Dns => Body::Dns(Dns::read_fields(reader)?),
            Kind::Keys => Body::Keys(Keys::read_fields(reader)?),
            Kind::Address => Body::Address(Address::read_fields(reader)?),
            Kind::Host => Body::Host(Host::read_fields(reader)?),
            Kind::Consent => Body::Consent(ConsentGiven::read_fields(reader)?),
            Kind::Correction => Body::Correction(Correction::read_fields(reader)?),
            Kind::Motion => Body::Motion(Motion::read_fields(reader)?),
            Kind::Vote => Body::Vote(Vote::read_fields(reader)?),
            Kind::Concede => Body::Concede(Concede::read_fields(reader)?),
            Kind::Dispute => Body::Dispute(Dispute::read_fields(reader)?),
            Kind::Clock => Body::Clock(Clock::read_fields(reader)?),
            Kind::Reveal => Body::Reveal(Reveal::read_fields(reader)?),
            Kind::End => Body::End(End::read_fields(reader)?),
        })
    }
}

/// A record as it stands in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub text: String,
    pub hash: Hash,
}

impl<'a> Entry<'a> {
    pub fn kind(&self) -> Kind {
        self.body.kind()
    }

    /// Whether a seat made the record itself, by letter or at a keyboard, rather than an order or a sentence it had
    /// left, a deadline or a program.
    pub fn is_of_a_seat(&self) -> bool {
        self.seat != HOST && self.via.as_ref().is_none_or(|via| via.by.is_none())
    }

    /// Whether a record after the start bears a digest of all facts: the start itself, and each whose number is a
    /// multiple of [`DIGEST_EVERY`]. (The record `end` has one of its own.)
    pub fn bears_digest(seq: u64, kind: Kind) -> bool {
        kind == Kind::Start || (seq.is_multiple_of(DIGEST_EVERY) && kind != Kind::End)
    }

    /// Writes the record, from `---` to `...`, after what the emitter holds.
    pub fn emit(&self, emitter: &mut Emitter) {
        emitter.open_record();
        self.seq.emit(emitter, "seq");
        self.prev.emit(emitter, "prev");
        self.at.emit(emitter, "at");
        self.kind().emit(emitter, "type");
        self.seat.emit(emitter, "seat");
        self.via.emit(emitter, "via");
        self.books.emit(emitter, "books");
        self.body.emit_fields(emitter);
        if let Some(outcome) = &self.outcome {
            outcome.emit_fields(emitter);
        }
        self.digest.emit(emitter, "digest");
        emitter.close_record();
    }

    /// The bytes of the record.
    pub fn to_text(&self) -> String {
        let mut emitter = Emitter::default();
        self.emit(&mut emitter);
        emitter.text().to_string()
    }

    /// The bytes of the record, and their hash.
    pub fn written(&self) -> Written {
        let text = self.to_text();
        let hash = sha256(text.as_bytes());
        Written { text, hash }
    }

    /// What `closing` of an `end` record must be: SHA-256 of the record up to that line.
    pub fn closing(&self) -> Hash {
        let text = self.to_text();
        let line = text.rfind("\nclosing: ").map_or(0, |at| at + 1);
        sha256(&text.as_bytes()[..line])
    }

    /// Reads a record: the bytes from `---` to the end of the line `...`.
    pub fn read(bytes: &'a [u8]) -> Result<Entry<'a>, Fault> {
        let mut reader = Reader::new(bytes)?;
        let seq = u64::read(&mut reader, "seq")?;
        let prev = Hash::read(&mut reader, "prev")?;
        let at = Stamp::read(&mut reader, "at")?;
        let kind = Kind::read(&mut reader, "type")?;
        let seat = Text::read(&mut reader, "seat")?;
        let via = Option::<Via>::read(&mut reader, "via")?;
        let books = Option::<Hash>::read(&mut reader, "books")?;
        let body = Body::read_fields(kind, &mut reader)?;
        let outcome = if kind.is_played() { Some(Consequence::read_fields(&mut reader)?) } else { None };
        let digest = match kind {
            Kind::End => None,
            _ => Option::<Hash>::read(&mut reader, "digest")?,
        };
        reader.finish()?;
        Ok(Entry { seq, prev, at, seat, via, books, body, outcome, digest })
    }

    /// Checks that the bytes are canonical: exactly what the record emits.
    ///
    /// `emitter` is cleared and used as a buffer.
    ///
    /// # Errors
    /// The first line where the bytes and the emitted text differ.
    pub fn check_canonical(&self, bytes: &[u8], emitter: &mut Emitter) -> Result<(), Fault> {
        emitter.clear();
        self.emit(emitter);
        if emitter.text().as_bytes() == bytes {
            return Ok(());
        }
        let found = String::from_utf8_lossy(bytes);
        let mut lines = emitter.text().lines().zip(found.lines()).enumerate();
        let (index, (expected, found)) =
            lines.find(|(_, (expected, found))| expected != found).unwrap_or((0, ("", "")));
        let kind = FaultKind::NotCanonical { expected: excerpt(expected), found: excerpt(found) };
        Err(Fault { line: index as u64 + 1, column: 1, kind })
    }
}

fn excerpt(line: &str) -> String {
    let mut shown: String = line.trim_start().chars().take(60).collect();
    if line.chars().nth(60).is_some() {
        shown.push('…');
    }
    format!("'{shown}'")
}

impl Serialize for Entry<'_> {
    /// The same keys and values as in the log, for `--json`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown<'e, 'a> {
            seq: u64,
            prev: Hash,
            at: Stamp,
            r#type: Kind,
            seat: &'e str,
            #[serde(skip_serializing_if = "Option::is_none")]
            via: &'e Option<Via>,
            #[serde(skip_serializing_if = "Option::is_none")]
            books: Option<Hash>,
            #[serde(flatten)]
            body: &'e Body<'a>,
            #[serde(flatten)]
            outcome: &'e Option<Consequence<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            digest: Option<Hash>,
        }
        let shown = Shown {
            seq: self.seq,
            prev: self.prev,
            at: self.at,
            r#type: self.kind(),
            seat: &self.seat,
            via: &self.via,
            books: self.books,
            body: &self.body,
            outcome: &self.outcome,
            digest: self.digest,
        };
        shown.serialize(serializer)
    }
}
