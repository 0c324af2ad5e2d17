/*! A part of a force in words: `3 regular 1 elite 2 nazgul strider`, `all but 1 regular`.

If several Nations have figures of a rank, the Nation is named: `2 gondor regular 1 rohan elite`. The canonical
sentence names all figures, so that the log never depends on what `all` meant.
*/

use crate::character::Character;
use crate::figures::{COUNTED, Figure, Figures};
use crate::nation::Nation;
use crate::side::Side;
use crate::words;
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Stop};
use engine::name::{Name, Named};
use engine::refusal::{Allowed, Barred};
use std::fmt;
use std::sync::LazyLock;

/// A kind of figure, by name: `gondor regular`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub Figure);

/// What may be counted in a part: a kind of figure, or a rank without its Nation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Figure(Figure),
    Regular,
    Elite,
    Leader,
}

/// A part as it was said, before it is applied to a force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    extent: Extent,
    terms: Vec<(u8, Wanted)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Only,
    All,
    AllBut,
}

impl Named for Count {
    fn name(&self) -> &'static Name {
        match self.0 {
            Figure::Character(character) => character.name(),
            figure => &KINDS[figure.place().expect("every other kind is counted")],
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().id())
    }
}

impl Named for Wanted {
    fn example(&self) -> String {
        match self {
            Wanted::Figure(Figure::Character(character)) => character.name().id().to_string(),
            _ => format!("3 {}", self.name().id()),
        }
    }

    fn name(&self) -> &'static Name {
        match self {
            Wanted::Figure(figure) => Count(*figure).name(),
            Wanted::Regular => &RANKS[0],
            Wanted::Elite => &RANKS[1],
            Wanted::Leader => &RANKS[2],
        }
    }
}

impl Wanted {
    fn covers(self, figure: Figure) -> bool {
        match self {
            Wanted::Figure(wanted) => wanted == figure,
            Wanted::Regular => matches!(figure, Figure::Regular(_)),
            Wanted::Elite => matches!(figure, Figure::Elite(_)),
            Wanted::Leader => matches!(figure, Figure::Leader(_)),
        }
    }

    /// The printed name: `Gondor Regular`, `Regular`.
    fn title(self) -> String {
        match self {
            Wanted::Figure(figure) => words::figure(figure),
            Wanted::Regular | Wanted::Elite | Wanted::Leader => self.name().title().to_string(),
        }
    }
}

impl Wanted {
    /// The printed name of several: `Gondor Regulars`, `Nazgûl`.
    fn titles(self) -> String {
        match self {
            Wanted::Figure(Figure::Nazgul | Figure::Character(_)) => self.title(),
            _ => format!("{}s", self.title()),
        }
    }
}

static KINDS: LazyLock<Vec<Name>> = LazyLock::new(|| COUNTED.into_iter().map(kind).collect());

static RANKS: LazyLock<Vec<Name>> = LazyLock::new(|| {
    vec![
        Name::new("regular", "Regular", &["regulars"]),
        Name::new("elite", "Elite", &["elites"]),
        Name::new("leader", "Leader", &["leaders"]),
    ]
});

static WANTED: LazyLock<Vec<Wanted>> = LazyLock::new(|| {
    let kinds = COUNTED.into_iter().chain(Character::ALL.into_iter().map(Figure::Character)).map(Wanted::Figure);
    [Wanted::Regular, Wanted::Elite, Wanted::Leader].into_iter().chain(kinds).collect()
});

fn kind(figure: Figure) -> Name {
    let (nation, rank) = match figure {
        Figure::Regular(nation) => (nation, "regular"),
        Figure::Elite(nation) => (nation, "elite"),
        Figure::Leader(nation) => (nation, "leader"),
        Figure::Nazgul => return Name::new("nazgul", "Nazgûl", &["nazguls", "ringwraith", "ringwraiths"]),
        Figure::Character(_) => unreachable!("Characters are not counted"),
    };
    let id = format!("{} {rank}", nation.id());
    let singular = nation.id().trim_end_matches('s');
    // The rank never comes first: in `1 regular north-dunland` the first word of the region would be read as the
    // Nation.
    let spellings = [format!("{}s", id), format!("{singular} {rank}"), format!("{singular} {rank}s")];
    let spellings: Vec<&str> = spellings.iter().map(String::as_str).collect();
    Name::new(&id, &id, &spellings)
}

/// Reads a part, in a phrase being read.
pub fn read(menu: &mut Menu<'_>) -> Ask<Spoken> {
    let extent = if menu.maybe("all but|everything but|all except|everything except")? {
        Extent::AllBut
    } else if menu.maybe("all|everything|everybody")? {
        return Ok(Spoken { extent: Extent::All, terms: Vec::new() });
    } else {
        Extent::Only
    };
    let mut terms: Vec<(u8, Wanted)> = Vec::new();
    loop {
        let number = menu.number_if_any();
        let _ = menu.maybe("the|of the")?;
        let wanted = match menu.name_if_any(&WANTED) {
            Some(wanted) => wanted,
            None if number.is_none() && !terms.is_empty() => break,
            None => menu.choose("figure", &WANTED, |_| Ok(()))?,
        };
        terms.push((u8::try_from(number.unwrap_or(1)).unwrap_or(u8::MAX), wanted));
        let _ = menu.maybe(",")? || menu.maybe("and|with")?;
    }
    Ok(Spoken { extent, terms })
}

/// Refuses the sentence so far.
pub fn refused(menu: &mut Menu<'_>, wrong: Barred) -> Stop {
    menu.check(Err(wrong)).expect_err("what is barred is refused")
}

impl Spoken {
    /// Whether the Character is named.
    pub fn names(&self, character: Character) -> bool {
        self.terms.iter().any(|(_, wanted)| *wanted == Wanted::Figure(Figure::Character(character)))
    }

    /// The Character, if no other figure is named.
    pub fn only_character(&self) -> Option<Character> {
        match (self.extent, self.terms.as_slice()) {
            (Extent::Only, [(1, Wanted::Figure(Figure::Character(character)))]) => Some(*character),
            _ => None,
        }
    }

    /// The figures there without those named after `all but`, or without as many of them as there are; `None` if the
    /// words are not `all but`. A rank without a Nation means, figure by figure, the Nation that has the most of it
    /// left.
    pub fn all_but_some(&self, there: &Figures) -> Option<Figures> {
        if self.extent != Extent::AllBut {
            return None;
        }
        let mut left = *there;
        for (number, wanted) in &self.terms {
            for _ in 0..*number {
                let most = left.iter().filter(|(figure, _)| wanted.covers(*figure)).max_by_key(|(_, count)| *count);
                let Some((figure, _)) = most else { break };
                left.take(figure, 1);
            }
        }
        Some(left)
    }

    /// The figures that the words mean, out of those there.
    pub fn of(&self, there: &Figures, rule: &'static str) -> Result<Figures, Barred> {
        let mut named = Figures::NONE;
        for (number, wanted) in &self.terms {
            let more = term(*number, *wanted, there, rule)?;
            let twice = more.characters().any(|character| named.has(character));
            if twice || !there.contains(&(named + more)) {
                let why = match *number {
                    1 => format!("there is no further {}", wanted.title()),
                    number => format!("there are not {number} more {}", wanted.titles()),
                };
                return Err(Barred { rule, why });
            }
            named += more;
        }
        Ok(match self.extent {
            Extent::Only => named,
            Extent::All => *there,
            Extent::AllBut => *there - named,
        })
    }
}

fn term(number: u8, wanted: Wanted, there: &Figures, rule: &'static str) -> Result<Figures, Barred> {
    let rank: fn(Nation) -> Figure = match wanted {
        Wanted::Figure(figure) => {
            enough(number, figure, there, rule)?;
            return Ok(Figures::of(figure, number));
        }
        Wanted::Regular => Figure::Regular,
        Wanted::Elite => Figure::Elite,
        Wanted::Leader => Figure::Leader,
    };
    let leaders = matches!(wanted, Wanted::Leader);
    let kinds = Nation::ALL.into_iter().filter(|nation| !leaders || nation.side() == Side::Free).map(rank);
    let present: Vec<Figure> = kinds.filter(|figure| there.count(*figure) > 0).collect();
    let total: u8 = present.iter().map(|figure| there.count(*figure)).sum();
    match present.as_slice() {
        [only] => {
            enough(number, *only, there, rule)?;
            Ok(Figures::of(*only, number))
        }
        all if number == total && total > 0 => {
            let mut figures = Figures::NONE;
            all.iter().for_each(|figure| figures.put(*figure, there.count(*figure)));
            Ok(figures)
        }
        [] => Err(Barred { rule, why: format!("there is no {}", wanted.title()) }),
        several => {
            let kinds: Vec<String> =
                several.iter().map(|figure| format!("{} {}", there.count(*figure), Count(*figure))).collect();
            let are = if total == 1 { "is" } else { "are" };
            Err(Barred { rule, why: format!("say of which Nation: there {are} {}", kinds.join(", ")) })
        }
    }
}

fn enough(number: u8, figure: Figure, there: &Figures, rule: &'static str) -> Allowed {
    let here = there.count(figure);
    if number <= here && number > 0 {
        return Ok(());
    }
    if here == 0 {
        return Err(Barred { rule, why: format!("there is no {}", words::figure(figure)) });
    }
    let are = if here == 1 { "is" } else { "are" };
    Err(Barred { rule, why: format!("there {are} {}, not {number}", words::some(figure, here)) })
}

/// The canonical words for a part of the figures there, with the Nation only where it is needed.
pub fn say(part: &Figures, there: &Figures) -> String {
    let mut words = Vec::new();
    for (figure, number) in part.iter() {
        let alone = |rank: fn(Nation) -> Figure, nations: &[Nation]| {
            nations.iter().filter(|nation| there.count(rank(**nation)) > 0).count() < 2
        };
        let word = match figure {
            Figure::Regular(_) if alone(Figure::Regular, &Nation::ALL) => "regular".to_string(),
            Figure::Elite(_) if alone(Figure::Elite, &Nation::ALL) => "elite".to_string(),
            Figure::Leader(_) if alone(Figure::Leader, Nation::of(Side::Free)) => "leader".to_string(),
            figure => Count(figure).to_string(),
        };
        match figure {
            Figure::Character(_) => words.push(word),
            _ => words.push(format!("{number} {word}")),
        }
    }
    words.join(" ")
}

/// The usual parts may number this many times `most`.
const USUAL: usize = 4;

/// Every part of the figures there. If there are more than `most`, only the usual ones: any number of one kind, and
/// all or none of each other kind. If even these are too many: any number of one kind alone, all but any number of
/// one kind, and the whole.
pub fn parts(there: &Figures, most: usize) -> Vec<Figures> {
    let kinds: Vec<(Figure, u8)> = there.iter().collect();
    let every = kinds.iter().fold(1, |ways: usize, (_, number)| ways.saturating_mul(usize::from(*number) + 1));
    let others = 1_usize.checked_shl(u32::try_from(kinds.len()).expect("few kinds")).map_or(usize::MAX, |all| all / 2);
    let numbers: usize = kinds.iter().map(|(_, number)| usize::from(*number) + 1).sum();
    let has_usual = numbers.saturating_mul(others) <= most.saturating_mul(USUAL);
    let of_one = |any: Option<usize>| {
        let mut parts = vec![Figures::NONE];
        for (index, (figure, number)) in kinds.iter().enumerate() {
            let step = if any.is_none_or(|any| any == index) { 1 } else { usize::from(*number) };
            let numbers = (0..=*number).rev().step_by(step.max(1));
            let with = |part: Figures, number: u8| part + Figures::of(*figure, number);
            parts = parts.into_iter().flat_map(|part| numbers.clone().map(move |number| with(part, number))).collect();
        }
        parts
    };
    let mut parts = if every <= most { of_one(None) } else { Vec::new() };
    if every > most && has_usual {
        parts = (0..kinds.len()).flat_map(|any| of_one(Some(any))).collect();
    } else if every > most {
        let some = kinds.iter().flat_map(|(figure, number)| (1..=*number).map(|number| Figures::of(*figure, number)));
        parts = some.flat_map(|some| [*there - some, some]).chain([*there]).collect();
    }
    let mut different: Vec<Figures> = Vec::new();
    for part in parts {
        if !part.is_empty() && !different.contains(&part) {
            different.push(part);
        }
    }
    different
}

/// Parts of the figures that can go. If any part may go, one of these may, no matter who leads and controls it: all
/// of them, all but one unit, and one or two units, alone, with one other figure, with all Leaders, or with both.
pub fn telling(able: &Figures) -> impl Iterator<Item = Figures> {
    let able = *able;
    std::iter::once(able).chain(std::iter::once_with(move || smaller(able)).flatten())
}

/// The parts of [`telling`] except the first, which is all figures.
fn smaller(able: Figures) -> impl Iterator<Item = Figures> {
    let kinds: Vec<Figure> = able.iter().map(|(figure, _)| figure).collect();
    let (units, others): (Vec<Figure>, Vec<Figure>) = kinds.into_iter().partition(|figure| figure.is_unit());
    let but_one: Vec<Figures> = units.iter().map(|unit| able - Figures::one(*unit)).collect();
    let pairs = (0..units.len()).flat_map(move |first| (first..units.len()).map(move |second| (first, second)));
    let leaders = able.only_leaders();
    let units: Vec<Figure> = able.only_units().iter().map(|(figure, _)| figure).collect();
    let few = pairs.flat_map(move |(first, second)| {
        let mut some = Figures::one(units[first]);
        if second != first {
            some.put(units[second], 1);
        }
        let alone = [some, some + leaders];
        let with: Vec<Figures> = others.iter().map(|figure| some + Figures::one(*figure)).collect();
        let with_all: Vec<Figures> = others
            .iter()
            .filter(|figure| leaders.count(**figure) == 0)
            .map(|figure| some + leaders + Figures::one(*figure))
            .collect();
        alone.into_iter().chain(with).chain(with_all)
    });
    but_one.into_iter().chain(few)
}

/// A random part of the figures there: every number of each kind is equally likely.
pub fn roll(chance: &mut dyn Chance, there: &Figures) -> Figures {
    let mut part = Figures::NONE;
    for (figure, number) in there.iter() {
        let some = chance.below(u32::from(number) + 1);
        part.put(figure, u8::try_from(some).expect("no more than there are"));
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::menu::Phrase;

    struct Of(Figures);

    impl Phrase for Of {
        type Said = Figures;

        fn read(&self, menu: &mut Menu<'_>) -> Ask<Figures> {
            match read(menu)?.of(&self.0, "7.6") {
                Ok(part) => Ok(part),
                Err(barred) => menu.check(Err(barred)).map(|()| Figures::NONE),
            }
        }

        fn roll(&self, chance: &mut dyn Chance) -> Ask<Figures> {
            Ok(roll(chance, &self.0))
        }

        fn list(&self) -> Ask<engine::menu::Sample<Figures>> {
            Ok(("<figures>".to_string(), Vec::new(), self.0))
        }

        fn say(&self, said: &Figures) -> String {
            say(said, &self.0)
        }
    }

    fn there() -> Figures {
        let mut there = Figures::of(Figure::Regular(Nation::Gondor), 3);
        there.put(Figure::Regular(Nation::Rohan), 2);
        there.put(Figure::Elite(Nation::Rohan), 2);
        there.put(Figure::Leader(Nation::Rohan), 1);
        there.put(Figure::Character(Character::Strider), 1);
        there
    }

    #[track_caller]
    fn case(line: &str, expected: &str) {
        let read = Menu::read(line, |menu| menu.phrase(&Of(there())));
        let said = read.map_or_else(|refusal| refusal.to_string(), |(said, _)| said.sentence);
        assert_eq!(said, expected);
    }

    #[test]
    fn parts_are_read_as_people_write_them() {
        case("2 gondor regulars, 1 elite and Strider", "2 gondor regular 1 elite strider");
        case("all but 1 elite", "3 gondor regular 2 rohan regular 1 elite 1 leader strider");
        case("5 regular", "3 gondor regular 2 rohan regular");
        case(
            "4 regular",
            "not allowed: `4 regular`: say of which Nation: there are 3 gondor regular, 2 rohan regular (rule 7.6)",
        );
        case("orcs", "not understood: `orcs`. A figure is expected, e.g. 3 regular");
        case("3 elite", "not allowed: `3 elite`: there are 2 Rohan Elites, not 3 (rule 7.6)");
    }

    #[test]
    fn the_parts_of_a_force_are_all_of_them_or_the_usual_ones() {
        let there = there();
        let all = parts(&there, 1_000);
        assert_eq!(all.len(), 4 * 3 * 3 * 2 * 2 - 1);
        assert_eq!(all[0], there);
        for most in [1, 60, 100] {
            let some = parts(&there, most);
            assert!(some.len() < 100 && some.contains(&there), "{}", some.len());
            assert!(some.contains(&(there - Figures::of(Figure::Regular(Nation::Gondor), 2))));
            assert!(some.iter().all(|part| there.contains(part) && !part.is_empty()));
        }
        assert_eq!(parts(&Figures::NONE, 10), []);
    }
}
