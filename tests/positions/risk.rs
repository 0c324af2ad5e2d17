//! Random positions of Risk: any division of the board, cards in hand and on the table, effects, and every variant.

use super::{Position, below, mixed, once_in, one_of};
use engine::chance::Practice;
use engine::name::Named;
use engine::practice::Table;
use engine::title::{Setup, Unplayable};
use risk::card::{Face, Mission, Power};
use risk::switches::SWITCHES;
use risk::territory::{Bridge, TERRITORIES, Territory};
use risk::{EDITION, position as positions};

const STEPS: [&str; 8] = ["reinforce", "combat", "combat", "combat", "fortify", "collect", "collect", "fellowship"];

pub fn begin(position: &Position) -> Result<Table, Unplayable> {
    let lines: Vec<(&str, &str)> = position.lines.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let (game, faces) = positions::begin(&position.setup, &lines)?;
    Ok(Table { game, faces })
}

pub fn position(chance: &mut Practice) -> Position {
    let (setup, standard) = charter(chance);
    let seats: Vec<&str> = setup.seats.iter().map(String::as_str).collect();
    let active = one_of(chance, &seats);
    let mut lines = territories(chance, &seats, active);
    let mut line = |key: &str, value: String| lines.push((key.to_string(), value));
    line("turn", format!("{} {active}", 1 + below(chance, 9)));
    line("fellowship", (1 + below(chance, 18)).to_string());
    if once_in(chance, 2) {
        line("conquered", if once_in(chance, 2) { "territory site" } else { "territory" }.to_string());
    }
    if once_in(chance, 6) {
        line("extra-cards", (1 + below(chance, 2)).to_string());
    }
    line("fortifications", one_of(chance, &["1", "1", "1", "2"]).to_string());
    line("effects", effects(chance, &seats));
    if !standard {
        let mut powers: Vec<Face> = Power::ALL.into_iter().map(Face::Power).collect();
        let missions = Mission::ALL.into_iter().filter(|mission| *mission != Mission::MountGundabad);
        powers.extend(missions.map(Face::Mission));
        let cards = mixed(chance, &powers);
        adventure_cards(chance, &seats, &cards, &mut lines);
    }
    let territories: Vec<Face> = Territory::ALL.into_iter().map(Face::Territory).collect();
    let cards = mixed(chance, &territories);
    territory_cards(chance, &seats, &cards, &mut lines);
    lines.push(("step".to_string(), one_of(chance, &STEPS).to_string()));
    Position { setup, lines }
}

/// The players, and the switches that differ from their defaults.
fn charter(chance: &mut Practice) -> (Setup, bool) {
    let variant = one_of(chance, &["individual", "individual", "individual", "alliance", "team", "standard"]);
    let players = match variant {
        "alliance" | "team" => 4,
        _ => one_of(chance, &[2, 3, 4]),
    };
    let mut options = vec![("variant".to_string(), variant.to_string())];
    for switch in &SWITCHES[1..] {
        let allies = switch.name == "attack_allies" && !matches!(variant, "alliance" | "team");
        if !allies && once_in(chance, 5) {
            options.push((switch.name.to_string(), one_of(chance, switch.values).to_string()));
        }
    }
    let seats =
        risk::title::TITLE.seats(players).expect("two to four players").into_iter().map(str::to_string).collect();
    (Setup { edition: EDITION.to_string(), seats, options }, variant == "standard")
}

/// The board is divided at random; sometimes one player holds nearly all of it, and another nothing.
fn territories(chance: &mut Practice, seats: &[&str], active: &str) -> Vec<(String, String)> {
    let mut holders: Vec<&str> = seats.to_vec();
    if once_in(chance, 2) {
        holders.push("neutral");
    }
    if once_in(chance, 3) {
        holders.extend(vec![one_of(chance, seats); 1 + below(chance, 9) as usize]);
    }
    if once_in(chance, 6) {
        let gone = one_of(chance, seats);
        holders.retain(|holder| *holder != gone || gone == active);
    }
    let large = one_of(chance, &[1, 2, 4, 9]);
    let own = below(chance, TERRITORIES as u32) as usize;
    let mut leaders: Vec<&str> = Vec::new();
    let mut lines: Vec<(String, String)> = Vec::new();
    let order = mixed(chance, &Territory::ALL);
    for (place, territory) in order.into_iter().enumerate() {
        let holder = if place == own { active } else { one_of(chance, &holders) };
        let most = if once_in(chance, 10) { 40 } else { large };
        let mut value = format!("{holder} {}", 1 + below(chance, most));
        let led = leaders.iter().filter(|led| **led == holder).count();
        if holder != "neutral" && led < 2 && once_in(chance, 6) {
            leaders.push(holder);
            value.push_str(" leader");
        }
        lines.push((territory.name().id().to_string(), value));
    }
    lines
}

fn effects(chance: &mut Practice, seats: &[&str]) -> String {
    let mut effects: Vec<String> = Vec::new();
    if once_in(chance, 5) {
        effects.push(format!("corsairs-of-umbar until {}", one_of(chance, seats)));
    }
    if once_in(chance, 5) {
        let bridge = one_of(chance, &Bridge::ALL);
        effects.push(format!("bridge-blocked {} until {}", bridge.name().id(), one_of(chance, seats)));
    }
    if once_in(chance, 5) {
        let drawn = mixed(chance, &Territory::ALL);
        let names: Vec<&str> = drawn[..1 + below(chance, 3) as usize].iter().map(|one| one.name().id()).collect();
        effects.push(format!("winter-storms {} until {}", names.join(" "), one_of(chance, seats)));
    }
    effects.join(", ")
}

/// Up to four cards in each hand, and some in front of each player.
fn adventure_cards(chance: &mut Practice, seats: &[&str], cards: &[Face], lines: &mut Vec<(String, String)>) {
    let mut cards = cards.iter().copied();
    for seat in seats {
        let hand: Vec<Face> = cards.by_ref().take(below(chance, 5) as usize).collect();
        lines.push((format!("{seat}-adventure-cards"), ids(&hand)));
        let shown: Vec<Face> = cards.by_ref().take(below(chance, 3) as usize).collect();
        let (missions, powers): (Vec<Face>, Vec<Face>) =
            shown.into_iter().partition(|face| matches!(face, Face::Mission(_)));
        lines.push((format!("{seat}-missions"), ids(&missions)));
        lines.push((format!("{seat}-powers"), ids(&powers)));
    }
    let discarded = below(chance, 20) as usize;
    lines.push(("adventure-discards".to_string(), ids(&cards.take(discarded).collect::<Vec<_>>())));
}

/// Up to five cards in each hand, sometimes one set aside, and sometimes hardly any left in the deck.
fn territory_cards(chance: &mut Practice, seats: &[&str], cards: &[Face], lines: &mut Vec<(String, String)>) {
    let mut cards = cards.iter().copied();
    for seat in seats {
        let hand: Vec<Face> = cards.by_ref().take(below(chance, 6) as usize).collect();
        lines.push((format!("{seat}-territory-cards"), ids(&hand)));
        if once_in(chance, 10) {
            lines.push((format!("{seat}-uprising"), ids(&cards.by_ref().take(1).collect::<Vec<_>>())));
        }
    }
    if once_in(chance, 3) {
        let discarded = below(chance, 30) as usize;
        lines.push(("territory-discards".to_string(), ids(&cards.by_ref().take(discarded).collect::<Vec<_>>())));
    }
    if once_in(chance, 5) {
        let left = below(chance, 4) as usize;
        lines.push(("territory-deck".to_string(), ids(&cards.take(left).collect::<Vec<_>>())));
    }
}

fn ids(faces: &[Face]) -> String {
    let ids: Vec<&str> = faces.iter().map(|face| face.id()).collect();
    ids.join(", ")
}
