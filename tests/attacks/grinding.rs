//! The player who joins last tries phrases until he likes the dice.

use super::*;

/// What the last joiner and the host compute for a phrase: whether Bert begins, and his first roll of three dice is 18.
fn pleases(seeds: &[Seed]) -> bool {
    let mut roll = seeds[3].stream();
    seeds[0].stream().shuffle(2) == [1, 0] && (0..3).all(|_| roll.die(6) == 6)
}

/// Bert joins last, with the phrase out of 4,096 that suits him and the host best, as far as they can compute.
/// Returns the game and the seeds that they expect.
fn ground(folder: &Path, anna_keeps_codes: bool) -> (Game, Vec<Seed>) {
    let mut table = Table::create(folder, &players(&["Anna", "Bert"]), secrets::of_seed(51), at(0), TITLES).unwrap();
    let codes = anna_keeps_codes.then(|| chain(&table.fold().genesis(), 1));
    let anchor = codes.as_ref().map(SeatChain::anchor);
    let anna = Joining { anchor, phrase: "ring".to_string(), message: sha256(b"a"), ..Joining::default() };
    table.join(ANNA, &anna, Some(letter("join 1", 0)), at(1)).unwrap();
    let (plan, genesis) = (table.fold().plan(), table.fold().genesis());
    let host = host_chain();
    let links: Vec<Hash> = (1..=4).map(|n| host.link(n).unwrap()).collect();
    let expected = |phrase: &str| {
        let (message, anchor) = (sha256(b"b"), None);
        let contributions = [
            Contribution { anchor: anna.anchor, phrase: anna.phrase.clone(), message: anna.message },
            Contribution { anchor, phrase: phrase.to_string(), message },
        ];
        let (game, root) = (plan.game, plan.root);
        let fixed = Fixed { game, genesis, anchor: plan.anchor, root, contributions: &contributions };
        // Without Anna's first code they can only guess.
        assert_eq!(Ledger::new(&fixed, &[None, None]).is_err(), anna_keeps_codes);
        let pool = Pool(fixed.setup());
        (1..).zip(&links).map(|(n, link)| pool.seed(&game, n, link)).collect::<Vec<Seed>>()
    };
    let mut phrases = (0..1_u32 << 12).map(|number| format!("phrase {number}"));
    let phrase = phrases.find(|phrase| pleases(&expected(phrase))).expect("one in 432 does");
    let expected = expected(&phrase);
    let bert = Joining { phrase, message: sha256(b"b"), ..Joining::default() };
    table.join(BERT, &bert, Some(letter("join 2", 0)), at(1)).unwrap();
    if let Some(codes) = &codes {
        table.ready(ANNA, codes.code(1).unwrap(), Some(letter("ready", 2)), at(2)).unwrap();
    }
    table.start(at(2)).unwrap();
    (Game { table, codes: vec![codes, None], time: 3 }, expected)
}

#[test]
fn the_last_who_joins_tries_phrases() {
    let folder = tempfile::tempdir().unwrap();
    let (mut game, _) = ground(folder.path(), false);
    assert_eq!(game.asked(), Some(BERT), "without codes he succeeds");
    game.say("roll 3");
    assert_eq!(game.rolled(0)[0].2, [6, 6, 6]);
    named(&game.log(), &["The host together with Anna, or with Bert, could have chosen all of them freely."]);
}

#[test]
fn the_last_who_joins_tries_phrases_against_a_seat_with_codes() {
    let folder = tempfile::tempdir().unwrap();
    let (game, expected) = ground(folder.path(), true);
    let link = host_chain().link(3).unwrap();
    for (n, seed) in game.table.fold().ledger().unwrap().seeds(link) {
        assert_ne!(seed, expected[n as usize - 1], "throw {n} could not be computed");
    }
    let words = dice_words(&game.log());
    assert!(words.contains("The host together with Anna could have chosen all of them freely."), "{words}");
    assert!(!words.contains("Bert"), "{words}");
}
