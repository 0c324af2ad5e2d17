/*! How a record came about: by which letter, what ties it to its seat, or what made it for the seat (log 4.3). */

use super::body::{Auth, By};
use crate::canon::mapping;
use ground::hash::Hash;

mapping! {
    /// How a seat made a record, or what made it for the seat.
    #[derive(Default)]
    pub struct Via {
        /// SHA-256 of the letter as it came in.
        pub raw: Option<Hash>,
        /// SHA-256 of its Message-ID, without `<` and `>`: by it the player finds it among what he has sent.
        pub message: Option<Hash>,
        /// The last record that the letter's writer had seen.
        // The key is not called `on`, which a reader of YAML 1.1 takes for `true` (log 4.3).
        pub seen: Option<u64>,
        pub auth: Option<Auth>,
        pub by: Option<By>,
        /// What the seat signed, if it signed: class `ssh`.
        pub signed: Option<Signed>,
    }

    /// A sentence as its seat signed it; the game, the seat, and what had been seen are those of the record.
    pub struct Signed {
        /// Its number among the letter's sentences of its kind, from 1, and how many of them there are.
        pub number: u32,
        pub of: u32,
        pub words: String,
        /// The signature, as `ssh-keygen` makes it, in one line of base64.
        pub sig: String,
    }
}

impl Via {
    /// Typed at the host's machine.
    pub fn keyboard() -> Via {
        Via { auth: Some(Auth::Keyboard), ..Via::default() }
    }

    /// Not made by the seat itself.
    pub fn by(by: By) -> Via {
        Via { by: Some(by), ..Via::default() }
    }

    /// Brought by a letter whose writer had last seen record `seen`.
    pub fn letter(raw: Hash, seen: u64, auth: Auth) -> Via {
        Via { raw: Some(raw), seen: Some(seen), auth: Some(auth), ..Via::default() }
    }
}
