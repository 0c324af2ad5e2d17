//! The players at the table (17.1 to 17.3): who sits there, and the Nations, Characters and marks of each.

use crate::character::Character;
use crate::nation::Nation;
use crate::side::Side;
use engine::seat::Seat;
use std::fmt;

/// A player. `Free` and `Shadow` play a whole side; the others share theirs with a team mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Player {
    Free,
    Shadow,
    Gondor,
    Rohan,
    WitchKing,
    Saruman,
}

/// Who sits at the table, by the number of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seating {
    Two,
    /// 17.3: one player of the Free Peoples, two of the Shadow.
    Three,
    /// 17.1.
    Four,
}

impl Player {
    /// Every player, in the order of the seats.
    pub const ALL: [Player; 6] =
        [Player::Free, Player::Shadow, Player::Gondor, Player::Rohan, Player::WitchKing, Player::Saruman];

    pub fn side(self) -> Side {
        match self {
            Player::Free | Player::Gondor | Player::Rohan => Side::Free,
            Player::Shadow | Player::WitchKing | Player::Saruman => Side::Shadow,
        }
    }

    /// The id of his seat.
    pub fn id(self) -> &'static str {
        match self {
            Player::Free => "free",
            Player::Shadow => "shadow",
            Player::Gondor => "gondor",
            Player::Rohan => "rohan",
            Player::WitchKing => "witch-king",
            Player::Saruman => "saruman",
        }
    }

    /// The player with this id.
    pub fn of_id(id: &str) -> Option<Player> {
        Player::ALL.into_iter().find(|player| player.id() == id)
    }

    /// How a sentence names him: `the Rohan player`.
    pub fn title(self) -> &'static str {
        match self {
            Player::Free => "the Free Peoples",
            Player::Shadow => "the Shadow",
            Player::Gondor => "the Gondor player",
            Player::Rohan => "the Rohan player",
            Player::WitchKing => "the Witch-king player",
            Player::Saruman => "the Saruman player",
        }
    }

    /// 17.1, 17.3: the Nations that he plays.
    pub fn nations(self) -> &'static [Nation] {
        match self {
            Player::Free => Nation::of(Side::Free),
            Player::Shadow => Nation::of(Side::Shadow),
            Player::Gondor => &[Nation::Elves, Nation::Gondor],
            Player::Rohan => &[Nation::Dwarves, Nation::North, Nation::Rohan],
            Player::WitchKing => &[Nation::Sauron],
            Player::Saruman => &[Nation::Isengard, Nation::Southrons],
        }
    }

    pub fn plays(self, nation: Nation) -> bool {
        self.nations().contains(&nation)
    }

    /// 17.1, 17.2: whether the Character is his. Companions belong to both players of a team.
    pub fn has(self, character: Character) -> bool {
        let alone = match character {
            Character::Saruman => Player::Saruman,
            Character::WitchKing | Character::MouthOfSauron => Player::WitchKing,
            _ => return self.side() == Side::Free,
        };
        self == alone || self == Player::Shadow
    }

    /// His place in his team, from 0: Gondor and the Witch-king come first.
    pub fn place(self) -> usize {
        usize::from(matches!(self, Player::Rohan | Player::Saruman))
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Seating {
    pub const ALL: [Seating; 3] = [Seating::Two, Seating::Three, Seating::Four];

    /// The players in the order of their seats.
    pub fn players(self) -> &'static [Player] {
        match self {
            Seating::Two => &[Player::Free, Player::Shadow],
            Seating::Three => &[Player::Free, Player::WitchKing, Player::Saruman],
            Seating::Four => &[Player::Gondor, Player::Rohan, Player::WitchKing, Player::Saruman],
        }
    }

    /// The seating for a number of players.
    pub fn for_players(number: usize) -> Option<Seating> {
        Seating::ALL.into_iter().find(|seating| seating.players().len() == number)
    }

    /// The players of a side.
    pub fn team(self, side: Side) -> &'static [Player] {
        match (self, side) {
            (Seating::Two | Seating::Three, Side::Free) => &[Player::Free],
            (Seating::Two, Side::Shadow) => &[Player::Shadow],
            (Seating::Three | Seating::Four, Side::Shadow) => &[Player::WitchKing, Player::Saruman],
            (Seating::Four, Side::Free) => &[Player::Gondor, Player::Rohan],
        }
    }

    /// Whether two players share the side.
    pub fn is_shared(self, side: Side) -> bool {
        self.team(side).len() > 1
    }

    /// The player at this table who has this player's part of a side (the mark of a card, a Nation): himself, or
    /// whoever plays the side alone.
    pub fn in_place_of(self, part: Player) -> Player {
        let team = self.team(part.side());
        team.iter().copied().find(|player| *player == part).unwrap_or(team[0])
    }

    /// The player of a Nation.
    pub fn holder(self, nation: Nation) -> Player {
        let team = self.team(nation.side());
        team.iter().copied().find(|player| player.plays(nation)).expect("every Nation has a player")
    }

    /// The other player of his team, or himself if he plays his side alone.
    pub fn mate(self, player: Player) -> Player {
        let team = self.team(player.side());
        team.iter().copied().find(|other| *other != player).unwrap_or(player)
    }

    /// The seat of a player.
    ///
    /// # Panics
    /// If he does not sit at this table.
    pub fn seat(self, player: Player) -> Seat {
        Seat::at(self.players().iter().position(|seated| *seated == player).expect("he sits at this table"))
    }

    /// The player on a seat.
    pub fn player(self, seat: Seat) -> Option<Player> {
        self.players().get((seat.0 as usize).checked_sub(1)?).copied()
    }
}
