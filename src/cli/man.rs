//! `man`: the manual pages, of the program and of each verb, and the completions for a shell.

use crate::cli::exit::{Done, Failure};
use crate::cli::help::{GROUPS, about, command};
use crate::cli::paper;
use clap::builder::Resettable;
use clap::{Args, Command};
use clap_complete::Shell;
use ground::disk::place::write_over;
use std::io;
use std::path::{Path, PathBuf};

/// Print the manual page, or the completions for a shell.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail man | man -l -
  ringmail man verify | man -l -
  ringmail man --into /usr/local/share/man/man1    # all pages, for `man ringmail` and `man ringmail-verify`
  ringmail man --completions bash > ~/.local/share/bash-completion/completions/ringmail")]
pub struct Man {
    /// The verb; without it, the page of the whole program.
    verb: Option<String>,
    /// Write all pages into this folder, a file each, instead of printing one.
    #[arg(long, value_name = "FOLDER", conflicts_with = "verb")]
    into: Option<PathBuf>,
    /// Print the script with which a shell completes the command line.
    #[arg(long, value_name = "SHELL", conflicts_with_all = ["verb", "into"])]
    completions: Option<Shell>,
}

pub fn run(man: &Man) -> Done {
    let mut program = command();
    program.build();
    if let Some(shell) = man.completions {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut program, "ringmail", &mut text);
        return paper::print(&String::from_utf8_lossy(&text));
    }
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

/// The name of the page: `ringmail`, or `ringmail-verify`.
fn title(command: &Command) -> String {
    match command.get_name() {
        "ringmail" => "ringmail".to_owned(),
        verb => format!("ringmail-{verb}"),
    }
}

/// The page: clap's description of the command, the verbs of the program by what they are for, then each paragraph of
/// `after_help` as a section.
fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    described(command, &mut page)
        .map_err(|error| Failure::failed(format!("The manual page cannot be written: {error}.")))?;
    let below = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    for paragraph in below.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
        page.extend(section(paragraph).into_bytes());
    }
    Ok(page)
}

fn described(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = clap_mangen::Man::new(command.clone().after_help(Resettable::Reset))
        .title(title(command))
        .source(concat!("ringmail ", env!("CARGO_PKG_VERSION")));
    if command.get_name() != "ringmail" {
        return man.render(page);
    }
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    page.extend(verbs(command).into_bytes());
    man.render_version_section(page)
}

/// The verbs, in the groups of `ringmail help`.
fn verbs(program: &Command) -> String {
    let mut page = ".SH VERBS\n".to_owned();
    for (heading, verbs) in GROUPS {
        page.push_str(&format!(".SS \"{}\"\n", roff(heading)));
        for verb in *verbs {
            page.push_str(&format!(".TP\nringmail\\-{verb}(1)\n\\&{}\n", roff(&about(program, verb))));
        }
    }
    page
}

/// A paragraph, line by line, below its first line if that is a heading.
fn section(paragraph: &str) -> String {
    let first = paragraph.split_once('\n').and_then(|(first, rest)| Some((first.strip_suffix(':')?, rest)));
    let (heading, lines) = first.unwrap_or(("Notes", paragraph));
    let lines: Vec<String> = lines.lines().map(|line| format!("\\&{}\n", roff(line))).collect();
    format!(".SH \"{}\"\n.nf\n{}.fi\n", roff(&heading.to_uppercase()), lines.concat())
}

/// Escapes text for troff: nothing in it is a command, and a hyphen can be copied.
fn roff(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}

fn write(title: &str, page: Vec<u8>, folder: &Path) -> Done {
    let file = folder.join(format!("{title}.1"));
    write_over(&file, &page).map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_stand_in_a_page_as_they_are_typed() {
        assert_eq!(
            section("Examples:\n  ringmail show g7 --as red\n.dot 'x' \\n"),
            ".SH \"EXAMPLES\"\n.nf\n\\&  ringmail show g7 \\-\\-as red\n\\&.dot 'x' \\en\n.fi\n"
        );
        assert_eq!(section("It is so,\nand so."), ".SH \"NOTES\"\n.nf\n\\&It is so,\n\\&and so.\n.fi\n");
        let mut program = command();
        program.build();
        let page = String::from_utf8(page(&program).unwrap()).unwrap();
        assert!(page.contains(".SS \"Keeping\"\n.TP\nringmail\\-backup(1)\n\\&"), "{page}");
        assert!(page.contains(".SH \"EXIT CODES\"\n.nf\n\\&   0  done;"), "{page}");
    }
}
