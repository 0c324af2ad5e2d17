//! `man`: the manual pages, of the program and of each verb.

use crate::cli::exit::{Done, Failure};
use crate::cli::{Arguments, paper};
use crate::disk::place::write_over;
use clap::{Args, Command, CommandFactory};
use std::path::{Path, PathBuf};

/// Print the manual page.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail man | man -l -
  ringmail man verify | man -l -
  ringmail man --into /usr/local/share/man/man1    # all pages, for `man ringmail` and `man ringmail-verify`")]
pub struct Man {
    /// The verb; without it, the page of the whole program.
    verb: Option<String>,
    /// Write all pages into this folder, a file each, instead of printing one.
    #[arg(long, value_name = "FOLDER", conflicts_with = "verb")]
    into: Option<PathBuf>,
}

pub fn run(man: &Man) -> Done {
    let mut program = Arguments::command();
    program.build();
    if let Some(folder) = &man.into {
        for verb in program.get_subcommands().filter(|verb| verb.get_name() != "help") {
            write(&title(verb), page(verb)?, folder)?;
        }
        return write(&title(&program), page(&program)?, folder);
    }
    let command = match &man.verb {
        None => program,
        Some(verb) => {
            let found = program.find_subcommand(verb).cloned();
            found.ok_or_else(|| Failure::usage(format!("There is no verb `{verb}`. `ringmail help` lists them.")))?
        }
    };
    paper::print(&String::from_utf8_lossy(&page(&command)?))
}

/// What the page is called: `ringmail`, or `ringmail-verify`.
fn title(command: &Command) -> String {
    match command.get_name() {
        "ringmail" => "ringmail".to_owned(),
        verb => format!("ringmail-{verb}"),
    }
}

fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .title(title(command))
        .render(&mut page)
        .map_err(|error| Failure::failed(format!("The manual page cannot be written: {error}.")))?;
    Ok(page)
}

fn write(title: &str, page: Vec<u8>, folder: &Path) -> Done {
    let file = folder.join(format!("{title}.1"));
    write_over(&file, &page).map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", file.display())))
}
