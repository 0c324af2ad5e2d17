/*! The facts of the table, as lines: the same keys in the same order at every moment of a game.

They must never change: the digest of every entry is taken over them. They are written for every entry of every fold, so
words are pushed and not formatted, and facts that seldom change come first, since they need not be hashed again.
*/

use crate::engine::facts::Facts;
use crate::engine::name::Named;
use crate::engine::slot::{Card, Slot};
use crate::risk::board::pile::Pile;
use crate::risk::board::player::{DefenceWish, Player, Status, ThenClaim, ThenPlace};
use crate::risk::board::turn::{Invasion, Route, Turn};
use crate::risk::board::{Board, Effect, EffectKind, Holder};
use crate::risk::card::Face;
use crate::risk::colour::Colour;
use crate::risk::territory::{Passage, TERRITORIES, Territory};
use std::sync::LazyLock;

/// Writes every fact of the board.
pub fn facts(board: &Board, facts: &mut Facts) {
    board.players.iter().for_each(|player| player_facts(player, facts));
    pile_facts(&board.territory_deck, "territory-deck", "territory-discards", facts);
    pile_facts(&board.adventure_deck, "adventure-deck", "adventure-discards", facts);
    list("effects", &board.effects, facts, |effect, facts| write_effect(board, effect, facts));
    facts.key("fellowship").number(u32::from(board.ring)).word(board.ring().name().id()).end();
    let winners = board.outcome.as_ref().map_or(&[][..], |outcome| &outcome.winners);
    list("winner", winners, facts, |seat, facts| {
        facts.word(board.colour(*seat).word());
    });
    territory_facts(board, facts);
    turn_facts(board, &board.turn, facts);
    invasion_facts(board.invasion.as_ref(), facts);
    march_facts(board, facts);
}

/// One line for each territory: who holds it, with how many battalions, and whether a Leader is there.
fn territory_facts(board: &Board, facts: &mut Facts) {
    for (territory, begun) in Territory::ALL.into_iter().zip(&*TERRITORIES_BEGUN) {
        let holding = board.holding(territory);
        let holder = match holding.holder {
            Holder::Nobody => {
                facts.nothing(territory.name().id());
                continue;
            }
            Holder::Neutral => NEUTRAL,
            Holder::Seat(seat) => board.colour(seat) as usize,
        };
        let line = facts.raw(&begun[holder]).number(u32::from(holding.battalions));
        if holding.leader {
            line.word("leader");
        }
        line.end();
    }
}

/// The place of the neutral army in tables by holder, after the colours.
const NEUTRAL: usize = 4;

/// The beginning of every territory's line, by holder: `the-shire: green`.
static TERRITORIES_BEGUN: LazyLock<[[String; 5]; TERRITORIES]> = LazyLock::new(|| {
    let holders = std::array::from_fn(|holder| Colour::ALL.get(holder).map_or("neutral", |colour| colour.word()));
    Territory::ALL.map(|territory| holders.map(|holder| format!("{}: {holder}", territory.name().id())))
});

/// The keys of a player's facts.
struct Keys {
    player: &'static str,
    territory_cards: &'static str,
    adventure_cards: &'static str,
    missions: &'static str,
    powers: &'static str,
    uprising: &'static str,
    claims: &'static str,
    places: &'static str,
    second_leader: &'static str,
}

macro_rules! keys {
    ($colour:literal) => {
        Keys {
            player: $colour,
            territory_cards: concat!($colour, "-territory-cards"),
            adventure_cards: concat!($colour, "-adventure-cards"),
            missions: concat!($colour, "-missions"),
            powers: concat!($colour, "-powers"),
            uprising: concat!($colour, "-uprising"),
            claims: concat!($colour, "-claims"),
            places: concat!($colour, "-places"),
            second_leader: concat!($colour, "-second-leader"),
        }
    };
}

fn keys(colour: Colour) -> &'static Keys {
    match colour {
        Colour::Yellow => &keys!("yellow"),
        Colour::Green => &keys!("green"),
        Colour::Red => &keys!("red"),
        Colour::Black => &keys!("black"),
    }
}

/// One line for each thing that a player has or has planned.
fn player_facts(player: &Player, facts: &mut Facts) {
    let keys = keys(player.colour);
    let line = facts.key(keys.player);
    line.word(match player.status {
        Status::Playing => "playing",
        Status::Eliminated => "eliminated",
    });
    line.word(match player.defence {
        DefenceWish::Max => "defends-max",
        DefenceWish::Ask => "asks-for-dice",
    });
    line.word("stock").number(u32::from(player.stock)).end();
    list(keys.territory_cards, &player.territory_cards, facts, |slot, facts| write_slot(*slot, facts));
    list(keys.adventure_cards, &player.adventure_cards, facts, |slot, facts| write_slot(*slot, facts));
    list(keys.missions, &player.missions, facts, |(slot, mission), facts| {
        write_slot(*slot, facts);
        facts.word(mission.name().id());
    });
    list(keys.powers, &player.powers, facts, |(slot, power), facts| {
        write_slot(*slot, facts);
        facts.word(power.name().id());
    });
    list(keys.uprising, &player.uprising, facts, |slot, facts| write_slot(*slot, facts));
    let setup = &player.setup;
    let line = facts.key(keys.claims);
    setup.claims.iter().for_each(|territory| {
        line.word(territory.name().id());
    });
    line.word(if setup.then_claim == ThenClaim::Nearest { "nearest" } else { "-" }).end();
    let line = facts.key(keys.places);
    setup.places.iter().for_each(|(battalions, territory)| {
        line.number(*battalions).word(territory.name().id());
    });
    line.word(if setup.then_place == ThenPlace::Evenly { "evenly" } else { "-" }).end();
    facts.line(keys.second_leader, setup.second_leader.map_or("-", |territory| territory.name().id()));
}

/// A deck and its discards. The positions left are written as a hexadecimal number, one bit each.
fn pile_facts(pile: &Pile, deck: &str, discards: &str, facts: &mut Facts) {
    let line = facts.key(deck).number(u32::from(pile.epoch));
    write_bits(pile.left, line);
    line.end();
    list(discards, &pile.discards, facts, |card, facts| write_card(*card, facts));
}

fn turn_facts(board: &Board, turn: &Turn, facts: &mut Facts) {
    let colour = |seat: Option<crate::engine::seat::Seat>| seat.map_or("-", |seat| board.colour(seat).word());
    facts.key("turn").number(turn.number).word(colour(turn.seat)).end();
    facts.line("first", colour(turn.first));
    facts.key("to-place").number(turn.to_place).end();
    let line = facts.key("conquered");
    line.word(if turn.conquered { "territory" } else { "-" });
    line.word(if turn.site_conquered { "site" } else { "-" });
    line.end();
    let entered: Vec<Territory> = turn.leaders_entered.iter().collect();
    list("leaders-entered", &entered, facts, |territory, facts| {
        facts.word(territory.name().id());
    });
    facts.key("extra-cards").number(turn.extra_cards).end();
    facts.line("adventure-card", if turn.adventure_drawn { "drawn" } else { "-" });
    facts.key("fortifications").number(turn.fortifications).end();
}

fn invasion_facts(invasion: Option<&Invasion>, facts: &mut Facts) {
    let Some(invasion) = invasion else {
        facts.line("invasion", "-");
        return;
    };
    let line = facts.key("invasion").word(invasion.target.name().id()).word("from").word(invasion.source.name().id());
    match invasion.route {
        Route::By(Passage::Land) => line.word("by-land"),
        Route::By(Passage::Bridge(_)) => line.word("by-bridge"),
        Route::By(Passage::Sea) => line.word("by-sea"),
        Route::UnderTheMountains => line.word("under-the-mountains"),
    };
    for (so, word) in [
        (invasion.stronghold_silenced, "stronghold-silenced"),
        (invasion.black_sails, "black-sails"),
        (invasion.answered, "answered"),
    ] {
        if so {
            line.word(word);
        }
    }
    if let Some(committed) = invasion.committed {
        line.word("committed").number(committed.battalions);
        if committed.leader {
            line.word("leader");
        }
    }
    line.end();
}

fn march_facts(board: &Board, facts: &mut Facts) {
    let march = board.march;
    let line = facts.key("march");
    line.word(if march.gated { "gated" } else { "-" });
    match march.roll {
        Some(roll) => line.number(roll),
        None => line.word("-"),
    };
    match march.modifier {
        0 => line.number(0),
        modifier => line.value(&modifier),
    };
    line.word(if march.held { "held" } else { "-" }).end();
}

/// A line that lists things, or `-` if there are none.
fn list<T>(key: &str, things: &[T], facts: &mut Facts, write: impl Fn(&T, &mut Facts)) {
    if things.is_empty() {
        facts.nothing(key);
        return;
    }
    facts.key(key);
    things.iter().for_each(|thing| write(thing, facts));
    facts.end();
}

/// Epoch and position of a slot.
fn write_slot(slot: Slot, facts: &mut Facts) {
    facts.number(u32::from(slot.epoch) * 1000 + u32::from(slot.position));
}

fn write_card(card: Card, facts: &mut Facts) {
    facts.word(Face::of(card).name().id());
}

fn write_effect(board: &Board, effect: &Effect, facts: &mut Facts) {
    match effect.kind {
        EffectKind::BridgeBlocked(bridge) => {
            facts.word("bridge-blocked").word(bridge.name().id());
        }
        EffectKind::WinterStorms(territories) => {
            facts.word("winter-storms");
            territories.iter().for_each(|territory| {
                facts.word(territory.name().id());
            });
        }
        EffectKind::CorsairsOfUmbar => {
            facts.word("corsairs-of-umbar");
        }
    }
    facts.word("until").word(board.colour(effect.until).word());
}

fn write_bits(bits: u128, facts: &mut Facts) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = [0u8; 32];
    let mut first = text.len();
    let mut rest = bits;
    loop {
        first -= 1;
        text[first] = DIGITS[(rest & 15) as usize];
        rest >>= 4;
        if rest == 0 {
            break;
        }
    }
    facts.word(std::str::from_utf8(&text[first..]).expect("hexadecimal digits"));
}
