use super::*;
use crate::entry::body::{Concede, Text};
use crate::entry::{Body, HOST};
use ground::hash::Hash;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

fn stamp() -> Stamp {
    Stamp::parse("2026-11-24T07:12:09Z").unwrap()
}

fn entry(seq: u64, prev: Hash, text: &str) -> Entry<'static> {
    Entry {
        seq,
        prev,
        at: stamp(),
        seat: Text::from(HOST),
        via: None,
        books: None,
        body: Body::Concede(Concede { text: Some(Text::from(text.to_string())) }),
        outcome: None,
        digest: None,
    }
}

/// A log of three records, and the bytes before its last.
fn log_of_three(folder: &Path) -> (Vec<u8>, u64) {
    let mut log = Log::create(folder, &entry(0, Hash::ZERO, "first")).unwrap();
    for seq in 1..3 {
        let last_start = log.length();
        let next = entry(log.head().seq + 1, log.head().hash, "tell \"...\" no more\n...\n");
        assert_eq!(log.append(&next).unwrap(), None);
        if seq == 2 {
            return (std::fs::read(folder.join(LOG)).unwrap(), last_start);
        }
    }
    unreachable!("the loop returns at the third record");
}

#[test]
fn what_is_appended_is_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, _) = log_of_three(folder.path());
    let log = Log::open(folder.path()).unwrap();
    assert_eq!((log.head().seq, log.torn(), log.length()), (2, 0, bytes.len() as u64));
    let mut records = log.records().unwrap();
    let mut prev = Hash::ZERO;
    let mut count = 0;
    while let Some(record) = records.next().unwrap() {
        let entry = Entry::read(record.bytes).unwrap();
        assert_eq!((entry.seq, entry.prev), (count, prev));
        prev = sha256(record.bytes);
        count += 1;
    }
    assert_eq!((count, prev), (3, log.head().hash));
}

#[test]
fn a_crash_at_every_byte_of_the_last_record_is_recovered() {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, last_start) = log_of_three(folder.path());
    let whole = usize::try_from(last_start).unwrap();
    for cut in whole..bytes.len() {
        std::fs::write(folder.path().join(LOG), &bytes[..cut]).unwrap();
        let mut log = Log::open(folder.path()).unwrap();
        assert_eq!(log.head().seq, 1, "{cut}");
        assert_eq!(log.torn(), (cut - whole) as u64);
        // Opening repairs nothing by itself.
        assert_eq!(std::fs::read(folder.path().join(LOG)).unwrap().len(), cut);
        let next = entry(2, log.head().hash, "again");
        let set_aside = log.append(&next).unwrap();
        match set_aside {
            None => assert_eq!(cut, whole),
            Some(SetAside { file, bytes: count }) => {
                assert_eq!(count, (cut - whole) as u64);
                assert_eq!(std::fs::read(&file).unwrap(), &bytes[whole..cut]);
                assert!(file.to_string_lossy().contains("log.yaml.torn-20261124T071209Z"), "{}", file.display());
            }
        }
        let mut expected = bytes[..whole].to_vec();
        expected.extend_from_slice(next.to_text().as_bytes());
        assert_eq!(std::fs::read(folder.path().join(LOG)).unwrap(), expected);
    }
}

#[test]
fn a_repair_is_said_and_done_once() {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, last_start) = log_of_three(folder.path());
    std::fs::write(folder.path().join(LOG), &bytes[..bytes.len() - 1]).unwrap();
    let mut log = Log::open(folder.path()).unwrap();
    let set_aside = log.repair(stamp()).unwrap().unwrap();
    assert_eq!(set_aside.bytes, bytes.len() as u64 - 1 - last_start);
    assert_eq!(log.repair(stamp()).unwrap(), None);
    assert_eq!(std::fs::read(folder.path().join(LOG)).unwrap().len() as u64, last_start);
}

#[test]
fn damage_elsewhere_refuses_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, last_start) = log_of_three(folder.path());
    let mut damaged = bytes.clone();
    damaged[usize::try_from(last_start).unwrap() + 1] = b'x';
    std::fs::write(folder.path().join(LOG), &damaged).unwrap();
    assert!(matches!(Log::open(folder.path()), Err(LogError::LastRecord { .. })));
    std::fs::write(folder.path().join(LOG), b"nothing of a log").unwrap();
    assert!(matches!(Log::open(folder.path()), Err(LogError::Corrupt { .. })));
    std::fs::write(folder.path().join(LOG), b"").unwrap();
    assert!(matches!(Log::open(folder.path()), Err(LogError::Corrupt { .. })));
}

#[test]
fn only_one_process_appends() {
    let folder = tempfile::tempdir().unwrap();
    let first = Log::create(folder.path(), &entry(0, Hash::ZERO, "first")).unwrap();
    let error = Log::open(folder.path()).unwrap_err();
    assert!(matches!(error, LogError::Busy { .. }), "{error}");
    drop(first);
    Log::open(folder.path()).unwrap();
    assert!(matches!(Log::create(folder.path(), &entry(0, Hash::ZERO, "a")), Err(LogError::AlreadyThere { .. })));
}

#[test]
fn only_the_next_record_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::create(folder.path(), &entry(0, Hash::ZERO, "first")).unwrap();
    let head = log.head().hash;
    for wrong in [entry(0, head, "a"), entry(2, head, "a"), entry(1, Hash::ZERO, "a")] {
        assert!(matches!(log.append(&wrong), Err(LogError::NotNext { .. })));
    }
    let long = entry(1, head, &"a".repeat(70_000));
    assert!(matches!(log.append(&long), Err(LogError::NotItself { fault: Some(_) })));
    log.append(&entry(1, head, "a")).unwrap();
}

#[test]
fn a_log_changed_behind_our_back_is_not_appended_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::create(folder.path(), &entry(0, Hash::ZERO, "first")).unwrap();
    let file = folder.path().join(LOG);
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.push(b'\n');
    std::fs::write(&file, &bytes).unwrap();
    let next = entry(1, log.head().hash, "a");
    assert!(matches!(log.append(&next), Err(LogError::Changed { .. })));
}

/// A disk with room for `bytes` more; the one write that does not fit is written in part.
#[derive(Debug)]
struct SmallDisk {
    file: File,
    room: usize,
}

impl Appender for SmallDisk {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let fits = bytes.len().min(self.room);
        self.file.write_all(&bytes[..fits])?;
        self.room -= fits;
        if fits < bytes.len() {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }
}

#[test]
fn a_full_disk_leaves_the_log_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, _) = log_of_three(folder.path());
    for room in [0, 1, 100] {
        let log = Log::open(folder.path()).unwrap();
        let file = OpenOptions::new().append(true).open(folder.path().join(LOG)).unwrap();
        let mut log = log.on_disk(Box::new(SmallDisk { file, room }));
        let next = entry(3, log.head().hash, "does not fit");
        let error = log.append(&next).unwrap_err();
        assert!(error.to_string().ends_with("the log is as it was"), "{error}");
        assert_eq!(std::fs::read(folder.path().join(LOG)).unwrap(), bytes);
        assert!(matches!(log.append(&next), Err(LogError::FailedBefore)));
    }
    Log::open(folder.path()).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_that_is_always_full_is_an_error() {
    let mut full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let error = full.append(b"---\n...\n").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

#[test]
fn a_folder_without_a_log_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let error = Log::open(folder.path()).unwrap_err();
    assert!(error.to_string().contains("it has no log.yaml"), "{error}");
    assert!(matches!(read_log(folder.path()), Err(LogError::NoLog { .. })));
}
