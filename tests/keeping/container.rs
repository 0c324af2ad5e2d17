//! The file of a backup: anything cut off, altered or forged is refused before it is used.

use flate2::Compression;
use flate2::write::GzEncoder;
use ground::stamp::Stamp;
use post::keeping::container::{FORMAT, GameListed, NotABackup, Packing, read};
use std::io::Write;
use tar::{EntryType, Header};

const LABEL: &str = "ringmail-backup.json";
const MANIFEST: &str = "manifest.json";

fn at() -> Stamp {
    Stamp::parse("2026-11-24T07:12:09Z").unwrap()
}

/// A long name, like those of letters.
fn letter() -> String {
    format!("games/shire/sent/shire.9.{}.yellow.0123456789ab@play.example.eml", "ab".repeat(32))
}

fn packed() -> Vec<u8> {
    let mut packing = Packing::begin(Vec::new(), at()).unwrap();
    packing.add("config/ringmail.yaml", 3, &b"abc"[..]).unwrap();
    packing.add("games/.post/post.yaml", 0, &b""[..]).unwrap();
    packing.add(&letter(), 5, &b"hello and more that was appended"[..]).unwrap();
    packing.note_game(GameListed { game: "shire".to_owned(), head: None });
    packing.end().unwrap().0
}

/// A game goes into a folder of its own name, and only the games of the manifest are unpacked; it says which are
/// stopped.
#[test]
fn the_games_are_those_of_the_manifest() {
    let listing = |games: &[&str]| {
        let mut packing = Packing::begin(Vec::new(), at()).unwrap();
        packing.add("games/shire/log.yaml", 3, &b"abc"[..]).unwrap();
        for game in games {
            packing.note_game(GameListed { game: (*game).to_owned(), head: None });
        }
        opened(&packing.end().unwrap().0)
    };
    assert!(listing(&["shire"]).is_ok());
    for (games, why) in [
        (&[][..], "does not list the game shire"),
        (&["shire", "shire"], "lists a game twice"),
        (&["shire", "/tmp/victim"], "no game has such a name"),
        (&["shire", "../victim"], "no game has such a name"),
        (&["shire", ".post"], "no game has such a name"),
        (&["shire", ""], "no game has such a name"),
        (&["shire", "shire/sent"], "no game has such a name"),
    ] {
        let told = listing(games).unwrap_err().to_string();
        assert!(told.contains(why), "{games:?}: {told}");
    }
}

fn opened(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, NotABackup> {
    let mut files = Vec::new();
    read(bytes, &mut |path, _, content| {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        files.push((path.to_owned(), bytes));
        Ok(())
    })?;
    Ok(files)
}

#[test]
fn what_is_packed_is_read_as_it_was() {
    let file = |path: &str, bytes: &[u8]| (path.to_owned(), bytes.to_vec());
    let expected =
        [file("config/ringmail.yaml", b"abc"), file("games/.post/post.yaml", b""), file(&letter(), b"hello")];
    assert_eq!(opened(&packed()).unwrap(), expected);
    let (label, manifest) = read(packed().as_slice(), &mut |_, _, _| Ok(())).unwrap();
    assert_eq!((label.format, label.at), (FORMAT, at()));
    assert_eq!(manifest.files[2].bytes, 5);
    let mut short = Packing::begin(Vec::new(), at()).unwrap();
    let why = short.add("games/shire/log.yaml", 9, &b"short"[..]).unwrap_err();
    assert!(why.to_string().contains("has become shorter"), "{why}");
}

/// Power cuts, bad disks, and people with an editor.
#[test]
fn nothing_of_a_backup_can_be_cut_off_or_altered() {
    let whole = packed();
    for length in 0..whole.len() {
        assert!(opened(&whole[..length]).is_err(), "{length}");
    }
    // The time and the system in the header of gzip mean nothing, and some bytes may only encode the same zeros in
    // another way; nothing else can be altered.
    let files = opened(&whole).unwrap();
    for place in (0..whole.len()).filter(|place| !(3..10).contains(place)) {
        let mut altered = whole.clone();
        altered[place] ^= 0x11;
        assert!(opened(&altered).map_or(true, |found| found == files), "{place}");
    }
}

/// A forged tar: these entries behind a true label.
fn made(entries: &[(&str, EntryType, &[u8], Option<u64>)]) -> Vec<u8> {
    labelled(&format!("{{\"format\":1,\"program\":\"0\",\"at\":\"{}\"}}", at()), entries)
}

fn labelled(label: &str, entries: &[(&str, EntryType, &[u8], Option<u64>)]) -> Vec<u8> {
    let mut tar = GzEncoder::new(Vec::new(), Compression::fast());
    let label = (LABEL, EntryType::Regular, label.as_bytes(), None);
    for (path, kind, bytes, claimed) in std::iter::once(&label).chain(entries) {
        let mut header = Header::new_gnu();
        header.set_size(claimed.unwrap_or(bytes.len() as u64));
        header.set_mode(0o600);
        header.set_entry_type(*kind);
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        tar.write_all(header.as_bytes()).unwrap();
        tar.write_all(bytes).unwrap();
        tar.write_all(&vec![0; (512 - bytes.len() % 512) % 512]).unwrap();
    }
    tar.write_all(&[0; 1024]).unwrap();
    tar.finish().unwrap()
}

#[track_caller]
fn refused(entries: &[(&str, EntryType, &[u8], Option<u64>)], told: &str) {
    let mut taken = Vec::new();
    let why = read(made(entries).as_slice(), &mut |path, _, _| {
        taken.push(path.to_owned());
        Ok(())
    });
    let why = why.unwrap_err().to_string();
    assert!(why.contains(told), "{why}");
    assert!(taken.iter().all(|path| path == "games/g/log.yaml"), "{taken:?}");
}

#[test]
fn no_path_leads_out_of_the_folder_and_nothing_but_files_is_taken() {
    let file = EntryType::Regular;
    for path in ["games/g/../../x", "games/../x", "games//x/y", "games/g/.", "config/../y"] {
        refused(&[(path, file, b"x", None)], "the path leads elsewhere");
    }
    for path in ["/etc/passwd", "../x", "x", "games/x", "config/a/b", "config", "elsewhere/a/b"] {
        let why = read(made(&[(path, file, b"x", None)]).as_slice(), &mut |_, _, _| panic!("{path}"));
        assert!(matches!(why, Err(NotABackup::Foreign { .. })), "{path}: {why:?}");
    }
    for path in ["games/g\\x/y", "games/c:/y"] {
        refused(&[(path, file, b"x", None)], "the path leads elsewhere");
    }
    refused(&[("games/.ssh/keys", file, b"x", None)], "begins with a dot");
    refused(&[("games/g/.post", file, b"x", None)], "begins with a dot");
    refused(&[("games/g/a\nb", file, b"x", None)], "control characters");
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Directory, EntryType::Char, EntryType::Fifo] {
        refused(&[("games/g/log.yaml", kind, b"", None)], "a link, a folder or a device");
    }
    for kind in [EntryType::GNUSparse, EntryType::XHeader, EntryType::GNULongLink] {
        refused(&[("games/g/log.yaml", kind, b"", None)], "a link, a folder or a device");
    }
    let twice = ("games/g/log.yaml", file, &b"x"[..], None);
    refused(&[twice, twice], "there twice");
    let manifest = (MANIFEST, file, &b"{\"files\":[],\"games\":[]}"[..], None);
    refused(&[manifest, twice], "behind the manifest");
    refused(&[twice, manifest], "it has 1 files, and its manifest 0");
    refused(&[twice], "its manifest is missing");
}

/// A size is believed only as far as bytes come.
#[test]
fn sizes_that_are_absurd_cost_nothing() {
    let file = EntryType::Regular;
    refused(&[("games/g/log.yaml", file, b"x", Some(1 << 60))], "is damaged");
    refused(&[("././@LongLink", EntryType::GNULongName, b"x", Some(1 << 40))], "a name of");
    refused(&[(MANIFEST, file, b"{", Some(1 << 40))], "its label or manifest has");
    // A manifest of 1 GB compresses to 1 MB, and took 9 GB of memory: it is as long as its files need.
    let spaces = vec![b' '; 1 << 17];
    refused(&[("games/g/log.yaml", file, b"x", None), (MANIFEST, file, &spaces, None)], "where 66080 are enough");
}

#[test]
fn a_newer_backup_is_named_and_another_file_is_none() {
    let newer = labelled("{\"format\":2,\"unheard\":\"of\"}", &[]);
    let why = opened(&newer).unwrap_err().to_string();
    assert!(why.contains("format 2, and this program reads format 1: use the newer program"), "{why}");
    for other in [&b""[..], b"hello", b"\x1f\x8b\x08\0\0\0\0\0\0\0"] {
        assert!(matches!(opened(other), Err(NotABackup::Other)), "{other:?}");
    }
}
