//! `help`: the verbs of the program, by what they are for.

use super::Arguments;
use clap::{Command, CommandFactory};

/// The width of the list of verbs, as clap's own lists have it at most.
const COLUMNS: usize = 100;

/// The groups in which help and the manual page list the verbs.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("Playing at the keyboard", &["play", "say", "sign", "demo"]),
    ("Reading", &["show", "map", "page", "log", "card", "rule", "man"]),
    ("Hosting", &["new", "invite", "time", "address", "reveal", "handover"]),
    ("Running an office", &["init", "serve", "receive", "send", "status", "queue"]),
    ("Checking", &["verify", "doctor", "repair"]),
    ("Keeping", &["backup", "restore", "export", "import", "archive", "prune", "forget"]),
];

const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}
{groups}
{heading}Options:{heading:#}
{options}{after-help}";

/// The command line, with its verbs in groups.
pub fn command() -> Command {
    let program = Arguments::command();
    let heading = *program.get_styles().get_header();
    let literal = *program.get_styles().get_literal();
    let mut groups = String::new();
    for (title, verbs) in GROUPS {
        groups.push_str(&format!("\n{heading}{title}:{heading:#}\n"));
        for verb in *verbs {
            let first = format!("  {verb:<8}  ");
            groups.push_str(&folded(&about(&program, verb), &first));
        }
    }
    groups.push_str(&format!("\n`{literal}ringmail help VERB{literal:#}` tells all about one of them.\n"));
    let template = TEMPLATE
        .replace("{groups}", &groups)
        .replace("{heading}", &heading.to_string())
        .replace("{heading:#}", &format!("{heading:#}"));
    program.help_template(template)
}

/// What a verb does, in a sentence.
pub fn about(program: &Command, verb: &str) -> String {
    let about = program.find_subcommand(verb).and_then(Command::get_about);
    about.map(ToString::to_string).unwrap_or_default()
}

/// A sentence behind `first`, in lines of at most [`COLUMNS`]; those after the first are indented as far.
fn folded(sentence: &str, first: &str) -> String {
    let indent = first.len();
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            line.push_str(word);
        } else if indent + line.chars().count() + 1 + word.chars().count() <= COLUMNS {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    format!("{first}{}\n", lines.join(&format!("\n{}", " ".repeat(indent))))
}
