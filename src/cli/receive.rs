//! `receive`: takes letters in, plays them and answers them.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, sentence, tell_set_aside};
use crate::cli::now::now;
use crate::cli::paper::{self, advice};
use crate::cli::time::tick;
use clap::Args;
use ground::stamp::Stamp;
use mail::letter;
use mail::letter::bounce::Finality;
use mail::letter::limits::Limits;
use mail::wire::imap::Imap;
use mail::wire::imap_intake::{IntakeError, Trouble};
use mail::wire::intake::{self, Arrival, Filed, Parcel, Taken};
use mail::wire::maildir::Maildir;
use post::book;
use post::desk::{Received, outage};
use post::office::config::ImapFolder;
use post::office::service::filed;
use post::office::{Handled, Office, Sitting};
use report::columns::ruly;
use report::fate;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::Duration;
use std::{io, panic};

/// If a mailbox brings no letter for this time, the lock on the game is given up while waiting.
const IDLE: Duration = Duration::from_millis(20);

/// Receive letters: from files, mboxes, Maildirs, standard input, or from where the configuration says.
///
/// Each letter is kept, played, and answered; the answers and the reports wait in the outbox of their game until
/// `ringmail send`. The same letter twice plays once. Letters of a Maildir are moved from `new` to `cur`, with flags
/// that say what became of them, and never deleted; an mbox is not changed. A refused letter is answered; only if it
/// was named as a file, or came by `-`, exit code 9 tells of it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail receive
  ringmail receive ~/Maildir
  ringmail receive letter.eml old.mbox
  ringmail receive - < letter.eml

From procmail, maildrop or an alias; what was refused is answered, and must not come back to its writer, and what
cannot be taken now (75) is brought again:
  | ringmail --config /etc/ringmail.yaml receive - > /dev/null || test $? = 9 || exit 75

In a shared mailbox (`shared: true`) a private letter ends the verb with 11 and is kept nowhere: it must be delivered
on. In procmail:
  :0 W
  | ringmail --config /etc/ringmail.yaml receive - > /dev/null || test $? = 9")]
pub struct Receive {
    /// Files, mboxes, Maildirs, or `-` for standard input; without any, what the configuration says.
    #[arg(value_name = "LETTERS")]
    from: Vec<PathBuf>,
    /// Print JSON, an object a letter.
    #[arg(long)]
    json: bool,
}

pub fn run(receive: &Receive, games: &Games) -> Done {
    let office = games.office()?;
    let (limits, mut sitting, mut ended) = (*office.limits(), office.sit(), Ended::default());
    if receive.from.is_empty() {
        let nowhere = || Failure::usage("Nothing says where letters come from: name files, or see `ringmail init`.");
        let config = games.config().ok_or_else(nowhere)?;
        if config.imap.is_none() && config.maildir.is_none() {
            return Err(nowhere());
        }
        // Checks the counter, too: the folder of games alone may be the mount point of a missing disk.
        office.home()?;
        if let Some(from) = &config.maildir {
            maildir(receive, &mut sitting, &limits, from, &mut ended)?;
        }
        if let Some(folder) = &config.imap {
            imap(receive, &mut sitting, &office, folder, &mut ended)?;
        }
    }
    for from in &receive.from {
        if from.join("new").is_dir() {
            maildir(receive, &mut sitting, &limits, from, &mut ended)?;
        } else {
            file(receive, &mut sitting, &limits, from, &mut ended);
        }
    }
    ended.outcome()
}

/// Receives a letter, or an mbox of letters.
fn file(receive: &Receive, sitting: &mut Sitting<'_>, limits: &Limits, from: &Path, ended: &mut Ended) {
    let name = from.display().to_string();
    let unreadable = |error: std::io::Error| Failure::failed(format!("it cannot be read: {error}."));
    let mut letters = match intake::letters(from, limits).map_err(unreadable) {
        Ok(letters) => letters,
        Err(failure) => return ended.fails(&name, failure),
    };
    let mut count = 0;
    loop {
        let raw = match letters.next_letter() {
            Ok(Some(raw)) => raw,
            Ok(None) if count == 0 => Vec::new(),
            Ok(None) => return,
            Err(error) => return ended.fails(&name, unreadable(error)),
        };
        count += 1;
        let name = if letters.is_mbox() { format!("{name} {count}") } else { name.clone() };
        let arrival = if letters.is_mbox() { Arrival::Old } else { Arrival::New };
        match play(receive, sitting, &Parcel { name: name.clone(), raw: &raw, arrival }, ended) {
            Ok(filed) => {
                ended.refused |= filed == Some(Filed::Flagged);
                // A program that hands a letter over by a pipe has no other copy of it.
                ended.is_left |= filed == Some(Filed::Left) && from == Path::new("-");
            }
            Err(failure) => return ended.fails(&name, failure),
        }
    }
}

/// Receives the new letters of an IMAP folder. A separate thread talks to the server: while we wait for it, other
/// processes can use the games.
fn imap(receive: &Receive, sitting: &mut Sitting<'_>, office: &Office, folder: &ImapFolder, ended: &mut Ended) -> Done {
    let host = &folder.account.server.host;
    let failed = |error: IntakeError| {
        Failure::failed(format!("{}{}", sentence(&ruly(&error.to_string())), advice(error.advice(host))))
    };
    let (letters, incoming) = mpsc::channel::<Brought>();
    let mut printed = Ok(());
    let troubles = thread::scope(|scope| {
        let talking = scope.spawn(move || bring(office, folder, &letters));
        loop {
            let brought = match incoming.recv_timeout(IDLE) {
                Err(RecvTimeoutError::Timeout) => {
                    sitting.rise();
                    incoming.recv().map_err(|_| RecvTimeoutError::Disconnected)
                }
                brought => brought,
            };
            let Ok(Brought { name, raw, arrival, reply }) = brought else { break };
            let taken = match play(receive, sitting, &Parcel { name, raw: &raw, arrival }, ended) {
                Ok(Some(filed)) => Taken::Filed(filed),
                Ok(None) => Taken::Later,
                Err(failure) => {
                    printed = Err(failure);
                    Taken::Later
                }
            };
            // If the connection broke meanwhile, the server brings the letter again, and it is then already known.
            let _ = reply.send(taken);
        }
        talking.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    });
    for trouble in troubles.map_err(failed)? {
        // All other letters are taken; a script that runs `time --tick` next continues.
        paper::tell(&format!("ringmail: {}{}", sentence(&ruly(&trouble.to_string())), advice(trouble.advice(host))));
    }
    printed
}

/// A letter of a mailbox, and the channel on which its fate is reported.
struct Brought {
    name: String,
    raw: Vec<u8>,
    arrival: Arrival,
    reply: SyncSender<Taken>,
}

/// Brings the letters of a mailbox, each after the fate of the one before is known.
fn bring(office: &Office, folder: &ImapFolder, letters: &Sender<Brought>) -> Result<Vec<Trouble>, IntakeError> {
    let intake = folder.intake(office.store());
    let mut imap = Imap::connect(&folder.account, office.limits().letter_bytes)?;
    intake.open(&mut imap)?;
    let brought = intake.round(&mut imap, &mut |parcel| {
        office.judges().foresee(parcel.raw, office.limits());
        let (reply, answer) = mpsc::sync_channel(1);
        let (name, raw, arrival) = (parcel.name.clone(), parcel.raw.to_vec(), parcel.arrival);
        let handed = letters.send(Brought { name, raw, arrival, reply });
        handed.ok().and_then(|()| answer.recv().ok()).unwrap_or(Taken::Later)
    })?;
    imap.log_out();
    Ok(brought.troubles)
}

/// Receives the letters of a Maildir; a bad one does not hold up the others. A letter that could not be played waits
/// for the next time.
fn maildir(receive: &Receive, sitting: &mut Sitting<'_>, limits: &Limits, root: &Path, ended: &mut Ended) -> Done {
    let unreadable = |error: std::io::Error| Failure::failed(format!("{error}."));
    let maildir = Maildir::open(root).map_err(unreadable)?;
    for waiting in maildir.waiting().map_err(unreadable)? {
        let name = waiting.to_string();
        let raw = match maildir.read(&waiting, limits) {
            Ok(raw) => raw,
            Err(error) => {
                ended.fails(&name, unreadable(error));
                continue;
            }
        };
        let parcel = Parcel { name, raw: &raw, arrival: Arrival::New };
        if let Some(filed) = play(receive, sitting, &parcel, ended)? {
            maildir.file(&waiting, filed).map_err(unreadable)?;
        }
    }
    Ok(())
}

/// Plays a letter and reports its fate; `None` if the letter is not to blame that it could not be played.
fn play(
    receive: &Receive,
    sitting: &mut Sitting<'_>,
    parcel: &Parcel<'_>,
    ended: &mut Ended,
) -> Result<Option<Filed>, Failure> {
    let at = match at_a_clock_that_goes(sitting.office(), parcel.raw) {
        Ok(at) => at,
        Err(failure) => {
            ended.fails(&parcel.name, failure);
            return Ok(None);
        }
    };
    let fate = match sitting.receive_as(parcel.raw, parcel.arrival, at) {
        Ok(fate) => fate,
        Err(error) => {
            ended.fails(&parcel.name, error.into());
            return Ok(None);
        }
    };
    if let Handled::Desk { received, .. } = &fate {
        tell_set_aside(&received.set_aside);
    }
    tell(receive.json, &parcel.name, &fate)?;
    Ok(Some(filed(&fate)))
}

/// The time now. If the clock has jumped by days, something must confirm it first: a wrong clock must date no letter.
fn at_a_clock_that_goes(office: &Office, raw: &[u8]) -> Result<Stamp, Failure> {
    let (at, home) = (now(), office.home()?);
    let failed = |error: io::Error| Failure::failed(format!("{}: {error}.", home.path().display()));
    if let Some(taken) = letter::taken_at(raw) {
        // If the agreement of another clock cannot be stored, our clock is doubted for longer.
        let _ = outage::agrees(&home, taken, at);
    }
    match outage::doubted(&home, at).map_err(failed)? {
        None => Ok(at),
        Some(_) => tick::attend(office).map(|(_, at)| at),
    }
}

/// How the letters so far ended.
#[derive(Default)]
struct Ended {
    /// A letter named on the command line was refused. In a mailbox that is no failure: the letter is answered and
    /// filed.
    refused: bool,
    /// A letter from a pipe was left.
    is_left: bool,
    failed: Option<Exit>,
}

impl Ended {
    fn fails(&mut self, name: &str, failure: Failure) {
        paper::tell(&format!("ringmail: {name}: {}", failure.message));
        self.failed.get_or_insert(failure.exit);
    }

    fn outcome(self) -> Done {
        match self {
            Ended { failed: Some(exit), .. } => Err(Failure::silent(exit)),
            Ended { is_left: true, .. } => Err(Failure::silent(Exit::NotOurs)),
            Ended { refused: true, .. } => Err(Failure::silent(Exit::Refused)),
            Ended { .. } => Ok(()),
        }
    }
}

/// Prints the fate of a letter, for people or for programs.
pub fn tell(json: bool, name: &str, fate: &Handled) -> Done {
    if json { paper::line(&in_json(name, fate).to_string()) } else { told(name, fate) }
}

/// Prints the fate of a letter, for people.
pub fn told(name: &str, fate: &Handled) -> Done {
    paper::line(&in_words(name, fate))
}

/// The fate of a letter, for programs.
pub fn in_json(name: &str, fate: &Handled) -> Value {
    match fate {
        Handled::Desk { place, received } => json!({
            "letter": name, "game": place.game, "seat": place.seat, "outcome": outcome(received),
            "lines": received.answers, "letters": received.letters,
        }),
        Handled::Astray { reason, letter } => {
            json!({ "letter": name, "outcome": "astray", "why": reason.to_string(), "letters": letter })
        }
        Handled::Robot(robot) => json!({ "letter": name, "outcome": "robot", "why": robot.to_string() }),
        Handled::Again => json!({ "letter": name, "outcome": "again" }),
        Handled::Bounced { place, verdict, said } => json!({
            "letter": name, "game": place.game, "seat": place.seat, "outcome": "bounced", "verdict": verdict,
            "why": said,
        }),
        Handled::Left => json!({ "letter": name, "outcome": "left" }),
    }
}

/// The fate of a letter, for people: one line for the letter, one for each of its lines, and one for each answer to it.
pub fn in_words(name: &str, fate: &Handled) -> String {
    match fate {
        Handled::Desk { place, received } => {
            let head = format!("{name}: {} of {}, {}", place.seat, place.game, outcome(received));
            let mut lines = vec![paper::styled(paper::HEADING, &head)];
            lines.extend(received.answers.iter().map(|answered| format!("  {}", line(answered))));
            let letter = |letter| paper::styled(paper::QUIET, &format!("  letter {letter}"));
            lines.extend(received.letters.iter().map(letter));
            lines.join("\n")
        }
        Handled::Astray { reason, letter } => {
            let answered = if letter.is_some() { "answered" } else { "not answered" };
            format!("{name}: {}, {answered}", paper::styled(paper::BAD, &ruly(&reason.to_string())))
        }
        Handled::Robot(robot) => format!("{name}: written by no person, left alone: {}", ruly(&robot.to_string())),
        Handled::Again => format!("{name}: was here before"),
        Handled::Bounced { place, verdict, said } => {
            let what = match verdict {
                Finality::Never => "came back",
                Finality::Later => "is late",
            };
            format!("{name}: a letter to {place} {what}: {}", ruly(said))
        }
        Handled::Left => format!("{name}: not for Ringmail, left as it is"),
    }
}

/// The fate of a letter, for the log of the service. A host who plays reads that log, so it contains nothing that a
/// player wrote, e.g. his orders or his words to another player.
pub fn in_brief(name: &str, fate: &Handled) -> (String, Value) {
    let (mut words, mut facts) = (in_words(name, fate), in_json(name, fate));
    if let Handled::Desk { place, received } = fate {
        let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
        for answered in &received.answers {
            *lines.entry(kind(&answered.fate)).or_default() += 1;
        }
        let counts: Vec<String> = lines.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let head = format!("{name}: {} of {}, {}", place.seat, place.game, outcome(received));
        let counted = if counts.is_empty() { String::new() } else { format!("  lines: {}", counts.join(", ")) };
        let letters = received.letters.iter().map(|letter| paper::styled(paper::QUIET, &format!("  letter {letter}")));
        let parts = [paper::styled(paper::HEADING, &head), counted].into_iter().chain(letters);
        words = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
        facts["lines"] = json!(lines);
    }
    (words, facts)
}

/// The fate of a line, in a word.
fn kind(fate: &fate::Fate) -> &'static str {
    match fate {
        fate::Fate::Done { .. } => "done",
        fate::Fate::Kept { .. } => "kept",
        fate::Fate::Refused { .. } => "refused",
        fate::Fate::Ignored { .. } => "ignored",
        fate::Fate::Noted { .. } => "noted",
    }
}

fn outcome(received: &Received) -> &'static str {
    match received.outcome {
        book::Reception::Played => "played",
        book::Reception::Refused => "refused",
        book::Reception::Again => "was here before",
        book::Reception::Robot => "written by no person",
    }
}

/// A line of the letter and its fate.
fn line(answered: &fate::Answered) -> String {
    // X1: other people's words must never control the terminal.
    let written = ruly(answered.line.trim());
    match &answered.fate {
        fate::Fate::Done { said, seq: Some(seq) } => {
            format!("{} {written}  ({said} #{seq})", paper::styled(paper::GOOD, "done   "))
        }
        fate::Fate::Done { said, seq: None } => {
            format!("{} {written}  ({said})", paper::styled(paper::GOOD, "done   "))
        }
        fate::Fate::Kept { why } => format!("kept    {written}  ({why})"),
        fate::Fate::Refused { why, .. } => format!("{} {written}  ({why})", paper::styled(paper::BAD, "refused")),
        fate::Fate::Ignored { why } => format!("ignored {written}  ({why})"),
        fate::Fate::Noted { how } => format!("        {written}  ({how})"),
    }
}
