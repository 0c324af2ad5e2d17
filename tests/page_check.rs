/*! The check of a log by a browser, on games in which more happens than in the samples: codes that change, another
host, another player, an undo; and dice of a beacon. What the page does not check it must say.
*/

use crate::browsers;
use crate::{second, second_beacon};
use ringmail::record::file::reading::read_through;
use ringmail::record::file::stream::Records;
use ringmail::report::page::Replay;
use ringmail::titles;
use std::fs;
use std::ops::ControlFlow;

const LEFT_OUT: &str = "return document.querySelector('#unchecked').textContent";

fn page(log: &[u8]) -> String {
    let mut replay = Replay::default();
    let fold = read_through(Records::new(log), titles::by_id, None, |step| {
        replay.note(step);
        ControlFlow::Continue(())
    });
    replay.page(&fold.unwrap(), log).unwrap()
}

#[test]
fn the_browser_follows_codes_hosts_and_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let eventful = second::eventful();
    let of_beacon = second_beacon::played(folder.path()).into_bytes();
    let games = [
        (eventful, vec!["shares of the host's root", "Who had a say in", "commitments to standing orders."]),
        (of_beacon, vec!["The signatures of ", "rounds of the beacon", "The order in which ", "commitments"]),
    ];
    let games = games.map(|(log, left_out)| (page(&log), log, left_out));
    browsers::each(|browser, folder| {
        for (page, log, left_out) in &games {
            let file = folder.join("game.html");
            fs::write(&file, page).unwrap();
            browser.open(&file, "");
            let verdict = browser.text(&browsers::verdict());
            let report = second::first(log);
            let throws = &report.to_json()["counts"]["throws"];
            let begins = format!("The chain of {} records holds. {throws} throws recomputed", report.records);
            assert!(verdict.starts_with(&begins), "{verdict}");
            let said = browser.text(LEFT_OUT);
            for part in left_out {
                assert!(said.contains(part), "{part}: {said}");
            }
        }
    });
}
