/*! The Event half of every card (5.6 to 5.22): when it may be played, and what it does.

A card is one arm in the file of its deck: [`free_character`], [`free_strategy`], [`shadow_character`],
[`shadow_strategy`]. An arm is a short list of steps. Most steps are shared; what only one card does is a *part* of it,
numbered in the order of its text. The parts are in the file of the deck as well, or, if they are long, in a file of
their own: [`challenge`], [`dead_men`], [`dunlendings`], [`eagles`], [`ents`], [`nazgul`]. Shared texts are in [`levy`]
and [`share`], [`march`] and [`route`], [`assault`], [`flights`], [`companions`], [`volley`] and [`conditions`]. Cards
on the table are in [`table`]; what they do there is in [`reactions`], in [`wards`], and in the [`window`]s of the Hunt;
[`tiles`] are those drawn by cards. The Combat halves are in [`battle`](crate::battle).
*/

pub mod assault;
pub mod challenge;
pub mod companions;
pub mod conditions;
pub mod dead_men;
pub mod dunlendings;
pub mod eagles;
pub mod ents;
pub mod flights;
pub mod free_character;
pub mod free_strategy;
pub mod levy;
pub mod march;
pub mod nazgul;
pub mod reactions;
pub mod route;
pub mod shadow_character;
pub mod shadow_strategy;
pub mod share;
pub mod table;
pub mod tiles;
pub mod volley;
pub mod wards;
pub mod window;

use crate::Table;
use crate::board::Board;
use crate::board::dice::InUse;
use crate::board::place::Place;
use crate::card::{Card, DECK_SIZE, EventDeck, Icon, Shown, Type};
use crate::cards::assault::Assault;
use crate::cards::free_character::FreeCharacter;
use crate::cards::free_strategy::FreeStrategy;
use crate::cards::levy::Levy;
use crate::cards::march::{Moved, Orders, Route};
use crate::cards::shadow_character::ShadowCharacter;
use crate::cards::shadow_strategy::ShadowStrategy;
use crate::character::Character;
use crate::combat_roll::Dice;
use crate::die::Face;
use crate::event::cards::Event;
use crate::event::event_cards::Event as Cards;
use crate::event::{Cause, Event as Told, Move, dice};
use crate::event_cards;
use crate::figures::Figures;
use crate::nation::Nation;
use crate::player::Player;
use crate::region::Region;
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::tile::Tiles;
use crate::{fellowship, part as parts, politics, standing, words};
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Draw, Need};
use engine::refusal::{Allowed, allowed_if, barred};
use engine::slot::{Faces, Slot};
use std::fmt;

/// A step of this chapter on the agenda.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// 5.6: the card is played from the hand; if it is `free`, by another card and without a die (5.14).
    Play { slot: Slot, card: Card, free: bool },
    /// A part of the text that no other card has.
    Part { card: Card, part: u8, about: About },
    /// Dice are rolled for the text; then the part is carried out, about the number of dice that show `needs` or more.
    Roll { card: Card, dice: u8, needs: u8, part: u8 },
    /// Corruption is reduced by this number, not below 0.
    Heal(u8),
    /// 5.23: hits on an Army outside a battle.
    Volley(volley::Step),
    /// Companions leave the Fellowship, or move on the map.
    Companions(companions::Step),
    /// 8.12: figures are recruited by the card.
    Levy(Levy),
    /// 5.10: the Regulars that are left are divided among the regions of the card.
    Share(Card),
    /// The figures are recruited in this region.
    Enlist { figures: Figures, region: Region },
    /// 7.26: Armies move by the card.
    March(Orders),
    /// One Army goes its way.
    Go(Route),
    /// An Army has landed, and attacks an enemy Army there.
    Land { card: Card, figures: Figures, region: Region },
    /// 9.5: an Army attacks by the card.
    Assault(Assault),
    /// Figures are eliminated by the text.
    Eliminate { figures: Figures, from: Place },
    /// 5.17: the card stays on the table.
    Keep { slot: Slot, card: Card },
    /// 5.18, 5.22: the card leaves the table: it has been used, or the other side has paid for it.
    Remove(Card),
    /// 5.15: whether Gandalf the Grey, as Guide, draws a card of this deck.
    GandalfDraws(EventDeck),
}

/// What a part of a card is about: what an earlier part chose or found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    Nothing,
    Number(u8),
    Region(Region),
    Place(Place),
    Nation(Nation),
    Character(Character),
    /// The figures that have moved by the card already.
    Moved(Moved),
    Tiles(Tiles),
}

/// A card, by the file of its deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Title {
    FreeCharacter(FreeCharacter),
    FreeStrategy(FreeStrategy),
    ShadowCharacter(ShadowCharacter),
    ShadowStrategy(ShadowStrategy),
}

impl Card {
    /// The title of the card.
    pub fn title_of(self) -> Title {
        let position = usize::from(self.position());
        let deck = self.deck();
        match (deck.side, deck.kind) {
            (Side::Free, Type::Character) => Title::FreeCharacter(FreeCharacter::ALL[position]),
            (Side::Free, Type::Strategy) => Title::FreeStrategy(FreeStrategy::ALL[position]),
            (Side::Shadow, Type::Character) => Title::ShadowCharacter(ShadowCharacter::ALL[position]),
            (Side::Shadow, Type::Strategy) => Title::ShadowStrategy(ShadowStrategy::ALL[position]),
        }
    }
}

impl Title {
    /// The card with this title.
    pub fn card(self) -> Card {
        let (side, kind, position) = match self {
            Title::FreeCharacter(card) => (Side::Free, Type::Character, card as u16),
            Title::FreeStrategy(card) => (Side::Free, Type::Strategy, card as u16),
            Title::ShadowCharacter(card) => (Side::Shadow, Type::Character, card as u16),
            Title::ShadowStrategy(card) => (Side::Shadow, Type::Strategy, card as u16),
        };
        Card(EventDeck { side, kind }.index() as u16 * u16::from(DECK_SIZE) + position)
    }
}

/// The steps of an action: the card is played from the hand.
pub fn play(slot: Slot, card: Card) -> Vec<Next> {
    vec![Next::Effect(Step::Play { slot, card, free: false })]
}

/// A part of the card, as a step.
pub fn part(card: Card, part: u8, about: About) -> Next {
    Next::Effect(Step::Part { card, part, about })
}

/// Draws `number` cards from one of a side's own decks by one instruction: the hand limit applies after the last
/// (5.4). 17.15: they go to the player who acts for the side.
pub fn draws(board: &Board, deck: EventDeck, number: u8) -> Vec<Next> {
    let to = board.acting(deck.side);
    let mut steps = vec![Next::Cards(event_cards::Step::Draw { deck, to }); usize::from(number)];
    steps.push(Next::Cards(event_cards::Step::HandLimit(to)));
    steps
}

/// 5.8, 5.19: whether the card's requirement is met now.
pub fn requires(board: &Board, card: Card) -> Allowed {
    match card.title_of() {
        Title::FreeCharacter(card) => free_character::requires(board, card),
        Title::FreeStrategy(card) => free_strategy::requires(board, card),
        Title::ShadowCharacter(card) => shadow_character::requires(board, card),
        Title::ShadowStrategy(card) => shadow_strategy::requires(board, card),
    }
}

/// The cards in the hand of a player whose faces are known, with their slots.
pub fn held(board: &Board, player: Player, faces: &Faces) -> Vec<(Slot, Card)> {
    let hand = board.decks().hand_of(player);
    hand.into_iter().filter_map(|slot| Some((slot, Card(faces.get(slot)?.0)))).collect()
}

fn is_held(held: &[(Slot, Card)], side: Side, card: Card) -> Allowed {
    let owner = card.deck().side;
    allowed_if(owner == side, "5.6", || format!("{} is a card of {}", card.title(), owner.title()))?;
    allowed_if(held.iter().any(|(_, there)| *there == card), "5.6", || {
        let titles: Vec<&str> = held.iter().map(|(_, card)| card.title()).collect();
        let held = if titles.is_empty() { "nothing".to_string() } else { titles.join("; ") };
        format!("you do not hold {}; you hold: {held}", card.title())
    })
}

/// A card of the hand, named by its title or by its place in the deck. The sentence shows it to everybody.
pub fn of_hand(
    board: &Board,
    player: Player,
    faces: &Faces,
    menu: &mut Menu<'_>,
    may: impl Fn(Card) -> Allowed,
) -> Ask<(Slot, Card)> {
    let held = held(board, player, faces);
    let side = player.side();
    let by_title = |card: Card| Shown { card, slot: None };
    let by_slot = |(slot, card): &(Slot, Card)| Shown { card: *card, slot: Some(*slot) };
    let (noun, cards): (_, Vec<Shown>) = if menu.is_reading() {
        let cards = Card::all().map(by_title).chain(held.iter().map(by_slot));
        ("a card that you hold and may play now", cards.collect())
    } else {
        ("card", held.iter().map(|(_, card)| by_title(*card)).collect())
    };
    let card = menu.choose(noun, &cards, |named| is_held(&held, side, named.card).and_then(|()| may(named.card)))?.card;
    let (slot, _) = held.into_iter().find(|(_, there)| *there == card).expect("one of the hand");
    menu.show(slot, card.number());
    Ok((slot, card))
}

/// The face of a die that shows the icon.
pub fn face_of(icon: Icon) -> Face {
    match icon {
        Icon::Character => Face::Character,
        Icon::Army => Face::Army,
        Icon::Muster => Face::Muster,
    }
}

/// 5.7, 5.8: whether a die used as this result pays for the card, and its requirement is met. 17.16: a card with a
/// player's mark may be played only by him.
pub fn may_play(board: &Board, card: Card, result: Face) -> Allowed {
    let icon = face_of(card.icon());
    let hybrid = result == Face::ArmyMuster && icon != Face::Character;
    allowed_if(result == Face::Event || result == icon || hybrid, "5.7", || {
        format!("an event die pays for {}, or one that shows its icon, {}", card.title(), icon.id())
    })?;
    is_marked_for(board, card)?;
    requires(board, card)
}

/// 17.16: whether the Event half may be played by the player who acts for the side.
pub fn is_marked_for(board: &Board, card: Card) -> Allowed {
    let Some(mark) = card.mark() else { return Ok(()) };
    let whose = board.seating().in_place_of(mark);
    allowed_if(board.acting(mark.side()) == whose, "17.16", || {
        format!("{} has the mark of {}", card.title(), whose.title())
    })
}

/// 5.7: what the die counts as when it pays for the card.
pub fn result(card: Card, result: Face) -> Face {
    match (result, card.icon()) {
        (Face::ArmyMuster, Icon::Army) => Face::Army,
        (Face::ArmyMuster, _) => Face::Muster,
        (result, _) => result,
    }
}

pub fn need(board: &Board, step: &Step) -> Option<Need> {
    match *step {
        Step::Volley(step) => volley::need(&step),
        Step::Companions(step) => companions::need(board, &step),
        Step::Play { .. } | Step::Keep { .. } | Step::Remove(_) | Step::Heal(_) => None,
        Step::Enlist { .. } | Step::Go(_) | Step::Land { .. } | Step::Eliminate { .. } => None,
        Step::Levy(levy) => levy.need(board),
        Step::Share(card) => share::need(board, card),
        Step::March(orders) => orders.need(board),
        Step::Assault(assault) => assault.need(board),
        Step::Roll { dice, .. } => {
            Some(Need::Draw(Draw::Dice { label: "event card", sides: 6, count: u32::from(dice) })).filter(|_| dice > 0)
        }
        Step::Part { card, part, about } => match card.title_of() {
            Title::FreeCharacter(card) => free_character::need(board, card, part, about),
            Title::FreeStrategy(card) => free_strategy::need(board, card, part, about),
            Title::ShadowCharacter(card) => shadow_character::need(board, card, part, about),
            Title::ShadowStrategy(card) => shadow_strategy::need(board, card, part, about),
        },
        Step::GandalfDraws(deck) => {
            let guides = board.company().guide() == Some(Character::GandalfTheGrey);
            let draws = guides && !board.decks().left(deck).is_empty();
            draws.then(|| board.asks(board.acting(Side::Free), "gandalf-draws"))
        }
    }
}

pub fn menu(board: &Board, step: &Step, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    match *step {
        Step::Companions(step) => companions::menu(board, &step, menu),
        Step::Levy(levy) => levy.menu(board, menu),
        Step::Share(card) => share::menu(board, card, menu),
        Step::March(orders) => orders.menu(board, menu),
        Step::Assault(assault) => assault.menu(board, menu),
        Step::Part { card, part, about } => match card.title_of() {
            Title::FreeCharacter(card) => free_character::menu(board, card, part, about, faces, menu),
            Title::FreeStrategy(card) => free_strategy::menu(board, card, part, about, faces, menu),
            Title::ShadowCharacter(card) => shadow_character::menu(board, card, part, about, faces, menu),
            Title::ShadowStrategy(card) => shadow_strategy::menu(board, card, part, about, faces, menu),
        },
        Step::GandalfDraws(deck) => {
            let ways = [("draw a card|draw|yes", true), ("no card|none|no|decline", false)];
            Ok(if menu.branch(&ways, |_| Ok(()))? { draws(board, deck, 1) } else { Vec::new() })
        }
        _ => unreachable!("`{step}` asks nothing"),
    }
}

/// What is asked, for the letter: in a few words, and in a sentence.
pub fn question(board: &Board, step: &Step) -> (&'static str, String) {
    match *step {
        Step::Part { card, part, about } => match card.title_of() {
            Title::FreeCharacter(card) => free_character::question(board, card, part, about),
            Title::FreeStrategy(card) => free_strategy::question(board, card, part, about),
            Title::ShadowCharacter(card) => shadow_character::question(board, card, part, about),
            Title::ShadowStrategy(card) => shadow_strategy::question(board, card, part, about),
        },
        Step::GandalfDraws(deck) => {
            let kind = words::begin(deck.kind.id());
            ("Gandalf draws, or not", format!("Gandalf the Grey guides the Fellowship: draw a {kind} card?"))
        }
        Step::Companions(step) => companions::question(board, &step),
        Step::Levy(levy) => levy.question(board),
        Step::Share(card) => share::question(board, card),
        Step::March(orders) => orders.question(),
        Step::Assault(assault) => assault.question(),
        _ => unreachable!("`{step}` asks nothing"),
    }
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        Step::Play { slot, card, free } => begin(play, slot, card, free),
        Step::Part { card, part, about } => match card.title_of() {
            Title::FreeCharacter(card) => free_character::perform(play, card, part, about),
            Title::FreeStrategy(card) => free_strategy::perform(play, card, part, about),
            Title::ShadowCharacter(card) => shadow_character::perform(play, card, part, about),
            Title::ShadowStrategy(card) => shadow_strategy::perform(play, card, part, about),
        },
        Step::Volley(step) => volley::perform(play, step),
        Step::Heal(points) => fellowship::corrupt(play, -i8::try_from(points).expect("a few points")),
        // No Companion can go.
        Step::Companions(_) => {}
        // No die is rolled, so the number is 0.
        Step::Roll { card, part, .. } => play.push(self::part(card, part, About::Number(0))),
        Step::Levy(levy) => levy.perform(play),
        Step::Share(card) => share::perform(play, card),
        Step::Enlist { figures, region } => levy::enlist(play, figures, region),
        Step::Go(route) => march::go(play, &route),
        Step::Land { card, figures, region } => assault::land(play, card, figures, region),
        Step::Eliminate { figures, from } => eliminate(play, figures, from),
        // 5.10: no Army can move or attack by the card.
        Step::March(_) | Step::Assault(_) => {}
        Step::Keep { slot, card } => play.tell(Told::Cards(Cards::Kept { slot, card })),
        Step::Remove(card) => table::discard(play, card),
        // 5.15: Gandalf is no longer the Guide, or the deck is empty.
        Step::GandalfDraws(_) => {}
    }
}

pub fn settle(play: &mut Table, step: Step, answer: Answer) {
    let (card, part, about) = match (&step, &answer) {
        (Step::Part { card, part, about }, _) => (*card, *part, *about),
        (Step::Roll { card, needs, part, .. }, Answer::Dice(fallen)) => {
            let dice = Dice::of(fallen, *needs, 0);
            play.tell(Told::Effect(Event::Rolled { card: *card, dice }));
            return play.push(self::part(*card, *part, About::Number(dice.hits())));
        }
        (Step::Volley(step), _) => return volley::settle(play, *step, answer),
        _ => unreachable!("`{step}` waits for no {answer:?}"),
    };
    match card.title_of() {
        Title::FreeCharacter(card) => free_character::settle(play, card, part, about, answer),
        Title::FreeStrategy(card) => free_strategy::settle(play, card, part, about, answer),
        Title::ShadowCharacter(card) => shadow_character::settle(play, card, part, about, answer),
        Title::ShadowStrategy(card) => shadow_strategy::settle(play, card, part, about, answer),
    }
}

/// What the text of the card does, in its order.
fn steps(board: &Board, card: Card) -> Vec<Next> {
    match card.title_of() {
        Title::FreeCharacter(card) => free_character::steps(board, card),
        Title::FreeStrategy(card) => free_strategy::steps(board, card),
        Title::ShadowCharacter(card) => shadow_character::steps(board, card),
        Title::ShadowStrategy(card) => shadow_strategy::steps(board, card),
    }
}

/// Whether the steps tell no event and ask nothing. They are carried out on a copy of the table.
fn changes_nothing(board: &Board, steps: &[Next]) -> bool {
    let trial = Table::begin(board.clone(), steps.to_vec());
    trial.need() == Need::Over && trial.told().is_empty()
}

/// 17.40, 17.42: the Nation on which a step of a card is certain to act, whatever is chosen or rolled.
fn item_of(board: &Board, step: &Next) -> Option<Nation> {
    match *step {
        Next::Politics(politics::Step::Advance(nation)) => board.politics().can_advance(nation).then_some(nation),
        Next::Effect(Step::Levy(levy)) => levy.recruits(board).then_some(levy.nation),
        Next::Effect(Step::Part { card, part, .. }) => match card.title_of() {
            Title::FreeStrategy(title) => item_of(board, &free_strategy::follows(board, title, part)?),
            Title::FreeCharacter(title) => free_character::only_company(board, title),
            Title::ShadowCharacter(_) | Title::ShadowStrategy(_) => None,
        },
        _ => None,
    }
}

/// 17.40: a card that is certain to act twice in a row on one Nation may not be played; if that depends on a choice
/// or on dice, only the second action is left out. 19.35: with `cards.null_play = refuse` a card that would change
/// nothing at all may not be played. For this test the die that pays, if one does, is already in use; a card that
/// stays on the table always changes something.
pub fn may_take_effect(board: &Board, card: Card, paid_by: Option<InUse>) -> Allowed {
    let acted = board.row().last().nations().next().is_some();
    let text = if acted { steps(board, card) } else { Vec::new() };
    let twice = text.iter().filter_map(|step| item_of(board, step)).find(|nation| board.row().bars(*nation));
    if let Some(nation) = twice {
        return barred("17.40", words::twice_on(nation));
    }
    if board.switches().is_default(Choice::NullPlay) || card.is_table_card() {
        return Ok(());
    }
    let mut trial = board.clone();
    if let Some(in_use) = paid_by {
        let by = board.next(in_use.side);
        trial.evolve(&Told::Dice(dice::Event::Taken { in_use, by }));
    }
    // The dice of Athelas change nothing if there is no Corruption.
    let healed = card.title_of() == Title::FreeCharacter(FreeCharacter::Athelas) && board.company().corruption() == 0;
    let idle = healed || changes_nothing(&trial, &steps(&trial, card));
    allowed_if(!idle, "19.35", || format!("{} would change nothing", card.title()))
}

/// 5.9: the card is shown, and its text is carried out in order; then it goes to the discards (5.12) or to the table
/// (5.17, 5.20), and last come the draws that follow from the die that paid.
fn begin(play: &mut Table, slot: Slot, card: Card, free: bool) {
    let by = play.board().owner(slot);
    play.tell(Told::Cards(Cards::Played { slot, card, by }));
    let text = steps(play.board(), card);
    let idle = !card.is_table_card() && changes_nothing(play.board(), &text);
    let board = play.board();
    let mut steps = text;
    if card.is_table_card() {
        steps.push(Next::Effect(Step::Keep { slot, card }));
    }
    if !free {
        steps.extend(table::sees(board, card));
        steps.extend(drawn_for(board, card));
    }
    if idle {
        play.tell(Told::Effect(Event::Idle { card }));
    }
    play.then(steps);
}

/// 1.26: figures of the Free Peoples and Characters are out of the game; units of the Shadow and Nazgûl go to the
/// reinforcements.
fn eliminate(play: &mut Table, figures: Figures, from: Place) {
    let (lost, characters) = (figures - figures.only_characters(), figures.only_characters());
    let (free, shadow) = (lost.side(Side::Free), lost.side(Side::Shadow));
    for (figures, to) in [(free, Place::Casualties), (shadow, Place::Reinforcements), (characters, Place::Removed)] {
        if !figures.is_empty() {
            play.tell(Told::Moved(Move { figures, from, to, cause: Cause::Eliminated }));
        }
    }
    if let Some(region) = from.region() {
        standing::check(play, region);
    }
}

/// 5.15: the draw of Gandalf the Grey, who must be the Guide both now and when the card is drawn.
fn drawn_for(board: &Board, card: Card) -> Option<Next> {
    let deck = card.deck();
    let guides = board.company().guide() == Some(Character::GandalfTheGrey);
    let result = board.dice().in_use().map(|in_use| in_use.result);
    // 19.8: with `any_die` for any die that pays, with `event_die_character_card` only for a Character card.
    let counts = match board.switches().word(Choice::GandalfGreyDraw) {
        "any_die" => result.is_some(),
        "event_die_character_card" => result == Some(Face::Event) && deck.kind == Type::Character,
        _ => result == Some(Face::Event),
    };
    (deck.side == Side::Free && guides && counts).then_some(Next::Effect(Step::GandalfDraws(deck)))
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            About::Nothing => f.write_str("-"),
            About::Number(number) => write!(f, "{number}"),
            About::Region(region) => f.write_str(region.id()),
            About::Place(place) => place.fmt(f),
            About::Nation(nation) => f.write_str(nation.id()),
            About::Character(character) => f.write_str(character.id()),
            About::Moved(moved) => write!(f, "after{moved}"),
            About::Tiles(tiles) => {
                f.write_str("tiles")?;
                tiles.iter().try_for_each(|tile| write!(f, " {}", tile.id()))
            }
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Play { card, free: false, .. } => write!(f, "play {}", card.id()),
            Step::Play { card, free: true, .. } => write!(f, "play {} free", card.id()),
            Step::Part { card, part, about } => write!(f, "part {} {part} {about}", card.id()),
            Step::Roll { card, dice, needs, part } => write!(f, "roll {} {dice} at {needs} part {part}", card.id()),
            Step::Volley(step) => step.fmt(f),
            Step::Heal(points) => write!(f, "heal {points}"),
            Step::Companions(step) => step.fmt(f),
            Step::Levy(levy) => levy.fmt(f),
            Step::Share(card) => write!(f, "share {}", card.id()),
            Step::Enlist { figures, region } => write!(f, "enlist {} {}", parts::say(figures, figures), region.id()),
            Step::March(orders) => orders.fmt(f),
            Step::Go(route) => route.fmt(f),
            Step::Land { card, figures, region } => {
                write!(f, "land {} {} {}", card.id(), parts::say(figures, figures), region.id())
            }
            Step::Assault(assault) => assault.fmt(f),
            Step::Eliminate { figures, from } => write!(f, "eliminate {} {from}", parts::say(figures, figures)),
            Step::Keep { card, .. } => write!(f, "keep {}", card.id()),
            Step::Remove(card) => write!(f, "remove {}", card.id()),
            Step::GandalfDraws(deck) => write!(f, "gandalf draws {}", deck.id()),
        }
    }
}
