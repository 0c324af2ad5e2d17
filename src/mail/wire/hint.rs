/*! What to do about the errors people really get from mail servers (requirement S7): by their words, and by whose
server it is.
*/

use super::providers;

/// What some words mean, whichever server says them.
const KNOWN: [(&[&str], &str); 40] = [
    (
        &["causedasendentity"],
        "the server shows the certificate of an authority as its own, as `openssl req -x509` makes it. Make one with \
         `-addext basicConstraints=critical,CA:FALSE -addext subjectAltName=DNS:NAME`, and name that under `trust`",
    ),
    (
        &["uncertain source", "unknownissuer", "self-signed", "self signed"],
        "the certificate of the server is not trusted. If it is your own server, name its certificate under `trust`; \
         otherwise somebody may sit in between",
    ),
    (
        &["notvalidforname", "not valid for name", "certificate not valid for"],
        "the certificate is for another name: write the server as its certificate calls it",
    ),
    (&["expired"], "the certificate or the token has expired: renew it. Or is the clock of this machine wrong?"),
    (&["not valid yet", "notvalidyet"], "the certificate is not valid yet; is the clock of this machine right?"),
    (
        &["invalidcontenttype", "corrupt message", "wrong version", "received corrupt"],
        "this port does not begin with TLS: write smtp:// or imap:// (STARTTLS) instead of smtps:// or imaps://",
    ),
    (
        &["starttls is not supported", "does not offer starttls"],
        "the server has no STARTTLS on this port: try smtps:// or imaps://; +plain only for a server on this machine",
    ),
    (&["must issue a starttls", "starttls first"], "the server wants STARTTLS: write smtp:// or smtps://"),
    (
        &["does not greet as imap", "response error", "incomplete response"],
        "something else listens on this port: IMAP is on 993 (imaps://) or 143 (imap://), SMTP on 465 (smtps://) or \
         587 (smtp://)",
    ),
    (&["requires a name and a password"], "write the server as imaps://USER@HOST, and a `secret`"),
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
        "no keyring is open where nobody has logged in at a screen, as for a service that starts by itself: say \
         `secret: { command: … }`, or `{ environment: … }`",
    ),
    (
        &["the keyring gives no secret"],
        "there is none, or the keyring is locked. The same words with `store --label=Ringmail` in place of `lookup` \
         keep one (on a Mac `security add-generic-password`); a keyring is opened by logging in at the screen",
    ),
    (
        &["`secret-tool", "`security find"],
        "it is the tool of the keyring; on Linux it is in the package libsecret-tools",
    ),
    (
        &["environment variable"],
        "the variable must be set for the process itself, also when a service manager starts it",
    ),
    (
        &["has given no secret"],
        "does it wait for somebody to type at a screen? Ringmail asks it whenever it connects, by day and night",
    ),
    (&["it cannot be run"], "is the program installed, and its path right?"),
    (&["gave no secret", "printed nothing"], "try the command by hand, as the user under whom Ringmail runs"),
    (&["connection refused"], "no server listens there: is it running, and is the port right?"),
    (
        &["port 25:"],
        "many networks let no mail out on port 25: use the submission port of your provider, smtps:// (465) or \
         smtp:// (587)",
    ),
    (
        &["is not known", "failed to lookup", "name or service not known"],
        "the name of the server is misspelled, or this machine has no network",
    ),
    (&["unreachable"], "this machine has no way to that network: is it online?"),
    (
        &["timed out", "not answer"],
        "a firewall may be in between, or the port is wrong, or it begins with TLS (imaps://, smtps://)",
    ),
    (
        &["greylist", "(451)", "(450)"],
        "the server puts letters off; Ringmail tries them again by itself. Run `ringmail doctor` again in some minutes",
    ),
    (&["cannot be opened: "], "make the folder in a mail program, or name another one under receive.imap.folder"),
    (&["no space left", "file too large", "disk quota"], "the disk is full: nothing is lost; make room and it goes on"),
    (&["quota", "mailbox is full", "5.2.2"], "the mailbox is full: make room in it"),
    (
        &["be filed into the folder"],
        "name it under receive.imap as the server does: on some all folders lie below INBOX, as INBOX.Ringmail, and \
         not everywhere is `/` what parts them. Until then letters are played, and stay where they are, with flags",
    ),
    (&["refuses store"], "this user may set no flags in that mailbox; letters are played all the same"),
    (
        &["breaks off when it is to bring", "refuses fetch"],
        "the letter is damaged there, or the server may not read it. Save it in a mail program and give it to \
         `ringmail receive`",
    ),
    (
        &["no compatible authentication mechanism"],
        "the server takes no password on this connection: is it to begin with TLS (smtps://, smtp://)? Or it wants a \
         token: `login: xoauth2`",
    ),
    (
        &["a login with a password on this connection"],
        "the server lets nobody in in clear: write imaps:// or imap:// (STARTTLS); or it wants a token: \
         `login: xoauth2`",
    ),
    (
        &["one of the two was changed"],
        "somebody or something has changed the log: `ringmail verify` names all that is wrong. Put it back from a \
         backup, or from the mail of a player",
    ),
    (
        &["host.yaml is missing"],
        "put it back from a backup; without it the players can go on with another host (`ringmail adopt`)",
    ),
    (&["address already in use"], "another program listens there: choose another port, or end that one"),
    (
        &["read-only file system"],
        "the disk was made read-only: it may be failing, look into the log of the system; nothing is lost",
    ),
    (
        &["and the clock here shows"],
        "set the clock right; an NTP service keeps it so. Was it wrong when that was written, the table can move the \
         deadline by a vote (`propose deadline`)",
    ),
    (&["permission denied"], "the user under whom Ringmail runs may not write there"),
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

/// What to do about an error; `host` is the server that was spoken to.
#[must_use]
pub fn of(host: &str, words: &str) -> Option<String> {
    let words = words.to_lowercase();
    if LOGIN.iter().any(|login| says(&words, login)) {
        return Some(match providers::of_server(host) {
            Some(provider) => format!("{}: {}", provider.name, provider.password),
            None => "the name or the password is wrong; many providers want an app password instead of that of the \
                     account, or must be told to let programs in"
                .to_owned(),
        });
    }
    let known = KNOWN.iter().find(|(marks, _)| marks.iter().any(|mark| says(&words, mark)));
    known.map(|(_, advice)| (*advice).to_owned())
}

/// Whether words hold a mark. A code is no part of a longer number: port 35349 refuses no login.
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
        case("h", "`pass mail` has given no secret for 60 seconds", "type at a screen");
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
        case("h", &format!("{folder}Over quota; and it is not made: Mailbox already exists"), "make room");
        case("h", "the IMAP server refuses STORE: Permission denied", "may set no flags");
        case("h", "INBOX 7: the server breaks off when it is to bring this letter", "`ringmail receive`");
        case("h", "the IMAP server does not offer a login with a password on this connection", "in clear");
        case("h", "internal client error: No compatible authentication mechanism was found", "login: xoauth2");
        case("h", "permanent error (530): Error: authentication Required", "smtps://USER@host");
        assert_eq!(of("h", "it is Friday"), None);
    }
}
