/*! Which lines of a letter are its writer's own, and which are quoted text, greetings, signatures, or added by a
program.

This folder knows no game and no request: it judges lines by the habits of people and mail programs, and gets the
words with which a sentence begins from outside.

In reading order: [`phrases`] are lists of words, as data; [`vocabulary`] are the words of the games and of the post;
[`quoting`] judges every line; [`attribution`] knows the lines above a quotation, [`footers`] the lines that programs
add; [`courtesies`] are greetings, farewells and names; [`verdict`] tells what is harmless of all else that is no
sentence, by the words of the [`lexicon`]; [`signed_block`] takes a signed sentence out of the text.
*/

pub mod attribution;
pub mod courtesies;
pub mod footers;
pub mod lexicon;
pub mod phrases;
pub mod quoting;
pub mod signed_block;
pub mod verdict;
pub mod vocabulary;
