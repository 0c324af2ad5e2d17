//! `man`: the manual page, of the program or of one verb.

use crate::cli::exit::{Done, Failure};
use crate::cli::{Arguments, paper};
use clap::{Args, CommandFactory};

/// Print the manual page.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  ringmail man | man -l -\n  ringmail man verify | man -l -")]
pub struct Man {
    /// The verb; without it, the page of the whole program.
    verb: Option<String>,
}

pub fn run(man: &Man) -> Done {
    let mut program = Arguments::command();
    program.build();
    let command = match &man.verb {
        None => program,
        Some(verb) => {
            let found = program.find_subcommand(verb).cloned();
            found.ok_or_else(|| Failure::usage(format!("There is no verb `{verb}`. `ringmail help` lists them.")))?
        }
    };
    let mut page = Vec::new();
    let name = command.get_name().to_string();
    let title = if name == "ringmail" { name } else { format!("ringmail-{name}") };
    clap_mangen::Man::new(command)
        .title(title)
        .render(&mut page)
        .map_err(|error| Failure::failed(format!("The manual page cannot be written: {error}.")))?;
    paper::print(&String::from_utf8_lossy(&page))
}
