//! PostgreSQL on the loopback address, started once for a test program, and ended with it, however the program ends.

use crate::needs;
use crate::servers::{fixtures, free_port};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

/// The folder of Debian's programs; only some of them are on the `PATH`.
const PROGRAMS: &str = "/usr/lib/postgresql/15/bin";
/// The environment variable with the folder of another version.
const OTHER_PROGRAMS: &str = "RINGMAIL_POSTGRES";
/// The word printed before the port when the server is ready.
const READY: &str = "ready";

/// Keeps the server: restarts it for every line that it reads, and ends it when nobody can write lines any more. A
/// line says how the server is stopped, and what its environment has from then on.
const KEEPER: &str = r#"
set -e
cd "$1"
initdb --pgdata=data --auth=trust --username=ringmail --locale=C --encoding=UTF8 --no-sync > initdb.log 2>&1
server() {
    pg_ctl --pgdata=data --log=server.log --silent --wait --options="-c port=$2 -c listen_addresses=127.0.0.1 \
        -c unix_socket_directories= -c fsync=$3 -c shared_buffers=32MB -c jit=off -c ssl=on \
        -c ssl_cert_file=$1/server.pem -c ssl_key_file=$1/server.key" start > /dev/null
    echo ready
}
trap 'pg_ctl --pgdata=data --silent --mode=immediate stop > /dev/null; cd /; rm -rf "$1"' EXIT
server "$@"
while read -r mode variables; do
    pg_ctl --pgdata=data --silent --wait --mode="$mode" stop > /dev/null
    [ -z "$variables" ] || export $variables
    server "$@"
done
"#;

/// The user that the server runs as: it refuses to run as root.
const USER: u32 = 65534;

/// A server that ends when this is dropped, or when this program ends.
pub struct Database {
    pub port: u16,
    keeper: Child,
    pipes: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Database {
    /// The one server of this test program; `None` if PostgreSQL is not installed.
    pub fn shared() -> Option<&'static Database> {
        static SHARED: OnceLock<Option<Database>> = OnceLock::new();
        // Every test says that it is skipped.
        is_installed().then(|| SHARED.get_or_init(Database::start).as_ref())?
    }

    /// A separate server, for a test that would disturb others. It does not wait for its disk.
    pub fn start() -> Option<Database> {
        Database::with("off")
    }

    /// A server that waits for its disk, like a host's: for figures.
    pub fn durable() -> Option<Database> {
        Database::with("on")
    }

    fn with(fsync: &str) -> Option<Database> {
        if !is_installed() {
            return None;
        }
        let folder = tempfile::tempdir().unwrap().keep();
        for name in ["server.pem", "server.key"] {
            fs::copy(fixtures().join(name), folder.join(name)).unwrap();
            fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o600)).unwrap();
        }
        let is_root = chown(&folder, Some(USER), Some(USER)).is_ok();
        for name in ["server.pem", "server.key"] {
            let _ = chown(folder.join(name), Some(USER), Some(USER));
        }
        let port = free_port();
        let mut command = if is_root {
            let mut command = Command::new("setpriv");
            command.args([&format!("--reuid={USER}"), &format!("--regid={USER}"), "--clear-groups", "sh"]);
            command
        } else {
            Command::new("sh")
        };
        command.args(["-c", KEEPER, "keeper"]).arg(&folder).arg(port.to_string()).arg(fsync).current_dir("/");
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", programs().display())).env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut keeper = command.spawn().unwrap();
        let pipes = (keeper.stdin.take().unwrap(), BufReader::new(keeper.stdout.take().unwrap()));
        let database = Database { port, keeper, pipes: Mutex::new(pipes) };
        database.must_be_ready();
        Some(database)
    }

    fn must_be_ready(&self) {
        let mut line = String::new();
        self.pipes.lock().unwrap().1.read_line(&mut line).unwrap();
        assert_eq!(line.trim_end(), READY, "PostgreSQL does not start");
    }

    /// Stops the server and starts it again; `immediate` stops it like a crash, `fast` cleanly.
    pub fn restart(&self, mode: &str) {
        self.restart_with(mode, &[]);
    }

    /// The same with more in its environment, e.g. another clock. No value contains a space.
    pub fn restart_with(&self, mode: &str, environment: &[(String, String)]) {
        let variables: String = environment.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        writeln!(self.pipes.lock().unwrap().0, "{mode}{variables}").unwrap();
        self.must_be_ready();
    }

    /// Ends the server, and returns when it is gone.
    pub fn end(self) {
        let Database { mut keeper, pipes, .. } = self;
        drop(pipes);
        keeper.wait().unwrap();
    }

    /// Its URL, with a password that the server does not ask for.
    pub fn url(&self) -> String {
        self.url_with("sslmode=disable")
    }

    /// Its URL, with these parameters.
    pub fn url_with(&self, words: &str) -> String {
        format!("postgres://ringmail:{}@localhost:{}/postgres?hostaddr=127.0.0.1&{words}", super::PASSWORD, self.port)
    }

    /// A name for an office that no other test has.
    pub fn office(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        format!("office-{}", NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Everything in the database, as text.
    pub fn dump(&self, office: &str) -> String {
        let mut command = Command::new(programs().join("pg_dump"));
        command.args(["--dbname", &self.url(), "--schema", office, "--inserts"]);
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Where the programs are.
pub fn programs() -> PathBuf {
    PathBuf::from(std::env::var_os(OTHER_PROGRAMS).unwrap_or_else(|| PROGRAMS.into()))
}

fn is_installed() -> bool {
    needs::program_at(&programs().join("initdb")) && needs::programs(&["setpriv"])
}
