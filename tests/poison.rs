/*! No letter within its limits costs more than linear work, in any parser on the way in. The work is counted in steps
(characters looked at, comparisons, lines looked at again), and every hostile letter must stay below a number of steps
a byte.
*/

use crate::house::House;
use crate::mail_domain::{Dns, Domain, KEY, strict};
use crate::register::TwoGames;
use ground::effort;
use mail::letter::dkim::{self, KeyRecords, Later};
use mail::letter::limits::{Limits, Measure};
use mail::letter::mailbox::Mailbox;
use mail::letter::signed_part::SignedPart;
use mail::letter::{Letter, Unreadable};
use mail::wire::intake::{Filed, Parcel, Taken};
use mail::wire::lmtp::Lmtp;
use mail::wire::mbox::Mbox;
use mail::wire::server::{Address, Protection};
use mail::wire::{Wire, imap_reply};
use net::dns;
use net::time_limit::Patience;
use post::book::Reception;
use post::desk::authorship::Judges;
use post::names::address;
use post::names::returned::{self, Returned};
use post::order::vocabulary;
use post::order::{sentences, sign_off};
use post::reply::quoting;
use ringmail::titles;
use std::io::Write;
use std::net::{Shutdown, TcpListener};
use std::sync::Arc;
use std::thread;

/// The most steps that a letter costs for each of its bytes; a short letter counts as `SHORT` bytes.
const STEPS_A_BYTE: u64 = 400;
const SHORT: u64 = 2_000;

const HEAD: &str = "From: frodo@shire.example\r\nTo: box+g7.green.abc@play.example\r\nSubject: x\r\n\
                    Date: Fri, 20 Nov 2026 09:00:00 +0000\r\n";

/// Key records under every name, as many as a DNS answer can hold.
struct Keys;

impl KeyRecords for Keys {
    fn texts(&self, _: &str) -> Result<Vec<String>, Later> {
        let tags: String = (0..2_000).map(|number| format!("a{number}=;")).collect();
        Ok(vec![format!("v=DKIM1; {tags} p=AAAA"); 50])
    }
}

/// Everything that happens to a letter before its game sees it.
fn read(raw: &[u8]) {
    let limits = Limits::ORDINARY;
    let ours = Mailbox::read("box@play.example").unwrap();
    let letter = Letter::open(raw, &limits);
    let _ = letter.text_hash();
    let _ = returned::robot(&letter.envelope, &ours);
    let _ = Returned::read(raw, &letter.envelope, &ours);
    let _ = address::route(&letter.envelope, &ours, &TwoGames);
    let _ = address::games_named(&letter.envelope, &ours);
    let _ = SignedPart::key_names(raw, &limits);
    let _ = SignedPart::open(raw, None, &Keys, &limits);
    let _ = dkim::check(raw, "shire.example", None, &Keys);
    if let Ok(text) = &letter.text {
        let _ = quoting::tag_of_quoted(&text.lines);
        if let Ok(reading) = sentences::read(text, vocabulary::of_all(titles::ALL), &limits) {
            let _ = sign_off::find(&reading, &["Anna".to_owned()]);
        }
    }
}

#[track_caller]
fn costs_little(name: &str, raw: &[u8]) {
    let _ = effort::taken();
    read(raw);
    let (steps, bytes) = (effort::taken(), raw.len() as u64);
    let most = STEPS_A_BYTE * (bytes + SHORT);
    assert!(steps <= most, "{name}: {steps} steps for {bytes} bytes, which is {} a byte", steps / bytes);
}

/// A letter that repeats one piece.
fn body(kind: &str, piece: &str, length: usize) -> Vec<u8> {
    let mut letter = format!("{HEAD}{kind}\r\n");
    let room = length.saturating_sub(letter.len());
    letter.push_str(&piece.repeat(room / piece.len()));
    letter.into_bytes()
}

/// A letter with one long field; a `#` in the piece is replaced by a new number each time.
fn field(start: &str, piece: &str) -> Vec<u8> {
    let mut letter = format!("{HEAD}{start}");
    let (mut width, mut number) = (0, 0);
    while letter.len() < 40_000 {
        let piece = piece.replace('#', &number.to_string());
        (width, number) = (width + piece.len(), number + 1);
        letter.push_str(&piece);
        if width > 900 {
            letter.push_str("\r\n ");
            width = 0;
        }
    }
    letter.push_str("\r\n\r\ndone\r\n");
    letter.into_bytes()
}

#[test]
fn p1_no_line_repeated_costs_more_than_its_length() {
    let pieces = [
        "x\r\n",
        "> x\r\n",
        "a: b\r\n",
        "From: a\r\n",
        "On 1 a wrote:\r\n",
        "On 1 a\r\n",
        "-----\r\n",
        "_____\r\n\r\n",
        "====\r\n",
        "-- \r\n",
        "Sent from my phone\r\n",
        "begin g7 green\r\n",
        "end\r\n",
        "\r\n",
        "-----BEGIN SSH SIGNATURE-----\r\n",
        "-----BEGIN PGP SIGNED MESSAGE-----\r\n",
        "a,\r\n",
        "a \\\r\n",
        "a-\r\n",
        "press all:\r\n",
        "when asked x say\r\n",
        "hi\r\n",
        "Best,\r\n",
        "Tel. 123456789\r\n",
        "code EQO5-\r\n",
        "attack x from y\r\n",
        "*From:* a\r\n",
        "From: a\r\n\r\n",
        ">>>>>>>> x\r\n",
        "Am 1\r\n> x\r\n",
        "==== g7 #412 f7a021810afa = x ====\r\n",
        "---- \r\nThis e-mail\r\n",
        "Von: a\r\nGesendet: b\r\n\r\n",
        "Begin forwarded message:\r\n",
        "---------- Forwarded message ---------\r\n",
        "----\r\nx\r\n",
    ];
    for piece in pieces {
        for kind in ["", "Content-Type: text/plain; format=flowed\r\n"] {
            costs_little(piece, &body(kind, piece, 16_000));
        }
    }
}

#[test]
fn p1_no_long_line_and_no_page_costs_more_than_its_length() {
    let pieces = [
        "x ",
        "*a*",
        "_",
        "[",
        "<",
        "&",
        "\u{301}",
        "é",
        "=",
        "<a>",
        "a.",
        "wrote: ",
        "On 1 wrote:",
        "~",
        "\u{202e}",
        "<div>",
        "<b>",
        "<p>x",
        "<div style=\"display:none\">",
        "<style>",
        "<!--",
        "<a href=x",
        "&amp",
        "<blockquote>",
        "<table><tr><td>",
        "</div>",
        "<br>",
        "<script>",
        "<li>x",
        "<div class=\"a b c d\">",
        "<textarea>",
        "</p>",
        "<a a='",
        "<hr>",
        "<?",
        "<svg>",
        "<b><p>",
        "<table><p>",
        "<li><b>",
    ];
    for piece in pieces {
        for kind in ["", "Content-Type: text/html\r\n"] {
            costs_little(piece, &body(kind, piece, 20_000));
        }
    }
}

#[test]
fn p1_no_part_of_a_letter_costs_more_than_its_length() {
    let mixed = "Content-Type: multipart/mixed; boundary=b\r\n";
    for piece in ["--b\r\n\r\n", "--b\r\n", "--\r\n", "--a\r\n", "--b--\r\n", "boundary=a\r\n", "--bb\r\n"] {
        costs_little(piece, &body(mixed, piece, 16_000));
    }
    let announced: String = (0..50).map(|number| format!("boundary={}\r\n", "b".repeat(number + 1))).collect();
    costs_little("boundaries", &body(&format!("X: y\r\n\r\n{announced}"), "--bbbbbbbbbbbbbbb\r\n", 40_000));
    let report = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\
                  Content-Type: message/delivery-status\r\n";
    for piece in ["Final-Recipient: rfc822; a@b\r\n", "Status: 5.1.1\r\n\r\n", " x\r\n", "Action: failed\r\n\r\n"] {
        costs_little(piece, &body(report, piece, 16_000));
    }
    for piece in ["<a@play.example> ", "<x", "5.1.1 "] {
        costs_little(piece, &body("Auto-Submitted: auto-replied\r\n", piece, 20_000));
    }
}

#[test]
fn p1_no_field_costs_more_than_its_length() {
    let signature = "DKIM-Signature: v=1; a=rsa-sha256; d=shire.example; s=s; c=relaxed/relaxed; \
                     bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AA==; h=from:date:subject";
    let names = format!("{signature}:{}", "a:".repeat(60));
    for (start, piece) in [
        (signature, ":a"),
        (signature, ":a#"),
        (signature, ":"),
        (&format!("{signature};"), "a#=;"),
        (&names, ";z#=y"),
        ("DKIM-Signature: ", "x#=y;"),
        ("DKIM-Signature: ", ";"),
        ("DKIM-Signature: d=shire.example;", "aa#=;"),
        ("Cc: ", "a#@b, "),
        ("Cc: ", "a:"),
        ("Cc: ", "<a"),
        ("Cc: ", "("),
        ("Cc: ", "\""),
        ("Cc: ", "=?utf-8?q?a?= "),
        ("Cc: ", "box+g#.green.abc@play.example,"),
        ("Delivered-To: ", "box+g#.green.abc@play.example,"),
        ("References: ", "<a#@b> "),
        ("References: ", "<"),
        ("In-Reply-To: ", "<a#@b> "),
        ("Authentication-Results: ", "("),
        ("Authentication-Results: ", "dkim=pass;"),
        ("Content-Type: text/plain", "; a#=b"),
        ("Content-Type: text/plain", "; a*#*=b"),
        ("Content-Type: ", "("),
        ("Subject: ", "["),
        ("Subject: ", "[g# #1 "),
        ("Subject: ", "=?utf-8?b?YQ==?= "),
        ("Received: ", "from a by b; "),
    ] {
        costs_little(&format!("{start}{piece}"), &field(start, piece));
    }
    let fields: String = (0..90).map(|number| format!("X{number}: y\r\n")).collect();
    costs_little("many fields", format!("{names}\r\n{HEAD}{fields}\r\ndone\r\n").as_bytes());
    let five = format!("{names}\r\n").repeat(5);
    costs_little("many signatures", format!("{five}{HEAD}{fields}\r\ndone\r\n").as_bytes());
}

/// One line of HTML may become many: they are limited like the lines of a letter.
#[test]
fn p1_a_page_has_no_more_lines_than_a_letter() {
    let raw = body("Content-Type: text/html\r\n", "<hr>", 200_000);
    let letter = Letter::open(&raw, &Limits::ORDINARY);
    let Err(Unreadable::TooMuch(refusal)) = letter.text else { panic!("{:?}", letter.text) };
    assert_eq!(refusal.measure, Measure::Lines);
}

/// The name servers are asked only for letters within the limits, and once for each name.
#[test]
fn a5_no_key_is_asked_for_that_does_not_count() {
    let signature = "DKIM-Signature: v=1; a=rsa-sha256; d=shire.example; s=s; c=relaxed/relaxed; \
                     bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AA==; h=from:date:subject";
    let asked = |count: usize, filler: usize| {
        let raw = format!("{}{HEAD}X: {}\r\n\r\n", format!("{signature}\r\n").repeat(count), "x".repeat(filler));
        SignedPart::key_names(raw.as_bytes(), &Limits::ORDINARY).len()
    };
    assert_eq!((asked(1, 0), asked(5, 0), asked(6, 0), asked(1, 70_000)), (1, 1, 0, 0));
}

/// Header names for a signature to list, one or two letters each, up to this many bytes.
fn names(bytes: usize) -> String {
    let names: String = (0..).map(|number| format!("a{}:", number % 97)).take(bytes / 4).collect();
    format!("{names}from")
}

#[test]
fn a5_no_header_over_the_limits_costs_more_than_its_length() {
    let signature = |names: &str| {
        format!(
            "DKIM-Signature: v=1; a=rsa-sha256; d=shire.example; s=s; c=relaxed/relaxed; \
             bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AA==; h={names}\r\n"
        )
    };
    let within = names(60_000);
    for (name, fields) in [
        ("1 MiB of names", signature(&names(1_000_000))),
        ("names up to the limit", signature(&within)),
        ("twenty signatures", signature("from:date:subject").repeat(20)),
        ("twenty signatures of many names", signature(&names(3_000)).repeat(20)),
        ("twenty signatures of 50,000 names", signature(&names(50_000)).repeat(20)),
        ("a million names of the limit's length", signature(&names(65_000)) + &"X: y\r\n".repeat(98)),
    ] {
        costs_little(name, format!("{fields}{HEAD}\r\ndone\r\n").as_bytes());
    }
}

/// The steps that receiving a letter costs.
fn receiving(house: &mut House, raw: &[u8]) -> u64 {
    let _ = effort::taken();
    let _ = house.receive(raw);
    effort::taken()
}

/// A registered player's letter of nothing but names and signatures is booked. When the program starts again and the
/// letter, or another of his, is there, that costs no more than before.
#[test]
fn a5_a_letter_that_was_booked_costs_no_more_at_the_next_start() {
    let domain = Domain::new(KEY);
    let mut house = strict(domain.record());
    let player = house.asked().0;
    let honest = String::from_utf8(house.signed_answer(&domain, player, "roll 2\r\n")).unwrap();
    let (signature, rest) = honest.split_once("\r\n").unwrap();
    let (head, body) = rest.split_once("\r\n\r\n").unwrap();
    // At the end of the header: the writer and the seat are known before the limit.
    let signed = |signatures: &str| format!("{head}\r\n{signatures}\r\n{body}");
    let of_names = |names: &str| format!("{}\r\n", signature.replace("h=from", &format!("h={names}")));
    // A copy of the house, with a program that has just started.
    let started = |house: &House| {
        let mut copy = house.copy();
        let judges = Judges { keys: Some(Arc::new(Dns(domain.record()))), server: None };
        copy.office = copy.office.clone().believing(judges);
        copy
    };
    let usual = receiving(&mut started(&house), honest.as_bytes());
    assert_eq!(started(&house).receive(honest.as_bytes()).outcome, Reception::Played);
    let hostile = [
        signed(&of_names(&names(1_000_000))),
        signed(&of_names(&names(60_000))),
        signed(&format!("{signature}\r\n").repeat(20)),
        signed(&of_names(&names(3_000)).repeat(20)),
    ];
    for raw in hostile {
        let mut house = started(&house);
        let most = usual + STEPS_A_BYTE * (raw.len() as u64 + SHORT);
        let first = receiving(&mut house, raw.as_bytes());
        let mut house = started(&house);
        let again = receiving(&mut house, raw.as_bytes());
        let next = honest.replace("@mail.example", "@next.mail.example");
        let next = receiving(&mut house, next.as_bytes());
        assert!(first <= most && again <= most && next <= 2 * most, "{first}, {again}, {next} of {most}");
    }
}

/// The most steps that the words of a server, a client or a file cost for each of their bytes.
const STEPS_A_BYTE_OF_A_WIRE: u64 = 10;

#[track_caller]
fn is_linear(name: &str, said: &[u8], read: impl FnOnce(&[u8])) {
    let _ = effort::taken();
    read(said);
    let (steps, bytes) = (effort::taken(), said.len() as u64);
    assert!(steps > 0 && steps <= STEPS_A_BYTE_OF_A_WIRE * (bytes + SHORT), "{name}: {steps} steps for {bytes} bytes");
}

/// A piece, repeated up to this many bytes.
fn much(start: &str, piece: &str, end: &str, bytes: usize) -> Vec<u8> {
    [start, &piece.repeat(bytes / piece.len()), end].concat().into_bytes()
}

fn from_imap(said: &[u8]) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let address = Address { user: None, host: "127.0.0.1".to_owned(), port, protection: Protection::None };
    let mut wire = Wire::connect(&address, None, Patience::SERVER.begin()).unwrap();
    let mut server = listener.accept().unwrap().0;
    thread::scope(|scope| {
        scope.spawn(move || {
            // The client hangs up when a limit is exceeded.
            let _ = server.write_all(said).and_then(|()| server.shutdown(Shutdown::Write));
        });
        while imap_reply::read(&mut wire, Limits::ORDINARY.letter_bytes).is_ok() {}
        drop(wire);
    });
}

#[test]
fn i4_no_answer_of_an_imap_server_costs_more_than_its_length() {
    let pieces = [
        ("* SEARCH", " 4294967295", "\r\n"),
        ("* 1 FETCH (", "(", "\r\n"),
        ("* 1 FETCH (", "UID (", "\r\n"),
        ("* 1 FETCH (", "UID () ", ")\r\n"),
        ("* 1 FETCH (UID ", "[", "\r\n"),
        ("* 1 FETCH (UID ", "\\\"", "\r\n"),
        ("* 1 FETCH (UID \"", "\\", "\r\n"),
        ("* 1 FETCH (", "BODY[] \"\" ", ")\r\n"),
        ("* 1 FETCH (", "BODY[] {0}\r\n", ")\r\n"),
        ("* 1 FETCH (", "BODY[] {1}\r\n{ ", ")\r\n"),
        ("* CAPABILITY", " {", "\r\n"),
        ("* OK [", "]", "\r\n"),
        ("", "* 1 EXISTS\r\n", ""),
        ("", "\r\n", ""),
        ("", "+ {9}\r\n", ""),
    ];
    for (start, piece, end) in pieces {
        is_linear(&format!("{start}{piece}"), &much(start, piece, end, 200_000), from_imap);
    }
}

fn by_lmtp(said: &[u8]) {
    let ours = Mailbox::read("box@play.example").unwrap();
    let mut take = |_: &Parcel<'_>| Taken::Filed(Filed::Answered);
    let _ = Lmtp::new(&ours, &Limits::ORDINARY).talk(&mut &said[..], &mut std::io::sink(), &mut take);
}

#[test]
fn i5_no_client_and_no_mbox_costs_more_than_its_length() {
    let hello = "LHLO a\r\nMAIL FROM:<a@b>\r\nRCPT TO:<box@play.example>\r\nDATA\r\n";
    let said = [
        ("", "x", "\r\n"),
        ("", "NOOP\r\n", ""),
        ("LHLO a\r\nMAIL FROM:<", ":", ">\r\n"),
        ("LHLO a\r\nMAIL FROM:<a@b>", " SIZE=", "\r\n"),
        ("LHLO a\r\nMAIL FROM:<a@b>\r\n", "RCPT TO:<box@play.example>\r\n", "DATA\r\n.\r\n"),
        (hello, ".", "\r\n.\r\n"),
        (hello, "..\r\n", ".\r\n"),
        (hello, "\r\n", ".\r\n"),
        (hello, "x", "\r\n.\r\n"),
    ];
    for (start, piece, end) in said {
        is_linear(&format!("LMTP {piece}"), &much(start, piece, end, 2_000_000), by_lmtp);
    }
    let held = [("", "From a\n\n"), ("From a\n", ">"), ("From a\n", ">From \n"), ("From a\n", "\n"), ("From a\n", "x")];
    for (start, piece) in held {
        is_linear(&format!("mbox {piece}"), &much(start, piece, "\n", 2_000_000), |said| {
            let mut mbox = Mbox::new(said, &Limits::ORDINARY);
            while mbox.next_letter().unwrap().is_some() {}
        });
    }
}

#[test]
fn a5_no_answer_of_a_name_server_costs_more_than_its_length() {
    let head = |count: u16| {
        let mut head = vec![0, 7, 0x81, 0x80, 0, 1];
        head.extend_from_slice(&count.to_be_bytes());
        head.extend_from_slice(&[0, 0, 0, 0, 0, 0, 16, 0, 1]);
        head
    };
    let text = |data: &[u8]| {
        let length = u16::try_from(data.len()).unwrap().to_be_bytes();
        [&[0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60][..], &length, data].concat()
    };
    let answers = [
        ("many records", [head(5_000), text(&[]).repeat(5_000)].concat()),
        ("empty pieces", [head(1), text(&[0; 60_000])].concat()),
        ("pieces of one byte", [head(1), text(&[1; 60_000])].concat()),
        ("names of short labels", [head(u16::MAX), [1, 97].repeat(30_000)].concat()),
        ("names in names", [head(u16::MAX), [0xc0, 12].repeat(30_000)].concat()),
        ("more than it holds", [head(u16::MAX), text(&[0; 9])].concat()),
    ];
    for (name, answer) in answers {
        is_linear(name, &answer, |answer| {
            let _ = (dns::texts(answer), dns::exchangers(answer));
        });
    }
}
