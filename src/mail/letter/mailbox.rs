/*! One mail address, as the post compares it (requirement A4): the host in any case, the local part exactly. */

use std::fmt;

/// A mail address: `local@host`, the host in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mailbox {
    pub local: String,
    pub host: String,
}

impl Mailbox {
    /// Reads `local@host` or `<local@host>`; `None` if it is not one plain address.
    pub fn read(written: &str) -> Option<Mailbox> {
        let written = written.trim();
        let written = written.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(written);
        let (local, host) = written.rsplit_once('@')?;
        let is_odd = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '<' | '>' | ',' | ';' | '"');
        if local.is_empty() || host.is_empty() || local.contains('@') || written.contains(is_odd) {
            return None;
        }
        Some(Mailbox { local: local.to_owned(), host: host.to_lowercase() })
    }

    /// The part after the first `+` of the local part.
    pub fn detail(&self) -> Option<&str> {
        self.local.split_once('+').map(|(_, detail)| detail)
    }

    /// The same mailbox without its `+detail`.
    pub fn base(&self) -> Mailbox {
        let local = self.local.split('+').next().unwrap_or(&self.local);
        Mailbox { local: local.to_owned(), host: self.host.clone() }
    }

    /// Whether both name the same mailbox of ours, `+detail` aside. Case never matters here, because we write `ours`.
    pub fn is_at(&self, ours: &Mailbox) -> bool {
        self.host == ours.host && self.base().local.eq_ignore_ascii_case(&ours.base().local)
    }
}

impl fmt::Display for Mailbox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}@{}", self.local, self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(written: &str, expected: Option<&str>) {
        assert_eq!(Mailbox::read(written).map(|mailbox| mailbox.to_string()).as_deref(), expected);
    }

    #[test]
    fn a4_the_host_is_compared_without_case_the_local_part_exactly() {
        case("Frodo@Shire.Example", Some("Frodo@shire.example"));
        case(" <box+g7.free.abc@host> ", Some("box+g7.free.abc@host"));
        case("no address", None);
        case("a@b@c", None);
        case("a@b\r\nBcc: x@y", None);
        case("@", None);
    }

    #[test]
    fn the_detail_is_what_follows_the_plus() {
        let mailbox = Mailbox::read("Box+g7.free.abc@host").unwrap();
        assert_eq!(mailbox.detail(), Some("g7.free.abc"));
        assert!(mailbox.is_at(&Mailbox::read("box@HOST").unwrap()));
    }
}
