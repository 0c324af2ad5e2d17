/*! Names of letters, seats and games, as addresses and headers contain them.

This folder knows no game, opens no file and reads no text of a letter; it asks a register whether a token is right.

In reading order: [`message_id`] is the name of a letter of ours, and how games and seats may be called; [`address`]
finds the seat that a letter speaks for; [`question`] finds the letter of ours that another one answers, by its signed
part; [`field`] has the names of our own header fields; [`return_path`] is the address to which a letter comes back;
[`returned`] reads which of our letters came back.
*/

pub mod address;
pub mod field;
pub mod message_id;
pub mod question;
pub mod return_path;
pub mod returned;
