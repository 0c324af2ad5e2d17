//! The page of a game in real browsers, opened from disk: stepping, links, the chronicle, the plots.

use crate::browsers::{self, Browser};
use crate::page::{SHORT, log, page_of};
use crate::page_composed;
use crate::page_looks;
use serde_json::json;
use std::fs;
use std::path::Path;

fn record(browser: &mut dyn Browser) -> String {
    browser.text("return document.querySelector('#now strong').textContent.split(',')[0]")
}

/// The script that waits until the page shows a record.
fn shows(record: &str) -> String {
    browsers::until(&format!("document.querySelector('#now strong').textContent.startsWith('{record},')"))
}

/// One browser serves for all of this, because starting one takes longer than the tests.
#[test]
fn a_page_is_read_in_a_browser() {
    browsers::each(|browser, folder| {
        the_page_of_a_game_is_stepped_through_and_loads_nothing(browser, folder);
        a_record_looks_the_same_from_wherever_it_is_reached(browser, folder);
        a_place_tells_its_neighbours_and_is_reached_by_keys(browser, folder);
        the_chronicle_shows_what_the_reader_asks_for(browser, folder);
        the_reader_sees_what_a_seat_knew(browser, folder);
        the_game_is_plotted(browser, folder);
        page_composed::sentences_are_composed_by_touches(browser, folder);
        page_composed::the_map_is_seen_near_and_far(browser, folder);
        page_looks::the_page_looks_as_kept(browser, folder);
        what_a_page_loads_and_throws_is_noticed(browser, folder);
    });
}

fn the_page_of_a_game_is_stepped_through_and_loads_nothing(browser: &mut dyn Browser, folder: &Path) {
    for name in SHORT {
        let file = folder.join("game.html");
        fs::write(&file, page_of(name)).unwrap();
        browser.open(&file, "#90");
        assert_eq!(record(browser), "#90");
        for (key, reached) in [
            ("ArrowRight", "#91"),
            ("PageUp", "#81"),
            ("PageDown", "#91"),
            ("ArrowLeft", "#90"),
            ("Home", "#0"),
            ("ArrowLeft", "#0"),
        ] {
            browser.press(key);
            assert_eq!(record(browser), reached, "{name}: {key}");
        }
        browser.run("document.querySelector('#on').click()");
        assert_eq!(record(browser), "#1");
        // A link of the chronicle, and the slider.
        browser.run("document.querySelector('#chronicle a[href=\"#40\"]').click()");
        assert_eq!(browser.run(&shows("#40")), json!(true));
        assert_eq!(browser.text("return location.hash"), "#40");
        let slid = "const slider = document.querySelector('#slider'); slider.value = 77;
                slider.dispatchEvent(new Event('input')); return location.hash";
        assert_eq!(browser.text(slid), "#77");
        assert_eq!(browser.run("return document.querySelectorAll('#chronicle .here').length"), json!(1));
        assert_eq!(browser.complaints(), [] as [&str; 0], "{name}");
    }
}

/// A page shows the same at a record, whatever it showed before.
fn a_record_looks_the_same_from_wherever_it_is_reached(browser: &mut dyn Browser, folder: &Path) {
    let shown = "return document.querySelector('#map').innerHTML + document.querySelector('#lines').innerHTML";
    let file = folder.join("game.html");
    fs::write(&file, page_of(SHORT[0])).unwrap();
    browser.open(&file, "#120");
    let at_once = browser.text(shown);
    browser.press("End");
    browser.press("Home");
    assert_ne!(browser.text(shown), at_once);
    browser.run("location.hash = '#120'");
    assert_eq!(browser.run(&shows("#120")), json!(true));
    assert_eq!(browser.text(shown), at_once);
}

/// A script that touches the place with this name.
fn touch(name: &str) -> String {
    format!(
        "const cells = [...document.querySelectorAll('#places path')];
         const cell = cells.find((cell) => cell.textContent.startsWith('{name}: '));
         cell.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}));
         return document.querySelector('#place').textContent"
    )
}

/// The number of records in the chronicle when a field of the filter has this value.
fn sifted(field: &str, value: &str) -> String {
    format!(
        "const field = document.querySelector('{field}');
         field.value = '{value}';
         field.dispatchEvent(new Event('input', {{ bubbles: true }}));
         const shown = [...document.querySelectorAll('#chronicle li')].filter((item) => !item.hidden);
         const found = document.querySelector('#found').textContent;
         return `${{shown.length}} records, ${{found}}: ${{shown[0]?.textContent}}`"
    )
}

fn a_place_tells_its_neighbours_and_is_reached_by_keys(browser: &mut dyn Browser, folder: &Path) {
    let file = folder.join("game.html");
    fs::write(&file, page_of("two-towers")).unwrap();
    browser.open(&file, "#120");
    let told = browser.text(&touch("Ithilien"));
    assert!(told.starts_with("Ithilien: neutral, 2 battalions, the site Osgiliath.Neighbours: "), "{told}");
    assert!(told.contains("Minas Tirith (over a bridge), South Ithilien."), "{told}");
    assert!(told.contains("No way to: Lebennin (a river), Mount Doom (closed), "), "{told}");
    // A sea route, and a touch that cancels the choice; the arrows still step through the records.
    assert!(browser.text(&touch("Mithlond")).contains(" (by ship)"));
    let hidden = "return document.querySelector('#place').hidden";
    browser.press("ArrowRight");
    assert_eq!((record(browser).as_str(), browser.run(hidden)), ("#121", json!(false)));
    browser.text(&touch("Mithlond"));
    assert_eq!(browser.run(hidden), json!(true));
    // From place to place by keys: the map is one tab stop, and every arrow leads to a place in its direction.
    browser.run("document.querySelector('#places [tabindex=\"0\"]').focus()");
    let focused = "return document.activeElement.textContent.split(':')[0]";
    let places = ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"].map(|key| {
        browser.press(key);
        browser.text(focused)
    });
    assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "{places:?}");
    assert_eq!(browser.run("return document.querySelectorAll('#places [tabindex=\"0\"]').length"), json!(1));
    assert_eq!(browser.run("return document.querySelectorAll('#places [aria-pressed=true]').length"), json!(1));
    assert_eq!(record(browser), "#121");
    browser.press("Escape");
    browser.press("ArrowRight");
    assert_eq!(record(browser), "#122");
    assert_eq!(browser.complaints(), [] as [&str; 0]);
}

fn the_chronicle_shows_what_the_reader_asks_for(browser: &mut dyn Browser, folder: &Path) {
    let log = fs::read_to_string(log("two-towers")).unwrap();
    let records: Vec<&str> = log.split_inclusive("\n...\n").collect();
    let all = records.len();
    let of_red = records.iter().filter(|record| record.contains("\nseat: \"red\"\n")).count();
    let fought = records.iter().filter(|record| record.contains("label: \"attack\"")).count();
    let file = folder.join("game.html");
    fs::write(&file, page_of("two-towers")).unwrap();
    browser.open(&file, "");
    let found = browser.text(&sifted("#of-seat", "red"));
    assert!(found.starts_with(&format!("{of_red} records, {of_red} of {all} records: ")), "{found}");
    browser.text(&sifted("#of-seat", ""));
    let found = browser.text(&sifted("#of-topic", "battles"));
    let shown: usize = found.split(' ').next().unwrap().parse().unwrap();
    assert!(shown >= fought && shown < all, "{found}, {fought}");
    let found = browser.text(&sifted("#with", "conquered osgiliath"));
    assert!(found.starts_with(&format!("0 records, 0 of {all} records: ")), "{found}");
    browser.text(&sifted("#of-topic", ""));
    let found = browser.text(&sifted("#with", "Gorgoroth +1"));
    assert!(found.contains("Gorgoroth +1"), "{found}");
    let found = browser.text(&sifted("#with", ""));
    assert!(found.starts_with(&format!("{all} records, : ")), "{found}");
    // What changed at a place.
    browser.text(&touch("Ithilien"));
    let here = "const here = document.querySelector('#here'); here.click();
            return document.querySelector('#found').textContent";
    let found = browser.text(here);
    let shown: usize = found.split(' ').next().unwrap().parse().unwrap();
    assert!((2..100).contains(&shown), "{found}");
    assert_eq!(browser.complaints(), [] as [&str; 0]);
}

fn the_reader_sees_what_a_seat_knew(browser: &mut dyn Browser, folder: &Path) {
    let file = folder.join("game.html");
    fs::write(&file, page_of("two-towers")).unwrap();
    browser.open(&file, "#120");
    let chronicle = "return document.querySelector('#chronicle').textContent";
    let public = browser.text(chronicle);
    let seen_by = |seat: &str| {
        format!(
            "const reader = document.querySelector('#reader');
                 reader.value = '{seat}';
                 reader.dispatchEvent(new Event('input', {{ bubbles: true }}));
                 return document.querySelector('#now').textContent"
        )
    };
    let red = browser.text(&seen_by("red"));
    assert!(red.contains("red held: ") && !red.contains("nobody has shown"), "{red}");
    assert!(browser.text(chronicle).contains("You drew from the Adventure deck: "));
    assert_ne!(browser.text(&seen_by("yellow")), red);
    assert!(!browser.text(&seen_by("")).contains("held: "));
    assert_eq!(browser.text(chronicle), public);
    assert_eq!(browser.complaints(), [] as [&str; 0]);
}

fn the_game_is_plotted(browser: &mut dyn Browser, folder: &Path) {
    let file = folder.join("game.html");
    fs::write(&file, page_of("two-towers")).unwrap();
    browser.open(&file, "");
    let stands = browser.text("return document.querySelector('#lines').textContent");
    assert!(stands.contains("125 battalions, 41 points") && stands.contains("229 battalions, 45 points"), "{stands}");
    let plots = browser.text(
        "const plots = [...document.querySelectorAll('#figures svg[role=img]')];
         return plots.map((plot) => plot.getAttribute('aria-label')).join('\\n')",
    );
    for plot in [
        "Points. At the end: yellow 41, red 45.",
        "Battalions. At the end: yellow 125, red 229.",
        "Units lost. At the end: yellow 73, red 72, neutral 28.",
        "Hits of yellow against expectation. 64 hits, 64.6 expected, and between ",
        "Hits of red against expectation. 71 hits, 72.5 expected, and between ",
        "Letters by turn. yellow 178, red 99, in ",
    ] {
        assert!(plots.contains(plot), "{plots}");
    }
    // A touch on a plot goes to the record below it.
    let touched = "const plot = document.querySelector('#figures svg[role=img]');
        const { left, width, top } = plot.getBoundingClientRect();
        plot.dispatchEvent(new MouseEvent('click', { clientX: left + width * 40 / 420, clientY: top + 5 }));
        return location.hash";
    assert_eq!(browser.text(touched), "#0");
}

/// Tests the tests: complaints like these are noticed, so their absence means something.
fn what_a_page_loads_and_throws_is_noticed(browser: &mut dyn Browser, folder: &Path) {
    let file = folder.join("bad.html");
    let page = "<!DOCTYPE html><meta charset=utf-8><meta http-equiv=Content-Security-Policy content=\"img-src 'none'\">
            <script>document.documentElement.dataset.ready = 'yes'; nobody.knows();</script>";
    fs::write(&file, page).unwrap();
    browser.open(&file, "");
    let thrown = browser.complaints();
    assert!(thrown.iter().any(|complaint| complaint.contains("nobody")), "{thrown:?}");
    let page = page.replace("nobody.knows()", "document.write('<img src=\"http://127.0.0.1:9/\">')");
    fs::write(&file, page).unwrap();
    browser.open(&file, "");
    let loaded = browser.complaints();
    assert!(loaded.iter().any(|complaint| complaint.contains("127.0.0.1:9")), "{loaded:?}");
}
