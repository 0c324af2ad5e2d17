//! The rules that a game is played by, as its charter sets them: variant, teams, preset and switches.

use crate::engine::title::{Setup, Title};
use crate::report::templates;
use serde_json::json;

/// What differs from the title as it is by default, a sentence each.
pub fn changed(title: &dyn Title, setup: &Setup) -> Vec<String> {
    let help = |name: &str| title.switches().iter().find(|switch| switch.name == name).map_or("", |switch| switch.help);
    let option = |(name, value): &(String, String)| format!("{name} = {value}. {}", help(name));
    setup.options.iter().map(option).chain(title.remarks(setup)).collect()
}

/// The rules of a game, for a player who asks for them.
pub fn page(title: &dyn Title, setup: &Setup, columns: usize) -> String {
    let context = json!({
        "title_name": title.name(), "edition": setup.edition, "rules": changed(title, setup), "columns": columns,
    });
    templates::page("rules.txt", &templates::context(&context))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::risk::Risk;
    use crate::wotr::TITLE;

    fn setup(title: &dyn Title, players: usize, options: &[(&str, &str)]) -> Setup {
        let seats = title.seats(players).unwrap().into_iter().map(str::to_string).collect();
        let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Setup { edition: title.editions()[0].to_string(), seats, options }
    }

    #[test]
    fn a_game_by_default_changes_nothing() {
        assert_eq!(changed(&TITLE, &setup(&TITLE, 2, &[])), Vec::<String>::new());
        let page = page(&TITLE, &setup(&TITLE, 2, &[]), 72);
        assert!(page.contains("Every switch has its default value."), "{page}");
    }

    /// 19.1, 19.40: the preset is named, and the first edition's is labelled partial.
    #[test]
    fn preset_and_switches_are_named() {
        let setup = setup(&TITLE, 2, &[("preset", "first-edition"), ("combat.round_limit", "5")]);
        let changed = changed(&TITLE, &setup);
        for (said, begin) in changed.iter().zip(["preset = first-edition. ", "combat.round_limit = 5. ", "The preset"])
        {
            assert!(said.starts_with(begin), "{changed:?}");
        }
        assert!(changed[2].contains("first-edition is partial"), "{changed:?}");
        assert!(page(&TITLE, &setup, 72).contains("* preset = first-edition. "));
    }

    #[test]
    fn teams_are_named() {
        let changed = changed(&Risk, &setup(&Risk, 4, &[("variant", "alliance")]));
        let teams = "Yellow and Green play together for good, Red and Black for evil.";
        assert_eq!(changed.last().map(String::as_str), Some(teams));
        assert!(changed[0].starts_with("variant = alliance. "), "{changed:?}");
    }
}
