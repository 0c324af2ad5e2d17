//! One record of every kind with every key present, and one with only the required ones.

use ground::hash::{Hash, Hex, sha256};
use ground::stamp::Stamp;
use record::entry::body::*;
use record::entry::receipts::*;
use record::entry::{Body, Entry, HOST};

/// Every character that is written as an escape, and some others.
pub const AWKWARD: &str =
    "say \"no\" \\ yes\n\r\t\0\u{1b}\u{7f}\u{85}\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}: #'&*!|>% mûmakil 🐘 ñ";

fn hash(text: &str) -> Hash {
    sha256(text.as_bytes())
}

fn host(anchor: Option<Hash>) -> Host<'static> {
    Host {
        what: Hosting::Adoption,
        host_key: Some("ssh-ed25519 AAAA".into()),
        anchor,
        plays: vec!["green".into()],
        text: AWKWARD.into(),
        consents: vec![Consent { seat: "black".into(), raw: Some(hash("raw")) }],
        sig: Some("SSHSIG".into()),
    }
}

fn opening() -> Opening<'static> {
    Opening { deck: "adventure".into(), epoch: Some(1), pos: 7, card: "mithril-coat".into(), salt: hash("salt") }
}

fn outcome() -> Consequence<'static> {
    let dice = |throw, faces| Dice { throw, label: "attacker".into(), sides: 6, faces };
    Consequence {
        open: vec![opening(), Opening { epoch: None, ..opening() }],
        roll: Some(Roll {
            link: hash("link"),
            dice: vec![dice(12, vec![6, 2, 2]), dice(13, vec![1])],
            draws: vec![Draw { throw: 14, deck: "adventure".into(), left: vec![0, 3, 4], pos: 3 }],
            shuffles: vec![Shuffle { throw: 15, label: "first player".into(), count: 3, order: vec![2, 0, 1] }],
        }),
        changed: vec!["the-shire: green 3".into(), AWKWARD.into()],
    }
}

fn bare() -> Consequence<'static> {
    Consequence { open: vec![], roll: None, changed: vec![] }
}

fn signed() -> Signed {
    Signed { number: 2, of: 3, words: AWKWARD.into(), sig: "SSHSIG".into() }
}

fn via() -> Via {
    Via {
        raw: Some(hash("letter")),
        message: Some(hash("1@mail.example")),
        seen: Some(60),
        auth: Some(Auth::Dkim),
        by: Some(By::Standing),
        signed: Some(signed()),
    }
}

fn deck() -> Deck<'static> {
    Deck { deck: "adventure".into(), epoch: 1, cards: vec![hash("a"), hash("b")], commitment: hash("D") }
}

fn genesis() -> Body<'static> {
    let seating = |seat: &'static str, host| Seating {
        seat: seat.into(),
        player: "Frodo".into(),
        host,
        played: None,
        zone: None,
    };
    Body::Genesis(Box::new(Genesis {
        format: 2,
        game: Hex([7; 16]),
        name: "g7".into(),
        title: "risk".into(),
        rules: "risk-lotr-trilogy/1".into(),
        engine: Some("ringmail 0.1.0".into()),
        options: vec![Chosen { name: "variant".into(), value: "standard".into() }],
        seats: vec![
            Seating { zone: Some("Pacific/Auckland".into()), ..seating("green", true) },
            seating("black", false),
        ],
        dice: DicePlan {
            mode: Mode::Beacon,
            anchor: hash("anchor"),
            chain: Some(hash("chain")),
            own: Some(OwnChain {
                public_key: Hex([7; 96]),
                period: 3,
                genesis_time: 1_692_803_367,
                group_hash: hash("group"),
                beacon_id: "own".into(),
            }),
        },
        decks: vec![deck()],
        root: hash("root"),
        host_key: Some("ssh-ed25519 BBBB".into()),
        min_auth: Some(Auth::Keyboard),
        escrow: Some(Escrow::Seats),
        schedule: Some(schedule()),
        votes: Some(Votes::Majority),
        press: Some(Press::Anonymous),
        welcome: Some(Welcome::Players),
    }))
}

fn schedule() -> RecordedSchedule<'static> {
    RecordedSchedule {
        answer: "3d".into(),
        days_off: vec![Weekday::Saturday, Weekday::Sunday],
        holidays: vec!["2026-12-24..2026-12-26".into()],
        quiet: Some("22:00-08:00".into()),
        grace: Some("12h".into()),
        remind: vec!["2d".into(), "12h".into()],
        silence: vec![SilenceStep { misses: 1, then: Silence::Wait }, SilenceStep { misses: 3, then: Silence::Bot }],
        extensions: Some(2),
        extension: Some("2d".into()),
        zone: Some("Europe/Berlin".into()),
    }
}

fn whole_clock() -> Clock<'static> {
    let at = Stamp::parse("2026-11-23T20:00:00Z").expect("a real second");
    Clock {
        what: ClockChange::Lapsed,
        asked: Some(57),
        due: Some(at),
        misses: Some(2),
        then: Some(Silence::Default),
        until: Some(at),
        from: Some("2026-12-24".into()),
        to: Some("2027-01-02".into()),
        zone: Some("Europe/Berlin".into()),
        whom: Some("black".into()),
        text: Some(AWKWARD.into()),
    }
}

#[expect(clippy::too_many_lines, reason = "a sample of each kind of record")]
fn bodies() -> Vec<(Body<'static>, Option<Consequence<'static>>)> {
    let left = BookChanged {
        seq: 31,
        seat: "green".into(),
        order: Some(AWKWARD.into()),
        cancel: None,
        seen: Some(30),
        signed: Some(signed()),
    };
    let cancelled = BookChanged { order: None, cancel: Some(2), seen: None, signed: None, ..left.clone() };
    vec![
        (genesis(), None),
        (
            Body::Join(Join {
                phrase: Some("mûmakil".into()),
                keys: vec!["ssh-ed25519 AAAA".into(), "age1".into()],
                player: Some("Sméagol".into()),
                address: Some(hash("address")),
            }),
            None,
        ),
        (Body::Join(Join { phrase: None, keys: vec![], player: None, address: None }), None),
        (Body::Start(Start { setup: hash("G"), escrow: vec![] }), Some(outcome())),
        (
            Body::Start(Start {
                setup: hash("G"),
                escrow: vec![Escrowed { seat: "green".into(), digest: hash("share") }],
            }),
            Some(outcome()),
        ),
        (
            Body::Say(Say {
                said: AWKWARD.into(),
                line: Some(LinesOpened {
                    receipt: 57,
                    opened: vec![LineOpened { i: 1, text: AWKWARD.into(), salt: hash("salt") }],
                }),
            }),
            Some(outcome()),
        ),
        (Body::Say(Say { said: "pass".into(), line: None }), Some(bare())),
        (Body::Heard, None),
        (Body::Dns(Dns { key: hash("key") }), None),
        (Body::Address(Address { address: hash("address") }), None),
        (Body::Keys(Keys { keys: vec!["ssh-ed25519 AAAA".into()] }), None),
        (Body::Host(host(Some(hash("anchor")))), None),
        (Body::Host(Host { host_key: None, plays: vec![], consents: vec![], sig: None, ..host(None) }), None),
        (Body::Consent(ConsentGiven { to: 31, phrase: Some(AWKWARD.into()) }), None),
        (Body::Consent(ConsentGiven { to: 31, phrase: None }), None),
        (Body::Deck(deck()), Some(outcome())),
        (
            Body::Correction(Correction {
                what: Correcting::Undo,
                to: Some(30),
                text: AWKWARD.into(),
                consents: vec![
                    Consent { seat: "green".into(), raw: Some(hash("letter")) },
                    Consent { seat: "black".into(), raw: None },
                ],
                until: Stamp::parse("2026-11-26T20:00:00Z"),
                motion: Some(57),
                of: Some("black".into()),
                player: Some("Sméagol".into()),
                key: Some("ssh-ed25519 CCCC".into()),
                rules: Some("riddles/2".into()),
                address: Some(hash("address")),
            }),
            Some(bare()),
        ),
        (Body::Clock(whole_clock()), None),
        (Body::Clock(Clock::about(ClockChange::Back)), None),
        (
            Body::Motion(Motion {
                what: Correcting::Seat,
                to: None,
                of: Some("black".into()),
                key: Some("ssh-ed25519 DDDD".into()),
                rules: None,
                text: AWKWARD.into(),
                until: Stamp::parse("2026-11-26T20:00:00Z"),
            }),
            None,
        ),
        (Body::Receipt(Receipt { lines: vec![hash("one"), hash("two")], cut: vec![1], round: 34_287_145 }), None),
        (Body::Receipt(Receipt { lines: vec![], cut: vec![], round: 1 }), None),
        (Body::Round(Round { receipt: 57, signature: Hex([3; 48]) }), None),
        (Body::Stopped(Stopped { receipt: 57, line: 2, reason: AWKWARD.into() }), None),
        (Body::Vote(Vote { motion: 57, says: Ballot::No }), None),
        (Body::Vote(Vote { motion: 57, says: Ballot::Yes }), None),
        (Body::Concede(Concede { text: Some(AWKWARD.into()) }), None),
        (Body::Dispute(Dispute { about: 57, text: AWKWARD.into() }), None),
        (
            Body::Reveal(Reveal {
                root: hash("root"),
                orders: vec![left, cancelled],
                lines: vec![LineShown { receipt: 57, line: 2, text: AWKWARD.into() }],
            }),
            None,
        ),
        (Body::Reveal(Reveal { root: hash("root"), orders: vec![], lines: vec![] }), None),
        (Body::End(End { result: "green wins".into(), digest: hash("facts"), closing: hash("end") }), None),
    ]
}

/// The samples, each alone and with the head in both shapes.
pub fn entries() -> Vec<Entry<'static>> {
    let mut entries = Vec::new();
    for (body, outcome) in bodies() {
        let plain = Entry {
            seq: 61,
            prev: hash("before"),
            at: Stamp::parse("2026-11-24T07:12:09Z").expect("a real second"),
            seat: HOST.into(),
            via: None,
            books: None,
            body,
            outcome,
            digest: None,
        };
        let digest = (plain.kind() != Kind::End).then(|| hash("facts"));
        entries.push(Entry {
            seat: "green".into(),
            via: Some(via()),
            books: Some(hash("books")),
            digest,
            ..plain.clone()
        });
        entries.push(plain);
    }
    entries
}
