//! `sign`: a player signs his sentences, on his own machine.

use crate::cli::exit::{Done, Failure};
use crate::cli::paper;
use clap::Args;
use ground::disk::place::{make_folder, open_for_reading, write_new};
use ground::hash::{GameId, Hash};
use mail::letter::{Letter, spelling};
use post::names::message_id::MessageId;
use post::order::request::tidy;
use post::order::sentences::Form;
use post::witness;
use record::commit::signature::{ORDER, SigningKey};
use record::commit::signed::{Part, SignedOn, SignedSentence};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Sign sentences with an SSH key, and print what is to be pasted into the answer.
///
/// Each sentence is signed on its own, for one game, one seat and the letter it answers: it is valid there alone, once,
/// and after those before it. The game must know the public key: a line `key …` in the letter by which its player
/// joins, or in a later one. If the key has a passphrase, or is in an agent or on a token, `--texts` writes the texts
/// down for you to sign with `ssh-keygen -Y sign -n ringmail-order@v2`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail sign letter.eml --key ~/.ssh/id_ed25519 \"attack weather-hills with 3\" done
  ringmail sign letter.eml --texts . \"roll 2\" && ssh-keygen -Y sign -n ringmail-order@v2 -f KEY line-1.txt
  cat line-1.txt line-1.txt.sig       # this goes into the answer
  ringmail sign --game 0123…32 digits --seat red --on 57 --head 9c1e…64 digits --key KEY \"roll 2\"")]
pub struct Sign {
    /// The letter that is answered, as a file `.eml` or `-` for standard input, unless `--head` names it; then the
    /// sentences, as they are to be said.
    #[arg(value_name = "LETTER SENTENCE", required = true)]
    words: Vec<String>,
    /// The private key: a file such as ~/.ssh/id_ed25519.
    #[arg(long, value_name = "FILE", required_unless_present = "texts")]
    key: Option<PathBuf>,
    /// Write the texts into this folder, as line-1.txt and so on, and sign nothing.
    #[arg(long, value_name = "FOLDER", conflicts_with = "key")]
    texts: Option<PathBuf>,
    /// The number of the first sentence, if others on the same letter were signed and played before.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=9999))]
    from: u32,
    /// The number of the newest entry that the letter tells of, where the letter is not at hand.
    #[arg(long, value_name = "ENTRY", requires = "head")]
    on: Option<u64>,
    /// The number of the game, where the letter is not at hand: 32 hexadecimal digits.
    #[arg(long, requires = "head", value_parser = game)]
    game: Option<GameId>,
    /// The seat, where the letter is not at hand.
    #[arg(long, requires = "head")]
    seat: Option<String>,
    /// The head that the letter tells, where the letter is not at hand: 64 hexadecimal digits.
    #[arg(long, requires = "game", requires = "seat", requires = "on", value_parser = head)]
    head: Option<Hash>,
}

/// What the signatures are valid for.
struct Answered {
    game: GameId,
    seat: String,
    on: SignedOn,
}

pub fn run(sign: &Sign) -> Done {
    let (answered, sentences) = answered(sign)?;
    let sentences = numbered(&answered, &sentences, sign.from);
    if let Some(empty) = sentences.iter().find(|sentence| sentence.words.is_empty()) {
        return Err(Failure::usage(format!("Sentence {} is empty.", empty.number)));
    }
    match (&sign.texts, &sign.key) {
        (Some(folder), _) => write_texts(folder, &sentences),
        (None, Some(file)) => {
            let key = signing_key(file)?;
            for sentence in &sentences {
                let text = sentence.to_string();
                paper::print(&text)?;
                paper::print(&key.sign(ORDER, text.as_bytes()).in_armour())?;
            }
            Ok(())
        }
        (None, None) => {
            Err(Failure::usage("Say with which key, with `--key FILE`, or where to write, with `--texts`."))
        }
    }
}

/// The sentences to sign, numbered: answers, standing orders and requests are counted separately.
fn numbered(answered: &Answered, sentences: &[String], from: u32) -> Vec<SignedSentence> {
    let Answered { game, seat, on } = answered;
    let mut counts = [from - 1, 0, 0];
    let signed = |words: &String| {
        let plain = spelling::plain(words);
        let part = Form::of(&plain, words).part();
        // Signs the text as the post reads it: typed quotation marks and hyphens are simplified. A key or a text
        // keeps its capitals.
        let words = if part == Part::Request { tidy(words) } else { plain };
        counts[part as usize] += 1;
        let number = counts[part as usize];
        SignedSentence { game: *game, seat: seat.clone(), on: *on, part, number, of: number, words }
    };
    let mut numbered: Vec<SignedSentence> = sentences.iter().map(signed).collect();
    for sentence in &mut numbered {
        sentence.of = counts[sentence.part as usize];
    }
    numbered
}

/// What the signatures are valid for, and the sentences. With `--head` there is no letter.
fn answered(sign: &Sign) -> Result<(Answered, Vec<String>), Failure> {
    if let (Some(game), Some(seat), Some(seq), Some(head)) = (sign.game, &sign.seat, sign.on, sign.head) {
        return Ok((Answered { game, seat: seat.clone(), on: SignedOn { seq, head } }, sign.words.clone()));
    }
    let (letter, sentences) = sign.words.split_first().expect("the command line asks for a letter or a sentence");
    if sentences.is_empty() {
        return Err(Failure::usage("Say what is to be signed: a sentence after the letter."));
    }
    let path = Path::new(letter);
    let raw = witness::one_letter(path)
        .map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", path.display())))?;
    let letter = Letter::open(&raw, &witness::LIMITS);
    let id = letter.envelope.message_id.as_deref().and_then(MessageId::read);
    let checkpoints = witness::checkpoints(&letter);
    let noted = |id: &MessageId| checkpoints.into_iter().find(|noted| noted.checkpoint.head == id.head);
    match id.and_then(|id| noted(&id).map(|noted| (id, noted))) {
        Some((id, noted)) => {
            let on = SignedOn { seq: id.seq, head: noted.checkpoint.head };
            let answered = Answered { game: noted.checkpoint.game, seat: id.seat, on };
            Ok((answered, sentences.to_vec()))
        }
        _ => Err(Failure::usage(format!(
            "{} is not a letter of a game, or has lost its header or the checkpoint at its end: save it as it came, \
             or say `--game`, `--seat` and `--head`.",
            path.display()
        ))),
    }
}

fn signing_key(file: &Path) -> Result<SigningKey, Failure> {
    let mut text = String::new();
    let limit = 64 * 1024;
    let read = open_for_reading(file).and_then(|file| file.take(limit).read_to_string(&mut text));
    read.map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", file.display())))?;
    SigningKey::read(&text).map_err(|refused| Failure::usage(format!("{}: {refused}.", file.display())))
}

fn write_texts(folder: &Path, sentences: &[SignedSentence]) -> Done {
    let failed = |error: std::io::Error| Failure::failed(format!("{}: {error}.", folder.display()));
    make_folder(folder).map_err(failed)?;
    for sentence in sentences {
        let file = folder.join(format!("{}-{}.txt", sentence.part.word(), sentence.number));
        write_new(&file, sentence.to_string().as_bytes())
            .map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", file.display())))?;
        paper::line(&file.display().to_string())?;
    }
    Ok(())
}

fn game(text: &str) -> Result<GameId, String> {
    GameId::parse(text).ok_or_else(|| "the number of a game has 32 hexadecimal digits, in lower case".to_string())
}

fn head(text: &str) -> Result<Hash, String> {
    Hash::parse(text).ok_or_else(|| "a head has 64 hexadecimal digits, in lower case".to_string())
}
