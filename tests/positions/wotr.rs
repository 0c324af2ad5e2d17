//! Random positions of War of the Ring: Armies, sieges, captured Settlements and Characters anywhere.

use super::{Position, below, mixed, once_in, one_of};
use engine::chance::Practice;
use engine::practice::Table;
use engine::title::{Setup, Unplayable};
use wotr::board::Board;
use wotr::board::place::Place;
use wotr::card::EventDeck;
use wotr::character::Character;
use wotr::figures::{Figure, Figures};
use wotr::nation::Nation;
use wotr::player::Seating;
use wotr::region::Region;
use wotr::side::Side;
use wotr::switches::{self, SWITCHES, Switches};
use wotr::tile::{Kind, Tile};
use wotr::title::TITLE;
use wotr::{EDITIONS, position as positions};

/// A position begins between two actions; sometimes before another phase.
const PHASES: [&str; 4] = ["fellowship", "allocation", "recovery", "victory-check"];

pub fn begin(position: &Position) -> Result<Table, Unplayable> {
    let lines: Vec<(&str, &str)> = position.lines.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let (game, faces) = positions::begin(&position.setup, &lines)?;
    Ok(Table { game, faces })
}

pub fn position(chance: &mut Practice) -> Position {
    let mut draft = Draft::new();
    draft.armies(chance);
    let fellowship = draft.characters(chance);
    let mut lines = draft.lines(chance);
    lines.push(("fellowship".to_string(), names(&fellowship)));
    lines.extend(politics(chance));
    lines.extend(company(chance, &fellowship));
    lines.extend(tiles(chance));
    lines.extend(dice(chance));
    lines.extend(EventDeck::ALL.map(|deck| cards(chance, deck)));
    let players = one_of(chance, &[2, 2, 3, 4]);
    let setup = setup(players, options(chance, players));
    let step = if once_in(chance, 3) {
        one_of(chance, &PHASES).to_string()
    } else {
        let seats: Vec<&str> = setup.seats.iter().map(String::as_str).collect();
        format!("{} go", one_of(chance, &seats))
    };
    lines.push(("step".to_string(), step));
    if players > 2 {
        lines.extend(teams(chance));
    }
    Position { setup, lines }
}

/// A game for a number of players with these switches.
pub fn setup(players: usize, options: Vec<(String, String)>) -> Setup {
    let seats = TITLE.seats(players).expect("two to four play").into_iter().map(str::to_string).collect();
    Setup { edition: EDITIONS[0].to_string(), seats, options }
}

/// For three and four players: some of the cards in hand are the second player's, and in some regions the Armies of
/// team mates are one.
fn teams(chance: &mut Practice) -> Vec<(String, String)> {
    let mut hands = String::new();
    for deck in EventDeck::ALL {
        hands.push_str(&format!(" {}", deck.id()));
        (0..24).filter(|_| once_in(chance, 2)).for_each(|position| hands.push_str(&format!(" {position}")));
    }
    let mut mixed = String::new();
    for side in Side::BOTH {
        mixed.push_str(&format!(" {side}"));
        let some = Region::all().iter().filter(|_| once_in(chance, 2));
        some.for_each(|region| mixed.push_str(&format!(" {}", region.id())));
    }
    vec![("second-hands".to_string(), hands), ("mixed".to_string(), mixed)]
}

/// Every second position has the switches of the second edition; the others have a preset, and some single switches.
fn options(chance: &mut Practice, players: usize) -> Vec<(String, String)> {
    if once_in(chance, 2) {
        return Vec::new();
    }
    let mut options = Vec::new();
    let known = SWITCHES.iter().enumerate();
    for (index, switch) in known.filter(|(_, switch)| switches::concerns(switch.name, players)) {
        let set = if index == 0 { once_in(chance, 2) } else { once_in(chance, 8) };
        if set {
            options.push((switch.name.to_string(), one_of(chance, switch.values).to_string()));
        }
    }
    options
}

/// What is in a region.
#[derive(Clone, Copy, Default)]
struct Standing {
    field: Figures,
    /// The garrison of a Stronghold under siege.
    inside: Option<Figures>,
    captured: bool,
}

/// A board that is being filled.
struct Draft {
    stock: Figures,
    standings: Vec<Standing>,
    removed: Vec<Character>,
    aside: Vec<Character>,
}

impl Draft {
    /// All figures in stock, and an empty map.
    fn new() -> Draft {
        let board = Board::set_up(Switches::default(), Seating::Two);
        let fields = Region::all().iter().map(|region| *board.at(Place::Field(*region)));
        let stock = fields.fold(board.reinforcements(), |all, figures| all + figures);
        let standings = vec![Standing::default(); Region::all().len()];
        Draft { stock, standings, removed: Vec::new(), aside: Vec::new() }
    }

    fn standing(&mut self, region: Region) -> &mut Standing {
        &mut self.standings[region.index()]
    }

    /// The side that controls the Settlement of the region; `None` if it has none.
    fn controller(&self, region: Region) -> Option<Side> {
        region.settlement()?;
        let side = region.side()?;
        Some(if self.standings[region.index()].captured { !side } else { side })
    }

    /// Armies in a few regions or in most, so that sometimes no figure is left in the reinforcements.
    fn armies(&mut self, chance: &mut Practice) {
        let one_region_in = one_of(chance, &[1, 2, 3, 6, 12]);
        for region in mixed(chance, Region::all()) {
            if once_in(chance, one_region_in) {
                self.army(chance, region);
            } else if region.settlement().is_some() && once_in(chance, 20) {
                self.standing(region).captured = true;
            }
        }
    }

    fn army(&mut self, chance: &mut Practice, region: Region) {
        let at_home = region.side().filter(|_| !once_in(chance, 3));
        let side = at_home.unwrap_or_else(|| one_of(chance, &Side::BOTH));
        let field = self.force(chance, side, region, 10);
        if field.units(side) == 0 {
            self.stock += field;
            return;
        }
        // A siege: the Army stands before a Stronghold that the other side holds.
        if region.is_stronghold() && once_in(chance, 2) {
            let inside = self.force(chance, !side, region, 5);
            if inside.units(!side) > 0 {
                let captured = region.side() == Some(side);
                *self.standing(region) = Standing { field, inside: Some(inside), captured };
                return;
            }
            self.stock += inside;
        }
        let captured = region.settlement().is_some() && region.side() == Some(!side);
        *self.standing(region) = Standing { field, inside: None, captured };
    }

    /// Up to `most` units of the side, mostly of the Nation of the region, with Leaders and Nazgûl.
    fn force(&mut self, chance: &mut Practice, side: Side, region: Region, most: u32) -> Figures {
        let mut force = Figures::NONE;
        let limit = 1 + below(chance, most);
        for _ in 0..1 + below(chance, limit) {
            let own = region.nation().filter(|nation| nation.side() == side && !once_in(chance, 3));
            let nation = own.unwrap_or_else(|| one_of(chance, Nation::of(side)));
            let figure = if once_in(chance, 4) { Figure::Elite(nation) } else { Figure::Regular(nation) };
            self.take(figure, &mut force);
        }
        for _ in 0..below(chance, 3) {
            match side {
                Side::Free => self.take(Figure::Leader(one_of(chance, Nation::of(side))), &mut force),
                Side::Shadow if once_in(chance, 2) => self.take(Figure::Nazgul, &mut force),
                Side::Shadow => {}
            }
        }
        if side == Side::Free && force.units(side) == 0 {
            self.stock += force;
            return Figures::NONE;
        }
        force
    }

    fn take(&mut self, figure: Figure, force: &mut Figures) {
        if self.stock.count(figure) > 0 {
            self.stock.take(figure, 1);
            force.put(figure, 1);
        }
    }

    /// Puts the figure where it may be: inside if its side is besieged there. `false` if it may not be in the region.
    fn place(&mut self, figure: Figure, region: Region) -> bool {
        let side = figure.side();
        let controller = self.controller(region);
        let standing = self.standing(region);
        // 6.15, 6.17: no Nazgûl or Minion in a Stronghold of the Free Peoples that nobody besieges.
        let shut = side == Side::Shadow && region.is_stronghold() && controller == Some(Side::Free);
        match &mut standing.inside {
            Some(inside) if controller == Some(side) => inside.put(figure, 1),
            None if shut => return false,
            _ => standing.field.put(figure, 1),
        }
        true
    }

    /// Lone Nazgûl, and every Character somewhere. Returns the Companions in the Fellowship.
    fn characters(&mut self, chance: &mut Practice) -> Vec<Character> {
        for _ in 0..one_of(chance, &[0, 0, 1, 4]) {
            let region = one_of(chance, Region::all());
            if self.stock.count(Figure::Nazgul) > 0 && self.place(Figure::Nazgul, region) {
                self.stock.take(Figure::Nazgul, 1);
            }
        }
        let mut fellowship = Vec::new();
        for companion in &Character::of(Side::Free)[..7] {
            match below(chance, 5) {
                0 | 1 => fellowship.push(*companion),
                2 => self.removed.push(*companion),
                _ => self.somewhere(chance, *companion),
            }
        }
        // 6.18, 6.19: Aragorn and Gandalf the White replace others, who are then out of play.
        for (new, old) in
            [(Character::Aragorn, Character::Strider), (Character::GandalfTheWhite, Character::GandalfTheGrey)]
        {
            if self.removed.contains(&old) && once_in(chance, 2) {
                self.somewhere(chance, new)
            } else {
                self.aside.push(new)
            }
        }
        for minion in Character::of(Side::Shadow) {
            match below(chance, 4) {
                0 => self.aside.push(*minion),
                1 => self.removed.push(*minion),
                _ => self.somewhere(chance, *minion),
            }
        }
        fellowship
    }

    /// The Character goes to a random region, often one with a siege; Saruman only to Orthanc.
    fn somewhere(&mut self, chance: &mut Practice, character: Character) {
        let sieges: Vec<Region> =
            Region::all().iter().copied().filter(|region| self.standings[region.index()].inside.is_some()).collect();
        for _ in 0..4 {
            let region = match character {
                Character::Saruman => Region::of_id("orthanc").expect("a region"),
                _ if !sieges.is_empty() && once_in(chance, 3) => one_of(chance, &sieges),
                _ => one_of(chance, Region::all()),
            };
            let lost = character == Character::Saruman && self.controller(region) == Some(Side::Free);
            if !lost && self.place(Figure::Character(character), region) {
                return;
            }
        }
        self.removed.push(character);
    }

    fn lines(mut self, chance: &mut Practice) -> Vec<(String, String)> {
        let mut lines: Vec<(String, String)> = Vec::new();
        for (region, standing) in Region::all().iter().zip(&self.standings) {
            let mut value = String::new();
            let mut word = |word: &str| value.push_str(&format!("{word} "));
            if standing.captured {
                word("captured");
            }
            if standing.inside.is_some() {
                word("besieged");
            }
            word(&bag(&standing.field));
            if let Some(inside) = standing.inside {
                word("inside");
                word(&bag(&inside));
            }
            lines.push((region.id().to_string(), value));
        }
        // The figures left over are casualties or reinforcements of the Free Peoples; those of the Shadow come again.
        let mut casualties = Figures::NONE;
        for (figure, number) in self.stock.side(Side::Free).iter() {
            casualties.put(figure, u8::try_from(below(chance, u32::from(number) + 1)).expect("a few figures"));
        }
        if once_in(chance, 4) {
            casualties = self.stock.side(Side::Free);
        }
        self.stock -= casualties;
        lines.push(("casualties".to_string(), bag(&casualties)));
        lines.push(("removed".to_string(), names(&self.removed)));
        lines.push(("aside".to_string(), names(&self.aside)));
        lines
    }
}

fn names(characters: &[Character]) -> String {
    let names: Vec<&str> = characters.iter().map(|character| character.id()).collect();
    if names.is_empty() { "-".to_string() } else { names.join(" ") }
}

/// The figures as facts name them: `gondor 3r 1e 1l nazgul 2 boromir`.
fn bag(figures: &Figures) -> String {
    let mut words: Vec<String> = Vec::new();
    for nation in Nation::ALL {
        let mut ranks = vec![(Figure::Regular(nation), 'r'), (Figure::Elite(nation), 'e')];
        if nation.side() == Side::Free {
            ranks.push((Figure::Leader(nation), 'l'));
        }
        ranks.retain(|(figure, _)| figures.count(*figure) > 0);
        if !ranks.is_empty() {
            words.push(nation.id().to_string());
        }
        words.extend(ranks.into_iter().map(|(figure, rank)| format!("{}{rank}", figures.count(figure))));
    }
    if figures.nazgul() > 0 {
        words.push(format!("nazgul {}", figures.nazgul()));
    }
    words.extend(figures.characters().map(|character| character.id().to_string()));
    if words.is_empty() { "-".to_string() } else { words.join(" ") }
}

fn politics(chance: &mut Practice) -> Vec<(String, String)> {
    let war = below(chance, 4);
    let nation = |nation: Nation, chance: &mut Practice| {
        let steps = if below(chance, 4) < war { 0 } else { 1 + below(chance, 3) };
        let passive = nation.side() == Side::Free && steps > 0 && once_in(chance, 2);
        format!("{} {steps}{}", nation.id(), if passive { " passive" } else { "" })
    };
    let nations: Vec<String> = Nation::ALL.into_iter().map(|one| nation(one, chance)).collect();
    vec![("politics".to_string(), nations.join(" "))]
}

/// Where the Ring-bearers are, their Corruption, and their Guide.
fn company(chance: &mut Practice, fellowship: &[Character]) -> Vec<(String, String)> {
    let mut lines = vec![("turn".to_string(), format!("{} actions", 1 + below(chance, 20)))];
    let mut line = |key: &str, value: String| lines.push((key.to_string(), value));
    let in_mordor = once_in(chance, 5);
    let revealed = once_in(chance, 3);
    let progress = if in_mordor || revealed { 0 } else { below(chance, 13) };
    line("ring-bearers", one_of(chance, Region::all()).id().to_string());
    line("progress", format!("{progress} {}", if revealed { "revealed" } else { "hidden" }));
    line("corruption", below(chance, 12).to_string());
    line("mordor", if in_mordor { below(chance, 5).to_string() } else { "-".to_string() });
    // 13.20: the Guide is one of the highest Level.
    let highest = fellowship.iter().map(|companion| companion.level()).max();
    let guides: Vec<Character> =
        fellowship.iter().copied().filter(|companion| Some(companion.level()) == highest).collect();
    line("guide", if guides.is_empty() { "gollum".to_string() } else { one_of(chance, &guides).id().to_string() });
    let mut moves = below(chance, 4).to_string();
    for mark in [" declared", " attempted", " moved-last-turn"] {
        if once_in(chance, 4) {
            moves.push_str(mark);
        }
    }
    line("moves", moves);
    lines
}

/// Some standard tiles have been drawn, and some special ones are in play or wait for Mordor.
fn tiles(chance: &mut Practice) -> Vec<(String, String)> {
    let drawn_in = one_of(chance, &[2, 3, 100]);
    let (mut pool, mut waiting, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    for tile in Tile::all() {
        match tile.kind() {
            Kind::Standard if once_in(chance, 40) => removed.push(tile.id()),
            Kind::Standard if once_in(chance, drawn_in) => {}
            Kind::Standard => pool.push(tile.id()),
            _ if once_in(chance, 4) => pool.push(tile.id()),
            _ if once_in(chance, 4) => waiting.push(tile.id()),
            _ => {}
        }
    }
    let line = |key: &str, tiles: Vec<&str>| {
        (key.to_string(), if tiles.is_empty() { "-".to_string() } else { tiles.join(" ") })
    };
    vec![line("hunt-removed", removed), line("hunt-pool", pool), line("hunt-waiting", waiting)]
}

/// A few unused dice of every face, and the Rings.
fn dice(chance: &mut Practice) -> Vec<(String, String)> {
    let faces = |faces: &[&str], chance: &mut Practice| {
        let mut words: Vec<String> = Vec::new();
        for face in faces {
            if once_in(chance, 2) {
                words.push(format!("{face} {}", 1 + below(chance, 2)));
            }
        }
        words.push(format!("spent {} hunt-box {}", below(chance, 4), below(chance, 4)));
        words.join(" ")
    };
    let rings = below(chance, 4);
    vec![
        ("free-dice".to_string(), faces(&["character", "army", "muster", "army-muster", "event", "will"], chance)),
        ("shadow-dice".to_string(), faces(&["character", "army", "muster", "army-muster", "event"], chance)),
        ("rings".to_string(), format!("{rings} {}", 3 - rings)),
        ("marks".to_string(), if once_in(chance, 4) { "hunted" } else { "-" }.to_string()),
    ]
}

/// Up to four cards in the hand, some on the table, and sometimes hardly any left.
fn cards(chance: &mut Practice, deck: EventDeck) -> (String, String) {
    let all: Vec<_> = deck.cards().collect();
    let mut order = mixed(chance, &all);
    let (mut hand, mut table, mut discards) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..below(chance, 5) {
        hand.extend(order.pop());
    }
    let discarded_in = one_of(chance, &[1, 2, 5, 100]);
    for card in order {
        if card.is_table_card() && once_in(chance, 4) {
            table.push(card);
        } else if once_in(chance, discarded_in) {
            discards.push(card);
        }
    }
    let mut words = String::new();
    for (place, cards) in [("hand", hand), ("table", table), ("discards", discards)] {
        if !cards.is_empty() {
            words.push_str(&format!("{place} "));
            cards.iter().for_each(|card| words.push_str(&format!("{} ", card.id())));
        }
    }
    (deck.id().to_string(), if words.is_empty() { "hand".to_string() } else { words })
}
