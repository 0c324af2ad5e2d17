//! How events change the board. Nothing else writes to it.

use crate::board::player::Status;
use crate::board::turn::{Invasion, March, Turn};
use crate::board::{Board, Holder, Holding, holder_index};
use crate::card::{self, Face};
use crate::event::{CardReason, Cause, Event, RollOff};
use crate::lands::Lands;
use crate::territory::Territory;
use crate::{ADVENTURE_DECK, TERRITORY_DECK};
use engine::seat::Seat;
use engine::slot::{Card, Slot};

/// Changes the board by the event.
pub fn evolve(board: &mut Board, event: &Event) {
    match event {
        Event::StockReceived { battalions } => {
            board.players.iter_mut().for_each(|player| player.stock = small(*battalions));
        }
        Event::TerritoryDealt { territory, holder, battalions } => {
            board.occupy(*territory, *holder, *battalions);
            if let Holder::Seat(seat) = holder {
                board.players[seat.index()].stock -= small(*battalions);
            }
        }
        Event::RolledOff { .. } => {}
        Event::FirstFound { purpose, seat } => board.begin_with(*purpose, *seat),
        Event::ClaimsPlanned { seat, claims, then } => {
            let setup = &mut board.players[seat.index()].setup;
            setup.claims = claims.clone();
            setup.then_claim = *then;
        }
        Event::TerritoryClaimed { seat, territory } => {
            board.occupy(*territory, Holder::Seat(*seat), 1);
            board.players[seat.index()].stock -= 1;
            board.turn.seat = Some(board.next_seat(*seat));
        }
        Event::PlacesPlanned { seat, places, then } => {
            let setup = &mut board.players[seat.index()].setup;
            setup.places = places.clone();
            setup.then_place = *then;
        }
        Event::BattalionPlaced { seat, territory } => {
            board.add(*territory, 1);
            let next = board.next_seat(*seat);
            board.players[seat.index()].place_one(*territory);
            board.turn.seat = Some(next);
        }
        Event::SetupTurnPassed => board.turn.seat = Some(board.next_seat(board.active())),
        Event::SecondLeaderPlanned { seat, territory } => {
            board.players[seat.index()].setup.second_leader = Some(*territory);
        }
        Event::LeaderPlaced { territory, .. } => board.holdings[territory.index()].leader = true,
        Event::TerritoryCardDrawn { seat, slot, reason } => {
            board.territory_deck.take(*slot);
            board.players[seat.index()].territory_cards.push(*slot);
            if *reason == CardReason::Mission {
                board.turn.extra_cards -= 1;
            }
        }
        Event::AdventureCardDrawn { seat, slot } => {
            board.adventure_deck.take(*slot);
            board.players[seat.index()].adventure_cards.push(*slot);
            board.turn.adventure_drawn = board.turn.number > 0;
        }
        Event::EventsReturned => {
            let cards = board.adventure_deck.len() + card::events().len();
            board.adventure_deck.masked(cards);
        }
        _ => evolve_turn(board, event),
    }
}

/// Chapters 4 to 7.
#[expect(clippy::too_many_lines, reason = "an arm for each event")]
fn evolve_turn(board: &mut Board, event: &Event) {
    match event {
        Event::TurnBegan { seat, .. } => {
            board.turn = Turn {
                number: board.turn.number + 1,
                seat: Some(*seat),
                first: board.turn.first,
                fortifications: 1,
                ..Turn::default()
            };
            board.march = March::default();
        }
        Event::EffectBegan(effect) => board.effects.push(*effect),
        Event::EffectEnded(effect) => board.effects.retain(|other| other != effect),
        Event::DefenceWished { seat, wish } => board.players[seat.index()].defence = *wish,
        Event::BattalionsAdded { territory, battalions, .. } => board.add(*territory, *battalions),
        Event::ReinforcementsCounted { territories, regions, .. } => board.turn.to_place += territories + regions,
        Event::SetTraded { seat, cards, set } => {
            for (slot, card) in cards {
                board.players[seat.index()].territory_cards.retain(|own| own != slot);
                board.territory_deck.discards.push(*card);
            }
            board.turn.to_place += set.battalions();
        }
        Event::ReinforcementsPlaced { territory, battalions } => {
            board.add(*territory, *battalions);
            board.turn.to_place -= battalions;
        }
        Event::InvasionNamed { source, target, route, .. } => {
            board.invasion = Some(Invasion {
                source: *source,
                target: *target,
                route: *route,
                stronghold_silenced: false,
                black_sails: false,
                answered: false,
                committed: None,
            });
        }
        Event::InvasionDeclared => {}
        Event::BattalionsLost { territory, battalions, .. } => board.lose(*territory, *battalions),
        Event::BattalionsCommitted(committed) => board.invading().committed = Some(*committed),
        Event::PlanLapsed => board.invading().answered = false,
        Event::BattleFought(battle) => {
            let Invasion { source, target, .. } = *board.invading();
            board.lose(source, battle.attackers_lost);
            // The last defender is removed by the conquest, so that no territory is ever empty.
            let left = board.battalions(target);
            board.lose(target, battle.defenders_lost.min(left - 1));
            board.invading().committed = None;
        }
        Event::SourceChanged { source, route, .. } => {
            let invasion = board.invading();
            invasion.source = *source;
            invasion.route = *route;
        }
        Event::InvasionEnded => board.invasion = None,
        Event::TerritoryConquered { seat, source, target, moved, .. } => {
            board.lose(*source, moved.battalions);
            board.holdings[source.index()].leader &= !moved.leader;
            // 7.3: a Leader of the loser goes back to his owner.
            board.occupy(*target, Holder::Seat(*seat), moved.battalions);
            board.holdings[target.index()].leader = moved.leader;
            board.turn.conquered = true;
            if moved.leader {
                board.turn.leaders_entered.insert(*target);
            }
            board.turn.site_conquered |= moved.leader && board.has_site(*target);
        }
        Event::BattalionsFollowed { source: from, target: to, moved }
        | Event::BattalionsMoved { from, to, moved, .. } => {
            board.lose(*from, moved.battalions);
            board.add(*to, moved.battalions);
            if moved.leader {
                board.carry_leader(*from, *to);
                board.turn.leaders_entered.insert(*to);
            }
            if matches!(event, Event::BattalionsMoved { cause: Cause::Fortification, .. }) {
                board.turn.fortifications -= 1;
            }
        }
        Event::PlayerEliminated { seat, by } => board.eliminate(*seat, *by),
        _ => evolve_cards(board, event),
    }
}

/// Chapters 8 to 12.
fn evolve_cards(board: &mut Board, event: &Event) {
    match event {
        Event::CardDiscarded { seat, slot, card } => board.discard(*seat, *slot, *card),
        Event::PowerPlayed { seat, slot, power } => {
            let player = &mut board.players[seat.index()];
            player.adventure_cards.retain(|own| own != slot);
            player.powers.push((*slot, *power));
            let attacker = board.turn.seat;
            if let Some(invasion) = &mut board.invasion {
                invasion.answered |= attacker != Some(*seat);
            }
        }
        Event::MissionCompleted { seat, slot, mission } => {
            let player = &mut board.players[seat.index()];
            player.adventure_cards.retain(|own| own != slot);
            player.missions.push((*slot, *mission));
        }
        Event::ExtraCardEarned { .. } => board.turn.extra_cards += 1,
        Event::ExtraCardForgone => board.turn.extra_cards -= 1,
        Event::EventHappened { slot, event, .. } => {
            board.adventure_deck.take(*slot);
            board.adventure_deck.discards.push(Face::Event(*event).card());
        }
        Event::TerritoryRevealed { slot, .. } => board.territory_deck.take(*slot),
        Event::RevealedDiscarded { cards } => board.territory_deck.discards.extend(cards),
        Event::UprisingKept { seat, slot } => {
            board.territory_deck.take(*slot);
            board.players[seat.index()].uprising.push(*slot);
        }
        Event::UprisingShown { seat, slot, card } => {
            board.players[seat.index()].uprising.retain(|own| own != slot);
            board.territory_deck.discards.push(*card);
        }
        Event::BattalionsConverted { from, to, battalions, .. } => {
            board.lose(*from, *battalions);
            board.add(*to, *battalions);
        }
        Event::StrongholdSilenced => board.invading().stronghold_silenced = true,
        Event::BlackSailsHoisted => board.invading().black_sails = true,
        Event::FortificationsAdded { moves } => board.turn.fortifications += moves,
        Event::CommittedDestroyed { source, battalions, .. } => {
            board.lose(*source, *battalions);
            board.invading().committed = None;
        }
        Event::LeaderCarried { from, to, .. } => board.carry_leader(*from, *to),
        Event::DeckReshuffled { deck } => {
            let pile = match *deck {
                TERRITORY_DECK => &mut board.territory_deck,
                ADVENTURE_DECK => &mut board.adventure_deck,
                _ => unreachable!("there are two decks"),
            };
            pile.masked(pile.discards.len());
            pile.discards.clear();
        }
        Event::FellowshipGated => board.march.gated = true,
        Event::FellowshipRolled { roll } => board.march.roll = Some(*roll),
        Event::FellowshipRollChanged { by } => board.march.modifier += by,
        Event::FellowshipHeld => board.march.held = true,
        Event::FellowshipMoved { step } => board.ring = *step,
        Event::FellowshipStayed { .. } | Event::FinalRollMade { .. } | Event::RingSought { .. } => {}
        Event::GameEnded(outcome) => {
            board.invasion = None;
            board.outcome = Some(outcome.clone());
        }
        _ => unreachable!("every event is told in one of the three chapters"),
    }
}

impl Board {
    fn begin_with(&mut self, purpose: RollOff, seat: Seat) {
        match purpose {
            RollOff::Claim | RollOff::Turn => {
                self.turn.seat = Some(seat);
                self.turn.first = Some(seat);
            }
            RollOff::Last | RollOff::Tie => unreachable!("nobody begins by this roll"),
        }
    }

    pub(crate) fn occupy(&mut self, territory: Territory, holder: Holder, battalions: u32) {
        if let Some(loser) = holder_index(self.holder(territory)) {
            self.lands[loser].remove(territory);
        }
        self.lands[holder_index(holder).expect("somebody occupies it")].insert(territory);
        self.holdings[territory.index()] = Holding { holder, battalions: small(battalions), leader: false };
    }

    fn add(&mut self, territory: Territory, battalions: u32) {
        self.holdings[territory.index()].battalions += small(battalions);
    }

    fn lose(&mut self, territory: Territory, battalions: u32) {
        let holding = &mut self.holdings[territory.index()];
        holding.battalions -= small(battalions);
        assert!(holding.battalions > 0, "a territory never stands empty (1.2)");
    }

    fn carry_leader(&mut self, from: Territory, to: Territory) {
        self.holdings[from.index()].leader = false;
        self.holdings[to.index()].leader = true;
    }

    fn invading(&mut self) -> &mut Invasion {
        self.invasion.as_mut().expect("an invasion is going on")
    }

    /// 7.4: his Territory cards go to the eliminator, and the cards in front of him are discarded. His hand is
    /// discarded card by card afterwards.
    fn eliminate(&mut self, seat: Seat, by: Seat) {
        assert_eq!(self.lands(seat), Lands::NONE, "only a player without battalions is eliminated");
        let loser = &mut self.players[seat.index()];
        loser.status = Status::Eliminated;
        let mut cards = std::mem::take(&mut loser.territory_cards);
        let missions = std::mem::take(&mut loser.missions);
        let powers = std::mem::take(&mut loser.powers);
        self.players[by.index()].territory_cards.append(&mut cards);
        let missions = missions.into_iter().map(|(_, mission)| Face::Mission(mission).card());
        let powers = powers.into_iter().map(|(_, power)| Face::Power(power).card());
        self.adventure_deck.discards.extend(missions.chain(powers));
    }

    fn discard(&mut self, seat: Seat, slot: Slot, card: Card) {
        let player = &mut self.players[seat.index()];
        player.adventure_cards.retain(|own| *own != slot);
        player.uprising.retain(|own| *own != slot);
        match Face::of(card) {
            Face::Territory(_) | Face::Wild(_) => self.territory_deck.discards.push(card),
            Face::Mission(_) | Face::Event(_) | Face::Power(_) => self.adventure_deck.discards.push(card),
        }
    }
}

fn small(battalions: u32) -> u16 {
    u16::try_from(battalions).expect("fewer than 65,536 battalions stand anywhere")
}
