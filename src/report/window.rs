/*! The pages of an office that everybody may look at: a list of its games, and of each game the public table, the map
and the chronicle. They are for an observer who knows only what is public: they show no head, no hash and no
fingerprint, by which he could tell games apart that look alike to him.
*/

use crate::frame::Frame;
use crate::{chronicle, from_log, map, templates};
use record::file::reading::Followed;
use record::fold::{Fold, Phase};
use serde::Serialize;
use serde_json::json;

/// Columns of what is set in fixed width.
const COLUMNS: usize = 90;

/// A game in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    pub name: String,
    pub title: &'static str,
    pub stands: String,
    /// The time of the last entry.
    pub at: String,
    pub is_over: bool,
}

impl Listed {
    /// A game as its log tells.
    pub fn of(name: &str, fold: &Fold) -> Listed {
        let is_over = matches!(fold.phase(), Phase::Revealed | Phase::Ended);
        let stands = match (fold.phase(), fold.asked()) {
            (Phase::Joining, _) => "players are joining".to_owned(),
            (Phase::Playing, Some(question)) => {
                format!("{}; waiting for {}", fold.game().moment(), fold.plan().word(question.seat))
            }
            (Phase::Playing, None) => fold.game().moment(),
            (Phase::Revealed | Phase::Ended, _) => match from_log::look(fold, None).waits {
                crate::occasion::Waits::Nobody { ended: Some(ended) } => ended.reason,
                _ => "over".to_owned(),
            },
        };
        let (name, title, at) = (name.to_owned(), fold.plan().title.name, fold.at().to_string());
        Listed { name, title, stands, at, is_over }
    }
}

/// The list of all games.
pub fn index(games: &[Listed]) -> String {
    let (over, open): (Vec<&Listed>, Vec<&Listed>) = games.iter().partition(|game| game.is_over);
    let parts = json!([{ "heading": "Being played", "games": open }, { "heading": "Finished", "games": over }]);
    templates::page("window/index.html", &templates::context(&json!({ "parts": parts, "any": !games.is_empty() })))
}

/// The paragraph of an entry, for the chronicle of everybody.
pub fn told(followed: &Followed<'_>) -> String {
    chronicle::paragraph(&from_log::told(followed, None), COLUMNS)
}

/// The page of a game that is being played; `told` are the paragraphs of its entries.
pub fn game(name: &str, fold: &Fold, told: &[String]) -> String {
    let occasion = from_log::look(fold, None);
    let table = templates::page("window/table.txt", &templates::context(&Frame::of(&occasion, COLUMNS)));
    let title = fold.plan().title;
    let atlas = map::atlas(title).filter(|_| fold.phase() != Phase::Joining);
    let picture = atlas.map(|atlas| map::picture(atlas, &occasion.view, None, &[], None).svg);
    let moment = (fold.phase() != Phase::Joining).then(|| fold.game().moment());
    let mut context = templates::context(&json!({
        "name": name, "title_name": title.name, "moment": moment,
    }));
    // They were made ruly, line by line; and a picture is no text.
    context["table"] = json!(table);
    context["chronicle"] = json!(told.concat());
    context["map"] = json!(picture);
    templates::page("window/game.html", &context)
}
