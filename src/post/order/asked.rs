/*! Reading a line that may be a request: its word, what follows it, and the code that may confirm it.

The line comes twice: as it is read, in plain spelling, and as it was written, from which everything is taken that
others are to read.
*/

use super::guest_request::GuestRequest;
use super::request::{Press, Proposed, Request, Sender};
use super::time_request::TimeRequest;
use super::verb::{Definition, Verb, find};
use crate::mail::letter::mailbox::Mailbox;
use crate::mail::letter::spelling;
use crate::record::commit::signature::PublicKey;
use crate::record::entry::body::{Ballot, Correcting};
use std::fmt;

/// A request, and the code that confirms it, if one stands behind it: `concede confirm K7Q2M4XA`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub definition: &'static Definition,
    pub request: Request,
    /// The request as it was read, without the code: what the code is bound to.
    pub words: String,
    pub code: Option<String>,
}

/// A line that begins with the word of a request and goes wrong behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    pub definition: &'static Definition,
    pub why: String,
}

impl fmt::Display for Misread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "not understood: {}. It is written `{}`", self.why, self.definition.usage())
    }
}

/// Reads a line; `None` if it does not begin with the word of a request. `original` is the line as it was written:
/// what is to be told to others is taken from there.
///
/// # Errors
/// [`Misread`]: what is wrong behind the word.
#[must_use]
pub fn read(words: &str, original: &str) -> Option<Result<Asked, Misread>> {
    let definition = find(words)?;
    let (words, code) = without_code(words);
    let original = if code.is_some() { without_code(original).0 } else { original };
    let line = Line { definition, behind: behind_the_word(words), original };
    let request = line.request(definition.verb);
    let words = |request: &Request| match request {
        // A key is longer than a line of ours, and may come back in pieces.
        Request::Key { key } => format!("{} {key}", definition.word).to_lowercase(),
        _ => words.to_owned(),
    };
    Some(request.map(|request| Asked { definition, words: words(&request), request, code: code.map(str::to_owned) }))
}

/// A line without the code that confirms it, and the code.
fn without_code(line: &str) -> (&str, Option<&str>) {
    let found = line.trim_end().rsplit_once(' ').and_then(|(rest, code)| {
        let (words, confirm) = rest.trim_end().rsplit_once([' ', ':'])?;
        let is_code = code.len() == 8 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_code && confirm.eq_ignore_ascii_case("confirm")).then_some((words.trim_end(), code))
    });
    found.map_or((line, None), |(words, code)| (words, Some(code)))
}

/// Whether a line is a request whose text stands in the lines below it.
#[must_use]
pub fn takes_lines_below(words: &str) -> bool {
    let asked = read(words, words).and_then(Result::ok);
    asked.is_some_and(|asked| matches!(asked.request, Request::Press(Press { text: None, .. })))
}

/// Whether a line ends the text of such a request.
#[must_use]
pub fn ends_lines_below(words: &str) -> bool {
    matches!(words.trim_end_matches(['.', '!']), "end press" | "endpress")
}

/// Whether a line is a whole request, and so never the rest of the line above it.
#[must_use]
pub fn is_whole(words: &str) -> bool {
    read(words, words).is_some_and(|read| read.is_ok()) && !takes_lines_below(words)
}

/// A line whose request is known.
struct Line<'a> {
    definition: &'static Definition,
    /// What stands behind the word, as it is read.
    behind: &'a str,
    original: &'a str,
}

impl Line<'_> {
    fn request(&self, verb: Verb) -> Result<Request, Misread> {
        match verb {
            Verb::Help => {
                let topic = self.behind.trim_end_matches(['?', '!', '.']).trim();
                // Whoever writes `help me please` asks for all of it.
                let is_asked = topic.split([' ', ',']).any(|word| !matches!(word, "" | "me" | "us" | "please"));
                Ok(Request::Help { topic: is_asked.then(|| topic.to_owned()) })
            }
            Verb::Status => self.alone(Request::Status),
            Verb::Menu => self.alone(Request::Menu),
            Verb::Standing => self.alone(Request::Standing),
            Verb::Check => self.alone(Request::Check),
            Verb::Map => Ok(Request::Map { at: self.numbers(1)?.first().copied() }),
            Verb::History => {
                let numbers = self.numbers(2)?;
                Ok(Request::History { from: numbers.first().copied(), to: numbers.get(1).copied() })
            }
            Verb::Why => match self.numbers(1)?.first() {
                Some(seq) => Ok(Request::Why { seq: *seq }),
                None => Err(self.misread("the number of the entry is missing")),
            },
            Verb::Press => self.press().map(Request::Press),
            Verb::Propose => self.proposed().map(Request::Propose),
            Verb::Vote => self.vote(),
            Verb::Concede => match (self.behind, self.text_behind_colon()) {
                ("", _) => Ok(Request::Concede { text: None }),
                (_, Some(text)) => Ok(Request::Concede { text: Some(text) }),
                (behind, None) => Err(self.misread(format!("`{behind}` stands there without a colon before it"))),
            },
            Verb::Absence | Verb::Back | Verb::Extend | Verb::Zone => self.time(verb),
            Verb::Join | Verb::Ready | Verb::Decline | Verb::Observe | Verb::Leave => self.guest(verb),
            Verb::Name | Verb::Salt | Verb::Anchor => self.guest(verb),
            Verb::Digest | Verb::Quiet | Verb::Night | Verb::Batch => self.time(verb),
            Verb::Consent => Ok(Request::Consent { words: self.text(1)? }),
            Verb::Clear => self.alone(Request::Clear),
            Verb::Delegate => self.delegate(),
            Verb::Address => self.address(),
            Verb::Key => self.key(),
            Verb::Dispute => {
                let (number, _) = self.behind.split_once([' ', ':']).unwrap_or((self.behind, ""));
                let about = self.number(number)?;
                Ok(Request::Dispute { about, text: self.text(2)? })
            }
        }
    }

    fn guest(&self, verb: Verb) -> Result<Request, Misread> {
        let read = GuestRequest::read(verb, self.behind, self.after_words(1)).expect("it is a request of guests");
        read.map(Request::Guest).map_err(|why| self.misread(why))
    }

    fn time(&self, verb: Verb) -> Result<Request, Misread> {
        let read = TimeRequest::read(verb, self.behind).expect("it is a request about time");
        read.map(Request::Time).map_err(|why| self.misread(why))
    }

    fn alone(&self, request: Request) -> Result<Request, Misread> {
        match self.behind {
            "" => Ok(request),
            behind => Err(self.misread(format!("nothing follows `{}`, but `{behind}` stands there", self.word()))),
        }
    }

    fn word(&self) -> &'static str {
        self.definition.word
    }

    fn misread(&self, why: impl Into<String>) -> Misread {
        Misread { definition: self.definition, why: why.into() }
    }

    fn number(&self, word: &str) -> Result<u64, Misread> {
        let digits = word.trim_start_matches('#').trim_end_matches('?');
        let number = digits.parse().ok().filter(|_| digits.len() <= 15);
        number.ok_or_else(|| self.misread(format!("`{word}` is not the number of an entry")))
    }

    /// At most so many numbers, however they are parted: `3 9`, `3-9`, `#3 to #9`.
    fn numbers(&self, most: usize) -> Result<Vec<u64>, Misread> {
        let words = self.behind.split([' ', '-', ',']).filter(|word| !matches!(*word, "" | "from" | "to"));
        let numbers = words.map(|word| self.number(word)).collect::<Result<Vec<u64>, Misread>>()?;
        match numbers.get(most) {
            None => Ok(numbers),
            Some(more) => Err(self.misread(format!("`{more}` is one number too many"))),
        }
    }

    fn press(&self) -> Result<Press, Misread> {
        let (to, text) = match self.behind.split_once(':') {
            // With nothing behind the colon the text stands in the lines below.
            Some((to, _)) => (to, self.text_behind_colon()),
            None => (self.behind, None),
        };
        let to = to.trim().trim_start_matches("to ");
        let anonymous = ["anonymous ", "anonymously ", "grey "].into_iter().find_map(|word| to.strip_prefix(word));
        let sender = if anonymous.is_some() { Sender::Anonymous } else { Sender::Named };
        let to = anonymous.unwrap_or(to).trim_start_matches("to ");
        let words = to.split([' ', ',']).filter(|word| !matches!(*word, "" | "and"));
        let to: Vec<String> = words.map(str::to_owned).collect();
        match to.as_slice() {
            [] => Err(self.misread("it does not say to whom")),
            [all] if matches!(all.as_str(), "all" | "everybody" | "everyone") => {
                Ok(Press { to: Vec::new(), sender, text })
            }
            _ => Ok(Press { to, sender, text }),
        }
    }

    fn delegate(&self) -> Result<Request, Misread> {
        let behind = self.text(1)?;
        let behind = behind.strip_prefix("to ").unwrap_or(&behind).trim();
        let (to, name) = behind.split_once(' ').unwrap_or((behind, ""));
        let name = name.trim_matches(['(', ')', '"', ' ']);
        match to.contains('@') {
            true => Ok(Request::Delegate {
                to: to.trim_matches(['<', '>', ',']).to_owned(),
                name: (!name.is_empty()).then(|| name.to_owned()),
            }),
            false => Err(self.misread(format!("`{to}` is no address"))),
        }
    }

    fn address(&self) -> Result<Request, Misread> {
        let behind = self.text(1)?;
        let to = behind.strip_prefix("to ").unwrap_or(&behind).trim().trim_matches(['<', '>']);
        match Mailbox::read(to) {
            Some(_) => Ok(Request::Address { to: to.to_owned() }),
            None => Err(self.misread(format!("`{to}` is no address"))),
        }
    }

    fn key(&self) -> Result<Request, Misread> {
        // A mail program may have broken it; the letters of an ed25519 key are so many.
        const LETTERS: usize = 68;
        let text = self.text(1)?;
        let (kind, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let letters: String = rest.chars().filter(|letter| !letter.is_whitespace()).take(LETTERS).collect();
        let key = PublicKey::read(&format!("{kind} {letters}")).map_err(|refused| self.misread(refused.to_string()))?;
        Ok(Request::Key { key })
    }

    /// What stands behind the first so many words of the line, as it was written.
    fn after_words(&self, words: usize) -> &str {
        let mut rest = self.original.trim();
        for _ in 0..words {
            rest = rest.split_once([' ', '\t', '\u{a0}', ':']).map_or("", |(_, rest)| rest.trim_start());
        }
        rest.trim_start_matches([':', '\u{ff1a}'])
    }

    fn proposed(&self) -> Result<Proposed, Misread> {
        let aim = self.behind.split(':').next().unwrap_or("").trim();
        let (first, rest) = aim.split_once(' ').unwrap_or((aim, ""));
        let rest = rest.trim_start_matches("of ").trim_start_matches("to ").trim_start_matches("by ").trim();
        let text = self.text_behind_colon();
        let plain = |what| Proposed { what, to: None, of: None, rules: None, until: None, text: text.clone() };
        let named = |what: &str| match rest {
            "" => Err(self.misread(format!("{what} is missing"))),
            rest => Ok(Some(rest.to_owned())),
        };
        let proposed = match first {
            "draw" => plain(Correcting::Draw),
            "pause" => plain(Correcting::Pause),
            "resume" => plain(Correcting::Resume),
            "ruling" | "correction" => plain(Correcting::Ruling),
            "deadline" | "time" => Proposed { until: named("the time")?, ..plain(Correcting::Deadline) },
            "undo" => Proposed { to: Some(self.number(rest)?), ..plain(Correcting::Undo) },
            "replacement" | "replace" => Proposed { of: named("the seat")?, ..plain(Correcting::Seat) },
            "rules" => Proposed { rules: named("the edition")?, ..plain(Correcting::Rules) },
            "" => return Err(self.misread("it does not say what")),
            other => return Err(self.misread(format!("`{other}` cannot be proposed"))),
        };
        let is_alone = matches!(proposed.what, Correcting::Draw | Correcting::Pause | Correcting::Resume);
        if (is_alone || proposed.what == Correcting::Ruling) && !rest.is_empty() {
            return Err(self.misread(format!("`{rest}` stands there without a colon before it")));
        }
        if proposed.what == Correcting::Ruling && proposed.text.is_none() {
            return Err(self.misread("the text is missing"));
        }
        Ok(proposed)
    }

    fn vote(&self) -> Result<Request, Misread> {
        let (mut says, mut motion) = (None, None);
        for word in self.behind.split(' ').filter(|word| !matches!(*word, "" | "on")) {
            match word {
                "yes" | "aye" | "agree" | "ja" | "oui" if says.is_none() => says = Some(Ballot::Yes),
                "no" | "nay" | "nein" | "non" if says.is_none() => says = Some(Ballot::No),
                number if motion.is_none() => motion = Some(self.number(number)?),
                other => return Err(self.misread(format!("`{other}` is one word too many"))),
            }
        }
        let says = says.ok_or_else(|| self.misread("it says neither yes nor no"))?;
        Ok(Request::Vote { motion, says })
    }

    /// The text behind the first colon, as it was written.
    fn text_behind_colon(&self) -> Option<String> {
        let (_, text) = self.original.split_once([':', '\u{ff1a}'])?;
        Some(tidy(text)).filter(|text| !text.is_empty())
    }

    /// The text behind the first so many words of the line, as it was written.
    fn text(&self, words: usize) -> Result<String, Misread> {
        let text = tidy(self.after_words(words));
        match text.is_empty() {
            true => Err(self.misread("the text is missing")),
            false => Ok(text),
        }
    }
}

fn behind_the_word(words: &str) -> &str {
    words.split_once([' ', ':']).map_or("", |(_, behind)| behind.trim_start_matches([':', ' ']).trim())
}

/// A text on one line, with single blanks and nothing invisible, in the letters in which it was written.
#[must_use]
pub fn tidy(text: &str) -> String {
    let visible = text.chars().filter(|c| !spelling::is_invisible(*c));
    visible.collect::<String>().split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str, expected: Request) {
        assert_eq!(read(&spelling::plain(line), line).unwrap().map(|asked| asked.request), Ok(expected));
    }

    #[test]
    fn requests_are_read_as_people_write_them() {
        case("HELP", Request::Help { topic: None });
        case("Help me, please!", Request::Help { topic: None });
        case("help  Athelas?", Request::Help { topic: Some("athelas".to_owned()) });
        case("Status?", Request::Status);
        case("history", Request::History { from: None, to: None });
        case("History 3\u{2013}9", Request::History { from: Some(3), to: Some(9) });
        case("history from #3 to #9", Request::History { from: Some(3), to: Some(9) });
        case("why 57?", Request::Why { seq: 57 });
        case("map", Request::Map { at: None });
        let text = "Bree was MINE, see #54".to_owned();
        case("Dispute 57: Bree was  MINE, see #54", Request::Dispute { about: 57, text: text.clone() });
        case("dispute #57 Bree was MINE, see #54", Request::Dispute { about: 57, text });
    }

    #[test]
    fn letters_to_players_proposals_and_votes_are_read() {
        let press = |to: &[&str], sender, text: Option<&str>| {
            let to = to.iter().map(|word| (*word).to_owned()).collect();
            Request::Press(Press { to, sender, text: text.map(str::to_owned) })
        };
        case("press all: Hello, You!", press(&[], Sender::Named, Some("Hello, You!")));
        case("Press to red and black: at 9:15", press(&["red", "black"], Sender::Named, Some("at 9:15")));
        case("press anonymous all: Boo", press(&[], Sender::Anonymous, Some("Boo")));
        case("press red", press(&["red"], Sender::Named, None));
        case("press anonymous all:", press(&[], Sender::Anonymous, None));
        let propose = |what, text: Option<&str>| Proposed {
            what,
            to: None,
            of: None,
            rules: None,
            until: None,
            text: text.map(str::to_owned),
        };
        case("propose draw", Request::Propose(propose(Correcting::Draw, None)));
        case("propose draw: Tired", Request::Propose(propose(Correcting::Draw, Some("Tired"))));
        let later = Proposed { until: Some("3d".to_owned()), ..propose(Correcting::Deadline, Some("A wedding")) };
        case("propose deadline 3d: A wedding", Request::Propose(later));
        let undo = Proposed { to: Some(57), ..propose(Correcting::Undo, Some("A slip")) };
        case("Propose undo to #57: A slip", Request::Propose(undo));
        let seat = Proposed { of: Some("red".to_owned()), ..propose(Correcting::Seat, None) };
        case("propose replacement of red", Request::Propose(seat));
        case("vote yes 61", Request::Vote { motion: Some(61), says: Ballot::Yes });
        case("VOTE #61 No", Request::Vote { motion: Some(61), says: Ballot::No });
        case("concede: Well played", Request::Concede { text: Some("Well played".to_owned()) });
    }

    #[test]
    fn a6_a_code_behind_a_request_confirms_it() {
        let asked = read("concede: enough confirm k7q2m4xa", "Concede: Enough confirm K7Q2M4XA").unwrap().unwrap();
        assert_eq!(asked.request, Request::Concede { text: Some("Enough".to_owned()) });
        assert_eq!((asked.words.as_str(), asked.code.as_deref()), ("concede: enough", Some("k7q2m4xa")));
        let asked = read("concede", "concede").unwrap().unwrap();
        assert_eq!(asked.code, None);
    }

    #[track_caller]
    fn wrong(line: &str, expected: &str) {
        assert_eq!(read(&spelling::plain(line), line).unwrap().unwrap_err().to_string(), expected);
    }

    #[test]
    fn what_goes_wrong_is_told_with_what_would_have_been_right() {
        wrong("why", "not understood: the number of the entry is missing. It is written `why entry`");
        wrong("why not", "not understood: `not` is not the number of an entry. It is written `why entry`");
        wrong("history 1 2 3", "not understood: `3` is one number too many. It is written `history [from [to]]`");
        wrong("dispute 57", "not understood: the text is missing. It is written `dispute entry: text`");
        wrong("menu please", "not understood: nothing follows `menu`, but `please` stands there. It is written `menu`");
        assert_eq!(read("helping hand", "helping hand"), None);
        assert_eq!(read("", ""), None);
    }
}
