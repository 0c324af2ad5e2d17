/*! From committed values to dice: the setup hash, the pool of codes, the seed of a roll, and the generator.

What enters a seed is fixed before the start, or by an anchor that was published then; log 7.3 to 7.9 has the bytes, and
log 15.3 and 15.4 what can be chosen all the same. Never use the sampling of a library of random numbers here: its
results may change between versions.
*/

use crate::record::value::hash::{Code, GameId, Hash, hash, length_prefix};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// What a seat committed to when it joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributor {
    pub seat: u8,
    pub class: Class,
    pub salt: String,
}

/// What a seat adds to the pool with each answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Nothing: a seat without codes, or one the host controls.
    Nothing,
    /// One-time codes from the chain with this anchor.
    Codes { anchor: Code },
}

impl Class {
    /// The number of the class in the log.
    pub fn number(self) -> u8 {
        match self {
            Class::Nothing => 0,
            Class::Codes { .. } => 1,
        }
    }
}

/// The number of the class that contributes one-time codes.
pub const CLASS_CODES: u8 = 1;

/// `G`: everything that was fixed before the start, in one hash (log 7.3).
pub fn setup(game: &GameId, anchor: &Hash, contributors: &[Contributor]) -> Hash {
    let mut message = Vec::new();
    message.extend_from_slice(&game.0);
    message.extend_from_slice(&anchor.0);
    message.push(u8::try_from(contributors.len()).expect("seats are numbered in eight bits"));
    for contributor in contributors {
        message.push(contributor.seat);
        message.push(contributor.class.number());
        match contributor.class {
            Class::Nothing => message.push(0),
            Class::Codes { anchor } => {
                message.push(20);
                message.extend_from_slice(&anchor.0);
            }
        }
        message.extend_from_slice(&length_prefix(&contributor.salt));
        message.extend_from_slice(contributor.salt.as_bytes());
    }
    // b = 0: no beacon at set-up.
    message.push(0);
    hash("setup", &[&message])
}

/// All codes opened so far, in one running hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool(pub Hash);

impl Pool {
    /// Absorbs contribution number `k` of a seat.
    pub fn absorb(&mut self, seat: u8, class: u8, k: u32, contribution: &[u8]) {
        let length = u8::try_from(contribution.len()).expect("contributions have 20 or 32 bytes");
        self.0 = hash("pool", &[&self.0.0, &[seat, class], &k.to_be_bytes(), &[length], contribution]);
    }

    /// Stirs in the words with which a seat consents to a new host.
    pub fn stir(&mut self, seat: u8, words: &str) {
        self.0 = hash("consent", &[&self.0.0, &[seat], &length_prefix(words), words.as_bytes()]);
    }

    /// The seed of roll `n`, which opens `link`.
    pub fn seed(&self, game: &GameId, n: u32, link: &Hash) -> Seed {
        Seed(hash("roll", &[&game.0, &n.to_be_bytes(), &link.0, &self.0.0, &[0]]))
    }
}

/// What all chance of one record follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub Hash);

impl Seed {
    /// The generator of sub-roll `sub`: a stream of its own, so that a re-roll never shifts its neighbours.
    pub fn stream(&self, sub: u32) -> Stream {
        let mut generator = ChaCha20Rng::from_seed(self.0.0);
        generator.set_stream(u64::from(sub));
        Stream { generator }
    }
}

/// The words of one sub-roll.
#[derive(Clone, Debug)]
pub struct Stream {
    generator: ChaCha20Rng,
}

impl Stream {
    /// A value below `n`, each equally likely.
    ///
    /// # Panics
    /// `n` is 0.
    pub fn uniform(&mut self, n: u32) -> u32 {
        assert!(n > 0, "there must be something to choose from");
        // Words from the last, incomplete run of n are passed over, or small values would come too often.
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

    /// One of the positions that are left, given in ascending order.
    ///
    /// # Panics
    /// Nothing is left.
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
    use crate::record::commit::vectors;
    use crate::record::value::hash::{Hex, sha256};

    fn contributors() -> Vec<Contributor> {
        let class = |seat| Class::Codes { anchor: vectors::seat_chain(seat).anchor() };
        vec![
            Contributor { seat: 1, class: class(1), salt: "second breakfast".to_string() },
            Contributor { seat: 2, class: class(2), salt: "mûmakil".to_string() },
        ]
    }

    #[test]
    fn setup_is_that_of_the_specification() {
        let anchor = vectors::host_chain().anchor();
        assert_eq!(
            setup(&vectors::game(), &anchor, &contributors()).to_string(),
            "0f91240f33d391c7e62e9cfe36441a46aab59b5e41209cbb84c9deab2335dd09"
        );
    }

    struct Expected {
        roll: u32,
        seat: u8,
        k: u32,
        code: &'static str,
        link: &'static str,
        pool: &'static str,
        seed: &'static str,
        dice: [[u32; 10]; 2],
        shuffle: [u32; 24],
    }

    const ROLLS: [Expected; 3] = [
        Expected {
            roll: 1,
            seat: 1,
            k: 1,
            code: "ee87b322f169ef875c205780f88b7b59182c4fe2",
            link: "51628dcd14c0ed5eaf778b003efe704d5e718dba9b0dfff3b8cf9aef53cb4174",
            pool: "e234c046dccd1358b334525279deb625f71f3a54a9db3b606847e35e83f79801",
            seed: "a95f03367caa6ec87f8d5bff12218eb06b9113a17e5017c76779702651e066e1",
            dice: [[5, 2, 6, 2, 4, 6, 1, 2, 4, 3], [4, 3, 2, 3, 4, 6, 5, 6, 5, 5]],
            shuffle: [7, 21, 15, 9, 8, 18, 11, 4, 12, 1, 19, 22, 2, 3, 10, 14, 5, 16, 17, 0, 6, 23, 13, 20],
        },
        Expected {
            roll: 2,
            seat: 2,
            k: 1,
            code: "62e656a0a5f84fd78479a5a00a566239fc66eb92",
            link: "8b756c4a4088e66748ce6c10d2757dda6063733b19af5e4d2b7cf91c20b3d0e9",
            pool: "6941a24a3adc184a5f742eea0a51ae4cf7bdb37b5dd6d9306ab5cdd8a4c0afba",
            seed: "f10c89b6819610a3376ca80effcba2df21b8c49e17bcf998239f9262df293b95",
            dice: [[4, 1, 3, 5, 3, 3, 1, 4, 3, 3], [3, 2, 2, 6, 1, 4, 4, 3, 6, 2]],
            shuffle: [18, 2, 19, 1, 12, 3, 14, 21, 7, 9, 0, 4, 20, 11, 22, 13, 17, 8, 5, 10, 23, 16, 15, 6],
        },
        Expected {
            roll: 3,
            seat: 1,
            k: 2,
            code: "61c358c3e85e913b7b3abd639c329205a4de2e7e",
            link: "e64fde567e38b22e7ac64034534b5427e18df98d1ec15c46aca73f40688097ac",
            pool: "a6e5ed34f3c8bce4d437d6d86eb0a43faebe8412a50dde45678ba3af29cd55d2",
            seed: "7d0eb46bbb91c41432797e1d7d1f781dbe8a3f2e558c17b5db38635b789d2cf1",
            dice: [[4, 4, 3, 3, 3, 1, 2, 2, 5, 4], [3, 3, 5, 6, 5, 4, 3, 2, 6, 1]],
            shuffle: [10, 2, 23, 9, 8, 16, 4, 15, 19, 17, 12, 3, 0, 5, 20, 18, 21, 6, 11, 13, 1, 7, 22, 14],
        },
    ];

    #[test]
    fn rolls_are_those_of_the_specification() {
        let game = vectors::game();
        let host = vectors::host_chain();
        let mut pool = Pool(setup(&game, &host.anchor(), &contributors()));
        for expected in &ROLLS {
            let code = vectors::seat_chain(expected.seat).code(expected.k).unwrap();
            assert_eq!(code.to_string(), expected.code);
            pool.absorb(expected.seat, CLASS_CODES, expected.k, &code.0);
            assert_eq!(pool.0.to_string(), expected.pool);
            let link = host.link(expected.roll).unwrap();
            assert_eq!(link.to_string(), expected.link);
            let seed = pool.seed(&game, expected.roll, &link);
            assert_eq!(seed.0.to_string(), expected.seed);
            for (sub, faces) in (0..).zip(expected.dice) {
                let mut stream = seed.stream(sub);
                assert_eq!(faces.map(|_| stream.die(6)), faces, "roll {} sub {sub}", expected.roll);
            }
            assert_eq!(seed.stream(2).shuffle(24), expected.shuffle, "roll {}", expected.roll);
        }
        // A contribution of another class is absorbed in the same way.
        pool.absorb(2, 2, 2, &sha256(&[0xb7; 256]).0);
        assert_eq!(pool.0.to_string(), "d1d6215264250ff3b42afb59f3b46190605136a2489a0d8a240892505ef29b50");
    }

    #[test]
    fn uniform_passes_over_the_incomplete_run() {
        // 2^31 + 1 leaves almost half of all words in the incomplete run.
        let mut stream = Seed(Hex([3; 32])).stream(0);
        for _ in 0..200 {
            assert!(stream.uniform((1 << 31) + 1) <= 1 << 31);
        }
        assert_eq!(stream.uniform(1), 0);
    }
}
