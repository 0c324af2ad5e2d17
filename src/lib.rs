/*! Ringmail: long board games by e-mail, recorded and verifiable.

The house, in reading order. Each room is a package in a folder of its own: its `Cargo.toml` lists the rooms that it
knows, all of them before it here. (The tests of `report` and `post` also know the games.) Inside `record`, `mail` and
`post` each folder knows only folders before it; `tests/tidy.rs` holds them to it. The `mod.rs` of a room says what it
is for, what it does not know, and where to begin.

* [`ground`]: what many rooms use and none owns: hashes, stamps, spans, zones, files written whole, synced and private.
  It knows no other room.
* [`engine`]: the kernel. An agenda of steps, a menu of what may be said, needs of chance, facts.
  It knows no other room: no game, no file and no letter.
* [`risk`]: *Risk: The Lord of the Rings*, one file a chapter of its rules; `src/risk/rules.md` is the rulebook.
  It knows the kernel, and nothing of mail, files or templates.
* [`wotr`]: *War of the Ring*, one file a chapter of its rules; `src/wotr/rules.md` is the rulebook, `src/wotr/cards.md`
  the rulings on cards. It knows what `risk` knows.
* [`store`]: where an office keeps everything: a folder, or whatever else implements its [`home`](store::home). It opens
  no letter and knows no game; of a log and a post book it knows only the names. [`database`], in
  `src/store/postgres`, is the home that many machines share, and a program can be built without it.
* [`record`]: the log to the byte, its chain, dice, seals, folding and verification; `games/README.md` describes it for
  outsiders. It reaches a game only through [`engine::title`] and [`engine::game`].
* [`report`]: what a seat may know, set into text by templates and drawn as pictures. It alone fills `templates/`.
* [`net`]: connections that are not mail: the DNS, the relays of a public beacon; and what all connections share, a
  limit on their time and a transcript. It knows no letter and no game.
* [`mail`]: letters as such, and the wires they come and go by; `src/mail/requirements.md`. It knows no game.
* [`post`]: the post office: letters in, letters out, the clock; `src/post/requirements.md`.
  It knows no rule of any game: a sentence is read by the menu of the question that is open.

The package `ringmail` is the program, on top of all rooms:

* [`titles`]: the one table that names the games. The program hands it to the rooms that need one; another program, as
  in `examples/title/`, has a table of its own.
* [`cli`]: one file a verb; the only place that prints.

A newcomer reads [`engine::play`], then [`risk::combat`] beside chapter 8 of `src/risk/rules.md`, then [`post::desk`].

## Words of the house

One word for a thing, in code, comments and letters. Here stand the words that mean something of their own here. What
means what it does everywhere (player, side, vote, backup) is not listed, and a word that one module alone uses is
explained where it is defined.

The games:

* **title**: a kind of game, with its rules, seats, editions and cards: `risk`, `wotr`.
* **game**: one game of a title that is being played: a log, in a folder of its own.
* **seat**: a place at the table (`yellow`, `free`). A player holds one or more; a program can hold one.
* **host**: the person who runs Ringmail for a game, keeps its secrets and posts its letters. He may hold a seat,
  too.
* **charter**: what a host writes down before a game begins; what everybody may know of it becomes the first entry.
* **edition**: the rules a game is played by (`risk-lotr-trilogy/1`). It changes only if all seats agree.
* **switch**: a choice where the printed rules leave something open, made in the charter.

Playing:

* **sentence**: one thing a seat may say, in words: `attack osgiliath from south-ithilien with all`. The log keeps
  it in its canonical words.
* **question**: what the game waits for, of exactly one seat; it has an id (`combat-card`), as standing orders name
  it. What it is about, its place and the seat that brought it about, is its **matter**.
* **menu**: everything the asked seat may say now. Reading, refusing, listing, completing and playing at random all
  follow from it.
* **refusal**: why a sentence cannot be said: *not understood* (which word) or *not allowed* (which rule). Nothing
  has changed then.
* **step**: something still to be done, in the imperative; the **agenda** is the stack of steps that remain, and a
  **fence** on it is where a process that ends early stops cutting.
* **event**: something that happened, in the past tense; the only thing that changes the board. (A printed *Event
  card* is written with a capital.)
* **board**: the facts on the table. It holds no secret.
* **fact**: one line `key: value` of the board, agenda and question. The **digest** of an entry is the hash of all
  facts after it.
* **need**: what the game waits for: a question, a draw, a deck to be masked, a slot to be shown, or nothing any
  more.
* **draw**: chance that the game needs: a number of dice, a position of a deck, an order.
* **slot**, **face**: a face-down card is a slot (deck, epoch, position); its face is which card it is. A reader's
  *faces* are those that he knows.
* **view**: what a seat may know of the table.
* **chart**, **scene**: where the places of a title lie on a plane, and how they touch; the marks that stand on them
  in a picture of the map.
* **bot**: the program that plays a seat, for the host or in place of a player. Its **hope** is how good it takes a
  position to be.

The log:

* **entry**, **record**: one document of the log; *record* where its bytes matter, *entry* where its meaning does.
  The **head** is the hash of the last one.
* **fold**: the state of a game, computed from its log entry by entry. The **table** is a fold to which its host can
  add entries.
* **played**: an entry by which the game went on is played.
* **link**, **seed**: a value of the host's chain, on which dice depend; what the chance of one throw follows from.
* **throw**: one roll of like dice, draw or shuffle, each with a seed of its own.
* **beacon**, **round**: a public source of chance that nobody knows before its time; one value of it, with its
  signature.
* **receipt**, **run**: a record that fixes what an act says, and the round with which it is played; the records that
  play it when that round is there.
* **mask**, **root**, **epoch**: a deck committed to before anybody draws; the host's secret from which all masks
  follow; how often the deck was laid before.
* **opening**: a slot shown, with the salt that proves it. A slot that is not shown is a **claim**.
* **seal**: the hash of something said now and shown later.
* **standing order**, **line ahead**: an answer left for a question to come; one that answers once, in its order, until
  the turn ends. The **order book** is all that a seat has left, to which its records commit.
* **share**: a part of the root that a seat keeps, so that all together can go on without the host.
* **class**: what ties an entry to its seat: `keyboard`, `token`, `confirmed`, `dkim`, `ssh`.
* **checkpoint**: how far the log went, signed by the host, at the end of every letter.
* **fingerprint**: the hash of the first record in twelve words, for people to compare.
* **motion**, **correction**: what a seat proposes outside the rules; what is done when it is agreed.
* **schedule**, **clock**, **deadline**: how much time the charter gives the seats to answer; the time that passes for
  an open question; when its answer is due. (The clock of the machine is called so, and a server has a *time limit*.)
* **silence**: what happens if a seat does not answer in time.

The post:

* **letter**: an e-mail in or out. A **report** is one that says that the game went on.
* **request**: a line for the post itself, not for the game: `show status`, `vote yes`.
* **fate**: what became of a line or a letter: done, kept for later, refused, ignored.
* **chatter**: a line of the writer's own that is harmless by its form; it is passed over and named. A line **in doubt**
  holds its letter.
* **token**: the secret word in the address where a seat's answers are expected.
* **book**: the post book of a game, `post.yaml`: every letter in and what became of it, every letter out.
* **vault**: the letters as they came, byte for byte, and the keys they were checked with.
* **carrier**: what letters are handed to: an SMTP server, a program, a folder.
* **desk**: the post of one game: its table, book, vault and outbox, under one lock.
* **counter**: the mail that belongs to no game: of strangers, of robots, letters gone astray.
* **office**: all desks and the counter behind one mailbox; it sorts the letters.
* **window**: the pages of an office that everybody may look at.
* **home**, **drawer**: where an office keeps everything, a folder or a database; what is kept there of one game, or
  of the counter.
* **tick**: one look at the clock: deadlines, reminders, letters whose time has come.
* **press**: what players write to one another through the post.
* **guest**: somebody who was invited and has no seat yet, or only watches.
* **minutes**: what a desk remembers of each entry.
* **notice**: a letter to the host about something that needs a person.
* **witness**: a player's own mail, held against the log.
* **handover**, **adoption**: another host goes on with the game: the old one gives it to him, or has vanished.
* **heard**: a game that was put back from a backup stops until its players have been heard: until it is known what
  they have seen since.
*/

pub mod cli;
pub mod titles;
