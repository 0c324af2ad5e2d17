/*! The Hunt (14): the roll, the tile, and its effects step by step.

Every step of 14.15 to 14.23 is a step on the agenda, so that a card can be used between any two of them. The board
holds the tile until it is resolved.
*/

use crate::board::Board;
use crate::board::hunt::{Cause, DICE_MAX, Dice, InHand, Victim};
use crate::cards::window::{self, Moment};
use crate::cards::{reactions, tiles};
use crate::character::Character;
use crate::characters::Terms;
use crate::event::Event as Told;
use crate::event::hunt::Event;
use crate::figures::{Figure, Figures};
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::tile::{Kind, Tile, Tiles, Value};
use crate::{Table, fellowship, mordor, words};
use engine::menu::{Ask, Menu};
use engine::need::{Answer, Draw, Need};
use engine::refusal::{Allowed, allowed_if, barred};
use std::fmt;

/// 14.8: the least result that succeeds.
const SUCCESS: u8 = 6;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// 14.7: a Hunt roll; the Shadow may use Flocks of Crebain before it.
    Begin,
    /// 14.7: the roll; a card adds `plus` to every die.
    Roll { plus: u8 },
    /// 14.9: failed dice are re-rolled.
    ReRoll { dice: Dice, plus: u8 },
    /// 14.10, 14.24, 15.6: one tile is drawn and resolved completely. Asks first if it can be prevented (14.11).
    Draw(Cause),
    /// 14.11, answered: the tile is drawn.
    Tile(Cause),
    /// 14.11, 14.16: a card on the table is used.
    Card(window::Step),
    /// 15.11, 14.12, 14.31: the tile is final. The card that drew it may discard it; otherwise the Fellowship advances
    /// on the Mordor Track, the die of the tile is rolled, and the other effects follow.
    Resolve,
    /// 14.12: the die of a die tile is rolled.
    RollDamage,
    /// 14.17 to 14.21: the damage may be reduced. Asks as long as there is a choice.
    Damage(Stage),
    /// 14.27: the Guide's ability has lowered the damage by 1.
    Spare(Character),
    /// 14.26: Gollum reveals the Fellowship for 1 damage less.
    Betray,
    /// 14.18: a Companion is taken.
    Casualty(Victim),
    /// 14.22: the rest is added to Corruption.
    Corrupt,
    /// 14.23: the Reveal icon; then the tile is resolved.
    Reveal,
    /// 14.4: a special tile comes into play.
    Special(Tile),
}

/// How many of the effects of a tile are done (14.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// 14.17, 14.18: the Guide's ability, then a casualty.
    Open,
    /// 14.21: a casualty has been taken while this Companion was the Guide. Only a new Guide may still use an ability.
    Taken { guide: Option<Character> },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Begin => f.write_str("hunt begin"),
            Step::Roll { plus: 0 } => f.write_str("hunt roll"),
            Step::Roll { plus } => write!(f, "hunt roll +{plus}"),
            Step::ReRoll { dice, plus } => {
                f.write_str("hunt re-roll")?;
                dice.iter().filter(|die| **die > 0).try_for_each(|die| write!(f, " {die}"))?;
                if *plus > 0 { write!(f, " +{plus}") } else { Ok(()) }
            }
            Step::Draw(cause) => write!(f, "hunt draw {cause}"),
            Step::Tile(cause) => write!(f, "hunt tile {cause}"),
            Step::Card(step) => step.fmt(f),
            Step::Resolve => f.write_str("hunt resolve"),
            Step::RollDamage => f.write_str("hunt roll damage"),
            Step::Damage(Stage::Open) => f.write_str("hunt damage"),
            Step::Damage(Stage::Taken { guide }) => {
                write!(f, "hunt damage after {}", guide.map_or("gollum", Character::id))
            }
            Step::Spare(guide) => write!(f, "hunt spare {}", guide.id()),
            Step::Betray => f.write_str("hunt betray"),
            Step::Casualty(Victim::Guide) => f.write_str("hunt casualty guide"),
            Step::Casualty(Victim::Random) => f.write_str("hunt casualty random"),
            Step::Corrupt => f.write_str("hunt corrupt"),
            Step::Reveal => f.write_str("hunt reveal"),
            Step::Special(tile) => write!(f, "hunt special {}", tile.id()),
        }
    }
}

pub fn need(board: &Board, step: &Step) -> Option<Need> {
    let dice =
        |label, sides, count: u8| (count > 0).then(|| Need::Draw(Draw::Dice { label, sides, count: u32::from(count) }));
    match step {
        // 14.7: no more than five dice.
        Step::Roll { .. } => dice("hunt roll", 6, level(board).min(DICE_MAX)),
        Step::ReRoll { dice: rolled, plus } => dice("hunt re-roll", 6, re_rolled(board, rolled, *plus)),
        Step::Draw(_) if window::may_prevent(board) => Some(window::asked(board)),
        Step::Draw(_) | Step::Tile(_) => {
            let tiles = drawable(board).len();
            dice("hunt tile", tiles, u8::from(tiles > 0))
        }
        Step::RollDamage => dice("hunt damage", 6, 1),
        Step::Casualty(Victim::Random) => {
            let companions = u32::try_from(board.companions().characters().count()).expect("at most nine");
            dice("random companion", companions, 1)
        }
        Step::Damage(stage) => {
            let choices = DEEDS.iter().filter(|(_, deed)| may_do(board, *stage, *deed).is_ok()).count();
            (choices > 1).then(|| board.asks(board.leading(Side::Free), "hunt-damage"))
        }
        Step::Card(step) => window::need(board, step),
        Step::Begin | Step::Resolve | Step::Special(_) | Step::Corrupt | Step::Reveal => None,
        Step::Spare(_) | Step::Betray | Step::Casualty(Victim::Guide) => None,
    }
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        Step::Begin => {
            let step = reactions::before_roll(play.board()).unwrap_or(Next::Hunt(Step::Roll { plus: 0 }));
            play.push(step);
        }
        // 14.6: with Hunt Level 0 there is no roll, and the Hunt fails.
        Step::Roll { .. } => tell(play, Event::NotRolled),
        // Nothing is re-rolled.
        Step::ReRoll { dice, plus } => rolled(play, dice, Dice::default(), plus),
        // No tile is left anywhere.
        Step::Draw(_) | Step::Tile(_) => {}
        // There is no choice. If the card demands a casualty, a random Companion is taken.
        Step::Damage(stage) => {
            if may_do(play.board(), stage, Deed::Take).is_err() {
                play.push(Next::Hunt(Step::Casualty(Victim::Random)));
            }
        }
        Step::Card(step) => window::perform(play, step),
        Step::Resolve => resolve(play),
        Step::Special(tile) => tell(play, Event::Added { tile }),
        Step::Spare(guide) => {
            let damage = in_hand(play.board()).damage - 1;
            tell(play, Event::Spared { guide, damage });
        }
        Step::Betray => {
            let damage = in_hand(play.board()).damage - 1;
            tell(play, Event::Betrayed { damage });
        }
        Step::Casualty(_) => {
            let guide = play.board().company().guide().expect("a Companion is the Guide");
            take(play, guide, Victim::Guide);
        }
        Step::Corrupt => corrupt(play),
        Step::Reveal => reveal(play),
        Step::RollDamage => unreachable!("`{step}` waits for a die"),
    }
}

pub fn settle(play: &mut Table, step: Step, answer: Answer) {
    if let Step::Card(step) = step {
        return window::settle(play, step, answer);
    }
    let Answer::Dice(faces) = answer else { unreachable!("`{step}` waits for dice") };
    let mut dice = Dice::default();
    for (die, face) in dice.iter_mut().zip(&faces) {
        *die = u8::try_from(*face).expect("a small number");
    }
    match step {
        Step::Roll { plus } => play.push(Next::Hunt(Step::ReRoll { dice, plus })),
        Step::ReRoll { dice: first, plus } => rolled(play, first, dice, plus),
        Step::Draw(cause) | Step::Tile(cause) => {
            refill(play);
            drawn(play, cause, faces[0], None);
            // 14.11: a card may be used before anything else.
            play.then([Step::Card(window::Step::Offer(Moment::Drawn)), Step::Resolve].map(Next::Hunt));
        }
        Step::RollDamage => tell(play, Event::DamageRolled { damage: dice[0] }),
        Step::Casualty(victim) => {
            let companions = play.board().companions();
            let companion = companions.characters().nth(usize::from(dice[0]) - 1).expect("one of the Fellowship");
            take(play, companion, victim);
        }
        Step::Begin | Step::Card(_) | Step::Resolve | Step::Special(_) | Step::Damage(_) => {
            unreachable!("`{step}` waits for no dice")
        }
        Step::Spare(_) | Step::Betray | Step::Corrupt | Step::Reveal => unreachable!("`{step}` waits for no dice"),
    }
}

fn tell(play: &mut Table, event: Event) {
    play.tell(Told::Hunt(event));
}

/// 14.6: the Shadow dice in the Hunt Box.
pub fn level(board: &Board) -> u8 {
    board.dice().hunt_box(Side::Shadow)
}

/// 14.8: +1 for every FP die already in the Hunt Box.
fn bonus(board: &Board) -> u8 {
    // 19.25: with `hunt.roll_bonus = moves_this_turn` +1 for every earlier move this turn, wherever the dice are.
    if board.switches().is_default(Choice::HuntRollBonus) {
        board.dice().hunt_box(Side::Free)
    } else {
        board.company().moves()
    }
}

/// 14.8: 6 or more with the bonus; a natural 1 always fails.
fn succeeds(die: u8, bonus: u8) -> bool {
    die > 1 && die + bonus >= SUCCESS
}

/// 14.9: one failed die is re-rolled for each condition that holds in the region of the figure.
fn re_rolled(board: &Board, dice: &Dice, plus: u8) -> u8 {
    let bonus = bonus(board) + plus;
    let failed = dice.iter().filter(|die| **die > 0 && !succeeds(**die, bonus)).count();
    conditions(board).min(u8::try_from(failed).expect("at most five"))
}

/// 14.9: the conditions are a Stronghold controlled by the Shadow, even a captured one; a Shadow unit; and a Nazgûl,
/// which may be the Witch-king. Figures inside and outside of a siege both count.
fn conditions(board: &Board) -> u8 {
    let Some(region) = board.company().region() else { return 0 };
    let stronghold = u8::from(region.is_stronghold() && board.controller(region) == Some(Side::Shadow));
    let (units, nazgul) = (board.units_in(Side::Shadow, region), board.nazgul_in(region));
    // 19.26: with `hunt.rerolls = per_figure` one die for every unit and every Nazgûl.
    if board.switches().is_default(Choice::HuntRerolls) {
        stronghold + units.min(1) + nazgul.min(1)
    } else {
        stronghold + units + nazgul
    }
}

/// 14.9: the re-rolled dice replace failed ones, with the same bonus; 14.10: with any success one tile is drawn.
fn rolled(play: &mut Table, dice: Dice, rerolled: Dice, plus: u8) {
    let bonus = bonus(play.board()) + plus;
    let hits = |dice: &Dice| dice.iter().filter(|die| succeeds(**die, bonus)).count();
    let successes = u8::try_from(hits(&dice) + hits(&rerolled)).expect("at most five");
    tell(play, Event::Rolled { dice, rerolled, bonus, successes });
    if successes > 0 {
        play.push(Next::Hunt(Step::Draw(Cause::Roll { successes })));
    }
}

/// The tiles that may be drawn. 14.2: the pool is refilled when it is empty, even between several draws.
pub fn drawable(board: &Board) -> Tiles {
    let pool = board.pool();
    if pool.pool().is_empty() { pool.drawn() } else { pool.pool() }
}

/// 14.2: an empty pool is filled again.
pub fn refill(play: &mut Table) {
    let pool = play.board().pool();
    if pool.pool().is_empty() && !pool.drawn().is_empty() {
        // 14.2: all drawn standard tiles that are not removed for good.
        let tiles = pool.drawn();
        tell(play, Event::Refilled { tiles });
    }
}

/// A tile is drawn, the `nth` of those in the pool; `replaced` is the tile that it replaces.
pub fn drawn(play: &mut Table, cause: Cause, nth: u32, replaced: Option<Tile>) {
    let tile = play.board().pool().pool().iter().nth(nth as usize - 1).expect("a tile of the pool");
    let damage = damage(play.board(), tile, cause);
    tell(play, Event::Drawn { in_hand: InHand { tile, cause, damage, gollum_reveals: false, replaced } });
}

/// All effects of the tile, in the order of 14.15, with the changes of the card that drew it (14.31).
fn resolve(play: &mut Table) {
    let InHand { tile, cause, .. } = in_hand(play.board());
    if let Cause::Card(card) = cause
        && tiles::discards(card, tile)
    {
        tell(play, Event::TileDiscarded { card });
        return refill(play);
    }
    // 15.10, 15.11: on the Mordor Track the Fellowship advances after the draw and before the tile's effects, unless
    // the tile shows Stop.
    if cause == Cause::Mordor && !tile.stops() {
        mordor::advance(play);
    }
    match cause {
        Cause::Card(card) => play.then(tiles::steps(card)),
        _ => play.then(EFFECTS.map(Next::Hunt)),
    }
    if tile.value() == Value::Die {
        play.then([Step::RollDamage, Step::Card(window::Step::Offer(Moment::Rolled))].map(Next::Hunt));
    }
}

/// The effects of a tile (14.15).
pub const EFFECTS: [Step; 3] = [Step::Damage(Stage::Open), Step::Corrupt, Step::Reveal];

/// The tile is resolved, and the pool refilled if it was the last.
pub fn put_away(play: &mut Table) {
    tell(play, Event::Resolved);
    refill(play);
}

/// 14.12: the damage of a tile: its number, for an Eye the successes of the roll, for a die tile the roll of the die.
fn damage(board: &Board, tile: Tile, cause: Cause) -> u8 {
    match tile.value() {
        Value::Number(number) => u8::try_from(number).unwrap_or(0),
        Value::Die => 0,
        Value::Eye => match cause {
            Cause::Roll { successes } => successes,
            // 14.13: an Eye drawn without a Hunt roll counts 0.
            Cause::Stronghold(_) | Cause::Card(_) => 0,
            // 15.8: all dice in the Hunt Box count; the die that pays for this move is not there yet.
            Cause::Mordor => level(board) + bonus(board),
        },
    }
}

/// 14.16: whether the damage of the tile may be lowered: it is not 0, and the card that drew the tile does not forbid
/// it.
pub fn reducible(board: &Board) -> bool {
    let InHand { cause, damage, .. } = in_hand(board);
    damage > 0 && !tiles::is_fixed(cause)
}

/// The tile that is being resolved.
pub fn in_hand(board: &Board) -> InHand {
    board.pool().in_hand().expect("a tile is being resolved")
}

/// What the Free Peoples may do against the damage of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Separate,
    Betray,
    Lose(Victim),
    Take,
}

const DEEDS: [(&str, Deed); 5] = [
    ("separate", Deed::Separate),
    ("reveal|reveal the fellowship", Deed::Betray),
    ("lose the guide|lose guide|guide|the guide", Deed::Lose(Victim::Guide)),
    (
        "lose a random companion|lose random companion|random companion|a random companion|random|lose random",
        Deed::Lose(Victim::Random),
    ),
    ("take it|take the damage|take", Deed::Take),
];

fn may_do(board: &Board, stage: Stage, deed: Deed) -> Allowed {
    let InHand { damage, gollum_reveals, tile, cause, .. } = in_hand(board);
    let guide = board.company().guide();
    allowed_if(damage > 0 || deed == Deed::Take, "14.17", || "no damage is left".to_string())?;
    // 14.17 comes before 14.18; after a casualty only a new Guide may still use an ability (14.21, 13.23).
    let acts = match stage {
        Stage::Open => true,
        Stage::Taken { guide: before } => guide != before,
    };
    match deed {
        Deed::Separate => {
            let hobbit = guide.is_some_and(Character::is_hobbit);
            allowed_if(hobbit, "14.27", || "the Guide is no Hobbit".to_string())?;
            allowed_if(acts, "14.21", || "the Guide has had his turn".to_string())
        }
        Deed::Betray => {
            allowed_if(guide.is_none(), "14.26", || "gollum is not the Guide".to_string())?;
            allowed_if(acts && !gollum_reveals, "14.26", || "once for each tile".to_string())?;
            let hidden = board.company().is_hidden() && !shows_reveal(board, tile, cause);
            allowed_if(hidden, "14.26", || "the Fellowship is Revealed, or will be by this tile".to_string())
        }
        Deed::Lose(victim) => {
            allowed_if(stage == Stage::Open, "14.19", || "only one casualty for each tile".to_string())?;
            allowed_if(guide.is_some(), "14.18", || "no Companion is in the Fellowship".to_string())?;
            let free_choice = victim == Victim::Random || !tiles::demands_casualty(cause);
            allowed_if(free_choice, "14.31", || "the card takes a random Companion".to_string())
        }
        Deed::Take => {
            let demanded = tiles::demands_casualty(cause) && stage == Stage::Open && damage > 0 && guide.is_some();
            allowed_if(!demanded, "14.31", || "the card takes a random Companion".to_string())
        }
    }
}

/// `separate meriadoc to bree`, `reveal`, `lose the guide`, `lose a random companion`, `take it`; and the table cards.
pub fn menu(board: &Board, step: &Step, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let stage = match step {
        Step::Damage(stage) => *stage,
        Step::Draw(cause) => return window::before(*cause, menu),
        Step::Card(step) => return window::menu(board, step, menu),
        _ => unreachable!("`{step}` asks nothing"),
    };
    match menu.branch(&DEEDS, |deed| may_do(board, stage, deed))? {
        Deed::Separate => separate(board, stage, menu),
        Deed::Betray => Ok(vec![Next::Hunt(Step::Betray), Next::Hunt(*step)]),
        // 14.20: the Free Peoples choose between the Guide and a random Companion before the draw.
        Deed::Lose(victim) => Ok(vec![Next::Hunt(Step::Casualty(victim))]),
        Deed::Take => Ok(Vec::new()),
    }
}

/// 14.27: a Hobbit who is the Guide leaves, which lowers the damage by 1. 15.15: on the Mordor Track he is out of the
/// game.
fn separate(board: &Board, stage: Stage, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let guide = board.company().guide().expect("a Hobbit is the Guide");
    let guides = |companion: Character| {
        if companion == guide {
            Ok(())
        } else {
            barred("14.27", format!("{} is not the Guide", words::character(companion)))
        }
    };
    menu.choose("companion", Character::of(Side::Free), guides)?;
    let leaves = if board.company().is_on_the_mordor_track() {
        fellowship::Step::Abandon(guide)
    } else {
        menu.word("to|into")?;
        let hobbit = Figures::one(Figure::Character(guide));
        let to = fellowship::destination(board, &hobbit, Terms::ORDINARY, menu)?;
        fellowship::Step::Separate { companions: hobbit, to }
    };
    // 14.28: when the other Hobbit becomes Guide he may do the same for the same tile.
    Ok(vec![
        Next::Hunt(Step::Spare(guide)),
        Next::Fellowship(leaves),
        Next::Fellowship(fellowship::Step::Guide),
        Next::Hunt(Step::Damage(stage)),
    ])
}

/// 14.19: a Companion is eliminated, even if his Level is higher than the damage. The damage is reduced by his Level,
/// not below 0.
fn take(play: &mut Table, companion: Character, victim: Victim) {
    let board = play.board();
    let damage = in_hand(board).damage.saturating_sub(companion.level());
    let guide = board.company().guide();
    tell(play, Event::Taken { companion, victim, damage });
    // 14.21: a new Guide is named at once, and may still use his ability.
    play.push(Next::Hunt(Step::Damage(Stage::Taken { guide })));
    let reaction = reactions::after_casualty(play.board());
    play.then([Some(Next::Fellowship(fellowship::Step::Guide)), reaction].into_iter().flatten());
    fellowship::lose(play, companion);
}

/// 14.22: the damage left is added to Corruption, which may end the game (16.2). A negative number lowers it (14.12).
fn corrupt(play: &mut Table) {
    let InHand { tile, damage, .. } = in_hand(play.board());
    let by = match tile.value() {
        Value::Number(number) if number < 0 => number,
        _ => i8::try_from(damage).expect("a few dice"),
    };
    fellowship::corrupt(play, by);
}

/// 14.23: the Fellowship is revealed by the Reveal icon, or by Gollum. 14.25: the icons of further tiles have no
/// effect, since it is Revealed.
fn reveal(play: &mut Table) {
    let InHand { tile, gollum_reveals, cause, .. } = in_hand(play.board());
    let reveals = gollum_reveals || shows_reveal(play.board(), tile, cause);
    // 14.24: the tile is resolved before the tiles for the path of the Fellowship are drawn.
    put_away(play);
    if reveals {
        play.push(Next::Fellowship(fellowship::Step::Reveal));
    }
}

/// 14.14: whether the Reveal icon of the tile has an effect. 14.26: with Gollum as Guide the icons of standard numbered
/// tiles have none.
fn shows_reveal(board: &Board, tile: Tile, cause: Cause) -> bool {
    let numbered = tile.kind() == Kind::Standard && matches!(tile.value(), Value::Number(_));
    let ignored =
        numbered && board.company().guide().is_none() && board.switches().is_default(Choice::GollumIgnoresReveal);
    tile.reveals() && !ignored && !tiles::hides_reveal(board, cause)
}
