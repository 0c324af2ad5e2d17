/*! A campaign of each title through real servers, from the first letter to the result: Postfix or a server that fails
on purpose, Dovecot, players with swaks, mutt, s-nail and msmtp, and `serve` killed every few letters; with a letter
twice, letters that overtake each other, a bounce, a vacation robot.
*/

#![cfg(unix)]

mod campaign;
mod servers;

use campaign::{Campaign, Player};
use servers::clients::PROGRAMS;
use servers::postfix::Postfix;
use servers::{Dovecot, Relay, is_there};

/// Between two failures of the power.
const LETTERS_BETWEEN: usize = 4;
/// A game that does not end.
const LETTERS_MAX: usize = 400;

fn all_there() -> bool {
    PROGRAMS.iter().all(|program| is_there(program))
}

/// Plays the letters of a game up to its end or so many, killing `serve` in between: before, while and after it plays.
fn play(campaign: &mut Campaign, most: usize) -> usize {
    for count in 0..most {
        let Some((fold, name, letter)) = campaign.next_letter() else { return count };
        let lines = campaign.answers(&fold);
        campaign.write(&name, &letter, &format!("{}\n", lines.join("\n")));
        campaign.sent.extend(lines);
        if count % LETTERS_BETWEEN == 1 {
            campaign.kill();
            campaign.serve();
        }
        campaign.until_played(fold.head().seq);
        if count % LETTERS_BETWEEN == 3 {
            campaign.kill();
            campaign.serve();
        }
    }
    most
}

/// The same letter twice, one that was overtaken, one that a robot wrote: nothing of it plays.
fn disturb(campaign: &mut Campaign) {
    let (fold, name, letter) = campaign.next_letter().unwrap();
    let seq = fold.head().seq;
    let lines = campaign.answers(&fold);
    let head = |name: &str| letter.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
    let raw = |number: u32, more: &str, text: &str| {
        format!(
            "From: {name}@shire.example\nTo: {}\nSubject: Re: {seq}\nIn-Reply-To: <{}>\n\
             Message-ID: <twice.{number}@shire.example>\n{more}\n{text}\n",
            head("Reply-To:").trim_matches(['<', '>']),
            mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap().message_id().unwrap(),
        )
    };
    let to = head("Reply-To:");
    let to = to.trim_matches(['<', '>']);
    campaign.dovecot.deliver(to, &raw(1, "Auto-Submitted: auto-replied\n", &lines.join("\n")));
    campaign.dovecot.deliver(to, &raw(2, "", &lines.join("\n")));
    campaign.sent.extend(lines.clone());
    campaign.until_played(seq);
    campaign.dovecot.deliver(to, &raw(2, "", &lines.join("\n")));
    campaign.dovecot.deliver(to, &raw(3, "", &lines.join("\n")));
    campaign.until("three of four are told", || {
        let told = campaign.told();
        let has = |words: &str| told.contains(words);
        has("written by no person") && has("was here before") && has("refused")
    });
}

#[test]
fn a_campaign_of_risk_through_postfix_and_dovecot() {
    if !all_there() {
        return;
    }
    let Some(dovecot) = Dovecot::start(&["box", "anna", "bert", "host"], None) else { return };
    let Some(postfix) = Postfix::start(dovecot.lmtp) else { return };
    let players = vec![Player { seat: "yellow", name: "anna" }, Player { seat: "red", name: "bert" }];
    let mut campaign = Campaign::new("risk", players, dovecot, postfix.smtp, postfix.smtp);
    campaign.serve();
    play(&mut campaign, 3);
    disturb(&mut campaign);
    bounce(&mut campaign);
    let count = play(&mut campaign, LETTERS_MAX);
    assert!(count < LETTERS_MAX, "the game does not end");
    campaign.until_all_are_sent();
    campaign.stop();
    campaign.check();
}

/// A letter cannot be delivered: it comes back to its own address, and is noted. The player asks where the game stands,
/// and goes on.
fn bounce(campaign: &mut Campaign) {
    let (fold, name, letter) = campaign.next_letter().unwrap();
    let other = if name == "anna" { "bert" } else { "anna" };
    let old = campaign.dovecot.letters(other).pop().unwrap();
    campaign.dovecot.only(&["box", &name, "host"]);
    // Until the turn goes to the other player, whose mailbox is gone.
    let (mut fold, mut letter) = (fold, letter);
    loop {
        let lines = campaign.answers(&fold);
        let played = campaign.told().matches(", played").count();
        campaign.write(&name, &letter, &lines.join("\n"));
        campaign.sent.extend(lines);
        campaign.until("it is played", || campaign.told().matches(", played").count() > played);
        fold = campaign.fold();
        if campaign.asked(&fold).unwrap().name != name {
            break;
        }
        // Looked for once: more of it may be played in the meantime.
        let mut next = None;
        campaign.until("the next letter", || {
            next = campaign.newest(&name);
            next.is_some()
        });
        letter = next.unwrap();
    }
    campaign.until("it comes back", || campaign.told().contains("came back: 5.1.1"));
    campaign.dovecot.only(&["box", "anna", "bert", "host"]);
    campaign.write(other, &old, "status\n");
    campaign.until("the other one is told", || campaign.newest(other).is_some());
}

/// The player who is asked gives up; A6: with the code that the post sends him.
fn concede(campaign: &mut Campaign) {
    let (_, name, letter) = campaign.next_letter().unwrap();
    campaign.write(&name, &letter, "concede\n");
    let mut confirms = None;
    campaign.until("the post asks to confirm", || {
        let letter = campaign.newest(&name).unwrap();
        let text = mail_parser::MessageParser::default().parse(letter.as_bytes()).unwrap();
        let text = text.body_text(0).unwrap().into_owned();
        let line = text.lines().find(|line| line.contains("concede confirm ")).map(|line| line.trim().to_owned());
        confirms = line.map(|line| (letter, line));
        confirms.is_some()
    });
    let (letter, line) = confirms.unwrap();
    campaign.write(&name, &letter, &format!("{line}\n"));
    campaign.until("the game is over", || campaign.fold().outcome().is_some());
}

#[test]
fn a_campaign_of_war_of_the_ring_through_a_server_that_fails() {
    if !all_there() || !is_there("python3") {
        return;
    }
    let Some(dovecot) = Dovecot::start(&["box", "elrond", "khamul", "host"], None) else { return };
    let (failing, relay) = (Relay::start(dovecot.lmtp, 3), Relay::start(dovecot.lmtp, 0));
    let players = vec![Player { seat: "free", name: "elrond" }, Player { seat: "shadow", name: "khamul" }];
    let mut campaign = Campaign::new("wotr", players, dovecot, failing.smtp, relay.smtp);
    campaign.serve();
    play(&mut campaign, 2);
    disturb(&mut campaign);
    play(&mut campaign, 10);
    concede(&mut campaign);
    campaign.until_all_are_sent();
    campaign.stop();
    campaign.check();
}
