/*! The public beacon: a drand chain, whose rounds nobody knows before their time and anybody can check afterwards.

A chain signs the number of each round with one BLS key (scheme `bls-unchained-g1-rfc9380`): keys in G2, signatures in
G1, the message hashed to the curve as RFC 9380 describes. There is exactly one valid signature for a key and a round,
so the signers have nothing to choose. The chain is described by the fields of drand's `/info`, and its hash covers
all of them.
*/

use blst::BLST_ERROR;
use blst::min_sig::{PublicKey, Signature};
use ground::hash::{Hash, Hex, sha256};
use ground::stamp::Stamp;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The only scheme of drand that this program can check.
pub const SCHEME: &str = "bls-unchained-g1-rfc9380";
/// Bytes of a signature: a point of G1, compressed.
pub const SIGNATURE_BYTES: usize = 48;

/// The suite of RFC 9380 §8.8.1 under the tag of a BLS signature without proof of possession.
const TAG: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
/// drand leaves this identifier out of the hash of a chain.
const DEFAULT_ID: &str = "default";
/// The longest identifier of a beacon.
const ID_BYTES_MAX: usize = 64;
const QUICKNET_HASH: &str = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
const QUICKNET_KEY: &str = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c\
                            8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb\
                            5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";
const QUICKNET_GROUP: &str = "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e";

/// The description of a chain: the fields of drand's `/info`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainInfo {
    /// SHA-256 over the other fields but the scheme: [`ChainInfo::computed_hash`].
    pub hash: Hash,
    pub scheme: String,
    /// A point of G2, compressed.
    pub public_key: Hex<96>,
    /// Seconds from one round to the next.
    pub period: u32,
    /// When round 1 is signed, in seconds since 1970.
    pub genesis_time: u64,
    /// The hash of the group that began the chain; drand also calls it the genesis seed.
    pub group_hash: Hash,
    /// The name of the chain among those of its group.
    pub beacon_id: String,
}

impl ChainInfo {
    /// The hash of the chain as drand computes it: SHA-256 over u32 period, i64 genesis time, public key, group hash,
    /// and the identifier unless it is `default`.
    pub fn computed_hash(&self) -> Hash {
        let id = if self.beacon_id == DEFAULT_ID { "" } else { &self.beacon_id };
        let (period, genesis_time) = (self.period.to_be_bytes(), self.genesis_time.to_be_bytes());
        sha256(&[&period[..], &genesis_time, &self.public_key.0, &self.group_hash.0, id.as_bytes()].concat())
    }
}

/// Why fields describe no chain whose rounds could be checked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotAChain {
    #[error("the scheme is `{0}`; only {SCHEME} is understood")]
    Scheme(String),
    #[error("the period is 0 seconds")]
    NoPeriod,
    #[error("the genesis time {0} is after the year 9999")]
    GenesisTime(u64),
    #[error("the identifier is empty, longer than {ID_BYTES_MAX} bytes or not printable ASCII without blanks")]
    Identifier,
    #[error("the public key is no compressed point of the curve")]
    KeyNotAPoint,
    #[error("the public key is the point at infinity")]
    KeyInfinite,
    #[error("the public key is outside the group")]
    KeyOutsideGroup,
    #[error("the hash of the chain is {computed}, not {written}")]
    Hash { written: Hash, computed: Hash },
}

/// Why a signature is not that of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotSigned {
    #[error("no chain has a round 0")]
    NoRound,
    #[error("a signature has {SIGNATURE_BYTES} bytes, not {bytes}")]
    Length { bytes: usize },
    #[error("the signature is no compressed point of the curve")]
    NotAPoint,
    #[error("the signature is the point at infinity")]
    Infinite,
    #[error("the signature is outside the group")]
    OutsideGroup,
    #[error("the chain has not signed round {round} like this")]
    OtherRound { round: u64 },
}

/// A chain whose fields agree and whose key is valid.
#[derive(Clone, Debug)]
pub struct Chain {
    info: ChainInfo,
    key: PublicKey,
}

impl Chain {
    /// The chain that these fields describe. Its key is validated here, once.
    pub fn new(info: ChainInfo) -> Result<Chain, NotAChain> {
        if info.scheme != SCHEME {
            return Err(NotAChain::Scheme(info.scheme));
        }
        if info.period == 0 {
            return Err(NotAChain::NoPeriod);
        }
        if stamp_of(info.genesis_time).is_none() {
            return Err(NotAChain::GenesisTime(info.genesis_time));
        }
        let is_printable = info.beacon_id.bytes().all(|byte| byte.is_ascii_graphic());
        if !(1..=ID_BYTES_MAX).contains(&info.beacon_id.len()) || !is_printable {
            return Err(NotAChain::Identifier);
        }
        let key = PublicKey::uncompress(&info.public_key.0);
        let key = key.and_then(|key| key.validate().map(|()| key)).map_err(|error| match error {
            BLST_ERROR::BLST_PK_IS_INFINITY => NotAChain::KeyInfinite,
            BLST_ERROR::BLST_POINT_NOT_IN_GROUP => NotAChain::KeyOutsideGroup,
            _ => NotAChain::KeyNotAPoint,
        })?;
        let computed = info.computed_hash();
        if computed != info.hash {
            return Err(NotAChain::Hash { written: info.hash, computed });
        }
        Ok(Chain { info, key })
    }

    /// Quicknet, the chain of the League of Entropy with a round every three seconds.
    pub fn quicknet() -> Chain {
        let info = ChainInfo {
            hash: Chain::quicknet_hash(),
            scheme: SCHEME.to_owned(),
            public_key: Hex::parse(QUICKNET_KEY).expect("192 digits"),
            period: 3,
            genesis_time: 1_692_803_367,
            group_hash: Hex::parse(QUICKNET_GROUP).expect("64 digits"),
            beacon_id: "quicknet".to_owned(),
        };
        Chain::new(info).expect("the fields of quicknet agree")
    }

    /// The hash by which quicknet is known.
    pub fn quicknet_hash() -> Hash {
        Hex::parse(QUICKNET_HASH).expect("64 digits")
    }

    pub fn info(&self) -> &ChainInfo {
        &self.info
    }

    pub fn hash(&self) -> Hash {
        self.info.hash
    }

    /// Whether it is quicknet: its hash covers every other field.
    pub fn is_quicknet(&self) -> bool {
        self.info.hash == Chain::quicknet_hash()
    }

    /// The last round that is signed at this moment: ⌊(at − genesis time) / period⌋ + 1; 0 before round 1.
    pub fn round_at(&self, at: Stamp) -> u64 {
        let since_1970 = at.since(stamp_of(0).expect("1970 is a year")).as_secs();
        let since_genesis = u64::try_from(since_1970).ok().and_then(|now| now.checked_sub(self.info.genesis_time));
        since_genesis.map_or(0, |seconds| seconds / u64::from(self.info.period) + 1)
    }

    /// When a round is signed; `None` for round 0, and for a round after the year 9999.
    pub fn time_of(&self, round: u64) -> Option<Stamp> {
        let seconds = round.checked_sub(1)?.checked_mul(u64::from(self.info.period))?;
        stamp_of(self.info.genesis_time.checked_add(seconds)?)
    }

    /// Checks that a signature is the chain's under a round: BLS over SHA-256(u64 round). Only the one canonical
    /// encoding counts.
    pub fn verify(&self, round: u64, signature: &[u8]) -> Result<(), NotSigned> {
        if round == 0 {
            return Err(NotSigned::NoRound);
        }
        if signature.len() != SIGNATURE_BYTES {
            return Err(NotSigned::Length { bytes: signature.len() });
        }
        let point = Signature::uncompress(signature);
        let point = point.and_then(|point| point.validate(true).map(|()| point)).map_err(|error| match error {
            BLST_ERROR::BLST_PK_IS_INFINITY => NotSigned::Infinite,
            BLST_ERROR::BLST_POINT_NOT_IN_GROUP => NotSigned::OutsideGroup,
            _ => NotSigned::NotAPoint,
        })?;
        match point.verify(false, &message(round), TAG, &[], &self.key, false) {
            BLST_ERROR::BLST_SUCCESS => Ok(()),
            _ => Err(NotSigned::OtherRound { round }),
        }
    }
}

/// What an unchained round signs: SHA-256 of its number in eight bytes.
fn message(round: u64) -> [u8; 32] {
    sha256(&round.to_be_bytes()).0
}

/// The time `seconds` after the start of 1970; `None` after the year 9999.
fn stamp_of(seconds: u64) -> Option<Stamp> {
    Timestamp::from_second(i64::try_from(seconds).ok()?).ok().and_then(Stamp::of)
}

#[cfg(test)]
#[path = "beacon_tests.rs"]
mod tests;
