/*! Letters that came in, until a worker has received them: a queue that all workers share.

A letter that is taken keeps its place, put off by the length of a lease that is renewed while its worker lives. So
nobody takes a later letter of its game meanwhile, and if the worker dies, another one takes this letter.
*/

use super::Inner;
use super::lease;
use super::pool::Parameter;
use ground::disk::mishap;
use jiff::Timestamp;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use store::home::{LetterTaken, LetterWaiting, QueueIn};

/// The message to watchers when a letter has come in.
pub(super) const LETTER_IN: &str = "in";
/// The place to which a letter in the queue is sealed.
const PLACE: [&str; 1] = ["letter in"];

pub(super) fn hand_in(inner: &Inner, letter: &LetterWaiting) -> io::Result<()> {
    let mark = inner.seal.mark(&letter.raw);
    // The name is sealed too: it may say whose mailbox the letter came from.
    let length = u32::try_from(letter.name.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    let bytes = [&length.to_be_bytes(), letter.name.as_bytes(), &letter.raw].concat();
    let sealed = inner.seal.seal(&PLACE, &bytes)?;
    let is_told = inner.listens();
    let told = if is_told { ", (select count(*) from pg_notify($5, $6))" } else { "" };
    let sql = format!(
        "with given as (insert into ~letter_in (mark, game, is_old, came, ready, epoch, tries, body)
            values ($1, $2, $3, clock_timestamp(), clock_timestamp(), 0, 0, $4)
            on conflict (mark) do nothing returning 1)
        select count(*){told} from given"
    );
    mishap::strike()?;
    inner.pool.write(|connection| {
        let given: [&dyn Parameter; 6] = [&mark, &letter.game, &letter.is_old, &sealed, &inner.channel, &LETTER_IN];
        connection.query(&sql, if is_told { &given[..] } else { &given[..4] })?;
        Ok(())
    })
}

pub(super) fn take(inner: &Arc<Inner>) -> io::Result<Option<LetterTaken>> {
    let sql = "with next as (select id from ~letter_in as l where ready <= clock_timestamp()
            and not exists (select 1 from ~letter_in as e where e.game = l.game and e.id < l.id)
            order by id limit 1 for update of l skip locked)
        update ~letter_in as l set ready = clock_timestamp() + $1 * interval '1 millisecond',
            tries = l.tries + 1, epoch = nextval('~epoch')
        from next where l.id = next.id returning l.id, l.game, l.is_old, l.tries, l.epoch, l.body";
    mishap::strike()?;
    let row = inner.pool.write(|connection| connection.row(sql, &[&inner.leases.milliseconds()]))?;
    let Some(row) = row else { return Ok(None) };
    let id: i64 = row.get(0);
    let bytes = inner.seal.open(&PLACE, row.get(5))?;
    let (name, raw) = parted(&bytes).ok_or(io::ErrorKind::InvalidData)?;
    let letter = LetterWaiting { name, raw, is_old: row.get(2), game: row.get(1) };
    lease::begin(inner);
    inner.leases.hold_letter(id, row.get(4));
    let tries = row.get::<_, i32>(3).unsigned_abs();
    Ok(Some(LetterTaken { id, letter, tries: tries.saturating_sub(1) }))
}

pub(super) fn received(inner: &Inner, id: i64) -> io::Result<()> {
    mishap::strike()?;
    inner.leases.leave_letter(id);
    inner.pool.write(|connection| connection.query("delete from ~letter_in where id = $1", &[&id]).map(|_| ()))
}

/// Puts a letter off; `more` is what the statement sets besides.
pub(super) fn put_off(inner: &Inner, id: i64, wait: Duration, more: &str) -> io::Result<()> {
    let sql = format!(
        "update ~letter_in set ready = clock_timestamp() + $2 * interval '1 millisecond',
        tries = greatest(tries - 1, 0), epoch = 0{more} where id = $1"
    );
    let wait = wait.as_secs_f64() * 1000.0;
    mishap::strike()?;
    inner.leases.leave_letter(id);
    inner.pool.write(|connection| connection.query(&sql, &[&id, &wait]).map(|_| ()))
}

pub(super) fn queue_in(inner: &Inner) -> io::Result<QueueIn> {
    let row = inner.pool.read(|connection| connection.row("select count(*), min(came) from ~letter_in", &[]))?;
    let Some(row) = row else { return Ok(QueueIn::default()) };
    let oldest: Option<SystemTime> = row.get(1);
    let oldest = oldest.map(Timestamp::try_from).transpose().map_err(io::Error::other)?;
    Ok(QueueIn { waiting: row.get::<_, i64>(0).unsigned_abs(), oldest })
}

/// The name and the bytes of a letter.
fn parted(bytes: &[u8]) -> Option<(String, Vec<u8>)> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (name, raw) = rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
    Some((String::from_utf8(name.to_vec()).ok()?, raw.to_vec()))
}
