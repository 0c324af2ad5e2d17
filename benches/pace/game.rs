/*! A game in which every answer is a letter, and the counts of it.

A wait is a letter that the game waits for. A letter of a seat that is not asked delays nobody, and is counted
separately.
*/

use super::bot::TRIES;
use super::post::{Post, refused};
use super::thumbs::{Table, Thumbs, Ways, mind};
use engine::need::Question;
use engine::play::{Play, Rules};
use engine::seat::Seat;
use engine::slot::Faces;
use record::entry::body::By;
use record::entry::{Body, Entry};
use record::file::reading::read_with_secrets;
use record::file::secrets::Secrets;
use record::file::stream::Records;
use record::fold::ahead::StandingLine;
use ringmail::titles;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::marker::PhantomData;
use std::ops::ControlFlow;

/// The most letters of a game; then it is abandoned.
const LETTERS_MAX: u32 = 1_200;
/// The most lines of a plan.
const LINES_MAX: usize = 20;

/// The counts of one game, or of several.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    pub turns: u32,
    /// The letters that the game waited for, by the open question.
    pub waits: BTreeMap<String, u32>,
    /// Letters that nobody waited for.
    pub unasked: u32,
    /// The answers without a letter, and those of them that the bot would have given differently, by question.
    pub automatic: BTreeMap<String, u32>,
    pub regretted: BTreeMap<String, u32>,
    /// All answers; those that the bot gave when asked; and those of them that it would have given differently with
    /// other random numbers.
    pub answers: u32,
    pub asked: u32,
    pub doubted: u32,
    /// The plans that stopped, by the reason that the seat was told.
    pub stopped: BTreeMap<String, u32>,
    /// The refused lines, by reason.
    pub refused: BTreeMap<String, u32>,
}

impl Counted {
    pub fn add(&mut self, other: Counted) {
        fn sum(into: &mut BTreeMap<String, u32>, from: BTreeMap<String, u32>) {
            for (key, count) in from {
                *into.entry(key).or_default() += count;
            }
        }
        self.turns += other.turns;
        self.unasked += other.unasked;
        self.answers += other.answers;
        self.asked += other.asked;
        self.doubted += other.doubted;
        sum(&mut self.waits, other.waits);
        sum(&mut self.automatic, other.automatic);
        sum(&mut self.regretted, other.regretted);
        sum(&mut self.stopped, other.stopped);
        sum(&mut self.refused, other.refused);
    }

    pub fn all_waits(&self) -> u32 {
        self.waits.values().sum()
    }

    pub fn all_automatic(&self) -> u32 {
        self.automatic.values().sum()
    }

    pub fn all_regretted(&self) -> u32 {
        self.regretted.values().sum()
    }
}

/// A game being played, and what its seats remember.
pub struct Match<T: Thumbs> {
    pub post: Post,
    number: u64,
    ways: Ways,
    pub counted: Counted,
    /// The seats that have left their standing orders.
    has_left: BTreeSet<Seat>,
    /// The turns that each seat has written for, and the battle that it has left orders for.
    written: BTreeSet<(Seat, String)>,
    fought: BTreeMap<Seat, String>,
    /// The seat that wrote the last letter, and the length of the log before it.
    last: Option<(Seat, u64)>,
    title: PhantomData<T>,
}

impl<T: Thumbs> Match<T> {
    pub fn new(number: u64, ways: Ways) -> Match<T> {
        let post = Post::new(T::TITLE, T::SEATS, number);
        let (counted, has_left, written) = (Counted::default(), BTreeSet::new(), BTreeSet::new());
        Match {
            post,
            number,
            ways,
            counted,
            has_left,
            written,
            fought: BTreeMap::new(),
            last: None,
            title: PhantomData,
        }
    }

    /// Plays to the end, or for at most `turns_max` turns.
    pub fn play(&mut self, turns_max: usize) {
        let mut turns = BTreeSet::new();
        for _ in 0..LETTERS_MAX {
            let Some(question) = self.post.asked() else { break };
            if self.turn().starts_with("turn") {
                turns.insert(self.turn());
            }
            if turns.len() > turns_max {
                turns.remove(&self.turn());
                break;
            }
            if self.ways >= Ways::Both && question.id == T::OPENS {
                self.write_unasked(question);
            }
            let Some(question) = self.post.asked() else { break };
            self.answer(question);
        }
        self.counted.turns = u32::try_from(turns.len()).expect("a few turns");
    }

    fn play_now(&self) -> &Play<T::Rules> {
        let game: &dyn Any = self.post.desk.table.fold().game();
        game.downcast_ref().expect("a game of the title")
    }

    fn turn(&self) -> String {
        T::Rules::turn(self.play_now().board())
    }

    /// What a seat knows, and the names of the cards in its hand.
    fn knows(&self, seat: Seat) -> (Faces, Vec<String>) {
        let fold = self.post.desk.table.fold();
        let hand = fold.game().hand(seat);
        let faces = fold.faces().of(&hand);
        let title = fold.plan().title;
        let names = hand.iter().filter_map(|slot| faces.get(*slot)).map(|card| (title.cards.id)(card).to_owned());
        let names = names.collect();
        (faces, names)
    }

    /// The orders that a seat leaves with a letter: those for the game once, those for the turn once a turn.
    fn orders(&mut self, seat: Seat, hand: &[String]) -> Vec<String> {
        let mut orders = Vec::new();
        if self.has_left.insert(seat) {
            orders.extend(T::standing(seat, self.ways).into_iter().map(str::to_owned));
        }
        if self.written.insert((seat, self.turn())) {
            orders.extend(T::for_turn(self.play_now(), seat, hand, self.ways));
        }
        orders
    }

    /// When a turn opens for everybody, the other seats write theirs, too.
    fn write_unasked(&mut self, asked: Question) {
        for seat in (0..T::SEATS.len()).map(Seat::at).filter(|seat| *seat != asked.seat) {
            if self.written.contains(&(seat, format!("{} open", self.turn()))) {
                continue;
            }
            self.written.insert((seat, format!("{} open", self.turn())));
            let (faces, hand) = self.knows(seat);
            let mut lines = self.orders(seat, &hand);
            let table = Table::<T> { play: self.play_now(), seat, faces: &faces, number: self.number };
            lines.extend(table.plan(&hand, LINES_MAX));
            if !lines.is_empty() {
                self.counted.unasked += 1;
                self.send(seat, &lines);
            }
        }
    }

    /// The game waits for a letter: the asked seat writes it.
    fn answer(&mut self, question: Question) {
        let seat = question.seat;
        // Not counted as a letter of its own if the letter before could have contained it.
        let is_set_up = self.turn().starts_with("turn");
        if is_set_up && !self.could_have_been_written(seat) {
            *self.counted.waits.entry(question.id.to_owned()).or_default() += 1;
        }
        self.written.insert((seat, format!("{} open", self.turn())));
        let (faces, hand) = self.knows(seat);
        let mut lines = self.orders(seat, &hand);
        lines.extend(self.battle_orders(question, &hand));
        let left = self.post.desk.table.lines(seat);
        let stopped = left.iter().find_map(StandingLine::stopped).map(ToString::to_string);
        if let Some(why) = &stopped {
            let why = why.split(" (#").next().unwrap_or(why);
            *self.counted.stopped.entry(kind(why)).or_default() += 1;
        }
        let table = Table::<T> { play: self.play_now(), seat, faces: &faces, number: self.number };
        let mind_now = mind::<T>(table.play, &faces, self.number, question);
        let best = mind_now.best(TRIES, T::is_wanted).or_else(|| mind_now.best(TRIES, |_| true));
        let best = best.expect("something may be said");
        let is_own = self.post.desk.table.fold().plan().title.orders.own_turn.contains(&question.id);
        let next = left.iter().find(|line| line.ahead.is_of_plan()).filter(|_| stopped.is_some());
        let next_is_good = next.is_some_and(|next| {
            let line = &next.ahead.line;
            let sentence = line.split(';').next().unwrap_or(line);
            let sentence = sentence.split(" if ").next().unwrap_or(sentence);
            mind_now.weigh(sentence).is_some_and(|worth| best.worth <= worth + T::MARGIN)
        });
        if is_own && next_is_good {
            lines.push("go on".to_owned());
        } else if is_own && question.id == T::OPENS && self.ways >= Ways::Ahead {
            lines.extend(table.plan(&hand, LINES_MAX));
        } else if self.ways >= Ways::Battles {
            lines.push(best.sentence.clone() + &T::clauses(table.play, &best.sentence, &hand));
        } else {
            lines.push(best.sentence.clone());
        }
        // A question that an order in the same letter answers needs no other answer.
        let names = |line: &&String| {
            line.starts_with("when asked")
                && line.split(':').next().is_some_and(|head| head.split([' ', ',']).any(|word| word == question.id))
        };
        let is_answered = lines.iter().take(lines.len() - 1).any(|line| names(&line));
        if is_answered {
            lines.pop();
        }
        let before = self.post.desk.table.log().length();
        self.send(seat, &lines);
        self.last = Some((seat, before));
        // A letter that changes nothing would be written again and again.
        let is_stuck = |game: &Match<T>| game.post.asked() == Some(question) && game.since(before).is_empty();
        if is_stuck(self) {
            self.send(seat, &[best.sentence]);
            assert!(!is_stuck(self), "{question:?}: {lines:?}: {:?}", self.counted.refused);
        }
    }

    /// The records behind byte `from` of the log: which seat said something, and whether dice or cards followed.
    fn since(&self, from: u64) -> Vec<(String, bool)> {
        let mut bytes = Vec::new();
        let log = self.post.desk.table.log();
        log.bytes_after(from).and_then(|mut records| records.read_to_end(&mut bytes)).expect("the log is read");
        let mut records = Records::new(bytes.as_slice());
        let mut found = Vec::new();
        while let Ok(Some(record)) = records.next() {
            let entry = Entry::read(record.bytes).expect("a record");
            if let Body::Say(_) = &entry.body {
                let outcome = entry.outcome.as_ref();
                found.push((entry.seat.to_string(), outcome.is_some_and(|outcome| outcome.roll.is_some())));
            }
        }
        found
    }

    /// Whether, since its last letter, the seat alone has acted and no dice fell.
    fn could_have_been_written(&self, seat: Seat) -> bool {
        let word = self.post.desk.table.word(seat);
        let is_own = |from: u64| self.since(from).iter().all(|(by, has_dice)| *by == word && !has_dice);
        self.last.is_some_and(|(last, from)| last == seat && is_own(from))
    }

    /// Once a battle: the orders for the rest of it.
    fn battle_orders(&mut self, question: Question, hand: &[String]) -> Vec<String> {
        let title = self.post.desk.table.fold().plan().title;
        let is_of_battle =
            title.answers("battle", question.id) || T::TITLE == "risk" && title.answers("cards", question.id);
        let battle = self.post.desk.table.fold().game().battle();
        let Some(battle) = battle.filter(|_| is_of_battle && self.ways >= Ways::Battles) else { return Vec::new() };
        if self.fought.insert(question.seat, battle.clone()) == Some(battle) {
            return Vec::new();
        }
        T::for_battle(self.play_now(), question.seat, hand)
    }

    fn send(&mut self, seat: Seat, lines: &[String]) {
        let told = self.post.says(seat, &lines.join("\n"));
        for why in refused(&told) {
            *self.counted.refused.entry(why).or_default() += 1;
        }
    }

    /// Compares every answer given without a letter with what the bot would have answered.
    pub fn weigh(&mut self, tells: bool) {
        let folder = self.post.folder();
        let bytes = fs::read(folder.join("log.yaml")).expect("the log");
        let secrets = Secrets::read(&folder).expect("the secrets");
        let mut before: Option<Play<T::Rules>> = None;
        let (number, counted) = (self.number, &mut self.counted);
        let mut faces_before = Faces::default();
        read_with_secrets(Records::new(bytes.as_slice()), titles::ALL, &secrets, |step| {
            let by = step.entry.via.as_ref().and_then(|via| via.by);
            if let (Body::Say(say), Some(question), Some(play)) = (&step.entry.body, step.asked_before, &before) {
                counted.answers += 1;
                let faces = faces_before.of(&T::Rules::hand(play.board(), question.seat));
                let is_automatic = by == Some(By::Standing);
                let mut mind = mind::<T>(play, &faces, number, question);
                mind.seed ^= u64::from(!is_automatic);
                let best = mind.best(TRIES, T::is_wanted).or_else(|| mind.best(TRIES, |_| true));
                let best = best.expect("something may be said");
                let worth = mind.weigh(&say.said).expect("it was said");
                let is_regretted = best.worth > worth + T::MARGIN;
                let one = |counts: &mut BTreeMap<String, u32>| *counts.entry(question.id.to_owned()).or_default() += 1;
                if is_automatic {
                    one(&mut counted.automatic);
                    if is_regretted {
                        one(&mut counted.regretted);
                    }
                } else {
                    counted.asked += 1;
                    counted.doubted += u32::from(is_regretted);
                }
                if is_regretted && is_automatic && tells {
                    eprintln!("{} said {} ({worth}), best {} ({})", question.id, say.said, best.sentence, best.worth);
                }
            }
            let game: &dyn Any = step.fold.game();
            before = game.downcast_ref::<Play<T::Rules>>().cloned();
            if let Some(before) = &mut before {
                before.forget();
            }
            faces_before = step.fold.faces().clone();
            ControlFlow::Continue(())
        })
        .expect("the log verifies");
    }
}

/// The reason why a plan stopped, without the details that differ each time.
fn kind(why: &str) -> String {
    ["attacked", "card", "tile", "revealed", "changed", "not allowed"]
        .into_iter()
        .find(|word| why.contains(word))
        .map_or_else(|| why.to_owned(), str::to_owned)
}
