//! The one table that names the games. Everything else reaches a title through [`Title`].

use engine::title::Title;
use risk::Risk;
use wotr::WarOfTheRing;

/// Every title that can be played.
pub static ALL: [&'static dyn Title; 2] = [&Risk, &WarOfTheRing];

/// The title with this id.
pub fn by_id(id: &str) -> Option<&'static dyn Title> {
    ALL.into_iter().find(|title| title.id() == id)
}
