/*! What we know of the mail providers that people use: their servers, and what goes wrong there (requirement S7).

It is shown to the host as advice; nothing else depends on it.
*/

use crate::letter::mailbox::Mailbox;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provider {
    pub name: &'static str,
    /// The hosts of its addresses.
    hosts: &'static [&'static str],
    /// How the names of its servers end.
    servers: &'static [&'static str],
    pub imap: &'static str,
    pub smtp: &'static str,
    /// Which password a program needs there.
    pub password: &'static str,
    /// Whether letters to NAME+SOMETHING reach NAME.
    pub plus: Plus,
}

/// Whether a provider delivers letters to addresses with a `+`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plus {
    Delivered,
    /// It has to be switched on.
    Switched(&'static str),
    Not,
}

const ALL: [Provider; 8] = [
    Provider {
        name: "Gmail",
        hosts: &["gmail.com", "googlemail.com"],
        servers: &["gmail.com", "googlemail.com"],
        imap: "imaps://imap.gmail.com",
        smtp: "smtps://smtp.gmail.com",
        password: "the password of the account is refused. Switch on 2-Step Verification, make an app password at \
                   https://myaccount.google.com/apppasswords, and keep that as the secret; or use login: xoauth2 with \
                   an access token",
        plus: Plus::Delivered,
    },
    Provider {
        name: "Outlook and Microsoft 365",
        hosts: &["outlook.com", "hotmail.com", "live.com", "msn.com"],
        servers: &["outlook.com", "office365.com"],
        imap: "imaps://outlook.office365.com",
        smtp: "smtp://smtp-mail.outlook.com",
        password: "passwords are not accepted any more. Use login: xoauth2 with a secret command that prints an \
                   access token; in an organisation its administrator must allow IMAP and authenticated SMTP",
        plus: Plus::Delivered,
    },
    Provider {
        name: "Yahoo",
        hosts: &["yahoo.com", "yahoo.de", "yahoo.co.uk", "yahoo.fr", "aol.com"],
        servers: &["yahoo.com", "aol.com"],
        imap: "imaps://imap.mail.yahoo.com",
        smtp: "smtps://smtp.mail.yahoo.com",
        password: "make an app password in the security settings of the account, and keep that as the secret",
        plus: Plus::Not,
    },
    Provider {
        name: "iCloud",
        hosts: &["icloud.com", "me.com", "mac.com"],
        servers: &["mail.me.com"],
        imap: "imaps://imap.mail.me.com",
        smtp: "smtp://smtp.mail.me.com",
        password: "make an app-specific password at https://account.apple.com, and keep that as the secret",
        plus: Plus::Delivered,
    },
    Provider {
        name: "Fastmail",
        hosts: &["fastmail.com", "fastmail.fm"],
        servers: &["fastmail.com", "messagingengine.com"],
        imap: "imaps://imap.fastmail.com",
        smtp: "smtps://smtp.fastmail.com",
        password: "make an app password for IMAP and SMTP in Settings, Privacy & Security",
        plus: Plus::Delivered,
    },
    Provider {
        name: "GMX and WEB.DE",
        hosts: &["gmx.de", "gmx.net", "gmx.com", "gmx.at", "gmx.ch", "web.de"],
        servers: &["gmx.net", "gmx.com", "web.de"],
        imap: "imaps://imap.gmx.net",
        smtp: "smtps://mail.gmx.net",
        password: "allow access by POP3 and IMAP in the settings of the mailbox, on the web; with two-factor login \
                   make an app password",
        plus: Plus::Not,
    },
    Provider {
        name: "Zoho",
        hosts: &["zoho.com", "zohomail.com", "zoho.eu"],
        servers: &["zoho.com", "zoho.eu"],
        imap: "imaps://imap.zoho.com",
        smtp: "smtps://smtp.zoho.com",
        password: "switch on IMAP access in the settings; with two-factor login make an app password",
        plus: Plus::Delivered,
    },
    Provider {
        name: "mailbox.org",
        hosts: &["mailbox.org"],
        servers: &["mailbox.org"],
        imap: "imaps://imap.mailbox.org",
        smtp: "smtps://smtp.mailbox.org",
        password: "it is the password of the account, or an app password if it has two-factor login",
        plus: Plus::Switched("it is switched on under Settings, Mail, Mail extensions"),
    },
];

/// The provider of a mailbox, if it is known.
pub fn of(mailbox: &Mailbox) -> Option<&'static Provider> {
    ALL.iter().find(|provider| provider.hosts.contains(&mailbox.host.as_str()))
}

/// The provider of a server, if it is known.
pub fn of_server(host: &str) -> Option<&'static Provider> {
    let host = host.to_lowercase();
    let is_below = |end: &&str| host == **end || host.ends_with(&format!(".{end}"));
    ALL.iter().find(|provider| provider.servers.iter().any(is_below))
}
