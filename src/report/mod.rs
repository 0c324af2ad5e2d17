/*! What a seat may know, set into words by templates.

An [`occasion`] is plain data: everything that may go into a letter for one reader, and nothing else. [`from_table`],
[`from_log`] and [`gazette`] fill it from the record. [`letter`] makes the letter of it, [`html`] the same letter as a
page, [`print`] a sheet of paper, all of them of one [`frame`]; [`terminal`] texts for a terminal; [`chronicle`] tells
the entries of a log. [`entry_words`] puts an entry into words, [`deadline`] the time to answer, [`agreed`] the rules of
the charter, [`closing`] the log as a whole, [`brief`] its verification in a few lines, [`motion`] what waits for votes,
and [`requests`] what a player asked for. [`fate`] is what became of a line; [`verdict`] says how much of a letter was
played, and [`checkpoint`] is the block at the end of every letter to a seat. [`rulebook`] finds and prints the rules of
a title; [`office`] has the letters of the post office itself. [`map`] draws what a reader sees of the table as a
[`picture`], [`page`] sets a whole game as one page for a browser, and [`window`] has the pages of an office that
everybody may look at.

The texts are in `templates/`; [`templates`] renders them, with [`filters`] as lines of text and with [`markup`] as a
page; [`columns`] measures and wraps.
*/

pub mod agreed;
pub mod brief;
pub mod checker;
pub mod checkpoint;
pub mod choices;
pub mod chronicle;
pub mod closing;
pub mod columns;
pub mod deadline;
pub mod dice_terms;
mod echo;
pub mod entry_words;
pub mod fate;
mod filters;
mod frame;
pub mod from_log;
pub mod from_table;
pub mod gazette;
pub mod guest;
pub mod html;
pub mod letter;
pub mod map;
mod markup;
pub mod motion;
pub mod occasion;
pub mod offered;
pub mod office;
pub mod pace;
pub mod page;
pub mod picture;
pub mod press;
pub mod print;
pub mod receipt;
pub mod requests;
pub mod rulebook;
mod shape;
mod telling;
mod templates;
pub mod terminal;
pub mod verdict;
pub mod window;
