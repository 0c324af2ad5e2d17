/*! A checkpoint, copied from a letter as a player would do it, and checked by the `ssh-keygen` of this machine.

It has its own file: if another test of the same process holds a lock while a program is started, the program inherits
the lock for a moment.
*/

use crate::house::{GREEN, House, at, charter, field, secrets, table};
use crate::needs;
use crate::pages;
use ground::hash::sha256;
use mail::letter::mailbox::Mailbox;
use mail_parser::MessageParser;
use post::desk::lobby::Invitation;
use record::commit::words::fingerprint;
use record::file::secrets::Secrets;
use report::columns;
use report::guest::Role;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A game whose host has a key, or none.
fn house(host_key: Option<&[u8]>) -> House {
    let secrets = Secrets { host_key: host_key.map(sha256), ..secrets::usual() };
    House::founded(&charter::many_riddles(), secrets, table::nothing)
}

/// What a player sees of a letter, and its attachments.
fn opened(letter: &str) -> (String, Vec<Vec<u8>>) {
    let message = MessageParser::default().parse(letter.as_bytes()).unwrap();
    let text = message.body_text(0).unwrap().replace("\r\n", "\n");
    (text, message.attachments().map(|part| part.contents().to_vec()).collect())
}

/// The lines from the first to the last, as a reader copies them.
fn copied(text: &str, first: &str, last: &str) -> String {
    let from = text.lines().skip_while(|line| *line != first);
    let end = from.clone().position(|line| line.starts_with(last)).expect("it is there");
    from.take(end + 1).map(|line| format!("{line}\n")).collect()
}

fn keygen(folder: &Path) -> Output {
    let arguments = "-Y verify -f hosts -I host -n ringmail-checkpoint@v1 -s check.txt.sig";
    let text = fs::File::open(folder.join("check.txt")).unwrap();
    Command::new("ssh-keygen").current_dir(folder).args(arguments.split(' ')).stdin(text).output().unwrap()
}

#[test]
fn ssh_keygen_checks_what_a_letter_shows() {
    if !needs::programs(&["ssh-keygen", "sed"]) {
        return;
    }
    let mut house = house(Some(b"host key"));
    house.says(GREEN, "help checkpoint\r\n");
    house.send();
    let help = house.newest(GREEN);
    let letters = {
        let desk = house.office.desk("g7").unwrap();
        let names: Vec<String> = desk.book.letters_out().map(|out| out.letter.clone()).collect();
        let read = |name: &String| desk.outbox.read(desk.outbox.shelf(name).unwrap().unwrap(), name).unwrap();
        names.iter().map(|name| String::from_utf8(read(name)).unwrap()).collect::<Vec<String>>()
    };
    let log = house.log();
    drop(house);
    assert!(letters.len() >= 3);
    let command = opened(&help).0.lines().find(|line| line.contains("sed -n")).unwrap().trim().to_owned();
    assert!(opened(&help).0.contains(
        "ssh-keygen -Y verify -f hosts -I host -n ringmail-checkpoint@v1 \\\n    -s check.txt.sig < check.txt"
    ));
    for letter in &letters {
        let folder = tempfile::tempdir().unwrap();
        let (text, _) = opened(letter);
        pages::is_a_page(&text, columns::LETTER);
        assert!(text.ends_with("\n-----END SSH SIGNATURE-----\n"), "{text}");
        fs::write(folder.path().join("check.txt"), copied(&text, "ringmail-checkpoint/1", "at ")).unwrap();
        let signature = copied(&text, "-----BEGIN SSH SIGNATURE-----", "-----END");
        fs::write(folder.path().join("check.txt.sig"), signature).unwrap();
        fs::write(folder.path().join("g7-000000-000009.yaml"), &log).unwrap();
        // The first command of the help, exactly as printed.
        assert!(Command::new("sh").current_dir(folder.path()).args(["-c", &command]).status().unwrap().success());
        let checked = keygen(folder.path());
        assert!(checked.status.success(), "{text}\n{}", String::from_utf8_lossy(&checked.stderr));
        let check = fs::read_to_string(folder.path().join("check.txt")).unwrap();
        assert!(check.contains(&field(letter, "Message-ID").split('.').nth(2).unwrap().to_owned()), "{check}");
        // Another number of records does not fit the signature.
        fs::write(folder.path().join("check.txt"), check.replace("\nrecords ", "\nrecords 1")).unwrap();
        assert!(!keygen(folder.path()).status.success());
    }
}

#[test]
fn a_host_without_a_key_says_so() {
    let house = house(None);
    let (text, _) = opened(&house.newest(GREEN));
    pages::is_a_page(&text, columns::LETTER);
    assert!(text.contains(" checkpoint; this host has no key, and nobody signed it "), "{text}");
    assert!(!text.contains("SSH SIGNATURE") && text.lines().last().unwrap().starts_with("at 20"), "{text}");
}

#[test]
fn the_first_letter_of_a_game_and_every_invitation_have_its_fingerprint() {
    let mut house = house(Some(b"host key"));
    let words = fingerprint(&house.genesis());
    let first = opened(&house.newest(GREEN)).0;
    let lines = format!("\n  {}\n  {}\n", words[..6].join(" "), words[6..].join(" "));
    assert!(first.contains("THE FINGERPRINT OF THIS GAME\n") && first.contains(&lines), "{first}");
    house.says(GREEN, "status\r\n");
    let later = opened(&house.newest(GREEN)).0;
    assert!(!later.contains("FINGERPRINT"), "{later}");
    let subject = MessageParser::default().parse(house.newest(GREEN).as_bytes()).unwrap().subject().unwrap().to_owned();
    assert!(subject.contains(&format!(" {} {}] ", words[0], words[1])), "{subject}");
    let guest = "dora@ferny.example";
    let address = Mailbox::read(guest).unwrap();
    let mut desk = house.office.desk("g7").unwrap();
    let invitation = Invitation { address, name: None, role: Role::Observer, seat: None, given_by: None };
    desk.invite(&invitation).unwrap().unwrap();
    desk.settle_guests(at(60)).unwrap();
    drop(desk);
    let invited = opened(&house.newest(guest)).0;
    assert!(invited.contains("THE FINGERPRINT OF THIS GAME\n") && invited.contains(&lines), "{invited}");
    assert!(invited.contains("by telephone"), "{invited}");
}
