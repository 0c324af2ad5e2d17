//! A sentence begins with one of the words that its title lists, and a letter reads it as the same sentence.

use super::seen::Seen;
use super::watcher::{Moment, Watcher};
use mail::letter::Letter;
use mail::letter::limits::Limits;
use post::order::sentences::{self, Said};
use post::order::vocabulary;
use post::reply::vocabulary::words_of;
use ringmail::titles;

const HEAD: &str =
    "From: a@b.example\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n";

pub struct Letters {
    /// It looks at one sentence in this many.
    pub every: usize,
}

impl Watcher for Letters {
    fn look(&mut self, now: &Moment<'_>, seen: &mut Seen) {
        if !now.number.is_multiple_of(self.every) {
            return;
        }
        let said = &now.said.sentence;
        let known = vocabulary::of_title(now.route.title).unwrap();
        let read = words_of(said);
        assert!(known.opens_sentence(&read) || known.names_first(&read), "`{said}` begins with no word of the list");
        let letter = Letter::open(format!("{HEAD}{said}\r\n").as_bytes(), &Limits::ORDINARY);
        let known = vocabulary::of_all(titles::ALL);
        let reading = sentences::read(&letter.text.unwrap(), known, &Limits::ORDINARY).unwrap();
        let [Said::Sentence(sentence)] = &reading.said[..] else { panic!("`{said}`: {reading:?}") };
        let again = now.before.read(now.question.seat, &sentence.words, &now.after.faces);
        assert_eq!(&again.unwrap().sentence, said);
        seen.note("read in letters", now.route.title.id);
    }
}
