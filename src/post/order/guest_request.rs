//! What guests may say: that they join and where they would like to sit, that they are ready, that they watch, or not.

use super::asked;
use super::verb::Verb;
use crate::record::value::hash::Code;
use std::fmt;

/// A request of somebody who holds no seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuestRequest {
    /// With the seats that are liked, the best one first; none if any will do.
    Join {
        seats: Vec<String>,
    },
    Ready,
    Decline,
    Observe,
    Leave,
    Name {
        name: String,
    },
    Salt {
        salt: String,
    },
    Anchor {
        anchor: Code,
    },
}

impl GuestRequest {
    /// Reads what stands behind the word of a request, as it is read and as it was written; `None` for requests that
    /// are no guest's.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(verb: Verb, behind: &str, written: &str) -> Option<Result<GuestRequest, String>> {
        let alone = |request| match behind {
            "" => Ok(request),
            behind => Err(format!("nothing follows the word, but `{behind}` stands there")),
        };
        let text = || match asked::tidy(written) {
            text if text.is_empty() => Err("the text is missing".to_owned()),
            text => Ok(text),
        };
        Some(match verb {
            Verb::Join => Ok(GuestRequest::Join { seats: seats(behind) }),
            Verb::Ready => alone(GuestRequest::Ready),
            Verb::Decline => alone(GuestRequest::Decline),
            Verb::Observe => alone(GuestRequest::Observe),
            Verb::Leave => alone(GuestRequest::Leave),
            Verb::Name => text().map(|name| GuestRequest::Name { name }),
            Verb::Salt => text().map(|salt| GuestRequest::Salt { salt }),
            Verb::Anchor => match Code::parse(behind) {
                Some(anchor) => Ok(GuestRequest::Anchor { anchor }),
                None => Err("an anchor has 40 hexadecimal digits".to_owned()),
            },
            _ => return None,
        })
    }
}

impl fmt::Display for GuestRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuestRequest::Join { seats } if seats.is_empty() => formatter.write_str("join"),
            GuestRequest::Join { seats } => write!(formatter, "join {}", seats.join(", ")),
            GuestRequest::Ready => formatter.write_str("ready"),
            GuestRequest::Decline => formatter.write_str("decline"),
            GuestRequest::Observe => formatter.write_str("observe"),
            GuestRequest::Leave => formatter.write_str("leave"),
            GuestRequest::Name { name } => write!(formatter, "name {name}"),
            GuestRequest::Salt { .. } => formatter.write_str("salt"),
            GuestRequest::Anchor { .. } => formatter.write_str("anchor"),
        }
    }
}

/// Words of seats, however they are parted; `any` is no wish.
fn seats(behind: &str) -> Vec<String> {
    let words = behind.split([' ', ',']);
    let words = words.filter(|word| !matches!(*word, "" | "or" | "and" | "as" | "then" | "any" | "the"));
    words.map(str::to_owned).collect()
}
