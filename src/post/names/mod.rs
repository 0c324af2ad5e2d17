/*! Names: of letters (Message-IDs), and of seats (addresses and tokens). It knows no game and opens no file. */

pub mod address;
pub mod message_id;
