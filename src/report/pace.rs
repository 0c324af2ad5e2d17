/*! The pace of a game: how many letters each turn took, and who waited for whom.

It is counted from the log alone. An answer by a standing order or a line written ahead costs no letter; several answers
of a seat in a row, in one letter or at one keyboard, count as one letter.
*/

use crate::occasion::Saved;
use engine::game::Game;
use engine::need::{Need, Question};
use engine::plural;
use engine::seat::Seat;
use engine::title::Title;
use ground::hash::Hash;
use ground::stamp::Stamp;
use record::entry::Body;
use record::entry::body::By;
use record::file::reading::Followed;
use record::fold::standing::Order;
use serde::Serialize;
use std::collections::BTreeMap;

/// The letters and the time that one seat took in a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    pub seat: String,
    /// Letters of the seat that the others waited for, with answers that it gave itself.
    pub letters: u32,
    /// Questions that an order or a line ahead answered.
    pub orders: u32,
    /// Seconds for which the game waited for the seat.
    pub waited: u64,
    /// How its questions were answered, by their ids.
    pub questions: BTreeMap<String, Answered>,
    /// For each order, how many letters it would have spared, because they said nothing else. If the seat also
    /// answered otherwise, a condition is added to the order, or the order is left out.
    #[serde(skip)]
    pub spared: BTreeMap<String, u32>,
}

/// How often one question was answered in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answered {
    /// By a letter that came for it.
    pub letters: u32,
    /// By a further line of a letter.
    pub below: u32,
    /// By an order or a line that was left ahead.
    pub orders: u32,
}

impl Answered {
    /// All questions: the letters needed if each answer were one letter.
    pub fn all(self) -> u32 {
        self.letters + self.below + self.orders
    }

    fn add(&mut self, other: Answered) {
        self.letters += other.letters;
        self.below += other.below;
        self.orders += other.orders;
    }
}

/// The letters and the time that a turn took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// As the game calls it: `turn 5`.
    pub turn: String,
    /// In the order of the seats.
    pub shares: Vec<Share>,
}

/// The pace of all turns, and how far they have been counted.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    turns: Vec<Turn>,
    /// How many of the turns are over.
    over: usize,
    before: Option<Waiting>,
    /// Who answered last, not counting standing orders.
    last: Option<Seat>,
    /// The last letter of each seat.
    letters: BTreeMap<Seat, String>,
    /// The order that would have spared the last letter of a seat, as long as that letter says nothing else.
    alone: BTreeMap<Seat, String>,
    /// What the seats could see when they answered in this turn: `chosen` for answers that no order is proposed for,
    /// by the question; `proposed` for answers that an order could have given, by the order.
    chosen: BTreeMap<(Seat, &'static str), Vec<Sight>>,
    proposed: BTreeMap<(Seat, String), Vec<Sight>>,
}

/// The facts by which the answers to a question may differ, as they were when it was asked.
type Sight = Vec<(&'static str, u32)>;

/// Whether an order would have spared a letter.
enum Spared {
    By(String),
    /// No: the letter says more than its first line, which is all that this order would have said.
    Not(String),
}

/// What the game waited for after an entry.
#[derive(Clone, Debug)]
struct Waiting {
    since: Stamp,
    seat: Option<Seat>,
    turn: String,
    sight: Sight,
}

impl Pace {
    /// Counts the next entry of a log, and returns the turn that ends with it, if one does.
    pub fn note(&mut self, followed: &Followed<'_>) -> Option<Turn> {
        let (entry, fold) = (followed.entry, followed.fold);
        // An entry that does not move the game on does not end a wait.
        if !entry.kind().is_played() {
            return None;
        }
        if let (Body::Say(_), Some(before)) = (&entry.body, self.before.take())
            && let Some(seat) = before.seat
        {
            let by = entry.via.as_ref().and_then(|via| via.by);
            let order = by == Some(By::Standing);
            let is_own = !order;
            let fresh = is_own && self.is_fresh(seat, entry.via.as_ref().and_then(|via| via.raw));
            let spared =
                followed.asked_before.and_then(|question| self.spared(followed, question, fresh, by, &before.sight));
            let seats: Vec<&str> = fold.plan().seats.iter().map(|seat| seat.word.as_str()).collect();
            let share = share(&mut self.turns, &before.turn, &seats, seat);
            share.waited += seconds(before.since, entry.at);
            share.orders += u32::from(order);
            share.letters += u32::from(fresh);
            let answered =
                Answered { letters: u32::from(fresh), below: u32::from(is_own && !fresh), orders: u32::from(order) };
            if let Some(question) = followed.asked_before {
                share.questions.entry(question.id.to_string()).or_default().add(answered);
            }
            match spared {
                Some(Spared::By(order)) => *share.spared.entry(order).or_default() += 1,
                Some(Spared::Not(order)) => {
                    share.spared.entry(order).and_modify(|count| *count = count.saturating_sub(1));
                }
                None => {}
            }
        }
        let turn = fold.game().turn();
        let goes_on = self.turns.last().is_some_and(|last| last.turn == turn) && fold.need() != Need::Over;
        let sight = fold.asked().map_or_else(Vec::new, |question| sight(fold.plan().title, fold.game(), question));
        self.before = Some(Waiting { since: entry.at, seat: fold.asked().map(|question| question.seat), turn, sight });
        let over = self.turns.len() - usize::from(goes_on);
        let is_news = over > std::mem::replace(&mut self.over, over);
        if is_news {
            self.drop_chosen(over - 1, fold.plan().title);
        }
        is_news.then(|| self.turns[over - 1].clone())
    }

    /// Whether an order would have spared the letter that brings this answer, or whether the answer shows that none
    /// could.
    fn spared(
        &mut self,
        followed: &Followed<'_>,
        question: Question,
        is_fresh: bool,
        by: Option<By>,
        sight: &Sight,
    ) -> Option<Spared> {
        let (Body::Say(say), seat) = (&followed.entry.body, question.seat) else { return None };
        if by.is_some() {
            return None;
        }
        let order =
            Saved::of(followed.fold.plan().title, followed.entry.seq, question.id, &say.said).map(|saved| saved.order);
        match &order {
            Some(order) => self.proposed.entry((seat, order.clone())).or_default().push(sight.clone()),
            None => self.chosen.entry((seat, question.id)).or_default().push(sight.clone()),
        }
        match (is_fresh, order) {
            (true, Some(order)) => {
                self.alone.insert(seat, order.clone());
                Some(Spared::By(order))
            }
            (true, None) => {
                self.alone.remove(&seat);
                None
            }
            // The letter says more than what an order could have said.
            (false, _) => self.alone.remove(&seat).map(Spared::Not),
        }
    }

    /// At the end of a turn: if a seat has also answered otherwise, an order is proposed with a condition that tells
    /// the two apart, or not at all if no fact does.
    fn drop_chosen(&mut self, turn: usize, title: &Title) {
        let (chosen, proposed) = (std::mem::take(&mut self.chosen), std::mem::take(&mut self.proposed));
        self.alone.clear();
        for (index, share) in self.turns[turn].shares.iter_mut().enumerate() {
            let seat = Seat::at(index);
            let spared = std::mem::take(&mut share.spared);
            for (order, count) in spared.into_iter().filter(|(_, count)| *count > 0) {
                let Ok(read) = Order::read(&order) else { continue };
                let is_named = |id: &str| read.questions.iter().any(|named| title.answers(named, id));
                let others: Vec<&Sight> = chosen
                    .iter()
                    .filter(|((by, id), _)| *by == seat && is_named(id))
                    .flat_map(|(_, all)| all)
                    .collect();
                let own = proposed.get(&(seat, order.clone())).map_or(&[][..], Vec::as_slice);
                let proposal = if others.is_empty() {
                    Some(order.clone())
                } else {
                    condition(own, &others).map(|condition| order.replacen(" say ", &condition, 1))
                };
                share.spared.extend(proposal.map(|order| (order, count)));
            }
        }
    }

    /// Whether an answer begins a new letter, or a new sitting at the keyboard.
    fn is_fresh(&mut self, seat: Seat, letter: Option<Hash>) -> bool {
        let last = self.last.replace(seat);
        match letter.map(|hash| hash.to_string()) {
            Some(letter) => self.letters.insert(seat, letter.clone()) != Some(letter),
            None => last != Some(seat),
        }
    }

    /// The turns so far, in their order.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }
}

/// The greatest number that we look for in a fact.
const FACT_MAX: u32 = 31;

/// What the asked seat can see of the facts by which its answers may differ.
fn sight(title: &Title, game: &dyn Game, question: Question) -> Sight {
    let holds = |fact: &str, most: u32| {
        let judged = game.judge(question.seat, question.id, &format!("{fact} at most {most}"));
        judged.is_ok_and(|(_, holds)| holds)
    };
    let number = |fact: &&'static str| {
        let (mut least, mut most) = (0, FACT_MAX);
        while least < most {
            let middle = (least + most) / 2;
            if holds(fact, middle) { most = middle } else { least = middle + 1 }
        }
        holds(fact, least).then_some((*fact, least))
    };
    (title.orders.telling_facts)(question.id).iter().filter_map(number).collect()
}

/// The condition that all answers in `own` meet, and none in `others`: ` if enemies < 3: `. It names the first fact
/// that was always smaller, or always greater, in `own` than in `others`.
fn condition(own: &[Sight], others: &[&Sight]) -> Option<String> {
    let facts = own.first()?.iter().map(|(fact, _)| *fact);
    let of = |sight: &Sight, fact: &str| sight.iter().find(|(name, _)| *name == fact).map(|(_, number)| *number);
    facts.into_iter().find_map(|fact| {
        let own: Vec<u32> = own.iter().map(|sight| of(sight, fact)).collect::<Option<_>>()?;
        let others: Vec<u32> = others.iter().map(|sight| of(sight, fact)).collect::<Option<_>>()?;
        let (least, most) = (own.iter().min()?, own.iter().max()?);
        let (least_other, most_other) = (others.iter().min()?, others.iter().max()?);
        match () {
            () if most < least_other => Some(format!(" if {fact} < {least_other}: ")),
            () if least > most_other => Some(format!(" if {fact} > {most_other}: ")),
            () => None,
        }
    })
}

fn share<'a>(turns: &'a mut Vec<Turn>, turn: &str, seats: &[&str], seat: Seat) -> &'a mut Share {
    if turns.last().is_none_or(|last| last.turn != turn) {
        let shares = seats.iter().map(|seat| Share { seat: (*seat).to_string(), ..Share::default() });
        turns.push(Turn { turn: turn.to_string(), shares: shares.collect() });
    }
    let last = turns.last_mut().expect("a turn has been pushed");
    &mut last.shares[seat.index()]
}

/// The seconds from one moment to another; 0 if the other was earlier.
fn seconds(since: Stamp, at: Stamp) -> u64 {
    u64::try_from(at.since(since).as_secs()).unwrap_or(0)
}

/// `2 d 3 h`, `3 h 5 min`, `5 min`, `12 s`: the two largest units, seconds only if alone.
pub fn duration(seconds: u64) -> String {
    let parts = [(seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let first = parts.iter().position(|(number, _)| *number > 0).unwrap_or(3);
    let shown = parts[first..].iter().take(2).filter(|(number, unit)| *number > 0 && (*unit != "s" || first == 3));
    let words: Vec<String> = shown.map(|(number, unit)| format!("{number} {unit}")).collect();
    if words.is_empty() { "no time".to_string() } else { words.join(" ") }
}

/// A turn in a sentence: `Turn 5: 9 letters, free 5 and shadow 4; waited for free 2 d 3 h, for shadow 5 min.` Only a
/// seat itself is told what its orders have spared.
pub fn sentence(turn: &Turn, reader: Option<&str>) -> String {
    let total: u32 = turn.shares.iter().map(|share| share.letters).sum();
    let own = turn.shares.iter().filter(|share| Some(share.seat.as_str()) == reader);
    let orders: u32 = own.map(|share| share.orders).sum();
    let by_seat: Vec<String> = turn.shares.iter().map(|share| format!("{} {}", share.seat, share.letters)).collect();
    let waited: Vec<String> =
        turn.shares.iter().map(|share| format!("for {} {}", share.seat, duration(share.waited))).collect();
    let saved = if orders > 0 { format!("; {orders} spared by your standing orders") } else { String::new() };
    let letters = plural::counted(total, "letter");
    let mut name = turn.turn.clone();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    let hint = turn.shares.iter().find(|share| Some(share.seat.as_str()) == reader).and_then(hint).unwrap_or_default();
    format!("{name}: {letters} ({}){saved}; waited {}.{hint}", by_seat.join(", "), waited.join(", "))
}

/// An order is proposed if it would have spared at least this many letters.
const SPARED_MIN: u32 = 2;

/// The order that would have spared a seat the most letters in a turn.
fn hint(share: &Share) -> Option<String> {
    let (order, count) = share.spared.iter().max_by_key(|(order, count)| (**count, std::cmp::Reverse(*order)))?;
    (*count >= SPARED_MIN).then(|| format!(" `{order}` would have spared you {count} letters."))
}

/// How the questions of several turns were answered, each by its id, the one with the most letters first.
pub fn by_question<'t>(turns: impl IntoIterator<Item = &'t Turn>) -> Vec<(String, Answered)> {
    let mut sums: BTreeMap<&str, Answered> = BTreeMap::new();
    for (question, answered) in turns.into_iter().flat_map(|turn| &turn.shares).flat_map(|share| &share.questions) {
        sums.entry(question).or_default().add(*answered);
    }
    let mut sums: Vec<(String, Answered)> = sums.into_iter().map(|(id, sum)| (id.to_string(), sum)).collect();
    sums.sort_by_key(|(id, sum)| (std::cmp::Reverse((sum.letters, sum.all())), id.clone()));
    sums
}

/// The pace of some turns by kind of question, a line each, and what plans have spared.
pub fn table(turns: &[&Turn]) -> Vec<String> {
    let by_question = by_question(turns.iter().copied());
    let row = |id: &str, cells: [String; 4]| {
        let [letters, below, orders, all] = cells;
        format!("{id:<24}{letters:>9}{below:>9}{orders:>9}{all:>11}")
    };
    let of = |answered: &Answered| {
        let Answered { letters, below, orders } = *answered;
        [letters, below, orders, answered.all()].map(|count| count.to_string())
    };
    let mut sum = Answered::default();
    by_question.iter().for_each(|(_, answered)| sum.add(*answered));
    let mut lines = vec![row("question", ["letters", "below", "orders", "questions"].map(str::to_string))];
    lines.extend(by_question.iter().map(|(id, answered)| row(id, of(answered))));
    lines.push(row("all", of(&sum)));
    // In tenths, rounded.
    let count = u32::try_from(turns.len()).unwrap_or(u32::MAX).max(1);
    let a_turn = |sum: u32| {
        let tenths = (sum * 20 / count).div_ceil(2);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    let (with, without) = (a_turn(sum.letters), a_turn(sum.all()));
    lines.push(format!("A turn took {with} letters; without plans, one for each question, {without}."));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn apart(earlier: &str, later: &str, expected: u64) {
        let at = |text| Stamp::parse(text).unwrap();
        assert_eq!(seconds(at(earlier), at(later)), expected);
    }

    #[test]
    fn seconds_between_stamps() {
        apart("2026-11-24T07:12:09Z", "2026-11-24T07:13:10Z", 61);
        apart("2024-02-28T00:00:00Z", "2024-03-01T00:00:00Z", 2 * 86_400);
        apart("2026-02-28T00:00:00Z", "2026-03-01T00:00:00Z", 86_400);
        apart("2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z", 1);
    }

    #[track_caller]
    fn case(seconds: u64, expected: &str) {
        assert_eq!(duration(seconds), expected);
    }

    #[test]
    fn durations_in_words() {
        case(0, "no time");
        case(12, "12 s");
        case(300, "5 min");
        case(301, "5 min");
        case(11_100, "3 h 5 min");
        case(86_400, "1 d");
        case(2 * 86_400 + 3 * 3_600 + 59, "2 d 3 h");
    }

    #[test]
    fn a_turn_in_a_sentence() {
        let share = |seat: &str, letters, orders, waited| Share {
            seat: seat.to_string(),
            letters,
            orders,
            waited,
            ..Share::default()
        };
        let shares = vec![share("free", 5, 0, 183_600), share("shadow", 1, 2, 300)];
        let turn = Turn { turn: "turn 5".to_string(), shares };
        let said = |spared: &str| {
            format!("Turn 5: 6 letters (free 5, shadow 1){spared}; waited for free 2 d 3 h, for shadow 5 min.")
        };
        assert_eq!(sentence(&turn, Some("shadow")), said("; 2 spared by your standing orders"));
        assert_eq!(sentence(&turn, Some("free")), said(""));
        // Only its own seat is told what an order would have spared, if it is worth the words.
        let mut turn = turn;
        turn.shares[0].spared = [("when asked retreat say stand", 1), ("when asked combat-card say no card", 3)]
            .map(|(order, count)| (order.to_string(), count))
            .into();
        let hint = " `when asked combat-card say no card` would have spared you 3 letters.";
        assert_eq!(sentence(&turn, Some("free")), said("") + hint);
        assert_eq!(sentence(&turn, None), said(""));
    }

    #[test]
    fn a_condition_tells_some_answers_from_the_others() {
        let sight = |enemies, units| vec![("enemies", enemies), ("units", units)];
        let told = |own: &[Sight], others: &[Sight]| condition(own, &others.iter().collect::<Vec<_>>());
        assert_eq!(told(&[sight(1, 5), sight(2, 4)], &[sight(3, 5)]).as_deref(), Some(" if enemies < 3: "));
        assert_eq!(told(&[sight(4, 5), sight(2, 4)], &[sight(3, 3)]).as_deref(), Some(" if units > 3: "));
        assert_eq!(told(&[sight(4, 5), sight(2, 4)], &[sight(3, 4)]), None);
        assert_eq!(told(&[Vec::new()], &[Vec::new()]), None);
    }

    #[test]
    fn a_table_by_question() {
        let answered = |letters, below, orders| Answered { letters, below, orders };
        let questions = [("action", answered(5, 1, 2)), ("combat-card", answered(1, 0, 3))];
        let questions = questions.map(|(id, answered)| (id.to_string(), answered)).into();
        let shares = vec![Share { seat: "free".to_string(), questions, ..Share::default() }];
        let turn = Turn { turn: "turn 5".to_string(), shares };
        let lines = table(&[&turn, &Turn::default()]);
        assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["action", "5", "1", "2", "8"]);
        assert_eq!(lines[3].split_whitespace().collect::<Vec<_>>(), ["all", "6", "1", "5", "12"]);
        assert_eq!(lines[4], "A turn took 3.0 letters; without plans, one for each question, 6.0.");
        assert!(lines.iter().all(|line| line.chars().count() <= 72), "{lines:?}");
    }
}
