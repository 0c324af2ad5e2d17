/*! Advice on the errors that people get from mail servers in practice (requirement S7). We recognise our own errors
by their variant, and what a server, a library or a tool said by its words and by the provider of the server.
*/

use super::imap::ImapError;
use super::providers;
use ground::secret::NoSecret;
use std::io;

const DISK_FULL: &str = "the disk is full: nothing is lost; make room and it goes on";
const READ_ONLY: &str =
    "the disk was made read-only: it may be failing, look into the log of the system; nothing is lost";
const NOT_OURS: &str = "the user under whom Ringmail runs may not write there";
const NO_ROOM: &str = "the mailbox is full: make room in it";
const NO_FOLDER: &str = "make the folder in a mail program, or name another one under receive.imap.folder";
const NOT_FILED: &str = "\
    name it under receive.imap as the server does: some servers have all folders below INBOX, as INBOX.Ringmail, and \
    not all separate them by `/`. Until then letters are played and flagged, and stay where they are";
const NOBODY: &str = "write the server as imaps://USER@HOST, and a `secret`";
const OTHER_SERVER: &str = "something else listens on this port: IMAP is on 993 (imaps://) or 143 (imap://), SMTP on \
                            465 (smtps://) or 587 (smtp://)";
const NOT_SET: &str = "the variable must be set for the process itself, also when a service manager starts it";
const NO_CREDENTIALS: &str = "\
    systemd hands a credential over to a service that has `LoadCredential=NAME` in its unit. By hand, set \
    CREDENTIALS_DIRECTORY to the folder with the file; with the Debian package, `ringmail-office VERB` does";
const NO_CREDENTIAL: &str = "\
    write the password into /etc/credstore/NAME, or into the file that the unit names by `LoadCredential=NAME:FILE`, \
    for root alone to read. A service that runs gets it when it is started again";
const TOO_SLOW: &str =
    "it may be waiting for somebody to type; Ringmail runs it whenever it connects, by day and night";
const NOT_RUN: &str = "is the program installed, and its path right?";
const TRY_BY_HAND: &str = "try the command by hand, as the user under whom Ringmail runs";
const NOT_IN_KEYRING: &str = "\
    there is none, or the keyring is locked. To store one, run the same command with `store --label=Ringmail` in \
    place of `lookup` (on a Mac: `security add-generic-password`); logging in to the desktop unlocks the keyring";
const NO_KEYRING: &str = "\
    without a login to the desktop, as in a service that starts by itself, no keyring is open: use \
    `secret: { command: … }` or `{ environment: … }`";
const IN_USE: &str = "another program listens there: choose another port, or end that one";
const NO_KEYRING_TOOL: &str = "this tool reads the keyring; on Linux it is in the package libsecret-tools";

/// What to do about a letter that an IMAP server does not hand over.
pub const NOT_FETCHED: &str = "\
    the letter is damaged there, or the server may not read it. Save it in a mail program and give it to \
    `ringmail receive`";

/// Only a database is reached over a connection where a file is read or written.
const NO_DATABASE: &str = "is the database running, and can this machine reach it? No letter is lost meanwhile, and \
                           nobody is late";

/// What to do about a file that cannot be read or written.
pub fn of_file(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Some(DISK_FULL),
        io::ErrorKind::ReadOnlyFilesystem => Some(READ_ONLY),
        io::ErrorKind::PermissionDenied => Some(NOT_OURS),
        io::ErrorKind::NotConnected | io::ErrorKind::ConnectionAborted => Some(NO_DATABASE),
        _ => None,
    }
}

/// What to do about an address on which we cannot listen.
pub fn of_place(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::AddrInUse => Some(IN_USE),
        _ => of_file(error),
    }
}

/// What to do about an IMAP server that does not do what we ask for.
pub fn of_imap(host: &str, error: &ImapError) -> Option<String> {
    let own = |advice: &str| Some(advice.to_owned());
    match error {
        ImapError::NoSecret(missing) => of_secret(missing).map(str::to_owned),
        ImapError::Login { .. } => Some(login(host)),
        ImapError::Folder { .. } => own(NO_FOLDER),
        ImapError::Unfiled { said, .. } if means(said, NO_ROOM) => own(NO_ROOM),
        ImapError::Unfiled { .. } => own(NOT_FILED),
        ImapError::OtherGreeting => own(OTHER_SERVER),
        ImapError::Nobody => own(NOBODY),
        // Here the words decide: the system or TLS describes a broken connection, the server what it lacks or
        // refuses.
        ImapError::Wire(_)
        | ImapError::Lacks { .. }
        | ImapError::ReadOnly { .. }
        | ImapError::Refused { .. }
        | ImapError::Bye { .. }
        | ImapError::Name { .. } => of(host, &error.to_string()),
    }
}

/// What to do about a secret that is not there.
pub fn of_secret(missing: &NoSecret) -> Option<&'static str> {
    let is_keyring = |command: &str| command.starts_with("secret-tool") || command.starts_with("security find");
    match missing {
        NoSecret::NotRun { command, .. } if is_keyring(command) => Some(NO_KEYRING_TOOL),
        NoSecret::NotRun { .. } => Some(NOT_RUN),
        NoSecret::TooSlow { .. } => Some(TOO_SLOW),
        NoSecret::NotInKeyring { said, .. } if means(said, NO_KEYRING) => Some(NO_KEYRING),
        NoSecret::NotInKeyring { .. } => Some(NOT_IN_KEYRING),
        NoSecret::Failed { .. } | NoSecret::Empty { .. } => Some(TRY_BY_HAND),
        NoSecret::NotSet { .. } => Some(NOT_SET),
        NoSecret::NoCredentials { .. } => Some(NO_CREDENTIALS),
        NoSecret::NoCredential { .. } | NoSecret::EmptyCredential { .. } => Some(NO_CREDENTIAL),
        NoSecret::NotText { .. } => None,
    }
}

/// Whether somebody else's words call for this advice.
fn means(said: &str, advice: &str) -> bool {
    known(&said.to_lowercase()) == Some(advice)
}

/// Marks in error messages, and the advice for each; they are the same for every server.
const KNOWN: [(&[&str], &str); 41] = [
    (
        &["causedasendentity"],
        "the server shows the certificate of an authority as its own, as `openssl req -x509` makes it. Make one with \
         `-addext basicConstraints=critical,CA:FALSE -addext subjectAltName=DNS:NAME`, and name that under `trust`",
    ),
    (
        &["uncertain source", "unknownissuer", "self-signed", "self signed"],
        "the certificate of the server is not trusted. If it is your own server, name its certificate under `trust`; \
         otherwise somebody may be intercepting the connection",
    ),
    (
        &["notvalidforname", "not valid for name", "certificate not valid for"],
        "the certificate is for another name: name the server as its certificate does",
    ),
    (&["expired"], "the certificate or the token has expired: renew it; or the clock of this machine is wrong"),
    (&["not valid yet", "notvalidyet"], "the certificate is not valid yet: check the clock of this machine"),
    (
        &["invalidcontenttype", "corrupt message", "wrong version", "received corrupt"],
        "this port does not begin with TLS: write smtp:// or imap:// (STARTTLS) instead of smtps:// or imaps://",
    ),
    (
        &["starttls is not supported", "does not offer starttls"],
        "the server has no STARTTLS on this port: try smtps:// or imaps://; +plain only for a server on this machine",
    ),
    (&["must issue a starttls", "starttls first"], "the server requires STARTTLS: write smtp:// or smtps://"),
    (&["does not greet as imap", "response error", "incomplete response"], OTHER_SERVER),
    (&["requires a name and a password"], NOBODY),
    (
        &[
            "relay access denied",
            "relaying denied",
            "relay not permitted",
            "unable to relay",
            "authentication required",
        ],
        "the server requires a login: write smtps://USER@host and a `secret`",
    ),
    (
        &["not owned by user", "sendasdenied", "not permitted to send as", "sender address rejected", "5.7.60"],
        "the server accepts only your plain address as sender: write `return-path: mailbox` under send.smtp",
    ),
    (
        &[
            "cannot autolaunch d-bus",
            "cannot spawn a message bus",
            "could not connect: ",
            "error spawning command line",
        ],
        NO_KEYRING,
    ),
    (&["the keyring gives no secret"], NOT_IN_KEYRING),
    (&["`secret-tool", "`security find"], NO_KEYRING_TOOL),
    (&["environment variable"], NOT_SET),
    (&["no credentials were handed over"], NO_CREDENTIALS),
    (&["the credential /"], NO_CREDENTIAL),
    (&["has given no secret"], TOO_SLOW),
    (&["it cannot be run"], NOT_RUN),
    (&["gave no secret", "printed nothing"], TRY_BY_HAND),
    (&["connection refused"], "no server listens there: is it running, and is the port right?"),
    (
        &["port 25:"],
        "many networks block outgoing mail on port 25: use the submission port of your provider, smtps:// (465) or \
         smtp:// (587)",
    ),
    (
        &["is not known", "failed to lookup", "name or service not known"],
        "the name of the server is misspelled, or this machine has no network",
    ),
    (&["unreachable"], "this machine has no route to that network: is it online?"),
    (
        &["timed out", "not answer"],
        "a firewall may be blocking it, or the port is wrong, or expects TLS at once (imaps://, smtps://)",
    ),
    (
        &["greylist", "(451)", "(450)"],
        "the server delays letters; Ringmail tries again by itself. Run `ringmail doctor` again in some minutes",
    ),
    (&["cannot be opened: "], NO_FOLDER),
    (&["no space left", "file too large", "disk quota"], DISK_FULL),
    (&["quota", "mailbox is full", "5.2.2"], NO_ROOM),
    (&["be filed into the folder"], NOT_FILED),
    (&["refuses store"], "this user may set no flags in that mailbox; letters are played all the same"),
    (&["breaks off whenever this letter is fetched", "refuses fetch"], NOT_FETCHED),
    (
        &["no compatible authentication mechanism"],
        "the server accepts no password on this connection: use TLS (smtps:// or smtp://), or a token \
         (`login: xoauth2`)",
    ),
    (
        &["a login with a password on this connection"],
        "the server accepts no login without TLS: write imaps:// or imap:// (STARTTLS); or it requires a token: \
         `login: xoauth2`",
    ),
    (
        &["one of the two was changed"],
        "somebody or something has changed the log: `ringmail verify` names all that is wrong. Put it back from a \
         backup, or from the mail of a player",
    ),
    (
        &["host.yaml is missing"],
        "put it back from a backup; without it the players can go on with another host (`ringmail handover adopt`)",
    ),
    (&["read-only file system"], READ_ONLY),
    (
        &["and the clock here shows"],
        "set the clock right; an NTP service keeps it so. If it was wrong when that was written, the table can move \
         the deadline by a vote (`propose deadline`)",
    ),
    (&["permission denied"], NOT_OURS),
    (
        &["the folder of the games, ", ".post: no such file", ".post/doctor: no such file"],
        "is the disk mounted on which they lie? No letter is answered until they are there again",
    ),
];

/// The words by which servers refuse a login.
const LOGIN: [&str; 12] = [
    "535",
    "534",
    "refuses the login",
    "authenticationfailed",
    "authentication failed",
    "5.7.8",
    "5.7.9",
    "5.7.14",
    "5.7.139",
    "application-specific password",
    "username and password not accepted",
    "invalid credentials",
];

/// What to do about an error; `host` is the server that we talked to.
pub fn of(host: &str, words: &str) -> Option<String> {
    let words = words.to_lowercase();
    if LOGIN.iter().any(|login| says(&words, login)) {
        return Some(login(host));
    }
    known(&words).map(str::to_owned)
}

/// What to do about a login that is refused.
fn login(host: &str) -> String {
    match providers::of_server(host) {
        Some(provider) => format!("{}: {}", provider.name, provider.password),
        None => "the name or the password is wrong; many providers want an app password instead of that of the \
                 account, or must be set to allow mail programs"
            .to_owned(),
    }
}

/// The advice for some words, which must be in lower case.
fn known(words: &str) -> Option<&'static str> {
    let known = KNOWN.iter().find(|(marks, _)| marks.iter().any(|mark| says(words, mark)));
    known.map(|(_, advice)| *advice)
}

/// Whether words contain a mark. A code does not count inside a longer number: port 35349 is not the code 534.
fn says(words: &str, mark: &str) -> bool {
    let is_code = mark.starts_with(|c: char| c.is_ascii_digit());
    words.match_indices(mark).any(|(at, _)| {
        let goes_on = words[..at].ends_with(|c: char| c.is_ascii_digit())
            || words[at + mark.len()..].starts_with(|c: char| c.is_ascii_digit());
        !is_code || !goes_on
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(host: &str, words: &str, expected: &str) {
        let hint = of(host, words).unwrap_or_default();
        assert!(hint.contains(expected), "{words}: {hint}");
    }

    #[test]
    fn s7_the_errors_people_get_are_known() {
        let gmail = "permanent error (535): 5.7.8 Username and Password not accepted. For more information, go to ...";
        case("smtp.gmail.com", gmail, "app password at https://myaccount.google.com");
        let outlook = "permanent error (535): 5.7.139 Authentication unsuccessful, basic authentication is disabled.";
        case("smtp.office365.com", outlook, "xoauth2");
        case("h", "127.0.0.1, port 35349: Connection refused (os error 111)", "no server listens");
        case("mail.play.example", "the IMAP server refuses the login: Authentication failed.", "app password");
        case("h", "no secure connection to h: invalid peer certificate: UnknownIssuer", "`trust`");
        case("h", "invalid peer certificate: certificate not valid for name \"h\"", "another name");
        case("h", "no secure connection to h: received corrupt message of type InvalidContentType", "STARTTLS");
        case("h", "permanent error (554): 5.7.1 <x@y>: Relay access denied", "smtps://USER@host");
        let sender = "permanent error (553): 5.7.1 <box+bounce.g7@h>: Sender address rejected: not owned by user box";
        case("h", sender, "return-path: mailbox");
        case("h", "h does not answer on port 993: Connection refused (os error 111)", "no server listens");
        case(
            "h",
            "the keyring gives no secret: `secret-tool lookup service x account y`: exit status: 1",
            "store --label",
        );
        case("h", "`secret-tool lookup service x` cannot be run: No such file or directory", "libsecret-tools");
        let bus = "secret-tool: Cannot autolaunch D-Bus without X11 $DISPLAY";
        case("h", &format!("the keyring gives no secret: `secret-tool …`: exit status: 1: {bus}"), "{ command: … }");
        case("h", "no credentials were handed over, and so no `x`: it is not set", "`LoadCredential=NAME`");
        case("h", "the credential /run/c/x cannot be read: No such file or directory", "/etc/credstore/NAME");
        case("h", "`pass mail` has given no secret for 60 seconds", "for somebody to type");
        case("h", "No space left on device (os error 28)", "the disk is full");
        case("h", "permanent error (552): 5.2.2 Mailbox over quota", "the mailbox is full");
        case("h", "g7/game.lock cannot be written: Read-only file system (os error 30)", "made read-only");
        case("h", "invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))", "CA:FALSE");
        case("h", "h, port 587: response error: error Tag at: * OK IMAP4rev1", "something else listens");
        case("h", "h, port 25: Connection error: timed out", "port 25");
        case("h", "h, port 465: Connection error: failed to lookup address information", "misspelled");
        case("h", "not now: transient error (451): 4.7.1 Greylisted, come back", "again in some minutes");
        case("h", "the folder Games cannot be opened: Mailbox doesn't exist", "receive.imap.folder");
        let folder = "letters cannot be filed into the folder Games: ";
        case("h", &format!("{folder}Permission denied"), "as INBOX.Ringmail");
        case("h", &format!("{folder}Over quota; and it cannot be created: Mailbox already exists"), "make room");
        case("h", "the IMAP server refuses STORE: Permission denied", "may set no flags");
        case("h", "INBOX 7: the connection breaks off whenever this letter is fetched", "`ringmail receive`");
        case("h", "the IMAP server does not offer a login with a password on this connection", "without TLS");
        case("h", "internal client error: No compatible authentication mechanism was found", "login: xoauth2");
        case("h", "permanent error (530): Error: authentication Required", "smtps://USER@host");
        assert_eq!(of("h", "it is Friday"), None);
    }

    #[test]
    fn s7_errors_of_ours_are_known_by_what_they_are() {
        let folder = |said: &str| ImapError::Folder { folder: "Games".to_owned(), said: said.to_owned() };
        // The words of the server do not decide, the variant does: the folder cannot be opened.
        assert_eq!(of_imap("h", &folder("Permission denied")).as_deref(), Some(NO_FOLDER));
        let unfiled = |said: &str| ImapError::Unfiled { folder: "Games".to_owned(), said: said.to_owned() };
        assert_eq!(of_imap("h", &unfiled("Permission denied")).as_deref(), Some(NOT_FILED));
        assert_eq!(of_imap("h", &unfiled("Over quota")).as_deref(), Some(NO_ROOM));
        assert!(of_imap("imap.gmail.com", &ImapError::Login { said: "no".to_owned() }).unwrap().contains("Gmail"));
        let not_run = |command: &str| NoSecret::NotRun { command: command.to_owned(), error: "missing".to_owned() };
        assert_eq!(of_secret(&not_run("secret-tool lookup service x")), Some(NO_KEYRING_TOOL));
        assert_eq!(of_secret(&not_run("pass mail")), Some(NOT_RUN));
        assert_eq!(of_file(&io::Error::from(io::ErrorKind::StorageFull)), Some(DISK_FULL));
        assert_eq!(of_file(&io::Error::other("Permission denied")), None);
    }
}
