//! The player who joins last tries phrases until he likes the dice.

use super::*;

/// What the last joiner and the host compute for a phrase: whether Bert begins, and his first roll of three dice is 18.
fn pleases(seeds: &[Seed]) -> bool {
    let mut roll = seeds[3].stream();
    seeds[0].stream().shuffle(2) == [1, 0] && (0..3).all(|_| roll.die(6) == 6)
}

/// Bert joins last, with the phrase out of 4,096 that suits him and the host best, as they compute.
fn ground(folder: &Path) -> Game {
    let mut table = Table::create(folder, &players(&["Anna", "Bert"]), secrets::of_seed(51), at(0), TITLES).unwrap();
    let anna = Joining { phrase: "ring".to_string(), message: sha256(b"a"), ..Joining::default() };
    table.join(ANNA, &anna, Some(letter("join 1", 0)), at(1)).unwrap();
    let (plan, genesis) = (table.fold().plan(), table.fold().genesis());
    let host = host_chain();
    let links: Vec<Hash> = (1..=4).map(|n| host.link(n).unwrap()).collect();
    let expected = |phrase: &str| {
        let contributions = [
            Contribution { phrase: anna.phrase.clone(), message: anna.message },
            Contribution { phrase: phrase.to_string(), message: sha256(b"b") },
        ];
        let (game, root) = (plan.game, plan.root);
        let fixed = Fixed { game, genesis, anchor: plan.anchor, root, contributions: &contributions };
        let mix = Mix(fixed.setup());
        (1..).zip(&links).map(|(n, link)| mix.seed(&game, n, link)).collect::<Vec<Seed>>()
    };
    let mut phrases = (0..1_u32 << 12).map(|number| format!("phrase {number}"));
    let phrase = phrases.find(|phrase| pleases(&expected(phrase))).expect("one in 432 does");
    let bert = Joining { phrase, message: sha256(b"b"), ..Joining::default() };
    table.join(BERT, &bert, Some(letter("join 2", 1)), at(1)).unwrap();
    table.start(at(2)).unwrap();
    Game { table, time: 3 }
}

#[test]
fn the_last_who_joins_tries_phrases() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = ground(folder.path());
    assert_eq!(game.asked(), Some(BERT), "he succeeds");
    game.say("roll 3");
    assert_eq!(game.rolled(0)[0].2, [6, 6, 6]);
    let told = "Nobody could have chosen any of them, except the host together with Bert, who joined last, before the \
                start.";
    named(&game.log(), &[told]);
}
