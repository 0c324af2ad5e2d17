//! The demo plays its letters to the end, and its log verifies.

use std::process::Command;

#[test]
fn the_demo_plays_verifies_and_leaves_its_letters() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("campaign");
    let demo = || Command::new(env!("CARGO_BIN_EXE_ringmail")).arg("demo").arg("--folder").arg(&home).output().unwrap();
    let played = demo();
    let text = String::from_utf8(played.stdout).unwrap();
    assert!(played.status.success(), "{text}");
    assert!(text.contains("\nOK shire "), "{text}");
    // Every shipped letter does what its heading says: one line is misspelled, one letter is a robot's, one a double.
    assert_eq!(text.matches("  refused ").count(), 1, "{text}");
    assert_eq!(text.matches("written by no person").count(), 1);
    assert_eq!(text.matches("was here before").count(), 1);
    let letters = std::fs::read_dir(home.join("letters")).unwrap().count();
    assert!(letters >= 15, "{letters} letters");
    assert_eq!(std::fs::read_dir(home.join("Maildir/new")).unwrap().count(), 0);
    // A folder that is there already is nobody's to overwrite.
    assert_eq!(demo().status.code(), Some(2));
}
