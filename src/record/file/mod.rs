/*! The record on the disk.

In reading order: [`log`] is the file that is appended to under a lock; [`stream`] finds records in it or in any other
stream; [`reading`] folds them one after the other; [`secrets`] is `host.yaml`, which only the host has.
The table decides what is written.
*/

pub mod log;
pub mod reading;
pub mod secrets;
pub mod stream;
