/*! How well it is known who wrote a letter (requirement A5): what its outside proves, before a line of it is read.

The class is found from the DKIM signature when the letter comes, and is kept with the evidence: the letter's bytes,
the record of the key and the address with its salt. From these anybody can check it again offline ([`super::tied`]
says what a signature must tie together). What our own mail server says of a letter is only its word, and cannot be
shown to others: it counts as much as the secret address of the seat, and no more.
*/

use super::minutes::Minutes;
use super::tied::Tie;
use crate::book::fault::PostError;
use crate::book::vault::Vault;
use crate::book::{Authorship, Book, Event, LetterIn};
use crate::names::address::{Place, Seen};
use ground::stamp::Stamp;
use mail::letter::Letter;
use mail::letter::dkim::{self, KeyRecord, KeyRecords, Unsigned};
use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::letter::signed_part::SignedPart;
use record::entry::body::Auth;
use record::table::Table;
use std::fmt;
use std::io;
use std::sync::Arc;

/// The sources that say who wrote a letter: the DNS by its keys, and our own mail server by its word.
#[derive(Clone, Default)]
pub struct Judges {
    /// Where the keys of domains are looked up; if `None`, no signature is checked.
    pub keys: Option<Arc<dyn KeyRecords>>,
    /// The name under which our own mail server writes `Authentication-Results` (RFC 8601).
    pub server: Option<String>,
}

impl Judges {
    /// Looks up ahead the keys that this letter needs when it comes to its game, so that no game waits for a name
    /// server.
    pub fn foresee(&self, raw: &[u8], limits: &Limits) {
        if let Some(keys) = &self.keys {
            keys.look_up(SignedPart::key_names(raw, limits));
        }
    }
}

impl fmt::Debug for Judges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judges").field("keys", &self.keys.is_some()).field("server", &self.server).finish()
    }
}

/// What was found, and the key that the vault keeps with the letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    authorship: Authorship,
    key: Option<KeyRecord>,
    /// The signed part, if the letter is signed.
    part: Option<Box<SignedPart>>,
}

/// The class of a letter that nobody has signed.
pub(super) fn unsigned(bears_token: bool) -> Option<Auth> {
    bears_token.then_some(Auth::Token)
}

/// The keys cannot be looked up now, and the game plays no letter without a signature: receive it again later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskLater(String);

impl Judges {
    /// Judges the outside of a letter that came at this time. `least` is the class that its game requires.
    ///
    /// # Errors
    /// [`AskLater`] if the keys cannot be looked up now: the letter must not be refused for that.
    fn judge(&self, raw: &[u8], letter: &Letter, least: Auth, at: Stamp) -> Result<Found, AskLater> {
        let is_checked = self.keys.is_some() || self.server.is_some();
        let found = |auth, why| Found { authorship: Authorship { auth, why, is_checked }, key: None, part: None };
        let Ok(author) = &letter.envelope.author else {
            return Ok(found(None, "the letter names no author".to_owned()));
        };
        let why = match &self.keys {
            None if self.server.is_some() => "our mail server has found no DKIM signature that holds".to_owned(),
            None => "no DKIM signature is checked here".to_owned(),
            Some(keys) => match SignedPart::open(raw, Some(at), &**keys, &Limits::ORDINARY) {
                Ok(part) => {
                    let why = format!("signed by {} (DKIM, key {})", part.signed.domain, part.signed.key.name);
                    let (key, part) = (Some(part.signed.key.clone()), Some(Box::new(part)));
                    return Ok(Found { key, part, ..found(Some(Auth::Dkim), why) });
                }
                Err(Unsigned::Later(later)) if least == Auth::Dkim => return Err(AskLater(later.0)),
                Err(unsigned) => unsigned.to_string(),
            },
        };
        if self.vouches(letter, author) {
            let server = self.server.as_deref().unwrap_or_default();
            let why = format!("{why}; our mail server {server} vouches for {}", author.host);
            return Ok(found(Some(Auth::Token), why));
        }
        Ok(found(None, why))
    }

    /// Whether our own mail server says that the author's domain signed. Only the topmost `Authentication-Results`
    /// counts: our server writes its own on top, and those below could have come with the letter.
    fn vouches(&self, letter: &Letter, author: &Mailbox) -> bool {
        let Some(server) = &self.server else { return false };
        let mut fields = letter.envelope.values("authentication-results");
        fields.next().is_some_and(|field| has_signed(field, server, &author.host))
    }
}

/// What a desk knows of its game.
pub(super) struct Papers<'d> {
    pub(super) table: &'d mut Table,
    pub(super) minutes: &'d mut Minutes,
    pub(super) book: &'d mut Book,
    pub(super) vault: &'d Vault,
}

/// The outside of a letter.
#[derive(Clone, Copy)]
pub(super) struct Outside<'l> {
    pub(super) raw: &'l [u8],
    pub(super) letter: &'l Letter,
    pub(super) bears_token: bool,
    pub(super) place: &'l Place,
    pub(super) seen: Option<&'l Seen>,
}

/// Finds out how well it is known who wrote a letter that was taken: once, and kept with its evidence.
///
/// # Errors
/// It cannot be found out now, and the letter is to wait; or something cannot be written.
pub(super) fn find(
    judges: &Judges,
    Papers { table, minutes, book, vault }: Papers<'_>,
    outside: Outside<'_>,
    mut letter_in: LetterIn,
) -> Result<LetterIn, PostError> {
    let Outside { raw, letter, bears_token, .. } = outside;
    if letter_in.authorship.is_some() {
        return Ok(letter_in);
    }
    let came = Stamp::parse(&letter_in.at).unwrap_or_else(|| table.fold().at());
    let least = table.fold().plan().min_auth;
    let later = |later: AskLater| io::Error::new(io::ErrorKind::TimedOut, later.0);
    let mut found = judges.judge(raw, letter, least, came).map_err(later)?;
    if let (Some(part), Some(keys)) = (&found.part, &judges.keys) {
        let mut tie = Tie { table, minutes, book, vault, keys: &**keys };
        if let Err(why) = tie.check(part, outside, came) {
            let domain = part.signed.domain.clone();
            found.authorship.auth = None;
            found.authorship.why = Unsigned::NotBound { domain, why }.to_string();
            found.key = None;
        }
    }
    if let Some(key) = &found.key {
        let key = vault.keep_key(key)?;
        table.date_key(key, came.max(table.fold().at()))?;
    }
    let Authorship { auth, why, is_checked } = found.authorship;
    let auth = auth.max(unsigned(bears_token));
    // That it came to the seat's address is not noted: this is found again from the letter.
    if auth != Some(Auth::Token) {
        book.append(Event::Authored { raw: letter_in.raw, auth, why: why.clone() })?;
    }
    letter_in.authorship = Some(Authorship { auth, why, is_checked });
    Ok(letter_in)
}

/// RFC 8601 §2.2: `server; dkim=pass header.d=domain …; spf=…`, comments aside.
fn has_signed(field: &str, server: &str, author: &str) -> bool {
    let field = without_comments(field);
    let mut parts = field.split(';');
    // A version may follow the name.
    let id = parts.next().unwrap_or_default().split_whitespace().next().unwrap_or_default();
    id.eq_ignore_ascii_case(server)
        && parts.any(|result| {
            let words: Vec<String> = result.split_whitespace().map(str::to_lowercase).collect();
            let domain = words.iter().find_map(|word| word.strip_prefix("header.d="));
            words.first().is_some_and(|first| first == "dkim=pass")
                && domain.is_some_and(|domain| dkim::is_aligned(domain.trim_matches('"'), author))
        })
}

/// RFC 5322 §3.2.2: brackets hold a comment, except in quotation marks.
fn without_comments(field: &str) -> String {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let mut kept = String::new();
    for c in field.chars() {
        let was_escaped = std::mem::take(&mut escaped);
        match c {
            '\\' if !was_escaped => escaped = true,
            '"' if depth == 0 && !was_escaped => quoted = !quoted,
            '(' if !quoted && !was_escaped => depth += 1,
            ')' if !quoted && !was_escaped => depth = depth.saturating_sub(1),
            // A quoted semicolon must not end or begin a result.
            ';' if quoted => {}
            c if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail::letter::dkim::Later;
    use mail::letter::limits::Limits;

    struct Broken;

    impl KeyRecords for Broken {
        fn texts(&self, _: &str) -> Result<Vec<String>, Later> {
            Err(Later("no answer in 5 s".to_owned()))
        }
    }

    fn judged(header: &str, judges: &Judges, least: Auth) -> Result<Found, AskLater> {
        let raw = format!("{header}From: bilbo@shire.example\r\nSubject: x\r\n\r\nroll 2\r\n");
        let letter = Letter::open(raw.as_bytes(), &Limits::ORDINARY);
        judges.judge(raw.as_bytes(), &letter, least, Stamp::parse("2026-11-20T10:00:00Z").unwrap())
    }

    #[track_caller]
    fn case(header: &str, expected: Option<Auth>) {
        let judges = Judges { keys: None, server: Some("mx.play.example".to_owned()) };
        assert_eq!(judged(header, &judges, Auth::Token).unwrap().authorship.auth, expected, "{header}");
    }

    #[test]
    fn a5_only_our_own_server_is_believed_and_only_for_the_authors_domain() {
        // This is only the server's word, which cannot be shown to others: not `dkim`.
        case("Authentication-Results: mx.play.example; dkim=pass header.d=shire.example\r\n", Some(Auth::Token));
        case(
            "Authentication-Results: mx.play.example 1; spf=pass;\r\n dkim=pass (2048-bit key; x) \
              header.d=shire.example\r\n",
            Some(Auth::Token),
        );
        case("Authentication-Results: mx.evil.example; dkim=pass header.d=shire.example\r\n", None);
        case("Authentication-Results: mx.play.example; dkim=fail header.d=shire.example\r\n", None);
        case("Authentication-Results: mx.play.example; dkim=pass header.d=evil.example\r\n", None);
        case(
            "Authentication-Results: mx.play.example; spf=pass smtp.mailfrom=\"; \
             dkim=pass header.d=shire.example\"\r\n",
            None,
        );
        case("Authentication-Results: mx.play.example; spf=pass (; dkim=pass header.d=shire.example)\r\n", None);
        // A field below another server's may have come with the letter.
        case(
            "Authentication-Results: mx.other.example; spf=pass\r\nAuthentication-Results: mx.play.example; dkim=pass \
              header.d=shire.example\r\n",
            None,
        );
        case("", None);
    }

    #[test]
    fn a_name_server_that_is_silent_delays_only_letters_that_need_it() {
        let signed = "DKIM-Signature: v=1; a=rsa-sha256; d=shire.example; s=s; h=from:date:subject; \
                      c=relaxed/relaxed; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA\r\n\
                      Date: Fri, 20 Nov 2026 09:00:00 +0000\r\nSubject: x\r\n";
        let judges = Judges { keys: Some(Arc::new(Broken)), server: None };
        let later = |least| {
            let raw = format!("{signed}From: bilbo@shire.example\r\n\r\n");
            let letter = Letter::open(raw.as_bytes(), &Limits::ORDINARY);
            judges.judge(raw.as_bytes(), &letter, least, Stamp::parse("2026-11-20T10:00:00Z").unwrap())
        };
        assert_eq!(later(Auth::Dkim), Err(AskLater("no answer in 5 s".to_owned())));
        assert_eq!(later(Auth::Token).unwrap().authorship.auth, None);
    }
}
