//! Letters signed by dkimpy 1.1.8, an independent implementation, with RSA and ed25519 keys in every style; the tests
//! alter them.

use super::*;
use std::path::Path;

/// The records of `tests/dkim/keys.txt`.
struct Archive(Vec<KeyRecord>);

impl KeyRecords for Archive {
    fn texts(&self, name: &str) -> Result<Vec<String>, Later> {
        Ok(self.0.iter().filter(|key| key.name == name).map(|key| key.text.clone()).collect())
    }
}

fn archive() -> Archive {
    let keys = include_str!("../../../tests/dkim/keys.txt").lines().filter_map(|line| line.split_once(' '));
    Archive(keys.map(|(name, text)| KeyRecord { name: name.to_owned(), text: text.to_owned() }).collect())
}

fn letter(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/dkim");
    std::fs::read(folder.join(format!("{name}.eml"))).unwrap()
}

fn at() -> Stamp {
    Stamp::parse("2026-11-20T10:00:00Z").unwrap()
}

fn late() -> Stamp {
    Stamp::parse("2036-11-20T08:00:00Z").unwrap()
}

fn judged(raw: &[u8]) -> Result<Signed, Unsigned> {
    check(raw, "shire.example", Some(at()), &archive())
}

#[track_caller]
fn passes(name: &str) {
    let signed = judged(&letter(name)).unwrap_or_else(|why| panic!("{name}: {why}"));
    assert_eq!(signed.domain, "shire.example");
    assert!(signed.fields.iter().any(|field| field == "in-reply-to"), "{:?}", signed.fields);
    // With the line ends of a Maildir.
    let feeds = String::from_utf8(letter(name)).unwrap().replace("\r\n", "\n");
    assert_eq!(judged(feeds.as_bytes()), Ok(signed));
}

#[test]
fn a5_letters_signed_by_another_hand_pass() {
    for name in ["relaxed", "simple", "mixed", "short-key", "ed25519", "two", "empty", "empty-relaxed"] {
        passes(name);
    }
}

#[test]
fn a5_who_owns_a_domain_speaks_for_what_is_below_it_and_not_the_other_way_round() {
    assert!(check(&letter("below"), "east.shire.example", Some(at()), &archive()).is_ok());
    #[track_caller]
    fn case(domain: &str, author: &str, aligned: bool) {
        assert_eq!(is_aligned(domain, author), aligned, "{domain} for {author}");
    }
    case("shire.example", "shire.example", true);
    case("shire.example", "east.shire.example", true);
    case("east.shire.example", "shire.example", false);
    case("shire.example", "eastshire.example", false);
    case("example", "shire.example", false);
    case("", "shire.example", false);
    case(".example", "shire.example", false);
}

#[track_caller]
fn fails(raw: &[u8], part: &str) {
    let why = judged(raw).expect_err("the letter was altered").to_string();
    assert!(why.contains(part), "{why}");
}

#[test]
fn a5_every_way_to_prove_nothing_is_told() {
    fails(&letter("revoked"), "revoked");
    fails(&letter("trying"), "testing DKIM");
    fails(&letter("no-key"), "no DKIM key under gone._domainkey.shire.example");
    fails(&letter("strict-below"), "may not sign for subdomains");
    fails(&letter("with-length"), "only the beginning");
    fails(&letter("list"), "by list.example, not by shire.example");
    fails(&replaced("relaxed", "i=@shire.example", "i=@mordor.example"), "signer (i=) is not of its domain");
    fails(&replaced("relaxed", "i=@shire.example", "i=@eastshire.example"), "signer (i=) is not of its domain");
    fails(b"From: bilbo@shire.example\r\n\r\nroll 2\r\n", "no DKIM signature");
    fails(b"", "no DKIM signature");
}

fn replaced(name: &str, from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(letter(name)).unwrap();
    assert!(text.contains(from), "{name} has no `{from}`");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn a5_what_was_altered_on_the_way_proves_nothing() {
    for name in ["relaxed", "simple", "ed25519"] {
        fails(&replaced(name, "roll  2", "roll  3"), "text was altered");
        fails(&replaced(name, "advance", "Advance"), "text was altered");
        fails(&replaced(name, "In-Reply-To: <g7.3.", "In-Reply-To: <g7.4."), "header was altered");
        fails(&replaced(name, "Bilbo Baggins", "Bilbo Boffin"), "header was altered");
        fails(&replaced(name, "From: Bilbo", "From: x@shire.example\r\nFrom: Bilbo"), "header was altered");
        let footer = [letter(name), b"--\r\nA list hangs this below.\r\n".to_vec()].concat();
        fails(&footer, "text was altered");
        assert!(judged(&[letter(name), b"\r\n\r\n".to_vec()].concat()).is_ok(), "blank lines at the end");
    }
    // Blanks may change in the relaxed style only.
    assert!(judged(&replaced("relaxed", "roll  2 ", "roll 2")).is_ok());
    fails(&replaced("simple", "roll  2 ", "roll 2"), "text was altered");
    assert!(judged(&replaced("relaxed", "Your   move:", "Your move:")).is_ok());
    fails(&replaced("simple", "Your   move:", "Your move:"), "header was altered");
}

#[test]
fn a5_a_signature_is_judged_by_the_day_the_letter_came() {
    // The signature has no `x=` and never expires; one that is dated after the letter came is refused.
    assert!(check(&letter("relaxed"), "shire.example", Some(late()), &archive()).is_ok());
    let early = Stamp::parse("2016-11-20T08:00:00Z").unwrap();
    let why = check(&letter("relaxed"), "shire.example", Some(early), &archive()).unwrap_err();
    assert!(why.to_string().contains("dated after the letter came"), "{why}");
    let expires = replaced("relaxed", "v=1;", "v=1; x=1700000000;");
    fails(&expires, "expired");
}

/// How a correctly signed letter is judged whose signature has these further `tags`, and whose key record has these
/// `flags`.
fn signed_with(tags: &str, flags: &str) -> Result<Signed, Unsigned> {
    use ring::signature::{Ed25519KeyPair, KeyPair};
    let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
    let body_hash = BASE64.encode(&Sha256::digest(b"roll 2\r\n"));
    let usual = "v=1; a=ed25519-sha256; c=relaxed/relaxed; d=shire.example; s=own; h=from; ";
    let field = format!("dkim-signature:{usual}{tags}bh={body_hash}; b=");
    let from = "from:bilbo@shire.example\r\n";
    let signature = BASE64.encode(pair.sign(&Sha256::digest(format!("{from}{field}"))).as_ref());
    let letter = format!("{field}{signature}\r\n{from}\r\nroll 2\r\n");
    let text = format!("v=DKIM1; k=ed25519; {flags}p={}", BASE64.encode(pair.public_key().as_ref()));
    let keys = Archive(vec![KeyRecord { name: "own._domainkey.shire.example".to_owned(), text }]);
    check(letter.as_bytes(), "shire.example", Some(at()), &keys)
}

/// RFC 6376 §3.2: a name that occurs twice makes the whole list of tags invalid, whichever tag it is.
#[test]
fn a5_a_tag_given_twice_makes_the_signature_invalid() {
    #[track_caller]
    fn case(tags: &str, flags: &str, why: Option<&str>) {
        let judged = signed_with(tags, flags).map(|_| ()).map_err(|why| why.to_string());
        assert_eq!(judged.as_ref().map_err(String::as_str).err(), why, "{tags}{flags}");
    }
    let signature = Some("the DKIM signature of shire.example is malformed: one of its tags is given twice");
    let key = Some("the DKIM key under own._domainkey.shire.example cannot be used: one of its tags is given twice");
    case("", "", None);
    case("x=4102444800; i=@shire.example; z=; ", "t=s; n=; ", None);
    case("x=1700000000; x=4102444800; ", "", signature);
    case("i=@shire.example; i=@mordor.example; ", "", signature);
    case("i=@shire.example; i=@shire.example; ", "", signature);
    case("l=0; l=8; ", "", signature);
    case("z=; z=; ", "", signature);
    case("d=shire.example; ", "", signature);
    case("d=list.example; ", "", signature);
    case("", "t=y; t=s; ", key);
    case("", "h=sha1; h=sha256; ", key);
    case("", "n=; n=; ", key);
}

#[test]
fn a5_no_bytes_whatever_make_it_panic() {
    let raw = letter("relaxed");
    let mut altered = raw.clone();
    for at in 0..raw.len() {
        for byte in [0, b';', b'=', b'\n', 0xff] {
            altered[at] = byte;
            let _ = judged(&altered);
        }
        altered[at] = raw[at];
        let _ = judged(&raw[..at]);
    }
}

#[test]
fn a_lookup_that_fails_is_not_a_verdict() {
    struct Broken;
    impl KeyRecords for Broken {
        fn texts(&self, _: &str) -> Result<Vec<String>, Later> {
            Err(Later("no answer in 5 s".to_owned()))
        }
    }
    let why = check(&letter("relaxed"), "shire.example", Some(at()), &Broken);
    assert_eq!(why, Err(Unsigned::Later(Later("no answer in 5 s".to_owned()))));
}
