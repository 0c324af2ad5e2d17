/*! Reading a log record by record, from a file or any other stream, in constant memory.

This layer only finds where records begin and end; [`crate::entry`] reads what they say.
*/

use crate::canon::{FILE_LIMIT, OPENING, RECORD_LIMIT};
use ground::files::CLOSING;
use std::io::{self, Read};
use thiserror::Error;

/// Bytes read at once. The buffer grows for longer records, up to the longest allowed.
const BUFFER: usize = 64 * 1024;

/// The records of a stream, one after the other.
#[derive(Debug)]
pub struct Records<R> {
    source: R,
    buffer: Vec<u8>,
    /// Where the next record starts in the buffer.
    start: usize,
    /// Where the bytes read so far end in the buffer.
    end: usize,
    /// The bytes of the stream before `start`.
    offset: u64,
    /// The line of the stream at `start`, from 1.
    line: u64,
    source_ended: bool,
}

/// The bytes of one record, and where they stand.
#[derive(Clone, Copy, Debug)]
pub struct RawRecord<'b> {
    /// From `---` to the end of the line `...`.
    pub bytes: &'b [u8],
    /// The bytes of the stream before the record.
    pub offset: u64,
    /// The line of the stream on which the record starts, from 1.
    pub line: u64,
}

impl RawRecord<'_> {
    /// The bytes of the stream up to its end.
    pub fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }

    /// The line of the stream after it.
    pub fn line_after(&self) -> u64 {
        self.line + lines(self.bytes)
    }
}

/// Why reading the stream stops.
#[derive(Debug, Error)]
pub enum StreamError {
    #[error("the log cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The stream ends inside a record: the last append was interrupted.
    #[error(
        "line {line}: the log ends inside a record ({bytes} bytes); the last append was interrupted, and `repair` \
         sets it aside"
    )]
    Torn { offset: u64, line: u64, bytes: u64 },
    /// Something else than a record stands here.
    #[error("line {line}: a record starts with the line '---', not with '{found}'")]
    NotARecord { line: u64, found: String },
    #[error("line {line}: the record is longer than {RECORD_LIMIT} bytes")]
    RecordTooLong { line: u64 },
    #[error("the log is longer than {FILE_LIMIT} bytes")]
    LogTooLong,
}

impl<R: Read> Records<R> {
    pub fn new(source: R) -> Records<R> {
        Records { source, buffer: vec![0; BUFFER], start: 0, end: 0, offset: 0, line: 1, source_ended: false }
    }

    /// The bytes of the stream that have been given out as records.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The line of the stream after the last record given out.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next record, or `None` at the end of the stream.
    #[expect(clippy::should_implement_trait, reason = "the record borrows the buffer, which no Iterator allows")]
    pub fn next(&mut self) -> Result<Option<RawRecord<'_>>, StreamError> {
        let mut searched = 0;
        let length = loop {
            let rest = &self.buffer[self.start..self.end];
            if let Some(length) = record_length(rest, searched) {
                break length;
            }
            searched = rest.len().saturating_sub(CLOSING.len());
            if !could_begin_record(rest) {
                return Err(not_a_record(self.line, rest));
            }
            if rest.len() > RECORD_LIMIT {
                return Err(StreamError::RecordTooLong { line: self.line });
            }
            if self.source_ended {
                return self.ended();
            }
            self.fill()?;
        };
        if length > RECORD_LIMIT {
            return Err(StreamError::RecordTooLong { line: self.line });
        }
        if self.offset + length as u64 > FILE_LIMIT {
            return Err(StreamError::LogTooLong);
        }
        let bytes = &self.buffer[self.start..self.start + length];
        if !bytes.starts_with(OPENING.as_bytes()) {
            return Err(not_a_record(self.line, bytes));
        }
        let record = RawRecord { bytes, offset: self.offset, line: self.line };
        self.start += length;
        (self.offset, self.line) = (record.end(), record.line_after());
        Ok(Some(record))
    }

    fn ended(&self) -> Result<Option<RawRecord<'_>>, StreamError> {
        match self.end - self.start {
            0 => Ok(None),
            bytes => Err(StreamError::Torn { offset: self.offset, line: self.line, bytes: bytes as u64 }),
        }
    }

    /// Reads more of the source, after moving the bytes not yet given out to the front.
    fn fill(&mut self) -> Result<(), StreamError> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.source_ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(StreamError::Io(error)),
            }
            return Ok(());
        }
    }
}

/// The number of line feeds. In pieces whose count fits into a byte, many bytes are checked at once.
fn lines(bytes: &[u8]) -> u64 {
    let count = |count: u8, byte: &u8| count.wrapping_add(u8::from(*byte == b'\n'));
    bytes.chunks(PIECE).map(|piece| u64::from(piece.iter().fold(0, count))).sum()
}

/// Whether an append that was cut off may have left these bytes: the beginning of a record, or a page that the disk
/// never came to write. A file that was edited, or is no log, must not be taken for one.
fn could_begin_record(bytes: &[u8]) -> bool {
    let opening = OPENING.as_bytes();
    bytes.starts_with(opening) || opening.starts_with(bytes) || bytes.first() == Some(&0)
}

fn not_a_record(line: u64, bytes: &[u8]) -> StreamError {
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or(bytes);
    let found = String::from_utf8_lossy(first).chars().take(40).flat_map(char::escape_debug).collect();
    StreamError::NotARecord { line, found }
}

/// Bytes checked together.
const PIECE: usize = 64;

/// The length of the record that starts `bytes`, if its line `...` is among them. No record ends before `searched`.
fn record_length(bytes: &[u8], searched: usize) -> Option<usize> {
    // Dots are rare: a piece without any is passed over at once.
    let has_dot = |piece: &[u8]| piece.iter().fold(false, |found, byte| found | (*byte == b'.'));
    let starts = (searched..bytes.len()).step_by(PIECE);
    let pieces = starts.map(|start| start..bytes.len().min(start + PIECE));
    pieces.filter(|piece| has_dot(&bytes[piece.clone()])).flatten().find_map(|first| {
        let at_line_start = first == 0 || bytes[first - 1] == b'\n';
        (at_line_start && bytes[first..].starts_with(CLOSING.as_bytes())).then_some(first + CLOSING.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes a few at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(room.len());
            room[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    const LOG: &[u8] = b"---\nseq: 0\nsaid: \"... a\"\n...\n---\nseq: 1\n...\n---\nx...\n...\n";

    #[test]
    fn records_are_found_whatever_the_pieces() {
        for piece in 1..=LOG.len() {
            let mut records = Records::new(Trickle(LOG, piece));
            let mut found = Vec::new();
            while let Some(record) = records.next().unwrap() {
                assert_eq!(&LOG[usize::try_from(record.offset).unwrap()..][..record.bytes.len()], record.bytes);
                found.push((record.offset, record.line, record.bytes.len()));
            }
            assert_eq!(found, [(0, 1, 29), (29, 5, 15), (44, 8, 13)], "{piece}");
        }
    }

    #[test]
    fn a_torn_end_is_told_from_the_end() {
        for cut in 1..LOG.len() {
            let mut records = Records::new(&LOG[..cut]);
            let end = loop {
                match records.next() {
                    Ok(Some(_)) => {}
                    Ok(None) => break None,
                    Err(StreamError::Torn { offset, .. }) => break Some(offset),
                    Err(other) => panic!("{other}"),
                }
            };
            let expected = match cut {
                29 | 44 => None,
                1..29 => Some(0),
                30..44 => Some(29),
                _ => Some(44),
            };
            assert_eq!(end, expected, "{cut}");
        }
    }

    #[test]
    fn anything_between_records_is_refused() {
        let mut records = Records::new(&b"\n---\na\n...\n"[..]);
        assert!(matches!(records.next(), Err(StreamError::NotARecord { line: 1, .. })));
        let mut records = Records::new(&b"...\n"[..]);
        assert!(matches!(records.next(), Err(StreamError::NotARecord { line: 1, .. })));
        let mut records = Records::new(&b"---\nseq: 0\n...\nnotes\n"[..]);
        assert!(records.next().unwrap().is_some());
        assert!(matches!(records.next(), Err(StreamError::NotARecord { line: 4, .. })));
    }

    /// Otherwise `repair` would set the whole log aside as a torn record.
    #[test]
    fn a_log_with_other_ends_of_lines_is_not_taken_for_one_that_was_cut_off() {
        let text = String::from_utf8_lossy(LOG).replace('\n', "\r\n");
        let error = Records::new(text.as_bytes()).next().unwrap_err();
        assert_eq!(error.to_string(), r"line 1: a record starts with the line '---', not with '---\r'");
    }

    #[test]
    fn a_page_that_was_never_written_is_an_append_cut_off() {
        let log = [LOG, &[0; 4096]].concat();
        let mut records = Records::new(log.as_slice());
        let error = loop {
            if let Err(error) = records.next() {
                break error;
            }
        };
        assert!(matches!(error, StreamError::Torn { bytes: 4096, .. }), "{error}");
    }

    #[test]
    fn a_record_without_end_is_not_read_for_ever() {
        let long = [b"---\n".to_vec(), vec![b'a'; 3 * RECORD_LIMIT]].concat();
        let mut records = Records::new(long.as_slice());
        assert!(matches!(records.next(), Err(StreamError::RecordTooLong { line: 1 })));
    }
}
