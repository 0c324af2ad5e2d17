/*! Names: of letters, of seats and of games, as they stand in addresses and headers.

This folder knows no game, opens no file and reads no text of a letter; whether a token is right is asked of a register.

In reading order: [`message_id`] is the name of a letter of ours, and what a game and a seat may be called; [`address`]
finds the seat that a letter speaks for; [`question`] which letter of ours another one answers, by what of it
is signed; [`field`] has the names of our own header fields; [`return_path`] is where a
letter comes back to; [`returned`] reads which of our letters came back.
*/

pub mod address;
pub mod field;
pub mod message_id;
pub mod question;
pub mod return_path;
pub mod returned;
