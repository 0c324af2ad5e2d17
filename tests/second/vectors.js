// The test vectors of games/README.md, chapter 16, held against the checker: prints what is found otherwise, and fails.
"use strict";

const { hashOf, keyedHashOf, sha256, shuffled, uniform, wordsOf, hex, ofHex, u8, u16, u32, u64, withLength } =
  require("../../templates/check/check.js");

const wrong = [];
function is(found, said) {
  if (JSON.stringify(found) !== JSON.stringify(said)) wrong.push(`found ${found}, and the page says ${said}`);
}
const bytes = (byte, count) => new Uint8Array(count).fill(byte);
const counted = (count) => Uint8Array.from({ length: count }, (_, place) => place);
const text = (words) => new TextEncoder().encode(words);

const [game, genesis, root] = [counted(16), bytes(0x66, 32), bytes(0x44, 32)];
const links = [];
links[65_536] = bytes(0x11, 32);
for (let n = 65_536; n > 0; n -= 1) links[n - 1] = hashOf("host-link", game, u32(n), links[n]);
is(hex(links[0]), "3a67f3df9bff59d1da91a1269a4024c3e8a063f063df471b92e154a68efe26ce");
const codes = [];
codes[1024] = bytes(0x22, 20);
for (let k = 1024; k > 0; k -= 1) codes[k - 1] = hashOf("seat-link", genesis, u8(1), u32(k), codes[k]).subarray(0, 20);
is(hex(codes[0]), "9511ce64fb1b8cd30af2cb70d2cd0cb2485b1645");
const committed = hashOf("root", game, u8(0), root);
is(hex(committed), "be2e447af21e7a842d3e44fb69397b605cf65a6cb326510cf063cd8cc70dcc1f");
const seat = (number, anchor, phrase, message) => (
  [u8(number), withLength(anchor), withLength(phrase), sha256(text(message)), withLength("")]);
let pool = hashOf("setup", game, genesis, links[0], committed, u8(2),
  ...seat(1, codes[0], "second breakfast", "1@anna.example.org"), ...seat(2, "", "m\u00fbmakil", "7@bert.example.net"));
is(hex(pool), "275be51e0ae11418033d7bd4d0f19ee381a55944dc39dcb2393b7d81f5d20427");
is(hex(codes[1]), "9989ff12060e4c89175a9489e18eca9ce8293b66");
const absorbed = (k) => hashOf("pool", pool, u8(1), u32(k), withLength(codes[k]));
pool = absorbed(1);
is(hex(pool), "26f01b6d6a983c6a8db983c60a1a955c23620981697313334dfdebc9fbc7694a");
const thrown = (n, from, link, seed, found, said) => {
  is(hex(links[n]), link);
  const made = hashOf("roll", game, u32(n), links[n], from);
  is(hex(made), seed);
  is(found(wordsOf(made)), said);
};
const dice = (words) => Array.from({ length: 10 }, () => 1 + uniform(words, 6));
thrown(1, pool, "223bbd2caade7426e2cecd605f1cd0d980aa25f86e590cc42aaf288bfcf8df98",
  "3cb6d02b6dd8ad4f8b9849be5b5e2db05061974a251007813c10e79fb4b1ea9d", (words) => shuffled(words, 24),
  [1, 8, 18, 13, 3, 15, 6, 7, 14, 11, 4, 19, 10, 20, 0, 12, 16, 23, 2, 5, 9, 17, 21, 22]);
is(hex(codes[2]), "7049da4e3f898d8ff8bff1d608ebb1b08fcbe500");
pool = absorbed(2);
is(hex(pool), "ba0c39a3e8088c5b681c2bd3e011a3f895c28ca2dd6305f0f0d9899995d1a635");
thrown(2, pool, "9a3db9bfa7838261e5e05b40aa5c8f9052ec10a8407b1d24ba851894f512d987",
  "bf08b6202d7aa1c11120442338b73a69b41f96241b4b8fc618853fd8bc448ca2", dice, [4, 6, 4, 6, 4, 1, 4, 5, 3, 5]);
thrown(3, pool, "15562ab2418bf4bd7200adac6ad4b3d745cdadfc8baf6d3ef9ae972dfbca5a32",
  "1e47b623247cfa9b8aa9e71564dba8c8eaabac8238cd1f84f1b033300a8262bd", dice, [2, 6, 5, 1, 2, 1, 1, 6, 5, 1]);
thrown(4, pool, "54a5ad0bfa27729eb6848dee12a70afe62d96ad4e8d81b3af1afe8229a0ddec0",
  "7be5317f0919ec79f6e1c4ddea64ed75c639aad92263c2df7b6b5a28b272db68", (words) => uniform(words, 23), 11);
const quicknet = ofHex("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971");
const signature = ofHex("b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125"
  + "e342b73a8dd2bacbe47e4b6b63ed5e39");
pool = hashOf("beacon", pool, quicknet, u64(1000), u16(48), signature);
is(hex(pool), "f9b652fc6fc15062b782d7bc8029df48800c90213cdae02857c08b6ca2792d54");
thrown(5, pool, "6289abde9a7f9e07824f0c2bd6c77c2bca3a257a847f2ca7465c02a51a2b3495",
  "908ad1770b73f5ebc7a4932aa4d02b3ae5f5042b293738ed2fcc751150438fb1", dice, [5, 2, 6, 6, 1, 2, 5, 4, 2, 3]);

const key = keyedHashOf(root, "deck-key", u8(1), u8(0));
is(hex(key), "1afb7154a57a005b7cfbe123bd7dbb1b720015336b6abd5ad784610878220475");
const order = shuffled(wordsOf(hashOf("mask-order", key)), 24);
const cards = order.map((card) => `fp-strat-${String(card + 1).padStart(2, "0")}`);
is(cards.slice(0, 2), ["fp-strat-05", "fp-strat-03"]);
const salts = cards.map((_, position) => keyedHashOf(key, "card-salt", u16(position)));
is(hex(salts[0]), "5bbcff57d06f7e5c29c05226a5cdc47a9bb2da519aa785462b7a4db361a7ea0d");
is(hex(salts[1]), "75d29f0c631914ee939c62fb5f5b5fe0c9ed8605110864be1d8ab50a668f5f78");
const lies = cards.map((card, position) => (
  hashOf("card", game, u8(1), u8(0), u16(position), withLength(card), salts[position])));
is(hex(lies[0]), "110695e96411f10ea8e7c9cfd616ca1bea639ce30690a080c1123a0cfb919b46");
is(hex(lies[1]), "da81ed3eb37576934197b9f13da007a9f5a43b792677fedf74a89b44ae0599d2");
const deck = hashOf("deck", game, u8(1), u8(0), u16(24), ...lies);
is(hex(deck), "1c7a6614fdd7cb71cf23dec733cf657dc88bf8d848fb649023bedaef74dffe18");
const choice = hashOf("choice", game, u8(2), u32(417), withLength("combat-card:sh-char-04"), bytes(0x55, 32));
is(hex(choice), "b16b13a51c522aaaa2def4840caeff8ecbe8b98ccbda3b90b2671fb1a3e6a4da");
const books = "1 when asked storms say pass\n3 when asked defence say 1 once\n";
const salt = keyedHashOf(root, "salt", withLength("books"), u8(0), u32(417), u16(0));
is(hex(salt), "b1d448c8f3a9c0c3056c31789025223bd978c0500d0bb7501488300aefba9915");
is(hex(hashOf("books", game, u32(417), u8(2), withLength(books), withLength(""), salt)),
  "b79ecfa18520e353906f2eb4420e75fa2d062e3664fd1ebac97353a59247dc94");
const line = (words, place) => {
  const sealed = keyedHashOf(root, "salt", withLength("line"), u8(2), u32(417), u16(place));
  return hex(hashOf("line", game, u8(2), u32(417), u16(place), withLength(words), sealed));
};
is(line("attack osgiliath from south-ithilien with all", 0),
  "18f8eb04895e32f9d91bdccdf4850df8c08f8f11457ba61724d757c274573043");
is(line("cease", 1), "86661c07f2c47d25ba0f9fdf56393764fcd5fd5ff139af82aee694db99701a8b");

for (const one of wrong) console.log(one);
process.exitCode = wrong.length > 0 ? 5 : 0;
