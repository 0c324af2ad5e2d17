//! The rows of a log: one for each record, with its number and its hash.

use super::writing::{Rows, as_length};
use ground::files::CLOSING;
use ring::digest::{SHA256, digest};
use std::io;

/// The last record of a log; `None` if it has no record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub seq: Option<i64>,
    pub hash: Option<Vec<u8>>,
}

/// Splits bytes into records, which follow the head of a log. Bytes that do not end as a record are the last row.
pub(super) fn split(start: i64, head: &Head, bytes: &[u8]) -> io::Result<Rows> {
    let mut rows = Rows { head: head.clone(), ..Rows::default() };
    let (mut starts, mut rest) = (start, bytes);
    while !rest.is_empty() {
        let (record, after) = rest.split_at(length_of_record(rest));
        let seq = rows.head.seq.map_or(0, |seq| seq + 1);
        let hash = digest(&SHA256, record).as_ref().to_vec();
        rows.starts.push(starts);
        rows.seqs.push(seq);
        rows.hashes.push(hash.clone());
        rows.bodies.push(record.to_vec());
        rows.head = Head { seq: Some(seq), hash: Some(hash) };
        starts += as_length(record.len())?;
        rest = after;
    }
    Ok(rows)
}

/// How long the first record is.
fn length_of_record(bytes: &[u8]) -> usize {
    let mut length = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        length += line.len();
        if line == CLOSING.as_bytes() {
            break;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(bytes: &str, starts: &[i64], seqs: &[i64]) {
        let head = Head { seq: Some(4), hash: Some(vec![1]) };
        let rows = split(100, &head, bytes.as_bytes()).unwrap();
        assert_eq!((rows.starts.as_slice(), rows.seqs.as_slice()), (starts, seqs), "{bytes:?}");
        assert_eq!(rows.bodies.concat(), bytes.as_bytes());
        assert_eq!(rows.head.seq, Some(*seqs.last().unwrap_or(&4)));
        assert_eq!(rows.head.hash, rows.hashes.last().cloned().or(head.hash));
    }

    #[test]
    fn every_record_is_a_row() {
        case("", &[], &[]);
        case("---\na: 1\n...\n", &[100], &[5]);
        case("---\na: 1\n...\n---\nb: \"...\"\n...\n---\n", &[100, 113, 130], &[5, 6, 7]);
        case("torn", &[100], &[5]);
    }

    #[test]
    fn the_hash_of_a_row_is_that_of_the_record() {
        let rows = split(0, &Head::default(), b"---\na: 1\n...\n").unwrap();
        assert_eq!(rows.hashes, [digest(&SHA256, b"---\na: 1\n...\n").as_ref()]);
        assert_eq!(rows.seqs, [0]);
    }
}
