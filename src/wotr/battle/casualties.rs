//! Casualties (9.27 to 9.34): hits are taken one by one, as the owner of the figures chooses.

use crate::battle::{Step, ending, fought, then};
use crate::board::Board;
use crate::board::battle::Decision;
use crate::board::place::Place;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::side::Side;
use crate::switches::Choice;
use crate::{Table, part, standing};
use engine::chance::Chance;
use engine::menu::policy::FIRST;
use engine::menu::{Ask, Menu, Phrase, Sample};
use engine::name::{Name, Named};
use engine::plural;
use engine::refusal::Barred;
use std::fmt;
use std::sync::LazyLock;

/// The most ways to take the hits that are listed.
const LISTED_MAX: usize = 24;

/// What a force loses by one or two hits (9.29).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    Regular(Nation),
    /// 1 hit: an Elite is replaced by a Regular of its Nation.
    Reduced(Nation),
    /// 2 hits at once; 9.32: or 1, if no Regular could take its place.
    Elite(Nation),
}

/// The hits that a force has yet to take, and the units it has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toll {
    side: Side,
    units: Figures,
    casualties: Figures,
    reinforcements: Figures,
    hits: u8,
    /// 19.21: with `combat.fp_elite_replacement = casualties_only` an FP Elite is replaced only from the casualties.
    from_reinforcements: bool,
}

/// 9.31: where the Regular that replaces an Elite comes from: for the Free Peoples the casualties if one is there, else
/// the reinforcements; for the Shadow the reinforcements.
pub fn replacement(board: &Board, nation: Nation) -> Option<Place> {
    Toll::of_units(board, nation.side(), Figures::NONE, 0).source(nation)
}

impl Toll {
    /// The hits of a force at a place.
    pub fn of(board: &Board, side: Side, place: Place, hits: u8) -> Toll {
        Toll::of_units(board, side, board.exposed(side, place).only_units(), hits)
    }

    fn of_units(board: &Board, side: Side, units: Figures, hits: u8) -> Toll {
        let only_casualties = !board.switches().is_default(Choice::FreeEliteReplacement);
        Toll {
            side,
            units,
            casualties: board.casualties().only_units(),
            reinforcements: board.reinforcements().only_units(),
            hits,
            from_reinforcements: side == Side::Shadow || !only_casualties,
        }
    }

    /// 9.29: whether no hit or no unit is left.
    fn is_paid(&self) -> bool {
        self.hits == 0 || self.units.units(self.side) == 0
    }

    fn source(&self, nation: Nation) -> Option<Place> {
        let regular = Figure::Regular(nation);
        if self.side == Side::Free && self.casualties.count(regular) > 0 {
            Some(Place::Casualties)
        } else {
            (self.from_reinforcements && self.reinforcements.count(regular) > 0).then_some(Place::Reinforcements)
        }
    }

    /// How many hits the loss takes; `None` if it cannot be taken now.
    fn cost(&self, loss: Loss) -> Option<u8> {
        let there = |figure| self.hits > 0 && self.units.count(figure) > 0;
        match loss {
            Loss::Regular(nation) => there(Figure::Regular(nation)).then_some(1),
            Loss::Reduced(nation) => (there(Figure::Elite(nation)) && self.source(nation).is_some()).then_some(1),
            Loss::Elite(nation) if !there(Figure::Elite(nation)) => None,
            // If no Regular is available, one hit is enough (9.32). Two hits at once may always be used for one Elite,
            // and then cost the owner fewer figures.
            Loss::Elite(_) if self.hits >= 2 => Some(2),
            // 9.32: if no Regular of that Nation is available, 1 hit removes the Elite.
            Loss::Elite(nation) => self.source(nation).is_none().then_some(1),
        }
    }

    /// The toll after the loss.
    fn after(&self, loss: Loss) -> Toll {
        let mut toll = *self;
        toll.hits -= self.cost(loss).expect("the loss can be taken");
        let (gone, nation) = match loss {
            Loss::Regular(nation) => (Figure::Regular(nation), nation),
            Loss::Reduced(nation) | Loss::Elite(nation) => (Figure::Elite(nation), nation),
        };
        toll.units.take(gone, 1);
        if let Loss::Reduced(_) = loss {
            let regular = Figure::Regular(nation);
            toll.units.put(regular, 1);
            match self.source(nation).expect("a Regular is available") {
                Place::Casualties => toll.casualties.take(regular, 1),
                _ => toll.reinforcements.take(regular, 1),
            }
        }
        match lost_to(self.side) {
            Place::Casualties => toll.casualties.put(gone, 1),
            _ => toll.reinforcements.put(gone, 1),
        }
        toll
    }

    /// The losses that can be taken now.
    fn losses(&self) -> impl Iterator<Item = Loss> + use<'_> {
        let of = |nation: &Nation| [Loss::Regular(*nation), Loss::Reduced(*nation), Loss::Elite(*nation)];
        Nation::of(self.side).iter().flat_map(of).filter(|loss| self.cost(*loss).is_some())
    }

    /// Ways to take the hits, one for each different result, at most `limit`.
    fn ways(&self, limit: usize) -> Vec<Vec<Loss>> {
        let mut search = Search { limit, seen: Vec::new(), ways: Vec::new() };
        search.go(self, &mut Vec::new());
        search.ways
    }
}

/// Goes through every way to take hits, except those that lead to a position seen before.
struct Search {
    limit: usize,
    seen: Vec<Toll>,
    ways: Vec<Vec<Loss>>,
}

impl Search {
    fn go(&mut self, toll: &Toll, way: &mut Vec<Loss>) {
        if self.ways.len() >= self.limit || self.seen.contains(toll) {
            return;
        }
        // Hits beyond the last unit are lost: the result is the same with or without them.
        self.seen.push(*toll);
        if toll.is_paid() {
            let spent = Toll { hits: 0, ..*toll };
            if toll.hits == 0 || !self.seen.contains(&spent) {
                self.seen.push(spent);
                self.ways.push(way.clone());
            }
            return;
        }
        for loss in toll.losses() {
            way.push(loss);
            self.go(&toll.after(loss), way);
            way.pop();
        }
    }
}

/// 9.33: removed FP units go to the casualties, Shadow units to the reinforcements.
fn lost_to(side: Side) -> Place {
    match side {
        Side::Free => Place::Casualties,
        Side::Shadow => Place::Reinforcements,
    }
}

/// 9.27, 9.28: the hits of both sides are fixed, then the attacker removes first, then the defender.
pub fn take_all(play: &mut Table) {
    let battle = fought(play.board());
    let (attacker, defender) = (battle.attacker, battle.defender());
    let losses = |side: Side| Step::Losses { side, place: battle.stand(side), hits: battle.hits[(!side).index()] };
    let steps = [losses(attacker), losses(defender)];
    then(play, steps);
}

/// 9.29: hits taken by a force. If every way leads to the same result, nothing is asked.
pub fn take(play: &mut Table, side: Side, place: Place, hits: u8) {
    let toll = Toll::of(play.board(), side, place, hits);
    if toll.is_paid() {
        return;
    }
    let ways = toll.ways(2);
    match ways.as_slice() {
        [only] => only.iter().for_each(|loss| lose(play, side, place, *loss)),
        _ => then(play, [Step::ChooseLosses { side, place, hits }]),
    }
}

/// One unit is removed, or reduced.
pub fn lose(play: &mut Table, side: Side, place: Place, loss: Loss) {
    let (gone, cause) = match loss {
        Loss::Regular(nation) => (Figure::Regular(nation), Cause::Lost),
        Loss::Reduced(nation) => (Figure::Elite(nation), Cause::Reduced),
        Loss::Elite(nation) => (Figure::Elite(nation), Cause::Lost),
    };
    match loss {
        Loss::Reduced(nation) => reduce(play, place, nation),
        Loss::Regular(_) | Loss::Elite(_) => {
            play.tell(Told::Moved(Move { figures: Figures::one(gone), from: place, to: lost_to(side), cause }));
        }
    }
}

/// 9.31: an Elite is replaced by a Regular.
pub fn reduce(play: &mut Table, place: Place, nation: Nation) {
    let source = replacement(play.board(), nation).expect("a Regular is available");
    let regular = Figures::one(Figure::Regular(nation));
    let elite = Figures::one(Figure::Elite(nation));
    let cause = Cause::Reduced;
    play.tell(Told::Moved(Move { figures: elite, from: place, to: lost_to(nation.side()), cause }));
    play.tell(Told::Moved(Move { figures: regular, from: source, to: place, cause }));
}

/// 9.14, 9.34: a side without units also loses all its Leaders, Nazgûl and Characters in the battle; then the standing
/// checks that have waited are made (1.33), and the battle is over.
pub fn survivors(play: &mut Table) {
    let board = play.board();
    let battle = *fought(board);
    let gone = |side: Side| board.fighters(side).units(side) == 0;
    let outcome = match (gone(battle.attacker), gone(battle.defender())) {
        (false, false) => return,
        (false, true) => Decision::DefenderGone,
        (true, false) => Decision::AttackerGone,
        (true, true) => Decision::BothGone,
    };
    let fallen = Side::BOTH.map(|side| if gone(side) { board.fighters(side) } else { Figures::NONE });
    for side in [battle.attacker, battle.defender()] {
        eliminate(play, &fallen[side.index()], battle.stand(side));
    }
    ending::finish(play, outcome);
    standing::check(play, battle.region);
    standing::check(play, battle.from);
}

/// 9.34: FP Leaders to the casualties, Nazgûl to the reinforcements, Characters out of the game.
pub fn eliminate(play: &mut Table, fallen: &Figures, from: Place) {
    let nazgul = Figures::of(Figure::Nazgul, fallen.nazgul());
    for (figures, to) in [
        (fallen.only_leaders(), Place::Casualties),
        (nazgul, Place::Reinforcements),
        (fallen.only_characters(), Place::Removed),
    ] {
        if !figures.is_empty() {
            play.tell(Told::Moved(Move { figures, from, to, cause: Cause::Fallen }));
        }
    }
}

/// `lose 2 regular 1 elite for a regular`; also `lose regulars first`, `lose elites first`, with Nations in the order
/// in which they take losses.
pub fn choose(toll: &Toll, place: Place, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    menu.word_or_policy("lose|remove|take", FIRST)?;
    let losses = menu.phrase(toll)?;
    let side = toll.side;
    Ok(losses.into_iter().map(|loss| Step::Lose { side, place, loss }).collect())
}

/// The preference, if one comes next: which units go first, and among them the Nations, in order.
pub fn preference(menu: &mut Menu<'_>) -> Ask<Option<(Order, Vec<Nation>)>> {
    for (words, order) in
        [("regulars first|regular first", Order::RegularsFirst), ("elites first|elite first", Order::ElitesFirst)]
    {
        if menu.maybe(words)? {
            let mut nations = Vec::new();
            let _ = menu.maybe(",")?;
            while let Some(nation) = menu.name_if_any(&Nation::ALL) {
                nations.push(nation);
                let _ = menu.maybe(",")? || menu.maybe("and|then|before")?;
            }
            return Ok(Some((order, nations)));
        }
    }
    Ok(None)
}

/// Which losses come first, if the owner names only that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Regulars, then Elites one hit at a time.
    RegularsFirst,
    /// Elites are reduced as long as there is one, which keeps the most units.
    ElitesFirst,
}

/// A loss in words; the Nation may be left out if only one is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    nation: Option<Nation>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Regular,
    Reduced,
    Elite,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Regular, Kind::Reduced, Kind::Elite];

    fn of(self, nation: Nation) -> Loss {
        match self {
            Kind::Regular => Loss::Regular(nation),
            Kind::Reduced => Loss::Reduced(nation),
            Kind::Elite => Loss::Elite(nation),
        }
    }

    fn spellings(self) -> &'static [&'static str] {
        match self {
            Kind::Regular => &["regular", "regulars"],
            Kind::Reduced => {
                &["elite for a regular", "elite for regular", "elites for regulars", "elites for a regular"]
            }
            Kind::Elite => &["elite", "elites"],
        }
    }
}

impl Loss {
    fn word(self) -> (Nation, Kind) {
        match self {
            Loss::Regular(nation) => (nation, Kind::Regular),
            Loss::Reduced(nation) => (nation, Kind::Reduced),
            Loss::Elite(nation) => (nation, Kind::Elite),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nation, kind) = self.word();
        write!(f, "{} {}", nation.id(), kind.spellings()[0])
    }
}

static WORDS: LazyLock<Vec<Word>> = LazyLock::new(|| {
    let nations = std::iter::once(None).chain(Nation::ALL.into_iter().map(Some));
    nations.flat_map(|nation| Kind::ALL.map(|kind| Word { nation, kind })).collect()
});

static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| WORDS.iter().map(name).collect());

fn name(word: &Word) -> Name {
    let mut spellings: Vec<String> = Vec::new();
    for rank in word.kind.spellings() {
        match word.nation {
            None => spellings.push((*rank).to_string()),
            Some(nation) => {
                spellings.push(format!("{} {rank}", nation.id()));
                spellings.push(format!("{} {rank}", nation.id().trim_end_matches('s')));
            }
        }
    }
    let spellings: Vec<&str> = spellings.iter().map(String::as_str).collect();
    Name::new(spellings[0], spellings[0], &spellings)
}

impl Named for Word {
    fn name(&self) -> &'static Name {
        let place = WORDS.iter().position(|word| word == self).expect("every word is in the table");
        &NAMES[place]
    }

    fn example(&self) -> String {
        format!("1 {}", self.name().id())
    }
}

impl Toll {
    fn rule<T>(why: String) -> Result<T, Barred> {
        Err(Barred { rule: "9.29, 9.30", why })
    }

    /// The loss that the word means now.
    fn meant(&self, word: Word) -> Result<Loss, Barred> {
        let nations = Nation::of(self.side).iter().filter(|nation| word.nation.is_none_or(|only| only == **nation));
        let losses: Vec<Loss> = nations.map(|nation| word.kind.of(*nation)).collect();
        let open: Vec<Loss> = losses.into_iter().filter(|loss| self.cost(*loss).is_some()).collect();
        match open.as_slice() {
            [only] => Ok(*only),
            [] if self.is_paid() => Toll::rule("these are more losses than hits".to_string()),
            [] => {
                let open: Vec<String> = self.losses().map(|loss| format!("1 {}", self.said(loss))).collect();
                let hits = self.hits;
                let why =
                    format!("{} cannot be lost to {hits} of the hits; now: {}", word.name().id(), open.join(", "));
                Toll::rule(why)
            }
            several => {
                let open: Vec<String> = several.iter().map(|loss| loss.to_string()).collect();
                Toll::rule(format!("say of which Nation: {}", open.join(", ")))
            }
        }
    }

    /// The loss in words, with its Nation only if units of several Nations fight together.
    fn said(&self, loss: Loss) -> String {
        let nations = Nation::of(self.side).iter().filter(|nation| self.units.units_of(**nation) > 0).count();
        let (_, kind) = loss.word();
        if nations > 1 { loss.to_string() } else { kind.spellings()[0].to_string() }
    }

    /// The losses in the order in which they were said, each checked in turn.
    fn suffered(&self, said: &[(u32, Word)]) -> Result<Vec<Loss>, Barred> {
        let mut toll = *self;
        let mut losses = Vec::new();
        for (number, word) in said {
            for _ in 0..*number {
                let loss = toll.meant(*word)?;
                toll = toll.after(loss);
                losses.push(loss);
            }
        }
        if toll.is_paid() {
            return Ok(losses);
        }
        Toll::rule(format!("{} hits must be taken, not {}", self.hits, self.hits - toll.hits))
    }

    /// The losses by an order of preference.
    fn in_order(&self, order: Order, nations: &[Nation]) -> Vec<Loss> {
        let mut toll = *self;
        let mut losses = Vec::new();
        let kinds = match order {
            Order::RegularsFirst => [Kind::Regular, Kind::Reduced, Kind::Elite],
            Order::ElitesFirst => [Kind::Reduced, Kind::Regular, Kind::Elite],
        };
        while !toll.is_paid() {
            let rank = |loss: &Loss| {
                let (nation, kind) = loss.word();
                let nation = nations.iter().position(|named| *named == nation).unwrap_or(nations.len());
                (kinds.iter().position(|known| *known == kind), nation)
            };
            let loss = toll.losses().min_by_key(rank).expect("hits can be taken while a unit is left");
            toll = toll.after(loss);
            losses.push(loss);
        }
        losses
    }
}

impl Phrase for Toll {
    type Said = Vec<Loss>;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Vec<Loss>> {
        if let Some((order, nations)) = preference(menu)? {
            return Ok(self.in_order(order, &nations));
        }
        let mut said: Vec<(u32, Word)> = Vec::new();
        loop {
            let number = menu.number_if_any();
            let word = match menu.name_if_any(&WORDS) {
                Some(word) => word,
                None if number.is_none() && !said.is_empty() => break,
                None => menu.choose("loss", &WORDS, |_| Ok(()))?,
            };
            said.push((number.unwrap_or(1), word));
            let _ = menu.maybe(",")? || menu.maybe("and|then")?;
        }
        self.suffered(&said).map_err(|wrong| part::refused(menu, wrong))
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Vec<Loss>> {
        let mut toll = *self;
        let mut losses = Vec::new();
        while !toll.is_paid() {
            let open: Vec<Loss> = toll.losses().collect();
            let loss = open[chance.below(u32::try_from(open.len()).expect("few losses")) as usize];
            toll = toll.after(loss);
            losses.push(loss);
        }
        Ok(losses)
    }

    fn grow(&self) -> Ask<(Vec<String>, Vec<Loss>)> {
        let (_, nouns, first) = self.list()?;
        Ok((nouns.into_iter().flat_map(|(_, ways)| ways).collect(), first))
    }

    fn list(&self) -> Ask<Sample<Vec<Loss>>> {
        let ways = self.ways(LISTED_MAX);
        let first = ways.first().cloned().unwrap_or_default();
        let orders = ["regulars first", "elites first"].map(str::to_string);
        let said = ways.iter().map(|way| self.say(way)).chain(orders).collect();
        let noun = plural::counted(self.hits, "hit");
        Ok((format!("<{noun}>"), vec![(noun, said)], first))
    }

    fn say(&self, losses: &Vec<Loss>) -> String {
        let mut terms: Vec<(u32, Loss)> = Vec::new();
        for loss in losses {
            match terms.last_mut() {
                Some((number, last)) if last == loss => *number += 1,
                _ => terms.push((1, *loss)),
            }
        }
        let words: Vec<String> = terms.iter().map(|(number, loss)| format!("{number} {}", self.said(*loss))).collect();
        words.join(" ")
    }
}
