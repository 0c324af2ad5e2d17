// What was sealed and is shown at the end, and who signed: chapters 8 to 10 of the document of the format.

/** HMAC-SHA-256 under a key, of the label and the parts [6.1]. */
async function keyedHashOf(key, label, ...parts) {
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const text = joined([ascii.encode(`ringmail/2/${label}\0`), ...parts]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, text));
}

/** The cards of a deck in the order of their positions, and what the log must have of each [8.3, 8.4]. */
async function masked(game, root, number, epoch, words) {
  const key = await keyedHashOf(root, "deck-key", u8(number), u8(epoch));
  const order = shuffled(wordsOf(await hashOf("mask-order", key)), words.length);
  const cards = order.map((place) => words[place]);
  const salts = await Promise.all(cards.map((_, position) => keyedHashOf(key, "card-salt", u16(position))));
  const hashed = (card, position) => hashOf("card", game, u8(number), u8(epoch), u16(position), withLength(card),
    salts[position]);
  return { cards, hashes: (await Promise.all(cards.map(hashed))).map(hex) };
}

/** The words of cards without their first part, as facts name them [17.5]. */
const short = (card) => card.replace(/^(terr|mission|power|event)-/, "");

/** The cards that go into a deck: words, or places in the deck before. */
function goesIn(checker, deck, epoch) {
  const { printed, added } = checker.decksOf[deck];
  if (epoch === 0) return printed;
  const named = (checker.facts.get(`${deck}-discards`) ?? ": -").split(": ", 2)[1];
  const known = new Map([...printed, ...added].map((card) => [short(card), card]));
  if (named !== "-") return named.split(" ").map((card) => known.get(card) ?? card);
  const { epoch: before, positions } = checker.left.get(deck);
  return [...positions.map((position) => ({ epoch: before, position })), ...added];
}

/** Lays all decks again as the published root says [8.10]. */
async function checkDecks(checker, root) {
  const faces = new Map();
  for (const [name, { number, epoch, cards, goes }] of checker.laid) {
    const deck = checker.decks[number];
    const { printed } = checker.decksOf[deck];
    const face = ({ epoch: before, position }) => faces.get(`${deck} ${before}`)[position];
    const words = goes.map((card) => (typeof card === "string" ? card : face(card)));
    // What the printed deck does not have comes first; a stable sort keeps the rest of the order.
    words.sort((one, other) => printed.indexOf(one) - printed.indexOf(other));
    const { cards: laid, hashes } = await masked(checker.game, root, number, epoch, words);
    need(isSame(hashes, cards), `the deck ${deck}, in epoch ${epoch}, lay otherwise than the root says`);
    faces.set(name, laid);
    checker.count("masked");
  }
}

/** The shares of the root [8.9]. */
async function checkShares(checker, root) {
  const shares = checker.shares;
  let rest = root;
  for (const [place, { seat, digest }] of shares.entries()) {
    const number = u8(checker.seat(seat));
    const isLast = place === shares.length - 1;
    const share = isLast ? rest : await keyedHashOf(root, "escrow-share", number);
    rest = rest.map((byte, at) => byte ^ share[at]);
    const found = hex(await hashOf("escrow", checker.game, number, share));
    need(found === digest, `the share of ${seat} is none of the root`);
    checker.count("shared");
  }
}

/** Holds the books of standing orders against all commitments to them [9.3, 9.7, 9.8]. */
async function checkBooks(checker, root, changes) {
  const empty = () => ({ last: 0, orders: new Map() });
  const books = checker.seats.map(empty);
  let next = 0;
  for (const { seq, seat, books: committed } of checker.committed) {
    if (committed === null) {
      books[seat - 1] = empty();
      continue;
    }
    for (; changes[next]?.seq === seq && checker.seat(changes[next].seat) === seat; next += 1) {
      const book = books[seat - 1];
      const { order, cancel } = changes[next];
      if (order !== undefined) book.orders.set(book.last += 1, order);
      else need(book.orders.delete(cancel), "an order is taken back that was not left");
      await checkSignedOrder(checker, seat, changes[next]);
    }
    const text = ({ orders }) => withLength([...orders].map(([number, order]) => `${number} ${order}\n`).join(""));
    const salt = await keyedHashOf(root, "salt", withLength("books"), u8(0), u32(seq), u16(0));
    const found = await hashOf("books", checker.game, u32(seq), u8(books.length), ...books.map(text), salt);
    need(hex(found) === committed, `record ${seq} committed to other books of orders`);
    checker.count("opened");
  }
  need(next === changes.length, "a book of orders changes where it cannot");
}

/** The lines at which receipts stopped [7.19]. */
async function checkStops(checker, root, shown) {
  for (const [place, { receipt, line, text }] of shown.entries()) {
    const stop = checker.stops[place];
    need(stop?.receipt === receipt && stop.line === line, "the text of another line is published");
    const [of, at] = [u8(stop.seat), [u32(receipt), u16(line - 1)]];
    const salt = await keyedHashOf(root, "salt", withLength("line"), of, ...at);
    const found = hex(await hashOf("line", checker.game, of, ...at, withLength(text), salt));
    need(found === checker.receipts.get(receipt).lines[line - 1], "a line is not the one that its receipt fixed");
    checker.count("stopped");
  }
}

/** Parts of bytes, each behind its length as four bytes. */
class Parts {
  constructor(bytes) {
    Object.assign(this, { bytes, at: 0 });
  }

  take(length) {
    need(this.at + length <= this.bytes.length, "a signature ends too early");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  part() {
    const length = this.take(4);
    return this.take(new DataView(length.buffer, length.byteOffset).getUint32(0));
  }

  text() {
    return String.fromCharCode(...this.part());
  }
}

function ofBase64(text) {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    throw new Fault("a key or signature cannot be read");
  }
}

const withLong = (bytes) => joined([u32(bytes.length), bytes]);

/** Whether the browser knows Ed25519. */
async function knowsSignatures() {
  try {
    await crypto.subtle.importKey("raw", new Uint8Array(32).fill(9), "Ed25519", false, ["verify"]);
    return true;
  } catch (error) {
    return error.name !== "NotSupportedError";
  }
}

/** Checks what `ssh-keygen -Y sign` made of a text, by one of these keys [10.2, 10.3]. */
async function checkSignature(checker, signature, namespace, text, keys) {
  checker.knowsSignatures ??= await knowsSignatures();
  if (!checker.knowsSignatures) return checker.count("signatures");
  const parts = new Parts(ofBase64(signature));
  need(String.fromCharCode(...parts.take(6)) === "SSHSIG" && parts.take(4)[3] === 1, "a signature is none of SSH");
  const key = parts.part();
  const [space, reserved, hash] = [parts.text(), parts.part(), parts.text()];
  need(space === namespace && (hash === "sha512" || hash === "sha256"), "a signature is for something else");
  need(keys.some((known) => isSame(ofBase64(known.split(" ")[1] ?? ""), key)), "a signature is by another key");
  const digest = new Uint8Array(await crypto.subtle.digest(hash.replace("sha", "SHA-"), ascii.encode(text)));
  const said = joined([ascii.encode("SSHSIG"), withLong(ascii.encode(space)), withLong(reserved),
    withLong(ascii.encode(hash)), withLong(digest)]);
  const [signed, known] = [new Parts(parts.part()), new Parts(key)];
  need(signed.text() === "ssh-ed25519" && known.text() === "ssh-ed25519", "a signature is of another kind");
  const made = await crypto.subtle.importKey("raw", known.part(), "Ed25519", false, ["verify"]);
  need(await crypto.subtle.verify("Ed25519", made, signed.part(), said), "a signature does not hold");
  checker.count("signed");
}

/** What a seat signs [10.4]. */
function signedText(checker, seat, seen, part, { number, of, words }) {
  const head = checker.heads[seen];
  need(head !== undefined, "it is signed on a record that there is not");
  return `ringmail-order/2\ngame ${hex(checker.game)}\nseat ${seat}\non ${seen} ${head}\n${part} ${number} of ${of}\n`
    + `${words}\n`;
}

/** The signature of a record of a seat, by the keys that the seat had before it, or before the receipt of the act. */
async function checkSigned(checker, { seq, seat, type, via, line }) {
  if (!via?.signed) return;
  const known = checker.keysOf(seat, line?.receipt ?? seq);
  const text = signedText(checker, seat, via.seen, type === "say" ? "line" : "request", via.signed);
  await checkSignature(checker, via.signed.sig, "ringmail-order@v2", text, known);
}

/** The signature of a standing order, published with the books [9.10]. */
async function checkSignedOrder(checker, seat, { seq, seen, signed }) {
  if (!signed) return;
  const name = checker.seats[seat - 1];
  const known = checker.keysOf(name, seq);
  const text = signedText(checker, name, seen, "order", signed);
  await checkSignature(checker, signed.sig, "ringmail-order@v2", text, known);
}

/** The signature of a host who hands the game over [10.5]. */
async function checkHandover(checker, { sig, prev, host_key: key }) {
  if (!sig) return;
  const text = `ringmail-host/1\ngame ${hex(checker.game)}\nhead ${prev}\nhost ${key}\n`;
  await checkSignature(checker, sig, "ringmail-host@v1", text, [checker.hostKey ?? ""]);
}
