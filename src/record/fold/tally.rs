/*! Counts of what a log holds, for the report. */

use crate::entry::body::{Auth, By, Correcting, Kind, Via};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What was counted while a log was folded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub records: u64,
    /// How often another host went on with the game.
    pub hosts: u64,
    /// How often a seat announced other keys.
    pub keys_changed: u64,
    /// How often a seat has changed the address from which it writes.
    pub addresses_changed: u64,
    pub answers: u64,
    /// Throws of dice, draws and shuffles.
    pub throws: u64,
    pub draws: u64,
    pub masks: u64,
    pub openings: u64,
    /// Letters from which nothing was played.
    pub heard: u64,
    pub orders_fired: u64,
    pub corrections: u64,
    pub undone: u64,
    /// Corrections without a motion: notes of the host, deadlines that he moved later, players who took a free seat.
    pub by_host_alone: u64,
    /// Corrections that only seats of the host decided.
    pub by_hosts_seats: u64,
    /// Corrections for which there is only the host's word: those without a motion, and those of motions to which
    /// somebody has agreed without signing that with a key.
    pub corrections_on_word: u64,
    /// Corrections by which a seat changed hands.
    pub handed_over: u64,
    pub motions: u64,
    /// Motions that were voted down or taken back.
    pub motions_gone: u64,
    pub votes: u64,
    pub concessions: u64,
    pub disputes: u64,
    /// Deadlines that passed, and how often seats took more time by themselves or announced an absence.
    pub lapses: u64,
    pub extensions: u64,
    pub absences: u64,
    pub by_deadline: u64,
    /// Answers by deadline that are not among the title's sentences that do least.
    pub by_deadline_on_word: u64,
    pub by_bot: u64,
    pub signed_ssh: u64,
    pub signed_dkim: u64,
    pub confirmed: u64,
    pub by_token: u64,
    pub by_keyboard: u64,
    /// For each type of record of seats: how many there are of each class, or by what else they were made.
    pub made: BTreeMap<&'static str, BTreeMap<&'static str, u64>>,
    /// The seats for which something was typed at the host's machine.
    pub typed: BTreeSet<String>,
}

impl Tally {
    /// Counts an answer.
    pub fn answer(&mut self, via: Option<&Via>) {
        self.answers += 1;
        match via.and_then(|via| via.by) {
            Some(By::Standing) => self.orders_fired += 1,
            Some(By::Deadline) => self.by_deadline += 1,
            Some(By::Bot) => self.by_bot += 1,
            None => {}
        }
        match via.and_then(|via| via.auth) {
            Some(Auth::Ssh) => self.signed_ssh += 1,
            Some(Auth::Dkim) => self.signed_dkim += 1,
            Some(Auth::Confirmed) => self.confirmed += 1,
            Some(Auth::Token) => self.by_token += 1,
            Some(Auth::Keyboard) => self.by_keyboard += 1,
            None => {}
        }
    }

    /// Counts a record of a seat, of whatever type.
    pub fn made_by(&mut self, kind: Kind, seat: &str, via: &Via) {
        let how = via.by.map(By::word).or(via.auth.map(Auth::word)).unwrap_or("nothing");
        *self.made.entry(kind.word()).or_default().entry(how).or_default() += 1;
        if via.auth == Some(Auth::Keyboard) && !self.typed.contains(seat) {
            self.typed.insert(seat.to_string());
        }
    }

    /// How many records of seats, of whatever type, are of a letter that its mail domain is said to have signed. What
    /// was only heard is held against no letter.
    pub fn said_dkim(&self) -> u64 {
        let kinds = self.made.iter().filter(|(kind, _)| **kind != Kind::Heard.word());
        kinds.filter_map(|(_, classes)| classes.get(Auth::Dkim.word())).sum()
    }

    /// How many answers there are of each class of assurance (A5), the best first.
    pub fn classes(&self) -> [(Auth, u64); 5] {
        [
            (Auth::Ssh, self.signed_ssh),
            (Auth::Dkim, self.signed_dkim),
            (Auth::Confirmed, self.confirmed),
            (Auth::Token, self.by_token),
            (Auth::Keyboard, self.by_keyboard),
        ]
    }

    /// Counts a correction; `is_moved` says that a motion carried it, and not the host by himself.
    pub fn correction(&mut self, what: Correcting, is_moved: bool) {
        self.corrections += 1;
        self.undone += u64::from(what == Correcting::Undo);
        self.by_host_alone += u64::from(!is_moved);
    }
}
