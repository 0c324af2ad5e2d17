//! The dealer of the walk: he answers what the game needs besides sentences, and tells what he answered.

use engine::chance::{Chance, Practice, drawn, shuffled};
use engine::need::{Answer, Back, Mask, Need};
use engine::practice::Table;
use engine::slot::{Card, Slot};

/// Answers every need up to the next question or the end of the game.
pub fn deal(table: &mut Table, chance: &mut Practice) -> Vec<(Need, Answer)> {
    let mut dealt = Vec::new();
    loop {
        let need = table.game.need();
        let answer = match &need {
            Need::Question(_) | Need::Over => return dealt,
            Need::Draw(draw) => drawn(draw, chance),
            Need::Mask(mask) => masked(table, mask, chance),
            Need::Show(show) => {
                let card = table.faces.get(show.slot).expect("the dealer knows every slot");
                Answer::Shown(show.among.contains(&card).then_some(card))
            }
        };
        table.game.answer(answer.clone()).expect("the dealer answers what is needed");
        dealt.push((need, answer));
    }
}

/// Lays the cards face down in a random order.
fn masked(table: &mut Table, mask: &Mask, chance: &mut dyn Chance) -> Answer {
    let card = |back: &Back| match back {
        Back::Known(card) => *card,
        Back::Slot(slot) => table.faces.get(*slot).expect("the dealer knows every slot"),
    };
    let cards: Vec<Card> = mask.goes_in.iter().map(card).collect();
    let order = shuffled(u16::try_from(cards.len()).expect("a deck"), chance);
    for (position, card) in order.into_iter().enumerate() {
        let position = u16::try_from(position).expect("no more positions than cards");
        table.faces.learn(Slot { deck: mask.deck, epoch: mask.epoch, position }, cards[usize::from(card)]);
    }
    Answer::Masked
}
