/*! The Fellowship (13): moving, declaring, hiding, the Guide, separating Companions.

Revealing, and the path that the figure then takes, is in [`reveal`](crate::reveal).
*/

use crate::board::Board;
use crate::board::company::{TRACK_END, Visibility};
use crate::board::hunt::Cause as Drawn;
use crate::board::place::Place;
use crate::cards::table;
use crate::character::Character;
use crate::characters::Terms;
use crate::event::fellowship::Event;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::player::Player;
use crate::region::Region;
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, characters, hunt, mordor, part, politics, reveal, victory, words};
use engine::chance::Chance;
use engine::menu::policy::AMONG;
use engine::menu::{Ask, Menu, Phrase, Sample};
use engine::need::Need;
use engine::plural;
use engine::refusal::{Allowed, allowed_if, barred};
use std::fmt;

/// What this chapter does on the agenda.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Phase 2 (3.7). Asks as long as something can be done in it.
    Phase,
    /// 13.9: the position is declared: the figure goes to this region.
    Declare(Region),
    /// 13.4, 15.6: a move, by a die or a card, with the Hunt that follows.
    Move,
    /// 14.3, 15.11: the move and all effects of its Hunt are done.
    Moved,
    /// 13.18.
    Hide,
    /// 13.14: by a tile or a card, the counter turns to Revealed, then the figure moves.
    Reveal,
    /// 13.14: where the figure goes, if it can go anywhere.
    Emerge,
    /// 13.14: the figure moves to an adjacent region.
    GoOn(Region),
    /// 13.14: the figure has ended its move; Progress becomes 0.
    Emerged,
    /// 13.22: the composition of the Fellowship has changed, or it is time to name a Guide.
    Guide,
    /// 13.22: the Guide is named.
    Name(Character),
    /// 13.25: Companions leave, as one group.
    Separate { companions: Figures, to: Region },
    /// 13.31, 14.27: a Companion who leaves on the Mordor Track is out of the game.
    Abandon(Character),
    /// 14.30: a Hobbit who was taken alive is placed on the map. Asks where.
    Return(Character),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Phase => f.write_str("fellowship phase"),
            Step::Declare(region) => write!(f, "declare {}", region.id()),
            Step::Move => f.write_str("fellowship move"),
            Step::Moved => f.write_str("fellowship moved"),
            Step::Hide => f.write_str("fellowship hide"),
            Step::Reveal => f.write_str("fellowship reveal"),
            Step::Emerge => f.write_str("emerge"),
            Step::GoOn(region) => write!(f, "go on {}", region.id()),
            Step::Emerged => f.write_str("emerged"),
            Step::Guide => f.write_str("guide"),
            Step::Name(companion) => write!(f, "name {}", companion.id()),
            Step::Separate { companions, to } => {
                write!(f, "separate {} {}", part::say(companions, companions), to.id())
            }
            Step::Abandon(companion) => write!(f, "abandon {}", companion.id()),
            Step::Return(hobbit) => write!(f, "return {}", hobbit.id()),
        }
    }
}

pub fn need(board: &Board, step: &Step) -> Option<Need> {
    // 17.7: the Leading Player decides what concerns the Fellowship.
    let asked = |id| Some(board.asks(board.leading(Side::Free), id));
    match step {
        Step::Phase if phase_matters(board) => asked("fellowship"),
        Step::Emerge if reveal::may_go(board) => asked("reveal"),
        Step::Guide if board.guides().count() > 1 => asked("guide"),
        Step::Return(_) => asked("companion-returns"),
        _ => None,
    }
}

pub fn menu(board: &Board, step: &Step, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    match step {
        Step::Phase => phase(board, menu),
        Step::Emerge => reveal::menu(board, menu),
        Step::Guide => {
            if menu.names_next(Character::of(Side::Free)) {
                menu.comes_to("guide");
            } else {
                menu.word("guide|the guide is")?;
            }
            let guide = menu.pick("companion", Character::of(Side::Free), |companion| may_guide(board, companion))?;
            Ok(vec![Next::Fellowship(Step::Name(guide))])
        }
        Step::Return(hobbit) => {
            menu.word_or_policy("place|to|in", AMONG)?;
            let to = destination(board, &Figures::one(Figure::Character(*hobbit)), Terms::ORDINARY, menu)?;
            Ok(vec![separated(*hobbit, to)])
        }
        _ => unreachable!("`{step}` asks nothing"),
    }
}

pub fn perform(play: &mut Table, step: Step) {
    match step {
        // No answer would change anything.
        Step::Phase => {}
        Step::Declare(region) => declare(play, region),
        Step::Move => begin_move(play),
        Step::Moved => {
            tell(play, Event::Moved);
            // 16.3: checked at the Crack of Doom when the whole move is done.
            victory::check_crack_of_doom(play);
        }
        Step::Hide => hide(play),
        Step::Reveal => reveal(play),
        // 13.15: with Progress 0 the figure stays where it is.
        Step::Emerge => {
            let steps = reveal::stay(play.board());
            play.then(steps);
        }
        Step::GoOn(to) => tell(play, Event::Travelled { to }),
        Step::Emerged => {
            let region = play.board().company().region().expect("no way is taken on the Mordor Track");
            tell(play, Event::Emerged { region });
        }
        Step::Guide => name_only_guide(play),
        Step::Name(companion) => name(play, Some(companion)),
        Step::Separate { companions, to } => separate_group(play, &companions, to),
        Step::Abandon(companion) => eliminate(play, companion),
        Step::Return(_) => unreachable!("somewhere he appears"),
    }
}

fn tell(play: &mut Table, event: Event) {
    play.tell(Told::Fellowship(event));
}

/// 13.4: Progress +1, then the Hunt. On the Mordor Track a tile is drawn at once (15.6).
fn begin_move(play: &mut Table) {
    let company = play.board().company();
    let hunt = if company.is_on_the_mordor_track() {
        // 15.16: it counts as an attempt, even if it fails.
        tell(play, Event::Attempted);
        hunt::Step::Draw(Drawn::Mordor)
    } else {
        // 13.8: the counter stays at 12.
        let to = TRACK_END.min(company.progress() + 1);
        tell(play, Event::Advanced { to });
        hunt::Step::Begin
    };
    play.then([Next::Hunt(hunt), Next::Fellowship(Step::Moved)]);
}

/// 13.18: the counter turns to Hidden, and nothing else changes.
fn hide(play: &mut Table) {
    tell(play, Event::Turned { visibility: Visibility::Hidden });
    if play.board().company().is_on_the_mordor_track() {
        tell(play, Event::Attempted);
    }
}

/// 13.14: the counter turns to Revealed, then the figure moves. 13.17: revealing a Revealed Fellowship does nothing.
/// 15.14: on the Mordor Track only the counter turns.
fn reveal(play: &mut Table) {
    let company = play.board().company();
    if !company.is_hidden() {
        return;
    }
    let in_mordor = company.is_on_the_mordor_track();
    tell(play, Event::Turned { visibility: Visibility::Revealed });
    if !in_mordor {
        play.push(Next::Fellowship(Step::Emerge));
    }
}

/// Declares the position: 13.9, then its consequences in their order.
fn declare(play: &mut Table, region: Region) {
    tell(play, Event::Declared { region });
    if let Some(nation) = region.nation()
        && nation.side() == Side::Free
        && region.is_city_or_stronghold()
    {
        // 13.10: its Nation becomes active, no matter who controls the Settlement.
        politics::activate(play, nation, politics::Rouser::Fellowship);
        // 13.11: Corruption −1 if the enemy does not control it; a siege does not matter.
        if heals(play.board(), region) {
            corrupt(play, -1);
        }
    }
    table::declared(play, region);
}

/// 13.11: whether declaring there reduces Corruption: in an FP City or Stronghold that the enemy does not control, if
/// there is any Corruption.
fn heals(board: &Board, region: Region) -> bool {
    let sheltered = region.side() == Some(Side::Free) && region.is_city_or_stronghold();
    sheltered && board.is_unconquered(region) && board.company().corruption() > 0
}

/// Changes Corruption, never below 0, and checks whether the Ring-bearers are corrupted (16.2).
pub fn corrupt(play: &mut Table, by: i8) {
    let from = play.board().company().corruption();
    let to = from.saturating_add_signed(by);
    if from != to {
        tell(play, Event::Corrupted { from, to });
        victory::check_corruption(play);
    }
}

/// 17.30: any player of the Free Peoples moves and hides the Fellowship and separates Companions; with
/// `mp4.fellowship_owner = rohan_player` only the Rohan player (19.31).
fn is_his(board: &Board) -> Allowed {
    let owner = board.seating().in_place_of(Player::Rohan);
    let his = board.switches().is_default(Choice::FellowshipOwner) || board.acting(Side::Free) == owner;
    allowed_if(his, "19.31", || format!("only {} does that with the Fellowship", owner.title()))
}

/// Whether the player who acts may move the Fellowship with a die.
pub fn may_be_moved(board: &Board) -> Allowed {
    may_move(board).and_then(|()| is_his(board))
}

/// Whether the player who acts may hide the Fellowship with a die.
pub fn may_be_hidden(board: &Board) -> Allowed {
    may_hide(board).and_then(|()| is_his(board))
}

/// Whether the player who acts may separate Companions with a die.
pub fn may_be_left(board: &Board) -> Allowed {
    may_separate(board).and_then(|()| is_his(board))
}

/// Whether the Fellowship may be moved (13.4, 13.7).
pub fn may_move(board: &Board) -> Allowed {
    allowed_if(board.company().is_hidden(), "13.7", || "the Fellowship is Revealed: hide it first".to_string())
}

/// Whether the Fellowship may be hidden (13.18).
pub fn may_hide(board: &Board) -> Allowed {
    allowed_if(!board.company().is_hidden(), "13.18", || "the Fellowship is Hidden".to_string())
}

/// Whether Companions may be separated (13.25, 13.31).
pub fn may_separate(board: &Board) -> Allowed {
    let on_the_track = board.company().is_on_the_mordor_track();
    allowed_if(!on_the_track, "13.31", || "nobody leaves the Fellowship on the Mordor Track".to_string())?;
    allowed_if(!board.companions().is_empty(), "13.25", || "no Companion is in the Fellowship".to_string())
}

/// What may be done in phase 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Declare,
    EnterMordor,
    Guide,
    Done,
}

const DEEDS: [(&str, Deed); 4] = [
    ("declare|declare in|declare the fellowship in|declare fellowship in", Deed::Declare),
    ("enter mordor", Deed::EnterMordor),
    ("guide|the guide is", Deed::Guide),
    ("done|nothing|stay hidden", Deed::Done),
];

/// 3.7: `declare lorien`, `enter mordor`, `guide strider`, `done`, in this order.
fn phase(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let step = |step| Next::Fellowship(step);
    match menu.branch(&DEEDS, |deed| may_do(board, deed))? {
        Deed::Declare => {
            let (region, reaction) = reveal::declare(board, menu)?;
            Ok([Some(step(Step::Declare(region))), reaction, Some(step(Step::Phase))].into_iter().flatten().collect())
        }
        Deed::EnterMordor => Ok(vec![Next::Mordor(mordor::Step::Enter), step(Step::Phase)]),
        Deed::Guide => {
            let present = board.company().guide();
            let guide = menu.pick("companion", Character::of(Side::Free), |companion| {
                may_guide(board, companion)?;
                allowed_if(present != Some(companion), "13.22", || {
                    format!("{} is the Guide", words::character(companion))
                })
            })?;
            // 19.6: with `during_phase` the Guide may be named at any moment of phase 2; otherwise naming ends the
            // phase.
            let again = board.switches().word(Choice::GuideWindow) == "during_phase";
            Ok([Step::Name(guide), Step::Phase].into_iter().take(1 + usize::from(again)).map(step).collect())
        }
        Deed::Done => Ok(Vec::new()),
    }
}

fn may_do(board: &Board, deed: Deed) -> Allowed {
    match deed {
        Deed::Declare => may_declare(board),
        Deed::EnterMordor => mordor::may_enter(board),
        Deed::Guide => {
            // 19.6: with `turn_end` the Guide is named after phase 6.
            let now = board.switches().word(Choice::GuideWindow) != "turn_end";
            allowed_if(now, "19.6", || "the Guide is named at the end of the turn".to_string())?;
            let others = board.guides().count() > 1;
            allowed_if(others, "13.22", || "no other Companion has the highest Level".to_string())
        }
        Deed::Done => Ok(()),
    }
}

/// 13.9: the Fellowship is Hidden, not on the Mordor Track, and not declared yet this turn.
fn may_declare(board: &Board) -> Allowed {
    let company = board.company();
    if company.is_on_the_mordor_track() {
        return barred("15.5", "the Fellowship is on the Mordor Track");
    }
    allowed_if(company.is_hidden(), "13.9", || "the Fellowship is Revealed".to_string())?;
    allowed_if(!company.is_declared(), "13.9", || "it has been declared this turn".to_string())
}

/// Whether any answer in phase 2 would have an effect. Declaring with Progress 0 often has none; not asking then
/// saves a letter.
fn phase_matters(board: &Board) -> bool {
    let other = [Deed::EnterMordor, Deed::Guide].into_iter().any(|deed| may_do(board, deed).is_ok());
    other || (may_declare(board).is_ok() && declaring_matters(board))
}

fn declaring_matters(board: &Board) -> bool {
    let Some(region) = board.company().region() else { return false };
    let shelter = region.nation().filter(|_| region.is_city_or_stronghold());
    let rouses = shelter.is_some_and(|nation| !board.politics().is_active(nation));
    // 13.12: a card on the table reacts.
    let cards = table::react_to_declaring(board, region);
    // 19.27: with `mordor.entry = declared` declaring opens the way into Mordor.
    let gate = mordor::is_gate(region) && !board.switches().is_default(Choice::MordorEntry);
    board.company().progress() > 0 || heals(board, region) || rouses || cards || gate
}

fn may_guide(board: &Board, companion: Character) -> Allowed {
    let name = words::character(companion);
    allowed_if(board.companions().has(companion), "13.20", || format!("{name} is not in the Fellowship"))?;
    let highest = board.guides().any(|guide| guide == companion);
    allowed_if(highest, "13.20", || format!("{name} does not have the highest Level in the Fellowship"))
}

/// 13.20, 13.22: if there is no choice, the Guide is the only candidate, or Gollum if no Companion is left.
fn name_only_guide(play: &mut Table) {
    let guide = play.board().guides().next();
    name(play, guide);
}

fn name(play: &mut Table, guide: Option<Character>) {
    if play.board().company().guide() != guide {
        tell(play, Event::GuideNamed { guide });
    }
}

/// `strider legolas to edoras`, read after the word `separate` (13.25).
pub fn separate(board: &Board, terms: Terms, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let (companions, to) = menu.phrase(&Separation { board, terms })?;
    Ok(vec![Next::Fellowship(Step::Separate { companions, to }), Next::Fellowship(Step::Guide)])
}

/// The step that separates one Companion. The caller sees to it that a Guide is named afterwards.
pub fn separated(companion: Character, to: Region) -> Next {
    Next::Fellowship(Step::Separate { companions: Figures::one(Figure::Character(companion)), to })
}

/// Where a group goes, read after `to`. 13.25: the path has at most as many regions as Progress plus the highest Level
/// in the group. A Stronghold in the start region does not stop the group, but a siege there keeps it inside (13.26,
/// 13.27).
pub fn destination(board: &Board, companions: &Figures, terms: Terms, menu: &mut Menu<'_>) -> Ask<Region> {
    let start = board.company().region().expect("nobody is separated on the Mordor Track");
    let steps = steps(board, companions, terms);
    let open = characters::reach(board, start, steps, terms.sieges);
    menu.pick("region", Region::all(), |to| {
        allowed_if(open.contains(to), "13.25, 13.26", || {
            let steps = plural::counted(steps, "step");
            format!("{} cannot be reached from {} in {steps}", to.title(), start.title())
        })
    })
}

fn steps(board: &Board, companions: &Figures, terms: Terms) -> u8 {
    let highest = companions.characters().map(Character::level).max().unwrap_or(0);
    board.company().progress() + terms.level.unwrap_or(highest) + terms.bonus
}

/// 13.25: the group starts in the region of the figure; 13.29: from now on they are Companions on the map.
fn separate_group(play: &mut Table, companions: &Figures, to: Region) {
    let start = play.board().company().region().expect("nobody is separated on the Mordor Track");
    let place = play.board().entry(Side::Free, to);
    let (figures, from, cause) = (*companions, Place::Fellowship, Cause::Separated);
    play.tell(Told::Moved(Move { figures, from, to: place, cause }));
    // ▲43: with `fellowship.activation_on_separation = start_too` they also activate in the region where they start.
    if !play.board().switches().is_default(Choice::ActivationOnSeparation) {
        politics::companions_arrived(play, companions, start);
    }
    politics::companions_arrived(play, companions, to);
}

/// 14.30: a Companion in the Fellowship is eliminated by the Hunt or by a card. A Hobbit is placed on the map instead,
/// as if separated, unless the Fellowship is on the Mordor Track.
pub fn lose(play: &mut Table, companion: Character) {
    if companion.is_hobbit() && !play.board().company().is_on_the_mordor_track() {
        play.push(Next::Fellowship(Step::Return(companion)))
    } else {
        eliminate(play, companion)
    }
}

/// 6.4: a Companion is out of the game for good.
pub fn eliminate(play: &mut Table, companion: Character) {
    let figures = Figures::one(Figure::Character(companion));
    let (from, to, cause) = (Place::Fellowship, Place::Removed, Cause::Eliminated);
    play.tell(Told::Moved(Move { figures, from, to, cause }));
}

/// 13.25: one Companion or one group leaves.
struct Separation<'a> {
    board: &'a Board,
    terms: Terms,
}

impl Phrase for Separation<'_> {
    type Said = (Figures, Region);

    fn read(&self, menu: &mut Menu<'_>) -> Ask<(Figures, Region)> {
        let mut companions = Figures::NONE;
        loop {
            let companion = menu.choose("companion", Character::of(Side::Free), |companion| {
                let name = words::character(companion);
                allowed_if(self.board.companions().has(companion), "13.24", || {
                    format!("{name} is not in the Fellowship")
                })?;
                allowed_if(!companions.has(companion), "13.25", || format!("{name} is named twice"))
            })?;
            companions.put(Figure::Character(companion), 1);
            let _ = menu.maybe(",")? || menu.maybe("and")?;
            if menu.maybe("to|into")? {
                break;
            }
        }
        let to = destination(self.board, &companions, self.terms, menu)?;
        Ok((companions, to))
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<(Figures, Region)> {
        let all: Vec<Character> = self.board.companions().characters().collect();
        let first = chance.below(u32::try_from(all.len()).expect("at most nine")) as usize;
        let mut companions = Figures::one(Figure::Character(all[first]));
        for companion in all.into_iter().filter(|companion| !companions.has(*companion)).collect::<Vec<_>>() {
            companions.put(Figure::Character(companion), u8::from(chance.below(3) == 0));
        }
        let start = self.board.company().region().expect("nobody is separated on the Mordor Track");
        let steps = steps(self.board, &companions, self.terms);
        let open = characters::reach(self.board, start, steps, self.terms.sieges);
        let to = open.nth(chance.below(open.len())).expect("they may stay where they are");
        Ok((companions, to))
    }

    fn grow(&self) -> Ask<(Vec<String>, (Figures, Region))> {
        let mut rows = Vec::new();
        let start = self.board.company().region().expect("nobody is separated on the Mordor Track");
        for companions in part::parts(&self.board.companions(), characters::GROUPS_GROWN) {
            let steps = steps(self.board, &companions, self.terms);
            let open = characters::reach(self.board, start, steps, self.terms.sieges);
            rows.extend(open.iter().map(|to| self.say(&(companions, to))));
        }
        Ok((rows, self.list()?.2))
    }

    /// Lists where a Companion of the highest Level can go; others may not go as far.
    fn list(&self) -> Ask<Sample<(Figures, Region)>> {
        let all = self.board.companions();
        let names = all.characters().map(|companion| companion.id().to_string()).collect();
        let start = self.board.company().region().expect("nobody is separated on the Mordor Track");
        let open = characters::reach(self.board, start, steps(self.board, &all, self.terms), self.terms.sieges);
        let goals = open.iter().map(|region| region.id().to_string()).collect();
        let nouns = vec![("companion".to_string(), names), ("goal".to_string(), goals)];
        Ok(("<companion> … to <goal>".to_string(), nouns, (all, start)))
    }

    fn say(&self, said: &(Figures, Region)) -> String {
        format!("{} to {}", part::say(&said.0, &said.0), said.1.id())
    }
}
