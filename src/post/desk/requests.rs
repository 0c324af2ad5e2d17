/*! What each request does, one arm per request. [`super::enclosure`] writes what a request asks to read, when the
letter is answered.
*/

use super::answering::recorded;
use super::clerk::Clerk;
use super::docket::Writer;
use super::enclosure::Enclosure;
use super::lobby::{self, Invitation};
use super::position::Position;
use super::press;
use crate::book::Event;
use crate::book::fault::PostError;
use crate::book::guest::{Given, Guest};
use crate::book::relayed::Relayed;
use crate::order::request::parsers::vote_said;
use crate::order::request::{Asked, Press, Proposed, Request, Sender};
use crate::order::sentences::Sentence;
use crate::order::settings::Change;
use record::entry::acts::NO_REASON;
use record::entry::body::{Ballot, Correcting, Via};
use record::fold::council::Proposal;
use report::fate::{Answered, Fate};
use report::guest::Role;

/// Why a letter to players is not sent: it has no text.
const NO_END: &str = "the text is missing: write it behind a colon, or in the lines below, and `end press` below it";

/// X4: what anonymity is worth.
const ANONYMOUS: &str = "the host can see who wrote it, and how you write may tell the others; it goes out within six \
                         hours, at a time drawn by lot";

impl Position<'_> {
    /// Why a request that is done with the letter cannot be done.
    pub(super) fn cannot_follow(&self, request: &Request, sentence: &Sentence) -> Option<String> {
        match request {
            Request::Press(press) => {
                let Some(text) = press.text.as_deref().or(sentence.below.as_deref()) else {
                    return Some(NO_END.to_owned());
                };
                if press::is_too_much(
                    self.book,
                    &self.cover.place.seat,
                    self.cover.at,
                    self.docket.follows.relayed.len(),
                ) {
                    return Some("you have sent as many letters to players today as are allowed".to_owned());
                }
                let plan = self.table.fold().plan();
                press::recipients(plan, self.seat(), press).and_then(|_| press::fit(text)).err()
            }
            Request::Delegate { to, name, .. } => {
                let offer = self.offer(to.clone(), name.clone(), self.via_of(sentence));
                lobby::check(self.table, self.book, &offer).err().map(|why| why.to_string())
            }
            _ => None,
        }
    }

    fn relayed(&self, press: &Press, sentence: &Sentence) -> Option<Relayed> {
        let text = press.text.as_deref().or(sentence.below.as_deref())?;
        let (text, sender, raw, line) = (press::fit(text).ok()?, press.sender, self.cover.raw, sentence.line);
        let to = press::recipients(self.table.fold().plan(), self.seat(), press).ok()?;
        let to = to.into_iter().map(|seat| self.table.word(seat)).collect();
        let due = press::due(self.table.secrets(), sender, &raw, line, self.came()).to_string();
        Some(Relayed { from: self.cover.place.seat.clone(), to, sender, text, raw, line, due })
    }

    /// The offer of the seat to somebody else.
    fn offer(&self, address: mail::letter::mailbox::Mailbox, name: Option<String>, via: Via) -> Invitation {
        let seat = self.cover.place.seat.clone();
        let Via { raw, seen, auth, .. } = via;
        let given_by = Some(Given { seat: seat.clone(), raw, seen, auth });
        Invitation { address, name, role: Role::Player, seat: Some(seat), given_by }
    }

    /// What is proposed, in the form that the table takes.
    pub(super) fn proposal(&self, proposed: &Proposed) -> Result<Proposal, String> {
        let seat =
            |word: &String| self.table.fold().plan().seat(word).ok_or_else(|| format!("there is no seat `{word}`"));
        let until = proposed.until.as_ref().map(|words| self.table.later_deadline(self.seat(), words, self.cover.at));
        Ok(Proposal {
            what: proposed.what,
            to: proposed.to,
            of: match proposed.what {
                Correcting::Key => Some(self.seat()),
                _ => proposed.of.as_ref().map(seat).transpose()?,
            },
            key: proposed.key.map(|key| key.to_string()),
            rules: proposed.rules.clone(),
            until: until.transpose().map_err(|refused| refused.to_string())?,
            text: proposed.text.clone().unwrap_or_else(|| NO_REASON.to_owned()),
        })
    }

    /// The motion that a vote means: the one it names, or the only one that is open.
    pub(super) fn motion(&self, named: Option<u64>) -> Result<u64, String> {
        if let Some(motion) = named {
            return Ok(motion);
        }
        let open = self.table.fold().council().motions().iter().filter(|moved| !moved.has_lapsed(self.cover.at));
        let open: Vec<u64> = open.map(|moved| moved.seq).collect();
        match open.as_slice() {
            [] => Err("nothing is proposed that could be voted on".to_owned()),
            [only] => Ok(*only),
            several => {
                let named: Vec<String> = several.iter().map(|seq| format!("#{seq}")).collect();
                Err(format!(
                    "several things are proposed ({}): say on which you vote, `vote yes {}`",
                    named.join(", "),
                    several[0]
                ))
            }
        }
    }
}

impl Clerk<'_> {
    /// Does what a request asks for. A request that is done with the letter ([`super::answering`]) is only noted
    /// here.
    pub(super) fn carry_out(&mut self, asked: &Asked, sentence: &Sentence) -> Result<Fate, PostError> {
        let done = Fate::Done { said: asked.said.clone(), seq: None };
        if asked.definition.only_reads() {
            self.docket.follows.enclosures.push(Enclosure::Asked(asked.request.clone()));
            return Ok(done);
        }
        let (via, at, said) = (Some(self.position().via_of(sentence)), self.cover.at, asked.said.as_str());
        let head = match &asked.request {
            Request::Press(press) => {
                self.relay(press, sentence);
                return Ok(done);
            }
            Request::Delegate { to, written, name } => {
                let position = self.position();
                let offer = position.offer(to.clone(), name.clone(), position.via_of(sentence));
                self.docket.follows.invitation = Some(offer);
                let how =
                    format!("{written} is offered the seat {}; you play on until it is taken", self.cover.place.seat);
                self.note("(delegate)", how);
                return Ok(done);
            }
            Request::Address { to } => {
                self.docket.follows.address = Some((to.clone(), via));
                return Ok(done);
            }
            Request::Propose(proposed) => match self.position().proposal(proposed) {
                Ok(proposal) => self.table.propose(self.seat(), &proposal, via, at).map(|heads| heads[0]),
                Err(why) => return Ok(Fate::refused(why)),
            },
            Request::Vote { motion, says } => return self.vote(asked, *motion, *says, via),
            Request::Concede { text } => {
                self.table.concede(self.seat(), text.as_deref(), via, at).map(|heads| heads[0])
            }
            Request::Dispute { about, text } => self.table.dispute(self.seat(), *about, text, via, at),
            Request::Consent { words } => self.table.consent(self.seat(), words, via, at).map(|heads| heads[0]),
            Request::Key { key } if matches!(self.cover.writer, Writer::Guest(_)) => {
                return self.chooses(done, |guest| Guest { key: Some(key.to_string()), ..guest });
            }
            Request::Key { key } => self.table.announce_keys(self.seat(), &[*key], via, at),
            Request::Clear => return self.clear(done),
            Request::Release { plays } => return self.release(*plays),
            Request::Absence { from, to } => self.table.absent(self.seat(), from, to, via, at),
            Request::Back => self.table.back(self.seat(), via, at),
            Request::Extend { by } => self.table.extend(self.seat(), *by, via, at),
            Request::Zone { name } => self.table.set_zone(self.seat(), name, via, at),
            Request::Letters(change) => {
                self.set(*change)?;
                return Ok(done);
            }
            Request::Join { seats } => return self.becomes(done, |position, guest| position.joins(guest, seats)),
            Request::Ready => return self.becomes(done, |position, guest| position.is_ready(guest)),
            Request::Observe => return self.becomes(done, |position, guest| position.observes(guest)),
            Request::Leave => return self.becomes(done, |position, guest| position.leaves(guest)),
            Request::Name { name } => {
                return self.chooses(done, |guest| Guest { name: Some(name.clone()), ..guest });
            }
            Request::Phrase { phrase } => {
                return self.chooses(done, |guest| Guest { phrase: Some(phrase.clone()), ..guest });
            }
            Request::Help { .. } | Request::Status | Request::Menu | Request::Standing | Request::Check => {
                unreachable!("`{}` only reads, and is answered by an enclosure", asked.definition.word)
            }
            Request::Map { .. } | Request::History { .. } | Request::Why { .. } | Request::Rule { .. } => {
                unreachable!("`{}` only reads, and is answered by an enclosure", asked.definition.word)
            }
        };
        recorded(said, head)
    }

    /// Notes something below the line that is being looked at.
    fn note(&mut self, line: &str, how: String) {
        self.docket.fates.notes.push(Answered { line: line.to_owned(), fate: Fate::Noted { how } });
    }

    /// Notes the letters that a line sends to others.
    fn relay(&mut self, press: &Press, sentence: &Sentence) {
        let relayed = self.position().relayed(press, sentence);
        self.docket.follows.relayed.extend(relayed);
        if press.sender == Sender::Anonymous {
            // X4: a player who asks for anonymity is told what it is worth.
            self.note("(anonymous)", ANONYMOUS.to_owned());
        }
    }

    fn vote(&mut self, asked: &Asked, motion: Option<u64>, says: Ballot, via: Option<Via>) -> Result<Fate, PostError> {
        let motion = match self.position().motion(motion) {
            Ok(motion) => motion,
            Err(why) => return Ok(Fate::refused(why)),
        };
        let said = format!("{} {}", asked.definition.word, vote_said(says, Some(motion)));
        let done = self.table.vote(self.seat(), motion, says, via, self.cover.at);
        recorded(&said, done.map(|heads| heads[0]))
    }

    /// Sets how the player wants the letters to come.
    fn set(&mut self, change: Change) -> Result<(), PostError> {
        let (at, seat) = (self.cover.at.to_string(), self.cover.place.seat.clone());
        Ok(self.book.append(Event::Set { at, seat, change })?)
    }
}
