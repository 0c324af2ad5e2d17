/*! From committed values to dice: the setup hash, the mix of everything added since, the seed of a throw, and the
generator.

A seed contains nothing that anybody can still vary once he knows the rest; log 7.2 to 7.6 has the bytes. Never use
the sampling of a random number library here: its results may change between versions.
*/

use ground::hash::{GameId, Hash, hash, length_prefix};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// What a seat contributed to the dice when it joined; a seat that the host holds contributes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contribution {
    /// Any words of the player's.
    pub phrase: String,
    /// SHA-256 of the Message-ID of the letter that joined; zeros if there was none.
    pub message: Hash,
}

/// `G`: everything that was fixed when the last seat had joined, in one hash (log 7.2). `seats` are in their order.
pub fn setup(game: &GameId, genesis: &Hash, anchor: &Hash, root: &Hash, seats: &[Contribution]) -> Hash {
    let mut message = Vec::new();
    for part in [&game.0[..], &genesis.0, &anchor.0, &root.0] {
        message.extend_from_slice(part);
    }
    message.push(u8::try_from(seats.len()).expect("seats are numbered in eight bits"));
    for (number, seat) in (1_u8..).zip(seats) {
        message.push(number);
        // Reserved, as below: what a seat may bring one day.
        message.extend_from_slice(&[0, 0]);
        message.extend_from_slice(&length_prefix(&seat.phrase));
        message.extend_from_slice(seat.phrase.as_bytes());
        message.extend_from_slice(&seat.message.0);
        message.extend_from_slice(&[0, 0]);
    }
    hash("setup", &[&message])
}

/// What was fixed before the start and everything added since, in one running hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mix(pub Hash);

impl Mix {
    /// Absorbs a round of a beacon, from the chain with this hash; its signature has 48 bytes.
    pub fn absorb_round(&mut self, chain: &Hash, round: u64, signature: &[u8; 48]) {
        self.0 = hash("beacon", &[&self.0.0, &chain.0, &round.to_be_bytes(), &[0, 48], signature]);
    }

    /// Absorbs the phrase with which a seat agrees to a new host.
    pub fn absorb_phrase(&mut self, seat: u8, phrase: &str) {
        self.0 = hash("phrase", &[&self.0.0, &[seat], &length_prefix(phrase), phrase.as_bytes()]);
    }

    /// The seed of throw `n`, which opens `link`.
    pub fn seed(&self, game: &GameId, n: u32, link: &Hash) -> Seed {
        Seed(hash("roll", &[&game.0, &n.to_be_bytes(), &link.0, &self.0.0]))
    }
}

/// The seed of one throw, draw or shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub Hash);

impl Seed {
    /// The random words that follow from the seed.
    pub fn stream(&self) -> Stream {
        Stream { generator: ChaCha20Rng::from_seed(self.0.0) }
    }
}

/// The random words of one throw, 32 bits each.
#[derive(Clone, Debug)]
pub struct Stream {
    generator: ChaCha20Rng,
}

impl Stream {
    /// A value below `n`, each equally likely. `n` must not be 0.
    pub fn uniform(&mut self, n: u32) -> u32 {
        assert!(n > 0, "there must be something to choose from");
        // Skips words from the last, incomplete run of `n`: they would make small values too likely.
        let whole_runs = (1_u64 << 32) / u64::from(n) * u64::from(n);
        loop {
            let word = self.generator.next_u32();
            if u64::from(word) < whole_runs {
                return word % n;
            }
        }
    }

    /// One die with faces 1 to `sides`.
    pub fn die(&mut self, sides: u32) -> u32 {
        1 + self.uniform(sides)
    }

    /// An order of 0 to `n - 1`, each equally likely (Fisher and Yates).
    pub fn shuffle(&mut self, n: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n).collect();
        for last in (1..n).rev() {
            let other = self.uniform(last + 1);
            order.swap(index(last), index(other));
        }
        order
    }

    /// One of the positions that are left, given in ascending order. At least one must be left.
    pub fn draw(&mut self, left: &[u32]) -> u32 {
        let count = u32::try_from(left.len()).expect("positions are counted in 32 bits");
        left[index(self.uniform(count))]
    }
}

fn index(value: u32) -> usize {
    usize::try_from(value).expect("an index of 32 bits fits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit::deck::root_commitment;
    use crate::commit::vectors;
    use ground::hash::{Hex, sha256};

    fn contributions() -> Vec<Contribution> {
        vec![
            Contribution { phrase: "second breakfast".to_owned(), message: sha256(b"1@anna.example.org") },
            Contribution { phrase: "mûmakil".to_owned(), message: sha256(b"7@bert.example.net") },
        ]
    }

    #[track_caller]
    fn throw(mix: &Mix, n: u32, link: &str, seed: &str) -> Stream {
        let opened = vectors::host_chain().link(n).unwrap();
        assert_eq!(opened.to_string(), link, "link {n}");
        let found = mix.seed(&vectors::game(), n, &opened);
        assert_eq!(found.0.to_string(), seed, "seed {n}");
        found.stream()
    }

    #[test]
    fn throws_are_those_of_the_document() {
        let game = vectors::game();
        let root = root_commitment(&game, 0, &vectors::root());
        assert_eq!(root.to_string(), "be2e447af21e7a842d3e44fb69397b605cf65a6cb326510cf063cd8cc70dcc1f");
        let setup = setup(&game, &vectors::genesis(), &vectors::host_chain().anchor(), &root, &contributions());
        assert_eq!(setup.to_string(), "b38ac72c1eb7ec2d4fbe347c0741a67f9bad230f81fcc10c83af86fbd28056dc");
        let mut mix = Mix(setup);
        let mut words = throw(
            &mix,
            1,
            "223bbd2caade7426e2cecd605f1cd0d980aa25f86e590cc42aaf288bfcf8df98",
            "b038237c4c3e07073edfb3d04a8ece784bbd8999ebc2c462e4451c41ab068e17",
        );
        let order = [7, 20, 0, 17, 22, 1, 8, 14, 6, 19, 13, 10, 12, 23, 3, 18, 11, 4, 16, 15, 21, 2, 5, 9];
        assert_eq!(words.shuffle(24), order);
        let mut words = throw(
            &mix,
            2,
            "9a3db9bfa7838261e5e05b40aa5c8f9052ec10a8407b1d24ba851894f512d987",
            "b7d9ffbd4cb45793a486a2b33cbc222358c95f90faf086403d8f2de501fe3dcb",
        );
        assert_eq!([(); 10].map(|()| words.die(6)), [6, 5, 1, 3, 1, 2, 4, 6, 6, 2]);
        let mut words = throw(
            &mix,
            3,
            "15562ab2418bf4bd7200adac6ad4b3d745cdadfc8baf6d3ef9ae972dfbca5a32",
            "1338eb37448c8d496649c3b6b853b4d602d2ae017957db8bc26d70ab35ee3172",
        );
        assert_eq!([(); 10].map(|()| words.die(6)), [4, 2, 2, 5, 3, 1, 3, 5, 2, 3]);
        let mut words = throw(
            &mix,
            4,
            "54a5ad0bfa27729eb6848dee12a70afe62d96ad4e8d81b3af1afe8229a0ddec0",
            "70cbb347b30ccf73420688c05113dd1d33dd2ff67c0cb752e0d9e0b598ac1a34",
        );
        assert_eq!(words.uniform(23), 18);
        let quicknet: Hash = Hex::parse("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971").unwrap();
        let signature: Hex<48> = Hex::parse(concat!(
            "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b1957",
            "6350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
        ))
        .unwrap();
        mix.absorb_round(&quicknet, 1000, &signature.0);
        assert_eq!(mix.0.to_string(), "2d90299b22c03279c494305e1dae411a8d63a80383c08e9201b0aaee52a3afeb");
        let mut words = throw(
            &mix,
            5,
            "6289abde9a7f9e07824f0c2bd6c77c2bca3a257a847f2ca7465c02a51a2b3495",
            "777153b2046f9407ffde48b4ba9386360f9370fa636c5de209d3948058039a1d",
        );
        assert_eq!([(); 10].map(|()| words.die(6)), [4, 3, 6, 1, 6, 4, 3, 1, 5, 4]);
    }

    #[test]
    fn uniform_passes_over_the_incomplete_run() {
        // 2^31 + 1 leaves almost half of all words in the incomplete run.
        let mut stream = Seed(Hex([3; 32])).stream();
        for _ in 0..200 {
            assert!(stream.uniform((1 << 31) + 1) <= 1 << 31);
        }
        assert_eq!(stream.uniform(1), 0);
    }
}
