/*! The shape of a sentence on a menu: its words without names and numbers, so that similar sentences can be found. */

use engine::menu::Offer;
use std::collections::{BTreeMap, BTreeSet};

/// A word of a shape, or a part in brackets that may be left out. A number or range in it is kept apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The text, with `#` for its number.
    pub text: String,
    range: Option<(u32, u32)>,
}

/// Sentences that differ only in names, in the numbers that go with them, and in what may be left out.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The first sentence, its numbers widened to those of all, with the optional parts of all.
    pub tokens: Vec<Token>,
    pub members: Vec<Member>,
}

/// One sentence of a shape.
#[derive(Clone, Debug)]
pub struct Member {
    /// Which of the offers it is.
    pub offer: usize,
    /// Its words at the places of the shape's tokens; empty where it lacks an optional part.
    pub words: Vec<String>,
    pub nouns: Vec<(String, Vec<String>)>,
    /// The names chosen among several, each with the noun for its kind.
    chosen: Vec<(String, &'static str)>,
    tokens: Vec<Token>,
}

impl Token {
    fn read(word: &str) -> Token {
        let aside = |start: usize, end: usize, range| Token {
            text: format!("{}#{}", &word[..start], &word[end..]),
            range: Some(range),
        };
        let start = word.find(|c: char| c.is_ascii_digit() || c == '<').unwrap_or(word.len());
        let begins_a_word = start == 0 || word[..start].ends_with([' ', '[']);
        let end = word[start..].find([' ', ']', ',']).map_or(word.len(), |end| start + end);
        match range(&word[start..end]) {
            Some(range) if begins_a_word => aside(start, end, range),
            _ => Token { text: word.to_string(), range: None },
        }
    }

    /// The token as it is printed, with its number or range.
    pub fn printed(&self) -> String {
        match self.range {
            None => self.text.clone(),
            Some((least, most)) if least == most => self.text.replace('#', &least.to_string()),
            Some((least, most)) => self.text.replace('#', &format!("<{least}-{most}>")),
        }
    }

    /// Whether it is, or holds, a noun of the menu: `<territory>`.
    pub fn is_noun(&self) -> bool {
        self.text.contains('<')
    }

    fn is_optional(&self) -> bool {
        self.text.starts_with('[')
    }

    /// Whether it may be the name of a thing.
    fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_lowercase())
            && self.text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    }

    fn widen(&mut self, other: &Token) {
        if let (Some((least, most)), Some((lower, higher))) = (self.range, other.range) {
            self.range = Some((least.min(lower), most.max(higher)));
        }
    }
}

/// The numbers of `<1-3>` or `2`: the least and the greatest.
fn range(word: &str) -> Option<(u32, u32)> {
    let inside = word.trim_matches(['<', '>']);
    let (least, most) = inside.split_once('-').unwrap_or((inside, inside));
    Some((least.parse().ok()?, most.parse().ok()?))
}

/// The words of a sentence, each part in brackets as one.
fn tokens(sentence: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = sentence;
    while !rest.is_empty() {
        let end = if rest.starts_with('[') {
            rest.find(']').map_or(rest.len(), |close| close + 1)
        } else {
            rest.find(' ').unwrap_or(rest.len())
        };
        tokens.push(Token::read(&rest[..end]));
        rest = rest[end..].trim_start_matches(' ');
    }
    tokens
}

/// The offers by shape, in the order in which each shape first comes.
pub fn shapes(offers: &[Offer]) -> Vec<Shape> {
    let mut groups: Vec<Vec<Member>> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut lists: BTreeSet<String> = BTreeSet::new();
    for (index, offer) in offers.iter().enumerate() {
        let tokens = tokens(&offer.sentence);
        if offer.sentence.contains(", ") && !lists.insert(in_order(&tokens)) {
            continue;
        }
        let mut pattern = String::new();
        for (place, token) in tokens.iter().enumerate().filter(|(_, token)| !token.is_optional()) {
            pattern.push_str(if place > 0 && token.is_name() { "*" } else { &token.text });
            pattern.push(' ');
        }
        let (nouns, chosen) = (offer.nouns.clone(), offer.chosen.clone());
        let member = Member { offer: index, words: Vec::new(), nouns, chosen, tokens };
        match known.get(&pattern) {
            Some(group) => groups[*group].push(member),
            None => {
                known.insert(pattern, groups.len());
                groups.push(vec![member]);
            }
        }
    }
    groups.into_iter().map(Shape::of).collect()
}

/// The sentence with the names of its lists in order: `trade c, a, b` is `trade a, b, c`.
fn in_order(tokens: &[Token]) -> String {
    let mut words: Vec<&str> = tokens.iter().map(|token| token.text.trim_end_matches(',')).collect();
    let mut start = 0;
    while start < tokens.len() {
        let more = tokens[start..].iter().take_while(|token| token.text.ends_with(',')).count();
        let end = (start + more + 1).min(tokens.len());
        words[start..end].sort_unstable();
        start = end;
    }
    words.join(" ")
}

impl Shape {
    /// The shape of sentences that are alike; there is at least one.
    fn of(mut members: Vec<Member>) -> Shape {
        let mut whole = members[0].tokens.clone();
        for member in &members[1..] {
            unite(&mut whole, &member.tokens);
        }
        for member in &mut members {
            let mut own = member.tokens.iter().peekable();
            let word = |token: &Token| {
                if token.is_optional() {
                    own.next_if(|own| own.text == token.text);
                    String::new()
                } else {
                    own.next().map_or_else(String::new, |own| own.text.clone())
                }
            };
            member.words = whole.iter().map(word).collect();
        }
        Shape { tokens: whole, members }
    }

    /// The places at which the names differ.
    pub fn varying(&self) -> Vec<usize> {
        let differs = |place: &usize| {
            let first = &self.members[0].words[*place];
            self.members.iter().any(|member| member.words[*place] != *first)
        };
        (1..self.tokens.len()).filter(differs).collect()
    }

    /// The noun for the kind of thing named at the place; `None` if the menu does not tell it.
    pub fn kind_at(&self, place: usize) -> Option<&'static str> {
        let member = &self.members[0];
        member.chosen.iter().find(|(name, _)| *name == member.words[place]).map(|(_, noun)| *noun)
    }

    pub fn has_nouns(&self) -> bool {
        self.tokens.iter().any(Token::is_noun)
    }

    /// The nouns of the sentences, each with all names that it has in any of them.
    pub fn united_nouns(&self) -> Vec<(String, Vec<String>)> {
        let mut nouns = self.members[0].nouns.clone();
        for (place, (_, names)) in nouns.iter_mut().enumerate() {
            for (_, others) in self.members.iter().filter_map(|member| member.nouns.get(place)) {
                for name in others {
                    if !names.contains(name) {
                        names.push(name.clone());
                    }
                }
            }
        }
        nouns
    }

    /// The shape in parts, each with one name at the place.
    pub fn split(&self, place: usize) -> Vec<Shape> {
        let mut parts: Vec<Vec<Member>> = Vec::new();
        for member in &self.members {
            let alike = parts.iter_mut().find(|part| part[0].words[place] == member.words[place]);
            match alike {
                Some(part) => part.push(member.clone()),
                None => parts.push(vec![member.clone()]),
            }
        }
        parts.into_iter().map(Shape::of).collect()
    }
}

/// Widens the numbers of a sentence by those of a similar one, and adds the optional parts of that.
fn unite(whole: &mut Vec<Token>, other: &[Token]) {
    let mut place = 0;
    for token in other {
        if !token.is_optional() {
            while whole[place].is_optional() {
                place += 1;
            }
            whole[place].widen(token);
            place += 1;
            continue;
        }
        let here = whole[place..].iter().take_while(|own| own.is_optional()).position(|own| own.text == token.text);
        match here {
            Some(ahead) => {
                place += ahead;
                whole[place].widen(token);
            }
            None => whole.insert(place, token.clone()),
        }
        place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(word: &str, text: &str, range: Option<(u32, u32)>) {
        assert_eq!(Token::read(word), Token { text: text.to_string(), range }, "{word}");
        assert_eq!(Token::read(word).printed(), word);
    }

    #[test]
    fn numbers_are_kept_beside_their_words() {
        case("moria", "moria", None);
        case("2", "#", Some((2, 2)));
        case("<1-12>", "#", Some((1, 12)));
        case("[until <1-7> left]", "[until # left]", Some((1, 7)));
        case("[with 1]", "[with #]", Some((1, 1)));
        case("<territory>,", "<territory>,", None);
        case("wild-1", "wild-1", None);
    }

    #[test]
    fn lists_in_another_order_are_the_same() {
        let order = |sentence: &str| in_order(&tokens(sentence));
        assert_eq!(order("trade c, a, b"), order("trade b, c, a"));
        assert_ne!(order("attack a from b playing c, d"), order("attack b from a playing c, d"));
    }

    #[test]
    fn optional_parts_of_all_are_taken_in() {
        let mut whole = tokens("attack a [with <1-2>] [until <1-3> left]");
        unite(&mut whole, &tokens("attack b [with 3] [and leader] [until <1-9> left]"));
        let printed: Vec<String> = whole.iter().map(Token::printed).collect();
        assert_eq!(printed.join(" "), "attack a [with <1-3>] [and leader] [until <1-9> left]");
    }
}
