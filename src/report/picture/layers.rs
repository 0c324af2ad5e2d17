/*! The map in layers, for a page that shows many moments of one game: what never changes is sent once, and of each
moment what stands on the land, piece by piece, so that only the pieces that change are sent again.
*/

use crate::picture::layout::{self, Layouts, Site};
use crate::picture::pen::{self, Pen, short};
use crate::picture::plane::{Box2, Point};
use crate::picture::scene::{Piece, Scene};
use crate::picture::{Atlas, lanes, names, veil, ways};
use serde_json::Value;

/// What is the same at every moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Still {
    pub frame: Box2,
    /// Below the places.
    pub sea: String,
    /// The outline of each place, as the data of a path.
    pub outlines: Vec<String>,
    /// Above the places: what grows there, borders, lanes.
    pub cover: String,
}

/// What stands on the land at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// What is drawn for each place: its name, and what stands there.
    pub sites: Vec<Vec<Mark>>,
    /// The ways over many places.
    pub ways: String,
}

/// A drawing, and where its origin is.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub svg: String,
    pub at: Point,
}

/// What is the same in every picture of this map. The strong borders belong to it, because the groups of places do
/// not change in a game; the colours of the places do not.
pub fn still(atlas: &Atlas, view: &Value) -> Still {
    let frame = atlas.whole();
    let scene = scene(atlas, view);
    let (mut sea, mut cover) = (Pen::new(), Pen::new());
    atlas.ground.sea(&atlas.land, &frame, &mut sea);
    atlas.ground.growth(&atlas.land, &frame, &mut cover);
    atlas.ground.lines(&atlas.land, &scene, &frame, &mut cover);
    lanes(atlas, &frame, &mut cover);
    let outlines = atlas.ground.outlines().to_vec();
    Still { frame, sea: sea.done(), outlines, cover: cover.done() }
}

/// What a view shows on the land, and beside it.
pub fn scene(atlas: &Atlas, view: &Value) -> Scene {
    (atlas.part.scene)(atlas.chart, view, None)
}

/// Draws the moments of one game, one after the other: what looks as it did before is not laid out and drawn again.
#[derive(Debug, Default)]
pub struct Moments {
    layouts: Layouts,
    /// Of the last moment, for each place: what was there, and what was drawn.
    last: Vec<(Here, Vec<Mark>)>,
}

/// All that decides what is drawn for a place.
type Here = (Option<Site>, Option<(&'static str, &'static str)>, Option<Piece>);

impl Moments {
    /// What a scene adds to the map. It takes milliseconds, and is the same for scenes that look alike.
    pub fn moment(&mut self, atlas: &Atlas, scene: &Scene) -> Moment {
        let frame = atlas.whole();
        let sites = self.layouts.laid_out(atlas.chart, &atlas.land, scene, &frame, &[]);
        let mut over = Pen::new();
        ways(atlas, scene, &frame, &mut over);
        veil(&atlas.land, &sites, &frame, &mut over);
        let mut before = std::mem::take(&mut self.last).into_iter();
        for (place, site) in sites.into_iter().enumerate() {
            let here = (site, scene.tags[place], scene.heads[place].clone());
            let marks = match before.next() {
                Some((known, marks)) if known == here => marks,
                _ => here.0.as_ref().map_or_else(Vec::new, |site| marks(scene, place, site)),
            };
            self.last.push((here, marks));
        }
        Moment {
            sites: self.last.iter().map(|(_, marks)| marks.clone()).collect(),
            ways: over.done().trim().to_string(),
        }
    }
}

/// Everything that is drawn for one place, the lowest first.
fn marks(scene: &Scene, place: usize, site: &Site) -> Vec<Mark> {
    let here = |pen: Pen| Mark { svg: pen.done(), at: Point::default() };
    let mut marks = Vec::new();
    if let Some([from, to]) = site.tether {
        let mut tether = Pen::new();
        let stroke = "stroke=\"#2c241b\" stroke-width=\".8\" stroke-opacity=\".7\"";
        tether.path(&pen::line(&[from, to]), stroke);
        marks.push(here(tether));
    }
    let mut name = Pen::new();
    names(scene.letter, &format!("n{place}"), std::iter::once(site), &mut name);
    if let (Some(at), Some((word, colour))) = (site.tag, scene.tags[place]) {
        name.text(at, word, layout::of_tags(scene.letter), &format!("fill=\"{colour}\""));
    }
    marks.push(here(name));
    if let (Some(at), Some(head)) = (site.head, &scene.heads[place]) {
        marks.push(Mark { svg: head.svg.clone(), at });
    }
    marks.extend(site.stand.iter().map(|(piece, at)| Mark { svg: piece.svg.clone(), at: *at }));
    marks
}

/// A piece as a picture of its own, for the key beside the map.
pub fn alone(piece: &Piece) -> String {
    let (width, height) = (short(piece.width), short(piece.height));
    format!(
        "<svg aria-hidden=\"true\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         {}</svg>",
        piece.svg
    )
}
