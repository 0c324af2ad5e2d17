/*! What can be wrong with a configuration. Each error names the file with line and column, the key, and what would be
right.
*/

use ground::secret::without_password;
use mail::wire::server::NotAServer;
use net::beacon::NotARelay;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::{fmt, io};

/// Why a configuration cannot be used. Every variant names the place in the file.
#[derive(Debug)]
pub enum ConfigError {
    Read { file: PathBuf, error: io::Error },
    Write { file: PathBuf, error: io::Error },
    AlreadyThere { file: PathBuf },
    NotUnderstood { file: PathBuf, error: String },
    NotAnAddress { file: PathBuf, key: &'static str, written: String },
    Server { file: PathBuf, key: &'static str, error: NotAServer },
    NoUser { file: PathBuf, key: &'static str, url: String },
    NoSecret { file: PathBuf, key: &'static str, user: String },
    SecretInClear { file: PathBuf, key: &'static str },
    Secret { file: PathBuf, key: &'static str },
    Trust { file: PathBuf, key: &'static str, trusted: PathBuf, error: io::Error },
    NoCertificate { file: PathBuf, key: &'static str, trusted: PathBuf, why: String },
    SeveralWaysOut { file: PathBuf, key: &'static str },
    Port { file: PathBuf, written: String },
    Names { file: PathBuf, written: String },
    Beacon { file: PathBuf, error: NotARelay },
    Health { file: PathBuf, written: String },
    NotLoopback { file: PathBuf, address: SocketAddr },
    NoReader { file: PathBuf },
    NoWayOut { file: PathBuf },
    SameWay { file: PathBuf },
    Store { file: PathBuf },
}

impl fmt::Display for ConfigError {
    #[expect(clippy::too_many_lines, reason = "an arm for each error")]
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Read { file, error } if error.kind() == io::ErrorKind::NotFound => {
                write!(formatter, "there is no configuration in {}; `ringmail init` makes one", file.display())
            }
            ConfigError::Read { file, error } => write!(formatter, "{} cannot be read: {error}", file.display()),
            ConfigError::Write { file, error } if error.kind() == io::ErrorKind::NotFound => {
                write!(formatter, "{} cannot be written: its folder is not there; make that first", file.display())
            }
            ConfigError::Write { file, error } => write!(formatter, "{} cannot be written: {error}", file.display()),
            ConfigError::AlreadyThere { file } => {
                write!(formatter, "{} is there already and will not be replaced", file.display())
            }
            ConfigError::NotUnderstood { file, error } => {
                write!(formatter, "{} is not understood: {}", file.display(), without_values(error))
            }
            ConfigError::NotAnAddress { file, key, written } => {
                let (file, written) = (file.display(), without_password(written));
                write!(formatter, "{file}: {key}: `{written}` is no mail address like box@example.org")
            }
            ConfigError::Server { file, key, error } => write!(formatter, "{}: {key}: {error}", file.display()),
            ConfigError::NoUser { file, key, url } => write!(
                formatter,
                "{}: {key}: there is a secret, but `{url}` does not say whose; write {}",
                file.display(),
                url.replacen("://", "://USER@", 1)
            ),
            ConfigError::NoSecret { file, key, user } => write!(
                formatter,
                "{}: {key}: there is no secret for {user}; write secret: {{ command: \"…\" }}, {{ keyring: … }}, \
                 {{ environment: … }} or {{ credential: … }}",
                file.display()
            ),
            ConfigError::SecretInClear { file, key } => write!(
                formatter,
                "{}: {key}: this file holds no secrets; say where it is kept: {{ command: \"…\" }}, \
                 {{ keyring: … }}, {{ environment: … }} or {{ credential: … }}",
                file.display()
            ),
            ConfigError::Secret { file, key } => write!(
                formatter,
                "{}: {key}: a secret is exactly one of {{ command: \"…\" }}, {{ keyring: … }}, {{ environment: … }}, \
                 and {{ credential: … }}, which is the name of a file without a folder",
                file.display()
            ),
            ConfigError::Trust { file, key, trusted, error } => {
                write!(formatter, "{}: {key}: {} cannot be read: {error}", file.display(), trusted.display())
            }
            ConfigError::NoCertificate { file, key, trusted, why } => {
                write!(formatter, "{}: {key}: {} is no certificate in PEM: {why}", file.display(), trusted.display())
            }
            ConfigError::SeveralWaysOut { file, key } => {
                write!(
                    formatter,
                    "{}: {key}: letters go out by exactly one of smtp, sendmail and files",
                    file.display()
                )
            }
            ConfigError::NoReader { file } => {
                write!(formatter, "{}: alerts: who is to be told? Write `to:` here, or `host:` above", file.display())
            }
            ConfigError::NoWayOut { file } => {
                write!(formatter, "{}: alerts: name a way out: one of smtp, sendmail and files", file.display())
            }
            ConfigError::Store { file } => write!(
                formatter,
                "{}: store: this is no address of a database like postgres://USER@HOST/DATABASE",
                file.display()
            ),
            ConfigError::SameWay { file } => write!(
                formatter,
                "{}: alerts: this is the way of all other letters (`send`), and is of no use when that fails; name \
                 another one",
                file.display()
            ),
            ConfigError::Beacon { file, error } => write!(formatter, "{}: beacon: {error}", file.display()),
            ConfigError::Names { file, written } => write!(
                formatter,
                "{}: dns: `{}` is none of off, system, and an address like 127.0.0.1:53",
                file.display(),
                without_password(written)
            ),
            ConfigError::Health { file, written } => {
                write!(
                    formatter,
                    "{}: health: `{}` is no place to listen on like 127.0.0.1:9797",
                    file.display(),
                    without_password(written)
                )
            }
            ConfigError::NotLoopback { file, address } => write!(
                formatter,
                "{}: health: others could reach {address}; write one like 127.0.0.1:9797, or, if that is wanted, \
                 {{ listen: \"{address}\", for-others: true }}",
                file.display()
            ),
            ConfigError::Port { file, written } => write!(
                formatter,
                "{}: receive.lmtp: `{}` is no place to listen on like 127.0.0.1:2424",
                file.display(),
                without_password(written)
            ),
        }
    }
}

impl std::error::Error for ConfigError {}

impl ConfigError {
    /// The same error, with the line and the column of its key after the name of the file.
    pub(super) fn placed(mut self, text: &str) -> ConfigError {
        let place = self.key().and_then(|key| place(text, key));
        if let (Some((line, column)), Some(file)) = (place, self.file()) {
            *file = PathBuf::from(format!("{}:{line}:{column}", file.display()));
        }
        self
    }

    /// The key concerned, from the outermost in: `send.smtp.secret`.
    fn key(&self) -> Option<&'static str> {
        match self {
            ConfigError::NotAnAddress { key, .. }
            | ConfigError::Server { key, .. }
            | ConfigError::NoUser { key, .. }
            | ConfigError::NoSecret { key, .. }
            | ConfigError::SecretInClear { key, .. }
            | ConfigError::Secret { key, .. }
            | ConfigError::Trust { key, .. }
            | ConfigError::NoCertificate { key, .. }
            | ConfigError::SeveralWaysOut { key, .. } => Some(key),
            ConfigError::Store { .. } => Some("store"),
            ConfigError::Port { .. } => Some("receive.lmtp"),
            ConfigError::Names { .. } => Some("dns"),
            ConfigError::Beacon { .. } => Some("beacon"),
            ConfigError::Health { .. } | ConfigError::NotLoopback { .. } => Some("health"),
            ConfigError::NoReader { .. } | ConfigError::NoWayOut { .. } | ConfigError::SameWay { .. } => Some("alerts"),
            // An error of the YAML reader has its place in its words.
            ConfigError::Read { .. }
            | ConfigError::Write { .. }
            | ConfigError::AlreadyThere { .. }
            | ConfigError::NotUnderstood { .. } => None,
        }
    }

    fn file(&mut self) -> Option<&mut PathBuf> {
        match self {
            ConfigError::Read { .. }
            | ConfigError::Write { .. }
            | ConfigError::AlreadyThere { .. }
            | ConfigError::NotUnderstood { .. } => None,
            ConfigError::NotAnAddress { file, .. }
            | ConfigError::Server { file, .. }
            | ConfigError::NoUser { file, .. }
            | ConfigError::NoSecret { file, .. }
            | ConfigError::SecretInClear { file, .. }
            | ConfigError::Secret { file, .. }
            | ConfigError::Trust { file, .. }
            | ConfigError::NoCertificate { file, .. }
            | ConfigError::SeveralWaysOut { file, .. }
            | ConfigError::Port { file, .. }
            | ConfigError::Names { file, .. }
            | ConfigError::Beacon { file, .. }
            | ConfigError::Health { file, .. }
            | ConfigError::NotLoopback { file, .. }
            | ConfigError::NoReader { file }
            | ConfigError::NoWayOut { file }
            | ConfigError::SameWay { file }
            | ConfigError::Store { file } => Some(file),
        }
    }
}

/// The words of the YAML reader without the value that it met, which may be a password. The line and the column,
/// which follow, show which value is meant.
fn without_values(said: &str) -> String {
    let begins = ["invalid type: ", "invalid value: ", "unknown variant "];
    let Some(at) = begins.iter().find_map(|begin| Some(said.find(begin)? + begin.len())) else {
        return said.to_owned();
    };
    match (said[at..].find(['"', '`']), said.rfind(", expected ")) {
        (Some(value), Some(expected)) if at + value < expected => {
            format!("{}{}", said[..at + value].trim_end(), &said[expected..])
        }
        _ => said.to_owned(),
    }
}

/// The line and the column of a key, both from 1; if the key is missing, those of the innermost key around it.
fn place(text: &str, key: &str) -> Option<(usize, usize)> {
    let mut found = None;
    let mut from = 0;
    for word in key.split('.') {
        let Some(at) = key_at(text, word, from) else { break };
        (found, from) = (Some(at), at + word.len());
    }
    let before = &text[..found?];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    Some((before.matches('\n').count() + 1, before[line_start..].chars().count() + 1))
}

/// Where a word is a key, from this position on, outside of comments.
fn key_at(text: &str, word: &str, from: usize) -> Option<usize> {
    let is_key = |at: &usize| {
        let line_start = text[..*at].rfind('\n').map_or(0, |end| end + 1);
        let before = &text[line_start..*at];
        let begins = before.chars().next_back().is_none_or(|c| matches!(c, ' ' | '{' | ',' | '"' | '\''));
        let ends = text[at + word.len()..].trim_start_matches(['"', '\'']).starts_with(':');
        begins && ends && !before.trim_start().starts_with('#')
    };
    text[from..].match_indices(word).map(|(at, _)| from + at).find(is_key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(key: &str, expected: (usize, usize)) {
        let text = "# host: you\nmailbox: box@a\nsend:\n  smtp:\n    server: x\n    # secret: y\nhost: me\n\
                    receive: { imap: { server: x, secret: z } }\n";
        assert_eq!(place(text, key), Some(expected));
    }

    #[test]
    fn a_value_that_was_not_understood_is_not_shown() {
        let said = "send.smtp: invalid type: string \"mel`, expected \\\"lon\", expected server at line 3 column 9";
        assert_eq!(without_values(said), "send.smtp: invalid type: string, expected server at line 3 column 9");
        let said = "invalid type: integer `1234`, expected a string at line 1 column 1";
        assert_eq!(without_values(said), "invalid type: integer, expected a string at line 1 column 1");
        let said = "unknown variant `mellon`, expected `text` or `html` at line 1 column 10";
        assert_eq!(without_values(said), "unknown variant, expected `text` or `html` at line 1 column 10");
        let said = "send: unknown field `smpt`, expected one of `smtp`, `files` at line 3 column 3";
        assert_eq!(without_values(said), said);
    }

    #[test]
    fn a_key_is_found_in_both_notations_and_not_in_a_comment() {
        case("host", (7, 1));
        case("send.smtp.server", (5, 5));
        case("receive.imap.secret", (8, 31));
        // A missing key has the place of the one around it.
        case("receive.lmtp", (8, 1));
    }
}
