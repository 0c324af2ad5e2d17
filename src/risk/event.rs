//! Everything that can happen, in the order of the rulebook. Telling an event is the only way the board changes.

use crate::board::player::{DefenceWish, ThenClaim, ThenPlace};
use crate::board::turn::{Committed, Route};
use crate::board::{Effect, Holder};
use crate::card::{self, Mission, Power};
use crate::reinforcements::Set;
use crate::territory::Territory;
use engine::outcome::Outcome;
use engine::seat::Seat;
use engine::slot::{Card, Slot};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    // Chapter 3: setup.
    /// The players received their starting battalions (3.2).
    StockReceived {
        battalions: u32,
    },
    /// A territory was dealt and occupied (3.4).
    TerritoryDealt {
        territory: Territory,
        holder: Holder,
        battalions: u32,
    },
    /// Dice were rolled to choose one of several players; those with the highest die roll again.
    RolledOff {
        purpose: RollOff,
        rolls: Vec<(Seat, u32)>,
    },
    /// The player who is the first to claim, or to play, was found.
    FirstFound {
        purpose: RollOff,
        seat: Seat,
    },
    ClaimsPlanned {
        seat: Seat,
        claims: Vec<Territory>,
        then: ThenClaim,
    },
    TerritoryClaimed {
        seat: Seat,
        territory: Territory,
    },
    PlacesPlanned {
        seat: Seat,
        places: Vec<(u32, Territory)>,
        then: ThenPlace,
    },
    /// One of the starting battalions was placed (3.6).
    BattalionPlaced {
        seat: Seat,
        territory: Territory,
    },
    SetupTurnPassed,
    SecondLeaderPlanned {
        seat: Seat,
        territory: Territory,
    },
    LeaderPlaced {
        seat: Seat,
        territory: Territory,
    },
    TerritoryCardDrawn {
        seat: Seat,
        slot: Slot,
        reason: CardReason,
    },
    /// A Mission or Power card was drawn into a hand; only its holder knows which.
    AdventureCardDrawn {
        seat: Seat,
        slot: Slot,
    },
    /// The Events were put back and the Adventure deck shuffled (3.8).
    EventsReturned,

    // Chapter 4: the turn.
    TurnBegan {
        seat: Seat,
        number: u32,
    },
    EffectBegan(Effect),
    EffectEnded(Effect),
    DefenceWished {
        seat: Seat,
        wish: DefenceWish,
    },

    // Chapter 5: reinforcements.
    /// Battalions were added to a territory.
    BattalionsAdded {
        territory: Territory,
        battalions: u32,
        cause: Cause,
    },
    /// Territories and regions were counted (5.2, 5.3).
    ReinforcementsCounted {
        seat: Seat,
        territories: u32,
        regions: u32,
    },
    SetTraded {
        seat: Seat,
        cards: [(Slot, Card); 3],
        set: Set,
    },
    /// Battalions of step 1 were placed (5.7).
    ReinforcementsPlaced {
        territory: Territory,
        battalions: u32,
    },

    // Chapter 6: combat.
    InvasionNamed {
        seat: Seat,
        source: Territory,
        target: Territory,
        route: Route,
    },
    InvasionDeclared,
    /// Battalions were lost outside a battle.
    BattalionsLost {
        territory: Territory,
        battalions: u32,
        cause: Cause,
    },
    BattalionsCommitted(Committed),
    /// The attacker's plan lapsed because another player answered with a card.
    PlanLapsed,
    BattleFought(Battle),
    SourceChanged {
        seat: Seat,
        source: Territory,
        route: Route,
    },
    InvasionEnded,

    // Chapter 7: conquest.
    /// The last defender fell; the battalions that fought, and their Leader, moved in (7.1, 7.2).
    TerritoryConquered {
        seat: Seat,
        source: Territory,
        target: Territory,
        loser: Holder,
        moved: Committed,
    },
    /// Further battalions followed (7.1).
    BattalionsFollowed {
        source: Territory,
        target: Territory,
        moved: Committed,
    },
    PlayerEliminated {
        seat: Seat,
        by: Seat,
    },
    /// A hidden card went to its discard pile, face up.
    CardDiscarded {
        seat: Seat,
        slot: Slot,
        card: Card,
    },

    // Chapter 8: Adventure cards.
    PowerPlayed {
        seat: Seat,
        slot: Slot,
        power: Power,
    },
    MissionCompleted {
        seat: Seat,
        slot: Slot,
        mission: Mission,
    },
    ExtraCardEarned {
        seat: Seat,
    },
    /// An extra Territory card was not drawn: 5 are held, or there is none (10.1).
    ExtraCardForgone,
    /// An Event was drawn, and takes effect (8.5). Its card is discarded.
    EventHappened {
        seat: Seat,
        slot: Slot,
        event: card::Event,
    },
    /// A Territory card was drawn for an Event and lies face up beside the deck.
    TerritoryRevealed {
        slot: Slot,
        card: Card,
    },
    /// The cards drawn for an Event went to the discards.
    RevealedDiscarded {
        cards: Vec<Card>,
    },
    /// Local Uprising put a Territory card aside.
    UprisingKept {
        seat: Seat,
        slot: Slot,
    },
    /// The card that Local Uprising put aside was shown and discarded.
    UprisingShown {
        seat: Seat,
        slot: Slot,
        card: Card,
    },
    /// Battalions changed sides (Gríma Wormtongue).
    BattalionsConverted {
        seat: Seat,
        from: Territory,
        to: Territory,
        battalions: u32,
    },
    StrongholdSilenced,
    BlackSailsHoisted,
    /// More than the usual one move is allowed in step 3 (Move by Night).
    FortificationsAdded {
        moves: u32,
    },
    /// The committed battalions were lost in Violent Storms.
    CommittedDestroyed {
        seat: Seat,
        source: Territory,
        battalions: u32,
    },
    LeaderCarried {
        seat: Seat,
        from: Territory,
        to: Territory,
    },

    // Chapter 9: fortify. Also Strategic Withdrawal.
    BattalionsMoved {
        seat: Seat,
        from: Territory,
        to: Territory,
        moved: Committed,
        cause: Cause,
    },

    // Chapter 10: collect.
    /// A deck was refilled: its discards were masked again (8.7).
    DeckReshuffled {
        deck: engine::slot::Deck,
    },

    // Chapter 11: the Fellowship.
    /// A card demands a roll (11.2).
    FellowshipGated,
    FellowshipRolled {
        roll: u32,
    },
    FellowshipRollChanged {
        by: i32,
    },
    FellowshipHeld,
    FellowshipStayed {
        step: u8,
    },
    /// It moved to this step of its path.
    FellowshipMoved {
        step: u8,
    },
    /// The final roll was made (11.3).
    FinalRollMade {
        seat: Seat,
        roll: u32,
    },
    /// An evil player looked for the Ring (14.3).
    RingSought {
        seat: Seat,
        dice: [u32; 2],
        bonus: u32,
    },

    // Chapter 12: the end.
    GameEnded(Outcome),
}

/// What a roll among players is for (▲7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollOff {
    /// Who claims first (3.5).
    Claim,
    /// Who takes the first turn (3.10).
    Turn,
    /// Which evil player places and plays last in Team Risk (14.2).
    Last,
    /// Who wins a game in which all tie-breakers are equal (12.3).
    Tie,
}

/// Why a Territory card was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardReason {
    /// One face down to each player (3.8).
    Setup,
    /// A territory was conquered this turn (10.1).
    Conquest,
    /// A Mission gave it (10.1).
    Mission,
}

/// Why battalions were added or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Stronghold,
    Fortification,
    Event(card::Event),
    Power(Power),
    Mission(Mission),
}

/// A battle with its dice, highest first, and what was lost (6.5 to 6.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Battle {
    pub attacker: Seat,
    pub defender: Holder,
    pub source: Territory,
    pub target: Territory,
    /// The attacker's Leader took part.
    pub leader: bool,
    pub attack: Vec<u32>,
    pub attack_bonus: u32,
    pub defence: Vec<u32>,
    pub defence_bonus: u32,
    pub attackers_lost: u32,
    pub defenders_lost: u32,
}
