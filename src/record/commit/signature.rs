/*! Signatures as `ssh-keygen -Y sign` makes them (OpenSSH, PROTOCOL.sshsig), with ed25519 keys only.

A signature says: this key, this text, this purpose. The purpose is the namespace, so that what was signed as an order
can never be taken for a checkpoint. Anybody can check one with `ssh-keygen -Y verify`, without our program.

The formats are read and written by `ssh-key`; keys sign and are checked with `ring`. Where `ssh-key` accepts more than
we do, it is refused here: keys of other kinds, weak keys, version 0, something in the reserved field, and any second
spelling of the same bytes. Where we accept more, it is put right before: mail programs break and indent lines, and the
log keeps a signature in one.
*/

use ground::hash::Hex;
use ground::line::cleaned;
use ring::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};
use ssh_key::public::{Ed25519PublicKey, KeyData};
use ssh_key::{Algorithm, Error, HashAlg, LineEnding, PrivateKey, SshSig};
use std::fmt;

/// The purpose of a player's orders.
pub const ORDER: &str = "ringmail-order@v2";
/// The purpose of the host's checkpoints.
pub const CHECKPOINT: &str = "ringmail-checkpoint@v1";
/// The purpose of a change of the host.
pub const HOST: &str = "ringmail-host@v1";

const KIND: &str = "ssh-ed25519";
pub(super) const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
pub(super) const END: &str = "-----END SSH SIGNATURE-----";
/// The letters in a line of an armour.
const WIDTH: usize = 70;
/// No base64 text of an ed25519 signature is longer.
const LIMIT: usize = 4096;

/// The public half of an ed25519 key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublicKey(pub Hex<32>);

/// Why a text cannot be used as a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyRefused {
    /// Another kind of key, by its name.
    Kind(String),
    Damaged,
    /// A weak point: anybody can make signatures for it.
    Weak,
    /// A private key that asks for a passphrase.
    Encrypted,
}

impl KeyRefused {
    fn of(error: &Error) -> KeyRefused {
        match error {
            // The only kinds that `ssh-key` knows and does not read as we build it; they have a name for each curve.
            Error::AlgorithmUnknown => KeyRefused::Kind("ecdsa".to_owned()),
            _ => KeyRefused::Damaged,
        }
    }
}

impl fmt::Display for KeyRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyRefused::Kind(kind) => write!(
                f,
                "a key of the kind `{kind}` cannot sign here, only `{KIND}`; `ssh-keygen -t ed25519` makes one"
            ),
            KeyRefused::Damaged => {
                write!(f, "this is no key; a public key is one line: `{KIND} AAAAC3NzaC1lZDI1NTE5AAAA…`")
            }
            KeyRefused::Weak => write!(f, "weak key: anyone can forge its signatures"),
            KeyRefused::Encrypted => write!(
                f,
                "the key asks for a passphrase, which is not for us to know; sign with \
                 `ssh-keygen -Y sign -n {ORDER} -f KEY FILE`"
            ),
        }
    }
}

impl std::error::Error for KeyRefused {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for PublicKey {
    /// The key as it stands in `.pub` files, without a comment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = ssh_key::PublicKey::from(self.data()).to_openssh();
        f.write_str(&key.expect("every 32 bytes are written as a key"))
    }
}

impl PublicKey {
    /// Reads the line of a `.pub` file without its comment.
    pub fn read(line: &str) -> Result<PublicKey, KeyRefused> {
        let mut words = line.split_whitespace();
        let kind = words.next().unwrap_or("");
        if kind != KIND {
            let is_kind = kind.starts_with("ssh-") || kind.starts_with("sk-") || kind.starts_with("ecdsa-");
            return Err(if is_kind { KeyRefused::Kind(cleaned(kind, 60)) } else { KeyRefused::Damaged });
        }
        let line = format!("{KIND} {}", words.next().unwrap_or(""));
        let key = ssh_key::PublicKey::from_openssh(&line).map_err(|_| KeyRefused::Damaged)?;
        let key = PublicKey::of(key.key_data())?;
        // `ssh-key` overlooks some lengths inside the base64 text; a key has one spelling.
        if key.to_string() == line { Ok(key) } else { Err(KeyRefused::Damaged) }
    }

    fn of(key: &KeyData) -> Result<PublicKey, KeyRefused> {
        match key {
            KeyData::Ed25519(Ed25519PublicKey(point)) if is_weak(point) => Err(KeyRefused::Weak),
            KeyData::Ed25519(Ed25519PublicKey(point)) => Ok(PublicKey(Hex(*point))),
            other => Err(KeyRefused::Kind(cleaned(other.algorithm().as_str(), 60))),
        }
    }

    fn data(&self) -> KeyData {
        KeyData::Ed25519(Ed25519PublicKey(self.0.0))
    }
}

/// The points of small order, in every encoding, without the sign bit: with such a key one signature fits every
/// message.
const WEAK: [&str; 7] = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

fn is_weak(point: &[u8; 32]) -> bool {
    let mut unsigned = *point;
    unsigned[31] &= 0x7f;
    WEAK.contains(&Hex(unsigned).to_string().as_str())
}

/// A key that signs.
pub struct SigningKey {
    pair: Ed25519KeyPair,
    pub public: PublicKey,
}

impl SigningKey {
    /// The key that follows from 32 secret bytes.
    pub fn of_seed(seed: &Hex<32>) -> SigningKey {
        use ring::signature::KeyPair;
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed.0).expect("every 32 bytes are the seed of a key");
        let point = pair.public_key().as_ref().try_into().expect("a public key has 32 bytes");
        SigningKey { pair, public: PublicKey(Hex(point)) }
    }

    /// Reads the file of a private key, such as `~/.ssh/id_ed25519`.
    pub fn read(text: &str) -> Result<SigningKey, KeyRefused> {
        let key = PrivateKey::from_openssh(text).map_err(|error| KeyRefused::of(&error))?;
        if key.is_encrypted() {
            return Err(KeyRefused::Encrypted);
        }
        let public = PublicKey::of(key.public_key().key_data())?;
        let pair = key.key_data().ed25519().ok_or(KeyRefused::Damaged)?;
        let ours = SigningKey::of_seed(&Hex(pair.private.to_bytes()));
        // Without its own cryptography, `ssh-key` cannot tell whether the halves belong together.
        if ours.public == public { Ok(ours) } else { Err(KeyRefused::Damaged) }
    }

    /// Signs a text for a purpose.
    pub fn sign(&self, purpose: &str, text: &[u8]) -> Signature {
        let signed = SshSig::signed_data(purpose, HashAlg::Sha512, text).expect("a purpose has letters");
        let bytes = self.pair.sign(&signed).as_ref().to_vec();
        let bytes = ssh_key::Signature::new(Algorithm::Ed25519, bytes).expect("an ed25519 signature has 64 bytes");
        let sig = SshSig::new(self.public.data(), purpose, HashAlg::Sha512, bytes);
        Signature { key: self.public, sig: sig.expect("a purpose has letters") }
    }
}

impl fmt::Debug for SigningKey {
    /// Shows the public key only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SigningKey").field(&self.public).finish()
    }
}

/// One signature, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    key: PublicKey,
    sig: SshSig,
}

/// Why a signature does not prove what it claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSigned {
    Damaged,
    Key(KeyRefused),
    /// Made for another purpose.
    Purpose {
        expected: &'static str,
        found: String,
    },
    /// Made by a key that the seat has not announced.
    Stranger(PublicKey),
    /// Made for another text.
    OtherText,
}

impl fmt::Display for NotSigned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotSigned::Damaged => write!(f, "the signature is damaged; copy it whole, from BEGIN to END"),
            NotSigned::Key(refused) => refused.fmt(f),
            NotSigned::Purpose { expected, found } => {
                write!(f, "the signature was made for `{found}`, not for `{expected}` (`ssh-keygen -Y sign -n`)")
            }
            NotSigned::Stranger(key) => write!(f, "the seat has not announced the key that signed, {key}"),
            NotSigned::OtherText => write!(f, "the signature is not of this text"),
        }
    }
}

impl std::error::Error for NotSigned {}

impl Signature {
    /// Reads a signature: with or without the lines BEGIN and END, in one line or several.
    pub fn read(text: &str) -> Result<Signature, NotSigned> {
        let inside = text.trim();
        let inside = inside.strip_prefix(BEGIN).unwrap_or(inside);
        let inside = inside.strip_suffix(END).unwrap_or(inside);
        let letters: String = inside.chars().filter(|letter| !letter.is_whitespace() && *letter != '=').collect();
        if letters.len() > LIMIT || !letters.is_ascii() {
            return Err(NotSigned::Damaged);
        }
        let armour = armour(&letters);
        let sig = SshSig::from_pem(&armour).map_err(|error| match KeyRefused::of(&error) {
            KeyRefused::Damaged => NotSigned::Damaged,
            refused => NotSigned::Key(refused),
        })?;
        let key = PublicKey::of(sig.public_key()).map_err(NotSigned::Key)?;
        // PROTOCOL.sshsig §2: the version is 1, and nothing has ever been put into the reserved field.
        let is_plain = sig.version() == SshSig::VERSION && sig.reserved().is_empty();
        let signature = Signature { key, sig };
        let fits = is_plain && signature.sig.algorithm() == Algorithm::Ed25519 && signature.in_armour() == armour;
        if fits { Ok(signature) } else { Err(NotSigned::Damaged) }
    }

    /// Checks that one of these keys signed this text for this purpose, and returns that key.
    pub fn check(&self, keys: &[PublicKey], purpose: &'static str, text: &[u8]) -> Result<PublicKey, NotSigned> {
        let found = self.sig.namespace();
        if found != purpose {
            return Err(NotSigned::Purpose { expected: purpose, found: cleaned(found, 60) });
        }
        if !keys.contains(&self.key) {
            return Err(NotSigned::Stranger(self.key));
        }
        let signed = SshSig::signed_data(purpose, self.sig.hash_alg(), text).expect("a purpose has letters");
        let key = UnparsedPublicKey::new(&ED25519, &self.key.0.0);
        key.verify(&signed, self.sig.signature_bytes()).map(|()| self.key).map_err(|_| NotSigned::OtherText)
    }

    /// The signature in one line, as the log keeps it.
    pub fn in_one_line(&self) -> String {
        self.in_armour().lines().filter(|line| !line.starts_with("-----")).collect()
    }

    /// The signature as `ssh-keygen` writes it into a file `.sig`.
    pub fn in_armour(&self) -> String {
        self.sig.to_pem(LineEnding::LF).expect("what is signed is short")
    }
}

/// These letters as a file `.sig` has them: in lines, and filled up to a multiple of four.
fn armour(letters: &str) -> String {
    let filled = format!("{letters:=<width$}", width = letters.len().next_multiple_of(4));
    let mut text = format!("{BEGIN}\n");
    for line in filled.as_bytes().chunks(WIDTH) {
        text.push_str(std::str::from_utf8(line).expect("the letters are ASCII"));
        text.push('\n');
    }
    text + END + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64;

    fn key() -> SigningKey {
        SigningKey::of_seed(&Hex([7; 32]))
    }

    #[test]
    fn a_signature_reads_as_it_is_written() {
        let signature = key().sign(ORDER, b"attack\n");
        assert_eq!(Signature::read(&signature.in_armour()), Ok(signature.clone()));
        assert_eq!(Signature::read(&signature.in_one_line()), Ok(signature.clone()));
        assert_eq!(signature.check(&[key().public], ORDER, b"attack\n"), Ok(key().public));
        assert!(signature.in_armour().lines().all(|line| line.len() <= 70));
    }

    #[test]
    fn another_text_key_or_purpose_is_refused() {
        let signature = key().sign(ORDER, b"attack\n");
        let other = SigningKey::of_seed(&Hex([8; 32]));
        assert_eq!(signature.check(&[key().public], ORDER, b"attack\r\n"), Err(NotSigned::OtherText));
        let stranger = signature.check(&[other.public], ORDER, b"attack\n");
        assert_eq!(stranger, Err(NotSigned::Stranger(key().public)));
        let purpose = signature.check(&[key().public], CHECKPOINT, b"attack\n");
        assert!(matches!(purpose, Err(NotSigned::Purpose { .. })));
    }

    #[test]
    fn a_signature_cut_or_altered_anywhere_proves_nothing() {
        let line = key().sign(ORDER, b"attack\n").in_one_line();
        for end in 0..line.trim_end_matches('=').len() {
            assert!(Signature::read(&line[..end]).is_err(), "{end}");
        }
        for at in 0..line.len() {
            let mut altered = line.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            let proves =
                Signature::read(&altered).is_ok_and(|read| read.check(&[key().public], ORDER, b"attack\n").is_ok());
            assert!(!proves, "{at}");
        }
    }

    /// A string as SSH sends it.
    fn string(bytes: &[u8]) -> Vec<u8> {
        [&u32::try_from(bytes.len()).unwrap().to_be_bytes(), bytes].concat()
    }

    /// A signature in one line, assembled by hand.
    fn put_together(version: u32, key: &[u8], purpose: &[u8], reserved: &[u8], hashing: &[u8], sig: &[u8]) -> String {
        let parts = [
            b"SSHSIG".to_vec(),
            version.to_be_bytes().to_vec(),
            string(key),
            string(purpose),
            string(reserved),
            string(hashing),
            string(sig),
        ];
        BASE64.encode(&parts.concat())
    }

    #[test]
    fn what_ssh_key_accepts_and_we_do_not_is_refused() {
        let point = key().public.0.0;
        let of = |kind: &[u8], bytes: &[u8]| [string(kind), string(bytes)].concat();
        let public = of(b"ssh-ed25519", &point);
        let valid = key().sign(ORDER, b"attack\n");
        let sig = of(b"ssh-ed25519", valid.sig.signature_bytes());
        let order = ORDER.as_bytes();
        let read = |text: &str| Signature::read(text).map(|_| ());
        let case = |version, key: &[u8], purpose: &[u8], reserved: &[u8], hashing: &[u8], sig: &[u8], expected| {
            assert_eq!(read(&put_together(version, key, purpose, reserved, hashing, sig)), expected);
        };
        let damaged = || Err(NotSigned::Damaged);
        let kind = |kind: &str| Err(NotSigned::Key(KeyRefused::Kind(kind.to_owned())));
        assert_eq!(put_together(1, &public, order, b"", b"sha512", &sig), valid.in_one_line());
        case(1, &public, order, b"", b"sha512", &sig, Ok(()));
        case(1, &public, order, b"", b"sha256", &sig, Ok(()));
        case(0, &public, order, b"", b"sha512", &sig, damaged());
        case(2, &public, order, b"", b"sha512", &sig, damaged());
        case(1, &public, order, b"later", b"sha512", &sig, damaged());
        case(1, &public, order, b"", b"sha1", &sig, damaged());
        case(1, &public, b"", b"", b"sha512", &sig, damaged());
        case(1, &public, b"\xff", b"", b"sha512", &sig, damaged());
        case(1, &public, order, b"", b"sha512", &of(b"ssh-ed25519", &[7; 63]), damaged());
        case(1, &public, order, b"", b"sha512", &of(b"ssh-ed25519", &[7; 65]), damaged());
        case(1, &public, order, b"", b"sha512", &of(b"rsa-sha2-512", &[7; 64]), damaged());
        case(1, &public, order, b"", b"sha512", &of(b"new@example.org", &[7; 64]), damaged());
        case(1, &public, order, b"", b"sha512", &[&sig[..], b"more"].concat(), damaged());
        case(1, &of(b"ssh-ed25519", &point[..31]), order, b"", b"sha512", &sig, damaged());
        case(1, &[&public[..], b"more"].concat(), order, b"", b"sha512", &sig, damaged());
        case(1, &of(b"new@example.org", &point), order, b"", b"sha512", &sig, kind("new@example.org"));
        let security_key = [of(b"sk-ssh-ed25519@openssh.com", &point), string(b"ssh:")].concat();
        case(1, &security_key, order, b"", b"sha512", &sig, kind("sk-ssh-ed25519@openssh.com"));
        let rsa = [of(b"ssh-rsa", &[1, 0, 1]), string(&[0x41; 256])].concat();
        case(1, &rsa, order, b"", b"sha512", &sig, kind("ssh-rsa"));
        let curve = [of(b"ecdsa-sha2-nistp256", b"nistp256"), string(&[4; 65])].concat();
        case(1, &curve, order, b"", b"sha512", &sig, kind("ecdsa"));
        // The neutral element as key and as R, with S = 0: R + k·A = S·B for every text.
        let neutral: [u8; 32] = std::array::from_fn(|at| u8::from(at == 0));
        let (weak, all) = (of(b"ssh-ed25519", &neutral), of(b"ssh-ed25519", &[neutral, [0; 32]].concat()));
        case(1, &weak, order, b"", b"sha512", &all, Err(NotSigned::Key(KeyRefused::Weak)));
        // Each length, said to be more than it is: of the key, its kind and point, the purpose, and so on.
        let blob = BASE64.decode(valid.in_one_line().as_bytes()).unwrap();
        for at in (0..blob.len() - 4).filter(|at| blob[*at..][..3] == [0; 3]) {
            let mut longer = blob.clone();
            longer[at + 1] = 1;
            assert_eq!(read(&BASE64.encode(&longer)), damaged(), "{at}");
        }
        assert_eq!(read(&BASE64.encode(&[&blob[..], b"more"].concat())), damaged());
    }

    #[test]
    fn what_mail_programs_make_of_a_signature_is_the_same_signature() {
        let signature = key().sign(ORDER, b"attack\n");
        let armour = signature.in_armour();
        let case = |text: &str| assert_eq!(Signature::read(text), Ok(signature.clone()), "{text}");
        case(&armour.replace('\n', "\r\n"));
        case(&armour.replace('\n', "\n  "));
        case(&armour.replace("U1NIU0lH", "U1NI\nU0lH"));
        case(signature.in_one_line().trim_end_matches('='));
        // Any other character in any place is another signature or none.
        for at in 0..armour.len() {
            for other in ["A", "b", "+", "-", "=", "\n", "\0", "é"] {
                let altered = [&armour[..at], other, &armour[at + 1..]].concat();
                let is_valid =
                    Signature::read(&altered).is_ok_and(|read| read.check(&[key().public], ORDER, b"attack\n").is_ok());
                assert!(!is_valid || Signature::read(&altered).unwrap() == signature, "{altered}");
            }
        }
    }

    #[test]
    fn a_public_key_reads_as_it_is_written() {
        let written = key().public.to_string();
        assert_eq!(PublicKey::read(&format!("{written} anna@laptop")), Ok(key().public));
        assert!(matches!(PublicKey::read("ssh-rsa AAAA"), Err(KeyRefused::Kind(kind)) if kind == "ssh-rsa"));
        assert_eq!(PublicKey::read("hello"), Err(KeyRefused::Damaged));
        assert_eq!(PublicKey::read(&written[..40]), Err(KeyRefused::Damaged));
        assert_eq!(PublicKey::read(&written.replace(' ', "  \t")), Ok(key().public));
        let blob = BASE64.decode(written.split_once(' ').unwrap().1.as_bytes()).unwrap();
        let line = |blob: &[u8]| format!("{KIND} {}", BASE64.encode(blob));
        assert_eq!(line(&blob), written);
        for bits in 0..8 * blob.len() {
            let mut altered = blob.clone();
            altered[bits / 8] ^= 1 << (bits % 8);
            assert_ne!(PublicKey::read(&line(&altered)), Ok(key().public), "{bits}");
        }
        assert_eq!(PublicKey::read(&line(&[&blob[..], b"more"].concat())), Err(KeyRefused::Damaged));
        assert_eq!(PublicKey::read(&line(&[string(b"ssh-rsa"), string(&[1])].concat())), Err(KeyRefused::Damaged));
    }

    #[test]
    fn a_key_for_which_everybody_can_sign_is_refused() {
        for weak in WEAK {
            for sign in [0, 0x80] {
                let mut point = Hex::<32>::parse(weak).unwrap();
                point.0[31] |= sign;
                assert_eq!(PublicKey::read(&PublicKey(point).to_string()), Err(KeyRefused::Weak));
            }
        }
    }

    /// Made by `ssh-keygen -t ed25519 -N ""` and `ssh-keygen -Y sign -n ringmail-order@v1` of OpenSSH 9.2.
    #[test]
    fn what_ssh_keygen_makes_is_read() {
        let private = include_str!("../../../tests/ssh/id_ed25519");
        let public = PublicKey::read(include_str!("../../../tests/ssh/id_ed25519.pub")).unwrap();
        let ours = SigningKey::read(private).unwrap();
        assert_eq!(ours.public, public);
        let signature = Signature::read(include_str!("../../../tests/ssh/order.txt.sig")).unwrap();
        let text = include_bytes!("../../../tests/ssh/order.txt");
        assert_eq!(signature.check(&[public], ORDER, text), Ok(public));
        // Ed25519 has one signature for a key and a text.
        assert_eq!(ours.sign(ORDER, text).in_armour(), include_str!("../../../tests/ssh/order.txt.sig"));
        assert_eq!(SigningKey::read(&private.replace('\n', "\r\n")).unwrap().public, public);
        let encrypted = SigningKey::read(include_str!("../../../tests/ssh/id_encrypted"));
        assert!(matches!(encrypted, Err(KeyRefused::Encrypted)));
    }

    #[test]
    fn a_private_key_cut_or_altered_anywhere_signs_for_no_other_public_key() {
        let private = include_str!("../../../tests/ssh/id_ed25519");
        let public = PublicKey::read(include_str!("../../../tests/ssh/id_ed25519.pub")).unwrap();
        for end in 0..private.trim_end().len() {
            assert!(SigningKey::read(&private[..end]).is_err(), "{end}");
        }
        for at in 0..private.len() {
            let altered = [&private[..at], if private.as_bytes()[at] == b'A' { "B" } else { "A" }, &private[at + 1..]];
            assert!(
                SigningKey::read(&altered.concat()).is_ok_and(|key| key.public == public)
                    || SigningKey::read(&altered.concat()).is_err(),
                "{at}"
            );
        }
    }
}
