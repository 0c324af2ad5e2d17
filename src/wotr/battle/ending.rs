//! The end of a round and of a battle (9.35 to 9.53): cease, retreat, advance.

use crate::battle::{FENCE, Step, fought, tell, then};
use crate::board::Board;
use crate::board::battle::{Decision, Kind};
use crate::board::place::Place;
use crate::cards::shadow_strategy::ShadowStrategy;
use crate::cards::{Title, wards};
use crate::character::Character;
use crate::event::battle::Event;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::region::{Region, Regions};
use crate::side::Side;
use crate::standing::{self, UNITS_MAX};
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, capture, part, politics, siege};
use engine::chance::Chance;
use engine::menu::policy::{AMONG, PART, UNTIL};
use engine::menu::{Ask, Menu, Phrase, Sample};
use engine::refusal::{Allowed, allowed_if, barred};

/// 9.35: both sides have units.
pub fn end_round(play: &mut Table) {
    let board = play.board();
    let battle = fought(board);
    let limit = if board.switches().is_default(Choice::RoundLimit) {
        u8::MAX
    } else {
        board.switches().number(Choice::RoundLimit)
    };
    match battle.kind {
        // 10.11: rounds that a card gives are fought in a row; the attacker may stop after any of them.
        Kind::Siege if battle.round < battle.rounds => then(play, [Step::PressOn]),
        Kind::Siege => then(play, [Step::SiegeRound]),
        // 19.20: with `combat.round_limit = 5` a field battle ends after its fifth round as if the attacker had ceased,
        // unless he may not cease.
        Kind::Field | Kind::Sortie if battle.round >= limit && may_cease(board) => finish(play, Decision::Ceased),
        Kind::Field | Kind::Sortie => then(play, [Step::PressOn]),
    }
}

/// 9.38: the attack of the Corsairs of Umbar is fought to the end, but in a siege battle the attacker may cease
/// (C5.10).
pub fn may_cease(board: &Board) -> bool {
    let battle = fought(board);
    let corsairs = Title::ShadowStrategy(ShadowStrategy::CorsairsOfUmbar);
    battle.kind == Kind::Siege || battle.by.is_none_or(|card| card.title_of() != corsairs)
}

/// 9.35 (1): `press the attack` or `stop the attack`; `until 3 left` means one of them, depending on the attacker's
/// units.
pub fn press_on(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    if menu.comes_next(UNTIL) {
        let left = menu.silently(until)?;
        let battle = fought(board);
        let goes_on = u32::from(board.fighters(battle.attacker).units(battle.attacker)) > left;
        menu.comes_to(if goes_on { "press the attack" } else { "stop the attack" });
        return Ok(vec![if goes_on { Step::FightOn } else { Step::Cease }]);
    }
    let ways = [
        ("press the attack|press on|press|go on|fight on|continue|attack again", Step::FightOn),
        ("stop the attack|cease|stop|break off|end", Step::Cease),
    ];
    Ok(vec![menu.branch(&ways, |_| Ok(()))?])
}

/// `until 3 left`: the number.
pub fn until(menu: &mut Menu<'_>) -> Ask<u32> {
    menu.word(UNTIL)?;
    let left = menu.number("units left", 0..=99, "")?;
    menu.word("left")?;
    Ok(left)
}

/// 9.35 (2): then the defender may retreat; 9.41: a besieged Army cannot.
pub fn fight_on(play: &mut Table) {
    let battle = fought(play.board());
    tell(play, Event::Pressed { side: battle.attacker, round: battle.round, reduced: None });
    match fought(play.board()).kind {
        Kind::Field | Kind::Sortie => then(play, [Step::Retreat]),
        Kind::Siege => then(play, [Step::ClearCards, Step::Round]),
    }
}

/// 9.39: the adjacent regions that are free for the defender. C7.14: a region from which a card on the table bars him
/// is not one of them.
pub fn retreats(board: &Board) -> Regions {
    let battle = fought(board);
    havens(board, battle.defender(), battle.region)
}

/// Where an Army of the side that must leave the region can retreat, in a battle or because of a card.
pub fn havens(board: &Board, side: Side, from: Region) -> Regions {
    (from.neighbours() & board.free_regions(side)) - wards::warded(board, side)
}

/// 9.35 (2): `retreat to druadan-forest` or `stand`.
pub fn retreat(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let ways = [("retreat to|retreat|fall back to", true), ("stand|hold|fight on|fight", false)];
    if !menu.is_policy(AMONG, "retreat to") && !menu.branch(&ways, |_| Ok(()))? {
        return Ok(vec![Step::Stand]);
    }
    let (from, side) = (fought(board).region, fought(board).defender());
    let to = menu.choose("region", Region::all(), |to| may_retreat(board, side, from, to))?;
    Ok(vec![Step::RetreatTo(to)])
}

/// Whether an Army of the side may retreat there.
pub fn may_retreat(board: &Board, side: Side, from: Region, to: Region) -> Allowed {
    if !from.adjacent(to) {
        return barred("9.39", format!("{} is not next to {}", to.title(), from.title()));
    }
    if board.has_army(!side, to) {
        return barred("9.39", format!("an enemy Army is in {}", to.title()));
    }
    wards::may_enter(board, side, to)?;
    allowed_if(board.is_free(side, to), "9.39", || format!("the enemy controls {}", to.title()))
}

/// 9.35 (3): the next round begins.
pub fn stand(play: &mut Table) {
    tell(play, Event::Stood);
    then(play, [Step::ClearCards, Step::Round]);
}

/// 9.39, 9.40: the whole force goes, only Characters of Level 0 stay behind as lone figures.
pub fn retreat_to(play: &mut Table, to: Region) {
    let board = play.board();
    let battle = *fought(board);
    let side = battle.defender();
    let figures = without_saruman(board.fighters(side));
    let (start, end) = (battle.defenders_at(), Place::Field(to));
    play.tell(Told::Moved(Move { figures, from: start, to: end, cause: Cause::Retreated }));
    // 9.42: a retreating Army enters the region.
    capture::army_entered(play, side, to);
    politics::companions_arrived(play, &figures.only_characters(), to);
    finish(play, Decision::Retreated);
    // 9.45: a retreating besieger gives up his siege.
    standing::check(play, battle.region);
}

/// The figures without Saruman, the Character of Level 0 who never leaves his region (6.3, 9.40, 9.47).
fn without_saruman(mut figures: Figures) -> Figures {
    if figures.has(Character::Saruman) {
        figures.take(Figure::Character(Character::Saruman), 1);
    }
    figures
}

/// The battle is decided: the rest of its rounds is dropped (9.14). The Combat cards are discarded; then the attacker
/// may advance (9.47), unless he ceased, was eliminated, or is in the region already (9.51).
pub fn finish(play: &mut Table, outcome: Decision) {
    play.cut(FENCE);
    tell(play, Event::Decided(outcome));
    let battle = fought(play.board());
    let won = matches!(outcome, Decision::Retreated | Decision::Withdrew | Decision::DefenderGone);
    if won && battle.has_landed() {
        then(play, [Step::ClearCards, Step::Occupy(outcome), Step::End]);
    } else if won && battle.kind == Kind::Field {
        then(play, [Step::ClearCards, Step::Advance(outcome), Step::End]);
    } else {
        then(play, [Step::ClearCards, Step::End]);
    }
}

/// C5.10: an Army that has landed is in the region already. If the defender withdrew inside, he is under siege;
/// otherwise the region is entered.
pub fn occupy(play: &mut Table, outcome: Decision) {
    let battle = *fought(play.board());
    match outcome {
        // 10.5: the excess inside is removed at once.
        Decision::Withdrew => {
            siege::encircle(play);
            play.push(Next::Standing(standing::Step::Trim(None)));
        }
        _ => capture::army_entered(play, battle.attacker, battle.region),
    }
}

/// 9.47: any part of the attackers with a unit, never the rearguard, never Saruman.
struct Advance<'a> {
    board: &'a Board,
}

impl Advance<'_> {
    fn able(&self) -> Figures {
        without_saruman(fought(self.board).part)
    }

    fn may_go(&self, figures: &Figures) -> Allowed {
        let battle = fought(self.board);
        let (side, from) = (battle.attacker, battle.from);
        if figures.has(Character::Saruman) {
            return barred("9.47", "Saruman never leaves Orthanc");
        }
        allowed_if(figures.units(side) > 0, "9.47", || "at least one unit advances".to_string())?;
        // 17.38: the player who advances with a part of a mixed Army controls it.
        let led = self.board.commander(side, figures) == self.board.fighter(side);
        allowed_if(led, "17.38", || "your team mate would control that part of the mixed Army".to_string())?;
        // 9.48, 7.7: FP Leaders are never left without a unit.
        let left = self.board.force_at(side, battle.attackers_at()) - *figures;
        let alone = left.leaders() > 0 && left.units(side) == 0;
        allowed_if(!alone, "7.7", || format!("a Leader would be left in {} without a unit", from.title()))?;
        allowed_if(figures.units(side) <= room(self.board), "19.34", || {
            format!("more than {UNITS_MAX} units would be in {}", battle.region.title())
        })
    }
}

/// How many units may still enter the region of the battle: with `stacking.move_over_ten = forbid` up to the limit
/// (19.34), otherwise any number, since the excess is removed afterwards (7.4).
fn room(board: &Board) -> u8 {
    let battle = fought(board);
    if board.switches().is_default(Choice::MoveOverTen) {
        u8::MAX
    } else {
        UNITS_MAX.saturating_sub(board.units(battle.attacker, battle.region))
    }
}

/// Whether any part may advance: the region has room for a unit.
pub fn can_advance(board: &Board) -> bool {
    room(board) > 0
}

/// `advance with 3 regular 1 elite`, `advance with all` or `stay`.
pub fn advance(board: &Board, outcome: Decision, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let ways = [("advance", true), ("stay|no advance|hold", false)];
    if !menu.is_policy(PART, "advance") && !menu.branch(&ways, |_| Ok(()))? {
        return Ok(vec![Next::Battle(Step::Stay)]);
    }
    let figures = menu.phrase(&Advance { board })?;
    let advance = Next::Battle(Step::AdvanceWith(figures));
    Ok(match outcome {
        // 10.5: if he advances, the Stronghold is under siege, and its excess is removed at once.
        Decision::Withdrew => {
            vec![Next::Battle(Step::Encircle), advance, Next::Standing(standing::Step::Trim(None))]
        }
        _ => vec![advance],
    })
}

/// 9.49: the advancing figures enter the region.
pub fn advance_with(play: &mut Table, figures: Figures) {
    let battle = *fought(play.board());
    let (start, end) = (battle.attackers_at(), Place::Field(battle.region));
    play.tell(Told::Moved(Move { figures, from: start, to: end, cause: Cause::Advanced }));
    capture::army_entered(play, battle.attacker, battle.region);
    politics::companions_arrived(play, &figures.only_characters(), battle.region);
    // 10.21: a siege that the attackers have left ends.
    standing::check(play, battle.from);
}

/// The most parts of an Army listed for an advance.
const PARTS_GROWN: usize = 400;

impl Phrase for Advance<'_> {
    type Said = Figures;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Figures> {
        let able = self.able();
        if !menu.maybe("with")? {
            menu.maybe("all|everybody")?;
            menu.check(self.may_go(&able))?;
            return Ok(able);
        }
        let spoken = part::read(menu)?;
        // Figures named to stay behind stay, as many of them as there are.
        if let Some(figures) = spoken.all_but_some(&able) {
            return menu.check(self.may_go(&figures)).map(|()| figures);
        }
        // `all` means all that may advance. If the player names Saruman, the refusal says why he stays.
        match spoken.of(&able, "9.47").or_else(|_| spoken.of(&fought(self.board).part, "9.47")) {
            Ok(figures) => menu.check(self.may_go(&figures)).map(|()| figures),
            Err(wrong) => Err(part::refused(menu, wrong)),
        }
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Figures> {
        let able = self.able();
        for _ in 0..3 {
            let figures = part::roll(chance, &able);
            if self.may_go(&figures).is_ok() {
                return Ok(figures);
            }
        }
        Ok(self.most(&able))
    }

    fn grow(&self) -> Ask<(Vec<String>, Figures)> {
        let able = self.able();
        let parts = part::parts(&able, PARTS_GROWN).into_iter().filter(|figures| self.may_go(figures).is_ok());
        Ok((parts.map(|figures| self.say(&figures)).collect(), self.most(&able)))
    }

    fn list(&self) -> Ask<Sample<Figures>> {
        let able = self.able();
        let all = vec!["all".to_string(), part::say(&able, &able)];
        Ok(("with <figures>".to_string(), vec![("figures".to_string(), all)], self.most(&able)))
    }

    fn say(&self, figures: &Figures) -> String {
        format!("with {}", part::say(figures, &self.able()))
    }
}

impl Advance<'_> {
    /// As many as there is room for. Units of a team mate stay first, so that the player who fights the battle leads
    /// the rest.
    fn most(&self, able: &Figures) -> Figures {
        let side = fought(self.board).attacker;
        let leader = self.board.fighter(side);
        let mut most = *able;
        while most.units(side) > room(self.board) {
            let mut units = most.iter().map(|(figure, _)| figure).filter(|figure| figure.is_unit());
            let first = units.next().expect("a unit is left");
            let of_mate = |unit: &Figure| unit.bound_by().is_some_and(|nation| !leader.plays(nation));
            let unit = std::iter::once(first).chain(units).find(of_mate).unwrap_or(first);
            most.take(unit, 1);
        }
        most
    }
}
