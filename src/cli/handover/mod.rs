//! `handover`: another host goes on with a game: the old one gives it to him, or has vanished.

pub mod adopt;

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, seat, sentence, write_letters};
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use clap::{Args, Subcommand};
use engine::seat::Seat;
use ground::disk::place::{open_for_reading, replace_privately};
use ground::files::LOG;
use ground::hash::{Hash, sha256};
use post::witness;
use post::witness::handover::{self, HostKey, HostPublic, NotOpened, Unpacked, create_privately};
use record::charter::plan::Plan;
use record::file::reading::read_through;
use record::file::secrets::{SECRETS, Secrets};
use record::file::stream::Records;
use record::table::table_error::TableError;
use std::io::{self, BufReader, BufWriter, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Give a game to another host, sealed so that only he can open it; or go on with one whose host has vanished.
///
/// The new host makes a key (`key`) and sends its public half; the old one seals the game to it (`seal`), which is the
/// last thing he does as its host, and an entry of the log; the new one opens it (`open`) and goes on. What the old
/// host knew of face-down cards and of dice to come he still knows: tell the players, or have him give up his seat.
///
/// If the host has vanished, the players go on from their own mail. Every letter carried the new records of the log
/// and, in its header, the seat's share of the dealer's root. One player gathers the shares of all seats (`share`) and
/// rebuilds the log (`adopt`); then every other seat consents by letter, with words of its own, which no dice can have
/// been chosen to fit. Standing orders lapse. Without the shares of all
/// seats nobody can go on: only the host knew the face-down cards.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail handover key host.key
  ringmail handover seal shire --to ringmail-host-… --out shire.handover --consent red --why \"Bert takes over\"
  ringmail handover open shire.handover --key host.key
  ringmail handover share ~/Mail --name shire            # each player, for the one who goes on
  ringmail handover adopt shire --mailbox ~/Mail --plays red --share yellow=ABCD… --share green=EFGH… \\
      --address red=bert@example.org --address yellow=anna@example.org --why \"the host is gone since May\"")]
pub struct Handover {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Make a key, and print the half that the old host needs.
    Key {
        /// The file to keep it in. Nobody else may read it.
        file: PathBuf,
    },
    /// Seal a game to its new host.
    Seal(Seal),
    /// Open a game that was sealed to your key.
    Open {
        /// The sealed file.
        file: PathBuf,
        /// The file of the key.
        #[arg(long, value_name = "FILE")]
        key: PathBuf,
    },
    /// Print the share that your letters hold.
    Share {
        /// Your mail: an mbox, a Maildir, a folder of letters, or one letter.
        mailbox: PathBuf,
        /// The name of the game.
        #[arg(long)]
        name: String,
    },
    /// Rebuild the log from the players' mail, and announce yourself as the new host.
    Adopt(adopt::Adopt),
}

#[derive(Args, Debug)]
struct Seal {
    /// The game.
    game: String,
    /// What the new host's `handover key` printed.
    #[arg(long, value_name = "KEY", value_parser = public)]
    to: HostPublic,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Why, in a sentence for the log.
    #[arg(long)]
    why: String,
    /// A seat of yours that the new host plays from here on, so that everybody knows. No other can be given.
    #[arg(long, value_name = "SEAT")]
    plays: Vec<String>,
    /// A seat that agrees, with the letter in which it does, if there is one.
    #[arg(long = "consent", value_name = "SEAT[=LETTER]")]
    consents: Vec<String>,
}

pub fn run(handover: &Handover, games: &Games) -> Done {
    match &handover.what {
        What::Key { file } => make_key(file),
        What::Seal(wanted) => seal_game(wanted, games),
        What::Open { file, key } => open_game(file, key, games),
        What::Share { mailbox, name } => adopt::print_shares(mailbox, name),
        What::Adopt(wanted) => adopt::run(wanted, games),
    }
}

fn make_key(file: &Path) -> Done {
    if file.exists() {
        return Err(Failure::usage(format!("{} is there already and will not be replaced.", file.display())));
    }
    let key = HostKey(random()?);
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Failure::usage(format!("{} is not a file name.", file.display())))?;
    replace_privately(folder, name, format!("{}\n", key.0).as_bytes())
        .map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", file.display())))?;
    paper::line(&key.public().to_string())
}

fn seal_game(wanted: &Seal, games: &Games) -> Done {
    let mut desk = games.desk(&wanted.game)?;
    let waiting = desk.outbox.waiting().map_err(|error| Failure::failed(format!("{error}.")))?;
    if !waiting.is_empty() {
        let why = format!("{} letters wait to be sent; `ringmail send {}` first.", waiting.len(), wanted.game);
        return Err(Failure::new(Exit::Refused, why));
    }
    if wanted.out.exists() {
        return Err(Failure::usage(format!("{} is there already and will not be replaced.", wanted.out.display())));
    }
    let table = &mut desk.table;
    let plan = table.fold().plan();
    let plays: Vec<Seat> = wanted.plays.iter().map(|word| seat(plan, word)).collect::<Result<_, _>>()?;
    let consents: Vec<(Seat, Option<Hash>)> =
        wanted.consents.iter().map(|written| consent(plan, written)).collect::<Result<_, _>>()?;
    // Try sealing before writing the entry: if it fails, the game must keep its host.
    let drawer = table.drawer().clone();
    let unsealed = |error: io::Error| Failure::failed(sentence(&error.to_string()));
    handover::seal(&drawer, table.secrets(), &wanted.to, io::sink()).map_err(unsealed)?;
    let head = table.hand_host_over(wanted.to.signs, &plays, &wanted.why, &consents, now())?;
    let unwritten = |error| Failure::failed(format!("{} cannot be written: {error}.", wanted.out.display()));
    let out = create_privately(&wanted.out).map_err(unwritten)?;
    let sealed = handover::seal(&drawer, table.secrets(), &wanted.to, BufWriter::new(out));
    let out = sealed.and_then(|out| out.into_inner().map_err(io::IntoInnerError::into_error));
    out.and_then(|out| out.sync_all()).map_err(unwritten)?;
    table.secrets().retire(&drawer).map_err(TableError::from)?;
    paper::line(&format!("#{} the game is handed over, head {}", head.seq, head.hash))?;
    paper::line(&format!("{} is for the new host alone. Here the game is closed.", wanted.out.display()))
}

fn consent(plan: &Plan, written: &str) -> Result<(Seat, Option<Hash>), Failure> {
    let (word, letter) = written.split_once('=').map_or((written, None), |(word, letter)| (word, Some(letter)));
    let letter = letter.map(|file| {
        let raw = witness::one_letter(Path::new(file));
        raw.map(|raw| sha256(&raw)).map_err(|error| Failure::failed(format!("{file} cannot be read: {error}.")))
    });
    Ok((seat(plan, word)?, letter.transpose()?))
}

fn open_game(file: &Path, key: &Path, games: &Games) -> Done {
    let key = HostKey(read_key(key)?);
    let sealed = open_for_reading(file)
        .map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", file.display())))?;
    let store = games.store()?;
    let unpacked =
        Unpacked::for_store(&store).map_err(|error| Failure::failed(format!("It cannot be unpacked: {error}.")))?;
    let opened = handover::open(BufReader::new(sealed), &key, &mut |path, content| unpacked.take(path, content));
    opened.map_err(|why| match why {
        NotOpened::File(error) => Failure::failed(sentence(&error.to_string())),
        why => Failure::new(Exit::Refused, format!("{}: {why}.", file.display())),
    })?;
    let found = |name: &str| {
        let opened = open_for_reading(&unpacked.folder.join(name));
        opened.map_err(|_| Failure::new(Exit::Refused, format!("{} holds no {name}.", file.display())))
    };
    let fold = read_through(Records::new(found(LOG)?), titles::ALL, None, |_| ControlFlow::Continue(()))
        .map_err(TableError::from)?;
    if fold.host_key() != Some(key.public().signs) {
        let why = "The log does not name the owner of this key as its host.";
        return Err(Failure::new(Exit::Refused, why));
    }
    let mut text = String::new();
    let read = found(SECRETS)?.read_to_string(&mut text);
    read.map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", file.display())))?;
    let secrets = Secrets::parse(&text, file).map_err(TableError::from)?;
    // A new token key: the old host must not be able to make valid addresses for the new one.
    let token_key = random()?;
    let secrets = Secrets { host_key: Some(key.signing_seed()), token_key, ..secrets };
    secrets.write(&unpacked.folder).map_err(TableError::from)?;
    let name = fold.plan().name.clone();
    let game = store.drawer(&name);
    if game.is_there().map_err(|error| Failure::failed(sentence(&error.to_string())))? {
        return Err(Failure::usage(format!("{} is there already and will not be replaced.", game.path().display())));
    }
    let moved = unpacked.becomes(&store, &name);
    moved.map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", game.path().display())))?;
    let mut desk = games.desk(&name)?;
    paper::line(&format!("{name} is yours: {} records, head {}", fold.head().seq + 1, fold.head().hash))?;
    write_letters(&mut desk)
}

fn read_key(file: &Path) -> Result<Hash, Failure> {
    let mut text = String::new();
    let read = open_for_reading(file).and_then(|file| file.take(1024).read_to_string(&mut text));
    read.map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", file.display())))?;
    Hash::parse(text.trim()).ok_or_else(|| Failure::usage(format!("{} holds no key of a host.", file.display())))
}

fn public(text: &str) -> Result<HostPublic, String> {
    HostPublic::read(text).ok_or_else(|| "this is not what `ringmail handover key` prints".to_string())
}

fn random() -> Result<Hash, Failure> {
    Hash::random().map_err(|error| Failure::failed(format!("The system gives no random bytes: {error}.")))
}
