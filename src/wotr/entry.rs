//! Characters who enter play (6.18 to 6.25), and the Voice of Saruman (6.22).

use crate::board::Board;
use crate::board::place::Place;
use crate::character::Character;
use crate::die::Face;
use crate::event::{Cause, Event as Told, Move};
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::named::{DOL_AMROTH, FANGORN, MINAS_TIRITH, ORTHANC, PELARGIR};
use crate::region::{self, Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use crate::{Table, characters, politics, standing, words};
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample};
use engine::refusal::{Allowed, allowed_if, barred};
use std::fmt;

/// What enters play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A Character enters in a region.
    Character { character: Character, region: Region },
    /// A Character replaces another, who is then out of play.
    Replace { old: Character, new: Character },
    /// 6.22: an Isengard Regular in a Settlement of Isengard.
    VoiceRecruit { region: Region },
    /// 6.22: Isengard Regulars in Orthanc are replaced by Elites.
    VoiceUpgrade { number: u8 },
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Character { character, region } => write!(f, "enter {} {}", character.id(), region.id()),
            Entry::Replace { old, new } => write!(f, "replace {} {}", old.id(), new.id()),
            Entry::VoiceRecruit { region } => write!(f, "voice recruit {}", region.id()),
            Entry::VoiceUpgrade { number } => write!(f, "voice upgrade {number}"),
        }
    }
}

pub fn perform(play: &mut Table, entry: Entry) {
    match entry {
        Entry::Character { character, region } => {
            let to = play.board().entry(character.side(), region);
            let figures = Figures::one(Figure::Character(character));
            play.tell(Told::Moved(Move { figures, from: Place::Aside, to, cause: Cause::Entered }));
            entered(play, character, region);
        }
        Entry::Replace { old, new } => replace(play, old, new),
        Entry::VoiceRecruit { region } => {
            let to = play.board().entry(Side::Shadow, region);
            let figures = Figures::one(Figure::Regular(Nation::Isengard));
            play.tell(Told::Moved(Move { figures, from: Place::Reinforcements, to, cause: Cause::Recruited }));
        }
        Entry::VoiceUpgrade { number } => upgrade(play, number),
    }
}

fn replace(play: &mut Table, old: Character, new: Character) {
    let place = play.board().whereabouts(old);
    let (leaves, comes) = (Figures::one(Figure::Character(old)), Figures::one(Figure::Character(new)));
    // 6.18: he is out of play, not eliminated.
    play.tell(Told::Moved(Move { figures: leaves, from: place, to: Place::Removed, cause: Cause::Replaced }));
    play.tell(Told::Moved(Move { figures: comes, from: Place::Aside, to: place, cause: Cause::Entered }));
    entered(play, new, place.region().expect("he is on the map"));
}

/// The consequences after a Character has entered: a Companion may activate a Nation (12.4), the Witch-king activates
/// all Nations of the Free Peoples (6.23).
fn entered(play: &mut Table, character: Character, region: Region) {
    match character.side() {
        Side::Free => politics::companions_arrived(play, &Figures::one(Figure::Character(character)), region),
        Side::Shadow => {
            let rouses =
                character == Character::WitchKing && play.board().switches().is_default(Choice::WitchKingActivates);
            for nation in Nation::of(Side::Free).iter().filter(|_| rouses) {
                politics::activate(play, *nation, politics::Rouser::WitchKing);
            }
        }
    }
    standing::check(play, region);
}

fn upgrade(play: &mut Table, number: u8) {
    let orthanc = Place::Field(ORTHANC);
    let regulars = Figures::of(Figure::Regular(Nation::Isengard), number);
    let elites = Figures::of(Figure::Elite(Nation::Isengard), number);
    let (from, to, cause) = (orthanc, Place::Reinforcements, Cause::Replaced);
    play.tell(Told::Moved(Move { figures: regulars, from, to, cause }));
    play.tell(Told::Moved(Move { figures: elites, from: to, to: from, cause }));
}

/// Whether the Character may enter play with this result.
pub fn may_bring(board: &Board, character: Character, result: Face) -> Allowed {
    let name = words::character(character);
    allowed_if(board.whereabouts(character) == Place::Aside, "6.4", || format!("{name} has entered play already"))?;
    let paid = match character.side() {
        Side::Free => Face::Will,
        Side::Shadow => Face::Muster,
    };
    allowed_if(result == paid, "4.12, 4.15", || format!("{name} is brought in with a {} result", words::face(paid)))?;
    // 17.30, 17.31: either player may bring a Companion, but only his own player a Minion.
    characters::is_his(board, character)?;
    match character {
        Character::Aragorn => may_bring_aragorn(board),
        Character::GandalfTheWhite => may_bring_gandalf(board),
        Character::Saruman => {
            let ready = board.is_at_war(Nation::Isengard) && board.is_unconquered(ORTHANC);
            allowed_if(ready, "6.20", || "Isengard must be At War and Orthanc unconquered".to_string())
        }
        Character::WitchKing => may_bring_witch_king(board),
        Character::MouthOfSauron => may_bring_mouth(board),
        _ => barred("6.26", format!("{name} leaves the Fellowship by separation")),
    }
}

/// 6.18: Strider is in Minas Tirith, Dol Amroth or Pelargir, and the Settlement is unconquered.
fn may_bring_aragorn(board: &Board) -> Allowed {
    let at = board.region_of(Character::Strider).filter(|at| [MINAS_TIRITH, DOL_AMROTH, PELARGIR].contains(at));
    let Some(at) = at else {
        return barred("6.18", "Strider is not in Minas Tirith, Dol Amroth or Pelargir");
    };
    let held = board.is_unconquered(at) || !board.switches().is_default(Choice::AragornNeedsUnconquered);
    allowed_if(held, "6.18", || format!("{} is captured", at.title()))
}

/// 6.19: Gandalf the Grey is eliminated or outside the Fellowship, and a Minion is or was in play.
fn may_bring_gandalf(board: &Board) -> Allowed {
    let grey = board.whereabouts(Character::GandalfTheGrey);
    if !board.switches().is_default(Choice::GandalfWhiteEntry) {
        // 19.9: Gandalf the Grey must be eliminated, and a Minion in play now.
        let minion = Character::of(Side::Shadow).iter().any(|minion| board.is_in_play(*minion));
        allowed_if(grey == Place::Removed && minion, "19.9", || {
            "Gandalf the Grey must be eliminated and a Minion in play".to_string()
        })?;
    } else {
        allowed_if(grey != Place::Fellowship, "6.19", || "Gandalf the Grey is in the Fellowship".to_string())?;
        let minion = board.minion_has_entered();
        allowed_if(minion, "6.19", || "no Minion is or was in play".to_string())?;
    }
    let somewhere = gandalf_replaces(board) || !gandalf_places(board).is_empty();
    allowed_if(somewhere, "6.19", || "there is no place for him".to_string())
}

/// 6.19: whether Gandalf the White replaces Gandalf the Grey on the map.
fn gandalf_replaces(board: &Board) -> bool {
    board.switches().is_default(Choice::GandalfWhiteEntry) && board.region_of(Character::GandalfTheGrey).is_some()
}

/// 6.19: Fangorn, or an unconquered Stronghold of the Elves.
fn gandalf_places(board: &Board) -> Regions {
    let elven = region::regions_of(Nation::Elves) & region::all_strongholds();
    (elven - board.captured()) | Regions::one(FANGORN)
}

/// 6.23: Sauron and at least one Nation of the Free Peoples are At War.
fn may_bring_witch_king(board: &Board) -> Allowed {
    let sauron = board.is_at_war(Nation::Sauron);
    // 19.12: the conditions of the other presets.
    let (ready, rule, why) = match board.switches().value(Choice::WitchKingEntry) {
        0 => {
            let both = sauron && Nation::of(Side::Free).iter().any(|nation| board.is_at_war(*nation));
            (both, "6.23", "Sauron and one Nation of the Free Peoples must be At War")
        }
        1 => (board.points(Side::Shadow) >= 4, "19.12", "the Shadow must have 4 victory points or more"),
        _ => (sauron, "19.12", "Sauron must be At War"),
    };
    allowed_if(ready, rule, || why.to_string())?;
    allowed_if(!witch_king_places(board).is_empty(), "6.23", || "no Army has a unit of Sauron".to_string())
}

/// 6.23: with any Shadow Army that has a Sauron unit.
fn witch_king_places(board: &Board) -> Regions {
    let has_sauron = |region: &Region| {
        let place = board.entry(Side::Shadow, *region);
        board.at(place).units_of(Nation::Sauron) > 0
    };
    board.armies_anywhere(Side::Shadow).iter().filter(has_sauron).collect()
}

/// 6.24: the Fellowship is on the Mordor Track, or all Nations of the Free Peoples are At War.
fn may_bring_mouth(board: &Board) -> Allowed {
    let all_at_war = Nation::of(Side::Free).iter().all(|nation| board.is_at_war(*nation));
    let ready =
        board.company().is_on_the_mordor_track() || all_at_war || !board.switches().is_default(Choice::MouthEntry);
    allowed_if(ready, "6.24", || {
        "the Fellowship is not on the Mordor Track, nor are all Nations of the Free Peoples At War".to_string()
    })?;
    allowed_if(!mouth_places(board).is_empty(), "6.24", || "every Stronghold of Sauron is captured".to_string())
}

/// 6.24: an unconquered Stronghold of Sauron.
fn mouth_places(board: &Board) -> Regions {
    (region::regions_of(Nation::Sauron) & region::all_strongholds()) - board.captured()
}

/// Whether the side can bring any Character into play with this result; the refusal gives the reason for each.
pub fn may_bring_some(board: &Board, side: Side, result: Face) -> Allowed {
    let mut reasons = Vec::new();
    for character in Character::of(side).iter().filter(|character| board.whereabouts(**character) == Place::Aside) {
        match may_bring(board, *character, result) {
            Ok(()) => return Ok(()),
            Err(barred) => reasons.push(format!("{}: {}", words::character(*character), barred.why)),
        }
    }
    barred("6.18 to 6.24", if reasons.is_empty() { "all have entered play".to_string() } else { reasons.join("; ") })
}

/// `saruman`, `witch-king to dol-guldur`, read after the word `bring`.
pub fn bring(board: &Board, side: Side, result: Face, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let character = menu.choose("character", Character::of(side), |character| may_bring(board, character, result))?;
    let places = match character {
        Character::Aragorn => return Ok(vec![replaces(Character::Strider, character)]),
        Character::GandalfTheWhite if gandalf_replaces(board) => {
            return Ok(vec![replaces(Character::GandalfTheGrey, character)]);
        }
        Character::Saruman => return Ok(vec![enters(character, ORTHANC)]),
        Character::GandalfTheWhite => gandalf_places(board),
        Character::WitchKing => witch_king_places(board),
        _ => mouth_places(board),
    };
    menu.word("to|in|into|at")?;
    let region = menu.pick("region", Region::all(), |region| {
        allowed_if(places.contains(region), "6.19, 6.23, 6.24", || {
            format!("{} cannot enter in {}", words::character(character), region.title())
        })
    })?;
    Ok(vec![enters(character, region)])
}

fn enters(character: Character, region: Region) -> Next {
    Next::Characters(characters::Step::Enter(Entry::Character { character, region }))
}

fn replaces(old: Character, new: Character) -> Next {
    Next::Characters(characters::Step::Enter(Entry::Replace { old, new }))
}

/// What the Voice of Saruman does (6.22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    Recruit,
    Upgrade,
}

/// 6.22: every Isengard Settlement that is free for the Shadow.
fn voice_places(board: &Board) -> Regions {
    let settled = region::regions_of(Nation::Isengard) & region::settlements(Side::Shadow);
    settled & board.free_regions(Side::Shadow)
}

/// 6.22: how many Regulars in Orthanc become Elites: two, or fewer if fewer are there.
fn upgrades(board: &Board) -> u8 {
    let regulars = board.force(Side::Shadow, ORTHANC).count(Figure::Regular(Nation::Isengard));
    let upgrades = regulars.min(board.reinforcements().count(Figure::Elite(Nation::Isengard))).min(2);
    // 19.47: with `characters.voice_elites = exactly_two` two or none.
    let exactly_two = !board.switches().is_default(Choice::VoiceElites);
    if exactly_two && upgrades < 2 { 0 } else { upgrades }
}

/// 19.16: with `characters.voice_of_saruman = false` there is no such ability.
pub fn may_have_voice(board: &Board) -> Allowed {
    allowed_if(board.switches().is_default(Choice::VoiceOfSaruman), "19.16", || {
        "in this game Saruman has no Voice".to_string()
    })
}

fn may_speak(board: &Board, voice: Voice) -> Allowed {
    may_have_voice(board)?;
    let heard = board.is_in_play(Character::Saruman)
        && board.controller(ORTHANC) == Some(Side::Shadow)
        && !board.is_besieged(ORTHANC);
    allowed_if(heard, "6.22", || "Saruman is not in play, or the Shadow does not hold Orthanc unbesieged".to_string())?;
    // 17.25: the Voice recruits for Isengard, so only Saruman's player may use it.
    characters::is_his(board, Character::Saruman)?;
    let regulars = board.reinforcements().count(Figure::Regular(Nation::Isengard));
    match voice {
        Voice::Recruit => {
            let some = regulars > 0 && !voice_places(board).is_empty();
            allowed_if(some, "6.22", || "no Regular of Isengard can be recruited".to_string())
        }
        Voice::Upgrade => {
            allowed_if(upgrades(board) > 0, "6.22", || "no Regular of Isengard in Orthanc can be replaced".to_string())
        }
    }
}

/// Whether the Voice of Saruman can be used (6.22).
pub fn can_speak(board: &Board) -> bool {
    [Voice::Recruit, Voice::Upgrade].into_iter().any(|voice| may_speak(board, voice).is_ok())
}

/// `recruit` or `elites`, read after the words `voice of saruman:`. If the reinforcements are not enough for every
/// Settlement, the Shadow names those that get a Regular: `recruit orthanc, north-dunland`.
pub fn speak(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let ways = [("recruit|recruit regulars|regulars", Voice::Recruit), ("elites|replace|upgrade", Voice::Upgrade)];
    let step = |entry| Next::Characters(characters::Step::Enter(entry));
    match menu.branch(&ways, |voice| may_speak(board, voice))? {
        Voice::Upgrade => Ok(vec![step(Entry::VoiceUpgrade { number: upgrades(board) })]),
        Voice::Recruit => {
            let heard = menu.phrase(&Heard::of(board))?;
            let heard: Regions = heard.into_iter().collect();
            Ok(heard.iter().map(|region| step(Entry::VoiceRecruit { region })).collect())
        }
    }
}

/// The Settlements that get a Regular (6.22). The player must name them only if not all can get one; he may always
/// name them.
struct Heard {
    places: Regions,
    /// How many get a Regular.
    number: u32,
}

impl Heard {
    fn of(board: &Board) -> Heard {
        let places = voice_places(board);
        let regulars = board.reinforcements().count(Figure::Regular(Nation::Isengard));
        Heard { places, number: u32::from(regulars).min(places.len()) }
    }

    fn all(&self) -> bool {
        self.number == self.places.len()
    }

    fn may_name(&self, region: Region, chosen: &[Region]) -> Allowed {
        allowed_if(self.places.contains(region) && !chosen.contains(&region), "6.22", || {
            format!("{} gets no Regular", region.title())
        })
    }
}

impl Phrase for Heard {
    type Said = Vec<Region>;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Vec<Region>> {
        let mut chosen: Vec<Region> = Vec::new();
        if self.all() {
            let _ = menu.maybe("in|at|to")?;
            let Some(first) = menu.name_if_any(Region::all()) else {
                return Ok(self.places.iter().collect());
            };
            menu.check(self.may_name(first, &[]))?;
            chosen.push(first);
        }
        while u32::try_from(chosen.len()).is_ok_and(|count| count < self.number) {
            let _ = menu.maybe(",")? | menu.maybe("and")? | menu.maybe("in|at|to")?;
            let region = menu.choose("region", Region::all(), |region| self.may_name(region, &chosen))?;
            chosen.push(region);
        }
        Ok(chosen)
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Vec<Region>> {
        let mut left = self.places;
        if self.all() {
            return Ok(left.iter().collect());
        }
        let mut chosen = Vec::new();
        for _ in 0..self.number {
            let region = left.nth(chance.below(left.len())).expect("a Settlement is left");
            left.remove(region);
            chosen.push(region);
        }
        Ok(chosen)
    }

    fn list(&self) -> Ask<Sample<Vec<Region>>> {
        let first: Vec<Region> = self.places.iter().take(self.number as usize).collect();
        if self.all() {
            return Ok((String::new(), Vec::new(), first));
        }
        let ids: Vec<String> = self.places.iter().map(|region| region.id().to_string()).collect();
        let nouns = vec![("settlement".to_string(), ids); first.len()];
        Ok((vec!["<settlement>"; first.len()].join(" "), nouns, first))
    }

    fn say(&self, said: &Vec<Region>) -> String {
        if self.all() {
            return String::new();
        }
        let ids: Vec<&str> = said.iter().map(|region| region.id()).collect();
        ids.join(" ")
    }
}
