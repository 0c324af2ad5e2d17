/*! The command line: one file a verb, and the only place that prints.

A verb only parses its arguments: it opens games through [`record`] and letters through [`post`], and leaves the words
to the room `report`.
*/

mod address;
mod archive;
mod backup;
mod card;
mod check_file;
mod demo;
mod doctor;
mod exit;
mod export;
mod forget;
mod games;
mod handover;
mod help;
mod import;
mod init;
mod invite;
mod keyboard;
mod log;
mod man;
mod map;
mod new;
mod now;
mod page;
mod paper;
mod play;
mod prune;
mod queue;
mod reader;
mod receive;
mod repair;
mod restore;
mod reveal;
mod rule;
mod say;
mod schedule_flags;
mod send;
mod serve;
mod show;
mod sign;
mod status;
mod time;
mod trace;
mod verify;
mod ways;

use clap::{FromArgMatches, Parser, Subcommand};
use exit::{Done, Exit};
use std::process::ExitCode;

/// Play long board games by e-mail, with rules checked, dice committed and histories anyone can verify.
#[derive(Parser, Debug)]
#[command(name = "ringmail", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(flatten)]
    games: games::Games,
    /// Show the dialogue with mail servers (IMAP, SMTP, LMTP) on standard error, without passwords, tokens and letters
    #[arg(long, global = true, env = "RINGMAIL_TRACE", value_parser = clap::builder::FalseyValueParser::new())]
    trace: bool,
    #[command(subcommand)]
    verb: Verb,
}

const EXIT_CODES: &str = "\
Exit codes:
   0  done; for `verify`: everything asked for passes
   1  it could not be done or checked (a file, a disk, a network); for `status` and `queue`: a game cannot be read
   2  the command line is wrong, or names no game or seat
   3  the log is malformed, or shorter than a head that the host has signed
   4  a command in the log is illegal, or the facts differ from their digest
   5  dice or openings do not follow from their commitments
   6  the chain of hashes or a signature is broken
   7  two histories of one game exist
   8  the edition of the rules is not known to this program
   9  a sentence or letter was refused, or a letter cannot be held, released, retried or dropped; nothing changed
  10  somebody else is at work on the game
  11  a letter that came by a pipe has nothing to do with Ringmail";

#[derive(Subcommand, Debug)]
enum Verb {
    Play(play::Play),
    Say(say::Say),
    Sign(sign::Sign),
    Demo(demo::Demo),
    Show(show::Show),
    Map(map::Map),
    Page(page::Page),
    Log(log::Log),
    Card(card::Card),
    Rule(rule::Rule),
    Man(man::Man),
    New(Box<new::New>),
    Invite(invite::Invite),
    Time(time::Time),
    Address(address::Address),
    Reveal(reveal::Reveal),
    Handover(handover::Handover),
    Init(init::Init),
    Serve(serve::Serve),
    Receive(receive::Receive),
    Send(send::Send),
    Status(status::Status),
    Queue(queue::Queue),
    Verify(verify::Verify),
    Doctor(doctor::Doctor),
    Repair(repair::Repair),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Export(export::Export),
    Import(import::Import),
    Archive(archive::Archive),
    Prune(prune::Prune),
    Forget(forget::Forget),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let parsed = help::command().try_get_matches();
    let arguments = match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version arrive as errors, too; clap knows where to print each.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    // `serve` starts its own log.
    if arguments.trace && !matches!(arguments.verb, Verb::Serve(_)) {
        trace::begin(trace::Form::Text, tracing::Level::TRACE);
    }
    match run(&arguments) {
        Ok(()) => Exit::Done.into(),
        Err(failure) => {
            if !failure.message.is_empty() {
                paper::tell(&format!("{} {}", paper::styled(paper::BAD, "ringmail:"), failure.message));
            }
            failure.exit.into()
        }
    }
}

fn run(arguments: &Arguments) -> Done {
    let games = match &arguments.verb {
        // These verbs need no game, and must work whatever the folder holds.
        Verb::Init(_) | Verb::Demo(_) | Verb::Rule(_) | Verb::Man(_) => arguments.games.clone(),
        _ => arguments.games.settle()?,
    };
    let games = &games;
    match &arguments.verb {
        Verb::Play(play) => play::run(play, games),
        Verb::Say(say) => say::run(say, games),
        Verb::Sign(sign) => sign::run(sign),
        Verb::Demo(demo) => demo::run(demo),
        Verb::Show(show) => show::run(show, games),
        Verb::Map(map) => map::run(map, games),
        Verb::Page(page) => page::run(page, games),
        Verb::Log(log) => log::run(log, games),
        Verb::Card(card) => card::run(card),
        Verb::Rule(rule) => rule::run(rule),
        Verb::Man(man) => man::run(man),
        Verb::New(new) => new::run(new, games),
        Verb::Invite(invite) => invite::run(invite, games),
        Verb::Time(time) => time::run(time, games),
        Verb::Address(address) => address::run(address, games),
        Verb::Reveal(reveal) => reveal::run(reveal, games),
        Verb::Handover(handover) => handover::run(handover, games),
        Verb::Init(init) => init::run(init, games),
        Verb::Serve(serve) => serve::run(serve, games, arguments.trace),
        Verb::Receive(receive) => receive::run(receive, games),
        Verb::Send(send) => send::run(send, games),
        Verb::Status(status) => status::run(status, games),
        Verb::Queue(queue) => queue::run(queue, games),
        Verb::Verify(verify) => verify::run(verify, games),
        Verb::Doctor(doctor) => doctor::run(doctor, games),
        Verb::Repair(repair) => repair::run(repair, games),
        Verb::Backup(backup) => backup::run(backup, games),
        Verb::Restore(restore) => restore::run(restore, games),
        Verb::Export(wanted) => export::run(wanted, games),
        Verb::Import(wanted) => import::run(wanted, games),
        Verb::Archive(wanted) => archive::run(wanted, games),
        Verb::Prune(wanted) => prune::run(wanted, games),
        Verb::Forget(wanted) => forget::run(wanted, games),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound_and_every_verb_has_an_example() {
        let mut program = Arguments::command();
        program.clone().debug_assert();
        program.build();
        for verb in program.get_subcommands().filter(|verb| verb.get_name() != "help") {
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "`{}` has no example", verb.get_name());
        }
    }

    #[test]
    fn every_verb_has_a_file_of_its_name() {
        let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli");
        for verb in Arguments::command().get_subcommands().map(clap::Command::get_name) {
            let file = here.join(format!("{verb}.rs")).exists() || here.join(verb).join("mod.rs").exists();
            assert!(file, "`{verb}` is not in a file of its name");
        }
    }

    #[track_caller]
    fn reads(line: &str) {
        let parsed = Arguments::try_parse_from(line.split(' '));
        assert!(parsed.is_ok(), "{line}: {}", parsed.err().map(|error| error.to_string()).unwrap_or_default());
    }

    #[test]
    fn every_verb_is_in_one_group_of_help() {
        let grouped = help::GROUPS.iter().flat_map(|(_, verbs)| *verbs).copied();
        let program = Arguments::command();
        let verbs = program.get_subcommands().map(clap::Command::get_name);
        assert_eq!(verbs.collect::<Vec<&str>>(), grouped.collect::<Vec<&str>>());
        let help = help::command().render_help().to_string();
        assert!(help.contains("\nKeeping:\n  backup    ") && !help.contains('{'), "{help}");
        let (verbs, _) = help.split_once("\nOptions:").unwrap();
        assert!(verbs.lines().all(|line| line.chars().count() <= 100), "{help}");
    }

    #[test]
    fn every_verb_is_read() {
        reads("ringmail new shire --seat yellow=Anna --seat red=Bert");
        reads("ringmail invite shire --seat red Dora");
        reads("ringmail say shire --as red join start");
        reads("ringmail say shire start");
        reads("ringmail say shire --as yellow --dry-run done");
        reads("ringmail receive - --games elsewhere");
        reads("ringmail send shire --to-files letters");
        reads("ringmail serve --log json --level debug --config ringmail.yaml");
        reads("ringmail doctor --json");
        reads("ringmail backup --check office.tar.gz");
        reads("ringmail restore --go-on shire");
        reads("ringmail time --pause shire --why maintenance --until 2026-12-01");
        reads("ringmail time --resume");
        reads("ringmail prune shire --older-than 0d --evidence --dry-run");
        reads("ringmail forget dora@example.org --dry-run");
        reads("ringmail archive shire --out shire.yaml");
        reads("ringmail init --mailbox box@play.example --shared");
        reads("ringmail sign letter.eml --key id_ed25519 done");
        reads("ringmail time --tick --json");
        reads("ringmail time shire --deadline 2026-12-01T18:00:00Z --why wedding");
        reads("ringmail new shire --seat Anna --seat Bert --answer 3d --days-off sat,sun --silence wait,2:bot");
        reads("ringmail status --json");
        reads("ringmail status shire");
        reads("ringmail queue --all");
        reads("ringmail queue drop k3f9a2 --why gone");
        reads("ringmail show shire --as yellow --json");
        reads("ringmail show shire --menu");
        reads("ringmail show shire --letter --as yellow --at 57 --since 40");
        reads("ringmail map shire --as yellow --at 57 --since 40 --around moria --around lorien --out moria.png");
        reads("ringmail map - --question --format png --width 390");
        reads("ringmail page shire --out shire.html");
        reads("ringmail log - --from 3 --to 9");
        reads("ringmail log shire --why 57");
        reads("ringmail show shire --print --at 57");
        reads("ringmail verify - --json --all-errors");
        reads("ringmail --post box@play.example verify shire --mailbox Mail --mailbox Sent --evidence out");
        reads("ringmail verify - --fingerprint");
        reads("ringmail reveal shire --abandon why");
        reads("ringmail repair shire");
        reads("ringmail card the red arrow --title wotr");
        reads("ringmail rule 6.18 to 6.24 --title wotr --json");
        reads("ringmail rule --book risk --format page");
        reads("ringmail man --completions fish");
        reads("ringmail address shire --as red --to bert@example.org");
        reads("ringmail handover open shire.handover --key host.key");
        reads("ringmail handover share Mail --name shire");
        reads("ringmail handover adopt shire --mailbox Mail --plays red --why gone --share red=AB");
        reads("ringmail man verify");
    }
}
