// The check of a log by the browser: the chain of the records, and everything that the dice follow from. It knows no
// rules of any game. What it leaves out it counts, and says.

const PLAYED = ["start", "say", "deck", "correction"];
const TYPES = ["genesis", "join", "ready", ...PLAYED, "sealed", "open", "heard", "receipt", "stopped", "round", "dns",
  "keys", "address", "host", "consent", "motion", "vote", "concede", "dispute", "clock", "reveal", "end"];
const WAYS = [undefined, "standing", "ahead", "deadline", "bot"];
const LINKS = 65536;

/** The state of a log, record by record. */
class Checker {
  /** `decksOf` has of each deck the cards as printed, and those that come into it later. */
  constructor(decksOf = {}) {
    this.decksOf = decksOf;
    this.seq = -1;
    this.head = "0".repeat(64);
    this.at = "";
    this.facts = new Map();
    this.throws = 0;
    this.opened = 0;
    this.moment = 0;
    this.spells = new Map();
    this.letters = new Map();
    this.codes = new Map();
    this.joined = new Map();
    this.ready = new Map();
    this.laid = new Map();
    this.left = new Map();
    this.lefts = [];
    this.votes = new Map();
    this.receipts = new Map();
    this.adoption = null;
    this.heads = [];
    this.keys = [];
    this.committed = [];
    this.stops = [];
    this.seals = new Map();
    this.shares = [];
    this.counts = {};
  }

  /** A seat signs with these keys from here on. */
  sign(seat, keys = []) {
    this.keys.push([this.seq, seat, keys]);
  }

  /** The keys that a seat had before a record. */
  keysOf(seat, before) {
    return this.keys.findLast(([seq, of]) => seq < before && of === seat)?.[2] ?? [];
  }

  count(what, number = 1) {
    this.counts[what] = (this.counts[what] ?? 0) + number;
  }

  /** Takes in the bytes of the next record. */
  async take(bytes) {
    const record = recordRead(bytes);
    need(record.prev === this.head, "the record before it is not the one that it names");
    need(record.seq === this.seq + 1, "its number is not the next one");
    need(typeof record.at === "string" && record.at >= this.at, "its time is before that of the record before it");
    need((record.type === "genesis") === (this.seq < 0), "the first record, and no other, begins the game");
    need(!this.ended, "something follows the end of the game");
    need(TYPES.includes(record.type), "its type is none that a log has");
    Object.assign(this, { seq: record.seq, at: record.at, writer: record.seat, via: record.via ?? {} });
    need(WAYS.includes(this.via.by), "it came about in a way that no record has");
    need((this.via.seen ?? -1) < this.seq, "its writer had seen a record that came later");
    if (this.seats) await checkSigned(this, record);
    await this.of(record, bytes);
    need(record.seat === "host" || this.seats.includes(record.seat), "neither the host nor a seat made it");
    if (record.books) this.committed.push({ seq: this.seq, seat: this.seat(), books: record.books });
    if (PLAYED.includes(record.type)) await this.played(record);
    await this.checkDigest(record);
    this.countLeftOut(record);
    const hash = await sha256(bytes);
    this.genesis ??= hash;
    this.head = hex(hash);
    this.heads.push(this.head);
    return record;
  }

  /** What a type of records adds [5]. */
  async of(record, bytes) {
    switch (record.type) {
      case "genesis": return this.begin(record);
      case "join": return this.join(record);
      case "ready": return void this.ready.set(this.seat(), await this.accept(this.seat(), record.code));
      case "start": return this.start(record);
      case "say": return this.say(record);
      case "deck": return this.lay(record, (this.left.get(record.deck)?.epoch ?? -1) + 1);
      case "open": return this.openChoice(record);
      case "sealed": return void this.seals.set(record.x, [this.seat(), record.asked]);
      case "keys": return this.sign(record.seat, record.keys);
      case "stopped": return void this.stops.push({ ...record, seat: this.seat() });
      case "receipt": return this.receipt(record);
      case "round": return this.round(record);
      case "host": return this.anotherHost(record);
      case "consent": return this.consent(record);
      case "vote": return this.vote(record);
      case "correction": return this.correct(record);
      case "reveal": return this.reveal(record);
      case "end": return this.end(record, bytes);
      default: return undefined;
    }
  }

  seat(name = this.writer) {
    need(this.seats.includes(name), `there is no seat \`${name}\``);
    return this.seats.indexOf(name) + 1;
  }

  // Before the start [7.1 to 7.4].

  async begin(record) {
    need(record.format === 2, "the log has a format that this page does not know");
    this.game = ofHex(record.game);
    this.seats = record.seats.map(({ seat }) => seat);
    this.hosted = record.seats.filter(({ host }) => host).map(({ seat }) => seat);
    this.dice = record.dice;
    this.anchor = this.link = ofHex(record.dice.anchor);
    this.root = ofHex(record.root);
    this.hostKey = record.host_key;
    this.decks = (record.decks ?? []).map(({ deck }) => deck);
    for (const deck of record.decks ?? []) await this.lay(deck, 0);
    this.lefts.push([0, new Map(this.left)]);
  }

  rootOf(root) {
    return hashOf("root", this.game, u8(0), root);
  }

  join(record) {
    const seat = this.seat();
    need(!this.joined.has(seat), "the seat has joined already");
    this.joined.set(seat, record);
    this.sign(record.seat, record.keys);
    if (record.anchor !== undefined) this.codes.set(seat, { k: 0, code: ofHex(record.anchor) });
  }

  async start(record) {
    const parts = [this.game, this.genesis, this.anchor, this.root, u8(this.seats.length)];
    for (let seat = 1; seat <= this.seats.length; seat += 1) {
      need(this.joined.has(seat), "a seat has not joined");
      const { anchor = "", phrase = "", message = "0".repeat(64) } = this.joined.get(seat);
      parts.push(u8(seat), withLength(ofHex(anchor)), withLength(phrase), ofHex(message), withLength(""));
    }
    this.shares = record.escrow ?? [];
    this.pool = await hashOf("setup", ...parts);
    need(record.setup === hex(this.pool), "what the dice begin with does not follow from what the seats brought");
    for (let seat = 1; seat <= this.seats.length; seat += 1) {
      if (!this.codes.has(seat)) continue;
      need(this.ready.has(seat), "a seat has not shown its first code");
      await this.absorb(seat, this.ready.get(seat));
    }
    if (this.beacon) await this.absorbRound(this.beacon);
  }

  // Codes and spells [7.5, 7.6].

  /** Takes the next code of a seat. */
  async accept(seat, given) {
    const last = this.codes.get(seat);
    need(last && given, "a code is missing, or the seat keeps none");
    const { k, code } = given;
    need(k === last.k + 1, `the next code has number ${last.k + 1}`);
    const below = await hashOf("seat-link", this.genesis, u8(seat), u32(k), ofHex(code));
    need(isSame(below.subarray(0, 20), last.code), "the code is not on the chain of the seat's codes");
    const accepted = { k, code: ofHex(code) };
    this.codes.set(seat, accepted);
    this.count("codes");
    return accepted;
  }

  async absorb(seat, { k, code }) {
    this.pool = await hashOf("pool", this.pool, u8(seat), u32(k), withLength(code));
  }

  async say(record) {
    const seat = this.seat();
    need(this.asked() === seat, "another seat is asked");
    const { raw, by } = this.via;
    const byLetter = by === undefined;
    const arrives = byLetter && (raw === undefined || raw !== this.letters.get(seat));
    const needed = this.codes.has(seat) && this.spells.get(seat) !== this.moment && arrives;
    need(needed === (record.code !== undefined), needed ? "a code is missing" : "it has a code that is not needed");
    if (needed) {
      await this.absorb(seat, await this.accept(seat, record.code));
      this.moment += 1;
    }
    this.spells.set(seat, this.moment);
    if (byLetter && raw !== undefined) this.letters.set(seat, raw);
    if (record.line) await this.shown(seat, record.line);
  }

  changeCodes(seat, anchor) {
    this.codes.delete(seat);
    if (anchor !== undefined) this.codes.set(seat, { k: 0, code: ofHex(anchor) });
    this.moment += 1;
  }

  // Receipts and rounds [5.23, 7.17, 9.11].

  /** The round is the last one signed by then, and a hundred more [7.16]. */
  receipt(record) {
    const { period, genesis_time: begun } = this.dice.own ?? { period: 3, genesis_time: 1692803367 };
    const since = Date.parse(record.at) / 1000 - begun;
    const round = (since < 0 ? 0 : Math.floor(since / period) + 1) + 100;
    need(record.round === undefined || record.round === round, `its round is ${round}`);
    this.receipts.set(this.seq, record);
  }

  async shown(seat, { receipt, opened }) {
    const { lines = [] } = this.receipts.get(receipt) ?? {};
    for (const { i, text, salt } of opened ?? []) {
      const found = await hashOf("line", this.game, u8(seat), u32(receipt), u16(i - 1), withLength(text), ofHex(salt));
      need(hex(found) === lines[i - 1], "the line is not the one that the receipt fixed");
    }
  }

  async round(record) {
    const receipt = this.receipts.get(record.receipt);
    need(receipt?.round !== undefined, "there is no such receipt");
    this.beacon = { number: receipt.round, signature: ofHex(record.signature) };
    if (this.pool) await this.absorbRound(this.beacon);
  }

  async absorbRound({ number, signature }) {
    const width = u16(signature.length);
    this.pool = await hashOf("beacon", this.pool, ofHex(this.dice.chain), u64(number), width, signature);
  }

  // Another host, and what is agreed on [5.13 to 5.18, 7.10, 7.11, 7.13].

  async anotherHost(record) {
    if (record.what === "handover") await checkHandover(this, record);
    this.hostKey = record.host_key;
    if (record.what === "adoption") {
      // The old host has taken the books with him, and what he had sealed.
      this.count("unopened", this.committed.filter(({ books }) => books !== null).length);
      Object.assign(this, { committed: [], stops: [] });
      const plays = record.plays ?? [];
      const waits = this.seats.filter((seat) => !plays.includes(seat) && !this.hosted.includes(seat));
      this.adoption = { waits: new Set(waits), anchor: ofHex(record.anchor) };
    }
    this.hosted = record.plays ?? [];
    for (const seat of this.hosted) this.changeCodes(this.seat(seat));
  }

  async consent(record) {
    const seat = this.seat();
    need(this.adoption?.waits.delete(this.writer), "nobody waits for this consent");
    need(this.codes.has(seat) === (record.code !== undefined), "a code is missing, or is not needed");
    if (record.code) await this.absorb(seat, await this.accept(seat, record.code));
    this.pool = await hashOf("phrase", this.pool, u8(seat), withLength(record.phrase ?? ""));
    if (this.adoption.waits.size > 0) return;
    Object.assign(this, { link: this.adoption.anchor, opened: 0, adoption: null, moment: this.moment + 1 });
  }

  async vote(record) {
    if (!record.code) return;
    const codes = this.votes.get(record.motion) ?? new Map();
    codes.set(this.seat(), await this.accept(this.seat(), record.code));
    this.votes.set(record.motion, codes);
  }

  async correct(record) {
    const { what } = record;
    if (what === "undo") {
      this.left = new Map(this.lefts.findLast(([seq]) => seq <= record.to)?.[1]);
    } else if (what === "seat" && record.player !== undefined) {
      this.changeCodes(this.seat(record.of));
      this.sign(record.of);
      this.committed.push({ seq: this.seq, seat: this.seat(record.of), books: null });
    } else if (what === "key") {
      this.sign(record.of, record.key === undefined ? [] : [record.key]);
    } else if (what === "codes") {
      const codes = [...(this.votes.get(record.motion) ?? [])].sort(([one], [other]) => one - other);
      for (const [seat, code] of codes) await this.absorb(seat, code);
      this.changeCodes(this.seat(record.of), record.codes);
    }
  }

  // What is played [4.6, 7.7 to 7.9, 8.4 to 8.6, 11].

  /** The seat that is asked, by the fact `question` [11.5]. */
  asked() {
    const found = /^question: (\d+) \S+$/.exec(this.facts.get("question") ?? "");
    return found ? Number(found[1]) : null;
  }

  async lay({ deck, epoch, masker, n, cards, commitment }, expected) {
    const number = this.decks.indexOf(deck);
    const isNext = number >= 0 && epoch === expected && masker === 0 && n === cards.length;
    need(isNext, "another deck is to be laid");
    const found = await hashOf("deck", this.game, u8(number), u8(epoch), u16(cards.length), ...cards.map(ofHex));
    need(hex(found) === commitment, `the deck ${deck} has another hash`);
    const goes = this.decksOf[deck] ? goesIn(this, deck, epoch) : null;
    this.laid.set(`${deck} ${epoch}`, { number, epoch, cards, goes, open: new Set() });
    this.left.set(deck, { epoch, positions: cards.map((_, position) => position) });
    this.count("decks");
  }

  async openChoice({ items = [], x, choice, salt }) {
    await this.open(items);
    if (x === undefined) return;
    const [seat, asked] = this.seals.get(x) ?? [];
    need(seat !== undefined, "a choice is shown that nobody sealed");
    const found = await hashOf("choice", this.game, u8(seat), u32(asked), withLength(choice), ofHex(salt));
    need(hex(found) === x, "the choice is not the one that was sealed");
    this.seals.delete(x);
    this.count("choices");
  }

  /** The end of all secrets [7.19, 8.10, 9.7]. */
  async reveal({ root: published, orders = [], lines = [] }) {
    const root = ofHex(published);
    need(isSame(await this.rootOf(root), this.root), "the root is another");
    await checkDecks(this, root);
    await checkShares(this, root);
    await checkBooks(this, root, orders);
    await checkStops(this, root, lines);
    this.isRevealed = true;
  }

  async open(items) {
    for (const { deck, epoch = 0, pos, card, salt } of items) {
      const laid = this.laid.get(`${deck} ${epoch}`);
      need(laid && !laid.open.has(pos), "a card is shown that does not lie there");
      const parts = [u8(laid.number), u8(epoch), u16(pos), withLength(card), ofHex(salt)];
      const found = hex(await hashOf("card", this.game, ...parts));
      need(found === laid.cards[pos], `${card} is not the card that lay there`);
      laid.open.add(pos);
      this.count("cards");
    }
  }

  async played(record) {
    await this.open(record.open ?? []);
    if (record.roll) await this.roll(record.roll);
    for (const line of record.changed ?? []) {
      const key = line.split(": ", 1)[0];
      need(this.facts.has(key) === (record.type !== "start"), `\`${key}\` is no fact that could change`);
      this.facts.set(key, line);
    }
    const asked = this.asked();
    if (asked !== null && !this.codes.has(asked)) this.moment += 1;
    this.lefts.push([this.seq, new Map(this.left)]);
  }

  async roll({ link, dice = [], draws = [], shuffles = [] }) {
    const throws = [...dice, ...draws, ...shuffles].sort((one, other) => one.n - other.n);
    need(throws.length > 0, "nothing is thrown");
    need(throws.every(({ n }, place) => n === this.throws + 1 + place), "its throws have other numbers");
    need(this.opened + throws.length <= LINKS, "the host's chain is not so long");
    const links = [ofHex(link)];
    for (let place = this.opened + throws.length; place > this.opened; place -= 1) {
      links.unshift(await hashOf("host-link", this.game, u32(place), links[0]));
    }
    need(isSame(links.shift(), this.link), "the link is not on the host's chain");
    this.link = links.at(-1);
    this.opened += throws.length;
    for (const [place, thrown] of throws.entries()) {
      const seed = await hashOf("roll", this.game, u32(thrown.n), links[place], this.pool);
      this.compare(thrown, wordsOf(seed));
    }
    this.throws += throws.length;
  }

  /** Holds a throw against the values that follow from its seed. */
  compare(thrown, words) {
    const { n, faces, sides, deck, count, order } = thrown;
    if (sides !== undefined) {
      need(sides > 0 && faces?.length > 0, `throw ${n} has no dice`);
      const found = faces.map(() => 1 + uniform(words, sides));
      need(isSame(found, faces), `throw ${n} shows ${faces.join(" ")}, and ${found.join(" ")} follows from its seed`);
    } else if (deck !== undefined) {
      need(this.left.has(deck), `there is no deck ${deck}`);
      const { epoch, positions } = this.left.get(deck);
      const isLeft = positions.length > 0 && isSame(thrown.left ?? [], positions);
      need(isLeft, `throw ${n} draws from other positions than are left`);
      const found = positions[uniform(words, positions.length)];
      need(thrown.pos === found, `throw ${n} draws position ${thrown.pos}, and ${found} follows from its seed`);
      this.left.set(deck, { epoch, positions: positions.filter((position) => position !== found) });
    } else {
      need(order?.length === count && isSame(shuffled(words, count), order), `throw ${n} is another order`);
    }
  }

  async checkDigest({ type, digest }) {
    const isDue = type === "end" || type === "start" || this.facts.size > 0 && this.seq % 64 === 0;
    need(isDue === (digest !== undefined), "a digest is missing, or stands where none is due");
    if (!isDue) return;
    const facts = ascii.encode([...this.facts.values()].map((line) => `${line}\n`).join(""));
    need(hex(await sha256(facts)) === digest, "the facts have another digest");
    this.count("digests");
  }

  async end(record, bytes) {
    const text = ascii.encode("\nclosing: ");
    let at = bytes.length - text.length;
    while (at > 0 && !text.every((byte, place) => bytes[at + place] === byte)) at -= 1;
    need(hex(await sha256(bytes.subarray(0, at + 1))) === record.closing, "the end has another hash than it says");
    this.ended = true;
  }

  // What is left out here.

  countLeftOut(record) {
    const { type } = record;
    if (type === "say") this.count("sentences");
    if (type === "round") this.count("rounds");
    if (type === "receipt") this.count("receipts");
    if (type === "correction" || type === "motion" || type === "vote" || type === "host") this.count("agreed");
    if (record.via?.signed) this.count("words");
    if (record.via?.by === "standing") this.count("standing");
    if (record.via?.auth === "dkim") this.count("dkim");
    if (record.via?.auth && record.via.auth !== "keyboard") this.count("letters");
  }
}

const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** What this check has left out, in sentences, by what the log contains. */
function leftOut({ counts, facts, ended, isRevealed, committed, seals, shares }) {
  const { sentences = 0, signatures, words, rounds, receipts, decks, unopened, standing, agreed, letters } = counts;
  const said = [];
  const tell = (number, text) => number && said.push(text);
  tell(true, `The rules: whether ${counted(sentences, "sentence")} of the players could be said, and what they did.`);
  tell(signatures, `${counted(signatures, "signature")} of players and hosts: the browser knows no Ed25519.`);
  tell(words, `Whether the words of ${counted(words, "signed record")} say what these do, and none was signed twice.`);
  tell(rounds, `The signatures of ${counted(rounds, "round")} of the beacon: they were taken as they stand.`);
  tell(receipts, `The order in which ${counted(receipts, "receipt")} were played, and the lines that stay sealed.`);
  tell(decks && facts.size, isRevealed ? "That cards which were never shown were what the rules took them for."
    : `The cards that lie face down in ${counted(decks, "deck")}: before the end nobody can check them.`);
  const sealed = committed.filter(({ books }) => books !== null).length;
  tell(!isRevealed && sealed, `${counted(sealed, "commitment")} to standing orders: before the end nobody can.`);
  tell(unopened, `${counted(unopened, "commitment")} to standing orders under a host who has vanished: these stay `
    + "sealed.");
  tell(standing, `Whether ${counted(standing, "answer")} by standing orders were due, and no other was.`);
  const spread = isRevealed ? 0 : shares.length;
  tell(spread, `${counted(spread, "share")} of the host's root: before the end nobody can.`);
  tell(seals.size, `${counted(seals.size, "sealed choice")} that nobody has shown.`);
  tell(agreed, `Who had a say in ${counted(agreed, "motion, vote or correction", "motions, votes and corrections")}.`);
  tell(letters, `The letters of ${counted(letters, "record")}: the log has only their hashes.`);
  tell(facts.size, "Who could have foreseen or chosen a throw.");
  tell(true, "The times: the clock is the host's.");
  tell(true, "The spelling of the records, and which of their keys may stand where.");
  tell(true, "The map and the plots of this page: the program that made it drew them from the log. Of the chronicle "
    + "the times, the seats and the players' sentences were held against the log.");
  tell(!ended, "Whether the log goes on: it does not say that the game has ended.");
  return said;
}

/** Whether an entry of the chronicle tells this record. */
function isTold(told, { at, type, seat, said }) {
  return told?.at === at && told.kind === type && told.seat === seat && (type !== "say" || told.said === said);
}

/** Checks a log, and says how far it holds: `tell` is told after a while how many records have been checked. */
async function examined(log, chronicle, decksOf, tell) {
  const checker = new Checker(decksOf);
  let seq = 0;
  let rested = performance.now();
  try {
    for (const bytes of recordsOf(log)) {
      const record = await checker.take(bytes);
      need(isTold(chronicle[seq], record), "the chronicle of this page tells something else");
      seq += 1;
      if (performance.now() - rested > 15) {
        tell(seq);
        await new Promise((done) => setTimeout(done));
        rested = performance.now();
      }
    }
    need(seq === chronicle.length, "the log ends before it, and the chronicle of this page goes on");
  } catch (error) {
    const why = error instanceof Fault ? error.message : "it is no record as the format wants it";
    return { seq, why, checker };
  }
  return { seq, why: null, checker };
}
