//! The connection breaks between a statement and its answer: a lease taken by that statement is known to be ours.

use super::{KEY, Office};
use database::Postgres;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use store::home::{Home, Lock};

/// A way to the database that can lose its answers.
struct Wire {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// The answer to the next statement is lost, and the connection with it.
    loses: AtomicBool,
    is_closed: AtomicBool,
    /// Both ends of every connection.
    streams: Mutex<Vec<TcpStream>>,
}

impl Wire {
    fn to(database: u16) -> Wire {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let wire = Wire { port: listener.local_addr().unwrap().port(), state: Arc::default() };
        let state = wire.state.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if state.is_closed.load(Ordering::SeqCst) {
                    continue;
                }
                let server = TcpStream::connect(("127.0.0.1", database)).unwrap();
                let ends = || [client.try_clone().unwrap(), server.try_clone().unwrap()];
                state.streams.lock().unwrap().extend(ends());
                let lost = Arc::new(AtomicBool::new(false));
                let ([from, to], state, is_lost) = (ends(), state.clone(), lost.clone());
                thread::spawn(move || {
                    forward(from, to, || {
                        if state.loses.swap(false, Ordering::SeqCst) {
                            is_lost.store(true, Ordering::SeqCst);
                        }
                        true
                    });
                });
                thread::spawn(move || forward(server, client, || !lost.load(Ordering::SeqCst)));
            }
        });
        wire
    }

    fn lose(&self) {
        self.state.loses.store(true, Ordering::SeqCst);
    }

    fn close(&self) {
        self.state.is_closed.store(true, Ordering::SeqCst);
        self.state.streams.lock().unwrap().drain(..).for_each(|stream| drop(stream.shutdown(Shutdown::Both)));
    }

    /// Accepts no more connections; the open ones continue.
    fn take_no_more(&self) {
        self.state.is_closed.store(true, Ordering::SeqCst);
    }

    fn open(&self) {
        self.state.is_closed.store(false, Ordering::SeqCst);
    }
}

/// Forwards bytes while that is wanted; then closes both ends.
fn forward(mut from: TcpStream, mut to: TcpStream, is_wanted: impl Fn() -> bool) {
    let mut bytes = [0; 65536];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if !is_wanted() || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    for end in [from, to] {
        let _ = end.shutdown(Shutdown::Both);
    }
}

fn lock(worker: &Postgres) -> io::Result<Lock> {
    worker.lock("shire", "game.lock", Duration::ZERO)
}

#[track_caller]
fn must_be_held(worker: &Postgres) {
    assert_eq!(lock(worker).unwrap_err().kind(), ErrorKind::WouldBlock);
}

/// Otherwise it would take half a minute until the lease expires.
#[test]
fn a_lease_of_which_the_answer_was_lost_is_known_to_be_ours() {
    let Some(office) = Office::new() else { return };
    let wire = Wire::to(office.database.port);
    let url = office.database.url().replace(&office.database.port.to_string(), &wire.port.to_string());
    let (worker, other) = (Postgres::open(&url, &KEY, &office.name).unwrap(), office.worker());
    worker.make_drawer("shire").unwrap();
    // A statement that the connection knows is one question and one answer.
    let begin = || drop(lock(&worker).unwrap());
    begin();
    wire.lose();
    let held = lock(&worker).unwrap();
    must_be_held(&other);
    must_be_held(&worker);
    worker.create("shire", "host.yaml", b"written under the lock").unwrap();
    drop(held);
    begin();
    // It is found only at the next try.
    wire.lose();
    wire.take_no_more();
    let gone = lock(&worker).unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NotConnected, "{gone}");
    must_be_held(&other);
    wire.open();
    let held = lock(&worker).unwrap();
    must_be_held(&other);
    must_be_held(&worker);
    // The lease cannot be given back.
    wire.close();
    drop(held);
    must_be_held(&other);
    wire.open();
    drop(lock(&worker).unwrap());
    drop(lock(&other).unwrap());
}
