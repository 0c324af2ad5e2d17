/*! The ways in which a record comes about, as `via` says. */

use super::body::{Auth, By, Via};
use crate::record::value::hash::Hash;

impl Via {
    /// Typed at the host's machine.
    #[must_use]
    pub fn keyboard() -> Via {
        Via { auth: Some(Auth::Keyboard), ..Via::default() }
    }

    /// Made by something else than the seat itself.
    #[must_use]
    pub fn by(by: By) -> Via {
        Via { by: Some(by), ..Via::default() }
    }

    /// Brought by a letter, whose writer had seen so much.
    #[must_use]
    pub fn letter(raw: Hash, seen: u64, auth: Auth) -> Via {
        Via { raw: Some(raw), seen: Some(seen), auth: Some(auth), ..Via::default() }
    }
}

impl Default for Via {
    fn default() -> Via {
        Via { raw: None, seen: None, auth: None, by: None, signed: None }
    }
}
