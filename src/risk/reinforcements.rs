/*! Chapter 5, step 1: battalions for strongholds, territories, regions and card sets, and where they go. */

use crate::Play;
use crate::board::Board;
use crate::card::{self, Face};
use crate::event::{Cause, Event};
use crate::lands::Lands;
use crate::own_turn::{self, Deed};
use crate::step::Step;
use crate::territory::{Region, Symbol, Territory};
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::refusal::{Allowed, allowed_if, barred};
use engine::seat::Seat;
use engine::slot::{Card, Faces, Slot};

/// The most Territory cards that a player may keep; with more, sets must be traded (5.5).
pub const CARDS_MAX: usize = 4;

/// What three Territory cards can be traded as (5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    ThreeArchers,
    ThreeRiders,
    ThreeEagles,
    OneOfEach,
}

/// Three Territory cards to be traded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trade {
    pub cards: [(Slot, Card); 3],
    pub set: Set,
}

impl Set {
    /// The most valuable first.
    const ALL: [Set; 4] = [Set::OneOfEach, Set::ThreeEagles, Set::ThreeRiders, Set::ThreeArchers];

    /// 5.4: three archers 4, three riders 6, three eagles 8, one of each 10.
    pub fn battalions(self) -> u32 {
        match self {
            Set::ThreeArchers => 4,
            Set::ThreeRiders => 6,
            Set::ThreeEagles => 8,
            Set::OneOfEach => 10,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Set::ThreeArchers => "three-archers",
            Set::ThreeRiders => "three-riders",
            Set::ThreeEagles => "three-eagles",
            Set::OneOfEach => "one-of-each",
        }
    }

    /// Whether these cards, at most three, can be part of the same set; a wild counts as any symbol (5.4).
    fn takes(self, cards: &[Face]) -> bool {
        let symbols = || cards.iter().filter_map(|card| card::symbol(*card));
        match self {
            Set::ThreeArchers => symbols().all(|symbol| symbol == Symbol::Archer),
            Set::ThreeRiders => symbols().all(|symbol| symbol == Symbol::Rider),
            Set::ThreeEagles => symbols().all(|symbol| symbol == Symbol::Eagle),
            Set::OneOfEach => [Symbol::Archer, Symbol::Rider, Symbol::Eagle]
                .iter()
                .all(|wanted| symbols().filter(|symbol| symbol == wanted).count() <= 1),
        }
    }
}

/// 5.2: territories ÷ 3, rounded down, at least 3.
pub fn for_territories(territories: u32) -> u32 {
    (territories / 3).max(3)
}

/// 5.3: the bonus of every region that the seat controls.
pub fn for_regions(board: &Board, seat: Seat) -> u32 {
    Region::ALL.iter().filter(|region| board.controls_region(seat, **region)).map(|region| region.bonus()).sum()
}

/// 5.1 to 5.3: battalions for strongholds, then those for territories and regions.
pub fn count(play: &mut Play) {
    let seat = play.board().active();
    let lands = play.board().lands(seat);
    if !play.board().is_standard() {
        for territory in lands.and(Lands::strongholds()).iter() {
            play.tell(Event::BattalionsAdded { territory, battalions: 1, cause: Cause::Stronghold });
        }
    }
    let territories = for_territories(lands.len());
    let regions = for_regions(play.board(), seat);
    play.tell(Event::ReinforcementsCounted { seat, territories, regions });
}

/// How many battalions are to be placed, whether they have been counted yet or not.
pub fn to_place(board: &Board, step: &Step) -> u32 {
    match step {
        Step::TurnStart => {
            let seat = board.active();
            for_territories(board.lands(seat).len()) + for_regions(board, seat)
        }
        _ => board.turn().to_place,
    }
}

/// 5.5: with 5 or more Territory cards you must trade.
pub fn must_trade(board: &Board, seat: Seat) -> bool {
    board.territory_cards(seat).len() > CARDS_MAX
}

/// The question of step 1. While it is [`Step::TurnStart`], turn start cards may be played; any other sentence closes
/// that window (4.2).
pub fn menu(board: &Board, step: &Step, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let seat = board.active();
    let held = known_cards(board, seat, faces);
    let opening = *step == Step::TurnStart;
    let ways = [
        ("place", Deed::Place),
        ("trade", Deed::Trade),
        ("play", Deed::PlayAtTurnStart),
        ("complete", Deed::Complete),
        own_turn::ASK_ME,
        own_turn::DO_NOT_ASK_ME,
    ];
    let allowed = |deed: Deed| match deed {
        Deed::Place if must_trade(board, seat) => {
            barred("5.5", "with 5 or more Territory cards you must trade a set first")
        }
        Deed::Trade => allowed_if(has_set(&held), "5.4", || "you hold no set of three Territory cards".to_string()),
        Deed::PlayAtTurnStart if !opening => barred("4.2", "the start of your turn is over"),
        other => own_turn::allowed(board, other, faces),
    };
    let deed = menu.branch(&ways, allowed)?;
    let mut steps = match deed {
        Deed::Place => vec![Step::PlaceReinforcements(places(board, to_place(board, step), menu)?)],
        Deed::Trade => vec![Step::TradeSet(trade(&held, menu)?)],
        other => {
            let mut steps = own_turn::said(board, other, faces, menu)?;
            steps.push(step.clone());
            return Ok(steps);
        }
    };
    if opening {
        steps.insert(0, Step::CountReinforcements);
    }
    steps.push(Step::Reinforce);
    Ok(steps)
}

/// 7.5: after an elimination the player only trades sets, then places the battalions they gave.
pub fn trade_down_menu(board: &Board, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let seat = board.active();
    let step = if must_trade(board, seat) {
        menu.word("trade")?;
        Step::TradeSet(trade(&known_cards(board, seat, faces), menu)?)
    } else {
        menu.word("place")?;
        Step::PlaceReinforcements(places(board, board.turn().to_place, menu)?)
    };
    Ok(vec![step, Step::TradeDown])
}

/// A split of battalions over the player's own territories (5.7).
fn places(board: &Board, total: u32, menu: &mut Menu<'_>) -> Ask<Vec<(u32, Territory)>> {
    let seat = board.active();
    menu.split("territory", total, &Territory::ALL, "5.7", |territory| {
        allowed_if(board.controls(seat, territory), "5.7", || {
            format!("you do not control {}", territory.name().title())
        })
    })
}

/// Three cards that make a set, and which set.
fn trade(held: &[(Slot, Face)], menu: &mut Menu<'_>) -> Ask<Trade> {
    let faces: Vec<Face> = held.iter().map(|(_, face)| *face).collect();
    let mut chosen: Vec<Face> = Vec::new();
    for place in 0..3 {
        if place > 0 {
            menu.comma()?;
        }
        let card = menu.choose("card", &faces, |face| completes(&faces, &chosen, face))?;
        chosen.push(card);
    }
    let possible = |set: Set| allowed_if(set.takes(&chosen), "5.4", || "these cards do not make that set".to_string());
    let best = Set::ALL.into_iter().find(|set| set.takes(&chosen)).expect("the third card completes a set");
    // Several sets are possible only with two wilds; only then may the sentence name one.
    let other = Set::ALL.into_iter().any(|set| set != best && set.takes(&chosen));
    let mut ways = Set::ALL.map(|set| (as_set(set), set)).to_vec();
    ways.push(("", best));
    let set = if other { menu.branch(&ways, possible)? } else { best };
    let cards = [0, 1, 2].map(|index: usize| {
        let face = chosen[index];
        let (slot, _) = held.iter().find(|(_, own)| *own == face).expect("a card is chosen from those held");
        (*slot, face.card())
    });
    cards.iter().for_each(|(slot, card)| menu.show(*slot, *card));
    Ok(Trade { cards, set })
}

fn as_set(set: Set) -> &'static str {
    match set {
        Set::ThreeArchers => "as three-archers",
        Set::ThreeRiders => "as three-riders",
        Set::ThreeEagles => "as three-eagles",
        Set::OneOfEach => "as one-of-each",
    }
}

/// Whether some set of the cards held contains the chosen ones and this one.
fn completes(held: &[Face], chosen: &[Face], face: Face) -> Allowed {
    if chosen.contains(&face) {
        return barred("5.4", format!("{} is named twice", face.name().title()));
    }
    let mut cards = [face; 3];
    cards[..chosen.len()].copy_from_slice(chosen);
    cards[chosen.len()] = face;
    let count = chosen.len() + 1;
    let rest = || held.iter().filter(|other| !cards[..count].contains(other));
    let possible = Set::ALL.iter().any(|set| match count {
        3 => set.takes(&cards),
        2 => rest().any(|third| set.takes(&[cards[0], cards[1], *third])),
        _ => rest().any(|second| rest().any(|third| third != second && set.takes(&[cards[0], *second, *third]))),
    });
    allowed_if(possible, "5.4", || "that makes no set of three alike or one of each".to_string())
}

/// Whether any three of these make a set.
fn has_set(held: &[(Slot, Face)]) -> bool {
    let faces: Vec<Face> = held.iter().map(|(_, face)| *face).collect();
    faces.len() >= 3 && faces.iter().any(|face| completes(&faces, &[], *face).is_ok())
}

/// The Territory cards of the seat whose faces are known to the reader.
fn known_cards(board: &Board, seat: Seat, faces: &Faces) -> Vec<(Slot, Face)> {
    let cards = board.territory_cards(seat).iter();
    cards.filter_map(|slot| faces.get(*slot).map(|card| (*slot, Face::of(card)))).collect()
}

/// Trades the set for battalions, to be placed with the others (5.4, 5.6).
pub fn trade_set(play: &mut Play, trade: Trade) {
    let seat = play.board().active();
    play.tell(Event::SetTraded { seat, cards: trade.cards, set: trade.set });
}

pub fn place(play: &mut Play, places: &[(u32, Territory)]) {
    for (battalions, territory) in places {
        play.tell(Event::ReinforcementsPlaced { territory: *territory, battalions: *battalions });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Wild;

    #[track_caller]
    fn case(territories: u32, battalions: u32) {
        assert_eq!(for_territories(territories), battalions);
    }

    #[test]
    fn territories_are_counted_by_threes() {
        case(1, 3);
        case(11, 3);
        case(12, 4);
        case(14, 4);
        case(15, 5);
        case(62, 20);
        case(63, 21);
    }

    #[test]
    fn a_wild_stands_for_any_symbol() {
        let of = |id: &str| Face::Territory(Territory::of_id(id).unwrap());
        let (rider, other, wild) = (of("the-shire"), of("north-rhun"), Face::Wild(Wild::First));
        assert!(Set::ThreeRiders.takes(&[rider, other, wild]));
        let eagle = of("moria");
        assert!(Set::OneOfEach.takes(&[rider, eagle, wild]));
        assert!(!Set::ThreeEagles.takes(&[rider, eagle, wild]));
        assert!(Set::OneOfEach.takes(&[wild, Face::Wild(Wild::Second), eagle]));
    }
}
