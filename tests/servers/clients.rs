//! Real mail programs with which players write their letters.

use crate::needs;
use std::io::Write;
use std::process::{Command, Stdio};

/// A player's letter.
pub struct Written<'a> {
    pub from: &'a str,
    pub to: &'a str,
    pub subject: &'a str,
    /// The Message-ID of the letter he answers, with its brackets.
    pub answers: &'a str,
    pub text: &'a str,
    /// For programs that make no Message-ID.
    pub number: u32,
}

/// The programs, used in turn.
pub const PROGRAMS: [&str; 4] = ["swaks", "mutt", "s-nail", "msmtp"];

/// Sends a letter with one of the programs to a server on this machine.
pub fn send(program: &str, port: u16, letter: &Written<'_>) {
    assert!(needs::is_on_path(program), "{program}");
    let port = port.to_string();
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(program);
    command.env("HOME", home.path()).env("LC_ALL", "C.UTF-8");
    let Written { from, to, subject, answers, text, number } = letter;
    let mut input = (*text).to_owned();
    match program {
        "swaks" => {
            command.args(["--server", "127.0.0.1", "--port", &port, "--from", from, "--to", to]);
            command.args(["--header", &format!("Subject: {subject}"), "--header", &format!("In-Reply-To: {answers}")]);
            command.args(["--body", text, "--hide-all"]);
            input.clear();
        }
        "mutt" => {
            let config = format!(
                "set smtp_url=\"smtp://127.0.0.1:{port}\"\nset from=\"{from}\"\nset use_from=yes\nset copy=no\n\
                 set ssl_starttls=no\nset ssl_force_tls=no\nset realname=\"\"\nset use_envelope_from=yes\n\
                 my_hdr In-Reply-To: {answers}\n"
            );
            std::fs::write(home.path().join("muttrc"), config).unwrap();
            command.arg("-F").arg(home.path().join("muttrc")).args(["-s", subject, "--", to]);
        }
        "s-nail" => {
            command.args(["-:/", "-S", "v15-compat=yes", "-S", &format!("mta=smtp://127.0.0.1:{port}")]);
            command.args(["-S", "smtp-auth=none", "-S", &format!("from={from}"), "-S", "sendwait"]);
            command.arg("-t");
            input = format!("To: {to}\nSubject: {subject}\nIn-Reply-To: {answers}\n\n{text}");
        }
        _ => {
            command.args(["--host=127.0.0.1", &format!("--port={port}"), &format!("--from={from}"), "--", to]);
            input = format!(
                "From: {from}\nTo: {to}\nSubject: {subject}\nIn-Reply-To: {answers}\n\
                 Message-ID: <{number}@msmtp.shire.example>\n\n{text}"
            );
        }
    }
    run(&mut command, &input);
}

/// Hands a letter unchanged to a server on this machine.
pub fn send_raw(port: u16, letter: &str) {
    let line = |name: &str| letter.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
    let mut command = Command::new("msmtp");
    command.args(["--host=127.0.0.1", &format!("--port={port}"), &format!("--from={}", line("From:"))]);
    run(command.arg("--").arg(line("To:")), letter);
}

fn run(command: &mut Command, input: &str) {
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.unwrap();
    // A program that needs no more input may not read all of it.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}
