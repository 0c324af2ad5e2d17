//! The map of a title as the reader of an occasion sees it.

use crate::picture::{Atlas, Picture, Wanted, draw};
use engine::name;
use engine::title::{Kept, Title};
use serde_json::Value;
use std::collections::BTreeMap;

/// The maps of the titles, each made when it is first wanted.
static ATLASES: Kept<Option<Atlas>> = Kept::new();

/// The likeness, out of 1000, from which on a name may have been meant.
const LIKE: u32 = 600;

/// What a view calls the parts of its map, and the places in them: a theatre of War of the Ring, a region of Risk.
const PARTS: [(&str, &str); 2] = [("theatres", "regions"), ("regions", "territories")];

/// The map of the title with this id; `None` for a title without one.
pub fn atlas(title: &'static Title) -> Option<&'static Atlas> {
    ATLASES.of(&[title], || Atlas::of(title.id, (title.texts.chart)()?)).as_ref()
}

/// The map as a view shows it, `width` pixels wide. What differs from the view `before` is marked as new. If `around`
/// names places, only the part round them is drawn.
pub fn picture(atlas: &Atlas, view: &Value, before: Option<&Value>, around: &[usize], width: Option<u32>) -> Picture {
    draw(&Wanted { atlas, view, before, around }, width)
}

/// The places that the open question is about; empty if it is about the whole board.
pub fn of_question(atlas: &Atlas, view: &Value) -> Vec<usize> {
    let about = view["asked"]["about"].as_array().into_iter().flatten();
    about.filter_map(|id| atlas.chart.place(id.as_str()?)).collect()
}

/// The places that a brief letter shows, by their ids in the order of the chart: those that the question is about,
/// those that touch them, and those that have changed since an earlier view.
pub fn around_question(atlas: &Atlas, view: &Value, before: Option<&Value>) -> Vec<String> {
    let about = of_question(atlas, view);
    let id = |place: usize| atlas.chart.places[place].name.id();
    let touches = |place: usize| {
        atlas.chart.contacts.iter().filter(|contact| contact.crossing.is_open()).any(|contact| {
            let [one, other] = contact.ends.map(usize::from);
            (one == place && about.contains(&other)) || (other == place && about.contains(&one))
        })
    };
    let (now, then) = (places_of(view), before.map(places_of).unwrap_or_default());
    let has_changed = |place: usize| then.get(id(place)).is_some_and(|then| now.get(id(place)) != Some(then));
    let shown = |place: &usize| about.contains(place) || touches(*place) || has_changed(*place);
    (0..atlas.chart.places.len()).filter(shown).map(|place| id(place).to_owned()).collect()
}

/// What a view says of each place, by its id.
fn places_of(view: &Value) -> BTreeMap<&str, &Value> {
    let parts = PARTS.iter().flat_map(|(parts, places)| {
        let parts = view[*parts].as_array().into_iter().flatten();
        parts.flat_map(|part| part[*places].as_array().into_iter().flatten())
    });
    parts.filter_map(|place| Some((place["id"].as_str()?, place))).collect()
}

/// The places that a text names: one place, or all places of a part of the map, such as `gondor`.
pub fn part(atlas: &Atlas, view: &Value, text: &str) -> Result<Vec<usize>, Vec<&'static str>> {
    let named = place(atlas, text);
    if let Ok(place) = named {
        return Ok(vec![place]);
    }
    let wanted = name::words(text).iter().map(|word| word.text.to_string()).collect::<Vec<_>>().join("-");
    let parts = PARTS.iter().flat_map(|(parts, places)| {
        view[*parts]
            .as_array()
            .into_iter()
            .flatten()
            .map(|part| (part["id"].as_str().unwrap_or_default(), &part[*places]))
    });
    let inside = |places: &Value| {
        let ids = places.as_array().into_iter().flatten().filter_map(|place| place["id"].as_str());
        ids.filter_map(|id| atlas.chart.place(id)).collect::<Vec<_>>()
    };
    let is_meant = |id: &str| id == wanted || (wanted.len() > 2 && id.split("-and-").any(|half| half == wanted));
    let found =
        parts.filter(|(id, _)| is_meant(id)).map(|(_, places)| inside(places)).find(|places| !places.is_empty());
    found.map_or_else(|| named.map(|place| vec![place]), Ok)
}

/// The place that a text names in full or by its beginning.
///
/// # Errors
/// No place fits, or several do: the names that may have been meant, the likeliest first.
pub fn place(atlas: &Atlas, text: &str) -> Result<usize, Vec<&'static str>> {
    let words = name::words(text);
    let places = || atlas.chart.places.iter().map(|place| place.name).enumerate();
    let spelled = |count: usize| count == words.len() && count > 0;
    if let Some((place, _)) = places().find(|(_, name)| spelled(name.spelled_by(&words))) {
        return Ok(place);
    }
    let begun: Vec<_> = places().filter(|(_, name)| spelled(name.begun_by(&words))).collect();
    match begun.as_slice() {
        [(place, _)] => return Ok(*place),
        [] => {}
        several => return Err(several.iter().map(|(_, name)| name.title()).collect()),
    }
    let said = words.iter().map(|word| &*word.text).collect::<Vec<_>>().join(" ");
    let mut like: Vec<_> = places().map(|(_, name)| (name.likeness(&said), name.title())).collect();
    like.retain(|(likeness, _)| *likeness >= LIKE);
    like.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
    Err(like.into_iter().take(3).map(|(_, title)| title).collect())
}
