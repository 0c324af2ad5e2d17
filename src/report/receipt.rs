//! Letters about receipts: an act is fixed and waits for its round, or the round cannot be fetched.

use crate::columns::{self, LETTER};
use crate::echo::Echo;
use crate::fate::Answered;
use crate::frame::HEAD_SHOWN;
use crate::letter::Letter;
use crate::templates;
use engine::plural;
use ground::stamp::Stamp;
use record::fold::receipts::Receipt;
use record::fold::{Fold, Phase};
use serde_json::{Value, json};

/// Tells a seat that a receipt is recorded; `answers` are the fates of the lines of its own letter.
pub fn recorded(fold: &Fold, reader: &str, receipt: &Receipt, at: Stamp, answers: &[Answered]) -> Letter {
    let wanted = match receipt.seat {
        None if fold.phase() == Phase::Joining => "the game starts soon",
        None => "the game goes on soon",
        Some(seat) if fold.plan().word(seat) == reader => "your answer waits for its dice",
        Some(_) => "an answer waits for its dice",
    };
    letter(fold, wanted, receipt, at, answers, false, reader)
}

/// Tells a seat that the round of a receipt cannot be fetched.
pub fn late(fold: &Fold, reader: &str, receipt: &Receipt, at: Stamp) -> Letter {
    letter(fold, "the beacon cannot be reached", receipt, at, &[], true, reader)
}

fn letter(
    fold: &Fold,
    wanted: &str,
    receipt: &Receipt,
    at: Stamp,
    answers: &[Answered],
    is_late: bool,
    reader: &str,
) -> Letter {
    let (plan, hash) = (fold.plan(), fold.head().hash.to_string());
    let title = plan.title.name.split(':').next().unwrap_or(plan.title.name);
    let subject = format!("[{} #{} {}] {title}: {wanted}", plan.name, fold.head().seq, &hash[..HEAD_SHOWN]);
    let lines = plural::counted(receipt.lines.len(), "line");
    let who = match receipt.seat {
        _ if is_late => match receipt.seat {
            None => "the game waits".to_owned(),
            Some(seat) => format!("the answer of {} waits", plan.word(seat)),
        },
        None => String::new(),
        Some(seat) if plan.word(seat) == reader => format!("Your answer has come: {lines}"),
        Some(seat) => format!("{} has answered: {lines}", plan.word(seat)),
    };
    let echoes: Vec<Echo> = answers.iter().map(Echo::of).collect();
    let context = json!({
        "game": plan.name, "title_name": plan.title.name, "seq": fold.head().seq, "mark": &hash[..HEAD_SHOWN],
        "columns": LETTER, "who": who, "record": receipt.seq, "round": receipt.round, "time": at.as_str(),
        "starts": receipt.seat.is_none() && fold.phase() == Phase::Joining, "is_hosts": receipt.seat.is_none(),
        "is_late": is_late, "echoes": echoes, "how_to_read": Value::Null,
    });
    Letter::of_text(columns::ruly(&subject), templates::page("receipt.txt", &templates::context(&context)))
}
