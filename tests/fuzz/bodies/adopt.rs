/*! Any bytes are somebody's mail, from which a game whose host has vanished is rebuilt: the result is a log, or the
reason why not. And any bytes are a game that an old host hands over.
*/

use ground::hash::sha256;
use ground::stamp::Stamp;
use mail::draft::{Draft, File, FileKind, Purpose};
use mail::letter::mailbox::Mailbox;
use post::witness::handover::{self, HostKey, HostPublic, NotOpened, Sealer};
use post::witness::rebuild::{Found, Share};
use record::file::reading::read_through;
use record::file::stream::Records;
use ringmail::titles;
use std::ops::ControlFlow;
use std::path::{Component, Path};

const GAME: &str = "two-towers";
const LOG: &[u8] = include_bytes!("../../../games/two-towers/log.yaml");

pub fn run(data: &[u8]) {
    let file = std::env::temp_dir().join(format!("ringmail-fuzz-adopt-{}.mbox", std::process::id()));
    std::fs::write(&file, data).expect("a file can be written");
    let mut found = Found::default();
    let looked = found.look(&file, GAME);
    std::fs::remove_file(&file).expect("it is ours");
    looked.expect("any bytes are a mailbox");
    if let Ok(rebuilt) = found.rebuild(GAME, None) {
        // Whatever strangers' letters say, reading it does not panic.
        let _ = read_through(Records::new(rebuilt.log.as_slice()), titles::ALL, None, |_| ControlFlow::Continue(()));
    }
    handed_over(data);
    let text = String::from_utf8_lossy(data);
    for line in text.lines() {
        let _ = (Share::read(line), HostPublic::read(line));
    }
}

/// A game that somebody sealed for our key, and one that nobody sealed.
fn handed_over(data: &[u8]) {
    let key = HostKey(sha256(b"a key"));
    assert!(opened(data, &key).is_err(), "nobody has sealed it");
    let half = data.len() / 2;
    let (path, bytes) = (String::from_utf8_lossy(&data[..half.min(80)]).into_owned(), &data[half..]);
    let mut sealer = Sealer::begin(Vec::new(), &key.public()).expect("random bytes");
    sealer.add(&path, bytes.len() as u64, bytes).expect("memory takes it");
    let sealed = sealer.end().expect("memory takes it");
    if let Ok(opened) = opened(&sealed, &key) {
        assert_eq!(opened, [(path.clone(), bytes.to_vec())]);
        let mut steps = Path::new(&path).components();
        assert!(steps.all(|step| matches!(step, Component::Normal(_))), "{path}");
    }
}

fn opened(sealed: &[u8], key: &HostKey) -> Result<Vec<(String, Vec<u8>)>, NotOpened> {
    let mut items = Vec::new();
    handover::open(sealed, key, &mut |path, content| {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        items.push((path.to_owned(), bytes));
        Ok(())
    })?;
    Ok(items)
}

/// Valid inputs: the mail of a player, letter by letter and in one file.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    let mut stream = Records::new(LOG);
    while let Ok(Some(record)) = stream.next() {
        records.push(record.bytes.to_vec());
    }
    let parts: Vec<Vec<u8>> =
        records[..9].chunks(3).enumerate().map(|(number, part)| letter(3 * number, &part.concat())).collect();
    let mbox: Vec<u8> =
        parts.iter().flat_map(|letter| [b"From ringmail Fri\n", letter.as_slice(), b"\n"].concat()).collect();
    let key = HostKey(sha256(b"a key")).public().to_string();
    [parts, vec![mbox, key.into_bytes(), b"vault/letters/1.eml; then its bytes, of the same length".to_vec()]].concat()
}

fn letter(first: usize, records: &[u8]) -> Vec<u8> {
    let ours = Mailbox::read("box@play.example").expect("an address");
    let draft = Draft {
        purpose: Purpose::Report,
        message_id: format!("<{GAME}.{}.{}.red@play.example>", first + 2, sha256(records)),
        date: Stamp::parse("2026-11-20T12:00:00Z").expect("a moment"),
        to: Mailbox::read("sam@shire.example").expect("an address"),
        ours,
        subject: "Your move".to_owned(),
        in_reply_to: None,
        references: Vec::new(),
        heading: None,
        text: "Your move.\n".to_owned(),
        page: None,
        images: Vec::new(),
        files: vec![File {
            kind: FileKind::Records,
            name: format!("{GAME}-{first:06}-{:06}.yaml", first + 2),
            bytes: records.to_vec(),
        }],
    };
    draft.to_bytes()
}
