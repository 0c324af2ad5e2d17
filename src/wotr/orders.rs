/*! What standing orders may name: the facts of conditions, places, and the battle.

All of it comes from the board, which holds no secret. `my` is the side of the seat that gives the order, `their` the
other. Units and Leaders are those of that seat's side, enemies the units of the other.
*/

use crate::battle;
use crate::battle::round::prospect;
use crate::board::Board;
use crate::board::battle::{Battle, Decision, Kind};
use crate::board::hunt::Cause;
use crate::card::{Card, EventDeck, Type};
use crate::character::Character;
use crate::die::Face;
use crate::nation::Nation;
use crate::region::Region;
use crate::side::Side;
use crate::step::Step;
use crate::tile::Kind as TileKind;
use crate::{WarOfTheRing, question, reveal};
use engine::menu::{Ask, Menu};
use engine::name::{Name, Named};
use engine::need::Need;
use engine::order::fact::{Fact, Matter};
use engine::order::guard::Touch;
use engine::order::line::{Begins, Clauses};
use engine::play::Rules;
use engine::refusal::allowed_if;
use engine::seat::Seat;

/// How a fact begins: with fixed words, or with the name of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    Turn,
    Corruption,
    Progress,
    Hidden,
    Revealed,
    Companions,
    GuideIs,
    HuntBox,
    Of(Whose, What),
    In(Who),
    NextTo,
    Fight(Fight),
    Ended(Decision),
    Tile(Tile),
    /// 13.16: the fewest Shadow Strongholds that a revealed Fellowship can pass.
    OnTheWay,
    Thing,
}

/// Whose dice, cards, points and Rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Mine,
    Theirs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Dice,
    Showing(Face),
    Cards,
    Points,
    Rings,
}

/// Figures in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Units,
    Regulars,
    Elites,
    Leaders,
    Nazgul,
    Enemies,
}

/// Facts of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fight {
    Round,
    Is(Kind),
    Attackers,
    Defenders,
    Mine(Who),
    Leadership(Whose),
    Roll(Whose),
    Hits,
    Laid(Laid),
    CardShown,
}

/// What the other side has laid face down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Laid {
    Nothing,
    Something,
    Of(Type),
}

/// Facts of the Hunt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tile {
    Damage,
    Successes,
    Reveals,
    IsEye,
    IsSpecial,
    Level,
    /// The Level of the Companion who would be the Guide if this one were lost.
    NextLevel,
}

const FACTS: [(&str, Opening); 53] = {
    use Opening::{Fight as F, In, Of, Tile as T};
    use Whose::{Mine, Theirs};
    [
        ("turn", Opening::Turn),
        ("corruption", Opening::Corruption),
        ("progress", Opening::Progress),
        ("hidden", Opening::Hidden),
        ("revealed", Opening::Revealed),
        ("companions", Opening::Companions),
        ("guide is|the guide is", Opening::GuideIs),
        ("hunt box|dice in the hunt box", Opening::HuntBox),
        ("my dice", Of(Mine, What::Dice)),
        ("their dice", Of(Theirs, What::Dice)),
        ("my character dice", Of(Mine, What::Showing(Face::Character))),
        ("my army dice", Of(Mine, What::Showing(Face::Army))),
        ("my muster dice", Of(Mine, What::Showing(Face::Muster))),
        ("my army/muster dice", Of(Mine, What::Showing(Face::ArmyMuster))),
        ("my event dice", Of(Mine, What::Showing(Face::Event))),
        ("my will dice", Of(Mine, What::Showing(Face::Will))),
        ("their character dice", Of(Theirs, What::Showing(Face::Character))),
        ("their army dice", Of(Theirs, What::Showing(Face::Army))),
        ("their muster dice", Of(Theirs, What::Showing(Face::Muster))),
        ("their army/muster dice", Of(Theirs, What::Showing(Face::ArmyMuster))),
        ("their event dice", Of(Theirs, What::Showing(Face::Event))),
        ("their will dice", Of(Theirs, What::Showing(Face::Will))),
        ("my cards", Of(Mine, What::Cards)),
        ("their cards", Of(Theirs, What::Cards)),
        ("my points", Of(Mine, What::Points)),
        ("their points", Of(Theirs, What::Points)),
        ("my rings", Of(Mine, What::Rings)),
        ("their rings", Of(Theirs, What::Rings)),
        ("units in", In(Who::Units)),
        ("regulars in", In(Who::Regulars)),
        ("elites in", In(Who::Elites)),
        ("leaders in", In(Who::Leaders)),
        ("nazgul in", In(Who::Nazgul)),
        ("enemies in", In(Who::Enemies)),
        ("enemies next to", Opening::NextTo),
        ("round", F(Fight::Round)),
        ("field|a field battle", F(Fight::Is(Kind::Field))),
        ("siege|a siege", F(Fight::Is(Kind::Siege))),
        ("sortie|a sortie", F(Fight::Is(Kind::Sortie))),
        ("attackers", F(Fight::Attackers)),
        ("defenders", F(Fight::Defenders)),
        ("units", F(Fight::Mine(Who::Units))),
        ("regulars", F(Fight::Mine(Who::Regulars))),
        ("elites", F(Fight::Mine(Who::Elites))),
        ("leaders", F(Fight::Mine(Who::Leaders))),
        ("enemies", F(Fight::Mine(Who::Enemies))),
        ("leadership|my leadership", F(Fight::Leadership(Mine))),
        ("their leadership", F(Fight::Leadership(Theirs))),
        ("roll|my roll", F(Fight::Roll(Mine))),
        ("their roll", F(Fight::Roll(Theirs))),
        ("hits", F(Fight::Hits)),
        ("damage", T(Tile::Damage)),
        ("", Opening::Thing),
    ]
};

/// What the other side has laid or done, and what the Hunt tile shows: facts of one question or a few.
const RARE: [(&str, Opening); 15] = [
    ("they laid no card", Opening::Fight(Fight::Laid(Laid::Nothing))),
    ("they laid a card", Opening::Fight(Fight::Laid(Laid::Something))),
    ("they laid a character card", Opening::Fight(Fight::Laid(Laid::Of(Type::Character)))),
    ("they laid a strategy card", Opening::Fight(Fight::Laid(Laid::Of(Type::Strategy)))),
    ("tile reveals|the tile reveals", Opening::Tile(Tile::Reveals)),
    ("tile is eye|the tile is an eye", Opening::Tile(Tile::IsEye)),
    ("tile is special|the tile is special", Opening::Tile(Tile::IsSpecial)),
    ("level|the level of the guide", Opening::Tile(Tile::Level)),
    ("next level|the next level", Opening::Tile(Tile::NextLevel)),
    ("successes", Opening::Tile(Tile::Successes)),
    ("strongholds on the way|shadow strongholds on the way", Opening::OnTheWay),
    ("a card was shown|a card is shown", Opening::Fight(Fight::CardShown)),
    ("they withdrew|they have withdrawn", Opening::Ended(Decision::Withdrew)),
    ("they retreated|they have retreated", Opening::Ended(Decision::Retreated)),
    ("they are gone|they were eliminated", Opening::Ended(Decision::DefenderGone)),
];

/// The clauses behind an attack, and behind any other sentence of a battle.
pub static CLAUSES: Clauses = Clauses {
    begin: &[
        Begins { words: "until", question: "press-on", answer: None },
        Begins { words: "reduce elites until", question: "siege-round", answer: None },
        Begins { words: "regulars first|regular first|elites first|elite first", question: "losses", answer: None },
        Begins { words: "advance", question: "advance", answer: None },
        Begins { words: "stay|no advance", question: "advance", answer: None },
        Begins { words: "retreat", question: "retreat", answer: None },
        Begins { words: "stand", question: "retreat", answer: None },
        Begins { words: "no card", question: "combat-card", answer: None },
    ],
    questions: &[
        "battle",
        "field-or-siege",
        "white-rider",
        "combat-card",
        "combat-choice",
        "losses",
        "press-on",
        "siege-round",
        "retreat",
        "sorcerer",
        "advance",
    ],
    cards: ("combat-card", "no card", "lay"),
    round: "round",
};

/// A thing with a name that conditions may ask about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Region(Region),
    Nation(Nation),
    Character(Character),
    Card(Card),
}

impl Named for Thing {
    fn name(&self) -> &'static Name {
        match self {
            Thing::Region(region) => region.name(),
            Thing::Nation(nation) => nation.name(),
            Thing::Character(character) => character.name(),
            Thing::Card(card) => card.name(),
        }
    }
}

/// The words of all facts that conditions may name.
pub fn facts() -> Vec<&'static str> {
    let things = [
        "<region> mine",
        "<region> theirs",
        "<region> besieged",
        "<nation> at war",
        "<nation> steps",
        "<character> in the fellowship",
        "<character> in <region>",
        "<card> on the table",
    ];
    let begins = FACTS.iter().chain(&RARE).map(|(words, _)| words.split('|').next().unwrap_or(words));
    begins.filter(|words| !words.is_empty()).chain(things).collect()
}

/// The group of a question; the name of a group is returned as it is.
fn group(question: &str) -> &str {
    let asked = crate::questions::QUESTIONS.iter().find(|asked| asked.id == question);
    asked.map_or(question, |asked| asked.group)
}

pub fn fact(board: &Board, open: Option<&Step>, (seat, question): (Seat, &str), menu: &mut Menu<'_>) -> Ask<Fact> {
    let player = board.player(seat).unwrap_or(board.leading(Side::Free));
    let side = player.side();
    let ways: Vec<(&str, Opening)> = RARE.iter().chain(&FACTS).copied().collect();
    let named = menu.branch(&ways, |named| match named {
        Opening::Fight(Fight::Laid(_)) => {
            allowed_if(question == "combat-card", "", || "only `combat-card` is asked while a card lies there".into())
        }
        Opening::Fight(_) => {
            let has_battle = group(question) == "battle";
            allowed_if(has_battle, "", || format!("`{question}` is not asked in a battle, and has no such fact"))
        }
        Opening::Ended(_) => {
            allowed_if(question == "advance", "", || "only `advance` is asked when a battle is won".into())
        }
        Opening::Tile(_) => {
            let has_tile = matches!(question, "hunt-damage" | "hunt-card");
            allowed_if(has_tile, "", || "only `hunt-damage` and `hunt-card` are asked of a Hunt tile".into())
        }
        Opening::OnTheWay => {
            let is_revealed = matches!(question, "hunt-damage" | "hunt-card" | "reveal");
            allowed_if(is_revealed, "", || {
                "only `hunt-damage`, `hunt-card` and `reveal` are asked while the Fellowship may be revealed".into()
            })
        }
        _ => Ok(()),
    })?;
    let company = board.company();
    Ok(match named {
        Opening::Turn => Fact::number(board.turn()),
        Opening::Corruption => Fact::number(company.corruption()),
        Opening::Progress => Fact::number(company.progress()),
        Opening::Hidden => Fact::flag(company.is_hidden()),
        Opening::Revealed => Fact::flag(!company.is_hidden()),
        Opening::Companions => {
            Fact::number(u32::try_from(board.companions().characters().count()).expect("at most nine"))
        }
        Opening::GuideIs => {
            let guide = menu.pick("companion", Character::of(Side::Free), |_| Ok(()))?;
            Fact::flag(company.guide() == Some(guide))
        }
        Opening::HuntBox => Fact::number(board.dice().hunt_box(Side::Shadow) + board.dice().hunt_box(Side::Free)),
        // 17.9: a player of a team counts only his own cards.
        Opening::Of(Whose::Mine, What::Cards) => Fact::number(board.decks().hand_size(player)),
        Opening::Of(whose, what) => Fact::number(of_side(board, of(side, whose), what)),
        Opening::In(who) => {
            let region = menu.pick("region", Region::all(), |_| Ok(()))?;
            Fact::number(in_region(board, side, who, region))
        }
        Opening::NextTo => {
            let region = menu.pick("region", Region::all(), |_| Ok(()))?;
            let near = region.neighbours().iter().map(|near| u32::from(board.units_in(!side, near)));
            Fact::Number(Some(near.sum()))
        }
        Opening::Fight(fight) => {
            board.battle().map_or_else(|| absent(fight), |fought| in_battle(board, fought, side, fight))
        }
        Opening::Ended(how) => Fact::Flag(match open {
            Some(Step::Battle(battle::Step::Advance(outcome))) => Some(*outcome == how),
            _ => None,
        }),
        Opening::Tile(tile) => of_tile(board, tile),
        Opening::OnTheWay => Fact::Number(reveal::strongholds_on_the_way(board)),
        Opening::Thing => return of_thing(board, side, menu),
    })
}

fn of(side: Side, whose: Whose) -> Side {
    match whose {
        Whose::Mine => side,
        Whose::Theirs => !side,
    }
}

fn of_side(board: &Board, side: Side, what: What) -> u8 {
    match what {
        What::Dice => board.dice().unused(side),
        What::Showing(face) => board.dice().showing(side, face),
        What::Cards => EventDeck::of(side).into_iter().map(|deck| board.decks().hand(deck).len()).sum(),
        What::Points => board.points(side),
        What::Rings => board.rings().held(side),
    }
}

fn in_region(board: &Board, side: Side, who: Who, region: Region) -> u8 {
    let (own, other) = (board.force(side, region), board.force(!side, region));
    match who {
        Who::Units => own.units(side),
        Who::Regulars => own.regulars(side),
        Who::Elites => own.elites(side),
        Who::Leaders => own.leaders(),
        Who::Nazgul => board.nazgul_in(region),
        Who::Enemies => other.units(!side),
    }
}

/// The value of a battle's fact while there is no battle.
fn absent(fight: Fight) -> Fact {
    match fight {
        Fight::Is(_) | Fight::Laid(_) | Fight::CardShown => Fact::Flag(None),
        Fight::Round | Fight::Attackers | Fight::Defenders | Fight::Mine(_) => Fact::Number(None),
        Fight::Leadership(_) | Fight::Roll(_) | Fight::Hits => Fact::Number(None),
    }
}

fn in_battle(board: &Board, battle: &Battle, side: Side, fight: Fight) -> Fact {
    let units = |side: Side| board.fighters(side).units(side);
    match fight {
        Fight::Round => Fact::number(battle.round),
        Fight::Is(kind) => Fact::flag(battle.kind == kind),
        Fight::Attackers => Fact::number(units(battle.attacker)),
        Fight::Defenders => Fact::number(units(battle.defender())),
        Fight::Mine(who) => {
            let own = board.fighters(side);
            Fact::number(match who {
                Who::Units => own.units(side),
                Who::Regulars => own.regulars(side),
                Who::Elites => own.elites(side),
                Who::Leaders => own.leaders(),
                Who::Nazgul => own.nazgul(),
                Who::Enemies => units(!side),
            })
        }
        Fight::Leadership(whose) => Fact::number(board.battle_leadership(of(side, whose))),
        Fight::Roll(whose) => Fact::number(prospect(board, of(side, whose), battle.round.max(1)).dice),
        Fight::Hits => Fact::number(battle.hits[(!side).index()]),
        Fight::CardShown => Fact::flag(battle.played.iter().any(Option::is_some)),
        Fight::Laid(laid) => {
            let slot = board.decks().laid_by(!side);
            Fact::flag(match laid {
                Laid::Nothing => slot.is_none(),
                Laid::Something => slot.is_some(),
                Laid::Of(kind) => slot.is_some_and(|slot| EventDeck::of_slot(slot).kind == kind),
            })
        }
    }
}

fn of_tile(board: &Board, asked: Tile) -> Fact {
    let in_hand = board.pool().in_hand();
    let flag = |is_so: fn(crate::tile::Tile) -> bool| Fact::Flag(in_hand.map(|hand| is_so(hand.tile)));
    match asked {
        Tile::Damage => Fact::Number(in_hand.map(|hand| u32::from(hand.damage))),
        Tile::Successes => Fact::Number(in_hand.and_then(|hand| match hand.cause {
            Cause::Roll { successes } => Some(u32::from(successes)),
            Cause::Stronghold(_) | Cause::Mordor | Cause::Card(_) => None,
        })),
        Tile::Reveals => flag(crate::tile::Tile::reveals),
        Tile::IsEye => flag(|tile| tile.value() == crate::tile::Value::Eye),
        Tile::IsSpecial => flag(|tile| tile.kind() != TileKind::Standard),
        Tile::Level => Fact::Number(board.company().guide().map(|guide| u32::from(guide.level()))),
        Tile::NextLevel => {
            let guide = board.company().guide();
            let companions = board.companions();
            let others = companions.characters().filter(|other| Some(*other) != guide);
            Fact::number(others.map(Character::level).max().unwrap_or(0))
        }
    }
}

/// A region that is mine, a Nation at war, a Companion in the Fellowship, a card on the table.
fn of_thing(board: &Board, side: Side, menu: &mut Menu<'_>) -> Ask<Fact> {
    let regions = Region::all().iter().copied().map(Thing::Region);
    let nations = Nation::ALL.into_iter().map(Thing::Nation);
    let characters = Character::ALL.into_iter().map(Thing::Character);
    let things: Vec<Thing> = regions.chain(nations).chain(characters).chain(Card::all().map(Thing::Card)).collect();
    Ok(match menu.choose("name", &things, |_| Ok(()))? {
        Thing::Region(region) => {
            let ways = [("mine|is mine", 0), ("theirs|is theirs", 1), ("besieged|is besieged", 2)];
            match menu.branch(&ways, |_| Ok(()))? {
                0 => Fact::flag(board.controller(region) == Some(side)),
                1 => Fact::flag(board.controller(region) == Some(!side)),
                _ => Fact::flag(board.is_besieged(region)),
            }
        }
        Thing::Nation(nation) => {
            match menu.branch(&[("at war|is at war", 0), ("steps|steps to war", 1)], |_| Ok(()))? {
                0 => Fact::flag(board.is_at_war(nation)),
                _ => Fact::number(board.politics().steps_to_war(nation)),
            }
        }
        Thing::Character(character) => {
            let ways = [("in the fellowship|is in the fellowship", 0), ("in|is in", 1)];
            match menu.branch(&ways, |_| Ok(()))? {
                0 => Fact::flag(board.companions().has(character)),
                _ => {
                    let region = menu.pick("region", Region::all(), |_| Ok(()))?;
                    Fact::flag(board.region_of(character) == Some(region))
                }
            }
        }
        Thing::Card(card) => {
            menu.word("on the table|is on the table|lies on the table")?;
            Fact::flag(board.decks().is_on_table(card))
        }
    })
}

pub fn place(menu: &mut Menu<'_>) -> Ask<&'static str> {
    Ok(menu.pick("region", Region::all(), |_| Ok(()))?.id())
}

/// The place of a question is the region of the battle, of the Fellowship or of the force over its limit. The
/// attacker brought it about; without a battle, the asked seat did.
pub fn matter(board: &Board, step: &Step) -> Matter {
    let place = question::about(board, step).first().map(|region| region.id());
    let asked = match WarOfTheRing::need(board, step) {
        Some(Need::Question(question)) => Some(question.seat),
        _ => None,
    };
    Matter { place, by: board.battle().map(|battle| board.seating().seat(board.fighter(battle.attacker))).or(asked) }
}

pub fn battle(board: &Board) -> Option<String> {
    let battle = board.battle()?;
    Some(format!("{} {} {}", battle.attacker.id(), battle.kind.id(), battle.region.id()))
}

/// What a changed fact of the board means for lines written ahead.
pub fn touch<'v>(key: &str, value: &'v str) -> Touch<'v> {
    match key {
        "battle" => Touch::Battle(value.split(' ').nth(3)),
        "progress" if value.ends_with("revealed") => Touch::Revealed,
        "hunt-tile" if value != "-" => Touch::Tile,
        _ if Region::all().iter().any(|region| region.id() == key) => Touch::Place,
        _ => Touch::Nothing,
    }
}

/// The facts that a sentence about the Fellowship depends on.
pub fn depends(sentence: &str) -> Option<&'static [&'static str]> {
    const ABOUT: [&str; 6] = ["fellowship", "hide", "declare", "separate", "guide", "corruption"];
    let is_about = sentence.split([' ', ',']).any(|word| ABOUT.contains(&word));
    is_about.then_some(&["corruption", "guide", "hunt-waiting", "hunt-removed", "ring-bearers"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EDITIONS;
    use crate::title::TITLE;
    use engine::order::held::{Act, Guards};
    use engine::order::line::alternatives;
    use engine::title::Setup;

    /// Records since a line was written: who spoke, whether dice fell or a card was shown, and the changed facts.
    type Records<'r> = &'r [(&'r str, &'r str, &'r [&'r str])];

    /// What holds back a line of the Free Peoples.
    #[track_caller]
    fn case(line: &str, records: Records<'_>, expected: Option<&str>) {
        let seats = vec!["free".to_string(), "shadow".to_string()];
        let setup = Setup { edition: EDITIONS[0].to_string(), seats, options: Vec::new() };
        let game = (TITLE.begin)(&setup).unwrap();
        let acts: Vec<Act<'_>> = records
            .iter()
            .map(|(seat, with, changed)| (*seat, *with, *changed))
            .enumerate()
            .map(|(index, record)| {
                let (seat, with, changed) = record;
                Act {
                    seq: index as u64 + 1,
                    seat,
                    is_own: seat == "free",
                    is_ally: seat != "shadow",
                    has_dice: with == "dice",
                    shows_card: with == "card",
                    changed: changed.to_vec(),
                }
            })
            .collect();
        let guards = Guards::of(&TITLE, &*game, &alternatives(line, &CLAUSES));
        assert_eq!(guards.held(None, &acts).map(|held| held.to_string()).as_deref(), expected, "{line}");
    }

    const LINE: &str = "army die: move 2 regular Minas Tirith to osgiliath";
    const HELM: &[&str] = &["battle: shadow field fords-of-isen helms-deep round 1 of 1 hits 0 0 misses 0 0"];
    const NEAR: &[&str] = &["battle: shadow field south-ithilien north-ithilien round 1 of 1 hits 0 0 misses 0 0"];

    #[test]
    fn each_cause_holds_a_line_back() {
        // An attack in or next to a place that the line names.
        case(LINE, &[("shadow", "", NEAR)], Some("shadow has attacked north-ithilien (#1)"));
        case(LINE, &[("shadow", "", HELM)], None);
        // A team mate who attacks there is no danger.
        case(LINE, &[("mate", "", NEAR)], None);
        case(
            &format!("{LINE}; stop if attacked anywhere"),
            &[("shadow", "", HELM)],
            Some("shadow has attacked helms-deep (#1)"),
        );
        case(&format!("{LINE}; go on if attacked"), &[("shadow", "", NEAR)], None);
        // A card outside a battle.
        let changes: &[&str] = &["osgiliath: sauron 2r"];
        case(LINE, &[("shadow", "card", changes)], Some("a card of shadow has changed osgiliath (#1)"));
        case(LINE, &[("shadow", "card", &["moria: sauron 3r"])], None);
        case(
            &format!("{LINE}; stop if card anywhere"),
            &[("shadow", "card", &[])],
            Some("shadow has played a card (#1)"),
        );
        case(&format!("{LINE}; stop if card anywhere"), &[("free", "card", changes)], None);
        case(&format!("{LINE}; stop if card anywhere"), &[("shadow", "", HELM), ("shadow", "card", &[])], None);
        // A change by another seat, or by dice.
        case(LINE, &[("shadow", "", changes)], Some("osgiliath has changed (#1)"));
        case(LINE, &[("free", "", changes)], None);
        case(LINE, &[("free", "dice", changes)], Some("osgiliath has changed (#1)"));
        case(&format!("{LINE}; go on if touched"), &[("shadow", "", changes)], None);
        // Hits in a battle of its own seat.
        let own: &[&str] = &["battle: free field minas-tirith osgiliath round 1 of 1 hits 0 0 misses 0 0"];
        case(LINE, &[("free", "", own), ("free", "", changes)], Some("osgiliath has changed (#2)"));
        case(LINE, &[("free", "", own), ("shadow", "", &["battle: -"]), ("free", "", changes)], None);
        // The Hunt.
        let tile: &[&str] = &["hunt-tile: std-14 roll 1 damage 1"];
        case(LINE, &[("free", "dice", tile)], Some("a Hunt tile was drawn (#1)"));
        case(&format!("{LINE}; go on if tile"), &[("free", "dice", tile)], None);
        case(LINE, &[("free", "", &["progress: 0 revealed"])], Some("the Fellowship was revealed (#1)"));
        case(LINE, &[("free", "", &["progress: 1 hidden", "hunt-tile: -"])], None);
        // The facts that a line about the Fellowship depends on.
        let moves = "character die: move fellowship";
        case(moves, &[("shadow", "", &["corruption: 3"])], Some("corruption has changed (#1)"));
        case(moves, &[("shadow", "", &["hunt-waiting: sh-shelob"])], Some("hunt-waiting has changed (#1)"));
        case(LINE, &[("shadow", "", &["corruption: 3"])], None);
    }
}
