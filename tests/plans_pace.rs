/*! The rules of thumb of `benches/pace.rs` write only what the post understands: each line of their letters, in the
first turns of a game of each title. The opened books show that each order has answered where it had to, and nowhere
else.
*/

#[path = "../benches/pace/bot.rs"]
mod bot;
#[path = "../benches/pace/game.rs"]
#[allow(dead_code, reason = "the benchmark adds up games")]
mod game;
#[path = "../benches/pace/post.rs"]
mod post;
#[path = "../benches/pace/risk.rs"]
mod risk;
#[path = "../benches/pace/thumbs.rs"]
#[allow(dead_code, reason = "the benchmark names the ways")]
mod thumbs;
#[path = "../benches/pace/wotr.rs"]
mod wotr;

use game::{Counted, Match};
use record::verify::{Errors, Wanted, verify};
use thumbs::{Thumbs, Ways};

/// Plays some turns, and returns the counts.
fn played<T: Thumbs>(turns: usize, ways: Ways) -> Counted {
    let mut game = Match::<T>::new(1, ways);
    game.play(turns);
    game.weigh(false);
    let wrong: Vec<&String> = game.counted.refused.keys().filter(|why| !why.contains("not allowed")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let folder = game.post.folder();
    game.post.desk.table.reveal(post::at(80_000)).unwrap();
    let progress = Box::leak(Box::new(|_| {}));
    let (file, titles) = ("-".to_owned(), ringmail::titles::ALL);
    let wanted = Wanted { file, titles, errors: Errors::First, seen: Vec::new(), progress };
    let log = std::fs::read(folder.join("log.yaml")).unwrap();
    let report = verify(&log[..], wanted).unwrap();
    assert!(report.is_ok(), "{report}");
    game.counted
}

#[test]
fn every_line_of_the_rules_of_thumb_is_understood() {
    let war = played::<wotr::War>(2, Ways::Defences);
    let lords = played::<risk::Lords>(3, Ways::Defences);
    for counted in [war, lords] {
        assert!(counted.all_automatic() > counted.all_waits(), "{counted:?}");
    }
}
