/*! The menu: everything the asked seat may say now, defined once.

A question's menu is one function of its title, written in the order in which the sentence is said: a word, a
choice, a number. The same function is run in four modes. *Reading* follows the words of a line and refuses what
does not fit. *Rolling* chooses at random, for bots, practice games and tests. *Listing* walks every path, for letters
and completion. *Growing* writes every path out as a graph of words, for pages. So text, check, refusal, help and random
play always agree.

Two rules for these functions: no path may end in a dead end (bar the branch that would lead to it), and only what the
menu's methods return may decide which way the function goes on.
*/

mod list;
pub mod policy;
mod read;
mod roll;
mod said;
mod spelling;
mod stop;
pub mod tree;

use crate::chance::{Chance, Practice};
use crate::name::Named;
use crate::refusal::{Allowed, Barred, Refusal};
use crate::slot::{Card, Slot};
use list::Lister;
use read::{Reader, Ways};
use spelling::{append, canonical, range_noun};
use std::fmt::Write;
use std::ops::RangeInclusive;
use tree::{Grower, Growing, Tree};

pub use said::Said;
pub use stop::{Ask, Stop};

/// A menu being read, rolled or listed, with what has been said so far.
pub struct Menu<'a> {
    mode: Mode<'a>,
    said: String,
    /// Where the last fixed words begin in `said`, with the blank before them.
    verb: usize,
    shows: Vec<(Slot, Card)>,
}

enum Mode<'a> {
    Read(Reader<'a>),
    Roll(&'a mut dyn Chance),
    List(Lister),
    Grow(Grower),
}

/// A part of a sentence with its own grammar, where a row of words and choices is not enough: for example any part of
/// an army, whose figures are named before the place they come from. For whatever `roll` returns, `say` prints words
/// that `read` reads as the same thing.
pub trait Phrase {
    type Said;

    /// Reads it with the methods of the menu, which is in reading mode; what they print is dropped.
    fn read(&self, menu: &mut Menu<'_>) -> Ask<Self::Said>;

    /// A random one of the things that may be said.
    fn roll(&self, chance: &mut dyn Chance) -> Ask<Self::Said>;

    /// The phrase for a listing.
    fn list(&self) -> Ask<Sample<Self::Said>>;

    /// Phrases of single words to tap one after the other, each of which may be said, and one thing that may be said.
    /// Not always complete: by default, the results of a few rolls.
    fn grow(&self) -> Ask<(Vec<String>, Self::Said)> {
        let mut chance = Practice::new(1);
        let mut rows = Vec::new();
        for _ in 0..ROLLED {
            let row = self.say(&self.roll(&mut chance)?);
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        rows.sort();
        Ok((rows, self.roll(&mut chance)?))
    }

    /// The canonical words.
    fn say(&self, said: &Self::Said) -> String;

    /// The verb of this thing, if it is another than the fixed words before the phrase: it is printed in their place.
    fn verb(&self, _said: &Self::Said) -> Option<&'static str> {
        None
    }
}

/// How often a phrase is rolled to grow it.
const ROLLED: u32 = 100;

/// A phrase in a listing: its words, the names that each noun in them stands for, and one thing that may be said.
pub type Sample<T> = (String, Vec<(String, Vec<String>)>, T);

/// One line of a listed menu, with `<noun>` for a part that can be any of several names, and optional parts in
/// brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub sentence: String,
    /// The names that each `<noun>` of the line stands for.
    pub nouns: Vec<(String, Vec<String>)>,
    /// The names in the line that were chosen among several, each with the noun for its kind.
    pub chosen: Vec<(String, &'static str)>,
}

impl<'a> Menu<'a> {
    /// Reads a line with a menu function.
    pub fn read<T>(line: &'a str, menu: impl FnOnce(&mut Menu<'a>) -> Ask<T>) -> Result<(Said, T), Refusal> {
        Menu::read_by(Reader::new(line), menu)
    }

    /// Like [`Menu::read`] for a line that no player wrote: a refusal is not explained.
    pub fn accepted<T>(line: &'a str, menu: impl FnOnce(&mut Menu<'a>) -> Ask<T>) -> Option<(Said, T)> {
        Menu::read_by(Reader::unexplained(line), menu).ok()
    }

    fn read_by<T>(reader: Reader<'a>, menu: impl FnOnce(&mut Menu<'a>) -> Ask<T>) -> Result<(Said, T), Refusal> {
        let mut reading = Menu::new(Mode::Read(reader));
        let said = menu(&mut reading).and_then(|said| match &reading.mode {
            Mode::Read(reader) => reader.end().map(|()| said),
            _ => Ok(said),
        });
        match said {
            Ok(said) => Ok((reading.said(), said)),
            Err(Stop::Refused(refusal)) => Err(refusal),
            Err(Stop::DeadEnd) => unreachable!("reading refuses; it meets no dead end"),
        }
    }

    /// Says something at random.
    ///
    /// # Errors
    /// The menu has a dead end.
    pub fn roll<T>(chance: &'a mut dyn Chance, menu: impl FnOnce(&mut Menu<'a>) -> Ask<T>) -> Ask<(Said, T)> {
        let mut rolling = Menu::new(Mode::Roll(chance));
        let said = menu(&mut rolling)?;
        Ok((rolling.said(), said))
    }

    /// Lists at most `limit` lines of the menu.
    pub fn list<T>(limit: usize, mut menu: impl FnMut(&mut Menu<'a>) -> Ask<T>) -> Vec<Offer> {
        let mut offers: Vec<Offer> = Vec::new();
        let mut script = Some(Vec::new());
        while let Some(path) = script {
            let mut listing = Menu::new(Mode::List(Lister::new(path)));
            let found = menu(&mut listing);
            let Mode::List(lister) = listing.mode else { unreachable!("the mode of a menu never changes") };
            script = lister.next_path();
            if found.is_ok() {
                let offer = Offer { sentence: listing.said, nouns: lister.nouns, chosen: lister.chosen };
                if !offers.contains(&offer) {
                    offers.push(offer);
                }
            }
            if offers.len() >= limit {
                break;
            }
        }
        offers
    }

    /// Grows the tree of a menu, with at most `most` runs of its function.
    pub fn tree<T>(most: usize, mut menu: impl FnMut(&mut Menu<'a>) -> Ask<T>) -> Tree {
        let mut growing = Growing::default();
        let mut script = Some(Vec::new());
        for _ in 0..most {
            let Some(path) = script else { break };
            let mut run = Menu::new(Mode::Grow(Grower::new(path)));
            let found = menu(&mut run);
            let Mode::Grow(grower) = run.mode else { unreachable!("the mode of a menu never changes") };
            script = grower.walk.next_path();
            if found.is_ok() {
                growing.add(&run.said, &grower);
            }
        }
        growing.tree(script.is_none())
    }

    fn new(mode: Mode<'a>) -> Menu<'a> {
        Menu { mode, said: String::with_capacity(64), verb: 0, shows: Vec::new() }
    }

    fn said(self) -> Said {
        Said { sentence: self.said, shows: self.shows }
    }

    /// A word that must come next. It may be several words, and other spellings may follow after `|`. The first is
    /// canonical.
    pub fn word(&mut self, word: &'static str) -> Ask<()> {
        if let Mode::Read(reader) = &mut self.mode {
            reader.word(word)?;
        }
        self.say_spelled(word);
        Ok(())
    }

    /// A fixed word; without it the sentence is refused for the reason `lacks`.
    pub fn word_or(&mut self, word: &'static str, lacks: Barred) -> Ask<()> {
        if let Mode::Read(reader) = &mut self.mode
            && !reader.maybe(word)
        {
            return Err(reader.barred(lacks));
        }
        self.say_spelled(word);
        Ok(())
    }

    /// Words that may be left out. A listing shows them in brackets.
    pub fn maybe(&mut self, words: &'static str) -> Ask<bool> {
        let said = match &mut self.mode {
            Mode::Read(reader) => reader.maybe(words),
            Mode::Roll(chance) => chance.below(2) == 1,
            Mode::Grow(grower) => grower.either()?,
            Mode::List(_) => {
                self.say_bracketed(canonical(words));
                return Ok(false);
            }
        };
        if said {
            self.say_spelled(words);
        }
        Ok(said)
    }

    // The rules call these methods at some 170 places, each with its own closure. The generic method only passes the
    // closure on as a `dyn Fn` to a shared function; otherwise the program would contain a copy of the function for
    // each closure.

    /// One of several ways to go on, each beginning with its own words (other spellings after `|`). A way with empty
    /// words goes on without any word; it must come last.
    pub fn branch<T: Copy>(&mut self, ways: &[(&'static str, T)], allowed: impl Fn(T) -> Allowed) -> Ask<T> {
        let index = self.branch_of(&Ways {
            count: ways.len(),
            spelled: &|way| ways[way].0,
            allowed: &|way| allowed(ways[way].1),
        })?;
        self.say_spelled(ways[index].0);
        Ok(ways[index].1)
    }

    fn branch_of(&mut self, ways: &Ways<'_>) -> Ask<usize> {
        let is_open = |way| ways.is_open(way);
        match &mut self.mode {
            Mode::Read(reader) => reader.branch(ways),
            Mode::Roll(chance) => roll::one_of(*chance, ways.count, is_open),
            Mode::List(lister) => lister.one_of(ways.count, is_open),
            Mode::Grow(grower) => grower.walk.one_of(ways.count, is_open),
        }
    }

    /// One of these things, by name. The rest of the sentence may depend on it: a listing has a line for each.
    pub fn choose<T: Named>(&mut self, noun: &'static str, things: &[T], allowed: impl Fn(T) -> Allowed) -> Ask<T> {
        self.choose_of(noun, things, &allowed)
    }

    fn choose_of<T: Named>(&mut self, noun: &'static str, things: &[T], allowed: &dyn Fn(T) -> Allowed) -> Ask<T> {
        let is_open = |index: usize| allowed(things[index]).is_ok();
        let index = match &mut self.mode {
            Mode::Read(reader) => reader.choose(noun, things, allowed)?,
            Mode::Roll(chance) => roll::one_of(*chance, things.len(), is_open)?,
            Mode::Grow(grower) => {
                let index = grower.walk.one_of(things.len(), is_open)?;
                self.say(things[index].name().id());
                return Ok(things[index]);
            }
            Mode::List(lister) => {
                let index = lister.one_of(things.len(), is_open)?;
                // A listing names a player's own face-down card by its title, not by its slot.
                let name = things[index].name().id();
                lister.chosen.push((name.to_string(), noun));
                self.say(name);
                return Ok(things[index]);
            }
        };
        self.say(things[index].said());
        Ok(things[index])
    }

    /// One of these things, by name. The rest of the sentence must not depend on it: a listing shows `<noun>`.
    pub fn pick<T: Named>(&mut self, noun: &'static str, things: &[T], allowed: impl Fn(T) -> Allowed) -> Ask<T> {
        self.pick_of(noun, things, &allowed)
    }

    fn pick_of<T: Named>(&mut self, noun: &'static str, things: &[T], allowed: &dyn Fn(T) -> Allowed) -> Ask<T> {
        let Mode::List(lister) = &mut self.mode else {
            return self.choose_of(noun, things, allowed);
        };
        let first = lister.noun(noun, things, allowed)?;
        self.say_noun(noun);
        Ok(first)
    }

    /// A number within the range. A listing shows the range.
    pub fn number(&mut self, noun: &'static str, range: RangeInclusive<u32>, rule: &'static str) -> Ask<u32> {
        let number = match &mut self.mode {
            Mode::Read(reader) => reader.number(noun, range, rule)?,
            Mode::Roll(chance) => roll::number(*chance, range)?,
            Mode::Grow(grower) => {
                let (number, mark) = grower.number(range)?;
                self.say(&mark.unwrap_or_else(|| number.to_string()));
                return Ok(number);
            }
            Mode::List(_) => {
                self.say(&range_noun(&range));
                return if range.is_empty() { Err(Stop::DeadEnd) } else { Ok(*range.end()) };
            }
        };
        self.say_number(number);
        Ok(number)
    }

    /// A number within the range; `None` if something else comes next, which the menu reads then.
    pub fn number_if_said(&mut self, noun: &'static str, range: RangeInclusive<u32>) -> Ask<Option<u32>> {
        let is_said = match &mut self.mode {
            Mode::Read(reader) => reader.counts_next(noun),
            Mode::Roll(chance) => chance.below(3) > 0,
            Mode::List(_) | Mode::Grow(_) => true,
        };
        if is_said { self.number(noun, range, "").map(Some) } else { Ok(None) }
    }

    /// A number that may be left out, with the words before and after it: `with 2`, `until 3 left`. A listing shows it
    /// in brackets.
    pub fn maybe_number(
        &mut self,
        before: &'static str,
        noun: &'static str,
        range: RangeInclusive<u32>,
        rule: &'static str,
        after: &'static str,
    ) -> Ask<Option<u32>> {
        if let Mode::List(_) = self.mode {
            let part = format!("[{} {} {}", canonical(before), range_noun(&range), canonical(after));
            self.say(&format!("{}]", part.trim_end()));
            return Ok(None);
        }
        if range.is_empty() || !self.maybe(before)? {
            return Ok(None);
        }
        let number = self.number(noun, range, rule)?;
        if !after.is_empty() {
            self.word(after)?;
        }
        Ok(Some(number))
    }

    /// The comma between two things of a list. `and` is read as well.
    pub fn comma(&mut self) -> Ask<()> {
        if let Mode::Read(reader) = &mut self.mode {
            reader.comma();
        }
        self.part(1);
        Ok(())
    }

    /// Whether an optional further thing follows in a list. A listing ends the list here.
    pub fn maybe_comma(&mut self, allowed: Allowed) -> Ask<bool> {
        let goes_on = match &mut self.mode {
            Mode::Read(reader) => {
                reader.bare_comma() && allowed.map(|()| true).map_err(|barred| reader.barred(barred))?
            }
            Mode::Roll(chance) => allowed.is_ok() && chance.below(2) == 1,
            Mode::Grow(grower) => allowed.is_ok() && grower.either()?,
            Mode::List(_) => false,
        };
        self.part(usize::from(goes_on));
        Ok(goes_on)
    }

    /// A split of up to `total` over these things: `3 the-shire, 2 buckland, rest rivendell`. Every part is at
    /// least 1, no thing is named twice, and there is at least one part. `rest` is the number left over.
    pub fn split<T: Named + PartialEq>(
        &mut self,
        noun: &'static str,
        total: u32,
        things: &[T],
        rule: &'static str,
        allowed: impl Fn(T) -> Allowed,
    ) -> Ask<Vec<(u32, T)>> {
        self.split_of(noun, total, things, rule, &allowed)
    }

    fn split_of<T: Named + PartialEq>(
        &mut self,
        noun: &'static str,
        total: u32,
        things: &[T],
        rule: &'static str,
        allowed: &dyn Fn(T) -> Allowed,
    ) -> Ask<Vec<(u32, T)>> {
        let parts = match &mut self.mode {
            Mode::Read(reader) => reader.split(noun, total, things, rule, allowed)?,
            Mode::Roll(chance) => roll::split(*chance, total, things, allowed)?,
            Mode::Grow(grower) => {
                let (mark, first) = grower.split(total, things, allowed)?;
                self.say(&mark);
                return Ok(vec![(total, first)]);
            }
            Mode::List(lister) => {
                let first = lister.noun(noun, things, allowed)?;
                self.say(&format!("<1-{total}>"));
                self.say_noun(noun);
                self.said.push_str(", …");
                return Ok(vec![(total, first)]);
            }
        };
        for (index, (number, thing)) in parts.iter().enumerate() {
            self.part(index);
            self.say_number(*number);
            self.say(thing.said());
        }
        Ok(parts)
    }

    /// A list of one to `most` different things in the order of preference: `bree, the-shire`.
    pub fn several<T: Named + PartialEq>(
        &mut self,
        noun: &'static str,
        most: usize,
        things: &[T],
        allowed: impl Fn(T) -> Allowed,
    ) -> Ask<Vec<T>> {
        self.several_of(noun, most, things, &allowed)
    }

    fn several_of<T: Named + PartialEq>(
        &mut self,
        noun: &'static str,
        most: usize,
        things: &[T],
        allowed: &dyn Fn(T) -> Allowed,
    ) -> Ask<Vec<T>> {
        let chosen = match &mut self.mode {
            Mode::Read(reader) => reader.several(noun, most, things, allowed)?,
            Mode::Roll(chance) => roll::several(*chance, most, things, allowed)?,
            Mode::Grow(grower) => {
                let (mark, first) = grower.several(most, things, allowed)?;
                self.say(&mark);
                return Ok(vec![first]);
            }
            Mode::List(lister) => {
                let first = lister.noun(noun, things, allowed)?;
                self.say_noun(noun);
                if most > 1 {
                    self.said.push_str(", …");
                }
                return Ok(vec![first]);
            }
        };
        for (index, thing) in chosen.iter().enumerate() {
            self.part(index);
            self.say(thing.said());
        }
        Ok(chosen)
    }

    /// A phrase with its own grammar. It is printed in canonical words, however it was spelled.
    pub fn phrase<P: Phrase>(&mut self, phrase: &P) -> Ask<P::Said> {
        let (before, verb) = (self.said.len(), self.verb);
        let said = match &mut self.mode {
            Mode::Read(_) => phrase.read(self)?,
            Mode::Roll(chance) => phrase.roll(*chance)?,
            Mode::Grow(grower) => {
                let (rows, first) = phrase.grow()?;
                let mark = grower.one_of(rows);
                self.say(&mark);
                return Ok(first);
            }
            Mode::List(lister) => {
                let (sample, nouns, first) = phrase.list()?;
                lister.nouns.extend(nouns);
                self.say(&sample);
                return Ok(first);
            }
        };
        match phrase.verb(&said) {
            None => self.said.truncate(before),
            Some(own) => {
                self.said.truncate(verb);
                self.say(own);
            }
        }
        self.say(&phrase.say(&said));
        Ok(said)
    }

    /// The number that comes next, if there is one. Only for a [`Phrase`] being read.
    pub fn number_if_any(&mut self) -> Option<u32> {
        match &mut self.mode {
            Mode::Read(reader) => reader.number_if_any(),
            Mode::Roll(_) | Mode::List(_) | Mode::Grow(_) => None,
        }
    }

    /// The thing whose full name comes next, if there is one. Only for a [`Phrase`] being read.
    pub fn name_if_any<T: Named>(&mut self, things: &[T]) -> Option<T> {
        match &mut self.mode {
            Mode::Read(reader) => reader.name_if_any(things),
            Mode::Roll(_) | Mode::List(_) | Mode::Grow(_) => None,
        }
    }

    /// Whether a line is being read and one of these words comes next.
    pub fn comes_next(&self, words: &'static str) -> bool {
        matches!(&self.mode, Mode::Read(reader) if reader.comes_next(words))
    }

    /// Whether a line is being read: for forms that are accepted and never offered, e.g. with words left out.
    pub fn is_reading(&self) -> bool {
        matches!(self.mode, Mode::Read(_))
    }

    /// Whether a sentence is made at random: if a thing may be said in two ways, random play uses only one.
    pub fn is_rolling(&self) -> bool {
        matches!(self.mode, Mode::Roll(_))
    }

    /// Inserts words that the player left out before everything said so far.
    pub fn understood(&mut self, words: &'static str) {
        let words = format!("{} ", canonical(words));
        self.said.insert_str(0, &words);
        // The beginning of the sentence now has a blank before it.
        self.verb = if self.verb == 0 { words.len() - 1 } else { self.verb + words.len() };
    }

    /// Notes that the sentence shows the card on this slot: its entry in the log must open the slot.
    pub fn show(&mut self, slot: Slot, card: Card) {
        self.shows.push((slot, card));
    }

    /// Checks everything said so far. If it is barred, all of it is refused.
    pub fn check(&mut self, allowed: Allowed) -> Ask<()> {
        match (allowed, &mut self.mode) {
            (Ok(()), _) => Ok(()),
            (Err(barred), Mode::Read(reader)) => Err(reader.barred(barred)),
            (Err(_), _) => Err(Stop::DeadEnd),
        }
    }

    fn say(&mut self, words: &str) {
        append(&mut self.said, words);
    }

    /// Prints the canonical spelling of fixed words.
    fn say_spelled(&mut self, spellings: &'static str) {
        self.verb = self.said.len();
        self.say(canonical(spellings));
    }

    fn say_number(&mut self, number: u32) {
        if !self.said.is_empty() {
            self.said.push(' ');
        }
        write!(self.said, "{number}").expect("a string takes everything");
    }

    fn say_noun(&mut self, noun: &str) {
        self.say(&format!("<{noun}>"));
    }

    fn say_bracketed(&mut self, words: &str) {
        self.say(&format!("[{words}]"));
    }

    fn part(&mut self, index: usize) {
        if index > 0 {
            self.said.push(',');
        }
    }
}

#[cfg(test)]
mod tests;
