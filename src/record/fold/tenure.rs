/*! From which record to which a key is the host's: only what was signed in that time counts as signed by the host
(log 10.8).

Anybody can append a record `host` to a log that he has. So the key of somebody who adopts a game counts only once all
seats have consented, and the key of a former host counts for nothing after the record that replaced it.
*/

use crate::commit::signature::PublicKey;

/// The time of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenure {
    pub key: PublicKey,
    /// The record that announced it.
    pub announced: u64,
    /// The first record for which it counts; `None` if its owner waits for the consent of seats.
    pub from: Option<u64>,
    /// The record that replaced it.
    pub until: Option<u64>,
}

impl Tenure {
    fn holds(&self, seq: u64) -> bool {
        self.from.is_some_and(|from| from <= seq) && self.until.is_none_or(|until| seq < until)
    }
}

/// The keys of the hosts of a game, in the order of their records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tenures(Vec<Tenure>);

impl Tenures {
    pub fn all(&self) -> &[Tenure] {
        &self.0
    }

    /// The key that counts for what is said of a record. It is known as soon as that record is read.
    pub fn of(&self, seq: u64) -> Option<Tenure> {
        self.0.iter().find(|tenure| tenure.holds(seq)).copied()
    }

    /// A key that counts from the record that announces it: that of the first record, or after a handover.
    pub(super) fn begins(&mut self, key: PublicKey, seq: u64) {
        self.end(seq);
        self.0.push(Tenure { key, announced: seq, from: Some(seq), until: None });
    }

    /// A key that counts when all seats have consented.
    pub(super) fn waits(&mut self, key: PublicKey, seq: u64) {
        self.0.iter_mut().filter(|tenure| tenure.from.is_none()).for_each(|tenure| tenure.until = Some(seq));
        self.0.push(Tenure { key, announced: seq, from: None, until: None });
    }

    /// Record `seq` is the last consent to the key that waits.
    pub(super) fn is_consented(&mut self, seq: u64) {
        let waiting = self.0.iter().rposition(|tenure| tenure.from.is_none() && tenure.until.is_none());
        self.end(seq);
        if let Some(index) = waiting {
            self.0[index] = Tenure { from: Some(seq), until: None, ..self.0[index] };
        }
    }

    fn end(&mut self, seq: u64) {
        self.0.iter_mut().for_each(|tenure| tenure.until = tenure.until.or(Some(seq)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit::signature::SigningKey;
    use ground::hash::Hex;

    fn key(number: u8) -> PublicKey {
        SigningKey::of_seed(&Hex([number; 32])).public
    }

    #[track_caller]
    fn case(tenures: &Tenures, expected: &[Option<u8>]) {
        let found: Vec<Option<PublicKey>> =
            (0..).zip(expected).map(|(seq, _)| tenures.of(seq).map(|it| it.key)).collect();
        assert_eq!(found, expected.iter().map(|number| number.map(key)).collect::<Vec<_>>());
    }

    #[test]
    fn a_key_counts_from_its_record_to_the_one_that_replaces_it() {
        let mut tenures = Tenures::default();
        tenures.begins(key(1), 0);
        tenures.begins(key(2), 3);
        case(&tenures, &[Some(1), Some(1), Some(1), Some(2), Some(2)]);
    }

    #[test]
    fn an_adopter_counts_after_the_last_consent_and_the_host_before_him_until_then() {
        let mut tenures = Tenures::default();
        tenures.begins(key(1), 0);
        tenures.waits(key(2), 2);
        case(&tenures, &[Some(1), Some(1), Some(1), Some(1)]);
        // Another one asks instead.
        tenures.waits(key(3), 3);
        tenures.is_consented(4);
        case(&tenures, &[Some(1), Some(1), Some(1), Some(1), Some(3), Some(3)]);
    }

    #[test]
    fn without_a_key_nothing_counts() {
        case(&Tenures::default(), &[None, None]);
    }
}
