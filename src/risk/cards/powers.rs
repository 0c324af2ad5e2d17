//! The 22 Powers: what each does when it is played, and the menus of those played in the player's own turn (8.4, 8.6).

use crate::board::turn::Committed;
use crate::board::{Board, Effect, EffectKind};
use crate::card::Power;
use crate::cards::held::Held;
use crate::cards::{CardStep, Choice};
use crate::event::{Cause, Event};
use crate::step::Step;
use crate::territory::{Bridge, Territory};
use crate::{Play, fellowship};
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::refusal::{Allowed, allowed_if, barred};
use engine::seat::Seat;
use engine::slot::Slot;

/// The most battalions that Gríma Wormtongue converts.
const CONVERTED_MAX: u32 = 2;

/// The Power leaves the hand, stays face up for its points (8.1), and takes effect.
pub fn play(play: &mut Play, seat: Seat, slot: Slot, power: Power, choice: Choice) {
    play.tell(Event::PowerPlayed { seat, slot, power });
    match (power, choice) {
        (Power::GrimaWormtongue, _) => convert(play, seat),
        (Power::CourageAloneWillNotSaveYou, _) => {
            let territory = invasion(play).target;
            add(play, territory, 4, power);
        }
        (Power::YouShallNotPass, Choice::Bridge(bridge)) => {
            let effect = Effect { kind: EffectKind::BridgeBlocked(bridge), until: seat };
            play.tell(Event::EffectBegan(effect));
        }
        (Power::Ambush, _) => {
            let territory = invasion(play).source;
            add(play, territory, 3, power);
        }
        // 8.6: only the die bonus goes; the stronghold's battalion and points stay.
        (Power::TheEnemyIsAtHand | Power::SiegeMachines, _) => play.tell(Event::StrongholdSilenced),
        (Power::MoveByNight, _) => play.tell(Event::FortificationsAdded { moves: 3 }),
        // The route has been named with the invasion (6.3 point 3).
        (Power::TheWayIsUnderTheMountains, _) => {}
        (Power::ViolentStorms, _) => destroy(play),
        (Power::BorneToAnotherPlace, Choice::Carry { from, to }) => play.tell(Event::LeaderCarried { seat, from, to }),
        (Power::HuntForTheRingbearer, _) => hunt(play, seat),
        (Power::StrategicWithdrawal, Choice::Withdraw { to, leader }) => withdraw(play, seat, to, leader),
        (Power::BlackSails, _) => play.tell(Event::BlackSailsHoisted),
        (Power::ABalrogIsCome | Power::BoromirTriesToSeizeTheOneRing, _) => play.tell(Event::FellowshipHeld),
        (Power::KnifeInTheDark | Power::DangerousCrossing | Power::Gollum, _) => play.tell(Event::FellowshipGated),
        (Power::FaramirFindsTheRingbearer, Choice::Roll(by)) => play.tell(Event::FellowshipRollChanged { by }),
        (Power::CapturedByOrcs, _) => play.tell(Event::FellowshipRollChanged { by: -1 }),
        (Power::ShelobsLair, _) => play.tell(Event::FellowshipRollChanged { by: -2 }),
        (Power::Smeagol, _) => play.tell(Event::FellowshipRollChanged { by: 2 }),
        (
            Power::YouShallNotPass
            | Power::BorneToAnotherPlace
            | Power::StrategicWithdrawal
            | Power::FaramirFindsTheRingbearer,
            _,
        ) => unreachable!("{power:?} is played with its choice, not {choice:?}"),
    }
}

fn invasion(play: &Play) -> crate::board::turn::Invasion {
    *play.board().invasion().expect("the card is played in an invasion")
}

fn add(play: &mut Play, territory: Territory, battalions: u32, power: Power) {
    play.tell(Event::BattalionsAdded { territory, battalions, cause: Cause::Power(power) });
}

/// 8.6: min(2, defenders − 1) change colour and join the source. They can fight at once.
fn convert(play: &mut Play, seat: Seat) {
    let invasion = invasion(play);
    let battalions = CONVERTED_MAX.min(play.board().battalions(invasion.target) - 1);
    play.tell(Event::BattalionsConverted { seat, from: invasion.target, to: invasion.source, battalions });
}

/// All committed battalions are lost without a roll. 8.6: their Leader returns to the source.
fn destroy(play: &mut Play) {
    let attacker = play.board().active();
    let invasion = invasion(play);
    let battalions = invasion.committed.expect("battalions are committed to the battle").battalions;
    play.tell(Event::CommittedDestroyed { seat: attacker, source: invasion.source, battalions });
}

/// 4 battalions in the territory of the Fellowship, if the player controls it; otherwise the Ring moves one step
/// without a roll.
fn hunt(play: &mut Play, seat: Seat) {
    let territory = play.board().ring();
    if play.board().controls(seat, territory) {
        add(play, territory, 4, Power::HuntForTheRingbearer);
    } else {
        fellowship::advance(play);
    }
}

/// All battalions but one go back; the Leader may go along (8.6).
fn withdraw(play: &mut Play, seat: Seat, to: Territory, leader: bool) {
    let from = invasion(play).target;
    let moved = Committed { battalions: play.board().battalions(from) - 1, leader };
    play.tell(Event::BattalionsMoved { seat, from, to, moved, cause: Cause::Power(Power::StrategicWithdrawal) });
}

/// The choice that follows the name of a Power played in the player's own turn.
pub fn own_turn_choice(board: &Board, seat: Seat, power: Power, menu: &mut Menu<'_>) -> Ask<Choice> {
    match power {
        Power::YouShallNotPass => {
            menu.word("on")?;
            Ok(Choice::Bridge(menu.pick("bridge", &Bridge::ALL, |bridge| bridge_allowed(board, seat, bridge))?))
        }
        Power::BorneToAnotherPlace => {
            menu.word("from")?;
            let from = menu.pick("leader", &Territory::ALL, |from| bearable(board, seat, from))?;
            menu.word("to")?;
            let to = menu.pick("territory", &Territory::ALL, |to| room_for_leader(board, seat, to))?;
            Ok(Choice::Carry { from, to })
        }
        _ => Ok(Choice::Nothing),
    }
}

/// Whether the Power, played by the active player, would have an effect now (▲24).
pub fn works_at_turn_start(board: &Board, seat: Seat, power: Power) -> Allowed {
    match power {
        Power::YouShallNotPass => allowed_if(
            Bridge::ALL.into_iter().any(|bridge| bridge_allowed(board, seat, bridge).is_ok()),
            "▲24",
            || "you have blocked every bridge already".to_string(),
        ),
        Power::BorneToAnotherPlace => {
            let room = board.lands(seat).iter().any(|to| room_for_leader(board, seat, to).is_ok());
            let leader = board.leaders(seat).next().is_some();
            allowed_if(leader && room, "▲24", || "no Leader of yours can be borne anywhere".to_string())
        }
        // 8.6: at Mount Doom the Fellowship has nowhere to go.
        Power::HuntForTheRingbearer => {
            allowed_if(!board.ring_at_mount_doom() || board.controls(seat, board.ring()), "8.6", || {
                "the Fellowship is at Mount Doom, which you do not control".to_string()
            })
        }
        _ => Ok(()),
    }
}

fn bridge_allowed(board: &Board, seat: Seat, bridge: Bridge) -> Allowed {
    let own = Effect { kind: EffectKind::BridgeBlocked(bridge), until: seat };
    allowed_if(!board.effects().contains(&own), "▲24", || "you have blocked this bridge already".to_string())
}

fn bearable(board: &Board, seat: Seat, from: Territory) -> Allowed {
    let leader = board.controls(seat, from) && board.holding(from).leader;
    allowed_if(leader, "8.6", || format!("no Leader of yours is in {}", from.name().title()))
}

/// 1.4: two Leaders of one owner are never in the same territory.
fn room_for_leader(board: &Board, seat: Seat, to: Territory) -> Allowed {
    if !board.controls(seat, to) {
        return barred("8.6", format!("you do not control {}", to.name().title()));
    }
    allowed_if(!board.holding(to).leader, "1.4", || format!("a Leader of yours is in {} already", to.name().title()))
}

/// The step that plays a card, which the sentence shows.
pub fn played(menu: &mut Menu<'_>, seat: Seat, card: Held, choice: Choice) -> Step {
    menu.show(card.slot, card.face.card());
    let power = card.power().expect("only Powers are played");
    Step::Card(CardStep::Play { seat, slot: card.slot, power, choice })
}
