/*! Signatures between Ringmail and the `ssh-keygen` of this machine.

A file of its own: whoever starts a program while others hold locks makes the locks last until it has started.
*/

use ringmail::record::hash::Hex;
use ringmail::record::signature::{ORDER, PublicKey, Signature, SigningKey};
use ringmail::record::signed::SignedSentence;
use std::fs;
use std::process::Command;

#[test]
fn a5_what_ssh_keygen_signs_is_ours_to_check_and_the_other_way_round() {
    let Ok(version) = Command::new("ssh-keygen").arg("-?").output() else {
        assert!(std::env::var_os("RINGMAIL_CI").is_none(), "ssh-keygen (openssh-client) is missing");
        eprintln!("ssh-keygen is not installed: what it makes is checked from tests/ssh only");
        return;
    };
    drop(version);
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
        head: Hex([9; 32]),
        number: 1,
        words: "roll 2".to_owned(),
    };
    fs::write(path("order.txt"), sentence.to_string()).unwrap();
    run(&["-q", "-Y", "sign", "-n", ORDER, "-f", "key", "order.txt"]);
    let theirs = fs::read_to_string(path("order.txt.sig")).unwrap();
    let theirs = Signature::read(&theirs).unwrap();
    assert_eq!(theirs.check(&[public], ORDER, sentence.to_string().as_bytes()), Ok(public));
    // And ours, made with the same key, is theirs to check.
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
