//! Why the table does not take a request, in words for the player who made it. The log has words of its own.

use record::problem::Problem;
use record::problem::objection::Objection;
use record::table::table_error::TableError;

/// What is wrong with a request, for its writer.
pub fn words(error: &TableError) -> String {
    let TableError::Unsound(problems) = error else { return error.to_string() };
    let objection = match problems.first() {
        Some(Problem::Objection(objection)) => objection,
        Some(Problem::OutOfPlace { why, .. }) => return (*why).to_owned(),
        _ => return error.to_string(),
    };
    let (_, expected, found) = objection.value();
    match objection {
        Objection::Paused => "the game is paused already".to_owned(),
        Objection::NotPaused => "the game is not paused".to_owned(),
        Objection::NoDeadline => "no deadline is running".to_owned(),
        Objection::DeadlinePassed => "that time is over".to_owned(),
        Objection::VotedBefore => "you have agreed to it already".to_owned(),
        Objection::NoMotion { motion } | Objection::MotionLapsed { motion, .. } => {
            format!("nothing is proposed in #{motion} that could still be voted on")
        }
        Objection::OutOfTheGame { .. } => "it is over for you already".to_owned(),
        Objection::CannotMove { .. } | Objection::CannotVote { .. } => "your seat has no say in it".to_owned(),
        Objection::OutOfReach { to } => {
            format!("the table cannot be put back to #{to}: it takes {expected}. `show history` tells the entries")
        }
        Objection::TooManyMotions { .. } => format!("there are {expected} already; take one back by a no"),
        Objection::NoSuchRules { .. } | Objection::Length { .. } | Objection::Character { .. } => {
            format!("it takes {expected}, not {found}")
        }
    }
}
