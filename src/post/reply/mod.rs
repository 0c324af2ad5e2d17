/*! What of a letter is its writer's own, and what is quoted, greeted, signed or put under it by a program.

This folder knows no game and no request: it judges lines by how people and mail programs write, and is told with which
words a sentence begins.

In reading order: [`phrases`] are lists of words, as data; [`vocabulary`] are the words of the games and of the post;
[`quoting`] judges every line; [`attribution`] knows the lines that stand above a quotation, [`footers`] what programs
put in; [`courtesies`] are greetings, farewells and names, [`chatter`] whatever else is no sentence; [`signed_block`]
takes a signed sentence out of the text.
*/

pub mod attribution;
pub mod chatter;
pub mod courtesies;
pub mod footers;
pub mod phrases;
pub mod quoting;
pub mod signed_block;
pub mod vocabulary;
