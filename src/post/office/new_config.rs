/*! A new configuration, as `ringmail init` writes it: every key has a comment, and mere examples are commented out.
*/

use super::Mailroom;
use super::config_error::ConfigError;
use super::database::KEY;
use ground::secret::Source;
use mail::letter::mailbox::Mailbox;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// The values of a new configuration, which is otherwise comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewConfig {
    pub mailbox: Mailbox,
    pub mailroom: Mailroom,
    pub host: Option<Mailbox>,
    pub games: String,
    /// The address of a database, if it has the games.
    pub store: Option<String>,
    /// URLs.
    pub imap: Option<String>,
    pub smtp: Option<String>,
    /// The address at which a mail server on this machine hands letters over: `127.0.0.1:2424`.
    pub lmtp: Option<String>,
    pub secret: Option<Source>,
}

impl NewConfig {
    /// Writes the file. [`ConfigError::AlreadyThere`] if there is one: it stays as it is.
    pub fn create(&self, file: &Path) -> Result<(), ConfigError> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(file).and_then(|mut new| {
            new.write_all(self.text().as_bytes())?;
            new.sync_all()
        });
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ConfigError::AlreadyThere { file: file.to_owned() },
            _ => ConfigError::Write { file: file.to_owned(), error },
        })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let host = match &self.host {
            Some(host) => format!("host: {}", text(&host.to_string())),
            None => "# host: you@example.org".to_owned(),
        };
        let shared = if self.mailroom == Mailroom::Shared { "true" } else { "false" };
        include_str!("config.yaml")
            .replace("@MAILBOX@", &text(&self.mailbox.to_string()))
            .replace("@SHARED@", shared)
            .replace("@HOST@", &host)
            .replace("@GAMES@", &text(&self.games))
            .replace("@STORE@", &self.store())
            .replace("@IMAP@", &self.imap())
            .replace("@LMTP@", &self.lmtp())
            .replace("@SMTP@", &self.smtp())
    }

    fn store(&self) -> String {
        match &self.store {
            Some(url) => format!("store: {{ url: \"{url}\", key: {KEY} }}"),
            None => "# store: { url: \"postgres://ringmail@db.example.org/ringmail\", key: office.key }".to_owned(),
        }
    }

    fn imap(&self) -> String {
        let lines = [
            "  # A folder on an IMAP server: imaps:// (port 993), imap:// (143, STARTTLS),".to_owned(),
            "  # imap+plain:// (no TLS, only on this machine).".to_owned(),
            "  imap:".to_owned(),
            self.server(self.imap.as_deref(), "imaps://ringmail@imap.example.org"),
            self.secret(self.imap.as_deref()),
            "    # login: xoauth2         # the secret is an access token".to_owned(),
            "    # folder: INBOX".to_owned(),
            "    # Letters that are dealt with get flags. With folders, named as the server".to_owned(),
            "    # names them (on some, INBOX.Ringmail), they are moved:".to_owned(),
            "    # processed: Ringmail".to_owned(),
            "    # rejected: Ringmail/Rejected".to_owned(),
            "    # trust: own-ca.pem      # a further certificate".to_owned(),
        ];
        without(self.imap.is_none(), lines)
    }

    fn lmtp(&self) -> String {
        match &self.lmtp {
            Some(place) => format!("  lmtp: {}", text(place)),
            None => "  # lmtp: 127.0.0.1:2424".to_owned(),
        }
    }

    fn smtp(&self) -> String {
        let lines = [
            "  # A mail server: smtps:// (port 465), smtp:// (587, STARTTLS),".to_owned(),
            "  # smtp+plain:// (no TLS, only on this machine).".to_owned(),
            "  smtp:".to_owned(),
            self.server(self.smtp.as_deref(), "smtps://ringmail@smtp.example.org"),
            self.secret(self.smtp.as_deref()),
            "    # login: xoauth2".to_owned(),
            "    # return-path: mailbox   # for servers that let no +address pass".to_owned(),
            "    # trust: own-ca.pem".to_owned(),
        ];
        without(self.smtp.is_none(), lines)
    }

    fn server(&self, url: Option<&str>, example: &str) -> String {
        format!("    server: {}", text(url.unwrap_or(example)))
    }

    fn secret(&self, url: Option<&str>) -> String {
        let has_user = url.is_none_or(|url| url.contains('@'));
        let source = match &self.secret {
            Some(Source::Command(line)) => format!("{{ command: {} }}", text(line)),
            Some(Source::Keyring(service)) => format!("{{ keyring: {} }}", text(service)),
            Some(Source::Environment(variable)) => format!("{{ environment: {} }}", text(variable)),
            Some(Source::Credential(name)) => format!("{{ credential: {} }}", text(name)),
            None => "{ environment: RINGMAIL_PASSWORD }".to_owned(),
        };
        format!("    {}secret: {source}", if has_user { "" } else { "# " })
    }
}

/// Comments lines out if they are only an example.
fn without<const N: usize>(is_example: bool, lines: [String; N]) -> String {
    let comment = |line: String| match line.trim_start() {
        words if !is_example || words.starts_with('#') => line,
        _ => format!("  # {}", &line[2..]),
    };
    lines.map(comment).join("\n")
}

/// A YAML string, in quotation marks unless it is plain.
fn text(written: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '.' | '+' | '/' | '-' | '_' | ':');
    let begins_plain = written.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '.'));
    if begins_plain && written.chars().all(is_plain) && !written.ends_with(':') {
        written.to_owned()
    } else {
        format!("\"{}\"", written.replace('\\', "\\\\").replace('"', "\\\""))
    }
}
