/*! Reads typed lines: with history and completion on a terminal, unchanged from a pipe.

Completion offers what the game expects at that place; there is no second list of words.
*/

use engine::game::Game;
use engine::refusal::Refusal;
use engine::seat::Seat;
use engine::slot::Faces;
use rustyline::completion::{Completer, Pair};
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// The most lines remembered from one session to the next.
const HISTORY_MAX: usize = 2_000;

/// The longest line that is read, in bytes.
const LINE_MAX: usize = 4096;

/// A word that no sentence contains: its refusal lists what could be in its place.
const NO_WORD: &str = "\u{2042}";

/// Where lines come from.
pub enum Prompt {
    Terminal { editor: Box<Editor<Words, FileHistory>>, history: PathBuf },
    Pipe,
}

/// The result of reading a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    Line(String),
    /// The player cancelled the line.
    Nothing,
    /// The end of the input.
    End,
}

/// The words for completion: those of the game, and the requests of the program.
pub struct Words {
    asked: Option<(Box<dyn Game>, Seat, Faces)>,
    requests: &'static [&'static str],
}

impl Prompt {
    pub fn new(history: &Path, requests: &'static [&'static str]) -> io::Result<Prompt> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(Prompt::Pipe);
        }
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .max_history_size(HISTORY_MAX)
            .and_then(|config| config.history_ignore_dups(true))
            .map_err(io::Error::other)?
            .history_ignore_space(true)
            .build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(Words { asked: None, requests }));
        // The first session has no history.
        let _ = editor.load_history(history);
        Ok(Prompt::Terminal { editor: Box::new(editor), history: history.to_owned() })
    }

    /// From now on, completes lines as this seat may say them in this game, with what it knows.
    pub fn asks(&mut self, game: Box<dyn Game>, seat: Seat, faces: Faces) {
        if let Prompt::Terminal { editor, .. } = self
            && let Some(words) = editor.helper_mut()
        {
            words.asked = Some((game, seat, faces));
        }
    }

    /// Reads the next line.
    pub fn line(&mut self, prompt: &str) -> io::Result<Typed> {
        match self {
            Prompt::Terminal { editor, history } => match editor.readline(prompt) {
                Ok(line) => {
                    let line = line.trim().to_string();
                    if !line.is_empty() {
                        let _ = editor.add_history_entry(&line);
                        // The history is only a convenience; a full disk must not stop the game.
                        let _ = editor.save_history(history);
                    }
                    Ok(Typed::Line(line))
                }
                Err(ReadlineError::Interrupted) => Ok(Typed::Nothing),
                Err(ReadlineError::Eof) => Ok(Typed::End),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error)),
            },
            Prompt::Pipe => {
                let mut bytes = Vec::new();
                let mut limited = io::Read::take(io::stdin().lock(), LINE_MAX as u64 + 1);
                limited.read_until(b'\n', &mut bytes)?;
                if bytes.is_empty() {
                    return Ok(Typed::End);
                }
                if bytes.len() > LINE_MAX {
                    return Err(io::Error::other(format!("a line has at most {LINE_MAX} bytes")));
                }
                Ok(Typed::Line(String::from_utf8_lossy(&bytes).trim().to_string()))
            }
        }
    }
}

impl Words {
    /// What may follow the beginning of a line.
    fn after(&self, beginning: &str) -> Vec<String> {
        let Some((game, seat, faces)) = &self.asked else { return Vec::new() };
        match game.understand(*seat, &format!("{beginning}{NO_WORD}"), faces) {
            Err(Refusal::NotUnderstood { at, expected, .. }) if at.start >= beginning.trim_end().len() => expected,
            _ => Vec::new(),
        }
    }

    /// Where the current word begins, and its possible completions, each with a blank behind it. Behind a colon or
    /// comma, there is also a blank before it.
    fn candidates(&self, typed: &str) -> (usize, Vec<Pair>) {
        let start = typed.rfind([' ', ',', ':', ';']).map_or(0, |at| at + 1);
        let (beginning, word) = typed.split_at(start);
        let word = word.to_lowercase();
        let mut found = self.after(beginning);
        if beginning.is_empty() {
            found.extend(self.requests.iter().map(|request| (*request).to_string()));
        }
        found.retain(|candidate| candidate.starts_with(&word));
        found.sort_unstable();
        found.dedup();
        let blank = if beginning.ends_with([',', ':', ';']) { " " } else { "" };
        let pair = |word: String| Pair { replacement: format!("{blank}{word} "), display: word };
        (start, found.into_iter().map(pair).collect())
    }
}

impl Helper for Words {}

impl Highlighter for Words {}

impl Validator for Words {}

impl Hinter for Words {
    type Hint = String;
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        Ok(self.candidates(&line[..pos]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::titles;
    use engine::chance::Practice;
    use engine::need::Need;
    use engine::practice::Table;
    use engine::title::Setup;

    #[test]
    fn what_the_game_expects_completes_a_word() {
        let title = titles::ALL.by_id("risk").unwrap();
        let setup = Setup {
            edition: title.editions[0].to_owned(),
            seats: vec!["yellow".to_owned(), "red".to_owned()],
            options: Vec::new(),
        };
        let Table { game, faces } = Table::new(title, &setup, &mut Practice::new(1)).unwrap();
        let Need::Question(question) = game.need() else { panic!("the first seat claims a territory") };
        let words = Words { asked: Some((game, question.seat, faces)), requests: &["card", "quit"] };
        let candidates = |typed: &str| {
            let (start, found) = words.candidates(typed);
            (start, found.into_iter().map(|pair| pair.replacement).collect::<Vec<String>>())
        };
        assert_eq!(candidates("cl"), (0, vec!["claim ".to_owned()]));
        assert_eq!(candidates("q"), (0, vec!["quit ".to_owned()]));
        let (at, all) = candidates("claim ");
        let first = all.iter().find(|word| *word != "nearest ").unwrap();
        assert!(at == 6 && all.len() > 5, "{all:?}");
        let found = candidates(&format!("claim {}", first[..3].to_uppercase())).1;
        assert!(found.contains(first) && found.len() < all.len(), "{found:?}");
        let more = candidates(&format!("claim {},", first.trim())).1;
        assert!(more.len() > 5 && more.iter().all(|word| word.starts_with(' ') && word.trim() != first.trim()));
        assert_eq!(candidates("sing "), (5, Vec::new()));
    }
}
