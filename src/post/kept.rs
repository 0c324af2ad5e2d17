/*! Sentences that were kept until their seat is asked, said when it is. */

use super::book::{Book, Event, Fate, KeptSentence};
use super::fault::PostError;
use super::turn::{cut_off, is_trouble, refused, refused_because};
use super::wrapped::{self, Extent};
use crate::engine::need::Need;
use crate::record::body::{Auth, Via};
use crate::record::stamp::Stamp;
use crate::record::standing;
use crate::record::table::{GivenCode, Table};
use crate::record::table_error::TableError;
use std::borrow::Cow;

/// Says the kept sentences of whoever is asked, as long as they answer; how many were said.
///
/// # Errors
/// The log or the book cannot be written.
pub fn say_kept(table: &mut Table, book: &mut Book, code: Option<GivenCode>, at: Stamp) -> Result<usize, PostError> {
    let mut count = 0;
    loop {
        let Need::Question(question) = table.fold().need() else { return Ok(count) };
        let word = table.word(question.seat);
        let turn = standing::turn(&table.fold().game().moment()).to_owned();
        let Some(kept) = book.kept(&word).into_iter().next() else { return Ok(count) };
        let read = |words: &str| table.read(question.seat, words).map(drop);
        let extent = wrapped::extent(&kept.words, &kept.rest, read);
        let fate = if is_of_another_table(table, book, &kept) {
            Fate::Ignored { why: "the table was put back since it was written".to_owned() }
        } else if kept.turn != turn {
            Fate::Ignored { why: format!("it was kept for {}, which is over", kept.turn) }
        } else if let Extent::Lines(lines @ 1..) = extent {
            let through = kept.rest[lines - 1].line;
            book.append(Event::Joined { raw: kept.raw, line: kept.line, through })?;
            continue;
        } else if extent == Extent::Doubt {
            refused_because(wrapped::IN_DOUBT)
        } else if let Some(refused) = cut_off(&kept.words) {
            refused
        } else {
            let kept_code = kept.code.as_ref().map(|code| GivenCode { k: code.number, code: code.code });
            let order = kept.signed.as_ref().and_then(|signed| signed.order(table.fold().plan().game, &word).ok());
            let brings = kept_code.or(code).map(|code| table.code(question.seat, Some(code), None));
            let auth = kept.auth.unwrap_or(Auth::None);
            let auth = if matches!(brings, Some(Ok(Some(_)))) { auth.max(Auth::Code) } else { auth };
            let via = Via {
                mail: kept.mail.clone().map(Cow::from),
                raw: Some(kept.raw),
                head: None,
                auth: Some(auth),
                by: None,
                standing: None,
            };
            let canonical = table.read(question.seat, &kept.words);
            match table.say_signed(question.seat, &kept.words, code.or(kept_code), order.as_ref(), Some(via), at) {
                Ok(heads) => Fate::Done { said: canonical.unwrap_or(kept.words), seq: Some(heads[0].seq) },
                Err(TableError::Held(_)) => return Ok(count),
                Err(TableError::Refused(refusal)) => refused(&refusal),
                Err(error) if is_trouble(&error) => return Err(error.into()),
                Err(error) => refused_because(&error.to_string()),
            }
        };
        count += usize::from(matches!(fate, Fate::Done { .. }));
        let is_refused = matches!(fate, Fate::Refused { .. });
        book.append(Event::Dropped { raw: kept.raw, line: kept.line, fate })?;
        if is_refused {
            // The rest was written in the hope of this one.
            for rest in book.kept(&word) {
                let fate =
                    Fate::Ignored { why: "not looked at, because the sentence before it was refused".to_owned() };
                book.append(Event::Dropped { raw: rest.raw, line: rest.line, fate })?;
            }
        }
    }
}

/// Whether the table was put back since a sentence was written: it was meant for what is undone.
fn is_of_another_table(table: &Table, book: &Book, kept: &KeptSentence) -> bool {
    let written = book.letter_in(&kept.raw).and_then(|letter| Stamp::parse(&letter.at));
    table.fold().council().undone().zip(written).is_some_and(|(undone, written)| written < undone)
}
