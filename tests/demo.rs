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
    // Every shipped letter does what its heading says: one line is misspelled, three wait for
    // their question, one letter is a robot's, one a double, and the last one takes Minas Tirith.
    assert_eq!(text.matches("  refused ").count(), 1, "{text}");
    assert_eq!(text.matches("  kept    ").count(), 3, "{text}");
    assert_eq!(text.matches("written by no person").count(), 1);
    assert_eq!(text.matches("was here before").count(), 1);
    assert!(text.contains("Red conquered Minas Tirith from Yellow"), "{text}");
    let letters = std::fs::read_dir(home.join("letters")).unwrap().count();
    assert!(letters >= 15, "{letters} letters");
    // The records sent to a player, one after the other, are the log up to his newest letter.
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    for file in std::fs::read_dir(home.join("letters")).unwrap() {
        let raw = std::fs::read(file.unwrap().path()).unwrap();
        let letter = mail_parser::MessageParser::default().parse(&raw).unwrap();
        let to_anna = letter.to().unwrap().first().unwrap().address() == Some("anna@example.org");
        parts.extend(letter.attachments().filter(|_| to_anna).map(|part| {
            (mail_parser::MimeHeaders::attachment_name(part).unwrap().to_string(), part.contents().to_vec())
        }));
    }
    parts.sort();
    let rebuilt: Vec<u8> = parts.into_iter().flat_map(|(_, bytes)| bytes).collect();
    let log = std::fs::read(home.join("games/shire/log.yaml")).unwrap();
    assert!(rebuilt.len() > log.len() / 2 && log.starts_with(&rebuilt), "{} of {}", rebuilt.len(), log.len());
    assert_eq!(std::fs::read_dir(home.join("Maildir/new")).unwrap().count(), 0);
    // An existing folder is never overwritten.
    assert_eq!(demo().status.code(), Some(2));
}
