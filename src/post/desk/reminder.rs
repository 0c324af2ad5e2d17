/*! Reminders (S5): each once, only to the asked player, some time before his deadline, and once more when it has passed
and only the grace is left.
*/

use crate::book::outgoing::Key;
use crate::order::settings::Settings;
use engine::seat::Seat;
use ground::span::Span;
use ground::stamp::Stamp;
use record::fold::Fold;
use record::fold::clock::Countdown;
use report::deadline::Reminding;

/// A reminder of the open question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reminder {
    pub seat: Seat,
    /// When it is to be sent.
    pub at: Stamp,
    pub of: Reminding,
    /// The key by which it is sent only once.
    pub key: Key,
}

/// All reminders of the open question, the first one first. None comes before the question was asked or its deadline
/// was moved, and none after the time it reminds of.
pub fn reminders(fold: &Fold, settings: &Settings) -> Vec<Reminder> {
    let (Some(schedule), Some(open)) = (&fold.plan().schedule, fold.clock().open()) else { return Vec::new() };
    let Some(Countdown::Until { due, closing }) = fold.countdown() else { return Vec::new() };
    let zone = fold.zone(open.seat);
    let leads = schedule.reminders.iter().map(|lead| (*lead, Reminding::Soon));
    let late = (schedule.grace != Span::NONE).then_some((Span::NONE, Reminding::Late));
    let reminder = |(lead, of): (Span, Reminding)| {
        let quiet = Settings { night: schedule.quiet, ..Settings::default() };
        let at = settings.awake(quiet.awake(due.earlier(lead), &zone), &zone);
        let end = if of == Reminding::Late { closing } else { due };
        let key = Key::reminder(fold.plan().word(open.seat), open.seq, due, lead);
        (at > open.since() && at < end).then_some(Reminder { seat: open.seat, at, of, key })
    };
    let mut reminders: Vec<Reminder> = leads.chain(late).filter_map(reminder).collect();
    reminders.sort_by_key(|reminder| reminder.at);
    reminders
}

/// The reminder to send now: the last of those whose time has come.
pub fn due(fold: &Fold, settings: &Settings, now: Stamp) -> Option<Reminder> {
    reminders(fold, settings).into_iter().rfind(|reminder| reminder.at <= now)
}

/// When the next reminder is due.
pub fn next(fold: &Fold, settings: &Settings, now: Stamp) -> Option<Stamp> {
    reminders(fold, settings).into_iter().map(|reminder| reminder.at).find(|at| *at > now)
}
