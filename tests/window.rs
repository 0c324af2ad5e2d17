//! The public pages: hidden facts change nothing in them, and each game has the page of its newest entry.

use ground::hash::Hash;
use mail::letter::mailbox::Mailbox;
use post::office::Office;
use post::window::{Window, page};
use record::file::reading::{read_through, revealed};
use record::file::stream::Records;
use record::fold::Fold;
use report::window as pages;
use ringmail::titles;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

fn log(game: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(game).join("log.yaml")).unwrap()
}

/// The first records of a game.
fn first(log: &str, records: usize) -> String {
    log.split_inclusive("\n...\n").take(records).collect()
}

fn told(log: &str, root: Option<Hash>) -> (Fold, Vec<String>) {
    let mut told = Vec::new();
    let fold = read_through(Records::new(log.as_bytes()), titles::ALL, root, |step| {
        told.push(pages::told(step));
        ControlFlow::Continue(())
    });
    (fold.unwrap(), told)
}

/// A page made from a fold that knows every card, like the host's, is the same to the byte as from one that knows
/// only public facts.
#[test]
fn s10_what_is_hidden_changes_nothing_in_a_page_for_everybody() {
    for (game, records) in [("the-ring-goes-south", 60), ("two-towers", 40)] {
        let whole = log(game);
        let root = revealed(whole.as_bytes()).unwrap();
        let part = first(&whole, records);
        let ((public, told_public), (host, told_host)) = (told(&part, None), told(&part, Some(root)));
        let hands = (0..public.plan().seats.len()).flat_map(|seat| {
            let seat = engine::seat::Seat::at(seat);
            host.game().hand(seat)
        });
        assert!(hands.clone().any(|slot| host.faces().get(slot).is_some()), "{game}: somebody holds a card");
        assert!(hands.clone().all(|slot| public.faces().get(slot).is_none()), "{game}: which the public does not know");
        assert_eq!(pages::game(game, &public, &told_public), pages::game(game, &host, &told_host), "{game}");
        let listed = |fold: &Fold| pages::index(&[pages::Listed::of(game, fold)]);
        assert_eq!(listed(&public), listed(&host), "{game}");
        // A head or a hash would make two games differ that look the same.
        let (page, _) = page(game, part.as_bytes(), titles::ALL).unwrap();
        let head = public.head().hash.to_string();
        assert!(!page.contains(&head[..8]) && page.contains("<svg") && page.contains("\nWaiting for"), "{game}");
    }
}

#[test]
fn the_window_shows_the_newest_entry_of_every_game_and_leaves_other_files_alone() {
    let home = tempfile::tempdir().unwrap();
    let (games, folder) = (home.path().join("games"), home.path().join("www"));
    let office = Office::new(&games, &Mailbox::read("box@play.example").unwrap(), titles::ALL);
    let write = |name: &str, log: &str| {
        fs::create_dir_all(games.join(name)).unwrap();
        fs::write(games.join(name).join("log.yaml"), log).unwrap();
    };
    let whole = log("two-towers");
    write("index", &first(&whole, 30));
    write("over", &whole);
    write("torn", "---\nno log");
    let mut window = Window::open(&office, &folder, titles::ALL).unwrap();
    let wrong = window.look(&office.games().unwrap()).unwrap_err();
    assert!(wrong.starts_with("torn: "), "{wrong}");
    fs::remove_dir_all(games.join("torn")).unwrap();
    fs::write(folder.join("mine.html"), "mine").unwrap();
    window.look(&office.games().unwrap()).unwrap();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let list = read("index.html");
    assert!(list.contains("href=\"index.game.html\"") && list.contains("href=\"over.game.html\""), "{list}");
    assert!(list.find("Being played").unwrap() < list.find("Finished").unwrap());
    let before = read("index.game.html");
    assert!(before.contains("#29") && !before.contains("#30 "), "the newest entry");
    assert!(read("over.game.html").contains("<script"), "a finished game is there as a whole");
    write("index", &first(&whole, 31));
    fs::remove_dir_all(games.join("over")).unwrap();
    window.look(&office.games().unwrap()).unwrap();
    assert!(read("index.game.html").contains("#30 "));
    assert!(!folder.join("over.game.html").exists() && read("mine.html") == "mine");
    assert!(!read("index.html").contains("over.game.html"));
}
