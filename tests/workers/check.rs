//! What must hold when everything is answered: nothing waits anywhere, every log verifies, and its export is the same.

use super::office::Office;
use std::fs;

/// The last line of `verify` ends with the head.
fn head(told: &str) -> &str {
    told.lines().filter_map(|line| line.split_once(", head ")).next_back().map(|(_, head)| head).unwrap()
}

/// Whether no letter waits to be played or sent. What a killed worker held is free after its lease.
pub fn rests(office: &Office) -> bool {
    office.does(&["queue"]).contains("No letter waits")
        && office.does(&["status"]).contains("no letter waits to be played")
}

/// Checks that nothing waits, every log verifies, and its export has the same head.
pub fn at_rest(office: &Office, games: &[String]) {
    let queue = office.does(&["queue"]);
    assert!(queue.contains("No letter waits"), "{queue}");
    let status = office.does(&["status"]);
    assert!(status.contains("no letter waits to be played"), "{status}");
    assert_eq!(fs::read_dir(office.home.join("Maildir/new")).unwrap().count(), 0, "{}", office.told());
    for game in games {
        let verified = office.does(&["verify", game, "--long"]);
        let log = office.home.join(format!("{game}.yaml"));
        fs::write(&log, office.does(&["export", game])).unwrap();
        let exported = office.does(&["verify", log.to_str().unwrap(), "--long"]);
        assert_eq!(head(&verified), head(&exported), "{game}");
    }
}
