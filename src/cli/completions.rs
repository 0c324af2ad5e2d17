//! `completions`: the script with which a shell completes the command line.

use crate::cli::exit::Done;
use crate::cli::{Arguments, paper};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print completions for a shell.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail completions bash > ~/.local/share/bash-completion/completions/ringmail")]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

pub fn run(completions: &Completions) -> Done {
    let mut text = Vec::new();
    clap_complete::generate(completions.shell, &mut Arguments::command(), "ringmail", &mut text);
    paper::print(&String::from_utf8_lossy(&text))
}
