/*! News made ready for the page: what need not be told left out, heaps of small news drawn together.

In a set-up forty battalions are placed one by one. Each is an event; a reader wants one sentence.
*/

use crate::report::occasion::Happening;
use serde::Serialize;
use serde_json::Value;

/// One sentence of the news.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Telling {
    pub seq: u64,
    /// Whether it is the first of its entry.
    pub first: bool,
    /// Whether it only says more of the sentence before it: dice under an attack.
    pub deep: bool,
    /// `turn`, `roll`, `note`, `event`.
    pub kind: String,
    pub text: String,
}

/// A sentence being drawn together: how it begins, and its things with how often they came.
struct Heap<'a> {
    lead: &'a str,
    items: Vec<(&'a str, u32)>,
}

/// The sentences of the news, in order.
pub fn tellings(news: &[Happening]) -> Vec<Telling> {
    news.iter().flat_map(of_entry).collect()
}

fn of_entry(happening: &Happening) -> Vec<Telling> {
    let mut tellings: Vec<Telling> = Vec::new();
    let mut heaps: Vec<Heap<'_>> = Vec::new();
    let word = |news: &'_ Value, key: &str| news.get(key).and_then(Value::as_str).unwrap_or("").to_string();
    for news in &happening.told {
        if let (Some(lead), Some(item)) = (news.get("lead"), news.get("item")) {
            add(&mut heaps, lead.as_str().unwrap_or(""), item.as_str().unwrap_or(""));
            continue;
        }
        let text = word(news, "text");
        if !text.is_empty() {
            tell(&mut tellings, happening.seq, &mut heaps);
            tellings.push(Telling { seq: happening.seq, first: false, deep: false, kind: word(news, "kind"), text });
        }
    }
    tell(&mut tellings, happening.seq, &mut heaps);
    set_out(&mut tellings);
    tellings
}

fn add<'a>(heaps: &mut Vec<Heap<'a>>, lead: &'a str, item: &'a str) {
    let Some(heap) = heaps.iter_mut().find(|heap| heap.lead == lead) else {
        heaps.push(Heap { lead, items: vec![(item, 1)] });
        return;
    };
    match heap.items.iter_mut().find(|(known, _)| *known == item) {
        Some((_, times)) => *times += 1,
        None => heap.items.push((item, 1)),
    }
}

fn tell(tellings: &mut Vec<Telling>, seq: u64, heaps: &mut Vec<Heap<'_>>) {
    for heap in heaps.drain(..) {
        let item = |(item, times): &(&str, u32)| match times {
            1 => (*item).to_string(),
            _ => format!("{item} ({times})"),
        };
        let items: Vec<String> = heap.items.iter().map(item).collect();
        let text = format!("{} {}.", heap.lead, items.join(", "));
        tellings.push(Telling { seq, first: false, deep: false, kind: "note".to_string(), text });
    }
}

/// The number of an entry stands before its first sentence that is no headline; dice stand under what they were for.
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
        let news = Happening {
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
}
