//! Where an office keeps everything: the promises of both homes, and those of only one of them.

#[cfg(all(unix, feature = "postgres"))]
#[path = "store/database.rs"]
mod database;
#[path = "store/promises.rs"]
mod promises;
