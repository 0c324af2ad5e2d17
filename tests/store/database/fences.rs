//! Writes under a lock happen only while the lock is held, and a log is written only at its end.

use super::super::promises::record;
use super::Office;
use crate::servers::{Process, until};
use database::Postgres;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use std::{env, io, thread};
use store::drawer::Drawer;
use store::home::{Begin, Home};
use store::{Store, home};

const LOCK: &str = "game.lock";

fn drawer(worker: &Arc<Postgres>) -> Drawer {
    let drawer = Store::at(worker.clone()).drawer("shire");
    drawer.make().unwrap();
    drawer
}

/// All rows of an office.
fn rows(office: &Office) -> String {
    let tables = ["drawer", "file", "record", "piece"];
    let sql = tables.map(|table| format!("select '{table} ' || t::text from {table} t")).join(" union all ");
    let rows = office.client().query(&format!("select r from ({sql}) as all_of (r) order by r"), &[]).unwrap();
    rows.iter().map(|row| row.get::<_, String>(0) + "\n").collect()
}

#[track_caller]
fn must_be_taken_over(what: &str, result: io::Result<()>) {
    let error = result.expect_err(what).to_string();
    assert!(error.contains("another worker has taken over"), "{what}: {error}");
}

#[test]
fn a_lease_that_was_lost_writes_nothing() {
    let Some(office) = Office::new() else { return };
    let (one, other) = (office.worker(), office.worker());
    let drawer = drawer(&one);
    for file in ["host.yaml", "log.yaml", "post.yaml", "next-tick", "outbox/a.eml", "vault/mail/a.eml"] {
        drawer.replace(file, record(0).as_bytes()).or_else(|_| drawer.put("outbox", &[])).unwrap();
    }
    let lock = drawer.lock(LOCK, Duration::ZERO).unwrap();
    let appenders = ["log.yaml", "post.yaml", "host.yaml"];
    let open = || appenders.map(|file| drawer.appender(file, Begin::There).unwrap());
    let (mut appenders, mut cutters) = (open(), open());
    let before = rows(&office);
    let mut must_all_be_refused = || {
        for file in ["host.yaml", "log.yaml", "post.yaml", "next-tick", "outbox/a.eml"] {
            must_be_taken_over("replace", drawer.replace(file, b"stale"));
            must_be_taken_over("remove", drawer.remove(file));
            must_be_taken_over("rename", drawer.rename(file, "stale"));
            must_be_taken_over("rename over", drawer.rename(file, "vault/mail/a.eml"));
        }
        must_be_taken_over("move", drawer.rename("outbox/a.eml", "sent/a.eml"));
        must_be_taken_over("create", drawer.create("stale", b"stale"));
        must_be_taken_over("put", drawer.put("outbox", &[("b.eml", b"stale"), ("c.eml", b"stale")]));
        must_be_taken_over("remove a folder", drawer.remove_folder("outbox"));
        must_be_taken_over("remove the drawer", drawer.remove_folder(""));
        must_be_taken_over("begin", drawer.appender("stale.yaml", Begin::Openly).map(drop));
        must_be_taken_over("begin", drawer.appender("stale.yaml", Begin::Privately).map(drop));
        for appender in &mut appenders {
            assert!(appender.append(record(1).as_bytes()).is_err());
        }
        for cutter in &mut cutters {
            must_be_taken_over("truncate", cutter.truncate(3));
        }
        assert_eq!(rows(&office), before);
    };
    // The lease has expired, and nobody else has it yet.
    office.tell("update lease set until = clock_timestamp() - interval '1 second'");
    must_all_be_refused();
    // Another worker has it.
    let theirs = Store::at(other.clone()).drawer("shire").lock(LOCK, Duration::ZERO).unwrap();
    must_all_be_refused();
    // A worker gives back only its own lease.
    drop(lock);
    let kind = drawer.lock(LOCK, Duration::ZERO).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::WouldBlock);
    Store::at(other).drawer("shire").replace("host.yaml", b"theirs").unwrap();
    drop(theirs);
    let _lock = drawer.lock(LOCK, Duration::ZERO).unwrap();
    drawer.replace("host.yaml", b"ours again").unwrap();
}

/// Another drawer, and another worker without a lock, are not affected.
#[test]
fn a_lease_is_of_one_drawer_and_its_worker() {
    let Some(office) = Office::new() else { return };
    let (one, other) = (office.worker(), office.worker());
    let _lock = drawer(&one).lock(LOCK, Duration::ZERO).unwrap();
    let gondor = Store::at(one.clone()).drawer("gondor");
    gondor.make().unwrap();
    let _sending = gondor.lock("sending", Duration::ZERO).unwrap();
    office.tell("update lease set until = clock_timestamp() - interval '1 second' where drawer = 'shire'");
    gondor.replace("host.yaml", b"held").unwrap();
    drawer(&other).replace("host.yaml", b"not held").unwrap();
    must_be_taken_over("replace", drawer(&one).replace("host.yaml", b"lost"));
}

#[test]
fn a_lease_is_renewed_and_its_loss_noticed() {
    let Some(office) = Office::new() else { return };
    let lease = Duration::from_millis(300);
    let (one, other) = (office.worker_with(lease), office.worker_with(lease));
    let ours = drawer(&one);
    let _lock = ours.lock(LOCK, Duration::ZERO).unwrap();
    let mut client = office.client();
    let mut ends = Vec::new();
    // It is renewed before it would have ended.
    until("the lease is renewed", || {
        let end: std::time::SystemTime = client.query_one("select until from lease", &[]).unwrap().get(0);
        if ends.last() != Some(&end) {
            ends.push(end);
        }
        ends.len() > 5
    });
    let theirs = Store::at(other).drawer("shire");
    assert_eq!(theirs.lock(LOCK, Duration::ZERO).unwrap_err().kind(), ErrorKind::WouldBlock);
    ours.replace("host.yaml", b"held").unwrap();
    office.tell("update lease set until = clock_timestamp() - interval '1 second'");
    let _theirs = theirs.lock(LOCK, Duration::from_secs(60)).unwrap();
    must_be_taken_over("replace", ours.replace("host.yaml", b"lost"));
}

#[test]
fn of_two_appenders_one_succeeds() {
    let Some(office) = Office::new() else { return };
    let (one, other) = (drawer(&office.worker()), drawer(&office.worker()));
    for file in ["log.yaml", "post.yaml", "notes.txt"] {
        let mut first = one.appender(file, Begin::Privately).unwrap();
        first.append(record(0).as_bytes()).unwrap();
        let mut second = other.appender(file, Begin::There).unwrap();
        first.append(record(1).as_bytes()).unwrap();
        for _ in 0..2 {
            let error = second.append(record(7).as_bytes()).unwrap_err().to_string();
            assert!(error.contains("others have written") && error.contains(file), "{error}");
        }
        // It cannot remove what it has not written, either.
        assert!(second.truncate(record(0).len() as u64).is_err());
        first.append(record(2).as_bytes()).unwrap();
        assert_eq!(one.read(file).unwrap(), (record(0) + &record(1) + &record(2)).as_bytes());
        let mut second = other.appender(file, Begin::There).unwrap();
        second.append(record(3).as_bytes()).unwrap();
        assert!(first.append(record(3).as_bytes()).is_err());
    }
}

#[test]
fn a_log_has_as_many_records_as_were_appended() {
    let Some(office) = Office::new() else { return };
    drop(drawer(&office.worker()).appender("log.yaml", Begin::Openly).unwrap());
    let workers: Vec<_> = (0..3).map(|_| office.worker()).collect();
    let appended: usize = thread::scope(|scope| {
        let handles: Vec<_> = workers
            .iter()
            .map(|worker| {
                scope.spawn(move || {
                    let drawer = drawer(worker);
                    let mut appended = 0;
                    while appended < 15 {
                        let mut log = drawer.appender("log.yaml", Begin::There).unwrap();
                        let seq = log.length().unwrap() / record(0).len() as u64;
                        // All records have the same length.
                        let written = record(10 + seq % 90);
                        appended += usize::from(log.append(written.as_bytes()).is_ok());
                    }
                    appended
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).sum()
    });
    let rows = office.client().query("select seq, starts, length(bytes) from record order by starts", &[]).unwrap();
    assert_eq!(rows.len(), appended);
    let mut at = 0;
    for (seq, row) in rows.iter().enumerate() {
        assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1)), (i64::try_from(seq).unwrap(), at));
        at += i64::from(row.get::<_, i32>(2));
    }
}

/// The variable with which [`a_worker_that_slept_writes_nothing`] starts its worker.
const WORKER: &str = "RINGMAIL_TEST_WORKER";

/// The test below starts this as a separate process; otherwise the test does nothing.
#[test]
fn a_worker_of_its_own() {
    let Ok(told) = env::var(WORKER) else { return };
    let (url, office) = told.split_once(' ').unwrap();
    let worker = Arc::new(Postgres::open_with(url, &super::KEY, office, Duration::from_millis(300)).unwrap());
    let drawer = drawer(&worker);
    let _lock = drawer.lock(LOCK, Duration::ZERO).unwrap();
    let mut log = drawer.appender("log.yaml", Begin::There).unwrap();
    log.append(record(1).as_bytes()).unwrap();
    println!("\nlocked");
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let results = [log.append(record(2).as_bytes()), drawer.replace("host.yaml", b"stale")];
    println!("{}", results.map(|result| if result.is_ok() { "written" } else { "refused" }).join(" "));
}

#[test]
fn a_worker_that_slept_writes_nothing() {
    let Some(office) = Office::new() else { return };
    let ours = drawer(&office.worker());
    ours.appender("log.yaml", Begin::Openly).unwrap().append(record(0).as_bytes()).unwrap();
    let name = module_path!().split_once("::").unwrap().1.to_owned() + "::a_worker_of_its_own";
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", &name, "--nocapture"]);
    command.env(WORKER, format!("{} {}", office.database.url(), office.name));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut worker = Process(command.spawn().unwrap());
    let mut into = worker.0.stdin.take().unwrap();
    let mut from = BufReader::new(worker.0.stdout.take().unwrap());
    let mut line = String::new();
    while line.trim_end() != "locked" {
        line.clear();
        assert!(from.read_line(&mut line).unwrap() > 0, "the worker has ended");
    }
    worker.signal("-STOP");
    let lock = ours.lock(LOCK, Duration::from_secs(60)).unwrap();
    let mut log = ours.appender("log.yaml", Begin::There).unwrap();
    // Before anything else is written: only the lease decides.
    worker.signal("-CONT");
    writeln!(into, "go on").unwrap();
    let mut told = String::new();
    from.read_to_string(&mut told).unwrap();
    assert!(told.contains("refused refused"), "{told}");
    log.append(record(2).as_bytes()).unwrap();
    drop(lock);
    assert_eq!(ours.read("log.yaml").unwrap(), (record(0) + &record(1) + &record(2)).as_bytes());
}

#[test]
fn a_lock_says_who_holds_it() {
    let Some(office) = Office::new() else { return };
    let worker = office.worker();
    let _lock: home::Lock = worker.lock("", "serve.lock", Duration::ZERO).unwrap();
    let row = office.client().query_one("select holder, word from lease", &[]).unwrap();
    let holder: String = row.get(0);
    assert!(holder.contains(&std::process::id().to_string()), "{holder}");
    assert_eq!(row.get::<_, String>(1), "serve.lock");
}
