/*! The rules of a log: for each its stable id, the level of the report to which it belongs, its exit code, and the
paragraph of `games/README.md` that says it.

They stand in the order in which they are checked: of several that one record breaks, the first gives the exit code
(log 14.4). That page has the same table, and a test compares the two.
*/

use super::{Check, exit};
use std::fmt;

/// Declares the rules: the words of each row are its id, its level, its exit code and its paragraph.
macro_rules! rules {
    ($( $rule:ident = $id:literal, $check:ident, $code:ident, $paragraph:literal; )+) => {
        /// A rule of the log.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule { $( $rule, )+ }

        impl Rule {
            pub const ALL: &[Rule] = &[$( Rule::$rule ),+];
        }

        /// The rows, in the order of the rules.
        const TABLE: &[Row] = &[$(
            Row { id: $id, check: Check::$check, code: exit::$code, paragraph: $paragraph },
        )+];
    };
}

struct Row {
    id: &'static str,
    check: Check,
    code: u8,
    paragraph: &'static str,
}

rules! {
    // The file, the format, and how a record is written.
    FileRecord = "file.record", Structure, MALFORMED, "1.2";
    FileTorn = "file.torn", Structure, MALFORMED, "1.3";
    FileLength = "file.length", Structure, MALFORMED, "1.1";
    FileEmpty = "file.empty", Structure, MALFORMED, "1.1";
    FormatNumber = "format.number", Structure, UNSUPPORTED, "5.1";
    FormatLevel = "format.level", Structure, UNSUPPORTED, "5.1.1";
    FormUtf8 = "form.utf8", Structure, MALFORMED, "1.1";
    FormLimit = "form.limit", Structure, MALFORMED, "1.4";
    FormKeys = "form.keys", Structure, MALFORMED, "2.1";
    FormValue = "form.value", Structure, MALFORMED, "2.4";
    FormCanonical = "form.canonical", Canonical, MALFORMED, "2.7";

    // What the letters of class `dkim` say, if they are shown.
    LetterProof = "letter.proof", Letters, CHAIN, "10.9";
    LetterTurn = "letter.turn", Letters, CHAIN, "10.9";
    LetterWords = "letter.words", Letters, CHAIN, "10.9";

    // The chain, and which record may stand where.
    ChainPrev = "chain.prev", Chain, CHAIN, "3.2";
    ChainSeq = "chain.seq", Structure, MALFORMED, "3.1";
    ChainTime = "chain.time", Structure, MALFORMED, "3.4";
    PlacePhase = "place.phase", Structure, MALFORMED, "4.4";
    PlaceOver = "place.over", Structure, MALFORMED, "4.5";
    PlaceAdoption = "place.adoption", Structure, MALFORMED, "4.5";
    TextCharacter = "text.character", Structure, MALFORMED, "2.8";
    TextLength = "text.length", Structure, MALFORMED, "2.8";

    // What waits, or is being played.
    LapseReceipt = "lapse.receipt", Structure, MALFORMED, "7.12";
    MotionFirst = "motion.first", Structure, MALFORMED, "5.14";
    RunOrder = "run.order", Rules, RULES, "7.12";
    RunDeck = "run.deck", Dice, DICE, "7.12";
    RunLine = "run.line", Dice, DICE, "7.12";

    // Who made it.
    ViaHost = "via.host", Structure, MALFORMED, "4.3";
    ViaBy = "via.by", Structure, MALFORMED, "4.3";
    ViaBoth = "via.both", Structure, MALFORMED, "4.3";
    ViaSeen = "via.seen", Structure, MALFORMED, "4.3";
    ViaRaw = "via.raw", Structure, MALFORMED, "4.3";
    AuthKeyboard = "auth.keyboard", Authority, CHAIN, "10.1";
    AuthClass = "auth.class", Authority, CHAIN, "10.1";
    AuthAddress = "auth.address", Authority, CHAIN, "10.1";
    ViaSigned = "via.signed", Structure, MALFORMED, "4.3";
    SignMissing = "sign.missing", Authority, CHAIN, "10.4";
    SignHead = "sign.head", Authority, CHAIN, "10.4";
    SignHolds = "sign.holds", Authority, CHAIN, "10.4";
    SignNumber = "sign.number", Authority, CHAIN, "10.4";
    SignOnce = "sign.once", Authority, CHAIN, "10.4";
    SignOrder = "sign.order", Authority, CHAIN, "10.4";
    SignWords = "sign.words", Authority, CHAIN, "10.4";
    ViaSight = "via.sight", Structure, MALFORMED, "4.9";
    SeatHost = "seat.host", Structure, MALFORMED, "4.1";
    SeatUnknown = "seat.unknown", Structure, MALFORMED, "4.1";

    // The first record.
    GenesisTitle = "genesis.title", Rules, UNSUPPORTED, "5.1";
    GenesisChain = "genesis.chain", Structure, MALFORMED, "7.10";
    GenesisOwn = "genesis.own", Structure, MALFORMED, "7.10";
    GenesisSeats = "genesis.seats", Structure, MALFORMED, "5.1";
    GenesisEscrow = "genesis.escrow", Structure, MALFORMED, "5.1";
    GenesisMinAuth = "genesis.min_auth", Structure, MALFORMED, "5.1";
    GenesisPlayed = "genesis.played", Structure, MALFORMED, "5.21";
    PlayerTwice = "player.twice", Structure, MALFORMED, "2.8";
    GenesisSchedule = "genesis.schedule", Structure, MALFORMED, "12.1";
    GenesisHostKey = "genesis.host_key", Structure, MALFORMED, "10.2";
    GenesisPlayable = "genesis.playable", Rules, RULES, "5.1";
    GenesisDecks = "genesis.decks", Structure, MALFORMED, "5.1";

    // Joining and starting.
    JoinAgain = "join.again", Structure, MALFORMED, "5.2";
    JoinHosted = "join.hosted", Structure, MALFORMED, "5.2";
    JoinOrder = "join.order", Structure, MALFORMED, "5.2";
    StartJoined = "start.joined", Structure, MALFORMED, "5.3";
    StartSetup = "start.setup", Dice, DICE, "7.2";
    StartEscrow = "start.escrow", Structure, MALFORMED, "8.9";
    StartRound = "start.round", Structure, MALFORMED, "7.12";

    // An answer, and the lines and orders from which it comes.
    SayAsked = "say.asked", Rules, RULES, "11.5";
    ReceiptBeacon = "receipt.beacon", Structure, MALFORMED, "5.19";
    ReceiptStart = "receipt.start", Structure, MALFORMED, "5.19";
    ReceiptLines = "receipt.lines", Structure, MALFORMED, "5.19";
    SayDeadline = "say.deadline", Structure, MALFORMED, "12.5";
    SayProgram = "say.program", Structure, MALFORMED, "5.21";
    SayBot = "say.bot", Structure, MALFORMED, "12.5";
    ReceiptRound = "receipt.round", Dice, DICE, "7.11";
    ReceiptLetter = "receipt.letter", Structure, MALFORMED, "5.19";
    ReceiptCut = "receipt.cut", Structure, MALFORMED, "5.19";
    RoundOrder = "round.order", Dice, DICE, "7.12";
    RoundTime = "round.time", Dice, DICE, "7.12";
    RoundSignature = "round.signature", Dice, DICE, "7.10";
    SayRound = "say.round", Dice, DICE, "7.12";
    SayLine = "say.line", Structure, MALFORMED, "7.12";
    LineNext = "line.next", Dice, DICE, "7.12";
    LineCommitted = "line.committed", Openings, DICE, "9.10";
    LineCut = "line.cut", Dice, DICE, "7.12";
    LineSays = "line.says", Openings, DICE, "7.12";
    StopAsked = "stop.asked", Dice, DICE, "7.12";
    StopFalse = "stop.false", Dice, DICE, "7.14";
    SayLeast = "say.least", Rules, RULES, "12.5";
    OrderBook = "order.book", Rules, RULES, "9.6";
    OrderDue = "order.due", Rules, RULES, "9.6";
    OrderWords = "order.words", Rules, RULES, "9.6";
    OrderRun = "order.run", Rules, RULES, "9.5";
    OrderOnce = "order.once", Rules, RULES, "9.5";

    // What the table agrees on.
    KeyMissing = "key.missing", Structure, MALFORMED, "10.2";
    KeySigned = "key.signed", Authority, CHAIN, "5.8";
    AddressHosted = "address.hosted", Structure, MALFORMED, "5.8";
    AddressJoined = "address.joined", Structure, MALFORMED, "5.8";
    HostKey = "host.key", Structure, MALFORMED, "5.9";
    HostAnchor = "host.anchor", Structure, MALFORMED, "5.9";
    HostWaits = "host.waits", Structure, MALFORMED, "5.9";
    HostSigned = "host.signed", Authority, CHAIN, "10.5";
    HostPlays = "host.plays", Authority, CHAIN, "5.9";
    SeatWaits = "seat.waits", Authority, CHAIN, "5.14";
    HostSig = "host.sig", Structure, MALFORMED, "5.9";
    HostShares = "host.shares", Structure, MALFORMED, "5.9";
    HostConsent = "host.consent", Structure, MALFORMED, "5.9";
    ConsentTo = "consent.to", Structure, MALFORMED, "5.10";
    ChangeAddress = "change.address", Structure, MALFORMED, "5.14";
    ChangeTo = "change.to", Structure, MALFORMED, "5.11";
    ChangeRules = "change.rules", Structure, MALFORMED, "5.11";
    ChangeOf = "change.of", Structure, MALFORMED, "5.11";
    ChangeKey = "change.key", Structure, MALFORMED, "5.11";
    ChangeDeadline = "change.deadline", Structure, MALFORMED, "5.11";
    ChangeUntil = "change.until", Structure, MALFORMED, "5.11";
    ChangePause = "change.pause", Structure, MALFORMED, "5.11";
    ChangeUndo = "change.undo", Structure, MALFORMED, "5.14";
    MotionMany = "motion.many", Structure, MALFORMED, "5.11";
    MotionSay = "motion.say", Structure, MALFORMED, "5.11";
    VoteMotion = "vote.motion", Structure, MALFORMED, "5.12";
    VoteSay = "vote.say", Structure, MALFORMED, "5.12";
    VoteAgain = "vote.again", Structure, MALFORMED, "5.12";
    ConcedeOver = "concede.over", Structure, MALFORMED, "5.13";
    ConcedeDeadline = "concede.deadline", Structure, MALFORMED, "5.13";
    DisputeAbout = "dispute.about", Structure, MALFORMED, "5.13";
    CorrectionAlone = "correction.alone", Authority, CHAIN, "5.14";
    CorrectionLater = "correction.later", Structure, MALFORMED, "5.14";
    CorrectionMotion = "correction.motion", Structure, MALFORMED, "5.14";
    CorrectionMoved = "correction.moved", Structure, MALFORMED, "5.14";
    CorrectionConsents = "correction.consents", Structure, MALFORMED, "5.14";
    SeatFree = "seat.free", Authority, CHAIN, "5.14";

    // Time.
    ClockStarted = "clock.started", Structure, MALFORMED, "4.4";
    ClockDays = "clock.days", Structure, MALFORMED, "12.4";
    ClockOpen = "clock.open", Structure, MALFORMED, "12.3";
    ClockAsked = "clock.asked", Structure, MALFORMED, "12.3";
    ClockSeat = "clock.seat", Structure, MALFORMED, "12.3";
    ClockExtensions = "clock.extensions", Structure, MALFORMED, "12.4";
    ClockUntil = "clock.until", Structure, MALFORMED, "12.4";
    ClockStands = "clock.stands", Structure, MALFORMED, "12.3";
    ClockMisses = "clock.misses", Structure, MALFORMED, "12.3";
    ClockThen = "clock.then", Structure, MALFORMED, "12.3";
    ClockDue = "clock.due", Structure, MALFORMED, "12.3";
    ClockZone = "clock.zone", Structure, MALFORMED, "5.15";
    ClockReached = "clock.reached", Structure, MALFORMED, "12.4";

    // Cards, throws and facts.
    DeckAsked = "deck.asked", Rules, RULES, "11.5";
    DeckName = "deck.name", Openings, DICE, "8.1";
    DeckNumber = "deck.number", Openings, DICE, "5.6";
    DeckCommitment = "deck.commitment", Openings, DICE, "8.5";
    CardEpoch = "card.epoch", Structure, MALFORMED, "8.6";
    CardPosition = "card.position", Openings, DICE, "8.6";
    CardCommitted = "card.committed", Openings, DICE, "8.6";
    CardWord = "card.word", Openings, DICE, "8.1";
    CardTwice = "card.twice", Openings, DICE, "8.6";
    SayAllowed = "say.allowed", Rules, RULES, "5.4";
    SayWords = "say.words", Rules, RULES, "5.4";
    CardMissing = "card.missing", Openings, DICE, "4.7";
    DiceNone = "dice.none", Dice, DICE, "7.6";
    DiceLink = "dice.link", Dice, DICE, "7.4";
    DiceNumber = "dice.number", Dice, DICE, "7.6";
    DiceAsked = "dice.asked", Dice, DICE, "7.6";
    DiceLeft = "dice.left", Dice, DICE, "7.6";
    DiceFace = "dice.face", Dice, DICE, "7.6";
    DiceDraw = "dice.draw", Dice, DICE, "7.6";
    DiceOrder = "dice.order", Dice, DICE, "7.6";
    CardNeedless = "card.needless", Openings, DICE, "4.7";
    FactChanged = "fact.changed", Rules, RULES, "11.3";

    // The end.
    RevealRoot = "reveal.root", Openings, DICE, "8.10";
    RevealDeck = "reveal.deck", Openings, DICE, "8.10";
    RevealClaim = "reveal.claim", Openings, DICE, "8.8";
    RevealShare = "reveal.share", Openings, DICE, "8.10";
    RevealBooks = "reveal.books", Openings, DICE, "9.6";
    OrderNone = "order.none", Rules, RULES, "9.6";
    RevealLines = "reveal.lines", Structure, MALFORMED, "7.14";
    RevealLine = "reveal.line", Openings, DICE, "7.14";
    RevealStop = "reveal.stop", Openings, DICE, "7.14";
    EndClosing = "end.closing", Chain, CHAIN, "5.18";
    EndResult = "end.result", Rules, RULES, "5.17";

    // What stands at the end of a record.
    BooksThere = "books.there", Structure, MALFORMED, "4.10";
    DigestThere = "digest.there", Structure, MALFORMED, "11.2";
    FactDigest = "fact.digest", Rules, RULES, "11.2";

    // What the reader has in his mail, or gives.
    MailHead = "mail.head", Mailbox, CONFLICT, "10.8";
    MailFork = "mail.fork", Mailbox, CONFLICT, "10.8";
    MailBeginning = "mail.beginning", Mailbox, CONFLICT, "10.8";
    MailShorter = "mail.shorter", Mailbox, MALFORMED, "10.8";
    MailNone = "mail.none", Mailbox, NOT_SHOWN, "10.8";
    MineJoin = "mine.join", Mailbox, NOT_SHOWN, "15.2";
    MineLetter = "mine.letter", Mailbox, NOT_SHOWN, "15.2";
    MineNone = "mine.none", Mailbox, NOT_SHOWN, "15.2";
}

impl Rule {
    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The id, which never changes its meaning: `chain.prev`.
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// The level of the report to which it belongs.
    pub fn check(self) -> Check {
        self.row().check
    }

    /// The exit code of a log whose first problem is against it (V2).
    pub fn code(self) -> u8 {
        self.row().code
    }

    /// The paragraph of `games/README.md` that says it.
    pub fn paragraph(self) -> &'static str {
        self.row().paragraph
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
