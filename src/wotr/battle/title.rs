//! What each Combat title requires of the battle (9.17).

use crate::battle::fought;
use crate::board::Board;
use crate::board::battle::Kind;
use crate::character::Character;
use crate::combat_title::CombatTitle;
use crate::figures::{Figure, Figures};
use crate::nation::Nation;
use crate::region::Region;
use crate::region::named::{FANGORN, MORIA, ORTHANC};
use crate::side::Side;
use crate::switches::Choice;
use engine::refusal::{Allowed, allowed_if};

use CombatTitle::{
    AdvantageousPosition, Anduril, BlackBreath, BladeOfWesternesse, BraveStand, Charge, Confusion, CruelAsDeath,
    DaringDefiance, Daylight, DeadlyStrife, DesperateBattle, DevilryOfOrthanc, DreadAndDespair, DurinsBane, EntsRage,
    FatefulStrike, FoulStench, GreatHost, HeroicDeath, HuornDark, ItIsAGift, MightyAttack, Mumakil, NamelessWood,
    NoQuarter, OneForTheDarkLord, Onslaught, RelentlessAssault, Scouts, ServantOfTheSecretFire, ShieldWall,
    SuddenStrike, SwarmOfBats, TheyAreTerrible, Valour, WeComeToKill, WordsOfPower,
};

/// The greatest distance between Moria and a battle with Durin's Bane.
const BALROG_RANGE: u8 = 2;

impl CombatTitle {
    /// 9.17: whether its requirement is met in the battle being fought.
    pub fn requires(self, board: &Board) -> Allowed {
        let lacks = self.lacks(board);
        allowed_if(lacks.is_none(), "9.17", || format!("{}: {}", self.title(), lacks.unwrap_or_default()))
    }

    /// 9.17: the requirement that the battle does not meet, if there is one. "In the battle" means the attacking part
    /// and the defending force; the region is that of the defender (9.10).
    pub fn lacks(self, board: &Board) -> Option<&'static str> {
        let battle = fought(board);
        let (free, shadow) = (|| board.fighters(Side::Free), || board.fighters(Side::Shadow));
        let (met, why) = match self {
            // Never met on the Mordor Track, where the Fellowship is in no region.
            ItIsAGift | OneForTheDarkLord => (
                board.company().region() == Some(battle.region),
                "the Ring-bearers are not in the region of the battle",
            ),
            BladeOfWesternesse => (
                free().has(Character::Meriadoc) || free().has(Character::Peregrin),
                "neither Meriadoc nor Peregrin is in the battle",
            ),
            MightyAttack | DaringDefiance | BraveStand => {
                (free().has_characters(Side::Free), "no Companion is in the battle")
            }
            ServantOfTheSecretFire => (
                free().has(Character::GandalfTheGrey) || free().has(Character::GandalfTheWhite),
                "Gandalf is not in the battle",
            ),
            Anduril => (heir(&free()).is_some(), "neither Strider nor Aragorn is in the battle"),
            HeroicDeath | FatefulStrike | SuddenStrike => (
                free().leaders() > 0 || free().has_characters(Side::Free),
                "neither a Leader nor a Companion is in the battle",
            ),
            EntsRage | HuornDark | NamelessWood => {
                (is_near_the_ents(battle.region), "the battle is neither in Rohan nor in Fangorn nor at Orthanc")
            }
            AdvantageousPosition => (
                battle.region.nation().is_some_and(|nation| nation.side() == Side::Free),
                "the battle is in no region of a Nation of the Free Peoples",
            ),
            Scouts => (
                battle.defender() == Side::Free && battle.kind != Kind::Siege,
                "the Free Peoples do not defend in the open",
            ),
            Charge | Valour => (free().elites(Side::Free) > 0, "no Elite of the Free Peoples is in the battle"),
            CruelAsDeath => (board.nazgul_leadership() >= 2, "the Nazgûl in the battle have less than 2 Leadership"),
            TheyAreTerrible | DreadAndDespair | FoulStench => {
                (board.nazgul_leadership() >= 1, "no Nazgûl Leadership is in the battle")
            }
            BlackBreath | WordsOfPower => (shadow().nazgul_and_witch_king() > 0, "no Nazgûl is in the battle"),
            DurinsBane => {
                (battle.region.distance(MORIA) <= BALROG_RANGE, "the battle is more than two regions away from Moria")
            }
            // C6.17: only a siege battle, not a sortie.
            DevilryOfOrthanc if board.switches().is_default(Choice::DevilryOfOrthanc) => (
                battle.kind == Kind::Siege && shadow().units_of(Nation::Isengard) > 0,
                "this is no siege battle with a unit of Isengard",
            ),
            // 19.46: with `combat.devilry_of_orthanc = stronghold` every battle where a Stronghold stands.
            DevilryOfOrthanc => (
                battle.region.is_stronghold() && shadow().units_of(Nation::Isengard) > 0,
                "this is no battle at a Stronghold with a unit of Isengard",
            ),
            Mumakil => {
                (shadow().count(Figure::Elite(Nation::Southrons)) > 0, "no Elite of the Southrons is in the battle")
            }
            WeComeToKill => (shadow().elites(Side::Shadow) > 0, "no Elite of the Shadow is in the battle"),
            Daylight | NoQuarter | ShieldWall | Confusion | DeadlyStrife | Onslaught | RelentlessAssault
            | GreatHost | SwarmOfBats | DesperateBattle => (true, ""),
        };
        (!met).then_some(why)
    }
}

/// Strider, or Aragorn, who replaces him.
pub fn heir(figures: &Figures) -> Option<Character> {
    [Character::Strider, Character::Aragorn].into_iter().find(|heir| figures.has(*heir))
}

fn is_near_the_ents(region: Region) -> bool {
    region.nation() == Some(Nation::Rohan) || region == FANGORN || region == ORTHANC
}
