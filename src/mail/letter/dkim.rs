/*! DKIM signatures checked (RFC 6376, RFC 8301, RFC 8463), at receipt and again offline from what was archived.

A signature proves that this text left the servers of that domain, sent by somebody who may write from it, and nothing
more. The check is our own code on the cryptography of the TLS library: DKIM libraries judge by today's clock, but a
letter from an archive must be judged by the day on which it came.
*/

use data_encoding::BASE64;
use ground::effort;
use ground::line::cleaned;
use ground::stamp::Stamp;
use jiff::Timestamp;
use ring::signature::{self, UnparsedPublicKey};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt;

/// How many signatures of one letter are checked at most; each may cost a question to the DNS.
pub(super) const SIGNATURES_MAX: usize = 5;
/// How many names of fields a signature may cover.
const NAMES_MAX: usize = 64;
/// How many key records under one name are tried at most: each costs the arithmetic of a signature.
const KEYS_MAX: usize = 4;
/// RFC 6376 §3.5: how far a sender's clock may be ahead of ours, in seconds.
const CLOCK_AHEAD: i64 = 3600;

/// A record of a public key, as the DNS gave it; it is archived with the letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRecord {
    /// `20230601._domainkey.example.org`
    pub name: String,
    pub text: String,
}

/// Where records of keys come from: the DNS, an archive, or the table of a test.
pub trait KeyRecords: Send + Sync {
    /// The texts under a name; empty if there is no such name.
    ///
    /// # Errors
    /// The lookup failed for now: check the letter again later.
    fn texts(&self, name: &str) -> Result<Vec<String>, Later>;

    /// We will soon ask for these names: look them up now if you can.
    fn look_up(&self, _names: Vec<String>) {}
}

/// Why the lookup has failed for now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Later(pub String);

/// A letter that its author's domain signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    pub domain: String,
    pub key: KeyRecord,
    /// The fields of the header that the signature covers, in lower case.
    pub fields: Vec<String>,
    /// SHA-256 of the text as it was signed (`bh=`).
    pub body_hash: Vec<u8>,
}

/// Why no signature of a letter proves its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsigned {
    /// The letter has no signature.
    None,
    /// The letter is signed, but not by the author's domain.
    NotAligned {
        domains: Vec<String>,
        author: String,
    },
    /// A tag of the signature is missing or wrong.
    Malformed {
        domain: String,
        why: &'static str,
    },
    /// The domain publishes no key under this name, or has revoked it.
    NoKey {
        name: String,
    },
    /// The key record is malformed, or the key is for another purpose.
    BadKey {
        name: String,
        why: &'static str,
    },
    BodyAltered {
        domain: String,
    },
    HeaderAltered {
        domain: String,
    },
    Expired {
        domain: String,
    },
    /// The signature is valid, but does not tie the letter to what it must be tied to.
    NotBound {
        domain: String,
        why: String,
    },
    Later(Later),
}

impl fmt::Display for Unsigned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsigned::None => write!(f, "your mail provider has put no DKIM signature on it"),
            Unsigned::NotAligned { domains, author } => {
                write!(f, "its DKIM signature is by {}, not by {author}, the domain you write from", domains.join(", "))
            }
            Unsigned::Malformed { domain, why } => write!(f, "the DKIM signature of {domain} is malformed: {why}"),
            Unsigned::NoKey { name } => write!(f, "there is no DKIM key under {name}"),
            Unsigned::BadKey { name, why } => write!(f, "the DKIM key under {name} cannot be used: {why}"),
            Unsigned::BodyAltered { domain } => {
                write!(f, "its text was altered on the way, after {domain} signed it (by a mailing list or a scanner)")
            }
            Unsigned::HeaderAltered { domain } => {
                write!(f, "its header was altered on the way, after {domain} signed it")
            }
            Unsigned::Expired { domain } => write!(f, "the DKIM signature of {domain} had expired when it came"),
            Unsigned::NotBound { domain, why } => {
                write!(f, "the DKIM signature of {domain} does not count here: {why}")
            }
            Unsigned::Later(Later(why)) => write!(f, "the DKIM key could not be looked up: {why}"),
        }
    }
}

/// Checks the signatures of a letter; `author` is the host of its author's address. `at` is when the letter came.
/// `None` is for a letter from an archive that was checked when it came: then times are not judged.
///
/// # Errors
/// Why no signature proves that the author's domain signed; if that domain has signed, by its first signature.
pub fn check(raw: &[u8], author: &str, at: Option<Stamp>, keys: &dyn KeyRecords) -> Result<Signed, Unsigned> {
    check_bound(raw, author, at, keys, &|_, _| Ok(()))
}

/// What a signature must cover beyond RFC 6376; the names are those of its `h=`.
pub(super) type Bound<'b> = dyn Fn(&Letter<'_>, &[String]) -> Result<(), String> + 'b;

/// As [`check`], for signatures that must meet a further condition.
pub(super) fn check_bound(
    raw: &[u8],
    author: &str,
    at: Option<Stamp>,
    keys: &dyn KeyRecords,
    bound: &Bound<'_>,
) -> Result<Signed, Unsigned> {
    let letter = Letter::split(raw);
    let mut why: Option<Unsigned> = None;
    let mut domains = Vec::new();
    let signatures = letter.fields.iter().filter(|field| field.name == "dkim-signature");
    for field in signatures.take(SIGNATURES_MAX) {
        let tags = Tags::read(&field.value());
        let domain = tags.get("d").unwrap_or_default().to_lowercase();
        if !is_aligned(&domain, author) {
            domains.push(cleaned(&domain, 80));
            continue;
        }
        match signature(&letter, field, &tags, &domain, Asked { at, keys, bound }) {
            Ok(signed) => return Ok(signed),
            // The next key would come from the same name servers.
            Err(later @ Unsigned::Later(_)) => return Err(later),
            Err(unsigned) => drop(why.get_or_insert(unsigned)),
        }
    }
    Err(why.unwrap_or_else(|| {
        if domains.is_empty() { Unsigned::None } else { Unsigned::NotAligned { domains, author: author.to_owned() } }
    }))
}

/// A domain speaks for addresses at it and at its subdomains. A signature of `mail.example.org` for `example.org`,
/// which DMARC would accept, is not accepted: the owner of a subdomain does not speak for the whole domain.
pub fn is_aligned(domain: &str, author: &str) -> bool {
    let below = author.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    domain.contains('.') && !domain.starts_with('.') && below
}

/// What a signature is judged by.
#[derive(Clone, Copy)]
struct Asked<'a> {
    at: Option<Stamp>,
    keys: &'a dyn KeyRecords,
    bound: &'a Bound<'a>,
}

fn signature(
    letter: &Letter<'_>,
    field: &Field<'_>,
    tags: &Tags,
    domain: &str,
    Asked { at, keys, bound }: Asked<'_>,
) -> Result<Signed, Unsigned> {
    let malformed = |why| Unsigned::Malformed { domain: domain.to_owned(), why };
    if tags.are_doubled() {
        return Err(malformed(DOUBLED));
    }
    let tag = |name, why| tags.get(name).ok_or_else(|| malformed(why));
    if tag("v", "it has no version")? != "1" {
        return Err(malformed("its version is not 1"));
    }
    let kind = match tag("a", "it names no algorithm (a=)")? {
        "rsa-sha256" => "rsa",
        "ed25519-sha256" => "ed25519",
        "rsa-sha1" => return Err(malformed("rsa-sha1 is no longer a proof (RFC 8301)")),
        _ => return Err(malformed("its algorithm is unknown")),
    };
    // With `l=` anybody could append sentences below the signed text.
    if tags.get("l").is_some() {
        return Err(malformed("it covers only the beginning of the text (l=)"));
    }
    let names = tag("h", "it names no fields")?.split(':').take(NAMES_MAX + 1);
    let fields: Vec<String> = names.map(|name| name.trim().to_ascii_lowercase()).collect();
    if fields.len() > NAMES_MAX {
        return Err(malformed("it names more than 64 fields (h=)"));
    }
    if !fields.iter().any(|name| name == "from") {
        return Err(malformed("it does not cover From"));
    }
    bound(letter, &fields).map_err(|why| Unsigned::NotBound { domain: domain.to_owned(), why })?;
    if let Some(at) = at {
        in_time(tags, domain, at)?;
    }
    let (header_style, body_style) = styles(tags.get("c")).ok_or_else(|| malformed("it has an unknown c="))?;
    let body_hash = decoded(tag("bh", "it has no bh=")?).ok_or_else(|| malformed("its bh= is damaged"))?;
    let bytes = decoded(tag("b", "it has no b=")?).ok_or_else(|| malformed("its b= is damaged"))?;
    if Sha256::digest(body(&letter.body, body_style)).as_slice() != body_hash {
        return Err(Unsigned::BodyAltered { domain: domain.to_owned() });
    }
    let selector = tag("s", "it has no selector")?.to_lowercase();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if selector.is_empty() || !selector.chars().all(is_name) || !domain.chars().all(is_name) {
        return Err(malformed("its selector or domain is not a valid name"));
    }
    // RFC 6376 §3.5, `i=`: the signer is at the domain or below it.
    let identity = tags.get("i").map(|identity| identity.rsplit_once('@').map_or("", |(_, host)| host).to_lowercase());
    if identity.as_ref().is_some_and(|host| !is_aligned(domain, host)) {
        return Err(malformed("its signer (i=) is not of its domain"));
    }
    let name = format!("{selector}._domainkey.{domain}");
    let signed = header(letter, field, &fields, header_style);
    let mut why = Unsigned::NoKey { name: name.clone() };
    for text in keys.texts(&name).map_err(Unsigned::Later)?.into_iter().take(KEYS_MAX) {
        let key = match Key::read(&text, kind) {
            Ok(key) => key,
            Err(wrong) => {
                why = Unsigned::BadKey { name: name.clone(), why: wrong };
                continue;
            }
        };
        if key.is_strict && identity.as_ref().is_some_and(|host| host != domain) {
            why = Unsigned::BadKey { name: name.clone(), why: "it may not sign for subdomains (t=s)" };
            continue;
        }
        if key.verifies(&signed, &bytes) {
            return Ok(Signed { domain: domain.to_owned(), key: KeyRecord { name, text }, fields, body_hash });
        }
        why = Unsigned::HeaderAltered { domain: domain.to_owned() };
    }
    Err(why)
}

/// RFC 6376 §3.5, `t=` and `x=`: judged by the time at which the letter came, whenever it is checked.
fn in_time(tags: &Tags, domain: &str, at: Stamp) -> Result<(), Unsigned> {
    let at: Timestamp = at.as_str().parse().expect("a stamp is a second of universal time");
    let at = at.as_second();
    let second = |name| tags.get(name).and_then(|second| second.parse::<i64>().ok());
    if second("x").is_some_and(|expires| expires < at) {
        return Err(Unsigned::Expired { domain: domain.to_owned() });
    }
    if second("t").is_some_and(|made| made > at.saturating_add(CLOCK_AHEAD)) {
        let why = "it is dated after the letter came";
        return Err(Unsigned::Malformed { domain: domain.to_owned(), why });
    }
    Ok(())
}

/// RFC 6376 §3.4: how much of a letter may change in transit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Simple,
    Relaxed,
}

/// `c=`, for the header and for the body; `simple` is the default.
fn styles(tag: Option<&str>) -> Option<(Style, Style)> {
    let style = |word: &str| match word {
        "simple" => Some(Style::Simple),
        "relaxed" => Some(Style::Relaxed),
        _ => None,
    };
    let tag = tag.unwrap_or("simple");
    let (header, body) = tag.split_once('/').unwrap_or((tag, "simple"));
    Some((style(header)?, style(body)?))
}

/// A letter as the signer saw it: lines end with CR LF, whatever line ends the mailbox keeps.
pub(super) struct Letter<'l> {
    pub(super) fields: Vec<Field<'l>>,
    pub(super) body: Vec<u8>,
}

pub(super) struct Field<'l> {
    /// In lower case.
    pub(super) name: String,
    /// As written, without the last line break.
    pub(super) written: &'l [u8],
}

impl Field<'_> {
    fn value(&self) -> String {
        let start = self.written.iter().position(|byte| *byte == b':').map_or(0, |colon| colon + 1);
        String::from_utf8_lossy(&self.written[start..]).into_owned()
    }
}

impl Letter<'_> {
    pub(super) fn split(raw: &[u8]) -> Letter<'_> {
        let mut fields: Vec<Field<'_>> = Vec::new();
        let mut at = 0;
        while at < raw.len() {
            let end = line_end(raw, at);
            if trimmed(&raw[at..end]).is_empty() {
                at = end;
                break;
            }
            let start = at;
            at = end;
            while matches!(raw.get(at), Some(b' ' | b'\t')) && !trimmed(&raw[at..line_end(raw, at)]).is_empty() {
                at = line_end(raw, at);
            }
            let written = trimmed(&raw[start..at]);
            let name = written.split(|byte| *byte == b':').next().unwrap_or(written);
            let name = String::from_utf8_lossy(name).trim().to_ascii_lowercase();
            fields.push(Field { name, written });
        }
        Letter { fields, body: with_crlf(&raw[at..]) }
    }
}

fn line_end(raw: &[u8], from: usize) -> usize {
    raw[from..].iter().position(|byte| *byte == b'\n').map_or(raw.len(), |feed| from + feed + 1)
}

fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(bytes.len() + bytes.len() / 32);
    for byte in bytes {
        if *byte == b'\n' && whole.last() != Some(&b'\r') {
            whole.push(b'\r');
        }
        whole.push(*byte);
    }
    whole
}

/// RFC 6376 §3.4.3 and §3.4.4: the text in the form that is hashed.
fn body(text: &[u8], style: Style) -> Vec<u8> {
    let mut hashed = Vec::with_capacity(text.len());
    let mut blank = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n').map(trimmed) {
        let line = match style {
            Style::Simple => line.to_vec(),
            Style::Relaxed => squeezed(line),
        };
        if line.is_empty() {
            blank += 1;
            continue;
        }
        // Blank lines at the end do not count, others do.
        (0..std::mem::take(&mut blank)).for_each(|_| hashed.extend_from_slice(b"\r\n"));
        hashed.extend_from_slice(&line);
        hashed.extend_from_slice(b"\r\n");
    }
    if hashed.is_empty() && style == Style::Simple {
        hashed.extend_from_slice(b"\r\n");
    }
    hashed
}

/// A run of blanks becomes one space; blanks at the end are removed.
fn squeezed(line: &[u8]) -> Vec<u8> {
    let mut squeezed: Vec<u8> = Vec::with_capacity(line.len());
    for byte in line {
        match byte {
            b' ' | b'\t' if squeezed.last() == Some(&b' ') => {}
            b' ' | b'\t' => squeezed.push(b' '),
            other => squeezed.push(*other),
        }
    }
    if squeezed.last() == Some(&b' ') {
        squeezed.pop();
    }
    squeezed
}

/// RFC 6376 §3.7: the part of the header that is signed. Of several fields with the same name the lowest comes first;
/// if `h=` names a field that is missing, nobody can add it later.
fn header(letter: &Letter<'_>, signature: &Field<'_>, names: &[String], style: Style) -> Vec<u8> {
    let mut signed = Vec::new();
    for (index, name) in names.iter().enumerate() {
        effort::step(index + letter.fields.len());
        let before = names[..index].iter().filter(|other| *other == name).count();
        let found = letter.fields.iter().rev().filter(|field| field.name == *name).nth(before);
        if let Some(field) = found {
            signed.extend_from_slice(&canonical(field.written, style));
            signed.extend_from_slice(b"\r\n");
        }
    }
    signed.extend_from_slice(&canonical(&without_value(signature.written), style));
    signed
}

/// RFC 6376 §3.4.1 and §3.4.2.
fn canonical(field: &[u8], style: Style) -> Vec<u8> {
    if style == Style::Simple {
        return with_crlf(field);
    }
    let colon = field.iter().position(|byte| *byte == b':').unwrap_or(field.len());
    let (name, value) = field.split_at(colon);
    let unfolded: Vec<u8> = value.iter().skip(1).copied().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    let value = squeezed(&unfolded);
    let mut whole = squeezed(name).to_ascii_lowercase();
    whole.push(b':');
    whole.extend_from_slice(value.strip_prefix(b" ").unwrap_or(&value));
    whole
}

/// The signature field with an empty `b=`.
fn without_value(field: &[u8]) -> Vec<u8> {
    let colon = field.iter().position(|byte| *byte == b':').map_or(0, |colon| colon + 1);
    let mut whole = field[..colon].to_vec();
    for (index, tag) in field[colon..].split(|byte| *byte == b';').enumerate() {
        if index > 0 {
            whole.push(b';');
        }
        let equals = tag.iter().position(|byte| *byte == b'=');
        match equals.filter(|equals| tag[..*equals].trim_ascii() == b"b") {
            Some(equals) => whole.extend_from_slice(&tag[..=equals]),
            None => whole.extend_from_slice(tag),
        }
    }
    whole
}

/// RFC 6376 §3.2: `name=value; name=value`.
struct Tags(Vec<(String, String)>);

/// RFC 6376 §3.2: a name that occurs twice makes the whole list invalid.
const DOUBLED: &str = "one of its tags is given twice";

impl Tags {
    fn read(text: &str) -> Tags {
        effort::step(text.len());
        let tag = |tag: &str| {
            let (name, value) = tag.split_once('=')?;
            let value: Vec<&str> = value.split_whitespace().collect();
            Some((name.trim().to_owned(), value.join(" ")))
        };
        Tags(text.split(';').filter_map(tag).collect())
    }

    fn are_doubled(&self) -> bool {
        let names: BTreeSet<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        names.len() < self.0.len()
    }

    fn get(&self, name: &str) -> Option<&str> {
        effort::step(self.0.len());
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

fn decoded(value: &str) -> Option<Vec<u8>> {
    let letters: String = value.chars().filter(|letter| !letter.is_whitespace()).collect();
    BASE64.decode(letters.as_bytes()).ok()
}

/// A public key of a domain.
struct Key {
    kind: KeyKind,
    bytes: Vec<u8>,
    /// RFC 6376 §3.6.1, `t=s`: only for the domain itself.
    is_strict: bool,
}

#[derive(PartialEq, Eq)]
enum KeyKind {
    Rsa,
    Ed25519,
}

impl Key {
    /// RFC 6376 §3.6.1.
    fn read(text: &str, wanted: &str) -> Result<Key, &'static str> {
        if text.chars().any(char::is_control) {
            return Err("it has control characters");
        }
        let tags = Tags::read(text);
        if tags.are_doubled() {
            return Err(DOUBLED);
        }
        if tags.get("v").is_some_and(|version| version != "DKIM1") {
            return Err("it is not a DKIM record");
        }
        let lists = |name: &str, word: &str| {
            tags.get(name)
                .is_none_or(|list| list.split(':').any(|item| matches!(item.trim(), "*") || item.trim() == word))
        };
        if !lists("h", "sha256") || !lists("s", "email") {
            return Err("it is for another hash or service");
        }
        let flags: Vec<&str> = tags.get("t").unwrap_or_default().split(':').map(str::trim).collect();
        if flags.contains(&"y") {
            return Err("its domain is only testing DKIM (t=y)");
        }
        let written = tags.get("p").ok_or("it has no key")?;
        if written.is_empty() {
            return Err("it has been revoked");
        }
        let bytes = decoded(written).ok_or("it is damaged")?;
        let (kind, bytes) = match tags.get("k").unwrap_or("rsa") {
            kind if kind != wanted => return Err("its type is not that of the signature"),
            "rsa" => {
                let key = rsa_key(&bytes).ok_or("it is damaged")?;
                if rsa_bits(key).ok_or("it is damaged")? < RSA_BITS_LEAST {
                    return Err("it has fewer than 1024 bits (RFC 8301)");
                }
                (KeyKind::Rsa, key.to_vec())
            }
            _ => (KeyKind::Ed25519, bytes),
        };
        Ok(Key { kind, bytes, is_strict: flags.contains(&"s") })
    }

    fn verifies(&self, signed: &[u8], bytes: &[u8]) -> bool {
        match self.kind {
            // RFC 8301 §3.2: keys of 1024 bits and more are accepted.
            KeyKind::Rsa => {
                let rsa = &signature::RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY;
                UnparsedPublicKey::new(rsa, &self.bytes).verify(signed, bytes).is_ok()
            }
            // RFC 8463 §3: the hash is signed, not the header.
            KeyKind::Ed25519 => {
                let hash = Sha256::digest(signed);
                UnparsedPublicKey::new(&signature::ED25519, &self.bytes).verify(&hash, bytes).is_ok()
            }
        }
    }
}

/// The RSAPublicKey within a SubjectPublicKeyInfo (RFC 5280 §4.1), or a bare one, as some domains publish.
fn rsa_key(der: &[u8]) -> Option<&[u8]> {
    let (inside, _) = der_value(der, 0x30)?;
    if inside.first() == Some(&0x02) {
        return Some(der);
    }
    let (_, rest) = der_value(inside, 0x30)?;
    let (bits, _) = der_value(rest, 0x03)?;
    bits.strip_prefix(&[0])
}

/// RFC 8301 §3.2.
const RSA_BITS_LEAST: usize = 1024;

/// The length of the modulus of an RSAPublicKey (RFC 8017 §A.1.1).
fn rsa_bits(key: &[u8]) -> Option<usize> {
    let (inside, _) = der_value(key, 0x30)?;
    let (modulus, _) = der_value(inside, 0x02)?;
    let modulus = &modulus[modulus.iter().position(|byte| *byte != 0)?..];
    Some(modulus.len() * 8 - modulus.first()?.leading_zeros() as usize)
}

/// The contents of the DER value at the beginning, and what follows it.
fn der_value(der: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (found, rest) = der.split_first()?;
    let (first, rest) = rest.split_first().filter(|_| *found == tag)?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(*first), rest),
        0x81 | 0x82 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    rest.split_at_checked(length)
}

#[cfg(test)]
#[path = "dkim_tests.rs"]
mod tests;
