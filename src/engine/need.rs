/*! What a game waits for: an answer of exactly one seat, chance, a deck to be masked, a slot to be shown.

Chance is asked for like an answer: the rules never see a generator. The dealer of a game answers draws from the
committed dice, masks and shows from the labels that only he knows; a reader who folds a log answers them from the log.
*/

use crate::engine::seat::Seat;
use crate::engine::slot::{Card, Deck, Slot};

/// What stops the game until it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    Question(Question),
    Draw(Draw),
    Mask(Mask),
    Show(Show),
    /// The game is over: nothing will ever be asked again.
    Over,
}

/// Something asked of one seat. Its menu says what may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub seat: Seat,
    /// What is asked for, as standing orders name it: `reinforcements`, `violent-storms`.
    pub id: &'static str,
}

/// An open draw: everybody sees what came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draw {
    /// `count` dice of `sides` sides each.
    Dice { label: &'static str, sides: u32, count: u32 },
    /// One of the positions left in a masked deck, each as likely as any other. `left` ascends.
    Slot { deck: Deck, epoch: u8, left: Vec<u16> },
    /// An order of `count` things that everybody can name.
    Shuffle { label: &'static str, count: u16 },
}

/// A deck is to be masked anew over exactly the cards that go in.
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

/// The slot is shown if its card is one of `among`; otherwise nothing is said, and that is a claim about the card.
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
    /// The position drawn, one of `left`.
    Position(u16),
    /// The order: `order[i]` is which of the things comes at place i.
    Order(Vec<u16>),
    /// The mask has been laid; its slots are 0 up to the number of cards that went in.
    Masked,
    /// The card shown, or nothing: then the card is none of those asked for.
    Shown(Option<Card>),
}

/// Why an answer does not fit the need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The game does not wait for an answer of this kind.
    Kind { waits_for: &'static str },
    /// As many values as these were needed.
    Count { needed: u32, given: u32 },
    /// The value cannot come out of this draw.
    Value { value: u32 },
    /// The card shown is none of those asked for.
    Card { card: Card },
}

impl Need {
    /// What the game waits for, in a word.
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

    /// Whether the answer fits.
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
            (Need::Draw(Draw::Slot { left, .. }), Answer::Position(position)) => match left.binary_search(position) {
                Ok(_) => Ok(()),
                Err(_) => Err(Misfit::Value { value: u32::from(*position) }),
            },
            (Need::Draw(Draw::Shuffle { count, .. }), Answer::Order(order)) => fits_shuffle(*count, order),
            (Need::Mask(_), Answer::Masked) => Ok(()),
            (Need::Show(_), Answer::Shown(None)) => Ok(()),
            (Need::Show(show), Answer::Shown(Some(card))) => {
                if show.among.contains(card) {
                    Ok(())
                } else {
                    Err(Misfit::Card { card: *card })
                }
            }
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
