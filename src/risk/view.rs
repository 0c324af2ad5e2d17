/*! What a reader may see of the table, as a tree for templates.

It is the same for every reader except `you` and `hand`. Things are named by their ids; `name` is the printed name where
that differs. The shape:

```json
{"turn": 5, "moment": "turn 5, yellow: combat", "active": "yellow", "variant": "individual", "you": "yellow",
 "asked": {"seat": "yellow", "id": "combat", "short": "…", "text": "It is your turn: ….", "about": ["moria"]},
 "seats": [{"seat": "yellow", "side": "good", "out": false, "territories": 23, "strongholds": 4, "battalions": 61,
            "leaders": ["rhudaur"], "leaders_in_supply": 1, "territory_cards": 3, "adventure_cards": 4,
            "kept_aside": 0, "regions": ["arnor"],
            "played": [{"id": "ambush", "title": "Ambush!", "kind": "power", "points": 1}],
            "points": {"territories": 23, "strongholds": 8, "cards": 1, "regions": 7, "total": 39},
            "income": {"strongholds": 4, "territories": 7, "regions": 7, "total": 18},
            "notes": ["wants to be asked for dice"]}],
 "teams": [{"side": "good", "seats": ["yellow", "green"], "territories": 31, "strongholds": 6, "battalions": 88,
            "points": 66}],
 "neutral": {"territories": 9, "battalions": 18, "strongholds": 1},
 "regions": [{"id": "arnor", "name": "Arnor", "bonus": 7, "holder": "yellow",
              "territories": [{"id": "rhudaur", "name": "Rhudaur", "holder": "yellow", "battalions": 12,
                               "leader": true, "stronghold": "Rivendell", "site": null, "port": false, "step": 7,
                               "die": false, "ring": false}]}],
 "fellowship": {"step": 7, "of": 18, "at": "rhudaur", "name": "Rhudaur", "die": false, "next": "eregion",
                "next_name": "Eregion"},
 "effects": [{"text": "Winter Storms: …."}],
 "decks": [{"deck": "territory", "left": 40, "discards": 12}, {"deck": "adventure", "left": 31, "discards": 4}],
 "setup": {"left": {"yellow": 12}},
 "hand": [{"deck": "adventure", "epoch": 1, "position": 17, "id": "gollum", "title": "Gollum", "kind": "power",
           "points": 1, "when": "…", "effect": "…"}],
 "outcome": {"winners": ["yellow"], "reason": "…", "points": [{"seat": "yellow", "points": 39}]}}
```

`holder` is a seat, `neutral`, or null while the territory is unclaimed. `points` and `income` are what the seat would
have if the game ended, or its turn began, now; `points` is null if none are counted. `teams` is empty where nobody
plays together, and the points of a team are those of its players who are not out. `asked`, `neutral`, `setup` and
`outcome` are null if there is no such thing; `next` is null at Mount Doom. A card of the hand whose face the
reader does not know has only its slot. `kind` is `territory` (with `symbol`, and `territory` unless it is a wild),
`mission` (with `territory`, `territory_name`, `site` and `reward`), `power`, or `uprising` for the card
that Local Uprising put aside.
*/

use crate::Risk;
use crate::board::pile::Pile;
use crate::board::player::{DefenceWish, Status};
use crate::board::{Board, Effect, EffectKind, Holder, moment};
use crate::card::{Face, Mission, Reward, RewardPlace, symbol};
use crate::lands::Lands;
use crate::question;
use crate::reinforcements::{for_regions, for_territories};
use crate::score::Standing;
use crate::side::Side;
use crate::switches::Variant;
use crate::territory::{PATH_STEPS, Region, Territory, path};
use crate::words::{and, colour, title};
use engine::name::Named;
use engine::play::Play;
use engine::seat::Seat;
use engine::slot::{Faces, Slot};
use serde_json::{Value, json};

/// The table as this seat sees it; with `None`, as the public does.
pub fn view(play: &Play<Risk>, seat: Option<Seat>, faces: &Faces) -> Value {
    let board = play.board();
    json!({
        "turn": board.turn().number,
        "moment": moment(board),
        "active": board.turn().seat.map(|seat| board.colour(seat).word()),
        "variant": variant(board),
        "you": seat.map(|seat| board.colour(seat).word()),
        "asked": question::asked(play),
        "seats": board.seats().map(|seat| player(board, seat)).collect::<Vec<_>>(),
        "teams": teams(board),
        "neutral": neutral(board),
        "regions": Region::ALL.map(|area| region(board, area)),
        "fellowship": if board.is_standard() { Value::Null } else { fellowship(board) },
        "effects": board.effects().iter().map(|active| json!({"text": effect(board, active)})).collect::<Vec<_>>(),
        "decks": [deck("territory", board.territory_deck()), deck("adventure", board.adventure_deck())],
        "setup": setup(board),
        "hand": seat.map_or_else(Vec::new, |seat| hand(board, seat, faces)),
        "outcome": outcome(board),
    })
}

fn variant(board: &Board) -> &'static str {
    match board.switches().variant {
        Variant::Individual => "individual",
        Variant::Alliance => "alliance",
        Variant::Team => "team",
        Variant::Standard => "standard",
    }
}

fn player(board: &Board, seat: Seat) -> Value {
    let player = board.player(seat);
    let lands = board.lands(seat);
    let leaders: Vec<&str> = board.leaders(seat).map(|territory| territory.name().id()).collect();
    let regions = Region::ALL.into_iter().filter(|region| board.controls_region(seat, *region));
    json!({
        "seat": player.colour.word(),
        "side": board.side(seat).name().id(),
        "out": player.status == Status::Eliminated,
        "territories": lands.len(),
        "strongholds": strongholds(board, lands),
        "battalions": battalions(board, lands),
        "leaders": leaders,
        "leaders_in_supply": board.leaders_in_supply(seat),
        "territory_cards": player.territory_cards.len(),
        "adventure_cards": player.adventure_cards.len(),
        "kept_aside": player.uprising.len(),
        "regions": regions.map(|region| region.name().id()).collect::<Vec<_>>(),
        "played": played(board, seat),
        "points": points(board, seat),
        "income": income(board, seat),
        "notes": notes(board, seat),
    })
}

fn strongholds(board: &Board, lands: Lands) -> u32 {
    if board.is_standard() { 0 } else { lands.and(Lands::strongholds()).len() }
}

fn battalions(board: &Board, lands: Lands) -> u32 {
    lands.iter().map(|territory| board.battalions(territory)).sum()
}

fn played(board: &Board, seat: Seat) -> Vec<Value> {
    let player = board.player(seat);
    let missions = player.missions.iter().map(|(_, mission)| Face::Mission(*mission));
    let powers = player.powers.iter().map(|(_, power)| Face::Power(*power));
    let card = |face: Face| {
        json!({
            "id": face.name().id(),
            "title": face.name().title(),
            "kind": kind(face),
            "points": board.card_value(seat, face),
        })
    };
    missions.chain(powers).map(card).collect()
}

fn points(board: &Board, seat: Seat) -> Value {
    if matches!(board.switches().variant, Variant::Team | Variant::Standard) || board.is_eliminated(seat) {
        return Value::Null;
    }
    let standing = Standing::of(board, seat);
    json!({
        "territories": standing.territories,
        "strongholds": 2 * standing.strongholds,
        "cards": standing.card_points,
        "regions": for_regions(board, seat),
        "total": standing.points,
    })
}

fn income(board: &Board, seat: Seat) -> Value {
    if board.is_eliminated(seat) {
        return Value::Null;
    }
    let lands = board.lands(seat);
    let (strongholds, territories) = (strongholds(board, lands), for_territories(lands.len()));
    let regions = for_regions(board, seat);
    json!({
        "strongholds": strongholds,
        "territories": territories,
        "regions": regions,
        "total": strongholds + territories + regions,
    })
}

fn notes(board: &Board, seat: Seat) -> Vec<&'static str> {
    let asks = board.player(seat).defence == DefenceWish::Ask;
    if asks { vec!["wants to be asked for dice"] } else { Vec::new() }
}

/// 14.1, 14.2: what each team holds together.
fn teams(board: &Board) -> Vec<Value> {
    let variant = board.switches().variant;
    if !matches!(variant, Variant::Alliance | Variant::Team) {
        return Vec::new();
    }
    let team = |side: Side| {
        let members: Vec<Seat> = board.seats().filter(|seat| board.side(*seat) == side).collect();
        let lands = members.iter().fold(Lands::NONE, |all, seat| all.or(board.lands(*seat)));
        let playing = members.iter().filter(|seat| !board.is_eliminated(**seat));
        let points: u32 = playing.map(|seat| Standing::of(board, *seat).points).sum();
        json!({
            "side": side.name().id(),
            "seats": members.iter().map(|seat| board.colour(*seat).word()).collect::<Vec<_>>(),
            "territories": lands.len(),
            "strongholds": strongholds(board, lands),
            "battalions": battalions(board, lands),
            "points": (variant == Variant::Alliance).then_some(points),
        })
    };
    [Side::Good, Side::Evil].map(team).to_vec()
}

fn neutral(board: &Board) -> Value {
    let lands = board.neutral_lands();
    if lands.is_empty() {
        return Value::Null;
    }
    json!({
        "territories": lands.len(),
        "battalions": battalions(board, lands),
        "strongholds": strongholds(board, lands),
    })
}

fn region(board: &Board, region: Region) -> Value {
    let holder = board.seats().find(|seat| board.controls_region(*seat, region));
    json!({
        "id": region.name().id(),
        "name": region.name().title(),
        "bonus": region.bonus(),
        "holder": holder.map(|seat| board.colour(seat).word()),
        "territories": region.territories().iter().map(|place| territory(board, *place)).collect::<Vec<_>>(),
    })
}

fn territory(board: &Board, territory: Territory) -> Value {
    let holding = board.holding(territory);
    let step = territory.path_step();
    let holder = match holding.holder {
        Holder::Nobody => None,
        Holder::Neutral => Some("neutral"),
        Holder::Seat(seat) => Some(board.colour(seat).word()),
    };
    json!({
        "id": territory.name().id(),
        "name": territory.name().title(),
        "holder": holder,
        "battalions": holding.battalions,
        "leader": holding.leader,
        "stronghold": territory.stronghold().filter(|_| board.has_stronghold(territory)),
        "site": territory.site().filter(|_| board.has_site(territory)),
        "port": territory.port(),
        "step": step,
        "die": step.is_some_and(|step| path()[usize::from(step) - 1].die),
        "ring": !board.is_standard() && board.ring() == territory,
    })
}

fn fellowship(board: &Board) -> Value {
    let step = usize::from(board.ring_step());
    let next = path().get(step).map(|step| step.territory.name());
    json!({
        "step": step,
        "of": PATH_STEPS,
        "at": board.ring().name().id(),
        "name": board.ring().name().title(),
        "die": path()[step - 1].die,
        "next": next.map(|name| name.id()),
        "next_name": next.map(|name| name.title()),
    })
}

/// An effect in force, as a sentence.
pub fn effect(board: &Board, effect: &Effect) -> String {
    let until = format!("until {}'s next turn", colour(board, effect.until));
    match effect.kind {
        EffectKind::BridgeBlocked(bridge) => {
            format!("You Shall Not Pass!: {} is crossed only together with a Leader {until}.", bridge.name().title())
        }
        EffectKind::WinterStorms(storms) => {
            let names = and(&storms.iter().map(title).collect::<Vec<_>>());
            format!("Winter Storms: nobody may invade out of or into {names} {until}.")
        }
        EffectKind::CorsairsOfUmbar => {
            format!("Corsairs of Umbar: every seaborne invasion first costs its source 3 battalions {until}.")
        }
    }
}

fn deck(name: &str, pile: &Pile) -> Value {
    json!({"deck": name, "left": pile.len(), "discards": pile.discards().len()})
}

fn setup(board: &Board) -> Value {
    if board.turn().number > 0 {
        return Value::Null;
    }
    let left = board.seats().map(|seat| (board.colour(seat).word().to_string(), board.player(seat).stock.into()));
    json!({"left": left.collect::<serde_json::Map<String, Value>>()})
}

fn hand(board: &Board, seat: Seat, faces: &Faces) -> Vec<Value> {
    let player = board.player(seat);
    let held = player.territory_cards.iter().chain(&player.adventure_cards);
    let aside = player.uprising.iter().map(|slot| {
        let mut aside = card(board, seat, *slot, faces);
        aside["kind"] = json!("uprising");
        aside
    });
    held.map(|slot| card(board, seat, *slot, faces)).chain(aside).collect()
}

fn card(board: &Board, seat: Seat, slot: Slot, faces: &Faces) -> Value {
    let deck = if slot.deck == board.territory_deck().slot(0).deck { "territory" } else { "adventure" };
    let mut card = json!({"deck": deck, "epoch": slot.epoch, "position": slot.position});
    let Some(face) = faces.get(slot).map(Face::of) else {
        return card;
    };
    card["id"] = json!(face.name().id());
    card["title"] = json!(face.name().title());
    card["kind"] = json!(kind(face));
    card["when"] = json!(face.when());
    card["effect"] = json!(face.effect());
    match face {
        Face::Territory(territory) => {
            card["territory"] = json!(territory.name().id());
            card["symbol"] = json!(symbol(face).map(|symbol| symbol.name().title()));
        }
        Face::Wild(_) => card["symbol"] = json!("any"),
        Face::Mission(mission) => {
            card["territory"] = json!(mission.territory().name().id());
            card["territory_name"] = json!(mission.territory().name().title());
            card["site"] = json!(mission.name().title());
            card["reward"] = json!(reward(board, seat, mission));
            card["points"] = json!(board.card_value(seat, face));
        }
        Face::Power(_) => card["points"] = json!(board.card_value(seat, face)),
        Face::Event(_) => {}
    }
    card
}

fn kind(face: Face) -> &'static str {
    match face {
        Face::Territory(_) | Face::Wild(_) => "territory",
        Face::Mission(_) => "mission",
        Face::Event(_) => "event",
        Face::Power(_) => "power",
    }
}

/// What completing the Mission gives this seat, in a few words.
pub fn reward(board: &Board, seat: Seat, mission: Mission) -> String {
    let Reward::Battalions(battalions) = mission.reward() else {
        return "1 extra Territory card in step 4, unless you hold 5".to_string();
    };
    let number = battalions.number(board.side(seat));
    let plural = if number == 1 { "battalion" } else { "battalions" };
    let place = match battalions.place {
        RewardPlace::Territory => title(mission.territory()).to_string(),
        RewardPlace::Region => format!("your territories of {}", mission.territory().region().name().title()),
        RewardPlace::Anywhere => "any of your territories".to_string(),
    };
    format!("{number} {plural} in {place}")
}

fn outcome(board: &Board) -> Value {
    let Some(outcome) = board.outcome() else {
        return Value::Null;
    };
    let points =
        outcome.points.iter().map(|(seat, points)| json!({"seat": colour_word(board, *seat), "points": points}));
    json!({
        "winners": outcome.winners.iter().map(|seat| colour_word(board, *seat)).collect::<Vec<_>>(),
        "reason": outcome.reason,
        "points": points.collect::<Vec<_>>(),
    })
}

fn colour_word(board: &Board, seat: Seat) -> &'static str {
    board.colour(seat).word()
}
