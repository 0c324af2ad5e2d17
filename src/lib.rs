/*! Ringmail: long board games by e-mail, recorded and verifiable.

The house, in reading order. Dependencies run downwards only; `tests/tidy.rs` holds them to it.

* [`engine`]: the kernel. An agenda of steps, a menu of what may be said, needs of chance, facts.
  It knows no game, no file and no letter.
* [`risk`]: *Risk: The Lord of the Rings*, one file a chapter of its rules.
  It knows the kernel, and nothing of mail, files or templates.
* [`wotr`]: *War of the Ring*, one file a chapter of its rules. It knows what `risk` knows.
* [`titles`]: the one table that names the games.
* [`disk`]: files written whole, synced and private. It knows no other room.
* [`record`]: the log to the byte, its chain, dice, seals, folding and verification.
  It reaches a game only through [`engine::title`].
* [`report`]: what a seat may know, set into text by templates.
* [`post`]: letters in and letters out.
* [`cli`]: one file a verb; the only place that prints.
*/

pub mod cli;
pub mod disk;
pub mod engine;
pub mod mail;
pub mod post;
pub mod record;
pub mod report;
pub mod risk;
pub mod titles;
pub mod wotr;
