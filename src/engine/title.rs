/*! A title is data: what it is called, who plays it, its cards, its texts, and how a game of it begins.

[`Title`] is a kind of game, [`Game`] one game being played, [`Bot`] what plays a seat of any game of a title. What a
title does not have is `NONE` in its groups: [`Teams`], [`Cards`], [`Texts`], [`Orders`].
*/

use crate::bot::Level;
use crate::chance::{Chance, Practice};
use crate::chart::Chart;
use crate::game::Game;
use crate::glossary::Gloss;
use crate::menu::Said;
use crate::name::Name;
use crate::order::guard::Touch;
use crate::seat::Seat;
use crate::slot::{Card, Deck, Faces};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use thiserror::Error;

/// A kind of game.
pub struct Title {
    /// Its id in charters and templates: `risk`.
    pub id: &'static str,
    /// Its printed name.
    pub name: &'static str,
    /// Every edition of its rules that can be played and verified, newest first.
    pub editions: &'static [&'static str],
    /// The usual names of the seats in their usual order, for each number of players.
    pub seats: &'static [&'static [&'static str]],
    /// Every switch.
    pub switches: &'static [Switch],
    /// Every kind of question that it asks.
    pub questions: &'static [Asked],
    pub teams: Teams,
    pub cards: Cards,
    pub texts: Texts,
    pub orders: Orders,
    /// A new game, run up to its first need.
    pub begin: fn(&Setup) -> Result<Box<dyn Game>, Unplayable>,
    /// What plays the seats of its games.
    pub bot: &'static dyn Bot,
}

/// Who plays together.
pub struct Teams {
    /// The sides: seats that win or lose together.
    pub sides: fn(&Setup) -> Vec<Vec<Seat>>,
    /// What the options of a set-up mean beyond the help of their switches, a sentence each, e.g. who plays together.
    pub remarks: fn(&Setup) -> Vec<String>,
}

impl Teams {
    /// Every seat is a side of its own.
    pub const NONE: Teams = Teams { sides: each_alone, remarks: |_| Vec::new() };
}

/// Each seat as a side of its own.
pub fn each_alone(setup: &Setup) -> Vec<Vec<Seat>> {
    (0..setup.seats.len()).map(|seat| vec![Seat::at(seat)]).collect()
}

/// Face-down cards.
pub struct Cards {
    /// The decks before the first masks are laid, by deck number.
    pub decks: fn(&Setup) -> Vec<PrintedDeck>,
    /// The id of a card, as openings in the log name it.
    pub id: fn(Card) -> &'static str,
    /// The card with this id.
    pub of_id: fn(&str) -> Option<Card>,
}

impl Cards {
    /// Nothing lies face down.
    pub const NONE: Cards =
        Cards { decks: |_| Vec::new(), id: |_| unreachable!("the title has no cards"), of_id: |_| None };
}

/// What is written of a title, and the words of its sentences.
pub struct Texts {
    /// Everything with a text, the cards in their printed order.
    pub glossary: fn() -> &'static [Gloss],
    /// The rulebook, in reading order. It has every paragraph that the code of the title cites.
    pub rulebook: &'static [Document],
    /// The openers of its sentences, one a line: with `…` at the end if more words follow, otherwise a whole
    /// sentence. `#` begins a comment.
    pub openers: &'static str,
    /// The names of all things that a sentence can name.
    pub names: fn() -> Vec<&'static Name>,
    /// Where its places lie and how they touch; `None` for a title without a map.
    pub chart: fn() -> Option<&'static Chart>,
}

impl Texts {
    pub const NONE: Texts = Texts { glossary: || &[], rulebook: &[], openers: "", names: Vec::new, chart: || None };
}

/// What is said for a seat that does not answer, and what standing orders and lines written ahead need.
pub struct Orders {
    /// The sentences that do as little as possible, the least first. If a seat does not answer in time, the first of
    /// them that its question allows is said for it. `verify` checks this in logs, so they must not change for an
    /// edition that is played.
    pub least: &'static [&'static str],
    /// The sentences by which a seat does nothing; a standing order could have said them for it.
    pub idle: &'static [&'static str],
    /// The questions of a seat's own turn, which it brings about itself: sentences are written ahead for these. All
    /// other questions come in between.
    pub own_turn: &'static [&'static str],
    /// The changed fact that opens a turn for everybody, e.g. when the dice have fallen: its key, and the last word
    /// of its value. Then every seat may write its whole turn. `None` if each turn belongs to one seat.
    pub turn_opens: Option<(&'static str, &'static str)>,
    /// What a changed fact, its key and its value, means for lines that were written ahead.
    pub touch: for<'v> fn(&str, &'v str) -> Touch<'v>,
    /// The facts that a sentence depends on besides its places; `None` if there are none.
    pub depends: fn(&str) -> Option<&'static [&'static str]>,
    /// The question that a sentence written ahead is meant for, if its words would fit other questions too.
    pub meant_for: fn(&str) -> Option<&'static str>,
    /// Whether lines ahead may continue after a battle of their own seat: a second battle can be written behind the
    /// first.
    pub fights_on: bool,
    /// Example answers with a preference, each with its question, that show what preferences are possible.
    pub policies: &'static [(&'static str, &'static str)],
    /// Example sentences with clauses.
    pub clause_examples: &'static [&'static str],
    /// What conditions may name, as players write it.
    pub fact_words: fn() -> Vec<&'static str>,
    /// The numbers on which the answer to a question usually depends, as a condition names them, the best first.
    pub telling_facts: fn(&str) -> &'static [&'static str],
    /// The standing answer that a seat which has just said the second to the first, a question, would give the next
    /// time, whatever is possible then; `None` if the answer depends on the moment.
    pub said_again: fn(&str, &str) -> Option<String>,
}

impl Orders {
    pub const NONE: Orders = Orders {
        least: &["pass", "done", "no"],
        idle: &["pass"],
        own_turn: &[],
        turn_opens: None,
        touch: |_, _| Touch::Nothing,
        depends: |_| None,
        meant_for: |_| None,
        fights_on: false,
        policies: &[],
        clause_examples: &[],
        fact_words: Vec::new,
        telling_facts: |_| &[],
        said_again: |_, _| None,
    };
}

impl Title {
    /// The usual names of the seats for this number of players, in their usual order.
    pub fn seats(&self, players: usize) -> Result<Vec<&'static str>, Unplayable> {
        let seats = self.seats.iter().find(|seats| seats.len() == players);
        let numbers = || self.seats.iter().map(|seats| seats.len().to_string()).collect::<Vec<_>>().join(" or ");
        let unplayable = || Unplayable(format!("{} is played by {}, not by {players}", self.name, numbers()));
        seats.map(|seats| seats.to_vec()).ok_or_else(unplayable)
    }

    /// Whether a standing order for `named` answers the question `id`: `named` is the question's id or its group.
    pub fn answers(&self, named: &str, id: &str) -> bool {
        named == id || self.questions.iter().any(|asked| asked.id == id && asked.group == named)
    }

    /// The name of a deck.
    pub fn deck_name(&self, setup: &Setup, deck: Deck) -> &'static str {
        (self.cards.decks)(setup)[usize::from(deck.0)].name
    }
}

impl fmt::Debug for Title {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.id)
    }
}

impl PartialEq for Title {
    fn eq(&self, other: &Title) -> bool {
        self.id == other.id
    }
}

/// As templates name it: its id.
impl Serialize for Title {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

/// What a game is set up from: all of it public, and fixed by the charter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The edition of the rules, one of the title's.
    pub edition: String,
    /// The seats in their order, by name.
    pub seats: Vec<String>,
    /// Switches that differ from their defaults, by name.
    pub options: Vec<(String, String)>,
}

/// A switch of a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    pub name: &'static str,
    /// The values it can have, the default first.
    pub values: &'static [&'static str],
    /// What it changes, in a sentence.
    pub help: &'static str,
}

/// A kind of question, as standing orders name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    pub id: &'static str,
    /// A word that names several kinds at once; empty if there is none.
    pub group: &'static str,
    /// What is asked, in a sentence.
    pub help: &'static str,
}

/// A deck as printed: its name, and its cards in the order of the data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedDeck {
    pub name: &'static str,
    pub cards: Vec<Card>,
}

/// A part of a title's rulebook: numbered paragraphs in Markdown, embedded in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    /// The word for it: `rules`, `cards`.
    pub id: &'static str,
    pub markdown: &'static str,
}

/// Why a game cannot be set up: a sentence that says what would have been right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unplayable(pub String);

/// What plays a seat of any game of a title. A game knows nothing of it.
///
/// # Panics
/// If the game is of another title.
pub trait Bot: Sync {
    /// Plays the sentence of a program of this level. `faces` must be what the asked seat knows.
    ///
    /// # Panics
    /// As [`Game::say_anything`].
    fn say(&self, game: &mut dyn Game, level: Level, chance: &mut dyn Chance, faces: &Faces) -> Said;
    /// The sentence of a program of this level for the asked seat, which knows only its own cards of `faces`. The
    /// same game, seed and knowledge give the same sentence; the game is not changed.
    ///
    /// # Panics
    /// If another seat is asked, and as [`Game::say_anything`].
    fn answer(&self, game: &dyn Game, seat: Seat, faces: &Faces, level: Level, seed: u64) -> String {
        let known = faces.of(&game.seen(seat));
        self.say(game.copy().as_mut(), level, &mut Practice::new(seed), &known).sentence
    }
    /// Possible faces of all face-down cards for a reader who knows these: the others dealt again at random.
    fn believe(&self, game: &dyn Game, faces: &Faces, chance: &mut dyn Chance) -> Faces;
    /// What a program hopes to gain by a sentence said to the open question, judged by these faces.
    fn thought(&self, game: &dyn Game, sentence: &str, faces: &Faces) -> Option<String>;
}

/// The titles that a program can play. It hands them to everything that follows a log.
#[derive(Clone, Copy, Debug)]
pub struct Titles(pub fn() -> &'static [&'static Title]);

impl Titles {
    pub fn all(self) -> &'static [&'static Title] {
        (self.0)()
    }

    /// The title with this id.
    pub fn by_id(self, id: &str) -> Option<&'static Title> {
        self.all().iter().copied().find(|title| title.id == id)
    }
}

/// What is worked out of titles once, when it is first wanted, and kept as long as the program runs.
pub struct Kept<T: 'static>(Mutex<BTreeMap<Vec<&'static str>, &'static T>>);

impl<T> Kept<T> {
    /// Nothing is worked out yet.
    pub const fn new() -> Kept<T> {
        Kept(Mutex::new(BTreeMap::new()))
    }

    /// The value for these titles together; `make` works it out.
    pub fn of(&self, titles: &[&'static Title], make: impl FnOnce() -> T) -> &'static T {
        let ids = titles.iter().map(|title| title.id).collect();
        let mut kept = self.0.lock().expect("no thread stops while it works out a value");
        kept.entry(ids).or_insert_with(|| Box::leak(Box::new(make())))
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept::new()
    }
}
