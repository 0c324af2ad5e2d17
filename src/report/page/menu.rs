//! What a seat may say at the end of a log, for the script of a page, with which a reader composes a sentence by
//! touching.

use crate::letter::tag_of;
use crate::occasion::known_to;
use crate::page::Readers;
use engine::chart::Chart;
use engine::menu::tree::{Node, Tree, Way};
use record::fold::Fold;
use serde_json::{Map, Value, json};

/// The question that is open after the last record, and the answers to it, as far as the readers of the page know the
/// hand of the asked seat. `None` if nobody is asked. `to` is the address for answers.
pub fn asked(fold: &Fold, readers: &Readers, to: Option<&str>) -> Option<Value> {
    let waits = fold.paused().is_some() || fold.adoption().is_some();
    let question = fold.asked().filter(|_| !waits)?;
    let plan = fold.plan();
    let word = plan.word(question.seat);
    let is_read_by_it = *readers == Readers::Seat(word.to_owned());
    let faces = known_to(is_read_by_it.then_some(question.seat), fold.game(), fold.faces());
    let tree = fold.game().tree(&faces)?;
    let hides = !is_read_by_it && !fold.game().hand(question.seat).is_empty();
    let what = plan.title.questions.iter().find(|asked| asked.id == question.id).map_or("", |asked| asked.help);
    Some(json!({
        "seat": word, "question": question.id, "what": what, "hides": hides, "subject": format!("Re: {}", tag_of(fold)),
        "to": to, "menu": menu(&tree, (plan.title.texts.chart)()?),
    }))
}

/// The tree of a menu as data. A node tells whether a sentence may end there, and its ways, each with the number of
/// the node behind it. A way is the number of a word, or `[kind, …]`: `number` with the least and the greatest,
/// `split` and `several` with a count and the words. Every sentence begins at the last node. `places` has the place
/// of the map that a word names.
pub fn menu(tree: &Tree, chart: &Chart) -> Value {
    let way = |way: &Way| match way {
        Way::Word(word) => json!(word),
        Way::Number { least, most } => json!(["number", least, most]),
        Way::Split { total, names } => json!(["split", total, names]),
        Way::Several { most, names } => json!(["several", most, names]),
    };
    let node = |node: &Node| {
        let ways: Vec<Value> = node.ways.iter().map(|(words, next)| json!([way(words), next])).collect();
        json!([u8::from(node.ends), ways])
    };
    let nodes: Vec<Value> = tree.nodes.iter().map(node).collect();
    let place = |word: &String| chart.places.iter().position(|place| place.name.id() == word);
    let named = tree.words.iter().enumerate().filter_map(|(word, text)| Some((word.to_string(), json!(place(text)?))));
    let places: Map<String, Value> = named.collect();
    json!({ "words": tree.words, "nodes": nodes, "places": places, "whole": tree.is_whole })
}
