//! The Event halves of the Character deck of the Shadow, one arm a card.

use crate::board::Board;
use crate::board::hunt::Cause;
use crate::card::Card;
use crate::cards::{self, About, Title, conditions, nazgul, part, reactions};
use crate::character::Character;
use crate::die::Face;
use crate::event::Event as Told;
use crate::event::fellowship::Event as Company;
use crate::fellowship;
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::Region;
use crate::side::Side;
use crate::step::Step as Next;
use crate::tile::Tile;
use crate::{Table, hunt, words};
use crate::{dice, event};
use engine::listed::listed;
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Draw, Need};
use engine::plural;
use engine::refusal::{Allowed, allowed_if};
use engine::slot::Faces;

listed! {
    /// The cards of the deck, in the order of their printed numbers.
    ShadowCharacter {
        ShelobsLair, TheRingIsMine, OnOnTheyWent, GiveItToUss, OrcPatrol, IsildursBane, FoulThingFromTheDeep,
        CandlesOfCorpses, NazgulSearch, CruelWeather, TheNazgulStrike, MorgulWound, LureOfTheRing,
        TheBreakingOfTheFellowship, WornWithSorrowAndToil, FlocksOfCrebain, BalrogOfMoria, TheLidlessEye,
        DreadfulSpells, GrondHammerOfTheUnderworld, ThePalantirOfOrthanc, Wormtongue, TheRingwraithsAreAbroad,
        TheBlackCaptainCommands,
    }
}

impl ShadowCharacter {
    /// The printed card.
    pub fn card(self) -> Card {
        Title::ShadowCharacter(self).card()
    }
}

/// The part of The Breaking of the Fellowship that checks its tile.
pub const BREAK: u8 = 0;
/// The part of it that asks which Companions leave.
const LEAVE: u8 = 1;
/// The part for Gollum as Guide: Corruption +1, and nothing else.
const GOLLUM: u8 = 9;

/// 5.8, 5.19: whether the card's requirement is met now. A table card that no longer meets it is discarded (5.18).
pub fn requires(board: &Board, card: ShadowCharacter) -> Allowed {
    let company = board.company();
    match card {
        ShadowCharacter::ShelobsLair
        | ShadowCharacter::TheRingIsMine
        | ShadowCharacter::OnOnTheyWent
        | ShadowCharacter::GiveItToUss
        | ShadowCharacter::WornWithSorrowAndToil
        | ShadowCharacter::FlocksOfCrebain
        | ShadowCharacter::BalrogOfMoria
        | ShadowCharacter::TheLidlessEye
        | ShadowCharacter::TheRingwraithsAreAbroad => Ok(()),
        ShadowCharacter::OrcPatrol
        | ShadowCharacter::IsildursBane
        | ShadowCharacter::FoulThingFromTheDeep
        | ShadowCharacter::CandlesOfCorpses => far_from_home(board),
        ShadowCharacter::NazgulSearch | ShadowCharacter::CruelWeather | ShadowCharacter::TheNazgulStrike => {
            let on_its_way = company.progress() > 0 && !company.is_on_the_mordor_track();
            allowed_if(on_its_way, "5.8", || "Progress must be 1 or more, outside Mordor".to_string())
        }
        ShadowCharacter::MorgulWound | ShadowCharacter::LureOfTheRing | ShadowCharacter::TheBreakingOfTheFellowship => {
            allowed_if(!company.is_hidden(), "5.8", || "the Fellowship must be Revealed".to_string())
        }
        ShadowCharacter::DreadfulSpells => allowed_if(nazgul::spells(board).next().is_some(), "5.8", || {
            "no Army with a Nazgûl is in the region of a Free Peoples' Army or next to one".to_string()
        }),
        ShadowCharacter::GrondHammerOfTheUnderworld => {
            allowed_if(nazgul::siege_of_the_witch_king(board).is_some(), "5.8", || {
                "the Witch-king is in no Army that besieges a Stronghold".to_string()
            })
        }
        ShadowCharacter::ThePalantirOfOrthanc => conditions::in_play(board, Character::Saruman),
        ShadowCharacter::Wormtongue => {
            conditions::in_play(board, Character::Saruman)?;
            // 5.19: with Rohan active the card would be discarded at once.
            allowed_if(!board.politics().is_active(Nation::Rohan), "5.19", || "Rohan is active".to_string())
        }
        ShadowCharacter::TheBlackCaptainCommands => conditions::in_play(board, Character::WitchKing),
    }
}

/// The Ring-bearers are in no region with a Settlement of a Nation of the Free Peoples, captured or not; on the Mordor
/// Track they are in no region at all (15.18).
fn far_from_home(board: &Board) -> Allowed {
    let home = |region: &Region| region.settlement().is_some() && region.side() == Some(Side::Free);
    match board.company().region().filter(home) {
        None => Ok(()),
        Some(region) => allowed_if(false, "5.8", || {
            format!("the Ring-bearers are in {}, with a Settlement of a Nation of the Free Peoples", region.title())
        }),
    }
}

/// What the card does, in the order of its text.
pub fn steps(board: &Board, card: ShadowCharacter) -> Vec<Next> {
    let gollum = board.company().guide().is_none();
    let first = |about| vec![part(card.card(), 0, about)];
    match card {
        ShadowCharacter::ShelobsLair => special("sh-shelobs-lair"),
        ShadowCharacter::TheRingIsMine => special("sh-the-ring-is-mine"),
        ShadowCharacter::OnOnTheyWent => special("sh-on-on-they-went"),
        ShadowCharacter::GiveItToUss => special("sh-give-it-to-uss"),
        ShadowCharacter::LureOfTheRing | ShadowCharacter::TheBreakingOfTheFellowship if gollum => {
            vec![part(card.card(), GOLLUM, About::Nothing)]
        }
        ShadowCharacter::OrcPatrol
        | ShadowCharacter::IsildursBane
        | ShadowCharacter::FoulThingFromTheDeep
        | ShadowCharacter::TheBreakingOfTheFellowship => vec![Next::Hunt(hunt::Step::Draw(Cause::Card(card.card())))],
        ShadowCharacter::CandlesOfCorpses => {
            let needs = if gollum { 6 } else { 4 };
            vec![Next::Effect(cards::Step::Roll { card: card.card(), dice: 3, needs, part: 0 })]
        }
        ShadowCharacter::TheLidlessEye => first(About::Number(3)),
        ShadowCharacter::NazgulSearch
        | ShadowCharacter::CruelWeather
        | ShadowCharacter::TheNazgulStrike
        | ShadowCharacter::MorgulWound
        | ShadowCharacter::LureOfTheRing
        | ShadowCharacter::DreadfulSpells
        | ShadowCharacter::TheRingwraithsAreAbroad
        | ShadowCharacter::TheBlackCaptainCommands => first(About::Nothing),
        ShadowCharacter::GrondHammerOfTheUnderworld => nazgul::grond(board).into_iter().collect(),
        // These act from the table.
        ShadowCharacter::WornWithSorrowAndToil
        | ShadowCharacter::FlocksOfCrebain
        | ShadowCharacter::BalrogOfMoria
        | ShadowCharacter::ThePalantirOfOrthanc
        | ShadowCharacter::Wormtongue => Vec::new(),
    }
}

fn special(id: &str) -> Vec<Next> {
    vec![Next::Hunt(hunt::Step::Special(Tile::of_id(id).expect("a special tile")))]
}

/// Whether the card's parts are in [`reactions`].
fn reacts(card: ShadowCharacter) -> bool {
    matches!(
        card,
        ShadowCharacter::WornWithSorrowAndToil
            | ShadowCharacter::FlocksOfCrebain
            | ShadowCharacter::BalrogOfMoria
            | ShadowCharacter::ThePalantirOfOrthanc
    )
}

/// Whether the card's parts are in [`nazgul`].
fn rides(card: ShadowCharacter) -> bool {
    matches!(
        card,
        ShadowCharacter::NazgulSearch
            | ShadowCharacter::TheNazgulStrike
            | ShadowCharacter::DreadfulSpells
            | ShadowCharacter::TheRingwraithsAreAbroad
            | ShadowCharacter::TheBlackCaptainCommands
    )
}

/// What a part of the card waits for.
pub fn need(board: &Board, card: ShadowCharacter, part: u8, about: About) -> Option<Need> {
    if reacts(card) {
        return reactions::need(board, card, part);
    }
    if rides(card) {
        return nazgul::need(board, card, part, about);
    }
    // 17.47: the owner of the card is asked; about the Fellowship, its Leading Player.
    let asked = |side: Side, id| {
        let player = if side == Side::Shadow { board.acting(side) } else { board.leading(side) };
        Some(board.asks(player, id))
    };
    let companions = u8::try_from(board.companions().characters().count()).expect("at most nine");
    match (card, part, about) {
        (ShadowCharacter::CruelWeather, 0, About::Nothing) => asked(Side::Shadow, "card-choice"),
        (ShadowCharacter::LureOfTheRing, 0, About::Nothing) => {
            let sides = u32::from(companions);
            Some(Need::Draw(Draw::Dice { label: "random companion", sides, count: 1 })).filter(|_| companions > 0)
        }
        (ShadowCharacter::LureOfTheRing, 0, About::Character(_)) => asked(Side::Free, "card-choice"),
        (ShadowCharacter::TheBreakingOfTheFellowship, LEAVE, About::Number(number)) => {
            if (1..companions).contains(&number) { asked(Side::Free, "card-companions") } else { None }
        }
        (ShadowCharacter::TheLidlessEye, _, About::Number(left)) => {
            if left > 0 && board.dice().unused(Side::Shadow) > 0 { asked(Side::Shadow, "card-choice") } else { None }
        }
        _ => None,
    }
}

/// What may be said to the question of a part.
pub fn menu(
    board: &Board,
    card: ShadowCharacter,
    part: u8,
    about: About,
    _faces: &Faces,
    menu: &mut Menu<'_>,
) -> Ask<Vec<Next>> {
    if reacts(card) {
        return reactions::menu(board, card, menu);
    }
    if rides(card) {
        return nazgul::menu(board, card, part, about, menu);
    }
    let then = |part, about| cards::part(card.card(), part, about);
    match (card, about) {
        (ShadowCharacter::CruelWeather, _) => {
            let here = board.company().region().expect("the card is not played in Mordor");
            menu.word("drive them to|to|move to|drive to")?;
            let to = menu.pick("region", Region::all(), |to| {
                allowed_if(here.adjacent(to), "13.2", || format!("{} is not next to {}", to.title(), here.title()))
            })?;
            Ok(vec![then(0, About::Region(to))])
        }
        (ShadowCharacter::LureOfTheRing, About::Character(companion)) => {
            let ways = [("lose him|lose the companion|lose", true), ("take it|take the corruption|take", false)];
            let lost = menu.branch(&ways, |_| Ok(()))?;
            Ok(vec![then(if lost { 2 } else { 1 }, About::Character(companion))])
        }
        (ShadowCharacter::TheBreakingOfTheFellowship, About::Number(number)) => separate(board, number, menu),
        (ShadowCharacter::TheLidlessEye, About::Number(left)) => {
            let ways = [("turn|make", true), ("no more|none|no|done|nothing", false)];
            if !menu.branch(&ways, |_| Ok(()))? {
                return Ok(Vec::new());
            }
            let face = menu.choose("die", &Face::ALL, |face| {
                allowed_if(board.dice().showing(Side::Shadow, face) > 0, "4.2", || {
                    format!("you have no unused {} die", words::face(face))
                })
            })?;
            let turn = Next::Dice(dice::Step::MakeEye { side: Side::Shadow, face });
            Ok(vec![turn, then(0, About::Number(left - 1))])
        }
        _ => unreachable!("part {part} of {card:?} asks nothing"),
    }
}

/// `separate strider, legolas`: exactly `number` Companions leave.
fn separate(board: &Board, number: u8, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    menu.word("separate|lose")?;
    let mut leaving = Figures::NONE;
    for nth in 0..number {
        if nth > 0 {
            menu.comma()?;
        }
        let companion = menu.pick("companion", Character::of(Side::Free), |companion| {
            let name = words::character(companion);
            allowed_if(board.companions().has(companion), "13.24", || format!("{name} is not in the Fellowship"))?;
            allowed_if(!leaving.has(companion), "5.9", || format!("{name} is named twice: {number} must leave"))
        })?;
        leaving.put(Figure::Character(companion), 1);
    }
    Ok(leave(board, &leaving))
}

/// 13.32: they are placed in the region of the Ring-bearers; 13.31: on the Mordor Track they are out of the game.
fn leave(board: &Board, leaving: &Figures) -> Vec<Next> {
    let mut steps: Vec<Next> = match board.company().region() {
        Some(to) => vec![Next::Fellowship(fellowship::Step::Separate { companions: *leaving, to })],
        None => leaving.characters().map(|one| Next::Fellowship(fellowship::Step::Abandon(one))).collect(),
    };
    steps.push(Next::Fellowship(fellowship::Step::Guide));
    steps
}

/// What a part asks, in a few words and in a sentence.
pub fn question(board: &Board, card: ShadowCharacter, part: u8, about: About) -> (&'static str, String) {
    if reacts(card) {
        return reactions::question(board, card);
    }
    if rides(card) {
        return nazgul::question(board, card, part);
    }
    let title = card.card().title();
    match (card, about) {
        (ShadowCharacter::CruelWeather, _) => {
            let here = board.company().region().map_or("", words::title);
            ("Cruel Weather", format!("{title}: to which region next to {here} are the Ring-bearers driven?"))
        }
        (ShadowCharacter::LureOfTheRing, About::Character(companion)) => {
            let (name, level) = (words::character(companion), companion.level());
            let corruption = board.company().corruption();
            (
                "the Lure of the Ring",
                format!("{title}: {name} was drawn. Lose him, or add his Level, {level}, to Corruption {corruption}?"),
            )
        }
        (ShadowCharacter::TheBreakingOfTheFellowship, About::Number(number)) => {
            let leave = plural::counted(number, "Companion");
            ("which Companion leaves", format!("{title}: {leave} must leave the Fellowship. Which?"))
        }
        (ShadowCharacter::TheLidlessEye, About::Number(left)) => {
            ("dice for the Eye", format!("{title}: turn an unused die to the Eye? You may still turn {left}."))
        }
        _ => unreachable!("part {part} of {card:?} asks nothing"),
    }
}

/// Performs a part that waits for nothing.
pub fn perform(play: &mut Table, card: ShadowCharacter, part: u8, about: About) {
    if reacts(card) {
        return reactions::perform(play, card);
    }
    if rides(card) {
        return nazgul::perform(play, card, part);
    }
    let corruption = play.board().company().corruption();
    match (card, part, about) {
        (_, GOLLUM, _) => fellowship::corrupt(play, 1),
        (ShadowCharacter::CandlesOfCorpses, _, About::Number(hits)) => corrupt(play, hits),
        (ShadowCharacter::MorgulWound, ..) => fellowship::corrupt(play, if corruption <= 3 { 2 } else { 1 }),
        (ShadowCharacter::CruelWeather, _, About::Region(to)) => {
            play.tell(Told::Fellowship(Company::Driven { to, by: card.card() }));
        }
        (ShadowCharacter::LureOfTheRing, 1, About::Character(companion)) => corrupt(play, companion.level()),
        (ShadowCharacter::LureOfTheRing, 2, About::Character(companion)) => {
            play.push(Next::Fellowship(fellowship::Step::Guide));
            fellowship::lose(play, companion);
        }
        (ShadowCharacter::TheBreakingOfTheFellowship, BREAK, _) => {
            let number = hunt::in_hand(play.board()).damage;
            hunt::put_away(play);
            play.push(cards::part(card.card(), LEAVE, About::Number(number)));
        }
        // All Companions leave, or none does.
        (ShadowCharacter::TheBreakingOfTheFellowship, LEAVE, About::Number(number)) => {
            let board = play.board();
            let leaving = if number == 0 { Figures::NONE } else { board.companions() };
            let steps = if leaving.is_empty() { Vec::new() } else { leave(board, &leaving) };
            play.then(steps);
        }
        // There is no Companion to lure, or no die to change.
        _ => {}
    }
}

fn corrupt(play: &mut Table, by: u8) {
    fellowship::corrupt(play, i8::try_from(by).expect("a few dice"));
}

/// Performs a part that waited for chance.
pub fn settle(play: &mut Table, card: ShadowCharacter, part: u8, _about: About, answer: Answer) {
    match (card, answer) {
        (ShadowCharacter::WornWithSorrowAndToil, Answer::Dice(fallen)) => reactions::draw(play, fallen[0]),
        // The victim is drawn among all Companions in the Fellowship, the Guide included.
        (ShadowCharacter::LureOfTheRing, Answer::Dice(fallen)) => {
            let companion = play.board().companions().characters().nth(fallen[0] as usize - 1);
            let companion = companion.expect("one of the Fellowship");
            play.tell(Told::Effect(event::cards::Event::Lured { card: card.card(), companion }));
            play.push(cards::part(card.card(), 0, About::Character(companion)));
        }
        (card, answer) => unreachable!("part {part} of {card:?} waits for no {answer:?}"),
    }
}
