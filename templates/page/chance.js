// Hashes, and the values of throws that follow from them: chapters 6 to 8 of the document of the format.

const ascii = new TextEncoder();

function joined(parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** SHA-256 of the label and the parts [6.1]. */
const hashOf = (label, ...parts) => sha256(joined([ascii.encode(`ringmail/2/${label}\0`), ...parts]));

function integer(value, width) {
  const bytes = new Uint8Array(width);
  let rest = BigInt(value);
  for (let place = width - 1; place >= 0; place -= 1, rest >>= 8n) bytes[place] = Number(rest & 255n);
  return bytes;
}
const u8 = (value) => integer(value, 1);
const u16 = (value) => integer(value, 2);
const u32 = (value) => integer(value, 4);
const u64 = (value) => integer(value, 8);

/** The length, and then the bytes [6.2]. */
function withLength(value) {
  const bytes = typeof value === "string" ? ascii.encode(value) : value;
  return joined([u16(bytes.length), bytes]);
}

function ofHex(text) {
  need(typeof text === "string" && /^([0-9a-f]{2})*$/.test(text), "a hash in it is none");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const isSame = (one, other) => one.length === other.length && one.every((byte, place) => byte === other[place]);

/** The words of ChaCha20 with 20 rounds under this key [7.8]. */
function* wordsOf(seed) {
  const view = new DataView(seed.buffer, seed.byteOffset);
  const key = Array.from({ length: 8 }, (_, place) => view.getUint32(place * 4, true));
  const turned = (word, by) => (word << by) | (word >>> (32 - by));
  const quarters = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
    [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
  for (let block = 0; ; block += 1) {
    const begun = Uint32Array.from([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...key, block, 0, 0, 0]);
    const state = begun.slice();
    for (let round = 0; round < 10; round += 1) {
      for (const [a, b, c, d] of quarters) {
        state[a] += state[b];
        state[d] = turned(state[d] ^ state[a], 16);
        state[c] += state[d];
        state[b] = turned(state[b] ^ state[c], 12);
        state[a] += state[b];
        state[d] = turned(state[d] ^ state[a], 8);
        state[c] += state[d];
        state[b] = turned(state[b] ^ state[c], 7);
      }
    }
    for (let place = 0; place < 16; place += 1) yield (state[place] + begun[place]) >>> 0;
  }
}

/** A number below another, each as likely [7.8]. */
function uniform(words, below) {
  const end = 2 ** 32 - (2 ** 32 % below);
  for (;;) {
    const word = words.next().value;
    if (word < end) return word % below;
  }
}

function shuffled(words, count) {
  const order = Array.from({ length: count }, (_, place) => place);
  for (let place = count - 1; place > 0; place -= 1) {
    const other = uniform(words, place + 1);
    [order[place], order[other]] = [order[other], order[place]];
  }
  return order;
}
