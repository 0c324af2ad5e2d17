/*! The post office: letters in and letters out.

In reading order, a letter coming in: [`limits`] are looked at before anything is parsed, [`letter`] opens the
envelope, [`text`] chooses the part that a person wrote, [`html`] and [`flowed`] bring it to plain lines,
[`quoting`] takes away what is not the sender's own, [`sentences`] are left, and below them perhaps a [`sign_off`].
[`robots`] says who is never answered, [`address`] whose seat it is. A line that is no move may be a [`request`] of the
post itself, of those that [`verb`] lists. [`maildir`] and [`intake`] are where letters come from.

The post knows no rule of any game: a sentence is read by the menu of the question that is open.
*/

mod answering;
pub mod asked;

pub mod address;
pub mod address_change;
pub mod attribution;
pub mod authorship;
pub mod book;
pub mod book_error;
pub mod bounce;
pub mod carrier;
pub mod clock;
pub mod config;
pub mod confirm;
pub mod counter;
pub mod courtesies;
pub mod desk;
pub mod dkim;
pub mod dns;
pub mod doctor;
mod doctor_names;
pub mod draft;
pub mod enclosure;
pub mod evidence;
pub mod fault;
pub mod flowed;
pub mod guest;
mod guest_letters;
pub mod guest_request;
pub mod handover;
pub mod hint;
pub mod html;
pub mod imap;
pub mod imap_intake;
pub mod imap_reply;
pub mod intake;
pub mod kept;
pub mod letter;
pub mod limits;
pub mod lmtp;
pub mod lobby;
pub mod mailbox;
pub mod maildir;
pub mod mbox;
pub mod message_id;
pub mod minutes;
pub mod notice;
pub mod objection;
pub mod office;
pub mod outage;
pub mod outbox;
pub mod press;
pub mod proof;
pub mod providers;
pub mod quoting;
pub mod reach;
pub mod rebuild;
pub mod reminder;
pub mod reports;
pub mod request;
pub mod robots;
pub mod secret;
pub mod sending;
pub mod sendmail;
pub mod sentences;
pub mod server;
pub mod service;
pub mod settings;
pub mod sign_off;
pub mod signed_block;
pub mod smtp;
pub mod sources;
pub mod spelling;
mod stranger;
pub mod text;
pub mod time_request;
pub mod turn;
pub mod vault;
pub mod verb;
pub mod wire;
pub mod witness;
pub mod wrapped;
