//! An office that moves in: only into an empty place, and nobody else can put anything there in the meantime.

use super::Office;
use crate::servers::until;
use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use store::drawer::Drawer;
use store::home::{Home, LetterWaiting, Shared};
use tempfile::TempDir;

/// A folder with a game in it.
fn folder(game: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let written = Drawer::from(folder.path().join(game).as_path());
    written.make().unwrap();
    written.replace("host.yaml", b"host").unwrap();
    folder
}

fn move_in(office: &Office, from: &Path) -> Result<(), ErrorKind> {
    office.store().move_in(from, "").map_err(|error| error.kind())
}

#[test]
fn an_office_moves_in_only_where_nothing_is() {
    let Some(office) = Office::new() else { return };
    let (worker, shire) = (office.worker(), folder("shire"));
    let letter = LetterWaiting { name: String::new(), raw: b"letter".to_vec(), is_old: false, game: None };
    worker.hand_in(&letter).unwrap();
    assert_eq!(move_in(&office, shire.path()), Err(ErrorKind::AlreadyExists), "a letter waits");
    let taken = worker.take().unwrap().unwrap();
    worker.received(taken.id).unwrap();
    worker.make_drawer("mordor").unwrap();
    assert_eq!(move_in(&office, shire.path()), Err(ErrorKind::AlreadyExists), "another game");
    assert_eq!(worker.drawers().unwrap(), ["mordor"]);
    worker.remove_folder("mordor", "").unwrap();
    assert_eq!(move_in(&office, shire.path()), Ok(()));
    assert_eq!(worker.read("shire", "host.yaml").unwrap(), b"host");
}

#[test]
fn of_two_that_move_in_at_once_one_does() {
    let Some(office) = Office::new() else { return };
    let (worker, folders) = (office.worker(), ["shire", "mordor"].map(folder));
    // Neither sees the other before it waits for it.
    let mut client = office.client();
    let mut held = client.transaction().unwrap();
    let process = held.query_one("select pg_backend_pid()", &[]).unwrap().get(0);
    held.execute("select 1 from drawer where name = '' for share", &[]).unwrap();
    let moved = thread::scope(|scope| {
        let moving = folders.each_ref().map(|folder| scope.spawn(|| move_in(&office, folder.path())));
        until_waiting(&office, process, 2);
        held.commit().unwrap();
        moving.map(|moving| moving.join().unwrap())
    });
    assert!(moved.contains(&Ok(())) && moved.contains(&Err(ErrorKind::AlreadyExists)), "{moved:?}");
    assert_eq!(worker.drawers().unwrap().len(), 1);
}

#[test]
fn a_game_is_made_before_an_office_moves_in_or_after_it() {
    let Some(office) = Office::new() else { return };
    let worker = office.worker();
    // The same lock as during a move.
    let mut client = office.client();
    let mut moving = client.transaction().unwrap();
    let process = moving.query_one("select pg_backend_pid()", &[]).unwrap().get(0);
    moving.execute("select 1 from drawer where name = '' for update", &[]).unwrap();
    thread::scope(|scope| {
        let made = scope.spawn(|| worker.make_drawer("mordor"));
        until_waiting(&office, process, 1);
        moving.execute("insert into drawer (name) values ('shire')", &[]).unwrap();
        moving.commit().unwrap();
        made.join().unwrap().unwrap();
    });
    assert_eq!(worker.drawers().unwrap(), ["mordor", "shire"]);
}

/// Waits until `count` connections wait for this process in the database, or for one that waits for it.
#[track_caller]
fn until_waiting(office: &Office, process: i32, count: i64) {
    let mut client = office.client();
    let sql = "select count(*) from pg_stat_activity where $1 = any(pg_blocking_pids(pid)) or exists
        (select 1 from unnest(pg_blocking_pids(pid)) as t (other) where $1 = any(pg_blocking_pids(other)))";
    until("others wait", || client.query_one(sql, &[&process]).unwrap().get::<_, i64>(0) >= count);
}
