/* A checker of logs of Ringmail, format 2, written from games/README.md and from nothing else.

In a browser it is the script of `check.html`. Under node it is a program:

    node check.js LOG...                 checks each log; a line each, OK or FAIL; exits with the code of the worst
    node check.js LOG --letters MAIL...  holds one log against letters as well, each file an mbox or a letter
    node check.js --paths                reads the paths of logs from standard input, a line each, and answers each
    node check.js --hash                 prints the SHA-256 of this module, by which two people compare their checkers

It needs no package and no network, and knows no rules of any game. It checks everything that 13.1 of that page names,
the times that follow without a calendar, and who may write what and when. Numbers in brackets are paragraphs of the
page. All of it is one script, so that one hash stands for all that it checks and all that it says. */
"use strict";

const [OK, UNREAD, USAGE, MALFORMED, RULES, DICE, CHAIN, FORKED, UNKNOWN] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** The worst first [14.2]. */
const WORST = [FORKED, CHAIN, DICE, RULES, MALFORMED, UNKNOWN, UNREAD, OK];
const CODES = {
  [MALFORMED]: "the log is malformed, or shorter than it was",
  [RULES]: "rules or facts",
  [DICE]: "dice, cards, seals or shares",
  [CHAIN]: "the chain of hashes, the class of a record, or a signature",
  [FORKED]: "two histories of one game",
  [UNKNOWN]: "made by a program that this checker does not know",
};
const ZERO = "0".repeat(64);
const [LINE_MAX, RECORD_MAX, FILE_MAX, DEPTH_MAX, ITEMS_MAX] = [65_536, 1_048_576, 268_435_456, 8, 16_384];
const LINKS = 65_536;
const [RUN_MAX, ORDER_MAX, ORDERS_MAX, BOOK_MAX] = [50, 2_000, 100, 65_535];

/** The rules that this program holds a log to, by the exit codes that the page gives them [14.3]. */
const RULE_CODES = new Map([
  [UNKNOWN, "format.number format.level genesis.title"],
  [MALFORMED, "file.record file.torn file.length file.empty form.utf8 form.limit form.keys form.value form.canonical "
    + "chain.seq chain.time place.phase place.over place.adoption text.character text.length lapse.receipt "
    + "motion.first via.host via.by via.both via.seen via.raw via.signed via.sight seat.host seat.unknown "
    + "genesis.chain genesis.own genesis.seats genesis.escrow genesis.min_auth genesis.played player.twice "
    + "genesis.schedule genesis.host_key genesis.decks join.again join.hosted join.order "
    + "start.joined start.escrow start.round receipt.beacon receipt.start receipt.lines say.deadline "
    + "say.program say.bot receipt.letter receipt.cut say.line key.missing address.hosted address.joined "
    + "host.key host.waits host.anchor host.sig host.shares host.consent consent.to change.address change.to "
    + "change.rules change.of change.key change.deadline change.until change.pause change.undo motion.many "
    + "motion.say vote.motion vote.say vote.again concede.over concede.deadline dispute.about correction.later "
    + "correction.motion correction.moved correction.consents clock.started clock.days clock.open clock.asked "
    + "clock.seat clock.extensions clock.until clock.stands clock.misses clock.then clock.due clock.zone "
    + "clock.reached card.epoch reveal.lines books.there digest.there mail.shorter"],
  [RULES, "say.asked order.run order.once deck.asked fact.changed order.none fact.digest"],
  [DICE, "run.deck run.line start.setup receipt.round round.order round.time say.round line.next line.committed "
    + "line.cut stop.asked deck.name deck.number deck.commitment card.position card.committed card.twice "
    + "dice.none dice.link dice.number dice.asked dice.left dice.face dice.draw dice.order "
    + "reveal.root reveal.deck reveal.share reveal.books reveal.line reveal.stop"],
  [FORKED, "mail.fork mail.beginning"],
  [CHAIN, "chain.prev auth.keyboard auth.class auth.address sign.missing sign.head sign.holds sign.number sign.once "
    + "sign.order sign.words key.signed host.signed host.plays seat.waits correction.alone seat.free "
    + "end.closing"],
].flatMap(([code, ids]) => ids.split(" ").map((id) => [id, code])));

/** Something that is not as the page says, and the id of the rule that it breaks. */
class Fault extends Error {
  constructor(rule, why) {
    super(why);
    Object.assign(this, { rule, code: RULE_CODES.get(rule) });
  }
}

function need(condition, rule, why) {
  if (!condition) throw new Fault(rule, why);
}

// --- Bytes and hashes [6] ---

const utf8 = new TextEncoder();
const inUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function joined(parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

function ofHex(text) {
  const bytes = new Uint8Array(text.length / 2);
  for (let place = 0; place < bytes.length; place += 1) bytes[place] = parseInt(text.substr(2 * place, 2), 16);
  return bytes;
}

/** The first bits of the fraction of the roots of primes: square roots for the beginning, cube roots for the rounds. */
function primeRoots(count, rootOf) {
  const primes = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime)) primes.push(number);
  }
  return Int32Array.from(primes, (prime) => {
    const root = rootOf(prime);
    return (root - Math.floor(root)) * 2 ** 32;
  });
}
const BEGUN = primeRoots(8, Math.sqrt);
const ROUNDS = primeRoots(64, Math.cbrt);
const scheduled = new Int32Array(64);

/** SHA-256 of the parts, one behind the other. */
function sha256(...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const padded = new Uint8Array((length + 72) >>> 6 << 6);
  let end = 0;
  for (const part of parts) {
    padded.set(part, end);
    end += part.length;
  }
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, length << 3);
  const state = BEGUN.slice();
  const w = scheduled;
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t += 1) w[t] = view.getInt32(block + 4 * t);
    for (let t = 16; t < 64; t += 1) {
      const x = w[t - 15];
      const y = w[t - 2];
      const s0 = (x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3;
      const s1 = (y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10;
      w[t] = w[t - 16] + s0 + w[t - 7] + s1 | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t += 1) {
      const s1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
      const one = h + s1 + (e & f ^ ~e & g) + ROUNDS[t] + w[t] | 0;
      const s0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
      const two = s0 + (a & b ^ a & c ^ b & c) | 0;
      h = g;
      g = f;
      f = e;
      e = d + one | 0;
      d = c;
      c = b;
      b = a;
      a = one + two | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
  const hash = new Uint8Array(32);
  const out = new DataView(hash.buffer);
  state.forEach((word, place) => out.setInt32(4 * place, word));
  return hash;
}

const LABELS = new Map();
function labelled(label) {
  if (!LABELS.has(label)) LABELS.set(label, utf8.encode(`ringmail/2/${label}\0`));
  return LABELS.get(label);
}

/** `H` [6.1]. */
const hashOf = (label, ...parts) => sha256(labelled(label), ...parts);

/** `M`: HMAC-SHA-256 under a key of 32 bytes [6.1]. */
function keyedHashOf(key, label, ...parts) {
  const [inner, outer] = [new Uint8Array(64).fill(0x36), new Uint8Array(64).fill(0x5c)];
  key.forEach((byte, place) => {
    inner[place] ^= byte;
    outer[place] ^= byte;
  });
  return sha256(outer, sha256(inner, labelled(label), ...parts));
}

function integer(value, width) {
  const bytes = new Uint8Array(width);
  let rest = value;
  for (let place = width - 1; place >= 0; place -= 1) {
    bytes[place] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}
const u8 = (value) => integer(value, 1);
const u16 = (value) => integer(value, 2);
const u32 = (value) => integer(value, 4);
const u64 = (value) => integer(value, 8);

/** `LP` [6.2]. */
function withLength(value) {
  const bytes = typeof value === "string" ? utf8.encode(value) : value;
  return joined([u16(bytes.length), bytes]);
}

const isSame = (one, other) => one.length === other.length && one.every((item, place) => item === other[place]);

// --- The keys of records in their order, what each holds, and whether it may be absent [4, 5] ---

const [INT53, INT32, INT8] = [2 ** 53, 2 ** 32 - 1, 2 ** 8 - 1].map((max) => ({ is: "integer", max }));
const [BOOL, TEXT, TIME] = ["boolean", "text", "time"].map((is) => ({ is }));
const [HASH, GAME, KEY96, SIGNATURE] = [32, 16, 96, 48].map((width) => ({ is: "hex", width: 2 * width }));
const word = (...words) => ({ is: "word", words: new Set(words) });
/** A list of scalars, on one line. */
const row = (of) => ({ is: "row", of });
const block = (keys) => ({ is: "block", keys });
/** A list of mappings. */
const blocks = (keys) => ({ is: "blocks", keys });
/** Keys of a mapping; a `?` behind a key says that it may be absent. */
const fields = (keys) => Object.entries(keys).map(([key, kind]) => [key.replace("?", ""), kind, key.endsWith("?")]);

const CLASSES = ["keyboard", "token", "confirmed", "dkim", "ssh"];
const CLASS = word(...CLASSES);
const SILENCE = word("wait", "default", "bot", "replacement", "forfeit");
const WHAT = word("ruling", "undo", "deadline", "seat", "pause", "resume", "draw", "rules", "key");

const OPENING = fields({ deck: TEXT, "epoch?": INT32, pos: INT32, card: TEXT, salt: HASH });
const DECK = fields({ deck: TEXT, epoch: INT32, masker: INT8, n: INT32, "cards?": row(HASH), commitment: HASH });
const CONSENTS = blocks(fields({ seat: TEXT, "raw?": HASH }));
const SIGNED = block(fields({ number: INT32, of: INT32, words: TEXT, sig: TEXT }));
const VIA = fields({ "raw?": HASH, "message?": HASH, "seen?": INT53, "auth?": CLASS,
  "by?": word("standing", "deadline", "bot"), "signed?": SIGNED });
const SCHEDULE = fields({
  answer: TEXT, "days_off?": row(word("mon", "tue", "wed", "thu", "fri", "sat", "sun")), "holidays?": row(TEXT),
  "quiet?": TEXT, "grace?": TEXT, "remind?": row(TEXT), "silence?": blocks(fields({ misses: INT32, then: SILENCE })),
  "extensions?": INT32, "extension?": TEXT, "zone?": TEXT,
});
const OUTCOME = fields({
  "open?": blocks(OPENING),
  "roll?": block(fields({
    link: HASH,
    "dice?": blocks(fields({ throw: INT32, label: TEXT, sides: INT32, "faces?": row(INT32) })),
    "draws?": blocks(fields({ throw: INT32, deck: TEXT, "left?": row(INT32), pos: INT32 })),
    "shuffles?": blocks(fields({ throw: INT32, label: TEXT, count: INT32, "order?": row(INT32) })),
  })),
  "changed?": row(TEXT),
});
const TYPES = {
  genesis: fields({
    format: INT32, game: GAME, name: TEXT, title: TEXT, rules: TEXT, "engine?": TEXT,
    "options?": blocks(fields({ name: TEXT, value: TEXT })),
    "seats?": blocks(fields({ seat: TEXT, player: TEXT, host: BOOL,
      "played?": word("program", "easy", "strong"), "zone?": TEXT })),
    dice: block(fields({
      mode: word("chain", "beacon"), anchor: HASH, "chain?": HASH,
      "own?": block(fields({ public_key: KEY96, period: INT32, genesis_time: INT53, group_hash: HASH,
        beacon_id: TEXT })),
    })),
    "decks?": blocks(DECK), root: HASH, "host_key?": TEXT, "min_auth?": CLASS, "escrow?": word("seats"),
    "votes?": word("all", "majority"), "press?": word("none", "open", "anonymous"),
    "welcome?": word("watchers", "players"), "schedule?": block(SCHEDULE),
  }),
  join: fields({ "phrase?": TEXT, "keys?": row(TEXT), "player?": TEXT, "address?": HASH }),
  start: [...fields({ setup: HASH, "escrow?": blocks(fields({ seat: TEXT, digest: HASH })) }), ...OUTCOME],
  say: [...fields({
    said: TEXT,
    "line?": block(fields({ receipt: INT53, "opened?": blocks(fields({ i: INT32, text: TEXT, salt: HASH })) })),
  }), ...OUTCOME],
  heard: [],
  deck: [...DECK, ...OUTCOME],
  receipt: fields({ "lines?": row(HASH), "cut?": row(INT32), "round?": INT53 }),
  stopped: fields({ receipt: INT53, line: INT32, reason: TEXT }),
  round: fields({ receipt: INT53, signature: SIGNATURE }),
  dns: fields({ key: HASH }),
  keys: fields({ "keys?": row(TEXT) }),
  address: fields({ address: HASH }),
  host: fields({ what: word("handover", "adoption"), "host_key?": TEXT, "anchor?": HASH, "plays?": row(TEXT),
    text: TEXT,
    "consents?": CONSENTS, "sig?": TEXT }),
  consent: fields({ to: INT53, "phrase?": TEXT }),
  correction: [...fields({ what: WHAT, "to?": INT53, text: TEXT, "consents?": CONSENTS, "motion?": INT53, "of?": TEXT,
    "player?": TEXT, "key?": TEXT, "rules?": TEXT, "until?": TIME, "address?": HASH }), ...OUTCOME],
  motion: fields({ what: WHAT, "to?": INT53, "of?": TEXT, "key?": TEXT, "rules?": TEXT, text: TEXT,
    "until?": TIME }),
  vote: fields({ motion: INT53, says: word("yes", "no") }),
  concede: fields({ "text?": TEXT }),
  dispute: fields({ about: INT53, text: TEXT }),
  clock: fields({
    what: word("absent", "back", "extended", "lapsed", "unreachable", "reachable", "zone"), "asked?": INT53,
    "due?": TIME, "misses?": INT32, "then?": SILENCE, "until?": TIME, "from?": TEXT, "to?": TEXT, "zone?": TEXT,
    "whom?": TEXT, "text?": TEXT,
  }),
  reveal: fields({
    root: HASH,
    "orders?": blocks(fields({ seq: INT53, seat: TEXT, "order?": TEXT, "cancel?": INT32, "seen?": INT53,
      "signed?": SIGNED })),
    "lines?": blocks(fields({ receipt: INT53, line: INT32, text: TEXT })),
  }),
  end: fields({ result: TEXT, digest: HASH, closing: HASH }),
};
const HEAD = fields({ seq: INT53, prev: HASH, at: TIME, type: word(...Object.keys(TYPES)) });
const BEGINNING = fields({ seat: TEXT, "via?": block(VIA), "books?": HASH });
const PLAYED = new Set(["start", "say", "deck", "correction"]);
const RECORDS = new Map(Object.entries(TYPES).map(([type, keys]) => (
  [type, [...BEGINNING, ...keys, ...(type === "end" ? [] : fields({ "digest?": HASH }))]])));

// --- Reading [1, 2] ---

const OUTSIDE = "\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff";
const TO_ESCAPE = new RegExp(`["\\\\${OUTSIDE}]`, "g");
const STRING = new RegExp(
  `"[^"\\\\${OUTSIDE}]*(?:\\\\(?:["\\\\nrt]|u(?!d[89a-f])[0-9a-f]{4})[^"\\\\${OUTSIDE}]*)*"`, "y");
const INTEGER = /0|[1-9][0-9]*/y;
const SHORT = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const LONG = Object.fromEntries(Object.entries(SHORT).map(([value, written]) => [written, value]));

/** A text as a log writes it [2.5]. */
const quoted = (text) => `"${text.replace(TO_ESCAPE, (one) => (
  SHORT[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`))}"`;

function isTime(text) {
  const found = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/.exec(text);
  if (!found) return false;
  const [year, month, day] = found.slice(1, 4).map(Number);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
}

/** Reads one record by the keys of its type. What it takes for a value, it takes in one spelling only, and it takes
 * nothing else: so what can be read is canonical [2.7]. */
class Reader {
  constructor(bytes) {
    need(bytes.length <= RECORD_MAX, "form.limit", "the record is too long");
    let text;
    try {
      text = inUtf8.decode(bytes);
    } catch {
      throw new Fault("form.utf8", "the record is no UTF-8");
    }
    this.lines = text.split("\n");
    const isRecord = this.lines[0] === "---" && this.lines.at(-2) === "..." && this.lines.at(-1) === "";
    need(isRecord, "file.record", "it does not begin or end as a record");
    const isTooLong = (line) => line.length >= LINE_MAX / 3 && utf8.encode(line).length >= LINE_MAX;
    need(!this.lines.some(isTooLong), "form.limit", "a line is too long");
    this.at = 1;
    this.item = false;
  }

  record() {
    const { type, ...head } = this.mapping(HEAD, 0, 0);
    const record = { type, ...head, ...this.mapping(RECORDS.get(type), 0, 0) };
    this.need(this.at === this.lines.length - 2, "form.keys", "nothing more can stand here");
    return record;
  }

  need(condition, rule, why) {
    if (!condition) throw new Fault(rule, `line ${this.at + 1} of it: ${why}`);
  }

  mapping(keys, indent, depth) {
    this.need(depth <= DEPTH_MAX, "form.limit", "it is nested too deep");
    const found = {};
    for (const [key, kind, optional] of keys) {
      const line = this.lines[this.at];
      const start = `${this.item ? `${" ".repeat(indent - 2)}- ` : " ".repeat(indent)}${key}:`;
      if (!line.startsWith(start)) {
        this.need(optional, "form.keys", `\`${key}\` should stand here`);
        continue;
      }
      this.item = false;
      found[key] = this.value(kind, line.slice(start.length), indent, depth);
    }
    this.need(!this.item, "form.keys", "an item without keys");
    return found;
  }

  value(kind, rest, indent, depth) {
    if (kind.is === "block" || kind.is === "blocks") {
      this.need(rest === "", "form.value", "the line should end behind the key");
      this.at += 1;
      if (kind.is === "block") return this.mapping(kind.keys, indent + 2, depth + 1);
      const items = [];
      const opened = `${" ".repeat(indent + 2)}- `;
      while (this.lines[this.at].startsWith(opened)) {
        this.item = true;
        items.push(this.mapping(kind.keys, indent + 4, depth + 1));
      }
      this.need(items.length >= 1, "form.value", "a list of no items");
      this.need(items.length <= ITEMS_MAX, "form.limit", "a list of too many items");
      return items;
    }
    this.need(rest.startsWith(" "), "form.value", "a blank and a value should follow the key");
    const [value, end] = kind.is === "row" ? this.row(kind.of, rest) : this.scalar(kind, rest, 1);
    this.need(end === rest.length, "form.value", "something follows the value");
    this.at += 1;
    return value;
  }

  row(kind, rest) {
    this.need(rest.startsWith(" ["), "form.value", "a list should stand here");
    this.need(rest !== " []", "form.canonical", "a list without items is left out");
    const items = [];
    for (let at = 2; ; at += 2) {
      const [item, end] = this.scalar(kind, rest, at);
      items.push(item);
      if (rest[end] === "]") return [items, end + 1];
      this.need(rest.startsWith(", ", end), "form.value", "items are parted by a comma and a blank");
      this.need(items.length < ITEMS_MAX, "form.limit", "a list of too many items");
      at = end;
    }
  }

  scalar(kind, rest, at) {
    const found = (pattern) => {
      pattern.lastIndex = at;
      return pattern.exec(rest)?.[0];
    };
    if (kind.is === "integer") {
      const written = found(INTEGER);
      const isOne = written !== undefined && written.length <= 16 && Number(written) <= kind.max;
      this.need(isOne, "form.value", `an integer up to ${kind.max} should stand here`);
      return [Number(written), at + written.length];
    }
    if (kind.is === "boolean") {
      const written = found(/true|false/y);
      this.need(written, "form.value", "neither true nor false");
      return [written === "true", at + written.length];
    }
    const written = found(STRING);
    this.need(written, "form.value", "a text in quotes should stand here");
    let text = written.slice(1, -1);
    if (text.includes("\\")) {
      text = text.replace(/\\(?:u(....)|.)/g, (all, code) => (
        code ? String.fromCharCode(parseInt(code, 16)) : LONG[all]));
      this.need(quoted(text) === written, "form.canonical", "a text is written otherwise than it should be");
    }
    if (kind.is === "hex") this.need(text.length === kind.width && /^[0-9a-f]*$/.test(text),
      "form.value", `not ${kind.width} hex digits`);
    if (kind.is === "word") this.need(kind.words.has(text), "form.value", "not one of the words that can stand here");
    if (kind.is === "time") this.need(isTime(text), "form.value", "no time");
    return [text, at + written.length];
  }
}

/** The records of a log, as bytes [1.1 to 1.3]. */
function* recordsOf(log) {
  const isAt = (at, bytes) => bytes.every((byte, place) => at + place >= log.length || log[at + place] === byte);
  for (let start = 0; start < log.length;) {
    const begins = isAt(start, [45, 45, 45, 10]) || log[start] === 0;
    need(begins, "file.record", "something else than a record stands here");
    let end = start - 1;
    do end = log.indexOf(10, end + 1);
    while (end >= 0 && !(end + 5 <= log.length && isAt(end, [10, 46, 46, 46, 10])));
    need(end >= 0, "file.torn", "the log ends inside a record");
    yield log.subarray(start, end + 5);
    start = end + 5;
  }
}

// --- Dice [7] ---

/** The words of ChaCha20 with 20 rounds under this key, in the layout of Bernstein [7.5]. */
function* wordsOf(seed) {
  const view = new DataView(seed.buffer, seed.byteOffset);
  const key = Array.from({ length: 8 }, (_, place) => view.getInt32(place * 4, true));
  const state = new Int32Array(16);
  const quarter = (a, b, c, d) => {
    let turned = state[d] ^ (state[a] += state[b]);
    state[c] += state[d] = turned << 16 | turned >>> 16;
    turned = state[b] ^ state[c];
    state[a] += state[b] = turned << 12 | turned >>> 20;
    turned = state[d] ^ state[a];
    state[c] += state[d] = turned << 8 | turned >>> 24;
    turned = state[b] ^ state[c];
    state[b] = turned << 7 | turned >>> 25;
  };
  for (let number = 0; ; number += 1) {
    const begun = Int32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...key, number, 0, 0, 0);
    state.set(begun);
    for (let round = 0; round < 10; round += 1) {
      quarter(0, 4, 8, 12);
      quarter(1, 5, 9, 13);
      quarter(2, 6, 10, 14);
      quarter(3, 7, 11, 15);
      quarter(0, 5, 10, 15);
      quarter(1, 6, 11, 12);
      quarter(2, 7, 8, 13);
      quarter(3, 4, 9, 14);
    }
    for (let place = 0; place < 16; place += 1) yield state[place] + begun[place] >>> 0;
  }
}

/** A number below another, each as likely [7.5]. */
function uniform(words, below) {
  const end = 2 ** 32 - 2 ** 32 % below;
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

const QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";

/** The chain of the beacon [7.10]; nothing if the game has none. */
function beaconOf({ mode, chain, own }) {
  if (chain === undefined) {
    need(mode === "chain" && own === undefined, "genesis.chain", "no chain of a beacon");
    return null;
  }
  need(mode === "beacon", "genesis.chain", "a chain of a beacon, and no dice that follow from it");
  if (chain === QUICKNET) {
    need(own === undefined, "genesis.own", "quicknet is described, and everybody knows it");
    return { chain, period: 3, begun: 1692803367 };
  }
  need(own && own.period > 0, "genesis.own", "the chain of the beacon is not described");
  const { period, genesis_time: begun, public_key: key, group_hash: group, beacon_id: id } = own;
  need(/^[!-~]{1,64}$/.test(id), "genesis.own", "no id of a beacon");
  const name = utf8.encode(id === "default" ? "" : id);
  const found = hex(sha256(u32(period), u64(begun), ofHex(key), ofHex(group), name));
  need(found === chain, "genesis.own", "the chain of the beacon has another hash");
  return { chain, period, begun };
}

/** What the dice depend on: the host's chain, and the mix of all that was added. */
class Dice {
  constructor(log, { anchor }) {
    Object.assign(this, { log, anchor, link: anchor, opened: 0, throws: 0, mix: null });
  }

  /** `G` [7.2, 7.3]. */
  start(setup, joined) {
    const { log } = this;
    const parts = [ofHex(log.game), log.genesis, ofHex(this.anchor), ofHex(log.root), u8(log.words.length)];
    for (let seat = 1; seat <= log.words.length; seat += 1) {
      const { phrase = "", via: { message = ZERO } = {} } = joined.get(seat);
      parts.push(u8(seat), u16(0), withLength(phrase), ofHex(message), u16(0));
    }
    this.mix = hashOf("setup", ...parts);
    need(setup === hex(this.mix), "start.setup", "`setup` does not follow from what the seats brought");
  }

  absorbRound({ number, signature }) {
    const bytes = ofHex(signature);
    this.mix = hashOf("beacon", this.mix, ofHex(this.log.beacon.chain), u64(number), u16(bytes.length), bytes);
  }

  absorbPhrase(seat, phrase) {
    this.mix = hashOf("phrase", this.mix, u8(seat), withLength(phrase));
  }

  /** The chain of a new host is taken up [7.8]. */
  takeUp(anchor) {
    Object.assign(this, { link: anchor, opened: 0 });
  }

  /** Holds the throws of a record against the values that follow from their seeds [7.4, 7.6]. */
  roll({ link, dice = [], draws = [], shuffles = [] }) {
    const lists = [dice, draws, shuffles];
    const throws = lists.flat();
    need(throws.length > 0, "dice.none", "nothing is thrown");
    need(this.opened + throws.length <= LINKS, "dice.link", "the host's chain is not so long");
    const [game, links] = [ofHex(this.log.game), [ofHex(link)]];
    for (let place = this.opened + throws.length; place > this.opened; place -= 1) {
      links.unshift(hashOf("host-link", game, u32(place), links[0]));
    }
    need(hex(links.shift()) === this.link, "dice.link", "the link is not on the host's chain");
    const isRising = (list) => list.every((one, place) => place === 0 || one.throw >= list[place - 1].throw);
    need(lists.every(isRising), "dice.number", "the throws of a list are in another order");
    throws.sort((one, other) => one.throw - other.throw);
    const isNext = throws.every((one, place) => one.throw === this.throws + 1 + place);
    need(isNext, "dice.number", `its throws have other numbers than from ${this.throws + 1} on`);
    Object.assign(this, { link, opened: this.opened + throws.length, throws: this.throws + throws.length });
    throws.forEach((thrown, place) => {
      this.compare(thrown, wordsOf(hashOf("roll", game, u32(thrown.throw), links[place], this.mix)));
    });
  }

  compare({ throw: n, sides, faces = [], deck, left = [], pos, count, order = [] }, words) {
    if (sides !== undefined) {
      need(sides > 0 && faces.length > 0, "dice.asked", `throw ${n} has no dice, or dice without sides`);
      const found = faces.map(() => 1 + uniform(words, sides));
      const why = `throw ${n} shows ${faces.join(" ")}, and ${found.join(" ")} follows from its seed`;
      need(isSame(found, faces), "dice.face", why);
    } else if (deck !== undefined) {
      const found = this.log.decks.drawn(deck, left, (below) => uniform(words, below));
      need(pos === found, "dice.draw", `throw ${n} draws position ${pos}, and ${found} follows from its seed`);
    } else {
      need(count === order.length, "dice.order", `throw ${n} is an order of another length`);
      const isOrder = isSame(order, shuffled(words, count));
      need(isOrder, "dice.order", `throw ${n} is another order than follows from its seed`);
    }
  }
}

const lineOf = (game, seat, receipt, place, text, salt) => (
  hex(hashOf("line", ofHex(game), u8(seat), u32(receipt), u16(place), withLength(text), salt)));

/** What was fixed before its dice could be known, and how it is played [5.19, 5.20, 7.11, 7.12, 7.14]. */
class Receipts {
  constructor(log) {
    Object.assign(this, { log, waiting: [], playing: null, stops: [], start: null, rounds: 0 });
    Object.assign(this, { known: new Map(), fixed: new Set() });
  }

  /** Whether a receipt of a seat waits for its round. */
  waits(seats) {
    return this.waiting.some(({ seat }) => seats.has(seat));
  }

  receipt({ seat: writer, lines = [], cut = [], round }, seq, at, via) {
    const { log } = this;
    need(log.beacon, "receipt.beacon", "the game has no beacon");
    const seat = writer === "host" ? 0 : log.seat();
    if (log.phase === "joining") {
      need(!seat && log.joined.size === log.words.length, "receipt.start", "the host writes it, when all have joined");
      need(!this.start && this.waiting.length === 0, "receipt.start", "the start has its receipt");
    }
    need((seat > 0) === lines.length > 0, "receipt.lines", "lines in a receipt of the host, or none in one of a seat");
    if (seat) log.clock.answered(seat, via.by);
    const { period, begun } = log.beacon;
    const since = seconds(at) - begun;
    const expected = (since >= 0 ? Math.floor(since / period) + 1 : 0) + 100;
    need(round === expected, "receipt.round", `its round is ${expected}`);
    if (via.raw !== undefined) {
      need(!this.fixed.has(via.raw), "receipt.letter", "the letter has had a receipt");
      this.fixed.add(via.raw);
    }
    const isCut = cut.every((line, place) => line >= 1 && line < lines.length && (place === 0
      || line > cut[place - 1]));
    need(isCut, "receipt.cut", "other lines are cut");
    const receipt = { seq, seat, via, lines, cut: new Set(cut), round, next: 1 };
    this.known.set(seq, receipt);
    this.waiting.push(receipt);
  }

  round({ receipt: first, signature }, at) {
    const { log } = this;
    need(log.beacon, "receipt.beacon", "the game has no beacon");
    need(this.waiting[0]?.seq === first, "round.order", "another receipt is played first, or none waits");
    const receipt = this.waiting.shift();
    const { period, begun } = log.beacon;
    need(seconds(at) >= begun + (receipt.round - 1) * period, "round.time", "the round is not signed yet");
    this.rounds += 1;
    const round = { number: receipt.round, signature };
    if (log.phase === "joining") this.start = round;
    else log.dice.absorbRound(round);
    this.playing = { ...receipt, isStopped: false };
  }

  /** Whether a line of the receipt that is being played is still to come. */
  hasMore() {
    const run = this.playing;
    return run !== null && !run.isStopped && run.next <= run.lines.length;
  }

  stopped({ receipt, line }, seat) {
    const run = this.playing;
    const isNext = run && run.seq === receipt && run.seat === seat && run.next === line && this.hasMore();
    need(isNext, "line.next", "another line is the next one, or none");
    need(this.log.asked() === seat, "stop.asked", "it stops while its seat is not asked");
    run.isStopped = true;
    this.stops.push({ receipt, line, seat, committed: run.lines[line - 1] });
  }

  /** A record that is no part of the run ends it. */
  mind(type, { what }) {
    const { log } = this;
    if (type === "clock" && what === "lapsed" && log.phase === "playing") {
      need(!this.waits(new Set([log.asked()])), "lapse.receipt", "an answer of the seat waits for its round");
    }
    if (type === "say" || type === "round") {
      need(!log.council.hasCarried(), "motion.first", "a motion is carried, and is done first");
    }
    if (!this.playing || ["say", "deck", "start", "stopped"].includes(type)) return;
    const [run, hasMore, adopts] = [this.playing, this.hasMore(), type === "host" && what === "adoption"];
    this.playing = null;
    const isSkipped = hasMore && !adopts && log.asked() === run.seat;
    need(!isSkipped, "run.line", "a line of the receipt before it is neither played nor refused");
    const isDue = log.phase === "playing" && !adopts && log.facts.get("question") === "question: -";
    need(!isDue, "run.deck", "the run ends before a deck is laid");
  }

  /** The lines of a receipt from which a sentence follows. */
  say(seat, line, { by, raw }) {
    if (this.log.mode === "chain") return need(line === undefined, "say.line", "the game has no receipts");
    const run = this.playing;
    need(run, "say.round", "no round is there for it");
    need((line === undefined) === (by === "standing"), "say.line", "a `line` exactly if no standing order answers");
    if (line === undefined) return undefined;
    const { opened = [] } = line;
    const isOfRun = line.receipt === run.seq && !run.isStopped && run.seat === seat;
    need(isOfRun && opened.length > 0, "line.next", "the receipt that is played has no such line");
    need(run.via.raw === raw, "line.next", "the line came with another letter");
    need(run.via.by === by, "line.next", "the receipt came about otherwise");
    const first = opened[0].i;
    need(first === run.next, "line.next", "another line is the next one");
    opened.forEach(({ i, text, salt }, place) => {
      need(i === first + place && i >= 1 && i <= run.lines.length, "line.next", "there is no such line");
      const committed = lineOf(this.log.game, seat, run.seq, i - 1, text, ofHex(salt));
      need(committed === run.lines[i - 1], "line.committed", "the line is not the one that the receipt fixed");
      run.next = i + 1;
    });
    const isWhole = opened.slice(0, -1).every(({ i }) => run.cut.has(i));
    return need(isWhole, "line.cut", "lines are joined that no mail program has cut");
  }

  /** What these seats have fixed is not played any more. */
  void(isVoid) {
    this.waiting = this.waiting.filter(({ seat }) => !isVoid(seat));
  }

  /** An adoption voids everything; stops before it stay the word of the old host. */
  forget() {
    Object.assign(this, { waiting: [], playing: null, stops: [] });
  }

  /** The lines at which receipts stopped, as they are published [7.14]. */
  reveal(root, shown) {
    shown.slice(0, this.stops.length).forEach(({ receipt, line, text }, place) => {
      const stop = this.stops[place];
      need(stop.receipt === receipt && stop.line === line, "reveal.lines", "the text of another line");
      const salt = keyedHashOf(root, "salt", withLength("line"), u8(stop.seat), u32(receipt), u16(line - 1));
      const found = lineOf(this.log.game, stop.seat, receipt, line - 1, text, salt);
      need(found === stop.committed, "reveal.line", "a line at which a receipt stopped is not the one committed to");
    });
    need(shown.length <= this.stops.length, "reveal.lines", "more lines than receipts that stopped");
    const room = 48_000 - shown.reduce((sum, { text }) => sum + utf8.encode(text).length, 0);
    const isAll = shown.length === this.stops.length || shown.length === 400 || room < 4_000;
    need(isAll, "reveal.stop", "a line at which a receipt stopped is not published");
  }
}

// --- Cards [8, 17] ---

/** The words of a text, each behind a prefix. */
const prefixed = (prefix, text) => text.trim().split(/\s+/).map((name) => `${prefix}${name}`);
const TERRITORIES = [...prefixed("terr-", `
  forodwaith eastern-angmar angmar borderlands north-downs fornost weather-hills rhudaur buckland old-forest south-downs
  druwaith-iaur andrast anfalas vale-of-erech lamedon belfalas lebennin minas-tirith ithilien south-ithilien moria
  gladden-fields lorien the-wold emyn-muil brown-lands rhun-hills dead-marshes eregion minhiriath dunland enedwaith
  fangorn west-rohan gap-of-rohan forlindon mithlond harlindon lune-valley evendim-hills tower-hills the-shire udun-vale
  mount-doom barad-dur gorgoroth minas-morgul nurn harondor umbar deep-harad harad near-harad khand carrock
  north-mirkwood anduin-valley eastern-mirkwood south-mirkwood north-rhun withered-heath esgaroth south-rhun
`), "wild-1", "wild-2"];
const MISSIONS = prefixed("mission-", `
  hobbiton grey-havens harlond bree weathertop carn-dum mount-gundabad elven-halls erebor tharbad gates-of-moria edoras
  lothlorien rauros easterling-encampment dagorlad osgiliath erech pelargir dol-amroth mount-doom haradrim-encampment
`);
const POWERS = prefixed("power-", `
  grima-wormtongue grima-wormtongue courage-alone-will-not-save-you you-shall-not-pass you-shall-not-pass ambush
  the-enemy-is-at-hand siege-machines move-by-night the-way-is-under-the-mountains the-way-is-under-the-mountains
  violent-storms borne-to-another-place hunt-for-the-ringbearer strategic-withdrawal black-sails a-balrog-is-come
  boromir-tries-to-seize-the-one-ring knife-in-the-dark dangerous-crossing gollum faramir-finds-the-ringbearer
  captured-by-orcs shelobs-lair smeagol
`);
const EVENTS = prefixed("event-", `
  appoint-a-second-leader appoint-a-second-leader appoint-a-second-leader appoint-a-second-leader winter-storms raiders
  mustering-of-middle-earth local-uprising corsairs-of-umbar the-black-gates-open theyve-brought-a-cave-troll
  the-entmoot aragorn-arrives
`);

/** The decks of a title, in its order, each with the cards in printed order. */
function printedDecks(title, options) {
  if (title === "wotr") {
    const decks = [["free-character", "fp-char"], ["free-strategy", "fp-strat"], ["shadow-character", "sh-char"],
      ["shadow-strategy", "sh-strat"]];
    const cards = (short) => Array.from({ length: 24 }, (_, card) => `${short}-${String(card + 1).padStart(2, "0")}`);
    return decks.map(([name, short]) => ({ name, cards: cards(short) }));
  }
  need(title === "risk", "genesis.title", "the title of the game is not known here");
  const missions = MISSIONS.filter((card) => options.get("sites") !== "21" || card !== "mission-mount-gundabad");
  const decks = [{ name: "territory", cards: TERRITORIES }, { name: "adventure", cards: [...missions, ...POWERS] }];
  return options.get("variant") === "standard" ? decks.slice(0, 1) : decks;
}

/** The words of a card without their first part, as facts name it [17.5]. */
const short = (card) => card.replace(/^(terr|mission|power|event)-/, "");

class Decks {
  constructor(log, printed, recorded) {
    Object.assign(this, { log, printed, laid: new Map(), left: new Map(), opened: 0 });
    need(recorded.length === printed.length, "genesis.decks", "the game has other decks");
    recorded.forEach((deck, number) => this.lay(number, 0, deck, printed[number].cards));
    this.lefts = [[0, new Map(this.left)]];
  }

  number(name) {
    const number = this.printed.findIndex((deck) => deck.name === name);
    need(number >= 0, "deck.name", "there is no such deck");
    return number;
  }

  /** A deck is laid anew [5.6, 17.4, 17.5]. */
  deck(record) {
    const number = this.number(record.deck);
    const { epoch, positions } = this.left.get(number);
    let goesIn;
    if (record.deck === "adventure" && epoch === 0) {
      goesIn = [...positions.map((position) => ({ epoch, position })), ...EVENTS];
    } else {
      const known = [...this.printed[number].cards, ...(record.deck === "adventure" ? EVENTS : [])];
      const words = new Map(known.map((card) => [short(card), card]));
      const fact = this.log.facts.get(`${record.deck}-discards`) ?? ": -";
      const discards = fact.slice(fact.indexOf(": ") + 2).split(" ");
      need(discards.every((card) => words.has(card)), "deck.asked", "there are no discards to lay");
      goesIn = discards.map((card) => words.get(card));
    }
    this.lay(number, epoch + 1, record, goesIn);
  }

  lay(number, expected, { deck, epoch, masker, n, cards = [], commitment }, goesIn) {
    need(deck === this.printed[number].name, "deck.name", "another deck is to be laid");
    const isNext = epoch === expected && epoch < 256 && masker === 0 && n === goesIn.length && cards.length === n;
    need(isNext, "deck.number", "the deck has other numbers");
    const parts = [ofHex(this.log.game), u8(number), u8(epoch), u16(cards.length), ...cards.map(ofHex)];
    need(hex(hashOf("deck", ...parts)) === commitment, "deck.commitment", "the commitment to the deck is another");
    this.laid.set(256 * number + epoch, { number, epoch, cards, goesIn, open: new Set() });
    this.left.set(number, { epoch, positions: cards.map((_, position) => position) });
  }

  /** A card is shown [8.6]. */
  open({ deck, epoch, pos, card, salt }) {
    const number = this.number(deck);
    need(epoch !== 0, "card.epoch", "`epoch` is left out for 0");
    const laid = this.laid.get(256 * number + (epoch ?? 0));
    need(laid && pos < laid.cards.length, "card.position", "there is no such position");
    const parts = [ofHex(this.log.game), u8(number), u8(laid.epoch), u16(pos), withLength(card), ofHex(salt)];
    need(hex(hashOf("card", ...parts)) === laid.cards[pos], "card.committed",
      "the card that is shown is not the one that lay there");
    need(!laid.open.has(pos), "card.twice", "the position is open already");
    laid.open.add(pos);
    this.opened += 1;
  }

  /** The position that is drawn. */
  drawn(name, left, chosen) {
    const number = this.number(name);
    const { epoch, positions } = this.left.get(number);
    need(left.length > 0 && isSame(left, positions), "dice.left", "other positions of the deck are left");
    const found = positions[chosen(positions.length)];
    this.left.set(number, { epoch, positions: positions.filter((position) => position !== found) });
    return found;
  }

  noteLeft() {
    this.lefts.push([this.log.seq, new Map(this.left)]);
  }

  undo(to) {
    this.left = new Map(this.lefts.findLast(([seq]) => seq <= to)[1]);
  }

  /** Lays all decks again as the published root says [8.3, 8.4, 8.10]. */
  reveal(root) {
    const game = ofHex(this.log.game);
    const faces = new Map();
    const laid = [...this.laid].sort(([one], [other]) => one - other);
    for (const [place, { number, epoch, cards, goesIn }] of laid) {
      const { name, cards: printed } = this.printed[number];
      const of = (card) => (typeof card === "string" ? card : faces.get(256 * number + card.epoch)[card.position]);
      // What the printed deck does not have comes first; a stable sort keeps the rest of the order.
      const words = goesIn.map(of).sort((one, other) => printed.indexOf(one) - printed.indexOf(other));
      const key = keyedHashOf(root, "deck-key", u8(number), u8(epoch));
      const order = shuffled(wordsOf(hashOf("mask-order", key)), words.length);
      const lies = order.map((card) => words[card]);
      const isMasked = lies.every((card, position) => {
        const salt = keyedHashOf(key, "card-salt", u16(position));
        const found = hashOf("card", game, u8(number), u8(epoch), u16(position), withLength(card), salt);
        return hex(found) === cards[position];
      });
      need(isMasked, "reveal.deck", `the deck ${name} was laid otherwise than the root says`);
      faces.set(place, lies);
    }
  }
}

// --- Signatures [10.2 to 10.6] ---

/** The points of small order, without the bit of their sign: for such a key anybody could sign. */
const WEAK = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

/** Parts of bytes, each behind its length as four bytes; nothing where they end too early. */
class Parts {
  constructor(bytes) {
    Object.assign(this, { bytes, at: 0 });
  }

  take(length) {
    if (this.at + length > this.bytes.length) return undefined;
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  part() {
    const length = this.take(4);
    return length && this.take(length.reduce((sum, byte) => 256 * sum + byte, 0));
  }

  text() {
    const part = this.part();
    return part && String.fromCharCode(...part.subarray(0, 100));
  }

  isOver() {
    return this.at === this.bytes.length;
  }
}

/** Bytes in base64 in its one spelling; nothing if it is none. */
function ofBase64(text) {
  if (text.length > 4_096 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  try {
    const letters = atob(text);
    return btoa(letters) === text ? Uint8Array.from(letters, (letter) => letter.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

/** The point of a key, in hex; nothing if it is no key that signs. */
function pointOf(bytes) {
  const parts = new Parts(bytes ?? new Uint8Array());
  const [kind, point] = [parts.text(), parts.part()];
  if (kind !== "ssh-ed25519" || point?.length !== 32 || !parts.isOver()) return undefined;
  const unsigned = point.slice();
  unsigned[31] &= 0x7f;
  return WEAK.has(hex(unsigned)) ? undefined : hex(point);
}

/** The point of a key as a `.pub` file has it. */
function keyOf(line) {
  const [kind, blob] = line.trim().split(/\s+/);
  return kind === "ssh-ed25519" ? pointOf(ofBase64(blob ?? "")) : undefined;
}

/** What a signature of `ssh-keygen -Y sign` says; nothing if it is none. */
function signatureOf(written) {
  const parts = new Parts(ofBase64(written) ?? new Uint8Array());
  const begins = hex(parts.take(10) ?? new Uint8Array()) === "53534853494700000001";
  const key = begins ? pointOf(parts.part()) : undefined;
  const [space, reserved, hash] = [parts.text(), parts.part(), parts.text()];
  const inner = new Parts(parts.part() ?? new Uint8Array());
  const [kind, bytes] = [inner.text(), inner.part()];
  const isWhole = key && reserved?.length === 0 && /^sha(256|512)$/.test(hash) && parts.isOver() && inner.isOver();
  return isWhole && kind === "ssh-ed25519" && bytes?.length === 64 ? { key, space, hash, bytes } : undefined;
}

const cryptography = globalThis.crypto?.subtle ? globalThis.crypto
  : typeof require === "function" ? require("node:crypto").webcrypto : undefined;
const withLong = (bytes) => joined([u32(bytes.length), bytes]);

/** Whether a signature holds over a text; nothing where the browser knows no Ed25519. */
async function holds({ key, space, hash, bytes }, text) {
  if (!cryptography?.subtle) return undefined;
  const digest = new Uint8Array(await cryptography.subtle.digest(hash.replace("sha", "SHA-"), utf8.encode(text)));
  const said = joined([utf8.encode("SSHSIG"), ...[utf8.encode(space), new Uint8Array(), utf8.encode(hash),
    digest].map(withLong)]);
  let made;
  try {
    made = await cryptography.subtle.importKey("raw", ofHex(key), { name: "Ed25519" }, false, ["verify"]);
  } catch (error) {
    return error.name === "NotSupportedError" ? undefined : false;
  }
  return cryptography.subtle.verify({ name: "Ed25519" }, made, bytes, said);
}

/** The keys of the seats, and what was signed with them. */
class Signers {
  constructor(log) {
    Object.assign(this, { log, keys: [], heads: [], first: null, used: new Map(), lines: new Map(), asked: [],
      lost: -1 });
  }

  announce(seat, keys = []) {
    this.keys.push({ seq: this.log.seq, seat, keys: keys.map(keyOf).filter(Boolean) });
    if (this.first === null && this.keys.at(-1).keys.length > 0) this.first = this.log.seq;
  }

  /** The keys that a seat had before a record. */
  of(seat, before) {
    return this.keys.findLast((one) => one.seq < before && one.seat === seat)?.keys ?? [];
  }

  /** Asks whether a signature is of this text. The answer comes later, when all records have been read. */
  ask(written, space, text, keys, rule) {
    const signature = signatureOf(written);
    need(signature, rule, "a signature cannot be read");
    need(signature.space === space, rule, "a signature is for something else");
    need(keys.includes(signature.key), rule, "a signature is by none of the keys that count");
    this.asked.push({ seq: this.log.seq, rule, holds: holds(signature, text) });
  }

  /** What a seat has signed on a head [10.4]. */
  check(seat, seen, part, { number, of, words, sig }, keys, at = this.log.seq) {
    const isHead = seen !== undefined && this.first !== null && seen >= this.first && seen < this.heads.length;
    need(isHead, "sign.head", "`seen` is no record that the seat could sign on");
    const text = `ringmail-order/2\ngame ${this.log.game}\nseat ${this.log.words[seat - 1]}\n`
      + `on ${seen} ${this.heads[seen]}\n`
      + `${part} ${number} of ${of}\n${words}\n`;
    this.ask(sig, "ringmail-order@v2", text, keys, "sign.holds");
    need(number >= 1 && number <= of, "sign.number", "the number of a signed sentence is none of its letter");
    const name = `${seat} ${seen} ${part}`;
    if (part === "line") {
      const lines = this.lines.get(name) ?? [];
      const isLater = at !== this.log.seq || lines.every((line) => line.number < number);
      need(isLater, "sign.once", "a signed line is used again, or behind one below it");
      return this.lines.set(name, [...lines, { number, at }]);
    }
    need(number > (this.used.get(name) ?? 0), "sign.once", "it was signed once, and is used again");
    return this.used.set(name, number);
  }

  /** Once the books are open: the signed lines of each letter, said or left, came one after the other, each once
   * [10.4]. */
  inOrder() {
    for (const lines of this.lines.values()) {
      const sorted = lines.toSorted((one, other) => one.at - other.at);
      const [place, other] = [...sorted.entries()].find(([before, { number }]) => number !== before + 1) ?? [];
      const isNext = other === undefined || sorted[0].at <= this.lost;
      need(isNext || other.number > place + 1, "sign.once", "a signed line is used again");
      need(isNext, "sign.order", "a signed line is used before the line above it");
    }
  }

  /** A record of a seat that is signed. */
  record(record, seat) {
    const { type, via, line, said } = record;
    const fixed = line && this.log.receipts.known.get(line.receipt);
    const keys = this.of(seat, fixed ? fixed.seq : record.seq);
    this.check(seat, via.seen, type === "say" ? "line" : "request", via.signed, keys);
    if (said !== undefined) return;
    const folded = (words) => words.trim().split(/\s+/).join(" ").toLowerCase();
    need(folded(via.signed.words) === folded(actOf(record) ?? "\0"), "sign.words", "other words were signed");
  }
}

/** What a record says in the words with which a seat signs it [10.4]. */
function actOf(record) {
  const { type, text, motion, says, about, phrase = "", keys = [], what } = record;
  switch (type) {
    case "vote": return `vote ${says} ${motion}`;
    case "concede": return text === undefined ? "concede" : `concede: ${text}`;
    case "dispute": return `dispute ${about}: ${text}`;
    case "consent": return `consent ${phrase}`;
    case "keys": return `key ${keys.join(" ")}`;
    case "motion": {
      const named = { undo: `undo to ${record.to}`, seat: `replacement of ${record.of ?? "none"}`,
        rules: `rules ${record.rules}`, key: `key ${record.key ?? "none"}`,
        deadline: `deadline ${record.until}` };
      return `propose ${named[what] ?? what}${text === "no reason given" ? "" : `: ${text}`}`;
    }
    default: return undefined;
  }
}

// --- Standing orders [9] ---

const bytesOf = (text) => utf8.encode(text).length;

/** Whether a text is a standing order or a line ahead in its own words [9.1]. */
function isOrder(text) {
  if (text.split(" ").some((one) => one === "" || /\s/.test(one)) || bytesOf(text) > ORDER_MAX) return false;
  if (isLine(text)) return /^ahead(?: then)?(?: since (?:0|[1-9][0-9]*))?(?: when asked [^ ]+)? say ./.test(text);
  const scope = / (once|this battle|next battle|next turn|until (end of turn|[^ ]+))$/.exec(text);
  if (scope && scope[1].startsWith("until ") && scope[2] !== "end of turn" && !isTime(scope[2])) return false;
  const rest = scope ? text.slice(0, scope.index) : text;
  const names = "[^A-Z ,;:]+(?:, [^A-Z ,;:]+)*";
  const guards = `(?: in ${names})?(?: by [^ ]+)?(?: if [^;:]+?)?`;
  const head = new RegExp(`^when asked (?!say )${names}${guards} say `).exec(rest);
  if (!head) return false;
  const branch = /^else (?:if [^;:]+? say )?/;
  const branches = rest.slice(head[0].length).split("; ");
  return branches.every((answers, place) => {
    if (place > 0 && !branch.test(answers)) return false;
    return (place > 0 ? answers.replace(branch, "") : answers).split(", else ").every((answer) => answer.trim());
  });
}

const isLine = (text) => text.startsWith("ahead ");

/** The commitments to the order books, and what is published of the books at the end. */
class Books {
  constructor(log) {
    Object.assign(this, { log, committed: [], run: new Set(), mustSign: new Set(), byOrders: 0 });
  }

  commit(seat, books) {
    this.committed.push({ seq: this.log.seq, seat, books });
    if (this.log.leastClass === "ssh" && !this.log.typed.has(seat)) this.mustSign.add(this.log.seq);
  }

  /** An answer by an order [9.5]. */
  answer(seat, said) {
    this.byOrders += 1;
    const answer = `${seat} ${this.log.digest()} ${said}`;
    need(this.run.size < RUN_MAX, "order.run", "too many orders have answered in a row");
    need(!this.run.has(answer), "order.once", "an order has answered this before, in the same words");
    this.run.add(answer);
  }

  /** The old host has taken the books with him [9.7]. */
  forget() {
    Object.assign(this, { committed: [], byOrders: 0 });
    this.log.signers.lost = this.log.seq;
  }

  /** Holds the books that are published against all commitments [9.2, 9.6, 9.7]. */
  reveal(root, changes) {
    const { log } = this;
    for (const { seat, order, cancel, seen, seq, signed } of changes) {
      need(log.numbers.has(seat), "reveal.books", "a book of no seat");
      need((order === undefined) === (cancel !== undefined), "reveal.books", "an order, or `cancel`");
      need((signed === undefined) === (seen === undefined), "reveal.books", "half a signature");
      need(order !== undefined || signed === undefined, "reveal.books", "a signature of nothing");
      need(seen === undefined || seen < seq, "sign.head", "signed on no earlier record");
      need(order === undefined || isOrder(order), "reveal.books", "no order, or one that is written otherwise");
    }
    const empty = () => ({ last: 0, orders: new Map(), signatures: new Map(), text: "" });
    const books = log.words.map(empty);
    let next = 0;
    for (const { seq, seat, books: committed } of this.committed) {
      if (committed === null) {
        books[seat - 1] = empty();
        continue;
      }
      const again = new Set();
      for (; changes[next]?.seq === seq && log.numbers.get(changes[next].seat) === seat; next += 1) {
        const [book, { order, cancel, seen, signed }] = [books[seat - 1], changes[next]];
        if (cancel !== undefined) {
          need(book.orders.delete(cancel), "reveal.books", "no such order is in the book");
          again.add(book.signatures.get(cancel));
        } else {
          need(signed || !this.mustSign.has(seq), "sign.missing", "an order is not signed");
          const part = isLine(order) ? "line" : "order";
          // A line that is taken back and left anew in one record keeps its signature.
          const isAgain = signed && part === "line" && again.has(signed.sig);
          if (signed && !isAgain) log.signers.check(seat, seen, part, signed, log.signers.of(seat, seq), seq - 0.5);
          need(book.orders.size < ORDERS_MAX, "reveal.books", "too many orders");
          book.last += 1;
          book.orders.set(book.last, order);
          if (signed) book.signatures.set(book.last, signed.sig);
        }
        book.text = [...book.orders].map(([number, text]) => `${number} ${text}\n`).join("");
        need(bytesOf(book.text) <= BOOK_MAX, "reveal.books", "the book is too long");
      }
      const salt = keyedHashOf(root, "salt", withLength("books"), u8(0), u32(seq), u16(0));
      const texts = books.map(({ text }) => withLength(text));
      const found = hex(hashOf("books", ofHex(log.game), u32(seq), u8(books.length), ...texts, salt));
      need(found === committed, "reveal.books", `record ${seq} committed to other books of orders`);
    }
    need(next === changes.length, "reveal.books", "a book changes where it cannot");
    const isAny = !this.byOrders || changes.some(({ order }) => order !== undefined);
    need(isAny, "order.none", "an order has answered, and none was ever left");
    log.signers.inOrder();
  }
}

// --- Time [12], as far as it follows without a calendar ---

const seconds = (stamp) => Date.parse(stamp) / 1000;
const [HOUR, DAY] = [3600, 86_400];
/** Clocks are changed, so a deadline may be counted otherwise by so much [12.3]. */
const CLOCKS_CHANGED = 3 * HOUR;
const FORTNIGHT = 14 * DAY;

function spanOf(text) {
  const found = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})min)?$/.exec(text);
  const span = found && text ? (found[1] ?? 0) * DAY + (found[2] ?? 0) * HOUR + (found[3] ?? 0) * 60 : Infinity;
  const parts = [[Math.floor(span / DAY), "d"], [Math.floor(span / HOUR) % 24, "h"], [span / 60 % 60, "min"]];
  const written = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`).join("") || "0h";
  const isSpan = span <= 366 * DAY && text === written;
  need(isSpan, "genesis.schedule", "no span of time such as `2d12h` stands in the schedule");
  return span;
}

const isDay = (text) => isTime(`${text}T00:00:00Z`);

/** The time to answer [12.1]. */
function scheduleOf(written) {
  if (written === undefined) return null;
  const { answer, days_off: off = [], holidays = [], quiet, grace, remind = [], silence = [], extensions = 0,
    extension } = written;
  const isEnough = spanOf(answer) >= HOUR && new Set(off).size < 7 && off.length < 7;
  need(isEnough, "genesis.schedule", "nobody could answer in time");
  const areDays = holidays.every((text) => {
    const [first, last = first] = text.split("..");
    return isDay(first) && isDay(last) && first <= last && text === (first === last ? first : `${first}..${last}`);
  });
  need(areDays, "genesis.schedule", "a holiday is no day");
  const areHours = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/.test(quiet)
    && quiet.slice(0, 5) !== quiet.slice(6);
  need(quiet === undefined || areHours, "genesis.schedule", "no quiet hours");
  const reminders = remind.map(spanOf);
  const isFalling = reminders.every((span, place) => span > 0 && (place === 0 || span < reminders[place - 1]));
  need(isFalling && reminders.length <= 8, "genesis.schedule", "no times to remind somebody");
  const grows = silence.every(({ misses }, place) => (place === 0 ? misses === 1 : misses > silence[place - 1].misses));
  need(grows, "genesis.schedule", "`misses` do not begin with 1 and grow");
  const isSaid = (text, usual) => text === undefined || spanOf(text) !== usual;
  const isNeeded = isSaid(grace, 0) && isSaid(extension, spanOf(answer)) && written.extensions !== 0
    && written.zone !== "UTC";
  need(isNeeded, "genesis.schedule", "the schedule says what would be so without it");
  return {
    answer: spanOf(answer), grace: grace === undefined ? 0 : spanOf(grace), extensions,
    then: (misses) => silence.findLast((step) => step.misses <= misses)?.then ?? "wait",
    goesOn: (misses) => silence.some((step) => step.misses > misses),
  };
}

/** Since when the open question is asked, and what happened to its time. */
class Clock {
  constructor(log, schedule) {
    Object.assign(this, { log, schedule, open: null, unreachable: new Set(), bots: new Set() });
    Object.assign(this, { misses: new Map(), extended: new Map(), lapses: 0 });
  }

  /** No time passes for a seat. */
  stands(seat) {
    const { council } = this.log;
    return council.isPaused || council.free.has(seat) || this.unreachable.has(seat);
  }

  question(record) {
    need(this.schedule && this.open, "clock.open", "nobody's time passes");
    need(record.asked === this.open.seq, "clock.asked", `the question was asked after record ${this.open.seq}`);
  }

  check(record) {
    const { what, whom = "", until, from = "", to = "", misses, then, due, at } = record;
    const { log, schedule, open } = this;
    const byHost = ["lapsed", "unreachable", "reachable"].includes(what);
    need(log.phase === "playing" || what === "zone", "clock.started", "the game has not started");
    if (byHost) log.byHost();
    const seat = log.seat(byHost ? whom : record.seat);
    switch (what) {
      case "absent": return need(isDay(from) && isDay(to) && from <= to, "clock.days", "no two days");
      case "zone": return need(record.zone !== undefined, "clock.zone", "no time zone");
      case "unreachable": case "reachable":
        return need(this.unreachable.has(seat) === (what === "reachable"), "clock.reached",
          "the record before said the same");
      case "extended":
        this.question(record);
        need(seat === open.seat, "clock.seat", "another seat is asked");
        need((this.extended.get(seat) ?? 0) < schedule.extensions, "clock.extensions",
          "the seat has taken all its time");
        return need(until > at, "clock.until", "no time to come");
      case "lapsed": {
        this.question(record);
        need(seat === open.seat, "clock.seat", "another seat is asked");
        need(!this.stands(seat) && open.lapsed === null, "clock.stands", "no time passes for the seat");
        need(misses === (this.misses.get(seat) ?? 0) + 1, "clock.misses", "`misses` is another number");
        need(then === schedule.then(misses), "clock.then", "the schedule says that something else follows");
        need(due !== undefined && seconds(due) >= open.earliest - CLOCKS_CHANGED, "clock.due",
          "the deadline is too early");
        const over = Math.max(seconds(due) + schedule.grace - CLOCKS_CHANGED, seconds(due));
        return need(over <= seconds(at), "clock.due", "the deadline has not passed, or its grace");
      }
      default: return undefined;
    }
  }

  change({ what, whom, seat: writer, then, until, at }) {
    const { log, open } = this;
    const seat = log.seat(whom ?? writer);
    switch (what) {
      case "back":
        this.bots.delete(seat);
        this.misses.set(seat, 0);
        return this.beginsAnew(seat, at);
      case "extended":
        this.extended.set(seat, (this.extended.get(seat) ?? 0) + 1);
        return this.moves(until);
      case "lapsed": {
        const misses = (this.misses.get(seat) ?? 0) + 1;
        this.misses.set(seat, misses);
        this.lapses += 1;
        if (then === "bot") this.bots.add(seat);
        if (then === "replacement") log.council.free.add(seat);
        if (then === "wait" && this.schedule.goesOn(misses)) open.earliest = seconds(at) + this.schedule.answer;
        else open.lapsed = then;
        return undefined;
      }
      case "unreachable": return this.unreachable.add(seat);
      case "reachable": return this.unreachable.delete(seat);
      default: return undefined;
    }
  }

  moves(until) {
    if (this.open) Object.assign(this.open, { earliest: seconds(until), lapsed: null });
  }

  beginsAnew(seat, at) {
    if (this.open?.seat !== seat || this.open.lapsed === null || !this.schedule) return;
    Object.assign(this.open, { earliest: seconds(at) + this.schedule.answer, lapsed: null });
  }

  /** Another player takes a seat. */
  takes(seat, at) {
    this.bots.delete(seat);
    this.unreachable.delete(seat);
    this.misses.set(seat, 0);
    this.extended.set(seat, 0);
    this.beginsAnew(seat, at);
  }

  /** What is asked after a record [12.2]. */
  mind({ type, what, seq, at, seat, via }) {
    if (type === "say" && via?.by === undefined) this.misses.set(this.log.seat(seat), 0);
    const isAnswered = ["start", "say", "deck"].includes(type) || type === "correction" && what === "undo";
    const question = this.log.facts.get("question");
    const asked = this.log.council.isClosed() ? null : this.log.asked();
    if (asked === null) {
      this.open = null;
    } else if (isAnswered || this.open?.question !== question) {
      this.open = { seq, seat: asked, question, lapsed: null, earliest: seconds(at) + (this.schedule?.answer ?? 0) };
    }
  }

  /** Whether a deadline or a program may have answered [12.5]. */
  answered(seat, by) {
    const { log } = this;
    const isDue = by !== "deadline" || this.schedule && this.open?.lapsed === "default";
    need(isDue, "say.deadline", "no deadline has passed that would answer");
    need(by === "bot" || !log.programs.has(seat), "say.program", "a program plays the seat");
    const isPlayed = by !== "bot" || log.programs.has(seat) || this.bots.has(seat) || log.hosted.has(seat)
      || log.council.conceded.has(seat);
    need(isPlayed, "say.bot", "no program plays the seat");
  }
}

// --- What is agreed on outside the rules [5.11 to 5.14] ---

/** What no text has that people read in a line [2.8]. */
const FORBIDDEN = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const isOneLine = (text, most) => /[\S\ufeff]/.test(text) && [...text].length <= most;

/** The texts of a record that people read in a line, each with the most characters that it may have. */
function linesOf({ type, name, seats = [], schedule, player, reason, result, text, zone }) {
  const texts = [text, reason, result].filter((one) => one !== undefined && !(type === "correction" && one === ""));
  const names = [player, zone, schedule?.zone, type === "genesis" ? name : undefined,
    ...seats.flatMap((seat) => [seat.seat, seat.player, seat.zone])];
  return [...texts.map((one) => [one, 1_000]),
    ...names.filter((one) => one !== undefined).map((one) => [one, 60])];
}

class Council {
  constructor(log, votes = "all") {
    Object.assign(this, { log, votes, motions: new Map(), conceded: new Map(), free: new Set(), isPaused: false });
    Object.assign(this, { isDrawn: false, corrections: 0, silent: new Map(), bases: [], playedSince: 0 });
  }

  isCarried({ ayes, voters, needed }) {
    return ayes.filter(({ seat }) => voters.has(seat)).length >= needed;
  }

  hasCarried() {
    return [...this.motions.values()].some((motion) => this.isCarried(motion));
  }

  hasLapsed(motion) {
    return seconds(this.log.at) - seconds(motion.at) > FORTNIGHT;
  }

  /** Whether the others decide about a seat without it [5.11]. */
  isLongSilent(seat) {
    const silent = this.silent.get(seat);
    return silent !== undefined && seconds(this.log.at) - seconds(silent.since) >= FORTNIGHT;
  }

  /** A seat has written: it has its say again. */
  hears(seat) {
    if (!this.silent.delete(seat)) return;
    for (const motion of this.motions.values()) {
      const lacks = ["seat", "key"].includes(motion.record.what) && motion.of === seat && motion.mover !== seat
        && !motion.voters.has(seat);
      if (!lacks) continue;
      motion.voters.add(seat);
      motion.needed += 1;
    }
  }

  /** What the host notes about a seat that does not answer. */
  note({ what, whom, at }) {
    const seat = this.log.numbers.get(whom);
    const silent = this.silent.get(seat);
    if (what === "lapsed" || what === "unreachable") {
      this.silent.set(seat, { since: silent?.since ?? at, lapsed: silent?.lapsed || what === "lapsed" });
    } else if (what === "reachable" && !silent?.lapsed) {
      this.silent.delete(seat);
    }
  }

  /** The sides of the title, as lists of seats [4.5]. */
  sides() {
    const { log } = this;
    const seats = log.words.map((_, place) => place + 1);
    if (log.title === "wotr") return seats.length < 4 ? [[1], seats.slice(1)] : [[1, 2], [3, 4]];
    if (log.options.get("variant") !== "team") return seats.map((seat) => [seat]);
    return [["yellow", "green"], ["red", "black"]].map((words) => (
      seats.filter((seat) => words.includes(log.words[seat - 1]))));
  }

  /** Whether the table has ended the game [4.5]. */
  isClosed() {
    const { log } = this;
    if (log.facts.get("question") === "question: over") return false;
    const plays = (seat) => !this.conceded.has(seat) && !log.programs.has(seat);
    const isBeaten = (side) => side.some((seat) => this.conceded.has(seat)) && !side.some(plays);
    return this.isDrawn || this.conceded.size > 0 && this.sides().filter((side) => !isBeaten(side)).length <= 1;
  }

  /** Nothing before this record can be undone. */
  restart() {
    Object.assign(this, { bases: [this.log.seq], playedSince: 0 });
  }

  /** Counts a played record: after every 32 there is another base, and an undo reaches the last but one [5.14]. */
  goesOn() {
    if (this.bases.at(-1) === this.log.seq) return;
    this.playedSince += 1;
    if (this.playedSince % 32 === 0) this.bases.push(this.log.seq);
  }

  /** What is wanted; the seat that it is about. */
  proposal({ what, of, to, rules, key }) {
    const { log } = this;
    const seat = of === undefined ? null : log.seat(of);
    need((what === "undo") === (to !== undefined), "change.to", "`to` goes with an undo");
    need((what === "rules") === (rules !== undefined), "change.rules", "`rules` goes with other rules");
    need(seat === null || ["seat", "key"].includes(what), "change.of", "`of` goes with a seat or its key");
    need(what !== "key" || seat !== null, "change.of", "whose key?");
    if (what === "key") log.checkMeans(seat, key);
    need(key === undefined || what === "key" && keyOf(key), "change.key", "`key` goes with a key, and is one");
    return seat;
  }

  /** An edition by which the game can go on. */
  revision(rules) {
    need(rules === undefined || rules !== this.log.edition, "change.rules", "these are the rules already");
  }

  wayBack(to) {
    const isReached = this.bases.slice(-2)[0] <= to && to < this.log.seq;
    need(isReached, "change.undo", "an undo does not go back to that record");
  }

  motion(record, mover) {
    const { log } = this;
    const { what, until, to, rules } = record;
    const of = this.proposal(record);
    if (what === "deadline") {
      need(log.clock.schedule && log.clock.open, "change.deadline", "there is no deadline to move");
      need(until > log.at, "change.until", "no time to come");
    }
    need(what === "deadline" || until === undefined, "change.until", "`until` goes with a deadline");
    need(what !== "pause" || !this.isPaused, "change.pause", "a pause in a pause");
    need(what !== "resume" || this.isPaused, "change.pause", "there is no pause");
    if (what === "undo") this.wayBack(to);
    this.revision(rules);
    const open = [...this.motions.values()].filter((motion) => !this.hasLapsed(motion));
    const own = open.filter((motion) => motion.mover === mover);
    need(own.length < 3, "motion.many", "three motions of the seat are open");
    const playing = [...log.numbers.values()].filter((seat) => !this.conceded.has(seat) && !log.programs.has(seat));
    let voters = playing;
    if (what === "seat" && of === mover) voters = [mover];
    else if (what === "seat" || what === "key") {
      voters = playing.filter((seat) => seat === mover || seat !== of || !this.isLongSilent(seat));
    }
    const hasSay = voters.length > 0 && (what === "seat" || what === "key" || voters.includes(mover));
    need(hasSay, "motion.say", "the seat has no say");
    const byMost = ["ruling", "deadline", "pause", "resume"].includes(what) && this.votes === "majority";
    const needed = byMost ? Math.floor(voters.length / 2) + 1 : voters.length;
    this.motions = new Map(open.map((motion) => [motion.record.seq, motion]));
    this.motions.set(log.seq, { record, at: log.at, mover, of, voters: new Set(voters), needed,
      ayes: [{ seat: mover, raw: log.via.raw }] });
  }

  vote({ motion: seq, says }, seat) {
    const { log } = this;
    const motion = this.motions.get(seq);
    need(motion && !this.isCarried(motion) && !this.hasLapsed(motion), "vote.motion", "there is no such open motion");
    need(motion.voters.has(seat) || seat === motion.mover, "vote.say", "the seat has no say");
    const isYes = says === "yes";
    need(!isYes || !motion.ayes.some((aye) => aye.seat === seat), "vote.again", "the seat has said so before");
    const { what, to, rules } = motion.record;
    if (isYes && what === "undo") this.wayBack(to);
    if (isYes) this.revision(rules);
    if (isYes) {
      motion.ayes.push({ seat, raw: log.via.raw });
      return;
    }
    motion.ayes = motion.ayes.filter((aye) => aye.seat !== seat);
    motion.voters.delete(seat);
    if (motion.mover === seat || motion.voters.size < motion.needed) this.motions.delete(seq);
  }

  concede(seat) {
    const isPlaying = !this.conceded.has(seat) && this.log.facts.get("question") !== "question: over";
    need(isPlaying, "concede.over", "the seat is not playing any more");
    const { open } = this.log.clock;
    const isGiven = this.log.via.by !== "deadline" || open?.seat === seat && open.lapsed === "forfeit";
    need(isGiven, "concede.deadline", "no deadline has passed by which the seat gives up");
    this.conceded.set(seat, this.log.seq);
  }

  /** The motion that a correction carries out, if it names one. */
  carried(record) {
    const { what, motion: seq, player, until, consents = [] } = record;
    const { log } = this;
    if (seq === undefined) {
      const alone = what === "ruling" || what === "deadline" || what === "seat" && player !== undefined;
      need(alone, "correction.alone", "this needs a motion");
      if (what === "deadline") {
        need(log.clock.schedule && log.clock.open, "change.deadline", "there is no deadline to move");
        need(until > log.at, "correction.later", "no time to come");
        const isLater = seconds(until) >= log.clock.open.earliest - CLOCKS_CHANGED;
        need(isLater, "correction.later", "the deadline was later before");
      }
      return undefined;
    }
    const motion = this.motions.get(seq);
    need(motion && this.isCarried(motion), "correction.motion", "there is no motion that is carried");
    const keys = ["what", "to", "of", "key", "rules", "until", "text"];
    const isSame = keys.every((key) => motion.record[key] === record[key]) && player === undefined;
    const agreed = (list) => list.map(({ seat, raw = "" }) => `${seat} ${raw}`).join("\n");
    const ayes = agreed(motion.ayes.map(({ seat, raw }) => ({ seat: log.words[seat - 1], raw })));
    need(isSame, "correction.moved", "something else was moved");
    need(agreed(consents) === ayes, "correction.consents", "others agreed to it");
    this.motions.delete(seq);
    return motion;
  }

  correction(record) {
    const { log } = this;
    const { what, to, player, address, key, rules, until, consents = [] } = record;
    for (const { seat } of consents) log.seat(seat);
    if (record.of !== undefined) log.seat(record.of);
    const isTaken = what === "seat" && player !== undefined;
    need(isTaken || address === undefined, "change.address", "an address where nobody takes a seat");
    const of = this.proposal(record);
    const motion = this.carried(record);
    this.corrections += 1;
    if (what === "undo") {
      this.wayBack(to);
      log.decks.undo(to);
      this.conceded = new Map([...this.conceded].filter(([, seq]) => seq <= to));
      this.restart();
      log.receipts.void((seat) => seat !== 0);
    } else if (what === "rules") {
      this.revision(rules);
      log.edition = rules;
      this.restart();
    } else if (what === "seat" && of !== null && player === undefined) {
      this.free.add(of);
    } else if (what === "seat" && of !== null) {
      this.taken(of, player, address);
    } else if (what === "key") {
      log.signers.announce(of, key === undefined ? [] : [key]);
    } else if (what === "pause" || what === "resume") {
      this.isPaused = what === "pause";
    } else if (what === "draw") {
      Object.assign(this, { isDrawn: true, motions: new Map() });
    } else if (what === "deadline") {
      log.clock.moves(until);
    }
  }

  /** A player takes a seat that is free. */
  taken(seat, player, address) {
    const { log } = this;
    need(this.free.has(seat), "seat.free", "the seat is not free");
    need(log.receipts.waiting.length === 0, "seat.waits",
      "a receipt waits, with which the seat may have fixed something");
    this.free.delete(seat);
    log.typed.delete(seat);
    log.programs.delete(seat);
    log.names.set(seat, player);
    log.checkName(seat);
    log.signers.announce(seat);
    log.receipts.void((other) => other === seat);
    this.conceded.delete(seat);
    this.silent.delete(seat);
    log.books.committed.push({ seq: log.seq, seat, books: null });
    log.addresses.set(seat, address);
    log.clock.takes(seat, log.at);
  }
}

// --- A log, record by record [3 to 5] ---

const WHILE_ADOPTED = new Set(["consent", "host", "heard", "dispute", "keys", "address", "dns", "clock"]);
const PLACES = {
  new: new Set(["genesis"]),
  joining: new Set(["join", "start", "clock", "address", "receipt", "round"]),
  playing: new Set(Object.keys(TYPES).filter((type) => !["genesis", "join", "start", "end"].includes(type))),
  revealed: new Set(["end"]),
  ended: new Set(),
};

class Log {
  constructor() {
    Object.assign(this, { seq: -1, head: ZERO, at: "", phase: "new", facts: new Map(), name: "", result: "", via: {} });
    Object.assign(this, { wentOn: 0, sights: new Map(), letters: new Map(), numbers: new Map(), adoption: null });
    Object.assign(this, { counts: {}, hostKeys: [] });
    this.signers = new Signers(this);
  }

  count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** Takes in the bytes of the next record. */
  take(raw) {
    if (this.phase === "new") {
      const found = /\ntype: "genesis"\n(?:.*\n)*?format: ([0-9]+)\n/.exec(new TextDecoder().decode(raw.subarray(0,
        RECORD_MAX)));
      const isKnown = !found || Number(found[1]) === 2 || Number(found[1]) >= 2 ** 32;
      need(isKnown, "format.number", "this is a log of another format");
    }
    const level = /^---\n.*\n.*\n.*\n(?:type: "genesis"\n.*\nformat: [0-9]+|type: "level"\n.*)\nlevel: ([0-9]+)\n/.exec(
      new TextDecoder().decode(raw.subarray(0, RECORD_MAX)));
    const isOfLevel = !level || Number(level[1]) <= 1 || Number(level[1]) >= 2 ** 32;
    need(isOfLevel, "format.level", `made by a newer program: it needs level ${level?.[1]}, and this one knows 1`);
    const record = new Reader(raw).record();
    need(record.prev === this.head, "chain.prev", "the record before it is not the one that it names");
    need(record.seq === this.seq + 1, "chain.seq", "its number is not the next one");
    need(record.at >= this.at, "chain.time", "its time is before that of the record before it");
    Object.assign(this, { seq: record.seq, at: record.at, record, raw, via: record.via ?? {} });
    this.checkPlace(record);
    for (const [text, most] of linesOf(record)) {
      need(!FORBIDDEN.test(text), "text.character", "a text that would not stay in its line");
      need(isOneLine(text, most), "text.length", "a text that is empty, or too long");
    }
    this.receipts?.mind(record.type, record);
    this.checkVia(record);
    const isStarted = this.phase === "playing";
    if (this.numbers.has(record.seat) && this.via.by === undefined) this.council.hears(this.seat());
    this.checkSight(record);
    this[`on_${record.type}`](record);
    if (PLAYED.has(record.type)) this.played(record);
    this.takeBooks(record, isStarted);
    this.checkDigest(record);
    if (this.phase === "playing" || record.type === "clock") this.clock.mind(record);
    const hash = sha256(raw);
    this.head = hex(hash);
    this.signers.heads.push(this.head);
    if (this.phase === "new") Object.assign(this, { genesis: hash, phase: "joining" });
    this.noteLetter(record);
    return record;
  }

  /** Keeps which letters the log names, and the first record of each, so that a player can find his own [15.2]. */
  noteLetter({ seq, seat }) {
    const { raw, message } = this.via;
    if (raw === undefined || this.letters.has(raw)) return;
    this.letters.set(raw, { seq, seat, message });
  }

  checkPlace({ type }) {
    need(PLACES[this.phase].has(type), "place.phase", `\`${type}\` cannot stand here`);
    if (this.phase !== "playing") return;
    const goesOn = !["say", "deck", "concede", "motion", "vote"].includes(type) || !this.council.isClosed();
    need(goesOn, "place.over", `\`${type}\` cannot stand here: the table has ended the game`);
    const isOfAdoption = !this.adoption || WHILE_ADOPTED.has(type);
    need(isOfAdoption, "place.adoption", `\`${type}\` cannot stand here: a new host waits for consent`);
  }

  checkVia(record) {
    const { type, seat: writer } = record;
    const { via } = this;
    if (!this.numbers.has(writer)) {
      const isHosts = writer === "host" || this.phase === "new";
      return need(!isHosts || record.via === undefined, "via.host", "no seat made this");
    }
    const { raw, message, seen, auth, by, signed } = via;
    const seat = this.seat();
    const ofLetter = [raw, message, seen, auth, signed].some((part) => part !== undefined);
    const mayBeGiven = type === "say" || type === "concede" && by === "deadline"
      || (type === "receipt" || type === "stopped") && (by === "deadline" || by === "bot");
    need(by === undefined || mayBeGiven, "via.by", "no question is answered");
    need(!ofLetter || by === undefined, "via.both", "`via` is of a letter and of something else");
    need(seen === undefined || seen < this.seq, "via.seen", "`seen` is no earlier record");
    const mayType = this.typed.has(seat) || this.leastClass === "keyboard";
    if (auth === "keyboard") {
      need([raw, message, seen, by, signed].every((part) => part === undefined), "via.both",
        "a letter where somebody typed");
      need(mayType, "auth.keyboard", "nobody may type for this seat");
    } else if (auth !== undefined) {
      need(raw !== undefined, "via.raw", "there is no letter");
      const isDue = ["join", "say", "consent"].includes(type);
      need(seen !== undefined || !isDue, "via.seen", "it does not say what the letter had seen");
    }
    need(message === undefined || raw !== undefined, "via.raw", "`message` without a letter");
    if (["standing", "deadline", "bot"].includes(by)) return undefined;
    const least = type === "heard" ? "keyboard" : this.least(record, mayType);
    const rank = (one) => CLASSES.indexOf(one);
    need(rank(auth) >= rank(least), "auth.class", `its class is too low: at least \`${least}\` is needed`);
    this.checkAddress(record);
    const showsNothing = ["heard", "receipt", "stopped"].includes(type);
    need(!showsNothing || !signed, "via.signed", "a signature where nothing is said");
    const isSigned = auth === "ssh" && !showsNothing;
    need(isSigned === (signed !== undefined), "sign.missing", "a signature is missing, or the class of one");
    if (signed) this.signers.record(record, seat);
    return undefined;
  }

  /** The least class of a record of a seat [10.1]. */
  least({ type, what, of, seat }, mayType) {
    if (mayType && type !== "consent") return "keyboard";
    const least = this.leastClass;
    const isLess = (one, other) => CLASSES.indexOf(one) < CLASSES.indexOf(other);
    const higher = isLess(least, "confirmed") ? "confirmed" : least;
    if (type === "motion") return what === "deadline" || what === "key" && of === seat ? "confirmed" : higher;
    if (["vote", "concede", "consent", "keys"].includes(type)) return higher;
    if (["say", "receipt", "stopped"].includes(type)) return least;
    if (type === "address") return least === "ssh" ? "dkim" : higher;
    return least === "ssh" ? "token" : least;
  }

  /** What the letter of an answer must have seen [4.9]. */
  checkSight({ type, seat, what, seq }) {
    const { raw, seen, by } = this.via;
    if (this.numbers.has(seat) && type === "say" && by === undefined && raw !== undefined && seen !== undefined) {
      const last = this.sights.get(seat);
      if (last?.raw === raw) need(seen >= last.seen, "via.sight", "a further line of a letter had seen less");
      else need(seen >= this.wentOn, "via.sight", "its letter had not seen the question that it answers");
      this.sights.set(seat, { raw, seen });
    }
    if (["start", "say", "deck"].includes(type) || type === "correction" && what === "undo") this.wentOn = seq;
  }

  /** Class `dkim` is for seats to whose address the log commits [10.1, 10.10]. */
  checkAddress({ type, address }) {
    if (this.via.auth !== "dkim") return;
    const committed = type === "join" ? address : this.addresses.get(this.seat());
    need(committed, "auth.address", "class `dkim` of a seat whose address is not committed to");
  }

  byHost() {
    need(this.record.seat === "host", "seat.host", "this is for the host to write");
  }

  /** The number of the seat that writes, or of one that is named. */
  seat(name = this.record.seat) {
    need(this.numbers.has(name), "seat.unknown", "it names no seat of the game");
    return this.numbers.get(name);
  }

  /** The seat that the fact `question` names [11.5]; nothing if none is asked. */
  asked() {
    const found = /^question: ([0-9]+) \S+$/.exec(this.facts.get("question") ?? "");
    return found ? Number(found[1]) : null;
  }

  digest() {
    return hex(sha256(utf8.encode([...this.facts.values()].map((line) => `${line}\n`).join(""))));
  }

  checkDigest({ type, digest }) {
    if (type === "end") return;
    const isStarted = this.phase === "playing" || this.phase === "revealed";
    const isDue = isStarted && (type === "start" || this.seq % 64 === 0);
    need(isDue === (digest !== undefined), "digest.there", "a digest where none is due, or none where one is");
    need(!isDue || digest === this.digest(), "fact.digest", "the facts have another digest");
  }

  /** What followed from the record [4.6, 11.3]. */
  played({ type, open = [], roll, changed = [] }) {
    for (const item of open) this.decks.open(item);
    if (roll) {
      this.dice.roll(roll);
      need(this.mode === "chain" || this.receipts.playing, "say.round", "a throw that follows from no round");
    }
    const order = new Map([...this.facts.keys()].map((key, place) => [key, place]));
    let last = -1;
    for (const line of changed) {
      const key = line.split(": ", 1)[0];
      need(line.includes(": ") && !line.includes("\n"), "fact.changed", "what changed is no fact");
      if (type === "start") {
        need(!this.facts.has(key), "fact.changed", "a fact stands there twice");
      } else {
        const isChange = (order.get(key) ?? -1) > last && this.facts.get(key) !== line;
        need(isChange, "fact.changed", "what changed is no fact, was so before, or is out of order");
        last = order.get(key);
      }
      this.facts.set(key, line);
    }
    need([...this.facts.keys()].at(-1) === "question", "fact.changed", "the last fact is the question");
    this.decks.noteLeft();
    this.council.goesOn();
  }

  takeBooks({ seat, books }, isStarted) {
    const isOfSeat = isStarted && seat !== "host" && this.via.by === undefined;
    need(isOfSeat === (books !== undefined), "books.there", "`books` is missing, or must not be there");
    if (!isOfSeat) return;
    this.books.run.clear();
    this.books.commit(this.seat(), books);
  }

  // Before the start [5.1 to 5.3].

  on_genesis(record) {
    need(record.format === 2, "format.number", "this is a log of another format");
    this.byHost();
    const { game, name, root, title, rules, dice, seats = [], decks = [], min_auth: least = "token",
      schedule } = record;
    Object.assign(this, { game, name, root, title, edition: rules, mode: dice.mode, leastClass: least });
    this.options = new Map((record.options ?? []).map((option) => [option.name, option.value]));
    const printed = printedDecks(title, this.options);
    this.beacon = beaconOf(dice);
    this.words = seats.map(({ seat }) => seat);
    const areWords = new Set([...this.words, "host", ""]).size === this.words.length + 2;
    need(areWords && this.words.length >= 1 && this.words.length <= 250, "genesis.seats",
      "1 to 250 seats, each with its word");
    this.numbers = new Map(this.words.map((seat, place) => [seat, place + 1]));
    const numbers = (is) => new Set(seats.flatMap((seat, place) => (is(seat) ? [place + 1] : [])));
    this.hosted = numbers(({ host }) => host);
    this.players = numbers(({ host }) => !host);
    this.programs = numbers(({ played }) => played !== undefined);
    this.names = new Map(seats.map(({ player }, place) => [place + 1, player]));
    need(record.escrow === undefined || this.players.size >= 2, "genesis.escrow", "shares for fewer than two seats");
    this.hasEscrow = record.escrow !== undefined;
    need(least !== "confirmed", "genesis.min_auth", "`confirmed` is no class for a whole game");
    const arePlayed = [...this.programs].every((seat) => this.hosted.has(seat)) && this.programs.size < seats.length;
    need(arePlayed, "genesis.played", "a program plays a seat that is not the host's, or all");
    for (const seat of this.names.keys()) this.checkName(seat);
    this.typed = new Set(this.hosted);
    this.clock = new Clock(this, scheduleOf(schedule));
    if (record.host_key !== undefined) {
      need(keyOf(record.host_key), "genesis.host_key", "`host_key` is no key");
      this.hostKey(record.host_key, true);
    }
    this.dice = new Dice(this, dice);
    this.decks = new Decks(this, printed, decks);
    this.receipts = new Receipts(this);
    this.books = new Books(this);
    this.council = new Council(this, record.votes);
    Object.assign(this, { joined: new Map(), addresses: new Map(), escrow: [] });
  }

  on_join(record) {
    const seat = this.seat();
    need(!this.joined.has(seat), "join.again", "the seat has joined already");
    if (this.hosted.has(seat)) {
      const brings = [record.phrase, record.address, this.via.message].some((part) => part !== undefined);
      need(!brings, "join.hosted", "a hosted seat contributes nothing");
      need([...this.joined.keys()].every((one) => this.hosted.has(one)), "join.order", "hosted seats join first");
    } else {
      need([...this.hosted].every((one) => this.joined.has(one)), "join.order", "a hosted seat has not joined");
    }
    if (record.player !== undefined) {
      this.names.set(seat, record.player);
      this.checkName(seat);
    }
    this.announce(seat, record.keys);
    this.joined.set(seat, record);
    this.addresses.set(seat, record.address);
  }

  /** Nobody can tell players apart who have the same name [2.8]. */
  checkName(seat) {
    const name = this.names.get(seat);
    const isTwice = [...this.names].some(([other, theirs]) => other !== seat && theirs === name
      && !(this.hosted.has(seat) && this.hosted.has(other)));
    need(name === "?" || !isTwice, "player.twice", "two players have the same name");
  }

  /** Where every letter must be signed, a player has a key [10.2]. */
  checkMeans(seat, keys) {
    const isFree = this.hosted.has(seat) || this.leastClass !== "ssh";
    need(keys || isFree, "key.missing", "every seat of this game needs a key");
  }

  announce(seat, keys) {
    this.checkMeans(seat, keys);
    this.signers.announce(seat, keys);
  }

  on_start({ setup, escrow = [] }) {
    this.byHost();
    need(this.joined.size === this.words.length, "start.joined", "not every seat has joined");
    this.dice.start(setup, this.joined);
    const expected = this.hasEscrow ? [...this.players].map((seat) => this.words[seat - 1]) : [];
    need(isSame(escrow.map(({ seat }) => seat), expected), "start.escrow", "shares of other seats");
    need(!this.beacon || this.receipts.start, "start.round", "the round of the start is not there");
    if (this.beacon) this.dice.absorbRound(this.receipts.start);
    Object.assign(this, { escrow, phase: "playing" });
    this.council.restart();
  }

  // While it is played.

  on_say({ said, line }) {
    const seat = this.seat();
    need(this.asked() === seat, "say.asked", "another seat is asked");
    // In mode `beacon` this was so when the receipt was made.
    if (this.mode === "chain") this.clock.answered(seat, this.via.by);
    this.receipts.say(seat, line, this.via);
    this.count(this.via.by ?? this.via.auth);
    if (this.via.by === "standing") this.books.answer(seat, said);
    else this.books.run.clear();
  }

  on_deck(record) {
    this.byHost();
    need(this.facts.get("question") === "question: -", "deck.asked", "no deck is to be laid");
    this.decks.deck(record);
    this.council.restart();
  }

  on_heard() {
    this.seat();
  }

  on_receipt(record) {
    this.receipts.receipt(record, this.seq, this.at, this.via);
  }

  on_round(record) {
    this.byHost();
    this.receipts.round(record, this.at);
  }

  on_stopped(record) {
    this.receipts.stopped(record, this.seat());
  }

  on_dns() {
    this.byHost();
  }

  on_keys({ keys }) {
    const seat = this.seat();
    this.checkMeans(seat, keys);
    const isSigned = this.signers.of(seat, this.seq).length === 0 || this.via.signed;
    need(isSigned, "key.signed", "other keys are not signed with the one before");
    this.signers.announce(seat, keys);
  }

  on_address({ address }) {
    need(!this.typed.has(this.seat()), "address.hosted", "the address of a seat that the host holds");
    need(this.joined.has(this.seat()), "address.joined", "the seat has not joined");
    this.addresses.set(this.seat(), address);
  }

  on_motion(record) {
    this.council.motion(record, this.seat());
  }

  on_vote(record) {
    this.council.vote(record, this.seat());
  }

  on_concede() {
    this.council.concede(this.seat());
  }

  on_dispute({ about }) {
    this.seat();
    need(about < this.seq, "dispute.about", "`about` is no earlier record");
  }

  on_correction(record) {
    this.byHost();
    this.council.correction(record);
  }

  on_clock(record) {
    this.clock.check(record);
    this.council.note(record);
    this.clock.change(record);
  }

  // Another host [5.9, 5.10, 7.8].

  on_host(record) {
    const { what, host_key: key, anchor, plays = [], consents = [], sig, prev } = record;
    this.byHost();
    need(key !== undefined && keyOf(key), "host.key", "no key");
    const played = new Set(plays.map((seat) => this.seat(seat)));
    for (const { seat } of consents) this.seat(seat);
    const adopts = what === "adoption";
    need(adopts === (anchor !== undefined), "host.anchor", "`anchor` is there in an adoption, and only there");
    if (adopts) {
      need(sig === undefined, "host.sig", "a signature of a host who is gone");
      need(this.escrow.length > 0, "host.shares", "there are no shares");
      const waits = new Set([...this.numbers.values()].filter((seat) => !this.hosted.has(seat) && !played.has(seat)));
      need(waits.size > 0, "host.consent", "nobody is left to consent");
      this.books.forget();
      this.receipts.forget();
      this.adoption = { seq: this.seq, waits, anchor };
    } else {
      need(!this.adoption, "host.waits", "nobody can hand a game over while a new host waits for consent");
      this.checkHandover(key, sig, prev);
      need([...played].every((seat) => this.hosted.has(seat)), "host.plays",
        "he plays a seat that the host did not play");
      const typed = new Set([...this.hosted].filter((seat) => !played.has(seat)));
      need(!this.receipts.waits(typed), "seat.waits", "an act waits that was typed for a seat that is not handed over");
    }
    this.hostKey(key, !adopts);
    this.programs = new Set([...this.programs].filter((seat) => played.has(seat)));
    Object.assign(this, { hosted: played, typed: new Set(played) });
    for (const seat of [...played].sort((one, other) => one - other)) {
      this.addresses.set(seat, undefined);
    }
  }

  /** A key of a host counts from its record, or from the last consent to it, until another does [10.8]. */
  hostKey(key, isNow) {
    if (isNow) this.hostKeys.forEach((other) => { other.until ??= this.seq; });
    this.hostKeys.push({ key, announced: this.seq, from: isNow ? this.seq : Infinity, until: undefined });
  }

  /** The key that counts for a record. */
  keyFor(seq) {
    return this.hostKeys.find(({ from, until = Infinity }) => from <= seq && seq < until)?.key;
  }

  /** The signature of a host who hands the game over [10.5]. */
  checkHandover(key, sig, prev) {
    const old = this.keyFor(this.seq - 1);
    need((old !== undefined) === (sig !== undefined), "host.signed",
      "the signature of the old host is missing, or he had no key");
    if (sig === undefined) return;
    const text = `ringmail-host/1\ngame ${this.game}\nhead ${prev}\nhost ${key}\n`;
    this.signers.ask(sig, "ringmail-host@v1", text, [keyOf(old)], "host.signed");
  }

  on_consent({ to, phrase = "" }) {
    const seat = this.seat();
    const isAwaited = this.adoption?.seq === to && this.adoption.waits.delete(seat);
    need(isAwaited, "consent.to", "nobody waits for this consent");
    this.dice.absorbPhrase(seat, phrase);
    if (this.adoption.waits.size > 0) return;
    this.dice.takeUp(this.adoption.anchor);
    const consented = this.hostKeys.find(({ announced }) => announced === to);
    this.hostKeys.forEach((other) => { other.until ??= this.seq; });
    Object.assign(consented, { from: this.seq, until: undefined });
    this.adoption = null;
  }

  // The end [5.16, 5.18, 8.9, 8.10].

  on_reveal({ root: published, orders = [], lines = [] }) {
    this.byHost();
    this.phase = "revealed";
    const root = ofHex(published);
    const found = hex(hashOf("root", ofHex(this.game), u8(0), root));
    need(found === this.root, "reveal.root", "the root is not the one committed to");
    this.decks.reveal(root);
    this.checkShares(root);
    this.books.reveal(root, orders);
    this.receipts.reveal(root, lines);
  }

  checkShares(root) {
    let rest = root;
    this.escrow.forEach(({ seat, digest }, place) => {
      const number = u8(this.seat(seat));
      const isLast = place === this.escrow.length - 1;
      const share = isLast ? rest : keyedHashOf(root, "escrow-share", number);
      rest = rest.map((byte, at) => byte ^ share[at]);
      const found = hex(hashOf("escrow", ofHex(this.game), number, share));
      need(found === digest, "reveal.share", "a share is not one of the root");
    });
  }

  on_end({ result, digest, closing }) {
    this.byHost();
    Object.assign(this, { phase: "ended", result });
    const text = utf8.encode("\nclosing: ");
    let at = this.raw.length - text.length;
    while (at > 0 && !text.every((byte, place) => this.raw[at + place] === byte)) at -= 1;
    need(hex(sha256(this.raw.subarray(0, at + 1))) === closing, "end.closing", "`closing` is another hash");
    need(digest === this.digest(), "fact.digest", "the facts have another digest");
  }
}

/** Checks a log; `rest` is waited for after each record, if it is given. */
async function verify(bytes, rest) {
  const log = new Log();
  let [seq, fault] = [0, null];
  let raw = null;
  try {
    need(bytes.length <= FILE_MAX, "file.length", "the log is too long");
    for (raw of recordsOf(bytes)) {
      log.take(raw);
      raw = null;
      seq += 1;
      if (rest) await rest(seq);
    }
    need(seq > 0, "file.empty", "the log has no record");
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    fault = { seq, rule: error.rule, code: error.code, why: error.message, raw };
  }
  // Signatures are asked for in the order of the log, and none behind what was found.
  let [held, unknown] = [0, 0];
  for (const asked of log.signers.asked) {
    const holds = await asked.holds;
    if (holds === false) {
      const { seq: at, rule } = asked;
      fault = { seq: at, rule, code: CHAIN, why: "a signature does not hold", raw: [...recordsOf(bytes)][at] };
      break;
    }
    if (holds) held += 1;
    else unknown += 1;
  }
  return { log, records: seq, fault, signatures: { held, unknown } };
}

/** A text of a log, so that it can be printed: what moves the cursor or turns the line is escaped. */
const MOVING = /[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g;
const printable = (text) => text.replace(MOVING, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The verdict in a line, and its exit code. */
function inALine({ log, records, fault, signatures }) {
  if (fault) {
    const { seq, code, rule, why } = fault;
    const told = `FAIL ${printable(log.name) || "-"} at record ${seq}: ${printable(why)}`;
    return { code, line: `${told}, exit code ${code} [${rule}]` };
  }
  const { rounds } = log.receipts;
  const more = [
    log.result && printable(log.result),
    rounds && `${rounds} signatures of rounds not checked`,
    signatures.unknown && `${signatures.unknown} signatures not checked`,
  ].filter(Boolean).map((part) => `, ${part}`).join("");
  const counts = `${records} records, ${log.dice.throws} throws`;
  return { code: OK, line: `OK ${printable(log.name)} ${counts}${more}, head ${log.seq} ${log.head}` };
}

// --- In words ---

const counted = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** What was checked, sentence by sentence. */
function whatHolds({ log, records, signatures }) {
  const { dice, receipts, decks, books, clock, counts, phase, escrow } = log;
  const isOpen = phase === "revealed" || phase === "ended";
  const said = [`${counted(records, "record")} follow one another, each as the page of the format wants it, and each `
    + "names the hash of the one before."];
  const tell = (number, text) => number && said.push(text);
  tell(dice.throws, `${counted(dice.throws, "throw")} (dice, draws and shuffles), computed again: each shows what `
    + "follows from what was committed before.");
  tell(receipts.rounds,
    `${counted(receipts.rounds, "round")} of a public beacon came when they should, and what was fixed `
    + "before them was played.");
  tell(decks.opened, `${counted(decks.opened, "card")} shown, each as it lay.`);
  tell(isOpen, "The host's secret is published: every deck lay as it says, and what was sealed was what was shown.");
  tell(isOpen && escrow.length, `${counted(escrow.length, "share")} of that secret add up to it.`);
  tell(isOpen && books.committed.length, `${counted(books.committed.length, "commitment")} to the order books hold.`);
  tell(signatures.held, `${counted(signatures.held, "signature")} of players and hosts hold.`);
  tell(clock.lapses, `${counted(clock.lapses, "deadline")} passed, by the host's clock, none before the time that the `
    + "schedule gives.");
  const by = { ssh: "signed by their seats", dkim: "signed by mail domains, says the host",
    confirmed: "confirmed by letter, says the host",
    token: "from a secret address, says the host", keyboard: "typed at the host's keyboard", bot: "by programs",
    standing: "by orders and lines left before", deadline: "by deadline" };
  const ways = Object.entries(by).filter(([way]) => counts[way]);
  const answers = ways.map(([way, words]) => `${counts[way].toLocaleString("en")} ${words}`);
  tell(answers.length, `Who wrote the answers: ${answers.join(", ")}.`);
  return said;
}

/** What a player's own letters show, sentence by sentence. */
function whatIsMine({ seats, found, others, unnamed }) {
  const said = [];
  const tell = (is, text) => is && said.push(text);
  const of = (numbers) => numbers.map((number) => `#${number}`).join(", ");
  const who = seats.join(" and ");
  const them = found === 1 ? "it" : "them";
  tell(found, `${counted(found, "letter")} that you have sent, as ${who}: this log names ${them}.`);
  tell(others.length, `${counted(others.length, "letter")} of ${who} in this log that you have not put beside it: with `
    + `${of(others)}. If you have put all there that you have sent, somebody else has written these.`);
  tell(unnamed.length, `${counted(unnamed.length, "letter")} that you have sent and no record names: `
    + `${unnamed.length === 1 ? "an answer" : "answers"} to ${of(unnamed)}. Letters to other players and rehearsals `
    + "leave no record.");
  return said;
}

/** What only `ringmail verify` can tell, or nobody. */
function whatIsOpen({ log, signatures }, letters) {
  const { receipts, books, counts, phase, facts } = log;
  const isOpen = phase === "revealed" || phase === "ended";
  const said = [];
  const tell = (is, text) => is && said.push(text);
  tell(facts.size, "Whether the rules of the game allowed each sentence, what it did, and which dice it asked for.");
  tell(facts.size, "Who could have foreseen or chosen a throw.");
  tell(counts.standing, "Whether each answer by an order or a line left before was due, and no other was.");
  tell(receipts.rounds, `The ${counted(receipts.rounds, "signature")} of the beacon, which were taken as they stand.`);
  tell(signatures.unknown, `${counted(signatures.unknown, "signature")}: this browser knows no Ed25519.`);
  tell(!isOpen && facts.size,
    "The cards that lie face down, and the order books: nobody can check them before the end.");
  tell(!isOpen && books.committed.length === 0 && !facts.size, "The game has not started.");
  tell(counts.dkim, "What mail domains have signed: `ringmail verify --letters` checks it, with the letters.");
  tell(phase !== "ended", "The game is not over: whether more records exist, a log cannot say.");
  tell(!letters?.here.length, "Nothing here shows that this is the log of the game that was played: hold it against a "
    + "letter of yours.");
  return said;
}

// --- Letters beside the log [3.3, 10.6, 10.8] ---

const latin = (bytes) => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return text;
};

/** The letters in a file: an mbox has several, each behind a line `From `. */
function lettersOf(bytes) {
  const text = latin(bytes).replaceAll("\r\n", "\n");
  return text.startsWith("From ") ? text.split(/^From .*\n/m).slice(1) : [text];
}

/** Whether it is no letter, but what lies beside a log to vouch for its end [10.6]. */
const isCheck = (text) => text.startsWith("ringmail-checkpoint/1\n");

/** A letter as it is, and with what mail programs encode in quoted-printable or base64. */
function decoded(letter) {
  const texts = [letter, letter.replace(/=\n/g, "").replace(/=([0-9A-F]{2})/g, (_,
    code) => String.fromCharCode(parseInt(code, 16)))];
  const inBase64 = /^content-transfer-encoding:[ \t]*base64[ \t]*\n(?:.+\n)*\n((?:[A-Za-z0-9+/=]+\n)+)/gim;
  for (const [, part] of letter.matchAll(inBase64)) {
    try {
      texts.push(atob(part.replaceAll("\n", "")).replaceAll("\r\n", "\n"));
    } catch {
      // A part that is damaged says nothing.
    }
  }
  return texts;
}

/** The letters that a player has sent himself: those which no program of a host has named. */
function sentOf(letters) {
  const ours = /<([^<>@\s]*)\.(\d{1,16})\.[0-9a-f]{64}\.([^<>@\s.]*)(?:\.[^<>@\s]*)?@/;
  const sent = new Map();
  for (const letter of letters) {
    const head = letter.split("\n\n", 1)[0].replace(/\n[ \t]+/g, " ");
    const value = (name) => new RegExp(`^${name}:[ \t]*(.*?)[ \t]*$`, "im").exec(head)?.[1] ?? "";
    const id = value("message-id");
    if (id === "" || ours.test(id)) continue;
    const answers = ours.exec(value("in-reply-to"));
    sent.set(hex(sha256(Uint8Array.from(id.replace(/^<+|>+$/g, ""), (one) => one.charCodeAt(0)))),
      answers && { name: answers[1], seq: Number(answers[2]), seat: answers[3] });
  }
  return sent;
}

/** What a player's own letters show of a log [15.2]: those that it has, those that it has not, and those of his seat
 * that are not among them. */
function ownOf(log, letters) {
  const sent = sentOf(letters);
  const named = [...log.letters.values()];
  const isMine = ({ message }) => message !== undefined && sent.has(message);
  const seats = new Set(named.filter(isMine).map(({ seat }) => seat));
  const known = new Set(named.map(({ message }) => message));
  const isOfGame = (to) => to?.name === log.name && to.seq <= log.seq;
  const unnamed = [...sent].filter(([message, to]) => !known.has(message) && isOfGame(to));
  return {
    seats: [...seats],
    found: named.filter(isMine).length,
    others: named.filter((letter) => seats.has(letter.seat) && !isMine(letter)).map(({ seq }) => seq),
    unnamed: unnamed.map(([, to]) => to.seq),
  };
}

/** The oldest record 0 of this game that came with a letter of a host: the game that its reader has played [10.8]. */
function beginningOf(log, letters) {
  const found = [];
  for (const letter of letters) {
    const head = letter.split("\n\n", 1)[0].replace(/\n[ \t]+/g, " ");
    const dated = /^received:.*;(.*)$/im.exec(head)?.[1] ?? /^date:(.*)$/im.exec(head)?.[1] ?? "";
    const first = decoded(letter).map((text) => /^---\nseq: 0\n(?:.*\n)*?\.\.\.\n/m.exec(text)?.[0])
      .find((record) => record?.includes(`\ngame: "${log.game}"\n`));
    if (first === undefined) continue;
    const time = Date.parse(dated.replace(/\(.*?\)/g, ""));
    const hash = hex(sha256(Uint8Array.from(first, (one) => one.charCodeAt(0))));
    found.push({ hash, time: Number.isNaN(time) ? Infinity : time });
  }
  return found.sort((one, other) => one.time - other.time)[0]?.hash;
}

/** Holds letters against a log: what the host has signed in them must be on this history. */
async function compared({ log, fault }, files) {
  const found = { letters: 0, signed: new Set(), unsigned: new Set(), wrong: [] };
  const { heads } = log.signers;
  // A quoted one proves the same.
  const lines = ["ringmail-checkpoint/1", "game ([0-9a-f]{32})", "records (\\d{1,16})", "head ([0-9a-f]{64})",
    "at (\\S{20})"];
  const signed = "(?:(?:> ?)*-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=>\\s]{1,4096}?)-----END)?";
  const checkpoint = new RegExp(`^${lines.map((line) => `(?:> ?)*${line}\n`).join("")}${signed}`, "gm");
  const ids = /<[^<>@\s]*\.(\d{1,16})\.([0-9a-f]{64})\.[^<>@\s]*@/g;
  const letters = files.flatMap(lettersOf);
  for (const letter of letters) {
    found.letters += Number(!isCheck(letter));
    const texts = decoded(letter);
    for (const [, game, records, head, at, armour = ""] of texts.flatMap((text) => [...text.matchAll(checkpoint)])) {
      if (game !== log.game) continue;
      const text = `ringmail-checkpoint/1\ngame ${game}\nrecords ${records}\nhead ${head}\nat ${at}\n`;
      const signature = signatureOf(armour.replace(/[>\s]/g, ""));
      const key = log.keyFor(Number(records) - 1);
      const isHosts = signature && key !== undefined && keyOf(key) === signature.key
        && signature.space === "ringmail-checkpoint@v1";
      if (!isHosts || !await holds(signature, text)) {
        found.unsigned.add(`${records - 1} ${head}`);
        continue;
      }
      found.signed.add(`${records - 1} ${head}`);
    }
    for (const [, seq, head] of texts.flatMap((text) => [...text.matchAll(ids)])) found.unsigned.add(`${seq} ${head}`);
  }
  const isElsewhere = (claim) => heads[claim.split(" ")[0]] !== undefined
    && heads[claim.split(" ")[0]] !== claim.split(" ")[1];
  const isLater = (claim) => heads[claim.split(" ")[0]] === undefined;
  const numbers = (claims) => claims.map((claim) => `#${claim.split(" ")[0]}`).join(", ");
  const proved = [...found.signed];
  const tell = (claims, rule, text) => claims.length > 0 && found.wrong.push({ code: RULE_CODES.get(rule) ?? OK,
    text: `${text(numbers(claims))}${rule ? ` [${rule}]` : ""}` });
  tell(proved.filter(isElsewhere), "mail.fork",
    (of) => `TWO HISTORIES: the host has signed another record than this log has, at ${of}.`);
  if (fault === null) tell(proved.filter(isLater), "mail.shorter",
    (of) => `The log is shorter than it was: the host has signed a later record, ${of}.`);
  const beginning = beginningOf(log, letters);
  tell(beginning !== undefined && beginning !== heads[0] ? [`0 ${beginning}`] : [], "mail.beginning",
    () => "The game in your letters began otherwise: this log is another one under the same id.");
  const claims = [...found.unsigned].filter((claim) => !found.signed.has(claim));
  tell(claims.filter(isElsewhere), null,
    (of) => `A letter names another record than this log has, at ${of}; nobody has signed that, and `
    + "anybody could have written it.");
  if (fault === null) tell(claims.filter(isLater), null,
    (of) => `A letter names a record after the end of this log, ${of}; nobody has signed that.`);
  const here = proved.filter((claim) => !isElsewhere(claim)
    && !isLater(claim)).map((claim) => Number(claim.split(" ")[0]));
  return { ...found, here, last: Math.max(-1, ...here), own: ownOf(log, letters) };
}

// --- In a browser ---

const byId = (id) => document.getElementById(id);

/** Text of a log is only ever set as text. */
function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = printable(text);
  if (kind) made.className = kind;
  return made;
}

const list = (items) => {
  const made = document.createElement("ul");
  made.append(...items.map((item) => element("li", item)));
  return made;
};

/** What is said of one log. */
function told(name, checked, letters) {
  const { log, records, fault } = checked;
  const section = element("section", "");
  const wrong = letters?.wrong ?? [];
  const isBad = fault !== null || wrong.some(({ code }) => code !== OK);
  section.append(element("h2", log.name ? `${log.name} (${name})` : name));
  if (fault && records === 0 && !fault.raw) {
    section.append(element("p", `This is no log: ${fault.why}.`, "verdict bad"));
    return section;
  }
  const verdict = fault ? `Record #${fault.seq} is wrong: ${fault.why}.`
    : isBad ? "The log agrees with itself, but not with the letters." : "No fault was found.";
  section.append(element("p", verdict, isBad ? "verdict bad" : "verdict good"));
  for (const { code, text } of wrong) section.append(element("p", text, code === OK ? "claim" : "bad"));
  if (fault) {
    const rule = `rule ${fault.rule}, exit code ${fault.code}`;
    section.append(element("p", `That is a fault in: ${CODES[fault.code]} (${rule}). `
      + `${counted(records, "record")} before it are as they should be; what comes after it was not looked at.`));
    if (fault.raw) {
      const shown = element("details", "");
      const text = new TextDecoder().decode(fault.raw.subarray(0, 8_000));
      shown.append(element("summary", `Record #${fault.seq} as it stands in the log`), document.createElement("pre"));
      shown.lastElementChild.textContent = text.split("\n").map(printable).join("\n");
      section.append(shown);
    }
    return section;
  }
  section.append(element("p", log.phase === "ended" ? `The game is over: ${log.result}.` : "The game is not over."));
  section.append(element("h3", "What was checked"), list(whatHolds(checked)));
  if (letters) {
    const { here, last } = letters;
    section.append(element("h3", "Your letters"), list(whatIsMine(letters.own)), element("p", here.length === 0
      ? `${counted(letters.letters, "letter")}, in which the host of this log has signed no record of it.`
      : `${counted(letters.letters, "letter")}; in what lies beside the log the host has signed `
        + `${counted(here.length, "record")} of it, the last of them #${last}${last === log.seq ? ", its end" : ""}: `
        + "up to there it is the log that your letters tell of."));
  }
  section.append(element("h3", "What only ringmail verify can tell"), list(whatIsOpen(checked, letters)));
  section.append(element("p", `Last record: #${log.seq}, ${log.at}, hash ${log.head}.`, "small"));
  return section;
}

/** What was dropped or chosen: logs, and letters beside them. */
async function opened(files) {
  const results = byId("results");
  results.replaceChildren();
  const kinds = await Promise.all([...files].map(async (file) => ({ name: file.name,
    bytes: new Uint8Array(await file.arrayBuffer()) })));
  const isLetter = ({ name, bytes }) => /\.(eml|mbox|mbx|check)$/i.test(name)
    || /^(From |[A-Za-z-]+: |ringmail-checkpoint\/1\n)/.test(latin(bytes.subarray(0, 200)));
  const letters = kinds.filter(isLetter).map(({ bytes }) => bytes);
  const logs = kinds.filter((file) => !isLetter(file));
  if (logs.length === 0) {
    byId("status").textContent = "Letters alone cannot be checked: choose the log as well.";
    return;
  }
  let rested = performance.now();
  for (const { name, bytes } of logs) {
    const checked = await verify(bytes, async (seq) => {
      if (performance.now() - rested < 50) return;
      byId("status").textContent = `${printable(name)}: ${counted(seq, "record")} so far`;
      await new Promise((done) => setTimeout(done));
      rested = performance.now();
    });
    const against = letters.length > 0 && checked.records > 0 ? await compared(checked, letters) : null;
    results.append(told(name, checked, against));
  }
  byId("status").textContent = `${counted(logs.length, "log")} checked.`;
}

function begin() {
  const hash = hex(sha256(utf8.encode(byId("checker").textContent)));
  byId("hash").textContent = hash.match(/.{8}/g).join(" ");
  const open = (files) => {
    delete document.documentElement.dataset.checked;
    opened(files).catch((error) => {
      byId("status").textContent = `This could not be read: ${printable(String(error.message))}`;
    }).finally(() => {
      document.documentElement.dataset.checked = "yes";
    });
  };
  byId("files").addEventListener("change", () => open(byId("files").files));
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
  addEventListener("drop", (event) => open(event.dataTransfer.files));
  document.documentElement.dataset.ready = "yes";
}

if (typeof document !== "undefined") begin();

// --- Under node ---

async function main(given) {
  const fs = require("node:fs");
  const one = async (path) => {
    try {
      return inALine(await verify(fs.readFileSync(path)));
    } catch (error) {
      if (error.code === undefined) throw error;
      return { code: UNREAD, line: `FAIL ${printable(path)}: ${error.code}, exit code ${UNREAD}` };
    }
  };
  if (given.length === 1 && given[0] === "--hash") {
    console.log(hex(sha256(fs.readFileSync(__filename))));
    return OK;
  }
  let worst = OK;
  const answer = ({ code, line }) => {
    process.stdout.write(`${line}\n`);
    if (WORST.indexOf(code) < WORST.indexOf(worst)) worst = code;
  };
  if (given.length === 1 && given[0] === "--paths") {
    const lines = require("node:readline").createInterface({ input: process.stdin });
    for await (const path of lines) answer(await one(path));
    return worst;
  }
  if (given[1] === "--letters" && given.length > 2) {
    const checked = await verify(fs.readFileSync(given[0]));
    const { wrong, here, own } = await compared(checked, given.slice(2).map((path) => fs.readFileSync(path)));
    for (const { code, text } of wrong) answer({ code, line: printable(text) });
    for (const sentence of whatIsMine(own)) console.log(printable(sentence));
    console.log(`The host has signed ${counted(here.length, "record")} of this log in these letters.`);
    answer(inALine(checked));
    return worst;
  }
  if (given.length === 0 || given.some((argument) => argument.startsWith("-"))) {
    console.error("node check.js LOG... | LOG --letters MAIL... | --paths | --hash");
    return USAGE;
  }
  for (const path of given) answer(await one(path));
  return worst;
}

if (typeof module !== "undefined") {
  module.exports = { hashOf, keyedHashOf, sha256, shuffled, uniform, wordsOf, hex, ofHex, verify, inALine, u8, u16,
    u32, u64, withLength };
  if (require.main === module) {
    main(process.argv.slice(2)).then((code) => {
      process.exitCode = code;
    });
  }
}
