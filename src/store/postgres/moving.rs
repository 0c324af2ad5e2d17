//! Taking over drawers from a folder on a disk, all of them in one transaction.

use super::Inner;
use super::failing::Stop;
use super::pool::Connection;
use super::spot::Spot;
use ground::disk::mishap;
use ground::files::SENDING;
use std::io;
use std::path::Path;
use store::folder::Folder;
use store::home::{FileKind, Home};

/// Takes over a folder as a drawer, or, if `drawer` is empty, each folder in it. Nothing can be seen before
/// everything is there.
pub(super) fn move_in(inner: &Inner, from: &Path, drawer: &str) -> io::Result<()> {
    let all = if drawer.is_empty() { Folder::new(from).drawers()? } else { vec![drawer.to_owned()] };
    mishap::strike()?;
    inner.pool.write(|connection| {
        connection.together(|connection| {
            if drawer.is_empty() {
                must_be_empty(connection)?;
            }
            for name in &all {
                let folder = if drawer.is_empty() { from.join(name) } else { from.to_owned() };
                take_over(inner, connection, &Folder::new(&folder), name)?;
            }
            Ok(())
        })
    })
}

/// Checks that the store is empty, and keeps it so for the rest of the transaction: anybody else who makes a drawer,
/// or takes something over here, has to wait.
fn must_be_empty(connection: &mut Connection) -> Result<(), Stop> {
    connection.query("select 1 from ~drawer where name = '' for update", &[])?;
    let sql = "select 1 where exists (select 1 from ~drawer where name <> '') or exists (select 1 from ~file)
        or exists (select 1 from ~letter_in)";
    match connection.row(sql, &[])? {
        None => Ok(()),
        Some(_) => Err(io::Error::from(io::ErrorKind::AlreadyExists).into()),
    }
}

fn take_over(inner: &Inner, connection: &mut Connection, from: &Folder, drawer: &str) -> Result<(), Stop> {
    let made = "insert into ~drawer (name) values ($1) on conflict do nothing returning 1";
    if connection.row(made, &[&drawer])?.is_none() {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
    }
    for file in files(from, "")? {
        let bytes = from.read("", &file)?;
        let spot = Spot::of(drawer, &file);
        inner.whole(spot, &bytes)?.insert(connection, spot, None)?;
    }
    Ok(())
}

/// The files of a folder and of those below it. Locks lie in it as empty files, and are left behind.
fn files(from: &Folder, folder: &str) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    for found in from.list("", folder)? {
        let file = if folder.is_empty() { found.name } else { format!("{folder}/{}", found.name) };
        match found.kind {
            FileKind::Folder => files.extend(self::files(from, &file)?),
            FileKind::File if file.ends_with(".lock") || file == SENDING => {}
            FileKind::File => files.push(file),
            FileKind::Foreign => {}
        }
    }
    Ok(files)
}
