//! Reading from a database. Each function makes one query.

use super::Inner;
use super::kept::File;
use super::spot::{Body, FRONT, Spot};
use ground::files::{DEAD, OUTBOX};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::time::SystemTime;
use store::home::{FileKind, Found, Seen, Surveyed};
use tokio_postgres::Row;

/// The number of records that are read at a time from a long log.
const RECORDS_AT_ONCE: i64 = 256;

impl Inner {
    /// The files of a drawer that are in none of its folders, by their marks.
    pub(super) fn small_files(&self, drawer: &str) -> io::Result<BTreeMap<Vec<u8>, File>> {
        let sql = "select length, changed, version, mark, body from ~file where drawer = $1 and folder = ''";
        let rows = self.pool.read(|connection| connection.query(sql, &[&drawer]))?;
        rows.iter().map(|row| Ok((row.get(3), (seen(row)?, row.get(4))))).collect()
    }

    /// The bytes of a file.
    pub(super) fn bytes(&self, spot: Spot<'_>) -> io::Result<Vec<u8>> {
        if let Some(kept) = self.kept(spot)? {
            let (_, sealed) = kept.ok_or(io::ErrorKind::NotFound)?;
            return spot.open(self, &sealed);
        }
        let sql = match spot.body {
            Body::Row => {
                format!("select {} from {} where {}", spot.column("body"), spot.table(), spot.is_here([1, 2, 3]))
            }
            Body::Records => rows_of(spot, "record"),
            Body::Pieces => rows_of(spot, "piece"),
        };
        let mark = spot.mark(self);
        let rows = self.pool.read(|connection| connection.query(&sql, &[&spot.drawer, &spot.folder, &mark]))?;
        let Some(first) = rows.first() else { return Err(io::ErrorKind::NotFound.into()) };
        if spot.body == Body::Row {
            return spot.open(self, first.get::<_, Option<&[u8]>>(0).unwrap_or_default());
        }
        let mut bytes = Vec::new();
        for row in &rows {
            // An empty file has a row without a piece.
            let Some(starts) = row.get::<_, Option<i64>>(0) else { continue };
            let part: &[u8] = row.get(1);
            match spot.body {
                Body::Pieces => bytes.extend(spot.open_piece(self, starts, part)?),
                Body::Row | Body::Records => bytes.extend_from_slice(part),
            }
        }
        Ok(bytes)
    }

    /// How a file looks.
    pub(super) fn look(&self, spot: Spot<'_>) -> io::Result<Seen> {
        if let Some(kept) = self.kept(spot)? {
            return Ok(kept.ok_or(io::ErrorKind::NotFound)?.0);
        }
        let columns = spot.columns(&["length", "changed", "version"]);
        let sql = format!("select {columns} from {} where {}", spot.table(), spot.is_here([1, 2, 3]));
        let mark = spot.mark(self);
        let row = self.pool.read(|connection| connection.row(&sql, &[&spot.drawer, &spot.folder, &mark]))?;
        let row = row.ok_or(io::ErrorKind::NotFound)?;
        seen(&row)
    }

    /// Which of these files, each a row of its own, are there.
    pub(super) fn which(&self, drawer: &str, files: &[String]) -> io::Result<Vec<usize>> {
        let spots: Vec<Spot<'_>> = files.iter().map(|file| Spot::of(drawer, file)).collect();
        let (folders, marks): (Vec<&str>, Vec<Vec<u8>>) =
            spots.iter().map(|spot| (spot.folder, spot.mark(self))).unzip();
        let sql = "select folder, mark from ~file where drawer = $1 and folder = any($2) and mark = any($3)";
        let given = (&folders[..], &marks[..]);
        let rows = self.pool.read(|connection| connection.query(sql, &[&drawer, &given.0, &given.1]))?;
        let is_there = |place: &usize| {
            rows.iter().any(|row| row.get::<_, &str>(0) == folders[*place] && row.get::<_, &[u8]>(1) == marks[*place])
        };
        Ok((0..files.len()).filter(is_there).collect())
    }

    /// What is in a folder, with the folders in it.
    pub(super) fn list(&self, drawer: &str, folder: &str) -> io::Result<Vec<Found>> {
        let front = FRONT.map(|(name, columns, _)| {
            format!(
                "union all select '{name}', null, null, {columns}length, {columns}changed from ~drawer
                where name = $1 and $2 = '' and {columns}version is not null"
            )
        });
        let files = format!(
            "select null::text, mark, sealed_name, length, changed from ~file where drawer = $1 and folder = $2
            union all select folder, null, null, null, max(changed) from ~file
                where drawer = $1 and folder <> $2 and left(folder, $3) = $4 group by folder {}",
            front.join(" ")
        );
        let above = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let length_above = i32::try_from(above.chars().count()).unwrap_or(i32::MAX);
        let rows = self.pool.read(|connection| connection.query(&files, &[&drawer, &folder, &length_above, &above]))?;
        let mut all: Vec<Found> = Vec::new();
        for row in &rows {
            let (name, length) = (row.get::<_, Option<&str>>(0), row.get::<_, Option<i64>>(3));
            let name = match (name, length) {
                (None, _) => self.name(drawer, row.get(1), row.get(2))?,
                (Some(front), Some(_)) => front.to_owned(),
                (Some(below), None) => below[above.len()..].split('/').next().unwrap_or_default().to_owned(),
            };
            let kind = if length.is_some() { FileKind::File } else { FileKind::Folder };
            all.push(Found { name, length: length.unwrap_or(0).unsigned_abs(), changed: time(row, 4)?, kind });
        }
        all.sort_by(|one, other| (&one.name, other.changed).cmp(&(&other.name, one.changed)));
        all.dedup_by(|one, other| one.name == other.name);
        Ok(all)
    }

    /// The names of all drawers.
    pub(super) fn drawers(&self) -> io::Result<Vec<String>> {
        let rows = self.pool.read(|connection| connection.query("select name from ~drawer where name <> ''", &[]))?;
        Ok(sorted(&rows))
    }

    /// The names of the drawers with a file.
    pub(super) fn drawers_with(&self, file: &str) -> io::Result<Vec<String>> {
        let spot = Spot::of("", file);
        let sql = match spot.front {
            None => "select drawer from ~file where folder = $1 and mark = $2 and drawer <> ''".to_owned(),
            Some(columns) => format!(
                "select name from ~drawer
                    where $1 = '' and $2::bytea is not null and name <> '' and {columns}version is not null"
            ),
        };
        let mark = spot.mark(self);
        let rows = self.pool.read(|connection| connection.query(&sql, &[&spot.folder, &mark]))?;
        Ok(sorted(&rows))
    }

    /// A short file of every drawer, and how long two others are.
    pub(super) fn survey(&self, note: &str, lengths: [&str; 2]) -> io::Result<Vec<Surveyed>> {
        let [one, other] = lengths.map(|file| Spot::of("", file));
        let (mut columns, mut joins) = (Vec::new(), String::new());
        let asked = [(Spot::of("", note), "body"), (one, "length"), (other, "length")];
        for (number, (spot, column)) in (1..).zip(asked) {
            if spot.front.is_some() {
                columns.push(format!("d.{}", spot.column(column)));
                continue;
            }
            columns.push(format!("f{number}.{column}"));
            joins += &format!(
                " left join ~file f{number} on f{number}.drawer = d.name and f{number}.folder = ($1::text[])[{number}]
                    and f{number}.mark = ($2::bytea[])[{number}]"
            );
        }
        let sql = format!(
            "select d.name, {} from ~drawer d{joins}
                where d.name <> '' and $1::text[] is not null and $2::bytea[] is not null",
            columns.join(", ")
        );
        let (folders, marks) = (asked.map(|(spot, _)| spot.folder), asked.map(|(spot, _)| spot.mark(self)));
        let given = (&folders[..], &marks[..]);
        let rows = self.pool.read(|connection| connection.query(&sql, &[&given.0, &given.1]))?;
        let surveyed = rows.iter().map(|row| {
            let drawer: String = row.get(0);
            let sealed: Option<&[u8]> = row.get(1);
            let text = sealed.and_then(|sealed| Spot::of(&drawer, note).open(self, sealed).ok());
            let note = text.and_then(|text| String::from_utf8(text).ok());
            let lengths = [2, 3].map(|column| row.get::<_, Option<i64>>(column).map(i64::unsigned_abs));
            Surveyed { drawer, note, lengths }
        });
        let mut all: Vec<Surveyed> = surveyed.collect();
        all.sort_unstable_by(|one, other| one.drawer.cmp(&other.drawer));
        Ok(all)
    }

    /// The files in the folders of this name in all drawers.
    pub(super) fn everywhere(&self, folder: &str) -> io::Result<Vec<(String, Found)>> {
        // With this condition the database sees that it can use the index of what waits.
        let waiting = if [OUTBOX, DEAD].contains(&folder) { " and folder in ('outbox', 'dead')" } else { "" };
        let sql = format!(
            "select drawer, mark, sealed_name, length, changed from ~file
                where folder = $1{waiting} and drawer <> ''"
        );
        let rows = self.pool.read(|connection| connection.query(&sql, &[&folder]))?;
        let mut all = Vec::new();
        for row in &rows {
            let drawer: String = row.get(0);
            // Listing a drawer reports what is wrong with it.
            let Ok(name) = self.name(&drawer, row.get(1), row.get(2)) else { continue };
            let found = Found { name, length: length(row, 3), changed: time(row, 4)?, kind: FileKind::File };
            all.push((drawer, found));
        }
        all.sort_by(|one, other| (&one.0, &one.1.name).cmp(&(&other.0, &other.1.name)));
        Ok(all)
    }
}

/// A file from an offset on. A long log is read in parts: while somebody reads it, only records are added.
pub(super) fn stream(inner: &Arc<Inner>, drawer: &str, file: &str, start: u64) -> io::Result<Box<dyn Read + Send>> {
    let spot = Spot::of(drawer, file);
    if spot.body != Body::Records {
        let mut bytes = inner.bytes(spot)?;
        let start = usize::try_from(start).map_or(bytes.len(), |start| start.min(bytes.len()));
        bytes.drain(..start);
        return Ok(Box::new(Cursor::new(bytes)));
    }
    let mut reading = Reading {
        inner: inner.clone(),
        drawer: drawer.to_owned(),
        at: i64::try_from(start).unwrap_or(i64::MAX),
        part: Cursor::new(Vec::new()),
        is_over: false,
    };
    // Reads at once, to report a log that is missing.
    reading.more(true)?;
    Ok(Box::new(reading))
}

/// A log that is being read.
struct Reading {
    inner: Arc<Inner>,
    drawer: String,
    /// Where the next part begins.
    at: i64,
    part: Cursor<Vec<u8>>,
    is_over: bool,
}

impl Reading {
    /// Reads the next records.
    fn more(&mut self, is_first: bool) -> io::Result<()> {
        // The first record is the one in which the offset lies.
        let sql = "select r.starts, r.bytes from ~drawer d left join ~record r on r.drawer = d.name and r.starts >=
                coalesce((select max(starts) from ~record where drawer = $1 and starts <= $2), 0)
            where d.name = $1 and d.log_version is not null order by r.starts limit $3";
        let given = (&self.drawer, self.at);
        let pool = &self.inner.pool;
        let rows = pool.read(|connection| connection.query(sql, &[given.0, &given.1, &RECORDS_AT_ONCE]))?;
        if rows.is_empty() && is_first {
            return Err(io::ErrorKind::NotFound.into());
        }
        let mut bytes = Vec::new();
        for row in &rows {
            let Some(starts) = row.get::<_, Option<i64>>(0) else { continue };
            let record: &[u8] = row.get(1);
            let passed = usize::try_from(self.at - starts).map_err(|_| replaced())?;
            let record = record.get(passed..).unwrap_or_default();
            bytes.extend_from_slice(record);
            self.at += i64::try_from(record.len()).map_err(|_| replaced())?;
        }
        self.is_over = bytes.is_empty();
        self.part = Cursor::new(bytes);
        Ok(())
    }
}

impl Read for Reading {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.part.read(into)?;
        if read > 0 || self.is_over || into.is_empty() {
            return Ok(read);
        }
        self.more(false)?;
        self.part.read(into)
    }
}

fn replaced() -> io::Error {
    io::Error::other("it was replaced while it was read")
}

/// The query for the rows of a file that has its own; an empty file gives one row of nulls.
fn rows_of(spot: Spot<'_>, table: &str) -> String {
    let is_here = spot.is_here([1, 2, 3]);
    format!(
        "select b.starts, b.bytes from (select name from ~drawer where {is_here}) d
            left join ~{table} b on b.drawer = d.name order by b.starts"
    )
}

/// How a file looks, by the first three columns of a row: its length, when it was changed, and its version.
fn seen(row: &Row) -> io::Result<Seen> {
    Ok(Seen { length: length(row, 0), changed: time(row, 1)?, identity: [row.get(2), 0, 0] })
}

fn sorted(rows: &[Row]) -> Vec<String> {
    let mut names: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    names.sort_unstable();
    names
}

fn length(row: &Row, column: usize) -> u64 {
    row.get::<_, i64>(column).unsigned_abs()
}

fn time(row: &Row, column: usize) -> io::Result<Timestamp> {
    Timestamp::try_from(row.get::<_, SystemTime>(column)).map_err(io::Error::other)
}
