//! The one table that names the games. Every room reaches a title through it, handed in by the program.

use engine::title::{Title, Titles};
use std::sync::OnceLock;

/// The titles of a program that has another table.
static OTHERS: OnceLock<&'static [&'static Title]> = OnceLock::new();

/// Every title that can be played.
pub static ALL: Titles = Titles(|| OTHERS.get().copied().unwrap_or(&OURS));

static OURS: [&Title; 2] = [&risk::title::TITLE, &wotr::title::TITLE];

/// Plays these titles instead, as long as the program runs.
///
/// # Panics
/// If it was called before.
pub fn play(titles: &'static [&'static Title]) {
    OTHERS.set(titles).expect("a program has one table of titles");
}
