/*! Chapter 4: the steps of a turn, strictly in order, and whose turn comes next. */

use crate::Play;
use crate::combat::{self, COMBAT};
use crate::event::{CardReason, Event};
use crate::phase::Phase;
use crate::step::Step;
use engine::seat::Seat;

/// The fence around steps 1 to 3.
const DEEDS: &str = "deeds";

/// A turn begins: effects that lasted until now end, and step 1 comes.
pub fn begin(play: &mut Play, seat: Seat) {
    // 4.2: effects "until the start of your next turn" end first; ▲9: also when an eliminated player's turn would
    // have come.
    let ended: Vec<_> = play.board().effects().iter().copied().filter(|effect| effect.until == seat).collect();
    for effect in ended {
        play.tell(Event::EffectEnded(effect));
    }
    if play.board().is_eliminated(seat) {
        // 4.3: eliminated players have no turn.
        let next = play.board().next_seat(seat);
        play.push(Step::BeginTurn(next));
        return;
    }
    let number = play.board().turn().number + 1;
    play.tell(Event::TurnBegan { seat, number });
    play.push(Step::ContinueTurn(Phase::Reinforce));
}

/// 4.1: the seven steps of a turn, eight in Team Risk (14.3), beginning with this one.
pub fn go_on(play: &mut Play, phase: Phase) {
    play.push(Step::EndTurn);
    if !play.board().is_standard() {
        play.then([Step::SeekRing, Step::MoveFellowship]);
    }
    if phase == Phase::Fellowship {
        return;
    }
    if !play.board().is_standard() {
        play.then([Step::CollectAdventureCard, Step::ReplaceLeader]);
    }
    play.push(Step::CollectTerritoryCards);
    if phase == Phase::Collect {
        return;
    }
    play.fence(DEEDS);
    play.push(Step::Fortify);
    if phase == Phase::Fortify {
        return;
    }
    play.fence(COMBAT);
    play.push(Step::Combat);
    if phase == Phase::Reinforce {
        play.push(Step::TurnStart);
    }
}

/// Goes straight to step 4.
pub fn end_deeds(play: &mut Play) {
    if play.agenda().is_fenced(DEEDS) {
        play.cut(DEEDS);
    }
    combat::call_off(play);
}

/// The next player's turn comes.
pub fn end(play: &mut Play) {
    let seat = play.board().active();
    if play.board().turn().extra_cards > 0 {
        // A Mission completed after step 4 gives its Territory card at the end of the turn.
        play.then([Step::DrawTerritoryCard { seat, reason: CardReason::Mission }, Step::EndTurn]);
        return;
    }
    let next = play.board().next_seat(seat);
    play.push(Step::BeginTurn(next));
}
