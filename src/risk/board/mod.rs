/*! The table: who holds which territory, the decks as slots, the Ring, and what has happened in this turn.

It holds no secret: a hand is a set of slots. Only [`evolve`](evolve::evolve) changes it; the chapters ask it
questions in the words of the rulebook.
*/

pub mod evolve;
pub mod facts;
pub mod pile;
pub mod player;
pub mod turn;

use crate::card::Face;
use crate::colour::Colour;
use crate::lands::Lands;
use crate::side::Side;
use crate::switches::{CardPoints, Step5Lock, Switches, Variant};
use crate::territory::{Bridge, PATH_STEPS, Passage, Region, TERRITORIES, Territory, path};
use engine::outcome::Outcome;
use engine::seat::Seat;
use engine::slot::Slot;
use pile::Pile;
use player::{Player, Status};
use turn::{Invasion, March, Turn};

/// The most holders of territories: four seats and the neutral army.
const HOLDERS_MAX: usize = 5;
/// The index of the neutral army in tables by holder.
const NEUTRAL: usize = 4;

/// Who controls a territory (1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nobody yet: only during setup.
    Nobody,
    /// The neutral army of the game for two (13).
    Neutral,
    Seat(Seat),
}

/// What is in a territory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    pub holder: Holder,
    pub battalions: u16,
    /// Whether a Leader of the holder is here (1.4).
    pub leader: bool,
}

/// The effect of a card that lasts until the start of a player's next turn (4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    pub kind: EffectKind,
    /// The effect ends when this seat's next turn begins, or would have begun (▲9).
    pub until: Seat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// Battalions cross the bridge only together with a Leader (You Shall Not Pass!).
    BridgeBlocked(Bridge),
    /// Nobody may invade out of or into any of these (Winter Storms).
    WinterStorms(Storms),
    /// Every seaborne invasion first costs 3 battalions (Corsairs of Umbar).
    CorsairsOfUmbar,
}

/// The territories of Winter Storms, in the order in which they were drawn: three, or fewer if no more were left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storms([Option<Territory>; 3]);

impl Storms {
    /// The storms over these one to three territories.
    pub fn over(territories: &[Territory]) -> Option<Storms> {
        let mut storms = Storms([None; 3]);
        storms.0.get_mut(..territories.len())?.iter_mut().zip(territories).for_each(|(one, territory)| {
            *one = Some(*territory);
        });
        (!territories.is_empty()).then_some(storms)
    }

    pub fn iter(&self) -> impl Iterator<Item = Territory> + use<> {
        self.0.into_iter().flatten()
    }
}

/// Everything on the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Board {
    pub(super) switches: Switches,
    pub(super) players: Vec<Player>,
    pub(super) holdings: [Holding; TERRITORIES],
    /// The same as `holdings`, by holder, because territories are counted often.
    pub(super) lands: [Lands; HOLDERS_MAX],
    pub(super) territory_deck: Pile,
    pub(super) adventure_deck: Pile,
    pub(super) effects: Vec<Effect>,
    /// The step of its path that the Ring is on, from 1 (2.5).
    pub(super) ring: u8,
    pub(super) turn: Turn,
    pub(super) invasion: Option<Invasion>,
    pub(super) march: March,
    pub(super) outcome: Option<Outcome>,
}

impl Clone for Board {
    fn clone(&self) -> Board {
        Board {
            players: self.players.clone(),
            territory_deck: self.territory_deck.clone(),
            adventure_deck: self.adventure_deck.clone(),
            effects: self.effects.clone(),
            outcome: self.outcome.clone(),
            ..*self
        }
    }

    /// Skips lists that are already equal: a reader who follows a log clones at every entry, and few lists change.
    fn clone_from(&mut self, other: &Board) {
        let Board {
            switches,
            players,
            holdings,
            lands,
            territory_deck,
            adventure_deck,
            effects,
            ring,
            turn,
            invasion,
            march,
            outcome,
        } = other;
        (self.switches, self.holdings, self.lands) = (*switches, *holdings, *lands);
        renew(&mut self.players, players);
        renew(&mut self.territory_deck, territory_deck);
        renew(&mut self.adventure_deck, adventure_deck);
        renew(&mut self.effects, effects);
        (self.ring, self.turn, self.invasion, self.march) = (*ring, *turn, *invasion, *march);
        renew(&mut self.outcome, outcome);
    }
}

/// Copies `other` into `own`, unless they are already equal.
fn renew<T: Clone + PartialEq>(own: &mut T, other: &T) {
    if own != other {
        own.clone_from(other);
    }
}

impl Board {
    /// An empty table.
    pub fn new(switches: Switches, colours: &[Colour], adventure_cards: usize) -> Board {
        let empty = Holding { holder: Holder::Nobody, battalions: 0, leader: false };
        Board {
            switches,
            players: colours.iter().map(|colour| Player::new(*colour)).collect(),
            holdings: [empty; TERRITORIES],
            lands: [Lands::NONE; HOLDERS_MAX],
            territory_deck: Pile::new(crate::TERRITORY_DECK, crate::card::territory_deck().len()),
            adventure_deck: Pile::new(crate::ADVENTURE_DECK, adventure_cards),
            effects: Vec::new(),
            ring: 1,
            turn: Turn::default(),
            invasion: None,
            march: March::default(),
            outcome: None,
        }
    }

    pub fn switches(&self) -> &Switches {
        &self.switches
    }

    /// Whether there are Leaders, Adventure cards, the Fellowship, strongholds and sites (14.4).
    pub fn is_standard(&self) -> bool {
        self.switches.variant == Variant::Standard
    }

    // Seats.

    /// Every seat in turn order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + use<> {
        (0..self.players.len()).map(Seat::at)
    }

    /// Every seat once in turn order, beginning with this one.
    pub fn seats_from(&self, first: Seat) -> impl Iterator<Item = Seat> + use<> {
        let count = self.players.len();
        (0..count).map(move |offset| Seat::at((first.index() + offset) % count))
    }

    /// The next seat clockwise, eliminated or not.
    pub fn next_seat(&self, seat: Seat) -> Seat {
        Seat::at((seat.index() + 1) % self.players.len())
    }

    pub fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    pub fn colour(&self, seat: Seat) -> Colour {
        self.player(seat).colour
    }

    /// The seat of a colour.
    pub fn seat_of(&self, colour: Colour) -> Option<Seat> {
        self.seats().find(|seat| self.colour(*seat) == colour)
    }

    pub fn side(&self, seat: Seat) -> Side {
        self.colour(seat).side()
    }

    pub fn is_eliminated(&self, seat: Seat) -> bool {
        self.player(seat).status == Status::Eliminated
    }

    /// The seats that are still in the game.
    pub fn playing(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seats().filter(|seat| !self.is_eliminated(*seat))
    }

    /// Whether the two play together (14.1, 14.2). Nobody is his own ally.
    pub fn are_allies(&self, one: Seat, other: Seat) -> bool {
        let teams = matches!(self.switches.variant, Variant::Alliance | Variant::Team);
        teams && one != other && self.side(one) == self.side(other)
    }

    /// Whether this seat may invade the territories of that holder (6.1, ▲14).
    pub fn may_invade(&self, seat: Seat, holder: Holder) -> bool {
        match holder {
            Holder::Nobody => false,
            Holder::Neutral => true,
            Holder::Seat(other) => other != seat && (self.switches.attack_allies || !self.are_allies(seat, other)),
        }
    }

    // Territories.

    pub fn holding(&self, territory: Territory) -> Holding {
        self.holdings[territory.index()]
    }

    pub fn holder(&self, territory: Territory) -> Holder {
        self.holding(territory).holder
    }

    pub fn battalions(&self, territory: Territory) -> u32 {
        u32::from(self.holding(territory).battalions)
    }

    pub fn controls(&self, seat: Seat, territory: Territory) -> bool {
        self.holder(territory) == Holder::Seat(seat)
    }

    /// The territories that the seat controls.
    pub fn lands(&self, seat: Seat) -> Lands {
        self.lands[seat.index()]
    }

    /// The territories that the neutral army holds (13).
    pub fn neutral_lands(&self) -> Lands {
        self.lands[NEUTRAL]
    }

    /// The territories that nobody has claimed yet (3.5).
    pub fn unclaimed(&self) -> Lands {
        Lands::ALL.without(self.lands.iter().fold(Lands::NONE, |all, lands| all.or(*lands)))
    }

    pub fn controls_region(&self, seat: Seat, region: Region) -> bool {
        Lands::of(region).within(self.lands(seat))
    }

    /// The territories with a Leader of this seat (1.4).
    pub fn leaders(&self, seat: Seat) -> impl Iterator<Item = Territory> + '_ {
        self.lands(seat).iter().filter(|territory| self.holding(*territory).leader)
    }

    /// How many Leaders of the seat are off the board (1.4).
    pub fn leaders_in_supply(&self, seat: Seat) -> usize {
        if self.is_standard() { 0 } else { 2 - self.leaders(seat).count() }
    }

    /// Whether the territory has a stronghold that counts (14.4).
    pub fn has_stronghold(&self, territory: Territory) -> bool {
        !self.is_standard() && Lands::strongholds().contains(territory)
    }

    /// Whether the territory has a Site of Power that counts (▲2, 14.4).
    pub fn has_site(&self, territory: Territory) -> bool {
        let left_out = self.switches.sites == 21 && crate::card::Mission::MountGundabad.territory() == territory;
        !self.is_standard() && territory.site().is_some() && !left_out
    }

    // Cards.

    pub fn territory_cards(&self, seat: Seat) -> &[Slot] {
        &self.player(seat).territory_cards
    }

    /// The Adventure cards in the hand of the seat.
    pub fn adventure_cards(&self, seat: Seat) -> &[Slot] {
        &self.player(seat).adventure_cards
    }

    pub fn territory_deck(&self) -> &Pile {
        &self.territory_deck
    }

    pub fn adventure_deck(&self) -> &Pile {
        &self.adventure_deck
    }

    /// Whether a copy of the Mission or Power may be in a hand, by public knowledge: not all of its copies are face up.
    pub fn may_be_hidden(&self, face: Face) -> bool {
        let card = face.card();
        let discarded = self.adventure_deck.discards.iter().filter(|discard| **discard == card).count();
        let played: usize = self.players.iter().map(|player| player.face_up(face)).sum();
        discarded + played < face.copies()
    }

    /// Whether the seat may play no card any more in this turn (10.3, ▲27).
    pub fn is_locked(&self, seat: Seat) -> bool {
        let everyone = self.switches.step5_lock == Step5Lock::Everyone;
        self.turn.adventure_drawn && (everyone || self.turn.seat == Some(seat))
    }

    /// What the cards in front of the seat score (12.2).
    pub fn card_points(&self, seat: Seat) -> u32 {
        let player = self.player(seat);
        let missions = player.missions.iter().map(|(_, mission)| Face::Mission(*mission));
        let powers = player.powers.iter().map(|(_, power)| Face::Power(*power));
        missions.chain(powers).map(|face| self.card_value(seat, face)).sum()
    }

    /// What the card scores for this seat (12.2).
    pub fn card_value(&self, seat: Seat, face: Face) -> u32 {
        match (self.switches.card_points, face) {
            (_, Face::Territory(_) | Face::Wild(_) | Face::Event(_)) => 0,
            (CardPoints::AllOne, Face::Mission(_) | Face::Power(_)) => 1,
            (CardPoints::AsPrinted, Face::Mission(mission)) => mission.points(self.side(seat)),
            (CardPoints::AsPrinted, Face::Power(power)) => power.points(),
        }
    }

    // Effects, the Ring, the turn.

    /// The effects of cards that are in force, the oldest first.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    pub fn is_blocked(&self, bridge: Bridge) -> bool {
        self.effects.iter().any(|effect| effect.kind == EffectKind::BridgeBlocked(bridge))
    }

    /// Whether the two are adjacent by a bridge that is blocked.
    pub fn is_blocked_between(&self, from: Territory, to: Territory) -> bool {
        // Usually no effect is in force, and every step of a search asks this.
        !self.effects.is_empty() && matches!(from.passage(to), Some(Passage::Bridge(bridge)) if self.is_blocked(bridge))
    }

    pub fn in_winter_storms(&self, territory: Territory) -> bool {
        let storms = |effect: &Effect| match effect.kind {
            EffectKind::WinterStorms(storms) => storms.iter().any(|there| there == territory),
            EffectKind::BridgeBlocked(_) | EffectKind::CorsairsOfUmbar => false,
        };
        self.effects.iter().any(storms)
    }

    pub fn corsairs_at_sea(&self) -> bool {
        self.effects.iter().any(|effect| effect.kind == EffectKind::CorsairsOfUmbar)
    }

    /// The step of its path that the Ring is on, from 1.
    pub fn ring_step(&self) -> u8 {
        self.ring
    }

    /// The territory that the Ring is in.
    pub fn ring(&self) -> Territory {
        path()[usize::from(self.ring - 1)].territory
    }

    pub fn ring_at_mount_doom(&self) -> bool {
        usize::from(self.ring) == PATH_STEPS
    }

    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Whose turn it is, or whose turn of the setup.
    ///
    /// # Panics
    /// Before the first roll for turns.
    pub fn active(&self) -> Seat {
        self.turn.seat.expect("it is somebody's turn")
    }

    /// The invasion that is going on, if one is.
    pub fn invasion(&self) -> Option<&Invasion> {
        self.invasion.as_ref()
    }

    /// What the die and the cards of this turn have decided about the Fellowship's move.
    pub fn march(&self) -> &March {
        &self.march
    }

    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

/// The index of a holder in tables by holder; `None` for [`Holder::Nobody`].
pub(super) fn holder_index(holder: Holder) -> Option<usize> {
    match holder {
        Holder::Nobody => None,
        Holder::Neutral => Some(NEUTRAL),
        Holder::Seat(seat) => Some(seat.index()),
    }
}

/// The turn and phase of the game, in words for people.
pub fn moment(board: &Board) -> String {
    match (&board.outcome, board.turn.number, board.turn.seat) {
        (None, 1.., Some(seat)) => format!("{}, {}", turn_named(board), board.colour(seat).word()),
        _ => turn_named(board),
    }
}

/// The turn in words, without the seat whose turn it is.
pub fn turn_named(board: &Board) -> String {
    match (&board.outcome, board.turn.number) {
        (Some(_), _) => "the game is over".to_string(),
        (None, 0) => "setup".to_string(),
        (None, number) => format!("turn {number}"),
    }
}
