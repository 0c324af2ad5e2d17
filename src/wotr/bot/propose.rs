/*! Sentences that a player of some experience would consider, in words. What the rules do not allow now, the menu
refuses, and it is dropped.
*/

use crate::engine::name::Named;
use crate::engine::slot::Faces;
use crate::wotr::battle::{self, Step as Fight};
use crate::wotr::board::Board;
use crate::wotr::bot::hand;
use crate::wotr::card::Card;
use crate::wotr::cards;
use crate::wotr::dice::{self, Face};
use crate::wotr::nation::Nation;
use crate::wotr::player::Player;
use crate::wotr::region::{self, Region};
use crate::wotr::side::Side;
use crate::wotr::step::Step;
use crate::wotr::{event_cards, fellowship, hunt};

/// The candidates for a question.
pub fn propose(board: &Board, step: &Step, player: Player, faces: &Faces) -> Vec<String> {
    match step {
        Step::Dice(dice::Step::Go(side)) => Go { board, side: *side, player, faces, lines: Vec::new() }.all(),
        Step::Dice(dice::Step::Allot) => (0..=3).map(|number| format!("allot {number}")).collect(),
        Step::Cards(event_cards::Step::HandLimit(player)) => discards(board, *player, faces),
        Step::Fellowship(fellowship::Step::Phase) => phase(board),
        Step::Hunt(hunt::Step::Damage(_)) => {
            ["take it", "lose the guide", "lose a random companion", "reveal"].map(str::to_string).to_vec()
        }
        Step::Battle(Fight::CombatCard(_)) => {
            let held = cards::held(board, player, faces);
            let lay = held.into_iter().map(|(_, card)| format!("lay {}", card.id()));
            ["no card".to_string()].into_iter().chain(lay).collect()
        }
        Step::Battle(Fight::Retreat) => {
            let region = battle::fought(board).region;
            let to = region.neighbours().iter().map(|to| format!("retreat to {}", to.id()));
            ["stand".to_string()].into_iter().chain(to).collect()
        }
        Step::Battle(step) => of_battle(step),
        _ => Vec::new(),
    }
}

fn of_battle(step: &battle::Step) -> Vec<String> {
    let ways: &[&str] = match step {
        Fight::ChooseLosses { .. } => &["regulars first", "elites first"],
        Fight::PressOn => &["press the attack", "stop the attack"],
        Fight::Advance(_) => &["advance with all", "advance with all but 1 regular", "stay"],
        Fight::FieldOrSiege => &["withdraw", "fight in the open"],
        Fight::SiegeRound => {
            &["end", "reduce elite", "reduce sauron elite", "reduce isengard elite", "reduce southrons elite"]
        }
        _ => &[],
    };
    ways.iter().map(|way| (*way).to_string()).collect()
}

/// Every card of the hand: first those that can never be played again.
fn discards(board: &Board, player: Player, faces: &Faces) -> Vec<String> {
    let mut held: Vec<Card> = cards::held(board, player, faces).into_iter().map(|(_, card)| card).collect();
    held.sort_by_key(|card| !hand::is_spent(board, *card));
    held.into_iter().map(|card| format!("discard {}", card.id())).collect()
}

fn phase(board: &Board) -> Vec<String> {
    let mut lines = vec!["done".to_string(), "enter mordor".to_string()];
    if let Some(here) = board.company().region() {
        let reach = board.company().progress();
        let near = Region::all().iter().filter(|region| region.distance(here) <= reach);
        lines.extend(near.map(|region| format!("declare {}", region.id())));
    }
    lines
}

/// The proposals for a go.
struct Go<'a> {
    board: &'a Board,
    side: Side,
    player: Player,
    faces: &'a Faces,
    lines: Vec<String>,
}

/// The dice as sentences name them.
fn die(face: Face) -> &'static str {
    match face {
        Face::Character => "character die",
        Face::Army => "army die",
        Face::Muster => "muster die",
        Face::ArmyMuster => "army/muster die",
        Face::Event => "event die",
        Face::Will | Face::Eye => "will die",
    }
}

impl Go<'_> {
    fn all(mut self) -> Vec<String> {
        let faces: Vec<Face> = [Face::Character, Face::Army, Face::Muster, Face::ArmyMuster, Face::Event, Face::Will]
            .into_iter()
            .filter(|face| self.board.dice().showing(self.side, *face) > 0)
            .collect();
        for face in faces {
            let die = die(face);
            match face {
                Face::Character => self.character(die),
                Face::Army => self.army(die),
                Face::Muster => self.muster(die),
                Face::ArmyMuster => {
                    self.army(die);
                    self.muster(die);
                }
                Face::Event => self.event(die),
                Face::Will | Face::Eye => {
                    self.character(die);
                    self.army(die);
                    self.muster(die);
                    self.event(die);
                    self.add(format!("{die}: bring aragorn"));
                    self.add(format!("{die}: bring gandalf-the-white"));
                    for region in ["lorien", "rivendell", "woodland-realm", "grey-havens", "fangorn"] {
                        self.add(format!("{die}: bring gandalf-the-white to {region}"));
                    }
                }
            }
            self.cards(die);
            if face != Face::Will {
                self.add(format!("{die}: hide fellowship"));
            }
        }
        self.rings();
        self.add("pass".to_string());
        self.lines
    }

    fn add(&mut self, line: String) {
        self.lines.push(line);
    }

    /// 4.20: an Elven Ring makes a die that is missing.
    fn rings(&mut self) {
        let (board, side) = (self.board, self.side);
        if board.rings().held(side) == 0 || board.rings().used(side) {
            return;
        }
        let faces = [Face::Character, Face::Army, Face::Muster, Face::ArmyMuster, Face::Event, Face::Will];
        for from in faces.into_iter().filter(|face| board.dice().showing(side, *face) > 0) {
            for to in [Face::Character, Face::Army, Face::Muster, Face::Event] {
                if board.dice().showing(side, to) == 0 {
                    self.add(format!("ring: change {} to {}", from.id(), to.id()));
                }
            }
        }
    }

    fn character(&mut self, die: &str) {
        if self.side == Side::Free {
            self.add(format!("{die}: move fellowship"));
            self.add(format!("{die}: hide fellowship"));
            for goal in ["minas-tirith", "dol-amroth", "pelargir", "edoras", "lorien", "helms-deep"] {
                self.add(format!("{die}: separate strider to {goal}"));
                self.add(format!("{die}: move companions strider to {goal}"));
            }
            self.add(format!("{die}: separate gandalf-the-grey to lorien"));
        } else {
            self.flights(die);
        }
        self.attacks(die);
        self.marches(die);
    }

    /// Nazgûl fly to the strongest Armies beside an enemy.
    fn flights(&mut self, die: &str) {
        let board = self.board;
        let armies = board.armies(Side::Shadow);
        let mut goals: Vec<(u8, Region)> = armies.iter().map(|at| (board.units(Side::Shadow, at), at)).collect();
        goals.sort_by(|one, other| other.cmp(one));
        let homes: Vec<Region> =
            Region::all().iter().copied().filter(|region| board.force(Side::Shadow, *region).nazgul() > 0).collect();
        let ring = board.company().region();
        for goal in goals.into_iter().take(3).map(|(_, at)| at).chain(ring) {
            for home in homes.iter().filter(|home| **home != goal) {
                let all = board.force(Side::Shadow, *home).nazgul();
                self.add(format!("{die}: move nazgul {all} nazgul {} to {}", home.id(), goal.id()));
            }
            self.add(format!("{die}: move nazgul witch-king to {}", goal.id()));
        }
    }

    fn army(&mut self, die: &str) {
        self.attacks(die);
        self.marches(die);
    }

    /// Every attack with everything that may.
    fn attacks(&mut self, die: &str) {
        let (board, side) = (self.board, self.side);
        for target in board.armies_anywhere(!side).iter() {
            let region = target.id();
            if board.besieges(side, target) {
                self.add(format!("{die}: attack {region}"));
                continue;
            }
            for from in (target.neighbours() & board.armies(side)).iter() {
                self.add(format!("{die}: attack {region} from {}", from.id()));
            }
            if board.besieges(!side, target) {
                self.add(format!("{die}: sortie from {region}"));
            }
        }
    }

    /// Every Army with everything into a Settlement that nobody holds, to friends, and one step nearer to the goals of
    /// its side; and two of these together.
    fn marches(&mut self, die: &str) {
        let (board, side) = (self.board, self.side);
        let goals = (region::settlements(!side) - board.captured()) | (region::settlements(side) & board.captured());
        let goals: Vec<Region> = goals.iter().filter(|region| region.is_city_or_stronghold()).collect();
        let mut marches: Vec<(u32, String)> = Vec::new();
        for from in board.armies(side).iter() {
            let force = board.force(side, from);
            let units = u32::from(force.units(side));
            for to in (from.neighbours() & board.open_regions(side)).iter() {
                let nearer =
                    goals.iter().any(|goal| to.distance(*goal) < from.distance(*goal) && from.distance(*goal) < 6);
                let takes = goals.contains(&to);
                let holds = to.is_city_or_stronghold()
                    && board.controller(to) == Some(side)
                    && !board.has_army(side, to)
                    && !(to.neighbours() & board.armies(!side)).is_empty();
                if nearer || takes || holds || board.has_army(side, to) {
                    let urgent = if takes || holds { 20 } else { 0 };
                    marches.push((units + urgent, format!("all {} to {}", from.id(), to.id())));
                    if units > 1 {
                        let kind = if force.regulars(side) > 0 { "regular" } else { "elite" };
                        let rest = format!("all but 1 {kind} {} to {}", from.id(), to.id());
                        marches.push((units + urgent - 1, rest));
                    }
                }
            }
        }
        marches.sort_by_key(|(urgent, _)| std::cmp::Reverse(*urgent));
        marches.truncate(32);
        for (_, march) in &marches {
            self.add(format!("{die}: move {march}"));
        }
        for (index, (_, first)) in marches.iter().take(5).enumerate() {
            for (_, second) in marches.iter().skip(index + 1).take(5) {
                self.add(format!("{die}: move {first}, then {second}"));
            }
        }
    }

    fn muster(&mut self, die: &str) {
        let (board, side) = (self.board, self.side);
        for nation in Nation::of(side) {
            self.add(format!("{die}: {} one step towards war", nation.id()));
        }
        for companion in ["boromir", "legolas", "gimli"] {
            if side == Side::Free {
                self.add(format!("{die}: rouse {companion}"));
            }
        }
        let open: Vec<Region> = (region::settlements(side) - board.captured() - board.besieged())
            .iter()
            .filter(|region| region.nation().is_some_and(|nation| board.is_at_war(nation)))
            .collect();
        let leader = if side == Side::Free { "leader" } else { "nazgul" };
        for region in &open {
            self.add(format!("{die}: recruit elite {}", region.id()));
            self.add(format!("{die}: recruit {leader} {}", region.id()));
        }
        for (index, first) in open.iter().enumerate() {
            for second in open.iter().skip(index + 1).take(4) {
                self.add(format!("{die}: recruit regular {}, regular {}", first.id(), second.id()));
                self.add(format!("{die}: recruit regular {}, {leader} {}", first.id(), second.id()));
            }
        }
        if side == Side::Shadow {
            self.add(format!("{die}: bring saruman"));
            for region in board.armies_anywhere(side).iter() {
                self.add(format!("{die}: bring witch-king to {}", region.id()));
            }
            for region in ["barad-dur", "morannon", "minas-morgul", "dol-guldur"] {
                self.add(format!("{die}: bring mouth-of-sauron to {region}"));
            }
            self.add(format!("{die}: voice of saruman: recruit"));
            self.add(format!("{die}: voice of saruman: elites"));
        }
    }

    fn event(&mut self, die: &str) {
        self.add(format!("{die}: draw character"));
        self.add(format!("{die}: draw strategy"));
    }

    fn cards(&mut self, die: &str) {
        for (_, card) in cards::held(self.board, self.player, self.faces) {
            self.add(format!("{die}: play {}", card.name().id()));
        }
    }
}
