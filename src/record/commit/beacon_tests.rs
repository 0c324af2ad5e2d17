//! Rounds of quicknet and of a chain made here, and everything that only looks like one.

use super::*;
use blst::min_sig::SecretKey;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// Quicknet's round 1000, as the League of Entropy published it.
const ROUND_1000: &str =
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

fn round_1000() -> [u8; 48] {
    Hex::parse(ROUND_1000).unwrap().0
}

fn secret_key() -> SecretKey {
    SecretKey::key_gen(&[7; 32], &[]).unwrap()
}

fn own_info() -> ChainInfo {
    let mut info = ChainInfo {
        hash: Hash::ZERO,
        scheme: SCHEME.to_owned(),
        public_key: Hex(secret_key().sk_to_pk().compress()),
        period: 30,
        genesis_time: 1_795_165_200,
        group_hash: Hex([1; 32]),
        beacon_id: "shire".to_owned(),
    };
    info.hash = info.computed_hash();
    info
}

fn stamp(text: &str) -> Stamp {
    Stamp::parse(text).expect(text)
}

#[test]
fn round_1000_of_quicknet_is_accepted_as_that_round_alone() {
    let quicknet = Chain::quicknet();
    assert_eq!(quicknet.verify(1000, &round_1000()), Ok(()));
    for round in [1, 999, 1001, u64::MAX] {
        assert_eq!(quicknet.verify(round, &round_1000()), Err(NotSigned::OtherRound { round }));
    }
    assert_eq!(quicknet.verify(0, &round_1000()), Err(NotSigned::NoRound));
}

#[test]
fn the_hash_of_quicknet_follows_from_its_fields() {
    let quicknet = Chain::quicknet();
    assert_eq!(quicknet.info().computed_hash().to_string(), QUICKNET_HASH);
    assert!(quicknet.is_quicknet());
    assert!(!Chain::new(own_info()).unwrap().is_quicknet());
}

#[test]
fn a_chain_called_default_has_no_name_in_its_hash() {
    // The first chain of the League of Entropy, of another scheme: its key has 48 bytes.
    let key = "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31";
    let group = "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a";
    let (key, group) = (Hex::<48>::parse(key).unwrap(), Hash::parse(group).unwrap());
    let parts = [&30_u32.to_be_bytes()[..], &1_595_431_050_u64.to_be_bytes(), &key.0, &group.0].concat();
    let hash = "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce";
    assert_eq!(sha256(&parts).to_string(), hash);
    let unnamed = ChainInfo { beacon_id: String::new(), ..own_info() };
    let default = ChainInfo { beacon_id: "default".to_owned(), ..own_info() };
    assert_eq!(default.computed_hash(), unnamed.computed_hash());
}

#[test]
fn a_chain_of_ones_own_signs_as_quicknet_does() {
    let chain = Chain::new(own_info()).unwrap();
    for round in [1, 2, 1000, u64::MAX] {
        let signature = secret_key().sign(&message(round), TAG, &[]).compress();
        assert_eq!(chain.verify(round, &signature), Ok(()));
        let other = Err(NotSigned::OtherRound { round });
        assert_eq!(Chain::quicknet().verify(round, &signature), other, "another key");
        let raw = secret_key().sign(&round.to_be_bytes(), TAG, &[]).compress();
        assert_eq!(chain.verify(round, &raw), other, "the number itself, not its hash");
        let tag = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";
        let elsewhere = secret_key().sign(&message(round), tag, &[]).compress();
        assert_eq!(chain.verify(round, &elsewhere), other, "another tag");
    }
}

#[test]
fn what_is_no_signature_is_refused_with_its_cause() {
    let quicknet = Chain::quicknet();
    #[track_caller]
    fn case(chain: &Chain, bytes: &[u8], expected: NotSigned) {
        assert_eq!(chain.verify(1000, bytes), Err(expected));
    }
    let right = round_1000();
    for bytes in [0, 1, 47, 49, 96] {
        case(&quicknet, &[&right[..], &right].concat()[..bytes], NotSigned::Length { bytes });
    }
    let uncompressed = Signature::uncompress(&right).unwrap().serialize();
    case(&quicknet, &uncompressed, NotSigned::Length { bytes: 96 });
    case(&quicknet, &uncompressed[..48], NotSigned::NotAPoint);
    let mut infinity = [0; 48];
    infinity[0] = 0xc0;
    case(&quicknet, &infinity, NotSigned::Infinite);
    infinity[47] = 1;
    case(&quicknet, &infinity, NotSigned::NotAPoint);
    // y² = x³ + 4 has solutions for x = 0, 4, 5 and 6, all outside the group, and none for x = 1, 2, 3 and 7.
    for x in 0..8 {
        let mut small = [0; 48];
        (small[0], small[47]) = (0x80, x);
        let expected = if [0, 4, 5, 6].contains(&x) { NotSigned::OutsideGroup } else { NotSigned::NotAPoint };
        case(&quicknet, &small, expected);
    }
    // An x that is not below the prime.
    case(&quicknet, &[0x9f; 48], NotSigned::NotAPoint);
    // The same x with the other y is a point of the group, and signs nothing.
    let mut negated = right;
    negated[0] ^= 0x20;
    case(&quicknet, &negated, NotSigned::OtherRound { round: 1000 });
}

#[test]
fn ten_thousand_altered_signatures_are_refused() {
    let quicknet = Chain::quicknet();
    let mut random = ChaCha20Rng::from_seed([9; 32]);
    for run in 0..10_000 {
        let mut altered = round_1000().to_vec();
        for _ in 0..=random.next_u32() % 3 {
            let at = random.next_u32() as usize % altered.len();
            match random.next_u32() % 4 {
                0 => altered[at] ^= 1 << (random.next_u32() % 8),
                1 => altered[at] = random.next_u32().to_le_bytes()[0],
                2 => altered.truncate(at.max(1)),
                _ => altered.insert(at, random.next_u32().to_le_bytes()[0]),
            }
        }
        if altered != round_1000() {
            assert!(quicknet.verify(1000, &altered).is_err(), "run {run}: {altered:02x?}");
        }
    }
}

#[test]
fn a_round_begins_with_its_second() {
    let quicknet = Chain::quicknet();
    #[track_caller]
    fn case(chain: &Chain, at: &str, round: u64) {
        assert_eq!(chain.round_at(stamp(at)), round, "{at}");
    }
    case(&quicknet, "0000-01-01T00:00:00Z", 0);
    case(&quicknet, "1969-12-31T23:59:59Z", 0);
    case(&quicknet, "2023-08-23T15:09:26Z", 0);
    case(&quicknet, "2023-08-23T15:09:27Z", 1);
    case(&quicknet, "2023-08-23T15:09:29Z", 1);
    case(&quicknet, "2023-08-23T15:09:30Z", 2);
    case(&quicknet, "2023-08-23T15:59:23Z", 999);
    case(&quicknet, "2023-08-23T15:59:24Z", 1000);
    case(&quicknet, "9999-12-31T23:59:59Z", 83_903_165_811);
    assert_eq!(quicknet.time_of(1000), Some(stamp("2023-08-23T15:59:24Z")));
}

#[test]
fn the_time_of_a_round_is_the_first_at_which_it_is_the_last() {
    for chain in [Chain::quicknet(), Chain::new(own_info()).unwrap()] {
        for round in [1, 2, 3, 1000, 12_345_678] {
            let at = chain.time_of(round).unwrap();
            assert_eq!(chain.round_at(at), round);
            let second = ground::span::Span::of(1);
            assert_eq!(chain.round_at(at.earlier(second)), round - 1);
        }
        assert_eq!(chain.time_of(0), None);
        for round in [u64::MAX, u64::MAX / 3, 200_000_000_000] {
            assert_eq!(chain.time_of(round), None);
        }
    }
}

#[test]
fn fields_that_describe_no_chain_are_refused_with_their_cause() {
    #[track_caller]
    fn case(change: impl FnOnce(&mut ChainInfo), expected: NotAChain) {
        let mut info = own_info();
        change(&mut info);
        info.hash = info.computed_hash();
        assert_eq!(Chain::new(info).err(), Some(expected));
    }
    let chained = "pedersen-bls-chained";
    case(|info| info.scheme = chained.to_owned(), NotAChain::Scheme(chained.to_owned()));
    case(|info| info.period = 0, NotAChain::NoPeriod);
    case(|info| info.genesis_time = u64::MAX, NotAChain::GenesisTime(u64::MAX));
    case(|info| info.genesis_time = 253_402_300_800, NotAChain::GenesisTime(253_402_300_800));
    for id in ["", "two words", "mûmakil", &"x".repeat(65)] {
        case(|info| info.beacon_id = id.to_owned(), NotAChain::Identifier);
    }
    case(|info| info.public_key.0[0] &= 0x7f, NotAChain::KeyNotAPoint);
    case(|info| info.public_key = Hex([0x9f; 96]), NotAChain::KeyNotAPoint);
    let infinity = |info: &mut ChainInfo| {
        info.public_key = Hex([0; 96]);
        info.public_key.0[0] = 0xc0;
    };
    case(infinity, NotAChain::KeyInfinite);
    // Few points of the curve are in the group: the first one with a small x is not.
    let outside = (0..=255_u8).find_map(|x| {
        let mut point = Hex([0; 96]);
        (point.0[0], point.0[95]) = (0x80, x);
        PublicKey::uncompress(&point.0).is_ok().then_some(point)
    });
    case(|info| info.public_key = outside.unwrap(), NotAChain::KeyOutsideGroup);
}

#[test]
fn a_chain_does_not_bear_the_hash_of_another() {
    let right = own_info();
    let changes: [fn(&mut ChainInfo); 6] = [
        |info| info.hash.0[31] ^= 1,
        |info| info.period += 1,
        |info| info.genesis_time += 1,
        |info| info.group_hash.0[0] ^= 1,
        |info| info.beacon_id.push('s'),
        |info| info.public_key = Chain::quicknet().info().public_key,
    ];
    for change in changes {
        let mut info = right.clone();
        change(&mut info);
        let (written, computed) = (info.hash, info.computed_hash());
        assert_eq!(Chain::new(info).err(), Some(NotAChain::Hash { written, computed }));
    }
    let impostor = ChainInfo { hash: Chain::quicknet().hash(), ..right };
    assert!(matches!(Chain::new(impostor), Err(NotAChain::Hash { .. })));
}

#[test]
fn a_chain_is_read_from_text_as_it_is_written() {
    let written = serde_yaml::to_string(&own_info()).unwrap();
    assert_eq!(serde_yaml::from_str::<ChainInfo>(&written).unwrap(), own_info());
    assert!(serde_yaml::from_str::<ChainInfo>(&format!("{written}extra: 1\n")).is_err());
    assert!(serde_yaml::from_str::<ChainInfo>(&written.replace("period: 30", "period: -1")).is_err());
}
