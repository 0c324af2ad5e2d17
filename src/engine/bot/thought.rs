//! What a program hopes to gain by a sentence, said from public facts only: the same for every reader of the log.

use super::future::future;
use crate::bot::judgement::Judgement;
use crate::chance::Practice;
use crate::menu::Menu;
use crate::need::Need;
use crate::play::Play;
use crate::slot::Faces;

/// The random futures of an answer that are compared.
const LOOKS: u64 = 16;

/// What an answer to the open question gains compared with other possible answers, in one sentence for people. `None`
/// if the title has nothing to say about it, or if the sentence cannot be read with these faces.
pub fn thought<R: Judgement>(play: &Play<R>, sentence: &str, faces: &Faces) -> Option<String> {
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
