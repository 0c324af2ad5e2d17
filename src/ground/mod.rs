/*! The ground floor: what every room uses and none owns.

[`hash`] is SHA-256, plain and keyed, and bytes in hexadecimal; [`span`] and [`stamp`] are lengths of time and seconds
of universal time, [`zone`] is what a clock on a player's wall shows. [`disk`] writes files whole, synced and private,
and [`files`] names those that several rooms know; [`secret`] finds the passwords and tokens of the host; [`effort`]
counts what reading costs, for the tests; [`line`] prints what somebody else wrote, and [`yaml`] reads it. It knows no
other room.
*/

pub mod disk;
pub mod effort;
pub mod files;
pub mod hash;
pub mod line;
pub mod secret;
pub mod span;
pub mod stamp;
pub mod yaml;
pub mod zone;
