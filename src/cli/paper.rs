/*! Where the program prints: on standard output; it ends quietly when the reader has closed it.

Colours are printed through `anstream`, which drops them without a terminal and with `NO_COLOR`.
*/

use crate::cli::exit::{Done, Exit, Failure};
use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// For what a reader should see first.
pub const HEADING: Style = AnsiColor::Yellow.on_default().bold();
/// For what is right.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// For what is wrong.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// For what a reader may skip.
pub const QUIET: Style = AnsiColor::BrightBlack.on_default();

/// The width of a page without a terminal, and the least and greatest width on one.
pub const COLUMNS: usize = 72;
const NARROW: usize = 40;
const WIDE: usize = 100;

/// The width of the terminal on standard output, within readable limits.
pub fn columns() -> usize {
    match terminal_size::terminal_size_of(io::stdout()) {
        Some((terminal_size::Width(columns), _)) => usize::from(columns).clamp(NARROW, WIDE),
        None => COLUMNS,
    }
}

/// Prints text unchanged.
pub fn print(text: &str) -> Done {
    let mut out = anstream::stdout().lock();
    done(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

pub fn line(text: &str) -> Done {
    print(&format!("{text}\n"))
}

/// Prints bytes that are not text.
pub fn bytes(bytes: &[u8]) -> Done {
    let mut out = io::stdout().lock();
    done(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Whether standard output is a terminal.
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

/// Prints something on standard error: progress, warnings, refusals.
pub fn tell(text: &str) {
    // If even standard error is closed, nothing can be done.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// The advice on an error, on a line below it, if there is any.
pub fn advice(known: Option<impl Display>) -> String {
    known.map_or(String::new(), |advice| format!("\n    → {advice}"))
}

/// A closed pipe means that the reader has seen enough: end quietly.
fn done(written: io::Result<()>) -> Done {
    match written {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::silent(Exit::Done)),
        Err(error) => Err(Failure::failed(format!("The output cannot be written: {error}."))),
    }
}
