/*! A menu set for reading: lines that can be copied, and below them what each of their nouns may be.

The kernel lists a menu path by path. Here lines of one shape become one line, so that `attack moria from lorien`,
`attack the-wold from lorien` … are one line with nouns instead of thirty; the text below it says which nouns go
together.
*/

use crate::shape::{Shape, Token, shapes};
use engine::menu::Offer;
use serde::Serialize;

/// From this many on, lines of one shape become one line.
const ALIKE_MIN: usize = 3;

/// How many lines are printed at most; if there are more, the first and the last of them.
const LINES_MAX: usize = 40;

/// What may be said, for printing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choices {
    pub lines: Vec<String>,
    /// How many lines were left out.
    pub more: usize,
    /// What the nouns of the lines may be, each noun once.
    pub nouns: Vec<Noun>,
}

/// A noun of a line, and what it may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Noun {
    /// As in the line, `<source>`; or a part of the line whose nouns go together, `<target> from <source>`.
    pub noun: String,
    /// Its names; or names that go together, `moria, bree from lorien`.
    pub names: Vec<String>,
    /// How the names are printed.
    pub layout: Layout,
}

/// How the names of a noun are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// One after the other: `moria, bree`.
    Listed,
    /// Names that go together, one after the other: `moria from lorien; bree from angmar`.
    Paired,
    /// Groups in which any two names go together, each group on a line of its own.
    Grouped,
}

/// Names that go together at two places of a line: each of `firsts` at the first with each of `seconds` at the
/// second.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pairs {
    firsts: Vec<String>,
    seconds: Vec<String>,
}

impl Choices {
    /// Sets a listed menu for reading.
    pub fn of(offers: &[Offer]) -> Choices {
        let mut choices = Choices::default();
        for shape in shapes(offers) {
            choices.add(offers, &shape);
        }
        choices.more = choices.lines.len().saturating_sub(LINES_MAX);
        // The shortest ways out of a question, `done` and `pass`, come last in a menu: they stay.
        if choices.more > 0 {
            choices.lines.drain(LINES_MAX / 2..LINES_MAX / 2 + choices.more);
        }
        choices
    }

    /// Adds the lines of a shape: one for all of them, or each as it is if they are few.
    fn add(&mut self, offers: &[Offer], shape: &Shape) {
        let places = shape.varying();
        match places.as_slice() {
            _ if shape.members.len() < ALIKE_MIN => self.add_each(offers, shape),
            [] => self.add_line(shape, &[]),
            [place] => self.add_one_place(shape, *place),
            [first, second] if !shape.has_nouns() => self.add_two_places(shape, *first, *second),
            // With three places or more, each name at the last place gets a line: a list of all that goes together
            // would fill a page.
            [.., last] => shape.split(*last).iter().for_each(|part| self.add(offers, part)),
        }
    }

    fn add_each(&mut self, offers: &[Offer], shape: &Shape) {
        for member in &shape.members {
            let offer = &offers[member.offer];
            let mut sentence = String::new();
            let mut rest = offer.sentence.as_str();
            for (noun, names) in &offer.nouns {
                let mark = format!("<{noun}>");
                let Some(place) = rest.find(&mark) else { continue };
                sentence.push_str(&rest[..place]);
                sentence.push_str(&self.noun(noun, names.clone()));
                rest = &rest[place + mark.len()..];
            }
            sentence.push_str(rest);
            self.line(sentence);
        }
    }

    /// Adds the line of a shape, with nouns at the places in `named`.
    fn add_line(&mut self, shape: &Shape, named: &[(usize, String)]) {
        let mut nouns = shape.united_nouns().into_iter();
        let mut words: Vec<String> = Vec::new();
        for (place, token) in shape.tokens.iter().enumerate() {
            let name = named.iter().find(|(named, _)| *named == place);
            words.push(match name {
                Some((_, noun)) => noun.clone(),
                None => self.printed(token, &mut nouns),
            });
        }
        words.retain(|word| !word.is_empty());
        self.line(words.join(" "));
    }

    /// A word of a line; if it is a noun of the menu, under the name it has in this letter.
    fn printed(&mut self, token: &Token, nouns: &mut impl Iterator<Item = (String, Vec<String>)>) -> String {
        let printed = token.printed();
        if !token.is_noun() {
            return printed;
        }
        let Some((noun, names)) = nouns.next() else { return printed };
        let called = self.noun(&noun, names);
        printed.replace(&format!("<{noun}>"), &called)
    }

    fn add_one_place(&mut self, shape: &Shape, place: usize) {
        let names = |place: usize| shape.members.iter().map(|member| member.words[place].clone()).collect::<Vec<_>>();
        let noun = noun_at(shape, place);
        let follows = shape.tokens.iter().skip(place + 1).position(Token::is_noun).map(|at| place + 1 + at);
        let Some(follows) = follows else {
            let called = self.noun(noun, unique(names(place)));
            return self.add_line(shape, &[(place, called)]);
        };
        // The noun after the place may have other names in each line.
        let at = shape.tokens[..follows].iter().filter(|token| token.is_noun()).count();
        let pair = |index: usize| (names(place)[index].clone(), shape.members[index].nouns[at].1.clone());
        let pairs = paired((0..shape.members.len()).map(pair));
        let second = shape.members[0].nouns[at].0.clone();
        self.add_pairs(shape, (place, noun), (follows, &second), &pairs);
    }

    fn add_two_places(&mut self, shape: &Shape, first: usize, second: usize) {
        let mut each: Vec<(String, Vec<String>)> = Vec::new();
        for member in &shape.members {
            let (one, other) = (&member.words[first], &member.words[second]);
            match each.iter_mut().find(|(known, _)| known == one) {
                Some((_, others)) => others.push(other.clone()),
                None => each.push((one.clone(), vec![other.clone()])),
            }
        }
        let nouns = [first, second].map(|place| noun_at(shape, place));
        let nouns = if nouns[0] == nouns[1] { [nouns[0], "other"] } else { nouns };
        let pairs = paired(each.into_iter());
        if second == first + 1 && pairs.len() > 1 {
            self.add_side_by_side(shape, first, &pairs)
        } else {
            self.add_pairs(shape, (first, nouns[0]), (second, nouns[1]), &pairs)
        }
    }

    /// Adds a line in which two neighbouring places are one noun, `<action>`: it may be `move fellowship` or
    /// `play athelas|elven-rope`.
    fn add_side_by_side(&mut self, shape: &Shape, first: usize, pairs: &[Pairs]) {
        let called = self.free_mark("action");
        let names = pairs.iter().map(|pair| format!("{} {}", pair.firsts.join("|"), pair.seconds.join("|")));
        self.nouns.push(Noun { noun: called.clone(), names: names.collect(), layout: Layout::Listed });
        self.add_line(shape, &[(first, called), (first + 1, String::new())]);
    }

    /// Adds a line with nouns at two places, and the names that go together there.
    fn add_pairs(&mut self, shape: &Shape, first: (usize, &str), second: (usize, &str), pairs: &[Pairs]) {
        if let [all] = pairs {
            let one = self.noun(first.1, all.firsts.clone());
            let other = self.noun(second.1, all.seconds.clone());
            return self.add_line(shape, &[(first.0, one), (second.0, other)]);
        }
        let between: Vec<String> = shape.tokens[first.0 + 1..second.0].iter().map(Token::printed).collect();
        let between = if between.is_empty() { " ".to_string() } else { format!(" {} ", between.join(" ")) };
        let [one, other] = [first.1, second.1].map(|noun| self.free_mark(noun));
        let names = pairs.iter().map(|pair| pair.printed(&between));
        let layout = if pairs.iter().any(Pairs::is_group) { Layout::Grouped } else { Layout::Paired };
        self.nouns.push(Noun { noun: format!("{one}{between}{other}"), names: names.collect(), layout });
        self.add_line(shape, &[(first.0, one), (second.0, other)]);
    }

    /// A mark that no noun has yet.
    fn free_mark(&self, noun: &str) -> String {
        let mark = |number: u32| if number == 1 { format!("<{noun}>") } else { format!("<{noun}-{number}>") };
        let is_free = |mark: &String| self.nouns.iter().all(|known| !known.noun.contains(mark.as_str()));
        (1..).map(mark).find(is_free).expect("there are more numbers than nouns")
    }

    fn line(&mut self, sentence: String) {
        if !self.lines.contains(&sentence) {
            self.lines.push(sentence);
        }
    }

    /// The mark of a noun. If that mark already has other names, the noun gets a new one: `<territory-2>`.
    fn noun(&mut self, noun: &str, names: Vec<String>) -> String {
        let is_it = |known: &&Noun| known.names == names && known.noun.trim_start_matches('<').starts_with(noun);
        if let Some(known) = self.nouns.iter().find(is_it) {
            return known.noun.clone();
        }
        let called = self.free_mark(noun);
        self.nouns.push(Noun { noun: called.clone(), names, layout: Layout::Listed });
        called
    }
}

impl Pairs {
    /// Whether all names go with one another: each name at the second place is also at the first.
    fn is_group(&self) -> bool {
        self.seconds.len() > 1 && self.seconds.iter().all(|name| self.firsts.contains(name))
    }

    /// `moria, bree from lorien`; if any name goes with any other, `any two of moria, bree, lorien`.
    fn printed(&self, between: &str) -> String {
        let (firsts, seconds) = (self.firsts.join(", "), self.seconds.join(", "));
        if self.is_group() && self.firsts.len() == self.seconds.len() {
            format!("any two of {firsts}")
        } else {
            format!("{firsts}{between}{seconds}")
        }
    }
}

/// The noun for the names at a place of a line: by the word before it, else the menu's word for their kind.
fn noun_at(shape: &Shape, place: usize) -> &'static str {
    match shape.tokens[place - 1].text.as_str() {
        "attack" => "target",
        "from" => "source",
        "to" | "into" | "fortify" => "goal",
        "play" | "playing" | "discard" => "card",
        "complete" => "mission",
        "leader" => "territory",
        _ => shape.kind_at(place).unwrap_or("name"),
    }
}

/// Joins names that go with the same names. Nobody needs to read that nothing goes with itself.
fn paired(each: impl Iterator<Item = (String, Vec<String>)>) -> Vec<Pairs> {
    let mut pairs: Vec<Pairs> = Vec::new();
    for (first, seconds) in each {
        let fits = |pair: &&mut Pairs| {
            let is_own = |name: &String| *name == first || pair.firsts.contains(name);
            let within =
                |some: &[String], others: &[String]| some.iter().all(|name| is_own(name) || others.contains(name));
            within(&seconds, &pair.seconds) && within(&pair.seconds, &seconds)
        };
        match pairs.iter_mut().find(fits) {
            Some(pair) => {
                pair.seconds
                    .extend(seconds.into_iter().filter(|name| !pair.seconds.contains(name)).collect::<Vec<_>>());
                pair.firsts.push(first);
            }
            None => pairs.push(Pairs { firsts: vec![first], seconds }),
        }
    }
    pairs
}

fn unique(names: Vec<String>) -> Vec<String> {
    let mut some: Vec<String> = Vec::new();
    for name in names {
        if !some.contains(&name) {
            some.push(name);
        }
    }
    some
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(sentence: &str, nouns: &[(&str, &[&str])]) -> Offer {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect();
        Offer {
            sentence: sentence.to_string(),
            nouns: nouns.iter().map(|(noun, names)| ((*noun).to_string(), owned(names))).collect(),
            chosen: Vec::new(),
        }
    }

    #[test]
    fn nouns_are_listed_once_and_told_apart() {
        let choices = Choices::of(&[
            offer("place <1-5> <territory>, …", &[("territory", &["moria", "bree"])]),
            offer("leader <territory>", &[("territory", &["moria", "bree"])]),
            offer("fortify <territory>", &[("territory", &["moria"])]),
        ]);
        assert_eq!(choices.lines, ["place <1-5> <territory>, …", "leader <territory>", "fortify <territory-2>"]);
        assert_eq!(choices.nouns.len(), 2);
    }

    #[test]
    fn lines_that_differ_in_a_word_are_drawn_together() {
        let line = |source: &str, most: u32| {
            offer(&format!("attack moria from {source} [with <1-{most}>] [until <0-{most}> left]"), &[])
        };
        let choices = Choices::of(&[line("lorien", 3), line("eregion", 1), line("umbar", 2), offer("done", &[])]);
        assert_eq!(choices.lines, ["attack moria from <source> [with <1-3>] [until <0-3> left]", "done"]);
        assert_eq!(choices.nouns[0].names, ["lorien", "eregion", "umbar"]);
    }

    #[test]
    fn what_goes_together_stands_together() {
        let line = |target: &str, sources: &[&str]| {
            offer(&format!("attack {target} from <source> with <1-3>"), &[("source", sources)])
        };
        let choices =
            Choices::of(&[line("moria", &["lorien", "eregion"]), line("bree", &["angmar"]), line("umbar", &["harad"])]);
        assert_eq!(choices.lines, ["attack <target> from <source> with <1-3>"]);
        assert_eq!(choices.nouns.len(), 1);
        assert_eq!(choices.nouns[0].noun, "<target> from <source>");
        assert_eq!(choices.nouns[0].names, ["moria from lorien, eregion", "bree from angmar", "umbar from harad"]);
    }

    #[test]
    fn what_stands_side_by_side_is_one_noun() {
        let offers = ["event die: move fellowship", "event die: play athelas", "event die: play elven-rope"];
        let choices = Choices::of(&offers.map(|sentence| offer(sentence, &[])));
        assert_eq!(choices.lines, ["event die: <action>"]);
        assert_eq!(choices.nouns[0].noun, "<action>");
        assert_eq!(choices.nouns[0].names, ["move fellowship", "play athelas|elven-rope"]);
    }

    #[test]
    fn what_goes_with_everything_but_itself_stands_apart() {
        let line =
            |goal: &str, sources: &[&str]| offer(&format!("fortify to {goal} from <source>"), &[("source", sources)]);
        let choices = Choices::of(&[line("a", &["b", "c"]), line("b", &["a", "c"]), line("c", &["a", "b"])]);
        assert_eq!(choices.lines, ["fortify to <goal> from <source>"]);
        assert_eq!(choices.nouns.len(), 2);
    }

    #[test]
    fn connected_groups_stand_on_a_line_each() {
        let line = |goal: &str, sources: &[&str]| {
            offer(&format!("fortify <1-5> from <source> to {goal}"), &[("source", sources)])
        };
        // From `d` nothing can go; `x` and `y` are connected with nothing else.
        let choices = Choices::of(&[
            line("a", &["b", "c"]),
            line("b", &["a", "c"]),
            line("c", &["a", "b"]),
            line("d", &["a", "b", "c"]),
            line("x", &["y"]),
            line("y", &["x"]),
        ]);
        assert_eq!(choices.lines, ["fortify <1-5> from <source> to <goal>"]);
    }

    #[test]
    fn few_lines_stay_as_they_are() {
        let choices = Choices::of(&[offer("play ambush", &[]), offer("play siege-machines", &[]), offer("pass", &[])]);
        assert_eq!(choices.lines, ["play ambush", "play siege-machines", "pass"]);
    }
}
