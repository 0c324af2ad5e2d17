/*! The menu: everything the asked seat may say now, defined once.

A question's menu is one function of its title, written in the order in which the sentence is said: a word, a
choice, a number. The same function is read in three ways. *Reading* follows the words of a line and refuses what
does not fit. *Rolling* chooses at random, for practice games and tests. *Listing* walks every path, for letters
and completion. So text, check, refusal, help and random play cannot part ways.

Rules for the functions: no path may end in a dead end (bar the branch, not the choice behind it), and nothing but
the menu's answers may decide the path.
*/

mod list;
mod read;
mod roll;

use crate::engine::chance::Chance;
use crate::engine::name::Named;
use crate::engine::refusal::{Allowed, Refusal};
use crate::engine::slot::{Card, Slot};
use list::Lister;
use read::Reader;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// A menu being read, rolled or listed, with what has been said so far.
pub struct Menu<'a> {
    mode: Mode<'a>,
    said: String,
    /// The same as earlier releases printed it, where that differs.
    formerly: Vec<String>,
    /// Where in `said` the last fixed words begin.
    verb: usize,
    shows: Vec<(Slot, Card)>,
}

enum Mode<'a> {
    Read(Reader<'a>),
    Roll(&'a mut dyn Chance),
    List(Lister),
}

/// Why a menu did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Refused(Refusal),
    /// Nothing can stand here: the branch before should have been barred.
    DeadEnd,
}

/// A part of a sentence with a grammar of its own, for what no row of words and choices can say well: any part of an
/// army, where the figures are named before the place they come from. What `roll` gives, `say` prints so that `read`
/// reads it as the same.
pub trait Phrase {
    type Said;

    /// Reads it with the nodes of the menu, which is in reading mode; what they print is dropped.
    fn read(&self, menu: &mut Menu<'_>) -> Ask<Self::Said>;

    /// One of the things that may be said, at random.
    fn roll(&self, chance: &mut dyn Chance) -> Ask<Self::Said>;

    /// The phrase as a listing shows it, what may stand for its nouns, and one thing that may be said.
    fn list(&self) -> Ask<Sample<Self::Said>>;

    /// The canonical words.
    fn say(&self, said: &Self::Said) -> String;

    /// Where what is said has a verb of its own: that verb, which is printed in place of the words before the phrase,
    /// and verb and phrase as earlier releases printed them.
    fn own_verb(&self, _said: &Self::Said) -> Option<(&'static str, String)> {
        None
    }
}

/// A phrase in a listing: its words, what may stand for each noun in them, and one thing that may be said.
pub type Sample<T> = (String, Vec<(String, Vec<String>)>, T);

/// What a menu function gives.
pub type Ask<T> = Result<T, Stop>;

/// A sentence read to its end: its canonical form, and the face-down cards it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub sentence: String,
    /// The same sentence as earlier releases recorded it; empty for most.
    pub formerly: Vec<String>,
    pub shows: Vec<(Slot, Card)>,
}

impl Said {
    /// Whether a log may hold the sentence in these words: the canonical ones, or those of an earlier release. Other
    /// spellings are read from players and never recorded.
    pub fn is_recorded_as(&self, words: &str) -> bool {
        self.sentence == words || self.formerly.iter().any(|form| form == words)
    }
}

/// One line of a listed menu. Parts that can vary freely stand in it as `<noun>`, optional ones in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub sentence: String,
    /// What may stand for each `<noun>` of the line.
    pub nouns: Vec<(String, Vec<String>)>,
    /// The names that stand in the line as one of several, each with the noun for its kind.
    pub chosen: Vec<(String, &'static str)>,
}

impl<'a> Menu<'a> {
    /// Reads a line with a menu function.
    pub fn read<T>(line: &'a str, menu: impl FnOnce(&mut Menu<'a>) -> Ask<T>) -> Result<(Said, T), Refusal> {
        let mut reading = Menu::new(Mode::Read(Reader::new(line)));
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

    /// Says something at random, or finds that the menu has a dead end.
    pub fn roll<T>(chance: &'a mut dyn Chance, menu: impl FnOnce(&mut Menu<'a>) -> Ask<T>) -> Ask<(Said, T)> {
        let mut rolling = Menu::new(Mode::Roll(chance));
        let said = menu(&mut rolling)?;
        Ok((rolling.said(), said))
    }

    /// Lists the menu, at most `limit` lines.
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

    fn new(mode: Mode<'a>) -> Menu<'a> {
        Menu { mode, said: String::with_capacity(64), formerly: Vec::new(), verb: 0, shows: Vec::new() }
    }

    fn said(self) -> Said {
        Said { sentence: self.said, formerly: self.formerly, shows: self.shows }
    }

    /// A word that must stand here. It may be several words, and other spellings may follow after `|`. The first is
    /// canonical. One after `|=` was canonical in earlier releases and stands in their logs: it is never to be removed.
    pub fn word(&mut self, word: &'static str) -> Ask<()> {
        if let Mode::Read(reader) = &mut self.mode {
            reader.word(word)?;
        }
        self.say_spelled(word);
        Ok(())
    }

    /// Words that may stand here or be left out. In a listing they stand in brackets.
    pub fn maybe(&mut self, words: &'static str) -> Ask<bool> {
        let said = match &mut self.mode {
            Mode::Read(reader) => reader.maybe(words),
            Mode::Roll(chance) => chance.below(2) == 1,
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

    /// One of several ways to go on, each begun by its words (other spellings after `|`). Empty words mean that the
    /// sentence may go on without any: put them last.
    pub fn branch<T: Copy>(&mut self, ways: &[(&'static str, T)], allowed: impl Fn(T) -> Allowed) -> Ask<T> {
        let index = match &mut self.mode {
            Mode::Read(reader) => reader.branch(ways, &allowed)?,
            Mode::Roll(chance) => roll::one_of(*chance, ways.len(), |way| allowed(ways[way].1).is_ok())?,
            Mode::List(lister) => lister.one_of(ways.len(), |way| allowed(ways[way].1).is_ok())?,
        };
        self.say_spelled(ways[index].0);
        Ok(ways[index].1)
    }

    /// One of these things, by name. What follows in the sentence may depend on it: listings go through each.
    pub fn choose<T: Named>(&mut self, noun: &'static str, things: &[T], allowed: impl Fn(T) -> Allowed) -> Ask<T> {
        let index = match &mut self.mode {
            Mode::Read(reader) => reader.choose(noun, things, &allowed)?,
            Mode::Roll(chance) => roll::one_of(*chance, things.len(), |thing| allowed(things[thing]).is_ok())?,
            Mode::List(lister) => {
                let index = lister.one_of(things.len(), |thing| allowed(things[thing]).is_ok())?;
                // A player is offered a face-down card of his own by its title.
                let name = things[index].name().id();
                lister.chosen.push((name.to_string(), noun));
                self.say(name);
                return Ok(things[index]);
            }
        };
        self.say(things[index].said());
        Ok(things[index])
    }

    /// One of these things, by name, on which nothing later in the sentence depends: listings show `<noun>`.
    pub fn pick<T: Named>(&mut self, noun: &'static str, things: &[T], allowed: impl Fn(T) -> Allowed) -> Ask<T> {
        let Mode::List(lister) = &mut self.mode else {
            return self.choose(noun, things, allowed);
        };
        let first = lister.noun(noun, things, &allowed)?;
        self.say_noun(noun);
        Ok(first)
    }

    /// A number within the range. Listings show the range.
    pub fn number(&mut self, noun: &'static str, range: RangeInclusive<u32>, rule: &'static str) -> Ask<u32> {
        let number = match &mut self.mode {
            Mode::Read(reader) => reader.number(noun, range, rule)?,
            Mode::Roll(chance) => roll::number(*chance, range)?,
            Mode::List(_) => {
                let text = match (range.start(), range.end()) {
                    (only, same) if only == same => only.to_string(),
                    (least, most) => format!("<{least}-{most}>"),
                };
                self.say(&text);
                return if range.is_empty() { Err(Stop::DeadEnd) } else { Ok(*range.end()) };
            }
        };
        self.say_number(number);
        Ok(number)
    }

    /// A number that may be left out, with the words before and after it: `with 2`, `until 3 left`.
    /// In a listing it is in brackets.
    pub fn maybe_number(
        &mut self,
        before: &'static str,
        noun: &'static str,
        range: RangeInclusive<u32>,
        rule: &'static str,
        after: &'static str,
    ) -> Ask<Option<u32>> {
        if let Mode::List(_) = self.mode {
            let number = match (range.start(), range.end()) {
                (only, same) if only == same => only.to_string(),
                (least, most) => format!("<{least}-{most}>"),
            };
            let part = format!("[{} {number} {}", canonical(before), canonical(after));
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

    /// The comma between two things of a list that must go on; `and` is understood as well.
    pub fn comma(&mut self) -> Ask<()> {
        if let Mode::Read(reader) = &mut self.mode {
            reader.comma();
        }
        self.part(1);
        Ok(())
    }

    /// Whether a list that may go on does. Listings end it here.
    pub fn maybe_comma(&mut self, allowed: Allowed) -> Ask<bool> {
        let goes_on = match &mut self.mode {
            Mode::Read(reader) => {
                reader.bare_comma() && allowed.map(|()| true).map_err(|barred| reader.barred(barred))?
            }
            Mode::Roll(chance) => allowed.is_ok() && chance.below(2) == 1,
            Mode::List(_) => false,
        };
        self.part(usize::from(goes_on));
        Ok(goes_on)
    }

    /// A split of up to `total` over these things: `3 the-shire, 2 buckland, rest rivendell`. Every part is at
    /// least 1, no thing comes twice, and at least one part is said. `rest` is what is left over.
    pub fn split<T: Named + PartialEq>(
        &mut self,
        noun: &'static str,
        total: u32,
        things: &[T],
        rule: &'static str,
        allowed: impl Fn(T) -> Allowed,
    ) -> Ask<Vec<(u32, T)>> {
        let parts = match &mut self.mode {
            Mode::Read(reader) => reader.split(noun, total, things, rule, &allowed)?,
            Mode::Roll(chance) => roll::split(*chance, total, things, &allowed)?,
            Mode::List(lister) => {
                let first = lister.noun(noun, things, &allowed)?;
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
        let chosen = match &mut self.mode {
            Mode::Read(reader) => reader.several(noun, most, things, &allowed)?,
            Mode::Roll(chance) => roll::several(*chance, most, things, &allowed)?,
            Mode::List(lister) => {
                let first = lister.noun(noun, things, &allowed)?;
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

    /// A phrase with a grammar of its own; what it was understood to say is printed by the phrase itself.
    pub fn phrase<P: Phrase>(&mut self, phrase: &P) -> Ask<P::Said> {
        let (before, formerly) = (self.said.len(), self.formerly.clone());
        let verb = self.verb;
        let said = match &mut self.mode {
            Mode::Read(_) => phrase.read(self)?,
            Mode::Roll(chance) => phrase.roll(*chance)?,
            Mode::List(lister) => {
                let (sample, nouns, first) = phrase.list()?;
                lister.nouns.extend(nouns);
                self.say(&sample);
                return Ok(first);
            }
        };
        self.said.truncate(before);
        self.formerly = formerly;
        let words = phrase.say(&said);
        let Some((own, earlier)) = phrase.own_verb(&said) else {
            self.say(&words);
            return Ok(said);
        };
        self.said.truncate(verb);
        let mut form = self.said.clone();
        append(&mut form, &earlier);
        self.say(own);
        self.say(&words);
        self.formerly.push(form);
        Ok(said)
    }

    /// The number at this place, if there is one. Only for a [`Phrase`] being read.
    pub fn number_if_any(&mut self) -> Option<u32> {
        match &mut self.mode {
            Mode::Read(reader) => reader.number_if_any(),
            Mode::Roll(_) | Mode::List(_) => None,
        }
    }

    /// The thing named here in full, if one is. Only for a [`Phrase`] being read.
    pub fn name_if_any<T: Named>(&mut self, things: &[T]) -> Option<T> {
        match &mut self.mode {
            Mode::Read(reader) => reader.name_if_any(things),
            Mode::Roll(_) | Mode::List(_) => None,
        }
    }

    /// Whether a line is being read. What is understood and never offered, such as words left out, asks this.
    pub fn is_reading(&self) -> bool {
        matches!(self.mode, Mode::Read(_))
    }

    /// Whether something is said at random. What may be said in two ways, each offered and read, is rolled in one.
    pub fn is_rolling(&self) -> bool {
        matches!(self.mode, Mode::Roll(_))
    }

    /// Prints words before all that was said: they were left out, and understood.
    pub fn understood(&mut self, words: &'static str) {
        for text in std::iter::once(&mut self.said).chain(&mut self.formerly) {
            *text = format!("{} {text}", canonical(words));
        }
    }

    /// Notes that the sentence shows the card on this slot: the entry that records it must open the slot.
    pub fn show(&mut self, slot: Slot, card: Card) {
        self.shows.push((slot, card));
    }

    /// Checks what the words together mean. Where it is barred, the whole sentence so far is refused.
    pub fn check(&mut self, allowed: Allowed) -> Ask<()> {
        match (allowed, &mut self.mode) {
            (Ok(()), _) => Ok(()),
            (Err(barred), Mode::Read(reader)) => Err(reader.barred(barred)),
            (Err(_), _) => Err(Stop::DeadEnd),
        }
    }

    fn say(&mut self, words: &str) {
        append(&mut self.said, words);
        for form in &mut self.formerly {
            append(form, words);
        }
    }

    /// Prints the canonical spelling of fixed words; the one of earlier releases is kept beside it.
    fn say_spelled(&mut self, spellings: &'static str) {
        let earlier = spellings.split('|').find_map(|spelling| spelling.strip_prefix(EARLIER));
        let forms: Vec<String> = match earlier {
            None => Vec::new(),
            Some(earlier) => {
                let mut forms: Vec<String> = std::iter::once(&self.said).chain(&self.formerly).cloned().collect();
                forms.iter_mut().for_each(|form| append(form, earlier));
                forms
            }
        };
        self.verb = self.said.len();
        self.say(canonical(spellings));
        self.formerly.extend(forms);
    }

    fn say_number(&mut self, number: u32) {
        if !self.formerly.is_empty() {
            return self.say(&number.to_string());
        }
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
            self.formerly.iter_mut().for_each(|form| form.push(','));
        }
    }
}

/// What marks a spelling that was canonical in earlier releases.
const EARLIER: char = '=';

/// The spellings of fixed words that may be said in several ways, without the mark.
fn spellings(words: &'static str) -> impl Iterator<Item = &'static str> {
    words.split('|').map(|spelling| spelling.strip_prefix(EARLIER).unwrap_or(spelling))
}

fn append(text: &mut String, words: &str) {
    if words.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(words);
}

/// The first spelling of words that may be said in several ways.
fn canonical(words: &'static str) -> &'static str {
    words.split('|').next().unwrap_or(words)
}

#[cfg(test)]
mod tests;
