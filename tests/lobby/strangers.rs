//! Strangers and robots who write to a table (L3).

use super::*;

in_both_homes! {
    l3_a_stranger_is_invited_where_the_charter_welcomes_him,
    l3_a_robot_that_answers_an_invitation_is_answered_so_often_and_no_more,
}

/// L3: a table that welcomes guests invites anybody who asks, once a week, and admits him when he answers.
fn l3_a_stranger_is_invited_where_the_charter_welcomes_him(home: Home) {
    let refused = |came: Fate| match came {
        Fate::Astray { reason, letter } => (reason.to_string(), letter.is_some()),
        other => panic!("{other:?}"),
    };
    let mut closed = Campaign::new(home, "riddles");
    let (why, is_answered) = refused(knocks(&mut closed, OLAF, "observe g7"));
    assert!(why.contains("no table called g7 is open to guests") && is_answered, "{why}");
    let (unknown, _) = refused(knocks(&mut closed, DORA, "observe g8"));
    assert_eq!(unknown.replace("g8", "g7"), why, "nobody learns which tables there are");
    let mut game = Campaign::welcoming(home, "riddles", Some(Welcome::Watchers));
    assert!(refused(knocks(&mut game, DORA, "join g7")).0.contains("is open to guests"));
    let came = knocks(&mut game, OLAF, "Hello!\r\nobserve g7\r\n\r\nBest, Olaf");
    assert!(matches!(&came, Fate::Desk { received, .. } if received.letters.len() == 1), "{came:?}");
    let invitation = game.newest(OLAF);
    assert!(body(&invitation).contains("You are invited to watch a game"), "{invitation}");
    // The letter may not be from Olaf: nothing more is sent before he answers.
    assert!(!refused(knocks(&mut game, OLAF, "observe g7")).1, "one letter a week");
    let begin = game.all_letters().len();
    assert_eq!(begin, 2, "Dora was told once, and so was Olaf");
    assert_eq!(house::fates(&game.writes(OLAF, "observe")), ["done observe -"]);
    // A guest who may play is given a seat like invited ones.
    let mut game = Campaign::welcoming(home, "riddles", Some(Welcome::Players));
    for player in [ANNA, BERT] {
        assert!(matches!(knocks(&mut game, player, "join g7"), Fate::Desk { .. }));
        assert_eq!(house::fates(&game.writes(player, "join")), ["done join -"]);
    }
    game.writes(ANNA, "ready");
    game.writes(BERT, "ready");
    assert_eq!(game.phase(), Phase::Playing);
    assert!(refused(knocks(&mut game, DORA, "join g7")).0.contains("every seat of g7 is taken"));
    // When one of them has given up his seat, it is offered to the next who asks.
    let (free, holder) = game.seats()[1].clone();
    assert!(game.surely(&holder, &format!("propose replacement of {free}: I must go"))[0].starts_with("done propose"));
    assert!(matches!(knocks(&mut game, "eve@five.example", "join g7"), Fate::Desk { .. }));
    let offered = body(&game.newest("eve@five.example"));
    assert!(offered.contains("A seat is offered to you") && offered.contains(&free), "{offered}");
    assert_eq!(house::fates(&game.writes("eve@five.example", "join")), ["done join -"]);
    assert_eq!(game.seats()[1].1, "eve@five.example");
    assert!(refused(knocks(&mut game, "mia@six.example", "join g7")).0.contains("every seat of g7 is taken"));
}

fn l3_a_robot_that_answers_an_invitation_is_answered_so_often_and_no_more(home: Home) {
    let mut game = Campaign::new(home, "riddles");
    game.invite(ANNA, Role::Player, None).unwrap();
    let mut answered = |number: usize| game.writes(ANNA, &format!("I am away until day {number}.")).letters.len();
    let letters: Vec<usize> = (0..23).map(&mut answered).collect();
    assert_eq!((letters[0], letters[19], letters[20], letters[22]), (1, 1, 0, 0));
    assert_eq!(house::fates(&game.writes(ANNA, "join")), ["done join -"]);
}
