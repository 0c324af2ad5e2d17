//! The 38 Combat titles (9.15 to 9.18), with their names as printed.

use engine::listed::listed;

listed! {
    /// The title of a card's Combat half. Several cards share a title.
    CombatTitle {
        ItIsAGift, BladeOfWesternesse, MightyAttack, ServantOfTheSecretFire, Anduril, HeroicDeath,
        DaringDefiance, FatefulStrike, SuddenStrike, BraveStand, EntsRage, HuornDark, NamelessWood, Daylight,
        NoQuarter, AdvantageousPosition, Scouts, ShieldWall, Confusion, Charge, Valour, OneForTheDarkLord,
        CruelAsDeath, TheyAreTerrible, DreadAndDespair, FoulStench, BlackBreath, WordsOfPower, DurinsBane,
        DevilryOfOrthanc, DeadlyStrife, Onslaught, RelentlessAssault, GreatHost, Mumakil, SwarmOfBats,
        WeComeToKill, DesperateBattle,
    }
}

use CombatTitle::{
    AdvantageousPosition, Anduril, BlackBreath, BladeOfWesternesse, BraveStand, Charge, Confusion, CruelAsDeath,
    DaringDefiance, Daylight, DeadlyStrife, DesperateBattle, DevilryOfOrthanc, DreadAndDespair, DurinsBane, EntsRage,
    FatefulStrike, FoulStench, GreatHost, HeroicDeath, HuornDark, ItIsAGift, MightyAttack, Mumakil, NamelessWood,
    NoQuarter, OneForTheDarkLord, Onslaught, RelentlessAssault, Scouts, ServantOfTheSecretFire, ShieldWall,
    SuddenStrike, SwarmOfBats, TheyAreTerrible, Valour, WeComeToKill, WordsOfPower,
};

/// Every title with its printed name, those of the Free Peoples first.
const PRINTED: [(CombatTitle, &str); 38] = [
    (ItIsAGift, "It Is a Gift"),
    (BladeOfWesternesse, "Blade of Westernesse"),
    (MightyAttack, "Mighty Attack"),
    (ServantOfTheSecretFire, "Servant of the Secret Fire"),
    (Anduril, "Andúril"),
    (HeroicDeath, "Heroic Death"),
    (DaringDefiance, "Daring Defiance"),
    (FatefulStrike, "Fateful Strike"),
    (SuddenStrike, "Sudden Strike"),
    (BraveStand, "Brave Stand"),
    (EntsRage, "Ents' Rage"),
    (HuornDark, "Huorn-dark"),
    (NamelessWood, "Nameless Wood"),
    (Daylight, "Daylight"),
    (NoQuarter, "No Quarter"),
    (AdvantageousPosition, "Advantageous Position"),
    (Scouts, "Scouts"),
    (ShieldWall, "Shield-wall"),
    (Confusion, "Confusion"),
    (Charge, "Charge"),
    (Valour, "Valour"),
    (OneForTheDarkLord, "One for the Dark Lord"),
    (CruelAsDeath, "Cruel as Death"),
    (TheyAreTerrible, "They Are Terrible"),
    (DreadAndDespair, "Dread and Despair"),
    (FoulStench, "Foul Stench"),
    (BlackBreath, "Black Breath"),
    (WordsOfPower, "Words of Power"),
    (DurinsBane, "Durin's Bane"),
    (DevilryOfOrthanc, "Devilry of Orthanc"),
    (DeadlyStrife, "Deadly Strife"),
    (Onslaught, "Onslaught"),
    (RelentlessAssault, "Relentless Assault"),
    (GreatHost, "Great Host"),
    (Mumakil, "Mûmakil"),
    (SwarmOfBats, "Swarm of Bats"),
    (WeComeToKill, "We Come to Kill"),
    (DesperateBattle, "Desperate Battle"),
];

impl CombatTitle {
    /// Every title.
    pub fn all() -> impl Iterator<Item = CombatTitle> {
        PRINTED.into_iter().map(|(title, _)| title)
    }

    /// The printed name.
    pub fn title(self) -> &'static str {
        PRINTED[self as usize].1
    }

    /// The title with this printed name.
    pub fn of_title(title: &str) -> Option<CombatTitle> {
        PRINTED.into_iter().find(|(_, printed)| *printed == title).map(|(combat, _)| combat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Card;

    #[test]
    fn the_enum_is_the_printed_one() {
        for (place, title) in CombatTitle::all().enumerate() {
            assert_eq!(title as usize, place);
            assert!(Card::all().any(|card| card.combat() == title), "{} is printed", title.title());
        }
        let sides = |title| Card::all().filter(move |card| card.combat() == title).map(|card| card.deck().side);
        for title in CombatTitle::all() {
            let first = sides(title).next();
            assert!(sides(title).all(|side| Some(side) == first), "{} belongs to one side", title.title());
        }
    }
}
