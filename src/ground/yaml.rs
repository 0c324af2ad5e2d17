/*! Reading YAML that a stranger may have written: a charter, a configuration, the files of a game that another host
has handed over.

The parser refuses what is nested too deeply, but only after it has scanned the whole text, and each bracket costs it
a look at all brackets that are open: 400 kB of `[` took it 100 seconds. So brackets are counted first.
*/

use serde::de::{DeserializeOwned, Error};

/// The parser itself refuses a text that is nested more deeply.
const NESTING_MAX: usize = 128;
/// A text up to this length is not counted: it is read quickly whatever is in it.
const SHORT: usize = 4096;

/// Reads a text.
///
/// # Errors
/// It is not YAML, not what is wanted, or nested too deeply.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, serde_yaml::Error> {
    if text.len() > SHORT && nesting(text) > NESTING_MAX {
        return Err(serde_yaml::Error::custom(format!("brackets are nested more than {NESTING_MAX} deep")));
    }
    serde_yaml::from_str(text)
}

/// How many brackets are open at most. Those in a string count too: what is a string depends on what the brackets
/// before it are.
fn nesting(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => continue,
        }
        most = most.max(open);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_yaml::Value;

    #[track_caller]
    fn refused(text: &str) {
        let said = read::<Value>(text).unwrap_err().to_string();
        assert!(said.contains("nested more than 128 deep"), "{said}");
    }

    /// From 400 kB of it a host's `tick` of all games waited for 100 seconds.
    #[test]
    fn brackets_are_counted_before_they_are_parsed() {
        for bracket in ["[", "{a: ", "[{a: ", "- [", "{[: "] {
            refused(&bracket.repeat(400_000 / bracket.len()));
        }
        // Quotation marks hide nothing.
        refused(&format!("a\"b: {}", "[".repeat(5000)));
    }

    #[test]
    fn what_is_nested_as_people_nest_is_read() {
        let text = format!("{}1{}", "[".repeat(60), "]".repeat(60));
        let long = format!("- {text}\n").repeat(400);
        assert_eq!(read::<Vec<Value>>(&long).unwrap().len(), 400);
        assert_eq!(read::<Vec<String>>(&format!("- '{}'\n", "[".repeat(1000))).unwrap()[0].len(), 1000);
    }
}
