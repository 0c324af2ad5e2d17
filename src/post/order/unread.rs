/*! Why a line of a letter can be no sentence, whatever the menu, or was not read at all; and the words for it. */

use crate::reply::quoting::Ownership;
use crate::reply::signed_block;
use crate::reply::verdict::Doubt;
use mail::letter::flowed::Standing;
use mail::letter::spelling::Fault;
use std::fmt;

/// Why a line cannot be a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineRefusal {
    Fault(Fault),
    TooLong {
        characters: usize,
        allowed: usize,
    },
    /// The line ends in `\`, a comma or a hyphen, and no line follows that could continue it.
    Unfinished {
        end: String,
    },
    /// The quoted line above may have been wrapped into this one.
    PerhapsQuoted,
    Struck {
        column: usize,
    },
    /// It begins with a sign that some mail programs or people quote with.
    Marked(char),
    /// It is in quotation marks or brackets, which people put around somebody else's words or words they do not mean;
    /// or behind a comment sign.
    SetApart,
    /// It ends in a question mark, or has one inside.
    Question,
    /// It may change what the other lines mean.
    Doubt(Doubt),
    /// It stands in a field to fill in, or between words that the page hides.
    Standing(Standing),
    /// The HTML of the letter shows it differently from the plain text.
    ShownOtherwise(Otherwise),
    /// A signed sentence with malformed lines.
    NotSigned(signed_block::Broken),
}

impl fmt::Display for LineRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineRefusal::Fault(fault) => fault.fmt(formatter),
            LineRefusal::TooLong { characters, allowed } => {
                write!(formatter, "the line has {characters} characters, at most {allowed} are read")
            }
            LineRefusal::Unfinished { end } => {
                write!(
                    formatter,
                    "the sentence ends in `{end}` and seems cut off; write it on one line, or end the line with \\"
                )
            }
            LineRefusal::PerhapsQuoted => {
                write!(formatter, "this may be the rest of the quoted line above; leave a blank line before your own")
            }
            LineRefusal::Struck { column } => write!(formatter, "it is struck out from column {column} on"),
            LineRefusal::Marked(mark) => {
                write!(formatter, "a line that begins with `{mark}` may be quoted; write it again without that")
            }
            LineRefusal::SetApart => formatter
                .write_str("what stands in quotation marks or brackets may not be meant; without them it plays"),
            LineRefusal::Question => formatter.write_str("this reads as a question; without the ? it plays"),
            LineRefusal::Doubt(doubt) => {
                write!(formatter, "{doubt}; write only what is to be played as it stands")
            }
            LineRefusal::Standing(Standing::Text) => formatter.write_str("it stands in the text"),
            LineRefusal::Standing(Standing::Field) => formatter
                .write_str("it stands in a field to fill in and may not be your own text; write it again without that"),
            LineRefusal::Standing(Standing::Torn) => formatter.write_str(
                "the HTML of your letter hides other words beside it; write it again, in plain text if you can",
            ),
            LineRefusal::ShownOtherwise(otherwise) => otherwise.fmt(formatter),
            LineRefusal::NotSigned(broken) => broken.fmt(formatter),
        }
    }
}

impl LineRefusal {
    /// Whether the line is too long to be shown.
    pub fn is_long(&self) -> bool {
        matches!(self, LineRefusal::TooLong { .. })
    }
}

/// How the HTML of a letter shows a line that its plain text has, or the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Hidden, or struck out.
    Hidden,
    /// As quoted, or below the end of the letter.
    Quoted,
    Missing,
    /// Only the HTML has it.
    OnlyShown,
}

impl fmt::Display for Otherwise {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self {
            Otherwise::Hidden => "the HTML of your letter hides it or strikes it out, and its plain text does not",
            Otherwise::Quoted => "the HTML of your letter shows it as quoted text, and its plain text does not",
            Otherwise::Missing => "the HTML of your letter does not show it, and its plain text does",
            Otherwise::OnlyShown => "the HTML of your letter shows it, and its plain text does not",
        };
        write!(formatter, "{how}; write it again, in plain text if you can")
    }
}

/// What the answer says of sentences that the HTML of a letter hides.
pub const HIDDEN: &str = "not read: the HTML of your letter hides it or strikes it out";

/// Lines that were not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread {
    pub first: usize,
    pub last: usize,
    pub reason: NotRead,
}

/// Why lines were not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRead {
    NotOwn(Ownership),
    Comment,
    /// A line of the form that was left as it is.
    Blank,
    /// P6: the letter has a block of `BEGIN` and `END`, and this stands outside.
    OutsideBlock,
    Greeting,
    /// Small talk, and whatever else begins no sentence of a game.
    Chatter,
    /// Neither a letter nor a digit.
    Wordless,
    /// It looks like quoted text but is not marked as such: it may be the writer's own.
    PerhapsOwn,
    /// "Regards,": what follows is not for us.
    Farewell,
}

impl fmt::Display for NotRead {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRead::NotOwn(owner) => owner.fmt(formatter),
            NotRead::Comment => formatter.write_str("a comment"),
            NotRead::Blank => formatter.write_str("a line of the form"),
            NotRead::OutsideBlock => formatter.write_str("outside BEGIN and END"),
            NotRead::Greeting => formatter.write_str("a greeting"),
            NotRead::Chatter => formatter
                .write_str("not read, as no sentence of the game; what players are to read goes by `press all: …`"),
            NotRead::Wordless => formatter.write_str("without words"),
            NotRead::PerhapsOwn => formatter.write_str(
                "not read: quoted text, as it seems, though nothing marks it; if it is yours, write it higher up",
            ),
            NotRead::Farewell => formatter.write_str("below your greeting at the end"),
        }
    }
}
