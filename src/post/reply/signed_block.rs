/*! A signed sentence in a letter: the text that was signed, line by line, and right below it the signature, as
`cat order.txt order.txt.sig` prints them (requirement A5).

A mail program may have wrapped the sentence or indented the lines; the signed text is put together again from its
parts, and the signature shows whether that succeeded.
*/

use ground::hash::{GameId, Hash};
use mail::letter::flowed::Line;
use record::commit::signature::{NotSigned, Signature};
use record::commit::signed::{self, Part, SignedOn, SignedOrder, SignedSentence};
use std::fmt;

/// The most lines of a block: its head, a sentence that was wrapped, and a signature.
const LINES_MAX: usize = 24;
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";

/// A signed sentence that was found, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// How many lines belong to it.
    pub lines: usize,
    /// The number of the last one.
    pub last: usize,
    pub order: Result<SignedOrder, Broken>,
}

/// Why the lines are no signed sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// A line of the head is missing or damaged.
    Head {
        expected: &'static str,
    },
    NoSentence,
    TooLong {
        characters: usize,
        allowed: usize,
    },
    NoSignature,
    Signature(NotSigned),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Head { expected } => write!(
                f,
                "a signed sentence begins with the lines `{}`, `game …`, `seat …`, `on …`, `line 1 of 1`, and here \
                 `{expected} …` should stand",
                signed::TITLE
            ),
            Broken::NoSentence => write!(f, "the signed text has no sentence below the line `line …`"),
            Broken::TooLong { characters, allowed } => {
                write!(f, "the signed sentence has {characters} characters, at most {allowed} are read")
            }
            Broken::NoSignature => write!(f, "`{BEGIN}` to `{END}` must follow the signed sentence"),
            Broken::Signature(why) => why.fmt(f),
        }
    }
}

/// Whether a line is the title of a signed sentence.
pub fn begins(line: &str) -> bool {
    line.trim() == signed::TITLE
}

/// Whether a line is the first or the last of a signature.
pub fn is_frame(line: &str) -> bool {
    matches!(line.trim(), BEGIN | END)
}

/// Reads a signed sentence from the writer's own lines, the first of which is its title.
pub fn read<'l>(lines: impl Iterator<Item = &'l Line>, characters: usize) -> Block {
    let mut taken: Vec<(&str, usize)> = Vec::new();
    for line in lines.take(LINES_MAX) {
        // The next signed sentence begins: this one lacks its end.
        if !taken.is_empty() && begins(&line.text) {
            break;
        }
        taken.push((line.text.trim(), line.last));
        if line.text.trim() == END {
            break;
        }
    }
    let ended = taken.last().is_some_and(|(line, _)| *line == END);
    let lines = taken.iter().map(|(line, _)| *line).filter(|line| !line.is_empty());
    let order = if ended { order(lines.skip(1), characters) } else { Err(Broken::NoSignature) };
    // Without an end, only the title certainly belongs to it.
    let count = if ended { taken.len() } else { 1 };
    Block { lines: count, last: taken.get(count - 1).map_or(0, |(_, last)| *last), order }
}

fn order<'l>(mut lines: impl Iterator<Item = &'l str>, characters: usize) -> Result<SignedOrder, Broken> {
    let mut value = |name: &'static str| {
        let line = lines.next().and_then(|line| line.strip_prefix(name)).map(str::trim);
        line.ok_or(Broken::Head { expected: name })
    };
    let game = GameId::parse(value("game")?).ok_or(Broken::Head { expected: "game" })?;
    let seat = value("seat")?.to_owned();
    let on = value("on")?
        .split_once(' ')
        .and_then(|(seq, head)| Some(SignedOn { seq: seq.parse().ok()?, head: Hash::parse(head.trim())? }));
    let on = on.ok_or(Broken::Head { expected: "on" })?;
    let (part, number, of) = lines.next().and_then(counted).ok_or(Broken::Head { expected: "line" })?;
    let rest: Vec<&str> = lines.collect();
    let begin = rest.iter().position(|line| *line == BEGIN).ok_or(Broken::NoSignature)?;
    let words = rest[..begin].join(" ");
    if words.is_empty() {
        return Err(Broken::NoSentence);
    }
    let found = words.chars().count();
    if found > characters {
        return Err(Broken::TooLong { characters: found, allowed: characters });
    }
    let signature = Signature::read(&rest[begin..].join("\n")).map_err(Broken::Signature)?;
    Ok(SignedOrder { sentence: SignedSentence { game, seat, on, part, number, of, words }, signature })
}

/// `line 2 of 5`.
fn counted(line: &str) -> Option<(Part, u32, u32)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [part, number, "of", of] = words[..] else { return None };
    let part = Part::ALL.into_iter().find(|known| known.word() == part)?;
    Some((part, number.parse().ok()?, of.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ground::hash::Hex;
    use mail::letter::flowed::{self, Flow};
    use record::commit::signature::{ORDER, SigningKey};

    fn signed(words: &str) -> (SigningKey, String) {
        let key = SigningKey::of_seed(&Hex([7; 32]));
        let on = SignedOn { seq: 12, head: Hex([9; 32]) };
        let (game, seat, words) = (Hex([7; 16]), "green".to_owned(), words.to_owned());
        let sentence = SignedSentence { game, seat, on, part: Part::Line, number: 1, of: 1, words };
        let signature = key.sign(ORDER, sentence.to_string().as_bytes());
        (key, format!("{sentence}{}", signature.in_armour()))
    }

    fn block(text: &str) -> Block {
        read(flowed::lines(text, Flow::Fixed).iter(), 400)
    }

    #[test]
    fn what_was_signed_is_put_together_again() {
        let (key, text) = signed("attack osgiliath from south-ithilien with 5 regular 1 elite");
        for shown in [
            text.clone(),
            text.replace(" with", "\nwith"),
            text.replace('\n', "\r\n"),
            text.replace('\n', " \n  "),
            text.replace("\n-----BEGIN", "\n\n-----BEGIN"),
        ] {
            let found = block(&format!("{shown}\ndone\n"));
            let order = found.order.unwrap_or_else(|why| panic!("{shown}: {why}"));
            assert_eq!(order.check(&Hex([7; 16]), "green", &[key.public]), Ok(key.public), "{shown}");
            assert_eq!(order.sentence.words, "attack osgiliath from south-ithilien with 5 regular 1 elite");
        }
    }

    #[track_caller]
    fn broken(text: &str, expected: &str) {
        let why = block(text).order.expect_err("it is broken").to_string();
        assert!(why.contains(expected), "{why}");
    }

    #[test]
    fn what_is_missing_is_told() {
        let (_, text) = signed("roll 2");
        broken(signed::TITLE, "must follow the signed sentence");
        broken(&text.replace("game 0707", "game 07"), "`game …` should stand");
        broken(&text.replace("seat green\n", ""), "`seat …` should stand");
        broken(&text.replace("line 1 of 1", "line one of 1"), "`line …` should stand");
        broken(&text.replace("on 12 ", "on "), "`on …` should stand");
        broken(&text.replace("roll 2\n", ""), "has no sentence");
        broken(&text.replace("roll 2", &"roll 2 ".repeat(80)), "at most 400");
        broken(&text.replace("U1NIU0lH", "U1NIU0"), "the signature is damaged");
        broken(&text.replace("-----END SSH SIGNATURE-----\n", ""), "must follow");
        // A sentence without an end takes no line of the next one with it.
        let two = format!("{}{text}", text.replace("-----END SSH SIGNATURE-----\n", ""));
        assert_eq!(block(&two).lines, 1);
    }
}
