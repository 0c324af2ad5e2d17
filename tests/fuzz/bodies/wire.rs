/*! Any bytes come over a connection: from an IMAP server that lies, from an LMTP client that rambles, from a name
server, from a relay of the beacon, from an mbox.

The first byte chooses the source. A sender without end cannot make us keep everything.
*/

use mail::letter::limits::Limits;
use mail::letter::mailbox::Mailbox;
use mail::wire::Wire;
use mail::wire::imap_reply;
use mail::wire::intake::{Filed, Parcel, Taken};
use mail::wire::lmtp::Lmtp;
use mail::wire::mbox::Mbox;
use mail::wire::server::{Address, Protection};
use net::beacon;
use net::dns;
use net::time_limit::Patience;
use std::io::Write;
use std::net::{Shutdown, TcpListener};

/// The limit for letters here, small so that inputs reach it.
const LETTER_BYTES: usize = 4096;

thread_local! {
    /// One for all runs: a machine has a limited number of ports, and the system keeps each one for a minute.
    static LISTENER: TcpListener = TcpListener::bind("127.0.0.1:0").expect("a free port");
}

pub fn run(data: &[u8]) {
    match data {
        [b'i', said @ ..] => imap(said),
        [b'l', said @ ..] => lmtp(said),
        [b'd', said @ ..] => names(said),
        [b'b', said @ ..] => round(said),
        [_, mbox @ ..] => letters(mbox),
        [] => {}
    }
}

fn names(answer: &[u8]) {
    // Every text uses its own bytes; a byte that is not valid text becomes one character of three bytes.
    let texts = dns::texts(answer).unwrap_or_default();
    assert!(texts.iter().map(String::len).sum::<usize>() <= answer.len() * 3);
    // A record has at least ten bytes.
    assert!(dns::exchangers(answer).unwrap_or(0) <= answer.len() / 10);
}

fn round(answer: &[u8]) {
    if let Ok(round) = beacon::read(answer) {
        assert!(round.signature.len() * 2 <= answer.len(), "each byte of a signature was two digits");
    }
}

/// Valid inputs.
pub fn seeds() -> Vec<Vec<u8>> {
    let answer =
        b"d\x12\x34\x81\x80\0\x01\0\x02\0\0\0\0\x01s\x05shire\0\0\x10\0\x01\xc0\x0c\0\x10\0\x01\0\0\0\x3c\0\x0a\
        \x06v=DKIM\x02=1\xc0\x0c\0\x0f\0\x01\0\0\0\x3c\0\x06\0\x0a\x02mx\0";
    let mut seeds = [
        "i* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\na1 OK done\r\n* 3 EXISTS\r\n* SEARCH 2 84 882\r\n",
        "i* 3 FETCH (UID 7 INTERNALDATE \"20-Nov-2026 07:12:33 +0000\" BODY[] {12}\r\n\
         From: a@b\r\n\r\n)\r\na2 OK done\r\n",
        "i* 4 FETCH (BODY[] {3+}\r\nabc UID {1}\r\n8)\r\n+ idling\r\n* BYE see you\r\n* LIST () \"/\" {5}\r\nINBOX\r\n",
        "i* 1 FETCH (BODY[] {1}\r\na UID {18446744073709551615}\r\n",
        "lLHLO relay\r\nMAIL FROM:<frodo@shire.example> SIZE=30\r\nRCPT TO:<box+g7@play.example>\r\nDATA\r\n\
         From: <frodo@shire.example>\r\n\r\n..pass\r\n.\r\nRSET\r\nNOOP\r\nVRFY x\r\nQUIT\r\n",
        "b{\"round\":1000,\"randomness\":\"00\",\"signature\":\"b44679b9\"}",
        "mFrom box Fri Nov 20 10:23:07 2026\nFrom: a@b\n\n>From me\npass\n\nFrom box Fri Nov 20\nTo: b\n\nend\n",
    ]
    .map(|seed| seed.as_bytes().to_vec())
    .to_vec();
    seeds.push(answer.to_vec());
    seeds
}

fn limits() -> Limits {
    Limits { letter_bytes: LETTER_BYTES, ..Limits::ORDINARY }
}

fn imap(said: &[u8]) {
    let (mut wire, mut server) = LISTENER.with(|listener| {
        let port = listener.local_addr().expect("an address").port();
        let address = Address { user: None, host: "127.0.0.1".to_owned(), port, protection: Protection::None };
        let wire = Wire::connect(&address, None, Patience::SERVER.begin()).expect("the server is there");
        (wire, listener.accept().expect("the client has come").0)
    });
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The client may hang up in the middle.
            let _ = server.write_all(said).and_then(|()| server.shutdown(Shutdown::Write));
        });
        while let Ok(reply) = imap_reply::read(&mut wire, LETTER_BYTES) {
            if let imap_reply::Reply::Fetch(fetched) = reply {
                assert!(fetched.letter.is_none_or(|letter| letter.len() <= said.len()));
            }
        }
        drop(wire);
    });
}

fn lmtp(said: &[u8]) {
    let ours = Mailbox::read("box@play.example").expect("an address");
    let limits = limits();
    let mut answers = Vec::new();
    let mut take = |parcel: &Parcel<'_>| {
        assert!(parcel.raw.len() <= LETTER_BYTES + 1, "no more of a letter is kept than can be refused");
        Taken::Filed(Filed::Answered)
    };
    let ended = Lmtp::new(&ours, &limits).talk(&mut &*said, &mut answers, &mut take);
    assert!(answers.starts_with(b"220 ") && answers.ends_with(b"\r\n"), "{ended:?}");
}

fn letters(mbox: &[u8]) {
    let mut letters = Mbox::new(mbox, &limits());
    let mut read = 0;
    while let Some(letter) = letters.next_letter().expect("bytes in memory can be read") {
        assert!(letter.len() <= 2 * LETTER_BYTES + 2, "{} bytes are kept", letter.len());
        read += letter.len();
    }
    assert!(read <= mbox.len(), "no byte is read twice");
}
