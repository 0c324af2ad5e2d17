//! The promises of the database alone: several workers, leases, and what happens when the database is not there.

#[path = "database/failures.rs"]
mod failures;
#[path = "database/fences.rs"]
mod fences;
#[path = "database/leases.rs"]
mod leases;
#[path = "database/moving.rs"]
mod moving;
#[path = "database/names.rs"]
mod names;
#[path = "database/pooler.rs"]
mod pooler;
#[path = "database/queue.rs"]
mod queue;
#[path = "database/secrecy.rs"]
mod secrecy;

use crate::homes::database::KEY;
use crate::servers::postgres::Database;
use database::Postgres;
use postgres::{Client, NoTls};
use std::sync::Arc;
use std::time::Duration;
use store::Store;

/// An office in the database; every test has its own.
struct Office {
    database: &'static Database,
    name: String,
}

impl Office {
    /// A new office; `None` without a database.
    fn new() -> Option<Office> {
        let database = Database::shared()?;
        Some(Office { database, name: database.office() })
    }

    /// Another worker of it.
    fn worker(&self) -> Arc<Postgres> {
        Arc::new(Postgres::open(&self.database.url(), &KEY, &self.name).unwrap())
    }

    /// Another worker, with leases of this length.
    fn worker_with(&self, lease: Duration) -> Arc<Postgres> {
        Arc::new(Postgres::open_with(&self.database.url(), &KEY, &self.name, lease).unwrap())
    }

    fn store(&self) -> Store {
        Store::at(self.worker())
    }

    /// A plain client that looks into the database.
    fn client(&self) -> Client {
        let mut client = Client::connect(&self.database.url(), NoTls).unwrap();
        client.batch_execute(&format!("set search_path to \"{}\"", self.name)).unwrap();
        client
    }

    fn tell(&self, sql: &str) {
        self.client().batch_execute(sql).unwrap();
    }
}
