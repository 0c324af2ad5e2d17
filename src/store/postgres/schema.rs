/*! The tables of an office, made when it is opened first, and their version.

An office has a schema of its own, so several can share one database. The statements use only what all engines that
speak PostgreSQL's protocol have in common.
*/

use super::failing::Stop;
use super::pool::{Connection, Pool};
use super::sealing::Seal;
use super::spot::FRONT;
use ground::disk::version;
use std::time::Duration;
use std::{io, thread};
use tokio_postgres::error::SqlState;

/// The version of the tables that this program makes and understands.
const VERSION: u32 = 1;
/// The longest name of an office; PostgreSQL keeps 63 characters.
const NAME_MAX: usize = 48;
/// How often making the tables is tried, while other workers make them too.
const TRIES: u32 = 10;

/// All tables. The contents of a file, `body`, are sealed, and so is its name; the row of a file is found by its
/// `mark`. Files that are appended to have a table of their own; `seq` and `hash` are those of the last record of a
/// log.
fn tables() -> String {
    let front = FRONT.map(|(_, columns, _)| {
        format!(
            "{columns}length bigint, {columns}changed timestamptz, {columns}version bigint, {columns}seq bigint,
            {columns}hash bytea, {columns}body bytea"
        )
    });
    format!(
        "create sequence if not exists ~change;
        create sequence if not exists ~epoch;
        create table if not exists ~drawer (name text primary key, {});
        create table if not exists ~file (drawer text not null, folder text not null, mark bytea not null,
            sealed_name bytea not null, length bigint not null, changed timestamptz not null,
            version bigint not null, body bytea not null, primary key (drawer, folder, mark));
        create index if not exists waiting on ~file (folder, drawer) where folder in ('outbox', 'dead');
        create table if not exists ~record (drawer text not null, starts bigint not null, seq bigint not null,
            hash bytea not null, bytes bytea not null, primary key (drawer, starts));
        create table if not exists ~piece (drawer text not null, starts bigint not null, bytes bytea not null,
            primary key (drawer, starts));
        create table if not exists ~lease (drawer text not null, word text not null, holder text not null,
            epoch bigint not null, until timestamptz not null, primary key (drawer, word));
        create table if not exists ~letter_in (id bigint primary key default nextval('~change'),
            mark bytea unique not null, game text, is_old boolean not null, came timestamptz not null,
            ready timestamptz not null, epoch bigint not null, tries integer not null, body bytea not null);
        create index if not exists of_game on ~letter_in (game, id);
        insert into ~drawer (name) values ('') on conflict do nothing;
        create table if not exists ~office (one integer primary key, version integer not null, probe bytea not null)",
        front.join(", ")
    )
}

/// The name of the schema of an office, as it stands in statements.
pub(super) fn schema(office: &str) -> io::Result<String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    if !office.is_empty() && office.len() <= NAME_MAX && office.chars().all(is_plain) {
        Ok(format!("\"{office}\""))
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!(
                "the name of an office in a database is up to {NAME_MAX} small letters, digits, hyphens and \
             underscores, unlike {office:?}"
            ),
        ))
    }
}

/// Makes the tables if they are missing, and checks that their version and their key are ours.
pub(super) fn prepare(pool: &Pool, schema: &str, seal: &Seal) -> io::Result<()> {
    let mut tries = 0;
    let (found, probe) = loop {
        let prepared = pool.write(|connection| match office(connection)? {
            Some(office) => Ok(Some(office)),
            None => make(connection, schema, seal),
        })?;
        match prepared {
            Some(office) => break office,
            // Another worker was making them.
            None if tries < TRIES => tries += 1,
            None => {
                return Err(io::Error::other(
                    "the tables of the office cannot be made: others make them again and again",
                ));
            }
        }
        thread::sleep(Duration::from_millis(20) * tries);
    };
    if found > VERSION {
        return Err(io::Error::new(io::ErrorKind::InvalidData, version::newer(found, VERSION)));
    }
    if seal.made(&probe) {
        Ok(())
    } else {
        Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "the key of the office is not the one with which what is in the database was sealed: use the key of the \
         machine on which the office was set up",
        ))
    }
}

/// The version of the tables and the probe of their key; `None` if there are no tables yet.
fn office(connection: &mut Connection) -> Result<Option<(u32, Vec<u8>)>, Stop> {
    match connection.row("select version, probe from ~office", &[]) {
        Ok(Some(row)) => Ok(Some((row.get::<_, i32>(0).unsigned_abs(), row.get(1)))),
        Ok(None) => Ok(None),
        Err(stop) if matches!(stop.code(), Some(&SqlState::UNDEFINED_TABLE | &SqlState::INVALID_SCHEMA_NAME)) => {
            Ok(None)
        }
        Err(stop) => Err(stop),
    }
}

/// Makes the tables; `None` if another worker does the same.
fn make(connection: &mut Connection, schema: &str, seal: &Seal) -> Result<Option<(u32, Vec<u8>)>, Stop> {
    let probe = seal.probe()?;
    let version = VERSION.cast_signed();
    let made = connection.together(|connection| {
        let is_there = "select 1 from information_schema.schemata where schema_name = $1";
        if connection.row(is_there, &[&schema.trim_matches('"')])?.is_none() {
            connection.tell(&format!("create schema if not exists {schema}"))?;
        }
        connection.tell(&tables())?;
        let insert = "insert into ~office (one, version, probe) values (1, $1, $2) on conflict do nothing";
        connection.query(insert, &[&version, &probe])?;
        Ok(())
    });
    match made {
        Ok(()) => office(connection),
        Err(stop) if stop.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            let words = format!(
                "the tables of the office are not there, and this user may not make them: as an administrator of the \
                 database, `create schema {schema} authorization USER`, or `grant create on database DATABASE to USER`"
            );
            Err(io::Error::other(words).into())
        }
        Err(stop) if stop.is_taken() || is_made_twice(stop.code()) => Ok(None),
        Err(stop) => Err(stop),
    }
}

fn is_made_twice(code: Option<&SqlState>) -> bool {
    matches!(
        code,
        Some(
            &SqlState::DUPLICATE_TABLE
                | &SqlState::DUPLICATE_SCHEMA
                | &SqlState::DUPLICATE_OBJECT
                | &SqlState::T_R_SERIALIZATION_FAILURE
        )
    )
}
