/*! Who made a record, as far as the record itself can show it: what it says of its letter, the class that ties it to
its seat, and the seat's signature (log 4.3, 10; requirement A5).
*/

use super::Fold;
use super::ahead::LineAhead;
use super::order_books::{Change, Does};
use super::signers::Use;
use super::standing::Order;
use crate::commit::signature::PublicKey;
use crate::commit::signed::{OrderRefused, Part};
use crate::entry::body::{Auth, By, Correcting, Keys, Kind, Signed, Text, Via};
use crate::entry::{Body, Entry, HOST};
use crate::problem::rule::Rule;
use crate::problem::{Problem, value};
use engine::seat::Seat;
use engine::slot::Faces;
use ground::hash::Hash;

impl Fold {
    /// Checks what the record says of how it was made: whether that is consistent, and whether it ties the record to
    /// its seat as firmly as the game requires.
    pub(crate) fn authored(&mut self, entry: &Entry, problems: &mut Vec<Problem>) {
        let Some(seat) = self.plan.seat(&entry.seat) else {
            if entry.seat == HOST && entry.via.is_some() {
                problems.push(value(Rule::ViaHost, "via", "left out, as no seat made the record", "there"));
            }
            return;
        };
        let none = Via::default();
        let via = entry.via.as_ref().unwrap_or(&none);
        self.via(entry, via, seat, problems);
        self.tally.made_by(entry.kind(), &entry.seat, via);
        if matches!(via.by, Some(By::Standing | By::Deadline | By::Bot)) {
            return;
        }
        // A letter that was only heard may say anything, and may have been refused for its class.
        let is_heard = entry.kind() == Kind::Heard;
        // A receipt does not show its lines: their signatures come with the records that play them.
        let shows_nothing = matches!(entry.kind(), Kind::Heard | Kind::Receipt | Kind::Stopped);
        let least = if is_heard { Auth::Keyboard } else { self.least(entry, seat) };
        if via.auth.is_none_or(|found| found < least) {
            problems.push(Problem::AuthTooLow { least, found: via.auth });
        }
        if via.auth == Some(Auth::Dkim) && self.committed_address(entry, seat).is_none() {
            problems.push(Problem::NoAddress);
        }
        match &via.signed {
            Some(_) if shows_nothing => {
                problems.push(value(Rule::ViaSigned, "signed", "left out where nothing is said", "there"))
            }
            None if shows_nothing => {}
            _ => self.check_signed(entry, seat, problems),
        }
    }

    /// The commitment to the address from which a record of a seat must have come. For a record by which the seat
    /// joins, it is the one in that record.
    pub(crate) fn committed_address(&self, entry: &Entry, seat: Seat) -> Option<Hash> {
        match &entry.body {
            Body::Join(join) => join.address,
            _ => self.signers.address(seat),
        }
    }

    /// Takes in that a seat writes from another address.
    pub(super) fn change_address(&mut self, entry: &Entry, address: Hash) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        if self.plan.seats[seat.index()].at_keyboard {
            return Err(value(Rule::AddressHosted, "address", "left out for a seat that the host holds", "there"));
        }
        if self.joined[seat.index()].is_none() {
            return Err(Problem::OutOfPlace {
                rule: Rule::AddressJoined,
                kind: Kind::Address,
                why: "the seat has not joined",
            });
        }
        self.signers.registers(seat, Some(address));
        self.tally.addresses_changed += 1;
        Ok(())
    }

    /// Whether the parts of `via` go together.
    fn via(&self, entry: &Entry, via: &Via, seat: Seat, problems: &mut Vec<Problem>) {
        let is_named = via.raw.is_some() || via.message.is_some();
        let is_letter = is_named || via.seen.is_some() || via.auth.is_some() || via.signed.is_some();
        let is_typed = via.auth == Some(Auth::Keyboard);
        let may_be_given = match entry.kind() {
            Kind::Say => true,
            Kind::Receipt | Kind::Stopped => matches!(via.by, Some(By::Deadline | By::Bot)),
            Kind::Concede => via.by == Some(By::Deadline),
            _ => false,
        };
        if via.by.is_some() && !may_be_given {
            problems.push(value(Rule::ViaBy, "by", "left out where no question is answered", "there"));
        } else if is_letter && via.by.is_some() {
            problems.push(value(Rule::ViaBoth, "via", "a letter or something else, not both", "both"));
        } else if let Some(seen) = via.seen.filter(|seen| *seen >= entry.seq) {
            problems.push(value(Rule::ViaSeen, "seen", "the number of an earlier record", &seen.to_string()));
        } else if is_typed && (is_named || via.seen.is_some() || via.signed.is_some()) {
            problems.push(value(Rule::ViaBoth, "via", "no letter where somebody typed", "a letter"));
        } else if via.auth.is_some() && !is_typed && via.raw.is_none() {
            problems.push(value(Rule::ViaRaw, "raw", "the hash of the letter", "nothing"));
        } else if via.message.is_some() && via.raw.is_none() {
            problems.push(value(Rule::ViaRaw, "message", "left out where there is no letter", "there"));
        } else if via.raw.is_some() && via.seen.is_none() && contributes(&entry.body) {
            problems.push(value(Rule::ViaSeen, "seen", "what the writer of the letter had seen", "nothing"));
        } else if is_typed && !self.may_type(seat) {
            problems.push(Problem::TypedFor { least: self.plan.min_auth });
        }
    }

    /// Whether a seat may type at the host's machine: if the host holds it, or if the whole game is played there.
    pub fn may_type(&self, seat: Seat) -> bool {
        self.plan.seats[seat.index()].at_keyboard || self.plan.min_auth == Auth::Keyboard
    }

    /// The least class that a record of a seat must have (log 10.1).
    pub fn least(&self, entry: &Entry, seat: Seat) -> Auth {
        self.least_for(entry.kind(), seat).min(match &entry.body {
            // A player whose key is lost cannot sign that he has another: all the others must agree to that. And a
            // time that was written as `3d` cannot be derived from the record.
            Body::Motion(motion) if motion.what == Correcting::Deadline => Auth::Confirmed,
            Body::Motion(motion) if motion.what == Correcting::Key && motion.of.as_deref() == Some(&*entry.seat) => {
                Auth::Confirmed
            }
            _ => Auth::Ssh,
        })
    }

    /// The least class of a record of this kind by a seat.
    pub fn least_for(&self, kind: Kind, seat: Seat) -> Auth {
        if self.may_type(seat) && kind != Kind::Consent {
            return Auth::Keyboard;
        }
        let least = self.plan.min_auth;
        match kind {
            // Everybody else relies on these: the seat must at least have confirmed them.
            Kind::Motion | Kind::Vote | Kind::Concede | Kind::Consent | Kind::Keys => least.max(Auth::Confirmed),
            Kind::Say | Kind::Receipt | Kind::Stopped => least,
            // The request came from the old address, and the player confirmed it from there.
            Kind::Address => least.clamp(Auth::Confirmed, Auth::Dkim),
            // These come before a key is known, or concern only the seat itself.
            _ if least == Auth::Ssh => Auth::Token,
            _ => least,
        }
    }

    /// A5: refuses a seat that could never reach the required class.
    pub(crate) fn check_means(&self, seat: Seat, keys: &[Text]) -> Result<(), Problem> {
        let is_hosted = self.plan.seats[seat.index()].hosted;
        // DKIM is a better class than a code and may replace one; nothing can replace a signature.
        if self.plan.min_auth == Auth::Ssh && keys.is_empty() && !is_hosted {
            Err(value(Rule::KeyMissing, "keys", "a key, as every letter of this game must be signed", "nothing"))
        } else {
            Ok(())
        }
    }

    /// A seat announces other keys: it signs that with the old one, if it has one.
    pub(super) fn change_keys(
        &mut self,
        entry: &Entry,
        keys: &Keys,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Problem> {
        let seat = self.writer(entry)?;
        self.check_means(seat, &keys.keys)?;
        let is_signed = entry.via.as_ref().is_some_and(|via| via.signed.is_some());
        if !self.signers.keys(seat).is_empty() && !is_signed {
            problems.push(Problem::KeyNotSigned);
        }
        self.signers.announce(seat, &keys.keys);
        self.tally.keys_changed += 1;
        Ok(())
    }

    /// Checks the signature that a record carries, or claims to have: it must be its seat's, and sign what the record
    /// says.
    fn check_signed(&mut self, entry: &Entry, seat: Seat, problems: &mut Vec<Problem>) {
        let Some(via) = &entry.via else { return };
        let signed = match (&via.signed, via.auth == Some(Auth::Ssh)) {
            (Some(signed), true) => signed,
            (None, false) => return,
            _ => return problems.push(Problem::SignatureMissing),
        };
        let part = if entry.kind() == Kind::Say { Part::Line } else { Part::Request };
        let Some(on) = via.seen.and_then(|seen| self.signers.head_of(seen)) else {
            let seen = via.seen.map_or("nothing".to_string(), |seen| seen.to_string());
            return problems.push(Problem::SignedElsewhere { seen });
        };
        let word = self.plan.word(seat);
        let order = signed.order(self.plan.game, word, on, part).map_err(OrderRefused::NotSigned);
        let keys = self.keys_of(entry, seat);
        let checked = order.and_then(|order| order.check(&self.plan.game, word, keys).map(|_| order));
        let order = match checked {
            Ok(order) => order,
            Err(why) => return problems.push(Problem::Signature { why }),
        };
        let number = signed.number;
        if number == 0 || number > signed.of {
            problems.push(Problem::SignedNumber { number, of: signed.of });
        }
        match self.signers.use_up(seat, &order.sentence, self.books.checks(entry.seq)) {
            Use::Next => {}
            Use::Again => problems.push(Problem::SignedBefore { number }),
            Use::TooEarly { next } => problems.push(Problem::SignedLater { number, next }),
            Use::Elsewhere => unreachable!("the head is that of this history"),
        }
        if !self.means(entry, seat, signed) {
            let said = match &entry.body {
                Body::Say(say) => say.said.to_string(),
                body => body.act().unwrap_or_default(),
            };
            problems.push(Problem::SignedOtherwise { words: signed.words.clone(), said });
        }
    }

    /// The keys with which a record must be signed. For an act that a receipt has fixed, they are the keys that the
    /// seat had then: a player who changes his key signed everything before with the old one.
    fn keys_of(&self, entry: &Entry, seat: Seat) -> &[PublicKey] {
        let line = match &entry.body {
            Body::Say(say) => say.line.as_ref(),
            _ => None,
        };
        let fixed = line.and_then(|line| self.receipts.all().find(|receipt| receipt.seq == line.receipt));
        fixed.map_or_else(|| self.signers.keys(seat), |receipt| &receipt.keys)
    }

    /// Whether the words that were signed mean what the record says.
    fn means(&self, entry: &Entry, seat: Seat, signed: &Signed) -> bool {
        match &entry.body {
            Body::Say(say) => {
                let read = self.game.read(seat, &signed.words, &self.faces_with(entry));
                read.is_ok_and(|read| read.sentence == say.said)
            }
            body => body.is_act(&signed.words),
        }
    }

    /// The faces known so far, with the cards that the record shows.
    pub(crate) fn faces_with(&self, entry: &Entry) -> Faces {
        let mut faces = self.faces.clone();
        for opening in entry.outcome.iter().flat_map(|outcome| &outcome.open) {
            if let Ok((slot, card)) = self.masks.check(opening) {
                faces.learn(slot, card);
            }
        }
        faces
    }

    /// Checks that the orders that a record commits to are signed where they must be, with the keys that their seat
    /// had before it, and only once. It runs before the fold follows the record, which may announce other keys.
    pub(super) fn check_signed_orders(&mut self, entry: &Entry) -> Vec<Problem> {
        let changes = self.books.changes_to_check(entry.seq);
        let again: Vec<(u64, Signed)> = changes.iter().filter_map(|change| self.taken_back_signed(change)).collect();
        let problems: Vec<Problem> =
            changes.iter().filter_map(|change| self.check_signed_order(change, &again)).collect();
        // The host's own table only notes which numbers are used.
        if self.books.checks(entry.seq) { problems } else { Vec::new() }
    }

    /// The signature of the line that a change takes back.
    fn taken_back_signed(&self, change: &Change) -> Option<(u64, Signed)> {
        let Does::Cancels(number) = change.does else { return None };
        let lines = self.books.books()?.lines(change.seat);
        lines.iter().find(|line| line.number == number)?.signed.clone()
    }

    fn check_signed_order(&mut self, change: &Change, again: &[(u64, Signed)]) -> Option<Problem> {
        let left = change.does.text()?;
        let seat = change.seat;
        let Some((seen, signed)) = &change.signed else {
            let is_due = self.plan.min_auth == Auth::Ssh && !self.may_type(seat);
            return is_due.then_some(Problem::SignatureMissing);
        };
        let Some(on) = self.signers.head_of(*seen) else {
            return Some(Problem::SignedElsewhere { seen: seen.to_string() });
        };
        let word = self.plan.word(seat);
        let part = if matches!(change.does, Does::LeavesLine(_)) { Part::Line } else { Part::Order };
        let read = signed.order(self.plan.game, word, on, part).map_err(OrderRefused::NotSigned);
        let checked = read.and_then(|read| read.check(&self.plan.game, word, self.signers.keys(seat)).map(|_| read));
        let sentence = match checked {
            Ok(read) => read.sentence,
            Err(why) => return Some(Problem::Signature { why }),
        };
        let (number, checks) = (signed.number, self.books.checks(change.seq));
        // A line that is taken back and left anew in one record keeps its signature.
        let is_again = again.iter().any(|(before, kept)| before == seen && kept == signed);
        let used = if is_again { Use::Next } else { self.signers.use_up(seat, &sentence, checks) };
        match used {
            _ if number == 0 || number > signed.of => Some(Problem::SignedNumber { number, of: signed.of }),
            Use::Again => Some(Problem::SignedBefore { number }),
            Use::TooEarly { next } if part == Part::Line => Some(Problem::SignedLater { number, next }),
            // The signature is on a head of this history, and the numbers of orders may have gaps.
            Use::Next | Use::TooEarly { .. } | Use::Elsewhere => {
                let has_signed = self.has_signed(seat, &signed.words, &change.does);
                (!has_signed).then(|| Problem::SignedOtherwise { words: signed.words.clone(), said: left })
            }
        }
    }

    /// Whether the words that a seat has signed are those of what it leaves.
    fn has_signed(&self, seat: Seat, words: &str, does: &Does) -> bool {
        match does {
            Does::Leaves(order) => Order::read(words).is_ok_and(|mut words| {
                let is_named = self.name_in_order(seat, &mut words).is_ok();
                is_named && words == *order
            }),
            Does::LeavesLine(ahead) => LineAhead::line_of_signed(words) == ahead.line,
            Does::Cancels(_) => false,
        }
    }
}

/// Whether a record brings something that enters the dice: then it matters what its writer knew (log 7.7).
fn contributes(body: &Body) -> bool {
    matches!(body, Body::Join(_) | Body::Say(_) | Body::Consent(_))
}
