//! What only a database promises.

/// The key of an office.
pub const KEY: [u8; 32] = [42; 32];
