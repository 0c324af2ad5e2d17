/*! What an event tells a reader: one finished sentence in the past tense, for templates.

The shape is `{"kind": "…", "text": "…"}`. `kind` is `turn` for the headline of a turn (`Turn 5: Yellow`, without a
full stop), `roll` for dice, `note` for small things, `event` for the rest. `text` is a sentence with the reasons and
the dice in it, a capital letter and a full stop; it is empty if nothing needs to be said. A face-down card is named
only to a reader whose faces know it.

Events that come in large numbers (territories dealt and claimed, battalions placed) also have a `lead` and an `item`:
consecutive events with the same `lead` can be told as one sentence `{lead} {item}, {item}, {item}.`

`topic` says what an event is about (`battles`, `cards`, `fellowship`, `moves`, `reinforcements`, `set-up`). `counted`
lists what can be counted of it over a game: `{"is": "hits", "seat": "green", "hits": 1, "ways": 7776, "sum": 8391,
"squares": 14171}`, where `sum` and `squares` add up the hits and their squares over all equally likely `ways` of
these dice, and `{"is": "lost", "seat": "green", "units": 1}`. The neutral army is the seat `neutral`.
*/

use crate::board::player::{DefenceWish, ThenClaim, ThenPlace};
use crate::board::turn::{Committed, Route};
use crate::board::{Board, Effect, EffectKind};
use crate::card::Face;
use crate::counted;
use crate::event::{Battle, Cause, Event, RollOff};
use crate::territory::{Passage, Territory, path};
use crate::view;
use crate::words::{and, battalions, colour, dice, holder, title};
use engine::name::Named;
use engine::plural;
use engine::seat::Seat;
use engine::slot::{Faces, Slot};
use serde_json::{Value, json};

/// What the event tells the reader. `None` is the public.
pub fn news(board: &Board, event: &Event, reader: Option<Seat>, faces: &Faces) -> Value {
    let kind = match event {
        Event::TurnBegan { .. } => "turn",
        Event::BattleFought(_)
        | Event::RolledOff { .. }
        | Event::FellowshipRolled { .. }
        | Event::FinalRollMade { .. }
        | Event::RingSought { .. } => "roll",
        Event::StockReceived { .. }
        | Event::TerritoryDealt { .. }
        | Event::BattalionPlaced { .. }
        | Event::DefenceWished { .. }
        | Event::DeckReshuffled { .. }
        | Event::EventsReturned
        | Event::PlanLapsed
        | Event::CardDiscarded { .. } => "note",
        _ => "event",
    };
    let mut told = json!({"kind": kind, "text": text(board, event, reader, faces)});
    if let Some((lead, item)) = heap(board, event) {
        told["lead"] = json!(lead);
        told["item"] = json!(item);
    }
    if let Some(topic) = counted::topic(event) {
        told["topic"] = json!(topic);
    }
    let counted = counted::counted(board, event);
    if !counted.is_empty() {
        told["counted"] = json!(counted);
    }
    if let Some((seat, slot, card)) = card_drawn(event) {
        // The reader's own card is named; the cards of others are counted.
        match known(slot, faces).filter(|_| reader == Some(seat)) {
            Some(face) => {
                told["lead"] = json!(format!("You drew from the {card} deck:"));
                told["item"] = json!(face.name().title());
            }
            None => {
                told["lead"] = json!(format!("{} drew", colour(board, seat)));
                told["item"] = json!(one(card));
                told["items"] = json!(format!("{card} cards"));
            }
        }
    }
    told
}

/// The player who drew a card, its slot, and the word for its deck.
fn card_drawn(event: &Event) -> Option<(Seat, Slot, &'static str)> {
    match event {
        Event::TerritoryCardDrawn { seat, slot, .. } => Some((*seat, *slot, "Territory")),
        Event::AdventureCardDrawn { seat, slot } => Some((*seat, *slot, "Adventure")),
        _ => None,
    }
}

/// `a Territory card`, `an Adventure card`.
fn one(card: &str) -> String {
    let article = if card == "Adventure" { "an" } else { "a" };
    format!("{article} {card} card")
}

/// For events that come in large numbers: how one sentence about many of them begins, and what each adds to it.
fn heap(board: &Board, event: &Event) -> Option<(String, String)> {
    match event {
        Event::TerritoryDealt { territory, holder: owner, battalions: 1 } => {
            Some((format!("Dealt to {}:", holder(board, *owner)), title(*territory).to_string()))
        }
        Event::TerritoryDealt { territory, holder: owner, battalions: number } => {
            let lead = format!("Dealt to {}, {} each:", holder(board, *owner), battalions(*number));
            Some((lead, title(*territory).to_string()))
        }
        Event::TerritoryClaimed { seat, territory } => {
            Some((format!("{} claimed", colour(board, *seat)), title(*territory).to_string()))
        }
        Event::BattalionPlaced { seat, territory } => {
            Some((format!("{} placed battalions in", colour(board, *seat)), title(*territory).to_string()))
        }
        Event::ReinforcementsPlaced { territory, battalions: number }
        | Event::BattalionsAdded { territory, battalions: number, cause: Cause::Stronghold } => {
            Some(("Battalions came to".to_string(), format!("{} +{number}", title(*territory))))
        }
        _ => None,
    }
}

fn text(board: &Board, event: &Event, reader: Option<Seat>, faces: &Faces) -> String {
    setup(board, event)
        .or_else(|| turn(board, event))
        .or_else(|| combat(board, event))
        .or_else(|| cards(board, event, reader, faces))
        .or_else(|| fellowship(board, event))
        .unwrap_or_default()
}

/// Chapter 3.
fn setup(board: &Board, event: &Event) -> Option<String> {
    let text = match event {
        Event::StockReceived { battalions: number } => {
            format!("Every player received {} to set up.", battalions(*number))
        }
        Event::TerritoryDealt { territory, holder: owner, battalions: number } => {
            format!("{} was dealt to {}: {}.", title(*territory), holder(board, *owner), battalions(*number))
        }
        Event::RolledOff { purpose, rolls } => {
            let rolls: Vec<String> =
                rolls.iter().map(|(seat, roll)| format!("{} {roll}", colour(board, *seat))).collect();
            format!("The roll {}: {}.", purpose_words(*purpose), rolls.join(", "))
        }
        Event::FirstFound { purpose, seat } => match purpose {
            RollOff::Claim => format!("{} claims first.", colour(board, *seat)),
            RollOff::Turn => format!("{} takes the first turn.", colour(board, *seat)),
            RollOff::Last => format!("{} places and plays last.", colour(board, *seat)),
            RollOff::Tie => format!("{} wins the tie.", colour(board, *seat)),
        },
        Event::ClaimsPlanned { seat, claims, then } => {
            let mut wishes: Vec<String> = claims.iter().map(|territory| title(*territory).to_string()).collect();
            if *then == ThenClaim::Nearest {
                wishes.push(if wishes.is_empty() { "whatever is nearest" } else { "then the nearest" }.to_string());
            }
            format!("{} will claim {}.", colour(board, *seat), wishes.join(", "))
        }
        Event::TerritoryClaimed { seat, territory } => {
            format!("{} claimed {}.", colour(board, *seat), title(*territory))
        }
        Event::PlacesPlanned { seat, places, then } => {
            let mut wishes: Vec<String> =
                places.iter().map(|(number, territory)| format!("{number} in {}", title(*territory))).collect();
            if *then == ThenPlace::Evenly {
                wishes.push(if wishes.is_empty() { "all battalions evenly" } else { "the rest evenly" }.to_string());
            }
            format!("{} will place {}.", colour(board, *seat), and(&wishes))
        }
        Event::BattalionPlaced { seat, territory } => {
            format!("{} placed 1 battalion in {}.", colour(board, *seat), title(*territory))
        }
        Event::SecondLeaderPlanned { seat, territory } => {
            format!("{} will place a second Leader in {}.", colour(board, *seat), title(*territory))
        }
        Event::LeaderPlaced { seat, territory } => {
            format!("{} placed a Leader in {}.", colour(board, *seat), title(*territory))
        }
        Event::EventsReturned => "The Events went back into the Adventure deck, and it was shuffled.".to_string(),
        Event::SetupTurnPassed => String::new(),
        _ => return None,
    };
    Some(text)
}

fn purpose_words(purpose: RollOff) -> &'static str {
    match purpose {
        RollOff::Claim => "for the first claim",
        RollOff::Turn => "for the first turn",
        RollOff::Last => "for the last place",
        RollOff::Tie => "to break the tie",
    }
}

/// Chapters 4, 5, 9 and 12.
fn turn(board: &Board, event: &Event) -> Option<String> {
    let text = match event {
        Event::TurnBegan { seat, number } => format!("Turn {number}: {}", colour(board, *seat)),
        Event::EffectBegan(active) => view::effect(board, active),
        Event::EffectEnded(ended) => effect_ended(ended),
        Event::DefenceWished { seat, wish } => match wish {
            DefenceWish::Ask => format!("{} wants to be asked how many dice defend.", colour(board, *seat)),
            DefenceWish::Max => format!("{} defends with as many dice as possible.", colour(board, *seat)),
        },
        Event::ReinforcementsCounted { seat, territories, regions } => {
            let regions = if *regions == 0 { String::new() } else { format!(" and {regions} for regions") };
            format!("{} received {} for territories{regions}.", colour(board, *seat), battalions(*territories))
        }
        Event::SetTraded { seat, cards, set } => {
            let cards = cards.map(|(_, card)| Face::of(card).name().title());
            let number = battalions(set.battalions());
            format!("{} traded {} for {number}.", colour(board, *seat), and(&cards))
        }
        Event::ReinforcementsPlaced { territory, battalions: number } => {
            format!("{} came to {}.", battalions(*number), title(*territory))
        }
        Event::BattalionsAdded { territory, battalions: number, cause } => {
            format!("{} came to {} ({}).", battalions(*number), title(*territory), cause_words(*cause))
        }
        Event::BattalionsMoved { seat, from, to, moved, cause } => {
            let why = match cause {
                Cause::Power(power) => format!(" ({})", power.name().title()),
                Cause::Stronghold | Cause::Fortification | Cause::Event(_) | Cause::Mission(_) => String::new(),
            };
            let moved = committed(*moved);
            format!("{} moved {moved} from {} to {}{why}.", colour(board, *seat), title(*from), title(*to))
        }
        Event::GameEnded(outcome) => {
            let winners: Vec<&str> = outcome.winners.iter().map(|seat| colour(board, *seat)).collect();
            let points: Vec<String> =
                outcome.points.iter().map(|(seat, points)| format!("{} {points}", colour(board, *seat))).collect();
            let score = if points.is_empty() { String::new() } else { format!(" ({})", points.join(", ")) };
            format!("{} won: {}{score}.", and(&winners), outcome.reason)
        }
        _ => return None,
    };
    Some(text)
}

fn effect_ended(effect: &Effect) -> String {
    match effect.kind {
        EffectKind::BridgeBlocked(bridge) => format!("You Shall Not Pass! ended: {} is free.", bridge.name().title()),
        EffectKind::WinterStorms(storms) => {
            format!("Winter Storms ended in {}.", and(&storms.iter().map(title).collect::<Vec<_>>()))
        }
        EffectKind::CorsairsOfUmbar => "Corsairs of Umbar ended.".to_string(),
    }
}

fn cause_words(cause: Cause) -> &'static str {
    match cause {
        Cause::Stronghold => "its stronghold",
        Cause::Fortification => "fortification",
        Cause::Event(event) => event.name().title(),
        Cause::Power(power) => power.name().title(),
        Cause::Mission(mission) => mission.name().title(),
    }
}

fn committed(moved: Committed) -> String {
    match (moved.battalions, moved.leader) {
        (0, true) => "a Leader".to_string(),
        (number, true) => format!("{} and a Leader", battalions(number)),
        (number, false) => battalions(number),
    }
}

/// Chapters 6 and 7.
fn combat(board: &Board, event: &Event) -> Option<String> {
    let text = match event {
        Event::InvasionNamed { seat, source, target, route } => {
            let over = match route {
                Route::By(Passage::Sea) => " over the sea",
                Route::By(Passage::Land | Passage::Bridge(_)) => "",
                Route::UnderTheMountains => " under the mountains",
            };
            format!("{} invaded {} from {}{over}.", colour(board, *seat), title(*target), title(*source))
        }
        Event::InvasionDeclared | Event::BattalionsCommitted(_) | Event::InvasionEnded => String::new(),
        Event::BattalionsLost { territory, battalions: number, cause } => {
            format!(
                "{} in {} {} lost ({}).",
                battalions(*number),
                title(*territory),
                were(*number),
                cause_words(*cause)
            )
        }
        Event::PlanLapsed => "The rest of the attacker's plan lapsed.".to_string(),
        Event::BattleFought(battle) => battle_words(board, battle),
        Event::SourceChanged { seat, source, .. } => {
            format!("{} went on from {}.", colour(board, *seat), title(*source))
        }
        Event::TerritoryConquered { seat, target, loser, moved, .. } => format!(
            "{} conquered {} from {}; {} moved in.",
            colour(board, *seat),
            title(*target),
            holder(board, *loser),
            committed(*moved)
        ),
        Event::BattalionsFollowed { source, target, moved } => {
            format!("{} followed from {} to {}.", capital(committed(*moved)), title(*source), title(*target))
        }
        Event::PlayerEliminated { seat, by } => {
            format!("{} was eliminated by {}.", colour(board, *seat), colour(board, *by))
        }
        Event::CommittedDestroyed { seat, source, battalions: number } => format!(
            "{}'s {} from {} went down in Violent Storms; no dice were rolled.",
            colour(board, *seat),
            battalions(*number),
            title(*source)
        ),
        _ => return None,
    };
    Some(text)
}

fn were(number: u32) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

fn capital(text: String) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `Green attacked Ithilien from Minas Tirith with 3 and a Leader: 6 5 2 (+1) against 5 4 (+1): Green lost 1, Red lost
/// 1.`
fn battle_words(board: &Board, battle: &Battle) -> String {
    let bonus = |bonus: u32| if bonus == 0 { String::new() } else { format!(" (+{bonus})") };
    let leader = if battle.leader { " and a Leader" } else { "" };
    format!(
        "{} attacked {} from {} with {}{leader}: {}{} against {}{}: {} lost {}, {} lost {}.",
        colour(board, battle.attacker),
        title(battle.target),
        title(battle.source),
        battle.attack.len(),
        dice(&battle.attack),
        bonus(battle.attack_bonus),
        dice(&battle.defence),
        bonus(battle.defence_bonus),
        colour(board, battle.attacker),
        battle.attackers_lost,
        holder(board, battle.defender),
        battle.defenders_lost,
    )
}

/// Chapters 5, 8 and 10: what happened to cards.
fn cards(board: &Board, event: &Event, reader: Option<Seat>, faces: &Faces) -> Option<String> {
    let text = match event {
        Event::TerritoryCardDrawn { seat, slot, .. } => drawn(board, "a Territory card", *seat, *slot, reader, faces),
        Event::AdventureCardDrawn { seat, slot } => drawn(board, "an Adventure card", *seat, *slot, reader, faces),
        Event::CardDiscarded { seat, card, .. } => {
            format!("{} discarded {}.", colour(board, *seat), Face::of(*card).name().title())
        }
        Event::PowerPlayed { seat, power, .. } => {
            format!("{} played {}.", colour(board, *seat), power.name().title())
        }
        Event::MissionCompleted { seat, mission, .. } => {
            format!("{} completed the Mission {}.", colour(board, *seat), mission.name().title())
        }
        Event::ExtraCardForgone => "The extra Territory card was not drawn.".to_string(),
        Event::RevealedDiscarded { .. } => String::new(),
        Event::ExtraCardEarned { seat } => {
            format!("{} earned an extra Territory card for the end of the turn.", colour(board, *seat))
        }
        Event::EventHappened { seat, event, .. } => {
            format!("{} drew the Event {}.", colour(board, *seat), event.name().title())
        }
        Event::TerritoryRevealed { card, .. } => {
            format!("The Territory card {} was drawn for the Event.", Face::of(*card).name().title())
        }
        Event::UprisingKept { seat, slot } => match known(*slot, faces).filter(|_| reader == Some(*seat)) {
            Some(face) => format!("You put the Territory card {} aside for Local Uprising.", face.name().title()),
            None => format!("{} put a Territory card aside for Local Uprising.", colour(board, *seat)),
        },
        Event::UprisingShown { seat, card, .. } => format!(
            "{} showed {}, the card kept aside for Local Uprising.",
            colour(board, *seat),
            Face::of(*card).name().title()
        ),
        Event::BattalionsConverted { seat, from, to, battalions: number } => format!(
            "{} in {} went over to {} in {} (Gríma Wormtongue).",
            battalions(*number),
            title(*from),
            colour(board, *seat),
            title(*to)
        ),
        Event::StrongholdSilenced => "The stronghold gives no bonus in this invasion.".to_string(),
        Event::BlackSailsHoisted => "The highest attack die counts 1 more in this invasion.".to_string(),
        Event::FortificationsAdded { moves } => format!("Up to {} more this turn.", plural::counted(*moves, "move")),
        Event::LeaderCarried { seat, from, to } => {
            format!("{}'s Leader was carried from {} to {}.", colour(board, *seat), title(*from), title(*to))
        }
        Event::DeckReshuffled { deck } => {
            let adventure = *deck == board.adventure_deck().slot(0).deck;
            let name = if adventure { "Adventure" } else { "Territory" };
            format!("The discards were shuffled into a new {name} deck.")
        }
        _ => return None,
    };
    Some(text)
}

fn known(slot: Slot, faces: &Faces) -> Option<Face> {
    faces.get(slot).map(Face::of)
}

fn drawn(board: &Board, what: &str, seat: Seat, slot: Slot, reader: Option<Seat>, faces: &Faces) -> String {
    match known(slot, faces).filter(|_| reader == Some(seat)) {
        Some(face) => format!("You drew {what}: {}.", face.name().title()),
        None => format!("{} drew {what}.", colour(board, seat)),
    }
}

/// Chapters 11 and 14.3.
fn fellowship(board: &Board, event: &Event) -> Option<String> {
    let text = match event {
        Event::FellowshipGated => "The Fellowship must roll 4 or more to go on.".to_string(),
        Event::FellowshipRolled { roll } => format!("The roll for the Fellowship: {roll}."),
        Event::FellowshipRollChanged { by } => format!("The roll for the Fellowship was changed by {by:+}."),
        Event::FellowshipHeld => "The Fellowship is held back this turn.".to_string(),
        Event::FellowshipStayed { step } => format!("The Fellowship stayed in {}.", title(at(*step))),
        Event::FellowshipMoved { step } => format!("The Fellowship moved on to {}.", title(at(*step))),
        Event::FinalRollMade { seat, roll } => {
            let destroyed = if *roll >= 4 { "the Ring was destroyed" } else { "the Ring was not destroyed" };
            format!("{} rolled {roll} at Mount Doom: {destroyed}.", colour(board, *seat))
        }
        Event::RingSought { seat, dice: faces, bonus } => {
            let sum = faces.iter().sum::<u32>() + bonus;
            let plus = if *bonus == 0 { String::new() } else { format!(" (+{bonus})") };
            let found = if sum >= 12 { "found" } else { "not found" };
            format!("{} looked for the Ring: {}{plus} makes {sum}: {found}.", colour(board, *seat), dice(faces))
        }
        _ => return None,
    };
    Some(text)
}

fn at(step: u8) -> Territory {
    path()[usize::from(step) - 1].territory
}
