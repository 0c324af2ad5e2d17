//! An office in the database of this test program.

use super::{Home, Place};
use crate::servers::PASSWORD;
use crate::servers::postgres::Database;
use data_encoding::HEXLOWER;
use database::Postgres;
use postgres::{Client, NoTls};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use store::Store;
use store::drawer::Drawer;
use store::home::FileKind;

/// The key of every office.
pub const KEY: [u8; 32] = [42; 32];
/// A program finds it beside its configuration.
const KEY_FILE: &str = "office.key";

pub struct InDatabase {
    office: String,
}

impl InDatabase {
    pub fn new() -> InDatabase {
        InDatabase { office: server().office() }
    }

    pub fn beside(here: &Path) -> InDatabase {
        fs::write(here.join(KEY_FILE), format!("{}\n", HEXLOWER.encode(&KEY))).unwrap();
        InDatabase::new()
    }
}

fn server() -> &'static Database {
    Database::shared().expect("the test is skipped where there is none")
}

impl Place for InDatabase {
    fn store(&self) -> Store {
        Store::at(Arc::new(Postgres::open(&server().url(), &KEY, &self.office).unwrap()))
    }

    fn config(&self) -> String {
        // A configuration holds no password, and this database asks for none.
        let url = server().url().replace(&format!(":{PASSWORD}@"), "@");
        // What a killed worker held is free again as soon as possible.
        format!("store: {{ url: \"{url}\", office: {}, key: {KEY_FILE}, lease: 1 }}\n", self.office)
    }

    fn lose(&self) {
        let mut client = Client::connect(&server().url(), NoTls).unwrap();
        client.batch_execute(&format!("drop schema \"{}\" cascade", self.office)).unwrap();
    }

    fn copy(&self) -> Box<dyn Place> {
        let copy = Home::Database.place();
        let (from, to) = (self.store(), copy.store());
        for drawer in from.drawers().unwrap() {
            to.drawer(&drawer).make().unwrap();
            copy_files(&from.drawer(&drawer), &to.drawer(&drawer), "");
        }
        copy
    }
}

fn copy_files(from: &Drawer, to: &Drawer, folder: &str) {
    for found in from.list(folder).unwrap() {
        let name = if folder.is_empty() { found.name } else { format!("{folder}/{}", found.name) };
        match found.kind {
            FileKind::Folder => copy_files(from, to, &name),
            FileKind::File | FileKind::Foreign => to.create(&name, &from.read(&name).unwrap()).unwrap(),
        }
    }
}
