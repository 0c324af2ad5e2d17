/*! Names: of letters (Message-IDs), and of seats (addresses and tokens). It knows no game and opens no file. */

pub mod address;
pub mod field;
pub mod message_id;
pub mod return_path;
pub mod returned;
