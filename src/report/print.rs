/*! A turn on paper: the map, the table, the reader's hand, what he may say, and lines to write his orders on, as a page
that any browser prints, or saves as PDF.

It is made of the same [`Frame`] as the letter, and says nothing that a letter of that moment would not. The map is a
drawing, so it is as sharp as the printer. It can be read in black and white: shapes and signs tell what the colours of
the map tell.
*/

use crate::frame::Frame;
use crate::html::Answering;
use crate::occasion::{Occasion, Waits};
use crate::offered::Offers;
use crate::picture::Picture;
use crate::{columns, map, templates};
use serde_json::{Value, json};

/// A turn on paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Its file name.
    pub name: String,
    pub html: String,
}

/// The sheet of an occasion; with `answering` it says where orders are sent.
pub fn sheet(occasion: &Occasion, answering: Option<&Answering>) -> Sheet {
    // A letter may be as long as its question; paper has room for the whole table and all cards.
    let occasion = Occasion { brief: None, ..occasion.clone() };
    let mut context = templates::context(&Frame::of(&occasion, columns::LETTER));
    context["offers"] = match &occasion.waits {
        Waits::Reader { choices, .. } => templates::context(&Offers::of(choices)),
        Waits::Other { .. } | Waits::Host { .. } | Waits::Nobody { .. } => Value::Null,
    };
    let picture = |atlas| map::picture(atlas, &occasion.view, occasion.before.as_ref(), &[], None);
    context["map"] = map::atlas(occasion.title).map(picture).as_ref().map_or(Value::Null, on_paper);
    // A sentence is no link on paper.
    context["answering"] = Value::Null;
    context["orders_to"] = json!(answering.map(|answering| columns::ruly(&answering.to)));
    let name = format!("{}-{}-to-print.html", occasion.game, occasion.seq);
    Sheet { name, html: templates::html("print.html", &context) }
}

/// The size of the map on A4, in millimetres; the page is turned if the map is wider than high.
fn on_paper(picture: &Picture) -> Value {
    let is_wide = picture.width > picture.height;
    let (width_most, height_most) = if is_wide { (279, 182) } else { (192, 268) };
    let height = width_most * picture.height / picture.width;
    let (width, height) = if height > height_most {
        (height_most * picture.width / picture.height, height_most)
    } else {
        (width_most, height)
    };
    json!({ "svg": picture.svg, "is_wide": is_wide, "width": width, "height": height })
}
