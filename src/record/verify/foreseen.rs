/*! Finds what a log publishes at its end before the log is followed, so that it needs to be followed only once.

None of it is believed: whoever follows the log with it compares it with what the log then publishes.
*/

use crate::charter::plan::Plan;
use crate::entry::body::{Hosting, Reveal};
use crate::entry::{Body, Entry};
use crate::file::stream::{Records, StreamError};
use crate::fold::foresight::Foreseen;
use crate::fold::order_books::Change;
use engine::title::Titles;
use memchr::memmem::Finder;
use std::io::{self, Read};

/// The first bytes of a record, which contain its type.
const HEAD: usize = 200;

/// Finds what a log publishes; `None` if it publishes nothing, or is no log.
pub(super) fn seek(source: impl Read, titles: Titles) -> Result<Option<Foreseen>, io::Error> {
    let mut records = Records::new(source);
    let (reveals, adopts) = (Finder::new("\ntype: \"reveal\"\n"), Finder::new("\ntype: \"host\"\n"));
    let (mut plan, mut since, mut found) = (None, 0, None);
    loop {
        let record = match records.next() {
            Ok(Some(record)) => record.bytes,
            Err(StreamError::Io(error)) => return Err(error),
            Ok(None) | Err(_) => return Ok(found),
        };
        let head = &record[..record.len().min(HEAD)];
        let is_wanted = plan.is_none() || reveals.find(head).is_some() || adopts.find(head).is_some();
        let Some(entry) = is_wanted.then(|| Entry::read(record).ok()).flatten() else { continue };
        match (&entry.body, &plan) {
            (Body::Genesis(genesis), None) => match Plan::new(genesis, titles) {
                Ok(begun) => plan = Some(begun),
                Err(_) => return Ok(None),
            },
            (_, None) => return Ok(None),
            (Body::Host(host), _) if host.what == Hosting::Adoption => since = entry.seq,
            (Body::Reveal(reveal), Some(plan)) => found = published(reveal, plan, since),
            _ => {}
        }
    }
}

/// What a record publishes; `None` if a part of it cannot be read.
fn published(reveal: &Reveal<'_>, plan: &Plan, since: u64) -> Option<Foreseen> {
    let changes = reveal.orders.iter().map(|changed| Change::of_record(changed, plan.seat(&changed.seat)?).ok());
    let lines = reveal.lines.iter().map(|shown| ((shown.receipt, shown.line), shown.text.to_string()));
    Some(Foreseen { root: reveal.root, changes: changes.collect::<Option<_>>()?, since, lines: lines.collect() })
}
