/*! The port at which monitors ask how the service is: `GET /healthz` and `GET /metrics`, over HTTP/1.1, one request
per connection.

Each client has a thread of its own, so a silent client does not hold up the others; above `CLIENTS`, new ones are
turned away. The port reads no more than a short request, and waits no longer than a few seconds: clients can neither
fill the memory nor hold up the service.
*/

use super::{Vitals, metrics};
use net::time_limit::{Patience, Socket};
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use store::Store;

/// The largest request; nothing is read beyond it.
const REQUEST_MAX: usize = 4096;
/// How long a client may be silent, and how long it may stay.
const PATIENCE: Patience = Patience { silence: Duration::from_secs(2), whole: Duration::from_secs(5) };
/// Clients at a time; few monitors are expected.
const CLIENTS: usize = 32;
/// The pause after an error of the system, such as too many open files.
const REST: Duration = Duration::from_millis(200);

/// Answers at this address until the process ends. Returns the address at which it listens.
pub fn listen(address: SocketAddr, vitals: Arc<Vitals>, store: &Store) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(address)?;
    let (place, store) = (listener.local_addr()?, store.clone());
    let clients = Arc::new(());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                thread::sleep(REST);
                continue;
            };
            // Every client holds a reference, and this thread the first one.
            if Arc::strong_count(&clients) <= CLIENTS {
                let (client, vitals, store) = (Arc::clone(&clients), Arc::clone(&vitals), store.clone());
                // Neither an error of a client nor the system's lack of a thread for it is a trouble of the service.
                let _ = thread::Builder::new().spawn(move || {
                    let _ = converse(stream, &vitals, &store);
                    drop(client);
                });
            }
        }
    });
    Ok(place)
}

fn converse(stream: TcpStream, vitals: &Vitals, store: &Store) -> io::Result<()> {
    let deadline = PATIENCE.begin();
    let (mut incoming, mut outgoing) =
        (Socket::new(stream.try_clone()?, deadline), Socket::new(stream.try_clone()?, deadline));
    let mut request = Vec::new();
    let mut bytes = [0; 512];
    // Only the request line matters, but a client that is cut off while it sends does not read the answer.
    while request.len() < REQUEST_MAX && !request.windows(4).any(|end| end == b"\r\n\r\n") {
        match incoming.read(&mut bytes)? {
            0 => break,
            length => request.extend_from_slice(&bytes[..length]),
        }
    }
    outgoing.write_all(&answer(&request, vitals, store))?;
    outgoing.flush()?;
    stream.shutdown(Shutdown::Write)
}

/// The whole answer to a request.
fn answer(request: &[u8], vitals: &Vitals, store: &Store) -> Vec<u8> {
    let line = request.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    let words: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
    let [method, target, version] = words.as_slice() else { return page("400 Bad Request", "", "no request\n") };
    if !version.starts_with(b"HTTP/1.") {
        return page("505 HTTP Version Not Supported", "", "HTTP/1.1, please\n");
    }
    if *method != b"GET" && *method != b"HEAD" {
        return page("405 Method Not Allowed", "Allow: GET, HEAD\r\n", "only GET and HEAD\n");
    }
    let target = target.split(|byte| *byte == b'?').next().unwrap_or_default();
    let mut told = match target {
        b"/healthz" => healthz(vitals),
        b"/metrics" => {
            let free = store.space().ok().flatten().map(|space| space.free);
            page("200 OK", "", &metrics::page(&vitals.signs(), free, vitals.now()))
        }
        _ => page("404 Not Found", "", "there are /healthz and /metrics\n"),
    };
    if *method == b"HEAD" {
        let end = told.windows(4).position(|end| end == b"\r\n\r\n").map_or(told.len(), |at| at + 4);
        told.truncate(end);
    }
    told
}

fn healthz(vitals: &Vitals) -> Vec<u8> {
    let troubles = vitals.troubles();
    if troubles.is_empty() {
        page("200 OK", "", "ok\n")
    } else {
        let words: String = troubles.iter().map(|trouble| format!("{trouble}\n")).collect();
        page("503 Service Unavailable", "", &words)
    }
}

fn page(status: &str, field: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {length}\r\n\
         {field}Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    );
    (head + body).into_bytes()
}
