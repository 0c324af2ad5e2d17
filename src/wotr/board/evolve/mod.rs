//! How events change the board. Nothing else writes to it.

mod battle;
mod company;
mod hunt;

use crate::board::Board;
use crate::board::decks::{Pile, Positions};
use crate::board::place::Place;
use crate::card::EventDeck;
use crate::die::{Destination, Face};
use crate::event::{Cause, Event, Move, capture, cards, dice, event_cards, politics, turn};
use crate::figures::Figures;
use crate::phase::Phase;
use crate::player::Player;
use crate::side::Side;
use engine::slot::Slot;

impl Board {
    /// Changes the board by the event.
    pub fn evolve(&mut self, event: &Event) {
        match event {
            Event::Moved(moved) => self.carry(moved),
            Event::Turn(event) => self.evolve_turn(*event),
            Event::Dice(event) => self.evolve_dice(*event),
            Event::Cards(event) => self.evolve_cards(*event),
            // These change nothing themselves: other events do.
            Event::Effect(
                cards::Event::Rolled { .. }
                | cards::Event::Value { .. }
                | cards::Event::Drawn { .. }
                | cards::Event::Lured { .. }
                | cards::Event::DieSpared
                | cards::Event::Trapped { .. }
                | cards::Event::Idle { .. },
            ) => {}
            Event::Battle(event) => {
                battle::evolve(self, event);
                self.evolve_fighters(event);
            }
            Event::Capture(event) => self.evolve_capture(*event),
            Event::Politics(event) => self.evolve_politics(*event),
            Event::Fellowship(event) => company::evolve(self, event),
            Event::Hunt(event) => hunt::evolve(self, event),
            Event::Teams(event) => self.evolve_teams(*event),
            Event::Won(victory) => self.victory = Some(*victory),
        }
    }

    /// The figures at a place.
    pub(in crate::board) fn bag(&mut self, place: Place) -> &mut Figures {
        match place {
            Place::Field(region) => &mut self.field[region.index()],
            Place::Inside(region) => &mut self.inside[region.stronghold().expect("a Stronghold is besieged")],
            Place::Reinforcements => &mut self.reinforcements,
            Place::Casualties => &mut self.casualties,
            Place::Removed => &mut self.removed,
            Place::Aside => &mut self.aside,
            Place::Fellowship => &mut self.fellowship,
        }
    }

    /// Moves figures from one place to another, and updates the tables that depend on where they are.
    fn carry(&mut self, moved: &Move) {
        *self.bag(moved.from) -= moved.figures;
        *self.bag(moved.to) += moved.figures;
        self.count_armies(moved.from);
        self.count_armies(moved.to);
        for character in moved.figures.characters() {
            self.whereabouts[character.index()] = moved.to;
        }
        self.carry_attackers(moved);
        if self.teams.any() {
            self.carry_mixed(&moved.figures, moved.from, moved.to);
            self.note_items(moved);
        }
    }

    pub(in crate::board) fn count_armies(&mut self, place: Place) {
        if let Place::Field(region) = place {
            for side in Side::BOTH {
                let present = self.field[region.index()].units(side) > 0;
                self.armies[side.index()].set(region, present);
            }
        }
    }

    /// Updates the attacking part of a battle: it loses figures that leave, and gains a Regular that replaces an Elite.
    fn carry_attackers(&mut self, moved: &Move) {
        let Some(battle) = &mut self.battle else { return };
        if moved.from == battle.attackers_at() && battle.part.contains(&moved.figures) {
            battle.part -= moved.figures;
        }
        // If the attackers have landed, the defenders are at the same place, so the side is checked too.
        let own = moved.figures.side(battle.attacker) == moved.figures;
        if moved.to == battle.attackers_at() && moved.cause == Cause::Reduced && own {
            battle.part += moved.figures;
        }
    }

    fn evolve_turn(&mut self, event: turn::Event) {
        match event {
            turn::Event::Began { turn } => {
                self.turn = turn;
                self.phase = Phase::Recovery;
                // 3.2: noted before the dice come back.
                self.dice.hunted = self.dice.hunt_box[Side::Free.index()] > 0;
                // 3.4: once-per-turn marks are cleared.
                self.dice.messenger = false;
                self.rings.used = [false; 2];
                self.begin_team_turn();
                self.company.begin_turn();
            }
            turn::Event::PhaseBegan(phase) => {
                self.phase = phase;
                if phase == Phase::Actions {
                    self.begin_goes();
                }
            }
        }
    }

    fn evolve_dice(&mut self, event: dice::Event) {
        self.count_goes(&event);
        let dice = &mut self.dice;
        match event {
            dice::Event::Recovered { pools } => {
                dice.hunt_box = [0; 2];
                dice.unused = [[0; 7]; 2];
                dice.spent = pools;
            }
            dice::Event::Allotted { number } => {
                dice.spent[Side::Shadow.index()] -= number;
                dice.hunt_box[Side::Shadow.index()] += number;
            }
            dice::Event::Rolled { side, faces } => {
                let rolled: u8 = faces.iter().sum();
                dice.spent[side.index()] -= rolled;
                dice.unused[side.index()] = faces;
                // 3.15: every Eye goes into the Hunt Box at once.
                dice.unused[side.index()][Face::Eye.index()] = 0;
                dice.hunt_box[side.index()] += faces[Face::Eye.index()];
            }
            dice::Event::Taken { in_use, .. } => {
                dice.unused[in_use.side.index()][in_use.face.index()] -= 1;
                dice.in_use = Some(in_use);
                // 6.24: a Muster result used as an Army result uses up the Messenger.
                dice.messenger |= in_use.is_messenger();
            }
            dice::Event::PutAway(fate) => {
                let in_use = dice.in_use.take().expect("a die is in use");
                match fate {
                    Destination::SetAside => dice.spent[in_use.side.index()] += 1,
                    Destination::HuntBox => dice.hunt_box[in_use.side.index()] += 1,
                }
            }
            dice::Event::Skipped { by, face } => dice.spend(by.side(), face, 1),
            dice::Event::Quenched { side, face, number } => dice.spend(side, face, number),
            dice::Event::Turned { side, from, to } => {
                dice.unused[side.index()][from.index()] -= 1;
                dice.unused[side.index()][to.index()] += 1;
            }
            dice::Event::Passed { .. } => {}
            dice::Event::RingUsed { by, from, to } => {
                let side = by.side();
                dice.unused[side.index()][from.index()] -= 1;
                match to {
                    // 4.24: a die changed to an Eye goes to the Hunt Box at once.
                    Face::Eye => dice.hunt_box[side.index()] += 1,
                    _ => dice.unused[side.index()][to.index()] += 1,
                }
                self.give_ring(by);
            }
            dice::Event::RingGiven { by } => self.give_ring(by),
            dice::Event::MadeEye { side, face } => {
                dice.unused[side.index()][face.index()] -= 1;
                dice.hunt_box[side.index()] += 1;
            }
            dice::Event::Gained { dice: gained } => {
                for side in Side::BOTH {
                    dice.spent[side.index()] += gained[side.index()];
                }
            }
            dice::Event::EyeForced => {
                dice.spent[Side::Shadow.index()] -= 1;
                dice.hunt_box[Side::Shadow.index()] += 1;
            }
        }
    }

    fn give_ring(&mut self, by: Player) {
        let side = by.side();
        match by.place() {
            0 => self.rings.used[side.index()] = true,
            _ => self.teams.second_ring[side.index()] = true,
        }
        self.rings.held[side.index()] -= 1;
        // 4.25: a Ring used by the Free Peoples passes to the Shadow; one used by the Shadow is out of the game.
        if side == Side::Free {
            self.rings.held[Side::Shadow.index()] += 1;
        }
    }

    fn evolve_cards(&mut self, event: event_cards::Event) {
        match event {
            event_cards::Event::Drawn { slot, by } => {
                self.shift(slot, |pile| &mut pile.left, |pile| &mut pile.hand);
                self.hand_to(slot, by);
            }
            event_cards::Event::Swapped { first, second } => {
                let (one, other) = (self.owner(first), self.owner(second));
                self.hand_to(first, other);
                self.hand_to(second, one);
            }
            event_cards::Event::Discarded { slot, .. } => {
                self.shift(slot, |pile| &mut pile.hand, |pile| &mut pile.discards);
            }
            event_cards::Event::Laid { slot, .. } => {
                self.shift(slot, |pile| &mut pile.hand, |pile| &mut pile.laid);
            }
            event_cards::Event::TakenUp { slot, .. } => {
                let by = self.fighter(EventDeck::of_slot(slot).side);
                self.shift(slot, |pile| &mut pile.table, |pile| &mut pile.laid);
                self.hand_to(slot, by);
            }
            event_cards::Event::Shown { slot, card } => {
                let pile = &mut self.decks.piles[EventDeck::of_slot(slot).index()];
                pile.faces[usize::from(slot.position)] = Some(card);
            }
            event_cards::Event::Spent { slot } => {
                self.shift(slot, |pile| &mut pile.laid, |pile| &mut pile.discards);
            }
            // While the text of a card is carried out, the card is among the discards.
            event_cards::Event::Played { slot, card, .. } | event_cards::Event::GivenUp { slot, card, .. } => {
                self.decks.piles[EventDeck::of_slot(slot).index()].faces[usize::from(slot.position)] = Some(card);
                self.shift(slot, |pile| &mut pile.hand, |pile| &mut pile.discards);
            }
            event_cards::Event::Kept { slot, .. } => {
                self.shift(slot, |pile| &mut pile.discards, |pile| &mut pile.table);
            }
            event_cards::Event::Left { slot, .. } => {
                self.shift(slot, |pile| &mut pile.table, |pile| &mut pile.discards);
            }
        }
    }

    fn shift(&mut self, slot: Slot, from: fn(&mut Pile) -> &mut Positions, to: fn(&mut Pile) -> &mut Positions) {
        let pile = &mut self.decks.piles[EventDeck::of_slot(slot).index()];
        let bit = 1 << slot.position;
        assert!(from(pile).0 & bit != 0, "the card lies where it is taken from");
        from(pile).0 &= !bit;
        to(pile).0 |= bit;
        // Which team mate a card belongs to is noted only while it is in a hand or laid.
        pile.second.0 &= pile.hand.0 | pile.laid.0;
    }

    /// 17.9: the card is held by this player.
    fn hand_to(&mut self, slot: Slot, player: Player) {
        let pile = &mut self.decks.piles[EventDeck::of_slot(slot).index()];
        let bit = 1 << slot.position;
        pile.second.0 = if player.place() == 0 { pile.second.0 & !bit } else { pile.second.0 | bit };
        pile.seen[player.place()].0 |= bit;
    }

    fn evolve_capture(&mut self, event: capture::Event) {
        match event {
            capture::Event::Captured { region, by, credit } => {
                self.captured.set(region, region.side() != Some(by));
                self.teams.credit.set(region, by == Side::Shadow && credit.place() == 1);
            }
            capture::Event::SiegeBegan { region } => self.besieged.insert(region),
            capture::Event::SiegeEnded { region } => self.besieged.remove(region),
        }
    }

    fn evolve_politics(&mut self, event: politics::Event) {
        self.note_politics(&event);
        match event {
            politics::Event::Activated { nation } => self.politics.active[nation.index()] = true,
            politics::Event::Advanced { nation, left } | politics::Event::SetBack { nation, left } => {
                self.politics.steps[nation.index()] = left;
            }
            politics::Event::WentToWar { nation } => self.politics.steps[nation.index()] = 0,
        }
    }
}
