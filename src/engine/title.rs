/*! How the other rooms reach a title: three small object-safe traits that take and return text and plain values.

[`Title`] is a kind of game, [`Game`] one game being played, [`Bot`] what plays a seat of any game of a title. Inside, a
title is fully typed; every [`Rules`] makes a [`Game`] of its [`Play`] here, once for all titles, and a [`Bot`] in
[`thinker`](crate::bot::thinker).
*/

use crate::bot::Level;
use crate::chance::{Chance, Practice};
use crate::chart::Chart;
use crate::facts::{Facts, Sheet};
use crate::glossary::Gloss;
use crate::menu::tree::Tree;
use crate::menu::{Menu, Offer, Said, Stop};
use crate::name::Name;
use crate::need::{Answer, Misfit, Need, Question};
use crate::order::condition;
use crate::order::fact::Matter;
use crate::order::form::Chain;
use crate::order::guard::Touch;
use crate::order::line::{Clauses, alternatives};
use crate::outcome::Outcome;
use crate::play::{Play, Rules};
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::slot::{Card, Deck, Faces, Slot};
use crate::watch::{Watch, Watching};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use thiserror::Error;

/// The most runs of the menu function to grow its tree.
const RUNS_MAX: usize = 50_000;

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

/// The titles that a program can play. It hands them to everything that follows a log.
#[derive(Clone, Copy, Debug)]
pub struct Titles(pub &'static [&'static dyn Title]);

impl Titles {
    /// The title with this id.
    pub fn by_id(self, id: &str) -> Option<&'static dyn Title> {
        self.0.iter().copied().find(|title| title.id() == id)
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
    pub fn of(&self, titles: &[&'static dyn Title], make: impl FnOnce() -> T) -> &'static T {
        let ids = titles.iter().map(|title| title.id()).collect();
        let mut kept = self.0.lock().expect("no thread stops while it works out a value");
        kept.entry(ids).or_insert_with(|| Box::leak(Box::new(make())))
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept::new()
    }
}

/// Why a game cannot be set up: a sentence that says what would have been right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unplayable(pub String);

/// A sentence read against the open menu: what it says, and the steps that follow from it.
#[derive(Debug)]
pub struct Understood {
    pub said: Said,
    /// The steps of the title.
    steps: Box<dyn Any + Send>,
    /// The number of the sentence in its line, from 0.
    pub place: usize,
}

/// A kind of game.
pub trait Title: Sync {
    /// Its id in charters and templates: `risk`.
    fn id(&self) -> &'static str;
    /// Its printed name.
    fn name(&self) -> &'static str;
    /// Every edition of its rules that can be played and verified, newest first.
    fn editions(&self) -> &'static [&'static str];
    /// Every switch.
    fn switches(&self) -> &'static [Switch];
    /// Every kind of question that it asks.
    fn questions(&self) -> &'static [Asked];
    /// The usual names of the seats for this number of players, in their usual order.
    fn seats(&self, players: usize) -> Result<Vec<&'static str>, Unplayable>;
    /// The decks before the first masks are laid, by deck number.
    fn decks(&self, setup: &Setup) -> Vec<PrintedDeck>;
    /// The id of a card, as openings in the log name it.
    fn card_id(&self, card: Card) -> &'static str;
    /// The card with this id.
    fn card(&self, id: &str) -> Option<Card>;
    /// Everything with a text, the cards in their printed order.
    fn glossary(&self) -> &'static [Gloss] {
        &[]
    }
    /// The rulebook, in reading order. It has every paragraph that the code of the title cites.
    fn rulebook(&self) -> &'static [Document] {
        &[]
    }
    /// Where its places lie and how they touch; `None` for a title without a map.
    fn chart(&self) -> Option<&'static Chart> {
        None
    }
    /// A new game, run up to its first need. The name of a deck is `decks()[deck].name`.
    fn begin(&self, setup: &Setup) -> Result<Box<dyn Game>, Unplayable>;
    /// What plays the seats of its games.
    fn bot(&self) -> &'static dyn Bot;

    /// The sentences that do as little as possible, the least first. If a seat does not answer in time, the first of
    /// them that its question allows is said for it. `verify` checks this in logs, so they must not change for an
    /// edition that is played.
    fn least(&self) -> &'static [&'static str] {
        &["pass", "done", "no"]
    }

    /// The openers of its sentences, one a line: with `…` at the end if more words follow, otherwise a whole
    /// sentence. `#` begins a comment.
    fn openers(&self) -> &'static str {
        ""
    }

    /// The names of all things that a sentence can name.
    fn names(&self) -> Vec<&'static Name> {
        Vec::new()
    }

    /// The sentences by which a seat does nothing; a standing order could have said them for it.
    fn idle(&self) -> &'static [&'static str] {
        &["pass"]
    }

    /// The numbers on which the answer to a question usually depends, as a condition names them, the best first.
    fn telling_facts(&self, _question: &str) -> &'static [&'static str] {
        &[]
    }

    /// The standing answer that a seat which has just said `said` would give the next time, whatever is possible
    /// then; `None` if the answer depends on the moment.
    fn said_again(&self, _question: &str, _said: &str) -> Option<String> {
        None
    }

    /// The questions of a seat's own turn, which it brings about itself: sentences are written ahead for these. All
    /// other questions come in between.
    fn own_turn(&self) -> &'static [&'static str] {
        &[]
    }

    /// Example answers with a preference, each with its question, that show what preferences are possible.
    fn policies(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Example sentences with clauses.
    fn clause_examples(&self) -> &'static [&'static str] {
        &[]
    }

    /// What conditions may name, as players write it.
    fn fact_words(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The changed fact that opens a turn for everybody, e.g. when the dice have fallen: its key, and the last word
    /// of its value. Then every seat may write its whole turn. `None` if each turn belongs to one seat.
    fn turn_opens(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// What a changed fact means for lines that were written ahead.
    fn touch<'v>(&self, _key: &str, _value: &'v str) -> Touch<'v> {
        Touch::Nothing
    }

    /// The facts that a sentence depends on besides its places; `None` if there are none.
    fn depends(&self, _sentence: &str) -> Option<&'static [&'static str]> {
        None
    }

    /// Whether lines ahead may continue after a battle of their own seat: a second battle can be written behind the
    /// first.
    fn fights_on(&self) -> bool {
        false
    }

    /// The question that a sentence written ahead is meant for, if its words would fit other questions too.
    fn meant_for(&self, _sentence: &str) -> Option<&'static str> {
        None
    }

    /// Whether a standing order for `named` answers the question `id`: `named` is the question's id or its group.
    fn answers(&self, named: &str, id: &str) -> bool {
        named == id || self.questions().iter().any(|asked| asked.id == id && asked.group == named)
    }

    /// The sides: seats that win or lose together. By default every seat is a side of its own.
    fn sides(&self, setup: &Setup) -> Vec<Vec<Seat>> {
        (0..setup.seats.len()).map(|seat| vec![Seat::at(seat)]).collect()
    }

    /// What the options of a set-up mean beyond the help of their switches, a sentence each, e.g. who plays together.
    fn remarks(&self, _setup: &Setup) -> Vec<String> {
        Vec::new()
    }

    /// The name of a deck.
    fn deck_name(&self, setup: &Setup, deck: Deck) -> &'static str {
        self.decks(setup)[usize::from(deck.0)].name
    }
}

impl fmt::Debug for dyn Title {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.id())
    }
}

impl PartialEq for dyn Title {
    fn eq(&self, other: &dyn Title) -> bool {
        self.id() == other.id()
    }
}

/// As templates name it: its id.
impl Serialize for dyn Title {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// One game being played.
pub trait Game: Any + Send {
    /// What the game waits for.
    fn need(&self) -> Need;
    /// Reads a sentence of a seat against the menu, and changes nothing.
    fn understand(&self, seat: Seat, line: &str, faces: &Faces) -> Result<Understood, Refusal>;
    /// How the menu of a question would read a line if the seat were asked now, for lines written ahead; `None` if
    /// the question is not part of the seat's own turn or cannot be asked ahead now. A rule that forbids the line now
    /// need not forbid it later.
    fn foresee(&self, seat: Seat, question: &str, line: &str, faces: &Faces) -> Option<Result<(), Refusal>>;
    /// Reads a condition of an order for a question: its canonical words, and whether it holds now for the seat.
    fn judge(&self, seat: Seat, question: &str, condition: &str) -> Result<(Said, bool), Refusal>;
    /// A random condition; `None` if the title has no facts for the question.
    fn any_condition(&self, seat: Seat, question: &str, chance: &mut dyn Chance) -> Option<Said>;
    /// Reads the place that an order names, and returns its id.
    fn place(&self, named: &str) -> Result<String, Refusal>;
    /// What the open question is about.
    fn matter(&self) -> Matter;
    /// The current battle, in words that differ from those of any other battle at the same time.
    fn battle(&self) -> Option<String>;
    /// The place of that battle, as an order names it, and the seat that began it.
    fn battlefield(&self) -> Option<(&'static str, Seat)>;
    /// Lines that a seat may want to write with its answer to a question, or at the beginning of a turn if `None`.
    fn form(&self, seat: Seat, question: Option<&str>) -> Vec<Chain>;
    /// The clauses that may follow a sentence of a battle.
    fn clauses(&self) -> &'static Clauses;
    /// Does what the sentence says. It must have been understood since the last change, by this game or by one that
    /// this is a copy of.
    fn hear(&mut self, understood: Understood) -> Said;
    /// Reads a sentence of a seat, and changes nothing.
    fn read(&self, seat: Seat, line: &str, faces: &Faces) -> Result<Said, Refusal> {
        Ok(self.understand(seat, line, faces)?.said)
    }
    /// Reads a sentence of a seat and does what it says. A refusal changes nothing.
    fn say(&mut self, seat: Seat, line: &str, faces: &Faces) -> Result<Said, Refusal> {
        let understood = self.understand(seat, line, faces)?;
        Ok(self.hear(understood))
    }
    /// A random sentence that the asked seat may say; it is not played.
    ///
    /// # Panics
    /// As [`Game::say_anything`].
    fn any_sentence(&self, chance: &mut dyn Chance, faces: &Faces) -> Said;
    /// Plays a random sentence of the menu for the asked seat.
    ///
    /// # Panics
    /// If nothing is asked, or if the menu has a dead end: both are bugs.
    fn say_anything(&mut self, chance: &mut dyn Chance, faces: &Faces) -> Said;
    /// What may be said now, for letters: at most `limit` lines.
    fn offers(&self, faces: &Faces, limit: usize) -> Vec<Offer>;
    /// What may be said now, word by word, for pages; `None` if no seat is asked.
    fn tree(&self, faces: &Faces) -> Option<Tree>;
    /// Answers a need other than a question.
    fn answer(&mut self, answer: Answer) -> Result<(), Misfit>;
    /// Writes the facts: the board, then the agenda, then the question.
    fn facts(&self, facts: &mut Facts);
    /// A watch that finds the facts that change from one moment of this game to the next.
    fn watch(&self) -> Box<dyn Watch>;
    /// The turn and phase of the game, in words for people.
    fn moment(&self) -> String;
    /// The turn of the game, in words for people. As long as these words are the same, it is the same turn.
    fn turn(&self) -> String;
    /// How the game ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The face-down slots that the seat may look at now.
    fn hand(&self, seat: Seat) -> Vec<Slot>;
    /// The face-down slots whose cards the seat has seen: its hand, and the cards that it has laid or given away since.
    fn seen(&self, seat: Seat) -> Vec<Slot>;
    /// Everything the seat may see, for templates; with `None`, what the public may see.
    fn view(&self, seat: Option<Seat>, faces: &Faces) -> Value;
    /// What happened since [`Game::forget_news`], for templates.
    fn news(&self, seat: Option<Seat>, faces: &Faces) -> Vec<Value>;
    /// Forgets the news.
    fn forget_news(&mut self);
    /// A copy of the game, for looking ahead.
    fn copy(&self) -> Box<dyn Game>;
    /// The same game under another edition of the rules; `None` if it cannot go on under it.
    fn revised(&self, edition: &str) -> Option<Box<dyn Game>>;
}

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

impl<R: Rules> Game for Play<R> {
    fn need(&self) -> Need {
        Play::need(self)
    }

    fn understand(&self, seat: Seat, line: &str, faces: &Faces) -> Result<Understood, Refusal> {
        let (step, asked) = match Play::need(self) {
            Need::Question(Question { id, seat: asked }) if asked == seat => {
                (self.agenda().peek().expect("a question is asked"), id)
            }
            Need::Question(question) => {
                return Err(Refusal::NotAsked { waits_for: Some((question.seat, question.id)) });
            }
            _ => return Err(Refusal::NotAsked { waits_for: None }),
        };
        let mut first = None;
        for (place, alternative) in alternatives(line, R::clauses()).iter().enumerate() {
            let read = Menu::read(alternative.sentence, |menu| R::menu(self.board(), step, faces, menu));
            match read.map_err(|refusal| refusal.behind(alternative.start)) {
                Ok((said, steps)) => match self.untrue((seat, asked), line, alternative) {
                    None => return Ok(Understood { said, steps: Box::new(steps), place }),
                    Some(refusal @ Refusal::NotAllowed { .. }) => first = first.or(Some(refusal)),
                    Some(refusal) => return Err(first.unwrap_or(refusal)),
                },
                // A sentence that cannot be read is a slip of the pen, and no reason to say the next one instead.
                Err(refusal @ Refusal::NotAllowed { .. }) => first = first.or(Some(refusal)),
                Err(refusal) => return Err(first.unwrap_or(refusal)),
            }
        }
        Err(first.expect("a line has a sentence"))
    }

    fn foresee(&self, seat: Seat, question: &str, line: &str, faces: &Faces) -> Option<Result<(), Refusal>> {
        let (board, step) = R::ahead(self.board(), seat, question)?;
        Some(Menu::read(line, |menu| R::menu(&board, &step, faces, menu)).map(drop))
    }

    fn judge(&self, seat: Seat, question: &str, condition: &str) -> Result<(Said, bool), Refusal> {
        self.judged(seat, question, condition)
    }

    fn any_condition(&self, seat: Seat, question: &str, chance: &mut dyn Chance) -> Option<Said> {
        let fact = |menu: &mut Menu<'_>| R::fact(self.board(), self.asked(), (seat, question), menu);
        Menu::roll(chance, |menu| condition::condition(menu, fact)).ok().map(|(said, _)| said)
    }

    fn place(&self, named: &str) -> Result<String, Refusal> {
        Ok(Menu::read(named, |menu| R::place(menu))?.1.to_string())
    }

    fn matter(&self) -> Matter {
        self.asked().map_or(Matter::default(), |step| R::matter(self.board(), step))
    }

    fn battle(&self) -> Option<String> {
        R::battle(self.board(), self.asked())
    }

    fn battlefield(&self) -> Option<(&'static str, Seat)> {
        R::battlefield(self.board(), self.asked())
    }

    fn form(&self, seat: Seat, question: Option<&str>) -> Vec<Chain> {
        R::form(self.board(), seat, question)
    }

    fn clauses(&self) -> &'static Clauses {
        R::clauses()
    }

    fn hear(&mut self, understood: Understood) -> Said {
        let steps = understood.steps.downcast::<Vec<R::Step>>().expect("the sentence was read by this kind of game");
        Play::say(self, *steps);
        understood.said
    }

    fn any_sentence(&self, chance: &mut dyn Chance, faces: &Faces) -> Said {
        rolled(self, chance, faces).0
    }

    fn say_anything(&mut self, chance: &mut dyn Chance, faces: &Faces) -> Said {
        let (said, steps) = rolled(self, chance, faces);
        Play::say(self, steps);
        said
    }

    fn offers(&self, faces: &Faces, limit: usize) -> Vec<Offer> {
        match self.asked() {
            Some(step) => Menu::list(limit, |menu| R::menu(self.board(), step, faces, menu)),
            None => Vec::new(),
        }
    }

    fn tree(&self, faces: &Faces) -> Option<Tree> {
        let step = self.asked()?;
        Some(Menu::tree(RUNS_MAX, |menu| R::menu(self.board(), step, faces, menu)))
    }

    fn answer(&mut self, answer: Answer) -> Result<(), Misfit> {
        self.need().fits(&answer)?;
        Play::answer(self, answer);
        Ok(())
    }

    fn facts(&self, facts: &mut Facts) {
        facts.clear();
        R::facts(&mut Sheet::all(self.board(), facts));
        self.agenda_fact(facts);
        self.question_fact(facts);
    }

    fn watch(&self) -> Box<dyn Watch> {
        Box::new(Watching::<R>::new())
    }

    fn moment(&self) -> String {
        R::moment(self.board())
    }

    fn turn(&self) -> String {
        R::turn(self.board())
    }

    fn outcome(&self) -> Option<Outcome> {
        R::outcome(self.board())
    }

    fn hand(&self, seat: Seat) -> Vec<Slot> {
        R::hand(self.board(), seat)
    }

    fn seen(&self, seat: Seat) -> Vec<Slot> {
        R::seen(self.board(), seat)
    }

    fn view(&self, seat: Option<Seat>, faces: &Faces) -> Value {
        R::view(self, seat, faces)
    }

    fn news(&self, seat: Option<Seat>, faces: &Faces) -> Vec<Value> {
        self.told().iter().map(|event| R::news(self.board(), event, seat, faces)).collect()
    }

    fn forget_news(&mut self) {
        self.forget();
    }

    fn copy(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn revised(&self, edition: &str) -> Option<Box<dyn Game>> {
        Some(Box::new(Play::revised(self, edition)?))
    }
}

/// A random sentence for the open question, and its steps.
fn rolled<R: Rules>(play: &Play<R>, chance: &mut dyn Chance, faces: &Faces) -> (Said, Vec<R::Step>) {
    let step = play.asked().expect("a question is asked");
    match Menu::roll(chance, |menu| R::menu(play.board(), step, faces, menu)) {
        Ok(rolled) => rolled,
        Err(Stop::DeadEnd) => panic!("the menu of `{step}` has a dead end"),
        Err(Stop::Refused(refusal)) => panic!("the menu of `{step}` refuses itself: {refusal}"),
    }
}
