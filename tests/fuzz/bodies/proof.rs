/*! Any bytes are a letter that proves something: signed with DKIM, with our records attached, or saying that a letter
of ours could not be delivered. And any bytes are a key, a signature, a checkpoint, a share.
*/

use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::letter::dkim::{self, KeyRecords, Later};
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use post::names::returned::Returned;
use post::witness;
use record::commit::checkpoint::Noted;
use record::commit::escrow;
use record::commit::signature::{PublicKey, Signature, SigningKey};

/// Names and texts of keys, one a line.
const KEYS: &str = include_str!("../../dkim/keys.txt");

/// A bounce (RFC 3464).
const BOUNCE: &str = "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: box@play.example\r\n\
    Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nIt failed.\r\n--b\r\n\
    Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n\
    Final-Recipient: rfc822; frodo@shire.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\
    Diagnostic-Code: smtp; 550 no such user\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n\
    Message-ID: <g7.1.aa.free@play.example>\r\n\r\nYour move\r\n--b--\r\n";

struct Table;

impl KeyRecords for Table {
    fn texts(&self, name: &str) -> Result<Vec<String>, Later> {
        assert!(name.contains("._domainkey."), "{name}");
        let lines = KEYS.lines().filter_map(|line| line.split_once(' '));
        Ok(lines.filter(|(key, _)| *key == name).map(|(_, text)| text.to_owned()).collect())
    }
}

pub fn run(data: &[u8]) {
    let letter = Letter::open(data, &Limits::ORDINARY);
    signed(data);
    let ours = Mailbox::read("box@play.example").expect("an address");
    let _ = Returned::read(data, &letter.envelope, &ours);
    let _ = witness::attached(data, &letter);
    let text = String::from_utf8_lossy(data);
    keys(&text);
    text.lines().for_each(noted);
}

/// Valid inputs. `letters` are signed ones.
pub fn seeds(letters: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let key = include_bytes!("../../ssh/id_ed25519");
    let line = include_bytes!("../../ssh/id_ed25519.pub");
    let signature = include_bytes!("../../ssh/order.txt.sig");
    let mut seeds = letters;
    seeds.extend([key.to_vec(), line.to_vec(), signature.to_vec(), BOUNCE.as_bytes().to_vec()]);
    seeds
}

fn signed(data: &[u8]) {
    let at = Stamp::parse("2026-11-20T12:00:00Z");
    match dkim::check(data, "shire.example", at, &Table) {
        Ok(signed) => {
            assert!(dkim::is_aligned(&signed.domain, "shire.example"));
            assert!(signed.fields.iter().any(|field| field == "from"), "who wrote it is signed: {signed:?}");
        }
        Err(unsigned) => assert!(!unsigned.to_string().is_empty()),
    }
}

fn keys(text: &str) {
    match PublicKey::read(text) {
        Ok(key) => assert_eq!(PublicKey::read(&key.to_string()).ok(), Some(key)),
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
    match Signature::read(text) {
        Ok(signature) => assert_eq!(Signature::read(&signature.in_armour()), Ok(signature)),
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
    if let Err(refused) = SigningKey::read(text) {
        assert!(!refused.to_string().is_empty());
    }
}

fn noted(line: &str) {
    for noted in Noted::find(&line.lines().collect::<Vec<&str>>()) {
        assert_eq!(Noted::find(&noted.to_string().lines().collect::<Vec<&str>>()), [noted]);
    }
    if let Some(share) = escrow::read(line) {
        assert_eq!(escrow::read(&escrow::write(&share)), Some(share));
    }
}
