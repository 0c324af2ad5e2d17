//! Nobody learns anything private from the database, from a message, or with another key.

use super::{KEY, Office};
use crate::servers::{PASSWORD, fixtures, free_port};
use data_encoding::HEXLOWER;
use database::Postgres;
use std::io::{self, ErrorKind};
use store::home::{Begin, Home, LetterWaiting, Shared};

#[test]
fn a_dump_tells_nothing_private() {
    let Some(office) = Office::new() else { return };
    let worker = office.worker();
    let drawer = office.store().drawer("shire");
    let secret = b"Frodo <frodo@shire.example> has the ring";
    drawer.put("outbox", &[("a.eml", secret)]).unwrap();
    drawer.put("vault/mail", &[("b.eml", secret)]).unwrap();
    drawer.rename("outbox/a.eml", "sent/a.eml").unwrap();
    for file in ["host.yaml", "next-tick"] {
        drawer.replace(file, secret).unwrap();
    }
    drawer.create("secrets.yaml", secret).unwrap();
    for file in ["post.yaml", "notes.txt"] {
        let mut appender = drawer.appender(file, Begin::Privately).unwrap();
        appender.append(secret).unwrap();
        appender.append(secret).unwrap();
    }
    drawer.appender("log.yaml", Begin::Openly).unwrap().append(b"everybody may know this").unwrap();
    let raw = secret.to_vec();
    let letter = LetterWaiting { name: "frodo@shire.example".to_owned(), raw, is_old: false, game: None };
    worker.hand_in(&letter).unwrap();
    let dump = office.database.dump(&office.name);
    assert!(dump.contains("'shire'") && dump.contains(&HEXLOWER.encode(b"everybody may know this")), "{dump}");
    let names = ["a.eml", "b.eml", "host.yaml", "secrets.yaml", "notes.txt"];
    for name in names {
        assert!(!dump.contains(name), "{name}");
    }
    for word in names.map(str::as_bytes).into_iter().chain([&b"frodo"[..], b"Frodo", b"ring", &KEY]) {
        let hex = HEXLOWER.encode(word);
        assert!(!dump.contains(&hex), "{}", String::from_utf8_lossy(word));
    }
    assert!(!dump.contains("frodo") && !dump.contains("Frodo"), "{dump}");
    // A value moved to another row of the database cannot be decrypted.
    office.tell(
        "update file as one set body = (select body from file as other where other.mark <> one.mark limit 1)
            where folder = ''",
    );
    let error = drawer.read("host.yaml").unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidData && error.to_string().contains("host.yaml"), "{error}");
    office.tell("update piece set starts = starts + 1");
    assert_eq!(drawer.read("post.yaml").unwrap_err().kind(), ErrorKind::InvalidData);
}

fn refused(url: &str, key: &[u8; 32], office: &str) -> io::Error {
    let error = Postgres::open(url, key, office).unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(!text.contains(PASSWORD) && !text.contains("42, 42"), "{text}");
    error
}

#[test]
fn another_key_and_a_newer_database_are_named() {
    let Some(office) = Office::new() else { return };
    let url = office.database.url();
    let worker = office.worker();
    let error = refused(&url, &[43; 32], &office.name);
    assert!(error.to_string().contains("the key of the office is not the one"), "{error}");
    office.tell("update office set version = 99");
    let error = refused(&url, &KEY, &office.name);
    assert!(error.to_string().contains("it is of version 99, and this program knows versions up to 1"), "{error}");
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    for name in ["", "Shire", "two words", "\"", &"a".repeat(60)] {
        assert_eq!(refused(&url, &KEY, name).kind(), ErrorKind::InvalidInput);
    }
    let shown = format!("{} {worker:?}", worker.place("shire", "log.yaml").display());
    let place = format!("postgres://localhost:{}/postgres/{}/shire/log.yaml", office.database.port, office.name);
    assert!(shown.starts_with(&place), "{shown}");
    assert!(!shown.contains(PASSWORD) && !shown.contains("ringmail:") && !shown.contains("42, 42"), "{shown}");
}

#[test]
fn who_cannot_be_reached_is_said_without_the_password() {
    let Some(office) = Office::new() else { return };
    let url = office.database.url();
    let nowhere = url.replace(&office.database.port.to_string(), &free_port().to_string());
    let error = refused(&nowhere, &KEY, &office.name);
    assert_eq!(error.kind(), ErrorKind::NotConnected);
    assert!(error.to_string().contains("the database cannot be reached"), "{error}");
    let error = refused(&url.replace("/postgres?", "/rivendell?"), &KEY, &office.name);
    assert!(error.to_string().contains("\"rivendell\" does not exist"), "{error}");
    assert_eq!(error.kind(), ErrorKind::NotConnected);
    let error = refused(&url.replace("ringmail:", "sauron:"), &KEY, &office.name);
    assert_eq!(error.kind(), ErrorKind::NotConnected);
}

#[test]
fn the_connection_is_as_private_as_the_address_says() {
    let Some(office) = Office::new() else { return };
    let database = office.database;
    let ca = fixtures().join("ca.pem").display().to_string();
    let with = |words: &str| database.url_with(&format!("application_name={}&{words}", office.name));
    let is_private = |words: &str| -> bool {
        let worker = Postgres::open(&with(words), &KEY, &office.name).unwrap();
        worker.drawers().unwrap();
        let sql = "select bool_and(s.ssl) from pg_stat_ssl s join pg_stat_activity a on a.pid = s.pid
            where a.application_name = $1 and a.state = 'idle'";
        let is_private = office.client().query_one(sql, &[&office.name]).unwrap().get(0);
        drop(worker);
        let gone = "select count(*) from pg_stat_activity where application_name = $1";
        let mut client = office.client();
        crate::servers::until("its connections are gone", || {
            client.query_one(gone, &[&office.name]).unwrap().get::<_, i64>(0) == 0
        });
        is_private
    };
    assert!(!is_private("sslmode=disable"));
    assert!(is_private("sslmode=prefer"));
    assert!(is_private(&format!("sslmode=require&sslrootcert={ca}")));
    assert!(is_private(&format!("sslmode=verify-full&sslrootcert={ca}")));
    // The certificate is not from a public authority; and then for another name.
    let error = refused(&with("sslmode=require"), &KEY, &office.name);
    assert!(error.kind() == ErrorKind::NotConnected && error.to_string().contains("certificate"), "{error}");
    let other = with(&format!("sslmode=require&sslrootcert={ca}")).replace("@localhost", "@mordor.example");
    assert!(refused(&other, &KEY, &office.name).to_string().contains("certificate"));
    let none = with("sslmode=require&sslrootcert=/no/such/file");
    assert!(refused(&none, &KEY, &office.name).to_string().contains("/no/such/file"));
}

/// `RINGMAIL_DRAWERS=100000 cargo test --release --test record -- --nocapture many_drawers` measures it with that many.
#[test]
fn many_drawers_are_surveyed_at_once() {
    let Some(office) = Office::new() else { return };
    let count: usize = std::env::var("RINGMAIL_DRAWERS").map_or(300, |count| count.parse().unwrap());
    let store = office.store();
    std::thread::scope(|scope| {
        for part in 0..4 {
            let store = store.clone();
            scope.spawn(move || {
                for number in (part..count).step_by(4) {
                    let drawer = store.drawer(&format!("game-{number:07}"));
                    drawer.make().unwrap();
                    drawer.replace("log.yaml", b"---\nseq: 0\n...\n").unwrap();
                    drawer.replace("post.yaml", b"---\nevent: book\n...\n").unwrap();
                    drawer.replace("next-tick", b"log 15 book 20 asking 2026-11-24T07:12:09Z\n").unwrap();
                    drawer.replace("host.yaml", b"secret").unwrap();
                }
            });
        }
    });
    office.tell("vacuum analyze");
    for _ in 0..3 {
        let since = jiff::Timestamp::now();
        let surveyed = store.survey("next-tick", ["log.yaml", "post.yaml"]).unwrap();
        let took = since.duration_until(jiff::Timestamp::now());
        assert_eq!(surveyed.len(), count);
        assert!(surveyed.iter().all(|found| found.note.is_some() && found.lengths == [Some(15), Some(20)]));
        assert!(surveyed.is_sorted_by(|one, other| one.drawer < other.drawer));
        println!("{count} drawers surveyed in {took:?}");
    }
    let since = jiff::Timestamp::now();
    assert_eq!(store.drawers_with("log.yaml").unwrap().len(), count);
    println!("with a log: {:?}", since.duration_until(jiff::Timestamp::now()));
    let since = jiff::Timestamp::now();
    assert_eq!(store.everywhere("outbox").unwrap(), []);
    println!("everywhere: {:?}", since.duration_until(jiff::Timestamp::now()));
}
