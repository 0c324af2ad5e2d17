//! The places of a page in words: what stands on each, for readers who do not see the map, and what it touches.

use engine::chart::{Chart, Crossing};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What stands on each place of the chart, in its order, as the public sees it.
pub fn standing(chart: &Chart, view: &Value) -> Vec<String> {
    let told: BTreeMap<&str, String> = match view.get("theatres") {
        Some(theatres) => all(theatres, "regions").map(|region| (id(region), of_region(region))).collect(),
        None => all(&view["regions"], "territories").map(|place| (id(place), of_territory(place))).collect(),
    };
    chart.places.iter().map(|place| told.get(place.name.id()).cloned().unwrap_or_default()).collect()
}

/// The things of all groups of a list.
fn all<'a>(groups: &'a Value, things: &'static str) -> impl Iterator<Item = &'a Value> {
    groups.as_array().into_iter().flatten().flat_map(move |group| group[things].as_array().into_iter().flatten())
}

fn id(place: &Value) -> &str {
    place["id"].as_str().unwrap_or("")
}

/// A territory of Risk: who holds it with how many battalions, and what else is there.
fn of_territory(territory: &Value) -> String {
    let holder = territory["holder"].as_str().unwrap_or("unclaimed");
    let mut parts = vec![match territory["battalions"].as_u64().unwrap_or(0) {
        0 => holder.to_owned(),
        number => format!("{holder}, {}", counted(number, "battalion", "battalions")),
    }];
    parts.extend(territory["leader"].as_bool().filter(|leader| *leader).map(|_| "a Leader".to_owned()));
    parts.extend(territory["stronghold"].as_str().map(|name| format!("the stronghold {name}")));
    parts.extend(territory["site"].as_str().map(|name| format!("the site {name}")));
    parts.extend(territory["port"].as_bool().filter(|port| *port).map(|_| "a port".to_owned()));
    parts.extend(territory["ring"].as_bool().filter(|ring| *ring).map(|_| "the Fellowship".to_owned()));
    parts.join(", ")
}

/// A region of War of the Ring: the forces in it, the besieged first.
fn of_region(region: &Value) -> String {
    let forces = region["figures"].as_array().into_iter().flatten();
    let mut parts: Vec<String> = forces.map(of_force).collect();
    if region["captured"] == true {
        parts.push("captured".to_owned());
    }
    if region["ring_bearers"] == true {
        parts.push("the Fellowship was last seen here".to_owned());
    }
    if parts.is_empty() { "nobody".to_owned() } else { parts.join("; ") }
}

fn of_force(force: &Value) -> String {
    let number = |what: &str| force[what].as_u64().unwrap_or(0);
    let units = [
        ("regulars", "Regular", "Regulars"),
        ("elites", "Elite", "Elites"),
        ("leaders", "Leader", "Leaders"),
        ("nazgul", "Nazgûl", "Nazgûl"),
    ];
    let units = units.into_iter().filter(|(what, ..)| number(what) > 0);
    let mut figures: Vec<String> = units.map(|(what, one, many)| counted(number(what), one, many)).collect();
    let characters = force["characters"].as_array().into_iter().flatten().filter_map(Value::as_str);
    figures.extend(characters.map(str::to_owned));
    let besieged = if force["inside"] == true { ", besieged inside" } else { "" };
    let mixed = if force["mixed"] == true { ", one Army of both players" } else { "" };
    format!("{}{besieged}{mixed}: {}", force["side"].as_str().unwrap_or(""), figures.join(", "))
}

fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The middle of each place, and what it touches: the number of the other place and how the border is crossed.
pub fn neighbours(chart: &Chart) -> Vec<Value> {
    let mut near: Vec<Vec<(u8, &str)>> = vec![Vec::new(); chart.places.len()];
    let crossings = chart.contacts.iter().map(|contact| (contact.ends, crossing(contact.crossing)));
    for ([one, other], how) in crossings.chain(chart.lanes.iter().map(|lane| (lane.ends, "ship"))) {
        near[usize::from(one)].push((other, how));
        near[usize::from(other)].push((one, how));
    }
    let places = chart.places.iter().zip(near);
    places.map(|(place, near)| json!({"at": place.label, "near": near})).collect()
}

fn crossing(crossing: Crossing) -> &'static str {
    match crossing {
        Crossing::Open => "open",
        Crossing::Bridge => "bridge",
        Crossing::River => "river",
        Crossing::Ridge => "ridge",
    }
}
