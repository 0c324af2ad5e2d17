/*! A game opened by its host: whatever is said at the table becomes a record, and then the state of the game.

The record comes first. A copy of the same fold that everybody checks with makes it; it is read back, appended and
synced; only then does the table move on. A record that fails leaves the table and its log as they were before it;
what the same act wrote before stands.

In reading order: here, a game begins, is answered, and ends; `genesis` makes its first record, `making` all others;
[`orders`] (standing orders, and `clauses` after a sentence), [`lines`] (lines ahead), [`receipts`] (acts before their
rounds), [`stand_in`] (answers for a seat), [`clock_acts`] (time), [`agreement`] (what the seats agree on), [`adopt`]
(another host); [`resting`] frees the log for others meanwhile; [`table_error`] says why something was not done. No
letter is known here.
*/

pub mod adopt;
pub mod agreement;
mod clauses;
pub mod clock_acts;
pub mod clock_refused;
mod genesis;
pub mod lines;
mod made;
mod making;
mod mark;
pub mod opens;
pub mod orders;
mod pending;
pub mod receipts;
pub mod resting;
pub mod stand_in;
pub mod table_error;

use self::genesis::genesis;
use self::made::Made;
use self::mark::Mark;
use self::opens::Opens;
use self::pending::Pending;
use self::table_error::TableError;
use crate::charter::Charter;
use crate::commit::chain::HostChain;
use crate::commit::escrow;
use crate::commit::signature::PublicKey;
use crate::entry::body::{Address, Dns, End, Escrowed, Join, Keys, Reveal, Say, Start, Text, Via};
use crate::entry::{Body, Entry, HOST, Head};
use crate::file::log::{Log, LogError, SetAside};
use crate::file::reading::{Followed, read_with_secrets};
use crate::file::secrets::Secrets;
use crate::fold::ending::{ABANDONED, result_text};
use crate::fold::standing::Order;
use crate::fold::{Fold, Phase};
use engine::game::Understood;
use engine::need::Need;
use engine::refusal::Refusal;
use engine::seat::Seat;
use engine::slot::{Card, Slot};
use engine::title::Titles;
use ground::files::LOG;
use ground::hash::{Hash, sha256};
use ground::stamp::Stamp;
use std::ops::ControlFlow;
use store::drawer::Drawer;

/// An opened game.
pub struct Table {
    drawer: Drawer,
    log: Log,
    pub(crate) fold: Fold,
    pub(crate) secrets: Secrets,
    pub(crate) chain: HostChain,
    set_aside: Vec<SetAside>,
    /// The records made since they were last taken; `None` if nobody takes them.
    made: Option<Vec<Made>>,
    /// Changes of the order books that no record commits to yet.
    pending: Vec<Pending>,
    /// Whether `host.yaml` has changes for a record that was never made.
    has_stale_orders: bool,
    /// While the table rests: what must be unchanged for it to go on.
    rests: Option<Mark>,
}

/// What a seat brings when it joins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joining {
    /// Any words of the player, which enter the dice.
    pub phrase: String,
    /// SHA-256 of the Message-ID of the letter by which it joins; zeros if it has none.
    pub message: Hash,
    pub keys: Vec<String>,
    /// The player's name, if it was not known when the game was made.
    pub player: Option<String>,
    /// The commitment to the address from which the player writes, if he writes letters.
    pub address: Option<Hash>,
}

/// A sentence of a seat that was read against the menu and can now be said, once.
#[derive(Debug)]
pub struct Heard {
    seat: Seat,
    /// The last record at that time.
    after: Head,
    understood: Understood,
    /// Where acts need receipts: the lines of a receipt from which it follows.
    opens: Option<Opens>,
    /// The orders that its clauses leave for its battle.
    clauses: Vec<Order>,
}

impl Heard {
    /// Its canonical words.
    pub fn sentence(&self) -> &str {
        &self.understood.said.sentence
    }

    /// The same sentence, following from these lines of a receipt.
    pub fn of_lines(self, opens: Option<Opens>) -> Heard {
        Heard { opens, ..self }
    }
}

/// A card in a hand, with what its seat needs to check it against the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardHeld {
    pub slot: Slot,
    pub card: Card,
    pub salt: Hash,
}

impl Table {
    /// Makes a new game in a drawer, which is created if it does not exist.
    pub fn create(
        drawer: impl Into<Drawer>,
        charter: &Charter,
        mut secrets: Secrets,
        at: Stamp,
        titles: Titles,
    ) -> Result<Table, TableError> {
        let genesis = genesis(charter, &mut secrets, titles)?;
        let body = Body::Genesis(Box::new(genesis));
        let seat = Text::from(HOST);
        let entry =
            Entry { seq: 0, prev: Hash::ZERO, at, seat, via: None, books: None, body, outcome: None, digest: None };
        let hash = sha256(entry.to_text().as_bytes());
        let mut problems = Vec::new();
        let begun = Fold::begin(&entry, hash, titles, Some(secrets.root), &mut problems);
        let mut fold = begun.map_err(|problem| TableError::Unsound(vec![problem]))?;
        fold.know_books(Vec::new(), None);
        if !problems.is_empty() {
            return Err(TableError::Unsound(problems));
        }
        let drawer = drawer.into();
        let file = drawer.place(LOG);
        match drawer.has(LOG) {
            Ok(false) => {}
            Ok(true) => return Err(LogError::AlreadyThere { file }.into()),
            Err(error) => return Err(LogError::Read { file, error }.into()),
        }
        drawer.make().map_err(|error| LogError::Write { file: drawer.path(), error })?;
        // The secrets first: a log that nobody can deal for would be worse than secrets without a log.
        secrets.create(&drawer)?;
        let log = Log::create(&drawer, &entry)?;
        Ok(Table::at(drawer, log, fold, secrets))
    }

    fn at(drawer: Drawer, log: Log, fold: Fold, secrets: Secrets) -> Table {
        let chain = secrets.host_chain();
        let (set_aside, pending) = (Vec::new(), Vec::new());
        Table {
            drawer,
            log,
            fold,
            secrets,
            chain,
            set_aside,
            made: None,
            pending,
            has_stale_orders: false,
            rests: None,
        }
    }

    /// Opens the game in a drawer, and folds its log from the first record.
    pub fn open(drawer: impl Into<Drawer>, titles: Titles) -> Result<Table, TableError> {
        let drawer = drawer.into();
        let log = Log::open(&drawer)?;
        let secrets = Secrets::read(&drawer)?;
        Table::of(&drawer, log, secrets, titles, |_| ())
    }

    /// Like [`Table::open`], for a log that is open already and secrets that were read under its lock. Shows every
    /// entry of the log to `each`. Records made later are kept only after [`Table::keep_made`], until
    /// [`Table::take_made`].
    pub fn of(
        drawer: &Drawer,
        log: Log,
        secrets: Secrets,
        titles: Titles,
        mut each: impl FnMut(&Followed<'_>),
    ) -> Result<Table, TableError> {
        let fold = read_with_secrets(log.records()?, titles, &secrets, |followed| {
            each(followed);
            ControlFlow::Continue(())
        })?;
        if fold.plan().game != secrets.game {
            return Err(TableError::OtherSecrets);
        }
        let mut table = Table::at(drawer.clone(), log, fold, secrets);
        table.forget_stale_orders();
        Ok(table)
    }

    /// A seat joins. The host's own seats contribute nothing to the dice, so for them any contribution is left out;
    /// they join before all others, at the latest together with the first of the others.
    pub fn join(&mut self, seat: Seat, joining: &Joining, via: Option<Via>, at: Stamp) -> Result<Head, TableError> {
        let is_hosted = self.fold.plan().seats[seat.index()].hosted;
        if !is_hosted {
            self.join_hosted(at)?;
        }
        let message = (joining.message != Hash::ZERO).then_some(joining.message);
        let via = via.map(|via| Via { message: via.raw.and(message.or(via.message)), ..via });
        let body = Body::Join(Join {
            phrase: (!joining.phrase.is_empty() && !is_hosted).then(|| Text::from(joining.phrase.clone())),
            keys: joining.keys.iter().map(|key| Text::from(key.clone())).collect(),
            player: joining.player.clone().map(Text::from),
            address: joining.address.filter(|_| !is_hosted),
        });
        self.add(self.word(seat), via, body, at)
    }

    /// Makes the host's own seats join that have not joined yet.
    pub fn join_hosted(&mut self, at: Stamp) -> Result<(), TableError> {
        let seats = (0..self.fold.plan().seats.len()).map(Seat::at);
        let hosted = seats.filter(|seat| self.fold.plan().seats[seat.index()].hosted && !self.fold.has_joined(*seat));
        for seat in hosted.collect::<Vec<Seat>>() {
            self.join(seat, &Joining::default(), Some(Via::keyboard()), at)?;
        }
        Ok(())
    }

    /// Starts the game. From now on nobody can choose again what was fixed before.
    pub fn start(&mut self, at: Stamp) -> Result<Vec<Head>, TableError> {
        if self.fold.phase() != Phase::Joining {
            return Err(TableError::NotNow { why: "the game has started" });
        }
        let words = |seats: Vec<Seat>| seats.into_iter().map(|seat| self.word(seat)).collect();
        let Some(contributions) = self.fold.contributions() else {
            let seats = (0..self.fold.plan().seats.len()).map(Seat::at);
            let missing = words(seats.filter(|seat| !self.fold.has_joined(*seat)).collect());
            return Err(TableError::NotJoined { missing });
        };
        if self.beacon().is_some() && !self.fold.receipts().may_start() {
            return Err(TableError::NotNow { why: "the start waits for a round of the beacon" });
        }
        let setup = self.fold.fixed(&contributions).setup();
        let start = Body::Start(Start { setup, escrow: self.committed_shares() });
        let mut heads = vec![self.add(HOST.to_string(), None, start, at)?];
        heads.extend(self.settle(at)?);
        Ok(heads)
    }

    /// The commitments to the shares of the root; empty if the charter wants no shares.
    fn committed_shares(&self) -> Vec<Escrowed<'static>> {
        let plan = self.fold.plan();
        let seats = plan.seats.iter().enumerate().filter(|(_, seat)| plan.escrow.is_some() && !seat.hosted);
        let seats: Vec<u8> = seats.map(|(index, _)| Seat::at(index).0).collect();
        let escrowed = |(seat, share): (u8, Hash)| Escrowed {
            seat: Text::from(self.word(Seat(seat))),
            digest: escrow::commitment(&plan.game, seat, &share),
        };
        escrow::shares(&self.secrets.root, &seats).into_iter().map(escrowed).collect()
    }

    /// Reads a sentence of a seat and changes nothing.
    pub fn read(&self, seat: Seat, line: &str) -> Result<Heard, Refusal> {
        let understood = self.fold.game().understand(seat, line, self.fold.faces())?;
        let clauses = self.clauses_of(seat, line, understood.place)?;
        Ok(Heard { seat, after: self.fold.head(), understood, opens: None, clauses })
    }

    /// Reads an answer of a seat and plays it, with everything that follows from it.
    pub fn say(&mut self, seat: Seat, line: &str, via: Option<Via>, at: Stamp) -> Result<Vec<Head>, TableError> {
        self.must_be_played()?;
        let heard = self.read(seat, line)?;
        self.answer(heard, via, at)
    }

    /// A seat answers its question, and everything that follows from the answer happens.
    ///
    /// If another record came after the sentence was read, it is read again.
    pub fn answer(&mut self, heard: Heard, via: Option<Via>, at: Stamp) -> Result<Vec<Head>, TableError> {
        self.must_be_played()?;
        let mut heads = self.let_orders_fire(at)?;
        let heard = if heard.after == self.fold.head() {
            heard
        } else {
            let again = self.read(heard.seat, heard.sentence())?.of_lines(heard.opens);
            Heard { clauses: heard.clauses, ..again }
        };
        if heard.opens.is_none() && self.needs_receipts() {
            return Err(TableError::NotNow { why: "the answer needs a receipt, and the round of that" });
        }
        let line = heard.opens.map(|opens| self.opened(heard.seat, opens));
        let say = Say { said: Text::from(heard.sentence().to_string()), line };
        heads.clear();
        heads.push(self.add_with_clauses(heard, via, say, at)?);
        heads.extend(self.settle(at)?);
        Ok(heads)
    }

    fn must_be_played(&self) -> Result<(), TableError> {
        match self.fold.phase() {
            Phase::Playing => Ok(()),
            _ => Err(TableError::NotNow { why: "the game is not being played" }),
        }
    }

    /// Records that a letter of a seat was read from which nothing was played. The record does not say what else the
    /// letter did: it may have changed standing orders, which may answer now.
    pub fn hear(&mut self, seat: Seat, via: Option<Via>, at: Stamp) -> Result<Vec<Head>, TableError> {
        let mut heads = vec![self.add(self.word(seat), via, Body::Heard, at)?];
        heads.extend(self.settle(at)?);
        Ok(heads)
    }

    /// Dates the key of a mail domain, by which letters are checked. Writes nothing if the log has the key already.
    pub fn date_key(&mut self, key: Hash, at: Stamp) -> Result<Option<Head>, TableError> {
        if self.fold.phase() != Phase::Playing || self.fold.domain_keys().contains(&key) {
            return Ok(None);
        }
        self.add(HOST.to_string(), None, Body::Dns(Dns { key }), at).map(Some)
    }

    /// A seat announces other keys than those with which it joined.
    pub fn announce_keys(
        &mut self,
        seat: Seat,
        keys: &[PublicKey],
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Head, TableError> {
        let keys = keys.iter().map(|key| Text::from(key.to_string())).collect();
        self.add(self.word(seat), via, Body::Keys(Keys { keys }), at)
    }

    /// A seat writes from another address from here on.
    pub fn change_address(
        &mut self,
        seat: Seat,
        address: Hash,
        via: Option<Via>,
        at: Stamp,
    ) -> Result<Head, TableError> {
        self.add(self.word(seat), via, Body::Address(Address { address }), at)
    }

    /// Publishes the secrets, after which the game can only be ended.
    pub fn reveal(&mut self, at: Stamp) -> Result<Head, TableError> {
        if self.fold.phase() != Phase::Playing {
            return Err(TableError::NotNow { why: "secrets are published after the start, and once" });
        }
        let (orders, lines) = (self.changes_of_books(), self.lines_stopped());
        let reveal = Reveal { root: self.secrets.root, orders, lines };
        self.add(HOST.to_string(), None, Body::Reveal(reveal), at)
    }

    /// Ends the game after its secrets are published. `why` is for a game that was not played to its end.
    pub fn end(&mut self, why: &str, at: Stamp) -> Result<Head, TableError> {
        if self.fold.phase() != Phase::Revealed {
            return Err(TableError::NotNow { why: "the secrets must be published before, with `reveal`" });
        }
        let result = match self.fold.outcome() {
            Some(outcome) => result_text(&outcome, self.fold.plan()),
            None => format!("{ABANDONED}: {why}"),
        };
        self.add(
            HOST.to_string(),
            None,
            Body::End(End { result: Text::from(result), digest: Hash::ZERO, closing: Hash::ZERO }),
            at,
        )
    }

    /// Does everything that waits for nobody: carries out motions, lays down masked decks, lets standing orders
    /// answer.
    pub fn settle(&mut self, at: Stamp) -> Result<Vec<Head>, TableError> {
        let mut heads = Vec::new();
        // The loop ends: runs of orders are limited (log 9.5), and every mask and motion moves the game on.
        loop {
            if self.fold.phase() != Phase::Playing {
                return Ok(heads);
            }
            if let Some(head) = self.carry_out(at)? {
                heads.push(head);
                continue;
            }
            match self.fold.need() {
                Need::Mask(mask) => {
                    let masks = self.fold.masks();
                    let (masked, _) =
                        masks.mask(&self.secrets.root, mask.deck, mask.epoch, &mask.goes_in, self.fold.faces());
                    let body = Body::Deck(masks.record(mask.deck, mask.epoch, &masked));
                    heads.push(self.add(HOST.to_string(), None, body, at)?);
                }
                Need::Question(question) => match self.order_for(question, at) {
                    Some(sentence) => heads.push(self.fire(question.seat, &sentence, at)?),
                    None => return Ok(heads),
                },
                Need::Draw(_) | Need::Show(_) | Need::Over => return Ok(heads),
            }
        }
    }

    /// The word of a seat.
    pub fn word(&self, seat: Seat) -> String {
        self.fold.plan().word(seat).to_string()
    }

    /// The cards that a seat holds, with the salts that prove them.
    pub fn hand(&self, seat: Seat) -> Vec<CardHeld> {
        let held = self.fold.game().hand(seat).into_iter().filter_map(|slot| {
            let card = self.fold.faces().get(slot)?;
            Some(CardHeld { slot, card, salt: crate::fold::masks::Masks::salt(&self.secrets.root, slot) })
        });
        held.collect()
    }

    pub fn fold(&self) -> &Fold {
        &self.fold
    }

    /// The drawer with everything that is kept of the game.
    pub fn drawer(&self) -> &Drawer {
        &self.drawer
    }

    pub fn log(&self) -> &Log {
        &self.log
    }

    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Changes what the host keeps beside the log, and writes it. If writing fails, the table keeps the old secrets.
    pub fn change_secrets(&mut self, change: impl FnOnce(&mut Secrets)) -> Result<(), TableError> {
        let mut secrets = self.secrets.clone();
        change(&mut secrets);
        secrets.write(&self.drawer)?;
        self.secrets = secrets;
        Ok(())
    }

    /// Torn records that were set aside since the table was opened; the host must be told of them.
    pub fn set_aside(&self) -> &[SetAside] {
        &self.set_aside
    }

    /// Sets a torn last record aside.
    pub fn repair(&mut self, at: Stamp) -> Result<Option<SetAside>, TableError> {
        Ok(self.log.repair(at)?)
    }
}
