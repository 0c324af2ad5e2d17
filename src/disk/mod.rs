/*! Files, written whole and kept: what the record, the letters and the post office share about a disk.

[`place`] puts a file in its place so that a crash leaves the old one or the new one; [`mishap`] lets the tests fail any
of these steps. The room knows no log, no letter and no game.
*/

pub mod mishap;
pub mod place;
