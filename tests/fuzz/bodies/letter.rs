//! Any bytes are a letter: it is opened, judged, routed and read without a panic, and the result keeps its promises.

#[path = "../../register/mod.rs"]
mod register;

use mail::letter::Letter;
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::letter::spelling;
use post::names::address::{self, Assurance, Register};
use post::names::returned;
use post::order::sentences::{self, Said};
use post::order::vocabulary;
use post::reply::quoting;
use register::TwoGames;
use ringmail::titles;

pub fn run(raw: &[u8]) {
    let limits = Limits::ORDINARY;
    let ours = Mailbox::read("box@play.example").expect("an address");
    let letter = Letter::open(raw, &limits);
    let _ = returned::robot(&letter.envelope, &ours).map(|robot| robot.to_string());
    is_routed_to_a_seat(&letter, &ours);
    match &letter.text {
        Ok(text) => {
            let _ = quoting::tag_of_quoted(&text.lines);
            assert_eq!(
                quoting::judge(&text.lines, vocabulary::of_all(titles::ALL)).len(),
                text.lines.len(),
                "every line is somebody's"
            );
            match sentences::read(text, vocabulary::of_all(titles::ALL), &limits) {
                Ok(reading) => reading.said.iter().for_each(is_plain),
                Err(refusal) => assert!(!refusal.to_string().is_empty()),
            }
        }
        Err(unreadable) => assert!(!unreadable.to_string().is_empty()),
    }
}

fn is_routed_to_a_seat(letter: &Letter, ours: &Mailbox) {
    match address::route(&letter.envelope, ours, &TwoGames) {
        Ok(route) => {
            let seats = TwoGames.seats(&route.place.game).expect("a game of ours");
            assert!(seats.contains(&route.place.seat), "{}", route.place);
            if let Assurance::Address = route.assurance {
                let author = letter.envelope.author.as_ref().expect("the one who holds the seat");
                assert!(TwoGames.addresses(&route.place).contains(&author.base()), "{author} is not {}", route.place);
            }
        }
        Err(astray) => assert!(!astray.to_string().is_empty()),
    }
}

fn is_plain(said: &Said) {
    match said {
        Said::Sentence(sentence) => {
            assert!(spelling::fault(&sentence.words).is_none(), "{:?}", sentence.words);
            assert_eq!(spelling::plain(&sentence.words), sentence.words);
            assert!(!sentence.words.contains('\n'));
        }
        Said::Refused(refused) => assert!(!refused.reason.to_string().is_empty()),
    }
}
