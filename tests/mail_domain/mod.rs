//! A mail domain that signs its outgoing letters, a game whose seats have addresses that the log commits to, and a
//! host who records what he likes.

#![allow(dead_code, reason = "every test furnishes only the rooms it needs")]

use crate::house::{BLACK, GREEN, House, at, charter, secrets};
use crate::tiny_title::TITLES;
use data_encoding::BASE64;
use engine::seat::Seat;
use ground::hash::{Hash, Hex, sha256};
use mail::letter::dkim::{KeyRecord, KeyRecords, Later};
use post::book::vault::Vault;
use post::desk::authorship::Judges;
use post::witness::archive::Archive;
use record::charter::Charter;
use record::commit::address::SaltedAddress;
use record::entry::body::{Auth, Via};
use record::file::secrets::Secrets;
use record::table::{Joining, Table};
use record::verify::report::Report;
use record::verify::{Errors, Proofs, Wanted, verify_with};
use ring::signature::{Ed25519KeyPair, KeyPair};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;

/// The Date of the letters of these tests.
pub const TODAY: &str = "Tue, 24 Nov 2026 08:05:00 +0000";
/// What most domains sign, and the least that counts.
pub const USUAL: &str = "from:to:subject:date:message-id:in-reply-to";

/// The seed of the usual domain's key.
pub const KEY: u8 = 7;

pub fn key_of(domain: &str) -> KeyRecord {
    KeyRecord { name: format!("s._domainkey.{domain}"), text: Domain::new(KEY).record() }
}

/// The mail server of a domain: it signs outgoing letters.
pub struct Domain {
    pair: Ed25519KeyPair,
}

impl Domain {
    pub fn new(seed: u8) -> Domain {
        Domain { pair: Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap() }
    }

    /// The text of the key record.
    pub fn record(&self) -> String {
        format!("v=DKIM1; k=ed25519; p={}", BASE64.encode(self.pair.public_key().as_ref()))
    }

    /// Signs a letter of today over these fields, with extra tags.
    pub fn signs(&self, domain: &str, fields: &str, tags: &str, letter: &[u8]) -> Vec<u8> {
        let text = String::from_utf8(letter.to_vec()).unwrap();
        let text = if text.contains("\r\nDate: ") { text } else { format!("Date: {TODAY}\r\n{text}") };
        let (header, body) = text.split_once("\r\n\r\n").unwrap();
        let body = format!("{}\r\n", body.trim_end_matches("\r\n"));
        let body_hash = BASE64.encode(&Sha256::digest(body.as_bytes()));
        let empty = format!(
            "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/simple; d={domain}; s=s; {tags}h={fields}; \
             bh={body_hash}; b="
        );
        let mut signed = String::new();
        let names: Vec<String> = fields.split(':').map(|name| name.trim().to_lowercase()).collect();
        for (index, name) in names.iter().enumerate() {
            let before = names[..index].iter().filter(|other| *other == name).count();
            let is_it = |line: &&str| line.to_lowercase().starts_with(&format!("{name}:"));
            if let Some(line) = header.lines().rev().filter(is_it).nth(before) {
                signed.push_str(&format!("{}\r\n", relaxed(line)));
            }
        }
        signed.push_str(&relaxed(&empty));
        let signature = BASE64.encode(self.pair.sign(&Sha256::digest(signed.as_bytes())).as_ref());
        format!("{empty}{signature}\r\n{text}").into_bytes()
    }
}

/// RFC 6376 §3.4.2, for a field on one line.
fn relaxed(line: &str) -> String {
    let (name, value) = line.split_once(':').unwrap();
    format!("{}:{}", name.to_lowercase(), value.split_whitespace().collect::<Vec<&str>>().join(" "))
}

/// A DNS with one key in it.
pub struct Dns(pub String);

impl KeyRecords for Dns {
    fn texts(&self, name: &str) -> Result<Vec<String>, Later> {
        Ok(if name.starts_with("s._domainkey.") { vec![self.0.clone()] } else { Vec::new() })
    }
}

pub fn domain_of(player: &str) -> &str {
    player.split_once('@').unwrap().1
}

pub fn seat_of(player: &str) -> (u8, &'static str) {
    if player == GREEN { (1, "green") } else { (2, "black") }
}

fn salted(seat: u8) -> SaltedAddress {
    let address = if seat == 1 { GREEN } else { BLACK }.to_owned();
    SaltedAddress { address, salt: Hex([seat; 32]) }
}

/// The commitment to the address of a seat.
pub fn committed(seat: u8) -> Hash {
    salted(seat).commitment(&secrets::usual().game, seat)
}

/// The letter by which a player joins, signed by his domain.
fn joins(seat: u8, player: &str, genesis: &Hash) -> Vec<u8> {
    let letter = format!(
        "From: {player}\r\nTo: box+g7.guest-{seat}.abcdefghij@play.example\r\nSubject: Re: [g7 #0 {}]\r\n\
         In-Reply-To: <g7.0.{genesis}.guest-{seat}@play.example>\r\nMessage-ID: <join@{player}>\r\n\r\njoin\r\n",
        &genesis.to_string()[..12]
    );
    Domain::new(KEY).signs(domain_of(player), USUAL, "", letter.as_bytes())
}

/// A game whose seats have joined with their addresses; `joining` is what else they bring.
pub fn addressed(charter: &Charter, joining: impl Fn(u8) -> Joining) -> House {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("g7");
    let mut table = Table::create(&game, charter, secrets::usual(), at(0), TITLES).unwrap();
    let vault = Vault::open(&game).unwrap();
    for (number, player) in [(1, GREEN), (2, BLACK)] {
        vault.keep_address(&salted(number), &committed(number)).unwrap();
        vault.keep_key(&key_of(domain_of(player))).unwrap();
        let letter = joins(number, player, &table.fold().genesis());
        vault.keep(&letter).unwrap();
        let class = if charter.min_auth == Some(Auth::Dkim) { Auth::Dkim } else { Auth::Token };
        let via = Via::letter(sha256(&letter), 0, class);
        let joining = Joining { address: Some(committed(number)), ..joining(number) };
        table.join(Seat(number), &joining, Some(via), at(0)).unwrap();
    }
    table.start(at(0)).unwrap();
    let salt = |secrets: &mut Secrets| {
        for (number, seat) in (1..).zip(&mut secrets.seats) {
            seat.salt = Some(salted(number).salt);
        }
    };
    table.change_secrets(salt).unwrap();
    drop(table);
    House::of(folder, TITLES).opens(at(1))
}

/// A game that plays only signed letters, and a desk that checks them with this key record.
pub fn strict(key: String) -> House {
    let charter = Charter { min_auth: Some(Auth::Dkim), ..charter::many_riddles() };
    let mut house = addressed(&charter, |_| Joining::default());
    house.office = house.office.clone().believing(Judges { keys: Some(Arc::new(Dns(key))), server: None });
    house
}

impl House {
    /// A player's answer to the newest letter he got, signed by his domain.
    pub fn signed_answer(&mut self, domain: &Domain, player: &str, text: &str) -> Vec<u8> {
        let raw = self.answer_to(&self.newest(player), player, text);
        domain.signs(domain_of(player), USUAL, "", &raw)
    }

    /// The `via` with which the host claims that a letter was signed, with the key that he says the DNS had.
    pub fn claims(&mut self, letter: &[u8], key: &KeyRecord, seen: u64) -> Via {
        let vault = Vault::open(&self.path()).unwrap();
        vault.keep(letter).unwrap();
        let key = vault.keep_key(key).unwrap();
        self.minutes += 1;
        self.office.desk("g7").unwrap().table.date_key(key, at(self.minutes)).unwrap();
        Via::letter(sha256(letter), seen, Auth::Dkim)
    }

    /// The last record.
    pub fn head(&self) -> u64 {
        self.office.desk("g7").unwrap().table.fold().head().seq
    }

    /// The log, verified against the letters of the vault.
    pub fn held(&self) -> Report {
        held(&self.log(), &self.path().join("vault"))
    }
}

/// A log, verified against the letters of a folder.
pub fn held(log: &str, folder: &Path) -> Report {
    let archive = Archive::open(folder, TITLES).unwrap();
    let file = "log.yaml".to_owned();
    let wanted = Wanted { file, titles: TITLES, errors: Errors::First, seen: Vec::new(), progress: &mut |_| {} };
    verify_with(log.as_bytes(), wanted, Proofs { letters: Some(&archive), ..Proofs::default() }).unwrap()
}
