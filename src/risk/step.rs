/*! Every step that can be on the agenda, in the order of the rulebook.

The chapters say which steps wait for a seat or for chance ([`rules`](crate::rules)); all others are performed.
Their printed form is part of the facts of every log, so it must never change. Its words are separated by blanks; seats
are printed by number and territories by name.
*/

use crate::board::player::{DefenceWish, ThenClaim, ThenPlace};
use crate::board::turn::{Committed, Route};
use crate::card::PowerWindow;
use crate::cards::{CardStep, window};
use crate::event::{CardReason, RollOff};
use crate::phase::Phase;
use crate::reinforcements::Trade;
use crate::territory::{Shield, Territory};
use engine::name::Named;
use engine::seat::Seat;
use engine::slot::{Card, Deck, Slot};
use std::fmt;

/// Something still to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    // Chapter 3: setup.
    SetUp,
    /// Shuffle the territories of this shield and deal them (3.3, 3.4).
    DealTerritories(Shield),
    /// Find out who is the first to claim, or to play (3.5, 3.10, 14.2).
    FindFirst(RollOff),
    /// Roll one die for each of these; the highest wins, the tied roll again (▲7).
    RollOff {
        purpose: RollOff,
        among: Vec<Seat>,
    },
    /// Claim a territory, in turn order until none is left (3.5).
    Claim,
    PlanClaims {
        claims: Vec<Territory>,
        then: ThenClaim,
    },
    /// Add a battalion to a territory, in turn order until none is left (3.6).
    Garrison,
    PlanGarrisons {
        places: Vec<(u32, Territory)>,
        then: ThenPlace,
    },
    /// Place the Leaders: each player his first, then each his second (3.7).
    PlaceLeaders,
    PlaceLeader(Seat),
    NoteLeaders {
        seat: Seat,
        first: Territory,
        second: Option<Territory>,
    },
    /// Deal Territory and Adventure cards (3.8).
    DealCards,
    DealAdventureCard(Seat),
    ReturnEvents,

    // Chapter 4: the turn.
    BeginTurn(Seat),
    /// The steps of the turn from this one on (4.1).
    ContinueTurn(Phase),
    /// Ask for step 1 while turn start cards may still be played (4.2).
    TurnStart,
    WishDefence(DefenceWish),
    /// Go straight to step 4.
    EndDeeds,
    EndTurn,

    // Chapter 5: step 1, reinforcements.
    CountReinforcements,
    Reinforce,
    TradeSet(Trade),
    PlaceReinforcements(Vec<(u32, Territory)>),

    // Chapter 6: step 2, combat.
    Combat,
    NameInvasion {
        source: Territory,
        target: Territory,
        route: Route,
    },
    DeclareInvasion,
    /// Pay the Corsairs of Umbar (6.3, 8.6).
    PayToll(Plan),
    /// Commit battalions to the next battle, as planned (6.4).
    Battle(Plan),
    /// Ask how many dice the defender rolls, or take as many as possible (6.4).
    Defend(Plan),
    RollAttack {
        plan: Plan,
        defenders: u32,
    },
    RollDefence {
        plan: Plan,
        defenders: u32,
        attack: Vec<u32>,
    },
    /// Ask the attacker whether to go on (6.8).
    GoOn,
    ChangeSource {
        source: Territory,
        route: Route,
        plan: Plan,
    },
    CallOff,
    EndCombat,

    // Chapter 7: conquest.
    /// Ask how many follow into the conquered territory (7.1).
    Advance {
        source: Territory,
        target: Territory,
        moved: u32,
    },
    Follow {
        source: Territory,
        target: Territory,
        moved: Committed,
    },
    Eliminate {
        seat: Seat,
        by: Seat,
    },
    /// Discard the hidden cards of an eliminated player (7.4).
    DiscardHand(Seat),
    /// Trade sets down to 4 cards after an elimination, then place the battalions they gave (7.5).
    TradeDown,

    // Chapter 8: Adventure cards, most of whose steps are in `CardStep`.
    Card(CardStep),
    /// Ask every player who may play a Power card at this point (8.4).
    OpenWindow(PowerWindow),
    /// Ask whether a Mission is completed after a Leader has come to a site (8.3).
    OfferMission,
    /// Discard down to the hand limit (8.2).
    KeepHandLimit(Seat),
    Discard {
        seat: Seat,
        slot: Slot,
        card: Card,
    },

    // Chapter 9: step 3, fortify.
    Fortify,
    Move {
        from: Territory,
        to: Territory,
        moved: Committed,
    },

    // Chapter 10: steps 4, 5 and 6.
    CollectTerritoryCards,
    DrawTerritoryCard {
        seat: Seat,
        reason: CardReason,
    },
    Reshuffle(Deck),
    CollectAdventureCard,
    /// Draw an Adventure card; if it is an Event, it takes effect and another card is drawn (10.2).
    DrawAdventureCard(Seat),
    /// Show the Adventure card drawn if it is an Event (10.2).
    ShowEvent {
        seat: Seat,
        position: u16,
    },
    ReplaceLeader,

    // Chapter 11: step 7, the Fellowship.
    MoveFellowship,
    RollFellowship,
    /// Find out whether the Ring may leave; if so, cards may hold it (11.2).
    LeaveTerritory,
    Depart,
    FinalRoll,
    /// Look for the Ring in Team Risk (14.3).
    SeekRing,
}

/// The attacker's plan: how many battalions fight in each battle, whether the Leader takes part, and how long the
/// invasion goes on without another question (6.4, 6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// `None`: as many as allowed (▲17).
    pub battalions: Option<u32>,
    pub leader: bool,
    /// Battles go on until the target falls or at most this many battalions are left in the source.
    pub until: Option<u32>,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::SetUp => f.write_str("set-up"),
            Step::DealTerritories(shield) => write!(f, "deal-territories {}", shield_word(*shield)),
            Step::FindFirst(purpose) => write!(f, "find-first {}", purpose.word()),
            Step::RollOff { purpose, among } => {
                write!(f, "roll-off {}", purpose.word())?;
                among.iter().try_for_each(|seat| write!(f, " {}", seat.0))
            }
            Step::Claim => f.write_str("claim"),
            Step::PlanClaims { claims, .. } => write!(f, "plan-claims {}", claims.len()),
            Step::Garrison => f.write_str("garrison"),
            Step::PlanGarrisons { places, .. } => write!(f, "plan-garrisons {}", places.len()),
            Step::PlaceLeaders => f.write_str("place-leaders"),
            Step::PlaceLeader(seat) => write!(f, "place-leader {}", seat.0),
            Step::NoteLeaders { seat, first, .. } => write!(f, "note-leaders {} {}", seat.0, word(*first)),
            Step::DealCards => f.write_str("deal-cards"),
            Step::DealAdventureCard(seat) => write!(f, "deal-adventure-card {}", seat.0),
            Step::ReturnEvents => f.write_str("return-events"),
            Step::BeginTurn(seat) => write!(f, "begin-turn {}", seat.0),
            Step::ContinueTurn(phase) => write!(f, "continue-turn {}", phase.word()),
            Step::TurnStart => f.write_str("turn-start"),
            Step::WishDefence(wish) => write!(f, "wish-defence {}", wish.word()),
            Step::EndDeeds => f.write_str("end-deeds"),
            Step::EndTurn => f.write_str("end-turn"),
            Step::CountReinforcements => f.write_str("count-reinforcements"),
            Step::Reinforce => f.write_str("reinforce"),
            Step::TradeSet(trade) => write!(f, "trade-set {}", trade.set.word()),
            Step::PlaceReinforcements(places) => write!(f, "place-reinforcements {}", places.len()),
            _ => self.write_deed(f),
        }
    }
}

impl Step {
    /// Chapters 6 to 12.
    fn write_deed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Combat => f.write_str("combat"),
            Step::NameInvasion { source, target, .. } => {
                write!(f, "name-invasion {} {}", word(*source), word(*target))
            }
            Step::DeclareInvasion => f.write_str("declare-invasion"),
            Step::PayToll(plan) => write!(f, "pay-toll{plan}"),
            Step::Battle(plan) => write!(f, "battle{plan}"),
            Step::Defend(plan) => write!(f, "defend{plan}"),
            Step::RollAttack { plan, defenders } => write!(f, "roll-attack {defenders}{plan}"),
            Step::RollDefence { plan, defenders, attack } => {
                write!(f, "roll-defence {defenders} against")?;
                attack.iter().try_for_each(|die| write!(f, " {die}"))?;
                write!(f, "{plan}")
            }
            Step::GoOn => f.write_str("go-on"),
            Step::ChangeSource { source, plan, .. } => write!(f, "change-source {}{plan}", word(*source)),
            Step::CallOff => f.write_str("call-off"),
            Step::EndCombat => f.write_str("end-combat"),
            Step::Advance { source, target, moved } => {
                write!(f, "advance {} {} {moved}", word(*source), word(*target))
            }
            Step::Follow { source, target, moved } => {
                write!(f, "follow {} {} {}", word(*source), word(*target), moved.battalions)
            }
            Step::Eliminate { seat, by } => write!(f, "eliminate {} by {}", seat.0, by.0),
            Step::DiscardHand(seat) => write!(f, "discard-hand {}", seat.0),
            Step::TradeDown => f.write_str("trade-down"),
            Step::Card(step) => write!(f, "{step}"),
            Step::OpenWindow(window) => write!(f, "open-window {}", window::id(*window)),
            Step::OfferMission => f.write_str("offer-mission"),
            Step::KeepHandLimit(seat) => write!(f, "keep-hand-limit {}", seat.0),
            Step::Discard { seat, .. } => write!(f, "discard {}", seat.0),
            Step::Fortify => f.write_str("fortify"),
            Step::Move { from, to, moved } => write!(f, "move {} {} {}", word(*from), word(*to), moved.battalions),
            Step::CollectTerritoryCards => f.write_str("collect-territory-cards"),
            Step::DrawTerritoryCard { seat, .. } => write!(f, "draw-territory-card {}", seat.0),
            Step::Reshuffle(deck) => write!(f, "reshuffle {}", deck.0),
            Step::CollectAdventureCard => f.write_str("collect-adventure-card"),
            Step::DrawAdventureCard(seat) => write!(f, "draw-adventure-card {}", seat.0),
            Step::ShowEvent { seat, position } => write!(f, "show-event {} {position}", seat.0),
            Step::ReplaceLeader => f.write_str("replace-leader"),
            Step::MoveFellowship => f.write_str("move-fellowship"),
            Step::RollFellowship => f.write_str("roll-fellowship"),
            Step::LeaveTerritory => f.write_str("leave-territory"),
            Step::Depart => f.write_str("depart"),
            Step::FinalRoll => f.write_str("final-roll"),
            Step::SeekRing => f.write_str("seek-ring"),
            _ => unreachable!("chapters 3 to 5 are written above"),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(battalions) = self.battalions {
            write!(f, " with {battalions}")?;
        }
        f.write_str(if self.leader { " and leader" } else { " without leader" })?;
        match self.until {
            Some(left) => write!(f, " until {left} left"),
            None => Ok(()),
        }
    }
}

fn word(territory: Territory) -> &'static str {
    territory.name().id()
}

/// The word for a shield in labels of shuffles.
pub fn shield_word(shield: Shield) -> &'static str {
    match shield {
        Shield::Good => "good",
        Shield::Evil => "evil",
        Shield::Neutral => "neutral",
    }
}

impl RollOff {
    pub fn word(self) -> &'static str {
        match self {
            RollOff::Claim => "claim",
            RollOff::Turn => "turn",
            RollOff::Last => "last",
            RollOff::Tie => "tie",
        }
    }
}

impl DefenceWish {
    pub fn word(self) -> &'static str {
        match self {
            DefenceWish::Max => "max",
            DefenceWish::Ask => "ask",
        }
    }
}
