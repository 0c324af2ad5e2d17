/*! LMTP (RFC 2033): an MTA on the same machine hands us letters one by one. For each recipient we tell it what became
of the letter, so that what we could not keep stays in its queue.

A line ends with CR LF and nothing else (RFC 5321 §2.3.8). If `LF . LF` ended a letter here and not in the MTA, its
writer could put commands behind it, with an envelope of his choice (SMTP smuggling, CVE-2023-51764). A bare LF or CR
in a letter is a byte of it; in a command it ends the conversation.
*/

use super::bounded_line;
use super::intake::{Arrival, Filed, Parcel, Take, Taken};
use crate::letter::limits::Limits;
use crate::letter::mailbox::Mailbox;
use net::transcript::{Transcript, without_details};
use std::io::{self, BufRead, Write};

/// RFC 5321 §4.5.3.1.4 asks for 512 bytes in a command.
const COMMAND_BYTES: usize = 4096;
/// RFC 5321 §4.5.3.1.8.
const RECIPIENTS_MAX: usize = 100;
/// After this many commands that we do not understand, the client is not an MTA.
const MISTAKES_MAX: u32 = 20;

/// A conversation with one client.
pub struct Lmtp<'a> {
    ours: &'a Mailbox,
    limits: &'a Limits,
    sender: Option<String>,
    recipients: Vec<Mailbox>,
    has_greeted: bool,
    mistakes: u32,
    letters: u32,
    transcript: Transcript,
}

impl<'a> Lmtp<'a> {
    /// A conversation that takes letters to the mailbox `ours`.
    pub fn new(ours: &'a Mailbox, limits: &'a Limits) -> Lmtp<'a> {
        let (sender, recipients) = (None, Vec::new());
        let transcript = Transcript::new("lmtp".to_owned());
        Lmtp { ours, limits, sender, recipients, has_greeted: false, mistakes: 0, letters: 0, transcript }
    }

    /// Talks until the client leaves.
    ///
    /// # Errors
    /// A letter that got no answer comes again.
    pub fn talk(
        &mut self,
        incoming: &mut impl BufRead,
        outgoing: &mut impl Write,
        take: &mut Take<'_>,
    ) -> io::Result<()> {
        self.say(outgoing, &format!("220 {} LMTP Ringmail", self.ours.host))?;
        while let Some(line) = command(incoming)? {
            let line = match line {
                Command::Said(line) => line,
                Command::TooLong => String::new(),
                Command::BareLineEnd => return self.say(outgoing, "521 5.5.2 a line ends with CR LF, and only there"),
            };
            self.transcript.received(line.as_bytes());
            let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let reply = match verb.to_ascii_uppercase().as_str() {
                "QUIT" => {
                    self.say(outgoing, "221 2.0.0 farewell")?;
                    return Ok(());
                }
                "DATA" if !self.recipients.is_empty() => {
                    self.data(incoming, outgoing, take)?;
                    continue;
                }
                verb => self.answer(verb, rest),
            };
            self.say(outgoing, &reply)?;
            self.mistakes += u32::from(reply.starts_with("50"));
            if self.mistakes >= MISTAKES_MAX {
                return self.say(outgoing, "421 4.7.0 too many mistakes");
            }
        }
        Ok(())
    }

    fn answer(&mut self, verb: &str, rest: &str) -> String {
        match verb {
            "LHLO" => {
                self.has_greeted = true;
                self.forget();
                let size = self.limits.letter_bytes;
                let host = &self.ours.host;
                format!("250-{host}\r\n250-PIPELINING\r\n250-ENHANCEDSTATUSCODES\r\n250-8BITMIME\r\n250 SIZE {size}")
            }
            // RFC 2033 §4.1.
            "HELO" | "EHLO" => "500 5.5.1 this is LMTP: say LHLO".to_owned(),
            "MAIL" if !self.has_greeted => "503 5.5.1 say LHLO first".to_owned(),
            "MAIL" => self.mail(rest),
            "RCPT" if self.sender.is_none() => "503 5.5.1 say MAIL first".to_owned(),
            "RCPT" => self.recipient(rest),
            // RFC 2033 §4.2: without a recipient that was accepted.
            "DATA" => "503 5.5.1 no valid recipients".to_owned(),
            "RSET" => {
                self.forget();
                "250 2.0.0 ok".to_owned()
            }
            "NOOP" => "250 2.0.0 ok".to_owned(),
            "VRFY" => "252 2.1.5 try it".to_owned(),
            _ => "500 5.5.2 not understood".to_owned(),
        }
    }

    fn mail(&mut self, rest: &str) -> String {
        let Some((path, parameters)) = path(rest, "FROM:") else {
            return "501 5.5.4 say MAIL FROM:<address>".to_owned();
        };
        let size = parameters.split(' ').find_map(|word| word.to_ascii_uppercase().strip_prefix("SIZE=")?.parse().ok());
        if size.is_some_and(|size: usize| size > self.limits.letter_bytes) {
            return self.too_large();
        }
        self.forget();
        self.sender = Some(path.to_owned());
        "250 2.1.0 ok".to_owned()
    }

    fn recipient(&mut self, rest: &str) -> String {
        let read = path(rest, "TO:").and_then(|(path, _)| Mailbox::read(path));
        match read {
            None => "501 5.5.4 say RCPT TO:<address>".to_owned(),
            Some(_) if self.recipients.len() >= RECIPIENTS_MAX => "452 4.5.3 too many recipients".to_owned(),
            Some(to) if !to.is_at(self.ours) => "550 5.1.1 no such mailbox here".to_owned(),
            Some(to) => {
                self.recipients.push(to);
                "250 2.1.5 ok".to_owned()
            }
        }
    }

    /// RFC 2033 §4.2: one answer for each recipient, in their order. By then the letter is on the disk.
    fn data(&mut self, incoming: &mut impl BufRead, outgoing: &mut impl Write, take: &mut Take<'_>) -> io::Result<()> {
        self.say(outgoing, "354 go on")?;
        let letter = letter(incoming, self.limits.letter_bytes)?;
        let length = letter.as_ref().map_or("too large".to_owned(), |letter| format!("{} bytes", letter.len()));
        self.transcript.note(&format!("a letter: {length}"));
        let sender = self.sender.clone().unwrap_or_default();
        for to in std::mem::take(&mut self.recipients) {
            let reply = match &letter {
                None => self.too_large(),
                Some(letter) => {
                    self.letters += 1;
                    // The envelope goes above the letter as header fields, as it does in a mailbox.
                    let mut raw = format!("Return-Path: <{sender}>\r\nDelivered-To: {to}\r\n").into_bytes();
                    raw.extend_from_slice(letter);
                    // Logs show the name, and the address holds the token of a seat.
                    let name = format!("letter {} to {}", self.letters, without_details(&to.to_string()));
                    match take(&Parcel { name, raw: &raw, arrival: Arrival::New }) {
                        // We do not keep it, so the sender must hear of it, or the MTA must deliver it elsewhere.
                        Taken::Filed(Filed::Left) => "550 5.7.1 not for Ringmail, and not taken".to_owned(),
                        Taken::Filed(_) => "250 2.1.5 taken".to_owned(),
                        Taken::Later => "451 4.3.0 not now, try again".to_owned(),
                    }
                }
            };
            self.say(outgoing, &reply)?;
        }
        self.forget();
        Ok(())
    }

    fn too_large(&self) -> String {
        format!("552 5.3.4 a letter has at most {} bytes", self.limits.letter_bytes)
    }

    fn say(&self, outgoing: &mut impl Write, reply: &str) -> io::Result<()> {
        self.transcript.sent(reply);
        outgoing.write_all(format!("{reply}\r\n").as_bytes())?;
        outgoing.flush()
    }

    fn forget(&mut self) {
        self.sender = None;
        self.recipients.clear();
    }
}

/// What stands where a command is expected.
enum Command {
    Said(String),
    /// It was read to its end: what follows the first bytes of a long line is not a command of its own.
    TooLong,
    /// A CR or LF without the other. The rest of the line may be what somebody wants to pass off as a command.
    BareLineEnd,
}

/// The next command; `None` if the client has left.
fn command(incoming: &mut impl BufRead) -> io::Result<Option<Command>> {
    let mut line = Vec::new();
    if bounded_line(incoming, &mut line, COMMAND_BYTES)? == 0 {
        return Ok(None);
    }
    let is_too_long = line.len() >= COMMAND_BYTES;
    while line.len() >= COMMAND_BYTES && !line.ends_with(b"\n") {
        // Its last byte is kept: the CR and LF of the end may come in two pieces.
        line.drain(..line.len() - 1);
        bounded_line(incoming, &mut line, COMMAND_BYTES)?;
    }
    let Some(said) = line.strip_suffix(b"\r\n") else {
        // A client that leaves in the middle of a command has not given it.
        return Ok(line.ends_with(b"\n").then_some(Command::BareLineEnd));
    };
    if said.contains(&b'\r') {
        return Ok(Some(Command::BareLineEnd));
    }
    let said = String::from_utf8_lossy(said).trim_end().to_owned();
    Ok(Some(if is_too_long { Command::TooLong } else { Command::Said(said) }))
}

/// `FROM:<path> PARAMETERS`. RFC 5321 §4.1.2; a source route is passed over (§3.3).
fn path<'a>(rest: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let rest = rest.trim_start();
    let behind =
        rest.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word)).map(|_| &rest[word.len()..])?;
    let (path, parameters) = behind.trim_start().strip_prefix('<')?.split_once('>')?;
    let path = path.strip_prefix('@').and_then(|route| route.split_once(':')).map_or(path, |(_, path)| path);
    let is_odd = |c: char| c.is_control() || c.is_whitespace();
    (!path.contains(is_odd)).then_some((path, parameters.trim()))
}

/// The letter up to the line with the full stop, its doubled dots undone (RFC 5321 §4.5.2). `None` if it is too
/// large: it is read to its end all the same.
fn letter(incoming: &mut impl BufRead, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut letter = Vec::new();
    let mut is_too_large = false;
    let mut piece = Vec::new();
    let mut begins = true;
    let mut ends_with_cr = false;
    loop {
        piece.clear();
        if bounded_line(incoming, &mut piece, most)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if begins && piece == b".\r\n" {
            return Ok((!is_too_large).then_some(letter));
        }
        let undoubled = if begins { piece.strip_prefix(b".").unwrap_or(&piece) } else { &piece };
        is_too_large |= letter.len() + undoubled.len() > most;
        if !is_too_large {
            letter.extend_from_slice(undoubled);
        }
        // The CR and LF of a long line may come in two pieces.
        begins = piece.ends_with(b"\r\n") || (ends_with_cr && piece == b"\n");
        ends_with_cr = piece.ends_with(b"\r");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Talks, and returns what was said and which letters were taken.
    fn talk(said: &str, taken: &[Taken]) -> (Vec<String>, Vec<String>) {
        talk_within(&Limits { letter_bytes: 200, ..Limits::ORDINARY }, said, taken)
    }

    fn talk_within(limits: &Limits, said: &str, taken: &[Taken]) -> (Vec<String>, Vec<String>) {
        let ours = Mailbox::read("box@play.example").unwrap();
        let (mut out, mut letters) = (Vec::new(), Vec::new());
        let mut taken = taken.iter();
        let mut take = |parcel: &Parcel<'_>| {
            letters.push(String::from_utf8(parcel.raw.to_vec()).unwrap());
            *taken.next().unwrap()
        };
        Lmtp::new(&ours, limits).talk(&mut said.as_bytes(), &mut out, &mut take).unwrap();
        let replies = String::from_utf8(out).unwrap().lines().map(str::to_owned).collect();
        (replies, letters)
    }

    const HELLO: &str = "LHLO mta\r\nMAIL FROM:<frodo@shire.example> SIZE=40\r\n";

    #[test]
    fn i5_each_recipient_is_told_what_became_of_the_letter() {
        let said = format!(
            "{HELLO}RCPT TO:<box+g7.green.abc@play.example>\r\nRCPT TO:<sam@shire.example>\r\n\
             RCPT TO:<BOX@Play.Example>\r\nDATA\r\nSubject: x\r\n\r\n..pass\r\n.\r\nQUIT\r\n"
        );
        let (replies, letters) = talk(&said, &[Taken::Filed(Filed::Answered), Taken::Later]);
        let codes: Vec<&str> = replies.iter().map(|reply| &reply[..3]).collect();
        let expected =
            ["220", "250", "250", "250", "250", "250", "250", "250", "550", "250", "354", "250", "451", "221"];
        assert_eq!(codes, expected, "{replies:?}");
        let letter = "Return-Path: <frodo@shire.example>\r\nDelivered-To: box+g7.green.abc@play.example\r\n\
                      Subject: x\r\n\r\n.pass\r\n";
        assert_eq!((letters.len(), letters[0].as_str()), (2, letter));
    }

    /// In a shared mailbox private mail may come this way: we answered `250 taken`, and kept it nowhere.
    #[test]
    fn i5_what_is_not_ours_is_refused_and_not_lost() {
        let said = format!("{HELLO}RCPT TO:<box@play.example>\r\nDATA\r\nSubject: x\r\n\r\nhi\r\n.\r\nQUIT\r\n");
        let (replies, _) = talk(&said, &[Taken::Filed(Filed::Left)]);
        assert!(replies[replies.len() - 2].starts_with("550 5.7.1 "), "{replies:?}");
    }

    #[test]
    fn p1_what_is_too_large_is_refused_before_it_is_taken() {
        let large = format!("{HELLO}RCPT TO:<box@play.example>\r\nDATA\r\n{}\r\n.\r\nNOOP\r\n", "x".repeat(999));
        let (replies, letters) = talk(&large, &[]);
        assert_eq!(letters, Vec::<String>::new());
        assert_eq!(&replies[replies.len() - 2][..3], "552");
        assert_eq!(replies.last().unwrap(), "250 2.0.0 ok");
        let (replies, _) = talk("LHLO a\r\nMAIL FROM:<> SIZE=201\r\n", &[]);
        assert!(replies.last().unwrap().starts_with("552 5.3.4"), "{replies:?}");
    }

    #[test]
    fn rfc_2033_what_comes_out_of_turn_is_refused() {
        let (replies, _) = talk("MAIL FROM:<a@b>\r\nEHLO x\r\nLHLO x\r\nRCPT TO:<box@play.example>\r\nDATA\r\n", &[]);
        let codes: Vec<&str> =
            replies.iter().filter(|reply| !reply.starts_with("250")).map(|reply| &reply[..3]).collect();
        assert_eq!(codes, ["220", "503", "500", "503", "503"]);
        let (replies, _) = talk(&"what\r\n".repeat(99), &[]);
        assert_eq!(replies.len(), 22);
        assert!(replies.last().unwrap().starts_with("421"));
    }
    const RECIPIENT: &str = "RCPT TO:<box@play.example>\r\n";

    /// CVE-2023-51764: an MTA hands on a letter in which these bytes stand; for it they do not end the letter.
    #[test]
    fn rfc_5321_only_a_full_stop_between_cr_lf_ends_a_letter() {
        let envelope = "LHLO m\r\nMAIL FROM:<sam@shire.example>\r\nRCPT TO:<box+g1@play.example>\r\nDATA\r\n";
        for end in ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r", "\r.\r\n", "\n.\r", "\r\n\0.\r\n"] {
            let said = format!("{HELLO}{RECIPIENT}DATA\r\nhi{end}{envelope}pass\r\n.\r\nQUIT\r\n");
            let limits = Limits { letter_bytes: 2_000, ..Limits::ORDINARY };
            let (replies, letters) = talk_within(&limits, &said, &[Taken::Filed(Filed::Seen)]);
            assert_eq!(letters.len(), 1, "{end:?}: {letters:?}");
            // RFC 5321 §4.5.2: only a full stop that begins a line, behind CR LF, was doubled.
            let kept = end.strip_prefix("\r\n.").map_or(end.to_owned(), |rest| format!("\r\n{rest}"));
            assert!(letters[0].ends_with(&format!("\r\nhi{kept}{envelope}pass\r\n")), "{end:?}: {letters:?}");
            assert_eq!(replies[replies.len() - 2..], ["250 2.1.5 taken", "221 2.0.0 farewell"], "{end:?}");
        }
    }

    /// The same in a letter that is too large: what follows it in the stream is only then a command.
    #[test]
    fn rfc_5321_the_end_of_a_large_letter_is_found_wherever_its_line_is_cut() {
        for length in 190..210 {
            let line = "x".repeat(length);
            let said = format!("{HELLO}{RECIPIENT}DATA\r\n{line}\n.\nRSET\r\n{line}\r\n.\r\nNOOP\r\nQUIT\r\n");
            let (replies, letters) = talk(&said, &[]);
            assert_eq!(letters, Vec::<String>::new());
            assert!(replies[replies.len() - 3].starts_with("552 "), "{length}: {replies:?}");
            assert_eq!(replies[replies.len() - 2..], ["250 2.0.0 ok", "221 2.0.0 farewell"], "{length}");
        }
    }

    #[test]
    fn rfc_5321_no_part_of_a_line_is_a_command() {
        for bare in ["LHLO a\nNOOP\r\n", "NOOP a\rNOOP\r\n", "NOOP\n"] {
            let (replies, _) = talk(&format!("{bare}{HELLO}{RECIPIENT}"), &[]);
            assert_eq!(replies.len(), 2, "{bare:?}: {replies:?}");
            assert!(replies[1].starts_with("521 5.5.2 "), "{bare:?}: {replies:?}");
        }
        // Long lines are read in pieces; wherever they are cut, the next piece is not a command.
        for length in COMMAND_BYTES - 12..COMMAND_BYTES + 2 {
            let (replies, _) = talk(&format!("NOOP {}NOOP\r\nQUIT\r\n", "x".repeat(length)), &[]);
            assert_eq!(replies.len(), 3, "{length}: {replies:?}");
            assert_eq!(replies[2], "221 2.0.0 farewell");
        }
        let (replies, _) = talk(&format!("NOOP {}\r\nQUIT\r\n", "x".repeat(3 * COMMAND_BYTES)), &[]);
        assert_eq!(replies[1..], ["500 5.5.2 not understood", "221 2.0.0 farewell"]);
        let (replies, _) = talk("NOOP\r\nQUIT", &[]);
        assert_eq!(replies.len(), 2, "a command that was cut off was not given: {replies:?}");
    }
}
