//! Writes out the sentences that a line of a listed menu stands for, if they are few.

use crate::menu::Offer;

/// The most lines of a menu that are written out.
pub const LINES: usize = 16;
/// The most sentences of one line.
const SENTENCES: usize = 16;

/// Some of the sentences that a line stands for: with every name for its nouns, with the least and the greatest of
/// its numbers, and without its optional parts. The menu may refuse some of them.
pub fn sentences(offer: &Offer) -> Vec<String> {
    let mut sentences = vec![without_options(&offer.sentence)];
    for (noun, names) in &offer.nouns {
        let mark = format!("<{noun}>");
        let with = |line: &String| -> Vec<String> {
            if line.contains(&mark) {
                names.iter().map(|name| line.replacen(&mark, name, 1)).collect()
            } else {
                vec![line.clone()]
            }
        };
        sentences = sentences.iter().flat_map(with).take(SENTENCES).collect();
    }
    sentences.iter().flat_map(|line| with_numbers(line)).take(SENTENCES).collect()
}

/// Without the parts in brackets and without `, …`, the mark of a list that may go on.
fn without_options(line: &str) -> String {
    let mut left = String::with_capacity(line.len());
    let mut depth = 0_u32;
    for letter in line.replace(", …", "").chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => left.push(letter),
            _ => {}
        }
    }
    left
}

/// A line with `<1-3>` becomes two: one with 3, one with 1.
fn with_numbers(line: &str) -> Vec<String> {
    let range = line.split('<').skip(1).find_map(|rest| {
        let (inside, _) = rest.split_once('>')?;
        let (least, most) = inside.split_once('-')?;
        (least.parse::<u32>().is_ok() && most.parse::<u32>().is_ok()).then_some((inside, least, most))
    });
    match range {
        Some((inside, least, most)) => {
            let mark = format!("<{inside}>");
            [most, least].map(|number| line.replace(&mark, number)).to_vec()
        }
        None => vec![line.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(line: &str, nouns: &[(&str, &[&str])], expected: &[&str]) {
        let names = |(noun, names): &(&str, &[&str])| {
            ((*noun).to_string(), names.iter().map(|name| (*name).to_string()).collect())
        };
        let nouns = nouns.iter().map(names).collect();
        let offer = Offer { sentence: line.to_string(), nouns, chosen: Vec::new() };
        assert_eq!(sentences(&offer), expected);
    }

    #[test]
    fn a_line_stands_for_each_name_and_the_ends_of_a_number() {
        case("no card", &[], &["no card"]);
        case("choose <nation>", &[("nation", &["rohan", "elves"])], &["choose rohan", "choose elves"]);
        case("take <0-2> hits", &[], &["take 2 hits", "take 0 hits"]);
        case("go to <region>[ with <1-3>], …", &[("region", &["bree"])], &["go to bree"]);
    }
}
