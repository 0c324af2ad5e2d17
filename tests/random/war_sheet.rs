//! The facts of War of the Ring as a sheet that can be added up. Nothing here looks into the board.

const NATIONS: [&str; 8] = ["dwarves", "elves", "gondor", "north", "rohan", "isengard", "sauron", "southrons"];
/// The Nations of the Free Peoples come first.
const FREE_NATIONS: usize = 5;
const RANKS: [char; 3] = ['r', 'e', 'l'];
const BOXES: [&str; 5] = ["reinforcements", "casualties", "removed", "aside", "fellowship"];
const CHARACTERS: [&str; 12] = [
    "gandalf-the-grey",
    "strider",
    "boromir",
    "legolas",
    "gimli",
    "meriadoc",
    "peregrin",
    "aragorn",
    "gandalf-the-white",
    "saruman",
    "witch-king",
    "mouth-of-sauron",
];

pub struct Sheet<'t> {
    lines: Vec<(&'t str, &'t str)>,
}

/// Figures by kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// By Nation, then by rank.
    figures: [[u32; RANKS.len()]; NATIONS.len()],
    nazgul: u32,
    characters: [u32; CHARACTERS.len()],
}

impl<'t> Sheet<'t> {
    pub fn of(facts: &'t str) -> Sheet<'t> {
        let lines = facts.lines().filter_map(|line| line.split_once(':'));
        Sheet { lines: lines.map(|(key, value)| (key, value.trim_start())).collect() }
    }

    pub fn keys(&self) -> impl Iterator<Item = &'t str> {
        self.lines.iter().map(|(key, _)| *key)
    }

    fn value(&self, key: &str) -> &'t str {
        let found = self.lines.iter().find(|(known, _)| *known == key);
        found.map_or_else(|| panic!("there is a fact `{key}`"), |(_, value)| value)
    }

    /// The regions, between the politics and the boxes.
    fn regions(&self) -> impl Iterator<Item = (&'t str, &'t str)> {
        let lines = self.lines.iter().copied().skip_while(|(key, _)| *key != "andrast");
        lines.take_while(|(key, _)| *key != BOXES[0])
    }

    /// All figures, by kind.
    pub fn figures(&self) -> Count {
        let mut count = Count::default();
        for (_, value) in self.regions() {
            count.add(value);
        }
        for key in BOXES {
            count.add(self.value(key));
        }
        count
    }

    /// The cards of each deck, wherever they are.
    pub fn cards(&self) -> [usize; 4] {
        ["free-character", "free-strategy", "shadow-character", "shadow-strategy"].map(|deck| {
            let places = self.value(deck).split(" shown").next().unwrap();
            let mut words = places.split(' ').skip(1);
            let left: usize = words.next().unwrap().parse().unwrap();
            left + words.filter(|word| word.parse::<u8>().is_ok()).count()
        })
    }

    /// The standard tiles, wherever they are.
    pub fn tiles(&self) -> usize {
        let keys = ["hunt-pool", "hunt-drawn", "hunt-waiting", "hunt-removed", "hunt-tile"];
        keys.iter().flat_map(|key| self.value(key).split(' ')).filter(|word| word.starts_with("std-")).count()
    }

    /// 1.34, 1.33: checks that between actions no force is over its limit, and no Leader is without a unit.
    pub fn armies_keep_their_limits(&self, said: &str) {
        if !self.value("question").ends_with(" action") {
            return;
        }
        for (region, value) in self.regions() {
            let (field, inside) = value.split_once(" inside").unwrap_or((value, ""));
            for (bag, limit) in [(field, 10), (inside, 5)] {
                let mut count = Count::default();
                count.add(bag);
                let (free, shadow) = count.figures.split_at(FREE_NATIONS);
                for nations in [free, shadow] {
                    let units: u32 = nations.iter().map(|[regular, elite, _]| regular + elite).sum();
                    let leaders: u32 = nations.iter().map(|[.., leaders]| leaders).sum();
                    assert!(units <= limit, "after `{said}`: {region}: {value}");
                    assert!(leaders == 0 || units > 0, "after `{said}`: {region}: {value}");
                }
            }
        }
    }
}

impl Count {
    /// Adds the figures that a fact lists.
    fn add(&mut self, value: &str) {
        let mut nation = 0;
        let mut words = value.split(' ');
        while let Some(word) = words.next() {
            let number = |word: &str| word.parse::<u32>().ok();
            if let Some(found) = NATIONS.iter().position(|known| *known == word) {
                nation = found;
            } else if word == "nazgul" {
                self.nazgul += words.next().and_then(number).unwrap();
            } else if let Some(character) = CHARACTERS.iter().position(|known| *known == word) {
                self.characters[character] += 1;
            } else if let Some(rank) = RANKS.iter().position(|rank| word.ends_with(*rank))
                && let Some(figures) = number(&word[..word.len() - 1])
            {
                self.figures[nation][rank] += figures;
            }
        }
    }
}
