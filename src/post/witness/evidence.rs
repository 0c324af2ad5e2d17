/*! Evidence: two histories, written out for others to see.

It needs neither the post office that took the letters in, nor a network.
*/

use crate::witness::{self, Location};
use ground::disk::place::{make_folder, write_new};
use ground::hash::{Hash, sha256};
use mail::letter::Letter;
use record::commit::checkpoint::Noted;
use record::verify::report::Report;
use record::verify::witness::{How, Witnesses};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// Writes two histories out: the first record at which they differ, what the host signed instead, and what he signed
/// of the log. Returns the files. Only records of the log and checkpoints are written: letters contain addresses,
/// tokens and shares of the dealer's root, and prove no more.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if a file is there: evidence is not overwritten.
pub fn write(
    folder: &Path,
    report: &Report,
    witnesses: &Witnesses,
    locations: &[Location],
) -> io::Result<Vec<PathBuf>> {
    let Some(fork) = report.forks.iter().min_by_key(|fork| fork.seq) else { return Ok(Vec::new()) };
    make_folder(folder)?;
    let mut sheet = Sheet { folder: folder.to_owned(), written: Vec::new() };
    let (seq, head) = (fork.seq, fork.hash);
    let mut told = format!(
        "Two histories of one game.\n\nRecord {seq} of the log that was checked has the hash\n  {head}\n\
         (record-{seq}-of-the-log.yaml). "
    );
    sheet.put(&format!("record-{seq}-of-the-log.yaml"), &fork.record)?;
    told.push_str(&sheet.put_checkpoint(
        "The host has signed another history:",
        "another-history",
        &fork.checkpoint,
    )?);
    if let Some(records) = chain(witnesses, locations, &fork.checkpoint, seq)? {
        sheet.put("records-of-another-history.yaml", &records)?;
        told.push_str(
            "The records of that history from there to the one that is signed are in\n\
             records-of-another-history.yaml; each holds the hash of the one before.\n",
        );
    }
    let signed = report.mailbox.iter().flat_map(|mailbox| &mailbox.signed);
    let of_log = signed.filter(|noted| noted.seq() >= Some(seq)).min_by_key(|noted| noted.seq());
    told.push_str(&match of_log {
        Some(noted) => sheet.put_checkpoint("He has signed the history of the log, too:", "the-log", noted)?,
        None => {
            "\nNo letter in the mailbox has his signature for the history of the log: that he\nhas published it is \
                 shown by a player who got it from him.\n"
                .to_owned()
        }
    });
    let keys: String = report.host_keys.iter().map(|tenure| format!("host {}\n", tenure.key)).collect();
    sheet.put("allowed_signers", keys.as_bytes())?;
    told.push_str(&format!(
        "\nThe key of that host stands in record {} of the log. A checkpoint is checked\nwith\n  ssh-keygen -Y \
         verify -f allowed_signers -I host -n ringmail-checkpoint@v1 \\\n    -s NAME.txt.sig < NAME.txt\n\nNo letter, \
         address, token or share is in this folder: it can be shown to anybody.\n",
        fork.signer.announced
    ));
    sheet.put("README.txt", told.as_bytes())?;
    Ok(sheet.written)
}

/// The records that letters brought, from the one with number `from` to a checkpoint; `None` if any is missing.
fn chain(witnesses: &Witnesses, locations: &[Location], checkpoint: &Noted, from: u64) -> io::Result<Option<Vec<u8>>> {
    let brought = witnesses.seen.iter().filter(|seen| matches!(seen.how, How::Record { .. }) && seen.seq >= from);
    let letters: BTreeSet<usize> = brought.map(|seen| seen.letter).collect();
    let mut records: BTreeMap<Hash, (u64, Vec<u8>)> = BTreeMap::new();
    for location in letters.into_iter().filter_map(|letter| locations.get(letter)) {
        let raw = witness::letter_at(location)?;
        let attached = witness::attached(&raw, &Letter::open(&raw, &witness::LIMITS));
        for (seq, record) in attached.into_iter().flat_map(|attached| attached.records) {
            records.insert(sha256(&record), (seq, record));
        }
    }
    let (mut chain, mut head) = (Vec::new(), checkpoint.checkpoint.head);
    while let Some((seq, record)) = records.remove(&head) {
        let prev = witness::prev(&record);
        chain.push(record);
        match prev {
            _ if seq <= from => return Ok(Some(chain.into_iter().rev().flatten().collect())),
            Some(prev) => head = prev,
            None => break,
        }
    }
    Ok(None)
}

/// A folder into which each file is written once.
struct Sheet {
    folder: PathBuf,
    written: Vec<PathBuf>,
}

impl Sheet {
    /// Writes a checkpoint and its signature. Returns the words about them.
    fn put_checkpoint(&mut self, what: &str, of: &str, noted: &Noted) -> io::Result<String> {
        let name = format!("checkpoint-of-{of}.txt");
        self.put(&name, noted.checkpoint.to_string().as_bytes())?;
        if let Some(signature) = &noted.signature {
            self.put(&format!("{name}.sig"), signature.in_armour().as_bytes())?;
        }
        let checkpoint = &noted.checkpoint;
        Ok(format!("{what}\n{} records with the head\n  {}\n({name} and .sig).\n", checkpoint.records, checkpoint.head))
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let file = self.folder.join(name);
        write_new(&file, bytes)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))?;
        self.written.push(file);
        Ok(())
    }
}
