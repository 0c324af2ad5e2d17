//! What the answer says of the parts of a letter that were not read, or not read as they look.

use super::clerk::Clerk;
use super::docket::whole;
use super::position::Position;
use crate::order::sentences::{Reading, Said};
use crate::order::suggestion;
use crate::order::unread::{HIDDEN, NotRead, Unread};
use crate::reply::courtesies;
use crate::reply::quoting::Ownership;
use jiff::civil::Date;
use mail::letter::spelling;
use mail::letter::text::{Source, Text};
use report::fate::{Answered, Fate};

impl Position<'_> {
    /// The current day in the writer's time zone.
    pub(super) fn today(&self) -> Date {
        self.table.fold().zone(self.seat()).today(self.cover.at)
    }
}

impl Clerk<'_> {
    /// Says which part of the letter was read, unless it is the only one and plain text.
    pub(super) fn tell_text(&mut self, text: &Text) {
        let mut note = |how: String| self.docket.fates.answers.push(whole(Fate::Noted { how }));
        if text.source == Source::Html {
            note("read from HTML, for it has no plain text; what you saw and what was read may differ".to_owned());
        }
        match text.parts_unread {
            0 => {}
            1 => note("its other part was not read".to_owned()),
            parts => note(format!("its {parts} other parts were not read")),
        }
    }

    /// Names the lines that were not read but may have been meant: all of them, if nothing else was found.
    pub(super) fn tell_unread(&mut self, text: &Text, reading: &Reading) {
        let is_quoted = reading.unread.iter().any(|unread| matches!(unread.reason, NotRead::NotOwn(_)));
        let is_passed_over = |said: &Said| self.docket.own.passed_over.is_some_and(|first| said.line() >= first);
        let says_nothing = reading.said.iter().all(is_passed_over);
        if says_nothing && reading.says_away {
            self.docket.fates.is_away = true;
            let why = format!("the game does not wait by itself; {}", suggestion::absence(self.position().today()));
            self.docket.fates.answers.push(whole(Fate::refused(why)));
        } else if says_nothing && is_quoted {
            // P6: the writer thinks that he has answered.
            let why = "no sentence of your own was found in it; write them above the letter that you quote, one a \
                       line. Below it they are read only where every quoted line begins with >";
            self.docket.fates.answers.push(whole(Fate::refused(why)));
        }
        for unread in &reading.unread {
            let is_plain = match unread.reason {
                NotRead::NotOwn(owner) => {
                    !matches!(owner, Ownership::BelowRule | Ownership::BelowFooter | Ownership::Encrypted)
                }
                NotRead::Comment | NotRead::Greeting | NotRead::Blank | NotRead::Wordless => true,
                // Small talk is named once, below.
                NotRead::Chatter => continue,
                NotRead::OutsideBlock | NotRead::Farewell | NotRead::PerhapsOwn => false,
            };
            if is_plain && !says_nothing {
                continue;
            }
            let line = range(unread.first, unread.last);
            self.docket.fates.answers.push(Answered { line, fate: Fate::ignored(unread.reason.to_string()) });
        }
        for hidden in &reading.hidden {
            self.docket.fates.answers.push(Answered { line: hidden.clone(), fate: Fate::ignored(HIDDEN) });
        }
        self.tell_chatter(Some(text), reading);
    }

    /// Names once the lines that were passed over as small talk, except the writer's name, perhaps below a farewell
    /// (P7).
    pub(super) fn tell_chatter(&mut self, text: Option<&Text>, reading: &Reading) {
        let is_name = |unread: &&Unread| {
            let line = text.and_then(|text| text.lines.iter().find(|line| line.number == unread.first));
            unread.first == unread.last
                && line.is_some_and(|line| courtesies::is_signature(&spelling::plain(&line.text), &self.cover.names))
        };
        let runs = reading.unread.iter().filter(|unread| unread.reason == NotRead::Chatter && !is_name(unread));
        let runs: Vec<(usize, usize)> = runs.map(|unread| (unread.first, unread.last)).collect();
        if runs.is_empty() {
            return;
        }
        let fate = Fate::ignored(NotRead::Chatter.to_string());
        self.docket.fates.answers.push(Answered { line: ranges(&runs), fate });
        if reading.says_away && !self.docket.fates.is_away {
            let how = suggestion::absence(self.position().today());
            self.docket.fates.answers.push(whole(Fate::Noted { how }));
        }
    }
}

/// Several ranges of lines, in words.
fn ranges(runs: &[(usize, usize)]) -> String {
    const RUNS_MAX: usize = 12;
    let run =
        |(first, last): &(usize, usize)| if first == last { first.to_string() } else { format!("{first} to {last}") };
    match runs {
        [(first, last)] => range(*first, *last),
        runs => {
            let shown: Vec<String> = runs.iter().take(RUNS_MAX).map(run).collect();
            let more = if runs.len() > RUNS_MAX { " and more" } else { "" };
            format!("(lines {}{more})", shown.join(", "))
        }
    }
}

/// Lines of a letter, named by their numbers where their text is not shown.
pub(super) fn range(first: usize, last: usize) -> String {
    if first == last { format!("(line {first})") } else { format!("(lines {first} to {last})") }
}
