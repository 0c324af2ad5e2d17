/*! Any line is a request to the post: it is read or refused with words, and what is read can be said again.
*/

use ground::span::Span;
use ground::zone::Zone;
use mail::letter::spelling;
use post::order::request as asked;
use post::order::request::table::REQUESTS as VERBS;
use post::order::settings::Change;

pub fn run(data: &[u8]) {
    for line in String::from_utf8_lossy(data).split('\n') {
        let words = spelling::plain(line);
        match asked::read(&words, line) {
            Some(Ok(asked)) => {
                let again = asked::read(&asked.words, line).expect("it begins with the word of a request");
                assert_eq!(again.expect("it reads without its code").definition.word, asked.definition.word);
            }
            Some(Err(misread)) => assert!(misread.to_string().contains(misread.definition.word)),
            None => {}
        }
        if let Err(refused) = Change::read(&words) {
            assert!(!refused.to_string().is_empty());
        }
        if let Some(span) = Span::read(&words) {
            assert!(!span.words().is_empty());
        }
        let _ = Zone::read(line);
    }
}

/// Valid inputs: every request as HELP shows it, and with words added.
pub fn seeds() -> Vec<Vec<u8>> {
    let behind = ["", " 57", " yes 57", " 2026-12-20 2026-12-27", " 2d12h", " Europe/Berlin", " daily 08:00 off"];
    let more = [" draw confirm K7Q2M4XA", " to shadow: well met", " 22:00-07:00", " seat free frodo@shire.example"];
    let lines = VERBS.iter().flat_map(|verb| behind.iter().chain(&more).map(|rest| format!("{}{rest}", verb.word)));
    let usages = VERBS.iter().flat_map(|verb| verb.ways().into_iter().map(|(usage, _)| usage));
    lines.chain(usages).map(String::into_bytes).collect()
}
