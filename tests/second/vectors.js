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
const committed = hashOf("root", game, u8(0), root);
is(hex(committed), "be2e447af21e7a842d3e44fb69397b605cf65a6cb326510cf063cd8cc70dcc1f");
const seat = (number, phrase, message) => [u8(number), u16(0), withLength(phrase), sha256(text(message)), u16(0)];
let mix = hashOf("setup", game, genesis, links[0], committed, u8(2),
  ...seat(1, "second breakfast", "1@anna.example.org"), ...seat(2, "m\u00fbmakil", "7@bert.example.net"));
is(hex(mix), "b38ac72c1eb7ec2d4fbe347c0741a67f9bad230f81fcc10c83af86fbd28056dc");
const thrown = (n, from, link, seed, found, said) => {
  is(hex(links[n]), link);
  const made = hashOf("roll", game, u32(n), links[n], from);
  is(hex(made), seed);
  is(found(wordsOf(made)), said);
};
const dice = (words) => Array.from({ length: 10 }, () => 1 + uniform(words, 6));
thrown(1, mix, "223bbd2caade7426e2cecd605f1cd0d980aa25f86e590cc42aaf288bfcf8df98",
  "b038237c4c3e07073edfb3d04a8ece784bbd8999ebc2c462e4451c41ab068e17", (words) => shuffled(words, 24),
  [7, 20, 0, 17, 22, 1, 8, 14, 6, 19, 13, 10, 12, 23, 3, 18, 11, 4, 16, 15, 21, 2, 5, 9]);
thrown(2, mix, "9a3db9bfa7838261e5e05b40aa5c8f9052ec10a8407b1d24ba851894f512d987",
  "b7d9ffbd4cb45793a486a2b33cbc222358c95f90faf086403d8f2de501fe3dcb", dice, [6, 5, 1, 3, 1, 2, 4, 6, 6, 2]);
thrown(3, mix, "15562ab2418bf4bd7200adac6ad4b3d745cdadfc8baf6d3ef9ae972dfbca5a32",
  "1338eb37448c8d496649c3b6b853b4d602d2ae017957db8bc26d70ab35ee3172", dice, [4, 2, 2, 5, 3, 1, 3, 5, 2, 3]);
thrown(4, mix, "54a5ad0bfa27729eb6848dee12a70afe62d96ad4e8d81b3af1afe8229a0ddec0",
  "70cbb347b30ccf73420688c05113dd1d33dd2ff67c0cb752e0d9e0b598ac1a34", (words) => uniform(words, 23), 18);
const quicknet = ofHex("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971");
const signature = ofHex("b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125"
  + "e342b73a8dd2bacbe47e4b6b63ed5e39");
mix = hashOf("beacon", mix, quicknet, u64(1000), u16(48), signature);
is(hex(mix), "2d90299b22c03279c494305e1dae411a8d63a80383c08e9201b0aaee52a3afeb");
thrown(5, mix, "6289abde9a7f9e07824f0c2bd6c77c2bca3a257a847f2ca7465c02a51a2b3495",
  "777153b2046f9407ffde48b4ba9386360f9370fa636c5de209d3948058039a1d", dice, [4, 3, 6, 1, 6, 4, 3, 1, 5, 4]);

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
