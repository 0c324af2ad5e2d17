//! An office in a database, made and served by the real program: its workers are processes that can be killed,
//! stopped and started.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The mailbox of the office.
pub const MAILBOX: &str = "box@play.example";

/// One worker: a process of `ringmail serve`.
pub struct Worker {
    child: Child,
    /// The file with its output.
    pub told: PathBuf,
}

impl Worker {
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal, as `kill` does.
    pub fn signal(&self, signal: &str) {
        // The `kill` of the shell: not every machine has the program.
        let told = Command::new("sh").args(["-c", &format!("kill {signal} {}", self.id())]).status().unwrap();
        assert!(told.success());
    }

    /// The worker dies at once, as if its machine did.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks the worker to stop, and waits until it has.
    pub fn stop(mut self) {
        self.signal("-TERM");
        let ended = self.child.wait().unwrap();
        assert!(ended.success(), "{ended}: {}", self.words());
    }

    pub fn words(&self) -> String {
        fs::read_to_string(&self.told).unwrap_or_default()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A worker stopped by a signal can still be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The office: a folder with its configuration, its Maildir and what it sends.
pub struct Office {
    pub home: PathBuf,
    pub program: PathBuf,
    /// Extra environment variables of every process, e.g. for another clock.
    pub environment: Vec<(String, String)>,
    starts: u32,
}

impl Office {
    /// Makes the office with `ringmail init`. `store` has the URL of the database and what else is under `store` in
    /// the configuration; `None` keeps the games in a folder.
    pub fn found(home: &Path, program: &Path, store: Option<(&str, &str)>) -> Office {
        let office = Office { home: home.to_owned(), program: program.to_owned(), environment: Vec::new(), starts: 0 };
        // A configuration holds no password, and the database of a test asks for none.
        let plain = |url: &str| url.replace(":mellon@", "@");
        let store = store.map(|(url, more)| (plain(url), more));
        let mut init = vec!["init", "--mailbox", MAILBOX, "--host", "host@play.example"];
        init.extend(store.iter().flat_map(|(url, _)| ["--store", url.as_str()]));
        office.does(&init);
        let store = store.map(|(url, more)| format!("store: {{ url: \"{url}\", key: office.key, {more} }}\n"));
        office.configure("ringmail.yaml", &store.unwrap_or_default());
        office
    }

    /// Writes a configuration beside the first one.
    pub fn configure(&self, name: &str, more: &str) {
        let config = format!(
            "mailbox: {MAILBOX}\nletters: text\ndns: off\nreceive:\n  maildir: Maildir\nsend:\n  files: out\n{more}"
        );
        fs::write(self.home.join(name), config).unwrap();
    }

    /// A copy of the present configuration with something added.
    pub fn configure_more(&self, name: &str, more: &str) {
        let config = fs::read_to_string(self.home.join("ringmail.yaml")).unwrap();
        fs::write(self.home.join(name), format!("{config}{more}")).unwrap();
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(&self.home).stdin(Stdio::null());
        for variable in ["RINGMAIL_GAMES", "RINGMAIL_MAILBOX", "RINGMAIL_SMTP", "RINGMAIL_CONFIG"] {
            command.env_remove(variable);
        }
        command.envs(self.environment.iter().cloned());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a verb of the program prints; it must succeed.
    #[track_caller]
    pub fn does(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", words(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Makes a game of Risk of a person against the program, and invites the person.
    pub fn invite(&self, game: &str) {
        let person = format!("yellow={game} <{game}@shire.example>");
        self.does(&["new", game, "--seat", &person, "--seat", "red=bot:easy"]);
        self.does(&["invite", game]);
    }

    /// Starts a worker with these roles.
    pub fn serve(&mut self, roles: &str, config: &str) -> Worker {
        self.starts += 1;
        let told = self.home.join(format!("serve-{:04}", self.starts));
        let (out, errors) = (File::create(&told).unwrap(), File::options().append(true).open(&told).unwrap());
        let mut serve = self.command(&["--config", config, "serve", "--roles", roles]);
        let child = serve.stdout(out).stderr(errors).spawn().unwrap();
        Worker { child, told }
    }

    /// The output of all workers since the beginning.
    pub fn told(&self) -> String {
        let told = |start| fs::read_to_string(self.home.join(format!("serve-{start:04}"))).unwrap_or_default();
        (1..=self.starts).map(told).collect()
    }
}

pub fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
