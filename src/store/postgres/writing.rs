/*! Writing into a database, file by file.

Every statement that writes also checks that the leases under which it writes are still ours, and before each one the
tests can let the power fail. Most functions are one statement.
*/

use super::Inner;
use super::failing::Stop;
use super::lease::{Fence, HELD, IS_HELD, taken_over};
use super::pool::{Connection, Parameter, Pool};
use super::record::{Head, split};
use super::spot::{Body, Label, Spot};
use ground::disk::mishap;
use ground::files::OUTBOX;
use std::io;
use std::time::SystemTime;
use store::home::Care;

/// The most bytes that one statement writes, if there are several files.
const AT_ONCE: usize = 8 << 20;

impl Inner {
    /// Puts files into a folder, replacing older ones.
    pub(super) fn put(&self, drawer: &str, folder: &str, files: &[(&str, &[u8])], care: Care) -> io::Result<()> {
        if folder.is_empty() {
            return files.iter().try_for_each(|file| self.put_one(drawer, *file, care));
        }
        let mut rest = files;
        while !rest.is_empty() {
            let (mut bytes, mut count) = (0, 0);
            for (name, next) in rest {
                let is_twice = rest[..count].iter().any(|(other, _)| other == name);
                if count > 0 && (is_twice || bytes + next.len() > AT_ONCE) {
                    break;
                }
                bytes += next.len();
                count += 1;
            }
            let (now, later) = rest.split_at(count);
            self.put_rows(drawer, folder, now, care)?;
            rest = later;
        }
        Ok(())
    }

    /// Puts one file that is in no folder, replacing an older one.
    fn put_one(&self, drawer: &str, (name, bytes): (&str, &[u8]), care: Care) -> io::Result<()> {
        let spot = Spot::of(drawer, name);
        match spot.body {
            Body::Row if spot.front.is_none() => self.put_rows(drawer, spot.folder, &[(name, bytes)], care),
            Body::Row => {
                if self.set(spot, bytes, true, care)? {
                    Ok(())
                } else {
                    Err(self.refused(spot.drawer, &self.fence(spot.drawer)?)?.unwrap_or_else(unwritten))
                }
            }
            Body::Records | Body::Pieces => self.put_whole(spot, bytes, true),
        }
    }

    /// Puts files that have their contents in their rows, by one statement.
    fn put_rows(&self, drawer: &str, folder: &str, files: &[(&str, &[u8])], care: Care) -> io::Result<()> {
        let (mut marks, mut names, mut lengths, mut bodies) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (name, bytes) in files {
            let spot = Spot::within(drawer, folder, name);
            let label = spot.label(self)?;
            marks.push(label.mark);
            names.push(label.name);
            lengths.push(as_length(bytes.len())?);
            bodies.push(spot.seal(self, bytes)?);
        }
        // The same statement notifies the watchers.
        let is_told = folder == OUTBOX && self.listens();
        let told = if is_told { ", (select count(*) from pg_notify($9, $10))" } else { "" };
        let loose = self.loose(care);
        let sql = format!(
            "{HELD}, given as (insert into ~file (drawer, folder, mark, sealed_name, length, changed, version, body)
                select $1, $4, t.mark, t.name, t.length, clock_timestamp(), nextval('~change'), t.body
                from unnest($5::bytea[], $6::bytea[], $7::bigint[], $8::bytea[]) as t (mark, name, length, body)
                where {IS_HELD} and exists (select 1 from ~drawer where name = $1)
                on conflict (drawer, folder, mark) do update set sealed_name = excluded.sealed_name,
                    length = excluded.length, changed = excluded.changed, version = excluded.version,
                    body = excluded.body returning 1)
            select count(*){told}{loose} from given"
        );
        let message = format!("{OUTBOX} {drawer}");
        let put = |fence: &Fence| {
            mishap::strike()?;
            self.pool.write(|connection| {
                let given: [&dyn Parameter; 10] = [
                    &drawer,
                    &fence.epochs,
                    &fence.count,
                    &folder,
                    &marks,
                    &names,
                    &lengths,
                    &bodies,
                    &self.channel,
                    &message,
                ];
                let given = if is_told { &given[..] } else { &given[..8] };
                Ok(connection.row(&sql, given)?.map_or(0, |row| row.get::<_, i64>(0)))
            })
        };
        let fence = self.fence(drawer)?;
        if put(&fence)? > 0 {
            return Ok(());
        }
        match self.refused(drawer, &fence)? {
            // As in a folder on a disk: a file in a folder of a drawer makes the drawer.
            Some(error) if error.kind() == io::ErrorKind::NotFound && !folder.is_empty() => {
                self.make_drawer(drawer)?;
                match put(&fence)? {
                    0 => Err(taken_over(drawer)),
                    _ => Ok(()),
                }
            }
            Some(error) => Err(error),
            None => Err(taken_over(drawer)),
        }
    }

    /// Why a statement has written nothing: the leases are no longer ours, or there is no such drawer. `None` if
    /// neither is the reason.
    pub(super) fn refused(&self, drawer: &str, fence: &Fence) -> io::Result<Option<io::Error>> {
        let sql = format!("{HELD} select {IS_HELD}, exists (select 1 from ~drawer where name = $1)");
        let row = self.pool.read(|connection| connection.row(&sql, &[&drawer, &fence.epochs, &fence.count]))?;
        Ok(match row.map_or((true, true), |row| (row.get(0), row.get(1))) {
            (false, _) => Some(taken_over(drawer)),
            (true, false) => Some(io::Error::new(io::ErrorKind::NotFound, "there is no such drawer")),
            (true, true) => None,
        })
    }

    /// An addition to a statement, so that the database need not wait for its disk.
    fn loose(&self, care: Care) -> &'static str {
        match care {
            Care::Loose if self.can_be_loose => ", (select set_config('synchronous_commit', 'off', true))",
            Care::Loose | Care::Synced => "",
        }
    }

    /// Sets a file that is in the row of its drawer, by one statement. Returns whether that was done.
    fn set(&self, spot: Spot<'_>, bytes: &[u8], is_over: bool, care: Care) -> io::Result<bool> {
        let (sealed, length) = (spot.seal(self, bytes)?, as_length(bytes.len())?);
        let columns = spot.columns(&["length", "changed", "version", "body"]);
        let is_new = if is_over { String::new() } else { format!("and {} is null", spot.column("version")) };
        let sql = format!(
            "{HELD}, given as (update ~drawer
                set ({columns}) = ($4::bigint, clock_timestamp(), nextval('~change'), $5::bytea)
                where name = $1 and {IS_HELD} {is_new} returning 1)
            select count(*){} from given",
            self.loose(care)
        );
        let fence = self.fence(spot.drawer)?;
        mishap::strike()?;
        self.pool.write(|connection| {
            let given: [&dyn Parameter; 5] = [&spot.drawer, &fence.epochs, &fence.count, &length, &sealed];
            Ok(connection.row(&sql, &given)?.is_some_and(|row| row.get::<_, i64>(0) > 0))
        })
    }

    /// Puts a file that has rows of its own. If `is_over`, it replaces an older one; otherwise none may be there.
    fn put_whole(&self, spot: Spot<'_>, bytes: &[u8], is_over: bool) -> io::Result<()> {
        let whole = self.whole(spot, bytes)?;
        let fence = self.fence(spot.drawer)?;
        mishap::strike()?;
        let is_put = self.pool.write(|connection| {
            connection.together(|connection| {
                fence.must_hold(connection, spot.drawer)?;
                if is_over {
                    self.delete(connection, spot)?;
                }
                whole.insert(connection, spot, None)
            })
        });
        if is_put? {
            Ok(())
        } else {
            Err(self.refused(spot.drawer, &fence)?.unwrap_or_else(|| io::ErrorKind::AlreadyExists.into()))
        }
    }

    /// Writes a file that must not be there yet.
    pub(super) fn create(&self, spot: Spot<'_>, bytes: &[u8]) -> io::Result<()> {
        let is_created = match (spot.body, spot.front) {
            (Body::Records | Body::Pieces, _) => return self.put_whole(spot, bytes, false),
            (Body::Row, Some(_)) => self.set(spot, bytes, false, Care::Synced)?,
            (Body::Row, None) => self.insert(spot, bytes)?,
        };
        if is_created {
            Ok(())
        } else {
            let fence = self.fence(spot.drawer)?;
            Err(self.refused(spot.drawer, &fence)?.unwrap_or_else(|| io::ErrorKind::AlreadyExists.into()))
        }
    }

    /// Inserts the row of a file, by one statement. Returns whether that was done.
    fn insert(&self, spot: Spot<'_>, bytes: &[u8]) -> io::Result<bool> {
        let (label, sealed, length) = (spot.label(self)?, spot.seal(self, bytes)?, as_length(bytes.len())?);
        let sql = format!(
            "{HELD} insert into ~file (drawer, folder, mark, sealed_name, length, changed, version, body)
                select name, $4, $5, $6, $7, clock_timestamp(), nextval('~change'), $8 from ~drawer
                where name = $1 and {IS_HELD} on conflict do nothing returning 1"
        );
        let fence = self.fence(spot.drawer)?;
        mishap::strike()?;
        self.pool.write(|connection| {
            let given: [&dyn Parameter; 8] =
                [&spot.drawer, &fence.epochs, &fence.count, &spot.folder, &label.mark, &label.name, &length, &sealed];
            Ok(connection.row(&sql, &given)?.is_some())
        })
    }

    /// Moves a file within its drawer, replacing an older one.
    pub(super) fn rename(&self, from: Spot<'_>, to: Spot<'_>) -> io::Result<()> {
        if from == to {
            return self.look(from).map(|_| ());
        }
        let is_moved = from.front.is_none() && to.front.is_none() && from.place() == to.place();
        let fence = self.fence(from.drawer)?;
        mishap::strike()?;
        let renamed = if is_moved { self.moved(from, to, &fence)? } else { self.copied(from, to, &fence)? };
        if !renamed {
            return Err(self.refused(from.drawer, &fence)?.unwrap_or_else(|| io::ErrorKind::NotFound.into()));
        }
        if to.folder == OUTBOX {
            self.tell(&format!("{OUTBOX} {}", to.drawer));
        }
        Ok(())
    }

    /// Moves a file that keeps its name and stays sealed as it is: by one statement, unless it replaces another file.
    fn moved(&self, from: Spot<'_>, to: Spot<'_>, fence: &Fence) -> io::Result<bool> {
        let sql = format!(
            "{HELD} update ~file set folder = $6, version = nextval('~change')
                where drawer = $1 and folder = $4 and mark = $5 and {IS_HELD} returning 1"
        );
        let mark = from.mark(self);
        let moving = |connection: &mut Connection| -> Result<bool, Stop> {
            let given: [&dyn Parameter; 6] =
                [&from.drawer, &fence.epochs, &fence.count, &from.folder, &mark, &to.folder];
            Ok(connection.row(&sql, &given)?.is_some())
        };
        self.pool.write(|connection| match moving(connection) {
            Err(stop) if stop.is_taken() => connection.together(|connection| {
                fence.must_hold(connection, from.drawer)?;
                self.delete(connection, to)?;
                moving(connection)
            }),
            moved => moved,
        })
    }

    /// Moves a file that is sealed to its name, or has its rows elsewhere: one transaction writes it again and
    /// removes the old one.
    fn copied(&self, from: Spot<'_>, to: Spot<'_>, fence: &Fence) -> io::Result<bool> {
        let seen = self.look(from)?;
        let whole = self.whole(to, &self.bytes(from)?)?;
        let (changed, mark) = (SystemTime::from(seen.changed), from.mark(self));
        let is_same =
            format!("select {} from {} where {}", from.column("version"), from.table(), from.is_here([1, 2, 3]));
        self.pool.write(|connection| {
            connection.together(|connection| {
                fence.must_hold(connection, from.drawer)?;
                let found = connection.row(&format!("{is_same} for update"), &[&from.drawer, &from.folder, &mark])?;
                if found.map(|row| row.get::<_, i64>(0)) != Some(seen.identity[0]) {
                    return Err(io::Error::other("others have written to it").into());
                }
                self.delete(connection, to)?;
                let is_moved = whole.insert(connection, to, Some(changed))?;
                self.delete(connection, from)?;
                Ok(is_moved)
            })
        })
    }

    /// Removes a file, if it is there.
    pub(super) fn remove(&self, spot: Spot<'_>) -> io::Result<()> {
        let fence = self.fence(spot.drawer)?;
        mishap::strike()?;
        if spot.front.is_some() {
            return self.pool.write(|connection| {
                connection.together(|connection| {
                    fence.must_hold(connection, spot.drawer)?;
                    self.delete(connection, spot)
                })
            });
        }
        let sql = format!(
            "{HELD}, gone as (delete from ~file
                where drawer = $1 and folder = $4 and mark = $5 and {IS_HELD} returning 1)
            select {IS_HELD}, (select count(*) from gone)"
        );
        let mark = spot.mark(self);
        let is_held = self.pool.write(|connection| {
            let given: [&dyn Parameter; 5] = [&spot.drawer, &fence.epochs, &fence.count, &spot.folder, &mark];
            Ok(connection.row(&sql, &given)?.is_some_and(|row| row.get(0)))
        })?;
        if is_held { Ok(()) } else { Err(taken_over(spot.drawer)) }
    }

    /// Deletes a file, in a transaction.
    fn delete(&self, connection: &mut Connection, spot: Spot<'_>) -> Result<(), Stop> {
        clear(connection, spot)?;
        if spot.front.is_some() {
            let columns = spot.columns(&["length", "changed", "version", "seq", "hash", "body"]);
            let sql = format!("update ~drawer set ({columns}) = (null, null, null, null, null, null) where name = $1");
            connection.query(&sql, &[&spot.drawer])?;
        } else {
            let sql = "delete from ~file where drawer = $1 and folder = $2 and mark = $3";
            connection.query(sql, &[&spot.drawer, &spot.folder, &spot.mark(self)])?;
        }
        Ok(())
    }

    /// Removes a folder with everything in it; the drawer, if the name is empty.
    pub(super) fn remove_folder(&self, drawer: &str, folder: &str) -> io::Result<()> {
        let fence = self.fence(drawer)?;
        mishap::strike()?;
        self.pool.write(|connection| {
            connection.together(|connection| {
                fence.must_hold(connection, drawer)?;
                if folder.is_empty() {
                    for table in ["record", "piece", "file"] {
                        connection.query(&format!("delete from ~{table} where drawer = $1"), &[&drawer])?;
                    }
                    connection.query("delete from ~drawer where name = $1", &[&drawer])?;
                    // The store itself stays.
                    connection.query("insert into ~drawer (name) select $1 where $1 = ''", &[&drawer])?;
                    return Ok(());
                }
                let below = format!("{folder}/");
                let length = i32::try_from(below.chars().count()).unwrap_or(i32::MAX);
                let sql = "delete from ~file where drawer = $1 and (folder = $2 or left(folder, $3) = $4)";
                connection.query(sql, &[&drawer, &folder, &length, &below])?;
                Ok(())
            })
        })
    }

    /// Makes a drawer.
    pub(super) fn make_drawer(&self, drawer: &str) -> io::Result<()> {
        mishap::strike()?;
        // Waits while somebody takes over a whole office: he relies on there being no drawer.
        let sql = "insert into ~drawer (name) select $1 from (select 1 from ~drawer where name = '' for share) as store
            on conflict do nothing";
        self.pool.write(|connection| connection.query(sql, &[&drawer]).map(|_| ()))
    }

    /// Whether a drawer is there.
    pub(super) fn has_drawer(&self, drawer: &str) -> io::Result<bool> {
        let sql = "select 1 from ~drawer where name = $1";
        self.pool.read(|connection| Ok(connection.row(sql, &[&drawer])?.is_some()))
    }

    /// A file as it is inserted.
    pub(super) fn whole(&self, spot: Spot<'_>, bytes: &[u8]) -> io::Result<Whole> {
        let (rows, sealed) = match spot.body {
            Body::Row => (Rows::default(), Some(spot.seal(self, bytes)?)),
            Body::Records | Body::Pieces => (self.rows(spot, 0, &Head::default(), bytes)?, None),
        };
        Ok(Whole { label: spot.label(self)?, length: as_length(bytes.len())?, rows, sealed })
    }

    /// Bytes as the rows of a file that has rows of its own: they begin at `start`, after the record `head`.
    pub(super) fn rows(&self, spot: Spot<'_>, start: i64, head: &Head, bytes: &[u8]) -> io::Result<Rows> {
        match spot.body {
            Body::Records => split(start, head, bytes),
            Body::Row | Body::Pieces if bytes.is_empty() => Ok(Rows::default()),
            Body::Row | Body::Pieces => {
                let sealed = spot.seal_piece(self, start, bytes)?;
                Ok(Rows { starts: vec![start], bodies: vec![sealed], ..Rows::default() })
            }
        }
    }
}

/// Whether the database can finish a statement before it would survive a power failure.
pub(super) fn can_be_loose(pool: &Pool) -> bool {
    pool.read(|connection| connection.query("select set_config('synchronous_commit', 'off', true)", &[])).is_ok()
}

/// A file as it is inserted: what stands in its row, and its rows elsewhere.
pub(super) struct Whole {
    label: Label,
    length: i64,
    rows: Rows,
    sealed: Option<Vec<u8>>,
}

impl Whole {
    /// Inserts it, in a transaction, as of `changed` or as of now. Returns `false` if there was one before, or no
    /// such drawer.
    pub(super) fn insert(
        &self,
        connection: &mut Connection,
        spot: Spot<'_>,
        changed: Option<SystemTime>,
    ) -> Result<bool, Stop> {
        let head = &self.rows.head;
        let inserted = match spot.front {
            None => {
                let sql = "insert into ~file (drawer, folder, mark, sealed_name, length, changed, version, body)
                    select name, $2, $3, $4, $5, coalesce($6, clock_timestamp()), nextval('~change'), $7 from ~drawer
                    where name = $1 on conflict do nothing returning 1";
                let Label { mark, name } = &self.label;
                let given: [&dyn Parameter; 7] =
                    [&spot.drawer, &spot.folder, mark, name, &self.length, &changed, &self.sealed];
                connection.row(sql, &given)?
            }
            Some(_) => {
                let columns = spot.columns(&["length", "changed", "version", "seq", "hash", "body"]);
                let sql = format!(
                    "update ~drawer set ({columns}) = ($2::bigint, coalesce($3::timestamptz, clock_timestamp()),
                        nextval('~change'), $4::bigint, $5::bytea, $6::bytea)
                        where name = $1 and {} is null returning 1",
                    spot.column("version")
                );
                let given: [&dyn Parameter; 6] =
                    [&spot.drawer, &self.length, &changed, &head.seq, &head.hash, &self.sealed];
                connection.row(&sql, &given)?
            }
        };
        if inserted.is_some() {
            self.rows.insert(connection, spot)?;
        }
        Ok(inserted.is_some())
    }
}

/// Rows that are inserted together.
#[derive(Default)]
pub(super) struct Rows {
    pub starts: Vec<i64>,
    pub seqs: Vec<i64>,
    pub hashes: Vec<Vec<u8>>,
    pub bodies: Vec<Vec<u8>>,
    /// The last record of a log.
    pub head: Head,
}

impl Rows {
    /// Inserts them, in a transaction.
    pub(super) fn insert(&self, connection: &mut Connection, spot: Spot<'_>) -> Result<(), Stop> {
        if spot.body == Body::Records {
            let sql =
                "insert into ~record (drawer, starts, seq, hash, bytes) select $1, t.starts, t.seq, t.hash, t.bytes
                from unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[]) as t (starts, seq, hash, bytes)";
            connection.query(sql, &[&spot.drawer, &self.starts, &self.seqs, &self.hashes, &self.bodies])?;
        } else {
            let sql = "insert into ~piece (drawer, starts, bytes) select $1, t.starts, t.bytes
                from unnest($2::bigint[], $3::bytea[]) as t (starts, bytes)";
            connection.query(sql, &[&spot.drawer, &self.starts, &self.bodies])?;
        }
        Ok(())
    }
}

/// Deletes the rows that a file has in other tables, in a transaction.
fn clear(connection: &mut Connection, spot: Spot<'_>) -> Result<(), Stop> {
    let sql = match spot.body {
        Body::Row => return Ok(()),
        Body::Records => "delete from ~record where drawer = $1",
        Body::Pieces => "delete from ~piece where drawer = $1",
    };
    connection.query(sql, &[&spot.drawer])?;
    Ok(())
}

/// The error if it is not known why nothing was written.
fn unwritten() -> io::Error {
    io::Error::other("nothing was written: others have changed it meanwhile")
}

/// A length in the type of the database.
pub(super) fn as_length(length: usize) -> io::Result<i64> {
    i64::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge.into())
}
