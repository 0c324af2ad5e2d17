/*! Letters that prove less than they seem to (A5, log 10.9): a host, a thief or a player turns a signed mail into
something that its writer never said here. The desk does not class it as `dkim`, and `verify --letters` finds a host
who does. Also the letters of the great providers, which differ in what they sign.
*/

use crate::house::{BLACK, GREEN, House, at, charter, fates, field};
use crate::mail_domain;
use crate::mail_domain::{Domain, KEY, TODAY, USUAL, committed, domain_of, key_of, seat_of, strict};
use engine::seat::Seat;
use ground::hash::{Hash, sha256};
use mail::letter::dkim::KeyRecord;
use post::book::Reception;
use record::entry::body::{Auth, Ballot, Correcting, Via};
use record::fold::council::Proposal;
use record::problem::{Check, exit};
use record::verify::report::{CheckResult, Report};

/// A house, the asked player, and the letter that asks him.
struct Asked {
    house: House,
    player: &'static str,
    letter: String,
    domain: Domain,
}

impl Asked {
    fn new() -> Asked {
        let domain = Domain::new(KEY);
        let house = strict(domain.record());
        let player = house.asked().0;
        let letter = house.newest(player);
        Asked { house, player, letter, domain }
    }

    /// The answer to it.
    fn answer(&mut self, text: &str) -> String {
        let letter = self.letter.clone();
        String::from_utf8(self.house.answer_to(&letter, self.player, text)).unwrap()
    }

    fn signs(&self, fields: &str, tags: &str, letter: &str) -> Vec<u8> {
        self.domain.signs(domain_of(self.player), fields, tags, letter.as_bytes())
    }

    /// Checks that the desk refuses a letter with these words.
    fn refused(&mut self, letter: &[u8], part: &str) {
        let received = self.house.receive(letter);
        let told = fates(&received).join("; ");
        assert!(received.outcome != Reception::Played && told.contains(part), "{told}");
        assert!(self.house.said().is_empty(), "{:?}", self.house.said());
    }

    /// Checks what `verify --letters` finds if the host claims that the seat said these words in the letter.
    fn claimed(&mut self, letter: &[u8], words: &str, key: &KeyRecord, part: &str) {
        let seen = self.house.head();
        let via = self.house.claims(letter, key, seen);
        self.says(words, via);
        found(&self.house.held(), part);
    }

    fn says(&mut self, words: &str, via: Via) {
        self.house.minutes += 1;
        let now = at(self.house.minutes);
        let mut desk = self.house.office.desk("g7").unwrap();
        desk.table.say(Seat(seat_of(self.player).0), words, Some(via), now).unwrap();
    }

    /// Both: the desk refuses the letter, and a host who plays it all the same is found.
    #[track_caller]
    fn proves_nothing(mut self, letter: &[u8], part: &str) {
        self.refused(letter, part);
        let key = key_of(domain_of(self.player));
        self.claimed(letter, "roll 2", &key, part);
    }
}

#[track_caller]
fn found(report: &Report, part: &str) {
    assert_eq!(report.exit_code(), exit::CHAIN, "{report}");
    assert_eq!(report.verdict(Check::Letters), &CheckResult::Fail);
    assert!(report.to_text().contains(part), "{part}: {report}");
    for address in [GREEN, BLACK] {
        assert!(!report.to_text().contains(address), "{report}");
    }
}

/// A player's letter to a friend, changed to look like an answer.
fn private(player: &str, to: &str, subject: &str) -> String {
    format!(
        "From: {player}\r\nTo: {to}\r\nSubject: {subject}\r\nDate: {TODAY}\r\nMessage-ID: <7@mail.example>\r\n\r\n\
         roll 2\r\n"
    )
}

/// A thief's lines on top of a letter: the address that it was delivered to, and the letter that it answers.
fn on_top(asked: &Asked, what: &[&str], letter: &[u8]) -> Vec<u8> {
    let mut top = format!("Delivered-To: {}\r\n", field(&asked.letter, "Reply-To"));
    for name in what {
        let value = field(&asked.letter, if *name == "Subject" { "Subject" } else { "Message-ID" });
        top.push_str(&format!("{name}: {value}\r\n"));
    }
    [top.as_bytes(), letter].concat()
}

#[test]
fn an_honest_letter_is_played_and_proves_itself() {
    let mut asked = Asked::new();
    let letter = asked.answer("roll 2\r\n");
    let letter = asked.signs(USUAL, "", &letter);
    let received = asked.house.receive(&letter);
    assert_eq!(received.outcome, Reception::Played, "{:?}", fates(&received));
    let report = asked.house.held();
    assert!(report.is_ok(), "{report}");
    assert_eq!(report.verdict(Check::Letters), &CheckResult::Pass);
    assert!(!asked.house.log().contains('@'), "the log names no address");
    // Without the address nothing is proved, and nothing is an error.
    let vault = asked.house.path().join("vault");
    std::fs::remove_file(vault.join(format!("addresses/{}.txt", committed(seat_of(asked.player).0)))).unwrap();
    let report = asked.house.held();
    assert!(report.is_ok() && matches!(report.verdict(Check::Letters), CheckResult::Skipped(_)), "{report}");
}

#[test]
fn a_private_mail_with_an_in_reply_to_put_on_top_is_no_move() {
    let asked = Asked::new();
    let mail = asked.signs("from:to:subject:date", "", &private(asked.player, "frodo@shire.example", "Dice"));
    let forged = on_top(&asked, &["In-Reply-To"], &mail);
    asked.proves_nothing(&forged, "nothing that is signed names the letter of ours");
}

#[test]
fn where_the_missing_in_reply_to_is_signed_it_cannot_be_put_on_top() {
    let asked = Asked::new();
    let mail = asked.signs(USUAL, "", &private(asked.player, "frodo@shire.example", "Dice"));
    let forged = on_top(&asked, &["In-Reply-To"], &mail);
    asked.proves_nothing(&forged, "header was altered");
}

#[test]
fn a_private_mail_with_a_subject_put_on_top_is_no_move() {
    let asked = Asked::new();
    let mail = asked.signs("from:to:subject:date", "", &private(asked.player, "frodo@shire.example", "Dice"));
    let forged = on_top(&asked, &["Subject", "In-Reply-To"], &mail);
    asked.proves_nothing(&forged, "the letter has Subject 2 times");
}

#[test]
fn a_mail_to_somebody_else_about_the_game_is_no_move() {
    let asked = Asked::new();
    let subject = format!("Re: {}", field(&asked.letter, "Subject"));
    let mail = asked.signs(USUAL, "", &private(asked.player, "frodo@shire.example", &subject));
    let forged = on_top(&asked, &[], &mail);
    asked.proves_nothing(&forged, "written to somebody else");
}

#[test]
fn a_mail_that_answers_another_mail_is_no_move() {
    let mut asked = Asked::new();
    let letter = asked.answer("roll 2\r\n");
    let answers = letter.lines().find(|line| line.starts_with("In-Reply-To")).unwrap();
    let other = letter.replace(answers, "In-Reply-To: <99@frodo.example>");
    let other = asked.signs(USUAL, "", &other);
    asked.proves_nothing(&other, "answers another letter than one of ours");
}

#[test]
fn a_letter_signed_over_from_alone_is_no_move() {
    let mut asked = Asked::new();
    let letter = asked.answer("roll 2\r\n");
    for (fields, part) in [
        ("from", "does not cover Date"),
        ("from:date", "does not cover Subject"),
        ("from:subject:in-reply-to", "does not cover Date"),
    ] {
        let letter =
            asked.signs(fields, "", &letter.replace("Message-ID: <", &format!("Message-ID: <{}.", fields.len())));
        asked.refused(&letter, part);
    }
    let letter = asked.signs("from", "", &letter);
    asked.claimed(&letter, "roll 2", &key_of(domain_of(asked.player)), "does not cover Date");
}

#[test]
fn a_letter_dated_years_back_is_no_move() {
    let mut asked = Asked::new();
    let letter = format!("Date: Tue, 24 Nov 2020 08:05:00 +0000\r\n{}", asked.answer("roll 2\r\n"));
    let letter = asked.signs(USUAL, "", &format!("X-A: b\r\n{letter}"));
    asked.proves_nothing(&letter, "its Date is 2020-11-24");
}

#[test]
fn a_letter_that_another_domain_signed_is_no_move() {
    let mut asked = Asked::new();
    let letter = asked.answer("roll 2\r\n");
    let letter = asked.domain.signs("evil.example", USUAL, "", letter.as_bytes());
    asked.refused(&letter, "is by evil.example, not by");
    asked.claimed(&letter, "roll 2", &key_of("evil.example"), "is by evil.example, not by");
}

#[test]
fn a_letter_from_another_address_of_the_domain_is_no_move() {
    let mut asked = Asked::new();
    let letter = asked.answer("roll 2\r\n");
    let other = format!("mallory@{}", domain_of(asked.player));
    let letter = asked.signs(USUAL, "", &letter.replace(&format!("From: {}", asked.player), &format!("From: {other}")));
    // The office would not find any seat for it.
    asked.claimed(&letter, "roll 2", &key_of(domain_of(asked.player)), "not written from the address of the seat");
}

#[test]
fn a_letter_of_which_only_the_beginning_is_signed_is_no_move() {
    let mut asked = Asked::new();
    let letter = asked.answer("roll 2\r\n");
    let letter = asked.signs(USUAL, "l=8; ", &letter);
    asked.proves_nothing(&letter, "only the beginning of the text (l=)");
}

#[test]
fn a_signature_that_had_expired_is_no_proof() {
    let mut asked = Asked::new();
    let letter = asked.answer("roll 2\r\n");
    let letter = asked.signs(USUAL, "t=1795000000; x=1795000060; ", &letter);
    asked.proves_nothing(&letter, "had expired");
}

#[test]
fn a_key_below_1024_bits_is_no_key() {
    let short = "v=DKIM1; k=rsa; p=MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKwS6xfKPqA6J4rdqCSfLCgogwXawlIMwr2n/Nelr2L9DtcDjH+r\
                 PZ9yr/oSjbEvYN8Pv5OvJafx1sGxa9QjVJMCAwEAAQ==";
    let mut asked = Asked::new();
    asked.house = strict(short.to_owned());
    asked.letter = asked.house.newest(asked.player);
    let letter = asked.answer("roll 2\r\n");
    let letter = asked.signs(USUAL, "", &letter);
    let letter = String::from_utf8(letter).unwrap().replace("a=ed25519-sha256", "a=rsa-sha256").into_bytes();
    asked.refused(&letter, "fewer than 1024 bits");
    let key = KeyRecord { text: short.to_owned(), ..key_of(domain_of(asked.player)) };
    asked.claimed(&letter, "roll 2", &key, "fewer than 1024 bits");
}

#[test]
fn a_move_of_another_game_is_no_move_of_this_one() {
    let mut asked = Asked::new();
    // The same host, players, name and secrets; another first record.
    let mut second = mail_domain::addressed(&charter::many_riddles(), |_| Default::default());
    second.minutes = asked.house.minutes;
    let letter = second.answer_to(&second.newest(asked.player), asked.player, "roll 2\r\n");
    let letter = asked.domain.signs(domain_of(asked.player), USUAL, "", &letter);
    // The log may have lost that record: nothing is played until the writer has shown what he saw.
    let told = asked.house.office.receive(&letter, at(asked.house.minutes + 1)).unwrap_err().to_string();
    assert!(told.contains("that the log, which ends with #3, does not have"), "{told}");
    // A day later it is refused.
    asked.house.minutes += 24 * 60 + 1;
    asked.refused(&letter, "not of this game's history");
    asked.claimed(&letter, "roll 2", &key_of(domain_of(asked.player)), "on another history");
}

#[test]
fn a_letter_to_another_seat_is_no_move() {
    let mut asked = Asked::new();
    let other = asked.house.other();
    let letter = asked.house.signed_answer(&Domain::new(KEY), other, "roll 2\r\n");
    let key = key_of(domain_of(other));
    asked.claimed(&letter, "roll 2", &key, "not");
}

/// The writer wanted the first line done before the second.
#[test]
fn a_sentence_without_those_above_it_is_no_move() {
    let mut asked = Asked::new();
    let letter = asked.answer("status\r\nroll 1\r\nroll 2\r\n");
    let letter = asked.signs(USUAL, "", &letter);
    let key = key_of(domain_of(asked.player));
    asked.claimed(&letter, "roll 2", &key, "its line 2 stands before this sentence and was not played");
    let mut asked = Asked::new();
    let seen = asked.house.head();
    let via = asked.house.claims(&letter, &key, seen);
    asked.says("roll 1", via);
    assert!(asked.house.held().is_ok(), "{}", asked.house.held());
}

/// A signed letter that says `roll 2`; the host claims that it was read to its end.
fn heard() -> (Asked, Seat, Via) {
    let mut asked = Asked::new();
    let letter = asked.answer("roll 2\r\n");
    let letter = asked.signs(USUAL, "", &letter);
    let seen = asked.house.head();
    let via = asked.house.claims(&letter, &key_of(domain_of(asked.player)), seen);
    let (seat, now) = (Seat(seat_of(asked.player).0), at(asked.house.minutes));
    asked.house.office.desk("g7").unwrap().table.hear(seat, Some(via.clone()), now).unwrap();
    (asked, seat, via)
}

/// The host says that nothing more of a letter was played, and then plays a line of it.
#[test]
fn a_letter_that_was_read_to_its_end_plays_nothing_more() {
    let (mut asked, _, via) = heard();
    asked.says("roll 2", via);
    found(&asked.house.held(), "it was read to its end before");
}

/// A letter counts once, whatever is put on top of it.
#[test]
fn the_same_letter_again_with_another_field_on_top_is_no_second_move() {
    let mut asked = Asked::new();
    let letter = asked.answer("roll 2\r\n");
    let letter = asked.signs(USUAL, "", &letter);
    let again = [b"X-Spam: no\r\n".as_slice(), &letter].concat();
    let seen = asked.house.head();
    let key = key_of(domain_of(asked.player));
    let via = asked.house.claims(&letter, &key, seen);
    asked.says("roll 2", via);
    // The other seat answers, and then the first seat is asked again.
    let (first, next) = (asked.player, asked.house.asked().0);
    assert_ne!(first, next);
    let answer = asked.house.signed_answer(&Domain::new(KEY), next, "roll 1\r\n");
    let by_next = asked.house.claims(&answer, &key_of(domain_of(next)), asked.house.head());
    let mut other = Asked { player: next, ..asked };
    other.says("roll 1", by_next);
    // A letter that had not seen the question cannot answer it, so the host claims that it had.
    let mut third = Asked { player: first, ..other };
    let head = third.house.head();
    let twice = third.house.claims(&again, &key, head);
    third.says("roll 2", twice);
    found(&third.house.held(), "it answers record 3, and the log says that its writer had seen another");
}

/// Somebody who has stolen a letter sends it again under another Message-ID, which is not signed.
#[test]
fn a_letter_that_is_sent_again_under_another_name_is_not_played_again() {
    let mut asked = Asked::new();
    let letter = asked.answer("roll 2\r\n");
    let letter = asked.signs("from:to:subject:date:in-reply-to", "", &letter);
    assert_eq!(asked.house.receive(&letter).outcome, Reception::Played);
    let again = String::from_utf8(letter).unwrap().replace("Message-ID: <", "Message-ID: <again.");
    let received = asked.house.receive(again.as_bytes());
    assert!(fates(&received)[0].contains("the same signed letter came before"), "{:?}", fates(&received));
    assert_eq!(asked.house.said(), ["roll 2"]);
    assert!(asked.house.held().is_ok(), "{}", asked.house.held());
}

/// Not only moves: a vote that its seat never gave, and a resignation from a private mail.
#[test]
fn a_vote_and_a_resignation_are_held_against_their_letters() {
    let mut asked = Asked::new();
    let (seat, other) = (Seat(seat_of(asked.player).0), asked.house.other());
    let key = key_of(domain_of(asked.player));
    let letter = asked.answer("propose pause\r\n");
    let letter = asked.signs(USUAL, "", &letter);
    let seen = asked.house.head();
    let via = asked.house.claims(&letter, &key, seen);
    let now = at(asked.house.minutes);
    let mut desk = asked.house.office.desk("g7").unwrap();
    let text = record::entry::acts::NO_REASON;
    let proposal = Proposal::new(Correcting::Pause, text);
    let motion = desk.table.propose(seat, &proposal, Some(via), now).unwrap()[0].seq;
    drop(desk);
    assert!(asked.house.held().is_ok(), "{}", asked.house.held());
    for (words, says, part) in [
        (format!("vote no {motion}"), Ballot::Yes, Some("no line of the letter")),
        (format!("vote yes {motion}"), Ballot::Yes, None),
    ] {
        let mut house = asked.house.copy();
        let letter = house.signed_answer(&Domain::new(KEY), other, &format!("{words}\r\n"));
        let seen = field(std::str::from_utf8(&letter).unwrap(), "In-Reply-To").split('.').nth(1).unwrap().parse();
        let via = house.claims(&letter, &key_of(domain_of(other)), seen.unwrap());
        let now = at(house.minutes);
        let mut desk = house.office.desk("g7").unwrap();
        desk.table.vote(Seat(seat_of(other).0), motion, says, Some(via), now).unwrap();
        drop(desk);
        match part {
            Some(part) => found(&house.held(), part),
            None => assert!(house.held().is_ok(), "{}", house.held()),
        }
    }
    let mail = private(asked.player, "frodo@shire.example", "I give up").replace("roll 2", "concede");
    let mail = on_top(&asked, &["In-Reply-To"], &asked.signs("from:to:subject:date", "", &mail));
    let seen = asked.house.head();
    let via = asked.house.claims(&mail, &key, seen);
    let now = at(asked.house.minutes);
    asked.house.office.desk("g7").unwrap().table.concede(seat, None, Some(via), now).unwrap();
    found(&asked.house.held(), "nothing that is signed names");
}

/// Without a commitment to an address, no signed letter can count as the seat's.
#[test]
fn a_seat_without_an_address_has_no_letters_of_class_dkim() {
    let mut house = House::opened();
    let player = house.asked().0;
    house.minutes += 1;
    let now = at(house.minutes);
    let mut desk = house.office.desk("g7").unwrap();
    let seen = desk.table.fold().head().seq;
    let via = Via::letter(Hash::ZERO, seen, Auth::Dkim);
    let refused = desk.table.say(Seat(seat_of(player).0), "roll 2", Some(via), now).unwrap_err();
    assert!(refused.to_string().contains("the log commits to none"), "{refused}");
}

/// What the great providers sign, according to letters in public mailing lists (Fastmail: according to public
/// information): the fields of `h=`, in the years from 2020 to 2026. Each letter here answers one of ours; the keys
/// are ours.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of providers")]
fn providers_differ_in_what_they_sign_and_their_letters_are_of_class_dkim() {
    for (provider, fields, tags, signs_reply) in [
        // Answers name In-Reply-To; From, To, Cc, Subject, Date, Message-ID and Reply-To once more than they occur. A
        // signature expires after seven days.
        (
            "Gmail",
            "cc:to:subject:message-id:date:from:in-reply-to:references:mime-version:from:to:cc:subject:date:message-id:\
             reply-to",
            "t=1795507500; x=1796112300; ",
            true,
        ),
        // Neither To nor In-Reply-To: the tag in the subject names the question, and nothing signed names the
        // addressee.
        (
            "Outlook.com",
            "From:Date:Subject:Message-ID:Content-Type:MIME-Version:X-MS-Exchange-SenderADCheck",
            "",
            false,
        ),
        // From and Subject twice; In-Reply-To if present.
        ("Yahoo", "From:To:Cc:Subject:Date:In-Reply-To:References:From:Subject:Reply-To", "t=1795507500; ", true),
        // In-Reply-To if present; the text in the simple style; seven days.
        (
            "GMX",
            "X-UI-Sender-Class:Date:Subject:To:Cc:References:From:In-Reply-To",
            "t=1795507500; x=1796112300; ",
            true,
        ),
        // Never In-Reply-To, whatever program wrote the letter; thirty days.
        (
            "iCloud",
            "From:Content-Type:Mime-Version:Subject:Message-Id:To:Date:x-icloud-hme",
            "t=1795507500; x=1798099500; ",
            false,
        ),
        // In-Reply-To and References.
        (
            "Fastmail",
            "cc:content-transfer-encoding:content-type:date:from:in-reply-to:message-id:mime-version:references:\
             subject:to",
            "t=1795507500; x=1795593900; ",
            true,
        ),
        // In-Reply-To and References, many fields twice; three days.
        (
            "Proton",
            "Date:To:From:Subject:Message-ID:In-Reply-To:References:Feedback-ID:From:To:Cc:Date:Subject:Reply-To:\
             Feedback-ID:Message-ID:BIMI-Selector:List-Unsubscribe:List-Unsubscribe-Post",
            "t=1795507500; x=1795766700; ",
            true,
        ),
    ] {
        let mut asked = Asked::new();
        let text = "--0000000000001b\r\nContent-Type: text/plain; charset=\"UTF-8\"\r\n\r\nroll 2\r\n\r\n\
                    --0000000000001b\r\nContent-Type: text/html; charset=\"UTF-8\"\r\n\r\n<div>roll 2</div>\r\n\r\n\
                    --0000000000001b--\r\n";
        let letter = asked.answer(text).replacen(
            "\r\n\r\n",
            "\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=\"0000000000001b\"\r\n\r\n",
            1,
        );
        let letter = asked.signs(fields, tags, &letter);
        let mut stolen = Asked { house: asked.house.copy(), ..Asked::new() };
        let received = asked.house.receive(&letter);
        assert_eq!(received.outcome, Reception::Played, "{provider}: {:?}", fates(&received));
        assert!(asked.house.log().contains("auth: \"dkim\""), "{provider}");
        let report = asked.house.held();
        assert!(report.is_ok(), "{provider}: {report}");
        assert_eq!(report.verdict(Check::Letters), &CheckResult::Pass, "{provider}");
        // With another In-Reply-To it is either invalid, or names the question only by its subject.
        let text = String::from_utf8(letter).unwrap();
        let reply = text.lines().find(|line| line.starts_with("In-Reply-To")).unwrap();
        let other = text.replace(reply, "In-Reply-To: <99@frodo.example>");
        let key = key_of(domain_of(stolen.player));
        let seen = stolen.house.head();
        let via = stolen.house.claims(other.as_bytes(), &key, seen);
        assert_eq!(via.raw, Some(sha256(other.as_bytes())));
        stolen.says("roll 2", via);
        if signs_reply {
            found(&stolen.house.held(), "header was altered")
        } else {
            assert!(stolen.house.held().is_ok(), "{provider}: {}", stolen.house.held())
        }
    }
}
