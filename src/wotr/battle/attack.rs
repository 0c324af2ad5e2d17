//! Starting a battle (9.1 to 9.8): who may attack whom, and with which part of a force.

use crate::board::Board;
use crate::board::battle::{Battle, Kind};
use crate::board::place::Place;
use crate::cards::assault::Assault;
use crate::cards::wards;
use crate::die::Face;
use crate::figures::Figures;
use crate::nation::Nation;
use crate::region::{Region, Regions};
use crate::side::Side;
use crate::{armies, part, words};
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::refusal::{Allowed, Barred, allowed_if, barred};

/// A place where a force of a side faces an enemy force (9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Front {
    kind: Kind,
    from: Region,
    region: Region,
}

impl Front {
    /// The whole force that faces the enemy; the part that does not attack is the rearguard. 17.33, 17.37: a player
    /// with a team mate attacks with his own force, or with the mixed Army that he controls.
    fn force(&self, board: &Board, side: Side) -> Figures {
        board.attackers(side, self.place())
    }

    /// 7.7: the units of a team mate that stay beside the attacking force.
    fn beside(&self, board: &Board, side: Side) -> u8 {
        armies::beside(board, side, self.place(), &self.force(board, side))
    }

    /// Where the attackers stand.
    fn place(&self) -> Place {
        match self.kind {
            Kind::Field | Kind::Siege => Place::Field(self.from),
            Kind::Sortie => Place::Inside(self.from),
        }
    }

    /// Where the attackers stand, in words: inside, or outside in the same region (10.14, 10.8).
    fn stands(&self) -> String {
        match self.kind {
            Kind::Field => self.from.id().to_string(),
            Kind::Siege => format!("outside {}", self.from.id()),
            Kind::Sortie => "inside".to_string(),
        }
    }

    /// The target in words. A siege battle needs no `from`; a sortie is named by the region it comes from.
    fn said(&self) -> String {
        let region = self.region.id();
        match self.kind {
            Kind::Siege => region.to_string(),
            Kind::Field => format!("{region} from {}", self.from.id()),
            Kind::Sortie => format!("from {region}"),
        }
    }
}

/// The fronts that a sentence may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fronts {
    All,
    /// All but sorties: what is offered after `attack`.
    Open,
    /// What may be said after `sortie`.
    Sorties,
}

impl Fronts {
    fn include(self, kind: Kind) -> bool {
        match self {
            Fronts::All => true,
            Fronts::Open => kind != Kind::Sortie,
            Fronts::Sorties => kind == Kind::Sortie,
        }
    }
}

/// 9.1: every front on which the side has an Army that could attack into the region.
fn fronts(board: &Board, side: Side, region: Region) -> impl Iterator<Item = Front> {
    let enemy = board.has_army(!side, region);
    let sieges = board.besieges(side, region) && board.has_army(side, region);
    let sorties = enemy && board.besieges(!side, region);
    // (a) An enemy Army in an adjacent region. An Army elsewhere cannot attack the inside of a Stronghold (10.8), and
    // one that besieges is attacked in the open (10.19).
    let neighbours = if enemy { region.neighbours() & board.armies(side) } else { Regions::NONE };
    let own = |there: bool, kind: Kind| there.then_some(Front { kind, from: region, region });
    let adjacent = neighbours.iter().map(move |from| Front { kind: Kind::Field, from, region });
    own(sieges, Kind::Siege).into_iter().chain(own(sorties, Kind::Sortie)).chain(adjacent)
}

/// 9.4: the figures that may attack: units and FP Leaders of Nations At War, Nazgûl and Characters.
fn ready(board: &Board, force: &Figures) -> Figures {
    force.bound_only_by(|nation| board.is_at_war(nation))
}

/// Why no part of a force may attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hindrance {
    NoArmy,
    NotAtWar,
    LeaderAlone,
    NotLed,
    /// A card on the table bars Armies of the side from the region.
    Warded,
    /// The text of the card does not mean this Army.
    NotMeant,
    /// 17.38, 17.40: the player who acts may lead no part of it.
    NotFree,
}

/// Why no part of the force may attack; `None` if some part may.
fn hindrance(attack: &Attack<'_>, front: &Front) -> Option<Hindrance> {
    let Attack { board, side, result, by, fronts: _ } = *attack;
    let force = front.force(board, side);
    let ready = ready(board, &force);
    let bound = force - ready;
    if force.units(side) == 0 {
        Some(Hindrance::NoArmy)
    } else if front.kind != Kind::Sortie && wards::warded(board, side).contains(front.region) {
        Some(Hindrance::Warded)
    } else if by.is_some_and(|card| !card.means(board, front.kind, front.region, &force, &ready)) {
        Some(Hindrance::NotMeant)
    } else if ready.units(side) == 0 {
        Some(Hindrance::NotAtWar)
    } else if !bound.is_empty() && bound.units(side) + front.beside(board, side) == 0 && ready.units(side) == 1 {
        Some(Hindrance::LeaderAlone)
    } else if result == Face::Character && !board.leads_attack(side, &ready) {
        Some(Hindrance::NotLed)
    } else if board.may_bar_parts(side, &force) && led_part(attack, front, &force).is_none() {
        Some(Hindrance::NotFree)
    } else {
        None
    }
}

/// A part that the player who acts may lead, at a table of three or four.
fn led_part(attack: &Attack<'_>, front: &Front, force: &Figures) -> Option<Figures> {
    let may = |part: &Figures| attack.may_attack(&attack.battle(front, *part), force).is_ok();
    part::telling(&ready(attack.board, force)).find(may)
}

/// Whether any part of the force may attack.
fn may_open(attack: &Attack<'_>, front: &Front) -> Allowed {
    let at = match front.kind {
        Kind::Field => format!("in {}", front.from.id()),
        Kind::Siege | Kind::Sortie => front.stands(),
    };
    match hindrance(attack, front) {
        None => Ok(()),
        Some(Hindrance::NoArmy) => match attack.board.not_his(attack.side, front.place(), true) {
            Some((rule, why)) => barred(rule, why),
            None => barred("9.1", format!("no Army of yours is {at}")),
        },
        Some(Hindrance::NotAtWar) => barred("9.4", format!("no unit of a Nation At War is {at}")),
        Some(Hindrance::LeaderAlone) => barred("9.4", format!("a Leader not At War would stay without a unit {at}")),
        Some(Hindrance::NotLed) => barred("9.6", format!("no leading figure that could attack is {at}")),
        Some(Hindrance::Warded) => wards::may_enter(attack.board, attack.side, front.region),
        Some(Hindrance::NotFree) => {
            let (rule, why) = not_free(attack.board, attack.side);
            barred(rule, format!("no part of the Army {at} is {why}"))
        }
        Some(Hindrance::NotMeant) => {
            let title = attack.by.map_or("", |by| by.card.title());
            barred("9.5", format!("{title} does not mean this attack of the Army {at}"))
        }
    }
}

/// 9.1: why no Army of the side can attack with this result, and the rule, if it is one of those for three and four
/// players alone; `None` if one can.
pub fn hindered(board: &Board, side: Side, result: Face, fronts: Fronts) -> Option<(Option<&'static str>, String)> {
    let attack = Attack { board, side, result, by: None, fronts };
    let mut found: Vec<(Hindrance, Figures)> = Vec::new();
    let mut mates = None;
    for front in targets(board, side).iter().flat_map(|region| attack.fronts(region)) {
        // 17.33, 17.37: an Army faces the enemy, but only the team mate attacks with it.
        mates = mates.or_else(|| Some((front, board.not_his(side, front.place(), true)?)));
        found.push((hindrance(&attack, &front)?, front.force(board, side)));
    }
    let has = |wanted: Hindrance| found.iter().any(|(hindrance, _)| *hindrance == wanted);
    let at_peace = |nation: &Nation| {
        let stands = |(hindrance, force): &(Hindrance, Figures)| {
            *hindrance == Hindrance::NotAtWar && force.units_of(*nation) > 0 && !board.is_at_war(*nation)
        };
        found.iter().any(stands)
    };
    let mut reasons: Vec<String> = Vec::new();
    if found.iter().all(|(hindrance, _)| *hindrance == Hindrance::NoArmy) {
        if let Some((front, (rule, why))) = mates {
            return Some((Some(rule), format!("{why} (in {})", front.from.title())));
        }
        let faces = if fronts == Fronts::Sorties { "is besieged" } else { "is beside one of the enemy's" };
        reasons.push(format!("no Army of yours {faces}"));
    }
    let nations = Nation::of(side).iter().filter(|nation| at_peace(nation));
    reasons.extend(nations.map(|nation| format!("{} not At War", words::nation_is(*nation))));
    if has(Hindrance::NotLed) {
        reasons.push("no Army that faces an enemy has a leading figure, as a Character die asks for".to_string());
    }
    if has(Hindrance::LeaderAlone) {
        reasons.push("a Leader not At War would stay without a unit".to_string());
    }
    let mut decided = None;
    if has(Hindrance::NotFree) {
        let (rule, why) = not_free(board, side);
        reasons.push(format!("no Army that faces an enemy is {why}"));
        decided = Some(rule).filter(|_| reasons.len() == 1);
    }
    if has(Hindrance::Warded) {
        reasons.push("a card on the table keeps your Armies out".to_string());
    }
    Some((decided.filter(|_| reasons.len() == 1), words::and(&reasons)))
}

/// What keeps a player from leading any part of an Army: 17.38 in a team, 17.40 the single player of the Free Peoples.
fn not_free(board: &Board, side: Side) -> (&'static str, &'static str) {
    if board.seating().is_shared(side) {
        ("17.38", "yours to lead: your team mate would control every part that can act")
    } else {
        ("17.40", "free to act: your last action was on the same Nation or Army")
    }
}

/// The regions in which the enemy has an Army, in the open or besieged.
fn targets(board: &Board, side: Side) -> Regions {
    board.armies_anywhere(!side)
}

/// 9.3 to 9.6: whether this part of the force may attack and leave the rest as its rearguard.
fn may_attack(board: &Board, battle: &Battle, force: &Figures, result: Face) -> Allowed {
    let (side, part) = (battle.attacker, &battle.part);
    allowed_if(part.units(side) > 0, "9.3", || "no unit attacks, and the attacking part has at least one".to_string())?;
    for nation in Nation::of(side) {
        let at_war = part.bound_by(*nation) == 0 || board.is_at_war(*nation);
        allowed_if(at_war, "9.4", || {
            format!("{} not At War: figures of that Nation stay as the rearguard", words::nation_is(*nation))
        })?;
    }
    let rearguard = *force - *part;
    // 17.33: Leaders, Companions and Nazgûl may stay with the units of a team mate.
    let staying = rearguard.units(side) + armies::beside(board, side, battle.attackers_at(), force);
    // 9.4: a Leader of a Nation not At War stays, and needs a unit with him (7.7).
    let bound = rearguard - ready(board, &rearguard);
    let alone = !bound.is_empty() && staying == 0;
    allowed_if(!alone, "9.4", || {
        format!("{} of a Nation not At War would stay without a unit: leave one", words::figures(&bound))
    })?;
    let held = rearguard.is_empty() || staying > 0;
    allowed_if(held, "9.3", || "a rearguard has at least one unit: leave one, or attack with all".to_string())?;
    let led = result != Face::Character || board.leads_attack(side, part);
    allowed_if(led, "9.6", || "no leading figure attacks with the Army".to_string())?;
    armies::may_be_led(board, side, battle.attackers_at(), part)
}

/// An attack in words: `osgiliath from south-ithilien with 5 regular 1 elite`. A siege battle needs no `from`; a
/// sortie is `sortie from helms-deep`, and `attack helms-deep from inside` is read as well. Without `with`, all
/// figures that may attack do.
#[derive(Clone, Copy)]
pub struct Attack<'a> {
    pub board: &'a Board,
    pub side: Side,
    pub result: Face,
    /// 9.5: the card that lets an Army attack, with its terms.
    pub by: Option<&'a Assault>,
    pub fronts: Fronts,
}

/// The most parts of an Army listed for an attack.
const PARTS_GROWN: usize = 200;

impl Attack<'_> {
    fn battle(&self, front: &Front, part: Figures) -> Battle {
        let mut battle = Battle::declared(self.side, front.kind, front.from, front.region, part);
        if let Some(by) = self.by {
            battle.by = Some(by.card);
            battle.rounds = by.rounds;
        }
        battle
    }

    /// Whether any Army may attack.
    pub fn is_open(&self) -> bool {
        let open = |region| self.fronts(region).any(|front| hindrance(self, &front).is_none());
        targets(self.board, self.side).iter().any(open)
    }

    fn fronts(&self, region: Region) -> impl Iterator<Item = Front> {
        let named = self.fronts;
        fronts(self.board, self.side, region).filter(move |front| named.include(front.kind))
    }

    /// The greatest part that may attack; at a table of three or four, some part that may.
    fn most(&self, front: &Front, force: &Figures, ready: &Figures) -> Figures {
        if self.board.may_bar_parts(self.side, force) {
            led_part(self, front, force).expect("the front is open")
        } else {
            most(self.side, force, ready, front.beside(self.board, self.side))
        }
    }

    fn may_open(&self, front: &Front) -> Allowed {
        may_open(self, front)
    }

    /// 9.3 to 9.6, and what the card asks for.
    fn may_attack(&self, battle: &Battle, force: &Figures) -> Allowed {
        may_attack(self.board, battle, force, self.result)?;
        self.by.map_or(Ok(()), |by| by.may_attack(&battle.part))
    }

    /// The fronts of the region on which any part may attack.
    fn open(&self, region: Region) -> Vec<Front> {
        self.fronts(region).filter(|front| hindrance(self, front).is_none()).collect()
    }

    fn may_be_attacked(&self, region: Region) -> Allowed {
        allowed_if(targets(self.board, self.side).contains(region), "9.1", || {
            if self.board.at(Place::Field(region)).side(!self.side).is_empty() {
                format!("no enemy is in {}", region.title())
            } else {
                format!("only lone figures stand in {}, which are never part of a battle (9.7)", region.title())
            }
        })?;
        // The refusal names what stops the player's own Army before it says whose the other Armies are.
        let mut fronts: Vec<Front> = self.fronts(region).collect();
        fronts.sort_by_key(|front| front.force(self.board, self.side).units(self.side) == 0);
        let mut why = None;
        for front in fronts {
            match self.may_open(&front) {
                Ok(()) => return Ok(()),
                Err(barred) => why = why.or(Some(barred)),
            }
        }
        Err(why
            .unwrap_or_else(|| Barred { rule: "9.1", why: format!("no Army of yours is next to {}", region.title()) }))
    }

    fn may_come_from(&self, region: Region, from: Region) -> Allowed {
        match self.fronts(region).find(|front| front.from == from) {
            Some(front) => self.may_open(&front),
            None if self.board.besieges(self.side, region) => {
                barred("10.8", format!("only the Army outside {} can attack the inside", region.title()))
            }
            None if !from.adjacent(region) => {
                barred("9.1", format!("{} is not next to {}", from.title(), region.title()))
            }
            None => barred("9.1", format!("no Army of yours that could attack is in {}", from.title())),
        }
    }

    /// The front that is named after `from`, or the only one.
    fn read_front(&self, menu: &mut Menu<'_>, region: Region) -> Ask<Front> {
        if menu.maybe("from inside|from within|from the inside|inside")? {
            menu.check(self.may_come_from(region, region))?;
            let own = self.fronts(region).find(|front| front.from == region);
            return Ok(own.expect("a siege battle or a sortie may be fought"));
        }
        if menu.maybe("from")? {
            let from = menu.choose("region", Region::all(), |from| self.may_come_from(region, from))?;
            let named = self.fronts(region).find(|front| front.from == from);
            return Ok(named.expect("the Army may attack from there"));
        }
        let open = self.open(region);
        match open.as_slice() {
            [only] => Ok(*only),
            several => {
                let froms: Vec<String> = several.iter().map(|front| format!("from {}", front.stands())).collect();
                let why = format!("say from where: {}", froms.join(", "));
                Err(part::refused(menu, Barred { rule: "9.2", why }))
            }
        }
    }

    /// The attacking part, said after `with`.
    fn read_part(&self, menu: &mut Menu<'_>, front: &Front) -> Ask<Figures> {
        let force = front.force(self.board, self.side);
        let ready = ready(self.board, &force);
        if !menu.maybe("with|using")? {
            return Ok(ready);
        }
        let spoken = part::read(menu)?;
        // `all` means all that may attack. If the player names other figures, the refusal says why they may not.
        match spoken.of(&ready, "9.3").or_else(|_| spoken.of(&force, "9.3")) {
            Ok(part) => Ok(part),
            Err(wrong) => Err(part::refused(menu, wrong)),
        }
    }
}

impl Phrase for Attack<'_> {
    type Said = Battle;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Battle> {
        if self.fronts == Fronts::Sorties {
            let _ = menu.maybe("from")?;
        }
        let region = menu.choose("region", Region::all(), |region| self.may_be_attacked(region))?;
        let front = self.read_front(menu, region)?;
        let battle = self.battle(&front, self.read_part(menu, &front)?);
        menu.check(self.may_attack(&battle, &front.force(self.board, self.side)))?;
        Ok(battle)
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Battle> {
        let open: Vec<Front> = targets(self.board, self.side).iter().flat_map(|region| self.open(region)).collect();
        let bound = u32::try_from(open.len()).expect("few fronts");
        let front = if bound > 0 { open[chance.below(bound) as usize] } else { return Err(Stop::DeadEnd) };
        let force = front.force(self.board, self.side);
        let ready = ready(self.board, &force);
        for _ in 0..3 {
            let battle = self.battle(&front, part::roll(chance, &ready));
            if self.may_attack(&battle, &force).is_ok() {
                return Ok(battle);
            }
        }
        Ok(self.battle(&front, self.most(&front, &force, &ready)))
    }

    fn grow(&self) -> Ask<(Vec<String>, Battle)> {
        let mut rows = Vec::new();
        let open = targets(self.board, self.side).iter().flat_map(|region| self.open(region)).collect::<Vec<_>>();
        for front in open {
            let force = front.force(self.board, self.side);
            let ready = ready(self.board, &force);
            let said = front.said();
            // Without `with` all that are ready attack.
            if self.may_attack(&self.battle(&front, ready), &force).is_ok() {
                rows.push(said.clone());
            }
            for part in part::parts(&ready, PARTS_GROWN) {
                let battle = self.battle(&front, part);
                if self.may_attack(&battle, &force).is_ok() {
                    rows.push(self.say(&battle));
                }
            }
        }
        Ok((rows, self.list()?.2))
    }

    fn list(&self) -> Ask<Sample<Battle>> {
        let open: Vec<Front> = targets(self.board, self.side).iter().flat_map(|region| self.open(region)).collect();
        let first = open.first().ok_or(Stop::DeadEnd)?;
        let force = first.force(self.board, self.side);
        let battle = self.battle(first, self.most(first, &force, &ready(self.board, &force)));
        let targets = open.iter().map(Front::said).collect();
        if self.fronts == Fronts::Sorties {
            let strongholds = open.iter().map(|front| front.region.id().to_string()).collect();
            let nouns = vec![("stronghold".to_string(), strongholds)];
            return Ok(("from <stronghold> [with <figures>]".to_string(), nouns, battle));
        }
        Ok(("<target> [with <figures>]".to_string(), vec![("target".to_string(), targets)], battle))
    }

    fn say(&self, battle: &Battle) -> String {
        let front = Front { kind: battle.kind, from: battle.from, region: battle.region };
        let part = part::say(&battle.part, &front.force(self.board, self.side));
        format!("{} with {part}", front.said())
    }

    fn verb(&self, battle: &Battle) -> Option<&'static str> {
        (battle.kind == Kind::Sortie).then_some("sortie")
    }
}

/// The greatest part that may attack: all figures that are ready, less a unit that must stay with Leaders not At War if
/// no unit is beside the force.
fn most(side: Side, force: &Figures, ready: &Figures, beside: u8) -> Figures {
    let bound = *force - *ready;
    let mut most = *ready;
    if !bound.is_empty() && bound.units(side) + beside == 0 {
        let unit = ready.iter().map(|(figure, _)| figure).find(|figure| figure.is_unit()).expect("a unit is ready");
        most.take(unit, 1);
    }
    most
}
