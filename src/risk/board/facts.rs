/*! The facts of the table, as lines: the same keys in the same order at every moment of a game.

They must never change: the digests of every log are hashes of these lines.
*/

use crate::board::pile::Pile;
use crate::board::player::{DefenceWish, SetupPlan, Status, ThenClaim, ThenPlace};
use crate::board::turn::{Invasion, March, Route};
use crate::board::{Board, Effect, EffectKind, Holder, Holding};
use crate::card::Face;
use crate::colour::Colour;
use crate::territory::{Passage, Territory};
use engine::facts::{Facts, Sheet};
use engine::name::Named;
use engine::seat::Seat;
use engine::slot::{Card, Slot};

/// Writes the facts of the board.
pub fn facts(sheet: &mut Sheet<'_, Board>) {
    // A seat keeps its colour to the end, so names of seats need not be compared.
    let board = sheet.board();
    for (index, player) in board.players.iter().enumerate() {
        if sheet.wants(|board| &board.players[index]) {
            player_facts(sheet, index, keys(player.colour));
        }
    }
    pile_facts(sheet, "territory-deck", "territory-discards", |board| &board.territory_deck);
    pile_facts(sheet, "adventure-deck", "adventure-discards", |board| &board.adventure_deck);
    sheet.fact(
        "effects",
        |board| &board.effects,
        |effects, facts| effects.iter().for_each(|effect| write_effect(board, effect, facts)),
    );
    sheet.fact(
        "fellowship",
        |board| (board.ring, board.ring()),
        |(step, territory), facts| {
            facts.number(u32::from(step)).word(territory.name().id());
        },
    );
    sheet.fact(
        "winner",
        |board| &board.outcome,
        |outcome, facts| {
            let winners = outcome.iter().flat_map(|outcome| &outcome.winners);
            winners.for_each(|seat| word(board.colour(*seat).word(), facts));
        },
    );
    if sheet.wants(|board| &board.holdings) {
        for territory in Territory::ALL {
            sheet.fact(
                territory.name().id(),
                |board| board.holding(territory),
                |holding, facts| write_holding(board, holding, facts),
            );
        }
    }
    if sheet.wants(|board| &board.turn) {
        turn_facts(sheet);
    }
    sheet.fact(
        "invasion",
        |board| &board.invasion,
        |invasion, facts| invasion.iter().for_each(|invasion| write_invasion(invasion, facts)),
    );
    sheet.fact("march", |board| board.march, write_march);
}

/// Who holds a territory, with how many battalions, and whether a Leader is there.
fn write_holding(board: &Board, holding: Holding, facts: &mut Facts) {
    let holder = match holding.holder {
        Holder::Nobody => return,
        Holder::Neutral => "neutral",
        Holder::Seat(seat) => board.colour(seat).word(),
    };
    facts.word(holder).number(u32::from(holding.battalions));
    if holding.leader {
        facts.word("leader");
    }
}

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
fn player_facts(sheet: &mut Sheet<'_, Board>, index: usize, keys: &Keys) {
    sheet.fact(
        keys.player,
        |board| (board.players[index].status, board.players[index].defence, board.players[index].stock),
        |(status, defence, stock), facts| {
            facts.word(match status {
                Status::Playing => "playing",
                Status::Eliminated => "eliminated",
            });
            facts.word(match defence {
                DefenceWish::Max => "defends-max",
                DefenceWish::Ask => "asks-for-dice",
            });
            facts.word("stock").number(u32::from(stock));
        },
    );
    let slots = |slots: &Vec<Slot>, facts: &mut Facts| slots.iter().for_each(|slot| write_slot(*slot, facts));
    sheet.fact(keys.territory_cards, |board| &board.players[index].territory_cards, slots);
    sheet.fact(keys.adventure_cards, |board| &board.players[index].adventure_cards, slots);
    sheet.fact(
        keys.missions,
        |board| &board.players[index].missions,
        |missions, facts| missions.iter().for_each(|(slot, mission)| write_open(*slot, mission, facts)),
    );
    sheet.fact(
        keys.powers,
        |board| &board.players[index].powers,
        |powers, facts| powers.iter().for_each(|(slot, power)| write_open(*slot, power, facts)),
    );
    sheet.fact(keys.uprising, |board| &board.players[index].uprising, slots);
    setup_facts(sheet, |board| &board.players[index].setup, keys);
}

fn setup_facts(sheet: &mut Sheet<'_, Board>, setup: impl Fn(&Board) -> &SetupPlan, keys: &Keys) {
    sheet.fact(
        keys.claims,
        |board| (&setup(board).claims, setup(board).then_claim),
        |(claims, then), facts| {
            claims.iter().for_each(|territory| word(territory.name().id(), facts));
            word(if then == ThenClaim::Nearest { "nearest" } else { "-" }, facts);
        },
    );
    sheet.fact(
        keys.places,
        |board| (&setup(board).places, setup(board).then_place),
        |(places, then), facts| {
            for (battalions, territory) in places {
                facts.number(*battalions).word(territory.name().id());
            }
            word(if then == ThenPlace::Evenly { "evenly" } else { "-" }, facts);
        },
    );
    sheet.fact(
        keys.second_leader,
        |board| setup(board).second_leader,
        |territory, facts| territory.into_iter().for_each(|territory| word(territory.name().id(), facts)),
    );
}

/// A deck and its discards. The positions left are written as a hexadecimal number, one bit each.
fn pile_facts(sheet: &mut Sheet<'_, Board>, deck: &str, discards: &str, pile: impl Fn(&Board) -> &Pile) {
    sheet.fact(
        deck,
        |board| (pile(board).epoch, pile(board).left),
        |(epoch, left), facts| {
            facts.number(u32::from(epoch));
            write_bits(left, facts);
        },
    );
    sheet.fact(
        discards,
        |board| &pile(board).discards,
        |cards, facts| cards.iter().for_each(|card| write_card(*card, facts)),
    );
}

fn turn_facts(sheet: &mut Sheet<'_, Board>) {
    let board = sheet.board();
    let colour =
        |seat: Option<Seat>, facts: &mut Facts| word(seat.map_or("-", |seat| board.colour(seat).word()), facts);
    sheet.fact(
        "turn",
        |board| (board.turn.number, board.turn.seat),
        |(number, seat), facts| {
            facts.number(number);
            colour(seat, facts);
        },
    );
    sheet.fact("first", |board| board.turn.first, colour);
    sheet.fact("to-place", |board| board.turn.to_place, number);
    sheet.fact(
        "conquered",
        |board| (board.turn.conquered, board.turn.site_conquered),
        |(territory, site), facts| {
            word(if territory { "territory" } else { "-" }, facts);
            word(if site { "site" } else { "-" }, facts);
        },
    );
    sheet.fact(
        "leaders-entered",
        |board| board.turn.leaders_entered,
        |entered, facts| entered.iter().for_each(|territory| word(territory.name().id(), facts)),
    );
    sheet.fact("extra-cards", |board| board.turn.extra_cards, number);
    sheet.fact(
        "adventure-card",
        |board| board.turn.adventure_drawn,
        |is_drawn, facts| word(if is_drawn { "drawn" } else { "-" }, facts),
    );
    sheet.fact("fortifications", |board| board.turn.fortifications, number);
}

fn write_invasion(invasion: &Invasion, facts: &mut Facts) {
    facts.word(invasion.target.name().id()).word("from").word(invasion.source.name().id());
    facts.word(match invasion.route {
        Route::By(Passage::Land) => "by-land",
        Route::By(Passage::Bridge(_)) => "by-bridge",
        Route::By(Passage::Sea) => "by-sea",
        Route::UnderTheMountains => "under-the-mountains",
    });
    for (so, word) in [
        (invasion.stronghold_silenced, "stronghold-silenced"),
        (invasion.black_sails, "black-sails"),
        (invasion.answered, "answered"),
    ] {
        if so {
            facts.word(word);
        }
    }
    if let Some(committed) = invasion.committed {
        facts.word("committed").number(committed.battalions);
        if committed.leader {
            facts.word("leader");
        }
    }
}

fn write_march(march: March, facts: &mut Facts) {
    facts.word(if march.gated { "gated" } else { "-" });
    match march.roll {
        Some(roll) => facts.number(roll),
        None => facts.word("-"),
    };
    facts.value(&march.modifier);
    facts.word(if march.held { "held" } else { "-" });
}

fn word(word: &str, facts: &mut Facts) {
    facts.word(word);
}

fn number(number: u32, facts: &mut Facts) {
    facts.number(number);
}

/// A card that lies face up.
fn write_open(slot: Slot, card: &impl Named, facts: &mut Facts) {
    write_slot(slot, facts);
    facts.word(card.name().id());
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
        EffectKind::WinterStorms(storms) => {
            facts.word("winter-storms");
            storms.iter().for_each(|territory| {
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
