//! What an event is about, and what of it can be counted over a whole game: for programs that read many events and
//! must not parse their words.

use crate::board::{Board, Holder};
use crate::combat::battle::odds;
use crate::event::{Battle, Event};
use serde_json::{Value, json};

/// What an event is about; `None` if it only says where the game is.
pub fn topic(event: &Event) -> Option<&'static str> {
    match event {
        Event::StockReceived { .. }
        | Event::TerritoryDealt { .. }
        | Event::RolledOff { .. }
        | Event::FirstFound { .. }
        | Event::ClaimsPlanned { .. }
        | Event::TerritoryClaimed { .. }
        | Event::PlacesPlanned { .. }
        | Event::BattalionPlaced { .. }
        | Event::SetupTurnPassed
        | Event::SecondLeaderPlanned { .. }
        | Event::LeaderPlaced { .. } => Some("set-up"),
        Event::BattalionsAdded { .. }
        | Event::ReinforcementsCounted { .. }
        | Event::SetTraded { .. }
        | Event::ReinforcementsPlaced { .. } => Some("reinforcements"),
        Event::InvasionNamed { .. }
        | Event::InvasionDeclared
        | Event::BattalionsLost { .. }
        | Event::BattalionsCommitted(_)
        | Event::PlanLapsed
        | Event::BattleFought(_)
        | Event::SourceChanged { .. }
        | Event::InvasionEnded
        | Event::TerritoryConquered { .. }
        | Event::BattalionsFollowed { .. }
        | Event::PlayerEliminated { .. }
        | Event::StrongholdSilenced
        | Event::BlackSailsHoisted
        | Event::CommittedDestroyed { .. }
        | Event::DefenceWished { .. } => Some("battles"),
        Event::TerritoryCardDrawn { .. }
        | Event::AdventureCardDrawn { .. }
        | Event::EventsReturned
        | Event::EffectBegan(_)
        | Event::EffectEnded(_)
        | Event::CardDiscarded { .. }
        | Event::PowerPlayed { .. }
        | Event::MissionCompleted { .. }
        | Event::ExtraCardEarned { .. }
        | Event::ExtraCardForgone
        | Event::EventHappened { .. }
        | Event::TerritoryRevealed { .. }
        | Event::RevealedDiscarded { .. }
        | Event::UprisingKept { .. }
        | Event::UprisingShown { .. }
        | Event::BattalionsConverted { .. }
        | Event::LeaderCarried { .. }
        | Event::DeckReshuffled { .. } => Some("cards"),
        Event::FortificationsAdded { .. } | Event::BattalionsMoved { .. } => Some("moves"),
        Event::FellowshipGated
        | Event::FellowshipRolled { .. }
        | Event::FellowshipRollChanged { .. }
        | Event::FellowshipHeld
        | Event::FellowshipStayed { .. }
        | Event::FellowshipMoved { .. }
        | Event::FinalRollMade { .. }
        | Event::RingSought { .. } => Some("fellowship"),
        Event::TurnBegan { .. } | Event::GameEnded(_) => None,
    }
}

/// What can be counted of an event: the hits of a battle with their chances, and battalions lost.
pub fn counted(board: &Board, event: &Event) -> Vec<Value> {
    match event {
        Event::BattleFought(battle) => fought(board, battle),
        Event::BattalionsLost { territory, battalions, .. } => {
            vec![lost(word(board, board.holder(*territory)), *battalions)]
        }
        Event::CommittedDestroyed { seat, battalions, .. } => {
            vec![lost(word(board, Holder::Seat(*seat)), *battalions)]
        }
        _ => Vec::new(),
    }
}

fn fought(board: &Board, battle: &Battle) -> Vec<Value> {
    let odds = odds(battle);
    let (attacker, defender) = (word(board, Holder::Seat(battle.attacker)), word(board, battle.defender));
    // What one side hits, the other loses.
    let hits = |by, hits, of: usize| {
        let (sum, squares) = (odds.lost[of], odds.squares[of]);
        json!({"is": "hits", "seat": by, "hits": hits, "ways": odds.ways, "sum": sum, "squares": squares})
    };
    vec![
        hits(attacker, battle.defenders_lost, 1),
        hits(defender, battle.attackers_lost, 0),
        lost(attacker, battle.attackers_lost),
        lost(defender, battle.defenders_lost),
    ]
}

fn lost(seat: &str, units: u32) -> Value {
    json!({"is": "lost", "seat": seat, "units": units})
}

fn word(board: &Board, holder: Holder) -> &'static str {
    match holder {
        Holder::Seat(seat) => board.colour(seat).word(),
        Holder::Neutral | Holder::Nobody => "neutral",
    }
}
