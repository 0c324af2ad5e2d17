/*! What a game waits for: an answer of exactly one seat, chance, a deck to be masked, a slot to be shown.

Chance is asked for like an answer: the rules never see a generator. The host's program answers draws with the
committed dice, and masks and shows with the faces that only the host knows; a reader who folds a log answers all of
them from the log.
*/

use crate::seat::Seat;
use crate::slot::{Card, Deck, Slot};

/// What the game waits for before it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    Question(Question),
    Draw(Draw),
    Mask(Mask),
    Show(Show),
    /// The game is over: nothing will ever be asked again.
    Over,
}

/// Something asked of one seat. Its menu defines the possible answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub seat: Seat,
    /// What is asked for, as standing orders name it: `reinforcements`, `violent-storms`.
    pub id: &'static str,
}

/// An open draw: everybody sees the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draw {
    /// `count` dice of `sides` sides each.
    Dice { label: &'static str, sides: u32, count: u32 },
    /// One of the positions left in a masked deck, each as likely as any other. `left` is ascending.
    Slot { deck: Deck, epoch: u8, left: Vec<u16> },
    /// A random order of `count` things that are known to everybody.
    Shuffle { label: &'static str, count: u16 },
}

/// A deck is to be masked again, over exactly the cards of `goes_in`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    pub deck: Deck,
    /// The number of the new epoch.
    pub epoch: u8,
    pub goes_in: Vec<Back>,
}

/// A card that goes into a mask: known to all, or still face down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Back {
    Known(Card),
    Slot(Slot),
}

/// The slot must be shown if its card is one of `among`. Not showing it claims that its card is none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Show {
    pub slot: Slot,
    pub among: Vec<Card>,
}

/// The answer to a need other than a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The faces of the dice, from 1, in the order they fell.
    Dice(Vec<u32>),
    /// The position drawn, out of `left`.
    Position(u16),
    /// The order: `order[i]` is the number of the thing at place `i`.
    Order(Vec<u16>),
    /// The mask has been laid; its slots are numbered from 0, one for each card that it covers.
    Masked,
    /// The card shown; `None` if it is none of those asked for.
    Shown(Option<Card>),
}

/// Why an answer does not fit the need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The game does not wait for an answer of this kind.
    Kind { waits_for: &'static str },
    /// The draw needs exactly `needed` values.
    Count { needed: u32, given: u32 },
    /// The draw cannot result in this value.
    Value { value: u32 },
    /// The card shown is none of those asked for.
    Card { card: Card },
}

impl Need {
    /// What the game waits for, in a few words.
    pub fn kind(&self) -> &'static str {
        match self {
            Need::Question(_) => "an answer",
            Need::Draw(Draw::Dice { .. }) => "dice",
            Need::Draw(Draw::Slot { .. }) => "a card drawn",
            Need::Draw(Draw::Shuffle { .. }) => "a shuffle",
            Need::Mask(_) => "a deck masked",
            Need::Show(_) => "a card shown or not",
            Need::Over => "nothing: the game is over",
        }
    }

    /// Checks the answer against the need.
    pub fn fits(&self, answer: &Answer) -> Result<(), Misfit> {
        match (self, answer) {
            (Need::Draw(Draw::Dice { sides, count, .. }), Answer::Dice(faces)) => {
                let given = u32::try_from(faces.len()).unwrap_or(u32::MAX);
                if given != *count {
                    return Err(Misfit::Count { needed: *count, given });
                }
                faces
                    .iter()
                    .find(|face| **face < 1 || **face > *sides)
                    .map_or(Ok(()), |face| Err(Misfit::Value { value: *face }))
            }
            (Need::Draw(Draw::Slot { left, .. }), Answer::Position(position)) => {
                left.binary_search(position).map(|_| ()).map_err(|_| Misfit::Value { value: u32::from(*position) })
            }
            (Need::Draw(Draw::Shuffle { count, .. }), Answer::Order(order)) => fits_shuffle(*count, order),
            (Need::Mask(_), Answer::Masked) => Ok(()),
            (Need::Show(show), Answer::Shown(Some(card))) if !show.among.contains(card) => {
                Err(Misfit::Card { card: *card })
            }
            (Need::Show(_), Answer::Shown(_)) => Ok(()),
            _ => Err(Misfit::Kind { waits_for: self.kind() }),
        }
    }
}

fn fits_shuffle(count: u16, order: &[u16]) -> Result<(), Misfit> {
    let given = u32::try_from(order.len()).unwrap_or(u32::MAX);
    if given != u32::from(count) {
        return Err(Misfit::Count { needed: u32::from(count), given });
    }
    let mut seen = vec![false; usize::from(count)];
    for place in order {
        match seen.get_mut(usize::from(*place)) {
            Some(seen) if !*seen => *seen = true,
            _ => {
                return Err(Misfit::Value { value: u32::from(*place) });
            }
        }
    }
    Ok(())
}
