/*! What each type of record says, key by key, in the order of the log (log 5.1 to 5.18).

These declarations are the schema. Inside format 2 it may only grow, by optional keys that mean "as before" when absent.
*/

pub use super::receipts::OwnChain;
use super::receipts::{LineShown, LinesOpened};
pub use super::via::{Signed, Via};
use crate::canon::mapping;
use crate::canon::values::words;
use ground::hash::{GameId, Hash};
use ground::stamp::Stamp;
use std::borrow::Cow;

/// A text of the log.
pub type Text<'a> = Cow<'a, str>;

words! {
    /// The type of a record.
    pub enum Kind {
        Genesis = "genesis",
        Join = "join",
        Start = "start",
        Say = "say",
        Heard = "heard",
        Deck = "deck",
        Receipt = "receipt",
        Round = "round",
        Stopped = "stopped",
        Dns = "dns",
        Keys = "keys",
        Address = "address",
        Host = "host",
        Consent = "consent",
        Correction = "correction",
        Motion = "motion",
        Vote = "vote",
        Concede = "concede",
        Dispute = "dispute",
        Clock = "clock",
        Reveal = "reveal",
        End = "end",
    }

    /// What gave an answer, if its seat did not give it directly.
    pub enum By {
        /// An order or a line that the seat had left answered.
        Standing = "standing",
        /// The time to answer had passed.
        Deadline = "deadline",
        /// A program plays the seat.
        Bot = "bot",
    }

    /// What ties an act to its seat; the stronger class is the greater (log 10.1).
    pub enum Auth {
        /// It was typed at the host's machine.
        Keyboard = "keyboard",
        /// It came to the secret address of its seat.
        Token = "token",
        /// Its seat has sent back a line that was mailed to its registered address.
        Confirmed = "confirmed",
        /// The mail domain of its seat signed the letter.
        Dkim = "dkim",
        /// Its seat signed the words.
        Ssh = "ssh",
    }

    /// What the dice follow from besides the host's chain.
    pub enum Mode {
        /// Nothing more than what the seats added when they joined.
        Chain = "chain",
        /// Rounds of a public beacon; each act is fixed by a receipt before its round.
        Beacon = "beacon",
    }

    /// Who keeps the shares of the dealer's root.
    pub enum Escrow {
        /// Each seat that the host does not play.
        Seats = "seats",
    }

    /// Who plays a seat that no person plays.
    pub enum Played {
        /// The host's program at its usual level.
        Program = "program",
        /// The same, for beginners.
        Easy = "easy",
        /// The same, thinking as long as it may.
        Strong = "strong",
    }

    /// How a game comes to another host.
    pub enum Hosting {
        /// The old host hands it over.
        Handover = "handover",
        /// The old host has vanished.
        Adoption = "adoption",
    }

    /// What a correction does.
    pub enum Correcting {
        /// A ruling or a remark for the record; the table stays as it is.
        Ruling = "ruling",
        /// The table is put back to what it was after an earlier record.
        Undo = "undo",
        /// The deadline is moved.
        Deadline = "deadline",
        /// Another player takes the seat, or it becomes free.
        Seat = "seat",
        /// The clock stops.
        Pause = "pause",
        /// The clock runs again.
        Resume = "resume",
        /// The game ends without a winner.
        Draw = "draw",
        /// From here on another edition of the rules applies.
        Rules = "rules",
        /// A seat signs with another key from here on.
        Key = "key",
    }

    /// What a seat says to a motion.
    pub enum Ballot {
        Yes = "yes",
        No = "no",
    }

    /// Who must agree to a motion.
    pub enum Votes {
        /// Every seat that has a say.
        All = "all",
        /// More than half of them.
        Majority = "majority",
    }

    /// Who may ask for a place at the table without having been invited.
    pub enum Welcome {
        /// Strangers who want to watch.
        Watchers = "watchers",
        /// Strangers who want to watch, or to play while a seat is open.
        Players = "players",
    }

    /// Which letters the players may send one another through the post.
    pub enum Press {
        /// None.
        None = "none",
        /// Letters that name their sender.
        Open = "open",
        /// Letters that name their sender or not, as he chooses.
        Anonymous = "anonymous",
    }
}

words! {
    /// A day of the week.
    pub enum Weekday {
        Monday = "mon",
        Tuesday = "tue",
        Wednesday = "wed",
        Thursday = "thu",
        Friday = "fri",
        Saturday = "sat",
        Sunday = "sun",
    }

    /// What happens when a seat has not answered in time.
    pub enum Silence {
        /// Everybody is told, and the game keeps waiting.
        Wait = "wait",
        /// The seat gets the answer that does least.
        Default = "default",
        /// A program plays the seat until its player is back.
        Bot = "bot",
        /// The seat is free for another player.
        Replacement = "replacement",
        /// The seat gives the game up.
        Forfeit = "forfeit",
    }

    /// What changes a seat's time to answer.
    pub enum ClockChange {
        /// A seat is away: these days do not count for it.
        Absent = "absent",
        /// The seat is back: its absences are over, and no program plays for it any more.
        Back = "back",
        /// A seat takes more time for its question.
        Extended = "extended",
        /// A seat has not answered in time.
        Lapsed = "lapsed",
        /// No letter reaches a seat: its time does not pass.
        Unreachable = "unreachable",
        /// Letters reach it again.
        Reachable = "reachable",
        /// The seat's clock changes to another time zone.
        Zone = "zone",
    }
}

mapping! {
    /// The first record: what the game is played by.
    pub struct Genesis<'a> {
        pub format: u32,
        pub game: GameId,
        /// What the players call the game: `g7`.
        pub name: Text<'a>,
        /// The kind of game: `risk`.
        pub title: Text<'a>,
        /// The edition of the rules: `risk-lotr-trilogy/1`.
        pub rules: Text<'a>,
        /// The program that wrote it; informative, never verified.
        pub engine: Option<Text<'a>>,
        pub options: Vec<Chosen<'a>>,
        pub seats: Vec<Seating<'a>>,
        pub dice: DicePlan<'a>,
        /// The decks as they lie face down at the start.
        pub decks: Vec<Deck<'a>>,
        /// The commitment to the dealer's root, from which every deck is masked.
        pub root: Hash,
        pub host_key: Option<Text<'a>>,
        pub min_auth: Option<Auth>,
        /// Whether shares of the root are given out at the start.
        pub escrow: Option<Escrow>,
        /// Who must agree to a motion; every seat if left out.
        pub votes: Option<Votes>,
        /// Which letters the players may send one another; default: only letters that name their sender.
        pub press: Option<Press>,
        /// Who may ask for a place without having been invited; nobody if left out.
        pub welcome: Option<Welcome>,
        /// How much time the seats have; if absent, the game waits without limit.
        pub schedule: Option<RecordedSchedule<'a>>,
    }

    /// How much time the seats have to answer, and what happens when that time is over.
    pub struct RecordedSchedule<'a> {
        /// The time to answer: `3d`.
        pub answer: Text<'a>,
        /// Days of the week that do not count.
        pub days_off: Vec<Weekday>,
        /// Days that do not count: `2026-12-24..2026-12-26`.
        pub holidays: Vec<Text<'a>>,
        /// Hours at which nothing falls due: `22:00-08:00`.
        pub quiet: Option<Text<'a>>,
        /// The extra wait after the time to answer, before anything happens.
        pub grace: Option<Text<'a>>,
        /// How long before its deadline a seat is reminded.
        pub remind: Vec<Text<'a>>,
        pub silence: Vec<SilenceStep>,
        /// How often a seat may extend its own time, and by how much.
        pub extensions: Option<u32>,
        pub extension: Option<Text<'a>>,
        /// The time zone of the seats that name none.
        pub zone: Option<Text<'a>>,
    }

    /// What happens when a seat has missed at least this number of deadlines in a row.
    pub struct SilenceStep {
        pub misses: u32,
        pub then: Silence,
    }

    /// One option of the title and what was chosen.
    pub struct Chosen<'a> {
        pub name: Text<'a>,
        pub value: Text<'a>,
    }

    /// Who sits where. Seats are numbered from 1 in the order of the list; 0 is the host.
    pub struct Seating<'a> {
        pub seat: Text<'a>,
        pub player: Text<'a>,
        /// Whether the host plays this seat, or a program of his.
        pub host: bool,
        /// Who plays it, if no person does.
        pub played: Option<Played>,
        /// The player's time zone: `Europe/Berlin`.
        pub zone: Option<Text<'a>>,
    }

    /// How dice are committed.
    pub struct DicePlan<'a> {
        pub mode: Mode,
        /// The anchor of the host's chain.
        pub anchor: Hash,
        /// In mode `beacon`: the hash of the beacon's chain.
        pub chain: Option<Hash>,
        /// The description of that chain, if it is not quicknet.
        pub own: Option<OwnChain<'a>>,
    }

    /// A seat takes its place.
    pub struct Join<'a> {
        /// Any words of the player's.
        pub phrase: Option<Text<'a>>,
        pub keys: Vec<Text<'a>>,
        /// The player, if he was not known when the game was made.
        pub player: Option<Text<'a>>,
        /// The commitment to the address from which its player writes.
        pub address: Option<Hash>,
    }

    /// The game starts; from here on nobody can choose anything that enters a seed.
    pub struct Start<'a> {
        /// Everything that was fixed before the start, in one hash (log 7.2).
        pub setup: Hash,
        /// The commitments to the shares of the root.
        pub escrow: Vec<Escrowed<'a>>,
    }

    /// The commitment to the share of a seat.
    pub struct Escrowed<'a> {
        pub seat: Text<'a>,
        pub digest: Hash,
    }

    /// A seat answers a question.
    pub struct Say<'a> {
        pub said: Text<'a>,
        /// The lines of a receipt that this answer plays; only in mode `beacon`.
        pub line: Option<LinesOpened<'a>>,
    }

    /// A deck is laid face down: one commitment for each position.
    pub struct Deck<'a> {
        pub deck: Text<'a>,
        pub epoch: u32,
        /// The number of the seat that masked it; 0 is the host.
        pub masker: u8,
        pub n: u32,
        pub cards: Vec<Hash>,
        /// The commitment to the whole deck (log 8.5). The key is not `digest`, which closes the record.
        pub commitment: Hash,
    }

    /// A seat announces new keys; the old ones sign nothing more.
    pub struct Keys<'a> {
        pub keys: Vec<Text<'a>>,
    }

    /// A seat writes from another address from here on.
    pub struct Address {
        /// The commitment to it.
        pub address: Hash,
    }

    /// Another host goes on with the game.
    pub struct Host<'a> {
        pub what: Hosting,
        /// The key of his checkpoints.
        pub host_key: Option<Text<'a>>,
        /// In an adoption: the anchor of his chain, used once all have consented.
        pub anchor: Option<Hash>,
        /// The seats he plays.
        pub plays: Vec<Text<'a>>,
        pub text: Text<'a>,
        pub consents: Vec<Consent<'a>>,
        /// In a handover: the signature of the old host.
        pub sig: Option<Text<'a>>,
    }

    /// A seat consents to a new host.
    pub struct ConsentGiven<'a> {
        /// The record of the new host.
        pub to: u64,
        /// Any words of the player's; they enter the dice.
        pub phrase: Option<Text<'a>>,
    }

    /// The key of a domain with which letters are checked, as the DNS gave it that day.
    // log 10.7: the hash dates name and text as well as they would themselves. A private domain would identify its
    // player, so the log does not name it; the host shows both with the letter.
    pub struct Dns {
        /// SHA-256 of the name, a line feed, the text and a line feed.
        pub key: Hash,
    }

    /// Something the table agreed on outside the rules.
    pub struct Correction<'a> {
        pub what: Correcting,
        /// The record to which an undo goes back.
        pub to: Option<u64>,
        pub text: Text<'a>,
        pub consents: Vec<Consent<'a>>,
        /// The record of the motion that was carried.
        pub motion: Option<u64>,
        /// The seat that is handed over, becomes free, or gets another key; and who takes it.
        pub of: Option<Text<'a>>,
        pub player: Option<Text<'a>>,
        /// The key with which the seat signs from here on; if absent, it has no key.
        pub key: Option<Text<'a>>,
        /// The edition of the rules that applies from here on.
        pub rules: Option<Text<'a>>,
        /// The new deadline of the open question.
        pub until: Option<Stamp>,
        /// The commitment to the address of the player who takes the seat.
        pub address: Option<Hash>,
    }

    /// A change of a seat's time to answer.
    pub struct Clock<'a> {
        pub what: ClockChange,
        /// The record after which the question concerned was asked.
        pub asked: Option<u64>,
        /// The deadline that has passed.
        pub due: Option<Stamp>,
        /// How many deadlines in a row the seat has now missed.
        pub misses: Option<u32>,
        /// What happens because of it.
        pub then: Option<Silence>,
        /// The new deadline of the question.
        pub until: Option<Stamp>,
        /// The first and the last day of an absence: `2026-12-24`.
        pub from: Option<Text<'a>>,
        pub to: Option<Text<'a>>,
        pub zone: Option<Text<'a>>,
        /// The seat, if the host writes about one.
        pub whom: Option<Text<'a>>,
        pub text: Option<Text<'a>>,
    }

    /// A seat agrees to a correction.
    pub struct Consent<'a> {
        pub seat: Text<'a>,
        /// SHA-256 of the letter that agrees.
        pub raw: Option<Hash>,
    }

    /// A seat proposes a correction.
    pub struct Motion<'a> {
        pub what: Correcting,
        /// The record to which an undo is to go back.
        pub to: Option<u64>,
        /// The seat that is to become free, or to get another key.
        pub of: Option<Text<'a>>,
        /// The key with which it is to sign; if absent, it is to have no key.
        pub key: Option<Text<'a>>,
        /// The edition of the rules that is to apply.
        pub rules: Option<Text<'a>>,
        pub text: Text<'a>,
        /// The new deadline of the open question.
        pub until: Option<Stamp>,
    }

    /// A seat votes on a motion. The proposer withdraws it with a no.
    pub struct Vote {
        /// The record of the motion.
        pub motion: u64,
        pub says: Ballot,
    }

    /// A seat gives the game up.
    pub struct Concede<'a> {
        pub text: Option<Text<'a>>,
    }

    /// A seat objects to an entry. The only effect: everybody knows.
    pub struct Dispute<'a> {
        /// The entry.
        pub about: u64,
        pub text: Text<'a>,
    }

    /// The secrets are published.
    pub struct Reveal<'a> {
        pub root: Hash,
        /// How the order books changed, the first change first.
        pub orders: Vec<BookChanged<'a>>,
        /// The lines at which receipts stopped, in the order of the log.
        pub lines: Vec<LineShown<'a>>,
    }

    /// A seat left a standing order, or took one back.
    pub struct BookChanged<'a> {
        /// The first record of the seat that commits to the book as it is after the change.
        pub seq: u64,
        pub seat: Text<'a>,
        pub order: Option<Text<'a>>,
        /// The number of the order that was taken back.
        pub cancel: Option<u32>,
        /// What the seat had seen when it signed the order, and what it signed.
        pub seen: Option<u64>,
        pub signed: Option<Signed>,
    }

    /// The game is over.
    pub struct End<'a> {
        pub result: Text<'a>,
        /// SHA-256 of all facts at the end.
        pub digest: Hash,
        /// SHA-256 of this record up to this line: no record follows whose `prev` could hold it.
        pub closing: Hash,
    }

    /// What followed from a record that is played.
    pub struct Consequence<'a> {
        pub open: Vec<Opening<'a>>,
        pub roll: Option<Roll<'a>>,
        /// The facts that this record changed, one text each.
        pub changed: Vec<Text<'a>>,
    }

    /// A face-down card is shown.
    pub struct Opening<'a> {
        pub deck: Text<'a>,
        /// How often the deck had been laid down before; absent for 0.
        pub epoch: Option<u32>,
        pub pos: u32,
        pub card: Text<'a>,
        pub salt: Hash,
    }

    /// The chance of one record: what was thrown, and the host's link of the last throw, from which the earlier links
    /// follow.
    pub struct Roll<'a> {
        pub link: Hash,
        pub dice: Vec<Dice<'a>>,
        pub draws: Vec<Draw<'a>>,
        pub shuffles: Vec<Shuffle<'a>>,
    }

    /// One throw of like dice.
    pub struct Dice<'a> {
        /// The number of the throw in the game, from 1, over dice, draws and shuffles together.
        pub throw: u32,
        pub label: Text<'a>,
        pub sides: u32,
        pub faces: Vec<u32>,
    }

    /// One position drawn among those that are left.
    pub struct Draw<'a> {
        pub throw: u32,
        pub deck: Text<'a>,
        pub left: Vec<u32>,
        pub pos: u32,
    }

    /// One random order of `count` things.
    pub struct Shuffle<'a> {
        pub throw: u32,
        pub label: Text<'a>,
        pub count: u32,
        pub order: Vec<u32>,
    }
}
