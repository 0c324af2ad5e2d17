//! The rules that a game is played by, as its charter sets them: variant, teams, preset and switches.

use crate::templates;
use engine::title::{Setup, Title};
use serde_json::json;

/// What the charter changes in the title's default rules, a sentence each.
pub fn changed(title: &Title, setup: &Setup) -> Vec<String> {
    let help = |name: &str| title.switches.iter().find(|switch| switch.name == name).map_or("", |switch| switch.help);
    let option = |(name, value): &(String, String)| format!("{name} = {value}. {}", help(name));
    setup.options.iter().map(option).chain((title.teams.remarks)(setup)).collect()
}

/// The rules of a game, for a player who asks for them.
pub fn page(title: &Title, setup: &Setup, columns: usize) -> String {
    let context = json!({
        "title_name": title.name, "edition": setup.edition, "rules": changed(title, setup), "columns": columns,
    });
    templates::page("rules.txt", &templates::context(&context))
}
