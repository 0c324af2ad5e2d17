//! Any bytes are a letter: it is opened, judged and read without a panic, and what is read keeps its promises.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ringmail::post::letter::Letter;
use ringmail::post::limits::Limits;
use ringmail::post::mailbox::Mailbox;
use ringmail::post::robots;
use ringmail::post::sentences::{self, Said};
use ringmail::post::spelling;

fuzz_target!(|raw: &[u8]| {
    let limits = Limits::ORDINARY;
    let letter = Letter::open(raw, &limits);
    let ours = Mailbox::read("box@play.example").expect("an address");
    let _ = robots::sign(&letter.envelope, &ours);
    let Ok(text) = &letter.text else { return };
    let Ok(reading) = sentences::read(text, &limits) else { return };
    for said in reading.said {
        if let Said::Sentence(sentence) = said {
            assert!(spelling::fault(&sentence.words).is_none());
            assert_eq!(spelling::plain(&sentence.words), sentence.words);
            assert!(!sentence.words.contains('\n'));
        }
    }
});
