/*! Whether a program that was just installed understands the files of an older one: it reads every private file, and
folds every log again with the secrets beside it. It writes nothing and locks nothing.
*/

use crate::book::fault::PostError;
use crate::book::rewriting::look_through;
use crate::desk::lost::Lost;
use crate::desk::outage;
use crate::desk::pause::Paused;
use crate::desk::restored::Restored;
use crate::office::{COUNTER, Office};
use engine::title::Titles;
use record::file::log;
use record::file::reading::{NotFollowed, read_with_secrets};
use record::file::secrets::Secrets;
use record::table::table_error::TableError;
use std::ops::ControlFlow;
use store::drawer::Drawer;

/// What was found in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The game, or the counter.
    pub of: String,
    pub words: String,
    /// What is wrong, if anything is.
    pub trouble: Option<String>,
}

/// Looks through everything, and reports each folder.
pub fn look(office: &Office, titles: Titles, tell: &mut dyn FnMut(Found)) -> Result<(), PostError> {
    let counter = office.drawer(None);
    let read = look_through(&counter).map_err(PostError::from).and_then(|events| {
        outage::looked_at(&counter)?;
        Ok(format!("{events} events in the book"))
    });
    tell(found(COUNTER, read));
    for game in office.games()? {
        let read = one(&office.drawer(Some(&game)), titles);
        tell(found(&game, read));
    }
    Ok(())
}

fn found(of: &str, read: Result<String, PostError>) -> Found {
    let of = of.to_owned();
    match read {
        Ok(words) => Found { of, words, trouble: None },
        Err(error) => Found { of, words: String::new(), trouble: Some(error.to_string()) },
    }
}

fn one(drawer: &Drawer, titles: Titles) -> Result<String, PostError> {
    let secrets = Secrets::read(drawer).map_err(TableError::from)?;
    let events = look_through(drawer)?;
    let (paused, restored) = (Paused::read(drawer)?, Restored::read(drawer)?);
    let lost = Lost::read(drawer)?.filter(|lost| !lost.is_given_up);
    let records = log::read_log(drawer).map_err(TableError::from)?;
    let followed = read_with_secrets(records, titles, &secrets, |_| ControlFlow::Continue(()));
    let fold = followed.map_err(|error: NotFollowed| TableError::from(error))?;
    let mut words = format!("{} records, {events} events in the book", fold.head().seq + 1);
    for (is, what) in [
        (paused.is_some(), "paused by its host"),
        (restored.is_some(), "put back, and waits for its players"),
        (lost.is_some(), "waits for records that it has lost"),
    ] {
        if is {
            words.push_str("; ");
            words.push_str(what);
        }
    }
    Ok(words)
}
