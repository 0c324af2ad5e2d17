//! What a log tells: entry by entry, and the table after any of them.

use crate::agreed;
use crate::chronicle::{Chronicled, Explained, Opened, Roll, Throw, changes};
use crate::closing::{self, Closing};
use crate::columns::width;
use crate::deadline;
use crate::entry_words::words;
use crate::occasion::{Occasion, Setting, Waits, entry_news, known_to};
use engine::game::Game;
use engine::need::Question;
use engine::seat::Seat;
use engine::slot::Faces;
use record::commit::words::fingerprint;
use record::entry::Body;
use record::entry::body::{Auth, By, Dice, Draw, Roll as RollRecord, Shuffle, Via};
use record::file::reading::Followed;
use record::fold::{Fold, Phase};
use serde_json::Value;

/// How wide the column of the seats is in most games.
const SEAT_COLUMNS: usize = 7;

/// What a reader sees of the table of a fold: no news, no proofs, no orders.
pub fn look(fold: &Fold, reader: Option<Seat>) -> Occasion {
    look_at(fold, fold.game(), reader)
}

/// The same for a game that is some sentences ahead of its fold.
pub fn look_at(fold: &Fold, game: &dyn Game, reader: Option<Seat>) -> Occasion {
    let plan = fold.plan();
    let players: Vec<String> = plan.seats.iter().map(|seat| seat.player.clone()).collect();
    let head = fold.head();
    let hash = head.hash.to_string();
    let (id, setup) = (plan.name.as_str(), &plan.setup);
    let setting = Setting { id, title: plan.title, setup, players: &players, seq: head.seq, head: &hash };
    let mut occasion = setting.look(game, reader, fold.faces());
    occasion.rules = agreed::changed(plan.title, setup);
    occasion.fingerprint = fingerprint(&fold.genesis()).map(str::to_owned).to_vec();
    if fold.is_closed() {
        occasion.waits = Waits::Nobody { ended: fold.outcome().map(|outcome| setting.ended(&outcome)) };
    }
    occasion.closing = Closing::of(fold);
    if occasion.closing.is_some() {
        occasion.classes = closing::classes(fold.tally());
    }
    if fold.phase() == Phase::Joining {
        occasion.waits = Waits::Host { what: "every seat to join".to_string() };
    }
    occasion.deadline = deadline::deadline(fold, reader);
    occasion.is_stood_in = reader.is_some_and(|seat| fold.clock().bot(seat).is_some());
    occasion
}

/// What a reader sees of a game as it was after an earlier record of a fold, with the cards that he knows now.
pub fn view_of(fold: &Fold, game: &dyn Game, reader: Option<Seat>) -> Value {
    game.view(reader, &known_to(reader, game, fold.faces()))
}

/// A followed entry, for the chronicle of a reader.
pub fn told(followed: &Followed<'_>, reader: Option<Seat>) -> Chronicled {
    let (entry, fold) = (followed.entry, followed.fold);
    Chronicled {
        seq: entry.seq,
        at: entry.at.as_str().to_string(),
        kind: entry.kind().word().to_string(),
        seat: entry.seat.to_string(),
        seat_columns: fold.plan().seats.iter().map(|seat| width(&seat.word)).fold(SEAT_COLUMNS, usize::max),
        said: words(followed, reader).line,
        via: entry.via.as_ref().and_then(came_by),
        news: entry_news(fold.game(), entry.seq, reader, fold.faces()),
        moment: (fold.phase() != Phase::Joining).then(|| fold.game().moment()),
    }
}

/// A followed entry, explained to a reader, with the game as it was before it.
pub fn explained(followed: &Followed<'_>, before: Option<&dyn Game>, reader: Option<Seat>) -> Explained {
    let (entry, fold) = (followed.entry, followed.fold);
    let outcome = entry.outcome.as_ref();
    let opened = |opening: &record::entry::body::Opening<'_>| Opened {
        slot: format!("{} {} {}", opening.deck, opening.epoch.unwrap_or(0), opening.pos),
        card: opening.card.to_string(),
    };
    Explained {
        told: told(followed, reader),
        thought: before.and_then(|before| thought(followed, before)),
        roll: outcome.and_then(|outcome| outcome.roll.as_ref()).map(|rolled| roll(fold, rolled)),
        opened: outcome.map_or_else(Vec::new, |outcome| outcome.open.iter().map(opened).collect()),
        changes: changes(&fold.change().before, &fold.change().after),
        asked: followed.asked_before.map(|question| in_words(fold, question)),
        asks: fold.asked().map(|question| in_words(fold, question)),
        digest: outcome.map(|_| fold.digest_of_facts().to_string()),
        head: followed.hash.to_string(),
    }
}

/// What the program thought to gain, if it gave this answer. It is judged by what is public and by the cards that the
/// entry itself shows, so that everybody reads the same and learns nothing of a hand.
pub fn thought(followed: &Followed<'_>, before: &dyn Game) -> Option<String> {
    followed.entry.via.as_ref().filter(|via| via.by == Some(By::Bot))?;
    let Body::Say(said) = &followed.entry.body else { return None };
    let mut shown = Faces::default();
    for opening in followed.entry.outcome.iter().flat_map(|outcome| outcome.open.iter()) {
        let (slot, card) = followed.fold.masks().check(opening).ok()?;
        shown.learn(slot, card);
    }
    followed.fold.plan().title.bot.thought(before, &said.said, &shown)
}

/// A question in words, with the paragraph of the rules that asks it.
fn in_words(fold: &Fold, question: Question) -> String {
    let plan = fold.plan();
    let asked = plan.title.questions.iter().find(|asked| asked.id == question.id);
    let help = asked.map_or(String::new(), |asked| format!(": {}", asked.help));
    format!("{} ({}){help}", question.id, plan.word(question.seat))
}

/// How an entry came, in a few words.
fn came_by(via: &Via) -> Option<String> {
    let by = match via.by {
        Some(By::Standing) => "a standing order".to_string(),
        Some(By::Deadline) => "the deadline".to_string(),
        Some(By::Bot) => "a bot".to_string(),
        None if via.auth == Some(Auth::Keyboard) => "the keyboard".to_string(),
        None => format!("letter, {}", via.auth?.word()),
    };
    Some(by)
}

fn roll(fold: &Fold, roll: &RollRecord<'_>) -> Roll {
    let ledger = fold.ledger().expect("dice fall after the start");
    let numbers = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let throw = |n, what, gave| Throw { n, seed: String::new(), what, gave };
    let dice = |dice: &Dice<'_>| {
        throw(dice.throw, format!("{}, {} × d{}", dice.label, dice.faces.len(), dice.sides), numbers(&dice.faces))
    };
    let draw = |draw: &Draw<'_>| {
        let what = format!("a card of the {} deck, {} left", draw.deck, draw.left.len());
        throw(draw.throw, what, format!("position {}", draw.pos))
    };
    let shuffle = |shuffle: &Shuffle<'_>| {
        throw(shuffle.throw, format!("{}, an order of {}", shuffle.label, shuffle.count), numbers(&shuffle.order))
    };
    let mut throws: Vec<Throw> = roll.dice.iter().map(dice).collect();
    throws.extend(roll.draws.iter().map(draw));
    throws.extend(roll.shuffles.iter().map(shuffle));
    throws.sort_by_key(|throw| throw.n);
    for (throw, (_, seed)) in throws.iter_mut().rev().zip(ledger.seeds(roll.link)) {
        throw.seed = seed.0.to_string();
    }
    Roll { link: roll.link.to_string(), mix: ledger.mix().0.to_string(), throws }
}
