//! Where an office keeps everything: both homes keep the same promises, and what only one of them promises.

#[cfg(all(unix, feature = "postgres"))]
#[path = "store/database.rs"]
mod database;
#[path = "store/promises.rs"]
mod promises;
