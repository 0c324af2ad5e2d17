/*! What is drawn on the land: a scene, made by the part of a title from the view of one reader.

A scene knows only what is in the view, so a picture shows nothing that its reader may not know.
*/

use engine::chart::Chart;
use serde_json::Value;

/// A small drawing with its origin in its upper left corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    pub width: f64,
    pub height: f64,
    pub svg: String,
    /// What it shows, by the words of the key.
    pub kinds: Vec<&'static str>,
}

/// Everything that is drawn on the land, place by place in the order of the chart.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The size of the names; everything else follows it.
    pub letter: f64,
    /// The colours of the places.
    pub grounds: Vec<&'static str>,
    /// The group of each place: a strong line goes between places of different groups.
    pub groups: Vec<usize>,
    /// What stands above the name of each place.
    pub heads: Vec<Option<Piece>>,
    /// A word beside each name, with its colour: what the place belongs to, for a print in grey.
    pub tags: Vec<Option<(&'static str, &'static str)>>,
    /// What stands near the name of each place, in rows.
    pub stands: Vec<Vec<Row>>,
    /// Places inside a dotted line; empty for none.
    pub ringed: Vec<bool>,
    /// Places that a dotted way leads through.
    pub way: Vec<usize>,
    /// The attack that the question is about: from which place to which.
    pub attack: Option<[usize; 2]>,
    pub panel: Panel,
}

/// The attack that the open question is about: it names the place attacked, then that of the attackers.
pub fn attack(chart: &Chart, view: &Value) -> Option<[usize; 2]> {
    let about = view["asked"]["about"].as_array()?;
    let [target, source] = about.as_slice() else { return None };
    Some([chart.place(source.as_str()?)?, chart.place(target.as_str()?)?])
}

/// Pieces beside one another.
pub type Row = Vec<Piece>;

/// The words beside the map.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    pub title: String,
    pub moment: String,
    /// Lines about the whole table, each behind a piece.
    pub lines: Vec<(Option<Piece>, String)>,
    /// What the pieces mean, each with the kind that it is the key to.
    pub key: Vec<(&'static str, Piece, String)>,
}

impl Scene {
    /// Whether the land looks the same; the words beside the map may differ.
    pub fn looks_like(&self, other: &Scene) -> bool {
        let drawn = |scene: &Scene| (scene.letter, scene.attack);
        drawn(self) == drawn(other)
            && self.grounds == other.grounds
            && self.groups == other.groups
            && self.heads == other.heads
            && self.tags == other.tags
            && self.stands == other.stands
            && self.ringed == other.ringed
            && self.way == other.way
    }
}

impl Piece {
    pub fn new(width: f64, height: f64, svg: String) -> Piece {
        Piece { width, height, svg, kinds: Vec::new() }
    }

    /// The same, known to the key by this word as well.
    pub fn of_kind(mut self, kind: &'static str) -> Piece {
        self.kinds.push(kind);
        self
    }

    /// The same, known to the key as the other is.
    pub fn as_kind(mut self, other: &Piece) -> Piece {
        self.kinds.clone_from(&other.kinds);
        self
    }
}
