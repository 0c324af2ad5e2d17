//! What templates can do to a text besides printing it: fold, pad, count, list.

use crate::columns::{self, Fold};
use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, ErrorKind};

/// Adds all our filters to the environment.
pub fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("fold", fold);
    environment.add_filter("left", |text: String, columns: usize| columns::left(&text, columns));
    environment.add_filter("right", |text: String, columns: usize| columns::right(&text, columns));
    environment.add_filter("cut", |text: String, columns: usize| columns::cut(&text, columns));
    environment
        .add_filter("beside", |first: String, second: String, column: usize| columns::beside(&first, &second, column));
    environment.add_filter("hang", hang);
    // A page sets these apart; in a letter they are lines like any other.
    for plain in ["heading", "label", "paragraph", "exact", "table"] {
        environment.add_filter(plain, |text: Value| text);
    }
    environment.add_filter("row", row);
    environment.add_filter("sentence", sentence);
    environment.add_filter("request", request);
    environment.add_filter("indent_by", indent_by);
    environment.add_filter("plural", plural);
    environment.add_filter("listed", listed);
    environment.add_filter("begin", begin);
    environment.add_filter("rule", rule);
    environment.add_filter("of_seat", of_seat);
}

/// `text | fold(first="  #51  ", rest="       ", columns=72, goes_on="")`: the paragraph folded into lines. Without
/// `rest` the later lines begin under the text of the first.
fn fold(text: String, options: Kwargs) -> Result<String, Error> {
    let first: Option<String> = options.get("first")?;
    let rest: Option<String> = options.get("rest")?;
    let columns: Option<usize> = options.get("columns")?;
    let goes_on: Option<String> = options.get("goes_on")?;
    options.assert_all_used()?;
    let first = first.unwrap_or_default();
    let rest = rest.unwrap_or_else(|| " ".repeat(columns::width(&first)));
    let columns = columns.unwrap_or(columns::LETTER);
    let goes_on = goes_on.unwrap_or_default();
    Ok(columns::fold(&text, Fold { columns, first: &first, rest: &rest, goes_on: &goes_on }))
}

/// `text | hang(72)`: the paragraph folded, its later lines two columns further in.
fn hang(text: String, columns: usize) -> String {
    columns::fold(&text, Fold { columns, first: "", rest: "  ", goes_on: "" })
}

/// `line | sentence(72)`: a sentence of a menu, folded so that it can be copied.
fn sentence(text: String, columns: usize) -> String {
    columns::fold_sentence(&text, columns, "  ", "      ")
}

/// `line | request(72)`: a request at the left margin, folded so that it can be copied.
fn request(text: String, columns: usize) -> String {
    columns::fold_sentence(&text, columns, "", "    ")
}

/// `["The Shire", 3] | row([17, -3])`: one line of a table, each thing padded to its width; on the left if the
/// width is negative.
fn row(things: Vec<Value>, widths: Vec<i64>, options: Kwargs) -> Result<String, Error> {
    let _: Option<bool> = options.get("head")?;
    options.assert_all_used()?;
    let mut line = String::new();
    for (thing, columns) in things.iter().zip(widths) {
        let text = thing.as_str().map_or_else(|| thing.to_string(), str::to_string);
        let fill = usize::try_from(columns.unsigned_abs()).unwrap_or(0).saturating_sub(columns::width(&text));
        if columns < 0 {
            line.extend(std::iter::repeat_n(' ', fill));
        }
        line.push_str(&text);
        if columns > 0 {
            line.extend(std::iter::repeat_n(' ', fill));
        }
    }
    Ok(line)
}

/// Every line of a block moved to the right.
fn indent_by(text: String, blanks: usize) -> String {
    let moved = |line: &str| if line.is_empty() { String::new() } else { format!("{}{line}", " ".repeat(blanks)) };
    text.lines().map(moved).collect::<Vec<_>>().join("\n")
}

/// `count | plural("battalion")`: `1 battalion`, `2 battalions`; an irregular plural is the second argument.
fn plural(count: i64, one: String, many: Option<String>) -> String {
    match (count, many) {
        (1 | -1, _) => format!("{count} {one}"),
        (_, Some(many)) => format!("{count} {many}"),
        (_, None) => format!("{count} {one}s"),
    }
}

/// `["a", "b", "c"] | listed`: `a, b and c`; another last word is the argument.
fn listed(things: Vec<Value>, last_word: Option<String>) -> String {
    let words: Vec<String> = things.iter().map(Value::to_string).collect();
    match words.as_slice() {
        [] => "nobody".to_string(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} {} {last}", most.join(", "), last_word.as_deref().unwrap_or("and")),
    }
}

/// The text with a capital letter.
fn begin(text: String) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `"-" | rule(72, " order form ")`: a line across the page, perhaps with words in its middle.
fn rule(stroke: String, columns: usize, words: Option<String>) -> Result<String, Error> {
    if columns::width(&stroke) != 1 {
        return Err(Error::new(ErrorKind::InvalidOperation, "a rule is drawn with one character"));
    }
    let words = words.unwrap_or_default();
    let strokes = columns.saturating_sub(columns::width(&words));
    let before = strokes / 2;
    Ok(format!("{}{words}{}", stroke.repeat(before), stroke.repeat(strokes - before)))
}

/// `view.seats | of_seat("yellow")`: the thing in a list that has this `seat`.
fn of_seat(things: Vec<Value>, seat: String) -> Result<Value, Error> {
    let is_of_seat = |thing: &&Value| thing.get_attr("seat").is_ok_and(|own| own.as_str() == Some(&seat));
    let found = things.iter().find(is_of_seat).cloned();
    found.ok_or_else(|| Error::new(ErrorKind::InvalidOperation, format!("nothing in the list is of the seat {seat}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(template: &str, expected: &str) {
        let mut environment = Environment::new();
        add_to(&mut environment);
        assert_eq!(environment.render_str(template, ()).unwrap(), expected, "{template}");
    }

    #[test]
    fn filters_in_a_template() {
        case("{{ 'one two three'|fold(first='#1 ', columns=8) }}", "#1 one\n   two\n   three");
        case("{{ 1|plural('battalion') }}, {{ 3|plural('battalion') }}", "1 battalion, 3 battalions");
        case("{{ 2|plural('die', 'dice') }}", "2 dice");
        case(
            "{{ ['a']|listed }}; {{ ['a', 'b', 'c']|listed }}; {{ ['a', 'b']|listed('or') }}",
            "a; a, b and c; a or b",
        );
        case("{{ 'Dûm'|left(5) }}|{{ 7|right(3) }}|", "Dûm  |  7|");
        case("{{ ['Dûm', 7]|row([5, -3]) }}|", "Dûm    7|");
        case("{{ '='|rule(11, ' a ') }}", "==== a ====");
        case("{{ 'a\n\nb'|indent_by(2) }}", "  a\n\n  b");
        case("{{ ([{'seat': 'red', 'n': 1}]|of_seat('red')).n }}", "1");
        case("{{ 'élan vital'|begin }}", "Élan vital");
    }
}
