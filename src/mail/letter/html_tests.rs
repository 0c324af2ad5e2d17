//! What we make of HTML, and where a browser reads it in an unexpected way.

use super::*;

#[track_caller]
fn case(html: &str, expected: &[(usize, &str)]) {
    let found = lines(html);
    let found: Vec<(usize, &str)> = found.iter().map(|line| (line.depth, line.text.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn p2_blocks_break_lines_and_white_space_collapses() {
    case("<div>attack\n  mordor</div><div>end</div>", &[(0, "attack mordor"), (0, "end")]);
    case("one<br>two<br/>three", &[(0, "one"), (0, "two"), (0, "three")]);
    case("<p>a &amp; b&nbsp;c &lt;d&gt;</p>", &[(0, "a & b\u{a0}c <d>")]);
    case("<pre>one\n  two</pre>", &[(0, "one"), (0, "two")]);
    case("a < b", &[(0, "a < b")]);
}

#[test]
fn p2_what_the_program_marks_as_old_is_quoted() {
    case("yes<blockquote>no</blockquote>yes", &[(0, "yes"), (1, "no"), (0, "yes")]);
    case("yes<div class=\"gmail_quote\"><div>no</div></div>", &[(0, "yes"), (1, "no")]);
    case("yes<div id=\"divRplyFwdMsg\">From</div>no", &[(0, "yes"), (1, "From"), (1, "no")]);
    case(
        "yes<div style='border:none;border-top:solid #E1E1E1 1.0pt'>From</div>no",
        &[(0, "yes"), (1, "From"), (1, "no")],
    );
}

/// Seen with Thunderbird 153: a player writes above the introduction, because the cursor is there.
#[test]
fn p2_lines_above_an_introduction_are_the_writers_own() {
    let said = |text: &str| format!("<div class=\"moz-cite-prefix\">{text}</div>");
    let introduced = said("On 11/23/26 16:46, Ringmail wrote:<br>") + "<blockquote>no</blockquote>";
    let quoted = [(1, "On 11/23/26 16:46, Ringmail wrote:"), (1, "no")];
    case(&(said("one") + &said("two") + &introduced), &[&[(0, "one"), (0, "two")], &quoted[..]].concat());
    case(&said("one<br>On Monday Ringmail wrote:"), &[(0, "one"), (1, "On Monday Ringmail wrote:")]);
    case(&said("23/11/26 16:46, Ringmail a écrit :"), &[(1, "23/11/26 16:46, Ringmail a écrit :")]);
    case(&said("差出人："), &[(1, "差出人：")]);
}

#[test]
fn p2_what_nobody_sees_does_not_play() {
    case("<style>p{}</style><script>x</script><!-- no -->yes<del>no</del>", &[(0, "yes")]);
    case("<span style=\"display: none\">no</span>yes", &[(0, "yes")]);
    for style in [
        "visibility: collapse",
        "color: transparent",
        "opacity: .0",
        "font-size: 0.0em",
        "height: 0; overflow: hidden",
        "position: absolute; left: -9999px",
        "text-indent: -100em",
        "line-height: 0; overflow: hidden",
        "color: white",
        "color: white; background: white",
        "background-color: #fff; color: #ffffff",
        "color: white; background: none",
        "opacity: .001",
        "font-size: 1px",
        "height: 1px; overflow: hidden",
        "transform: translateX(-9999px)",
        "margin-left: -9999px",
        "color: hsl(0, 0%, 100%)",
        "-webkit-text-fill-color: transparent",
    ] {
        case(&format!("<div style='{style}'>no</div>yes"), &[(0, "yes")]);
    }
    for style in [
        "background-color: transparent",
        "overflow: hidden; border-width: 0",
        "line-height: 0",
        "text-indent: -18.0pt",
        "opacity: 0.9",
        "opacity: 1",
        "font-size: 10px",
        "font-size: 1em",
        "margin-left: -18pt",
        "color: hsl(0, 0%, 10%)",
        "left: 0",
        "color: white; background: #004",
        "background-image: url(night.png); color: white",
    ] {
        case(&format!("<div style='{style}'>yes</div>"), &[(0, "yes")]);
    }
    case("<object>no</object><video>no</video>yes", &[(0, "yes")]);
}

#[test]
fn broken_markup_ends_quietly() {
    case("yes <a href=\"x", &[(0, "yes")]);
    case("yes <!-- never closed", &[(0, "yes")]);
    case("</div></div>yes &unknown; &#xZZ; &", &[(0, "yes &unknown; &#xZZ; &")]);
}

/// What a browser shows, we read: the standard's tokenizer decides where markup ends.
#[test]
fn p2_markup_ends_where_it_ends_in_a_browser() {
    // Comments: 13.2.5.44 and those that follow.
    case("<!-->yes", &[(0, "yes")]);
    case("<!--->yes", &[(0, "yes")]);
    case("<!-- no --!>yes", &[(0, "yes")]);
    case("<!-- no -- > no --->yes", &[(0, "yes")]);
    case("<!no \"> yes", &[(0, "yes")]);
    case("<?no \">yes", &[(0, "yes")]);
    case("</3>yes</>", &[(0, "yes")]);
    case("a <3 b", &[(0, "a <3 b")]);
    case("<![CDATA[no>yes]]>", &[(0, "yes]]>")]);
    case("<svg><![CDATA[></svg>no]]></svg>yes", &[(0, "yes")]);
    // Attributes: a quotation mark opens a value only at its beginning, and an unclosed one swallows the rest.
    case("<a href=x\">yes</a>", &[(0, "yes")]);
    case("<a \"no>yes</a>", &[(0, "yes")]);
    case("yes<a title=\"x>no", &[(0, "yes")]);
    case("yes<a title='>no' alt = \">no\">yes</a>", &[(0, "yesyes")]);
    case("yes<div no", &[(0, "yes")]);
    // Raw text: only its own end tag ends it.
    case("<script>if (a<b) document.write('<div>no</div>')</script>yes", &[(0, "yes")]);
    case("<script><!-- <script> </script> no --></script>yes", &[(0, "yes")]);
    case("<style><a title=\"</style>yes\">", &[(0, "yes\">")]);
    case("<title><div>no</title>yes", &[(0, "yes")]);
    case("<textarea><div hidden>yes</textarea>", &[(0, "<div hidden>yes")]);
    case("<noframes><a title=\"</noframes>yes\">", &[(0, "yes\">")]);
    case("yes<plaintext><div hidden>yes</plaintext>", &[(0, "yes"), (0, "<div hidden>yes</plaintext>")]);
}

#[test]
fn p2_characters_are_those_that_a_browser_shows() {
    case("&lt&gt&amp&copy&notit; &not", &[(0, "<>&\u{a9}\u{ac}it; \u{ac}")]);
    case("&#x2019;&#146;&#x93;&#128;", &[(0, "\u{2019}\u{2019}\u{201c}\u{20ac}")]);
    case("&#0;&#xD800;&#x110000;&#", &[(0, "\u{fffd}\u{fffd}\u{fffd}&#")]);
    case("att\0ack&#32;&#10;mordor", &[(0, "attack mordor")]);
    case("<a title=\"&amp=&copy=x\">yes</a>", &[(0, "yes")]);
    case("<pre>\none&#10;two\r\nthree\rfour</pre>", &[(0, "one"), (0, "two"), (0, "three"), (0, "four")]);
    case("at<!-- -->tack", &[(0, "attack")]);
}

#[test]
fn p2_an_end_tag_reaches_as_far_as_in_a_browser() {
    // 13.1.2.1: only void elements close themselves.
    case("yes<div hidden/>no</div>yes", &[(0, "yes"), (0, "yes")]);
    case("yes<blockquote/>no", &[(0, "yes"), (1, "no")]);
    // Text that is struck out or hidden does not end inside a block within it.
    case("yes<del><div></del>no</div></del>yes", &[(0, "yes"), (0, "yes")]);
    case("yes<span style=display:none><div></span>no</div></span>yes", &[(0, "yes"), (0, "yes")]);
    case("<div class=gmail_quote><s><div></s></div>no</div>yes", &[(1, "no"), (0, "yes")]);
    case("<blockquote><table><tr><td></blockquote>no</table></blockquote>yes", &[(1, "no"), (0, "yes")]);
    case("<div hidden></body>no</div>yes", &[(0, "yes")]);
    // Elements that end by themselves.
    case("<html><head><title>no</title><div>yes</div>", &[(0, "yes")]);
    case("<head><meta charset=utf-8>yes", &[(0, "yes")]);
    case("<p hidden>no<div>yes</div>", &[(0, "yes")]);
    case("<ul><li hidden>no<li>yes</ul>", &[(0, "yes")]);
    case("<table><tr><td hidden>no<td>yes</table>", &[(0, "yes")]);
    case("yes<svg><desc>no<div>no</svg>no", &[(0, "yes")]);
    case("<svg><g>no<div>yes</div>", &[(0, "yes")]);
}

#[test]
fn p2_attributes_are_read_as_a_browser_reads_them() {
    case("<div style=\"display&#58;none\">no</div>yes", &[(0, "yes")]);
    case("<div style='display:/**/none'>no</div>yes", &[(0, "yes")]);
    case("<div style='d\\69 splay:none'>no</div>yes", &[(0, "yes")]);
    case("<div style='' style='display:none'>yes</div>", &[(0, "yes")]);
    case("<div title='display:none; hidden' class=hidden>yes</div>", &[(0, "yes")]);
    case("<div HIDDEN>no</div>yes", &[(0, "yes")]);
    case("<div popover>no</div><details><summary>no</summary>no</details><details open>yes</details>", &[(0, "yes")]);
    case("<select><option>no</select>yes<ruby>a<rp>(</rp></ruby>", &[(0, "yesa")]);
    case("yes<DIV ID='x' NAME='quote'>no</DIV>", &[(0, "yes"), (1, "no")]);
}

#[test]
fn what_nests_too_deep_is_quoted_to_the_end() {
    let deep = "<div>".repeat(DEPTH_MAX + 9);
    case(&format!("yes{deep}no{}no", "</div>".repeat(2 * DEPTH_MAX)), &[(0, "yes"), (1, "no"), (1, "no")]);
}
