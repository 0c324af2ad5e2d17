/*! The checker of logs for any browser, as one page: `check.html`.

Its module, `templates/check/check.js`, is written from `games/README.md` alone and shares nothing with the rooms of
this program. The page has the module to the byte, so that its hash is that of the file.
*/

use crate::templates;
use data_encoding::BASE64;
use ground::hash::{Hash, sha256};
use serde_json::json;

const STYLE: &str = include_str!("../../templates/check/style.css");
const SCRIPT: &str = include_str!("../../templates/check/check.js");

/// The hash by which two people know that they have the same checker.
pub fn hash() -> Hash {
    sha256(SCRIPT.as_bytes())
}

/// The page, whole: it loads nothing.
pub fn page() -> String {
    let hashed = |text: &str| BASE64.encode(&sha256(text.as_bytes()).0);
    let context = json!({
        "style": STYLE, "style_hash": hashed(STYLE), "script": SCRIPT, "script_hash": hashed(SCRIPT),
    });
    templates::exact("check/check.html", &context)
}
