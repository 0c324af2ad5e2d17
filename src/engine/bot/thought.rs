//! What a program thinks to gain by a sentence, told by what is public: the same for everybody who holds the log.

use super::future::future;
use crate::chance::Practice;
use crate::menu::Menu;
use crate::need::Need;
use crate::play::{Play, Rules};
use crate::slot::Faces;

/// So many ways in which dice and cards may fall are looked at.
const LOOKS: u64 = 16;

/// What is gained by a sentence said to the open question, compared with others that might have been said, in a
/// sentence of its own; nothing if the title tells nothing of it, or if the sentence cannot be read with these faces.
pub fn thought<R: Rules>(play: &Play<R>, sentence: &str, faces: &Faces) -> Option<String> {
    let Need::Question(question) = play.need() else { return None };
    let step = play.asked()?;
    let menu = |menu: &mut Menu<'_>| R::menu(play.board(), step, faces, menu);
    let (_, steps) = Menu::read(sentence, menu).ok()?;
    let after = |seed: u64, steps: Vec<R::Step>| future(play, steps, seed, faces, &|_| None).play.board().clone();
    let said: Vec<R::Board> = (0..LOOKS).map(|seed| after(seed, steps.clone())).collect();
    let others = (0..LOOKS).map(|seed| {
        let (_, steps) = Menu::roll(&mut Practice::new(seed), menu).ok()?;
        Some(after(seed, steps))
    });
    R::thought(play.board(), &said, &others.collect::<Option<Vec<R::Board>>>()?, question.seat)
}
