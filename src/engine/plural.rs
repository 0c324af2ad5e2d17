//! A number with its noun.

/// A number and a noun, with an `s` in the plural: `1 hit`, `3 hits`.
pub fn counted<N: PartialEq + From<u8> + std::fmt::Display>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
