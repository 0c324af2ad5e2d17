/*! Files, replaced as a whole and synced: what the record, the letters and the post office share about a disk.

[`place`] replaces a file so that a crash leaves the old one or the new one; with [`mishap`] the tests make any of its
operations fail, [`space`] says how much room there is, and [`version`] whether a newer program wrote a file. The room
knows no log, no letter and no game.
*/

pub mod mishap;
pub mod place;
pub mod space;
pub mod version;
