/*! The log as a file, and the secrets beside it. */

pub mod codebook;
pub mod log;
pub mod reading;
pub mod secrets;
pub mod stream;
