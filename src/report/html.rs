/*! A letter as a page: the same occasion as its text, set for reading on any screen, with the map beside it.

The page and the text are made of one [`Frame`] and share the templates that put it into words, so that neither says
what the other does not. There is no script in it, nothing is fetched from anywhere, and no element is hidden: a reply
that quotes it is read like any other.
*/

use crate::frame::Frame;
use crate::map;
use crate::occasion::{Occasion, Waits};
use crate::offered::Offers;
use crate::picture::{Atlas, Picture};
use crate::{columns, templates};
use ground::hash::sha256;
use serde_json::{Value, json};

/// How the letters to a reader look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    pub form: Form,
    pub pictures: Pictures,
}

impl Look {
    /// Whether a map is shown in the page of a letter.
    pub fn has_picture(self) -> bool {
        self.form == Form::Html && self.pictures != Pictures::Off
    }
}

/// What letters are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Text alone.
    #[default]
    Text,
    /// Text, and the same as a page; a mail program shows the one that it can show.
    Html,
}

/// Whether the map comes along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pictures {
    Off,
    /// The part of it that the letter is about, in the page.
    #[default]
    On,
    /// The same, and the whole table on paper: a sheet to be printed.
    Print,
}

/// What an answer to the letter needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answering {
    /// The address for answers.
    pub to: String,
    /// The tag of the letter, which says what its reader has seen.
    pub tag: String,
}

/// A letter as a page that is not closed yet: something may be appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Html {
    title: String,
    body: String,
}

/// A picture that goes with a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosed {
    /// The Content-ID by which the page shows it, without brackets; a picture without one is attached.
    pub cid: Option<String>,
    /// Its file name.
    pub name: String,
    pub picture: Picture,
}

/// How wide the whole map is drawn in a letter, in pixels.
const WHOLE_WIDE: u32 = 900;

/// How wide a picture is shown by a mail program that knows no style sheets.
const SHOWN_MAX: u32 = 640;

/// The page of an occasion, titled with the subject of its letter, with the one of these pictures that it shows.
pub(super) fn html(frame: &Frame<'_>, subject: &str, answering: &Answering, pictures: &[Enclosed]) -> Html {
    let occasion = frame.occasion;
    let mut context = templates::context(frame);
    context["answering"] = answering_to(answering);
    context["offers"] = match &occasion.waits {
        Waits::Reader { choices, .. } => templates::context(&Offers::of(choices)),
        Waits::Other { .. } | Waits::Host { .. } | Waits::Nobody { .. } => Value::Null,
    };
    context["picture"] = pictures.iter().find_map(shown).unwrap_or_default();
    Html { title: subject.to_string(), body: templates::html("letter.html", &context) }
}

fn shown(enclosed: &Enclosed) -> Option<Value> {
    let Enclosed { cid, picture, .. } = enclosed;
    let shown = picture.width.min(SHOWN_MAX);
    Some(json!({ "cid": cid.as_ref()?, "alt": columns::ruly(&picture.alt), "shown": shown }))
}

/// What an answer needs if the reader touches a sentence: the address and the subject.
fn answering_to(answering: &Answering) -> Value {
    json!({ "to": answering.to, "subject": format!("Re: {}", answering.tag) })
}

/// The pictures of an occasion: the part of the map round the question, or all of it. The reader may have asked for
/// another part: he gets that in any letter.
pub(super) fn pictures(occasion: &Occasion, look: Look, asked_for: Option<&str>) -> Vec<Enclosed> {
    let is_shown = look.form == Form::Html;
    let is_wanted = asked_for.is_some() || look.has_picture();
    let Some(atlas) = map::atlas(occasion.title).filter(|_| is_wanted) else { return Vec::new() };
    let picture = part(atlas, occasion, asked_for);
    let cid = is_shown.then(|| cid(&picture));
    vec![Enclosed { cid, name: format!("{}-{}-map.png", occasion.game, occasion.seq), picture }]
}

/// The part of the map that the reader has asked for, or that the question is about, or all of it. What is new to him
/// is marked.
fn part(atlas: &Atlas, occasion: &Occasion, asked_for: Option<&str>) -> Picture {
    let part = asked_for.and_then(|text| map::part(atlas, &occasion.view, text).ok());
    let around = part.unwrap_or_else(|| map::of_question(atlas, &occasion.view));
    let width = around.is_empty().then_some(WHOLE_WIDE);
    map::picture(atlas, &occasion.view, occasion.before.as_ref(), &around, width)
}

/// The name follows from the content: a picture keeps it in a letter that is written again.
fn cid(picture: &Picture) -> String {
    format!("map.{}@ringmail", &sha256(picture.svg.as_bytes()).to_string()[..32])
}

impl Html {
    /// Sets something below the page.
    pub fn append(&mut self, template: &str, context: &Value) {
        self.body.push_str(&templates::html(template, context));
    }

    /// The page as a document.
    pub fn document(&self) -> String {
        templates::html("page.html", &json!({ "subject": self.title, "body": self.body }))
    }
}
