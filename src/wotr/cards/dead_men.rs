//! Dead Men of Dunharrow: Strider or Aragorn comes to the south of Gondor, and a Shadow Army there takes hits and
//! retreats.

use crate::battle::{casualties, ending};
use crate::board::Board;
use crate::board::place::Place;
use crate::card::Card;
use crate::cards::free_character::{FreeCharacter, heir};
use crate::cards::volley::{self, Also};
use crate::cards::{About, part};
use crate::character::Character;
use crate::event::cards::Event;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::Region;
use crate::region::named::{ERECH, LAMEDON, PELARGIR};
use crate::side::Side;
use crate::step::Step as Next;
use crate::{Table, capture, characters, politics, recruiting, standing, words};
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Draw, Need};
use engine::plural;
use engine::refusal::{Allowed, allowed_if, barred};

/// Strider or Aragorn and his companions come to a region.
const COME: u8 = 0;
/// The Shadow Army there is attacked.
const HAUNT: u8 = 1;
/// The die is rolled.
const STRIKE: u8 = 2;
/// The Army retreats, or is destroyed.
const FLEE: u8 = 3;
/// Regulars are recruited.
const MUSTER: u8 = 4;
/// The Settlement is captured.
const TAKE: u8 = 5;
/// The Shadow Army retreats to the region.
const RETREAT: u8 = 6;

const GOALS: [Region; 3] = [ERECH, LAMEDON, PELARGIR];
/// The most Gondor Regulars that are recruited.
const REGULARS_MAX: u8 = 3;

fn card() -> Card {
    FreeCharacter::DeadMenOfDunharrow.card()
}

/// 5.8: a besieged Stronghold counts.
pub fn requires(board: &Board) -> Allowed {
    let there = heir(board).is_some_and(|(_, place)| place.region().and_then(Region::nation) == Some(Nation::Rohan));
    allowed_if(there, "5.8", || "neither Strider nor Aragorn is in a region of Rohan".to_string())
}

pub fn steps() -> Vec<Next> {
    vec![part(card(), COME, About::Nothing)]
}

pub fn need(board: &Board, part: u8, about: About) -> Option<Need> {
    let asked = |id| Some(board.asks(board.acting(Side::Free), id));
    match (part, about) {
        (COME, _) => asked("card-companions"),
        (STRIKE, _) => Some(Need::Draw(Draw::Dice { label: "event card", sides: 6, count: 1 })),
        (FLEE, About::Region(from)) if has_army(board, from) && ending::havens(board, Side::Shadow, from).len() > 1 => {
            Some(board.asks(board.commander_at(Side::Shadow, Place::Field(from)), "card-move"))
        }
        (MUSTER, About::Region(region)) if regulars(board, region) > 0 => asked("card-recruit"),
        _ => None,
    }
}

/// The Companions in the region of Strider or Aragorn, who may come with him.
fn company(board: &Board, heir: Character) -> impl Iterator<Item = Character> + use<'_> {
    let region = board.region_of(heir);
    let here = move |companion: &Character| *companion != heir && board.region_of(*companion) == region;
    Character::of(Side::Free).iter().copied().filter(here)
}

/// `come to pelargir with gimli, legolas`, `come to erech alone`; the Shadow: `retreat to lossarnach`; `recruit 3`.
pub fn menu(board: &Board, part: u8, about: About, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    match (part, about) {
        (FLEE, About::Region(from)) => {
            menu.word("retreat to|retreat|to")?;
            let to = menu.pick("region", Region::all(), |to| ending::may_retreat(board, Side::Shadow, from, to))?;
            Ok(vec![self::part(card(), RETREAT, About::Region(to))])
        }
        (MUSTER, About::Region(region)) => {
            let ways = [("recruit", true), ("nobody|none|no|recruit nobody", false)];
            if !menu.branch(&ways, |_| Ok(()))? {
                return Ok(Vec::new());
            }
            let number = menu.number("regulars", 1..=u32::from(regulars(board, region)), "5.9")?;
            let regular = Figure::Regular(Nation::Gondor);
            let recruit = Next::Recruiting(recruiting::Step::Recruit { figure: regular, region });
            let mut steps = vec![recruit; number as usize];
            steps.push(self::part(card(), TAKE, about));
            Ok(steps)
        }
        _ => come(board, menu),
    }
}

fn come(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let (heir, _) = heir(board).expect("the card required him");
    menu.word("come to|come|move to|go to|to")?;
    let to = menu.choose("region", Region::all(), |region| {
        allowed_if(GOALS.contains(&region), "5.9", || format!("{} is not Erech, Lamedon or Pelargir", region.title()))
    })?;
    let some = company(board, heir).next().is_some();
    let ways = [("with", true), ("alone", false)];
    let with =
        menu.branch(
            &ways,
            |with| if with && !some { barred("5.9", "no other Companion is in his region") } else { Ok(()) },
        )?;
    let mut who = vec![heir];
    if with {
        let companions = Character::of(Side::Free);
        who.extend(menu.several("companion", companions.len(), companions, |companion| {
            let here = company(board, heir).any(|other| other == companion);
            allowed_if(here, "5.9", || {
                format!("{} is not in the region of {}", words::character(companion), words::character(heir))
            })
        })?);
    }
    // 7.31: they go straight there, and no region in between is entered.
    let travel = |companion: &Character| {
        let (figures, from) = (Figures::one(Figure::Character(*companion)), board.whereabouts(*companion));
        Next::Characters(characters::Step::Travel { figures, from, to, cause: Cause::Travelled })
    };
    let mut steps: Vec<Next> = who.iter().map(travel).collect();
    let companions = who.iter().fold(Figures::NONE, |all, one| all + Figures::one(Figure::Character(*one)));
    steps.push(Next::Characters(characters::Step::Arrive { companions, region: to }));
    steps.extend([HAUNT, FLEE, MUSTER].map(|part| self::part(card(), part, About::Region(to))));
    Ok(steps)
}

pub fn question(board: &Board, part: u8, about: About) -> (&'static str, String) {
    let title = card().title();
    match (part, about) {
        (FLEE, About::Region(from)) => {
            let region = words::title(from);
            ("where your Army flees", format!("{title}: your Army in {region} must retreat. Where to?"))
        }
        (MUSTER, About::Region(region)) => {
            let most = plural::counted(regulars(board, region), "Gondor Regular");
            ("how many Regulars come", format!("{title}: recruit up to {most} in {}?", words::title(region)))
        }
        _ => {
            let name = heir(board).map_or("he", |(heir, _)| words::character(heir));
            (
                "where he comes, and with whom",
                format!(
                    "{title}: does {name} come to Erech, Lamedon or Pelargir, and who of the Companions in his region \
                 comes with him?"
                ),
            )
        }
    }
}

pub fn perform(play: &mut Table, part: u8, about: About) {
    let About::Region(region) = about else { unreachable!("part {part} is about a region") };
    match part {
        HAUNT => {
            let Some(at) = volley::army_in(play.board(), Side::Shadow, region) else { return };
            // The card counts as an attack for politics.
            play.then([volley::attacked(Side::Shadow, at), self::part(card(), STRIKE, About::Place(at))]);
        }
        FLEE if has_army(play.board(), region) => flee(play, region),
        TAKE if play.board().controller(region) == Some(Side::Shadow) => capture::capture(play, Side::Free, region),
        RETREAT => {
            let (_, place) = heir(play.board()).expect("he has come");
            retreat(play, place.region().expect("he stands on the map"), region);
        }
        // There is no Army, no Regular to recruit, or no Settlement to capture.
        _ => {}
    }
}

/// The Army takes as many hits as the die shows.
pub fn settle(play: &mut Table, about: About, answer: &Answer) {
    let (About::Place(at), Answer::Dice(fallen)) = (about, answer) else {
        unreachable!("the Dead wait for no {answer:?}");
    };
    let value = u8::try_from(fallen[0]).expect("a die has six sides");
    play.tell(Told::Effect(Event::Value { card: card(), value }));
    volley::befall(play, Side::Shadow, at);
    play.then(volley::hits(Side::Shadow, at, value, Also::NazgulAndMinions));
}

fn has_army(board: &Board, region: Region) -> bool {
    board.has_army(Side::Shadow, region)
}

/// The Army retreats if it can; otherwise its units are removed, and its Nazgûl and Minions eliminated (C2.22).
fn flee(play: &mut Table, from: Region) {
    if let Some(to) = ending::havens(play.board(), Side::Shadow, from).iter().next() {
        return retreat(play, from, to);
    }
    let at = Place::Field(from);
    let army = play.board().force_at(Side::Shadow, at);
    let figures = army.only_units();
    play.tell(Told::Effect(Event::Trapped { card: card(), region: from }));
    play.tell(Told::Moved(Move { figures, from: at, to: Place::Reinforcements, cause: Cause::Lost }));
    casualties::eliminate(play, &(army - figures), at);
    standing::check(play, from);
}

/// A forced retreat counts as entering the region (9.42), and the whole Army goes.
fn retreat(play: &mut Table, from: Region, to: Region) {
    let figures = play.board().force(Side::Shadow, from);
    let (start, end) = (Place::Field(from), Place::Field(to));
    play.tell(Told::Moved(Move { figures, from: start, to: end, cause: Cause::Retreated }));
    capture::army_entered(play, Side::Shadow, to);
    politics::companions_arrived(play, &figures.only_characters(), to);
    standing::check(play, from);
}

/// How many Regulars can be recruited: none while an enemy Army is there; a Settlement that the enemy controls does not
/// matter.
fn regulars(board: &Board, region: Region) -> u8 {
    // 17.25, 17.40: only for the player of Gondor, and not twice in a row.
    if has_army(board, region) || !politics::may_act_for(board, Nation::Gondor) {
        0
    } else {
        board.reinforcements().count(Figure::Regular(Nation::Gondor)).min(REGULARS_MAX)
    }
}
