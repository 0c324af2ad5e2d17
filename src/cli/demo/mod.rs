/*! `demo`: a small campaign, played by letters before your eyes.

The letters are the players'; everything else is the program at its usual work: letters arrive in a Maildir, a log
grows, `.eml` files go out, a stranger verifies the log. The secrets of this one game are public, so that the dice are
the same each time and the letters fit.
*/

mod letters;

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::sentence;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use ground::disk::place::{make_folder, open_for_reading};
use ground::files::LOG;
use ground::hash::{GameId, Hash, sha256};
use ground::stamp::Stamp;
use letters::{LETTERS, Shipped};
use mail::letter::Letter;
use mail::letter::mailbox::Mailbox;
use mail::wire::carrier::EmlFolder;
use mail::wire::intake::Filed;
use mail::wire::maildir::Maildir;
use post::book::outbox::Shelf;
use post::desk::Desk;
use post::office::Office;
use record::charter::{Charter, CharterSeat};
use record::entry::body::{Auth, Via};
use record::file::secrets::Secrets;
use record::table::{Joining, Table};
use record::verify::{Errors, Proofs, Wanted, verify_twice};
use std::path::{Path, PathBuf};

const GAME: &str = "shire";
const OURS: &str = "ringmail@example.org";
const ANNA: &str = "anna@example.org";
const BERT: &str = "bert@example.org";
/// The highest number that is tried for a fresh folder.
const FOLDERS_MAX: u32 = 10_000;

/// Play a small campaign by letters, in a fresh folder, and verify its log.
///
/// No server and no account is needed. Every letter is shown as it comes in and as it goes out.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail demo\n  ringmail demo --brief\n  ringmail demo --folder campaign")]
pub struct Demo {
    /// The folder to play in; it must not exist yet. Without it, a fresh one among the temporary files.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Show only who writes what, not the letters that go out.
    #[arg(long)]
    brief: bool,
}

/// The post of the demo: where letters come in and go out.
struct Post {
    home: PathBuf,
    office: Office,
    maildir: Maildir,
    brief: bool,
    /// The newest letter to each player, by address: his next letter answers it.
    newest: Vec<(String, Letter)>,
}

pub fn run(demo: &Demo) -> Done {
    let home = fresh(demo.folder.as_deref())?;
    let folder = home.join("games").join(GAME);
    let failed = |error: std::io::Error| Failure::failed(format!("{error}."));
    make_folder(&folder).map_err(failed)?;
    let ours = Mailbox::read(OURS).expect("an address");
    set_up(&folder)?;
    let mut post = Post {
        office: Office::new(&home.join("games"), &ours, titles::ALL),
        maildir: Maildir::open(&home.join("Maildir")).map_err(failed)?,
        brief: demo.brief,
        newest: Vec::new(),
        home: home.clone(),
    };
    chapter(&format!("A game of Risk is made in {}", home.display()))?;
    paper::line("Anna plays yellow, Bert plays red. The host only hosts.\n")?;
    let mut desk = Desk::open(&folder, &ours, titles::ALL)?;
    desk.table.start(stamp("2026-11-20T08:00:00Z"))?;
    desk.report(stamp("2026-11-20T08:00:00Z"))?;
    drop(desk);
    post.send(stamp("2026-11-20T08:00:00Z"))?;
    for (number, shipped) in LETTERS.iter().enumerate() {
        post.play(number + 1, shipped)?;
    }
    check(&folder)?;
    what_next(&home)
}

/// Makes the charter and the secrets, and lets both players join.
fn set_up(folder: &Path) -> Done {
    let seat = |seat: &str, player: &str, address: &str| CharterSeat {
        seat: Some(seat.to_string()),
        player: player.to_string(),
        address: Some(address.to_string()),
        ..CharterSeat::default()
    };
    let charter = Charter {
        name: GAME.to_string(),
        title: "risk".to_string(),
        seats: vec![seat("yellow", "Anna", ANNA), seat("red", "Bert", BERT)],
        engine: Some("ringmail 0.1.0".to_string()),
        ..Charter::default()
    };
    let at = stamp("2026-11-19T19:00:00Z");
    let mut table = Table::create(folder, &charter, secrets(), at, titles::ALL)?;
    let [yellow, red] = [engine::seat::Seat(1), engine::seat::Seat(2)];
    let joins = |phrase: &str, message: &str| Joining {
        phrase: phrase.to_string(),
        message: sha256(message.as_bytes()),
        ..Joining::default()
    };
    // The letters before the demo begins; each had seen the log up to then.
    let by_letter = |words: &str, seen| Some(Via::letter(sha256(words.as_bytes()), seen, Auth::Token));
    let (anna, bert) = ("Anna: join\n", "Bert: join\n");
    table.join(yellow, &joins("second breakfast", "1@anna.example"), by_letter(anna, 0), at)?;
    table.join(red, &joins("Grond", "7@bert.example"), by_letter(bert, 1), at)?;
    Ok(())
}

/// The secrets, which are public. A real game takes them from the random bytes of the system.
///
/// The words from which the root is made were chosen for their dice: with other words, the letters would not fit the
/// game.
fn secrets() -> Secrets {
    let made = |of: &str| sha256(format!("the demo of Ringmail: {of}").as_bytes());
    Secrets {
        format: 2,
        game: game_id(),
        root: made("the road goes ever on"),
        host_key: None,
        token_key: made("tokens"),
        adopter: None,
        seats: Vec::new(),
        orders: Vec::new(),
        lines: Vec::new(),
        stopped: Vec::new(),
    }
}

fn game_id() -> GameId {
    let Hash { 0: bytes } = sha256(b"the demo of Ringmail: game");
    ground::hash::Hex(bytes[..16].try_into().expect("a hash is longer than the number of a game"))
}

impl Post {
    /// Plays one shipped letter: delivers it to the Maildir, shows it, plays it, and shows the answers.
    fn play(&mut self, number: usize, shipped: &Shipped) -> Done {
        let at = stamp(shipped.at);
        let raw = self.answering(shipped)?;
        let failed = |error: std::io::Error| Failure::failed(format!("{error}."));
        chapter(&format!("Letter {number}: {}", shipped.what))?;
        show_incoming(&raw)?;
        self.maildir.deliver(&format!("{}.{number}.demo", 1_700_000_000 + number), raw.as_bytes()).map_err(failed)?;
        for waiting in self.maildir.waiting().map_err(failed)? {
            let raw = self.maildir.read(&waiting, self.office.limits()).map_err(failed)?;
            let fate = self.office.receive(&raw, at)?;
            self.maildir.file(&waiting, Filed::Answered).map_err(failed)?;
            super::receive::told(&format!("Maildir/new/{waiting}"), &fate)?;
        }
        self.send(at)
    }

    /// The letter as the player's mail program sends it: an answer to the newest letter he got.
    fn answering(&self, shipped: &Shipped) -> Result<String, Failure> {
        let answered = self.newest.iter().find(|(address, _)| shipped.raw.contains(address.as_str()));
        let (_, newest) = answered.ok_or_else(|| Failure::failed("A letter of the demo answers nothing."))?;
        let envelope = &newest.envelope;
        let field = |name: &str| {
            let found = envelope.fields.iter().find(|(field, _)| field == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let id = envelope.message_id.clone().unwrap_or_default();
        let subject = envelope.subject.clone();
        Ok(format!(
            "To: {}\nSubject: Re: {subject}\nIn-Reply-To: <{id}>\nReferences: <{id}>\n{}",
            field("reply-to"),
            shipped.raw
        ))
    }

    /// Sends the waiting letters into the folder of letters, and shows them.
    fn send(&mut self, at: Stamp) -> Done {
        let mut carrier = EmlFolder::open(&self.home.join("letters"))
            .map_err(|error| Failure::failed(format!("{}: {error}.", self.home.display())))?;
        let sent = self.office.sender(Some(GAME)).and_then(|mut sender| sender.send(&mut carrier, &|| at));
        let round = sent.map_err(|error| Failure::failed(sentence(&error.to_string())))?;
        let outbox = self.office.desk(GAME)?.outbox;
        for name in &round.sent {
            let raw = outbox.read(Shelf::Sent, name).map_err(|error| Failure::failed(format!("{error}.")))?;
            let letter = Letter::open(&raw, self.office.limits());
            let to = letter.envelope.recipients.first().map(ToString::to_string).unwrap_or_default();
            paper::line(&paper::styled(paper::GOOD, &format!("\n→ to {to}: {}", letter.envelope.subject)))?;
            if !self.brief {
                show_outgoing(&letter)?;
            }
            self.newest.retain(|(address, _)| *address != to);
            self.newest.push((to, letter));
        }
        Ok(())
    }
}

fn show_incoming(raw: &str) -> Done {
    let shown = |line: &&str| !line.starts_with("References:") && !line.starts_with("Message-ID:");
    let lines: Vec<String> = raw.lines().filter(shown).map(|line| format!("  | {line}\n")).collect();
    paper::print(&paper::styled(paper::QUIET, &lines.concat()))
}

fn show_outgoing(letter: &Letter) -> Done {
    let Ok(text) = &letter.text else { return Ok(()) };
    let indented = |text: &str| if text.is_empty() { "\n".to_string() } else { format!("  {text}\n") };
    let lines: Vec<String> = text.lines.iter().map(|line| indented(&line.text)).collect();
    paper::print(&format!("\n{}", lines.concat()))
}

fn check(folder: &Path) -> Done {
    chapter("A stranger verifies the log")?;
    let file = folder.join(LOG);
    let open = || Ok(Box::new(open_for_reading(&file)?) as Box<dyn std::io::Read + Send>);
    let source = open().map_err(|error: std::io::Error| Failure::failed(format!("{error}.")))?;
    let wanted = Wanted {
        file: file.display().to_string(),
        titles: titles::ALL,
        errors: Errors::First,
        seen: Vec::new(),
        progress: &mut |_| {},
    };
    let report = verify_twice(source, &mut { open }, wanted, Proofs::default())
        .map_err(|error| Failure::failed(format!("{error}.")))?;
    paper::print(&super::verify::coloured(&report))?;
    match report.exit_code() {
        0 => Ok(()),
        code => Err(Failure::silent(Exit::of_code(code))),
    }
}

fn what_next(home: &Path) -> Done {
    chapter("What to look at next")?;
    let home = home.display();
    let program = std::env::args().next().unwrap_or_else(|| "ringmail".to_string());
    paper::print(&format!(
        "  {home}/letters                  the letters that went out; open them in a mail program
  {home}/games/{GAME}/log.yaml     the whole game, one record after another

  {program} --games {home}/games show {GAME}
  {program} --games {home}/games log {GAME}
  {program} --games {home}/games log {GAME} --why 30
  {program} --games {home}/games show {GAME} --letter --as red
  {program} --games {home}/games say {GAME} --as red --dry-run \"done\"

To play a game of your own: `{program} new --help`.
"
    ))
}

fn chapter(title: &str) -> Done {
    paper::line(&format!("\n{}\n", paper::styled(paper::HEADING, &format!("== {title}"))))
}

fn stamp(text: &str) -> Stamp {
    Stamp::parse(text).expect("a time of the demo")
}

/// The folder from the command line, or a fresh one among the temporary files.
fn fresh(asked: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(folder) = asked {
        return if folder.exists() {
            Err(Failure::usage(format!("{} exists already; the demo wants a fresh folder.", folder.display())))
        } else {
            Ok(folder.to_path_buf())
        };
    }
    let place = std::env::temp_dir();
    let numbered = (1..FOLDERS_MAX).map(|number| place.join(format!("ringmail-demo-{number}")));
    let free = numbered.into_iter().find(|folder| !folder.exists());
    free.ok_or_else(|| Failure::failed(format!("There is no room for another demo in {}.", place.display())))
}
