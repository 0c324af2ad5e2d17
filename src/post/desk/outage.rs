/*! An outage: the machine was off, a mailbox could not be read, no letter could be sent.

A player who was late meanwhile was not reminded, and what he wrote may not have reached us. So a deadline that passed
while we were away, or passes soon after, does not count as missed: it is moved to a day after we are back, by a record
that says why, and everybody is told.

Where the clock ticks only now and then, because the machine is off at night or `ringmail time --tick` runs once a day,
no player would ever be late by this rule. So a gap that recurs is the rhythm of the post office, and no outage.

A gap of days may also mean that the clock is wrong. So the clock is doubted, and nothing is dated by it, until a
second clock agrees with it: that of the mail server that has just taken a letter in, and wrote the time above it, or
that of a beacon, whose rounds nobody has before their time. If there is no other clock, ours is believed after an
hour; if another one contradicts it, only once one agrees.
*/

use super::Desk;
use crate::book::fault::PostError;
use ground::disk::version;
use ground::span::Span;
use ground::stamp::Stamp;
use record::fold::Phase;
use record::fold::clock::Countdown;
use std::io;
use std::time::Duration;
use store::drawer::Drawer;

/// The file, in the drawer of the counter, that says when the clock last ticked.
pub const SERVED: &str = "served";
/// The version of that file. Version 1 is not written into it; later ones will be.
const VERSION: u32 = 1;
/// The name of a lock of the counter that lets one process at a time write the file.
const TICKING: &str = "ticking.lock";
/// While `serve` runs, the clock ticks once a minute; a longer gap than this is an outage.
const GAP: Span = Span::hours(1);
/// The time left to answer once we are back: by then a player who reads his mail once a day has seen the letter.
const MADE_UP: Span = Span::days(1);
/// A longer gap than this may be a clock that was wrong for a moment.
const JUMP: Span = Span::days(1);
/// After this time a clock that has jumped is believed, unless it has jumped back or another clock contradicts it.
const DOUBTED: Span = Span::hours(1);
/// The file, in the drawer of the counter, that says when another clock last agreed with ours.
const AGREED: &str = "agreed";
/// The file, in the drawer of the counter, that says when another clock last contradicted ours.
const CONTRADICTED: &str = "contradicted";
/// Two clocks agree if they differ by no more than this: a letter may have waited for a night.
pub const APART: Span = Span::days(1);
/// An outage is remembered this long, because another process may be at work on a game when the clock ticks.
const REMEMBERED: Span = Span::days(2);
/// A gap is the rhythm of the post office if, within `WEEK` before it, there were this many gaps at least half as
/// long.
const RECURS: usize = 2;
/// A week and a day, so that a gap on one weekday still counts on the same weekday a week later.
const WEEK: Span = Span::days(8);
/// Gaps are kept this long: longer than `WEEK`, so that a remembered gap is still judged by the same earlier ones.
const KEPT: Span = Span::days(10);
/// `KEPT` has no room for more gaps of an hour.
const GAPS_MAX: usize = 240;

/// An outage: from the last tick before it to the first after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    pub gone: Stamp,
    pub back: Stamp,
}

/// What the clock shows, compared with what it showed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineClock {
    /// It goes on; with the newest remembered outage.
    Goes(Option<Outage>),
    /// It has jumped ahead, or nobody served for days.
    Jumped(Doubt),
}

/// A gap of days after which the clock is not believed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub gap: Outage,
    /// When, by our clock, another clock last contradicted it.
    pub contradicted: Option<Stamp>,
}

impl Doubt {
    /// When the clock is believed if there is no other one.
    pub fn believed(&self) -> Stamp {
        self.gap.back.later(DOUBTED)
    }

    /// Whether the clock is not believed yet at this time, if no other clock agrees with it.
    pub fn lasts(&self, now: Stamp) -> bool {
        self.contradicted.is_some() || now < self.believed()
    }
}

/// Whether a clock that showed `before` when it last ticked, and shows `now`, is to be doubted.
pub fn is_a_jump(before: Stamp, now: Stamp) -> bool {
    before.later(JUMP) < now
}

/// The last tick, and the two ends of each gap.
fn noted(counter: &Drawer) -> io::Result<Vec<Stamp>> {
    let noted = counter.read_if_there(SERVED)?.unwrap_or_default();
    let noted = String::from_utf8_lossy(&noted);
    version::must_be_known(&noted, VERSION).map_err(|error| counter.about(SERVED, &error))?;
    Ok(noted.split_whitespace().map_while(Stamp::parse).collect())
}

/// Reads what was noted at the counter, and says only whether it can be read.
///
/// # Errors
/// It cannot be read, or a newer program wrote it.
pub fn looked_at(counter: &Drawer) -> io::Result<()> {
    noted(counter).map(drop)
}

/// Notes at the counter, whose drawer must exist, that the clock ticks now.
pub fn attend(counter: &Drawer, now: Stamp) -> io::Result<MachineClock> {
    let gaps = gaps(counter, now)?;
    match counter.lock(TICKING, Duration::ZERO) {
        Ok(_lock) => {
            let words: String = gaps.iter().map(|gap| format!(" {} {}", gap.gone, gap.back)).collect();
            counter.replace(SERVED, format!("{now}{words}\n").as_bytes())?;
        }
        // Another process notes its tick at this moment.
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
        Err(error) => return Err(error),
    }
    Ok(jumped(counter, &gaps, now)?.map_or_else(|| MachineClock::Goes(newest(&gaps, now)), MachineClock::Jumped))
}

/// Whether the clock is doubted, by what is noted at the counter.
pub fn doubted(counter: &Drawer, now: Stamp) -> io::Result<Option<Doubt>> {
    jumped(counter, &gaps(counter, now)?, now)
}

/// The gaps that were noted, and the one that ends now.
fn gaps(counter: &Drawer, now: Stamp) -> io::Result<Vec<Outage>> {
    let noted = noted(counter)?;
    let last = noted.first().copied();
    let pairs = noted.get(1..).unwrap_or_default().chunks_exact(2);
    let mut gaps: Vec<Outage> = pairs.map(|pair| Outage { gone: pair[0], back: pair[1] }).collect();
    gaps.extend(last.filter(|last| last.later(GAP) < now).map(|gone| Outage { gone, back: now }));
    // A gap in the future was noted by a wrong clock.
    gaps.retain(|gap| gap.back <= now && now < gap.back.later(KEPT));
    Ok(gaps.split_off(gaps.len().saturating_sub(GAPS_MAX)))
}

/// The newest outage that is remembered.
fn newest(gaps: &[Outage], now: Stamp) -> Option<Outage> {
    let remembered = |index: &usize| now < gaps[*index].back.later(REMEMBERED);
    let newest = (0..gaps.len()).rev().take_while(remembered).find(|index| !is_rhythm(gaps[*index], &gaps[..*index]));
    newest.map(|index| gaps[index])
}

/// The newest outage that may be a jump of the clock, if it is still in doubt.
fn jumped(counter: &Drawer, gaps: &[Outage], now: Stamp) -> io::Result<Option<Doubt>> {
    let may_be_wrong = |index: &usize| is_a_jump(gaps[*index].gone, gaps[*index].back);
    let jump = (0..gaps.len()).rev().filter(may_be_wrong).find(|index| !is_rhythm(gaps[*index], &gaps[..*index]));
    let Some(gap) = jump.map(|index| gaps[index]) else { return Ok(None) };
    let contradicted = stamp(counter, CONTRADICTED)?.filter(|at| gap.back <= *at && *at <= now);
    let agreed = stamp(counter, AGREED)?.filter(|at| *at <= now);
    let has_agreed = agreed.is_some_and(|at| match contradicted {
        Some(contradicted) => contradicted <= at,
        // An agreement shortly before the end of the gap, by our clock, counts as well.
        None => gap.back <= at.later(GAP),
    });
    let doubt = Doubt { gap, contradicted };
    Ok((!has_agreed && doubt.lasts(now)).then_some(doubt))
}

/// Whether the clock of a mail server, which took a letter at `taken`, agrees with ours; if so, notes that.
pub fn agrees(counter: &Drawer, taken: Stamp, now: Stamp) -> io::Result<bool> {
    if taken.later(APART) < now || now.later(APART) < taken {
        return Ok(false);
    }
    let contradicted = stamp(counter, CONTRADICTED)?;
    if stamp(counter, AGREED)?.is_none_or(|at| at > now || at.later(GAP) < now || contradicted >= Some(at)) {
        agree(counter, now)?;
    }
    Ok(true)
}

/// Notes that another clock agrees with ours now.
pub fn agree(counter: &Drawer, now: Stamp) -> io::Result<()> {
    counter.replace(AGREED, format!("{now}\n").as_bytes())
}

/// Notes that another clock contradicts ours now.
pub fn contradict(counter: &Drawer, now: Stamp) -> io::Result<()> {
    counter.replace(CONTRADICTED, format!("{now}\n").as_bytes())
}

/// The time in a file.
fn stamp(counter: &Drawer, file: &str) -> io::Result<Option<Stamp>> {
    let noted = counter.read_if_there(file)?;
    Ok(noted.and_then(|noted| Stamp::parse(String::from_utf8_lossy(&noted).trim())))
}

/// Whether similar gaps came before this one.
fn is_rhythm(gap: Outage, before: &[Outage]) -> bool {
    let length = |gap: Outage| gap.back.since(gap.gone).as_secs();
    let lately = before.iter().filter(|other| gap.back < other.back.later(WEEK));
    lately.filter(|other| 2 * length(**other) >= length(gap)).count() >= RECURS
}

impl Desk {
    /// Moves the deadline of the open question if it passed during the outage, or passes soon after it.
    pub(super) fn make_up_for(&mut self, outage: Outage, now: Stamp) -> Result<(), PostError> {
        let fold = self.table.fold();
        let is_playing = fold.phase() == Phase::Playing;
        let Some(open) = fold.clock().open().filter(|open| is_playing && open.since() < outage.back) else {
            return Ok(());
        };
        let Some(Countdown::Until { closing, .. }) = fold.countdown() else { return Ok(()) };
        let calendar = fold.calendar_of(open).expect("a question with a deadline has a calendar");
        let until = calendar.after(outage.back, MADE_UP);
        if closing > outage.gone && closing < until && until > now {
            let why = format!("nobody was at the post office from {} to {}", outage.gone, outage.back);
            self.table.move_deadline(until, &why, now)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The newest outage, doubted or not.
    fn newest(clock: MachineClock) -> Option<Outage> {
        match clock {
            MachineClock::Goes(outage) => outage,
            MachineClock::Jumped(doubt) => Some(doubt.gap),
        }
    }

    #[test]
    fn an_outage_is_noticed_and_remembered_for_two_days() {
        let folder = tempfile::tempdir().unwrap();
        let counter = Drawer::from(folder.path());
        let stamp = |day: &str| Stamp::parse(&format!("2026-11-{day}:00Z")).unwrap();
        let attend = |day: &str| super::attend(&counter, stamp(day)).unwrap();
        assert_eq!(attend("20T08:00"), MachineClock::Goes(None));
        assert_eq!(attend("20T09:00"), MachineClock::Goes(None));
        let outage = Outage { gone: stamp("20T09:00"), back: stamp("24T12:00") };
        // After more than a day it might be the clock that is wrong.
        let doubt = Doubt { gap: outage, contradicted: None };
        assert_eq!(attend("24T12:00"), MachineClock::Jumped(doubt));
        assert_eq!(attend("24T12:59"), MachineClock::Jumped(doubt));
        assert_eq!(attend("24T13:00"), MachineClock::Goes(Some(outage)));
        let shorter = Outage { gone: stamp("24T13:00"), back: stamp("24T14:01") };
        assert_eq!(attend("24T14:01"), MachineClock::Goes(Some(shorter)));
        fs::write(folder.path().join(SERVED), "rubbish").unwrap();
        assert_eq!(attend("30T08:00"), MachineClock::Goes(None));
    }

    /// `ringmail time --tick` beside `serve`, in the same moment.
    #[test]
    fn i3_two_clocks_that_tick_at_once_do_not_disturb_one_another() {
        let folder = tempfile::tempdir().unwrap();
        let now = Stamp::parse("2026-11-20T08:00:00Z").unwrap();
        std::thread::scope(|scope| {
            let tick = || {
                (0..20).for_each(|_| {
                    assert_eq!(attend(&Drawer::from(folder.path()), now).unwrap(), MachineClock::Goes(None))
                })
            };
            (0..4).for_each(|_| drop(scope.spawn(tick)));
        });
        assert_eq!(fs::read_to_string(folder.path().join(SERVED)).unwrap(), "2026-11-20T08:00:00Z\n");
    }

    /// The clock shows a day four days later: is it right? A mail server that takes a letter has another.
    #[test]
    fn a_second_clock_decides_whether_the_first_has_jumped() {
        let folder = tempfile::tempdir().unwrap();
        let stamp = |day: &str| Stamp::parse(&format!("2026-11-{day}:00Z")).unwrap();
        let attend = |at: &str| super::attend(&Drawer::from(folder.path()), stamp(at)).unwrap();
        let is_doubted = |at: &str| matches!(attend(at), MachineClock::Jumped(_));
        let agrees =
            |taken: &str, at: &str| super::agrees(&Drawer::from(folder.path()), stamp(taken), stamp(at)).unwrap();
        assert!(!is_doubted("20T08:00"));
        assert!(is_doubted("24T08:00") && is_doubted("24T08:30"));
        // A letter that has waited since before proves nothing.
        assert!(!agrees("20T09:00", "24T08:31") && is_doubted("24T08:32"));
        assert!(agrees("24T07:00", "24T08:33") && !is_doubted("24T08:34"));
        // Without a letter it is believed after an hour; what agreed before the jump says nothing of it.
        assert!(is_doubted("28T08:00") && is_doubted("28T08:59") && !is_doubted("28T09:00"));
    }

    /// A clock that is contradicted is not believed because time passes by itself.
    #[test]
    fn a_clock_that_is_contradicted_is_doubted_until_it_is_right() {
        let folder = tempfile::tempdir().unwrap();
        let stamp = |day: &str| Stamp::parse(&format!("2026-11-{day}:00Z")).unwrap();
        let is_doubted = |at: &str| {
            matches!(super::attend(&Drawer::from(folder.path()), stamp(at)).unwrap(), MachineClock::Jumped(_))
        };
        assert!(!is_doubted("01T08:00") && is_doubted("05T08:00"));
        for hour in 9..24 {
            contradict(&Drawer::from(folder.path()), stamp(&format!("05T{hour:02}:00"))).unwrap();
            assert!(is_doubted(&format!("05T{hour:02}:30")));
        }
        // Not even days later, and after a stop.
        assert!(is_doubted("08T08:30"));
        agree(&Drawer::from(folder.path()), stamp("08T09:20")).unwrap();
        assert!(!is_doubted("08T09:30"));
        // Set right, it goes on.
        contradict(&Drawer::from(folder.path()), stamp("08T09:40")).unwrap();
        assert!(!is_doubted("01T08:10"));
    }

    /// A machine that is off at night, from Wednesday on, and then for four days.
    #[test]
    fn what_happens_again_and_again_is_no_outage() {
        let folder = tempfile::tempdir().unwrap();
        let attend = |at: &str| {
            newest(
                super::attend(&Drawer::from(folder.path()), Stamp::parse(&format!("2026-11-{at}:00:00Z")).unwrap())
                    .unwrap(),
            )
        };
        let day = |day: u32| {
            let morning = attend(&format!("{day}T07"));
            for hour in 8..23 {
                assert_eq!(attend(&format!("{day}T{hour:02}")), morning);
            }
            morning.map(|outage| outage.back.to_string())
        };
        assert_eq!(day(10), None);
        assert_eq!(day(11).unwrap(), "2026-11-11T07:00:00Z");
        assert_eq!(day(12).unwrap(), "2026-11-12T07:00:00Z");
        // The night before the last is still remembered.
        assert_eq!(day(13).unwrap(), "2026-11-12T07:00:00Z");
        assert_eq!(day(14), None);
        assert_eq!(day(15), None);
        assert_eq!(day(19).unwrap(), "2026-11-19T07:00:00Z");
        assert_eq!(day(20).unwrap(), "2026-11-19T07:00:00Z");
        assert_eq!(day(21), None);
    }

    /// The clock jumps ahead for a moment: what it noted then is not believed afterwards.
    #[test]
    fn an_outage_that_is_yet_to_come_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let attend = |at: &str| super::attend(&Drawer::from(folder.path()), Stamp::parse(at).unwrap()).unwrap();
        assert_eq!(attend("2026-11-20T08:00:00Z"), MachineClock::Goes(None));
        assert!(matches!(attend("2027-11-20T08:00:00Z"), MachineClock::Jumped(_)));
        assert!(matches!(attend("2027-11-20T08:00:06Z"), MachineClock::Jumped(_)));
        assert_eq!(attend("2026-11-20T08:02:00Z"), MachineClock::Goes(None));
        assert_eq!(attend("2026-11-20T08:03:00Z"), MachineClock::Goes(None));
    }
}
