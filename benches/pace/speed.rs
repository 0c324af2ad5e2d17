//! The time for a letter with a whole plan, from its bytes to the letters that follow.

#![expect(clippy::disallowed_types, reason = "how long a letter takes is no fact of a game")]

use super::game::Match;
use super::post::refused;
use super::thumbs::Ways;
use super::wotr::War;
use engine::seat::Seat;
use std::time::Instant;

/// The number of letters timed; the median counts.
const LETTERS: usize = 41;

/// Milliseconds.
pub fn letter_of_twenty_lines() -> f64 {
    let mut game = Match::<War>::new(0, Ways::Asked);
    game.play(3);
    let asked = game.post.asked().expect("a question").seat;
    let waits = (0..2).map(Seat::at).find(|seat| *seat != asked).expect("two seats");
    let lines: Vec<String> = (1..=20)
        .map(|turn| format!("event die: draw strategy if turn > {turn}; else muster die: skip; stop if card anywhere"))
        .collect();
    let mut took: Vec<f64> = (0..LETTERS)
        .map(|_| {
            let begun = Instant::now();
            let told = game.post.says(waits, &lines.join("\n"));
            let took = begun.elapsed().as_secs_f64() * 1000.0;
            assert!(refused(&told).is_empty() && told.len() >= lines.len(), "{told:?}");
            took
        })
        .collect();
    took.sort_by(f64::total_cmp);
    took[LETTERS / 2]
}
