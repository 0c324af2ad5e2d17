//! The facts as a sheet that can be added up.

use super::host::Host;
use std::collections::BTreeMap;

const NATIONS: [&str; 8] = ["dwarves", "elves", "gondor", "north", "rohan", "isengard", "sauron", "southrons"];
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

pub struct Sheet {
    lines: Vec<(String, String)>,
}

impl Sheet {
    pub fn of(host: &Host) -> Sheet {
        let text = host.facts();
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        Sheet { lines: lines.map(|(key, value)| (key.to_string(), value.trim().to_string())).collect() }
    }

    pub fn keys(&self) -> Vec<&str> {
        self.lines.iter().map(|(key, _)| key.as_str()).collect()
    }

    fn value(&self, key: &str) -> &str {
        let found = self.lines.iter().find(|(known, _)| known == key);
        found.map_or_else(|| panic!("there is a fact `{key}`"), |(_, value)| value.as_str())
    }

    /// The regions, which stand between the politics and the boxes.
    fn regions(&self) -> impl Iterator<Item = &(String, String)> {
        let lines = self.lines.iter().skip_while(|(key, _)| key != "andrast");
        lines.take_while(|(key, _)| key != BOXES[0])
    }

    /// All figures, by kind.
    pub fn figures(&self) -> BTreeMap<String, u32> {
        let mut figures = BTreeMap::new();
        for (_, value) in self.regions() {
            count(value, &mut figures);
        }
        for key in BOXES {
            count(self.value(key), &mut figures);
        }
        figures
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

    /// 1.34, 1.33: between actions no force is over its limit, and no Leader stands without a unit.
    pub fn armies_keep_their_limits(&self, said: &str) {
        if !self.value("question").ends_with(" action") {
            return;
        }
        for (region, value) in self.regions() {
            let (field, inside) = value.split_once(" inside").unwrap_or((value, ""));
            for (bag, limit) in [(field, 10), (inside, 5)] {
                for (nations, leaders) in [(&NATIONS[..5], true), (&NATIONS[5..], false)] {
                    let mut figures = BTreeMap::new();
                    count(bag, &mut figures);
                    let of = |rank: &str| -> u32 {
                        nations.iter().filter_map(|nation| figures.get(&format!("{nation} {rank}"))).sum()
                    };
                    let units = of("r") + of("e");
                    assert!(units <= limit, "after `{said}`: {region}: {value}");
                    assert!(!leaders || of("l") == 0 || units > 0, "after `{said}`: {region}: {value}");
                }
            }
        }
    }
}

fn count(value: &str, figures: &mut BTreeMap<String, u32>) {
    let mut nation = "";
    let mut words = value.split(' ').peekable();
    while let Some(word) = words.next() {
        if NATIONS.contains(&word) {
            nation = word;
        } else if word == "nazgul" {
            *figures.entry(word.to_string()).or_default() += words.next().unwrap().parse::<u32>().unwrap();
        } else if CHARACTERS.contains(&word) {
            *figures.entry(word.to_string()).or_default() += 1;
        } else if let Some(rank) = word.chars().last().filter(|rank| "rel".contains(*rank))
            && let Ok(number) = word[..word.len() - 1].parse::<u32>()
        {
            *figures.entry(format!("{nation} {rank}")).or_default() += number;
        }
    }
}
