//! A number and what there is of it.

/// A number and its noun, in the plural where it needs one, which ends in an s: `1 hit`, `3 hits`.
pub fn counted<N: PartialEq + From<u8> + std::fmt::Display>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
