/*! A stream of bytes, sealed to one reader: in chunks, so that neither side holds more than two of them in memory.

The construction is STREAM (Hoang, Reyhanitabar, Rogaway and Vizár, 2015), as `age` uses it: every chunk of 64 KiB is
sealed by ChaCha20-Poly1305 under a key for this file alone, and its nonce is the number of the chunk and whether it
is the last. So opening detects a chunk that is altered, missing, or in another's place, and at the end a file that
was cut off.

The crate `age` would do the same: it brings 95 crates that we do not build otherwise, with a lattice, curves, and
the translations of its messages, and a minute and a half of processor time. These are 150 lines on `ring` and
`x25519-dalek`, which are here anyway, and no other program has to read the file.
*/

use super::handover::{HostKey, HostPublic, NotOpened};
use ground::hash::{Hash, hash};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use std::io::{self, Read, Write};
use x25519_dalek::{PublicKey as Point, StaticSecret};

/// The first bytes of a sealed file.
const MAGIC: &[u8; 20] = b"ringmail-handover/1\n";
/// The bytes of a chunk before it is sealed. The last one may have fewer.
pub(super) const CHUNK: usize = 64 * 1024;
/// How many bytes sealing adds to a chunk.
const TAG: usize = 16;

/// Whether more chunks follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Within,
    Last,
}

/// The nonce of a chunk: its number, and whether it is the last. No two chunks of a file have the same.
fn nonce(number: u64, place: Place) -> Nonce {
    let mut nonce = [0; 12];
    nonce[3..11].copy_from_slice(&number.to_be_bytes());
    nonce[11] = u8::from(place == Place::Last);
    Nonce::assume_unique_for_key(nonce)
}

/// The cipher on which two key pairs agree.
fn cipher(secret: &StaticSecret, other: &[u8; 32], sender: &[u8; 32], receiver: &[u8; 32]) -> LessSafeKey {
    let shared = secret.diffie_hellman(&Point::from(*other));
    let key = hash("handover-key", &[shared.as_bytes(), sender, receiver]);
    LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &key.0).expect("a key has 32 bytes"))
}

/// Seals the bytes that are written to it, and writes them on.
pub(super) struct Sealing<W: Write> {
    out: W,
    cipher: LessSafeKey,
    chunk: Vec<u8>,
    number: u64,
}

impl<W: Write> Sealing<W> {
    /// Begins a file that only the holder of a key can open.
    pub(super) fn begin(mut out: W, to: &HostPublic) -> io::Result<Sealing<W>> {
        let secret = StaticSecret::from(Hash::random().map_err(|error| io::Error::other(error.to_string()))?.0);
        let ours = Point::from(&secret).to_bytes();
        let cipher = cipher(&secret, &to.opens, &ours, &to.opens);
        out.write_all(MAGIC)?;
        out.write_all(&ours)?;
        Ok(Sealing { out, cipher, chunk: Vec::with_capacity(CHUNK + TAG), number: 0 })
    }

    /// Ends the file.
    pub(super) fn end(mut self) -> io::Result<W> {
        self.seal(Place::Last)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn seal(&mut self, place: Place) -> io::Result<()> {
        let nonce = nonce(self.number, place);
        let sealed = self.cipher.seal_in_place_append_tag(nonce, Aad::from(MAGIC), &mut self.chunk);
        sealed.expect("a chunk is shorter than the cipher allows");
        self.out.write_all(&self.chunk)?;
        self.chunk.clear();
        self.number += 1;
        Ok(())
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full chunk is held back until more bytes come: only then is it certain that it is not the last.
        if self.chunk.len() == CHUNK && !bytes.is_empty() {
            self.seal(Place::Within)?;
        }
        let taken = bytes.len().min(CHUNK - self.chunk.len());
        self.chunk.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Opens a sealed file, as far as it is read. If reading ends without an error, this is the end that was sealed.
pub(super) struct Opening<R: Read> {
    source: R,
    cipher: LessSafeKey,
    /// The chunk that is open, and how much of it has been read.
    opened: Vec<u8>,
    read: usize,
    /// The next chunk, still sealed; empty after the last one.
    sealed: Vec<u8>,
    number: u64,
}

impl<R: Read> Opening<R> {
    /// Begins to open a file.
    pub(super) fn begin(mut source: R, key: &HostKey) -> Result<Opening<R>, NotOpened> {
        let mut head = Vec::new();
        (&mut source).take((MAGIC.len() + 32) as u64).read_to_end(&mut head)?;
        let theirs = head.strip_prefix(MAGIC).ok_or(NotOpened::NoHandover)?;
        let theirs: &[u8; 32] = theirs.try_into().map_err(|_| NotOpened::NoHandover)?;
        let secret = key.sealing();
        let cipher = cipher(&secret, theirs, theirs, &Point::from(&secret).to_bytes());
        let sealed = next_chunk(&mut source)?;
        Ok(Opening { source, cipher, opened: Vec::new(), read: 0, sealed, number: 0 })
    }

    /// Opens the next chunk. `false` if the last one has been read.
    fn open(&mut self) -> Result<bool, NotOpened> {
        if self.sealed.is_empty() {
            // The last chunk says that it is the last; without it the file was cut off.
            return if self.number > 0 { Ok(false) } else { Err(NotOpened::Sealed) };
        }
        let next = if self.sealed.len() == CHUNK + TAG { next_chunk(&mut self.source)? } else { Vec::new() };
        let place = if next.is_empty() { Place::Last } else { Place::Within };
        let mut chunk = std::mem::replace(&mut self.sealed, next);
        let opened = self.cipher.open_in_place(nonce(self.number, place), Aad::from(MAGIC), &mut chunk);
        let length = opened.map_err(|_| NotOpened::Sealed)?.len();
        chunk.truncate(length);
        (self.opened, self.read) = (chunk, 0);
        self.number += 1;
        Ok(true)
    }
}

fn next_chunk(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut chunk = Vec::with_capacity(CHUNK + TAG);
    source.take((CHUNK + TAG) as u64).read_to_end(&mut chunk)?;
    Ok(chunk)
}

impl<R: Read> Read for Opening<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.read == self.opened.len() {
            if !self.open().map_err(NotOpened::into_io)? {
                return Ok(0);
            }
        }
        let taken = into.len().min(self.opened.len() - self.read);
        into[..taken].copy_from_slice(&self.opened[self.read..self.read + taken]);
        self.read += taken;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ground::hash::Hex;
    use std::cell::Cell;
    use std::rc::Rc;

    fn key() -> HostKey {
        HostKey(Hex([1; 32]))
    }

    fn sealed(bytes: &[u8]) -> Vec<u8> {
        let mut sealing = Sealing::begin(Vec::new(), &key().public()).unwrap();
        sealing.write_all(bytes).unwrap();
        sealing.end().unwrap()
    }

    fn opened(sealed: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Opening::begin(sealed, &key()).map_err(NotOpened::into_io)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Bytes that differ from chunk to chunk.
    fn bytes(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at / 7 + at / CHUNK) as u8).collect()
    }

    #[test]
    fn a_file_of_any_length_is_opened_as_it_was_sealed() {
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5] {
            let sealed = sealed(&bytes(length));
            let chunks = length.div_ceil(CHUNK).max(1);
            assert_eq!(sealed.len(), MAGIC.len() + 32 + length + chunks * TAG, "{length}");
            assert!(opened(&sealed).unwrap() == bytes(length), "{length}");
        }
    }

    #[test]
    fn a_file_that_was_cut_off_or_put_in_another_order_is_not_opened() {
        let whole = sealed(&bytes(3 * CHUNK));
        let (head, chunks) = whole.split_at(MAGIC.len() + 32);
        let chunks: Vec<&[u8]> = chunks.chunks(CHUNK + TAG).collect();
        let of =
            |order: &[usize]| [&[head], &order.iter().map(|at| chunks[*at]).collect::<Vec<_>>()[..]].concat().concat();
        assert!(opened(&of(&[0, 1, 2])).is_ok());
        for order in [&[][..], &[0], &[0, 1], &[0, 2], &[1, 2], &[1, 0, 2], &[0, 0, 1, 2], &[0, 1, 2, 2], &[0, 1, 1, 2]]
        {
            assert!(opened(&of(order)).is_err(), "{order:?}");
        }
        // At the ends of chunks, and in the middle of them.
        for end in
            [whole.len() - 1, whole.len() - TAG, whole.len() - TAG - 1, head.len() + CHUNK, head.len(), 52, 51, 0]
        {
            assert!(opened(&whole[..end]).is_err(), "{end}");
        }
        assert!(opened(&[&whole[..], b"x"].concat()).is_err());
    }

    /// Counts what goes through it.
    struct Counting<T>(T, Rc<Cell<u64>>);

    impl<T: Read> Read for Counting<T> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(into)?;
            self.1.set(self.1.get() + read as u64);
            Ok(read)
        }
    }

    impl Write for Counting<io::Sink> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.set(self.1.get() + bytes.len() as u64);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A pipe that keeps nothing in memory: what is sealed is counted and opened at once.
    #[test]
    fn neither_side_holds_more_than_two_chunks_of_a_large_file() {
        const LENGTH: u64 = 100 * 1024 * 1024;
        let written = Rc::new(Cell::new(0));
        let mut sealing = Sealing::begin(Counting(io::sink(), Rc::clone(&written)), &key().public()).unwrap();
        let piece = bytes(10_000);
        for count in 1..=LENGTH / 10_000 {
            sealing.write_all(&piece).unwrap();
            let held = (count * 10_000).saturating_sub(written.get());
            assert!(held <= 2 * CHUNK as u64, "{held} bytes are held");
        }
        assert!(sealing.chunk.capacity() <= CHUNK + TAG);
        let sealed = sealed(&bytes(40 * CHUNK));
        let read = Rc::new(Cell::new(0));
        let mut opening = Opening::begin(Counting(&sealed[..], Rc::clone(&read)), &key()).ok().unwrap();
        let (mut got, mut into) = (0, vec![0; 10_000]);
        loop {
            let count = opening.read(&mut into).unwrap() as u64;
            got += count;
            let held = read.get().saturating_sub(got);
            assert!(held <= 2 * (CHUNK + 41 * TAG) as u64 + 52, "{held} bytes are held");
            if count == 0 {
                break;
            }
        }
        assert_eq!(got, 40 * CHUNK as u64);
    }
}
