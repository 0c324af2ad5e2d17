/*! What a letter asks for: the writer's own lines as sentences, requests and standing orders.

Each line is read once, here. The menu of the question decides whether a sentence means anything, and the desk whether
a request may be made: this folder knows no game that is being played, no book and no log.

In reading order: [`sentences`] is what a letter says; [`reader`] goes through its lines, [`words`] are those of one
line, [`friendly`] leaves out the words that change nothing, [`shown`] compares them with the HTML of the letter;
[`unread`] is why a line is no sentence; [`vocabulary`] are the words with which one begins; [`request`] is the table
of requests, with their parsers; [`settings`] is how a player wants his letters; [`sign_off`] finds what people write
under their letters; [`wrapped`] decides how far a sentence goes that a mail program may have broken, and
[`suggestion`] proposes what a line may have been meant to be.
*/

mod friendly;
mod reader;

pub mod request;
pub mod sentences;
pub mod settings;
mod shown;
pub mod sign_off;
pub mod suggestion;
pub mod unread;
pub mod vocabulary;
pub mod words;
pub mod wrapped;
