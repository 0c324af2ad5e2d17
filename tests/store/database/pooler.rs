//! What stands between us and the database: a pooler that gives each transaction another session, or sessions that were
//! begun when the database took no changes.

use super::KEY;
use crate::needs;
use crate::servers::postgres::Database;
use crate::servers::{free_port, until};
use database::Postgres;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::Store;
use store::home::{Begin, Home, LetterWaiting, Shared, Woken};

/// PgBouncer, until this is dropped.
struct Pooler {
    child: Child,
    _folder: tempfile::TempDir,
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// PgBouncer with a single session of the database for all of its clients, and its URL.
fn pooler(database: &Database) -> Option<(Pooler, String)> {
    let program = Path::new("/usr/sbin/pgbouncer");
    if !needs::program_at(program) {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let (port, config) = (free_port(), folder.path().join("pgbouncer.ini"));
    let text = format!(
        "[databases]\npostgres = host=127.0.0.1 port={} user=ringmail\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
         listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 1\n",
        database.port
    );
    fs::write(&config, text).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(program);
    // It refuses to run as root.
    if chown(folder.path(), Some(65534), Some(65534)).is_ok() {
        command.args(["-u", "nobody"]);
    }
    let child = command.arg(&config).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pooler = Pooler { child, _folder: folder };
    until("PgBouncer listens", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    Some((pooler, format!("postgres://ringmail@127.0.0.1:{port}/postgres?sslmode=disable")))
}

#[test]
fn an_office_works_behind_a_pooler_of_transactions() {
    let Some(database) = Database::shared() else { return };
    let Some((_pooler, url)) = pooler(database) else { return };
    let name = database.office();
    let [one, other] = [(); 2].map(|()| Arc::new(Postgres::open(&url, &KEY, &name).unwrap()));
    assert!(one.footing().unwrap().unwrap().is_pooled);
    let drawer = Store::at(one.clone()).drawer("shire");
    drawer.make().unwrap();
    let woken = Arc::new(AtomicBool::new(false));
    let seen = woken.clone();
    other.watch(Box::new(move |why| seen.store(why == Woken::Anything, Ordering::Relaxed))).unwrap();
    {
        let _lock = drawer.lock("log.lock", Duration::ZERO).unwrap();
        assert!(other.lock("shire", "log.lock", Duration::ZERO).is_err());
        let mut log = drawer.appender("log.yaml", Begin::Openly).unwrap();
        log.append(b"---\na: 1\n...\n").unwrap();
        drawer.put("outbox", &[("a.eml", b"letter")]).unwrap();
        drawer.rename("outbox/a.eml", "sent/a.eml").unwrap();
    }
    let letter = LetterWaiting { name: "a".to_owned(), raw: b"a".to_vec(), is_old: false, game: None };
    one.hand_in(&letter).unwrap();
    assert_eq!(other.take().unwrap().unwrap().letter, letter);
    assert_eq!(Store::at(other).drawer("shire").read("sent/a.eml").unwrap(), b"letter");
    until("the other worker looks by itself", || woken.load(Ordering::Relaxed));
}

#[test]
fn a_database_that_takes_no_changes_is_left_by_the_connections_that_knew_it() {
    let Some(database) = Database::shared() else { return };
    let (name, user) = (database.office(), "readers");
    let url = database.url();
    let home = Postgres::open(&url, &KEY, &name).unwrap();
    home.make_drawer("shire").unwrap();
    let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    client.batch_execute(&format!("create role {user} login superuser")).unwrap();
    let theirs = url.replacen("ringmail:", &format!("{user}:"), 1);
    client.batch_execute(&format!("alter role {user} set default_transaction_read_only to on")).unwrap();
    let reader = Postgres::open(&theirs, &KEY, &name).unwrap();
    let put = || reader.put("shire", "", &[("note", b"x")], store::home::Care::Synced);
    let error = put().unwrap_err().to_string();
    assert!(error.contains("the database takes no changes now"), "{error}");
    client.batch_execute(&format!("alter role {user} reset all")).unwrap();
    // The sessions from before are read-only for ever.
    put().unwrap();
    assert_eq!(home.read("shire", "note").unwrap(), b"x");
}
