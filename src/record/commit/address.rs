/*! The commitment to the address from which a seat writes. The log names no address; a reader who gets one with its
salt can check that it is the seat's (log 10.10).
*/

use ground::hash::{GameId, Hash, hash, length_prefix};
use std::fmt;

/// An address and its salt: without the salt nobody can test guessed addresses against the commitment.
#[derive(Clone, PartialEq, Eq)]
pub struct SaltedAddress {
    pub address: String,
    pub salt: Hash,
}

impl SaltedAddress {
    /// The commitment that the log holds for this seat of this game.
    pub fn commitment(&self, game: &GameId, seat: u8) -> Hash {
        let address = self.address.to_ascii_lowercase();
        hash("address", &[&game.0, &[seat], &length_prefix(&address), address.as_bytes(), &self.salt.0])
    }

    /// Reads what [`SaltedAddress::to_text`] wrote.
    pub fn read(text: &str) -> Option<SaltedAddress> {
        let (address, salt) = text.strip_suffix('\n')?.split_once('\n')?;
        Some(SaltedAddress { address: address.to_owned(), salt: Hash::parse(salt)? })
    }

    /// Its file in the host's vault: the address and the salt, each on a line.
    pub fn to_text(&self) -> String {
        format!("{}\n{}\n", self.address, self.salt)
    }
}

impl fmt::Debug for SaltedAddress {
    /// Leaves out the address and the salt.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SaltedAddress").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit::vectors;
    use ground::hash::Hex;

    fn salted(address: &str) -> SaltedAddress {
        SaltedAddress { address: address.to_owned(), salt: Hex([0x55; 32]) }
    }

    #[test]
    fn an_address_is_committed_as_in_the_specification() {
        let commitment = salted("anna@example.org").commitment(&vectors::game(), 1).to_string();
        assert_eq!(commitment, "90dbb6b5b2cf76b0e725a463418a3e196d7769bfbbf76cd2b55e1c52364ce247");
        assert_eq!(salted("Anna@Example.ORG").commitment(&vectors::game(), 1).to_string(), commitment);
        assert_ne!(salted("anna@example.org").commitment(&vectors::game(), 2).to_string(), commitment);
    }

    #[test]
    fn it_is_read_as_it_was_written_and_not_printed() {
        let salted = salted("anna@example.org");
        assert_eq!(SaltedAddress::read(&salted.to_text()), Some(salted.clone()));
        assert_eq!(SaltedAddress::read("anna@example.org\n"), None);
        assert!(!format!("{salted:?}").contains("anna"));
    }
}
