//! The checks at the end: every letter went out and reached its reader, once or identical; the log verifies and has
//! exactly the sentences said; nobody got what was not for him.

use super::{Campaign, Player, policy};
use crate::homes::{names, text};
use engine::seat::Seat;
use mail_parser::{MessageParser, MimeHeaders};
use record::commit::chain::HOST_LINKS;
use record::file::log::read_log;
use record::file::reading::{Followed, read_through};
use record::fold::masks::Masks;
use ringmail::titles;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::ops::ControlFlow;

/// The number of the newest record that a letter of ours knows. It is asked of every letter in a mailbox, again and
/// again, so it reads no further than the line that says it.
pub fn seq(letter: impl BufRead) -> Option<u64> {
    let mut head = letter.lines().map_while(Result::ok).take_while(|line| !line.is_empty());
    head.find_map(|line| line.strip_prefix("X-Ringmail-Seq: ")?.trim().parse().ok())
}

fn field(letter: &str, name: &str) -> Option<String> {
    let parsed = MessageParser::default().parse(letter.as_bytes())?;
    parsed.header_raw(name).map(|value| value.split_whitespace().collect())
}

/// What a mail program shows of a letter, in one line.
pub fn shown(letter: &str) -> String {
    let parsed = MessageParser::default().parse(letter.as_bytes()).unwrap();
    parsed.body_text(0).map_or(String::new(), |text| text.split_whitespace().collect::<Vec<&str>>().join(" "))
}

/// All texts of a letter: the raw letter, every part of it decoded, and the names of the parts.
fn texts(letter: &str) -> Vec<String> {
    let parsed = MessageParser::default().parse(letter.as_bytes()).unwrap();
    let mut texts: Vec<String> =
        parsed.parts.iter().map(|part| String::from_utf8_lossy(part.contents()).into_owned()).collect();
    texts.extend(parsed.attachments().filter_map(|part| part.attachment_name().map(str::to_owned)));
    texts.push(letter.to_owned());
    texts
}

/// What some may know, and others only after it is opened.
struct Secret {
    word: String,
    /// Who may read it at any time.
    of: BTreeSet<String>,
    /// The record that has told everybody.
    opened: u64,
}

impl Campaign {
    pub fn check(&self) {
        let log = self.log();
        let verified = self.does(&["verify", "g7", "--long"]);
        assert!(verified.lines().last().unwrap().starts_with("OK g7 "), "{verified}");
        // The rules have ended the game, and the program closed it by itself.
        assert!(self.fold().outcome().is_some() && !self.fold().is_closed(), "{verified}");
        assert!(log.contains("\ntype: \"end\"\n"));
        assert_eq!(self.said(), self.sent);
        assert!(log.contains("by: \"standing\""), "an order has answered");
        assert_eq!(names(&self.drawer, "outbox"), [""; 0], "{}", self.told());
        let secrets = self.all_secrets(&log);
        for player in &self.players {
            let letters = self.letters_of_ours(player);
            for letter in letters.values() {
                knows_nothing(letter, player, &secrets);
            }
            assert_eq!(self.lost(player), None, "what was sent to {}", player.name);
            let last = letters.values().max_by_key(|letter| seq(letter.as_bytes())).unwrap();
            let last = shown(last);
            assert!(last.contains("The game is over.") && last.contains("it verifies:"), "{last}");
        }
    }

    /// What players have said with their own letters.
    fn said(&self) -> Vec<String> {
        let log = self.log();
        let by_hand = log
            .split("\n...\n")
            .filter(|record| record.contains("\ntype: \"say\"\n") && !record.contains("\n  by: \"standing\"\n"));
        let said = by_hand.filter_map(|record| record.lines().find_map(|line| line.strip_prefix("said: ")));
        said.map(|said| said.trim_matches('"').to_owned()).collect()
    }

    /// The letters that a player got, by their Message-ID. A letter that a crash sent twice is one letter: mail
    /// programs show it once.
    fn letters_of_ours(&self, player: &Player) -> BTreeMap<String, String> {
        let mut letters: BTreeMap<String, String> = BTreeMap::new();
        for letter in self.dovecot.letters(player.name) {
            if field(&letter, "X-Ringmail-Game").is_none() {
                continue;
            }
            let own = |letter: &str| letter[letter.find("\nDate:").unwrap()..].replace("\r\n", "\n");
            let id = field(&letter, "Message-ID").unwrap().trim_matches(['<', '>']).to_owned();
            let first = letters.entry(id).or_insert_with(|| letter.clone());
            assert_eq!(own(first), own(&letter));
        }
        letters
    }

    /// A letter that was sent to a player, and neither reached him nor came back.
    fn lost(&self, player: &Player) -> Option<String> {
        let letters = self.letters_of_ours(player);
        let to = format!("To: <{}@shire.example>", player.name);
        let book = text(&self.drawer, "post.yaml");
        let came_back =
            |id: &str| book.split("\n...\n").any(|event| event.contains("\"event\":\"bounced\"") && event.contains(id));
        let sent = names(&self.drawer, "sent").into_iter();
        let mut sent = sent.filter(|name| text(&self.drawer, &format!("sent/{name}")).contains(&to));
        sent.find(|name| {
            let id = name.trim_end_matches(".eml");
            !letters.contains_key(id) && !came_back(id)
        })
    }

    /// Waits until every sent letter has arrived or come back.
    pub fn until_all_came(&mut self) {
        self.until_sent("all letters have gone out", |campaign| names(&campaign.drawer, "outbox").is_empty());
        self.until("all letters have come", || self.players.iter().all(|player| self.lost(player).is_none()));
    }

    /// Everything that must not be in a letter to the wrong reader.
    fn all_secrets(&self, log: &str) -> Vec<Secret> {
        let told_in = |word: &str| {
            let number = |record: &str| record.lines().find_map(|line| line.strip_prefix("seq: ")?.parse().ok());
            log.split("\n...\n").find(|record| record.contains(word)).and_then(number).unwrap_or(u64::MAX)
        };
        let secret = |word: String, of: &[&str]| {
            let opened = told_in(&word);
            Secret { word, of: of.iter().map(|seat| (*seat).to_owned()).collect(), opened }
        };
        let kept = self.secrets();
        let mut secrets = vec![secret(kept.token_key.to_string(), &[]), secret(kept.root.to_string(), &[])];
        secrets.extend(kept.host_key.map(|key| secret(key.to_string(), &[])));
        let tip = kept.host_chain().link(HOST_LINKS).expect("the tip is the last link");
        secrets.push(secret(tip.to_string(), &[]));
        for player in &self.players {
            secrets.push(secret(format!("{}@shire.example", player.name), &[player.seat]));
            // His own address at the post, to which his letters come back, and his share of the root.
            for letter in self.letters_of_ours(player).values() {
                for name in ["Reply-To", "Return-Path", "X-Ringmail-Share"] {
                    let word = field(letter, name).map(|value| value.trim_matches(['<', '>']).to_owned());
                    secrets.extend(word.map(|word| secret(word, &[player.seat])));
                }
            }
        }
        let title = self.fold().plan().title.id;
        for (_, _, order) in policy::ORDERS.iter().filter(|order| order.0 == title) {
            let left = policy::ORDERS.iter().filter(|other| other.0 == title && other.2 == *order);
            secrets.push(secret((*order).to_owned(), &left.map(|other| other.1).collect::<Vec<&str>>()));
        }
        secrets.extend(self.cards().into_iter().map(|(word, of)| {
            let opened = told_in(&word);
            Secret { word, of, opened }
        }));
        secrets
    }

    /// The cards that have been in a hand: their salts and their names, and in whose hands they were.
    fn cards(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut cards: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let root = self.root();
        let each = |step: &Followed<'_>| {
            let fold = step.fold;
            for index in 0..fold.plan().seats.len() {
                let seat = Seat::at(index);
                for slot in fold.game().hand(seat) {
                    let name = fold.faces().get(slot).map(|card| (fold.plan().title.cards.id)(card).to_string());
                    for word in name.into_iter().chain([Masks::salt(&root, slot).to_string()]) {
                        cards.entry(word).or_default().insert(fold.plan().word(seat).to_owned());
                    }
                }
            }
            ControlFlow::Continue(())
        };
        read_through(read_log(&self.drawer).unwrap(), titles::ALL, Some(root), each).unwrap();
        cards
    }
}

/// Searches every byte that a player gets for other readers' secrets.
fn knows_nothing(letter: &str, player: &Player, secrets: &[Secret]) {
    let seq = seq(letter.as_bytes()).unwrap_or(0);
    let hidden = secrets.iter().filter(|secret| !secret.of.contains(player.seat) && secret.opened > seq);
    let hidden: Vec<&Secret> = hidden.collect();
    for text in texts(letter) {
        for secret in &hidden {
            assert!(!text.contains(&secret.word), "{} is in a letter to {}:\n{text}", secret.word, player.name);
        }
    }
}
