//! How much of something is tried: as a rule what finds mistakes soon enough for every change, and with
//! `RINGMAIL_LONG=1` as much as a night allows.

/// Whether there is a night for it.
pub fn is_long() -> bool {
    std::env::var_os("RINGMAIL_LONG").is_some()
}

/// `usual`, or `long` if there is a night for it.
pub fn amount<N>(usual: N, long: N) -> N {
    if is_long() { long } else { usual }
}
