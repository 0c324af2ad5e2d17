/*! Conditions: `progress at least 3 and osgiliath mine`.

A condition is a small menu that returns whether it holds. So one definition reads it, refuses it with a reason, lists
it, makes one at random and judges it; and a condition is read when the order is left in the same way as it is judged
when the question comes.
*/

use super::fact::Fact;
use crate::menu::{Ask, Menu};
use crate::refusal::{Refusal, barred};

/// The most tests in one condition.
const TESTS_MAX: usize = 8;
/// The greatest number that a fact can be compared with.
const NUMBER_MAX: u32 = 99;

/// How numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    AtLeast,
    AtMost,
    More,
    Fewer,
    Is,
}

const COMPARISONS: [(&str, Comparison); 5] = [
    ("at least", Comparison::AtLeast),
    ("at most", Comparison::AtMost),
    ("more than|above", Comparison::More),
    ("fewer than|less than|below", Comparison::Fewer),
    ("is|are|equals|exactly", Comparison::Is),
];

/// The signs that stand for words of a condition; the longer ones first.
const SIGNS: [(&str, &str); 8] = [
    (">=", " at least "),
    ("=>", " at least "),
    ("<=", " at most "),
    ("=<", " at most "),
    ("==", " is "),
    (">", " more than "),
    ("<", " fewer than "),
    ("=", " is "),
];

/// The condition with words in place of signs, and single blanks.
pub fn in_words(condition: &str) -> String {
    let mut words = condition.replace('\u{2265}', ">=").replace('\u{2264}', "<=");
    for (sign, word) in SIGNS {
        words = words.replace(sign, word);
    }
    words.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The only test that no title reads: whether the time to answer is over.
const LATE: &str = "late";

/// Splits a condition: whether it has the test `late`, and its other tests.
pub fn without_late(condition: &str) -> (bool, Option<String>) {
    let tests: Vec<&str> = condition.split(" and ").map(str::trim).collect();
    let others: Vec<&str> = tests.iter().copied().filter(|test| *test != LATE).collect();
    (others.len() < tests.len(), (!others.is_empty()).then(|| others.join(" and ")))
}

/// Puts a condition together again from these two parts.
pub fn with_late(is_late: bool, others: Option<String>) -> String {
    let parts: Vec<String> = is_late.then(|| LATE.to_string()).into_iter().chain(others).collect();
    parts.join(" and ")
}

/// Reads a condition and judges it now. `fact` reads one fact and returns its value. A test that cannot be judged now
/// does not hold.
pub fn condition(menu: &mut Menu<'_>, fact: impl Fn(&mut Menu<'_>) -> Ask<Fact>) -> Ask<bool> {
    let mut holds = true;
    for index in 1.. {
        holds &= test(menu, &fact)?;
        if index >= TESTS_MAX || !menu.maybe("and")? {
            break;
        }
    }
    Ok(holds)
}

fn test(menu: &mut Menu<'_>, fact: &impl Fn(&mut Menu<'_>) -> Ask<Fact>) -> Ask<bool> {
    let number = match fact(menu)? {
        Fact::Flag(flag) => return Ok(flag == Some(true)),
        Fact::Number(number) => number,
    };
    let comparison = menu.branch(&COMPARISONS, |_| Ok(()))?;
    let other = match menu.number_if_said("number", 0..=NUMBER_MAX)? {
        Some(other) => Some(other),
        None => {
            let twice = menu.maybe("twice")?;
            match fact(menu)? {
                Fact::Number(other) => other.map(|other| other * if twice { 2 } else { 1 }),
                // A flag cannot be compared.
                Fact::Flag(_) => {
                    menu.check(barred("", "a number is compared with a number"))?;
                    None
                }
            }
        }
    };
    Ok(number.zip(other).is_some_and(|(number, other)| match comparison {
        Comparison::AtLeast => number >= other,
        Comparison::AtMost => number <= other,
        Comparison::More => number > other,
        Comparison::Fewer => number < other,
        Comparison::Is => number == other,
    }))
}

/// Adds to the refusal of a condition the fact that the player probably meant.
pub fn meant(refusal: Refusal) -> Refusal {
    let Refusal::NotUnderstood { at, found, expected, kind, nearest: None } = refusal else { return refusal };
    let slips = match found.chars().count() {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2,
    };
    let first = |words: &str| words.split([' ', '-']).next().unwrap_or(words).to_string();
    let near = expected.iter().map(|words| (strsim::damerau_levenshtein(&first(words), &found), words));
    let nearest = near.filter(|(distance, _)| *distance <= slips).min().map(|(_, words)| words.clone());
    Refusal::NotUnderstood { at, found, expected, kind, nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Practice;

    /// Five units, three enemies, no battle, hidden.
    fn fact(menu: &mut Menu<'_>) -> Ask<Fact> {
        let ways = [("units", 0), ("enemies", 1), ("round", 2), ("hidden", 3), ("revealed", 4)];
        Ok(match menu.branch(&ways, |_| Ok(()))? {
            0 => Fact::number(5u8),
            1 => Fact::number(3u8),
            2 => Fact::Number(None),
            3 => Fact::flag(true),
            _ => Fact::flag(false),
        })
    }

    #[track_caller]
    fn case(written: &str, canonical: &str, expected: bool) {
        let written = in_words(written);
        let (said, holds) = Menu::read(&written, |menu| condition(menu, fact)).unwrap();
        assert_eq!((said.sentence.as_str(), holds), (canonical, expected));
        let (again, _) = Menu::read(canonical, |menu| condition(menu, fact)).unwrap();
        assert_eq!(again.sentence, canonical);
    }

    #[test]
    fn conditions_are_read_and_judged() {
        case("units >= 5", "units at least 5", true);
        case("units>5", "units more than 5", false);
        case("units = 5 and hidden", "units is 5 and hidden", true);
        case("units < enemies", "units fewer than enemies", false);
        case("units < twice enemies", "units fewer than twice enemies", true);
        case("revealed", "revealed", false);
        // Without a battle there is no round, and every comparison with it fails.
        case("round < 3", "round fewer than 3", false);
        case("round >= 0", "round at least 0", false);
    }

    #[track_caller]
    fn refused(written: &str, why: &str) {
        let refusal = Menu::read(&in_words(written), |menu| condition(menu, fact)).unwrap_err().to_string();
        assert!(refusal.starts_with(why), "{refusal}");
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        refused("", "not understood: the sentence ends too early");
        refused("unitz >= 5", "not understood: `unitz`; did you mean `units`?");
        refused("units", "not understood: the sentence ends too early. Expected: at least, at most");
        refused("units > hidden", "not allowed: `units more than hidden`: a number is compared with a number");
        refused("units > 3 or hidden", "not understood: `or`. Expected: and");
        refused("units > 100", "not allowed");
    }

    #[test]
    fn being_late_is_asked_of_no_table() {
        let parted = |condition: &str| without_late(condition);
        assert_eq!(parted("late"), (true, None));
        assert_eq!(parted("units at least 3 and late"), (true, Some("units at least 3".to_string())));
        assert_eq!(parted("units at least 3 and hidden"), (false, Some("units at least 3 and hidden".to_string())));
        assert_eq!(with_late(true, Some("hidden".to_string())), "late and hidden");
        assert_eq!(with_late(true, None), "late");
    }

    #[test]
    fn what_is_made_at_random_reads_as_it_prints() {
        for seed in 0..200 {
            let mut chance = Practice::new(seed);
            let Ok((said, holds)) = Menu::roll(&mut chance, |menu| condition(menu, fact)) else { continue };
            let (again, held) = Menu::read(&said.sentence, |menu| condition(menu, fact)).unwrap();
            assert_eq!((again.sentence, held), (said.sentence.clone(), holds));
        }
    }
}
