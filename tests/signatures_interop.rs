/*! Signatures between Ringmail and the `ssh-keygen` of this machine.

It has its own file: if another test of the same process holds a lock while a program is started, the program inherits
the lock for a moment.
*/

use crate::needs;
use ground::hash::Hex;
use record::commit::signature::{KeyRefused, ORDER, PublicKey, Signature, SigningKey};
use record::commit::signed::{Part, SignedOn, SignedSentence};
use std::fs;
use std::process::Command;

#[test]
fn a5_what_ssh_keygen_signs_is_ours_to_check_and_the_other_way_round() {
    if !needs::programs(&["ssh-keygen"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let run = |arguments: &[&str]| {
        let done = Command::new("ssh-keygen").current_dir(folder.path()).args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    run(&["-q", "-t", "ed25519", "-N", "", "-f", "key"]);
    let public = fs::read_to_string(path("key.pub")).unwrap();
    let public = PublicKey::read(&public).unwrap();
    let sentence = SignedSentence {
        game: Hex([7; 16]),
        seat: "green".to_owned(),
        on: SignedOn { seq: 12, head: Hex([9; 32]) },
        part: Part::Line,
        number: 1,
        of: 1,
        words: "roll 2".to_owned(),
    };
    fs::write(path("order.txt"), sentence.to_string()).unwrap();
    run(&["-q", "-Y", "sign", "-n", ORDER, "-f", "key", "order.txt"]);
    let theirs = fs::read_to_string(path("order.txt.sig")).unwrap();
    let theirs = Signature::read(&theirs).unwrap();
    assert_eq!(theirs.check(&[public], ORDER, sentence.to_string().as_bytes()), Ok(public));
    // They can also check ours, made with the same key.
    let ours = SigningKey::read(&fs::read_to_string(path("key")).unwrap()).unwrap();
    assert_eq!(ours.sign(ORDER, sentence.to_string().as_bytes()), theirs);
    fs::write(path("ours.sig"), ours.sign(ORDER, b"roll 1\n").in_armour()).unwrap();
    fs::write(path("allowed"), format!("green {public}\n")).unwrap();
    let verify = Command::new("ssh-keygen")
        .current_dir(folder.path())
        .args(["-Y", "verify", "-f", "allowed", "-I", "green", "-n", ORDER, "-s", "ours.sig"])
        .stdin({
            fs::write(path("text"), "roll 1\n").unwrap();
            fs::File::open(path("text")).unwrap()
        })
        .output()
        .unwrap();
    assert!(verify.status.success(), "{}", String::from_utf8_lossy(&verify.stderr));
}

/// What other kinds of keys sign is refused, and says which kind would be right.
#[test]
fn a5_keys_of_other_kinds_are_refused() {
    if !needs::programs(&["ssh-keygen"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text"), "roll 1\n").unwrap();
    for (kind, bits, public) in [("rsa", "2048", "ssh-rsa"), ("ecdsa", "256", "ecdsa-sha2-nistp256")] {
        let make = ["-q", "-t", kind, "-b", bits, "-N", "", "-f", kind];
        let sign = ["-q", "-Y", "sign", "-n", ORDER, "-f", kind, "text"];
        for arguments in [&make[..], &sign] {
            let done = Command::new("ssh-keygen").current_dir(folder.path()).args(arguments).output().unwrap();
            assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        }
        let signature = Signature::read(&fs::read_to_string(path("text.sig")).unwrap()).unwrap_err();
        fs::remove_file(path("text.sig")).unwrap();
        let private = SigningKey::read(&fs::read_to_string(path(kind)).unwrap()).unwrap_err();
        let line = PublicKey::read(&fs::read_to_string(path(&format!("{kind}.pub"))).unwrap()).unwrap_err();
        assert_eq!(line, KeyRefused::Kind(public.to_owned()));
        for told in [signature.to_string(), private.to_string(), line.to_string()] {
            assert!(told.contains(&format!("a key of the kind `{}", public.split("-sha2").next().unwrap())), "{told}");
            assert!(told.contains("only `ssh-ed25519`; `ssh-keygen -t ed25519` makes one"), "{told}");
        }
    }
}

/// `ringmail sign` prints what `ssh-keygen -Y sign` writes, and `--texts` writes what that signs.
#[test]
fn the_verb_signs_as_ssh_keygen_does() {
    let folder = tempfile::tempdir().unwrap();
    let key = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ssh/id_ed25519");
    let ringmail = |arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_ringmail");
        Command::new(program).current_dir(folder.path()).arg("sign").args(arguments).output().unwrap()
    };
    let (game, head) = ("07".repeat(16), "0".repeat(64));
    let on = ["--game", game.as_str(), "--seat", "green", "--on", "12", "--head", head.as_str()];
    let signed = ringmail(&[&on[..], &["--key", key, "Roll  2"]].concat());
    let printed = String::from_utf8(signed.stdout).unwrap();
    assert_eq!(printed, concat!(include_str!("ssh/order.txt"), include_str!("ssh/order.txt.sig")));
    let written = ringmail(&[&on[..], &["--texts", ".", "roll 2", "done"]].concat());
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    assert_eq!(
        fs::read_to_string(folder.path().join("line-1.txt")).unwrap(),
        include_str!("ssh/order.txt").replace("1 of 1", "1 of 2")
    );
    assert!(fs::read_to_string(folder.path().join("line-2.txt")).unwrap().ends_with("line 2 of 2\ndone\n"));
    // The letter itself has the game, the seat and the head.
    let letter = format!(
        "Message-ID: <g7.12.{head}.green@play.example>\nFrom: box@play.example\n\nYour move.\n\n\
         ringmail-checkpoint/1\ngame {game}\nrecords 13\nhead {head}\nat 2026-11-20T04:06:35Z\n"
    );
    fs::write(folder.path().join("letter.eml"), letter).unwrap();
    let signed = ringmail(&["letter.eml", "roll 2", "--key", key]);
    assert_eq!(String::from_utf8(signed.stdout).unwrap(), printed);
    let encrypted = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ssh/id_encrypted");
    for (arguments, told) in [
        (vec!["letter.eml", "roll 2", "--key", encrypted], "asks for a passphrase"),
        (vec!["letter.eml", "roll 2", "--key", "letter.eml"], "this is no key"),
        (vec!["line-1.txt", "roll 2", "--key", key], "is not a letter of a game"),
        (vec!["letter.eml", "--key", key], "Say what is to be signed"),
    ] {
        let refused = ringmail(&arguments);
        let why = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && why.contains(told), "{arguments:?}: {why}");
    }
}
