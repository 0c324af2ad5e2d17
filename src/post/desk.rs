/*! The desk of one game: its table, its post book, its vault and its outbox, under one lock.

Entry first, letters after. A letter is kept and noted, played, answered and noted again; whatever stops in between is
taken up when the desk is next opened, and gives the same entries and the same letters, byte for byte (I3, I6).
*/

use super::address::{self, Place, Seen};
use super::book::{Book, Event, LetterIn, Outcome, State, Told};
use super::draft::{Draft, Purpose, SeatHeading};
use super::fault::PostError;
use super::kept;
use super::letter::Letter;
use super::limits::Limits;
use super::mailbox::Mailbox;
use super::message_id::MessageId;
use super::outbox::{Outbox, Shelf};
use super::quoting;
use super::sentences;
use super::turn::{self, Before, Progress, Turn};
use super::vault::Vault;
use crate::engine::need::Need;
use crate::engine::seat::Seat;
use crate::record::body::Kind;
use crate::record::entry::Body;
use crate::record::fold::Phase;
use crate::record::hash::{Hash, sha256};
use crate::record::log::SetAside;
use crate::record::plan::Titles;
use crate::record::stamp::Stamp;
use crate::record::standing;
use crate::record::table::Table;
use crate::report::gazette::Gazette;
use crate::report::occasion::Answered;
use crate::report::{from_table, letter as page, terminal};
use jiff::{SignedDuration, Timestamp};
use std::collections::VecDeque;
use std::path::Path;

/// I1: an answer that got lost is sent again at most once in this time.
const AGAIN_AFTER: SignedDuration = SignedDuration::from_hours(1);

/// L3: refusals to one seat in one day that are answered.
const REFUSALS_A_DAY: usize = 20;

/// What became of a letter at the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    pub outcome: Outcome,
    /// The file names of the letters that were put into the outbox.
    pub letters: Vec<String>,
    /// What became of every line.
    pub answers: Vec<Answered>,
    /// What an append cut off by a crash had left at the end of the log; the host is to be told.
    pub set_aside: Vec<SetAside>,
}

/// A letter on the desk: what it says, whose it is, and what is known of it already.
struct Case<'a> {
    letter: &'a Letter,
    place: &'a Place,
    seen: Option<Seen>,
    letter_in: LetterIn,
    /// What it caused before a crash, and is not in the book.
    before: VecDeque<Before>,
}

/// One game at the post office.
pub struct Desk {
    pub table: Table,
    pub book: Book,
    pub outbox: Outbox,
    vault: Vault,
    titles: Titles,
    ours: Mailbox,
}

impl Desk {
    /// Opens the desk of the game in a folder. `ours` is the mailbox of the post office.
    ///
    /// # Errors
    /// The game, its book or its folders cannot be opened.
    pub fn open(folder: &Path, ours: &Mailbox, titles: Titles) -> Result<Desk, PostError> {
        let table = Table::open(folder, titles)?;
        Ok(Desk {
            table,
            book: Book::open(folder)?,
            outbox: Outbox::open(folder)?,
            vault: Vault::open(folder)?,
            titles,
            ours: ours.clone(),
        })
    }

    /// Takes up what a crash left: entries that wait for nobody, letters half played, letters not written.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn recover(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        if self.table.fold().phase() == Phase::Playing {
            self.table.settle(at)?;
        }
        self.note_kept_sentences_said()?;
        let unfinished: Vec<LetterIn> = self.book.unfinished().cloned().collect();
        let mut letters = Vec::new();
        for letter_in in unfinished {
            let raw = self.vault.read(&letter_in.raw)?;
            let letter = Letter::open(&raw, &Limits::ORDINARY);
            let place = Place { game: self.name(), seat: letter_in.seat.clone().unwrap_or_default() };
            let seen = seen(&letter, &self.ours, &place);
            let before = self.before(&letter_in)?;
            let case = Case { letter: &letter, place: &place, seen, letter_in, before };
            letters.extend(self.play(case, at)?.letters);
        }
        letters.extend(self.report(at)?);
        Ok(letters)
    }

    /// The name of the game, by which letters call it.
    #[must_use]
    pub fn name(&self) -> String {
        self.table.fold().plan().name.clone()
    }

    /// Receives a letter that speaks for a seat of this game.
    ///
    /// # Errors
    /// Something cannot be written; the letter is taken up again by [`Desk::recover`].
    pub fn receive(&mut self, raw: &[u8], letter: &Letter, place: &Place, at: Stamp) -> Result<Received, PostError> {
        let seen = seen(letter, &self.ours, place);
        let text = text_hash(letter);
        let twin = self.book.letter_in(&letter.raw).cloned().or_else(|| self.called_alike(letter));
        if let Some(twin) = &twin {
            if twin.done.is_some() && (twin.raw == letter.raw || twin.text == text) {
                return self.again(twin, at);
            }
            if twin.raw != letter.raw && twin.text != text {
                return self.other_of_that_name(raw, letter, place, at);
            }
        }
        let (letter_in, before) = match twin.filter(|twin| twin.raw == letter.raw) {
            Some(twin) => {
                let before = self.before(&twin)?;
                (twin, before)
            }
            None => (self.take(raw, letter, place, at)?, VecDeque::new()),
        };
        self.play(Case { letter, place, seen, letter_in, before }, at)
    }

    fn called_alike(&self, letter: &Letter) -> Option<LetterIn> {
        let mail = letter.envelope.message_id.as_deref()?;
        self.book.letters_called(mail).next().cloned()
    }

    fn take(&mut self, raw: &[u8], letter: &Letter, place: &Place, at: Stamp) -> Result<LetterIn, PostError> {
        self.vault.keep(raw)?;
        let mail = letter.envelope.message_id.clone();
        let (hash, text) = (letter.raw, text_hash(letter));
        let seat = Some(place.seat.clone());
        self.book.append(Event::Taken { at: at.to_string(), raw: hash, text, mail, seat })?;
        Ok(self.book.letter_in(&hash).expect("the letter was just taken").clone())
    }

    /// I1: the same letter again. It is not played again; the answer to it is sent again, at most once an hour.
    fn again(&mut self, twin: &LetterIn, at: Stamp) -> Result<Received, PostError> {
        let mut received =
            Received { outcome: Outcome::Again, letters: Vec::new(), answers: Vec::new(), set_aside: Vec::new() };
        let Some(answer) = twin.answer.clone() else { return Ok(received) };
        let Some(out) = self.book.letter_out(&answer).cloned() else { return Ok(received) };
        let State::Sent { at: sent } = &out.state else { return Ok(received) };
        let is_lost = passed(sent, at).is_some_and(|passed| passed >= AGAIN_AFTER);
        if is_lost && self.outbox.shelf(&answer) == Some(Shelf::Sent) {
            let (to, told) = (out.to, None);
            self.book.append(Event::Queued { at: at.to_string(), letter: answer.clone(), to, told })?;
            self.outbox.file(&answer, Shelf::Sent, Shelf::Outbox)?;
            received.letters.push(answer);
        }
        Ok(received)
    }

    /// I1: another letter under a Message-ID that came before. Somebody forges, or a mail program is broken.
    fn other_of_that_name(
        &mut self,
        raw: &[u8],
        letter: &Letter,
        place: &Place,
        at: Stamp,
    ) -> Result<Received, PostError> {
        let letter_in = self.take(raw, letter, place, at)?;
        let why = "another letter came with the same Message-ID before; nothing in this one is played. Write it anew";
        let case = Case { letter, place, seen: None, letter_in, before: VecDeque::new() };
        self.with_turn(case, at, |turn| turn.refuse_whole(why))
    }

    fn play(&mut self, case: Case<'_>, at: Stamp) -> Result<Received, PostError> {
        let reading = match &case.letter.text {
            Ok(text) => sentences::read(text, &Limits::ORDINARY).map_err(|refusal| refusal.to_string()),
            Err(unreadable) => Err(unreadable.to_string()),
        };
        self.with_turn(case, at, |turn| match reading {
            Ok(reading) => turn.play(&reading),
            Err(why) => turn.refuse_whole(&why),
        })
    }

    /// Lets a letter have its turn, and answers it and reports to everybody concerned.
    fn with_turn(
        &mut self,
        case: Case<'_>,
        at: Stamp,
        play: impl FnOnce(&mut Turn<'_>) -> Result<(), PostError>,
    ) -> Result<Received, PostError> {
        let seat = self.table.fold().plan().seat(&case.place.seat);
        let seat = seat.expect("a letter is played only for a seat of the game");
        let mut turn = Turn {
            table: &mut self.table,
            book: &mut self.book,
            place: case.place,
            seat,
            raw: case.letter_in.raw,
            mail: case.letter_in.mail.clone(),
            seen: case.seen.clone(),
            at,
            before: case.before.clone(),
            progress: Progress::default(),
        };
        play(&mut turn)?;
        let Turn { progress, before, .. } = turn;
        self.note_kept_said(case.letter_in.raw, before)?;
        kept::say_kept(&mut self.table, &mut self.book, None, at)?;
        let gazette = self.gazette(progress.stale_since.map(|stale| (seat, stale)))?;
        let answer = self.answer(&case, seat, &progress, &gazette)?;
        let is_played = progress.has_done || progress.answers.iter().any(is_done);
        let outcome = if is_played { Outcome::Played } else { Outcome::Refused };
        let done = Event::Done { at: at.to_string(), raw: case.letter_in.raw, outcome, letter: answer.clone() };
        let mut letters: Vec<String> = answer.into_iter().collect();
        let due = self.due()?;
        letters.extend(self.write(due, &gazette)?);
        self.book.append(done)?;
        let set_aside = self.table.set_aside().to_vec();
        Ok(Received { outcome, letters, answers: progress.answers, set_aside })
    }

    /// Entries of the log that a letter caused and the book does not know: a crash came between the two.
    fn before(&self, letter_in: &LetterIn) -> Result<VecDeque<Before>, PostError> {
        let known: Vec<u64> = letter_in.fates.values().filter_map(done_in).collect();
        let mut before = VecDeque::new();
        turn::each_entry(&self.table, |entry, _| {
            let is_caused = entry.via.as_ref().is_some_and(|via| via.raw == Some(letter_in.raw));
            if !is_caused || known.contains(&entry.seq) {
                return;
            }
            match &entry.body {
                Body::Say(say) => before.push_back(Before { seq: entry.seq, said: Some(say.said.to_string()) }),
                Body::Standing(_) => before.push_back(Before { seq: entry.seq, said: None }),
                _ => {}
            }
        })?;
        Ok(before)
    }

    /// Kept sentences that were said just before a crash must not be said again.
    fn note_kept_sentences_said(&mut self) -> Result<(), PostError> {
        for place in self.places() {
            for kept in self.book.kept(&place.seat) {
                let Some(letter_in) = self.book.letter_in(&kept.raw).cloned() else { continue };
                if letter_in.done.is_some() {
                    let before = self.before(&letter_in)?;
                    self.note_kept_said(kept.raw, before)?;
                }
            }
        }
        Ok(())
    }

    /// Entries of a letter that none of its lines caused at once came of its kept sentences, the first one first.
    fn note_kept_said(&mut self, raw: Hash, said: VecDeque<Before>) -> Result<(), PostError> {
        for said in said {
            let Some(line) = self.book.kept_of(&raw).map(|kept| kept.line).min() else { return Ok(()) };
            let fate = super::book::Fate::Done { said: said.said.unwrap_or_default(), seq: Some(said.seq) };
            self.book.append(Event::Dropped { raw, line, fate })?;
        }
        Ok(())
    }

    fn places(&self) -> Vec<Place> {
        let game = self.name();
        let seats = &self.table.fold().plan().seats;
        seats.iter().map(|seat| Place { game: game.clone(), seat: seat.word.clone() }).collect()
    }

    /// The letter that answers a letter: what became of its lines, and where the game stands.
    fn answer(
        &mut self,
        case: &Case<'_>,
        seat: Seat,
        progress: &Progress,
        gazette: &Gazette,
    ) -> Result<Option<String>, PostError> {
        let Case { letter, place, letter_in, .. } = case;
        let Ok(author) = letter.envelope.author.clone() else { return Ok(None) };
        if self.has_heard_enough(place, letter_in, progress) {
            return Ok(None);
        }
        let mut page = self.page(seat, gazette, &progress.answers);
        if progress.wants_help {
            let title = self.table.fold().plan().title.id();
            page.text = format!("{}\n{}", page.text, terminal::help(title, 72));
        }
        let hash = letter_in.raw.to_string();
        let id = self.message_id(place, Some(hash[..12].to_owned()));
        let mut references = letter.envelope.references.clone();
        references.extend(letter_in.mail.clone());
        let date = Stamp::parse(&letter_in.at).unwrap_or_else(|| self.table.fold().at());
        let draft = Draft {
            purpose: Purpose::Answer,
            message_id: id.to_string(),
            date,
            ours: self.ours.clone(),
            to: author,
            subject: page.subject,
            in_reply_to: letter_in.mail.clone(),
            references,
            seat: Some(self.heading(place)),
            text: page.text,
        };
        self.queue(&id, &draft, place).map(Some)
    }

    /// L3: a robot that shows no sign of being one must not write with us for ever: after so many refusals in a day no
    /// further one is answered.
    fn has_heard_enough(&self, place: &Place, letter_in: &LetterIn, progress: &Progress) -> bool {
        let at = Stamp::parse(&letter_in.at);
        let is_today = |since: &str| {
            at.and_then(|at| passed(since, at)).is_some_and(|passed| passed < SignedDuration::from_hours(24))
        };
        let refusals = self.book.letters_in().filter(|before| {
            before.seat.as_ref() == Some(&place.seat)
                && before.done == Some(Outcome::Refused)
                && before.answer.is_some()
                && is_today(&before.at)
        });
        !progress.has_done && !progress.answers.iter().any(is_done) && refusals.count() >= REFUSALS_A_DAY
    }

    /// Writes to every seat that must be told something: who is asked; everybody at the start, when the turn is
    /// another, and at the end.
    ///
    /// # Errors
    /// Something cannot be written.
    pub fn report(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        if self.table.fold().phase() == Phase::Joining {
            return Ok(Vec::new());
        }
        kept::say_kept(&mut self.table, &mut self.book, None, at)?;
        let due = self.due()?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let gazette = self.gazette(None)?;
        self.write(due, &gazette)
    }

    fn write(&mut self, due: Vec<(Seat, Place, Mailbox)>, gazette: &Gazette) -> Result<Vec<String>, PostError> {
        let mut letters = Vec::new();
        for (seat, place, to) in due {
            let page = self.page(seat, gazette, &[]);
            let id = self.message_id(&place, None);
            let references: Vec<String> = self.thread(&place.seat);
            let draft = Draft {
                purpose: Purpose::Report,
                message_id: id.to_string(),
                date: self.table.fold().at(),
                ours: self.ours.clone(),
                to,
                subject: page.subject,
                in_reply_to: references.last().cloned(),
                references,
                seat: Some(self.heading(&place)),
                text: page.text,
            };
            letters.push(self.queue(&id, &draft, &place)?);
        }
        Ok(letters)
    }

    /// The newest entry a seat was told of.
    fn told(&self, seat: &str) -> Option<u64> {
        self.book.letters_to(seat).map(|(_, told)| told.seq).max()
    }

    /// The seats that must be written to, with their addresses.
    fn due(&self) -> Result<Vec<(Seat, Place, Mailbox)>, PostError> {
        let head = self.table.fold().head().seq;
        let mut last_news = None;
        let mut due = Vec::new();
        for (index, place) in self.places().into_iter().enumerate() {
            let Some(to) = self.addresses(&place.seat).into_iter().next() else { continue };
            let seat = Seat::at(index);
            let is_due = match self.book.letters_to(&place.seat).next_back() {
                None => true,
                Some(_) if self.book.notices(&place.seat).next().is_some() => true,
                Some((_, told)) if told.seq >= head => false,
                Some((_, told)) => {
                    let last_news = match last_news {
                        Some(last_news) => last_news,
                        None => *last_news.insert(self.last_news()?),
                    };
                    told.seq < last_news && self.concerns(seat, told)
                }
            };
            if is_due {
                due.push((seat, place, to));
            }
        }
        Ok(due)
    }

    /// The newest entry by which the game went on.
    fn last_news(&self) -> Result<u64, PostError> {
        let mut last = 0;
        turn::each_entry(&self.table, |entry, _| {
            if entry.kind().is_played() || matches!(entry.kind(), Kind::Reveal | Kind::End) {
                last = entry.seq;
            }
        })?;
        Ok(last)
    }

    /// Whether what has happened since is for this seat to know at once: it is asked, the turn is another, or all is
    /// over.
    fn concerns(&self, seat: Seat, told: &Told) -> bool {
        let game = self.table.fold().game();
        match game.need() {
            Need::Question(question) if question.seat == seat => true,
            Need::Over => true,
            _ => told.turn != standing::turn(&game.moment()),
        }
    }

    /// What happened, for every seat since its last letter. It is read off the log, live or after a crash alike, so
    /// that a letter written again is the same letter.
    fn gazette(&mut self, behind: Option<(Seat, u64)>) -> Result<Gazette, PostError> {
        let mut told: Vec<u64> = self.places().iter().map(|place| self.told(&place.seat).unwrap_or(0)).collect();
        if let Some((seat, since)) = behind {
            told[seat.index()] = told[seat.index()].min(since);
        }
        Ok(Gazette::open(&mut self.table, self.titles, |seat| told[seat.index()])?)
    }

    fn page(&self, seat: Seat, gazette: &Gazette, answers: &[Answered]) -> page::Letter {
        let place = self.table.word(seat);
        let notices = self.book.notices(&place);
        let kept = notices.map(|notice| Answered { line: notice.words.clone(), fate: turn::told(&notice.fate) });
        let mut occasion = from_table::occasion(&self.table, Some(seat), gazette.news(seat));
        occasion.answers = kept.chain(answers.iter().cloned()).collect();
        page::letter(&occasion)
    }

    fn queue(&mut self, id: &MessageId, draft: &Draft, place: &Place) -> Result<String, PostError> {
        self.outbox.put(id, &draft.to_bytes())?;
        let letter = id.file_name();
        if self.book.letter_out(&letter).is_none() {
            let turn = standing::turn(&self.table.fold().game().moment()).to_owned();
            let told = Some(Told { seat: place.seat.clone(), seq: id.seq, turn });
            let (at, to) = (draft.date.to_string(), draft.to.to_string());
            self.book.append(Event::Queued { at, letter: letter.clone(), to, told })?;
        }
        Ok(letter)
    }

    fn message_id(&self, place: &Place, answers: Option<String>) -> MessageId {
        let head = self.table.fold().head();
        MessageId {
            game: place.game.clone(),
            seq: head.seq,
            head: head.hash,
            seat: place.seat.clone(),
            answers,
            host: self.ours.host.clone(),
        }
    }

    /// The letters a seat got so far, as References: the first one is the root of its thread.
    fn thread(&self, seat: &str) -> Vec<String> {
        let id = |letter: &str| letter.strip_suffix(".eml").map(|id| format!("<{id}>"));
        self.book.letters_to(seat).filter_map(|(letter, _)| id(&letter.letter)).collect()
    }

    fn heading(&self, place: &Place) -> SeatHeading {
        let secrets = self.table.secrets();
        let epoch = secrets.seats.iter().find(|seat| seat.seat == place.seat).map_or(0, |seat| seat.token_epoch);
        let token = address::token(&secrets.token_key.0, place, epoch);
        SeatHeading {
            place: place.clone(),
            title: self.table.fold().plan().title.name().to_owned(),
            seq: self.table.fold().head().seq,
            reply_to: address::seat_address(&self.ours, place, &token),
        }
    }

    fn addresses(&self, seat: &str) -> Vec<Mailbox> {
        let seats = &self.table.secrets().seats;
        let found = seats.iter().filter(|secrets| secrets.seat == seat).flat_map(|secrets| &secrets.addresses);
        found.filter_map(|written| Mailbox::read(written)).collect()
    }
}

/// I2: what the writer had seen, by what he answers, by the subject, or by the first line of the letter he quotes.
fn seen(letter: &Letter, ours: &Mailbox, place: &Place) -> Option<Seen> {
    let quoted = || {
        let text = letter.text.as_ref().ok()?;
        let tag = quoting::tag_of_quoted(&text.lines).filter(|tag| tag.game == place.game)?;
        Some(Seen { seq: tag.seq, head: tag.head })
    };
    address::seen(&letter.envelope, ours, place).or_else(quoted)
}

/// What makes two letters the same letter by two ways (I1): who wrote it, and what it says.
fn text_hash(letter: &Letter) -> Hash {
    let author = letter.envelope.author.as_ref().map_or(String::new(), ToString::to_string);
    match &letter.text {
        Ok(text) => {
            let lines: Vec<&str> = text.lines.iter().map(|line| line.text.trim_end()).collect();
            sha256(format!("{author}\n{}", lines.join("\n")).as_bytes())
        }
        Err(_) => letter.raw,
    }
}

fn done_in(fate: &super::book::Fate) -> Option<u64> {
    match fate {
        super::book::Fate::Done { seq, .. } => *seq,
        _ => None,
    }
}

fn is_done(answered: &Answered) -> bool {
    use crate::report::occasion::Fate;
    matches!(answered.fate, Fate::Done { .. } | Fate::Kept { .. })
}

fn passed(since: &str, now: Stamp) -> Option<SignedDuration> {
    let since: Timestamp = since.parse().ok()?;
    let now: Timestamp = now.as_str().parse().ok()?;
    Some(now.duration_since(since))
}
