/*! News made ready for the page: we leave out what nobody needs to read, and draw many small news together.

In a set-up forty battalions are placed one by one. Each is an event; a reader wants one sentence.
*/

use crate::occasion::EntryNews;
use serde::Serialize;
use serde_json::Value;

/// One sentence of the news.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Telling {
    pub seq: u64,
    /// Whether it is the first of its entry.
    pub first: bool,
    /// Whether it only details the sentence before it: dice under an attack.
    pub deep: bool,
    /// `turn`, `roll`, `note`, `event`.
    pub kind: String,
    pub text: String,
}

/// A sentence drawn together from several: how it begins, and its things, each with how often it came.
struct Heap<'a> {
    lead: &'a str,
    items: Vec<Item<'a>>,
}

/// A thing of a heap.
struct Item<'a> {
    one: &'a str,
    /// The plural that is used for several: `3 Isengard Regulars`.
    many: Option<&'a str>,
    times: u32,
}

/// The sentences of the news, in order.
pub fn tellings(news: &[EntryNews]) -> Vec<Telling> {
    news.iter().flat_map(of_entry).collect()
}

fn of_entry(entry: &EntryNews) -> Vec<Telling> {
    let mut tellings: Vec<Telling> = Vec::new();
    let mut heaps: Vec<Heap<'_>> = Vec::new();
    let word = |news: &'_ Value, key: &str| news.get(key).and_then(Value::as_str).unwrap_or("").to_string();
    for news in &entry.told {
        if let (Some(lead), Some(item)) = (news.get("lead"), news.get("item")) {
            let many = news.get("items").and_then(Value::as_str);
            add(&mut heaps, lead.as_str().unwrap_or(""), item.as_str().unwrap_or(""), many);
            continue;
        }
        let text = word(news, "text");
        if !text.is_empty() {
            tell(&mut tellings, entry.seq, &mut heaps);
            tellings.push(Telling { seq: entry.seq, first: false, deep: false, kind: word(news, "kind"), text });
        }
    }
    tell(&mut tellings, entry.seq, &mut heaps);
    set_out(&mut tellings);
    tellings
}

fn add<'a>(heaps: &mut Vec<Heap<'a>>, lead: &'a str, one: &'a str, many: Option<&'a str>) {
    let item = Item { one, many, times: 1 };
    let Some(heap) = heaps.iter_mut().find(|heap| heap.lead == lead) else {
        heaps.push(Heap { lead, items: vec![item] });
        return;
    };
    match heap.items.iter_mut().find(|known| known.one == one) {
        Some(known) => known.times += 1,
        None => heap.items.push(item),
    }
}

fn tell(tellings: &mut Vec<Telling>, seq: u64, heaps: &mut Vec<Heap<'_>>) {
    for heap in heaps.drain(..) {
        let item = |item: &Item<'_>| match (item.times, item.many) {
            (1, _) => item.one.to_string(),
            (times, Some(many)) => format!("{times} {many}"),
            (times, None) => format!("{} ({times})", item.one),
        };
        let items: Vec<String> = heap.items.iter().map(item).collect();
        let text = format!("{} {}.", heap.lead, items.join(", "));
        tellings.push(Telling { seq, first: false, deep: false, kind: "note".to_string(), text });
    }
}

/// The number of an entry is printed before its first sentence that is not a headline; dice are indented below what
/// they were rolled for.
fn set_out(tellings: &mut [Telling]) {
    if let Some(first) = tellings.iter_mut().find(|telling| telling.kind != "turn") {
        first.first = true;
    }
    for index in 1..tellings.len() {
        let follows = tellings[index - 1].deep || tellings[index - 1].kind == "event";
        tellings[index].deep = follows && tellings[index].kind == "roll";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn heaps_are_drawn_together() {
        let placed = |seat: &str, item: &str| json!({"kind": "note", "text": "x", "lead": seat, "item": item});
        let news = EntryNews {
            seq: 7,
            told: vec![
                json!({"kind": "turn", "text": "Turn 1: Red"}),
                placed("Yellow placed", "Bree"),
                placed("Red placed", "Umbar"),
                placed("Yellow placed", "Bree"),
                placed("Yellow placed", "Moria"),
                json!(null),
                json!({"kind": "event", "text": ""}),
                json!({"kind": "roll", "text": "Attack 6."}),
            ],
        };
        let tellings = tellings(&[news]);
        let texts: Vec<&str> = tellings.iter().map(|telling| telling.text.as_str()).collect();
        assert_eq!(texts, ["Turn 1: Red", "Yellow placed Bree (2), Moria.", "Red placed Umbar.", "Attack 6."]);
        assert_eq!(tellings.iter().position(|telling| telling.first), Some(1));
    }

    #[test]
    fn like_things_are_counted() {
        let lost = |one: &str, many: &str| json!({"text": "x", "lead": "The Shadow lost", "item": one, "items": many});
        let regular = || lost("1 Isengard Regular", "Isengard Regulars");
        let told = vec![regular(), lost("1 Isengard Elite", "Isengard Elites"), regular(), regular()];
        let tellings = tellings(&[EntryNews { seq: 7, told }]);
        let texts: Vec<&str> = tellings.iter().map(|telling| telling.text.as_str()).collect();
        assert_eq!(texts, ["The Shadow lost 3 Isengard Regulars, 1 Isengard Elite."]);
    }
}
