//! What the records of a game with a beacon say, key by key (log 5.19, 5.20, 7.10): its chain, receipts and rounds.

use super::body::Text;
use crate::canon::mapping;
use ground::hash::{Hash, Hex};

mapping! {
    /// The fields that describe a chain of a beacon; its hash covers all of them.
    pub struct OwnChain<'a> {
        pub public_key: Hex<96>,
        /// Seconds from one round to the next.
        pub period: u32,
        /// When round 1 is signed, in seconds since 1970.
        pub genesis_time: u64,
        pub group_hash: Hash,
        pub beacon_id: Text<'a>,
    }

    /// Lines of a receipt that are shown, because they are played together as one sentence.
    pub struct LinesOpened<'a> {
        /// The record of the receipt.
        pub receipt: u64,
        pub opened: Vec<LineOpened<'a>>,
    }

    /// A line as it was read, and the salt of its commitment.
    pub struct LineOpened<'a> {
        /// Its number in the receipt, from 1.
        pub i: u32,
        pub text: Text<'a>,
        pub salt: Hash,
    }

    /// Fixes an act of a seat before the round from which its throws follow. A receipt of the host fixes nothing new,
    /// but lets what was fixed before go on.
    pub struct Receipt {
        /// The commitments to its lines (log 9.10).
        pub lines: Vec<Hash>,
        /// The lines that a mail program may have cut in two, so that the next one may belong to them.
        pub cut: Vec<u32>,
        /// The round with which it is played.
        pub round: u64,
    }

    /// A round of the beacon, with which a receipt is played.
    pub struct Round {
        /// The record of the receipt.
        pub receipt: u64,
        /// The signature of the round that the receipt names.
        pub signature: Hex<48>,
    }

    /// The receipt that is being played stops at a line that cannot be played. The line stays sealed until the secrets
    /// are published, for it may name a hidden card. The reason is public: it must not quote the line.
    pub struct Stopped<'a> {
        /// The record of the receipt.
        pub receipt: u64,
        pub line: u32,
        pub reason: Text<'a>,
    }

    /// The text of a line at which a receipt stopped, published with the secrets.
    pub struct LineShown<'a> {
        /// The record of the receipt.
        pub receipt: u64,
        pub line: u32,
        pub text: Text<'a>,
    }
}
