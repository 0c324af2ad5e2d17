//! What the book forgets, and what it never does.

use super::*;
use ground::hash::sha256;
use report::fate::RefusedAs;

fn taken(raw: &[u8]) -> Event {
    Event::Taken {
        at: "2026-11-20T07:12:09Z".to_owned(),
        raw: sha256(raw),
        text: sha256(b"text"),
        mail: Some("<a: \"b\"\n...\n---\n@c>".to_owned()),
        seat: None,
    }
}

#[test]
fn i1_the_book_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(folder.path()).unwrap();
    book.append(taken(b"one")).unwrap();
    let (kind, why) = (RefusedAs::NotUnderstood, "not understood: `atttack`".to_owned());
    let fate = Fate::Refused { at: Some(0..6), kind, rule: None, why };
    book.append(Event::Line { raw: sha256(b"one"), line: 3, fate: fate.clone() }).unwrap();
    book.append(taken(b"two")).unwrap();
    let done = Event::Done {
        at: "2026-11-20T07:12:10Z".to_owned(),
        raw: sha256(b"one"),
        outcome: Reception::Played,
        letter: None,
    };
    book.append(done).unwrap();
    let again = Book::open(folder.path()).unwrap();
    assert_eq!(again.letters_in, book.letters_in);
    assert_eq!(again.letter_in(&sha256(b"one")).unwrap().fates[&3], fate);
    assert_eq!(again.unfinished().map(|letter| letter.raw).collect::<Vec<Hash>>(), [sha256(b"two")]);
}

#[test]
fn a_fate_in_an_older_book_is_read() {
    let read = |fate: &str| serde_yaml::from_str::<Fate>(fate).unwrap();
    let refused = |at, why: &str| Fate::Refused { at, kind: RefusedAs::NotPlayed, rule: None, why: why.to_owned() };
    assert_eq!(read("is: refused\nfrom: 3\nto: 7\nwhy: no"), refused(Some(3..7), "no"));
    assert_eq!(read("is: refused\nfrom: null\nto: null\nwhy: no"), refused(None, "no"));
    assert_eq!(read("is: done\nsaid: pass\nseq: 7"), Fate::Done { said: "pass".to_owned(), seq: Some(7) });
}

/// Books were written in the other notation of YAML before.
#[test]
fn an_older_book_is_read_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let older = format!("---\n{}...\n", serde_yaml::to_string(&taken(b"one")).unwrap());
    std::fs::write(folder.path().join(BOOK), &older).unwrap();
    let mut book = Book::open(folder.path()).unwrap();
    book.append(taken(b"two")).unwrap();
    let again = Book::open(folder.path()).unwrap();
    assert_eq!((again.letters_in.len(), &again.letters_in), (2, &book.letters_in));
    let text = std::fs::read_to_string(folder.path().join(BOOK)).unwrap();
    // Any reader of YAML reads both.
    for document in text.split("\n...\n").filter(|document| !document.is_empty()) {
        serde_yaml::from_str::<Event>(document).unwrap();
    }
}

/// A field that stands twice in a document is refused, in either notation.
#[test]
fn an_event_says_everything_once() {
    let [older, newer] =
        [serde_yaml::to_string(&taken(b"one")).unwrap(), serde_json::to_string(&taken(b"one")).unwrap()];
    let raw = sha256(b"two");
    for document in [format!("{older}raw: {raw}\n"), newer.replacen('{', &format!("{{\"raw\":\"{raw}\","), 1)] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(BOOK), format!("---\n{}\n...\n", document.trim_end())).unwrap();
        assert!(Book::open(folder.path()).is_err(), "{document}");
    }
}

#[test]
fn i3_a_crash_at_every_byte_of_the_last_event_leaves_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(folder.path()).unwrap();
    book.append(taken(b"one")).unwrap();
    let before = std::fs::read(folder.path().join(BOOK)).unwrap();
    book.append(taken(b"two")).unwrap();
    let after = std::fs::read(folder.path().join(BOOK)).unwrap();
    for end in before.len()..after.len() {
        std::fs::write(folder.path().join(BOOK), &after[..end]).unwrap();
        let mut book = Book::open(folder.path()).unwrap();
        assert_eq!(book.letters_in.len(), 1);
        book.append(taken(b"two")).unwrap();
        assert_eq!(std::fs::read(folder.path().join(BOOK)).unwrap(), after);
    }
}

#[test]
fn i3_what_is_noted_is_written_with_the_next_event_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = || std::fs::read(folder.path().join(BOOK)).unwrap();
    let mut book = Book::open(folder.path()).unwrap();
    book.append(taken(b"one")).unwrap();
    let before = bytes();
    book.note(taken(b"two"));
    assert_eq!((book.letters_in.len(), bytes()), (2, before.clone()));
    let mut again = Book::open(folder.path()).unwrap();
    assert_eq!(again.letters_in.len(), 1);
    book.append(taken(b"three")).unwrap();
    let after = bytes();
    assert_eq!(Book::open(folder.path()).unwrap().letters_in, book.letters_in);
    std::fs::write(folder.path().join(BOOK), before).unwrap();
    for raw in [b"two".as_slice(), b"three"] {
        again.note(taken(raw));
        again.settle().unwrap();
    }
    again.settle().unwrap();
    assert_eq!(bytes(), after, "the same as one by one");
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    Book::open(folder.path()).unwrap();
    let mode = std::fs::metadata(folder.path().join(BOOK)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
