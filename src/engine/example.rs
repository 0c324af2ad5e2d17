//! A sentence that may be said now, as like as possible to one that could not be played.

use crate::engine::chance::Practice;
use crate::engine::need::Need;
use crate::engine::slot::Faces;
use crate::engine::title::Game;

/// How many sentences are rolled, of which the most similar is taken.
const TRIES: usize = 200;

/// A sentence that the asked seat may say now, in words as near as possible to `like`; nothing if no seat is asked.
/// `faces` must be what the seat knows. The same game and words give the same sentence.
pub fn like(game: &dyn Game, like: &str, faces: &Faces) -> Option<String> {
    if !matches!(game.need(), Need::Question(_)) {
        return None;
    }
    let mut chance = Practice::new(0);
    let mut best: Option<(usize, String)> = None;
    for _ in 0..TRIES {
        let said = game.copy().say_anything(&mut chance, faces).sentence;
        let likeness = likeness(&said, like);
        if best.as_ref().is_none_or(|(most, _)| likeness > *most) {
            best = Some((likeness, said));
        }
    }
    best.map(|(_, said)| said)
}

/// How much of two sentences is the same words, in thousandths. A first word that is the same counts twice.
fn likeness(said: &str, like: &str) -> usize {
    let (said, mut like) = (words(said), words(like));
    let count = said.len() + like.len();
    let verb = usize::from(said.first() == like.first());
    let same = said
        .iter()
        .filter(|word| like.iter().position(|other| other == *word).map(|at| like.swap_remove(at)).is_some());
    (same.count() + verb) * 2000 / count.max(1)
}

fn words(sentence: &str) -> Vec<String> {
    let words = sentence.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_more_words_is_more_like() {
        let meant = "atack moria from lorien with all";
        assert!(likeness("attack moria from lorien", meant) > likeness("attack bree from angmar", meant));
        assert!(likeness("attack moria from lorien", meant) > likeness("done", meant));
        assert!(likeness("move all bree to the-shire", "move bree") > likeness("attack bree", "move bree"));
        assert_eq!(likeness("", ""), 2000);
    }
}
