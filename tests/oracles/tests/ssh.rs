/*! Our check of signatures by `ssh-keygen -Y sign` compared with ssh-key's: signatures made by either, and several
hundred alterations of each. Both agree on every one, except for the table of differences.
*/

use data_encoding::BASE64;
use ground::hash::Hex;
use record::commit::signature::{CHECKPOINT, ORDER, PublicKey, Signature, SigningKey};
use record::commit::signed::{Part, SignedOn, SignedOrder, SignedSentence};
use ringmail_oracles::{Alterations, Difference};
use signature::Signer;
use ssh_key::private::Ed25519Keypair;
use ssh_key::{HashAlg, LineEnding, PrivateKey, SshSig};

const TEXT: &[u8] = include_bytes!("../../ssh/order.txt");
const SIGNED: &str = include_str!("../../ssh/order.txt.sig");
const PUBLIC: &str = include_str!("../../ssh/id_ed25519.pub");
const PRIVATE: &str = include_str!("../../ssh/id_ed25519");

/// Alterations of each signature, text and key.
const ALTERATIONS: usize = 600;

/// What is checked: an armoured signature of this text by this key.
#[derive(Clone)]
struct Signed {
    armour: String,
    text: Vec<u8>,
    public: String,
}

/// Whether our check accepts it as a player's order.
fn ours(signed: &Signed) -> bool {
    let Ok(public) = PublicKey::read(&signed.public) else { return false };
    Signature::read(&signed.armour).is_ok_and(|read| read.check(&[public], ORDER, &signed.text).is_ok())
}

/// The same, by ssh-key.
fn theirs(signed: &Signed) -> bool {
    let Ok(public) = ssh_key::PublicKey::from_openssh(&signed.public) else { return false };
    SshSig::from_pem(&signed.armour).is_ok_and(|read| public.verify(ORDER, &signed.text, &read).is_ok())
}

fn seed() -> [u8; 32] {
    std::array::from_fn(|at| u8::try_from(at * 7).unwrap())
}

fn our_key() -> SigningKey {
    SigningKey::of_seed(&Hex(seed()))
}

fn their_key() -> PrivateKey {
    Ed25519Keypair::from_seed(&seed()).into()
}

/// Valid signatures: by OpenSSH, by us, by ssh-key with each hash.
fn standing() -> Vec<Signed> {
    let public = our_key().public.to_string();
    let theirs = |hashing| {
        let armour = their_key().sign(ORDER, hashing, TEXT).unwrap().to_pem(LineEnding::LF).unwrap();
        Signed { armour, text: TEXT.to_vec(), public: public.clone() }
    };
    vec![
        Signed { armour: SIGNED.to_owned(), text: TEXT.to_vec(), public: PUBLIC.to_owned() },
        Signed { armour: our_key().sign(ORDER, b"").in_armour(), text: Vec::new(), public: public.clone() },
        theirs(HashAlg::Sha256),
        theirs(HashAlg::Sha512),
    ]
}

fn armour(blob: &[u8]) -> String {
    let letters = BASE64.encode(blob);
    let lines = letters.as_bytes().chunks(70).map(|line| std::str::from_utf8(line).unwrap());
    let lines: Vec<&str> = lines.collect();
    format!("-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n", lines.join("\n"))
}

fn blob(armour: &str) -> Vec<u8> {
    let letters: String = armour.lines().filter(|line| !line.starts_with("-----")).collect();
    BASE64.decode(letters.as_bytes()).unwrap()
}

/// A string as SSH sends it.
fn string(bytes: &[u8]) -> Vec<u8> {
    [&u32::try_from(bytes.len()).unwrap().to_be_bytes(), bytes].concat()
}

/// A signature assembled by hand from any parts.
fn put_together(version: u32, key: &[u8], purpose: &str, reserved: &[u8], signature: &[u8]) -> String {
    let parts = [
        b"SSHSIG".to_vec(),
        version.to_be_bytes().to_vec(),
        string(&[string(b"ssh-ed25519"), string(key)].concat()),
        string(purpose.as_bytes()),
        string(reserved),
        string(b"sha512"),
        string(&[string(b"ssh-ed25519"), string(signature)].concat()),
    ];
    armour(&parts.concat())
}

#[test]
fn each_reads_what_the_other_writes() {
    let read = SigningKey::read(PRIVATE).unwrap();
    let theirs = PrivateKey::from_openssh(PRIVATE).unwrap();
    for (ours, theirs) in [(read, theirs), (our_key(), their_key())] {
        assert_eq!(theirs.public_key().key_data().ed25519().unwrap().0, ours.public.0.0);
        assert_eq!(
            ssh_key::PublicKey::from_openssh(&ours.public.to_string()).unwrap().key_data(),
            theirs.public_key().key_data()
        );
        assert_eq!(PublicKey::read(&theirs.public_key().to_openssh().unwrap()), Ok(ours.public));
        for purpose in [ORDER, CHECKPOINT] {
            let signature = theirs.sign(purpose, HashAlg::Sha512, TEXT).unwrap();
            assert_eq!(ours.sign(purpose, TEXT).in_armour(), signature.to_pem(LineEnding::LF).unwrap());
        }
    }
}

#[test]
fn what_stands_stands_for_one_text_key_and_purpose() {
    let all = standing();
    for signed in &all {
        assert!(ours(signed) && theirs(signed), "{}", signed.armour);
        let crlf = Signed { text: [&signed.text[..], b"\r\n"].concat(), ..signed.clone() };
        let stranger = Signed { public: SigningKey::of_seed(&Hex([9; 32])).public.to_string(), ..signed.clone() };
        for other in [crlf, stranger] {
            assert!(!ours(&other) && !theirs(&other), "{}", other.armour);
        }
    }
    let public = our_key().public.to_string();
    for purpose in [CHECKPOINT, "file", "ringmail-order@v2", "ringmail-order@v1 ", "RINGMAIL-ORDER@V1"] {
        let armour = their_key().sign(purpose, HashAlg::Sha512, TEXT).unwrap().to_pem(LineEnding::LF).unwrap();
        let other = Signed { armour, text: TEXT.to_vec(), public: public.clone() };
        assert!(!ours(&other) && !theirs(&other), "{purpose}");
    }
}

/// Alters the bytes of the signature in a whole armour; then the text; then the key.
#[test]
fn alterations_are_judged_alike() {
    let mut alterations = Alterations::of_seed(4252);
    for signed in standing() {
        let bytes = blob(&signed.armour);
        for _ in 0..ALTERATIONS {
            let mut altered = alterations.bit(&bytes);
            if alterations.below(4) == 0 {
                altered.truncate(alterations.below(altered.len()));
            }
            let armour = armour(&altered);
            let altered = Signed { armour, ..signed.clone() };
            assert!(!ours(&altered), "{}", altered.armour);
            assert!(!theirs(&altered) || is_read_alike(&altered.armour, &signed.armour), "{}", altered.armour);
        }
        for _ in 0..ALTERATIONS {
            let text = if signed.text.is_empty() { b"x".to_vec() } else { alterations.bit(&signed.text) };
            let altered = Signed { text, ..signed.clone() };
            assert!(!ours(&altered) && !theirs(&altered), "{}", altered.text.escape_ascii());
        }
        // The name of the key and its bytes; the comment behind them is for people.
        let public: Vec<&str> = signed.public.split(' ').take(2).collect();
        let public = public.join(" ");
        for _ in 0..ALTERATIONS {
            let public = String::from_utf8(alterations.letter_of_ascii(public.trim().as_bytes())).unwrap();
            let altered = Signed { public, ..signed.clone() };
            let is_same = is_key_read_alike(&altered.public, &signed.public);
            assert!(!ours(&altered) || is_same, "{}", altered.public);
            assert!(!theirs(&altered) || is_same, "{}", altered.public);
        }
    }
}

/// Alters the characters of the armour. A signature can be written in several ways: ssh-key accepts one, ours also
/// accepts those that mail programs make of it. Then it must be the same signature.
#[test]
fn an_altered_armour_is_the_same_signature_or_none() {
    let mut alterations = Alterations::of_seed(4253);
    for signed in standing() {
        let original = Signature::read(&signed.armour).unwrap();
        for number in 0..ALTERATIONS {
            let text = signed.armour.as_bytes();
            let altered = match number % 2 {
                0 => alterations.letter_of_ascii(text),
                _ => alterations.bit(text),
            };
            let Ok(armour) = String::from_utf8(altered) else { continue };
            let altered = Signed { armour, ..signed.clone() };
            match (ours(&altered), theirs(&altered)) {
                (true, false) => assert_eq!(Signature::read(&altered.armour).as_ref(), Ok(&original)),
                (false, true) => assert!(is_read_alike(&altered.armour, &signed.armour), "{}", altered.armour),
                _ => {}
            }
        }
    }
}

/// Whether ssh-key reads the same signature from both: it ignores some lengths, and accepts version 0.
fn is_read_alike(altered: &str, original: &str) -> bool {
    let (altered, original) = (SshSig::from_pem(altered).unwrap(), SshSig::from_pem(original).unwrap());
    let is_same = altered.signature() == original.signature() && altered.namespace() == original.namespace();
    is_same && altered.hash_alg() == original.hash_alg() && altered.public_key() == original.public_key()
}

/// Whether ssh-key reads the same key from both lines.
fn is_key_read_alike(altered: &str, original: &str) -> bool {
    let key = |line| ssh_key::PublicKey::from_openssh(line).map(|public| public.key_data().clone());
    key(altered).is_ok() && key(altered) == key(original)
}

/// The known differences, with reasons.
fn differences() -> Vec<Difference<Signed>> {
    let key = our_key().public;
    let signed = standing().pop().unwrap();
    let written = |armour: String| Signed { armour, ..signed.clone() };
    let stricter = |what, why, input| Difference { what, why, input, ours: false };
    let wider = |what, why, input| Difference { what, why, input, ours: true };
    let bytes = their_key().sign(ORDER, HashAlg::Sha512, TEXT).unwrap().signature_bytes().to_vec();
    let reserved = [
        b"SSHSIG".to_vec(),
        string(ORDER.as_bytes()),
        string(b"later"),
        string(b"sha512"),
        string(&HashAlg::Sha512.digest(TEXT)),
    ];
    let reserved: ssh_key::Signature = their_key().try_sign(&reserved.concat()).unwrap();
    // The last string but two is the signature, with its kind: 83 bytes, said to be 65,619.
    let mut longer = blob(&signed.armour);
    let length = longer.len() - 83 - 4;
    longer[length + 1] = 1;
    // The neutral element as key and as R, with S = 0: R + k·A = S·B for every text.
    let neutral: [u8; 32] = std::array::from_fn(|at| u8::from(at == 0));
    let weak = Signed {
        armour: put_together(1, &neutral, ORDER, b"", &[neutral, [0; 32]].concat()),
        public: PublicKey(Hex(neutral)).to_string(),
        ..signed.clone()
    };
    vec![
        stricter("a key for which everybody can sign", "a signature by it proves nothing", weak),
        stricter(
            "version 0",
            "PROTOCOL.sshsig §2: the version is 1; there never was another",
            written(put_together(0, &key.0.0, ORDER, b"", &bytes)),
        ),
        stricter(
            "a length beyond the end",
            "RFC 4251 §5: a string is as long as it says; one signature has one spelling",
            written(armour(&longer)),
        ),
        stricter(
            "something in the reserved field",
            "it is empty in every signature that exists; a record has one spelling of each",
            written(put_together(1, &key.0.0, ORDER, b"later", reserved.as_bytes())),
        ),
        wider(
            "one line without BEGIN and END",
            "so the record keeps it",
            written(BASE64.encode(&blob(&signed.armour))),
        ),
        wider(
            "lines of another width",
            "mail programs break lines anew",
            written(signed.armour.replace("U1NIU0lH", "U1NI\nU0lH")),
        ),
        wider("blanks within", "mail programs indent", written(signed.armour.replace('\n', "\n  "))),
    ]
}

#[test]
fn every_difference_of_the_table_is_there() {
    for Difference { what, why, input, ours: expected } in differences() {
        assert_eq!(ours(&input), expected, "ours: {what} ({why})");
        assert_eq!(theirs(&input), !expected, "ssh-key: {what}; if it has learned it, strike it");
    }
    // A valid signature can be assembled by hand, too: so the ones above are refused for their errors.
    let signed = standing().pop().unwrap();
    let bytes = their_key().sign(ORDER, HashAlg::Sha512, TEXT).unwrap().signature_bytes().to_vec();
    let armour = put_together(1, &our_key().public.0.0, ORDER, b"", &bytes);
    assert!(ours(&Signed { armour, ..signed }));
}

/// A sentence of a seat signed by ssh-key is accepted for that seat, and no other sentence is.
#[test]
fn a_sentence_that_another_hand_signed_is_its_seats() {
    let sentence = SignedSentence {
        game: Hex([7; 16]),
        seat: "green".to_owned(),
        on: SignedOn { seq: 3, head: Hex([9; 32]) },
        part: Part::Line,
        number: 1,
        of: 2,
        words: "roll 2".to_owned(),
    };
    let armour = their_key().sign(ORDER, HashAlg::Sha512, sentence.to_string().as_bytes()).unwrap();
    let armour = armour.to_pem(LineEnding::LF).unwrap();
    let public = our_key().public;
    let judged = |sentence: SignedSentence| {
        let order = SignedOrder { sentence: sentence.clone(), signature: Signature::read(&armour).unwrap() };
        let text = sentence.to_string().into_bytes();
        let signed = Signed { armour: armour.clone(), text, public: public.to_string() };
        (order.check(&sentence.game, &sentence.seat, &[public]).is_ok(), theirs(&signed))
    };
    assert_eq!(judged(sentence.clone()), (true, true));
    let others = [
        SignedSentence { game: Hex([8; 16]), ..sentence.clone() },
        SignedSentence { seat: "black".to_owned(), ..sentence.clone() },
        SignedSentence { on: SignedOn { seq: 3, head: Hex([8; 32]) }, ..sentence.clone() },
        SignedSentence { on: SignedOn { seq: 4, head: Hex([9; 32]) }, ..sentence.clone() },
        SignedSentence { part: Part::Order, ..sentence.clone() },
        SignedSentence { number: 2, ..sentence.clone() },
        SignedSentence { of: 1, ..sentence.clone() },
        SignedSentence { words: "roll 3".to_owned(), ..sentence.clone() },
    ];
    for other in others {
        assert_eq!(judged(other.clone()), (false, false), "{other}");
    }
}
