/*! A campaign of each title through real servers, from the invitation to the result, kept in a folder and in a
database: Postfix and a server that fails on purpose, Dovecot and pymap, players with swaks, mutt, s-nail and msmtp,
and `serve` killed every few letters; with standing orders, a vacation robot, a bounce, a letter sent twice, and
letters that overtake each other.
*/

use super::{Campaign, Player, Ways, policy};
use crate::amount::{amount, is_long};
use crate::homes::{Home, in_both_homes};
use crate::needs;
use crate::servers::clients::PROGRAMS;
use crate::servers::postfix::Postfix;
use crate::servers::{Dovecot, Pymap, Relay, free_port};

/// With one in this many letters, the power fails only after the letter was played; with all others, it fails as they
/// come. That is faster, too: Dovecot reports a letter half a second late, but a new login sees it at once.
const LETTERS_WATCHED: usize = 4;
/// The power fails with one in this many letters: what a killed worker held in a database is free only when its lease
/// ends. In a folder, where it is free at once, it fails with every letter if there is a night for it.
const LETTERS_PER_FAILURE: usize = 3;
/// A game with more letters does not end.
const LETTERS_MAX: usize = 100;

in_both_homes! {
    risk_through_postfix_and_dovecot,
    war_of_the_ring_through_pymap_and_a_server_that_fails,
}

/// By day each title is played in one home, and each home sees one title; by night each title in each home.
fn is_for_the_night(title: &str, home: Home) -> bool {
    (title == "risk") != (home == Home::Folder) && !is_long()
}

fn all_there() -> bool {
    needs::programs(&PROGRAMS) && needs::programs(&["sievec"]) && needs::python(&["aiosmtpd"])
}

/// Plays the letters of a game to its end, or `most` of them, and kills `serve` before, while and after it plays.
fn play(campaign: &mut Campaign, most: usize) -> usize {
    for count in 0..most {
        let Some((fold, name, letter)) = campaign.next_letter() else { return count };
        let lines = policy::answers(&fold);
        campaign.write(&name, &letter, &format!("{}\n", lines.join("\n")));
        campaign.sent.extend(lines);
        let often = if campaign.kept == Home::Folder { amount(LETTERS_PER_FAILURE, 1) } else { LETTERS_PER_FAILURE };
        let fails = count % often == 0;
        if fails && count % LETTERS_WATCHED != 0 {
            campaign.kill();
            campaign.serve();
        }
        campaign.until_played(fold.head().seq);
        if fails && count % LETTERS_WATCHED == 0 {
            campaign.kill();
            campaign.serve();
        }
    }
    most
}

/// The same letter twice, one that was overtaken, one from a robot: nothing of them is played.
fn disturb(campaign: &mut Campaign) {
    let (fold, name, letter) = campaign.next_letter().unwrap();
    let (seq, start) = (fold.head().seq, campaign.starts);
    let lines = policy::answers(&fold);
    let parsed = mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap();
    let to = parsed.header_raw("Reply-To").unwrap().split_whitespace().collect::<String>();
    let (to, answered) = (to.trim_matches(['<', '>']), parsed.message_id().unwrap());
    let raw = |number: u32, more: &str| {
        format!(
            "From: {name}@shire.example\nTo: {to}\nSubject: Re: {seq}\nIn-Reply-To: <{answered}>\n\
             Date: Fri, 20 Nov 2026 08:00:0{number} +0000\nMessage-ID: <{number}.{seq}@shire.example>\n{more}\n{}\n",
            lines.join("\n")
        )
    };
    campaign.write_raw(&raw(3, "Auto-Submitted: auto-replied\n"));
    // The second letter was written after the first, and arrives before it.
    let (first, second) = (raw(1, ""), raw(2, ""));
    campaign.write_raw(&second);
    campaign.sent.extend(lines.clone());
    campaign.until_played(seq);
    campaign.write_raw(&second);
    campaign.write_raw(&first);
    campaign.until_sent("three of four are told", |campaign| {
        let told = campaign.told_since(start);
        ["written by no person", "was here before", "refused"].iter().all(|words| told.contains(words))
    });
    campaign.until_all_came();
}

/// A letter cannot be delivered: it comes back to its own address (RFC 3464), and is noted. The player asks for the
/// status, and continues.
fn bounce(campaign: &mut Campaign) {
    let (mut fold, name, mut letter) = campaign.next_letter().unwrap();
    let (everybody, start) = (campaign.everybody(), campaign.starts);
    let other = *everybody.iter().find(|other| **other != name).unwrap();
    let old = campaign.dovecot.letters(other).pop().unwrap();
    campaign.dovecot.only(&["box", &name, "host"]);
    // Until it is the turn of the other player, whose mailbox is gone.
    loop {
        let lines = policy::answers(&fold);
        let played = |campaign: &Campaign| campaign.told_since(start).matches(", played").count();
        let before = played(campaign);
        campaign.write(&name, &letter, &lines.join("\n"));
        campaign.sent.extend(lines);
        campaign.until_sent("it is played", |campaign| played(campaign) > before);
        fold = campaign.fold();
        if campaign.asked(&fold).unwrap().name != name {
            break;
        }
        // Looked for once: more of the letter may be played in the meantime.
        let mut next = None;
        campaign.until_sent("the next letter", |campaign| {
            next = campaign.newest(&name);
            next.is_some()
        });
        letter = next.unwrap();
    }
    campaign.until_sent("it comes back", |campaign| campaign.told_since(start).contains("came back: 5.1.1"));
    campaign.dovecot.only(&["box", everybody[0], everybody[1], "host"]);
    campaign.write(other, &old, "status\n");
    campaign.until_sent("the other one is told", |campaign| campaign.newest(other).is_some());
}

/// From the invitation to the result.
fn whole(mut campaign: Campaign) {
    let robot = campaign.everybody()[1];
    campaign.dovecot.on_vacation(robot, "I am in Rivendell until spring.");
    campaign.gather();
    play(&mut campaign, 3);
    disturb(&mut campaign);
    bounce(&mut campaign);
    let count = play(&mut campaign, LETTERS_MAX);
    assert!(count < LETTERS_MAX, "the game does not end");
    let written = &campaign.written;
    assert!(PROGRAMS.iter().all(|program| written.contains_key(program)), "{written:?}");
    campaign.until_all_are_told();
    campaign.stop();
    campaign.check();
}

fn risk_through_postfix_and_dovecot(home: Home) {
    if is_for_the_night("risk", home) || !all_there() {
        return;
    }
    let smtp = free_port();
    let Some(dovecot) = Dovecot::start(&["box", "anna", "bert", "host"], Some(smtp)) else { return };
    let Some(_postfix) = Postfix::start(smtp, dovecot.lmtp, None) else { return };
    let players = vec![Player { seat: "yellow", name: "anna" }, Player { seat: "red", name: "bert" }];
    let ways = Ways { imap: dovecot.imap, smtp, submission: smtp };
    whole(Campaign::new(("risk", 7), home, players, dovecot, &ways));
}

fn war_of_the_ring_through_pymap_and_a_server_that_fails(home: Home) {
    if is_for_the_night("wotr", home) || !all_there() {
        return;
    }
    let smtp = free_port();
    let Some(pymap) = Pymap::start() else { return };
    let Some(dovecot) = Dovecot::start(&["elrond", "khamul", "host"], Some(smtp)) else { return };
    // Letters to the post office go to pymap; its own letters go to Dovecot, through a failing server and Postfix.
    let Some(office) = Relay::into(&pymap) else { return };
    let Some(_postfix) = Postfix::start(smtp, dovecot.lmtp, Some(office.smtp)) else { return };
    let Some(failing) = Relay::before(smtp, 3) else { return };
    let players = vec![Player { seat: "free", name: "elrond" }, Player { seat: "shadow", name: "khamul" }];
    let ways = Ways { imap: pymap.imap, smtp: failing.smtp, submission: office.smtp };
    whole(Campaign::new(("wotr", 8), home, players, dovecot, &ways));
}
