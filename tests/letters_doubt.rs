//! Letters with a line in doubt: nothing of them is played until their writers have said what the line means (P7). And
//! how many second thoughts play all the same, how many harmless letters are held: numbers that may only fall.

use crate::desk::state;
use crate::house::{at, fates};
use crate::letters_desk::{Outcome, Waiting, waiting};
use ground::disk::mishap;
use ground::hash::sha256;
use std::fs;

/// The two games of the counting tests, and a sentence for each.
fn games() -> Vec<(Waiting, &'static str)> {
    let claimed = |asked: &str| (asked == "claim").then_some("claim nearest");
    vec![
        (waiting("risk", "claim", |_| None), "claim angmar"),
        (waiting("wotr", "action", claimed), "character die: move fellowship"),
    ]
}

/// The texts of a corpus: behind the language of each line, between two `|`.
fn corpus(file: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(format!("{}/tests/letters_desk/corpus/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let lines: Vec<String> = text.lines().filter(|line| !line.starts_with("# ")).map(str::to_owned).collect();
    let texts = lines.iter().flat_map(|line| {
        let (language, texts) = line.split_once(": ").filter(|(name, _)| name.len() == 2).unwrap_or(("", line));
        texts.split(" | ").map(|text| (language.to_owned(), text.trim().replace(" / ", "\n"))).collect::<Vec<_>>()
    });
    texts.filter(|(_, text)| !text.is_empty()).collect()
}

/// How many of the letters of a corpus went wrong.
#[derive(Default)]
struct Count {
    wrong: usize,
    of: usize,
}

/// Counts over both games: the part of a corpus with which the tables were made, and the part that is held out. Of the
/// first, what went wrong is shown; of the other, only how many.
fn count(
    file: &str,
    letter: impl Fn(&str, &str, &Waiting) -> Vec<String>,
    is_wrong: impl Fn(&Outcome) -> bool,
) -> [Count; 2] {
    let games = games();
    let mut counts = [Count::default(), Count::default()];
    for (number, (language, text)) in corpus(file).into_iter().enumerate() {
        let is_held_out = sha256(text.as_bytes()).0[0].is_multiple_of(3);
        // Every text in one game, every third in both.
        for (at, (game, sentence)) in games.iter().enumerate() {
            if at != number % 2 && number % 3 != 0 {
                continue;
            }
            for letter in letter(&text, sentence, game) {
                let outcome = game.says(&letter);
                let count = &mut counts[usize::from(is_held_out)];
                count.of += 1;
                if is_wrong(&outcome) {
                    count.wrong += 1;
                    if !is_held_out {
                        println!("WRONG {file} {language}: {letter:?} {}", outcome.told());
                    }
                }
            }
        }
    }
    let [working, held_out] = &counts;
    println!("COUNT {file}: {} of {}, held out {} of {}", working.wrong, working.of, held_out.wrong, held_out.of);
    counts
}

/// How many of a thousand may go wrong, in the part that the tables were made with and in the other.
#[track_caller]
fn at_most(counts: &[Count; 2], thousandths: [usize; 2]) {
    for (count, thousandths) in counts.iter().zip(thousandths) {
        assert!(count.wrong * 1000 <= count.of * thousandths, "{} of {} went wrong", count.wrong, count.of);
    }
}

fn is_played(outcome: &Outcome) -> bool {
    !outcome.said.is_empty()
}

#[test]
fn p7_second_thoughts_below_a_sentence_hold_the_letter() {
    let letter = |text: &str, sentence: &str, _: &Waiting| {
        let gap = if text.len().is_multiple_of(2) { "\n" } else { "\n\n" };
        vec![format!("{sentence}{gap}{text}\n")]
    };
    at_most(&count("second-thoughts.txt", letter, is_played), [10, 10]);
}

#[test]
fn p7_a_heading_that_denies_holds_the_letter() {
    let letter = |text: &str, sentence: &str, _: &Waiting| vec![format!("{text}\n{sentence}\n")];
    at_most(&count("headings.txt", letter, is_played), [10, 10]);
}

#[test]
fn p7_a_sign_of_no_holds_the_letter() {
    let letter = |text: &str, sentence: &str, _: &Waiting| vec![text.replace('=', sentence) + "\n"];
    at_most(&count("signs.txt", letter, is_played), [10, 10]);
}

#[test]
fn p7_what_is_harmless_by_its_form_does_not_hold_the_letter() {
    let letter = |text: &str, sentence: &str, game: &Waiting| {
        let text = text.replace("Anna", if game.player.starts_with("anna") { "Anna" } else { "Boris" });
        if text.ends_with([':', ',', '：', '，', '،']) {
            return vec![format!("{text}\n{sentence}\n")];
        }
        vec![format!("{sentence}\n\n{text}\n")]
    };
    at_most(&count("harmless.txt", letter, |outcome| !is_played(outcome)), [10, 65]);
    let both = |text: &str, sentence: &str, _: &Waiting| {
        vec![format!("{text}\n\n{sentence}\n"), format!("{sentence}\n\n{text}\n")]
    };
    at_most(&count("banners.txt", both, |outcome| !is_played(outcome)), [20, 20]);
}

/// A game at its first claim, with a letter that is held.
struct Holding {
    game: Waiting,
    held: Vec<u8>,
    /// The letter that asks about it.
    question: String,
}

impl Holding {
    fn of(text: &str) -> Holding {
        let mut game = waiting("risk", "claim", |_| None);
        game.house.minutes = 20;
        let held = game.answer("", text);
        let received = game.house.receive(&held);
        assert_eq!(
            game.house.said().len(),
            waiting("risk", "claim", |_| None).house.said().len(),
            "{:?}",
            fates(&received)
        );
        let question = game.house.newest(game.player);
        Holding { game, held, question }
    }

    /// The writer answers the question.
    fn answers(&mut self, text: &str) -> Vec<String> {
        let raw = self.game.answer_of(self.game.player, &self.question, "", text);
        let before = self.game.house.said().len();
        self.game.house.receive(&raw);
        self.game.house.said().split_off(before)
    }
}

const DOUBTFUL: &str = "claim angmar\n\nNej, vänta.\n";

#[test]
fn p7_the_answer_to_a_held_letter_quotes_the_line_and_says_the_two_words() {
    let holding = Holding::of(DOUBTFUL);
    let asked = crate::house::body(&holding.question);
    for part in ["Nothing of your letter is played yet", "“Nej, vänta.”", "play it", "drop it", "waits for your word"]
    {
        assert!(asked.contains(part), "{part}\n{asked}");
    }
}

#[test]
fn p7_play_it_plays_what_was_held_once() {
    let mut holding = Holding::of(DOUBTFUL);
    assert_eq!(holding.answers("play it\n"), ["claim angmar"]);
    let answer = holding.game.house.newest(holding.game.player);
    assert!(crate::house::body(&answer).contains("claim angmar"), "{answer}");
    // Neither the same word again, nor the same letter again, nor the held letter again plays anything.
    assert_eq!(holding.answers("play it!\n"), [""; 0]);
    assert_eq!(holding.answers("play it\n"), [""; 0]);
    let before = holding.game.house.said();
    let held = holding.held.clone();
    holding.game.house.receive(&held);
    assert_eq!(holding.game.house.said(), before);
}

#[test]
fn p7_drop_it_takes_the_letter_back() {
    let mut holding = Holding::of(DOUBTFUL);
    assert_eq!(holding.answers("drop it\n"), [""; 0]);
    assert_eq!(holding.answers("play it\n"), [""; 0]);
    assert_eq!(holding.answers("claim angmar\n"), ["claim angmar"]);
}

#[test]
fn p7_a_letter_is_released_with_what_else_the_writer_says() {
    let mut holding = Holding::of("claim angmar\n\nStrike that.\n");
    assert_eq!(holding.answers("Hi,\nplay it, please.\nThanks!\n").len(), 1);
}

#[test]
fn p7_what_was_held_is_not_played_when_the_game_has_gone_on() {
    let mut holding = Holding::of(DOUBTFUL);
    let mut other = holding.game.copy();
    // The writer has meanwhile said something else.
    assert_eq!(holding.answers("claim forodwaith\n"), ["claim forodwaith"]);
    assert_eq!(holding.answers("play it\n"), [""; 0]);
    other.house.minutes = 30;
    let newest = other.house.newest(other.player);
    let raw = other.answer_of(other.player, &newest, "", "status\n");
    other.house.receive(&raw);
    other.house.send();
    // A letter that only asked for something to read changes nothing.
    let mut holding = Holding { game: other, ..holding };
    assert_eq!(holding.answers("play it\n"), ["claim angmar"]);
}

/// The power fails before or in any write while a held letter is released: opened again, the desk has the same entries
/// and letters as without the failure, and what was held is played once.
#[test]
fn i3_a_crash_while_a_held_letter_is_released_plays_it_once() {
    let mut holding = Holding::of("claim angmar\n\nNej, vänta.\n");
    let raw = holding.game.answer_of(holding.game.player, &holding.question, "", "play it\n");
    let time = at(holding.game.house.minutes + 1);
    let mut whole = holding.game.house.copy();
    whole.minutes = holding.game.house.minutes;
    whole.receive(&raw);
    assert!(whole.said().contains(&"claim angmar".to_owned()), "{:?}", whole.said());
    let expected = state(&whole);
    let mut writes = 0;
    loop {
        let crashed = holding.game.house.copy();
        mishap::after(writes);
        let stopped = crashed.office.receive(&raw, time);
        if !mishap::has_struck() {
            stopped.unwrap();
            break;
        }
        let mut crashed = crashed.copy();
        crashed.office.desk("g7").unwrap().recover(time).unwrap();
        crashed.receive(&raw);
        assert_eq!(crashed.log(), whole.log(), "after {writes} writes");
        let found = state(&crashed);
        for (path, bytes) in &expected {
            let (found, bytes) = (String::from_utf8_lossy(&found[path]), String::from_utf8_lossy(bytes));
            assert_eq!(found, bytes, "{} after {writes} writes", path.display());
        }
        assert_eq!(found.len(), expected.len(), "{:?}", found.keys().collect::<Vec<_>>());
        writes += 1;
    }
    assert!(writes >= 8, "{writes}");
    holding.game.house = whole;
    assert_eq!(holding.answers("play it again\n"), [""; 0]);
}

/// Letters as they came, each with what is played of it at once, and what when its writer says `play it`. A
/// number stands for the sentence about that place: the letters name three.
const HANDED: [(&str, &[usize], &[usize]); 13] = [
    ("01a-second-thought-not-understood-yet-played", &[], &[1]),
    ("01b-second-thought-passed-over-strike-that", &[], &[1]),
    ("01d-second-thought-no", &[], &[1]),
    ("01e-second-thought-not-decided", &[], &[1]),
    ("01g-edit-below", &[], &[1]),
    ("02a-heading-that-denies", &[], &[1]),
    ("02b-heading-of-anothers-words", &[], &[1]),
    ("03a-sign-cross-before", &[], &[2]),
    ("03b-box-not-ticked", &[], &[2]),
    ("04-kept-junk-blocks-the-plan", &[2], &[]),
    ("05a-banner-wrapped", &[2], &[]),
    ("06a-footer-app", &[2], &[]),
    ("06b-footer-vietnamese", &[2], &[]),
];

#[test]
fn p7_letters_as_they_came() {
    let [(risk, _), (wotr, move_it)] = &games()[..] else { panic!("two games") };
    let free: Vec<String> = ["angmar", "forodwaith", "borderlands"].map(str::to_owned).to_vec();
    for (name, at_once, released) in HANDED {
        let path = format!("{}/tests/letters_desk/handed/{name}.eml", env!("CARGO_MANIFEST_DIR"));
        let letter = fs::read_to_string(path).unwrap();
        let is_risk = crate::house::field(&letter, "X-State").starts_with('r');
        // The places of the letter are taken in the game here: others stand for them.
        let names = [("khand", &free[0]), ("north-downs", &free[1]), ("old-forest", &free[2])];
        let text = names.iter().fold(crate::house::body(&letter), |text, (name, free)| text.replace(name, free));
        let text = text.replace("event die: draw character", move_it);
        let sentence =
            |number: &usize| if is_risk { format!("claim {}", free[number - 1]) } else { (*move_it).to_owned() };
        let game = if is_risk { risk } else { wotr };
        let expected: Vec<String> = at_once.iter().map(sentence).collect();
        let outcome = game.says(&text);
        assert_eq!(outcome.said, expected, "{name}: {}", outcome.told());
        let held = game.answer("", &text);
        let outcome = game.receives_second(Some(&held), |asked| game.answer_of(game.player, asked, "", "play it\n"));
        let expected: Vec<String> = released.iter().map(sentence).collect();
        assert_eq!(outcome.said, expected, "{name}: {}", outcome.told());
    }
}
