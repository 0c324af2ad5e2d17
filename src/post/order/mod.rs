/*! What a letter asks for: the writer's own lines as sentences, requests, codes and standing orders.

Each line is read once, here. Whether a sentence means anything is for the menu of the question to say, and whether a
request may be made is for the desk: this folder knows no game that is being played, no book and no log.

In reading order: [`sentences`] goes through the lines; [`unread`] is why a line is none; [`request`] is the table of
requests, with their parsers; [`settings`] is how a player wants the letters to come; [`sign_off`] finds what people
write under their letters; [`wrapped`] decides how far a sentence goes that a mail program may have broken.
*/

pub mod request;
pub mod sentences;
pub mod settings;
pub mod sign_off;
pub mod unread;
pub mod wrapped;
