/*! Plain values: [`hash`] (SHA-256, keyed and plain, and bytes in hexadecimal), [`span`] and [`stamp`] (lengths of time
and seconds of universal time), [`zone`] (what a clock on a player's wall shows).

They know nothing else of the house, so that letters may use them too.
*/

pub mod hash;
pub mod span;
pub mod stamp;
pub mod zone;
