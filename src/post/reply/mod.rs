/*! What of a letter is its writer's own, and what is quoted, greeted, signed or put under it by a program.

This folder knows no game and no request: it judges lines by how people and mail programs write.

In reading order: [`quoting`] judges every line; [`attribution`] knows the lines that stand above a quotation;
[`courtesies`] are greetings, farewells and names; [`signed_block`] takes a signed sentence out of the text.
*/

pub mod attribution;
pub mod courtesies;
pub mod quoting;
pub mod signed_block;
