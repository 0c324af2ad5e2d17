/*! What a reader may see of the table, as a tree for templates.

It is the same for every reader except `you` and `hand`. Things are named by their ids; `name` is the printed name where
that differs. Figures are abbreviated: `Gondor 3r 1e 1L, 2 Nazgûl, Boromir`. The shape:

```json
{"turn": 3, "phase": "actions", "moment": "turn 3, actions", "you": "free",
 "asked": {"seat": "free", "id": "action", "short": "…", "text": "….", "about": ["osgiliath"]},
 "theatres": [{"id": "gondor", "name": "Gondor", "regions": [
   {"id": "minas-tirith", "name": "Minas Tirith", "nation": "gondor", "kind": "S", "points": 2, "controller": "free",
    "captured": false, "besieged": true, "inside": "Gondor 3r 1e, Boromir", "free": "", "shadow": "Sauron 5r, 1 Nazgûl",
    "figures": [{"side": "free", "inside": true, "regulars": 3, "elites": 1, "leaders": 0, "nazgul": 0,
                 "nations": [{"id": "gondor", "units": 4}], "characters": ["Boromir"]}],
    "ring_bearers": false, "quiet": false}]}],
 "sides": [{"seat": "free", "name": "Free Peoples", "points": 0, "points_needed": 4,
            "dice": {"left": [{"face": "Character", "number": 2}], "number": 3, "used": 1, "hunt_box": 1, "all": 5},
            "rings": 3, "ring_used": false, "cards": {"character": 2, "strategy": 3},
            "decks": {"character": 20, "strategy": 19}, "discards": 4,
            "table": ["Phial of Galadriel"], "reinforcements": ["Gondor 6r 4e 3L"], "lost": ["Rohan 2r"]}],
 "politics": [{"id": "gondor", "name": "Gondor", "side": "free", "steps": 2, "active": false}],
 "fellowship": {"region": "rivendell", "name": "Rivendell", "mordor": null, "doom": 5, "progress": 4, "hidden": true,
                "corruption": 2, "guide": "Gandalf the Grey", "companions": ["Strider"], "declared": false},
 "hunt": {"box": {"free": 1, "shadow": 2}, "pool": [{"tile": "2 with Reveal", "number": 1}], "left": 14,
          "drawn": [], "waiting": [], "removed": [],
          "tile": {"tile": "Eye with Reveal", "damage": 2}},
 "characters": {"waiting": ["Aragorn"], "lost": ["Boromir"]},
 "battle": {"attacker": "free", "kind": "field", "from": "Edoras", "region": "Westemnet", "round": 1,
            "attackers": "Rohan 3r", "defenders": "Isengard 2r"},
 "hand": [{"slot": "strategy-7", "deck": "free-strategy", "epoch": 0, "position": 7, "id": "fp-strat-08",
           "title": "Book of Mazarbul", "type": "strategy", "icon": "Muster", "table": false,
           "event": "…", "requires": null, "combat": "Confusion", "initiative": "4", "combat_text": "…",
           "combat_requires": null, "lay": {"may": false, "why": "no Companion is in the battle"}}],
 "outcome": {"winners": ["free"], "reason": "…", "points": [{"seat": "free", "points": 4}]}}
```

`kind` is T, C or S for Town, City and Stronghold, F for a Fortification, and empty for a region without any. `quiet`
is true for an empty region without a City, a Stronghold or a captured Settlement; a table leaves it out. `region` and
`name` of the Fellowship are null on the Mordor Track; `mordor` is its step there. A Character in `waiting` has not
entered play, one in `lost` is out of the game; all others are in a region or in the Fellowship. `asked`, `tile`,
`battle` and `outcome` are null if there is no such thing. A card has `lay` while the reader is asked for a Combat
card, and `laid` if he has laid it. A card of the hand whose face the reader does not know has only its slot.

With two players `seat` of a side is the word of its seat. With three or four it is the id of the side, and the view
has more keys (17):

* `teams` is true;
* `row` is what the single player of the Free Peoples may not act on again in his next action (17.40): `{"nations":
  ["Gondor"], "armies": ["Gondor 2r in Osgiliath"]}`, and null with four players;
* a side has `players`: `{"seat": "rohan", "name": "Rohan", "nations": ["dwarves", "north", "rohan"], "cards":
  {"character": 1, "strategy": 3}, "leads": true, "next": false, "score": 0}`, where `leads` marks its Leading Player
  (17.6), `next` the player who has its next go (17.20), and `score` is what counts within the team (17.44, 17.45);
* a region has `mixed`: which of `inside`, `free` and `shadow` is one mixed Army (17.32); a force in `figures` has
  `mixed: true` then.
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::card::{Card, EventDeck, Held, Type};
use crate::die::Face;
use crate::figures::Figures;
use crate::nation::Nation;
use crate::phase::Phase;
use crate::player::{Player, Seating};
use crate::region::{Region, Settlement};
use crate::side::Side;
use crate::step::Step;
use crate::switches::Choice;
use crate::theatre::{Theatre, theatres};
use crate::tile::Tiles;
use crate::{Table, battle, event_cards, question, texts, turn, victory, words};
use engine::name::Named;
use engine::need::Need;
use engine::seat::Seat;
use engine::slot::{Faces, Slot};
use serde_json::{Value, json};

/// The table as this seat sees it; with `None`, as the public does.
pub fn view(play: &Table, seat: Option<Seat>, faces: &Faces) -> Value {
    let board = play.board();
    let mut seen = json!({
        "turn": board.turn(),
        "phase": board.phase().id(),
        "moment": turn::moment(board),
        "you": seat.map(|seat| words::seat(board, seat)),
        "asked": question::asked(play),
        "sides": Side::BOTH.map(|one| side(board, one)),
        "politics": Nation::ALL.map(|nation| politics(board, nation)),
        "fellowship": fellowship(board),
        "hunt": hunt(board),
        "characters": characters(board),
        "battle": fought(board),
        "hand": seat.and_then(|seat| board.player(seat)).map_or_else(Vec::new, |player| hand(play, player, faces)),
        "outcome": outcome(board),
    });
    // Moved, as it is large: within `json!` it would be copied.
    seen["theatres"] = theatres().iter().map(|part| theatre(board, part)).collect();
    if board.teams().any() {
        seen["teams"] = json!(true);
        seen["row"] = (board.seating() == Seating::Three).then(|| row(board)).into();
    }
    seen
}

/// 17.40: the items of the last action of the single player of the Free Peoples.
fn row(board: &Board) -> Value {
    let last = board.row().last();
    let armies = last.armies().map(|(place, figures)| format!("{} in {}", words::short(&figures), words::place(place)));
    json!({
        "nations": last.nations().map(words::nation).collect::<Vec<_>>(),
        "armies": armies.collect::<Vec<_>>(),
    })
}

fn theatre(board: &Board, theatre: &Theatre) -> Value {
    let mut shown = json!({"id": theatre.id, "name": theatre.name});
    shown["regions"] = theatre.regions.iter().map(|place| region(board, *place)).collect();
    shown
}

fn region(board: &Board, region: Region) -> Value {
    let ring_bearers = board.company().region() == Some(region);
    let (inside, captured) = (board.garrison(region), board.captured().contains(region));
    let figures = *board.at(Place::Field(region));
    let quiet = figures.is_empty()
        && !region.is_city_or_stronghold()
        && !captured
        && !ring_bearers
        && !board.is_besieged(region);
    let mut shown = json!({
        "id": region.id(),
        "name": words::title(region),
        "nation": region.nation().map(Nation::id),
        "kind": kind(region),
        "points": region.settlement().map_or(0, Settlement::points),
        "controller": board.controller(region).map(Side::id),
        "captured": captured,
        "besieged": board.is_besieged(region),
        "inside": words::short(&inside),
        "free": words::short(&figures.side(Side::Free)),
        "shadow": words::short(&figures.side(Side::Shadow)),
        "figures": standing(&inside, &figures),
        "ring_bearers": ring_bearers,
        "quiet": quiet,
    });
    if board.teams().any() {
        mark_mixed(board, region, &mut shown);
    }
    shown
}

/// 17.32: which of the forces in the region are mixed Armies.
fn mark_mixed(board: &Board, region: Region, shown: &mut Value) {
    let place = |inside: bool| if inside { Place::Inside(region) } else { Place::Field(region) };
    let is_mixed =
        |side: Side, inside: bool| board.is_mixed(side, region) && board.is_of_both(side, board.at(place(inside)));
    let mut mixed: Vec<&str> = Vec::new();
    for force in shown["figures"].as_array_mut().into_iter().flatten() {
        let inside = force["inside"] == true;
        let side = Side::BOTH.into_iter().find(|side| force["side"] == side.id() && is_mixed(*side, inside));
        if let Some(side) = side {
            force["mixed"] = json!(true);
            mixed.push(if inside { "inside" } else { side.id() });
        }
    }
    shown["mixed"] = json!(mixed);
}

/// The figures in a region, counted: those of each side inside the besieged Stronghold, then those in the open.
fn standing(inside: &Figures, outside: &Figures) -> Vec<Value> {
    let places = [(inside, true), (outside, false)];
    let forces = places.into_iter().flat_map(|(all, inside)| Side::BOTH.map(|side| (all.side(side), side, inside)));
    forces
        .filter(|(force, _, _)| !force.is_empty())
        .map(|(force, side, inside)| counted(&force, side, inside))
        .collect()
}

fn counted(force: &Figures, side: Side, inside: bool) -> Value {
    let nations = Nation::of(side).iter().filter(|nation| force.units_of(**nation) > 0);
    let nations = nations.map(|nation| json!({"id": nation.id(), "units": force.units_of(*nation)}));
    json!({
        "side": side.id(),
        "inside": inside,
        "regulars": force.regulars(side),
        "elites": force.elites(side),
        "leaders": force.leaders(),
        "nazgul": force.nazgul(),
        "nations": nations.collect::<Vec<_>>(),
        "characters": force.characters().map(words::brief).collect::<Vec<_>>(),
    })
}

/// The letter for the Settlement or Fortification of a region.
pub fn kind(region: Region) -> &'static str {
    match region.settlement() {
        Some(Settlement::Town) => "T",
        Some(Settlement::City) => "C",
        Some(Settlement::Stronghold) => "S",
        None if region.is_fortification() => "F",
        None => "",
    }
}

fn side(board: &Board, side: Side) -> Value {
    let (dice, decks) = (board.dice(), board.decks());
    let left = Face::ALL.into_iter().filter(|face| dice.showing(side, *face) > 0);
    let left = left.map(|face| json!({"face": words::face(face), "number": dice.showing(side, face)}));
    let by_type = |number: &dyn Fn(EventDeck) -> u8| {
        let of = |kind| number(EventDeck { side, kind });
        json!({"character": of(Type::Character), "strategy": of(Type::Strategy)})
    };
    let table = EventDeck::of(side).into_iter().flat_map(|deck| {
        decks.table(deck).iter().filter_map(move |position| decks.face(deck.slot(position))).map(Card::title)
    });
    let mut shown = json!({
        "seat": side.id(),
        "name": words::subject(side).trim_start_matches("The "),
        "points": board.points(side),
        "points_needed": victory::points_needed(side),
        "dice": {
            "left": left.collect::<Vec<_>>(),
            "number": dice.unused(side),
            "used": dice.spent(side),
            "hunt_box": dice.hunt_box(side),
            "all": dice.total(side),
        },
        "rings": board.rings().held(side),
        "ring_used": board.rings().used(side),
        "cards": by_type(&|deck| decks.hand(deck).len()),
        "decks": by_type(&|deck| decks.left(deck).len()),
        "discards": EventDeck::of(side).into_iter().map(|deck| decks.discards(deck).len()).sum::<u8>(),
        "table": table.collect::<Vec<_>>(),
        "reinforcements": by_nation(&board.reinforcements().side(side)),
        "lost": by_nation(&board.casualties().side(side)),
    });
    if board.teams().any() {
        let team = board.seating().team(side);
        shown["players"] = json!(team.iter().map(|player| member(board, *player)).collect::<Vec<_>>());
    }
    shown
}

/// A player of a side, at a table with more than two.
fn member(board: &Board, player: Player) -> Value {
    let side = player.side();
    let held = |kind| board.decks().held(EventDeck { side, kind }, player).len();
    // 17.20: in each team the player who does not lead has the first go of a turn.
    let next = if board.phase() < Phase::Actions { board.following(side) } else { board.next(side) };
    json!({
        "seat": player.id(),
        "name": if player == Player::Free { "Free Peoples".to_string() } else { words::begin(player.id()) },
        "nations": player.nations().iter().map(|nation| nation.id()).collect::<Vec<_>>(),
        "cards": {"character": held(Type::Character), "strategy": held(Type::Strategy)},
        "leads": board.seating().is_shared(side) && board.leading(side) == player,
        "next": board.seating().is_shared(side) && next == player,
        "score": board.score(player),
    })
}

/// The figures in short: one text for each Nation, and one for all others.
fn by_nation(figures: &Figures) -> Vec<String> {
    let short = words::short(figures);
    if short.is_empty() { Vec::new() } else { short.split(", ").map(str::to_string).collect() }
}

fn politics(board: &Board, nation: Nation) -> Value {
    json!({
        "id": nation.id(),
        "name": words::nation(nation),
        "side": nation.side().id(),
        "steps": board.politics().steps_to_war(nation),
        "active": board.politics().is_active(nation),
    })
}

fn fellowship(board: &Board) -> Value {
    let company = board.company();
    json!({
        "region": company.region().map(Region::id),
        "name": company.region().map(words::title),
        "mordor": company.mordor(),
        "doom": board.switches().number(Choice::MovesToDoom),
        "progress": company.progress(),
        "hidden": company.is_hidden(),
        "corruption": company.corruption(),
        "guide": words::guide(company.guide()),
        "companions": board.companions().characters().map(words::brief).collect::<Vec<_>>(),
        "declared": company.is_declared(),
    })
}

fn hunt(board: &Board) -> Value {
    let (pool, dice) = (board.pool(), board.dice());
    let tile = pool.in_hand().map(|hand| json!({"tile": words::tile(hand.tile), "damage": hand.damage}));
    json!({
        "box": {"free": dice.hunt_box(Side::Free), "shadow": dice.hunt_box(Side::Shadow)},
        "pool": tiles(pool.pool()),
        "left": pool.pool().len(),
        "drawn": tiles(pool.drawn()),
        "waiting": tiles(pool.waiting()),
        "removed": tiles(pool.removed()),
        "tile": tile,
    })
}

/// The tiles, counted by face.
fn tiles(tiles: Tiles) -> Vec<Value> {
    let mut kinds: Vec<(String, u8)> = Vec::new();
    for tile in tiles.iter() {
        let shown = words::tile(tile);
        match kinds.iter_mut().find(|(known, _)| *known == shown) {
            Some((_, number)) => *number += 1,
            None => kinds.push((shown, 1)),
        }
    }
    kinds.into_iter().map(|(tile, number)| json!({"tile": tile, "number": number})).collect()
}

fn characters(board: &Board) -> Value {
    let at = |place: Place| board.at(place).characters().map(words::brief).collect::<Vec<_>>();
    json!({"waiting": at(Place::Aside), "lost": at(Place::Removed)})
}

fn fought(board: &Board) -> Value {
    let Some(battle) = board.battle() else { return Value::Null };
    json!({
        "attacker": battle.attacker.id(),
        "kind": battle.kind.id(),
        "from": words::title(battle.from),
        "region": words::title(battle.region),
        "round": battle.round,
        "attackers": words::fighters(board, battle.attacker),
        "defenders": words::fighters(board, battle.defender()),
    })
}

fn hand(play: &Table, player: Player, faces: &Faces) -> Vec<Value> {
    let (side, board) = (player.side(), play.board());
    let is_asked = matches!(play.need(), Need::Question(asked) if board.player(asked.seat) == Some(player));
    let laying = is_asked && matches!(play.asked(), Some(Step::Battle(battle::Step::CombatCard(_))));
    let shown = |slot: Slot| {
        let mut shown = card(slot, faces);
        if let Some(face) = faces.get(slot).filter(|_| laying) {
            let lacks = Card(face.0).combat().lacks(board);
            shown["lay"] = json!({"may": lacks.is_none(), "why": lacks});
        }
        if board.decks().laid_by(side) == Some(slot) {
            shown["laid"] = json!(true);
        }
        shown
    };
    event_cards::slots_of(board, player).into_iter().map(shown).collect()
}

fn card(slot: Slot, faces: &Faces) -> Value {
    let deck = EventDeck::of_slot(slot);
    let mut shown = json!({
        "slot": Held { slot, face: None }.said(),
        "deck": deck.id(),
        "epoch": slot.epoch,
        "position": slot.position,
        "type": if deck.kind == Type::Character { "character" } else { "strategy" },
    });
    let Some(face) = faces.get(slot).map(|card| Card(card.0)) else {
        return shown;
    };
    let (event, combat) = (texts::event(face), texts::combat(face));
    shown["id"] = json!(face.id());
    shown["title"] = json!(face.title());
    shown["icon"] = json!(texts::icon(face.icon()));
    shown["table"] = json!(face.is_table_card());
    shown["combat"] = json!(face.combat_title());
    shown["initiative"] = json!(texts::initiative(face));
    shown["event"] = json!(event.text);
    shown["requires"] = json!(event.requires);
    shown["combat_text"] = json!(combat.text);
    shown["combat_requires"] = json!(combat.requires);
    shown
}

fn outcome(board: &Board) -> Value {
    let Some(outcome) = victory::outcome(board) else { return Value::Null };
    let points =
        outcome.points.iter().map(|(seat, points)| json!({"seat": words::seat(board, *seat), "points": points}));
    json!({
        "winners": outcome.winners.iter().map(|seat| words::seat(board, *seat)).collect::<Vec<_>>(),
        "reason": outcome.reason,
        "points": points.collect::<Vec<_>>(),
    })
}
