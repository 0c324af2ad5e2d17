/*! Signatures as `ssh-keygen -Y sign` makes them (OpenSSH, PROTOCOL.sshsig), with ed25519 keys only.

A signature says: this key, this text, this purpose. The purpose is the namespace, so that what was signed as an order
can never be taken for a checkpoint. Anybody can check one with `ssh-keygen -Y verify`, without our program.
*/

use data_encoding::{BASE64, BASE64_NOPAD};
use ground::hash::Hex;
use ring::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};
use sha2::{Digest, Sha256, Sha512};
use std::fmt;

/// The purpose of a player's orders.
pub const ORDER: &str = "ringmail-order@v2";
/// The purpose of the host's checkpoints.
pub const CHECKPOINT: &str = "ringmail-checkpoint@v1";
/// The purpose of a change of the host.
pub const HOST: &str = "ringmail-host@v1";

const KIND: &str = "ssh-ed25519";
const MAGIC: &[u8] = b"SSHSIG";
const PRIVATE_MAGIC: &[u8] = b"openssh-key-v1\0";
pub(super) const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
pub(super) const END: &str = "-----END SSH SIGNATURE-----";
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
        write!(f, "{KIND} {}", BASE64.encode(&self.blob()))
    }
}

impl PublicKey {
    /// Reads the line of a `.pub` file without its comment.
    pub fn read(line: &str) -> Result<PublicKey, KeyRefused> {
        let mut words = line.split_whitespace();
        let kind = words.next().unwrap_or("");
        if kind != KIND {
            let is_kind = kind.starts_with("ssh-") || kind.starts_with("sk-") || kind.starts_with("ecdsa-");
            return Err(if is_kind { KeyRefused::Kind(printable(kind)) } else { KeyRefused::Damaged });
        }
        let blob = words.next().and_then(|written| BASE64.decode(written.as_bytes()).ok());
        PublicKey::of_blob(&blob.ok_or(KeyRefused::Damaged)?)
    }

    fn of_blob(blob: &[u8]) -> Result<PublicKey, KeyRefused> {
        let mut wire = Wire(blob);
        let kind = wire.string().ok_or(KeyRefused::Damaged)?;
        if kind != KIND.as_bytes() {
            return Err(KeyRefused::Kind(printable(&String::from_utf8_lossy(kind))));
        }
        let point = wire.string().and_then(|point| <[u8; 32]>::try_from(point).ok());
        let point = point.filter(|_| wire.0.is_empty()).ok_or(KeyRefused::Damaged)?;
        if is_weak(&point) { Err(KeyRefused::Weak) } else { Ok(PublicKey(Hex(point))) }
    }

    fn blob(&self) -> Vec<u8> {
        let mut blob = Vec::with_capacity(51);
        put(&mut blob, KIND.as_bytes());
        put(&mut blob, &self.0.0);
        blob
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
        let armour = |line: &&str| !line.starts_with("-----") && !line.trim().is_empty();
        if !text.contains("-----BEGIN OPENSSH PRIVATE KEY-----") {
            return Err(KeyRefused::Damaged);
        }
        let letters: String = text.lines().filter(armour).map(str::trim).collect();
        let bytes = BASE64.decode(letters.as_bytes()).map_err(|_| KeyRefused::Damaged)?;
        let mut wire = Wire(bytes.strip_prefix(PRIVATE_MAGIC).ok_or(KeyRefused::Damaged)?);
        let cipher = wire.string().ok_or(KeyRefused::Damaged)?;
        if cipher != b"none" {
            return Err(KeyRefused::Encrypted);
        }
        SigningKey::of_wire(wire).ok_or(KeyRefused::Damaged)?
    }

    /// Reads what follows the name of the cipher; `None` if it is damaged.
    fn of_wire(mut wire: Wire<'_>) -> Option<Result<SigningKey, KeyRefused>> {
        let (_derivation, _options) = (wire.string()?, wire.string()?);
        let (1, public) = (wire.number()?, wire.string()?) else { return None };
        let public = match PublicKey::of_blob(public) {
            Ok(public) => public,
            Err(refused) => return Some(Err(refused)),
        };
        let mut secret = Wire(wire.string()?);
        let (check, again) = (secret.number()?, secret.number()?);
        let (kind, _point, pair) = (secret.string()?, secret.string()?, secret.string()?);
        let seed = pair.get(..32).and_then(|seed| <[u8; 32]>::try_from(seed).ok())?;
        let key = SigningKey::of_seed(&Hex(seed));
        let fits = check == again && kind == KIND.as_bytes() && key.public == public;
        fits.then_some(Ok(key))
    }

    /// Signs a text for a purpose.
    pub fn sign(&self, purpose: &str, text: &[u8]) -> Signature {
        let hashing = Hashing::Sha512;
        let bytes = self.pair.sign(&signed_bytes(purpose, hashing, text));
        let bytes = Hex(bytes.as_ref().try_into().expect("an ed25519 signature has 64 bytes"));
        Signature { key: self.public, purpose: purpose.to_owned(), hashing, bytes }
    }
}

impl fmt::Debug for SigningKey {
    /// Shows the public key only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SigningKey").field(&self.public).finish()
    }
}

/// How the text is hashed before it is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hashing {
    Sha256,
    Sha512,
}

/// One signature, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub key: PublicKey,
    pub purpose: String,
    pub hashing: Hashing,
    pub bytes: Hex<64>,
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
        if letters.len() > LIMIT {
            return Err(NotSigned::Damaged);
        }
        let blob = BASE64_NOPAD.decode(letters.as_bytes()).map_err(|_| NotSigned::Damaged)?;
        let wire = Wire(blob.strip_prefix(MAGIC).ok_or(NotSigned::Damaged)?);
        Signature::of_wire(wire).ok_or(NotSigned::Damaged)?
    }

    fn of_wire(mut wire: Wire<'_>) -> Option<Result<Signature, NotSigned>> {
        let (1, key) = (wire.number()?, wire.string()?) else { return None };
        let key = match PublicKey::of_blob(key) {
            Ok(key) => key,
            Err(refused) => return Some(Err(NotSigned::Key(refused))),
        };
        let purpose = std::str::from_utf8(wire.string()?).ok()?.to_owned();
        let _reserved = wire.string().filter(|reserved| reserved.is_empty())?;
        let hashing = match wire.string()? {
            b"sha512" => Hashing::Sha512,
            b"sha256" => Hashing::Sha256,
            _ => return None,
        };
        let mut inner = Wire(wire.string().filter(|_| wire.0.is_empty())?);
        let (kind, bytes) = (inner.string()?, inner.string()?);
        let fits = kind == KIND.as_bytes() && inner.0.is_empty();
        let bytes = Hex(bytes.try_into().ok().filter(|_| fits)?);
        Some(Ok(Signature { key, purpose, hashing, bytes }))
    }

    /// Checks that one of these keys signed this text for this purpose, and returns that key.
    pub fn check(&self, keys: &[PublicKey], purpose: &'static str, text: &[u8]) -> Result<PublicKey, NotSigned> {
        if self.purpose != purpose {
            return Err(NotSigned::Purpose { expected: purpose, found: printable(&self.purpose) });
        }
        if !keys.contains(&self.key) {
            return Err(NotSigned::Stranger(self.key));
        }
        let signed = signed_bytes(purpose, self.hashing, text);
        let key = UnparsedPublicKey::new(&ED25519, &self.key.0.0);
        key.verify(&signed, &self.bytes.0).map(|()| self.key).map_err(|_| NotSigned::OtherText)
    }

    /// The signature in one line, as the log keeps it.
    pub fn in_one_line(&self) -> String {
        BASE64.encode(&self.blob())
    }

    /// The signature as `ssh-keygen` writes it into a file `.sig`.
    pub fn in_armour(&self) -> String {
        let letters = self.in_one_line();
        let mut text = format!("{BEGIN}\n");
        for line in letters.as_bytes().chunks(70) {
            text.push_str(std::str::from_utf8(line).expect("base64 is ASCII"));
            text.push('\n');
        }
        text + END + "\n"
    }

    fn blob(&self) -> Vec<u8> {
        let mut blob = MAGIC.to_vec();
        blob.extend_from_slice(&1_u32.to_be_bytes());
        put(&mut blob, &self.key.blob());
        put(&mut blob, self.purpose.as_bytes());
        put(&mut blob, b"");
        put(&mut blob, self.hashing.word());
        let mut inner = Vec::with_capacity(83);
        put(&mut inner, KIND.as_bytes());
        put(&mut inner, &self.bytes.0);
        put(&mut blob, &inner);
        blob
    }
}

impl Hashing {
    fn word(self) -> &'static [u8] {
        match self {
            Hashing::Sha256 => b"sha256",
            Hashing::Sha512 => b"sha512",
        }
    }
}

/// PROTOCOL.sshsig §3: the signature covers not the text but its hash, with the purpose and the name of the hash.
fn signed_bytes(purpose: &str, hashing: Hashing, text: &[u8]) -> Vec<u8> {
    let mut signed = MAGIC.to_vec();
    put(&mut signed, purpose.as_bytes());
    put(&mut signed, b"");
    put(&mut signed, hashing.word());
    match hashing {
        Hashing::Sha256 => put(&mut signed, &Sha256::digest(text)),
        Hashing::Sha512 => put(&mut signed, &Sha512::digest(text)),
    }
    signed
}

fn put(wire: &mut Vec<u8>, string: &[u8]) {
    let length = u32::try_from(string.len()).expect("what is signed is short");
    wire.extend_from_slice(&length.to_be_bytes());
    wire.extend_from_slice(string);
}

/// Bytes as SSH sends them: numbers of four bytes, strings with their length before them (RFC 4251 §5).
struct Wire<'b>(&'b [u8]);

impl<'b> Wire<'b> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*number))
    }

    fn string(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (string, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(string)
    }
}

fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut altered = signature.clone();
        altered.bytes.0[3] ^= 1;
        assert_eq!(altered.check(&[key().public], ORDER, b"attack\n"), Err(NotSigned::OtherText));
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

    #[test]
    fn a_public_key_reads_as_it_is_written() {
        let written = key().public.to_string();
        assert_eq!(PublicKey::read(&format!("{written} anna@laptop")), Ok(key().public));
        assert!(matches!(PublicKey::read("ssh-rsa AAAA"), Err(KeyRefused::Kind(kind)) if kind == "ssh-rsa"));
        assert_eq!(PublicKey::read("hello"), Err(KeyRefused::Damaged));
        assert_eq!(PublicKey::read(&written[..40]), Err(KeyRefused::Damaged));
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
        let encrypted = SigningKey::read(include_str!("../../../tests/ssh/id_encrypted"));
        assert!(matches!(encrypted, Err(KeyRefused::Encrypted)));
    }
}
