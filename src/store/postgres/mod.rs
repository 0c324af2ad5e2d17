/*! The home of a store in a database: PostgreSQL, or an engine that speaks its protocol. Any number of workers, on any
number of machines, share it.

In reading order: [`address`] and [`tls`] are the way there, and [`pool`] the connections, with [`failing`] for what
goes wrong; [`schema`] makes the tables, and [`spot`] says which file is in which, and by what mark it is found;
[`sealing`] keeps private what is private; [`lease`] are the locks; [`reading`], [`writing`], [`record`] and
[`appending`] are the files, [`kept`] the small ones of a game that is held, and [`moving`] takes them over from a
folder; [`queue`] is the queue of letters in, and [`watching`] how workers are woken.

How the promises of a home are kept: every function that writes is one transaction, mostly of one statement, so it is
done completely or not at all. A write under a lock is done only if the lease is still there, which the same statement
checks. An append to a log is done only if the log ends with the record that is known here. `Seen` holds the version
of a file, a number that no other change of any file has had.
*/

mod address;
mod appending;
mod failing;
mod kept;
mod lease;
mod moving;
mod pool;
mod queue;
mod reading;
mod record;
mod schema;
mod sealing;
mod spot;
mod tls;
mod watching;
mod writing;

use self::address::Address;
use self::kept::Kept;
use self::lease::Leases;
use self::pool::Pool;
use self::sealing::Seal;
use self::spot::Spot;
use ground::disk::place::about;
use ground::disk::space::Space;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, process};
use store::home::{
    Appender, Begin, Care, Footing, Found, Home, LetterTaken, LetterWaiting, Lock, QueueIn, Seen, Shared, Surveyed,
    Woken,
};

/// A worker that renews nothing for this long has died, or is as good as dead.
const LEASE: Duration = Duration::from_secs(30);

/// An office in a database.
#[derive(Clone)]
pub struct Postgres {
    inner: Arc<Inner>,
}

/// What all parts share.
struct Inner {
    pool: Arc<Pool>,
    seal: Seal,
    leases: Arc<Leases>,
    kept: Kept,
    /// The channel on which workers are notified, and whether this database can notify.
    channel: String,
    is_told: bool,
    /// Whether this database can be told not to wait for its disk.
    can_be_loose: bool,
    office: String,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").field("place", &self.inner.place("", "")).finish_non_exhaustive()
    }
}

impl Postgres {
    /// Opens an office in the database at an address, and makes its tables if it has none. `key` is the key of the
    /// office, which all its machines have; `office` is its name, as several can share one database.
    ///
    /// # Errors
    /// No error shows the user, the password or the key.
    pub fn open(url: &str, key: &[u8; 32], office: &str) -> io::Result<Postgres> {
        Postgres::open_with(url, key, office, LEASE)
    }

    /// As [`Postgres::open`], with leases of another length.
    pub fn open_with(url: &str, key: &[u8; 32], office: &str, lease: Duration) -> io::Result<Postgres> {
        let schema = schema::schema(office)?;
        let address = Address::read(url)?;
        let place = PathBuf::from(&address.shown).join(office);
        let told = |error| about(&place, &error);
        let seal = Seal::new(key);
        let pool = Arc::new(Pool::new(address, &schema, lease).map_err(told)?);
        pool.look_for_pooler().map_err(told)?;
        schema::prepare(&pool, &schema, &seal).map_err(told)?;
        let channel = format!("ringmail-{office}");
        let is_told = watching::can_tell(&pool, &channel);
        let can_be_loose = writing::can_be_loose(&pool);
        let leases = Arc::new(Leases::new(lease, worker()?));
        let kept = Kept::default();
        let inner = Inner { pool, seal, leases, kept, channel, is_told, can_be_loose, office: office.to_owned() };
        Ok(Postgres { inner: Arc::new(inner) })
    }
}

/// The name of this worker as the holder of leases, for people who look into the database.
fn worker() -> io::Result<String> {
    let mut mark = [0; 6];
    getrandom::fill(&mut mark).map_err(|error| io::Error::other(error.to_string()))?;
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    Ok(format!("{} {} {}", host.trim(), process::id(), data_encoding::HEXLOWER.encode(&mark)))
}

impl Inner {
    fn listens(&self) -> bool {
        self.is_told
    }

    fn place(&self, drawer: &str, file: &str) -> PathBuf {
        let mut place = PathBuf::from(self.pool.shown());
        place.extend([&self.office, drawer, file].iter().filter(|part| !part.is_empty()));
        place
    }

    /// An error, with the file that it is about.
    fn told(&self, drawer: &str, file: &str) -> impl Fn(io::Error) -> io::Error {
        let place = self.place(drawer, file);
        move |error| about(&place, &error)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.leases.end();
    }
}

impl Home for Postgres {
    fn place(&self, drawer: &str, file: &str) -> PathBuf {
        self.inner.place(drawer, file)
    }

    fn folder(&self) -> Option<&Path> {
        None
    }

    fn read(&self, drawer: &str, file: &str) -> io::Result<Vec<u8>> {
        self.inner.bytes(Spot::of(drawer, file)).map_err(self.inner.told(drawer, file))
    }

    fn stream(&self, drawer: &str, file: &str, start: u64) -> io::Result<Box<dyn Read + Send>> {
        reading::stream(&self.inner, drawer, file, start).map_err(self.inner.told(drawer, file))
    }

    fn look(&self, drawer: &str, file: &str) -> io::Result<Seen> {
        self.inner.look(Spot::of(drawer, file)).map_err(self.inner.told(drawer, file))
    }

    fn which(&self, drawer: &str, files: &[String]) -> io::Result<Vec<usize>> {
        self.inner.which(drawer, files).map_err(self.inner.told(drawer, ""))
    }

    fn list(&self, drawer: &str, folder: &str) -> io::Result<Vec<Found>> {
        self.inner.list(drawer, folder).map_err(self.inner.told(drawer, folder))
    }

    fn make_folder(&self, drawer: &str, folder: &str) -> io::Result<()> {
        // A folder exists as soon as something is in it; only the drawer is made, as in a folder on a disk. A drawer of
        // which we hold a lease is there.
        if self.inner.leases.fence(drawer).is_ok_and(|fence| fence.count > 0) {
            return Ok(());
        }
        match self.inner.has_drawer(drawer) {
            Ok(true) => Ok(()),
            Ok(false) => self.make_drawer(drawer),
            Err(error) => Err(about(&self.place(drawer, folder), &error)),
        }
    }

    fn put(&self, drawer: &str, folder: &str, files: &[(&str, &[u8])], care: Care) -> io::Result<()> {
        self.inner.put(drawer, folder, files, care).map_err(self.inner.told(drawer, folder))
    }

    fn create(&self, drawer: &str, file: &str, bytes: &[u8]) -> io::Result<()> {
        self.inner.create(Spot::of(drawer, file), bytes).map_err(self.inner.told(drawer, file))
    }

    fn rename(&self, drawer: &str, from: &str, to: &str) -> io::Result<()> {
        self.inner.rename(Spot::of(drawer, from), Spot::of(drawer, to)).map_err(self.inner.told(drawer, from))
    }

    fn remove(&self, drawer: &str, file: &str) -> io::Result<()> {
        self.inner.remove(Spot::of(drawer, file)).map_err(self.inner.told(drawer, file))
    }

    fn remove_folder(&self, drawer: &str, folder: &str) -> io::Result<()> {
        self.inner.remove_folder(drawer, folder).map_err(self.inner.told(drawer, folder))
    }

    fn appender(&self, drawer: &str, file: &str, begin: Begin) -> io::Result<Box<dyn Appender>> {
        appending::appender(&self.inner, drawer, file, begin).map_err(self.inner.told(drawer, file))
    }

    fn lock(&self, drawer: &str, word: &str, patience: Duration) -> io::Result<Lock> {
        lease::lock(&self.inner, drawer, word, patience)
    }

    fn has_drawer(&self, drawer: &str) -> io::Result<bool> {
        self.inner.has_drawer(drawer).map_err(self.inner.told(drawer, ""))
    }

    fn make_drawer(&self, drawer: &str) -> io::Result<()> {
        self.inner.make_drawer(drawer).map_err(self.inner.told(drawer, ""))
    }

    fn move_in(&self, from: &Path, drawer: &str) -> io::Result<()> {
        moving::move_in(&self.inner, from, drawer).map_err(self.inner.told(drawer, ""))
    }

    fn drawers(&self) -> io::Result<Vec<String>> {
        self.inner.drawers().map_err(self.inner.told("", ""))
    }

    fn drawers_with(&self, file: &str) -> io::Result<Vec<String>> {
        self.inner.drawers_with(file).map_err(self.inner.told("", file))
    }

    fn survey(&self, note: &str, lengths: [&str; 2]) -> io::Result<Vec<Surveyed>> {
        self.inner.survey(note, lengths).map_err(self.inner.told("", ""))
    }

    fn everywhere(&self, folder: &str) -> io::Result<Vec<(String, Found)>> {
        self.inner.everywhere(folder).map_err(self.inner.told("", folder))
    }

    fn space(&self) -> io::Result<Option<Space>> {
        Ok(None)
    }

    fn shared(&self) -> Option<&dyn Shared> {
        Some(self)
    }
}

impl Shared for Postgres {
    fn hand_in(&self, letter: &LetterWaiting) -> io::Result<()> {
        queue::hand_in(&self.inner, letter).map_err(self.inner.told("", "letters in"))
    }

    fn take(&self) -> io::Result<Option<LetterTaken>> {
        queue::take(&self.inner).map_err(self.inner.told("", "letters in"))
    }

    fn received(&self, id: i64) -> io::Result<()> {
        queue::received(&self.inner, id).map_err(self.inner.told("", "letters in"))
    }

    fn put_off(&self, id: i64, wait: Duration) -> io::Result<()> {
        queue::put_off(&self.inner, id, wait, "").map_err(self.inner.told("", "letters in"))
    }

    fn put_behind(&self, id: i64, wait: Duration) -> io::Result<()> {
        queue::put_off(&self.inner, id, wait, ", id = nextval('~change')").map_err(self.inner.told("", "letters in"))
    }

    fn queue_in(&self) -> io::Result<QueueIn> {
        queue::queue_in(&self.inner).map_err(self.inner.told("", "letters in"))
    }

    fn footing(&self) -> io::Result<Option<Footing>> {
        watching::footing(&self.inner.pool).map_err(self.inner.told("", ""))
    }

    fn watch(&self, wake: Box<dyn Fn(Woken) + Send>) -> io::Result<()> {
        watching::watch(&self.inner, wake).map_err(self.inner.told("", ""))
    }
}
