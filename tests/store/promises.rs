//! What every home of a store promises.

#![expect(clippy::disallowed_types, reason = "how long a lock is waited for is no fact of a game")]

use crate::homes::{Home, Place, in_both_homes};
use ground::disk::mishap;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{io, thread};
use store::Store;
use store::drawer::Drawer;
use store::home::{Begin, FileKind};

in_both_homes! {
    a_file_is_replaced_as_a_whole,
    a_change_is_seen,
    what_is_not_there_is_not_found,
    files_are_moved_and_removed,
    folders_are_listed_in_order,
    drawers_are_looked_through,
    a_file_is_appended_to,
    a_log_is_read_from_anywhere,
    an_append_begins_as_it_says,
    a_file_is_cut_off,
    a_folder_moves_in,
    a_lock_is_held_by_one,
    a_lock_is_waited_for,
    a_power_failure_leaves_the_old_or_the_new,
}

pub fn record(seq: u64) -> String {
    format!("---\nseq: {seq}\ntext: \"what happened\"\n...\n")
}

fn drawer(place: &dyn Place) -> Drawer {
    let drawer = place.store().drawer("shire");
    drawer.make().unwrap();
    drawer
}

#[track_caller]
fn kind<T>(result: io::Result<T>) -> ErrorKind {
    match result {
        Ok(_) => panic!("it succeeded"),
        Err(error) => error.kind(),
    }
}

fn streamed(drawer: &Drawer, file: &str, start: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    drawer.stream(file, start).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

fn names(drawer: &Drawer, folder: &str) -> Vec<String> {
    drawer.list(folder).unwrap().into_iter().map(|found| found.name).collect()
}

fn a_file_is_replaced_as_a_whole(home: Home) {
    let place = &*home.place();
    let drawer = drawer(place);
    let other = place.store().drawer("shire");
    for file in ["host.yaml", "next-tick", "log.yaml", "post.yaml"] {
        drawer.create(file, record(0).as_bytes()).unwrap();
        assert_eq!(kind(drawer.create(file, b"again")), ErrorKind::AlreadyExists, "{file}");
        assert_eq!(other.read(file).unwrap(), record(0).as_bytes(), "{file}");
        for bytes in [&b"second, and longer than the first one was before"[..], b"", b"third", &[0, 255, 254]] {
            drawer.replace(file, bytes).unwrap();
            assert_eq!(other.read(file).unwrap(), bytes, "{file}");
            assert_eq!(streamed(&other, file, 0), bytes);
            assert_eq!(other.look(file).unwrap().length, bytes.len() as u64);
        }
        drawer.replace_loosely(file, b"loose").unwrap();
        assert_eq!(other.read_if_there(file).unwrap().as_deref(), Some(&b"loose"[..]));
    }
    drawer.make_folder("vault/mail").unwrap();
    let large = vec![7; 3 << 20];
    let files: [(&str, &[u8]); 4] = [("b.eml", b"b"), ("a.eml", &large), ("c.eml", &large), ("b.eml", b"later")];
    drawer.put("vault/mail", &files).unwrap();
    drawer.put("vault/mail", &[]).unwrap();
    assert_eq!(other.read("vault/mail/a.eml").unwrap(), large);
    assert_eq!(other.read("vault/mail/b.eml").unwrap(), b"later");
    assert_eq!(names(&other, "vault/mail"), ["a.eml", "b.eml", "c.eml"]);
}

fn a_change_is_seen(home: Home) {
    let place = &*home.place();
    let drawer = drawer(place);
    for file in ["host.yaml", "post.yaml"] {
        drawer.replace(file, b"one").unwrap();
        let first = drawer.look(file).unwrap();
        assert_eq!(drawer.look(file).unwrap(), first);
        drawer.replace(file, b"two").unwrap();
        let second = drawer.look(file).unwrap();
        assert_ne!((first.identity, first.length), (second.identity, first.length + 1));
        assert_ne!(first, second);
        assert!(first.changed <= second.changed);
        let mut appender = drawer.appender(file, Begin::There).unwrap();
        appender.append(b"!").unwrap();
        appender.sync().unwrap();
        let third = drawer.look(file).unwrap();
        assert_eq!(third.length, 4);
        assert_ne!(second, third);
    }
    assert!(drawer.has("host.yaml").unwrap() && !drawer.has("host").unwrap());
}

fn what_is_not_there_is_not_found(home: Home) {
    let place = &*home.place();
    let store = place.store();
    let none = store.drawer("mordor");
    assert!(!none.is_there().unwrap());
    let drawer = drawer(place);
    assert!(drawer.is_there().unwrap());
    for file in ["log.yaml", "post.yaml", "host.yaml", "outbox/a.eml"] {
        for drawer in [&none, &drawer] {
            assert_eq!(kind(drawer.read(file)), ErrorKind::NotFound);
            assert_eq!(kind(drawer.stream(file, 0)), ErrorKind::NotFound);
            assert_eq!(kind(drawer.look(file)), ErrorKind::NotFound);
            assert_eq!(kind(drawer.appender(file, Begin::There)), ErrorKind::NotFound);
            assert_eq!(kind(drawer.rename(file, "other")), ErrorKind::NotFound);
            assert_eq!(drawer.read_if_there(file).unwrap(), None);
            drawer.remove(file).unwrap();
        }
    }
    for file in ["log.yaml", "post.yaml", "host.yaml"] {
        assert_eq!(kind(none.create(file, b"")), ErrorKind::NotFound);
        assert_eq!(kind(none.replace(file, b"")), ErrorKind::NotFound);
        assert_eq!(kind(none.appender(file, Begin::Privately)), ErrorKind::NotFound);
    }
    assert_eq!(kind(none.lock("game.lock", Duration::ZERO)), ErrorKind::NotFound);
    assert_eq!(none.list("").unwrap(), []);
    assert_eq!(drawer.list("outbox").unwrap(), []);
    none.remove_folder("outbox").unwrap();
    none.remove_folder("").unwrap();
    let error = drawer.read("host.yaml").unwrap_err().to_string();
    assert!(error.contains("shire/host.yaml"), "{error}");
    // Making a folder in a drawer makes the drawer.
    none.put("vault/mail", &[("a.eml", b"a")]).unwrap();
    assert!(none.is_there().unwrap());
    let third = store.drawer("gondor");
    third.make_folder("outbox").unwrap();
    assert!(third.is_there().unwrap());
    third.make().unwrap();
    assert_eq!(store.drawers().unwrap(), ["gondor", "mordor", "shire"]);
}

fn files_are_moved_and_removed(home: Home) {
    let place = &*home.place();
    let drawer = drawer(place);
    for folder in ["outbox", "sent", "dead"] {
        drawer.make_folder(folder).unwrap();
    }
    drawer.put("outbox", &[("a.eml", b"a"), ("b.eml", b"b")]).unwrap();
    let before = drawer.look("outbox/a.eml").unwrap();
    drawer.rename("outbox/a.eml", "sent/a.eml").unwrap();
    assert_eq!(drawer.look("sent/a.eml").unwrap().changed, before.changed);
    assert_eq!((names(&drawer, "outbox"), names(&drawer, "sent")), (vec!["b.eml".to_owned()], vec!["a.eml".into()]));
    assert_eq!(drawer.read("sent/a.eml").unwrap(), b"a");
    // Over an existing file, to another name, and to its own name.
    drawer.rename("outbox/b.eml", "sent/a.eml").unwrap();
    assert_eq!(drawer.read("sent/a.eml").unwrap(), b"b");
    drawer.rename("sent/a.eml", "kept.eml").unwrap();
    drawer.rename("kept.eml", "kept.eml").unwrap();
    assert_eq!(drawer.read("kept.eml").unwrap(), b"b");
    assert!(names(&drawer, "").contains(&"kept.eml".to_owned()) && names(&drawer, "sent").is_empty());
    drawer.replace("post.yaml", b"book").unwrap();
    drawer.replace("log.yaml", (record(0) + &record(1)).as_bytes()).unwrap();
    drawer.rename("log.yaml", "old.yaml").unwrap();
    drawer.rename("post.yaml", "log.yaml").unwrap();
    assert_eq!(drawer.read("log.yaml").unwrap(), b"book");
    drawer.rename("old.yaml", "log.yaml").unwrap();
    assert_eq!(drawer.read("log.yaml").unwrap(), (record(0) + &record(1)).as_bytes());
    assert_eq!(names(&drawer, "").iter().filter(|name| name.ends_with(".yaml")).count(), 1);
    for file in ["log.yaml", "kept.eml", "kept.eml"] {
        drawer.remove(file).unwrap();
        assert!(!drawer.has(file).unwrap());
    }
    drawer.put("vault/mail", &[("a.eml", b"a")]).unwrap();
    drawer.put("vault/keys", &[("a.txt", b"a")]).unwrap();
    drawer.put("vaults", &[("a.txt", b"a")]).unwrap();
    drawer.remove_folder("vault").unwrap();
    assert_eq!((names(&drawer, "vault/mail"), names(&drawer, "vaults")), (vec![], vec!["a.txt".to_owned()]));
    drawer.remove_folder("").unwrap();
    assert!(!drawer.is_there().unwrap());
    drawer.make().unwrap();
    assert_eq!(names(&drawer, ""), [""; 0]);
}

fn folders_are_listed_in_order(home: Home) {
    let place = &*home.place();
    let drawer = drawer(place);
    drawer.replace("log.yaml", b"12345").unwrap();
    drawer.replace("host.yaml", b"123").unwrap();
    drawer.put("vault/mail", &[("b.eml", b"1"), ("a.eml", b"12"), ("B.eml", b"")]).unwrap();
    drawer.put("vault", &[("a", b"1")]).unwrap();
    let listed = |folder: &str| -> Vec<(String, FileKind, u64)> {
        let length = |kind, length| if kind == FileKind::File { length } else { 0 };
        let found = drawer.list(folder).unwrap().into_iter();
        found.map(|found| (found.name, found.kind, length(found.kind, found.length))).collect()
    };
    let found = |name: &str, kind, length| (name.to_owned(), kind, length);
    let [host, log] = [found("host.yaml", FileKind::File, 3), found("log.yaml", FileKind::File, 5)];
    assert_eq!(listed(""), [host, log, found("vault", FileKind::Folder, 0)]);
    assert_eq!(listed("vault"), [found("a", FileKind::File, 1), found("mail", FileKind::Folder, 0)]);
    let [upper, a, b] =
        [found("B.eml", FileKind::File, 0), found("a.eml", FileKind::File, 2), found("b.eml", FileKind::File, 1)];
    assert_eq!(listed("vault/mail"), [upper, a, b]);
    assert_eq!(listed("vault/keys"), []);
    // Any number of files, in whatever order they came.
    let mut many: Vec<String> = (0..40).map(|number| format!("{}.eml", number * 17 % 40)).collect();
    for name in &many {
        drawer.put("sent", &[(name, b"")]).unwrap();
    }
    many.sort();
    assert_eq!(names(&drawer, "sent"), many);
    let everywhere = place.store().everywhere("sent").unwrap();
    assert_eq!(everywhere.into_iter().map(|(_, found)| found.name).collect::<Vec<String>>(), many);
}

fn drawers_are_looked_through(home: Home) {
    let place = &*home.place();
    let store = place.store();
    for name in ["rohan", "gondor", "counter", "Shire"] {
        let drawer = store.drawer(name);
        drawer.make().unwrap();
        if name != "counter" {
            drawer.replace("log.yaml", name.as_bytes()).unwrap();
            drawer.put("outbox", &[("b.eml", b"b"), ("a.eml", b"aa")]).unwrap();
        }
    }
    store.drawer("rohan").replace("next-tick", b"never").unwrap();
    store.drawer("rohan").replace("post.yaml", b"book").unwrap();
    store.drawer("gondor").put("sent", &[("c.eml", b"c")]).unwrap();
    store.drawer("gondor").rename("outbox/a.eml", "sent/a.eml").unwrap();
    let store = place.store();
    assert_eq!(store.drawers().unwrap(), ["Shire", "counter", "gondor", "rohan"]);
    assert_eq!(store.drawers_with("log.yaml").unwrap(), ["Shire", "gondor", "rohan"]);
    assert_eq!(store.drawers_with("outbox/a.eml").unwrap(), ["Shire", "rohan"]);
    assert_eq!(store.drawers_with("host.yaml").unwrap(), [""; 0]);
    let surveyed = store.survey("next-tick", ["log.yaml", "post.yaml"]).unwrap().into_iter();
    let surveyed: Vec<_> = surveyed.map(|found| (found.drawer, found.note, found.lengths)).collect();
    let [shire, counter] = [("Shire".to_owned(), None, [Some(5), None]), ("counter".to_owned(), None, [None, None])];
    let gondor = ("gondor".to_owned(), None, [Some(6), None]);
    let rohan = ("rohan".to_owned(), Some("never".to_owned()), [Some(5), Some(4)]);
    assert_eq!(surveyed, [shire, counter, gondor, rohan]);
    // It also works for all other files, even if slowly.
    store.drawer("rohan").replace("host.yaml", b"host").unwrap();
    let other = store.survey("host.yaml", ["host.yaml", "log.yaml"]).unwrap().pop().unwrap();
    assert_eq!((other.note.as_deref(), other.lengths), (Some("host"), [Some(4), Some(5)]));
    let everywhere = |folder: &str| -> Vec<(String, String, u64)> {
        let found = store.everywhere(folder).unwrap().into_iter();
        found.map(|(drawer, found)| (drawer, found.name, found.length)).collect()
    };
    let found = |drawer: &str, name: &str, length| (drawer.to_owned(), name.to_owned(), length);
    let [one, two, three] = [found("Shire", "a.eml", 2), found("Shire", "b.eml", 1), found("gondor", "b.eml", 1)];
    assert_eq!(everywhere("outbox"), [one, two, three, found("rohan", "a.eml", 2), found("rohan", "b.eml", 1)]);
    assert_eq!(everywhere("sent"), [found("gondor", "a.eml", 2), found("gondor", "c.eml", 1)]);
    assert_eq!(everywhere("dead"), []);
}

fn a_file_is_appended_to(home: Home) {
    let place = &*home.place();
    let drawer = drawer(place);
    for (file, begin) in [("log.yaml", Begin::Openly), ("post.yaml", Begin::Privately), ("notes.txt", Begin::Privately)]
    {
        let mut appender = drawer.appender(file, begin).unwrap();
        assert_eq!((appender.length().unwrap(), drawer.read(file).unwrap()), (0, vec![]));
        let mut whole = String::new();
        for part in [record(0), record(1) + &record(2), "torn".to_owned(), String::new(), record(3)] {
            appender.append(part.as_bytes()).unwrap();
            appender.sync().unwrap();
            whole += &part;
            assert_eq!(appender.length().unwrap(), whole.len() as u64);
            assert_eq!(drawer.read(file).unwrap(), whole.as_bytes());
        }
        drop(appender);
        let mut appender = drawer.appender(file, Begin::There).unwrap();
        assert_eq!(appender.length().unwrap(), whole.len() as u64);
        appender.append(b"more").unwrap();
        assert_eq!(drawer.read(file).unwrap(), (whole + "more").as_bytes());
    }
}

fn a_log_is_read_from_anywhere(home: Home) {
    let place = &*home.place();
    let drawer = drawer(place);
    let mut appender = drawer.appender("log.yaml", Begin::Openly).unwrap();
    let whole: String = (0..600).map(record).collect();
    appender.append(whole.as_bytes()).unwrap();
    let length = whole.len() as u64;
    for start in [0, 1, 7, 43, 44, 45, length / 2, length - 1, length, length + 5] {
        let from = usize::try_from(start).unwrap().min(whole.len());
        assert_eq!(streamed(&drawer, "log.yaml", start), &whole.as_bytes()[from..], "from {start}");
    }
    // Records appended in the meantime do not disturb the reader.
    let mut stream = drawer.stream("log.yaml", 0).unwrap();
    let mut first = vec![0; 1000];
    stream.read_exact(&mut first).unwrap();
    appender.append(record(600).as_bytes()).unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert_eq!([first, rest].concat()[..whole.len()], *whole.as_bytes());
}

fn an_append_begins_as_it_says(home: Home) {
    let place = &*home.place();
    let drawer = drawer(place);
    for file in ["log.yaml", "post.yaml", "notes.txt"] {
        assert_eq!(kind(drawer.appender(file, Begin::There)), ErrorKind::NotFound);
        drop(drawer.appender(file, Begin::Openly).unwrap());
        assert_eq!(kind(drawer.appender(file, Begin::Openly)), ErrorKind::AlreadyExists);
        drawer.appender(file, Begin::Privately).unwrap().append(b"one").unwrap();
        drawer.appender(file, Begin::There).unwrap().append(b"two").unwrap();
        assert_eq!(drawer.read(file).unwrap(), b"onetwo");
    }
}

fn a_file_is_cut_off(home: Home) {
    let place = &*home.place();
    let drawer = drawer(place);
    for file in ["log.yaml", "post.yaml", "notes.txt"] {
        let mut appender = drawer.appender(file, Begin::Privately).unwrap();
        let mut whole = String::new();
        for seq in 0..4 {
            appender.append(record(seq).as_bytes()).unwrap();
            whole += &record(seq);
        }
        for length in [whole.len(), record(0).len() * 3 + 5, record(0).len() * 3, record(0).len() + 1] {
            appender.truncate(length as u64).unwrap();
            appender.sync().unwrap();
            assert_eq!(appender.length().unwrap(), length as u64);
            assert_eq!(drawer.read(file).unwrap(), &whole.as_bytes()[..length]);
        }
        appender.append(b"on").unwrap();
        assert_eq!(drawer.read(file).unwrap(), (whole[..=record(0).len()].to_owned() + "on").as_bytes());
        appender.truncate(0).unwrap();
        assert_eq!(drawer.read(file).unwrap(), b"");
        appender.append(record(0).as_bytes()).unwrap();
        assert_eq!(drawer.read(file).unwrap(), record(0).as_bytes());
    }
}

fn a_folder_moves_in(home: Home) {
    let place = &*home.place();
    let around = tempfile::tempdir().unwrap();
    let fill = |root: &Path| {
        let written = Drawer::from(root);
        written.make().unwrap();
        written.replace("log.yaml", (record(0) + &record(1)).as_bytes()).unwrap();
        written.replace("post.yaml", b"book").unwrap();
        written.replace("host.yaml", b"host").unwrap();
        written.put("vault/mail", &[("a.eml", b"a")]).unwrap();
        drop(written.lock("game.lock", Duration::ZERO).unwrap());
    };
    let store = place.store();
    fill(&around.path().join("moving"));
    store.move_in(&around.path().join("moving"), "shire").unwrap();
    let drawer = store.drawer("shire");
    assert_eq!(drawer.read("log.yaml").unwrap(), (record(0) + &record(1)).as_bytes());
    assert_eq!(
        (drawer.read("post.yaml").unwrap(), drawer.read("host.yaml").unwrap()),
        (b"book".into(), b"host".into())
    );
    assert_eq!(drawer.read("vault/mail/a.eml").unwrap(), b"a");
    drawer.appender("log.yaml", Begin::There).unwrap().append(record(2).as_bytes()).unwrap();
    drop(drawer.lock("game.lock", Duration::ZERO).unwrap());
    // The drawer exists already, and stays unchanged.
    fill(&around.path().join("again"));
    store.move_in(&around.path().join("again"), "shire").unwrap_err();
    assert_eq!(drawer.read("log.yaml").unwrap(), (record(0) + &record(1) + &record(2)).as_bytes());
    // Everything of an empty store.
    drawer.remove_folder("").unwrap();
    for name in ["gondor", "rohan"] {
        fill(&around.path().join("all").join(name));
    }
    store.move_in(&around.path().join("all"), "").unwrap();
    assert_eq!(store.drawers_with("log.yaml").unwrap(), ["gondor", "rohan"]);
    assert_eq!(store.drawer("rohan").read("vault/mail/a.eml").unwrap(), b"a");
}

fn a_lock_is_held_by_one(home: Home) {
    let place = &*home.place();
    let drawer = drawer(place);
    let other = place.store().drawer("shire");
    let lock = drawer.lock("game.lock", Duration::ZERO).unwrap();
    for drawer in [&drawer, &other] {
        assert_eq!(kind(drawer.lock("game.lock", Duration::ZERO)), ErrorKind::WouldBlock);
        assert_eq!(kind(drawer.lock("game.lock", Duration::from_millis(20))), ErrorKind::WouldBlock);
        drop(drawer.lock("sending", Duration::ZERO).unwrap());
    }
    drop(place.store().drawer("shire").lock("sending", Duration::ZERO).unwrap());
    drawer.replace("host.yaml", b"ours").unwrap();
    drop(lock);
    // A lock that arrives too late, for the caller that gave up above, is held for a moment.
    let soon = Duration::from_secs(60);
    let lock = other.lock("game.lock", soon).unwrap();
    assert_eq!(kind(drawer.lock("game.lock", Duration::ZERO)), ErrorKind::WouldBlock);
    drop(lock);
    drop(drawer.lock("game.lock", soon).unwrap());
    // A lock on the store as a whole.
    let lock = place.store().drawer("").lock("serve.lock", Duration::ZERO).unwrap();
    assert_eq!(kind(place.store().drawer("").lock("serve.lock", Duration::ZERO)), ErrorKind::WouldBlock);
    drop(lock);
}

fn a_lock_is_waited_for(home: Home) {
    let place = &*home.place();
    let drawer = drawer(place);
    let other = place.store().drawer("shire");
    thread::scope(|scope| {
        let lock = drawer.lock("game.lock", Duration::ZERO).unwrap();
        let waiting = scope.spawn(move || {
            let since = Instant::now();
            other.lock("game.lock", Duration::from_secs(60)).map(|_lock| since.elapsed())
        });
        thread::sleep(Duration::from_millis(30));
        drop(lock);
        assert!(waiting.join().unwrap().unwrap() < Duration::from_secs(30));
    });
}

/// Everything in a drawer.
fn contents(store: &Store) -> BTreeMap<String, Vec<u8>> {
    let drawer = store.drawer("shire");
    let mut contents = BTreeMap::new();
    for folder in ["", "outbox", "sent"] {
        for found in drawer.list(folder).unwrap().into_iter().filter(|found| found.kind == FileKind::File) {
            let file = if folder.is_empty() { found.name } else { format!("{folder}/{}", found.name) };
            contents.insert(file.clone(), drawer.read(&file).unwrap());
        }
    }
    contents
}

/// One action on a drawer.
type Deed = fn(&Drawer) -> io::Result<()>;

const DEEDS: [Deed; 12] = [
    |drawer| drawer.create("host.yaml", b"created"),
    |drawer| drawer.replace("host.yaml", b"replaced"),
    |drawer| drawer.appender("log.yaml", Begin::Openly).and_then(|mut log| log.append(record(0).as_bytes())),
    |drawer| {
        let mut log = drawer.appender("log.yaml", Begin::There)?;
        log.append(record(1).as_bytes())?;
        log.sync()
    },
    |drawer| drawer.appender("post.yaml", Begin::Privately).and_then(|mut book| book.append(b"event")),
    |drawer| drawer.appender("post.yaml", Begin::There).and_then(|mut book| book.append(b"another")),
    |drawer| drawer.put("outbox", &[("a.eml", b"a"), ("b.eml", b"b")]),
    |drawer| drawer.rename("outbox/a.eml", "sent/a.eml"),
    |drawer| drawer.replace("post.yaml", b"rewritten"),
    |drawer| drawer.appender("log.yaml", Begin::There).and_then(|mut log| log.truncate(record(0).len() as u64)),
    |drawer| drawer.remove("outbox/b.eml"),
    |drawer| drawer.remove_folder("sent"),
];

fn a_power_failure_leaves_the_old_or_the_new(home: Home) {
    let place = &*home.place();
    let store = place.store();
    let fresh = || {
        store.drawer("shire").remove_folder("").unwrap();
        store.drawer("shire").make_folder("sent").unwrap();
        store.drawer("shire").make_folder("outbox").unwrap();
    };
    fresh();
    let mut states = vec![contents(&store)];
    for deed in DEEDS {
        deed(&store.drawer("shire")).unwrap();
        states.push(contents(&store));
    }
    for operations in 0.. {
        fresh();
        mishap::after(operations);
        let done = DEEDS.iter().take_while(|deed| deed(&store.drawer("shire")).is_ok()).count();
        let has_struck = mishap::has_struck();
        if !has_struck {
            assert_eq!(done, DEEDS.len());
            break;
        }
        let [before, after] = [&states[done], &states[(done + 1).min(DEEDS.len())]];
        let found = contents(&place.store());
        for file in before.keys().chain(after.keys()).chain(found.keys()) {
            let [before, found, after] = [before, &found, after].map(|state| state.get(file));
            let is_torn = match (before.map_or(&[][..], Vec::as_slice), found, after) {
                (before, Some(found), Some(after)) => found.starts_with(before) && after.starts_with(found),
                _ => false,
            };
            assert!(found == before || found == after || is_torn, "{operations}: {file}: {found:?}");
        }
    }
}
