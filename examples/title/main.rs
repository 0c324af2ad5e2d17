/*! The whole program with one more title, in three files: [`morris`], its rulebook `rules.md`, and this one.

`cargo run --example title -- play --title morris --as white` plays it in the terminal; every other verb knows it, too.
*/

mod morris;

use engine::title::Title;
use std::process::ExitCode;

static TITLES: [&Title; 3] = [&morris::TITLE, &risk::title::TITLE, &wotr::title::TITLE];

fn main() -> ExitCode {
    ringmail::titles::play(&TITLES);
    ringmail::cli::main()
}
