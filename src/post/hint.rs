/*! What to do about the errors people really get from mail servers (requirement S7): by their words, and by whose
server it is.
*/

use super::providers;

/// What some words mean, whoever says them.
const KNOWN: [(&[&str], &str); 16] = [
    (
        &["uncertain source", "unknownissuer", "self-signed", "self signed"],
        "nobody vouches for the certificate of the server. Is it a server of your own, name its certificate under \
         `trust`; otherwise somebody may sit in between",
    ),
    (
        &["notvalidforname", "not valid for name", "certificate not valid for"],
        "the certificate is for another name: write the server as its certificate calls it",
    ),
    (&["expired"], "the certificate or the token has expired; is the clock of this machine right?"),
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
        &[
            "relay access denied",
            "relaying denied",
            "relay not permitted",
            "unable to relay",
            "authentication required",
        ],
        "the server sends only for whom it knows: write smtps://USER@host and a `secret`",
    ),
    (
        &["not owned by user", "sendasdenied", "not permitted to send as", "sender address rejected", "5.7.60"],
        "the server lets only your plain address pass as sender: write `return-path: mailbox` under send.smtp",
    ),
    (
        &["secret-tool` cannot be run", "secret-tool lookup", "`security find"],
        "the keyring has no such secret, or its tool is missing: `secret-tool store --label=Ringmail service SERVICE \
         account USER` keeps one (package libsecret-tools)",
    ),
    (
        &["environment variable"],
        "the variable must be set for the process itself, also when a service manager starts it",
    ),
    (&["gave no secret", "printed nothing"], "try the command by hand, as the user under whom Ringmail runs"),
    (
        &["port 25:"],
        "many networks let no mail out on port 25: use the submission port of your provider, smtps:// (465) or \
         smtp:// (587)",
    ),
    (&["connection refused"], "no server listens there: is it running, and is the port right?"),
    (&["is not known"], "the name of the server is misspelled, or this machine has no network"),
    (&["timed out", "does not answer"], "a firewall may be in between, or the port is wrong"),
    (&["no space left", "file too large", "quota"], "the disk is full: nothing is lost; make room and it goes on"),
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
    if LOGIN.iter().any(|login| words.contains(login)) {
        return Some(match providers::of_server(host) {
            Some(provider) => format!("{}: {}", provider.name, provider.password),
            None => "the name or the password is wrong; many providers want an app password instead of that of the \
                     account, or must be told to let programs in"
                .to_owned(),
        });
    }
    let known = KNOWN.iter().find(|(marks, _)| marks.iter().any(|mark| words.contains(mark)));
    known.map(|(_, advice)| (*advice).to_owned())
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
        case("mail.play.example", "the IMAP server refuses the login: Authentication failed.", "app password");
        case("h", "no secure connection to h: invalid peer certificate: UnknownIssuer", "`trust`");
        case("h", "invalid peer certificate: certificate not valid for name \"h\"", "another name");
        case("h", "no secure connection to h: received corrupt message of type InvalidContentType", "STARTTLS");
        case("h", "permanent error (554): 5.7.1 <x@y>: Relay access denied", "smtps://USER@host");
        let sender = "permanent error (553): 5.7.1 <box+bounce.g7@h>: Sender address rejected: not owned by user box";
        case("h", sender, "return-path: mailbox");
        case("h", "h does not answer on port 993: Connection refused (os error 111)", "no server listens");
        case("h", "`secret-tool lookup service x account y` gave no secret: exit status: 1", "libsecret-tools");
        case("h", "No space left on device (os error 28)", "the disk is full");
        assert_eq!(of("h", "it is Friday"), None);
    }
}
