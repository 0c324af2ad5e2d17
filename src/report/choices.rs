/*! A menu set for reading: lines that can be copied, and below them, once, what may stand for their nouns.

The kernel lists a menu path by path. Lines that differ in one word alone are drawn together here, so that
`attack moria from lorien`, `attack the-wold from lorien` … are one line with nouns and not thirty.
*/

use crate::engine::menu::Offer;
use serde::Serialize;
use std::collections::BTreeMap;

/// Lines that differ in one word are drawn together from this many on.
const ALIKE_MIN: usize = 3;

/// What may be said, for printing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choices {
    pub lines: Vec<String>,
    /// What may stand for the nouns of the lines, each noun once.
    pub nouns: Vec<Noun>,
}

/// A noun of a line, and what may stand for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Noun {
    /// As it stands in the line, `<source>`; or the part of the line that goes together, `<target> from <source>`.
    pub noun: String,
    /// Names, or parts that go together: `moria from lorien, eregion`.
    pub names: Vec<String>,
}

/// Offers drawn together: one line for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    sentence: String,
    nouns: Vec<(String, Vec<String>)>,
    /// What goes together, where not every name of one noun goes with every name of another.
    together: Option<Noun>,
}

impl Choices {
    /// Sets a listed menu for reading.
    pub fn of(offers: &[Offer]) -> Choices {
        let line =
            |offer: &Offer| Line { sentence: offer.sentence.clone(), nouns: offer.nouns.clone(), together: None };
        let mut choices = Choices::default();
        for line in &drawn_together(offers.iter().map(line).collect()) {
            let sentence = choices.name_nouns(line);
            if !choices.lines.contains(&sentence) {
                choices.lines.push(sentence);
            }
        }
        choices
    }

    /// The sentence of a line. A noun that already stands for other things is given another name: `<territory-2>`.
    fn name_nouns(&mut self, line: &Line) -> String {
        if let Some(noun) = &line.together
            && !self.nouns.contains(noun)
        {
            self.nouns.push(noun.clone());
        }
        let mut sentence = String::new();
        let mut rest = line.sentence.as_str();
        for (noun, names) in &line.nouns {
            let mark = format!("<{noun}>");
            let Some(place) = rest.find(&mark) else { continue };
            let called = match &line.together {
                Some(together) if together.noun.contains(&mark) => mark.clone(),
                _ => self.noun(noun, names),
            };
            sentence.push_str(&rest[..place]);
            sentence.push_str(&called);
            rest = &rest[place + mark.len()..];
        }
        sentence.push_str(rest);
        sentence
    }

    fn noun(&mut self, noun: &str, names: &[String]) -> String {
        for number in 1.. {
            let called = if number == 1 { format!("<{noun}>") } else { format!("<{noun}-{number}>") };
            match self.nouns.iter().find(|known| known.noun == called) {
                Some(known) if known.names == names => return called,
                Some(_) => {}
                None => {
                    self.nouns.push(Noun { noun: called.clone(), names: names.to_vec() });
                    return called;
                }
            }
        }
        unreachable!("there are more numbers than nouns")
    }
}

/// Draws lines together that differ in one word alone, in the numbers that go with it, and in what their nouns stand
/// for; the largest group first.
fn drawn_together(mut lines: Vec<Line>) -> Vec<Line> {
    while let Some((place, alike)) = most_alike(&lines) {
        let drawn = draw_together(&lines, &alike, place);
        let first = alike[0];
        let mut index = 0;
        lines.retain(|_| {
            index += 1;
            index - 1 == first || alike.binary_search(&(index - 1)).is_err()
        });
        lines[first] = drawn;
    }
    lines
}

/// What lines that are alike have in common: the place of the word, what stands before and after it.
type Pattern = (usize, String);

/// The largest group of lines that differ in the word at one place: the place, and the lines in their order.
fn most_alike(lines: &[Line]) -> Option<(usize, Vec<usize>)> {
    let mut groups: BTreeMap<Pattern, Vec<usize>> = BTreeMap::new();
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.together.is_none()) {
        let words: Vec<&str> = line.sentence.split(' ').collect();
        let numbers_aside: Vec<&str> = words.iter().map(|word| number_aside(word)).collect();
        for place in (1..words.len()).filter(|place| is_name(words[*place])) {
            let mut pattern = numbers_aside.clone();
            pattern[place] = "*";
            groups.entry((place, pattern.join(" "))).or_default().push(index);
        }
    }
    let largest = groups.into_iter().max_by_key(|((place, _), group)| (group.len(), std::cmp::Reverse(*place)));
    largest.filter(|(_, group)| group.len() >= ALIKE_MIN).map(|((place, _), group)| (place, group))
}

/// The word, but one sign for every number and range: these depend on what is named.
fn number_aside(word: &str) -> &str {
    let is_range = word.trim_start_matches('<').starts_with(|c: char| c.is_ascii_digit());
    match (is_range, word.ends_with(']'), word.ends_with(',')) {
        (true, true, _) => "#]",
        (true, _, true) => "#,",
        (true, _, _) => "#",
        (false, _, _) => word,
    }
}

/// The numbers of a word like `<1-3>` or `2`: the least and the greatest.
fn range(word: &str) -> Option<(u32, u32)> {
    let inside = word.trim_end_matches([',', ']']).trim_matches(['<', '>']);
    let (least, most) = inside.split_once('-').unwrap_or((inside, inside));
    Some((least.parse().ok()?, most.parse().ok()?))
}

/// Whether a word may be the name of a thing: it is no `<noun>`, no `[option]`, no number.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// One line for many: the word at the place becomes a noun, numbers become the range that spans them all.
fn draw_together(lines: &[Line], alike: &[usize], place: usize) -> Line {
    let words_of = |index: usize| lines[index].sentence.split(' ').collect::<Vec<_>>();
    let first = words_of(alike[0]);
    let noun = noun_after(first[place - 1]).to_string();
    let mark = format!("<{noun}>");
    let drawn = |at: usize| match range(first[at]) {
        _ if at == place => mark.clone(),
        None => first[at].to_string(),
        Some(_) => spanned(&alike.iter().map(|index| words_of(*index)[at].to_string()).collect::<Vec<_>>()),
    };
    let sentence = (0..first.len()).map(drawn).collect::<Vec<_>>().join(" ");
    let names: Vec<String> = alike.iter().map(|index| words_of(*index)[place].to_string()).collect();
    let before = first[..place].iter().filter(|word| word.starts_with('<') && range(word).is_none()).count();
    let mut nouns = united(lines, alike);
    let together = goes_together(lines, alike, place, &sentence, &mark);
    nouns.insert(before.min(nouns.len()), (noun, names));
    Line { sentence, nouns, together }
}

/// How a noun is called that stands after this word.
fn noun_after(word: &str) -> &'static str {
    match word {
        "attack" => "target",
        "from" => "source",
        "to" | "into" => "goal",
        "play" | "playing" => "card",
        "complete" => "mission",
        "discard" => "card",
        _ => "name",
    }
}

/// The range that spans the numbers of these words.
fn spanned(words: &[String]) -> String {
    let ranges: Vec<(u32, u32)> = words.iter().filter_map(|word| range(word)).collect();
    let least = ranges.iter().map(|(least, _)| *least).min().unwrap_or(0);
    let most = ranges.iter().map(|(_, most)| *most).max().unwrap_or(0);
    let tail = if words[0].ends_with(']') { "]" } else { "" };
    if least == most { format!("{least}{tail}") } else { format!("<{least}-{most}>{tail}") }
}

/// The nouns of the lines, each standing for whatever it stands for in any of them.
fn united(lines: &[Line], alike: &[usize]) -> Vec<(String, Vec<String>)> {
    let mut nouns = lines[alike[0]].nouns.clone();
    for (place, (_, names)) in nouns.iter_mut().enumerate() {
        for index in alike {
            let others = lines[*index].nouns.get(place).map_or(&[][..], |(_, names)| names.as_slice());
            for name in others {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
    }
    nouns
}

/// What goes together if the first noun after the place stands for other things in other lines.
fn goes_together(lines: &[Line], alike: &[usize], place: usize, sentence: &str, mark: &str) -> Option<Noun> {
    let first = &lines[alike[0]];
    let rest = first.sentence.split(' ').skip(place + 1).collect::<Vec<_>>().join(" ");
    let (at, (noun, names)) =
        first.nouns.iter().enumerate().find(|(_, (noun, _))| rest.contains(&format!("<{noun}>")))?;
    let names_of = |index: usize| lines[index].nouns.get(at).map(|(_, names)| names.as_slice()).unwrap_or_default();
    // A goal is no source of itself; that goes without saying.
    let united = united(lines, alike);
    let is_free = |index: &usize| {
        let own = lines[*index].sentence.split(' ').nth(place).unwrap_or_default();
        names_of(*index).len() + 1 >= united[at].1.len()
            && united[at].1.iter().all(|name| name == own || names_of(*index).contains(name))
    };
    if alike.iter().all(is_free) {
        return None;
    }
    let second = format!("<{noun}>");
    let from = sentence.find(mark)?;
    let until = sentence[from..].find(&second)? + from + second.len();
    let part = sentence[from..until].to_string();
    debug_assert!(!names.is_empty(), "a noun stands for something");
    let between = part[mark.len()..part.len() - second.len()].trim().to_string();
    let one = |index: &usize| {
        let own = lines[*index].sentence.split(' ').nth(place).unwrap_or_default();
        format!("{own} {between} {}", names_of(*index).join(", ")).replace("  ", " ")
    };
    Some(Noun { noun: part, names: alike.iter().map(one).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(sentence: &str, nouns: &[(&str, &[&str])]) -> Offer {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect();
        Offer {
            sentence: sentence.to_string(),
            nouns: nouns.iter().map(|(noun, names)| ((*noun).to_string(), owned(names))).collect(),
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
    fn what_goes_with_everything_but_itself_stands_apart() {
        let line =
            |goal: &str, sources: &[&str]| offer(&format!("fortify to {goal} from <source>"), &[("source", sources)]);
        let choices = Choices::of(&[line("a", &["b", "c"]), line("b", &["a", "c"]), line("c", &["a", "b"])]);
        assert_eq!(choices.lines, ["fortify to <goal> from <source>"]);
        assert_eq!(choices.nouns.len(), 2);
    }

    #[test]
    fn few_lines_stay_as_they_are() {
        let choices = Choices::of(&[offer("play ambush", &[]), offer("play siege-machines", &[]), offer("pass", &[])]);
        assert_eq!(choices.lines, ["play ambush", "play siege-machines", "pass"]);
    }
}
