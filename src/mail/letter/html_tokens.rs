/*! HTML cut into tokens as browsers cut it, by html5gum, and added to a [`Page`].

Where the standard consults the tree of the page, we ask the [`Page`]: whether raw text follows (`<script>`,
`<textarea>`), and whether a drawing is open, the only place where `<![CDATA[` has a meaning.
*/

use super::html::Page;
use super::html_element::END;
use html5gum::{Emitter, Error, State, Tokenizer};
use std::convert::Infallible;

/// Adds a whole HTML part to a page.
pub(super) fn lay(html: &str, page: &mut Page) {
    let layer = Layer {
        page,
        text: Vec::new(),
        tag: Vec::new(),
        is_end: false,
        attribute: At::Name,
        raw: Vec::new(),
        comment: Vec::new(),
    };
    match Tokenizer::new_with_emitter(html, layer).finish() {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

/// Where in a tag we are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// In its name, or after a whole attribute.
    Name,
    Attribute,
    Value,
}

struct Layer<'p> {
    page: &'p mut Page,
    /// Text that has not been added to the page yet.
    text: Vec<u8>,
    /// The tag as [`Element::of`](super::html_element::Element::of) reads it.
    tag: Vec<u8>,
    is_end: bool,
    attribute: At,
    /// The name of the last start tag: only its end tag ends raw text.
    raw: Vec<u8>,
    /// The beginning of a comment.
    comment: Vec<u8>,
}

/// How many bytes of a comment we look at.
const COMMENT_MAX: usize = 80;

impl Layer<'_> {
    fn lay_text(&mut self) {
        if !self.text.is_empty() {
            self.page.text(&String::from_utf8_lossy(&self.text));
            self.text.clear();
        }
    }

    /// An attribute without a value has an empty one.
    fn end_attribute(&mut self) {
        if self.attribute == At::Attribute {
            self.tag.push(END as u8);
        }
        self.attribute = At::Name;
    }

    fn name(&self) -> &[u8] {
        self.tag.split(|byte| *byte == END as u8).next().unwrap_or_default()
    }

    fn begin_tag(&mut self, is_end: bool) {
        self.tag.clear();
        self.is_end = is_end;
        self.attribute = At::Name;
    }
}

impl Emitter for Layer<'_> {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.raw = name.unwrap_or_default().to_vec();
    }

    fn emit_eof(&mut self) {
        self.lay_text();
    }

    fn emit_error(&mut self, _error: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    fn init_start_tag(&mut self) {
        self.begin_tag(false);
    }

    fn init_end_tag(&mut self) {
        self.begin_tag(true);
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.lay_text();
        self.end_attribute();
        if self.is_end {
            let name = String::from_utf8_lossy(self.name()).into_owned();
            self.page.close(&name);
            return None;
        }
        self.raw = self.name().to_vec();
        self.page.open(&String::from_utf8_lossy(&self.tag));
        if self.page.is_foreign() {
            return None;
        }
        match self.raw.as_slice() {
            b"textarea" | b"title" => Some(State::RcData),
            b"script" => Some(State::ScriptData),
            b"style" | b"iframe" | b"xmp" | b"noembed" | b"noframes" | b"noscript" => Some(State::RawText),
            b"plaintext" => Some(State::PlainText),
            _ => None,
        }
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.tag.extend_from_slice(name);
    }

    fn init_attribute(&mut self) {
        self.end_attribute();
        self.tag.push(END as u8);
        self.attribute = At::Attribute;
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.tag.extend_from_slice(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        if self.attribute == At::Attribute {
            self.tag.push(END as u8);
            self.attribute = At::Value;
        }
        self.tag.extend_from_slice(value);
    }

    fn set_self_closing(&mut self) {
        self.page.is_self_closing = true;
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && !self.raw.is_empty() && self.name() == self.raw
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.page.is_foreign()
    }

    fn init_comment(&mut self) {
        self.comment.clear();
    }

    fn push_comment(&mut self, text: &[u8]) {
        let room = COMMENT_MAX.saturating_sub(self.comment.len());
        self.comment.extend_from_slice(&text[..room.min(text.len())]);
    }

    /// A comment is not shown; it may say which programs show what follows.
    fn emit_current_comment(&mut self) {
        self.lay_text();
        self.page.comment(&String::from_utf8_lossy(&self.comment).to_ascii_lowercase());
    }

    // Document types are not shown either.
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _name: &[u8]) {}
    fn set_force_quirks(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _value: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _value: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _value: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _value: &[u8]) {}
    fn emit_current_doctype(&mut self) {}
}
