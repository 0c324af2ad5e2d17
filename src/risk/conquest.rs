/*! Chapter 7: moving in, Leaders removed, players eliminated, and the end of the game by elimination. */

use crate::board::turn::Committed;
use crate::board::{Board, Holder};
use crate::card;
use crate::cards::events;
use crate::event::Event;
use crate::reinforcements::must_trade;
use crate::score;
use crate::step::Step;
use crate::territory::Territory;
use crate::{Play, TERRITORY_DECK};
use engine::menu::policy::BOUNDS;
use engine::menu::{Ask, Menu};
use engine::need::{Need, Question, Show};
use engine::seat::Seat;
use engine::slot::{Card, Slot};

/// 7.1 and 7.2: the battalions that survived the last battle move in, with the Leader if he took part.
pub fn conquer(play: &mut Play, moved: Committed) {
    let invasion = *play.board().invasion().expect("an invasion is going on");
    let (source, target, seat) = (invasion.source, invasion.target, play.board().active());
    let loser = play.board().holder(target);
    play.tell(Event::TerritoryConquered { seat, source, target, loser, moved });
    play.tell(Event::InvasionEnded);
    let advance = Step::Advance { source, target, moved: moved.battalions };
    match loser {
        // 7.4: a player without battalions is eliminated at once; 7.5 comes when the conquest is complete.
        Holder::Seat(loser) if play.board().lands(loser).is_empty() => {
            play.then([Step::Eliminate { seat: loser, by: seat }, advance, Step::TradeDown]);
        }
        Holder::Seat(_) | Holder::Neutral | Holder::Nobody => play.push(advance),
    }
    events::control_gained(play, seat);
}

/// Whether any further battalions can follow (7.1).
pub fn may_advance(board: &Board, source: Territory) -> bool {
    board.battalions(source) > 1
}

/// `advance N [and leader]`: how many move in altogether, including those that fought, which are there already (7.1,
/// 7.2).
pub fn advance_menu(
    board: &Board,
    (source, target): (Territory, Territory),
    moved: u32,
    menu: &mut Menu<'_>,
) -> Ask<Vec<Step>> {
    let most = moved + board.battalions(source) - 1;
    let battalions = match menu.silently(stay_behind)? {
        Some(stay) => {
            menu.comes_to("advance");
            let all = (most + 1).saturating_sub(stay).clamp(moved, most);
            menu.comes_to_number(all);
            all - moved
        }
        None => {
            menu.word_or_policy("advance", BOUNDS)?;
            menu.number("battalions", moved..=most, "7.1")? - moved
        }
    };
    // ▲20: a Leader who did not fight may come along with further battalions, and has not conquered. After a battle
    // fought by a Leader the source has none, because two of one owner are never in one territory.
    let leader = board.holding(source).leader && battalions > 0 && menu.maybe("and leader|with leader")?;
    Ok(vec![Step::Follow { source, target, moved: Committed { battalions, leader } }])
}

/// `advance all but 3`, `until 3 left`: how many battalions stay behind, if the sentence says so.
fn stay_behind(menu: &mut Menu<'_>) -> Ask<Option<u32>> {
    for (words, after) in [("advance all but", ""), ("all but", ""), ("until", "left"), ("advance until", "left")] {
        if menu.comes_next(words) {
            menu.word(words)?;
            let stay = menu.number("battalions", 1..=99, "7.1")?;
            if !after.is_empty() {
                menu.word(after)?;
            }
            return Ok(Some(stay));
        }
    }
    Ok(None)
}

pub fn follow(play: &mut Play, source: Territory, target: Territory, moved: Committed) {
    if moved.battalions > 0 {
        play.tell(Event::BattalionsFollowed { source, target, moved });
    }
}

/// 7.4: the eliminator takes his Territory cards, all his Adventure cards are discarded. 7.6: the last player or team
/// wins at once.
pub fn eliminate(play: &mut Play, seat: Seat, by: Seat) {
    play.tell(Event::PlayerEliminated { seat, by });
    let board = play.board();
    let over = board.playing().all(|other| other == by || board.are_allies(by, other));
    if over {
        score::last_on_the_board(play, by);
        return;
    }
    play.push(Step::DiscardHand(seat));
}

/// The next hidden card of an eliminated player must be shown as it is discarded.
pub fn need_hidden_card(board: &Board, seat: Seat) -> Option<Need> {
    let slot = next_hidden_card(board, seat)?;
    let among = if slot.deck == TERRITORY_DECK {
        card::territory_deck()
    } else {
        let mut cards = card::missions_and_powers();
        cards.dedup();
        cards
    };
    Some(Need::Show(Show { slot, among }))
}

/// Discards the card that was shown, and goes on with the next.
pub fn discard_hidden_card(play: &mut Play, seat: Seat, shown: Option<Card>) {
    let slot = next_hidden_card(play.board(), seat).expect("a hidden card is left");
    // A host who shows nothing here makes a false claim, which is found when the masks are opened. The game goes on
    // all the same: the cards stay out of it.
    if let Some(card) = shown {
        play.tell(Event::CardDiscarded { seat, slot, card });
        play.push(Step::DiscardHand(seat));
    }
}

fn next_hidden_card(board: &Board, seat: Seat) -> Option<Slot> {
    let player = board.player(seat);
    player.adventure_cards.first().copied().or(player.uprising.first().copied())
}

/// The question to an eliminator who holds too many cards (7.5).
pub fn need_trade_down(board: &Board) -> Option<Need> {
    let seat = board.active();
    let asked = must_trade(board, seat) || board.turn().to_place > 0;
    asked.then_some(Need::Question(Question { seat, id: "trade-down" }))
}
