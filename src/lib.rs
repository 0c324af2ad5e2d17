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

One word for a thing, in code, comments and letters.

The games:

* **title**: a kind of game, with its rules, seats, editions and cards: `risk`, `wotr`.
* **game**: one game of a title that is being played: a log, in a folder of its own.
* **seat**: a place at the table (`yellow`, `free`). A player holds one or more; a program can hold one.
* **player**, **host**: the person who answers for a seat; the person who runs Ringmail for a game, keeps its secrets
  and posts its letters. The host may hold a seat as well.
* **side**: the seats that win together.
* **charter**: what a host writes down before a game begins; what everybody may know of it becomes the first entry.
* **edition**: the rules a game is played by (`risk-lotr-trilogy/1`). It changes only if all seats agree.
* **switch**: a choice where the printed rules leave something open, made in the charter.

Playing:

* **sentence**: one thing a seat may say, in words: `attack osgiliath from south-ithilien with all`. The log keeps
  it in its canonical words.
* **question**: what the game waits for, of exactly one seat; it has an id (`combat-card`), as standing orders name
  it.
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
* **view**, **news**: what a seat may know of the table, and of what has just happened.
* **chart**: where the places of a title lie on a plane, and how they touch.
* **picture**, **scene**: the map as a reader sees it; the marks that stand on its land.
* **bot**: the program that plays a seat, for the host or in place of a player. Its **level** says how much it thinks,
  the **hope** how good it takes a position to be.

The log:

* **entry**, **record**: one document of the log; *record* where its bytes matter, *entry* where its meaning does.
  The **head** is the hash of the last one.
* **fold**: the state of a game, computed from its log entry by entry. The **table** is a fold to which its host can
  add entries.
* **played**: an entry by which the game went on is played; its **outcome** is what was rolled, shown and changed.
* **link**, **code**, **pool**, **seed**: the values that dice depend on: the host's chain, a seat's one-time codes,
  all of them combined, and what the chance of one entry follows from. The **ledger** keeps them.
* **throw**, **spell**: one roll of like dice, draw or shuffle, each with a seed of its own; a seat's answers for which
  one code enters the pool. A **league** is the host with some players, of whom `verify` works out what they
  could have chosen or foreseen.
* **beacon**, **round**, **relay**: a public source of chance that nobody knows before its time; one value of it, with
  its signature; a server that passes rounds on.
* **receipt**, **run**: a record that fixes what an act says, and the round with which it is played; the records that
  play it when that round is there, with everything that was fixed before.
* **mask**, **root**, **epoch**: a deck committed to before anybody draws; the host's secret from which all masks
  follow; how often the deck was laid before.
* **opening**: a slot shown, with the salt that proves it. A slot that is not shown is a **claim**.
* **seal**: the hash of something said now and shown later.
* **standing order**, **order book**, **streak**: an answer left for a question to come; all that a seat has left, to
  which its records commit; answers by orders in a row.
* **condition**, **branch**, **scope**: what of the table an order asks for; an answer of it with its condition; how
  long it stands. What a question is about, its place and the seat that brought it about, is its **matter**.
* **share**: a part of the root that a seat keeps, so that all together can go on without the host.
* **class**: what ties an entry to its seat: `keyboard`, `token`, `confirmed`, `dkim`, `ssh`.
* **checkpoint**: how far the log went, signed by the host, at the end of every letter. An **unsigned claim** is what
  a letter says of a log without that.
* **fingerprint**: the hash of the first record in twelve words, for people to compare.
* **motion**, **vote**, **correction**: what a seat proposes outside the rules, what others say to it, and what is
  done. The **council** keeps what is still open.
* **schedule**, **calendar**: how much time the charter gives the seats to answer; the days and hours of it that count
  for one seat, with its zone and absences.
* **clock**, **deadline**: the time that passes for an open question; when its answer is due. (The clock of the machine
  is called so, and a server has a *time limit*.)
* **lapse**, **grace**, **silence**: a deadline that passed; the time after it before anything happens; what happens
  then.
* **problem**, **finding**, **check**: what is wrong with a record; where it was found; which part of a
  verification it fails.

The post:

* **letter**: an e-mail in or out. A **report** says that the game went on; an **answer** replies to a letter.
* **request**: a line for the post itself, not for the game: `status`, `vote yes`.
* **code to confirm**: a code that the player sends back to prove that he meant a dangerous request.
* **fate**: what became of a line, a letter or an answer: done, kept for later, refused, ignored.
* **kept**, **plan**: a sentence that waits for its question is kept; all that a seat has written ahead is its plan.
* **own line**: a line that the writer of a letter wrote in it, not a quoted one or one of his signature.
* **chatter**: an own line in which nothing could be meant for the game or the post; it is passed over and named.
* **opener**: the words with which a sentence of a title begins.
* **address**, **token**: where a seat's answers are expected; the secret word in it.
* **book**: the post book of a game, `post.yaml`: every letter in and what became of it, every letter out.
* **vault**: the letters as they came, byte for byte, and the keys they were checked with.
* **outbox**: letters that wait to be sent; then they are *sent* or *dead*.
* **carrier**: what letters are handed to: an SMTP server, a program, a folder.
* **desk**: the post of one game: its table, book, vault and outbox, under one lock.
* **counter**: the mail that belongs to no game: of strangers, of robots, letters gone astray.
* **office**: all desks and the counter behind one mailbox; it sorts the letters.
* **service**: `serve`: intake, office, clock and carriers, running on.
* **queue**: the letters that have not been sent, waiting, tried, held or dead; a letter is *held* by its host until he
  releases it, and *dropped* (given up) for good.
* **vitals**, **heartbeat**, **trouble**: what the service has done lately; the file that says so; what is wrong with
  it. An **alert** is a letter about a trouble, by a way out of its own.
* **window**: the pages of an office that everybody may look at.
* **store**, **home**, **drawer**: where an office keeps everything; a folder or a database; what is kept there of one
  game, or of the counter.
* **worker**, **lease**, **queue in**: a process that does the work of an office with others; a lock that ends by itself
  if its worker dies; letters that came in, until a worker receives them.
* **tick**: one look at the clock: deadlines, reminders, letters whose time has come.
* **press**: what players write to one another through the post.
* **guest**, **observer**: somebody who was invited and has no seat yet; somebody who only watches. They meet in the
  **lobby**.
* **minutes**: what a desk remembers of each entry.
* **notice**: a letter to the host about something that needs a person.
* **witness**: a player's own mail, held against the log; **evidence**: two histories, written out.
* **handover**, **adoption**: another host goes on with the game: the old one gives it to him, or has vanished.
* **backup**, **restore**: everything of an office in one file; an office made of it again. A game that was put
  back stops until its players have been **heard**: until it is known what they have seen since.
* **pause**: no time passes in a game; its players have agreed on it, or its host mends something.
* **prune**, **forget**, **archive**: to remove letters of games that are over; to remove a person from the private
  files; to write a game that is over into one file.
* **quota**: how much is kept at the counter of what strangers write.
* **doctor**: the test whether a post office would work.
*/

pub mod cli;
pub mod titles;
