/*! Evidence: two histories, written out for others to see.

Nothing here needs the post office that took the letters in, nor a network.
*/

use crate::disk::place::{make_folder, write_new};
use crate::post::witness::{self, Location};
use crate::record::commit::signature::PublicKey;
use crate::record::value::hash::sha256;
use crate::record::verify::witness::{Fork, How, Witnesses};
use std::io;
use std::path::{Path, PathBuf};

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
