/*! The letters of a desk that no letter asked for: which seat must be told what, and what every letter to a seat is
made of. Every letter of the desk goes through [`Desk::post`], once for its key.
*/

use super::go_on::go_on;
use super::minutes::Minute;
use super::{Desk, ahead};
use crate::book::Told;
use crate::book::fault::PostError;
use crate::book::outgoing::{self, From, Game, Key, Outgoing, Tells, Thread};
use crate::names::address::{self, Place};
use crate::names::{field, return_path};
use crate::order::settings::News;
use crate::witness::rebuild::Share;
use engine::need::Need;
use engine::order::form::Chain;
use engine::seat::Seat;
use ground::stamp::Stamp;
use mail::draft::{self, Heading};
use mail::letter::mailbox::Mailbox;
use record::commit::checkpoint::Noted;
use record::commit::signature::SigningKey;
use record::entry::body::Kind;
use record::fold::Phase;
use record::fold::standing::Order;
use report::fate::Answered;
use report::gazette::{Gazette, Untold};
use report::occasion::{Chained, Occasion, Saved, Waits};
use report::{agreed, checkpoint, from_log, from_table, letter as page, map, pace};

/// The most orders that one letter proposes.
const SAVED_MAX: usize = 3;

/// A letter to a seat, and when it may go out.
pub(super) struct Due {
    seat: Seat,
    place: Place,
    to: Mailbox,
    at: Stamp,
}

impl Desk {
    /// Writes to every seat that must be told something: to the asked seat; to all at the start, when another turn
    /// begins, and at the end.
    pub fn report(&mut self, at: Stamp) -> Result<Vec<String>, PostError> {
        if self.table.fold().phase() == Phase::Joining {
            let letters = self.tell_receipts(None, at)?;
            self.book.settle()?;
            return Ok(letters);
        }
        self.close(at)?;
        go_on(&mut self.table, &mut self.book, at)?;
        let due = self.due(at);
        let mut letters = self.write(due)?;
        letters.extend(self.tell_receipts(None, at)?);
        letters.extend(self.write_to_guests(at)?);
        self.book.settle()?;
        self.forget_what_was_told();
        Ok(letters)
    }

    /// Writes the letters that are due, and notes them in the book, which is to be settled afterwards.
    pub(super) fn write(&mut self, due: Vec<Due>) -> Result<Vec<String>, PostError> {
        let mut letters = Vec::new();
        for Due { seat, place, to, at } in due {
            // A new player of the seat is told what happened since he took it; the log comes to him as a whole.
            let since = self.book.told(&place.seat).max(self.book.handed(&place.seat).saturating_sub(1));
            // A new host's first letter begins with his adoption: the old host has told what came before.
            let since = since.max(self.table.fold().adoption().map_or(0, |adoption| adoption.seq.saturating_sub(1)));
            let page = self.page(seat, since, &[])?;
            let (files, tells) = (self.files(&place.seat)?, self.tells(&place.seat));
            let thread = Thread::Follows(self.thread(&place.seat));
            letters.push(Outgoing {
                thread,
                files,
                tells,
                ..self.outgoing(self.report_key(&place.seat), to, page, at)
            });
        }
        self.post(letters)
    }

    /// A letter of ours to a seat or a guest, with the heading by which it can be answered; it has no records, and is
    /// not yet part of a thread.
    pub(super) fn outgoing(&self, key: Key, to: Mailbox, page: page::Letter, at: Stamp) -> Outgoing {
        let seat = key.seat().unwrap_or_default().to_owned();
        let heading = Some(self.heading(&Place { game: self.name(), seat }));
        let page = checkpoint::below(page, &self.checkpoint());
        Outgoing { heading, ..Outgoing::new(key, to, page, at.max(self.table.fold().at())) }
    }

    /// The key of a report to a seat now.
    pub(super) fn report_key(&self, seat: &str) -> Key {
        let head = self.table.fold().head();
        Key::report(seat, head.seq, head.hash)
    }

    /// Says that a letter tells its seat everything up to now.
    pub(super) fn tells(&self, seat: &str) -> Tells {
        let fold = self.table.fold();
        let turn = fold.game().turn();
        Tells::Entries(Told { seat: seat.to_owned(), seq: fold.head().seq, turn })
    }

    /// The letters that must be written now.
    pub(super) fn due(&mut self, at: Stamp) -> Vec<Due> {
        self.pending().into_iter().filter(|due| due.at <= at).collect()
    }

    /// When the next of the letters that wait may go out.
    pub(super) fn next_letter(&mut self, now: Stamp) -> Option<Stamp> {
        self.pending().into_iter().map(|due| due.at).filter(|at| *at > now).min()
    }

    /// The letters that must be written, each with the time from which its reader wants it.
    fn pending(&mut self) -> Vec<Due> {
        let mut pending = Vec::new();
        if self.table.fold().phase() == Phase::Joining {
            return pending;
        }
        for (index, place) in self.places().into_iter().enumerate() {
            let Some(to) = self.addresses(&place.seat).into_iter().next() else { continue };
            let (seat, now) = (Seat::at(index), self.table.fold().at());
            let told = self.book.letters_to(&place.seat).next_back().map(|(_, told)| told.clone());
            let has_notices = self.book.dropped(&place.seat).next().is_some();
            let news = match told.filter(|_| !has_notices) {
                None => Some((News::Pressing, now, now)),
                Some(told) => self.news(seat, &told),
            };
            let (settings, zone) = (self.book.settings(&place.seat), self.table.fold().zone(seat));
            let may_go = news.and_then(|(news, first, last)| settings.may_go(news, first, last, &zone));
            pending.extend(may_go.map(|at| Due { seat, place, to, at }));
        }
        pending
    }

    /// The news for a seat, with the times of the first of it and the last. Pressing: the seat is asked, or the game
    /// is over. Usual: something was announced, or the turn has opened for everybody, or another turn has begun where
    /// each turn belongs to one seat. Anything else is small.
    fn news(&mut self, seat: Seat, told: &Told) -> Option<(News, Stamp, Stamp)> {
        let minutes = self.minutes.of(&mut self.table);
        let untold: Vec<&Minute> = minutes.after(told.seq).iter().filter(|minute| minute.is_news()).collect();
        let (first, last) = (untold.first()?.at, untold.last()?.at);
        let is_announced = untold.iter().any(|minute| minute.is_notice);
        let has_opened = untold.iter().any(|minute| minute.opens_turn);
        let goes_on = untold.iter().any(|minute| minute.goes_on || matches!(minute.kind, Kind::Reveal | Kind::End));
        let fold = self.table.fold();
        let news = match fold.need() {
            Need::Question(question) if question.seat == seat && (goes_on || is_announced) => News::Pressing,
            Need::Over => News::Pressing,
            _ if is_announced => News::Usual,
            _ if has_opened => News::Usual,
            _ if fold.plan().title.orders.turn_opens.is_some() => News::Small,
            _ if goes_on && told.turn != fold.game().turn() => News::Usual,
            _ => News::Small,
        };
        Some((news, first, last))
    }

    /// What happened after an entry, for a seat. It is the same whether it was noted as it happened or is read off the
    /// log, so that a letter written again is the same letter.
    pub(super) fn untold(&mut self, seat: Seat, since: u64) -> Result<Untold, PostError> {
        match self.minutes.of(&mut self.table).gazette().untold(seat, since) {
            Some(untold) => Ok(untold),
            None => Ok(Gazette::read(&self.table, self.titles, seat, since)?),
        }
    }

    pub(super) fn forget_what_was_told(&mut self) {
        for (index, place) in self.places().into_iter().enumerate() {
            self.minutes.of(&mut self.table).gazette().told(Seat::at(index), self.book.told(&place.seat));
        }
    }

    pub(super) fn page(&mut self, seat: Seat, since: u64, answers: &[Answered]) -> Result<page::Letter, PostError> {
        let occasion = self.occasion(seat, since, answers)?;
        Ok(self.looking(&occasion, seat, None))
    }

    /// The letter of an occasion, as the player of a seat wants it to look; he may have asked for a part of the map.
    pub(super) fn looking(&self, occasion: &Occasion, seat: Seat, part: Option<&str>) -> page::Letter {
        let place = Place { game: self.name(), seat: self.table.word(seat) };
        let look = self.book.settings(&place.seat).look(self.look);
        let token = address::token_now(self.table.secrets(), &place);
        let to = address::seat_address(&self.ours, &place, &token);
        page::looking(occasion, &to.to_string(), look, part)
    }

    /// Everything that a letter to a seat is made of.
    pub(super) fn occasion(&mut self, seat: Seat, since: u64, answers: &[Answered]) -> Result<Occasion, PostError> {
        let Untold { news, saved, pace } = self.untold(seat, since)?;
        let place = self.table.word(seat);
        let dropped = self.book.dropped(&place);
        let kept = dropped.map(|dropped| Answered { line: dropped.words.clone(), fate: dropped.fate.clone() });
        let mut occasion = from_table::occasion(&self.table, Some(seat), news);
        occasion.deadline = self.deadline_in_pause(occasion.deadline)?;
        occasion.answers = kept.chain(answers.iter().cloned()).collect();
        occasion.kept = self.table.lines(seat).into_iter().map(|line| line.ahead.line).collect();
        occasion.stopped = ahead::stopped(&self.table, seat);
        occasion.form = self.form(seat, &occasion, since);
        occasion.saved = self.worth_saving(seat, saved);
        occasion.is_first = self.book.told(&place) == 0;
        if since > 0 {
            self.compare(&mut occasion, seat, since);
        }
        if occasion.is_first {
            let plan = self.table.fold().plan();
            occasion.rules = agreed::changed(plan.title, &plan.setup);
        }
        occasion.has_checkpoint = true;
        occasion.pace = pace.iter().map(|turn| pace::sentence(turn, Some(&place))).collect();
        self.check_closed(&mut occasion, &place)?;
        Ok(occasion)
    }

    /// What the order form proposes: answers to what usually follows the question, and at a new turn what may be left
    /// for it. When a turn has opened, a seat that is not asked gets the form as well. A line is left out if an order
    /// of the seat names its question already.
    fn form(&mut self, seat: Seat, occasion: &Occasion, since: u64) -> Vec<Chained> {
        let minutes = self.minutes.of(&mut self.table);
        let has_opened = minutes.after(since).iter().any(|minute| minute.opens_turn);
        let place = self.table.word(seat);
        let title = self.table.fold().plan().title;
        let said_before: Vec<(&'static str, String)> = title
            .questions
            .iter()
            .filter_map(|asked| {
                Some((asked.id, (title.orders.said_again)(asked.id, minutes.last_answer(&place, asked.id)?)?))
            })
            .collect();
        let (fold, place) = (self.table.fold(), self.table.word(seat));
        if fold.phase() != Phase::Playing || occasion.stopped.is_some() {
            return Vec::new();
        }
        let game = fold.game();
        let asked = match &occasion.waits {
            Waits::Reader { id, .. } => game.form(seat, Some(id)),
            Waits::Other { .. } if has_opened => game.form(seat, fold.plan().title.orders.own_turn.first().copied()),
            Waits::Other { .. } => Vec::new(),
            Waits::Host { .. } | Waits::Nobody { .. } => return Vec::new(),
        };
        let is_new = self.book.told_in(&place) != Some(occasion.turn.as_str());
        let turn = if is_new { game.form(seat, None) } else { Vec::new() };
        let orders = self.table.orders(seat);
        let is_left = |line: &String| {
            let Ok(proposed) = Order::read(line) else { return false };
            let title = fold.plan().title;
            let mut named = orders.iter().flat_map(|(_, order)| &order.questions);
            named.any(|named| proposed.questions.iter().any(|id| title.answers(named, id)))
        };
        let chain = |chain: Chain| {
            let lines = chain.lines.into_iter().filter(|line| !is_left(line));
            let lines: Vec<String> = lines.map(|line| as_before(&line, &said_before).unwrap_or(line)).collect();
            Chained { why: chain.why.to_owned(), lines }
        };
        asked.into_iter().chain(turn).map(chain).filter(|chain| !chain.lines.is_empty()).collect()
    }

    /// Compares what a seat sees with what it saw after the record `since`, up to which its last letter told. If that
    /// letter came in the same turn, and the question does not belong to the seat's own turn, the new letter shows
    /// only what concerns the question.
    fn compare(&self, occasion: &mut Occasion, seat: Seat, since: u64) {
        let (fold, place) = (self.table.fold(), self.table.word(seat));
        let (is_asked, is_own) = match &occasion.waits {
            Waits::Reader { id, .. } => (true, fold.plan().title.orders.own_turn.contains(&id.as_str())),
            _ => (false, false),
        };
        // Only a title with a map knows which places touch.
        let atlas = map::atlas(occasion.title).filter(|_| is_asked && !is_own);
        let atlas = atlas.filter(|_| self.book.told_in(&place) == Some(occasion.turn.as_str()));
        let has_picture = self.book.settings(&place).look(self.look).has_picture();
        if is_asked && atlas.is_none() && !has_picture {
            return;
        }
        let Some(game) = fold.game_after(since) else { return };
        if atlas.is_some() || !is_asked {
            // An earlier letter proved the cards on the slots that the seat held then.
            let setup = &fold.plan().setup;
            let held: Vec<(&str, u8, u16)> = game
                .hand(seat)
                .into_iter()
                .map(|slot| (fold.plan().title.deck_name(setup, slot.deck), slot.epoch, slot.position))
                .collect();
            occasion.openings.retain(|opening| !held.contains(&(&*opening.deck, opening.epoch, opening.position)));
        }
        let before = from_log::view_of(fold, &*game, Some(seat));
        if let Some(atlas) = atlas {
            occasion.brief = Some(map::around_question(atlas, &occasion.view, Some(&before)));
        }
        occasion.before = Some(before);
    }

    /// The standing orders that would save letters, without those that the seat has left since; none if the game is
    /// over.
    pub(super) fn worth_saving(&self, seat: Seat, saved: Vec<Saved>) -> Vec<Saved> {
        let fold = self.table.fold();
        if fold.phase() != Phase::Playing || fold.need() == Need::Over {
            return Vec::new();
        }
        let orders = self.table.orders(seat);
        let stands = |saved: &Saved| {
            let Ok(saved) = Order::read(&saved.order) else { return false };
            let title = fold.plan().title;
            let is_like = |order: &Order| {
                order.questions.iter().any(|named| saved.questions.iter().any(|id| title.answers(named, id)))
            };
            let says = |order: &Order| saved.sentences().all(|said| order.sentences().any(|other| other == said));
            orders.iter().any(|(_, order)| is_like(order) && says(order))
        };
        saved.into_iter().filter(|saved| !stands(saved)).take(SAVED_MAX).collect()
    }

    /// Writes letters, each once, and notes them in the book, which is to be settled afterwards.
    pub(super) fn post(&mut self, letters: Vec<Outgoing>) -> Result<Vec<String>, PostError> {
        let head = self.table.fold().head();
        let game = Some(Game { name: self.name(), seq: head.seq, head: head.hash });
        outgoing::post(letters, &self.outbox, &mut self.book, &From { ours: &self.ours, game })
    }

    /// The newest letters to a seat, as References: the first is the root of its thread, the first letter it ever
    /// got.
    pub(super) fn thread(&self, seat: &str) -> Vec<String> {
        let id = |letter: &str| letter.strip_suffix(".eml").map(|id| format!("<{id}>"));
        let mut newest: Vec<String> = self
            .book
            .letters_to(seat)
            .rev()
            .take(draft::REFERENCES_MAX)
            .filter_map(|(letter, _)| id(&letter.letter))
            .collect();
        newest.reverse();
        let root = self.book.letters_to(seat).next().and_then(|(letter, _)| id(&letter.letter));
        if root.as_ref() != newest.first() {
            newest.splice(0..1, root);
        }
        newest
    }

    pub(super) fn heading(&self, place: &Place) -> Heading {
        let secrets = self.table.secrets();
        let token = address::token_now(secrets, place);
        let fold = self.table.fold();
        let mut fields = vec![
            (field::GAME, place.game.clone()),
            (field::SEAT, place.seat.clone()),
            (field::SEQ, fold.head().seq.to_string()),
        ];
        fields.extend(self.share(place).map(|share| (field::SHARE, share.to_string())));
        Heading {
            name: format!("{} ({})", place.game, place.seat),
            list: format!("{} {}", fold.plan().title.name, place.game),
            list_id: place.game.clone(),
            reply_to: address::seat_address(&self.ours, place, &token),
            return_path: return_path::of(&self.ours, place, &secrets.token_key),
            fields,
        }
    }

    /// What a seat keeps of the dealer's root.
    fn share(&self, place: &Place) -> Option<Share> {
        let plan = self.table.fold().plan();
        let share = self.table.share(plan.seat(&place.seat)?)?;
        Some(Share { game: plan.game, seat: place.seat.clone(), share })
    }

    /// How far the log goes, signed by the host.
    pub(super) fn checkpoint(&self) -> Noted {
        let key = self.table.secrets().host_key.map(|seed| SigningKey::of_seed(&seed));
        Noted::of(self.table.fold().checkpoint(), key.as_ref())
    }

    pub(super) fn addresses(&self, seat: &str) -> Vec<Mailbox> {
        address::registered(self.table.secrets(), seat)
    }
}

/// An order of the form that has no condition, with the answer that its seat gave when it was last asked this
/// question.
fn as_before(line: &str, said: &[(&'static str, String)]) -> Option<String> {
    let (question, answer) = line.strip_prefix("when asked ")?.split_once(": ")?;
    let (_, again) = said.iter().find(|(id, _)| *id == question)?;
    let scope = [" this battle", " this turn", " next turn"].into_iter().find(|scope| answer.ends_with(scope));
    Some(format!("when asked {question}: {again}{}", scope.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_form_says_what_was_said_before() {
        let said = [("losses", "elites first".to_owned())];
        let case = |line: &str| as_before(line, &said);
        let expected = Some("when asked losses: elites first this battle".to_owned());
        assert_eq!(case("when asked losses: regulars first this battle"), expected);
        assert_eq!(case("when asked losses if units > 3: regulars first"), None);
        assert_eq!(case("when asked retreat: stand this battle"), None);
        assert_eq!(case("; until 3 left"), None);
    }
}
