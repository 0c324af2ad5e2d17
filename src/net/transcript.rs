/*! What is said over the wires, for a host who wants to see it: IMAP, SMTP, LMTP and the beacon's HTTP, as events of
`tracing`.

It holds no secret and no letter. Logins are left out, and a secret that a server repeats is masked. What follows the
`+` in an address is masked too, because a seat's token stands there. Of a letter only the length is shown.
*/

use data_encoding::BASE64;
use std::borrow::Cow;
use std::cmp::Reverse;
use tracing::{Level, enabled, trace};

/// Shown in place of a secret.
const MASK: &str = "***";
/// Characters of a line that are shown.
const LINE_MAX: usize = 300;

/// The dialogue with one peer.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// `imap.example.org:993`.
    peer: String,
    secrets: Vec<String>,
}

impl Transcript {
    pub fn new(peer: String) -> Transcript {
        Transcript { peer, secrets: Vec::new() }
    }

    /// Masks a secret from now on, as it is and in base64.
    pub fn hide(&mut self, secret: &str) {
        if !secret.is_empty() {
            self.secrets.extend([secret.to_owned(), BASE64.encode(secret.as_bytes())]);
            // The longest first: an encoded login contains the secret, and must not be shown around its mask.
            self.secrets.sort_by_key(|secret| Reverse(secret.len()));
        }
    }

    /// A line that we said.
    pub fn sent(&self, line: &str) {
        self.tell("> ", line);
    }

    /// A line that the peer said.
    pub fn received(&self, line: &[u8]) {
        if enabled!(Level::TRACE) {
            self.tell("< ", &String::from_utf8_lossy(line));
        }
    }

    /// An event that is no line of the dialogue.
    pub fn note(&self, what: &str) {
        self.tell("", what);
    }

    fn tell(&self, direction: &str, line: &str) {
        if enabled!(Level::TRACE) {
            trace!("{} {direction}{}", self.peer, self.shown(line));
        }
    }

    fn shown(&self, line: &str) -> String {
        let mut line = Cow::Borrowed(line.trim_end());
        for secret in &self.secrets {
            if line.contains(secret.as_str()) {
                line = Cow::Owned(line.replace(secret.as_str(), MASK));
            }
        }
        let line = without_letter(&line);
        let shown: String = without_details(&line).chars().filter(|c| !c.is_control()).take(LINE_MAX).collect();
        shown
    }
}

/// An IMAP server may put a letter into the line itself: after `BODY[` only an announced length is shown.
fn without_letter(line: &str) -> Cow<'_, str> {
    let Some(at) = line.to_ascii_uppercase().find("BODY[") else { return Cow::Borrowed(line) };
    let length = line.rfind('{').filter(|length| *length > at && line.ends_with('}'));
    let length = length.map_or("", |length| &line[length..]);
    Cow::Owned(format!("{}BODY[…] {length}", &line[..at]))
}

/// `box+g7.green.abc@play.example` is `box+***@play.example`.
pub fn without_details(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('+') {
        let end = behind.find(|c: char| c == '@' || c.is_whitespace() || matches!(c, '<' | '>'));
        shown.push_str(before);
        shown.push('+');
        rest = match end {
            Some(end) if behind[end..].starts_with('@') => {
                shown.push_str(MASK);
                &behind[end..]
            }
            _ => behind,
        };
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str, expected: &str) {
        let mut transcript = Transcript::new("localhost:143".to_owned());
        transcript.hide("mellon");
        assert_eq!(transcript.shown(line), expected);
    }

    #[test]
    fn x3_no_secret_and_no_letter_is_shown() {
        case("r1 NO mellon is wrong, and so is bWVsbG9u\r\n", "r1 NO *** is wrong, and so is ***");
        case("RCPT TO:<box+g7.green.abc@play.example>", "RCPT TO:<box+***@play.example>");
        case("r2 UID STORE 1 +FLAGS (a) b@c", "r2 UID STORE 1 +FLAGS (a) b@c");
        case("* 1 FETCH (UID 1 BODY[] {321}", "* 1 FETCH (UID 1 BODY[…] {321}");
        case("* 1 FETCH (UID 1 body[] \"pass\")", "* 1 FETCH (UID 1 BODY[…] ");
    }
}
