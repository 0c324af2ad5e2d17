/*! Files that are appended to. An append is one statement, and conditional: it adds its rows only if the file still
ends as this appender knows it, a log with the same record and a book with the same change, and if the leases are
still ours. If two append to one file, exactly one succeeds, and the other gets an error.
*/

use super::Inner;
use super::lease::{HELD, IS_HELD};
use super::pool::Parameter;
use super::record::Head;
use super::spot::{Body, Spot};
use super::writing::as_length;
use ground::disk::mishap;
use ground::disk::place::about;
use std::sync::Arc;
use std::{fmt, io};
use store::home::{Appender, Begin};

/// A file that is open to be appended to.
struct Appending {
    inner: Arc<Inner>,
    drawer: String,
    file: String,
    end: End,
    /// The contents of a small file, which every append writes again.
    whole: Vec<u8>,
    has_failed: bool,
}

/// How a file ends.
#[derive(Clone, Debug)]
struct End {
    length: i64,
    version: i64,
    head: Head,
}

impl fmt::Debug for Appending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Appending").field("file", &self.inner.place(&self.drawer, &self.file)).finish_non_exhaustive()
    }
}

/// Opens a file to append to it.
pub(super) fn appender(inner: &Arc<Inner>, drawer: &str, file: &str, begin: Begin) -> io::Result<Box<dyn Appender>> {
    let spot = Spot::of(drawer, file);
    match begin {
        Begin::There => {}
        Begin::Openly => inner.create(spot, b"")?,
        Begin::Privately => match end(inner, spot) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match inner.create(spot, b"") {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => created?,
            },
            found => drop(found?),
        },
    }
    let whole = if spot.body == Body::Row { inner.bytes(spot)? } else { Vec::new() };
    let end = end(inner, spot)?;
    let (drawer, file) = (drawer.to_owned(), file.to_owned());
    Ok(Box::new(Appending { inner: inner.clone(), drawer, file, end, whole, has_failed: false }))
}

/// How a file ends now.
fn end(inner: &Inner, spot: Spot<'_>) -> io::Result<End> {
    let head =
        if spot.front.is_some() { spot.columns(&["seq", "hash"]) } else { "null::bigint, null::bytea".to_owned() };
    let columns = spot.columns(&["length", "version"]);
    let sql = format!("select {columns}, {head} from {} where {}", spot.table(), spot.is_here([1, 2, 3]));
    let mark = spot.mark(inner);
    let row = inner.pool.read(|connection| connection.row(&sql, &[&spot.drawer, &spot.folder, &mark]))?;
    let row = row.ok_or(io::ErrorKind::NotFound)?;
    Ok(End { length: row.get(0), version: row.get(1), head: Head { seq: row.get(2), hash: row.get(3) } })
}

impl Appending {
    /// Adds rows, if the file ends as it is known here, and notes its new end.
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        let spot = Spot::of(&self.drawer, &self.file);
        let added = as_length(bytes.len())?;
        if spot.body == Body::Row {
            let whole = [self.whole.as_slice(), bytes].concat();
            return self.write_anew(whole);
        }
        let rows = self.inner.rows(spot, self.end.length, &self.end.head, bytes)?;
        let fence = self.inner.fence(&self.drawer)?;
        let (known, head) = (&self.end, &rows.head);
        let common: [&dyn Parameter; 5] = [&self.drawer, &fence.epochs, &fence.count, &added, &known.length];
        let (sql, own): (_, Vec<&dyn Parameter>) = match spot.body {
            Body::Records => (
                format!(
                    "{HELD}, head as (update ~drawer set log_length = log_length + $4, log_changed = clock_timestamp(),
                        log_version = nextval('~change'), log_seq = $6, log_hash = $7
                        where name = $1 and log_length = $5 and log_seq is not distinct from $8
                            and log_hash is not distinct from $9 and {IS_HELD}
                        returning log_version),
                    given as (insert into ~record (drawer, starts, seq, hash, bytes)
                        select $1, t.starts, t.seq, t.hash, t.bytes from head,
                            unnest($10::bigint[], $11::bigint[], $12::bytea[], $13::bytea[])
                            as t (starts, seq, hash, bytes) returning 1)
                    select log_version, (select count(*) from given) from head"
                ),
                vec![
                    &head.seq,
                    &head.hash,
                    &known.head.seq,
                    &known.head.hash,
                    &rows.starts,
                    &rows.seqs,
                    &rows.hashes,
                    &rows.bodies,
                ],
            ),
            Body::Row | Body::Pieces => (
                format!(
                    "{HELD}, head as (update ~drawer set book_length = book_length + $4,
                        book_changed = clock_timestamp(), book_version = nextval('~change')
                        where name = $1 and book_length = $5 and book_version = $6 and {IS_HELD}
                        returning book_version),
                    given as (insert into ~piece (drawer, starts, bytes) select $1, t.starts, t.bytes from head,
                        unnest($7::bigint[], $8::bytea[]) as t (starts, bytes) returning 1)
                    select book_version, (select count(*) from given) from head"
                ),
                vec![&known.version, &rows.starts, &rows.bodies],
            ),
        };
        let given: Vec<&dyn Parameter> = common.into_iter().chain(own).collect();
        let row = self.inner.pool.write(|connection| connection.row(&sql, &given))?;
        let Some(version) = row.map(|row| row.get(0)) else {
            return Err(self.inner.refused(&self.drawer, &fence)?.unwrap_or_else(written_by_others));
        };
        self.end = End { length: known.length + added, version, head: rows.head };
        Ok(())
    }

    /// Writes a small file again, if nobody else has.
    fn write_anew(&mut self, whole: Vec<u8>) -> io::Result<()> {
        let spot = Spot::of(&self.drawer, &self.file);
        let (sealed, length) = (spot.seal(&self.inner, &whole)?, as_length(whole.len())?);
        let (mark, fence) = (spot.mark(&self.inner), self.inner.fence(&self.drawer)?);
        let columns = spot.columns(&["length", "changed", "version", "body"]);
        let (is_here, version) = (spot.is_here([1, 4, 5]), spot.column("version"));
        let sql = format!(
            "{HELD} update {} set ({columns}) = ($6::bigint, clock_timestamp(), nextval('~change'), $7::bytea)
                where {is_here} and {version} = $8 and {IS_HELD} returning {version}",
            spot.table()
        );
        let row = self.inner.pool.write(|connection| {
            let given: [&dyn Parameter; 8] =
                [&self.drawer, &fence.epochs, &fence.count, &spot.folder, &mark, &length, &sealed, &self.end.version];
            connection.row(&sql, &given)
        })?;
        let Some(version) = row.map(|row| row.get(0)) else {
            return Err(self.inner.refused(&self.drawer, &fence)?.unwrap_or_else(written_by_others));
        };
        self.whole = whole;
        self.end = End { length, version, head: Head::default() };
        Ok(())
    }

    /// Cuts rows off, if nobody else has written.
    fn cut(&mut self, length: i64) -> io::Result<()> {
        let spot = Spot::of(&self.drawer, &self.file);
        let bytes = self.inner.bytes(spot)?;
        let kept = bytes.get(..usize::try_from(length).unwrap_or(usize::MAX)).ok_or(io::ErrorKind::InvalidInput)?;
        if spot.body == Body::Row {
            return self.write_anew(kept.to_vec());
        }
        let table = if spot.body == Body::Records { "record" } else { "piece" };
        let fence = self.inner.fence(&self.drawer)?;
        let cut = self.inner.pool.write(|connection| {
            connection.together(|connection| {
                fence.must_hold(connection, spot.drawer)?;
                let version = spot.column("version");
                let found =
                    format!("select {version} from ~drawer where name = $1 and {version} is not null for update");
                let found = connection.row(&found, &[&spot.drawer])?;
                if found.map(|row| row.get(0)) != Some(self.end.version) {
                    return Err(written_by_others().into());
                }
                // The row that the cut goes through is written again.
                let last = format!("select max(starts) from ~{table} where drawer = $1 and starts <= $2");
                let last = connection.row(&last, &[&spot.drawer, &length])?.and_then(|row| row.get(0)).unwrap_or(0);
                let delete = format!("delete from ~{table} where drawer = $1 and starts >= $2");
                connection.query(&delete, &[&spot.drawer, &last])?;
                let before = "select seq, hash from ~record where drawer = $1 order by starts desc limit 1";
                let before = connection.row(before, &[&spot.drawer])?;
                let before = before.map_or_else(Head::default, |row| Head { seq: row.get(0), hash: row.get(1) });
                let from = usize::try_from(last).unwrap_or(usize::MAX);
                let rows = self.inner.rows(spot, last, &before, kept.get(from..).unwrap_or_default())?;
                rows.insert(connection, spot)?;
                let head = if spot.body == Body::Records { rows.head } else { Head::default() };
                let columns = spot.columns(&["length", "changed", "version", "seq", "hash"]);
                let set = format!(
                    "update ~drawer set ({columns}) =
                        ($2::bigint, clock_timestamp(), nextval('~change'), $3::bigint, $4::bytea)
                        where name = $1 returning {version}"
                );
                let given: [&dyn Parameter; 4] = [&spot.drawer, &length, &head.seq, &head.hash];
                let row = connection.row(&set, &given)?;
                let version = row.map(|row| row.get(0)).ok_or_else(written_by_others)?;
                Ok(End { length, version, head })
            })
        })?;
        self.end = cut;
        Ok(())
    }

    fn told(&self, error: &io::Error) -> io::Error {
        about(&self.inner.place(&self.drawer, &self.file), error)
    }
}

impl Appender for Appending {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        mishap::strike()?;
        if self.has_failed {
            return Err(self.told(&written_by_others()));
        }
        if bytes.is_empty() {
            return Ok(());
        }
        let added = self.add(bytes);
        // It may be unknown whether it was written: the file must be opened again.
        self.has_failed = added.is_err();
        added.map_err(|error| self.told(&error))
    }

    fn sync(&mut self) -> io::Result<()> {
        // An append returns only when the database has written it down.
        mishap::strike()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        mishap::strike()?;
        let length = i64::try_from(length).map_err(|_| self.told(&io::ErrorKind::InvalidInput.into()))?;
        let spot = Spot::of(&self.drawer, &self.file);
        let found = end(&self.inner, spot).map_err(|error| self.told(&error))?;
        if (found.version, found.length) == (self.end.version, length) {
            // The append that failed was not written.
            self.has_failed = false;
            return Ok(());
        }
        self.cut(length).map_err(|error| self.told(&error))?;
        self.has_failed = false;
        Ok(())
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.end.length.unsigned_abs())
    }
}

/// The error for the one that comes second.
fn written_by_others() -> io::Error {
    io::Error::other("others have written to it since it was opened: open it again")
}
