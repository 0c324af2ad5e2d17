//! Hostile files, with the real program: each reader has a limit on bytes and depth, and its error says so.

use crate::adopt_cli::start;
use crate::repair_cli::{done, ends};
use std::fs::{self, File};

#[test]
fn a_file_that_never_ends_is_refused_by_its_length() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ends(here, &["--config", "/dev/zero", "status"], 2, "it has more than 1048576 bytes");
    start(here);
    // A file with a hole takes no room on the disk, and 8 GB of memory.
    let book = here.join("games/shire/post.yaml");
    let whole = fs::read(&book).unwrap();
    File::options().write(true).open(&book).unwrap().set_len(8 << 30).unwrap();
    ends(here, &["queue"], 1, "post.yaml cannot be read: ");
    ends(here, &["time", "--tick"], 1, "it has more than 268435456 bytes");
    fs::write(&book, whole).unwrap();
    done(here, &["time", "--tick"]);
}

/// 400 kB of brackets in the secrets of one game held up the clock of all games for 100 seconds.
#[test]
fn a_file_of_brackets_is_refused_before_it_is_parsed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    start(here);
    let (secrets, deep) = (here.join("games/shire/host.yaml"), "[".repeat(400_000));
    fs::write(&secrets, format!("game: {deep}")).unwrap();
    ends(here, &["time", "--tick"], 1, "brackets are nested more than 128 deep");
    fs::write(here.join("charter.yaml"), format!("name: {}", &deep[..60_000])).unwrap();
    ends(here, &["new", "deep", "--charter", "charter.yaml"], 2, "brackets are nested more than 128 deep");
}
