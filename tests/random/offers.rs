//! Something can be said to every question, and every offered sentence is accepted.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};

pub struct Offers {
    /// It lists the menu of one question in this many.
    pub every: usize,
    /// The most lines that are listed.
    pub limit: usize,
}

impl Watcher for Offers {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        if !now.number.is_multiple_of(self.every) {
            return;
        }
        let offers = now.before.offers(&now.after.faces, self.limit);
        assert!(!offers.is_empty(), "something can be said to `{}`", now.question.id);
        for offer in &offers {
            // In War of the Ring not every name that fits a blank fits together with the other blanks.
            if !now.route.is_risk() && offer.sentence.contains(['<', '[']) {
                continue;
            }
            let sentence = filled(&offer.sentence, &offer.nouns);
            let read = now.before.read(now.question.seat, &sentence, &now.after.faces);
            assert!(read.is_ok(), "`{}` is offered, but `{sentence}` is refused: {read:?}", offer.sentence);
        }
        seen.add("offers tried", now.route.title.id, offers.len());
    }
}

/// An offer without its brackets, with the least for every number and the first name for every noun.
fn filled(offer: &str, nouns: &[(String, Vec<String>)]) -> String {
    let mut sentence = String::new();
    let mut rest = offer;
    let mut next = nouns.iter();
    while let Some(open) = rest.find(['[', '<']) {
        sentence.push_str(&rest[..open]);
        let close = rest[open..].find([']', '>']).map(|close| open + close).unwrap();
        let close = if rest.as_bytes()[open] == b'[' { rest.find(']').unwrap() } else { close };
        let blank = &rest[open + 1..close];
        if rest.as_bytes()[open] == b'<' {
            match blank.split_once('-') {
                Some((least, _)) if least.parse::<u32>().is_ok() => sentence.push_str(least),
                _ => sentence.push_str(&next.next().unwrap().1[0]),
            }
        }
        rest = &rest[close + 1..];
    }
    sentence.push_str(rest);
    sentence.replace(", …", "")
}
