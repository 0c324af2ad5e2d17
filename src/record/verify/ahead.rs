/*! Reading ahead: two threads take turns at a log. Each takes the next stretch of records: it splits, hashes and
reads them, and checks that each has its canonical form. Then it waits until all records before its own have been
followed, and follows its own. Last, again in the order of the log, it makes the checks that following has put off. So
a record is hashed and read only once; and while one thread follows a stretch, the other reads the next one or makes
the checks of the one before.

As with [`crate::file::stream`], memory does not grow with the log: each thread holds one stretch.
*/

use crate::canon::emit::Emitter;
use crate::canon::fault::Fault;
use crate::entry::Entry;
use crate::file::stream::{RawRecord, Records, StreamError};
use ground::hash::{Hash, sha256};
use std::io::Read;
use std::ops::{ControlFlow, Range};
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// The approximate size of a stretch in bytes: small at first, so that following begins soon; larger later, since
/// switching threads costs time. The checks that a stretch puts off, one game per record, stay in memory with it.
const STRETCH_FIRST: usize = 8 * 1024;
const STRETCH_MAX: usize = 48 * 1024;

/// A record, and what can be said of it alone.
pub struct Looked<'b> {
    pub raw: RawRecord<'b>,
    pub hash: Hash,
    pub entry: Result<Entry<'b>, Fault>,
    /// Whether its bytes are its canonical form; `Ok` if it cannot be read.
    pub form: Result<(), Fault>,
}

/// How far a stream was read.
#[derive(Debug)]
pub struct Reached {
    /// The bytes of the records passed on.
    pub bytes: u64,
    /// The line after them, from 1.
    pub line: u64,
    /// Why reading stopped early; `None` at the end of the stream, or if `each` broke.
    pub error: Option<StreamError>,
}

/// Passes the records of a stream to `each`, one after the other, until the stream ends or `each` breaks. What `each`
/// returns for a record goes to `then` together with the record, in the same order, while `each` goes on.
///
/// # Panics
/// If `each` or `then` does.
pub fn read_ahead<R: Read + Send, T>(
    source: R,
    each: impl FnMut(&Looked<'_>) -> ControlFlow<(), T> + Send,
    then: impl FnMut(&Looked<'_>, T) + Send,
) -> Reached {
    let source = Source { records: Some(Records::new(source)), taken: 0 };
    let follower = Follower { each, followed: 0, reached: None };
    let checker = Checker { then, checked: 0 };
    let turns = Turns {
        source: Mutex::new(source),
        follower: Mutex::new(follower),
        checker: Mutex::new(checker),
        changed: Condvar::new(),
        checked: Condvar::new(),
    };
    thread::scope(|scope| {
        // Without a second thread, the first one takes every turn.
        let helper = thread::Builder::new().spawn_scoped(scope, || turns.take_part());
        turns.take_part();
        if let Ok(helper) = helper {
            helper.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    let follower = turns.follower.into_inner().unwrap_or_else(PoisonError::into_inner);
    follower.reached.expect("all stretches were followed")
}

/// What the threads share.
struct Turns<R, E, C> {
    source: Mutex<Source<R>>,
    follower: Mutex<Follower<E>>,
    checker: Mutex<Checker<C>>,
    /// Notified when a stretch has been followed.
    changed: Condvar,
    /// Notified when the remaining checks of a stretch are done.
    checked: Condvar,
}

struct Source<R> {
    /// `None` once the stream has ended.
    records: Option<Records<R>>,
    /// The number of stretches taken.
    taken: usize,
}

struct Follower<E> {
    each: E,
    /// The number of stretches followed.
    followed: usize,
    /// Where the last stretch ended, or where `each` broke.
    reached: Option<Reached>,
}

struct Checker<C> {
    then: C,
    /// The number of stretches checked.
    checked: usize,
}

/// Consecutive records.
#[derive(Default)]
struct Stretch {
    number: usize,
    bytes: Vec<u8>,
    records: Vec<Found>,
    /// How far the stream was read, if these are its last records.
    last: Option<Reached>,
}

/// A record of a stretch.
struct Found {
    range: Range<usize>,
    offset: u64,
    line: u64,
}

impl<R, E, C, T> Turns<R, E, C>
where
    R: Read,
    E: FnMut(&Looked<'_>) -> ControlFlow<(), T>,
    C: FnMut(&Looked<'_>, T),
{
    /// Takes one stretch after the other, until there are no more or `each` breaks.
    fn take_part(&self) {
        let (mut stretch, mut emitter, mut left) = (Stretch::default(), Emitter::default(), Vec::new());
        // If the other thread panics, this one cannot go on either.
        while let Ok(mut source) = self.source.lock() {
            if !source.take(&mut stretch) {
                return;
            }
            drop(source);
            let last = stretch.last.take();
            let looked: Vec<Looked<'_>> =
                stretch.records.iter().map(|found| stretch.look(found, &mut emitter)).collect();
            let is_before =
                |follower: &mut Follower<E>| follower.followed < stretch.number && follower.reached.is_none();
            let told = Told([&self.changed, &self.checked]);
            let Ok(follower) = self.follower.lock() else { return };
            let Ok(mut follower) = self.changed.wait_while(follower, is_before) else { return };
            if follower.reached.is_some() {
                return;
            }
            left.clear();
            let stopped = looked.iter().find(|looked| match (follower.each)(looked) {
                ControlFlow::Break(()) => true,
                ControlFlow::Continue(rest) => {
                    left.push(rest);
                    false
                }
            });
            let stopped = stopped.map(|at| Reached { bytes: at.raw.end(), line: at.raw.line_after(), error: None });
            follower.followed += 1;
            follower.reached = stopped.or(last);
            drop(follower);
            self.changed.notify_all();
            if !self.check(stretch.number, &looked, &mut left) {
                return;
            }
            drop(told);
        }
    }

    /// Makes the remaining checks of a stretch, after those of all stretches before it; `false` if that turn never
    /// comes.
    fn check(&self, number: usize, looked: &[Looked<'_>], left: &mut Vec<T>) -> bool {
        let Ok(checker) = self.checker.lock() else { return false };
        let Ok(mut checker) = self.checked.wait_while(checker, |checker| checker.checked < number) else {
            return false;
        };
        looked.iter().zip(left.drain(..)).for_each(|(looked, rest)| (checker.then)(looked, rest));
        checker.checked += 1;
        true
    }
}

/// Notifies the other thread when dropped, also in a panic.
struct Told<'c>([&'c Condvar; 2]);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|told| told.notify_all());
    }
}

impl<R: Read> Source<R> {
    /// Takes the next stretch; `false` if there is none.
    fn take(&mut self, stretch: &mut Stretch) -> bool {
        let Some(records) = &mut self.records else { return false };
        *stretch = Stretch { number: self.taken, ..Stretch::default() };
        let enough = STRETCH_MAX.min(STRETCH_FIRST << self.taken.min(16));
        self.taken += 1;
        let error = loop {
            match records.next() {
                Ok(Some(raw)) => stretch.add(&raw),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
            if stretch.bytes.len() >= enough {
                return true;
            }
        };
        stretch.last = Some(Reached { bytes: records.offset(), line: records.line(), error });
        self.records = None;
        true
    }
}

impl Stretch {
    fn add(&mut self, raw: &RawRecord<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(raw.bytes);
        self.records.push(Found { range: start..self.bytes.len(), offset: raw.offset, line: raw.line });
    }

    fn look(&self, found: &Found, emitter: &mut Emitter) -> Looked<'_> {
        let bytes = &self.bytes[found.range.clone()];
        let entry = Entry::read(bytes);
        let form = entry.as_ref().map_or(Ok(()), |entry| entry.check_canonical(bytes, emitter));
        let raw = RawRecord { bytes, offset: found.offset, line: found.line };
        Looked { raw, hash: sha256(bytes), entry, form }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    const RECORDS: usize = 8_000;

    /// More records than all stretches hold together. Each states its own number, and none can be read as an entry.
    fn log() -> Vec<u8> {
        (0..RECORDS).map(|number| format!("---\nnumber: {number}\nfiller: {:070}\n...\n", 0)).collect::<String>().into()
    }

    /// Counts the bytes read from it, and can fail at its end.
    struct Given<'a> {
        rest: &'a [u8],
        given: &'a AtomicUsize,
        fails: bool,
    }

    impl Read for Given<'_> {
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
        let source = Given { rest: &log, given: &given, fails: false };
        let (mut shown, mut checked) = (0, 0);
        let each = |looked: &Looked<'_>| {
            let raw = records.next().unwrap().unwrap();
            let of = |raw: &RawRecord<'_>| (raw.bytes.to_vec(), raw.offset, raw.line);
            assert_eq!(of(&looked.raw), of(&raw));
            assert_eq!((looked.hash, &looked.entry), (sha256(raw.bytes), &Entry::read(raw.bytes)));
            shown += 1;
            ControlFlow::Continue(shown - 1)
        };
        let then = |looked: &Looked<'_>, number: u64| {
            assert_eq!((looked.raw.line - 1) / 4, number);
            checked += 1;
        };
        let reached = read_ahead(source, each, then);
        assert_eq!(checked, RECORDS);
        assert!(records.next().unwrap().is_none());
        assert_eq!((reached.bytes, reached.line), (records.offset(), records.line()));
        assert!(reached.error.is_none());
    }

    #[test]
    fn who_stops_is_told_how_far_he_came_and_no_more_is_read_than_may_wait() {
        let (log, given) = (log(), AtomicUsize::new(0));
        let mut shown = 0;
        let each = |looked: &Looked<'_>| {
            shown += 1;
            assert!(looked.raw.bytes.starts_with(b"---\nnumber: 0\n"));
            ControlFlow::Break(())
        };
        let reached = read_ahead(Given { rest: &log, given: &given, fails: false }, each, |_, ()| ());
        let first = log.iter().position(|byte| *byte == b'.').unwrap() + b"...\n".len();
        assert_eq!((shown, reached.bytes, reached.line), (1, first as u64, 5));
        // A stretch of each thread, the next one, and a buffer.
        assert!(given.load(SeqCst) < 16 * STRETCH_FIRST, "{given:?} of {}", log.len());
    }

    #[test]
    fn what_was_read_before_an_error_is_shown() {
        let (log, given) = (log(), AtomicUsize::new(0));
        let mut shown = 0;
        let each = |_: &Looked<'_>| {
            shown += 1;
            ControlFlow::Continue(())
        };
        let reached = read_ahead(Given { rest: &log, given: &given, fails: true }, each, |_, ()| ());
        assert_eq!((shown, reached.bytes), (RECORDS, log.len() as u64));
        assert!(matches!(reached.error, Some(StreamError::Io(_))));
    }
}
