/*! Chapter 12, and 14.1, 14.2: the end of the game, the points, the winner. */

use crate::Play;
use crate::board::Board;
use crate::event::{Event, RollOff};
use crate::lands::Lands;
use crate::reinforcements::for_regions;
use crate::side::Side;
use crate::step::Step;
use crate::switches::Variant;
use engine::outcome::Outcome;
use engine::seat::Seat;

/// What a player has at the end, in the order in which ties are broken (12.3, ▲30).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Standing {
    pub points: u32,
    pub territories: u32,
    pub strongholds: u32,
    pub card_points: u32,
}

impl Standing {
    /// 12.2: 1 per territory, 2 per stronghold, the values of cards, the bonus of every region.
    pub fn of(board: &Board, seat: Seat) -> Standing {
        let lands = board.lands(seat);
        let territories = lands.len();
        let strongholds = if board.is_standard() { 0 } else { lands.and(Lands::strongholds()).len() };
        let card_points = board.card_points(seat);
        let points = territories + 2 * strongholds + card_points + for_regions(board, seat);
        Standing { points, territories, strongholds, card_points }
    }

    fn plus(self, other: Standing) -> Standing {
        Standing {
            points: self.points + other.points,
            territories: self.territories + other.territories,
            strongholds: self.strongholds + other.strongholds,
            card_points: self.card_points + other.card_points,
        }
    }
}

/// 7.6: only one player, or one team, is left.
pub fn last_on_the_board(play: &mut Play, seat: Seat) {
    let board = play.board();
    match board.switches().variant {
        Variant::Team => end(play, team(board, board.side(seat)), "the other team has no battalions left"),
        // 14.1: the winner is the better player of the better team, and only one team is left.
        Variant::Alliance if board.playing().count() > 1 => decide_by_points(play, "the other team is out"),
        Variant::Individual | Variant::Alliance | Variant::Standard => {
            end(play, vec![seat], "nobody else has battalions left");
        }
    }
}

/// 11.3: the Ring is destroyed. 14.2: in Team Risk good wins.
pub fn ring_destroyed(play: &mut Play) {
    let board = play.board();
    match board.switches().variant {
        Variant::Team => end(play, team(board, Side::Good), "the Ring was destroyed"),
        Variant::Individual | Variant::Alliance | Variant::Standard => {
            decide_by_points(play, "the Ring was destroyed");
        }
    }
}

/// 14.3: an evil player has found the Ring.
pub fn ring_found(play: &mut Play) {
    let winners = team(play.board(), Side::Evil);
    end(play, winners, "the Ring was found");
}

/// The points and the tie-breakers decide; if all of them are equal, a die.
fn decide_by_points(play: &mut Play, reason: &str) {
    let best = best(play.board());
    match best.as_slice() {
        [winner] => end(play, vec![*winner], &format!("{reason}; {}", lead_words(play.board(), *winner))),
        _ => {
            play.stop();
            play.push(Step::RollOff { purpose: RollOff::Tie, among: best });
        }
    }
}

/// 12.3: the last tie was broken by a die.
pub fn tie_broken(play: &mut Play, winner: Seat) {
    let reason = format!("{}, the tie broken by a die", points_words(play.board()));
    end(play, vec![winner], &reason);
}

/// 12.3: the first count in which the winner leads, and the equal counts before it, in words.
fn lead_words(board: &Board, winner: Seat) -> &'static str {
    let own = Standing::of(board, winner);
    let rivals = board.playing().filter(|seat| *seat != winner).map(|seat| Standing::of(board, seat));
    match (board.switches().variant, rivals.max()) {
        (Variant::Alliance, _) => points_words(board),
        (_, Some(rival)) if rival.points < own.points => points_words(board),
        (_, Some(rival)) if rival.territories < own.territories => "even points, most territories",
        (_, Some(rival)) if rival.strongholds < own.strongholds => "even points and territories, most strongholds",
        (_, Some(_)) => "even points, territories and strongholds, most card points",
        (_, None) => points_words(board),
    }
}

fn points_words(board: &Board) -> &'static str {
    match board.switches().variant {
        Variant::Alliance => "the better player of the better team",
        Variant::Individual | Variant::Team | Variant::Standard => "most points",
    }
}

/// Who has won by points: several players if all tie-breakers are equal (12.3, 14.1).
fn best(board: &Board) -> Vec<Seat> {
    let standing = |seat: &Seat| Standing::of(board, *seat);
    let playing: Vec<Seat> = board.playing().collect();
    if board.switches().variant != Variant::Alliance {
        return highest(&playing, standing);
    }
    let total = |side: &Side| {
        let members = playing.iter().filter(|seat| board.side(**seat) == *side);
        members.fold(Standing::default(), |sum, seat| sum.plus(standing(seat)))
    };
    let there = |side: &Side| playing.iter().any(|seat| board.side(*seat) == *side);
    let sides: Vec<Side> = [Side::Good, Side::Evil].into_iter().filter(there).collect();
    let better = highest(&sides, total);
    better
        .into_iter()
        .flat_map(|side| {
            let members: Vec<Seat> = playing.iter().copied().filter(|seat| board.side(*seat) == side).collect();
            highest(&members, standing)
        })
        .collect()
}

/// All that have the highest standing.
fn highest<T: Copy>(all: &[T], standing: impl Fn(&T) -> Standing) -> Vec<T> {
    let most = all.iter().map(&standing).max();
    all.iter().copied().filter(|one| Some(standing(one)) == most).collect()
}

fn team(board: &Board, side: Side) -> Vec<Seat> {
    board.seats().filter(|seat| board.side(*seat) == side).collect()
}

fn end(play: &mut Play, winners: Vec<Seat>, reason: &str) {
    let board = play.board();
    let points = match board.switches().variant {
        // 14.2: there are no points in Team Risk, nor in Standard Risk.
        Variant::Team | Variant::Standard => Vec::new(),
        // 12.4: eliminated players have no score.
        Variant::Individual | Variant::Alliance => board
            .playing()
            .map(|seat| (seat, i32::try_from(Standing::of(board, seat).points).expect("points are few")))
            .collect(),
    };
    play.stop();
    play.tell(Event::GameEnded(Outcome { winners, reason: reason.to_string(), points }));
}
