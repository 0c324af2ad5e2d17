/*! Connections that are not mail, and what all connections share.

A [`time_limit`] ends a dialogue with a server that is slow, and a [`transcript`] shows the host what was said in it.
[`dns`] looks up what domains publish, and [`beacon`] fetches rounds of a public beacon from its relays. The room knows
no letter and no game.
*/

pub mod beacon;
pub mod dns;
pub mod time_limit;
pub mod transcript;
