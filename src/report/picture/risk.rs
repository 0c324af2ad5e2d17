/*! *Risk: The Lord of the Rings* on the map: who holds each territory with how many battalions, Leaders, strongholds,
Sites of Power, ports, the Ring and its way.

Each colour has a shape of its own, so that a print in grey tells them apart.
*/

use crate::picture::lettering::{Face, Style};
use crate::picture::marks::{INK, arrow, field, renewed, ring, shape, star, words};
use crate::picture::pen::Pen;
use crate::picture::plane::{Box2, Point};
use crate::picture::scene::{Panel, Piece, Row, Scene, attack};
use engine::chart::Chart;
use serde_json::Value;
use std::collections::BTreeMap;

/// The size of the names.
pub const LETTER: f64 = 13.0;

/// A holder as he is drawn: his land, his disc, the numbers on it.
const HOLDERS: [(&str, &str, &str, &str); 5] = [
    ("yellow", "#f4e3a1", "#f0bf1a", "#2c241b"),
    ("green", "#bcd9b0", "#2c7a3d", "#ffffff"),
    ("red", "#eebcae", "#b3261e", "#ffffff"),
    ("black", "#c6c2bd", "#26231f", "#ffffff"),
    ("neutral", "#f4ecd8", "#fbf7ec", "#2c241b"),
];
const UNCLAIMED: &str = "#f4ecd8";

/// The words for the regions beside the names of their territories.
const REGIONS: [(&str, &str); 9] = [
    ("arnor", "A"),
    ("gondor", "G"),
    ("rhovanion", "Rv"),
    ("rohan", "Ro"),
    ("eriador", "E"),
    ("mordor", "Mo"),
    ("haradwaith", "H"),
    ("mirkwood", "Mi"),
    ("rhun", "Rh"),
];
const TAG: &str = "#6d5b40";

pub fn scene(chart: &Chart, view: &Value, before: Option<&Value>) -> Scene {
    let (now, was) = (territories(view), before.map(territories));
    let mut scene = Scene { letter: LETTER, ..Scene::default() };
    let mut steps: Vec<(u64, usize)> = Vec::new();
    for (number, place) in chart.places.iter().enumerate() {
        let id = place.name.id();
        let (region, territory) = now[id];
        let holder = HOLDERS.iter().find(|(word, ..)| territory["holder"] == *word);
        scene.grounds.push(holder.map_or(UNCLAIMED, |(_, land, ..)| land));
        scene.groups.push(region);
        let known = REGIONS.iter().find(|(id, _)| view["regions"][region]["id"] == *id);
        scene.tags.push(known.map(|(_, word)| (*word, TAG)));
        let old = was.as_ref().map(|was| was[id].1);
        let is_new = |keys: &[&str]| old.is_some_and(|old| keys.iter().any(|key| old[*key] != territory[*key]));
        let mark = |piece: Piece, new: bool| if new { renewed(piece) } else { piece };
        scene.heads.push(disc(territory).map(|disc| mark(disc, is_new(&["holder", "battalions"]))));
        let mut row: Row = Vec::new();
        if territory["leader"] == true {
            row.push(mark(leader(), is_new(&["leader", "holder"])));
        }
        if territory["stronghold"].is_string() {
            row.push(stronghold());
        }
        if territory["site"].is_string() {
            row.push(site());
        }
        if territory["port"] == true {
            row.push(port());
        }
        let mut rows: Vec<Row> = Vec::new();
        if territory["ring"] == true {
            rows.push(vec![mark(the_ring(), is_new(&["ring"]))]);
        }
        if !row.is_empty() {
            rows.push(row);
        }
        scene.stands.push(rows);
        steps.extend(territory["step"].as_u64().map(|step| (step, number)));
    }
    steps.sort_unstable();
    if view["fellowship"].is_object() {
        scene.way = steps.into_iter().map(|(_, place)| place).collect();
    }
    scene.attack = attack(chart, view);
    scene.panel = panel(view, &scene, before.is_some());
    scene
}

/// The territories of the view by id, each with the number of its region.
fn territories(view: &Value) -> BTreeMap<&str, (usize, &Value)> {
    let regions = view["regions"].as_array().into_iter().flatten().enumerate();
    let places = regions.flat_map(|(number, region)| {
        region["territories"].as_array().into_iter().flatten().map(move |territory| (number, territory))
    });
    places.filter_map(|(number, territory)| Some((territory["id"].as_str()?, (number, territory)))).collect()
}

/// The battalions of a territory on the shape of their colour.
fn disc(territory: &Value) -> Option<Piece> {
    let holder = territory["holder"].as_str()?;
    Some(counted(holder, &territory["battalions"].as_u64().unwrap_or(0).to_string()))
}

fn counted(holder: &str, text: &str) -> Piece {
    let known = HOLDERS.iter().find(|(word, ..)| *word == holder);
    let (_, _, fill, ink) = *known.unwrap_or(&HOLDERS[4]);
    let letters = Style::new(Face::Bold, if text.len() > 2 { 12.0 } else { 14.5 });
    let (side, middle) = (24.0, Point::new(12.0, 12.0));
    let mut pen = Pen::new();
    let attributes = format!("fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.4\" stroke-linejoin=\"round\"");
    match holder {
        "yellow" => pen.circle(middle, 11.0, &attributes),
        "green" => pen.path(
            &shape(&[(6.4, 1.6), (17.6, 1.6), (23.2, 12.0), (17.6, 22.4), (6.4, 22.4), (0.8, 12.0)]),
            &attributes,
        ),
        "red" => pen.rect(&Box2::new(1.8, 1.8, 22.2, 22.2), 1.6, &attributes),
        "black" => pen.path(&shape(&[(12.0, -1.2), (25.2, 12.0), (12.0, 25.2), (-1.2, 12.0)]), &attributes),
        _ => pen.circle(middle, 10.6, &format!("{attributes} stroke-dasharray=\"3 2\"")),
    };
    pen.centred(Point::new(12.0, 12.0 + letters.size * 0.33), text, letters, &format!("fill=\"{ink}\""));
    match holder {
        "black" => {
            let mut moved = Pen::new();
            moved.placed(&pen.done(), Point::new(2.0, 2.0));
            Piece::new(28.0, 28.0, moved.done())
        }
        _ => Piece::new(side, side, pen.done()),
    }
}

/// A piece as large as a line of text.
fn small(piece: Piece) -> Piece {
    let mut pen = Pen::new();
    pen.raw("<g transform=\"scale(.6)\">").raw(&piece.svg).raw("</g>");
    Piece::new(piece.width * 0.6, piece.height * 0.6, pen.done())
}

/// A Leader: a crown.
fn leader() -> Piece {
    let crown = [(0.8, 12.2), (0.8, 3.4), (4.4, 7.4), (8.0, 1.0), (11.6, 7.4), (15.2, 3.4), (15.2, 12.2)];
    let mut pen = Pen::new();
    pen.path(
        &shape(&crown),
        &format!("fill=\"#fffdf4\" stroke=\"{INK}\" stroke-width=\"1.5\" stroke-linejoin=\"round\""),
    );
    Piece::new(16.0, 13.2, pen.done()).of_kind("leader")
}

fn stronghold() -> Piece {
    let walls = [
        (0.6, 14.0),
        (0.6, 3.0),
        (3.4, 3.0),
        (3.4, 5.0),
        (5.6, 5.0),
        (5.6, 1.0),
        (8.0, 1.0),
        (8.0, 2.8),
        (10.0, 2.8),
        (10.0, 1.0),
        (12.4, 1.0),
        (12.4, 5.0),
        (14.6, 5.0),
        (14.6, 3.0),
        (17.4, 3.0),
        (17.4, 14.0),
    ];
    let mut pen = Pen::new();
    pen.path(&shape(&walls), "fill=\"#4b443b\" stroke=\"#fbf6e9\" stroke-width=\".8\" stroke-linejoin=\"round\"");
    pen.path("M7.2 14v-3.6a1.8 1.8 0 0 1 3.6 0V14z", "fill=\"#fbf6e9\"");
    Piece::new(18.0, 14.6, pen.done()).of_kind("stronghold")
}

fn site() -> Piece {
    let mut pen = Pen::new();
    pen.path(
        &star(Point::new(7.0, 7.4), 6.6),
        "fill=\"#8a6400\" stroke=\"#fbf6e9\" stroke-width=\".8\" stroke-linejoin=\"round\"",
    );
    Piece::new(14.0, 13.6, pen.done()).of_kind("site")
}

/// A port: an anchor.
fn port() -> Piece {
    let mut pen = Pen::new();
    let line = "fill=\"none\" stroke-linecap=\"round\"";
    let anchor = "M6.5 4.4V14M3.4 6.8H9.6M1 9.6C1.6 12.6 3.6 14 6.5 14S11.4 12.6 12 9.6";
    for (colour, width) in [("#fbf6e9", "3"), ("#235b82", "1.6")] {
        pen.path(anchor, &format!("{line} stroke=\"{colour}\" stroke-width=\"{width}\""));
    }
    pen.circle(Point::new(6.5, 2.6), 1.7, "fill=\"#fbf6e9\" stroke=\"#235b82\" stroke-width=\"1.3\"");
    Piece::new(13.0, 15.4, pen.done()).of_kind("port")
}

fn the_ring() -> Piece {
    let mut pen = Pen::new();
    ring(Point::new(11.0, 11.0), 7.6, "#fffbe8", &mut pen);
    Piece::new(22.0, 22.0, pen.done()).of_kind("ring")
}

fn panel(view: &Value, scene: &Scene, compared: bool) -> Panel {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let number = |value: &Value, key: &str| value[key].as_u64().unwrap_or(0);
    let title = "Risk: The Lord of the Rings".to_string();
    let mut panel = Panel { title, moment: text(&view["moment"]), ..Panel::default() };
    for seat in view["seats"].as_array().into_iter().flatten() {
        let word = text(&seat["seat"]);
        let points = seat["points"]["total"].as_i64().map_or(String::new(), |points| format!(", {points} points"));
        let said = if seat["out"] == true {
            format!("{word}: out of the game")
        } else {
            format!(
                "{word}: {} territories, {} battalions{points}",
                number(seat, "territories"),
                number(seat, "battalions")
            )
        };
        panel.lines.push((Some(small(counted(&word, ""))), said));
    }
    if view["neutral"].is_object() {
        let neutral = &view["neutral"];
        let said = format!(
            "neutral: {} territories, {} battalions",
            number(neutral, "territories"),
            number(neutral, "battalions")
        );
        panel.lines.push((Some(small(counted("neutral", ""))), said));
    }
    for region in view["regions"].as_array().into_iter().flatten() {
        let known = REGIONS.iter().find(|(id, _)| region["id"] == *id);
        let holder = HOLDERS.iter().find(|(word, ..)| region["holder"] == *word);
        let (word, land) = (known.map_or("", |(_, word)| word), holder.map_or(UNCLAIMED, |(_, land, ..)| land));
        let held = holder.map_or(String::new(), |(word, ..)| format!(", all {word}"));
        let said = format!("{}, +{}{held}", text(&region["name"]), number(region, "bonus"));
        panel.lines.push((Some(field(word, land, TAG, LETTER)), said));
    }
    panel.key = key(scene, compared, view["fellowship"].is_object());
    panel
}

/// What the marks mean.
fn key(scene: &Scene, compared: bool, has_ring: bool) -> Vec<(&'static str, Piece, String)> {
    let item = |kind: &'static str, piece: Piece, text: &str| (kind, piece, text.to_string());
    let mut key = vec![item("leader", leader(), "Leader"), item("port", port(), "port, with its sea lanes")];
    if has_ring {
        key.push(item("stronghold", stronghold(), "stronghold"));
        key.push(item("site", site(), "Site of Power"));
    }
    key.push(item("river", crossing(true), "river with a bridge"));
    key.push(item("ridge", crossing(false), "mountains: no way"));
    if has_ring && !scene.way.is_empty() {
        key.push(item("ring", the_ring(), "the Ring, and its way"));
    }
    if scene.attack.is_some() {
        key.push(item("attack", arrow(1.4), "the attack"));
    }
    if compared {
        let new = words("new", Style::new(Face::Bold, 11.0), INK);
        key.push(item("new", renewed(new), "changed since your last letter"));
    }
    key
}

fn crossing(river: bool) -> Piece {
    let mut pen = Pen::new();
    if river {
        for (colour, width) in [("#33709e", "5.4"), ("#d3e9f3", "2.2")] {
            let stroke = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"");
            pen.path("M1 7Q7 2 13 7T25 7", &stroke);
        }
        pen.rect(
            &Box2::new(9.0, 0.8, 17.0, 13.2),
            0.0,
            &format!("fill=\"#dcc49a\" stroke=\"{INK}\" stroke-width=\"1.2\""),
        );
    } else {
        pen.path("M1 11H25", "stroke=\"#3b3026\" stroke-width=\"3.4\" stroke-linecap=\"round\"");
        for left in [1.5, 9.0, 16.5] {
            pen.path(
                &shape(&[(left, 12.0), (left + 4.0, 2.5), (left + 8.0, 12.0)]),
                "fill=\"#e9dfc8\" stroke=\"#3b3026\" stroke-width=\"1.1\" stroke-linejoin=\"round\"",
            );
        }
    }
    Piece::new(26.0, 14.0, pen.done())
}
