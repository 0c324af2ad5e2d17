/*! Where lines are typed: with history and completion on a terminal, as they come through a pipe.

What can be completed is what the game expects at that place: there is no second list of words.
*/

use crate::engine::refusal::Refusal;
use crate::engine::seat::Seat;
use crate::engine::slot::Faces;
use crate::engine::title::Game;
use rustyline::completion::Completer;
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// Lines that are remembered from one sitting to the next.
const HISTORY_MAX: usize = 2_000;

/// The longest line that is read.
const LINE_MAX: usize = 4096;

/// A word that no sentence has: what could stand in its place is told.
const NO_WORD: &str = "\u{2042}";

/// Where lines come from.
pub enum Prompt {
    Terminal { editor: Box<Editor<Words, FileHistory>>, history: PathBuf },
    Pipe,
}

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    Line(String),
    /// The line was broken off.
    Nothing,
    /// There is no more.
    End,
}

/// The words that can stand in a line: those of the game, and the requests of the program.
pub struct Words {
    asked: Option<(Box<dyn Game>, Seat, Faces)>,
    requests: &'static [&'static str],
}

impl Prompt {
    /// # Errors
    /// The terminal cannot be read.
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
        // A first sitting has none.
        let _ = editor.load_history(history);
        Ok(Prompt::Terminal { editor: Box::new(editor), history: history.to_owned() })
    }

    /// From here on what is typed is completed as the seat may say it in this game, from what it knows.
    pub fn asks(&mut self, game: Box<dyn Game>, seat: Seat, faces: Faces) {
        if let Prompt::Terminal { editor, .. } = self
            && let Some(words) = editor.helper_mut()
        {
            words.asked = Some((game, seat, faces));
        }
    }

    /// The next line.
    ///
    /// # Errors
    /// The terminal or the pipe cannot be read.
    pub fn line(&mut self, prompt: &str) -> io::Result<Typed> {
        match self {
            Prompt::Terminal { editor, history } => match editor.readline(prompt) {
                Ok(line) => {
                    let line = line.trim().to_string();
                    if !line.is_empty() {
                        let _ = editor.add_history_entry(&line);
                        // What was typed is a comfort; a full disk must not stop the game for it.
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
    /// What may stand behind the beginning of a line.
    fn after(&self, beginning: &str) -> Vec<String> {
        let Some((game, seat, faces)) = &self.asked else { return Vec::new() };
        match game.understand(*seat, &format!("{beginning}{NO_WORD}"), faces) {
            Err(Refusal::NotUnderstood { at, expected, .. }) if at.start >= beginning.trim_end().len() => expected,
            _ => Vec::new(),
        }
    }

    /// Where the word begins that is being typed, and what it may become.
    fn candidates(&self, typed: &str) -> (usize, Vec<String>) {
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
        (start, found)
    }
}

impl Helper for Words {}

impl Highlighter for Words {}

impl Validator for Words {}

impl Hinter for Words {
    type Hint = String;
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.candidates(&line[..pos]))
    }
}
