//! Reading a line along a menu: the only place where a player can be wrong.

use crate::menu::spelling::{AMONG, ONE_OF, TOWARD, canonical, open_names, spellings};
use crate::menu::stop::{Ask, Stop};
use crate::name::{Name, Named, Word, words};
use crate::refusal::{Allowed, Barred, Expected, Refusal};
use memchr::memchr;
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

/// The least likeness (of 1000) for a name to be proposed.
const LIKENESS_MIN: u32 = 600;

/// The words of a line, how many have been read, and what is accepted next.
pub struct Reader<'a> {
    line: &'a str,
    words: Vec<Word<'a>>,
    next: usize,
    expected: Vec<Cow<'static, str>>,
    /// The kind of thing expected at this place.
    kind: Option<Box<Expected>>,
    /// Whether a refusal says what would have been accepted: finding that out takes most of the time of a refused line.
    explains: bool,
}

/// The ways of a branch, by number.
pub struct Ways<'w> {
    pub count: usize,
    /// How a way begins, with all its spellings.
    pub spelled: &'w dyn Fn(usize) -> &'static str,
    pub allowed: &'w dyn Fn(usize) -> Allowed,
}

impl Ways<'_> {
    fn spellings(&self) -> impl Iterator<Item = &'static str> {
        (0..self.count).map(self.spelled)
    }

    pub fn is_open(&self, way: usize) -> bool {
        (self.allowed)(way).is_ok()
    }
}

impl<'a> Reader<'a> {
    pub fn new(line: &'a str) -> Reader<'a> {
        Reader { line, words: words(line), next: 0, expected: Vec::new(), kind: None, explains: true }
    }

    /// For a caller that only asks whether the line can be said: refusals are not explained.
    pub fn unexplained(line: &'a str) -> Reader<'a> {
        Reader { explains: false, ..Reader::new(line) }
    }

    /// Checks that the whole line has been read.
    pub fn end(&self) -> Ask<()> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.not_understood(None)) }
    }

    pub fn word(&mut self, spellings: &'static str) -> Ask<()> {
        if self.maybe(spellings) { Ok(()) } else { Err(self.not_understood(None)) }
    }

    pub fn maybe(&mut self, spellings: &'static str) -> bool {
        match spelled(spellings, self.rest()) {
            Some(count) => {
                self.advance(count);
                true
            }
            None => {
                self.expect(canonical(spellings));
                false
            }
        }
    }

    pub fn comes_next(&self, spellings: &'static str) -> bool {
        spelled(spellings, self.rest()).is_some()
    }

    /// A comma, with or without `and` after it. `and` alone is not read: it may begin what follows the list.
    pub fn bare_comma(&mut self) -> bool {
        let found = self.maybe(",");
        if found {
            self.maybe("and");
        }
        found
    }

    /// A comma, `and`, or both.
    pub fn comma(&mut self) -> bool {
        self.maybe(",") | self.maybe("and")
    }

    pub fn branch(&mut self, ways: &Ways<'_>) -> Ask<usize> {
        let mut best: Option<(usize, usize)> = None;
        for (index, spellings) in ways.spellings().enumerate() {
            // If several ways begin with the same words, the last allowed one is meant, or the first if none is
            // allowed.
            if let Some(count) = spelled(spellings, self.rest())
                && best.is_none_or(|(_, longest)| {
                    count > longest || (count == longest && count > 0 && ways.is_open(index))
                })
            {
                best = Some((index, count));
            }
        }
        // Only for a refusal: finding out which ways are allowed may cost more than everything else here.
        let is_open = |(index, words): &(usize, &str)| !words.is_empty() && ways.is_open(*index);
        let names = || ways.spellings().enumerate().filter(is_open).map(|(_, words)| canonical(words));
        let Some((index, count)) = best else {
            if !self.explains {
                return Err(self.refused());
            }
            let nearest = self.nearest_word(ways.spellings().flat_map(spellings));
            names().for_each(|name| self.expect(name));
            return Err(self.not_understood(nearest));
        };
        if count == 0 && self.explains {
            names().for_each(|name| self.expect(name));
        }
        if let Err(barred) = (ways.allowed)(index) {
            return Err(match count {
                _ if !self.explains => self.refused(),
                0 => self.not_understood(None),
                _ => self.not_allowed(count, barred, names().map(str::to_string).collect()),
            });
        }
        self.advance(count);
        Ok(index)
    }

    pub fn choose<T: Named>(&mut self, noun: &'static str, things: &[T], allowed: &dyn Fn(T) -> Allowed) -> Ask<usize> {
        if let Some(count) = spelled(ONE_OF, self.rest()) {
            return self.first_of(count, noun, things, allowed);
        }
        if let Some(count) = spelled(TOWARD, self.rest())
            && things.first().is_some_and(|thing| thing.distance(*thing).is_some())
        {
            return self.nearest_to(count, noun, things, allowed);
        }
        let (index, count) = self.named(noun, things, allowed)?;
        if let Err(barred) = allowed(things[index]) {
            if !self.explains {
                return Err(self.refused());
            }
            let instead = open_names(things, allowed);
            return Err(self.not_allowed(count, barred, instead));
        }
        self.advance(count);
        Ok(index)
    }

    /// The first allowed thing of a list by preference, which begins behind `count` words. Known names that are not
    /// among `things` are skipped.
    fn first_of<T: Named>(
        &mut self,
        count: usize,
        noun: &'static str,
        things: &[T],
        allowed: &dyn Fn(T) -> Allowed,
    ) -> Ask<usize> {
        let start = self.next;
        self.advance(count);
        let (mut found, mut why) = (None, None);
        loop {
            let other = T::known_by(self.rest());
            let of = |thing: &T| thing.name().spelled_by(self.rest()).max(thing.name().begun_by(self.rest()));
            if other > things.iter().map(of).max().unwrap_or(0) {
                self.advance(other);
            } else {
                let (index, count) = self.named(noun, things, allowed)?;
                self.advance(count);
                match allowed(things[index]) {
                    Ok(()) => found = found.or(Some(index)),
                    Err(barred) => why = why.or(Some(barred)),
                }
            }
            let comma = spelled_by_comma(self.rest());
            // A number, or the rest, begins the next part of a split.
            let is_part = |word: &Word<'_>| whole_number(&word.text).is_some() || matches!(&*word.text, "rest" | "the");
            if comma == 0 || self.rest().get(comma).is_none_or(is_part) {
                break;
            }
            self.advance(comma);
        }
        found.ok_or_else(|| {
            let words = self.next - start;
            self.next = start;
            let none = Barred { rule: "", why: "none of these can be named now".to_string() };
            self.not_allowed(words, why.unwrap_or(none), Vec::new())
        })
    }

    /// The allowed place that is nearest to the named one; of several, the first.
    fn nearest_to<T: Named>(
        &mut self,
        count: usize,
        noun: &'static str,
        things: &[T],
        allowed: &dyn Fn(T) -> Allowed,
    ) -> Ask<usize> {
        let start = self.next;
        self.advance(count);
        let (goal, words) = self.named(noun, things, &|_| Ok(()))?;
        self.advance(words);
        let open = (0..things.len()).filter(|index| allowed(things[*index]).is_ok());
        let far = |index: &usize| things[*index].distance(things[goal]).unwrap_or(u32::MAX);
        open.min_by_key(far).ok_or_else(|| {
            let words = self.next - start;
            self.next = start;
            let why = "there is no such place now".to_string();
            self.not_allowed(words, Barred { rule: "", why }, Vec::new())
        })
    }

    /// A number that is clamped to the range: `at most 2` becomes 1 if there is only one.
    fn bound(&mut self, range: &RangeInclusive<u32>) -> Option<u32> {
        let count = spelled("at most|up to|at least", self.rest())?;
        let number = whole_number(&self.rest().get(count)?.text)?;
        self.advance(count + 1);
        Some(number.clamp(*range.start(), *range.end()))
    }

    pub fn number(&mut self, noun: &'static str, range: RangeInclusive<u32>, rule: &'static str) -> Ask<u32> {
        if !range.is_empty()
            && let Some(number) = self.bound(&range)
        {
            return Ok(number);
        }
        let said = self.rest().first().and_then(|word| number_or_extreme(&word.text, &range));
        let Some(number) = said else {
            self.expect(format!("a number ({noun})"));
            return Err(self.not_understood(None));
        };
        if !range.contains(&number) {
            let why = match (range.start(), range.end()) {
                (only, same) if only == same => format!("{noun}: exactly {only}, not {number}"),
                (least, most) if least < most => {
                    format!("{noun}: from {least} to {most}, not {number}")
                }
                _ => format!("{noun}: there is nothing to choose from"),
            };
            return Err(self.not_allowed(1, Barred { rule, why }, Vec::new()));
        }
        self.advance(1);
        Ok(number)
    }

    /// Whether a number comes next; if not, a number is added to what is expected.
    pub fn counts_next(&mut self, noun: &'static str) -> bool {
        let counts = self.rest().first().is_some_and(|word| whole_number(&word.text).is_some());
        if !counts {
            self.expect(format!("a number ({noun})"));
        }
        counts
    }

    pub fn number_if_any(&mut self) -> Option<u32> {
        let number = self.rest().first().and_then(|word| whole_number(&word.text))?;
        self.advance(1);
        Some(number)
    }

    pub fn name_if_any<T: Named>(&mut self, things: &[T]) -> Option<T> {
        let named = |thing: &&T| thing.name().spelled_by(self.rest());
        let found = things.iter().max_by_key(named).copied()?;
        let count = found.name().spelled_by(self.rest());
        self.advance(count);
        (count > 0).then_some(found)
    }

    pub fn split<T: Named + PartialEq>(
        &mut self,
        noun: &'static str,
        total: u32,
        things: &[T],
        rule: &'static str,
        allowed: &dyn Fn(T) -> Allowed,
    ) -> Ask<Vec<(u32, T)>> {
        let mut parts: Vec<(u32, T)> = Vec::new();
        let mut left = total;
        loop {
            let is_name = |reader: &Reader<'_>| !reader.counts() && reader.names_next(things);
            let number = if left > 0 && (self.maybe("rest|the rest|all") || is_name(self)) {
                left
            } else {
                self.number("how many", 1..=left, rule)?
            };
            self.maybe("on|in|to|at");
            let start = self.next;
            let thing = things[self.choose(noun, things, allowed)?];
            if parts.iter().any(|(_, chosen)| *chosen == thing) {
                let twice = Barred { rule, why: format!("{} is named twice", thing.name().title()) };
                self.next = start;
                return Err(self.not_allowed(1, twice, Vec::new()));
            }
            left -= number;
            parts.push((number, thing));
            let before = self.next;
            if !self.comma() {
                return Ok(parts);
            }
            if self.leaves_rest_open(things) {
                self.next = before;
                return Ok(parts);
            }
        }
    }

    /// Whether `rest` comes next without a thing after it: then the menu reads what becomes of the rest.
    fn leaves_rest_open<T: Named>(&self, things: &[T]) -> bool {
        let Some(count) = spelled("rest|the rest", self.rest()) else { return false };
        let mut after = &self.rest()[count..];
        if let Some(count) = spelled("on|in|to|at", after) {
            after = &after[count..];
        }
        let is_named = |thing: &T| thing.name().spelled_by(after) > 0 || thing.name().begun_by(after) > 0;
        spelled(AMONG, after).is_none() && !things.iter().any(is_named)
    }

    pub fn several<T: Named + PartialEq>(
        &mut self,
        noun: &'static str,
        most: usize,
        things: &[T],
        allowed: &dyn Fn(T) -> Allowed,
    ) -> Ask<Vec<T>> {
        let mut chosen: Vec<T> = Vec::new();
        loop {
            let index = self.choose(noun, things, &|thing: T| {
                if chosen.contains(&thing) {
                    Err(Barred { rule: "", why: format!("{} is named twice", thing.name().title()) })
                } else {
                    allowed(thing)
                }
            })?;
            chosen.push(things[index]);
            let goes_on = chosen.len() < most && self.comma();
            if !goes_on {
                return Ok(chosen);
            }
        }
    }

    /// Refuses everything read so far.
    pub fn barred(&self, barred: Barred) -> Stop {
        let at = self.span(0, self.next);
        Stop::Refused(Refusal::NotAllowed { said: self.line[at.clone()].to_string(), at, barred, instead: Vec::new() })
    }

    /// The thing named next, in full or by a beginning that is unique, and the number of words that name it.
    fn named<T: Named>(
        &mut self,
        noun: &'static str,
        things: &[T],
        allowed: &dyn Fn(T) -> Allowed,
    ) -> Ask<(usize, usize)> {
        let spelled = self.longest(things, allowed, Name::spelled_by);
        let (found, count) = match spelled.1 {
            0 => self.longest(things, allowed, Name::begun_by),
            _ => spelled,
        };
        match found.as_slice() {
            [] if !self.explains => Err(self.refused()),
            [] => {
                let nearest = self.nearest(things, allowed);
                let open = open_names(things, allowed);
                // The noun is expected only if no thing is allowed; otherwise their names are.
                match things.iter().find(|thing| allowed(**thing).is_ok()) {
                    None => self.expect(noun),
                    Some(first) => {
                        open.into_iter().for_each(|name| self.expect(name));
                        self.kind = Some(Box::new(Expected { noun, example: first.example() }));
                    }
                }
                Err(self.not_understood(nearest))
            }
            [only] => Ok((*only, count)),
            many => {
                // If only one of them is allowed, it is meant.
                let mut open = many.iter().filter(|index| allowed(things[**index]).is_ok());
                if let (Some(only), None) = (open.next(), open.next()) {
                    return Ok((*only, count));
                }
                let at = self.span(self.next, self.next + count);
                let could_be = many.iter().map(|index| things[*index].name().id().to_string()).collect();
                Err(Stop::Refused(Refusal::Ambiguous { found: self.line[at.clone()].to_string(), at, could_be }))
            }
        }
    }

    /// The things named by the most words. Of things with the same name, only the first allowed one is returned, or
    /// the first if none is allowed.
    fn longest<T: Named>(
        &self,
        things: &[T],
        allowed: &dyn Fn(T) -> Allowed,
        named_by: impl Fn(&Name, &[Word<'_>]) -> usize,
    ) -> (Vec<usize>, usize) {
        let mut found: Vec<usize> = Vec::new();
        let mut longest = 0;
        for (index, thing) in things.iter().enumerate() {
            let count = named_by(thing.name(), self.rest());
            if count > longest {
                found.clear();
                longest = count;
            }
            if count == 0 || count < longest {
                continue;
            }
            let twin = found.iter().position(|other| things[*other].name().id() == thing.name().id());
            match twin {
                Some(twin) if allowed(things[found[twin]]).is_err() && allowed(*thing).is_ok() => found[twin] = index,
                Some(_) => {}
                None => found.push(index),
            }
        }
        (found, longest)
    }

    /// Whether digits come next. No name begins with digits.
    fn counts(&self) -> bool {
        self.rest().first().is_some_and(|word| word.text.bytes().all(|byte| byte.is_ascii_digit()))
    }

    pub fn names_next<T: Named>(&self, things: &[T]) -> bool {
        self.comes_next(AMONG) || things.iter().any(|thing| thing.name().spelled_by(self.rest()) > 0)
    }

    fn nearest<T: Named>(&self, things: &[T], allowed: &dyn Fn(T) -> Allowed) -> Option<String> {
        let open = things.iter().filter(|thing| allowed(**thing).is_ok());
        let said = [1, 2, 3].map(|count| {
            let words: Vec<&str> = self.rest().iter().take(count).map(|word| &*word.text).collect();
            words.join(" ")
        });
        let likeness = |name: &Name| said.iter().map(|said| name.likeness_from(said, LIKENESS_MIN)).max().unwrap_or(0);
        let best = open.max_by_key(|thing| likeness(thing.name()))?;
        (likeness(best.name()) >= LIKENESS_MIN && !self.rest().is_empty()).then(|| best.name().id().to_string())
    }

    /// The spelling whose first word is most similar to the next word.
    fn nearest_word(&self, spellings: impl Iterator<Item = &'static str>) -> Option<String> {
        let said = &self.rest().first()?.text;
        // `don't` is no typing error for `done`.
        if matches!(&**said, "dont" | "not" | "never" | "cant" | "wont") {
            return None;
        }
        let first = |way: &str| way.split([' ', '-', '/', ':']).next().unwrap_or(way).to_string();
        let likeness = |way: &str| Name::new(&first(way), way, &[]).likeness_from(said, LIKENESS_MIN);
        let best = spellings.filter(|way| !way.is_empty()).max_by_key(|way| likeness(way))?;
        (likeness(best) >= LIKENESS_MIN).then(|| best.to_string())
    }

    fn rest(&self) -> &[Word<'a>] {
        &self.words[self.next..]
    }

    fn advance(&mut self, count: usize) {
        if count > 0 {
            self.next += count;
            self.expected.clear();
            self.kind = None;
        }
    }

    fn expect(&mut self, what: impl Into<Cow<'static, str>>) {
        if !self.explains {
            return;
        }
        let what = what.into();
        if !what.is_empty() && !self.expected.contains(&what) {
            self.expected.push(what);
        }
    }

    /// A refusal without an explanation.
    fn refused(&self) -> Stop {
        let (at, found, expected) = (0..0, String::new(), Vec::new());
        Stop::Refused(Refusal::NotUnderstood { at, found, expected, kind: None, nearest: None })
    }

    fn not_understood(&self, nearest: Option<String>) -> Stop {
        if !self.explains {
            return self.refused();
        }
        let at = self.span(self.next, self.next + 1);
        let found = self.line[at.clone()].to_string();
        let expected = self.expected.iter().map(ToString::to_string).collect();
        Stop::Refused(Refusal::NotUnderstood { at, found, expected, kind: self.kind.clone(), nearest })
    }

    fn not_allowed(&self, count: usize, barred: Barred, instead: Vec<String>) -> Stop {
        let at = self.span(self.next, self.next + count);
        Stop::Refused(Refusal::NotAllowed { said: self.line[at.clone()].to_string(), at, barred, instead })
    }

    /// The bytes from one word up to but not including another.
    fn span(&self, from: usize, to: usize) -> Range<usize> {
        match (self.words.get(from), self.words.get(to.max(from + 1) - 1).or(self.words.last())) {
            (Some(first), Some(last)) => first.start..last.end.max(first.start),
            _ => self.line.len()..self.line.len(),
        }
    }
}

/// The number of words that the longest matching spelling takes; 0 for an empty spelling, which always matches.
fn spelled(words: &'static str, said: &[Word<'_>]) -> Option<usize> {
    // Every line is compared with all spellings of a menu, and most begin with another word: these are skipped. A
    // spelling that does not begin with a letter or digit is always compared.
    let first = said.first().map(|word| word.text.as_bytes());
    let may_begin = |spelling: &[u8]| match spelling.first() {
        Some(letter) if letter.is_ascii_alphanumeric() => {
            first.is_some_and(|first| first[0] == *letter && spelling.starts_with(first))
        }
        _ => true,
    };
    let mut longest = None;
    let mut rest = words.as_bytes();
    loop {
        let end = memchr(b'|', rest).unwrap_or(rest.len());
        if may_begin(&rest[..end]) {
            longest = longest.max(spelled_by(&rest[..end], said));
        }
        match rest.get(end + 1..) {
            Some(further) => rest = further,
            None => return longest,
        }
    }
}

/// The number of words that this spelling takes; `None` if the line does not begin with it.
fn spelled_by(spelling: &[u8], said: &[Word<'_>]) -> Option<usize> {
    let mut count = 0;
    for word in spelling.split(|byte| matches!(byte, b' ' | b'-' | b'/')).filter(|word| !word.is_empty()) {
        // A colon in a spelling is only for the reader; the words of a line have none.
        let word = word.strip_suffix(b":").unwrap_or(word);
        if said.get(count).is_none_or(|said| said.text.as_bytes() != word) {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// The number of words that separate two things of a list here: a comma, `or`, `then`, or a comma and one of these.
fn spelled_by_comma(said: &[Word<'_>]) -> usize {
    [", or", ", then", ",", "or", "then"].iter().filter_map(|words| spelled_or_comma(words, said)).max().unwrap_or(0)
}

fn spelled_or_comma(words: &str, said: &[Word<'_>]) -> Option<usize> {
    let words: Vec<&str> = words.split(' ').collect();
    let fits = words.iter().enumerate().all(|(at, word)| said.get(at).is_some_and(|said| said.text == *word));
    fits.then_some(words.len())
}

/// A number, or a word for the greatest or least allowed number, which a player who plans ahead may not know yet.
fn number_or_extreme(word: &str, range: &RangeInclusive<u32>) -> Option<u32> {
    match word {
        "all" | "most" | "max" if !range.is_empty() => Some(*range.end()),
        "least" | "min" if !range.is_empty() => Some(*range.start()),
        word => whole_number(word),
    }
}

/// The value of a whole number in digits, or in letters up to twelve.
fn whole_number(word: &str) -> Option<u32> {
    const LETTERS: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    match LETTERS.iter().position(|letters| *letters == word) {
        Some(number) => u32::try_from(number).ok(),
        None => word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?,
    }
}
