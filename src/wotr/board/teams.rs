/*! Teams (17): who sits at the table, who acts for a side, and whose an Army is.

Only this file knows which player holds what. All other rules speak of sides and Nations, and ask here for the player.
With two players every answer is the only player of the side.
*/

use crate::board::Board;
use crate::board::place::Place;
use crate::board::row::{self, Items, Row};
use crate::card::EventDeck;
use crate::character::Character;
use crate::die::Face;
use crate::event::teams::Event;
use crate::event::{Cause, Move, battle, dice, politics};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::phase::Phase;
use crate::player::{Player, Seating};
use crate::region::{self, Region, Regions};
use crate::side::Side;
use crate::switches::Choice;
use engine::need::{Need, Question};
use engine::seat::Seat;
use engine::slot::Slot;

/// What a table of three or four players has in addition to that of two.
#[derive(Clone, Debug, PartialEq)]
pub struct Teams {
    pub(super) seating: Seating,
    /// 17.20: for each side, the place in the team of the player who has its next go.
    pub(super) next: [u8; 2],
    /// 17.32: for each side, the regions in which units of both team mates are one mixed Army.
    pub(super) mixed: [Regions; 2],
    /// 17.46: the captures of the Shadow that are credited to the second player of the team.
    pub(super) credit: Regions,
    /// 17.24: for each side, whether the second player of the team has used a Ring this turn.
    pub(super) second_ring: [bool; 2],
    /// 17.32: the player whose go it is has proposed to join Armies.
    pub(super) proposed: bool,
    /// 17.40: the items of the last action of the single FP player.
    pub(super) row: Row,
}

impl Teams {
    pub(super) fn of(seating: Seating) -> Teams {
        Teams {
            seating,
            next: [0; 2],
            mixed: [Regions::NONE; 2],
            credit: Regions::NONE,
            second_ring: [false; 2],
            proposed: false,
            row: Row::NONE,
        }
    }

    /// Whether any side has two players.
    pub fn any(&self) -> bool {
        self.seating != Seating::Two
    }
}

/// Who sits where, and who acts for a side.
impl Board {
    pub fn seating(&self) -> Seating {
        self.teams.seating
    }

    pub fn teams(&self) -> &Teams {
        &self.teams
    }

    /// A question to a player.
    pub fn asks(&self, player: Player, id: &'static str) -> Need {
        Need::Question(Question { seat: self.seating().seat(player), id })
    }

    /// The player on a seat.
    pub fn player(&self, seat: Seat) -> Option<Player> {
        self.seating().player(seat)
    }

    /// The side that a seat plays.
    pub fn side_of(&self, seat: Seat) -> Option<Side> {
        self.player(seat).map(Player::side)
    }

    /// 17.6: the Leading Player of a side: the first of the team in turn 1, then in turn.
    pub fn leading(&self, side: Side) -> Player {
        let team = self.seating().team(side);
        team[usize::from(self.turn.saturating_sub(1)) % team.len()]
    }

    /// The Leading Player's team mate, or he himself if he plays the side alone.
    pub fn following(&self, side: Side) -> Player {
        self.seating().mate(self.leading(side))
    }

    /// 17.20: the player who has the next go of a side, or has it now.
    pub fn next(&self, side: Side) -> Player {
        let team = self.seating().team(side);
        team[usize::from(self.teams.next[side.index()]) % team.len()]
    }

    /// 17.21, 17.47: the player who acts for a side: during a go the player whose go it is, also for the card that he
    /// plays in it; otherwise the Leading Player.
    pub fn acting(&self, side: Side) -> Player {
        let other_acts = self.dice.in_use.is_some_and(|in_use| in_use.side != side);
        if self.phase == Phase::Actions && !other_acts { self.next(side) } else { self.leading(side) }
    }

    /// Whether the Nation's own player acts for its side now (17.25).
    pub fn acts_for(&self, nation: Nation) -> bool {
        self.acting(nation.side()).plays(nation)
    }

    /// The player of a Nation.
    pub fn holder(&self, nation: Nation) -> Player {
        self.seating().holder(nation)
    }

    /// The player who holds the card on a slot, or has laid it.
    pub fn owner(&self, slot: Slot) -> Player {
        let deck = EventDeck::of_slot(slot);
        let team = self.seating().team(deck.side);
        team[usize::from(self.decks.piles[deck.index()].second.contains(position(slot))) % team.len()]
    }

    /// 6.21: whether Southron Elites can be leading figures: with more than two players always.
    pub fn southrons_lead(&self) -> bool {
        self.teams.any() || !self.switches.is_default(Choice::SouthronElitesLead)
    }

    /// 4.21, 17.24: whether the Ring that the player may use this turn has been used.
    pub fn ring_used(&self, player: Player) -> bool {
        let (side, second) = (player.side().index(), self.teams.second_ring[player.side().index()]);
        match (self.switches.is_default(Choice::RingsPerTurn), player.place()) {
            (true, _) => self.rings.used[side] || second,
            (false, 0) => self.rings.used[side],
            (false, _) => second,
        }
    }

    /// 17.32: whether the player whose go it is has proposed to join Armies in it.
    pub fn has_proposed(&self) -> bool {
        self.teams.proposed
    }

    /// 17.40: the items of the last action of the single FP player.
    pub fn row(&self) -> &Row {
        &self.teams.row
    }
}

/// The place of a slot in its deck of 24.
fn position(slot: Slot) -> u8 {
    u8::try_from(slot.position).expect("24 positions")
}

/// Winning (17.44 to 17.46).
impl Board {
    /// What ranks the players within a team. Shadow: the points of the Cities and Strongholds that the player's
    /// Nations captured, less the points of his own that were lost. Free Peoples: the points of his own that were
    /// lost; fewer are better.
    pub fn score(&self, player: Player) -> i32 {
        let points = |regions: Regions| -> i32 {
            regions.iter().filter_map(Region::settlement).map(|settlement| i32::from(settlement.points())).sum()
        };
        let own = player.nations().iter().fold(Regions::NONE, |all, nation| all | region::regions_of(*nation));
        let lost = points(own & region::settlements(player.side()) & self.captured);
        let taken = region::settlements(Side::Free) & self.captured;
        match player {
            Player::Free | Player::Gondor | Player::Rohan => lost,
            Player::Shadow => points(taken) - lost,
            Player::WitchKing => points(taken - self.teams.credit) - lost,
            Player::Saruman => points(taken & self.teams.credit) - lost,
        }
    }
}

/// Whose an Army is (17.32 to 17.39).
impl Board {
    /// The units of a player among the figures.
    pub fn units_of(&self, player: Player, figures: &Figures) -> u8 {
        player.nations().iter().map(|nation| figures.units_of(*nation)).sum()
    }

    /// Whether both players of the side have units among the figures.
    pub fn is_of_both(&self, side: Side, figures: &Figures) -> bool {
        let team = self.seating().team(side);
        team.len() > 1 && team.iter().all(|player| self.units_of(*player, figures) > 0)
    }

    /// 17.32: whether the side's units in the region are one mixed Army.
    pub fn is_mixed(&self, side: Side, region: Region) -> bool {
        self.teams.mixed[side.index()].contains(region)
    }

    /// The regions with a mixed Army of the side.
    pub fn mixed(&self, side: Side) -> Regions {
        self.teams.mixed[side.index()]
    }

    /// 17.36: the player with the most units, then with the most Elites; else the Leading Player.
    pub fn commander(&self, side: Side, figures: &Figures) -> Player {
        let [first, second] = self.seating().team(side) else { return self.seating().team(side)[0] };
        let elites =
            |player: &Player| player.nations().iter().map(|nation| figures.count(Figure::Elite(*nation))).sum::<u8>();
        let strength = |player: &Player| (self.units_of(*player, figures), elites(player));
        match strength(first).cmp(&strength(second)) {
            std::cmp::Ordering::Greater => *first,
            std::cmp::Ordering::Less => *second,
            std::cmp::Ordering::Equal => self.leading(side),
        }
    }

    /// 17.37: the player who controls those of the side's figures at a place that take hits, retreat or are struck.
    pub fn commander_at(&self, side: Side, place: Place) -> Player {
        if !self.seating().is_shared(side) {
            return self.seating().team(side)[0];
        }
        self.commander(side, &self.exposed(side, place))
    }

    /// 17.36, 17.37: the controlling player of a side in the battle.
    pub fn fighter(&self, side: Side) -> Player {
        if !self.seating().is_shared(side) {
            return self.seating().team(side)[0];
        }
        self.commander(side, &self.fighters(side))
    }

    /// 17.33: the separate Army of a player among the figures at a place: his units and Leaders. Nazgûl, the
    /// Witch-king and the Mouth of Sauron go with the Witch-king player if he has units there, otherwise with his
    /// team mate; Saruman with his own player. Companions go with either.
    fn separate(&self, player: Player, figures: &Figures) -> Figures {
        let mut own = figures.bound_only_by(|nation| player.plays(nation));
        let leads_nazgul = match player {
            Player::WitchKing => true,
            Player::Saruman => self.units_of(Player::WitchKing, figures) == 0,
            _ => return own,
        };
        if !leads_nazgul {
            own.take(Figure::Nazgul, own.nazgul());
        }
        for minion in [Character::WitchKing, Character::MouthOfSauron] {
            if own.has(minion) && !leads_nazgul {
                own.take(Figure::Character(minion), 1);
            }
        }
        if player == Player::WitchKing && own.has(Character::Saruman) {
            own.take(Figure::Character(Character::Saruman), 1);
        }
        own
    }

    /// The Army that the player who acts for the side may move from a place: his separate Army, or the mixed one that
    /// he controls (17.33, 17.37). Out of a mixed Army that his mate controls he may take his own (17.35).
    pub fn marchers(&self, side: Side, place: Place) -> Figures {
        let force = self.force_at(side, place);
        if !self.seating().is_shared(side) || !self.is_of_both(side, &force) {
            return self.alone(side, force);
        }
        let player = self.acting(side);
        let mixed = place.region().is_some_and(|region| self.is_mixed(side, region));
        if mixed && self.commander(side, &force) == player { force } else { self.separate(player, &force) }
    }

    /// The Army that the player who acts for the side may attack with from a place (17.33, 17.37).
    pub fn attackers(&self, side: Side, place: Place) -> Figures {
        let force = self.force_at(side, place);
        if !self.seating().is_shared(side) || !self.is_of_both(side, &force) {
            return self.alone(side, force);
        }
        let player = self.acting(side);
        match place.region().is_some_and(|region| self.is_mixed(side, region)) {
            true if self.commander(side, &force) == player => force,
            true => Figures::NONE,
            false => self.separate(player, &force),
        }
    }

    /// A force in which only one player has units is his Army, with every other figure there, even a Leader of his
    /// team mate.
    fn alone(&self, side: Side, force: Figures) -> Figures {
        let his = !self.seating().is_shared(side) || self.units_of(self.acting(side), &force) > 0;
        if his { force } else { Figures::NONE }
    }

    /// Why the player who acts has no Army to lead at a place where his side has one.
    pub fn not_his(&self, side: Side, place: Place, attacks: bool) -> Option<(&'static str, &'static str)> {
        let force = self.force_at(side, place);
        if !self.seating().is_shared(side) || force.units(side) == 0 {
            return None;
        }
        let (of_both, his) = (self.is_of_both(side, &force), self.units_of(self.acting(side), &force) > 0);
        let mixed = place.region().is_some_and(|region| self.is_mixed(side, region));
        if !his {
            return Some(("17.33", "the Army there is your team mate's"));
        }
        let led = of_both && mixed && attacks && self.commander(side, &force) != self.acting(side);
        led.then_some(("17.37", "your team mate controls the mixed Army there"))
    }

    /// Whether a rule for three or four players may bar a part of the force: the team mate would control it (17.38),
    /// or the single FP player acted on it before (17.40).
    pub fn may_bar_parts(&self, side: Side, force: &Figures) -> bool {
        if self.seating().is_shared(side) {
            self.is_of_both(side, force)
        } else {
            side == Side::Free && !self.row().last().is_empty()
        }
    }

    /// 17.38: whether the acting player would still control the part that he takes out of a mixed Army.
    pub fn keeps_control(&self, side: Side, part: &Figures) -> bool {
        !self.seating().is_shared(side) || self.commander(side, part) == self.acting(side)
    }
}

/// How the tables follow the figures.
impl Board {
    /// 17.32: the side's units in a region that is attacked are one Army from then on.
    pub(super) fn join(&mut self, side: Side, region: Region) {
        let place = self.entry(side, region);
        if self.is_of_both(side, self.at(place)) {
            self.teams.mixed[side.index()].insert(region);
        }
    }

    /// 17.35: a part of a mixed Army that has units of both players is mixed at its destination too. Where only one
    /// player or nobody has units left, the Army is no longer mixed.
    pub(super) fn carry_mixed(&mut self, figures: &Figures, from: Place, to: Place) {
        let seating = self.seating();
        for side in Side::BOTH.into_iter().filter(|side| seating.is_shared(*side)) {
            let whole = from.region().is_some_and(|region| self.is_mixed(side, region));
            if let Some(region) = to.region().filter(|_| whole && self.is_of_both(side, figures)) {
                self.teams.mixed[side.index()].insert(region);
            }
            for region in [from.region(), to.region()].into_iter().flatten() {
                let places = [Some(Place::Field(region)), region.is_stronghold().then_some(Place::Inside(region))];
                let stands = |place: Place| self.is_of_both(side, self.at(place));
                if !places.into_iter().flatten().any(stands) {
                    self.teams.mixed[side.index()].remove(region);
                }
            }
        }
    }
}

/// How goes, marks and items change.
impl Board {
    /// Makes the next go of the side this player's: for what he writes ahead, he acts, and no die is in use.
    pub fn foresee_go(&mut self, player: Player) {
        self.phase = Phase::Actions;
        self.dice.in_use = None;
        self.teams.next[player.side().index()] = u8::try_from(player.place()).expect("0 or 1");
    }

    pub(super) fn begin_team_turn(&mut self) {
        self.teams.second_ring = [false; 2];
        // 17.41: the row ends with the turn.
        self.teams.row = Row::NONE;
    }

    /// 17.20: in each team the player who does not lead has the first go.
    pub(super) fn begin_goes(&mut self) {
        for side in Side::BOTH {
            self.teams.next[side.index()] = u8::try_from(self.following(side).place()).expect("0 or 1");
        }
    }

    /// 17.22: acting or skipping moves the team's next go to the team mate; passing only with `mp.pass = loses_place`.
    pub(super) fn count_goes(&mut self, event: &dice::Event) {
        if !self.teams.any() {
            return;
        }
        match *event {
            dice::Event::Taken { in_use, .. } if in_use.side == Side::Free => self.teams.row.now = Items::NONE,
            dice::Event::PutAway(_) => {
                let side = self.dice.in_use.expect("a die is in use").side;
                if side == Side::Free {
                    self.teams.row.last = self.teams.row.now;
                    self.teams.row.now = Items::NONE;
                }
                self.hand_over(side);
            }
            dice::Event::Skipped { by, .. } => self.hand_over(by.side()),
            // 4.24: a Ring has changed the last die to an Eye, and the go is over.
            dice::Event::RingUsed { by, to: Face::Eye, .. } if self.dice.unused(by.side()) == 1 => {
                self.teams.proposed = false;
            }
            dice::Event::Passed { by } => {
                self.teams.proposed = false;
                if !self.switches.is_default(Choice::Pass) {
                    self.hand_over(by.side());
                }
            }
            _ => {}
        }
    }

    fn hand_over(&mut self, side: Side) {
        self.teams.proposed = false;
        if self.seating().is_shared(side) {
            self.teams.next[side.index()] ^= 1;
        }
    }

    /// Whether the items of the action that is being carried out are noted (17.40).
    fn counts_items(&self) -> bool {
        self.seating() == Seating::Three && self.dice.in_use.is_some_and(|in_use| in_use.side == Side::Free)
    }

    /// 17.40: notes Armies that moved, and figures that were recruited.
    pub(super) fn note_items(&mut self, moved: &Move) {
        if self.seating() != Seating::Three {
            return;
        }
        let Move { figures, from, to, cause } = *moved;
        self.teams.row.last.carry(&figures, from, to);
        self.teams.row.now.carry(&figures, from, to);
        if !self.counts_items() {
            return;
        }
        let own = figures.side(Side::Free);
        match cause {
            Cause::Marched if own.units(Side::Free) > 0 => self.teams.row.now.add_army(to, &own),
            Cause::Recruited | Cause::Replaced if from == Place::Reinforcements => {
                row::recruited(&own).for_each(|nation| self.teams.row.now.add_nation(nation));
            }
            _ => {}
        }
    }

    /// 17.40, 17.42: notes counters that advanced.
    pub(super) fn note_politics(&mut self, event: &politics::Event) {
        if !self.counts_items() {
            return;
        }
        if let politics::Event::Advanced { nation, .. } | politics::Event::WentToWar { nation } = event
            && nation.side() == Side::Free
        {
            self.teams.row.now.add_nation(*nation);
        }
    }

    /// 17.32: the attacked units become one Army; 17.40: an Army that attacks is an item.
    pub(super) fn evolve_fighters(&mut self, event: &battle::Event) {
        let battle::Event::Began(battle) = event else { return };
        if !self.teams.any() {
            return;
        }
        self.join(battle.defender(), battle.region);
        if battle.attacker == Side::Free && self.counts_items() {
            self.teams.row.now.add_army(battle.attackers_at(), &battle.part);
        }
    }

    pub(super) fn evolve_teams(&mut self, event: Event) {
        match event {
            Event::Proposed { .. } => self.teams.proposed = true,
            Event::Joined { side, region } => self.teams.mixed[side.index()].insert(region),
            Event::Declined { .. } | Event::KeptCards { .. } => {}
        }
    }
}
