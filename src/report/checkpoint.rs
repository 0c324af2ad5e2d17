//! The checkpoint at the end of a letter, as it is copied out and checked with `ssh-keygen`.

use crate::columns::LETTER;
use crate::letter::Letter;
use crate::templates;
use record::commit::checkpoint::Noted;
use serde_json::json;

/// A letter with the checkpoint below its text.
pub fn below(page: Letter, noted: &Noted) -> Letter {
    let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<String>>();
    let signature = noted.signature.as_ref().map_or_else(Vec::new, |signature| lines(signature.in_armour()));
    let context = json!({ "lines": lines(noted.checkpoint.to_string()), "signature": signature, "columns": LETTER });
    let context = templates::context(&context);
    let block = templates::page("checkpoint.txt", &context);
    let mut page = Letter { text: format!("{}\n{block}", page.text), ..page };
    if let Some(html) = &mut page.html {
        html.append("checkpoint.txt", &context);
    }
    page
}
