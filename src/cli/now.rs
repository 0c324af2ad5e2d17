//! The one place where the program asks what time it is.

use ground::stamp::Stamp;
use jiff::Timestamp;

/// Now, to the second, in universal time.
pub fn now() -> Stamp {
    Stamp::of(Timestamp::now()).expect("the clock shows a time of the years 0 to 9999")
}
