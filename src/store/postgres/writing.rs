/*! What is written into a database, file by file.

Every statement that writes sees in the same moment that the leases are still ours under which it is written, and every
one begins with a place where the tests can let the power fail. Most functions are one statement.
*/

use super::Inner;
use super::failing::{Stop, is_taken};
use super::lease::{Fence, HELD, IS_HELD, taken_over};
use super::pool::Connection;
use super::record::{Head, split};
use super::spot::{Body, OUTBOX, Spot};
use crate::disk::mishap;
use std::io;

/// Not more bytes than these are put by one statement, if there are several files.
const AT_ONCE: usize = 8 << 20;

impl Inner {
    /// Puts files into a folder, over older ones.
    pub(super) fn put(&self, drawer: &str, folder: &str, files: &[(&str, &[u8])]) -> io::Result<()> {
        if folder.is_empty() {
            return files.iter().try_for_each(|(name, bytes)| self.put_one(Spot::within(drawer, folder, name), bytes));
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
            self.put_rows(drawer, folder, now)?;
            rest = later;
        }
        Ok(())
    }

    /// Puts one file over an older one.
    fn put_one(&self, spot: Spot<'_>, bytes: &[u8]) -> io::Result<()> {
        match spot.body {
            Body::Row => self.put_rows(spot.drawer, spot.folder, &[(spot.name, bytes)]),
            Body::Records | Body::Pieces => self.put_whole(spot, bytes, true),
        }
    }

    /// Puts files that have what is in them in their rows, by one statement.
    fn put_rows(&self, drawer: &str, folder: &str, files: &[(&str, &[u8])]) -> io::Result<()> {
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let lengths = files.iter().map(|(_, bytes)| as_length(bytes.len())).collect::<io::Result<Vec<i64>>>()?;
        let sealed = files.iter().map(|(name, bytes)| Spot::within(drawer, folder, name).seal(self, bytes));
        let sealed = sealed.collect::<io::Result<Vec<Vec<u8>>>>()?;
        let table = Spot::within(drawer, folder, names[0]).table;
        // Whoever watches is told in the same moment.
        let is_told = folder == OUTBOX && self.listens();
        let told = if is_told { ", (select count(*) from pg_notify($8, $9))" } else { "" };
        let sql = format!(
            "{HELD}, given as (insert into {table} as f (drawer, folder, name, length, changed, version, body)
                select $1, $4, t.name, t.length, clock_timestamp(), nextval('change'), t.body
                from unnest($5::text[], $6::bigint[], $7::bytea[]) as t (name, length, body)
                where {IS_HELD} and exists (select 1 from drawer where name = $1)
                on conflict (drawer, folder, name) do update set length = excluded.length,
                    changed = excluded.changed, version = excluded.version, body = excluded.body returning 1)
            select count(*){told} from given"
        );
        let message = format!("{OUTBOX} {drawer}");
        let put = |fence: &Fence| {
            mishap::strike()?;
            self.pool.write(|connection| {
                let given: [&(dyn postgres::types::ToSql + Sync); 9] =
                    [&drawer, &fence.epochs, &fence.count, &folder, &names, &lengths, &sealed, &self.channel, &message];
                let given = if is_told { &given[..] } else { &given[..7] };
                Ok(connection.row(&sql, given)?.map_or(0, |row| row.get::<_, i64>(0)))
            })
        };
        let fence = self.leases.fence(drawer)?;
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

    /// Why a statement has written nothing: the leases are not ours any more, or there is no such drawer. `None` if it
    /// is neither.
    pub(super) fn refused(&self, drawer: &str, fence: &Fence) -> io::Result<Option<io::Error>> {
        let sql = format!("{HELD} select {IS_HELD}, exists (select 1 from drawer where name = $1)");
        let row = self.pool.read(|connection| Ok(connection.row(&sql, &[&drawer, &fence.epochs, &fence.count])?))?;
        Ok(match row.map_or((true, true), |row| (row.get(0), row.get(1))) {
            (false, _) => Some(taken_over(drawer)),
            (true, false) => Some(io::Error::new(io::ErrorKind::NotFound, "there is no such drawer")),
            (true, true) => None,
        })
    }

    /// Puts a file that has rows of its own, over an older one or where there is none.
    fn put_whole(&self, spot: Spot<'_>, bytes: &[u8], is_over: bool) -> io::Result<()> {
        let rows = self.rows(spot, 0, &Head::default(), bytes)?;
        let length = as_length(bytes.len())?;
        let conflict = match is_over {
            true => {
                "update set length = excluded.length, changed = excluded.changed, version = excluded.version,
                seq = excluded.seq, hash = excluded.hash"
            }
            false => "nothing",
        };
        let sql = format!(
            "insert into front (drawer, folder, name, length, changed, version, seq, hash)
                select name, '', $2, $3, clock_timestamp(), nextval('change'), $4, $5 from drawer where name = $1
                on conflict (drawer, folder, name) do {conflict} returning 1"
        );
        let fence = self.leases.fence(spot.drawer)?;
        mishap::strike()?;
        let is_put = self.pool.write(|connection| {
            connection.together(|connection| {
                fence.must_hold(connection, spot.drawer)?;
                let (seq, hash) = (rows.head.seq, &rows.head.hash);
                if connection.row(&sql, &[&spot.drawer, &spot.name, &length, &seq, hash])?.is_none() {
                    return Ok(false);
                }
                clear(connection, spot)?;
                rows.insert(connection, spot)?;
                Ok(true)
            })
        });
        match is_put? {
            true => Ok(()),
            false => Err(self.refused(spot.drawer, &fence)?.unwrap_or_else(|| io::ErrorKind::AlreadyExists.into())),
        }
    }

    /// Writes a file that must not be there yet.
    pub(super) fn create(&self, spot: Spot<'_>, bytes: &[u8]) -> io::Result<()> {
        if spot.body != Body::Row {
            return self.put_whole(spot, bytes, false);
        }
        let (sealed, length) = (spot.seal(self, bytes)?, as_length(bytes.len())?);
        let sql = format!(
            "{HELD} insert into {} (drawer, folder, name, length, changed, version, body)
                select name, $4, $5, $6, clock_timestamp(), nextval('change'), $7 from drawer
                where name = $1 and {IS_HELD} on conflict do nothing returning 1",
            spot.table
        );
        let fence = self.leases.fence(spot.drawer)?;
        mishap::strike()?;
        let created = self.pool.write(|connection| {
            let given: [&(dyn postgres::types::ToSql + Sync); 7] =
                [&spot.drawer, &fence.epochs, &fence.count, &spot.folder, &spot.name, &length, &sealed];
            Ok(connection.row(&sql, &given)?.is_some())
        })?;
        match created {
            true => Ok(()),
            false => Err(self.refused(spot.drawer, &fence)?.unwrap_or_else(|| io::ErrorKind::AlreadyExists.into())),
        }
    }

    /// Moves a file within its drawer, over an older one.
    pub(super) fn rename(&self, from: Spot<'_>, to: Spot<'_>) -> io::Result<()> {
        if (from.folder, from.name) == (to.folder, to.name) {
            return self.look(from).map(|_| ());
        }
        let is_moved = from.table == to.table && from.place() == to.place() && from.body == Body::Row;
        let fence = self.leases.fence(from.drawer)?;
        mishap::strike()?;
        let renamed = match is_moved {
            true => self.moved(from, to, &fence)?,
            false => self.copied(from, to, &fence)?,
        };
        if !renamed {
            return Err(self.refused(from.drawer, &fence)?.unwrap_or_else(|| io::ErrorKind::NotFound.into()));
        }
        if to.folder == OUTBOX {
            self.tell(&format!("{OUTBOX} {}", to.drawer));
        }
        Ok(())
    }

    /// Moves a file that stays sealed as it is: by one statement, unless there is another one of that name.
    fn moved(&self, from: Spot<'_>, to: Spot<'_>, fence: &Fence) -> io::Result<bool> {
        let sql = format!(
            "{HELD} update {} set folder = $6, name = $7, version = nextval('change')
                where drawer = $1 and folder = $4 and name = $5 and {IS_HELD} returning 1",
            from.table
        );
        let moving = |connection: &mut Connection| {
            let given: [&(dyn postgres::types::ToSql + Sync); 7] =
                [&from.drawer, &fence.epochs, &fence.count, &from.folder, &from.name, &to.folder, &to.name];
            Ok(connection.row(&sql, &given)?.is_some())
        };
        self.pool.write(|connection| match moving(connection) {
            Err(Stop::Database(error)) if is_taken(&error) => connection.together(|connection| {
                fence.must_hold(connection, from.drawer)?;
                delete(connection, to)?;
                moving(connection)
            }),
            moved => moved,
        })
    }

    /// Moves a file that is sealed to its name, or has its rows elsewhere: it is written anew and the old one removed,
    /// as one.
    fn copied(&self, from: Spot<'_>, to: Spot<'_>, fence: &Fence) -> io::Result<bool> {
        let seen = self.look(from)?;
        let bytes = self.bytes(from)?;
        let length = as_length(bytes.len())?;
        let rows = if to.body == Body::Row { None } else { Some(self.rows(to, 0, &Head::default(), &bytes)?) };
        let sealed = if to.body == Body::Row { Some(to.seal(self, &bytes)?) } else { None };
        let (seq, hash) = rows.as_ref().map_or((None, None), |rows| (rows.head.seq, rows.head.hash.clone()));
        let sql = format!(
            "insert into {} (drawer, folder, name, length, changed, version, seq, hash, body)
                select $1, $2, $3, $4, changed, nextval('change'), $5, $6, $7 from {}
                where drawer = $1 and folder = $8 and name = $9 and version = $10 returning 1",
            to.table, from.table
        );
        self.pool.write(|connection| {
            connection.together(|connection| {
                fence.must_hold(connection, from.drawer)?;
                delete(connection, to)?;
                let given: [&(dyn postgres::types::ToSql + Sync); 10] = [
                    &to.drawer,
                    &to.folder,
                    &to.name,
                    &length,
                    &seq,
                    &hash,
                    &sealed,
                    &from.folder,
                    &from.name,
                    &seen.identity[0],
                ];
                if connection.row(&sql, &given)?.is_none() {
                    return Err(io::Error::other("others have written to it").into());
                }
                if let Some(rows) = &rows {
                    rows.insert(connection, to)?;
                }
                delete(connection, from)?;
                Ok(true)
            })
        })
    }

    /// Removes a file, if it is there.
    pub(super) fn remove(&self, spot: Spot<'_>) -> io::Result<()> {
        let fence = self.leases.fence(spot.drawer)?;
        mishap::strike()?;
        if spot.body != Body::Row {
            return self.pool.write(|connection| {
                connection.together(|connection| {
                    fence.must_hold(connection, spot.drawer)?;
                    delete(connection, spot)
                })
            });
        }
        let sql = format!(
            "{HELD}, gone as (delete from {} where drawer = $1 and folder = $4 and name = $5 and {IS_HELD} returning 1)
            select {IS_HELD}, (select count(*) from gone)",
            spot.table
        );
        let is_held = self.pool.write(|connection| {
            let given: [&(dyn postgres::types::ToSql + Sync); 5] =
                [&spot.drawer, &fence.epochs, &fence.count, &spot.folder, &spot.name];
            Ok(connection.row(&sql, &given)?.is_some_and(|row| row.get(0)))
        })?;
        if is_held { Ok(()) } else { Err(taken_over(spot.drawer)) }
    }

    /// Removes a folder with everything in it; the drawer, if the name is empty.
    pub(super) fn remove_folder(&self, drawer: &str, folder: &str) -> io::Result<()> {
        let fence = self.leases.fence(drawer)?;
        mishap::strike()?;
        self.pool.write(|connection| {
            connection.together(|connection| {
                fence.must_hold(connection, drawer)?;
                if folder.is_empty() {
                    for table in ["record", "piece", "front", "file"] {
                        connection.query(&format!("delete from {table} where drawer = $1"), &[&drawer])?;
                    }
                    connection.query("delete from drawer where name = $1 and name <> ''", &[&drawer])?;
                    return Ok(());
                }
                let below = format!("{folder}/");
                let length = i32::try_from(below.chars().count()).unwrap_or(i32::MAX);
                let sql = "delete from file where drawer = $1 and (folder = $2 or left(folder, $3) = $4)";
                connection.query(sql, &[&drawer, &folder, &length, &below])?;
                Ok(())
            })
        })
    }

    /// Makes a drawer.
    pub(super) fn make_drawer(&self, drawer: &str) -> io::Result<()> {
        mishap::strike()?;
        let sql = "insert into drawer (name) values ($1) on conflict do nothing";
        self.pool.write(|connection| Ok(connection.query(sql, &[&drawer]).map(|_| ())?))
    }

    /// Whether a drawer is there.
    pub(super) fn has_drawer(&self, drawer: &str) -> io::Result<bool> {
        let sql = "select 1 from drawer where name = $1";
        self.pool.read(|connection| Ok(connection.row(sql, &[&drawer])?.is_some()))
    }

    /// Bytes as the rows of a file that has rows of its own, from an offset on, after what is there.
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
                "insert into record (drawer, starts, seq, hash, bytes) select $1, t.starts, t.seq, t.hash, t.bytes
                from unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[]) as t (starts, seq, hash, bytes)";
            connection.query(sql, &[&spot.drawer, &self.starts, &self.seqs, &self.hashes, &self.bodies])?;
        } else {
            let sql = "insert into piece (drawer, starts, bytes) select $1, t.starts, t.bytes
                from unnest($2::bigint[], $3::bytea[]) as t (starts, bytes)";
            connection.query(sql, &[&spot.drawer, &self.starts, &self.bodies])?;
        }
        Ok(())
    }
}

/// Deletes the rows that a file has besides its own, in a transaction.
fn clear(connection: &mut Connection, spot: Spot<'_>) -> Result<(), Stop> {
    let sql = match spot.body {
        Body::Row => return Ok(()),
        Body::Records => "delete from record where drawer = $1",
        Body::Pieces => "delete from piece where drawer = $1",
    };
    connection.query(sql, &[&spot.drawer])?;
    Ok(())
}

/// Deletes a file, in a transaction.
fn delete(connection: &mut Connection, spot: Spot<'_>) -> Result<(), Stop> {
    clear(connection, spot)?;
    let sql = format!("delete from {} where drawer = $1 and folder = $2 and name = $3", spot.table);
    connection.query(&sql, &[&spot.drawer, &spot.folder, &spot.name])?;
    Ok(())
}

/// A length as the database counts.
pub(super) fn as_length(length: usize) -> io::Result<i64> {
    i64::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge.into())
}
