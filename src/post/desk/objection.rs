//! Why the table does not take a request, in words for whoever made it: the log's own words are for who reads the log.

use crate::record::problem::Problem;
use crate::record::table::table_error::TableError;

/// What is wrong with a request, for its writer.
pub fn words(error: &TableError) -> String {
    let TableError::Unsound(problems) = error else { return error.to_string() };
    let (key, expected, found) = match problems.first() {
        Some(Problem::Value { key, expected, found }) => (*key, expected, found),
        Some(Problem::OutOfPlace { why, .. }) => return (*why).to_owned(),
        _ => return error.to_string(),
    };
    match (key, found.as_str()) {
        ("what", "pause") => "the game is paused already".to_owned(),
        ("what", "resume") => "the game is not paused".to_owned(),
        ("what", "a deadline where there is none") => "no time runs that could be moved".to_owned(),
        ("until", _) => "that time is over".to_owned(),
        ("says", _) => "you have agreed to it already".to_owned(),
        ("motion", number) => format!("nothing is proposed in #{number} that could still be voted on"),
        ("seat", _) if expected.ends_with("still playing") => "it is over for you already".to_owned(),
        ("seat", _) => "your seat has no say in it".to_owned(),
        ("to", to) => {
            format!("the table cannot be put back to #{to}: it takes {expected}. `history` tells the entries")
        }
        ("type", _) => format!("there are {expected} already; take one back by a no"),
        ("rules" | "text", found) => format!("it takes {expected}, not {found}"),
        _ => error.to_string(),
    }
}
