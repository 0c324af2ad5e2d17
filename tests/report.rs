//! Letters, whole.

use ringmail::report::choices::Choices;
use ringmail::report::letter::letter;
use ringmail::report::occasion::{Answered, Chair, Fate, Happening, Occasion, Opening, Saved, StandingOrder, Waits};
use ringmail::engine::menu::Offer;
use serde_json::json;

fn sample() -> Occasion {
    let view = serde_json::from_str(include_str!("letters-out/view.json")).unwrap();
    let chair = |(seat, player): (&str, &str)| Chair { seat: seat.into(), player: player.into() };
    let offer = |sentence: &str, nouns: &[(&str, &[&str])]| Offer {
        sentence: sentence.to_string(),
        nouns: nouns.iter().map(|(n, names)| (n.to_string(), names.iter().map(|x| x.to_string()).collect())).collect(),
    };
    let own = &["the-shire", "mithlond", "harlindon", "lune-valley", "evendim-hills", "rhudaur", "moria", "gladden-fields"];
    Occasion {
        game: "g1".into(),
        title: "risk".into(),
        title_name: "Risk: The Lord of the Rings, Trilogy Edition".into(),
        edition: "risk-lotr-trilogy/1".into(),
        reader: Some("yellow".into()),
        seats: [("yellow", "Anna"), ("red", "Boris Godunow"), ("green", "Chloé"), ("black", "Dûm")].map(chair).into(),
        moment: "turn 5, combat".into(),
        seq: 57,
        head: "9c1e0a77b2d4".repeat(5) + "0123",
        news: vec![
            Happening { seq: 50, told: vec![json!({"text": "Turn 4: Red", "kind": "turn"}), json!({"text": "Red received 9 battalions: 3 for strongholds, 6 for 19 territories.", "kind": "event"}), json!({"text": "Red placed 5 in Moria and 1 in Khand.", "kind": "event"})] },
            Happening { seq: 51, told: vec![json!({"text": "Red attacked Lórien from Moria with 3 battalions and a Leader.", "kind": "event"}), json!({"text": "Attack 6 4 4 (+1), defence 5 5: Red lost 1, Yellow lost 1.", "kind": "roll"}), json!({"text": "Attack 6 4 (+1), defence 5: Yellow lost 1.", "kind": "roll"}), json!({"text": "Red conquered Lórien and moved 2 battalions and a Leader in.", "kind": "event"})] },
            Happening { seq: 52, told: vec![json!({"text": "Turn 5: Yellow", "kind": "turn"}), json!({"text": "", "kind": "note"}), json!({"text": "Yellow received 13 battalions: 4 for strongholds, 6 for 19 territories, 3 for Eriador.", "kind": "event"})] },
        ],
        view,
        openings: vec![Opening { deck: "adventure".into(), epoch: 1, position: 17, card: "power-violent-storms".into(), salt: "745f382a58cba2a59a83ffae85666533fd272482e7eed6349624a30c0771e7f9".into() },
            Opening { deck: "territory".into(), epoch: 0, position: 9, card: "terr-the-shire".into(), salt: "93bca8a2916b60edbd51d1fbe41a473ae17bac75b16914ac737c5eebfe841fbd".into() }],
        waits: Waits::Reader { id: "combat".into(), code: Some(12), choices: Choices::of(&[
            offer("attack <target> from <source> [playing <card>, …] [with <1-3>] [and leader] [until <0-99> left]", &[("target", &["lorien", "the-wold"]), ("source", own), ("card", &["grima-wormtongue"])]),
            offer("complete bree", &[]),
            offer("fortify <0-11> from <source> to <goal>", &[("source", own), ("goal", own)]),
            offer("ask me for dice", &[]),
            offer("done", &[])]) },
        deadline: Some("Thu 26 Nov 2026, 21:00 UTC".into()),
        standing: vec![StandingOrder { number: 41, order: "when asked violent-storms say pass until end of turn".into() }],
        saved: vec![Saved { seq: 53, order: "when asked enemy-declared say pass".into() }],
        answers: vec![
            Answered { line: "Place 3 The Shire, rest Rhudaur".into(), fate: Fate::Done { said: "place 3 the-shire, 10 rhudaur".into(), seq: Some(55) } },
            Answered { line: "done".into(), fate: Fate::Done { said: "done".into(), seq: Some(56) } },
            Answered { line: "atack moria from lorien".into(), fate: Fate::Refused { at: Some(0..5), why: "not understood: `atack`; did you mean `attack`? Here could stand: attack, fortify, complete, done".into() } },
            Answered { line: "fortify 3 from moria to bree".into(), fate: Fate::Kept { why: "it comes after a sentence that was refused".into() } },
            Answered { line: "Cheers, Anna".into(), fate: Fate::Ignored { why: "no sentence".into() } },
        ],
    }
}

#[test]
fn look() {
    let l = letter(&sample());
    println!("{}\n\n{}", l.subject, l.text);
    for line in l.text.lines() {
        assert!(line.chars().count() <= 72, "{line}");
    }
}
