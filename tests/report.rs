//! Letters and other texts for people, whole. `RINGMAIL_BLESS=1 cargo test --test post report` writes them anew.

use crate::pages::{is_a_page, stands};
use engine::facts::Facts;
use engine::menu::Offer;
use engine::title::{Setup, Title};
use post::desk::enclosure;
use record::fold::tally::Tally;
use report::choices::Choices;
use report::chronicle::{self, Chronicled, Explained, Opened, Roll, Throw};
use report::closing::{self, Closing};
use report::deadline::Deadline;
use report::fate::{Answered, Fate, RefusedAs};
use report::letter::letter;
use report::occasion::{Chair, Ended, EntryNews, Occasion, Opening, Saved, Score, StandingOrder, Waits};
use report::verdict::Verdict;
use report::{self, agreed, columns, requests, terminal};
use serde_json::json;

fn told(sentences: &[(&str, &str)]) -> Vec<serde_json::Value> {
    sentences.iter().map(|(kind, text)| json!({"kind": kind, "text": text})).collect()
}

fn news() -> Vec<EntryNews> {
    let first = told(&[
        ("turn", "Turn 4: Red"),
        ("event", "Red received 9 battalions: 3 for strongholds, 6 for 19 territories."),
        ("event", "Red placed 5 in Moria and 1 in Khand."),
    ]);
    let second = told(&[
        ("event", "Red attacked Lórien from Moria with 3 battalions and a Leader."),
        ("roll", "Attack 6 4 4 (+1), defence 5 5: Red lost 1, Yellow lost 1."),
        ("roll", "Attack 6 4 (+1), defence 5: Yellow lost 1."),
        ("event", "Red conquered Lórien and moved 2 battalions and a Leader in."),
    ]);
    let third = told(&[("turn", "Turn 5: Yellow"), ("note", ""), ("event", "Yellow received 13 battalions.")]);
    let happening = |(seq, told)| EntryNews { seq, told };
    [(50, first), (51, second), (52, third)].map(happening).into()
}

fn choices() -> Choices {
    let offer = |sentence: &str, nouns: &[(&str, &[&str])]| Offer {
        sentence: sentence.to_string(),
        nouns: nouns
            .iter()
            .map(|(noun, names)| ((*noun).into(), names.iter().map(|n| (*n).into()).collect()))
            .collect(),
        chosen: Vec::new(),
    };
    let own = ["the-shire", "mithlond", "harlindon", "lune-valley", "evendim-hills", "rhudaur", "moria", "brown-lands"];
    Choices::of(&[
        offer(
            "attack <target> from <source> [playing <card>, …] [with <1-3>] [and leader] [until <0-99> left]",
            &[("target", &["lorien", "the-wold"]), ("source", &own), ("card", &["grima-wormtongue"])],
        ),
        offer("complete bree", &[]),
        offer("fortify <0-11> from <source> to <goal>", &[("source", &own), ("goal", &own)]),
        offer("done", &[]),
    ])
}

fn answers() -> Vec<Answered> {
    let answered = |line: &str, fate: Fate| Answered { line: line.into(), fate };
    let why = "not understood: `atack`; did you mean `attack`? Expected: attack, complete, fortify, done";
    vec![
        answered(
            "Place 3 The Shire, rest Rhudaur",
            Fate::Done { said: "place 3 the-shire, 10 rhudaur".into(), seq: Some(55) },
        ),
        answered("done", Fate::Done { said: "done".into(), seq: Some(56) }),
        answered(
            "  atack moria\u{202e} from lorien",
            Fate::Refused { at: Some(2..7), kind: RefusedAs::NotUnderstood, rule: None, why: why.into() },
        ),
        answered("fortify 3 from moria to bree", Fate::Kept { why: "it follows a sentence that was refused".into() }),
        answered("Cheers, Anna", Fate::Ignored { why: "a greeting".into() }),
    ]
}

pub fn sample() -> Occasion {
    let chair = |(seat, player): (&str, &str)| Chair { seat: seat.into(), player: player.into() };
    let opening = |deck: &str, position, card: &str, salt: &str| Opening {
        deck: deck.into(),
        epoch: 0,
        position,
        card: card.into(),
        salt: salt.repeat(8),
    };
    Occasion {
        game: "g1".into(),
        title: &risk::title::TITLE,
        title_name: "Risk: The Lord of the Rings, Trilogy Edition".into(),
        edition: "risk-lotr-trilogy/1".into(),
        rules: Vec::new(),
        reader: Some("yellow".into()),
        seats: [("yellow", "Anna"), ("red", "Boris\nGodunow"), ("green", "Chloé"), ("black", "D")].map(chair).into(),
        moment: "turn 5, yellow: combat".into(),
        turn: "turn 5".into(),
        seq: 57,
        head: "9c1e0a77".repeat(8),
        fingerprint: ["grid", "creek", "office", "smoke"].repeat(3).into_iter().map(String::from).collect(),
        is_first: false,
        has_checkpoint: false,
        news: news(),
        view: serde_json::from_str(include_str!("letters-out/view.json")).expect("a view"),
        before: None,
        brief: None,
        openings: vec![
            opening("adventure", 17, "power-violent-storms", "745f382a"),
            opening("territory", 9, "terr-the-shire", "93bca8a2"),
        ],
        waits: Waits::Reader { id: "combat".into(), choices: choices() },
        deadline: Some(Deadline {
            due: Some("2026-11-26T20:00:00Z".into()),
            until: Some("Thu 26 Nov, 21:00".into()),
            clock: "your time; 20:00 UTC".into(),
            grace: Some("12 hours".into()),
            then: Some("default".into()),
            ..Deadline::default()
        }),
        is_stood_in: false,
        standing: vec![StandingOrder {
            number: 41,
            order: "when asked violent-storms say pass until end of turn".into(),
            now: None,
        }],
        saved: vec![Saved { seq: 53, order: "when asked enemy-declared say pass".into() }],
        pace: vec!["Turn 4: 6 letters (yellow 4, red 2); waited for yellow 2 d 3 h, for red 5 min.".into()],
        verdict: None,
        answers: answers(),
        asked_for: Vec::new(),
        classes: None,
        closing: None,
        whole_game: None,
        kept: Vec::new(),
        stopped: None,
        form: Vec::new(),
        motions: Vec::new(),
        to_vote: Vec::new(),
        wants_consent: false,
    }
}

#[test]
fn a_letter_to_the_seat_that_is_asked() {
    let letter = letter(&sample());
    assert_eq!(
        letter.subject,
        "[g1 #57 9c1e0a779c1e0a779c1e grid creek] Risk, turn 5: your move – attack, fortify or done \
         (until Thu 26 Nov, 21:00)"
    );
    is_a_page(&letter.text, columns::LETTER);
    stands("asked.txt", &letter.text);
}

#[test]
fn the_answer_to_a_letter_that_went_wrong_begins_with_that() {
    let mut wrong = sample();
    wrong.verdict = Some(Verdict {
        sentence: "Of your letter, 1 of 3 lines was played; line 2 was refused, and nothing below it was looked at."
            .into(),
        short: "1 of 3 lines was played".into(),
        example: Some("attack moria from lorien".into()),
        words: &[],
    });
    let letter = letter(&wrong);
    let subject = "[g1 #57 9c1e0a779c1e0a779c1e grid creek] Risk, turn 5: 1 of 3 lines was played – your move – \
                   attack, fortify or done (until Thu 26 Nov, 21:00)";
    assert_eq!(letter.subject, subject);
    is_a_page(&letter.text, columns::LETTER);
    stands("letter-that-went-wrong.txt", &letter.text);
}

#[test]
fn a_letter_to_a_seat_that_only_waits_is_shorter() {
    let waits = Waits::Other { seat: "red".into(), id: "enemy-declared".into() };
    let mut waiting = Occasion { waits, answers: Vec::new(), standing: Vec::new(), saved: Vec::new(), ..sample() };
    waiting.view["asked"] = json!({"seat": "red", "short": "answer the invasion of Moria", "text": "."});
    let letter = letter(&waiting);
    assert_eq!(
        letter.subject,
        "[g1 #57 9c1e0a779c1e0a779c1e grid creek] Risk, turn 5: waiting for red (until Thu 26 Nov, 21:00)"
    );
    is_a_page(&letter.text, columns::LETTER);
    stands("waiting.txt", &letter.text);
}

#[test]
fn the_last_letter_tells_the_result() {
    let score = |(seat, points): (&str, i32)| Score { seat: seat.into(), points };
    let ended = Ended {
        winners: vec!["yellow".into()],
        reason: "the Ring was destroyed; most points".into(),
        points: [("yellow", 33), ("red", 31), ("green", 20), ("black", 11)].map(score).into(),
    };
    let mut over = Occasion { waits: Waits::Nobody { ended: Some(ended) }, answers: Vec::new(), ..sample() };
    over.view["asked"] = json!(null);
    over.view["outcome"] = json!({ "winners": ["yellow"] });
    over.deadline = None;
    over.classes = closing::classes(&Tally { signed_ssh: 2, signed_dkim: 41, by_token: 7, ..Tally::default() });
    over.closing = Some(Closing::Sound);
    let letter = letter(&over);
    assert_eq!(letter.subject, "[g1 #57 9c1e0a779c1e0a779c1e grid creek] Risk: the game is over – yellow wins");
    is_a_page(&letter.text, columns::LETTER);
    stands("over.txt", &letter.text);
    is_a_page(&terminal::result(&over, 100), 100);
    assert!(terminal::result(&over, 100).contains("2 ssh, 41 dkim, 7 token."));
    over.closing = Some(Closing::Wrong { what: "log.yaml:7 seq 1: [dice] no".into() });
    let text = report::letter::letter(&over).text;
    assert!(text.contains("closed, but IT DOES NOT\nVERIFY: log.yaml:7 seq 1: [dice] no"), "{text}");
}

#[test]
fn texts_for_a_terminal() {
    for columns in [72, 100] {
        for text in [terminal::show(&sample(), columns), terminal::menu(&sample(), columns)] {
            is_a_page(&text, columns);
        }
    }
    stands("menu.txt", &terminal::menu(&sample(), 72));
    let public = Occasion { reader: None, waits: Waits::Host { what: "dice".into() }, ..sample() };
    is_a_page(&terminal::show(&public, 100), 100);
    let help = requests::help("risk", &enclosure::help_lines(), 72);
    is_a_page(&help, 72);
    stands("help.txt", &help);
}

fn entry() -> Chronicled {
    Chronicled {
        seq: 51,
        at: "2026-11-24T07:12:09Z".into(),
        kind: "say".into(),
        seat: "red".into(),
        seat_columns: 7,
        said: "attack lorien from moria with 3 and leader until 2 left".into(),
        via: Some("letter, dkim".into()),
        news: news()[1].clone(),
        moment: Some("turn 4, red: combat".into()),
    }
}

#[test]
fn an_entry_told_and_explained() {
    let paragraph = chronicle::paragraph(&entry(), 72);
    is_a_page(&paragraph, 72);
    let facts = |moria: &str, lorien: &str| {
        let mut facts = Facts::default();
        for (key, word) in [("moria", moria), ("lorien", lorien), ("turn", "4 red combat")] {
            facts.line(key, word);
        }
        facts
    };
    let throw =
        |n, seed: &str, what: &str, gave: &str| Throw { n, seed: seed.repeat(8), what: what.into(), gave: gave.into() };
    let explained = Explained {
        told: entry(),
        thought: Some("it threatens Helm's Deep, 2 points.".into()),
        roll: Some(Roll {
            link: "7fe3a1b2".repeat(8),
            mix: "0f91240f".repeat(8),
            throws: vec![
                throw(12, "a95f0336", "attack, 3 dice", "6 4 4"),
                throw(13, "f10c89b6", "defence, 2 dice", "5 5"),
            ],
        }),
        opened: vec![Opened { slot: "adventure 1 17".into(), card: "power-ambush".into() }],
        changes: chronicle::changes(&facts("red 9 leader", "yellow 2"), &facts("red 6", "red 2 leader")),
        asked: Some("red: combat".into()),
        asks: Some("red: combat".into()),
        digest: Some("77ab01cd".repeat(8)),
        head: "9c1e0a77".repeat(8),
    };
    let why = chronicle::why(&explained, 72);
    is_a_page(&why, 72);
    stands("entry.txt", &format!("{paragraph}\n{why}"));
}

fn charter(title: &Title, players: usize, options: &[(&str, &str)]) -> Setup {
    let seats = title.seats(players).unwrap().into_iter().map(str::to_string).collect();
    let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    Setup { edition: title.editions[0].to_string(), seats, options }
}

/// 19.1, 19.40: preset and switches are named, and the first edition's preset is labelled partial.
#[test]
fn the_rules_of_a_game_are_told() {
    let default = charter(&wotr::title::TITLE, 2, &[]);
    assert_eq!(agreed::changed(&wotr::title::TITLE, &default), Vec::<String>::new());
    assert!(agreed::page(&wotr::title::TITLE, &default, 72).contains("Every switch has its default value."));
    let setup = charter(&wotr::title::TITLE, 2, &[("preset", "first-edition"), ("combat.round_limit", "5")]);
    let changed = agreed::changed(&wotr::title::TITLE, &setup);
    for (said, begin) in changed.iter().zip(["preset = first-edition. ", "combat.round_limit = 5. ", "The preset"]) {
        assert!(said.starts_with(begin), "{changed:?}");
    }
    assert!(changed[2].contains("first-edition is partial"), "{changed:?}");
    let teams = agreed::changed(&risk::title::TITLE, &charter(&risk::title::TITLE, 4, &[("variant", "alliance")]));
    assert!(teams[0].starts_with("variant = alliance. "), "{teams:?}");
    assert_eq!(teams[1], "Yellow and Green play together for good, Red and Black for evil.");
}
