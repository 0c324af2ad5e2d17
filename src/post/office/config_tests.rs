use super::*;
use crate::office::new_config::NewConfig;

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(text, Path::new("/etc/ringmail.yaml")).map_err(|error| error.to_string())
}

fn draft() -> NewConfig {
    NewConfig {
        store: None,
        mailbox: Mailbox::read("box@play.example").unwrap(),
        mailroom: Mailroom::Own,
        host: None,
        games: "games".to_owned(),
        imap: None,
        smtp: None,
        lmtp: None,
        secret: None,
    }
}

#[test]
fn s6_a_new_configuration_is_understood_whatever_it_says() {
    let empty = parse(&draft().text()).unwrap();
    assert_eq!((empty.imap, empty.send, empty.host), (None, None, None));
    assert_eq!(empty.games, Path::new("/etc/games"));
    assert_eq!((empty.names, empty.authserv_id), (Names::System, None));
    let least = parse("mailbox: box@play.example\ndns: 127.0.0.1\n").unwrap();
    assert_eq!(least.names, Names::Server("127.0.0.1:53".parse().unwrap()));
    for (written, expected) in [
        ("127.0.0.1:9797", "127.0.0.1:9797"),
        ("'[::1]:9797'", "[::1]:9797"),
        ("{ listen: '0.0.0.0:9797', for-others: true }", "0.0.0.0:9797"),
    ] {
        let config = parse(&format!("mailbox: box@play.example\nhealth: {written}\n")).unwrap();
        assert_eq!(config.health, Some(expected.parse().unwrap()));
    }
    let full = NewConfig {
        mailroom: Mailroom::Shared,
        host: Mailbox::read("me@play.example"),
        games: "/srv/my games".to_owned(),
        imap: Some("imaps://a@b.org@imap.b.org".to_owned()),
        smtp: Some("smtp://a@smtp.b.org:2587".to_owned()),
        secret: Some(Source::Command("pass show \"my mail\" | head -1".to_owned())),
        ..draft()
    };
    let full = parse(&full.text()).unwrap();
    assert_eq!(full.mailroom, Mailroom::Shared);
    assert_eq!(full.games, Path::new("/srv/my games"));
    let imap = full.imap.unwrap();
    assert_eq!((imap.folder.as_str(), imap.filing), ("INBOX", Filing::Flags));
    let login = imap.account.login.unwrap();
    assert_eq!(login.user, "a@b.org");
    assert_eq!(login.secret, Source::Command("pass show \"my mail\" | head -1".to_owned()));
    let Some(SendBy::Smtp(smtp, ReturnPath::Seat)) = full.send else { panic!("no SMTP") };
    assert_eq!((smtp.server.host.as_str(), smtp.server.port), ("smtp.b.org", 2587));
    let handed_over = NewConfig { lmtp: Some("127.0.0.1:2424".to_owned()), ..draft() };
    assert_eq!(parse(&handed_over.text()).unwrap().lmtp.as_deref(), Some("127.0.0.1:2424"));
    let credential = NewConfig { smtp: Some("smtps://a@b".to_owned()), ..draft() };
    let credential = NewConfig { secret: Some(Source::Credential("ringmail.password".to_owned())), ..credential };
    let Some(SendBy::Smtp(smtp, _)) = parse(&credential.text()).unwrap().send else { panic!("no SMTP") };
    assert_eq!(smtp.login.unwrap().secret, Source::Credential("ringmail.password".to_owned()));
    let open = NewConfig { smtp: Some("smtp+plain://127.0.0.1".to_owned()), ..draft() };
    assert!(matches!(parse(&open.text()).unwrap().send, Some(SendBy::Smtp(Account { login: None, .. }, _))));
}

/// Every example in the file is an existing setting: uncommented, the file is still understood.
#[test]
fn s6_the_examples_of_a_new_configuration_are_settings() {
    let full = NewConfig {
        imap: Some("imaps://a@imap.b.org".to_owned()),
        smtp: Some("smtps://a@smtp.b.org".to_owned()),
        ..draft()
    };
    let text = full.text().replace("    # trust: own-ca.pem", "");
    let examples = [
        "login: xoauth2",
        "folder: INBOX",
        "processed:",
        "rejected:",
        "return-path:",
        "maildir:",
        "lmtp:",
        "health:",
        "log:",
        "page:",
    ];
    let mut uncommented = String::new();
    for line in text.lines() {
        let words = line.trim_start().trim_start_matches("# ");
        let is_example = examples.iter().any(|example| words.starts_with(example));
        let line = if is_example { line.replacen("# ", "", 1) } else { line.to_owned() };
        uncommented.push_str(&format!("{line}\n"));
    }
    let config = parse(&uncommented).unwrap();
    let imap = config.imap.unwrap();
    assert_eq!(imap.account.login.unwrap().way, Way::Xoauth2);
    assert!(matches!(imap.filing, Filing::Folders { .. }));
    assert_eq!(config.lmtp.as_deref(), Some("127.0.0.1:2424"));
    assert_eq!(config.maildir.as_deref(), Some(Path::new("/home/ringmail/Maildir")));
    assert!(matches!(config.send, Some(SendBy::Smtp(_, ReturnPath::Mailbox))));
    assert_eq!(config.page.as_deref(), Some(Path::new("/var/www/games")));
    assert_eq!((config.health, config.logs_json), (Some("127.0.0.1:9797".parse().unwrap()), true));
}

#[track_caller]
fn wrong(rest: &str, expected: &str) {
    let told = parse(&format!("mailbox: box@play.example\n{rest}")).unwrap_err();
    assert!(told.contains(expected), "{told}");
    assert!(!told.contains("mellon"), "{told}");
}

#[test]
fn s6_what_is_wrong_is_said_with_its_place_and_never_with_the_secret() {
    wrong(
        "receive: { imap: { server: 'imaps://a@b', secret: mellon } }",
        "receive.imap.secret: this file holds no secrets",
    );
    wrong("receive: { imap: { server: 'imaps://a@b', secret: { password: mellon } } }", "a secret is exactly one of");
    wrong("receive: { imap: { server: 'imaps://a@b', secret: { credential: ../box } } }", "a file without a folder");
    wrong("receive: { imap: { server: 'imaps://a:mellon@b' } }", "a password must not be part of the URL of a server");
    wrong("receive: { imap: { server: 'imaps://a@b' } }", "there is no secret for a; write secret: {");
    wrong("send: { smtp: { server: 'smtps://b', secret: { keyring: x } } }", "write smtps://USER@b");
    wrong("send: { smtp: { server: 'imaps://b' } }", "send.smtp.server: `imaps` is not supported for this server");
    wrong("send: { files: out, smtp: { server: 'smtps://b' } }", "exactly one of smtp, sendmail and files");
    wrong(
        "send: { smpt: { server: 'smtps://b' } }",
        "unknown field `smpt`, expected one of `smtp`, `sendmail`, `files`",
    );
    wrong("receive: { lmtp: '2424' }", "`2424` is no place to listen on like 127.0.0.1:2424");
    wrong("health: '9797'", "health: `9797` is no place to listen on like 127.0.0.1:9797");
    wrong("health: 0.0.0.0:9797", "health: others could reach 0.0.0.0:9797; write one like 127.0.0.1:9797, or");
    wrong("health: { listen: '[::ffff:10.0.0.1]:97' }", "others could reach");
    wrong("health: 9797", "health: an address like 127.0.0.1:9797, or { listen: ADDRESS, for-others: true }");
    wrong("dns: 53", "dns: `53` is none of off, system, and an address like 127.0.0.1:53");
    wrong("alerts: { files: out }", "alerts: who is to be told?");
    wrong("host: a@b.org\nalerts: { to: me }", "alerts.to: `me` is no mail address");
    wrong("host: a@b.org\nalerts: {}", "alerts: name a way out: one of smtp, sendmail and files");
    wrong(
        "host: a@b.org\nsend: { files: out }\nalerts: { files: out }",
        "alerts: this is the way of all other letters",
    );
    wrong(
        "host: a@b.org\nalerts: { smtp: { server: 'smtps://a@b', secret: mellon } }",
        "alerts.smtp.secret: this file holds no secrets",
    );
    wrong("host: me", "host: `me` is no mail address");
    wrong("send: { smtp: { server: 'smtps://b', trust: /no/such.pem } }", "/no/such.pem cannot be read");
    assert!(parse("shared: true").unwrap_err().contains("missing field `mailbox`"));
}

#[test]
fn s6_a_configuration_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(CONFIG);
    draft().create(&file).unwrap();
    assert!(matches!(draft().create(&file), Err(ConfigError::AlreadyThere { .. })));
    assert_eq!(Config::read(&file).unwrap().games, folder.path().join("games"));
}

/// Every key is either taken over while the service runs, or named as waiting for a restart.
#[test]
fn a_changed_key_is_taken_over_or_waits_for_a_restart() {
    let parse = |text: &str| parse(&format!("mailbox: box@play.example\n{text}\n")).unwrap();
    let old = parse("");
    for (changed, waits) in [
        ("shared: true", "shared"),
        ("games: elsewhere", "games"),
        ("store: 'postgres://ringmail@db.example/games'", "store"),
        ("receive: { maildir: mail }", "receive"),
        ("dns: 127.0.0.1", "dns"),
        ("health: '127.0.0.1:9797'", "health"),
        ("log: json", "log"),
    ] {
        let new = parse(changed);
        assert_eq!(old.changed_to(&new), (old.clone(), vec![waits]), "{changed}");
    }
    for changed in ["host: me@play.example", "letters: text", "send: { files: out }", "authserv-id: mx.example"] {
        let new = parse(changed);
        assert_ne!(new, old);
        assert_eq!(old.changed_to(&new), (new, vec![]), "{changed}");
    }
}
