//! The only case in which a book is rewritten: a person is forgotten. The file is replaced as a whole.

use super::Event;
use super::book_error::BookError;
use super::document::{document, read, whole_documents};
use ground::files::BOOK;
use store::drawer::Drawer;

/// Reads the book in a drawer as it is. Returns the number of events in it.
pub fn look_through(drawer: &Drawer) -> Result<usize, BookError> {
    let mut events = 0;
    rewrite(drawer, true, &mut |event| {
        events += 1;
        event
    })?;
    Ok(events)
}

/// Rewrites the book in a drawer, which is locked: `change` gives each event back, changed or not. Returns how many
/// changed. Writes nothing if none did, or if `is_tried`.
///
/// # Errors
/// The old book is still there then.
pub fn rewrite(drawer: &Drawer, is_tried: bool, change: &mut dyn FnMut(Event) -> Event) -> Result<usize, BookError> {
    let file = drawer.place(BOOK);
    let found = drawer.read_if_there(BOOK).map_err(|error| BookError::Read { file: file.clone(), error })?;
    let Some(bytes) = found else { return Ok(0) };
    let text = String::from_utf8_lossy(&bytes[..whole_documents(&bytes)]).into_owned();
    let (mut changed, mut written) = (0, String::new());
    for (index, part) in text.split("\n...\n").filter(|part| !part.is_empty()).enumerate() {
        let unread = |error| BookError::NotUnderstood { file: file.clone(), document: index + 1, error };
        let event = read(part).map_err(unread)?;
        let now = change(event.clone());
        changed += usize::from(now != event);
        written.push_str(&document(&now));
    }
    if changed > 0 && !is_tried {
        let replaced = drawer.replace(BOOK, written.as_bytes());
        replaced.map_err(|error| BookError::Write { file, error })?;
    }
    Ok(changed)
}
