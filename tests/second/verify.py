#!/usr/bin/env python3
"""A second verifier of logs of format 2, written from games/README.md and from nothing else.

    verify.py LOG...       checks each log; one line each, OK or FAIL; exits with the code of the worst
    verify.py --vectors    checks the test vectors of chapter 16
    verify.py --bls MODULE LOG...   checks signatures of rounds with `verify(public_key, round, signature)` of a module

It needs Python 3.11 and no package. It knows no rules of any game. What it checks is what 13.1 of that page says can be
checked without them, except signatures and the time to answer: structure, canonical form, the chain, who may write what
and when, codes and spells, the pool, links, seeds, dice, draws, shuffles, decks, openings, seals, shares, `changed`
against the digests, the commitments to the order books, and everything that `reveal` publishes. Numbers in
brackets are paragraphs of the page.
"""

import base64
import hashlib
import hmac
import importlib
import re
import struct
import sys

OK, UNREAD, USAGE, MALFORMED, RULES, DICE, CHAIN, UNKNOWN = 0, 1, 2, 3, 4, 5, 6, 8
WORST = [CHAIN, DICE, RULES, MALFORMED, UNKNOWN, UNREAD, OK]  # [14.2]
ZERO = bytes(32)
LINE_MAX, RECORD_MAX, FILE_MAX, DEPTH_MAX, ITEMS_MAX = 65_536, 262_144, 268_435_456, 8, 4_096
LINKS = 65_536
RUN_MAX, ORDER_MAX, ORDERS_MAX, BOOK_MAX = 50, 2_000, 100, 65_535


class Fault(Exception):
    """Something that is not as the page says, and the exit code for it [14.1]."""

    def __init__(self, code, why):
        super().__init__(why)
        self.code = code


def need(condition, code, why):
    if not condition:
        raise Fault(code, why)


# --- Hashes [6] ---

def sha256(data):
    return hashlib.sha256(data).digest()


def H(label, *parts):
    return sha256(b"ringmail/2/" + label.encode() + b"\0" + b"".join(parts))


def M(key, label, *parts):
    return hmac.digest(key, b"ringmail/2/" + label.encode() + b"\0" + b"".join(parts), "sha256")


def u8(value):
    return struct.pack(">B", value)


def u16(value):
    return struct.pack(">H", value)


def u32(value):
    return struct.pack(">I", value)


def LP(value):
    data = value.encode() if isinstance(value, str) else value
    return u16(len(data)) + data


# --- The schema [4, 5]: keys in their order, what each holds, and whether it may be absent ---

INT53, INT32, INT8 = ("int", 2**53), ("int", 2**32 - 1), ("int", 2**8 - 1)
BOOL, TEXT, TIME = ("bool",), ("text",), ("time",)
HASH, CODE, GAME = ("hex", 32), ("hex", 20), ("hex", 16)
KEY96, SIGNATURE = ("hex", 96), ("hex", 48)


def word(*words):
    return ("word", frozenset(words))


def row(kind):
    """A list of scalars, on one line."""
    return ("row", kind)


def block(fields):
    return ("block", fields)


def blocks(fields):
    """A list of mappings."""
    return ("blocks", fields)


def fields(*keys):
    """Keys of a mapping; a `?` behind a key says that it may be absent."""
    return [(key.rstrip("?"), kind, key.endswith("?")) for key, kind in keys]


AUTHS = ["keyboard", "token", "confirmed", "dkim", "ssh"]
AUTH = word(*AUTHS)
SILENCE = word("wait", "default", "bot", "replacement", "forfeit")
WHAT = word("ruling", "undo", "deadline", "seat", "pause", "resume", "draw", "rules", "codes", "key")
GIVEN = block(fields(("k", INT32), ("code", CODE)))
OPENING = fields(("deck", TEXT), ("epoch?", INT32), ("pos", INT32), ("card", TEXT), ("salt", HASH))
DECK = fields(("deck", TEXT), ("epoch", INT32), ("masker", INT8), ("n", INT32), ("cards?", row(HASH)),
              ("commitment", HASH))
CONSENTS = blocks(fields(("seat", TEXT), ("raw?", HASH)))
SIGNED = block(fields(("number", INT32), ("of", INT32), ("words", TEXT), ("sig", TEXT)))
VIA = fields(("raw?", HASH), ("seen?", INT53), ("auth?", AUTH),
             ("by?", word("standing", "ahead", "deadline", "bot")), ("signed?", SIGNED))
SCHEDULE = fields(
    ("answer", TEXT), ("days_off?", row(word("mon", "tue", "wed", "thu", "fri", "sat", "sun"))),
    ("holidays?", row(TEXT)), ("quiet?", TEXT), ("grace?", TEXT), ("remind?", row(TEXT)),
    ("silence?", blocks(fields(("misses", INT32), ("then", SILENCE)))), ("extensions?", INT32), ("extension?", TEXT),
    ("zone?", TEXT))
OUTCOME = fields(
    ("open?", blocks(OPENING)),
    ("roll?", block(fields(
        ("link", HASH),
        ("dice?", blocks(fields(("n", INT32), ("label", TEXT), ("sides", INT32), ("faces?", row(INT32))))),
        ("draws?", blocks(fields(("n", INT32), ("deck", TEXT), ("left?", row(INT32)), ("pos", INT32)))),
        ("shuffles?", blocks(fields(("n", INT32), ("label", TEXT), ("count", INT32), ("order?", row(INT32)))))))),
    ("changed?", row(TEXT)))
TYPES = {
    "genesis": fields(
        ("format", INT32), ("game", GAME), ("name", TEXT), ("title", TEXT), ("rules", TEXT), ("engine?", TEXT),
        ("options?", blocks(fields(("name", TEXT), ("value", TEXT)))),
        ("seats?", blocks(fields(("seat", TEXT), ("player", TEXT), ("key?", TEXT), ("host", BOOL),
                                 ("played?", word("program", "easy", "strong")), ("zone?", TEXT)))),
        ("dice", block(fields(
            ("mode", word("chain", "beacon")), ("anchor", HASH), ("chain?", HASH),
            ("own?", block(fields(("public_key", KEY96), ("period", INT32), ("genesis_time", INT53),
                                  ("group_hash", HASH), ("beacon_id", TEXT))))))),
        ("decks?", blocks(DECK)),
        ("root", HASH), ("host_key?", TEXT), ("min_auth?", AUTH), ("escrow?", word("seats")),
        ("votes?", word("all", "majority")), ("press?", word("none", "open", "anonymous")),
        ("welcome?", word("watchers", "players")), ("schedule?", block(SCHEDULE))),
    "join": fields(("anchor?", CODE), ("phrase?", TEXT), ("message?", HASH), ("keys?", row(TEXT)), ("player?", TEXT),
                   ("address?", HASH)),
    "ready": fields(("code", GIVEN)),
    "start": fields(("setup", HASH), ("escrow?", blocks(fields(("seat", TEXT), ("digest", HASH))))) + OUTCOME,
    "say": fields(
        ("said", TEXT), ("code?", GIVEN),
        ("line?", block(fields(
            ("receipt", INT53), ("opened?", blocks(fields(("i", INT32), ("text", TEXT), ("salt", HASH)))))))) + OUTCOME,
    "sealed": fields(("asked", INT53), ("x", HASH)),
    "open": fields(("items?", blocks(OPENING)), ("x?", HASH), ("choice?", TEXT), ("salt?", HASH)),
    "heard": fields(),
    "deck": DECK + OUTCOME,
    "receipt": fields(("lines?", row(HASH)), ("cut?", row(INT32)), ("round?", INT53)),
    "stopped": fields(("receipt", INT53), ("line", INT32), ("reason", TEXT)),
    "round": fields(("receipt", INT53), ("signature", SIGNATURE)),
    "dns": fields(("key", HASH)),
    "keys": fields(("keys?", row(TEXT))),
    "address": fields(("address", HASH)),
    "host": fields(
        ("what", word("handover", "adoption")), ("host_key?", TEXT), ("anchor?", HASH), ("plays?", row(TEXT)),
        ("text", TEXT), ("consents?", CONSENTS), ("sig?", TEXT)),
    "consent": fields(("to", INT53), ("phrase?", TEXT), ("code?", GIVEN)),
    "correction": fields(
        ("what", WHAT), ("to?", INT53), ("text", TEXT), ("consents?", CONSENTS), ("motion?", INT53), ("of?", TEXT),
        ("player?", TEXT), ("codes?", CODE), ("key?", TEXT), ("rules?", TEXT), ("until?", TIME),
        ("address?", HASH)) + OUTCOME,
    "motion": fields(("what", WHAT), ("to?", INT53), ("of?", TEXT), ("codes?", CODE), ("key?", TEXT), ("rules?", TEXT),
                     ("text", TEXT), ("until?", TIME)),
    "vote": fields(("motion", INT53), ("says", word("yes", "no")), ("code?", GIVEN)),
    "concede": fields(("text?", TEXT)),
    "dispute": fields(("about", INT53), ("text", TEXT)),
    "clock": fields(
        ("what", word("absent", "back", "extended", "lapsed", "unreachable", "reachable", "zone")), ("asked?", INT53),
        ("due?", TIME), ("misses?", INT32), ("then?", SILENCE), ("until?", TIME), ("from?", TEXT), ("to?", TEXT),
        ("zone?", TEXT), ("whom?", TEXT), ("text?", TEXT)),
    "reveal": fields(
        ("root", HASH),
        ("orders?", blocks(fields(("seq", INT53), ("seat", TEXT), ("order?", TEXT), ("cancel?", INT32),
                                 ("seen?", INT53), ("signed?", SIGNED)))),
        ("lines?", blocks(fields(("receipt", INT53), ("line", INT32), ("text", TEXT))))),
    "end": fields(("result", TEXT), ("digest", HASH), ("closing", HASH)),
}
BEGINNING = fields(("seq", INT53), ("prev", HASH), ("at", TIME), ("type", word(*TYPES)), ("seat", TEXT),
                   ("via?", block(VIA)), ("books?", HASH))
PLAYED = {"start", "say", "deck", "correction"}
RECORD = {name: BEGINNING + keys + ([] if name == "end" else fields(("digest?", HASH)))
          for name, keys in TYPES.items()}

# --- Reading and writing [2] ---

ESCAPED = re.compile("[\"\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
LONG = {value: key for key, value in SHORT.items()}
STRING = re.compile('"(?:[^"\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|'
                    '\\\\(?:["\\\\nrt]|u(?!d[89a-f])[0-9a-f]{4}))*"')
ESCAPE = re.compile(r"\\(?:u(....)|.)")
INTEGER = re.compile("0|[1-9][0-9]*")
KEY = re.compile("( *)(- )?([a-z][a-z0-9_]*):")
STAMP = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-5][0-9])Z", re.ASCII)


def is_time(text):
    found = STAMP.fullmatch(text)
    if not found:
        return False
    year, month, day, hour, minute, _ = map(int, found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1 <= month <= 12 and 1 <= day <= days[month - 1] and hour <= 23 and minute <= 59


class Reader:
    """Reads one record by its schema, and refuses everything else."""

    def __init__(self, data):
        need(len(data) <= RECORD_MAX, MALFORMED, "the record is too long")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise Fault(MALFORMED, "the record is no UTF-8") from None
        self.lines = text.split("\n")
        need(self.lines[0] == "---" and self.lines[-2:] == ["...", ""], MALFORMED, "no record")
        too_long = any(len(line) >= LINE_MAX // 4 and len(line.encode()) >= LINE_MAX for line in self.lines)
        need(not too_long, MALFORMED, "a line is too long")
        self.at = 1
        self.item = False

    def record(self):
        found = next((line for line in self.lines[1:6] if line.startswith('type: "')), "")
        name = found[7:-1]
        need(name in RECORD, MALFORMED, "the record has no type")
        record = self.mapping(RECORD[name], 0, 0)
        need(self.at == len(self.lines) - 2, MALFORMED, f"nothing more can stand on line {self.at + 1}")
        return record

    def wrong(self, why):
        return Fault(MALFORMED, f"line {self.at + 1} of the record: {why}")

    def mapping(self, schema, indent, depth):
        need(depth <= DEPTH_MAX, MALFORMED, "nested too deep")
        value = {}
        for key, kind, optional in schema:
            line = self.lines[self.at]
            start = " " * (indent - 2) + "- " if self.item else " " * indent
            if not line.startswith(f"{start}{key}:"):
                need(optional, MALFORMED, f"line {self.at + 1} of the record: `{key}` is missing")
                continue
            self.item = False
            value[key] = self.value(kind, line[len(start) + len(key) + 1:], indent, depth)
        if self.item:
            raise self.wrong("an item without keys")
        return value

    def value(self, kind, rest, indent, depth):
        if kind[0] in ("block", "blocks"):
            if rest:
                raise self.wrong("the line should end behind the key")
            self.at += 1
            if kind[0] == "block":
                return self.mapping(kind[1], indent + 2, depth + 1)
            items, opened = [], " " * (indent + 2) + "- "
            while self.lines[self.at].startswith(opened):
                self.item = True
                items.append(self.mapping(kind[1], indent + 4, depth + 1))
            if not 1 <= len(items) <= ITEMS_MAX:
                raise self.wrong("a list of no items, or of too many")
            return items
        if not rest.startswith(" "):
            raise self.wrong("a blank and a value should follow the key")
        value, end = self.row(kind[1], rest) if kind[0] == "row" else self.scalar(kind, rest, 1)
        if end != len(rest):
            raise self.wrong("something follows the value")
        self.at += 1
        return value

    def row(self, kind, rest):
        items, end = [], 2
        if not rest.startswith(" ["):
            raise self.wrong("a list should stand here")
        while True:
            item, end = self.scalar(kind, rest, end)
            items.append(item)
            if rest.startswith("]", end):
                break
            if not rest.startswith(", ", end) or len(items) == ITEMS_MAX:
                raise self.wrong("no list")
            end += 2
        return items, end + 1

    def scalar(self, kind, rest, start):
        name = kind[0]
        if name == "int":
            found = INTEGER.match(rest, start)
            if not found or len(found[0]) > 16 or int(found[0]) > min(kind[1], 2**53):
                raise self.wrong("no such integer")
            return int(found[0]), found.end()
        if name == "bool":
            for text, value in (("true", True), ("false", False)):
                if rest.startswith(text, start):
                    return value, start + len(text)
            raise self.wrong("neither true nor false")
        found = STRING.match(rest, start)
        if not found:
            raise self.wrong("no text")
        text = found[0][1:-1]
        if "\\" in text:
            text = ESCAPE.sub(lambda it: chr(int(it[1], 16)) if it[1] else LONG[it[0]], text)
        if name == "hex":
            if not re.fullmatch("[0-9a-f]{%d}" % (2 * kind[1]), text):
                raise self.wrong(f"not {2 * kind[1]} hex digits")
            return bytes.fromhex(text), found.end()
        if name == "word" and text not in kind[1]:
            raise self.wrong("not one of the words that can stand here")
        if name == "time" and not is_time(text):
            raise self.wrong("no time")
        return text, found.end()


def show(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, bytes):
        return f'"{value.hex()}"'
    escape = lambda found: SHORT.get(found[0]) or "\\u%04x" % ord(found[0])
    return '"' + ESCAPED.sub(escape, value) + '"'


def write(value, schema, indent, out, first=""):
    """Writes a mapping [2.2]; `first` opens its first line if it is an item of a list."""
    for key, kind, _ in schema:
        if key not in value:
            continue
        start, first = first or " " * indent, ""
        held = value[key]
        if kind[0] == "block":
            out.append(f"{start}{key}:")
            write(held, kind[1], indent + 2, out)
        elif kind[0] == "blocks":
            out.append(f"{start}{key}:")
            for item in held:
                write(item, kind[1], indent + 4, out, " " * (indent + 2) + "- ")
        elif kind[0] == "row":
            out.append(f"{start}{key}: [{', '.join(map(show, held))}]")
        else:
            out.append(f"{start}{key}: {show(held)}")


def written(record):
    out = ["---"]
    write(record, RECORD[record["type"]], 0, out)
    return "\n".join([*out, "...", ""]).encode()


def split(data):
    """The records of a log [1.1 to 1.3]."""
    start = 0
    while start < len(data):
        need(data.startswith(b"---\n", start) or b"---\n".startswith(data[start:]) or data[start] == 0, MALFORMED,
             "something else than a record stands here")
        end = data.find(b"\n...\n", start)
        need(end >= 0, MALFORMED, "the log ends inside a record")
        yield data[start:end + 5]
        start = end + 5


# --- Dice [7] ---

def link_below(game, n, link):
    return H("host-link", game, u32(n), link)


def code_below(genesis, seat, k, code):
    return H("seat-link", genesis, u8(seat), u32(k), code)[:20]


def absorb_code(pool, seat, k, code):
    return H("pool", pool, u8(seat), u32(k), LP(code))


QUICKNET_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a")
QUICKNET = bytes.fromhex("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971")


BLS = None  # what checks the signature of a round, if there is a library for the curve [7.15]


def beacon(dice):
    """The chain of the beacon [7.15]. `check` says whether the signature of a round holds, if that can be said."""
    if "chain" not in dice:
        need(dice["mode"] == "chain" and "own" not in dice, MALFORMED, "no chain of a beacon")
        return None
    if dice["chain"] == QUICKNET:
        need("own" not in dice, MALFORMED, "quicknet is described")
        return chain(QUICKNET, 3, 1692803367, QUICKNET_KEY)
    own = dice.get("own")
    need(own is not None and own["period"] > 0, MALFORMED, "another chain, and nothing describes it")
    name = own["beacon_id"].encode()
    need(re.fullmatch(rb"[!-~]{1,64}", name), MALFORMED, "the id of a chain")
    parts = struct.pack(">IQ", own["period"], own["genesis_time"]), own["public_key"], own["group_hash"]
    found = sha256(b"".join(parts) + (b"" if name == b"default" else name))
    need(found == dice["chain"], MALFORMED, "the chain has another hash")
    return chain(found, own["period"], own["genesis_time"], own["public_key"])


def chain(name, period, genesis_time, key):
    check = BLS and (lambda number, signature: BLS(key, number, signature))
    return {"hash": name, "period": period, "genesis_time": genesis_time, "check": check}


def absorb_round(pool, chain, number, signature):
    return H("beacon", pool, chain, struct.pack(">Q", number), u16(len(signature)), signature)


def line_commitment(game, seat, seq, place, text, salt):
    return H("line", game, u8(seat), u32(seq), u16(place), LP(text), salt)


def setup(game, genesis, anchor, root, seats):
    """`G` [7.3]; `seats` are pairs and more: anchor, phrase, message."""
    parts = [game, genesis, anchor, root, u8(len(seats))]
    for number, (codes, phrase, message) in enumerate(seats, 1):
        parts += [u8(number), LP(codes), LP(phrase), message, LP(b"")]
    return H("setup", *parts)


def roll_seed(game, n, link, pool):
    return H("roll", game, u32(n), link, pool)


def words_of(seed):
    """The generator [7.8]: ChaCha20 in the layout of Bernstein, as 32-bit words."""
    key = struct.unpack("<8I", seed)
    mask = 0xFFFFFFFF
    quarters = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
    counter = 0
    while True:
        begun = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key, counter & mask, counter >> 32, 0, 0]
        x = begun[:]
        for _ in range(10):
            for a, b, c, d in quarters:
                xa, xb, xc, xd = x[a], x[b], x[c], x[d]
                xa = (xa + xb) & mask
                xd ^= xa
                xd = (xd << 16 | xd >> 16) & mask
                xc = (xc + xd) & mask
                xb ^= xc
                xb = (xb << 12 | xb >> 20) & mask
                xa = (xa + xb) & mask
                xd ^= xa
                xd = (xd << 8 | xd >> 24) & mask
                xc = (xc + xd) & mask
                xb ^= xc
                xb = (xb << 7 | xb >> 25) & mask
                x[a], x[b], x[c], x[d] = xa, xb, xc, xd
        yield from ((new + old) & mask for new, old in zip(x, begun))
        counter += 1


def uniform(words, m):
    z = 2**32 // m * m
    while True:
        value = next(words)
        if value < z:
            return value % m


def shuffle(words, count):
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = uniform(words, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


# --- Cards and seals [8, 9] ---

def root_commitment(game, root):
    return H("root", game, u8(0), root)


def card_commitment(game, deck, epoch, position, card, salt):
    return H("card", game, u8(deck), u8(epoch), u16(position), LP(card), salt)


def deck_commitment(game, deck, epoch, cards):
    return H("deck", game, u8(deck), u8(epoch), u16(len(cards)), *cards)


def deck_key(root, deck, epoch):
    return M(root, "deck-key", u8(deck), u8(epoch))


def mask(game, root, deck, epoch, cards):
    """The cards in the order of the positions, and their commitments [8.3, 8.4]; `cards` are in printed order."""
    key = deck_key(root, deck, epoch)
    laid = [cards[place] for place in shuffle(words_of(H("mask-order", key)), len(cards))]
    salts = [M(key, "card-salt", u16(position)) for position in range(len(cards))]
    both = enumerate(zip(laid, salts))
    return laid, [card_commitment(game, deck, epoch, position, card, salt) for position, (card, salt) in both]


def fingerprint(genesis):
    """The places of the twelve words in the list, from 0 [3.6]."""
    bits = int.from_bytes(genesis, "big") >> (256 - 132)
    return [bits >> (11 * (11 - word)) & 2047 for word in range(12)]


def seal(label, game, seat, seq, text, salt):
    return H(label, game, u8(seat), u32(seq), LP(text), salt)


def shares(root, seats):
    """The share of each seat [8.9]."""
    found, rest = {}, root
    for seat in seats[:-1]:
        found[seat] = M(root, "escrow-share", u8(seat))
        rest = bytes(one ^ other for one, other in zip(rest, found[seat]))
    if seats:
        found[seats[-1]] = rest
    return found


# --- The printed decks [17] ---

TERRITORIES = """
forodwaith eastern-angmar angmar borderlands north-downs fornost weather-hills rhudaur buckland old-forest south-downs
druwaith-iaur andrast anfalas vale-of-erech lamedon belfalas lebennin minas-tirith ithilien south-ithilien moria
gladden-fields lorien the-wold emyn-muil brown-lands rhun-hills dead-marshes eregion minhiriath dunland enedwaith
fangorn west-rohan gap-of-rohan forlindon mithlond harlindon lune-valley evendim-hills tower-hills the-shire udun-vale
mount-doom barad-dur gorgoroth minas-morgul nurn harondor umbar deep-harad harad near-harad khand carrock
north-mirkwood anduin-valley eastern-mirkwood south-mirkwood north-rhun withered-heath esgaroth south-rhun
""".split()
MISSIONS = """
hobbiton grey-havens harlond bree weathertop carn-dum mount-gundabad elven-halls erebor tharbad gates-of-moria edoras
lothlorien rauros easterling-encampment dagorlad osgiliath erech pelargir dol-amroth mount-doom haradrim-encampment
""".split()
POWERS = """
grima-wormtongue grima-wormtongue courage-alone-will-not-save-you you-shall-not-pass you-shall-not-pass ambush
the-enemy-is-at-hand siege-machines move-by-night the-way-is-under-the-mountains the-way-is-under-the-mountains
violent-storms borne-to-another-place hunt-for-the-ringbearer strategic-withdrawal black-sails a-balrog-is-come
boromir-tries-to-seize-the-one-ring knife-in-the-dark dangerous-crossing gollum faramir-finds-the-ringbearer
captured-by-orcs shelobs-lair smeagol
""".split()
EVENTS = """
appoint-a-second-leader appoint-a-second-leader appoint-a-second-leader appoint-a-second-leader winter-storms raiders
mustering-of-middle-earth local-uprising corsairs-of-umbar the-black-gates-open theyve-brought-a-cave-troll the-entmoot
aragorn-arrives
""".split()


def printed_decks(title, options):
    """The decks of a title, in order: names, and words of the cards."""
    if title == "wotr":
        decks = [("free-character", "fp-char"), ("free-strategy", "fp-strat"), ("shadow-character", "sh-char"),
                 ("shadow-strategy", "sh-strat")]
        return [(name, [f"{short}-{number:02}" for number in range(1, 25)]) for name, short in decks]
    need(title == "risk", UNKNOWN, f"the game {title} is not known")
    territory = [f"terr-{name}" for name in TERRITORIES] + ["wild-1", "wild-2"]
    missions = [name for name in MISSIONS if options.get("sites") != "21" or name != "mount-gundabad"]
    adventure = [f"mission-{name}" for name in missions] + [f"power-{name}" for name in POWERS]
    decks = [("territory", territory), ("adventure", adventure)]
    return decks[:1] if options.get("variant") == "standard" else decks


# --- The game as far as a log shows it without the rules ---

FORTNIGHT = 14 * 24 * 3600
ADOPTING = {"consent", "host", "heard", "dispute", "keys", "address", "dns", "clock"}
NOT_HOSTED = ("anchor", "phrase", "message", "address")


def seconds(stamp):
    """Seconds of a time, from some day on."""
    year, month, day, hour, minute, second = (int(part) for part in STAMP.fullmatch(stamp).groups())
    year, month = (year - 1, month + 12) if month < 3 else (year, month)
    days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * month - 457) // 5 + day
    return ((days * 24 + hour) * 60 + minute) * 60 + second


def is_text(value):
    return 1 <= len(value) <= 1000


def is_order(text):
    """Whether a text is a standing order in its own words [9.2]."""
    if text.split(" ") != text.split() or len(text.encode()) > ORDER_MAX:
        return False
    scope = re.search(r" (once|this battle|next battle|next turn|until (end of turn|[^ ]+))$", text)
    if scope:
        if scope[1].startswith("until ") and scope[2] != "end of turn" and not is_time(scope[2]):
            return False
        text = text[:scope.start()]
    names = "[^A-Z ,;:]+(, [^A-Z ,;:]+)*"
    head = rf"when asked (?!say ){names}( in {names})?( by [^ ]+)?( if [^;:]+?)? say "
    found = re.match(head, text)
    answers = text[found.end():].split("; ") if found else []
    branch = r"else (if [^;:]+? say )?"
    if any(not re.match(branch, answer) for answer in answers[1:]):
        return False
    answers = answers[:1] + [re.sub(branch, "", answer, count=1) for answer in answers[1:]]
    return bool(answers) and all(answer.strip() for branch in answers for answer in branch.split(", else "))


def book_text(book):
    return "".join(f"{number} {order}\n" for number, order in book.items()).encode()


def commitment_to_books(game, root, seq, texts):
    salt = M(root, "salt", LP("books"), u8(0), u32(seq), u16(0))
    return H("books", game, u32(seq), u8(len(texts)), *(u16(len(text)) + text for text in texts), salt)


class Laid:
    """One laying down of a deck."""

    def __init__(self, deck, epoch, cards, goes_in):
        self.deck, self.epoch, self.cards, self.goes_in = deck, epoch, cards, goes_in
        self.opened = set()


class Motion:
    def __init__(self, record, mover, voters, needed):
        self.seq, self.at, self.mover, self.voters, self.needed = record["seq"], record["at"], mover, voters, needed
        keys = ("what", "to", "of", "codes", "key", "rules", "until", "text")
        self.proposal = {key: record.get(key) for key in keys}
        self.ayes = [(mover, record.get("via", {}).get("raw"))]
        self.codes = {}

    def is_carried(self):
        return sum(seat in self.voters for seat, _ in self.ayes) >= self.needed

    def has_lapsed(self, at):
        return seconds(at) - seconds(self.at) > FORTNIGHT


class Log:
    """A log, record by record."""

    def __init__(self):
        self.seq, self.head, self.at, self.phase = -1, ZERO, "", "new"
        self.facts, self.throws, self.sealed = {}, 0, []
        self.committed, self.run, self.by_orders, self.must_sign = [], [], 0, set()
        self.laid, self.left, self.lefts, self.barrier = {}, {}, [], 0
        self.moment, self.spells, self.letters = 0, {}, {}
        self.motions, self.conceded, self.paused, self.drawn = {}, {}, False, False
        self.adoption, self.escrow, self.unreachable, self.has_keys = None, {}, set(), set()
        self.name, self.result = "", ""
        self.mode, self.beacon, self.start_round, self.unchecked = "chain", None, None, 0
        self.waiting, self.left_lines, self.playing, self.fixed, self.stops = [], [], None, set(), []
        self.sights, self.went_on = {}, 0

    # Every record [3, 4].

    def take(self, raw):
        if self.phase == "new":
            found = re.search(rb'\ntype: "genesis"\n(?:.*\n)*?format: ([0-9]+)\n', raw)
            known = not found or int(found[1]) == 2 or int(found[1]) >= 2**32
            need(known, UNKNOWN, "this is a log of another format")
        record = Reader(raw).record()
        need(written(record) == raw, MALFORMED, "the record is not canonical")
        need(record["prev"] == self.head, CHAIN, "`prev` is not the hash of the record before")
        need(record["seq"] == self.seq + 1, MALFORMED, "`seq` is not the next number")
        need(record["at"] >= self.at, MALFORMED, "time runs back")
        self.seq, self.at, self.record, self.raw = record["seq"], record["at"], record, raw
        self.in_place(record["type"])
        self.via = record.get("via", {})
        self.check_via()
        started = self.phase == "playing"
        self.check_address(record)
        getattr(self, f"on_{record['type']}")(record)
        if record["type"] in PLAYED:
            self.played(record)
        self.take_books(record, started)
        self.check_digest(record)
        self.head = sha256(raw)
        if self.phase == "new":
            self.genesis_hash, self.phase = self.head, "joining"

    def in_place(self, kind):
        allowed = {
            "new": {"genesis"},
            "joining": {"join", "ready", "start", "clock", "address", "receipt", "round"},
            "playing": set(TYPES) - {"genesis", "join", "ready", "start", "end"},
            "revealed": {"end"},
            "ended": set(),
        }[self.phase]
        if self.phase == "playing" and self.is_closed():
            allowed -= {"say", "deck", "concede", "motion", "vote"}
        if self.phase == "playing" and self.adoption:
            allowed &= ADOPTING
        need(kind in allowed, MALFORMED, f"`{kind}` cannot stand here")
        self.mind_run(kind)

    def check_via(self):
        via, by, kind = self.via, self.via.get("by"), self.record["type"]
        self.check_sight()
        if self.record["seat"] not in getattr(self, "numbers", {}):
            need("via" not in self.record, MALFORMED, "no seat made this")
            return
        seat = self.seat()
        of_letter = any(key in via for key in ("raw", "seen", "auth", "signed"))
        given = kind == "say" or (kind, by) == ("concede", "deadline")
        given = given or kind in ("receipt", "stopped") and by in ("deadline", "bot")
        need(by is None or given, MALFORMED, "no question is answered")
        need(by == "bot" or kind not in ("say", "receipt") or seat not in self.programs, MALFORMED, "a program plays it")
        need(not of_letter or by in (None, "ahead"), MALFORMED, "`via` is of a letter and of something else")
        need(via.get("seen", -1) < self.seq, MALFORMED, "`seen` is no earlier record")
        auth, may_type = via.get("auth"), seat in self.typed or self.min_auth == "keyboard"
        if auth == "keyboard":
            need(set(via) == {"auth"}, MALFORMED, "a letter where somebody typed")
            need(may_type, CHAIN, "nobody may type for this seat")
        elif auth is not None:
            need("raw" in via, MALFORMED, "no letter")
            due = kind in ("join", "ready", "say", "consent") or kind == "vote" and "code" in self.record
            need("seen" in via or not due, MALFORMED, "not what the letter had seen")
        if by in ("standing", "deadline", "bot"):
            return
        least = "keyboard" if kind == "heard" else self.least(kind, seat, may_type)
        need(auth is not None and AUTHS.index(auth) >= AUTHS.index(least), CHAIN, "the class is too low")
        signed = auth == "ssh" and kind not in ("heard", "receipt", "stopped")
        need(signed == ("signed" in via), CHAIN, "half a signature")

    def least(self, kind, seat, may_type):
        """The least class of a record of a seat [10.1]."""
        if may_type and kind != "consent":
            return "keyboard"
        higher = max(self.min_auth, "confirmed", key=AUTHS.index)
        if kind == "motion":
            about_itself = self.record["what"] == "key" and self.record.get("of") == self.record["seat"]
            return "confirmed" if self.record["what"] == "deadline" or about_itself else higher
        if kind in ("vote", "concede", "consent", "keys"):
            return higher
        if kind in ("say", "receipt", "stopped"):
            return self.min_auth
        return "token" if self.min_auth == "ssh" else self.min_auth

    def check_sight(self):
        """What the letter of an answer must have seen [4.9]."""
        record, via = self.record, self.via
        if record["type"] == "say" and "by" not in via and "raw" in via and "seen" in via:
            raw, seen = self.sights.get(record["seat"], (None, None))
            if raw == via["raw"]:
                need(via["seen"] >= seen, MALFORMED, "a further line of a letter had seen less")
            else:
                need(via["seen"] >= self.went_on, MALFORMED, "the letter had not seen the question that it answers")
            self.sights[record["seat"]] = (via["raw"], via["seen"])
        undoes = record["type"] == "correction" and record["what"] == "undo"
        if record["type"] in ("start", "say", "deck") or undoes:
            self.went_on = self.seq

    def check_address(self, record):
        """Class `dkim` is for seats to whose address the log commits [10.9]."""
        if self.via.get("auth") == "dkim" and record["seat"] != "host":
            held = record.get("address") if record["type"] == "join" else self.addresses.get(self.seat())
            need(held, CHAIN, "class `dkim` in a seat whose address is not committed to")

    def by_host(self):
        need(self.record["seat"] == "host", MALFORMED, "this is for the host to write")

    def seat(self, name=None):
        """The number of the seat that writes, or of one that is named."""
        name = self.record["seat"] if name is None else name
        need(name in self.numbers, MALFORMED, f"there is no seat `{name}`")
        return self.numbers[name]

    def known_writer(self):
        if self.record["seat"] != "host":
            self.seat()

    def seen(self):
        return self.via.get("seen", self.seq - 1)

    # Before the start [5.1 to 5.3, 7.1 to 7.4].

    def on_genesis(self, record):
        need(record["format"] == 2, UNKNOWN, "this is a log of another format")
        self.game, self.name, self.root = record["game"], record["name"], record["root"]
        self.options = {option["name"]: option["value"] for option in record.get("options", [])}
        self.title, self.edition = record["title"], record["rules"]
        self.printed = printed_decks(self.title, self.options)
        self.anchor, self.mode = record["dice"]["anchor"], record["dice"]["mode"]
        self.beacon = beacon(record["dice"])
        seats = record.get("seats", [])
        words = [seat["seat"] for seat in seats]
        need(len(set(words)) == len(words) and not {"host", ""} & set(words), MALFORMED, "words of seats")
        need(1 <= len(words) <= 250, MALFORMED, "1 to 250 seats")
        self.words = words
        self.numbers = {name: number for number, name in enumerate(words, 1)}
        self.hosted = {number for number, seat in enumerate(seats, 1) if seat["host"]}
        self.players = set(self.numbers.values()) - self.hosted
        self.programs = {number for number, seat in enumerate(seats, 1) if "played" in seat}
        need(self.programs <= self.hosted and len(self.programs) < len(words), MALFORMED, "seats of a program")
        self.typed, self.free, self.keys = set(self.hosted), set(), {}
        self.min_auth = record.get("min_auth", "token")
        need(self.min_auth != "confirmed", MALFORMED, "no class for a whole game")
        self.votes = record.get("votes", "all")
        self.has_schedule = "schedule" in record
        self.has_escrow = "escrow" in record
        need(not self.has_escrow or len(self.players) >= 2, MALFORMED, "shares for fewer than two seats")
        self.by_host()
        decks = record.get("decks", [])
        need(len(decks) == len(self.printed), MALFORMED, "the game has other decks")
        for number, deck in enumerate(decks):
            self.lay(number, 0, deck, self.printed[number][1])
        self.joined, self.ready_codes, self.codes, self.addresses = {}, {}, {}, {}
        self.note_left()

    def on_join(self, record):
        seat = self.seat()
        need(seat not in self.joined, MALFORMED, "the seat has joined already")
        hosts = self.hosted <= set(self.joined)
        if seat in self.hosted:
            need(not any(key in record for key in NOT_HOSTED), MALFORMED, "a hosted seat contributes nothing")
            need(set(self.joined) <= self.hosted, MALFORMED, "hosted seats join first")
        else:
            need("message" in record and hosts, MALFORMED, "no `message`, or a hosted seat has not joined")
        need(self.mode == "chain" or "anchor" not in record, MALFORMED, "with a beacon nobody keeps codes")
        self.check_keys(seat, record)
        self.keys[seat] = bool(record.get("keys"))
        self.joined[seat] = (record.get("anchor", b""), record.get("phrase", ""), record.get("message", ZERO))
        self.last_join = self.seq
        self.addresses[seat] = record.get("address")

    def check_keys(self, seat, record):
        can_sign = record.get("keys") or seat in self.hosted or self.min_auth != "ssh"
        need(can_sign, MALFORMED, "every seat of this game needs a key")

    def on_ready(self, record):
        seat = self.seat()
        need(set(self.joined) == set(self.numbers.values()), MALFORMED, "not every seat has joined")
        anchor = self.joined[seat][0]
        need(anchor and seat not in self.codes, MALFORMED, "the seat keeps no codes, or is ready already")
        need(self.seen() >= self.last_join, MALFORMED, "`seen` is before the last join")
        self.codes[seat] = (0, anchor)
        self.ready_codes[seat] = self.accept(seat, record["code"])

    def on_start(self, record):
        self.by_host()
        need(set(self.joined) == set(self.numbers.values()), MALFORMED, "not every seat has joined")
        seats = [self.joined[seat] for seat in sorted(self.joined)]
        waiting = [seat for seat, (anchor, _, _) in self.joined.items() if anchor and seat not in self.codes]
        need(not waiting, MALFORMED, "not every seat that keeps codes is ready")
        self.pool = setup(self.game, self.genesis_hash, self.anchor, self.root, seats)
        need(record["setup"] == self.pool, DICE, "`setup` is another hash")
        for seat in sorted(self.ready_codes):
            self.pool = absorb_code(self.pool, seat, *self.ready_codes[seat])
        if self.beacon:
            need(self.start_round, MALFORMED, "the round of the start is not there")
            self.pool = absorb_round(self.pool, self.beacon["hash"], *self.start_round)
        expected = [self.words[seat - 1] for seat in sorted(self.players)] if self.has_escrow else []
        shared = record.get("escrow", [])
        need([share["seat"] for share in shared] == expected, MALFORMED, "shares of other seats")
        self.escrow = {self.numbers[share["seat"]]: share["digest"] for share in shared}
        self.link, self.opened, self.phase, self.barrier = self.anchor, 0, "playing", self.seq

    # Receipts and rounds [5.23, 5.24, 7.15 to 7.17].

    def on_receipt(self, record):
        need(self.beacon, MALFORMED, "the game has no beacon")
        seat = 0 if record["seat"] == "host" else self.seat()
        if self.phase == "joining":
            everybody = set(self.joined) == set(self.numbers.values())
            need(not seat and everybody, MALFORMED, "the host's, when all have joined")
            need(not self.start_round and not self.waiting, MALFORMED, "the start has its receipt")
        else:
            need(self.mode == "beacon", MALFORMED, "only the start waits for the beacon")
        lines = record.get("lines", [])
        need(bool(seat) == bool(lines), MALFORMED, "lines in a receipt of the host, or none in one of a seat")
        need(seat or "round" in record, MALFORMED, "the host's receipt has a round")
        by_schedule = self.via.get("by") != "deadline" or self.has_schedule
        need(by_schedule, MALFORMED, "there is no schedule")
        cut = record.get("cut", [])
        need(cut == sorted(set(cut)) and all(1 <= line < len(lines) for line in cut), MALFORMED, "other lines are cut")
        since = seconds(self.at) - seconds("1970-01-01T00:00:00Z") - self.beacon["genesis_time"]
        if "raw" in self.via:
            need(self.via["raw"] not in self.fixed, MALFORMED, "the letter has had a receipt")
            self.fixed.add(self.via["raw"])
        expected = (since // self.beacon["period"] + 1 if since >= 0 else 0) + 100
        need(record.get("round", expected) == expected, DICE, f"the round is {expected}")
        receipt = {"seq": self.seq, "seat": seat, "via": self.via, "lines": lines, "next": 1, "cut": cut,
                   "round": record.get("round")}
        (self.waiting if "round" in record else self.left_lines).append(receipt)

    def on_round(self, record):
        self.by_host()
        need(self.beacon, MALFORMED, "the game has no beacon")
        first = self.waiting[0]["seq"] if self.waiting else None
        need(first == record["receipt"], DICE, "another receipt is played first, or none waits")
        receipt = self.waiting.pop(0)
        time = self.beacon["genesis_time"] + (receipt["round"] - 1) * self.beacon["period"]
        need(seconds(self.at) - seconds("1970-01-01T00:00:00Z") >= time, DICE, "the round is not signed yet")
        # Without a library for the curve the signature is taken as it stands.
        check = self.beacon["check"]
        need(check is None or check(receipt["round"], record["signature"]), DICE, "the signature does not hold")
        self.unchecked += check is None
        if self.phase == "joining":
            self.start_round = (receipt["round"], record["signature"])
        else:
            self.pool = absorb_round(self.pool, self.beacon["hash"], receipt["round"], record["signature"])
        self.playing = dict(receipt, stopped=False)

    def void(self, is_void):
        """What these seats have fixed is not played any more."""
        self.waiting = [receipt for receipt in self.waiting if not is_void(receipt["seat"])]
        self.left_lines = [receipt for receipt in self.left_lines if not is_void(receipt["seat"])]

    def on_stopped(self, record):
        need(record["reason"], MALFORMED, "no reason")
        run, seat = self.playing, self.seat()
        right = run and (run["seq"], run["seat"], run["next"]) == (record["receipt"], seat, record["line"])
        rest = right and not run["stopped"] and run["next"] <= len(run["lines"])
        need(rest, DICE, "another line is the next one, or none")
        need(self.asked() == seat, DICE, "it stops while its seat is not asked")
        run["stopped"] = True
        self.stops.append((run["seq"], record["line"], seat, run["lines"][record["line"] - 1]))

    def show_stops(self, root, shown):
        """The lines at which receipts stopped, as they are published [7.19]."""
        for (receipt, line, seat, committed), item in zip(self.stops, shown):
            need((item["receipt"], item["line"]) == (receipt, line), MALFORMED, "the text of another line")
            salt = M(root, "salt", LP("line"), u8(seat), u32(receipt), u16(line - 1))
            found = line_commitment(self.game, seat, receipt, line - 1, item["text"], salt)
            need(found == committed, DICE, "the line is not the one committed to")
        need(len(shown) <= len(self.stops), MALFORMED, "more lines than receipts that stopped")
        room = 48_000 - sum(len(item["text"].encode()) for item in shown)
        need(len(shown) in (len(self.stops), 400) or room < 4_000, DICE, "a line is not published")

    def mind_run(self, kind):
        """A record that is no part of the run ends it."""
        if kind == "clock" and self.record["what"] == "lapsed" and self.phase == "playing":
            waits = any(receipt["seat"] == self.asked() for receipt in self.waiting)
            need(not waits, MALFORMED, "an answer of the seat waits for its round")
        if kind in ("say", "round"):
            is_carried = any(motion.is_carried() for motion in self.motions.values())
            need(not is_carried, MALFORMED, "a motion is carried, and is done first")
        run = self.playing
        if not run or kind in ("say", "deck", "start", "stopped"):
            return
        rest, self.playing = not run["stopped"] and run["next"] <= len(run["lines"]), None
        adopts = kind == "host" and self.record["what"] == "adoption"
        need(not (rest and not adopts and self.asked() == run["seat"]), DICE, "a line is neither played nor refused")
        is_due = self.phase == "playing" and not adopts and self.facts.get("question") == "question: -"
        need(not is_due, DICE, "the run ends before a deck is laid")
        if rest:
            self.left_lines.append(run)

    def check_lines(self, seat, record):
        if self.mode == "chain":
            need("line" not in record, MALFORMED, "the game has no receipts")
            return
        need(self.playing, DICE, "no round is there for it")
        by, line = self.via.get("by"), record.get("line")
        need((line is None) == (by == "standing"), MALFORMED, "a `line` exactly if no standing order answers")
        if line is None:
            return
        need(line["receipt"] <= self.playing["seq"], DICE, "the receipt came too late")
        ahead, found = by == "ahead", None
        if line["receipt"] == self.playing["seq"]:
            found = None if self.playing["stopped"] else self.playing
        elif ahead and not (seat == self.playing["seat"] and not self.playing["stopped"]
                            and self.playing["next"] <= len(self.playing["lines"])):
            found = next((left for left in self.left_lines if left["seq"] == line["receipt"]), None)
        opened = line.get("opened", [])
        need(found and opened and found["seat"] == seat, DICE, "no such line is left")
        need(found["via"].get("raw") == self.via.get("raw"), DICE, "the line came with another letter")
        need(ahead or found["via"].get("by") == by, DICE, "the receipt came about otherwise")
        first = opened[0]["i"]
        of_run = found is self.playing
        need(first == found["next"] if of_run else first >= found["next"], DICE, "another line is the next one")
        for number, shown in enumerate(opened, first):
            need(shown["i"] == number and 1 <= number <= len(found["lines"]), DICE, "there is no such line")
            commitment = line_commitment(self.game, seat, found["seq"], number - 1, shown["text"], shown["salt"])
            need(commitment == found["lines"][number - 1], DICE, "the line is not the one committed to")
            found["next"] = number + 1
        joined = all(number in found["cut"] for number in range(first, first + len(opened) - 1))
        need(joined, DICE, "lines are joined that no mail program has cut")

    # Codes and spells [7.5, 7.6].

    def accept(self, seat, given):
        """Accepts the next code of a seat, and gives its number and the code."""
        need(self.codes.get(seat), DICE, "the seat keeps no codes")
        k, last = self.codes[seat]
        need(given["k"] == k + 1, DICE, f"the next code has number {k + 1}")
        need(code_below(self.genesis_hash, seat, k + 1, given["code"]) == last, DICE, "the code is not on the chain")
        self.codes[seat] = (k + 1, given["code"])
        return k + 1, given["code"]

    def take_code(self, seat, record):
        raw = self.via.get("raw")
        by_letter = "by" not in self.via
        arrives = by_letter and (raw is None or raw != self.letters.get(seat))
        begins = self.spells.get(seat) != self.moment
        needed = bool(self.codes.get(seat)) and begins and arrives
        need(needed == ("code" in record), DICE, "a code is missing" if needed else "a code that is not needed")
        if needed:
            self.pool = absorb_code(self.pool, seat, *self.accept(seat, record["code"]))
            self.moment += 1
        self.spells[seat] = self.moment
        if by_letter and raw is not None:
            self.letters[seat] = raw

    def change_codes(self, seat, anchor):
        self.codes[seat] = (0, anchor) if anchor else None
        self.moment += 1

    # What is played [4.6, 7.7 to 7.9, 8.6, 11].

    def asked(self):
        """The seat that the fact `question` names [11.5]; nothing if none is asked."""
        found = re.fullmatch(r"question: ([0-9]+) \S+", self.facts.get("question", ""))
        return int(found[1]) if found else None

    def on_say(self, record):
        seat = self.seat()
        need(self.asked() == seat, RULES, "the seat is not asked")
        self.take_code(seat, record)
        self.check_lines(seat, record)
        need(self.via.get("by") != "deadline" or self.has_schedule, MALFORMED, "there is no schedule")
        if self.via.get("by") != "standing":
            self.run = []
            return
        self.by_orders += 1
        answer = (seat, self.digest(), record["said"])
        need(len(self.run) < RUN_MAX and answer not in self.run, RULES, "orders have answered too often")
        self.run.append(answer)

    def on_deck(self, record):
        self.by_host()
        need(self.facts.get("question") == "question: -", RULES, "no deck is to be laid")
        numbers = {name: number for number, (name, _) in enumerate(self.printed)}
        need(record["deck"] in numbers, DICE, "there is no such deck")
        number = numbers[record["deck"]]
        epoch, left = self.left[number][0] + 1, self.left[number][1]
        if record["deck"] == "adventure" and epoch == 1:
            goes_in = [(0, position) for position in left] + [f"event-{name}" for name in EVENTS]
        else:
            shorts = {re.sub("^(terr|mission|power|event)-", "", card): card for card in self.cards(number)}
            discards = self.facts.get(f"{record['deck']}-discards", ": -").split(": ", 1)[1].split(" ")
            need(all(short in shorts for short in discards), RULES, "there are no discards to lay")
            goes_in = [shorts[short] for short in discards]
        self.lay(number, epoch, record, goes_in)
        self.barrier = self.seq

    def cards(self, number):
        name, cards = self.printed[number]
        return cards + [f"event-{event}" for event in EVENTS] if name == "adventure" else cards

    def lay(self, number, epoch, record, goes_in):
        cards = record.get("cards", [])
        need(record["deck"] == self.printed[number][0], DICE, "another deck is to be laid")
        found = (record["epoch"], record["masker"], record["n"], len(cards))
        need(found == (epoch, 0, len(goes_in), len(goes_in)) and epoch < 256, DICE, "the deck has other numbers")
        expected = deck_commitment(self.game, number, epoch, cards)
        need(record["commitment"] == expected, DICE, "the commitment to the deck")
        self.laid[number, epoch] = Laid(number, epoch, cards, goes_in)
        self.left[number] = (epoch, tuple(range(len(cards))))

    def note_left(self):
        self.lefts.append((self.seq, dict(self.left)))

    def opening(self, item):
        numbers = {name: number for number, (name, _) in enumerate(self.printed)}
        need(item["deck"] in numbers, DICE, "there is no such deck")
        need(item.get("epoch") != 0, MALFORMED, "`epoch` is left out for 0")
        laid = self.laid.get((numbers[item["deck"]], item.get("epoch", 0)))
        need(laid and item["pos"] < len(laid.cards), DICE, "there is no such position")
        found = card_commitment(self.game, laid.deck, laid.epoch, item["pos"], item["card"], item["salt"])
        need(found == laid.cards[item["pos"]], DICE, "the card is not the one committed to")
        need(item["pos"] not in laid.opened, DICE, "the position is open already")
        laid.opened.add(item["pos"])

    def played(self, record):
        for item in record.get("open", []):
            self.opening(item)
        if "roll" in record:
            self.roll(record["roll"])
        keys = list(self.facts)
        order = {key: place for place, key in enumerate(keys)}
        last = -1
        for line in record.get("changed", []):
            key, colon, _ = line.partition(": ")
            need(colon and "\n" not in line, RULES, "what changed is no fact")
            if record["type"] == "start":
                need(key not in self.facts, RULES, "a fact stands there twice")
            else:
                changed = order.get(key, -1) > last and self.facts[key] != line
                need(changed, RULES, "no fact, none that changed, or one out of order")
                last = order[key]
            self.facts[key] = line
        need(list(self.facts)[-1:] == ["question"], RULES, "the last fact is the question")
        asked = self.asked()
        if asked is not None and not self.codes.get(asked):
            self.moment += 1
        self.note_left()

    def roll(self, roll):
        throws = [throw for name in ("dice", "draws", "shuffles") for throw in roll.get(name, [])]
        count = len(throws)
        need(count > 0, DICE, "nothing is thrown")
        need(self.mode == "chain" or self.playing, DICE, "a throw that follows from no round")
        for name in ("dice", "draws", "shuffles"):
            numbers = [throw["n"] for throw in roll.get(name, [])]
            need(numbers == sorted(numbers), DICE, "the throws of a list are in another order")
        throws.sort(key=lambda throw: throw["n"])
        first = self.throws + 1
        need([throw["n"] for throw in throws] == list(range(first, first + count)), DICE, "throws have other numbers")
        need(self.opened + count <= LINKS, DICE, "the chain is not so long")
        links = [roll["link"]]
        for place in range(self.opened + count, self.opened, -1):
            links.append(link_below(self.game, place, links[-1]))
        need(links.pop() == self.link, DICE, "the link is not on the host's chain")
        self.link, self.opened, self.throws = roll["link"], self.opened + count, self.throws + count
        for throw, link in zip(throws, reversed(links)):
            self.throw(throw, words_of(roll_seed(self.game, throw["n"], link, self.pool)))

    def throw(self, throw, words):
        if "sides" in throw:
            faces = throw.get("faces", [])
            need(throw["sides"] > 0 and faces, DICE, "dice without sides, or none at all")
            need(faces == [1 + uniform(words, throw["sides"]) for _ in faces], DICE, "the dice show something else")
        elif "deck" in throw:
            numbers = {name: number for number, (name, _) in enumerate(self.printed)}
            need(throw["deck"] in numbers, DICE, "there is no such deck")
            number = numbers[throw["deck"]]
            epoch, left = self.left[number]
            need(throw.get("left") and tuple(throw["left"]) == left, DICE, "other positions are left")
            need(throw["pos"] == left[uniform(words, len(left))], DICE, "another position is drawn")
            self.left[number] = (epoch, tuple(position for position in left if position != throw["pos"]))
        else:
            need(throw["count"] == len(throw.get("order", [])), DICE, "an order of another length")
            need(throw.get("order", []) == shuffle(words, throw["count"]), DICE, "the order is another")

    def digest(self):
        return sha256("".join(f"{line}\n" for line in self.facts.values()).encode())

    def check_digest(self, record):
        kind, started = record["type"], self.phase in ("playing", "revealed")
        if kind == "end":
            return
        due = started and (kind == "start" or self.seq % 64 == 0)
        need(due == ("digest" in record), MALFORMED, "a digest where none is due, or none where one is")
        need(not due or record["digest"] == self.digest(), RULES, "the facts have another digest")

    # Order books, seals, openings [4.10, 5.6 to 5.8, 9].

    def take_books(self, record, started):
        of_seat = started and record["seat"] != "host" and "by" not in self.via
        need(of_seat == ("books" in record), MALFORMED, "`books` is missing, or must not be there")
        if of_seat:
            self.run = []
            self.committed.append((self.seq, self.seat(), record["books"]))
            if self.min_auth == "ssh" and self.seat() not in self.typed:
                self.must_sign.add(self.seq)

    def on_heard(self, _):
        self.seat()

    def open_books(self, root, changes):
        """Holds the books that are published against all commitments [9.2, 9.3, 9.7, 9.8]."""
        books, rest = {seat: {} for seat in self.numbers.values()}, list(changes)
        left = dict.fromkeys(books, 0)
        for change in rest:
            need(change["seat"] in self.numbers, DICE, "a book of no seat")
            order = change.get("order")
            need((order is None) != ("cancel" not in change), DICE, "an order, or `cancel`")
            need(("signed" in change) == ("seen" in change), DICE, "half a signature")
            need(order is not None or "signed" not in change, DICE, "a signature of nothing")
            need(change.get("seen", -1) < change["seq"], DICE, "signed on no earlier record")
            need(order is None or is_order(order), DICE, "no order, or otherwise written")
        for seq, seat, found in self.committed:
            if found is None:
                books[seat], left[seat] = {}, 0
                continue
            while rest and rest[0]["seq"] == seq and self.numbers[rest[0]["seat"]] == seat:
                change = rest.pop(0)
                if "cancel" in change:
                    need(books[seat].pop(change["cancel"], None), DICE, "no such order is in the book")
                    continue
                need("signed" in change or seq not in self.must_sign, CHAIN, "the order is not signed")
                need(len(books[seat]) < ORDERS_MAX, DICE, "too many orders")
                left[seat] += 1
                books[seat][left[seat]] = change["order"]
                need(len(book_text(books[seat])) <= BOOK_MAX, DICE, "the book is too long")
            texts = [book_text(books[number]) for number in sorted(books)]
            need(commitment_to_books(self.game, root, seq, texts) == found, DICE, "record %d has other books" % seq)
        need(not rest, DICE, "a book changes where it cannot")
        need(not self.by_orders or any("order" in change for change in changes), RULES, "no order was ever left")

    def on_sealed(self, record):
        need(record["asked"] < self.seq, MALFORMED, "`asked` is no earlier record")
        self.sealed.append((self.seat(), record["asked"], record["x"]))

    def on_open(self, record):
        self.known_writer()
        for item in record.get("items", []):
            self.opening(item)
        given = [key in record for key in ("x", "choice", "salt")]
        need(all(given) or not any(given) and record.get("items"), MALFORMED, "neither cards nor a choice")
        if any(given):
            found = [sealed for sealed in self.sealed if sealed[2] == record["x"]]
            need(found, DICE, "no such seal")
            self.sealed.remove(found[0])
            seat, asked, x = found[0]
            expected = seal("choice", self.game, seat, asked, record["choice"], record["salt"])
            need(expected == x, DICE, "the choice is not the one that was sealed")

    def on_dns(self, _):
        self.by_host()

    def on_keys(self, record):
        seat = self.seat()
        self.check_keys(seat, record)
        need(not self.keys.get(seat) or "signed" in self.via, CHAIN, "the key is not signed with the old one")
        self.keys[seat] = bool(record.get("keys"))

    def on_address(self, record):
        need(self.seat() in self.joined, MALFORMED, "the seat has not joined")
        self.addresses[self.seat()] = record["address"]

    # Another host [5.13, 5.14, 7.13].

    def on_host(self, record):
        self.by_host()
        need(is_text(record["text"]) and "host_key" in record, MALFORMED, "no text or no key")
        plays = {self.seat(name) for name in record.get("plays", [])}
        for consent in record.get("consents", []):
            self.seat(consent["seat"])
        adopts = record["what"] == "adoption"
        need(adopts == ("anchor" in record), MALFORMED, "`anchor` is there in an adoption, and only there")
        if adopts:
            need("sig" not in record and self.escrow, MALFORMED, "a signature, or no shares")
            waits = set(self.numbers.values()) - self.hosted - plays
            need(waits, MALFORMED, "nobody is left to consent")
            self.committed, self.by_orders = [], 0
            self.waiting, self.left_lines, self.playing, self.stops = [], [], None, []
            self.adoption = {"seq": self.seq, "waits": waits, "anchor": record["anchor"]}
        else:
            need(plays <= self.hosted, CHAIN, "a seat that the host does not play")
            typed = any(receipt["seat"] in self.hosted - plays for receipt in self.waiting)
            need(not typed, CHAIN, "an act waits that was typed for a seat that is not handed over")
        self.hosted, self.typed, self.programs = plays, set(plays), self.programs & plays
        for seat in sorted(plays):
            self.change_codes(seat, None)
            self.addresses[seat] = None

    def on_consent(self, record):
        seat, adoption = self.seat(), self.adoption
        waited = adoption and adoption["seq"] == record["to"] and seat in adoption["waits"]
        need(waited, MALFORMED, "nobody waits for this consent")
        adoption["waits"].remove(seat)
        need(bool(self.codes.get(seat)) == ("code" in record), DICE, "a code is missing, or not needed")
        if "code" in record:
            self.pool = absorb_code(self.pool, seat, *self.accept(seat, record["code"]))
        self.pool = H("phrase", self.pool, u8(seat), LP(record.get("phrase", "")))
        if not adoption["waits"]:
            self.link, self.opened, self.adoption = adoption["anchor"], 0, None
            self.moment += 1

    # What is agreed on [5.15 to 5.18, 7.10].

    def is_closed(self):
        """Whether the table has ended the game; unknown here for sides of more than one seat [4.5]."""
        playing = len(self.words) - len(self.conceded)
        is_team = self.title == "risk" and self.options.get("variant") == "team"
        is_team = is_team or self.title == "wotr" and len(self.words) > 2
        over = self.facts.get("question") == "question: over"
        return not over and (self.drawn or bool(self.conceded) and playing <= 1 and not is_team)

    def check_proposal(self, record):
        what, of = record["what"], record.get("of")
        number = None if of is None else self.seat(of)
        need((what == "undo") == ("to" in record), MALFORMED, "`to` goes with an undo")
        need((what == "rules") == ("rules" in record), MALFORMED, "`rules` goes with other rules")
        need(record.get("rules") != self.edition, MALFORMED, "these are the rules already")
        about_seat = what in ("seat", "codes", "key")
        need(number is None or about_seat, MALFORMED, "`of` goes with a seat, its codes or its key")
        need("key" not in record or what == "key", MALFORMED, "`key` goes with a key")
        need(what != "key" or number is not None, MALFORMED, "whose key")
        need(what == "codes" or "codes" not in record, MALFORMED, "`codes` goes with codes")
        need(what != "codes" or self.mode == "chain", MALFORMED, "with a beacon nobody keeps codes")
        need(what != "codes" or number is not None and number not in self.hosted, MALFORMED, "whose codes")
        return number

    def check_way_back(self, to):
        need(self.barrier <= to < self.seq, MALFORMED, "an undo does not go back so far")

    def on_motion(self, record):
        mover = self.seat()
        need(is_text(record["text"]), MALFORMED, "no text, or too long a one")
        of, what = self.check_proposal(record), record["what"]
        need((what == "deadline") == ("until" in record), MALFORMED, "`until` goes with a deadline")
        if what == "deadline":
            need(self.has_schedule and record["until"] > self.at, MALFORMED, "there is no deadline to move")
        need(what != "pause" or not self.paused, MALFORMED, "a pause in a pause")
        need(what != "resume" or self.paused, MALFORMED, "there is no pause")
        if what == "undo":
            self.check_way_back(record["to"])
        mine = [it for it in self.motions.values() if it.mover == mover and not it.has_lapsed(self.at)]
        need(len(mine) < 3, MALFORMED, "three motions of the seat are open")
        playing = [seat for seat in sorted(self.numbers.values()) if seat not in set(self.conceded) | self.programs]
        voters = playing
        if what == "seat" and of == mover:
            voters = [mover]
        elif what in ("seat", "key"):
            voters = [seat for seat in playing if seat != of]
        need(voters and (what in ("seat", "key") or mover in voters), MALFORMED, "the seat has no say")
        by_all = what not in ("ruling", "deadline", "pause", "resume") or self.votes == "all"
        self.motions = {seq: it for seq, it in self.motions.items() if not it.has_lapsed(self.at)}
        self.motions[self.seq] = Motion(record, mover, voters, len(voters) if by_all else len(voters) // 2 + 1)

    def on_vote(self, record):
        seat, motion = self.seat(), self.motions.get(record["motion"])
        need(motion and not motion.is_carried() and not motion.has_lapsed(self.at), MALFORMED, "no open motion")
        spoke, yes = any(seat == aye for aye, _ in motion.ayes), record["says"] == "yes"
        need(seat in motion.voters or seat == motion.mover, MALFORMED, "the seat has no say")
        need(not (spoke and yes), MALFORMED, "the seat has said so before")
        if yes and motion.proposal["what"] == "undo":
            self.check_way_back(motion.proposal["to"])
        need(not yes or motion.proposal["rules"] != self.edition, MALFORMED, "these are the rules already")
        of = motion.proposal["of"]
        due = yes and motion.proposal["what"] == "codes" and self.numbers[of] != seat and bool(self.codes.get(seat))
        need(due == ("code" in record), DICE, "a code is missing, or not needed")
        if due:
            motion.codes[seat] = self.accept(seat, record["code"])
        if yes:
            motion.ayes.append((seat, self.via.get("raw")))
            return
        motion.ayes = [(aye, raw) for aye, raw in motion.ayes if aye != seat]
        motion.voters = [voter for voter in motion.voters if voter != seat]
        if motion.mover == seat or len(motion.voters) < motion.needed:
            del self.motions[motion.seq]

    def on_concede(self, record):
        seat = self.seat()
        is_playing = seat not in self.conceded and self.facts.get("question") != "question: over"
        need(is_playing, MALFORMED, "the seat is not playing any more")
        need(is_text(record.get("text", "-")), MALFORMED, "no text, or too long a one")
        self.conceded[seat] = self.seq

    def on_dispute(self, record):
        self.seat()
        need(record["about"] < self.seq, MALFORMED, "`about` is no earlier record")
        need(is_text(record["text"]), MALFORMED, "no text, or too long a one")

    def on_correction(self, record):
        self.by_host()
        for consent in record.get("consents", []):
            self.seat(consent["seat"])
        of, what = self.check_proposal(record), record["what"]
        takes = what == "seat" and "player" in record
        need(takes or "address" not in record, MALFORMED, "an address where no player takes a seat")
        carried = self.carried(record)
        if what == "undo":
            self.check_way_back(record["to"])
            self.left = dict(next(left for seq, left in reversed(self.lefts) if seq <= record["to"]))
            self.conceded = {seat: seq for seat, seq in self.conceded.items() if seq <= record["to"]}
            self.barrier = self.seq
            self.void(lambda seat: seat != 0)
        elif what == "rules":
            self.barrier, self.edition = self.seq, record["rules"]
        elif what == "seat" and of is not None and "player" not in record:
            self.free.add(of)
        elif what == "key":
            self.keys[of] = "key" in record
        elif what == "seat" and of is not None:
            need(of in self.free, CHAIN, "the seat is not free")
            need(not self.waiting, CHAIN, "a receipt waits, with which the seat may have fixed something")
            self.free.discard(of)
            self.typed.discard(of)
            self.programs.discard(of)
            self.keys[of] = False
            need(record["player"].strip() and len(record["player"].strip()) <= 60, MALFORMED, "no name")
            self.change_codes(of, None)
            self.void(lambda seat: seat == of)
            self.conceded.pop(of, None)
            self.committed.append((self.seq, of, None))
            self.addresses[of] = record.get("address")
        elif what == "codes":
            for seat in sorted(carried.codes):
                self.pool = absorb_code(self.pool, seat, *carried.codes[seat])
            self.change_codes(of, record.get("codes"))
        elif what in ("pause", "resume"):
            self.paused = what == "pause"
        elif what == "draw":
            self.drawn, self.motions = True, {}

    def carried(self, record):
        """The motion that a correction carries out, if it names one."""
        if "motion" not in record:
            what = record["what"]
            alone = what in ("ruling", "deadline") or what == "seat" and "player" in record
            need(alone, CHAIN, "this needs a motion")
            need(what != "deadline" or record.get("until", "") > self.at, MALFORMED, "no time to come")
            return None
        motion = self.motions.get(record["motion"])
        need(motion and motion.is_carried(), MALFORMED, "no motion that is carried")
        same = all(record.get(key) == value for key, value in motion.proposal.items()) and "player" not in record
        agreed = [(self.words[seat - 1], raw) for seat, raw in motion.ayes]
        consents = [(consent["seat"], consent.get("raw")) for consent in record.get("consents", [])]
        need(same and agreed == consents, MALFORMED, "something else was moved, or others agreed")
        return self.motions.pop(motion.seq)

    # Time [5.19, 12], as far as it follows without a calendar.

    def on_clock(self, record):
        what = record["what"]
        need(self.phase == "playing" or what == "zone", MALFORMED, "the game has not started")
        if what in ("absent", "back", "extended", "zone"):
            self.seat()
        else:
            self.by_host()
            self.seat(record.get("whom", ""))
        if what == "absent":
            days = [record.get(key, "") for key in ("from", "to")]
            need(all(is_time(f"{day}T00:00:00Z") for day in days) and days == sorted(days), MALFORMED, "no two days")
        if what in ("extended", "lapsed"):
            need(self.has_schedule and self.asked() is not None, MALFORMED, "nobody's time passes")
        if what == "extended":
            mine = self.asked() == self.seat() and record.get("until", "") > self.at
            need(mine, MALFORMED, "not the seat that is asked, or no time to come")
        if what == "lapsed" and record.get("then") == "replacement":
            self.free.add(self.seat(record["whom"]))
        if what == "lapsed":
            need(self.asked() == self.seat(record["whom"]), MALFORMED, "another seat is asked")
            need("" < record.get("due", "") <= self.at, MALFORMED, "the deadline has not passed")
        need(what != "zone" or "zone" in record, MALFORMED, "no time zone")
        if what in ("unreachable", "reachable"):
            whom = self.seat(record["whom"])
            need((whom in self.unreachable) == (what == "reachable"), MALFORMED, "the record before said the same")
            self.unreachable ^= {whom}

    # The end [5.20, 5.22, 8.10, 9.4].

    def on_reveal(self, record):
        self.by_host()
        root, self.phase = record["root"], "revealed"
        need(root_commitment(self.game, root) == self.root, DICE, "the root is not the one committed to")
        faces = {}
        for (number, epoch), laid in sorted(self.laid.items()):
            words = [faces[number, *card] if isinstance(card, tuple) else card for card in laid.goes_in]
            printed = {card: place for place, card in reversed(list(enumerate(self.printed[number][1])))}
            words.sort(key=lambda card: printed.get(card, -1))
            cards, commitments = mask(self.game, root, number, epoch, words)
            need(commitments == laid.cards, DICE, f"the deck {self.printed[number][0]} was masked otherwise")
            faces.update({(number, epoch, position): card for position, card in enumerate(cards)})
        for seat, share in shares(root, sorted(self.escrow)).items():
            found = H("escrow", self.game, u8(seat), share)
            need(found == self.escrow[seat], DICE, "a share is not one of the root")
        self.open_books(root, record.get("orders", []))
        self.show_stops(root, record.get("lines", []))

    def on_end(self, record):
        self.by_host()
        self.phase, self.result = "ended", record["result"]
        before = self.raw[:self.raw.rindex(b"\nclosing: ") + 1]
        need(sha256(before) == record["closing"], CHAIN, "`closing` is another hash")
        need(record["digest"] == self.digest(), RULES, "the facts have another digest")


def verify(data):
    """Checks a log; gives its exit code and the last line."""
    log, count = Log(), 0
    try:
        need(len(data) <= FILE_MAX, MALFORMED, "the log is too long")
        for raw in split(data):
            log.take(raw)
            count += 1
        need(count, MALFORMED, "the log has no record")
    except Fault as fault:
        return fault.code, f"FAIL {log.name or '-'} at record {count}: {fault}, exit code {fault.code}"
    result = f", {log.result}" if log.result else ""
    result += f", {log.unchecked} signatures of rounds not checked" if log.unchecked else ""
    return OK, f"OK {log.name} {count} records, {log.throws} throws{result}, head {log.seq} {log.head.hex()}"


# --- Chapter 16 ---

def vectors():
    """The test vectors, as pairs of what is found and what the page says."""
    game, genesis, root = bytes(range(16)), b"\x66" * 32, b"\x44" * 32
    links = {LINKS: b"\x11" * 32}
    for n in range(LINKS, 0, -1):
        links[n - 1] = link_below(game, n, links[n])
    codes = {1024: b"\x22" * 20}
    for k in range(1024, 0, -1):
        codes[k - 1] = code_below(genesis, 1, k, codes[k])
    yield links[0].hex(), "3a67f3df9bff59d1da91a1269a4024c3e8a063f063df471b92e154a68efe26ce"
    yield codes[0].hex(), "9511ce64fb1b8cd30af2cb70d2cd0cb2485b1645"
    committed = root_commitment(game, root)
    yield committed.hex(), "be2e447af21e7a842d3e44fb69397b605cf65a6cb326510cf063cd8cc70dcc1f"
    seats = [(codes[0], "second breakfast", sha256(b"1@anna.example.org")),
             (b"", "m\u00fbmakil", sha256(b"7@bert.example.net"))]
    pool = setup(game, genesis, links[0], committed, seats)
    yield pool.hex(), "275be51e0ae11418033d7bd4d0f19ee381a55944dc39dcb2393b7d81f5d20427"
    yield codes[1].hex(), "9989ff12060e4c89175a9489e18eca9ce8293b66"
    pool = absorb_code(pool, 1, 1, codes[1])
    yield pool.hex(), "26f01b6d6a983c6a8db983c60a1a955c23620981697313334dfdebc9fbc7694a"
    yield links[1].hex(), "223bbd2caade7426e2cecd605f1cd0d980aa25f86e590cc42aaf288bfcf8df98"
    seed = roll_seed(game, 1, links[1], pool)
    yield seed.hex(), "3cb6d02b6dd8ad4f8b9849be5b5e2db05061974a251007813c10e79fb4b1ea9d"
    order = [1, 8, 18, 13, 3, 15, 6, 7, 14, 11, 4, 19, 10, 20, 0, 12, 16, 23, 2, 5, 9, 17, 21, 22]
    yield shuffle(words_of(seed), 24), order
    yield codes[2].hex(), "7049da4e3f898d8ff8bff1d608ebb1b08fcbe500"
    pool = absorb_code(pool, 1, 2, codes[2])
    yield pool.hex(), "ba0c39a3e8088c5b681c2bd3e011a3f895c28ca2dd6305f0f0d9899995d1a635"
    signature = bytes.fromhex("b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125"
                              "e342b73a8dd2bacbe47e4b6b63ed5e39")
    given = absorb_round(pool, QUICKNET, 1000, signature)
    yield given.hex(), "f9b652fc6fc15062b782d7bc8029df48800c90213cdae02857c08b6ca2792d54"
    for n, pool, link, seed, thrown in [
        (2, pool, "9a3db9bfa7838261e5e05b40aa5c8f9052ec10a8407b1d24ba851894f512d987",
         "bf08b6202d7aa1c11120442338b73a69b41f96241b4b8fc618853fd8bc448ca2", [4, 6, 4, 6, 4, 1, 4, 5, 3, 5]),
        (3, pool, "15562ab2418bf4bd7200adac6ad4b3d745cdadfc8baf6d3ef9ae972dfbca5a32",
         "1e47b623247cfa9b8aa9e71564dba8c8eaabac8238cd1f84f1b033300a8262bd", [2, 6, 5, 1, 2, 1, 1, 6, 5, 1]),
        (4, pool, "54a5ad0bfa27729eb6848dee12a70afe62d96ad4e8d81b3af1afe8229a0ddec0",
         "7be5317f0919ec79f6e1c4ddea64ed75c639aad92263c2df7b6b5a28b272db68", 11),
        (5, given, "6289abde9a7f9e07824f0c2bd6c77c2bca3a257a847f2ca7465c02a51a2b3495",
         "908ad1770b73f5ebc7a4932aa4d02b3ae5f5042b293738ed2fcc751150438fb1", [5, 2, 6, 6, 1, 2, 5, 4, 2, 3]),
    ]:
        yield links[n].hex(), link
        found = roll_seed(game, n, links[n], pool)
        yield found.hex(), seed
        words = words_of(found)
        yield uniform(words, 23) if n == 4 else [1 + uniform(words, 6) for _ in range(10)], thrown
    key = deck_key(root, 1, 0)
    yield key.hex(), "1afb7154a57a005b7cfbe123bd7dbb1b720015336b6abd5ad784610878220475"
    cards, commitments = mask(game, root, 1, 0, [f"fp-strat-{number:02}" for number in range(1, 25)])
    yield cards[:2], ["fp-strat-05", "fp-strat-03"]
    salts = [M(key, "card-salt", u16(position)).hex() for position in range(2)]
    yield salts[0], "5bbcff57d06f7e5c29c05226a5cdc47a9bb2da519aa785462b7a4db361a7ea0d"
    yield salts[1], "75d29f0c631914ee939c62fb5f5b5fe0c9ed8605110864be1d8ab50a668f5f78"
    yield commitments[0].hex(), "110695e96411f10ea8e7c9cfd616ca1bea639ce30690a080c1123a0cfb919b46"
    yield commitments[1].hex(), "da81ed3eb37576934197b9f13da007a9f5a43b792677fedf74a89b44ae0599d2"
    whole = deck_commitment(game, 1, 0, commitments)
    yield whole.hex(), "1c7a6614fdd7cb71cf23dec733cf657dc88bf8d848fb649023bedaef74dffe18"
    choice = seal("choice", game, 2, 417, "combat-card:sh-char-04", b"\x55" * 32)
    yield choice.hex(), "b16b13a51c522aaaa2def4840caeff8ecbe8b98ccbda3b90b2671fb1a3e6a4da"
    yield fingerprint(genesis), [819, 409, 1228, 1638] * 3
    yield fingerprint(bytes(range(32))), [0, 64, 1030, 64, 643, 28, 257, 266, 88, 771, 540, 241]
    texts = [book_text({1: "when asked storms say pass", 3: "when asked defence say 1 once"}), b""]
    yield M(root, "salt", LP("books"), u8(0), u32(417), u16(0)).hex(), \
        "b1d448c8f3a9c0c3056c31789025223bd978c0500d0bb7501488300aefba9915"
    yield commitment_to_books(game, root, 417, texts).hex(), \
        "b79ecfa18520e353906f2eb4420e75fa2d062e3664fd1ebac97353a59247dc94"
    lines = ["attack osgiliath from south-ithilien with all", "cease"]
    commitments = []
    for place, text in enumerate(lines):
        salt = M(root, "salt", LP("line"), u8(2), u32(417), u16(place))
        commitments.append(line_commitment(game, 2, 417, place, text, salt).hex())
    yield commitments[0], "18f8eb04895e32f9d91bdccdf4850df8c08f8f11457ba61724d757c274573043"
    yield commitments[1], "86661c07f2c47d25ba0f9fdf56393764fcd5fd5ff139af82aee694db99701a8b"
    code = base64.b32decode("EQO5OXLZSD3AR2AY5KVA3BITJCQUANJ4")
    yield (len(code), code[:2].hex()), (20, "241d")


def main(arguments):
    if arguments == ["--vectors"]:
        wrong = [(found, said) for found, said in vectors() if found != said]
        for found, said in wrong:
            print(f"found {found}, and the page says {said}")
        print("FAIL vectors" if wrong else "OK vectors")
        return DICE if wrong else OK
    if arguments[:1] == ["--bls"] and len(arguments) > 1:
        global BLS
        BLS, arguments = importlib.import_module(arguments[1]).verify, arguments[2:]
    if not arguments or any(argument.startswith("-") for argument in arguments):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return USAGE
    worst = OK
    for name in arguments:
        try:
            with open(name, "rb") as file:
                code, line = verify(file.read())
        except OSError as error:
            code, line = UNREAD, f"FAIL {name}: {error}"
        print(line, flush=True)
        worst = min(worst, code, key=WORST.index)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
