/*! Sentences that a player of some experience would consider. The menu refuses those that the rules do not allow now,
and they are dropped.
*/

use crate::battle::{self, Step as Fight};
use crate::board::Board;
use crate::bot::{deeds, hand};
use crate::card::Card;
use crate::cards;
use crate::dice;
use crate::die::Face;
use crate::player::Player;
use crate::region::Region;
use crate::side::Side;
use crate::step::Step;
use crate::{event_cards, fellowship, hunt};
use engine::name::Named;
use engine::slot::Faces;

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
        Step::Effect(_) => of_card(board),
        _ => Vec::new(),
    }
}

/// What a card may let Armies and Nazgûl do. Its other answers are few, and its menu lists them.
fn of_card(board: &Board) -> Vec<String> {
    let marches = Side::BOTH.into_iter().flat_map(|side| deeds::marches(board, side));
    let moves = marches.map(|march| format!("move {march}"));
    let attacks = Side::BOTH.into_iter().flat_map(|side| deeds::attacks(board, side));
    let flights = deeds::flights(board).into_iter().map(|flight| format!("fly {flight}"));
    moves.chain(attacks).chain(flights).collect()
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
        use Face::{Army, ArmyMuster, Character, Event, Muster, Will};
        let side = self.side;
        if let Some(die) = self.cheapest(&[Character, Will]) {
            self.character(die);
        }
        // A Character die lets other Armies attack and march than an Army die: those that are led.
        let led = self.cheapest(&[Character]);
        for die in led.into_iter().chain(self.cheapest(&[Army, ArmyMuster, Will])) {
            let marches = deeds::marches(self.board, side);
            self.with(die, "", deeds::attacks(self.board, side));
            self.with(die, "move ", deeds::pairs(&marches));
            self.with(die, "move ", marches);
        }
        if let Some(die) = self.cheapest(&[Muster, ArmyMuster, Will]) {
            self.muster(die);
        }
        if let Some(die) = self.cheapest(&[Event, Will]) {
            self.with(die, "", ["draw character", "draw strategy"].map(str::to_string).to_vec());
        }
        if side == Side::Free && self.cheapest(&[Will]).is_some() {
            self.crowns();
        }
        self.cards();
        self.rings();
        self.lines.push("pass".to_string());
        self.lines
    }

    /// The first of these dice that the side has: the least versatile come first.
    fn cheapest(&self, faces: &[Face]) -> Option<&'static str> {
        faces.iter().find(|face| self.board.dice().showing(self.side, **face) > 0).map(|face| die(*face))
    }

    fn with(&mut self, die: &str, verb: &str, deeds: Vec<String>) {
        self.lines.extend(deeds.into_iter().map(|deed| format!("{die}: {verb}{deed}")));
    }

    fn character(&mut self, die: &str) {
        if self.side == Side::Shadow {
            self.with(die, "move nazgul ", deeds::flights(self.board));
            return;
        }
        self.with(die, "", ["move fellowship", "hide fellowship"].map(str::to_string).to_vec());
        for goal in ["minas-tirith", "dol-amroth", "pelargir", "edoras", "lorien", "helms-deep"] {
            self.with(die, "", vec![format!("separate strider to {goal}")]);
            self.with(die, "", vec![format!("move companions strider to {goal}")]);
        }
        self.with(die, "", vec!["separate gandalf-the-grey to lorien".to_string()]);
    }

    fn crowns(&mut self) {
        self.with("will die", "", vec!["bring aragorn".to_string(), "bring gandalf-the-white".to_string()]);
        for region in ["lorien", "rivendell", "woodland-realm", "grey-havens", "fangorn"] {
            self.with("will die", "", vec![format!("bring gandalf-the-white to {region}")]);
        }
    }

    fn muster(&mut self, die: &str) {
        let (board, side) = (self.board, self.side);
        self.with(die, "", deeds::politics(board, side));
        self.with(die, "", deeds::recruits(board, side));
        if side == Side::Free {
            self.with(die, "rouse ", ["boromir", "legolas", "gimli"].map(str::to_string).to_vec());
            return;
        }
        let armies = board.armies_anywhere(side);
        let mut minions = vec!["saruman".to_string()];
        minions.extend(armies.iter().map(|region| format!("witch-king to {}", region.id())));
        let towers = ["barad-dur", "morannon", "minas-morgul", "dol-guldur"];
        minions.extend(towers.map(|region| format!("mouth-of-sauron to {region}")));
        self.with(die, "bring ", minions);
        self.with(die, "voice of saruman: ", ["recruit", "elites"].map(str::to_string).to_vec());
    }

    /// Every card, and hiding the Fellowship, with each kind of die: an Event die plays any card, other dice those of
    /// their own kind.
    fn cards(&mut self) {
        let (board, side) = (self.board, self.side);
        let held = cards::held(board, self.player, self.faces);
        let faces = [Face::Event, Face::Character, Face::Army, Face::Muster, Face::ArmyMuster, Face::Will];
        for face in faces.into_iter().filter(|face| board.dice().showing(side, *face) > 0) {
            let plays = held.iter().map(|(_, card)| format!("play {}", card.name().id()));
            self.with(die(face), "", plays.collect());
            // 13.19: with Strider as the Guide any die hides.
            if side == Side::Free && face != Face::Will && face != Face::Character && !board.company().is_hidden() {
                self.with(die(face), "", vec!["hide fellowship".to_string()]);
            }
        }
    }

    /// 4.20: an Elven Ring turns a die into one that is missing.
    fn rings(&mut self) {
        let (board, side) = (self.board, self.side);
        if board.rings().held(side) == 0 || board.rings().used(side) {
            return;
        }
        let faces = [Face::Character, Face::Army, Face::Muster, Face::ArmyMuster, Face::Event, Face::Will];
        for from in faces.into_iter().filter(|face| board.dice().showing(side, *face) > 0) {
            for to in [Face::Character, Face::Army, Face::Muster, Face::Event] {
                if board.dice().showing(side, to) == 0 {
                    self.lines.push(format!("ring: change {} to {}", from.id(), to.id()));
                }
            }
        }
    }
}
