/*! The whole life of a campaign by letters alone, in every title and in both homes of a store: people are invited,
join with their wishes, are ready, and the game starts; it is played, watched, talked about, put back by a vote, a
seat changes hands, and a player gives up.
*/

#[path = "lobby/strangers.rs"]
mod strangers;

use crate::homes::{Home, Place, in_both_homes, names, text, texts};
use crate::house;
use crate::house::charter;
use crate::house::{at, body, field, secrets};
use crate::tiny_title::TITLES;
use engine::chance::Practice;
use engine::need::Need;
use ground::disk::mishap;
use ground::hash::Hash;
use mail::letter::mailbox::Mailbox;
use post::desk::Received;
use post::desk::lobby::{Invitation, NotInvited};
use post::office::{COUNTER, Handled as Fate, Office};
use record::charter::Charter;
use record::entry::body::{Auth, Via, Votes, Welcome};
use record::fold::Phase;
use record::table::Table;
use record::verify::report::Report;
use record::verify::{Errors, Wanted, verify};
use report::guest::Role;
use store::Store;
use store::drawer::Drawer;

const ANNA: &str = "anna@one.example";
const BERT: &str = "bert@two.example";
const DORA: &str = "dora@three.example";
const OLAF: &str = "olaf@four.example";
const EVERYBODY: [&str; 4] = [ANNA, BERT, DORA, OLAF];

in_both_homes! {
    a_campaign_of_riddles,
    a_campaign_of_risk,
    a_campaign_of_war_of_the_ring,
    who_has_no_seat_may_say_so_much_and_no_more,
    p7_a_word_of_greeting_keeps_no_guest_from_joining,
    a_guest_gets_one_letter_for_one_letter,
    a_watcher_gets_every_record_once_and_the_news_since_he_came,
    nobody_is_invited_twice_nor_to_a_seat_that_is_taken,
    a_guest_is_told_what_proves_a_letter,
    a_player_who_was_invited_holds_one_seat,
    a_charter_that_names_its_players_starts_when_they_have_joined,
    i3_a_crash_at_any_point_seats_and_starts_once,
}

/// A campaign, and everybody who writes to it.
struct Campaign {
    place: Box<dyn Place>,
    store: Store,
    minutes: u32,
    letters: u32,
}

impl Campaign {
    /// A game of a title whose two seats have no players yet.
    fn new(home: Home, title: &str) -> Campaign {
        Campaign::welcoming(home, title, None)
    }

    fn welcoming(home: Home, title: &str, welcome: Option<Welcome>) -> Campaign {
        Campaign::chartered(home, title, Charter { welcome, ..Charter::default() })
    }

    fn chartered(home: Home, title: &str, charter: Charter) -> Campaign {
        let campaign = Campaign::at(home.place(), 1, 0);
        let seats = vec![charter::player("?"); 2];
        let charter = Charter { name: "g7".to_owned(), title: title.to_owned(), seats, ..charter };
        drop(Table::create(campaign.drawer(), &charter, secrets::usual(), at(0), TITLES).unwrap());
        campaign
    }

    fn at(place: Box<dyn Place>, minutes: u32, letters: u32) -> Campaign {
        Campaign { store: place.store(), place, minutes, letters }
    }

    fn copy(&self) -> Campaign {
        Campaign::at(self.place.copy(), self.minutes, self.letters)
    }

    fn office(&self) -> Office {
        Office::new(&self.store, &Mailbox::read("box@play.example").unwrap(), TITLES)
    }

    fn invite(&self, address: &str, role: Role, seat: Option<&str>) -> Result<String, NotInvited> {
        let mut desk = self.office().desk("g7").unwrap();
        let seat = seat.map(str::to_owned);
        let address = Mailbox::read(address).unwrap();
        let invited = desk.invite(&Invitation { address, name: None, role, seat, given_by: None }).unwrap();
        desk.settle_guests(at(self.minutes)).unwrap();
        invited
    }

    /// The drawer of the game.
    fn drawer(&self) -> Drawer {
        self.store.drawer("g7")
    }

    fn log(&self) -> String {
        text(&self.drawer(), "log.yaml")
    }

    fn all_letters(&self) -> Vec<String> {
        [self.drawer(), self.store.drawer(COUNTER)].iter().flat_map(|drawer| texts(drawer, "outbox")).collect()
    }

    /// The newest letter to somebody.
    fn newest(&self, player: &str) -> String {
        let desk = self.office().desk("g7").unwrap();
        let name = desk.book.letters_out().rev().find(|out| out.to == player).map(|out| out.letter.clone());
        let name = name.unwrap_or_else(|| panic!("no letter to {player}"));
        text(&self.drawer(), &format!("outbox/{name}"))
    }

    fn answer_to(&mut self, letter: &str, player: &str, text: &str) -> Vec<u8> {
        self.letters += 1;
        let name = player.split('@').next().unwrap();
        let (to, number) = (field(letter, "Reply-To"), self.letters);
        let (subject, answered) = (field(letter, "Subject"), field(letter, "Message-ID"));
        let head =
            format!("From: {name} <{player}>\r\nTo: {to}\r\nSubject: Re: {subject}\r\nIn-Reply-To: {answered}\r\n");
        let kind = "Content-Type: text/plain; charset=utf-8\r\n";
        format!("{head}{kind}Message-ID: <{number}@mail.example>\r\n\r\n{text}\r\n").into_bytes()
    }

    fn writes(&mut self, player: &str, text: &str) -> Received {
        let newest = self.newest(player);
        let raw = self.answer_to(&newest, player, text);
        self.receive(&raw)
    }

    fn receive(&mut self, raw: &[u8]) -> Received {
        self.minutes += 1;
        match self.office().receive(raw, at(self.minutes)).unwrap() {
            Fate::Desk { received, .. } => received,
            other => panic!("not at the desk: {other:?}"),
        }
    }

    /// The player of a seat gives it up.
    fn free(&self, seat: &str) {
        let mut desk = self.office().desk("g7").unwrap();
        let seat = desk.table.fold().plan().seat(seat).unwrap();
        let via = Via::letter(Hash::ZERO, 0, Auth::Confirmed);
        desk.table.give_away(seat, via, at(self.minutes)).unwrap();
    }

    /// A player makes a dangerous request, and confirms it.
    fn surely(&mut self, player: &str, line: &str) -> Vec<String> {
        let received = self.writes(player, line);
        assert_eq!(house::fates(&received), ["kept"], "{received:?}");
        let text = body(&self.newest(player));
        let below = text.split("TO CONFIRM\n").nth(1).unwrap_or_else(|| panic!("{text}"));
        let confirm = below.lines().find(|line| line.contains(" confirm ")).unwrap().to_owned();
        house::fates(&self.writes(player, &confirm))
    }

    fn phase(&self) -> Phase {
        self.office().desk("g7").unwrap().table.fold().phase()
    }

    /// The word of a seat by its place, and the address from which its player writes.
    fn seats(&self) -> Vec<(String, String)> {
        let desk = self.office().desk("g7").unwrap();
        let address = |word: &str| {
            let seats = &desk.table.secrets().seats;
            seats
                .iter()
                .find(|seat| seat.seat == word)
                .and_then(|seat| seat.addresses.first().cloned())
                .unwrap_or_default()
        };
        desk.table.fold().plan().seats.iter().map(|seat| (seat.word.clone(), address(&seat.word))).collect()
    }

    /// The asked player says something that he may say.
    fn play(&mut self, seed: u64) {
        let desk = self.office().desk("g7").unwrap();
        let fold = desk.table.fold();
        let Need::Question(question) = fold.need() else { panic!("nobody is asked") };
        let said = fold.game().copy().say_anything(&mut Practice::new(seed), fold.faces()).sentence;
        drop(desk);
        let (_, player) = self.seats()[question.seat.index()].clone();
        let newest = self.newest_of_seat(&player);
        let raw = self.answer_to(&newest, &player, &said);
        let received = self.receive(&raw);
        assert!(house::fates(&received)[0].starts_with("done "), "{said}: {received:?}");
    }

    /// The newest report to a player; letters from another player do not count.
    fn newest_of_seat(&self, player: &str) -> String {
        let desk = self.office().desk("g7").unwrap();
        let mut out = desk.book.letters_out().rev();
        let out = out.find(|out| out.to == player && out.told.is_some()).unwrap().letter.clone();
        text(&self.drawer(), &format!("outbox/{out}"))
    }

    fn sound(&self) -> Report {
        let file = "log.yaml".to_string();
        let wanted = Wanted { file, titles: TITLES, errors: Errors::All, seen: Vec::new(), progress: &mut |_| {} };
        let report = verify(self.log().as_bytes(), wanted).unwrap();
        assert!(report.is_ok(), "{report}");
        report
    }

    /// X3: no byte of a letter or of the log contains the address of anybody but its reader.
    fn keeps_addresses(&self) {
        for letter in self.all_letters() {
            let to = field(&letter, "To");
            let message = mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap();
            let parts = message.parts.iter().map(|part| String::from_utf8_lossy(part.contents()).into_owned());
            for text in parts.chain([letter.clone()]) {
                // Anna wrote Dora's address herself, and reads her own line.
                let knows = |address: &str| to.contains(address) || (to.contains(ANNA) && address == DORA);
                for address in EVERYBODY.iter().filter(|address| !knows(address)) {
                    assert!(!text.contains(address), "a letter to {to} tells {address}:\n{text}");
                }
            }
        }
        let log = self.log();
        assert!(EVERYBODY.iter().all(|address| !log.contains(address)));
    }
}

/// From the invitation to the first question.
fn begun(home: Home, title: &str) -> Campaign {
    let mut game = Campaign::new(home, title);
    let seats: Vec<String> = game.seats().into_iter().map(|(word, _)| word).collect();
    game.invite(ANNA, Role::Player, None).unwrap();
    game.invite(BERT, Role::Player, None).unwrap();
    game.invite(OLAF, Role::Observer, None).unwrap();
    let invitation = body(&game.newest(ANNA));
    assert!(invitation.contains(&format!("join {}", seats.join(", "))), "{invitation}");
    // Both would like the second seat; the earlier letter gets it.
    let joined = game.writes(ANNA, &format!("join {}\r\nname Anna Brandybuck", seats[1]));
    assert_eq!(house::fates(&joined)[0], format!("done join {} -", seats[1]));
    assert!(body(&game.newest(ANNA)).contains("You have joined"), "{}", body(&game.newest(ANNA)));
    game.writes(BERT, &format!("join {} or any\r\nphrase Second Breakfast", seats[1]));
    assert_eq!(house::fates(&game.writes(OLAF, "observe")), ["done observe -"]);
    let seated = |game: &Campaign, player: &str| body(&game.newest(player)).replace('\n', " ");
    assert!(seated(&game, ANNA).contains(&format!("would be {}", seats[1])), "{}", seated(&game, ANNA));
    assert!(seated(&game, BERT).contains(&format!("would be {}", seats[0])));
    assert_eq!(game.phase(), Phase::Joining);
    game.writes(BERT, "ready");
    assert_eq!(game.phase(), Phase::Joining, "one is not ready yet");
    game.writes(ANNA, "ready");
    assert_eq!(game.phase(), Phase::Playing);
    assert_eq!(game.seats(), [(seats[0].clone(), BERT.to_owned()), (seats[1].clone(), ANNA.to_owned())]);
    let log = game.log();
    assert!(log.contains("player: \"Anna Brandybuck\"") && log.contains("phrase: \"Second Breakfast\""), "{log}");
    game
}

fn whole_life(home: Home, title: &str, answers: u64) {
    let mut game = begun(home, title);
    for seed in 0..answers {
        game.play(seed);
    }
    let watched = game.newest(OLAF);
    assert!(body(&watched).contains("Nothing is asked of you"), "{}", body(&watched));
    // They talk.
    let seats = game.seats();
    let talked = game.writes(ANNA, &format!("press {}: A truce, until Thursday?", seats[0].0));
    assert!(house::fates(&talked)[0].starts_with("done press"), "{talked:?}");
    assert!(body(&game.newest(BERT)).contains("A truce, until Thursday?"));
    let copies = game.all_letters().iter().filter(|letter| body(letter).contains("A truce")).count();
    assert_eq!(copies, 2, "his and hers");
    // They put the table back.
    let desk = game.office().desk("g7").unwrap();
    let (to, facts) = (desk.table.fold().head().seq, desk.table.fold().facts().text().to_string());
    drop(desk);
    game.play(99);
    let proposed = game.surely(BERT, &format!("propose undo to {to}: a slip of mine"));
    assert!(proposed[0].starts_with("done propose undo"), "{proposed:?}");
    assert!(game.surely(ANNA, "vote yes")[0].starts_with("done vote yes"));
    assert_eq!(game.office().desk("g7").unwrap().table.fold().facts().text(), facts);
    assert!(
        body(&game.newest(OLAF)).replace("\n      ", " ").contains("the table is as it was after"),
        "who watches is told"
    );
    // Anna gives her seat to Dora, whose first letter brings the whole log.
    let old = game.newest_of_seat(ANNA);
    assert_eq!(
        game.surely(ANNA, &format!("delegate to {DORA} Dora Took")),
        ["done delegate -", &format!("noted {DORA} is offered the seat {}; you play on until it is taken", seats[1].0)]
    );
    let again = game.surely(ANNA, &format!("delegate to {DORA}"));
    assert!(again[0].contains("offered to somebody else") || again[0].contains("invited already"), "{again:?}");
    assert!(body(&game.newest(DORA)).contains("A seat is offered to you"), "{}", body(&game.newest(DORA)));
    assert_eq!(house::fates(&game.writes(DORA, "join")), ["done join -"]);
    assert_eq!(game.seats()[1].1, DORA);
    let first = game.newest_of_seat(DORA);
    assert!(first.contains(&format!("{}-000000-", "g7")), "the whole log is attached");
    assert!(body(&first).replace("\n      ", " ").contains(&format!("Dora Took takes the seat {}", seats[1].0)));
    assert!(
        body(&game.newest(ANNA)).replace('\n', " ").contains("is handed over to Dora Took"),
        "{}",
        body(&game.newest(ANNA))
    );
    // The old token is dead, and so is the old address.
    let raw = game.answer_to(&old, ANNA, "status");
    let astray = game.office().receive(&raw, at(game.minutes)).unwrap();
    assert!(matches!(astray, Fate::Astray { .. }), "{astray:?}");
    let forged = String::from_utf8(game.answer_to(&old, DORA, "status")).unwrap();
    assert!(matches!(game.office().receive(forged.as_bytes(), at(game.minutes)).unwrap(), Fate::Astray { .. }));
    for seed in 100..100 + answers {
        game.play(seed);
    }
    game.sound();
    // Bert gives up.
    assert_eq!(game.surely(BERT, "concede: it is lost"), ["done concede #".to_owned() + &last_conceded(&game)]);
    let report = game.sound();
    assert_eq!(report.result, Some(format!("{} wins: {} has conceded", seats[1].0, seats[0].0)));
    for player in [BERT, DORA, OLAF] {
        assert!(field(&game.newest(player), "Subject").contains("the game is over"), "{player}");
    }
    game.keeps_addresses();
}

fn last_conceded(game: &Campaign) -> String {
    let log = game.log();
    let record = log.split("---\n").find(|record| record.contains("type: \"concede\"")).unwrap();
    record.lines().next().unwrap().trim_start_matches("seq: ").to_owned()
}

fn a_campaign_of_riddles(home: Home) {
    whole_life(home, "riddles", 6);
}

fn a_campaign_of_risk(home: Home) {
    whole_life(home, "risk", 12);
}

fn a_campaign_of_war_of_the_ring(home: Home) {
    whole_life(home, "wotr", 12);
}

fn who_has_no_seat_may_say_so_much_and_no_more(home: Home) {
    let mut game = Campaign::new(home, "riddles");
    game.invite(ANNA, Role::Player, None).unwrap();
    let mut refused = |text: &str, why: &str| {
        let received = game.writes(ANNA, text);
        assert!(house::fates(&received)[0].contains(why), "{text}: {received:?}");
    };
    refused("ready", "no seat was found for you yet");
    refused("join purple", "there is no seat `purple`; there are: green, black");
    refused("concede", "this is for players");
    refused("roll 3", "You hold no seat in this game");
    refused("  join", "begins at the left margin");
    let told = house::fates(&game.writes(ANNA, "help\r\nstatus\r\nhistory\r\nwhy 0"));
    assert_eq!(told, ["done help -", "done show status -", "done show history -", "done show why 0 -"]);
    let letter = body(&game.newest(ANNA));
    assert!(letter.contains("join [seat[, seat]]") && letter.contains("HISTORY, #0 TO #0"), "{letter}");
    assert!(!letter.contains("propose what"), "{letter}");
    assert_eq!(house::fates(&game.writes(ANNA, "decline")), ["done leave -"]);
    assert!(house::fates(&game.writes(ANNA, "join"))[0].contains("this invitation is over"));
}

/// P7: people greet before they say what they want. A line that may have been broken in two counts as nothing.
fn p7_a_word_of_greeting_keeps_no_guest_from_joining(home: Home) {
    let mut game = Campaign::new(home, "riddles");
    game.invite(ANNA, Role::Player, None).unwrap();
    let cut = house::fates(&game.writes(ANNA, "I am sorry, I will not\r\njoin"));
    assert!(cut.len() == 1 && cut[0].contains("You hold no seat"), "{cut:?}");
    let said =
        house::fates(&game.writes(ANNA, "Hi there, I would love to play!\r\njoin black\r\nname Anna\r\n\r\nBest"));
    assert_eq!(said[1..], ["done join black -", "done name Anna -"]);
    assert!(said[0].starts_with("ignored"), "{said:?}");
}

/// A guest who is told something in the answer to his letter is not told again in another; what he asked for is above
/// the table.
fn a_guest_gets_one_letter_for_one_letter(home: Home) {
    let mut game = Campaign::new(home, "riddles");
    game.invite(ANNA, Role::Player, None).unwrap();
    assert_eq!(game.writes(ANNA, "join").letters.len(), 1);
    assert_eq!(house::fates(&game.writes(ANNA, "map\r\nhelp")), ["done show map -", "done help -"]);
    let letter = body(&game.newest(ANNA));
    let place = |text: &str| letter.find(text).unwrap_or_else(|| panic!("{text}: {letter}"));
    assert!(place("YOUR LETTER") < place("THE TABLE AFTER #0"));
    assert!(place("THE TABLE AFTER #0") < place("HOW TO ANSWER") && place("HOW TO ANSWER") < place("nobody yet"));
}

/// An uninvited person's letter to the mailbox of the post.
fn knocks(game: &mut Campaign, stranger: &str, text: &str) -> Fate {
    game.letters += 1;
    game.minutes += 1;
    let (number, kind) = (game.letters, "Content-Type: text/plain; charset=utf-8\r\n");
    let head = format!("From: {stranger}\r\nTo: box@play.example\r\nSubject: a game\r\n{kind}");
    let raw = format!("{head}Message-ID: <{number}@far.example>\r\n\r\n{text}\r\n");
    game.office().receive(raw.as_bytes(), at(game.minutes)).unwrap()
}

/// An observer gets all records and the news from then on; his next letter brings new records only.
fn a_watcher_gets_every_record_once_and_the_news_since_he_came(home: Home) {
    let mut game = begun(home, "riddles");
    (0..4).for_each(|seed| game.play(seed));
    game.invite(DORA, Role::Observer, None).unwrap();
    game.writes(DORA, "observe");
    let first = game.newest(DORA);
    let last = game.office().desk("g7").unwrap().table.fold().head().seq;
    assert!(first.contains(&format!("g7-000000-{last:06}.yaml")), "{first}");
    assert!(!body(&first).contains("WHAT HAPPENED"), "{}", body(&first));
    (10..16).for_each(|seed| game.play(seed));
    let letters: Vec<String> =
        game.all_letters().into_iter().filter(|letter| field(letter, "To") == format!("<{DORA}>")).collect();
    let name = |letter: &String| Some(letter.split("filename=\"g7-").nth(1)?.split(".yaml").next()?.to_owned());
    let mut parts: Vec<String> = letters.iter().filter_map(name).collect();
    parts.sort();
    let (starts, ends): (Vec<u64>, Vec<u64>) =
        parts.iter().map(|part| (part[..6].parse::<u64>().unwrap(), part[7..].parse::<u64>().unwrap())).unzip();
    assert!(parts.len() > 2 && starts[0] == 0, "{parts:?}");
    assert!(starts.iter().skip(1).zip(&ends).all(|(start, end)| *start == end + 1), "each once: {parts:?}");
    assert!(letters.iter().all(|letter| !body(letter).contains("PROOFS OF YOUR CARDS")));
}

fn nobody_is_invited_twice_nor_to_a_seat_that_is_taken(home: Home) {
    let game = begun(home, "riddles");
    let again = |address: &str, seat: Option<&str>| game.invite(address, Role::Player, seat).unwrap_err().to_string();
    assert!(again(DORA, None).contains("say which seat"));
    assert!(again(DORA, Some("purple")).contains("there is no seat"));
    // A seat is free when its player gives it up, or when all others say so.
    assert!(again(DORA, Some("green")).contains("holds the seat green: he gives it away himself"));
    game.free("green");
    assert_eq!(game.invite(DORA, Role::Player, Some("green")), Ok("guest-4".to_owned()));
    assert!(again(DORA, Some("black")).contains("invited already"));
    assert!(again("eve@five.example", Some("green")).contains("offered to somebody else"));
}

/// Who joined by an invitation, and answers with nothing but the tag in the subject, holds one seat.
fn a_player_who_was_invited_holds_one_seat(home: Home) {
    let mut game = begun(home, "riddles");
    let subject = field(&game.newest_of_seat(ANNA), "Subject");
    let letter = format!(
        "From: Anna <{ANNA}>\r\nTo: box@play.example\r\nSubject: Re: {subject}\r\nMessage-ID: <tag@mail.example>\r\n\
         \r\nshow status\r\n"
    );
    game.receive(letter.as_bytes());
    let told = body(&game.newest(ANNA));
    assert!(!told.contains("you hold several seats"), "{told}");
}

/// A guest who would like to play learns beforehand which letters count.
fn a_guest_is_told_what_proves_a_letter(home: Home) {
    let charter = Charter {
        min_auth: Some(Auth::Token),
        welcome: Some(Welcome::Players),
        votes: Some(Votes::Majority),
        ..Charter::default()
    };
    let mut game = Campaign::chartered(home, "riddles", charter);
    let told = |game: &Campaign, who: &str| body(&game.newest(who)).split_whitespace().collect::<Vec<_>>().join(" ");
    game.invite(ANNA, Role::Player, None).unwrap();
    game.invite(BERT, Role::Player, None).unwrap();
    let invited = told(&game, ANNA);
    let proof = "A letter plays only with a proof of who wrote it: the address that our letters ask you to answer to, \
                 or the signature of your mail provider (DKIM), or your own key (`help sign`).";
    assert!(invited.contains(proof), "{invited}");
    assert!(invited.contains("to be invited, write `join g7` or `observe g7` to us."), "{invited}");
    assert!(invited.contains("when more than half of the seats agree."), "{invited}");
    game.writes(ANNA, "join black");
    game.writes(BERT, "join");
    assert!(body(&game.newest(ANNA)).lines().all(|line| line.chars().count() <= 72));
    assert_eq!(house::fates(&game.writes(ANNA, "ready\r\nphrase second breakfast")).len(), 2);
    game.writes(BERT, "ready");
    assert_eq!(game.phase(), Phase::Playing);
}

fn a_charter_that_names_its_players_starts_when_they_have_joined(home: Home) {
    let mut game = Campaign::new(home, "riddles");
    game.invite(ANNA, Role::Player, Some("green")).unwrap();
    game.invite(BERT, Role::Player, Some("black")).unwrap();
    let said = house::fates(&game.writes(ANNA, "name Anna\r\nphrase mithril\r\njoin"));
    assert_eq!(said, ["done name Anna -", "done phrase -", "done join -"]);
    let log = game.log();
    assert!(log.contains("phrase: \"mithril\"\n") && log.contains("\naddress: \""), "{log}");
    assert!(house::fates(&game.writes(BERT, "join green"))[0].contains("the seat offered to you is black"));
    assert_eq!(game.phase(), Phase::Joining);
    // In the order in which the invitation shows the lines.
    assert_eq!(
        house::fates(&game.writes(BERT, "join\r\nname Bert the Bold")),
        ["done join -", "done name Bert the Bold -"]
    );
    assert_eq!(game.phase(), Phase::Playing);
    let log = game.log();
    assert!(log.contains("player: \"Bert the Bold\""), "{log}");
    let late = house::fates(&game.writes(BERT, "name Bert"));
    assert!(late[0].starts_with("refused"), "{late:?}");
    game.sound();
}

/// I3, I6: the power fails before any write, while the last guest says that he is ready and while a seat changes hands.
fn i3_a_crash_at_any_point_seats_and_starts_once(home: Home) {
    let mut start = Campaign::new(home, "riddles");
    start.invite(ANNA, Role::Player, None).unwrap();
    start.invite(BERT, Role::Player, None).unwrap();
    start.writes(ANNA, "join");
    start.writes(BERT, "join");
    start.writes(ANNA, "ready");
    survives(home, &mut start, BERT, "ready");
    let mut running = begun(home, "riddles");
    running.play(1);
    running.free("green");
    running.invite(DORA, Role::Player, Some("green")).unwrap();
    survives(home, &mut running, DORA, "join");
}

/// In a database every third write is enough: copying it takes much longer than copying a folder.
fn survives(home: Home, start: &mut Campaign, player: &str, text: &str) {
    let newest = start.newest(player);
    let raw = start.answer_to(&newest, player, text);
    let mut whole = start.copy();
    whole.receive(&raw);
    let sent = |game: &Campaign| names(&game.drawer(), "outbox");
    for writes in (0..).step_by(if home == Home::Folder { 1 } else { 3 }) {
        let crashed = start.copy();
        mishap::after(writes);
        let stopped = crashed.office().receive(&raw, at(start.minutes + 1));
        if !mishap::has_struck() {
            stopped.unwrap();
            assert!(writes > 10, "{writes}");
            return;
        }
        let mut crashed = crashed.copy();
        crashed.office().desk("g7").unwrap().recover(at(start.minutes + 1)).unwrap();
        crashed.receive(&raw);
        assert!(crashed.log() == whole.log(), "after {writes} writes\n{}\n{}", crashed.log(), whole.log());
        assert_eq!(crashed.seats(), whole.seats(), "after {writes} writes");
        assert_eq!(sent(&crashed), sent(&whole), "after {writes} writes");
    }
}
