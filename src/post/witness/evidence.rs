/*! Evidence: the letters that a host shows, held against his log; and two histories, written out for others to see.

Nothing here needs the post office that took the letters in, nor a network.
*/

use crate::disk::place::{make_folder, write_new};
use crate::mail::letter::Letter;
use crate::mail::letter::dkim;
use crate::mail::letter::limits::Limits;
use crate::post::book::vault::KeyArchive;
use crate::post::order::sentences::{self, Said};
use crate::post::witness::{self, Location};
use crate::record::commit::signature::PublicKey;
use crate::record::value::hash::{Hash, sha256};
use crate::record::verify::letters::{Letters, Shown};
use crate::record::verify::witness::{Fork, How, Witnesses};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The letters of a game as its host keeps them: a folder with `mail/` and `keys/`, such as the vault of the game.
#[derive(Clone, Debug)]
pub struct Archive {
    mail: PathBuf,
    keys: KeyArchive,
}

impl Archive {
    /// Opens a folder of letters.
    ///
    /// # Errors
    /// What the system says, or that there are no letters.
    pub fn open(folder: &Path) -> io::Result<Archive> {
        let mail = folder.join("mail");
        if !mail.is_dir() {
            let why = format!("{} has no folder `mail` with letters, as the vault of a game has", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, why));
        }
        Ok(Archive { mail, keys: KeyArchive::read(&folder.join("keys"))? })
    }
}

impl Letters for Archive {
    fn show(&self, raw: &Hash, dated: &BTreeSet<Hash>) -> Shown {
        let unproven = |why: &str| Shown::Unproven { why: why.to_owned() };
        let bytes = match fs::read(self.mail.join(format!("{raw}.eml"))) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Shown::Missing,
            Err(error) => return unproven(&format!("the file cannot be read: {error}")),
        };
        if sha256(&bytes) != *raw {
            return unproven("the file is not that letter");
        }
        let letter = Letter::open(&bytes, &Limits::ORDINARY);
        let Ok(author) = &letter.envelope.author else { return unproven("it names no author") };
        let dated: Vec<Hash> = dated.iter().copied().collect();
        match dkim::check(&bytes, &author.host, None, &self.keys.only(&dated)) {
            Err(why) => unproven(&why.to_string()),
            Ok(signed) => Shown::Proven { domain: signed.domain, sentences: sentences_of(&letter) },
        }
    }
}

/// The lines of a letter that may be sentences, each with those that may belong to it.
fn sentences_of(letter: &Letter) -> Vec<String> {
    let Ok(text) = &letter.text else { return Vec::new() };
    let Ok(reading) = sentences::read(text, &Limits::ORDINARY) else { return Vec::new() };
    let mut found = Vec::new();
    for said in reading.said {
        let Said::Sentence(sentence) = said else { continue };
        let mut words = sentence.words.clone();
        found.push(words.clone());
        for rest in sentence.rest() {
            words = sentences::joined(&words, &rest.words);
            found.push(words.clone());
        }
    }
    found
}

/// Writes two histories out: the records on which they part, and the letters that show them. Returns the files.
///
/// # Errors
/// What the system says, or that something is there already: evidence is not written over.
pub fn write(
    folder: &Path,
    forks: &[Fork],
    witnesses: &Witnesses,
    locations: &[Location],
    host_key: Option<PublicKey>,
) -> io::Result<Vec<PathBuf>> {
    make_folder(folder)?;
    let mut sheet = Sheet { folder: folder.to_owned(), written: Vec::new() };
    let mut told = String::from("Two histories of one game.\n");
    let name = |letter: usize| witnesses.letters.get(letter).cloned().unwrap_or_default();
    for fork in forks {
        let seq = fork.seq;
        told.push_str(&format!(
            "\nRecord {seq}: the log has {}, and {} shows {} ({}).\n",
            sha256(&fork.record),
            name(fork.seen.letter),
            fork.seen.head,
            fork.seen.how.words()
        ));
        sheet.put(&format!("record-{seq}-of-the-log.yaml"), &fork.record)?;
        if let Some(location) = locations.get(fork.seen.letter) {
            let raw = witness::letter_at(location)?;
            if let Some((_, record)) = witness::record_in(&raw, seq) {
                sheet.put(&format!("record-{seq}-of-letter-{}.yaml", fork.seen.letter + 1), &record)?;
            }
            sheet.put(&format!("letter-{}.eml", fork.seen.letter + 1), &raw)?;
        }
        if let How::Checkpoint(noted) = &fork.seen.how {
            sheet.put(&format!("checkpoint-{seq}.txt"), noted.checkpoint.to_string().as_bytes())?;
            if let Some(signature) = host_key.and_then(|key| noted.signature_by(key)) {
                sheet.put(&format!("checkpoint-{seq}.txt.sig"), signature.in_armour().as_bytes())?;
            }
        }
        if let Some(location) = fork.agreeing.and_then(|letter| locations.get(letter)) {
            let letter = fork.agreeing.unwrap_or_default();
            told.push_str(&format!("The newest letter before that fits the log: {}.\n", name(letter)));
            sheet.put(&format!("letter-{}-fits-the-log.eml", letter + 1), &witness::letter_at(location)?)?;
        }
    }
    if let Some(key) = host_key {
        sheet.put("allowed_signers", format!("host {key}\n").as_bytes())?;
        told.push_str(
            "\nA checkpoint that the host has signed is checked with\n  ssh-keygen -Y verify -f allowed_signers -I \
             host -n ringmail-checkpoint@v1 -s checkpoint-N.txt.sig < checkpoint-N.txt\n",
        );
    }
    told.push_str("\nThe letters hold addresses; think before you pass them on.\n");
    sheet.put("README.txt", told.as_bytes())?;
    Ok(sheet.written)
}

/// A folder into which each file is written once.
struct Sheet {
    folder: PathBuf,
    written: Vec<PathBuf>,
}

impl Sheet {
    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let file = self.folder.join(name);
        if self.written.contains(&file) {
            return Ok(());
        }
        write_new(&file, bytes)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))?;
        self.written.push(file);
        Ok(())
    }
}
