//! The one table that names the games. Every room reaches a title through it, handed in by the program.

use engine::title::Titles;
use risk::Risk;
use wotr::WarOfTheRing;

/// Every title that can be played.
pub static ALL: Titles = Titles(&[&Risk, &WarOfTheRing]);
