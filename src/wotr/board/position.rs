/*! A board from facts, in the words that [`facts`](mod@crate::board::facts) prints: for scenarios, and for asking
"what if".

It starts from the set-up. Each line replaces the fact with its key. Figures come from the reinforcements and go back
there; a Character comes from wherever he is. So every figure still exists exactly once.
*/

use crate::board::Board;
use crate::board::company::{TRACK_END, Visibility};
use crate::board::decks::{Pile, Positions};
use crate::board::dice::InUse;
use crate::board::place::Place;
use crate::board::row::Items;
use crate::card::{Card, DECK_SIZE, EventDeck};
use crate::character::Character;
use crate::die::Face;
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::phase::Phase;
use crate::player::{Player, Seating};
use crate::region::{Region, Regions};
use crate::side::Side;
use crate::switches::Switches;
use crate::tile::{Tile, Tiles};
use engine::title::Unplayable;

type Read<T> = Result<T, Unplayable>;

fn wrong<T>(what: impl Into<String>) -> Read<T> {
    Err(Unplayable(what.into()))
}

/// The words of a value, read one after another.
struct Words<'a> {
    key: &'a str,
    words: std::iter::Peekable<std::str::SplitAsciiWhitespace<'a>>,
}

impl<'a> Words<'a> {
    fn new(key: &'a str, value: &'a str) -> Words<'a> {
        Words { key, words: value.split_ascii_whitespace().peekable() }
    }

    fn next(&mut self) -> Option<&'a str> {
        self.words.next().filter(|word| *word != "-")
    }

    /// Reads the word if it comes next.
    fn maybe(&mut self, word: &str) -> bool {
        self.words.next_if(|next| *next == word).is_some()
    }

    fn number(&mut self) -> Read<u8> {
        let word = self.words.next().unwrap_or("");
        word.parse().or_else(|_| wrong(format!("`{}`: a number, not `{word}`", self.key)))
    }

    fn number_if_any(&mut self) -> Option<u8> {
        self.words.next_if(|next| next.parse::<u8>().is_ok())?.parse().ok()
    }

    fn card_of(&mut self, deck: EventDeck) -> Option<u8> {
        let card = self.words.peek().and_then(|word| Card::of_id(word)).filter(|card| card.deck() == deck)?;
        self.words.next();
        Some(card.position())
    }

    fn name<T>(&mut self, what: &str, of_id: impl Fn(&str) -> Option<T>) -> Read<T> {
        let word = self.words.next().unwrap_or("");
        of_id(word).map_or_else(|| wrong(format!("`{}`: `{word}` is no {what}", self.key)), Ok)
    }

    /// A bag of figures, up to the word `inside` or `army`, or the end.
    fn bag(&mut self) -> Read<Figures> {
        let mut bag = Figures::NONE;
        while let Some(word) = self.words.next_if(|next| !["inside", "army"].contains(next)) {
            if word == "nazgul" {
                bag.put(Figure::Nazgul, self.number()?);
            } else if let Some(character) = Character::of_id(word) {
                bag.put(Figure::Character(character), 1);
            } else if let Some(nation) = Nation::of_id(word) {
                while let Some((number, rank)) = self.words.peek().and_then(|next| ranked(next)) {
                    bag.put(
                        of_rank(nation, rank).map_or_else(|| wrong(format!("`{}`: {word}", self.key)), Ok)?,
                        number,
                    );
                    self.words.next();
                }
            } else if word != "-" {
                return wrong(format!("`{}`: `{word}` is no figure", self.key));
            }
        }
        Ok(bag)
    }
}

/// The number and the letter of a word such as `3r`.
fn ranked(word: &str) -> Option<(u8, char)> {
    let rank = word.chars().last().filter(|rank| "rel".contains(*rank))?;
    Some((word[..word.len() - 1].parse().ok()?, rank))
}

fn of_rank(nation: Nation, rank: char) -> Option<Figure> {
    match rank {
        'r' => Some(Figure::Regular(nation)),
        'e' => Some(Figure::Elite(nation)),
        _ => (nation.side() == Side::Free).then_some(Figure::Leader(nation)),
    }
}

impl Board {
    /// The board with these facts, and the lines whose key is not a fact of the board.
    pub fn of_facts<'a>(
        switches: Switches,
        seating: Seating,
        lines: &[(&'a str, &'a str)],
    ) -> Read<(Board, Vec<(&'a str, &'a str)>)> {
        let mut board = Board::set_up(switches, seating);
        let mut bags: Vec<(Place, Figures)> = Vec::new();
        let mut others: Vec<(&str, &str)> = Vec::new();
        for (key, value) in lines {
            let mut words = Words::new(key, value);
            if let Some(region) = Region::of_id(key) {
                board.read_region(region, &mut words, &mut bags)?;
            } else if let Some(place) = box_of(key) {
                bags.push((place, words.bag()?));
            } else if !board.read_fact(key, &mut words)? {
                others.push((key, value));
            }
        }
        board.fill(&bags)?;
        board.settle_teams(lines);
        // 13.20: the Guide is in the Fellowship, even if no line names him.
        if board.company.guide.is_none_or(|guide| !board.fellowship.has(guide)) {
            board.company.guide = board.guides().next();
        }
        Ok((board, others))
    }

    fn read_region(&mut self, region: Region, words: &mut Words<'_>, bags: &mut Vec<(Place, Figures)>) -> Read<()> {
        let captured = words.maybe("captured");
        if captured && region.settlement().is_none() {
            return wrong(format!("`{}` has no Settlement that could be captured", region.id()));
        }
        self.captured.set(region, captured);
        let besieged = words.maybe("besieged");
        if besieged && !region.is_stronghold() {
            return wrong(format!("`{}` has no Stronghold that could be besieged", region.id()));
        }
        self.besieged.set(region, besieged);
        bags.push((Place::Field(region), words.bag()?));
        if words.maybe("inside") {
            bags.push((Place::Inside(region), words.bag()?));
        }
        Ok(())
    }

    /// Empties every bag that a line names, then fills them from the figures they held and the reinforcements. The
    /// figures left over become the reinforcements; if a line names the reinforcements too, the figures left over are
    /// out of the game.
    fn fill(&mut self, bags: &[(Place, Figures)]) -> Read<()> {
        let mut reserve = std::mem::take(&mut self.reinforcements);
        for (place, _) in bags {
            reserve += std::mem::take(self.bag(*place));
        }
        let reinforced = bags.iter().find(|(place, _)| *place == Place::Reinforcements);
        let others = bags.iter().filter(|(place, _)| *place != Place::Reinforcements);
        for (place, figures) in others.chain(reinforced) {
            let there = reserve;
            for character in figures.characters().filter(|character| !there.has(*character)) {
                let figure = Figures::one(Figure::Character(character));
                let old = self.bags_mut().into_iter().find(|bag| bag.has(character));
                *old.expect("every Character is somewhere") -= figure;
                reserve += figure;
            }
            if !reserve.contains(figures) {
                return wrong(format!("`{place}`: there are not enough figures left for this"));
            }
            reserve -= *figures;
            *self.bag(*place) += *figures;
        }
        // A Character from one of these bags whom no line names is out of the game.
        let gone = if reinforced.is_some() { reserve } else { reserve.only_characters() };
        self.removed += gone;
        self.reinforcements += reserve - gone;
        self.count_again();
        Ok(())
    }

    fn bags_mut(&mut self) -> Vec<&mut Figures> {
        let boxes = [&mut self.casualties, &mut self.removed, &mut self.aside, &mut self.fellowship];
        self.field.iter_mut().chain(&mut self.inside).chain(boxes).collect()
    }

    /// Updates the tables that depend on where the figures are.
    fn count_again(&mut self) {
        let places: Vec<Place> = Region::all()
            .iter()
            .flat_map(|region| {
                let inside = region.is_stronghold().then_some(Place::Inside(*region));
                [Some(Place::Field(*region)), inside].into_iter().flatten()
            })
            .chain([Place::Removed, Place::Aside, Place::Fellowship])
            .collect();
        for place in places {
            self.count_armies(place);
            for character in self.at(place).characters() {
                self.whereabouts[character.index()] = place;
            }
        }
    }

    /// Reads a fact that is not a bag of figures; `false` if there is no such fact.
    fn read_fact(&mut self, key: &str, words: &mut Words<'_>) -> Read<bool> {
        match key {
            "turn" => {
                self.turn = u16::from(words.number()?);
                self.phase = words.name("phase", |id| Phase::ALL.into_iter().find(|phase| phase.id() == id))?;
            }
            // The charter sets the switches.
            "switches" => {}
            "politics" => self.read_politics(words)?,
            "free-dice" => self.read_dice(Side::Free, words)?,
            "shadow-dice" => self.read_dice(Side::Shadow, words)?,
            "die-in-use" => self.read_in_use(words)?,
            "marks" => self.read_marks(words)?,
            "rings" => self.rings.held = [words.number()?, words.number()?],
            _ => {
                return Ok(self.read_teams(key, words)?
                    || self.read_fellowship(key, words)?
                    || self.read_hunt(key, words)?
                    || self.read_deck(key, words)?);
            }
        }
        Ok(true)
    }

    /// Reads the facts of tables with three or four players (17).
    fn read_teams(&mut self, key: &str, words: &mut Words<'_>) -> Read<bool> {
        match key {
            "next" => {
                for side in Side::BOTH {
                    let player = words.name("player of the side", |id| self.player_of_side(side, id))?;
                    self.teams.next[side.index()] = u8::try_from(player.place()).expect("0 or 1");
                }
            }
            "mixed" => {
                self.teams.mixed = [Regions::NONE; 2];
                let mut side = Side::Free;
                while let Some(word) = words.next() {
                    match (Side::of_id(word), Region::of_id(word)) {
                        (Some(named), _) => side = named,
                        (None, Some(region)) => self.teams.mixed[side.index()].insert(region),
                        (None, None) => return wrong(format!("`mixed`: `{word}` is no side and no region")),
                    }
                }
            }
            "second-captures" => {
                while let Some(word) = words.next() {
                    let region = Region::of_id(word).map_or_else(|| wrong(format!("`{word}` is no region")), Ok)?;
                    self.teams.credit.insert(region);
                }
            }
            "second-hands" => self.read_second_hands(words)?,
            "team-marks" => {
                while let Some(mark) = words.next() {
                    match mark {
                        "second-free-ring-used" => self.teams.second_ring[0] = true,
                        "second-shadow-ring-used" => self.teams.second_ring[1] = true,
                        "proposed" => self.teams.proposed = true,
                        _ => return wrong(format!("`team-marks`: `{mark}` is none")),
                    }
                }
            }
            "row" => self.read_row(words)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn player_of_side(&self, side: Side, id: &str) -> Option<Player> {
        Player::of_id(id).filter(|player| self.seating().team(side).contains(player))
    }

    /// 17.9: the cards of the second players, by deck.
    fn read_second_hands(&mut self, words: &mut Words<'_>) -> Read<()> {
        let mut deck = None;
        while words.words.peek().is_some() {
            if let Some(position) = words.number_if_any() {
                let Some(deck) = deck else { return wrong("`second-hands`: name the deck first") };
                self.second_hand(deck, position);
                continue;
            }
            let word = words.next().unwrap_or_default();
            match (EventDeck::ALL.into_iter().find(|deck| deck.id() == word), Card::of_id(word)) {
                (Some(named), _) => deck = Some(named),
                (None, Some(card)) => self.second_hand(card.deck(), card.position()),
                (None, None) if word.is_empty() => {}
                (None, None) => return wrong(format!("`second-hands`: `{word}` is no deck and no card")),
            }
        }
        Ok(())
    }

    fn second_hand(&mut self, deck: EventDeck, position: u8) {
        self.decks.piles[deck.index()].second.0 |= 1 << (position % DECK_SIZE);
    }

    /// `last gondor army field minas-tirith gondor 3r`: the items of the last action (17.40).
    fn read_row(&mut self, words: &mut Words<'_>) -> Read<()> {
        let mut items = Items::NONE;
        let _ = words.maybe("last");
        while words.words.peek().is_some() {
            if words.maybe("army") {
                let place = words.name("place", |word| match word.strip_suffix("/inside") {
                    Some(region) => Region::of_id(region).map(Place::Inside),
                    None => Region::of_id(word).map(Place::Field),
                })?;
                let figures = words.bag()?;
                items.set_army(place, &figures);
            } else if let Some(nation) = words.next() {
                let nation = Nation::of_id(nation).map_or_else(|| wrong(format!("`{nation}` is no Nation")), Ok)?;
                items.add_nation(nation);
            }
        }
        self.teams.row.last = items;
        Ok(())
    }

    /// Fills in what the lines leave open: who has the next go, and that a garrison counts as attacked and so is one
    /// Army (17.32).
    fn settle_teams(&mut self, lines: &[(&str, &str)]) {
        let is_said = |wanted: &str| lines.iter().any(|(key, _)| *key == wanted);
        if !is_said("next") {
            self.begin_goes();
        }
        for region in self.besieged.iter().filter(|_| !is_said("mixed")) {
            if let Some(side) = self.controller(region) {
                self.join(side, region);
            }
        }
        for side in Side::BOTH {
            let of_both = |region: &Region| self.is_of_both(side, self.at(self.entry(side, *region)));
            self.teams.mixed[side.index()] = self.mixed(side).iter().filter(of_both).collect();
        }
        for pile in &mut self.decks.piles {
            let held = pile.hand.0 | pile.laid.0;
            pile.second.0 &= held;
            // The facts do not say who has seen the discarded cards.
            pile.seen = [Positions(held & !pile.second.0), pile.second];
        }
    }

    fn read_politics(&mut self, words: &mut Words<'_>) -> Read<()> {
        while words.words.peek().is_some() {
            let nation = words.name("Nation", Nation::of_id)?;
            self.politics.steps[nation.index()] = words.number()?;
            self.politics.active[nation.index()] = !words.maybe("passive");
        }
        Ok(())
    }

    fn read_dice(&mut self, side: Side, words: &mut Words<'_>) -> Read<()> {
        self.dice.unused[side.index()] = [0; 7];
        self.dice.spent[side.index()] = 0;
        self.dice.hunt_box[side.index()] = 0;
        while words.words.peek().is_some() {
            if words.maybe("spent") {
                self.dice.spent[side.index()] = words.number()?;
            } else if words.maybe("hunt-box") {
                self.dice.hunt_box[side.index()] = words.number()?;
            } else {
                let face = words.name("face of a die", Face::of_id)?;
                self.dice.unused[side.index()][face.index()] = words.number()?;
            }
        }
        Ok(())
    }

    fn read_in_use(&mut self, words: &mut Words<'_>) -> Read<()> {
        self.dice.in_use = match words.next() {
            None => None,
            Some(side) => {
                let side = Side::of_id(side).map_or_else(|| wrong(format!("`{side}` is no side")), Ok)?;
                let face = words.name("face of a die", Face::of_id)?;
                let result = words.name("face of a die", Face::of_id)?;
                Some(InUse { side, face, result })
            }
        };
        Ok(())
    }

    fn read_marks(&mut self, words: &mut Words<'_>) -> Read<()> {
        while let Some(mark) = words.next() {
            match mark {
                "hunted" => self.dice.hunted = true,
                "messenger-used" => self.dice.messenger = true,
                "free-ring-used" => self.rings.used[0] = true,
                "shadow-ring-used" => self.rings.used[1] = true,
                _ => return wrong(format!("`marks`: `{mark}` is none")),
            }
        }
        Ok(())
    }

    fn read_fellowship(&mut self, key: &str, words: &mut Words<'_>) -> Read<bool> {
        let company = &mut self.company;
        match key {
            "ring-bearers" => company.region = words.name("region", Region::of_id)?,
            "progress" => {
                company.progress = words.number()?.min(TRACK_END);
                let revealed = words.maybe("revealed");
                company.visibility = if revealed { Visibility::Revealed } else { Visibility::Hidden };
            }
            "corruption" => company.corruption = words.number()?,
            "guide" => company.guide = words.next().and_then(Character::of_id),
            "mordor" => company.mordor = words.next().and_then(|step| step.parse().ok()),
            "moves" => {
                company.moves = words.number()?;
                company.declared = words.maybe("declared");
                company.attempted = words.maybe("attempted");
                company.moved_last_turn = words.maybe("moved-last-turn");
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Standard tiles that are not in the pool count as drawn; special tiles that no line names count as set aside.
    fn read_hunt(&mut self, key: &str, words: &mut Words<'_>) -> Read<bool> {
        if !["hunt-pool", "hunt-drawn", "hunt-waiting", "hunt-removed"].contains(&key) {
            return Ok(false);
        }
        let mut tiles = Tiles::NONE;
        while let Some(word) = words.next() {
            tiles.insert(Tile::of_id(word).map_or_else(|| wrong(format!("`{word}` is no tile")), Ok)?);
        }
        let pool = &mut self.pool;
        match key {
            "hunt-pool" => {
                pool.pool = tiles;
                pool.drawn = Tiles::STANDARD.without(tiles).without(pool.removed);
            }
            "hunt-drawn" => pool.drawn = tiles,
            "hunt-waiting" => pool.waiting = tiles,
            _ => {
                pool.removed = tiles;
                pool.drawn = pool.drawn.without(tiles);
                pool.pool = pool.pool.without(tiles);
            }
        }
        let placed = pool.pool.or(pool.drawn).or(pool.waiting).or(pool.removed);
        pool.aside = Tiles::SPECIAL.without(placed);
        Ok(true)
    }

    fn read_deck(&mut self, key: &str, words: &mut Words<'_>) -> Read<bool> {
        let Some(deck) = EventDeck::ALL.into_iter().find(|deck| deck.id() == key) else { return Ok(false) };
        let mut pile = Pile { second: self.decks.piles[deck.index()].second, ..Pile::FULL };
        let mut left = None;
        while let Some(word) = words.next() {
            let set = match word {
                "left" => {
                    left = Some(words.number()?);
                    continue;
                }
                "hand" => &mut pile.hand,
                "laid" => &mut pile.laid,
                "table" => &mut pile.table,
                "discards" => &mut pile.discards,
                "shown" => {
                    while let Some(position) = words.number_if_any() {
                        let card = words.name("card", Card::of_id)?;
                        pile.faces[usize::from(position % DECK_SIZE)] = Some(card);
                    }
                    continue;
                }
                _ => return wrong(format!("`{key}`: `{word}` is no place for cards")),
            };
            // A card is named by its position, or by its id: then it lies at the position of its printed number.
            let mut named = Positions::NONE;
            while let Some(position) = words.number_if_any().or_else(|| {
                let position = words.card_of(deck)?;
                named.0 |= 1 << position;
                Some(position)
            }) {
                set.0 |= 1 << (position % DECK_SIZE);
            }
            // 5.17: a card on the table is face up.
            for position in named.iter().filter(|_| word == "table") {
                pile.faces[usize::from(position)] = deck.cards().nth(usize::from(position));
            }
        }
        let taken = pile.hand.0 | pile.laid.0 | pile.table.0 | pile.discards.0;
        pile.left = Positions(Positions::ALL.0 & !taken);
        // If `left` gives a smaller number, the excess is discarded, from the last position down.
        let excess = left.map_or(0, |left| pile.left.len().saturating_sub(left));
        for position in (0..DECK_SIZE).rev().filter(|place| taken & (1 << place) == 0).take(usize::from(excess)) {
            pile.left.0 &= !(1 << position);
            pile.discards.0 |= 1 << position;
        }
        self.decks.piles[deck.index()] = pile;
        Ok(true)
    }
}

fn box_of(key: &str) -> Option<Place> {
    match key {
        "reinforcements" => Some(Place::Reinforcements),
        "casualties" => Some(Place::Casualties),
        "removed" => Some(Place::Removed),
        "aside" => Some(Place::Aside),
        "fellowship" => Some(Place::Fellowship),
        _ => None,
    }
}
