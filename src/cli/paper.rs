/*! Where the program prints: standard output, quiet when its reader has closed it.

Colours come through `anstream`, which drops them where nobody would see them (no terminal, `NO_COLOR`).
*/

use crate::cli::exit::{Done, Exit, Failure};
use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// What is worth seeing first.
pub const HEADING: Style = AnsiColor::Yellow.on_default().bold();
/// What is right.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What is wrong.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// What may be passed over.
pub const QUIET: Style = AnsiColor::BrightBlack.on_default();

/// Columns of a page that is read on no terminal, and the fewest and most of one that is.
const COLUMNS: usize = 72;
const NARROW: usize = 40;
const WIDE: usize = 100;

/// How wide the terminal is that is printed to, within what can be read well.
pub fn columns() -> usize {
    match terminal_size::terminal_size_of(io::stdout()) {
        Some((terminal_size::Width(columns), _)) => usize::from(columns).clamp(NARROW, WIDE),
        None => COLUMNS,
    }
}

/// Prints text as it is.
pub fn print(text: &str) -> Done {
    let mut out = anstream::stdout().lock();
    done(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

pub fn line(text: &str) -> Done {
    print(&format!("{text}\n"))
}

/// Prints bytes that are no text.
pub fn bytes(bytes: &[u8]) -> Done {
    let mut out = io::stdout().lock();
    done(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Whether a person looks at what is printed.
pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Sets text in a style.
pub fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Prints a value as JSON, for programs.
pub fn json(value: &serde_json::Value) -> Done {
    line(&serde_json::to_string_pretty(value).expect("a value made here can be written"))
}

/// Tells something on standard error: progress, warnings, refusals.
pub fn tell(text: &str) {
    // If even standard error is closed, nothing can be done.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// What to do about an error, on a line below it, if that is known.
pub fn advice(known: Option<impl Display>) -> String {
    known.map_or(String::new(), |advice| format!("\n    → {advice}"))
}

/// A closed pipe means that the reader has seen enough: the program ends quietly.
fn done(written: io::Result<()>) -> Done {
    match written {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::silent(Exit::Done)),
        Err(error) => Err(Failure::failed(format!("The output cannot be written: {error}."))),
    }
}
