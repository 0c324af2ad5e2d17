/*! What templates make of a text in a page for a browser or a mail program.

The parts that letters and pages share are written once. In a letter their filters fold and pad
([`filters`](super::filters)); here the same filters make paragraphs, tables and links. Everything is escaped.
*/

use crate::picture::pen::escaped;
use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, State};

/// Replaces the filters that shared parts use.
pub fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("heading", |text: String| element("h2", "", &text));
    environment.add_filter("label", |text: String| element("h3", "", &text));
    environment
        .add_filter("paragraph", |text: String| element("p", "", &text.split('\n').collect::<Vec<_>>().join(" ")));
    environment.add_filter("exact", |text: String| element("pre", "", &unindented(&text)));
    environment.add_filter("hang", |text: String, _columns: usize| element("p", "", &text));
    environment.add_filter("fold", fold);
    environment.add_filter("left", |text: Value, _columns: usize| text);
    environment.add_filter("right", |text: Value, _columns: usize| text);
    environment.add_filter("row", row);
    environment.add_filter("table", |rows: Value| Value::from_safe_string(format!("<table>\n{rows}</table>")));
    environment
        .add_filter("sentence", |state: &State<'_, '_>, text: String, _columns: usize| offer(state, &text, &text));
    environment
        .add_filter("request", |state: &State<'_, '_>, text: String, _columns: usize| offer(state, &text, &text));
    environment.add_filter("offer", |state: &State<'_, '_>, line: String, form: String| offer(state, &line, &form));
    environment.add_filter("chip", |state: &State<'_, '_>, name: String, sentence: String| {
        link(state, &escaped(&name), &sentence).map(Value::from_safe_string)
    });
}

fn element(name: &str, class: &str, text: &str) -> Value {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    Value::from_safe_string(format!("<{name}{class}>{}</{name}>", escaped(text.trim())))
}

/// Removes the common indent of a block: only letters need it.
fn unindented(text: &str) -> String {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = lines().map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
    text.lines().map(|line| line.get(indent..).unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// A paragraph. A mark that a letter sets before its first line is bold here; blanks there indent the paragraph.
fn fold(text: String, options: Kwargs) -> Result<Value, Error> {
    let first: Option<String> = options.get("first")?;
    for known in ["rest", "goes_on", "columns"] {
        let _: Option<Value> = options.get(known)?;
    }
    options.assert_all_used()?;
    let first = first.unwrap_or_default();
    Ok(match (first.trim(), first.is_empty()) {
        ("", true) => element("p", "", &text),
        ("", false) => element("p", "in", &text),
        (mark, _) => Value::from_safe_string(format!("<p><b>{}</b> {}</p>", escaped(mark), escaped(text.trim()))),
    })
}

/// A row of a table; a letter and a page align the same cells to the right.
fn row(things: Vec<Value>, widths: Vec<i64>, options: Kwargs) -> Result<Value, Error> {
    let is_head: bool = options.get::<Option<bool>>("head")?.unwrap_or(false);
    options.assert_all_used()?;
    let mut cells = String::from("<tr>");
    for (thing, width) in things.iter().zip(widths) {
        let text = thing.as_str().map_or_else(|| thing.to_string(), str::to_string);
        let name = if is_head { "th" } else { "td" };
        let class = if width < 0 { " class=\"r\"" } else { "" };
        cells.push_str(&format!("<{name}{class}>{}</{name}>", escaped(text.trim())));
    }
    cells.push_str("</tr>");
    Ok(Value::from_safe_string(cells))
}

/// A sentence, ready to be copied, that opens an answer when it is touched.
fn offer(state: &State<'_, '_>, line: &str, form: &str) -> Result<Value, Error> {
    let link = link(state, &format!("<code>{}</code>", escaped(line)), form)?;
    Ok(Value::from_safe_string(format!("<p class=\"s\">{link}</p>")))
}

/// A link that opens an answer to the letter with a sentence in it.
fn link(state: &State<'_, '_>, shown: &str, sentence: &str) -> Result<String, Error> {
    let Some(answering) = state.lookup("answering").filter(|answering| !answering.is_none()) else {
        return Ok(shown.to_string());
    };
    let field = |name: &str| Ok::<_, Error>(answering.get_attr(name)?.as_str().unwrap_or_default().to_string());
    let [to, subject, body] = [field("to")?, field("subject")?, format!("{sentence}\r\n")].map(|text| encoded(&text));
    Ok(format!("<a href=\"mailto:{to}?subject={subject}&amp;body={body}\">{shown}</a>"))
}

/// RFC 6068 §2: everything is encoded but letters, digits and a few marks; the `@` of the address may stay.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'@' => encoded.push(byte.into()),
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use minijinja::context;

    #[track_caller]
    fn case(template: &str, expected: &str) {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::Html);
        add_to(&mut environment);
        let answering = context! { to => "box+g1.free.abc@play.example", subject => "Re: [g1 #57]" };
        let context = context! { answering, name => "Helm's <Deep>" };
        let template = environment.template_from_str(template).unwrap();
        assert_eq!(template.render(context).unwrap(), expected);
    }

    #[test]
    fn filters_make_elements_and_escape() {
        case("{{ name|fold(first='#51  ') }}", "<p><b>#51</b> Helm&#39;s &lt;Deep&gt;</p>");
        case("{{ name|fold(first='    ') }}", "<p class=\"in\">Helm&#39;s &lt;Deep&gt;</p>");
        case("{{ [name, 7]|row([10, -3]) }}", "<tr><td>Helm&#39;s &lt;Deep&gt;</td><td class=\"r\">7</td></tr>");
        case("{{ '  a\n    ^'|exact }}", "<pre>a\n  ^</pre>");
        case("{% filter paragraph %}one &\ntwo{% endfilter %}", "<p>one &amp; two</p>");
    }

    #[test]
    fn a_sentence_opens_an_answer() {
        let link = "<a href=\"mailto:box%2Bg1.free.abc@play.example?subject=Re%3A%20%5Bg1%20%2357%5D&amp;\
                    body=attack%20moria%0D%0A\">moria</a>";
        case("{{ 'moria'|chip('attack moria') }}", link);
    }
}
