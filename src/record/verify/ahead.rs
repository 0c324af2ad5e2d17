/*! Reading ahead: records are found, hashed and held against their only form on a thread of its own, while those before
them are followed. Following takes longer than that, and can be done only one record after the other.

As with [`crate::record::file::stream`], memory does not grow with the log: at most [`BATCHES_MAX`] batches of records
wait to be followed.
*/

use crate::record::canon::emit::Emitter;
use crate::record::canon::fault::Fault;
use crate::record::entry::Entry;
use crate::record::file::stream::{RawRecord, Records, StreamError};
use crate::record::value::hash::{Hash, sha256};
use std::io::Read;
use std::ops::{ControlFlow, Range};
use std::panic::resume_unwind;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::{mem, thread};

/// Bytes of records that are handed over together, about: so many that handing over costs nothing.
const BATCH: usize = 32 * 1024;
/// Batches that may wait to be followed.
const BATCHES_MAX: usize = 8;

/// A record, and what can be said of it by itself.
pub struct Looked<'b> {
    pub raw: RawRecord<'b>,
    pub hash: Hash,
    /// Whether it can be read, and its bytes are the only ones it can have.
    pub form: &'b Result<(), Fault>,
}

/// How far a stream was read.
#[derive(Debug)]
pub struct Reached {
    /// The bytes of the records given out.
    pub bytes: u64,
    /// The line after them, from 1.
    pub line: u64,
    /// Why it cannot be read on; nothing at its end, or where it was no longer wanted.
    pub error: Option<StreamError>,
}

/// Records that stand one after the other.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    records: Vec<Found>,
}

/// A record of a batch.
struct Found {
    range: Range<usize>,
    offset: u64,
    line: u64,
    hash: Hash,
    form: Result<(), Fault>,
}

/// Shows the records of a stream to `each`, one after the other, until there is no more or it breaks.
pub fn read_ahead<R: Read + Send>(source: R, mut each: impl FnMut(&Looked<'_>) -> ControlFlow<()>) -> Reached {
    let (give, take) = sync_channel(BATCHES_MAX);
    thread::scope(|scope| {
        let reader = match thread::Builder::new().spawn_scoped(scope, move || look(source, &give)) {
            Ok(reader) => reader,
            Err(error) => return Reached { bytes: 0, line: 1, error: Some(StreamError::Io(error)) },
        };
        for batch in take {
            for found in &batch.records {
                let looked = batch.show(found);
                if each(&looked).is_break() {
                    return Reached { bytes: looked.raw.end(), line: looked.raw.line_after(), error: None };
                }
            }
        }
        reader.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Hands over all records of a stream in batches, as long as somebody takes them.
fn look<R: Read>(source: R, give: &SyncSender<Batch>) -> Reached {
    let mut records = Records::new(source);
    let mut emitter = Emitter::default();
    let mut batch = Batch::default();
    let error = loop {
        match records.next() {
            Ok(Some(raw)) => batch.add(&raw, &mut emitter),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
        if batch.bytes.len() >= BATCH && give.send(mem::take(&mut batch)).is_err() {
            break None;
        }
    };
    // The receiver that takes no more knows where it has stopped.
    let _ = give.send(batch);
    Reached { bytes: records.offset(), line: records.line(), error }
}

impl Batch {
    fn add(&mut self, raw: &RawRecord<'_>, emitter: &mut Emitter) {
        let form = Entry::read(raw.bytes).and_then(|entry| entry.check_canonical(raw.bytes, emitter));
        let start = self.bytes.len();
        self.bytes.extend_from_slice(raw.bytes);
        let range = start..self.bytes.len();
        self.records.push(Found { range, offset: raw.offset, line: raw.line, hash: sha256(raw.bytes), form });
    }

    fn show<'b>(&'b self, found: &'b Found) -> Looked<'b> {
        let bytes = &self.bytes[found.range.clone()];
        Looked { raw: RawRecord { bytes, offset: found.offset, line: found.line }, hash: found.hash, form: &found.form }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    const RECORDS: usize = 8_000;

    /// Longer than all batches together; every record says of itself which it is. None can be read as an entry.
    fn log() -> Vec<u8> {
        (0..RECORDS).map(|number| format!("---\nnumber: {number}\nfiller: {:070}\n...\n", 0)).collect::<String>().into()
    }

    /// Counts what is read of it, and fails at its end if it is to.
    struct Source<'a> {
        rest: &'a [u8],
        given: &'a AtomicUsize,
        fails: bool,
    }

    impl Read for Source<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            if self.rest.is_empty() && self.fails {
                return Err(io::Error::other("the disk is gone"));
            }
            let count = self.rest.read(room)?;
            self.given.fetch_add(count, SeqCst);
            Ok(count)
        }
    }

    #[test]
    fn every_record_is_shown_once_and_in_order() {
        let (log, given) = (log(), AtomicUsize::new(0));
        let mut records = Records::new(log.as_slice());
        let source = Source { rest: &log, given: &given, fails: false };
        let reached = read_ahead(source, |looked| {
            let raw = records.next().unwrap().unwrap();
            let of = |raw: &RawRecord<'_>| (raw.bytes.to_vec(), raw.offset, raw.line);
            assert_eq!(of(&looked.raw), of(&raw));
            assert_eq!((looked.hash, looked.form.clone().err()), (sha256(raw.bytes), Entry::read(raw.bytes).err()));
            ControlFlow::Continue(())
        });
        assert!(records.next().unwrap().is_none());
        assert_eq!((reached.bytes, reached.line), (records.offset(), records.line()));
        assert!(reached.error.is_none());
    }

    #[test]
    fn who_stops_is_told_how_far_he_came_and_no_more_is_read_than_may_wait() {
        let (log, given) = (log(), AtomicUsize::new(0));
        let mut shown = 0;
        let reached = read_ahead(Source { rest: &log, given: &given, fails: false }, |looked| {
            shown += 1;
            assert!(looked.raw.bytes.starts_with(b"---\nnumber: 0\n"));
            ControlFlow::Break(())
        });
        let first = log.iter().position(|byte| *byte == b'.').unwrap() + b"...\n".len();
        assert_eq!((shown, reached.bytes, reached.line), (1, first as u64, 5));
        // What waits, what is shown and what is made, and a buffer.
        assert!(given.load(SeqCst) < (BATCHES_MAX + 4) * BATCH, "{given:?} of {}", log.len());
    }

    #[test]
    fn what_was_read_before_an_error_is_shown() {
        let (log, given) = (log(), AtomicUsize::new(0));
        let mut shown = 0;
        let reached = read_ahead(Source { rest: &log, given: &given, fails: true }, |_| {
            shown += 1;
            ControlFlow::Continue(())
        });
        assert_eq!((shown, reached.bytes), (RECORDS, log.len() as u64));
        assert!(matches!(reached.error, Some(StreamError::Io(_))));
    }
}
