//! A sentence composed by touches on the page of a running game, in a browser; and the map seen near and far.

use crate::browsers::Browser;
use crate::page::{log, page_for, page_of};
use engine::need::Need;
use record::fold::Fold;
use report::page::Readers;
use serde_json::json;
use std::fs;
use std::path::Path;

/// The page of a sample game after `records` records, for everybody.
fn begun(name: &str, records: usize) -> (String, Fold) {
    let text = fs::read_to_string(log(name)).unwrap();
    let begun: String = text.split_inclusive("\n...\n").take(records).collect();
    page_for(begun.as_bytes(), None, Readers::Nobody)
}

/// Touches a place, or presses a button for the next word; returns the sentence so far.
const TOUCHES: &str = "const touch = (name) => {
    const cells = [...document.querySelectorAll('#places path')];
    const cell = cells.find((cell) => cell.textContent.startsWith(`${name}: `));
    cell.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  };
  const press = (text) => {
    const buttons = [...document.querySelectorAll('#next button')];
    const button = buttons.find((button) => button.textContent === text);
    if (!button) throw Error(`${text} is none of ${buttons.map((button) => button.textContent).join(' | ')}`);
    button.click();
  };
  const sentence = () => document.querySelector('#sentence').textContent;
";

fn composed(browser: &mut dyn Browser, touches: &str) -> String {
    browser.text(&format!("{TOUCHES} {touches}; return sentence()"))
}

pub fn sentences_are_composed_by_touches(browser: &mut dyn Browser, folder: &Path) {
    let file = folder.join("game.html");
    let (page, fold) = begun("two-towers", 102);
    fs::write(&file, page).unwrap();
    browser.open(&file, "");
    assert_eq!(browser.text("return document.querySelector('#composing').textContent"), "What red may say");
    assert_eq!(composed(browser, "press('place'); touch('Umbar')"), "place …");
    let said = composed(browser, "press('2'); touch('Nurn'); press('1')");
    assert_eq!(said, "place 2 umbar, 1 nurn");
    is_accepted(&fold, &said);
    let link = browser.text("return document.querySelector('#mail').href");
    assert!(link.starts_with("mailto:box%2Bg.abc@play.example?subject=Re%3A%20%5Btwo-towers%20%23101%20"), "{link}");
    assert!(link.ends_with("&body=place%202%20umbar%2C%201%20nurn%0D%0A"), "{link}");
    assert_eq!(composed(browser, "document.querySelector('#undo').click()"), "place 2 umbar");
    // Places that do not fit are shown, and the sentence stays the same. If only one word can come next, it needs no
    // touch.
    assert_eq!(composed(browser, "touch('Fangorn')"), "place 2 umbar");
    assert_eq!(composed(browser, "document.querySelector('#anew').click()"), "…");
    // At another record nothing can be said.
    let hidden = "return document.querySelector('#compose').hidden";
    browser.press("ArrowLeft");
    assert_eq!(browser.run(hidden), json!(true));
    browser.press("End");
    assert_eq!(browser.run(hidden), json!(false));
    assert_eq!(browser.complaints(), [] as [&str; 0]);

    let (page, fold) = begun("the-ring-goes-south", 240);
    fs::write(&file, page).unwrap();
    browser.open(&file, "");
    // The first touch need not be the first word.
    assert_eq!(composed(browser, "touch('Lórien')"), "character die: … Lórien …");
    let said = composed(browser, "press('move'); press('all lorien to'); touch('Dimrill Dale')");
    assert_eq!(said, "character die: move all lorien to dimrill-dale");
    is_accepted(&fold, &said);
    // The same by keys: Enter touches the focused place.
    composed(browser, "document.querySelector('#anew').click()");
    let focus = |name: &str| {
        format!(
            "const cells = [...document.querySelectorAll('#places path')];
             const wanted = cells.findIndex((cell) => cell.textContent.startsWith('{name}: '));
             document.querySelector('#places [tabindex=\"0\"]').setAttribute('tabindex', '-1');
             cells[wanted].setAttribute('tabindex', '0');
             cells[wanted].focus();
             return document.activeElement === cells[wanted]"
        )
    };
    assert_eq!(browser.run(&focus("Lórien")), json!(true));
    browser.press("Enter");
    assert_eq!(composed(browser, ""), "character die: … Lórien …");
    let labels = "return [...document.querySelectorAll('#compose button, #compose a')]
        .every((one) => one.textContent.trim() || one.getAttribute('aria-label'))
        && document.querySelector('#sentence').getAttribute('role') === 'status'";
    assert_eq!(browser.run(labels), json!(true));
    assert_eq!(browser.complaints(), [] as [&str; 0]);
    // A game that is over asks nobody.
    fs::write(&file, page_of("two-towers")).unwrap();
    browser.open(&file, "");
    assert_eq!(browser.run(hidden), json!(true));
}

fn is_accepted(fold: &Fold, said: &str) {
    let Need::Question(question) = fold.need() else { panic!("a question is asked") };
    fold.game().read(question.seat, said, fold.faces()).unwrap();
}

/// On a phone the page begins with a part of the map, in which names can be read.
pub fn the_map_is_seen_near_and_far(browser: &mut dyn Browser, folder: &Path) {
    let file = folder.join("game.html");
    fs::write(&file, page_of("the-ring-goes-south")).unwrap();
    browser.resize(390, 844);
    browser.open(&file, "#120");
    let height = "const names = [...document.querySelectorAll('#map g[aria-label]')];
        const shown = document.querySelector('#map').getBoundingClientRect();
        const within = names.map((name) => name.getBoundingClientRect())
          .filter(({ left, right, top, bottom }) => left > shown.left && right < shown.right && top > shown.top
            && bottom < shown.bottom);
        const size = (name) => 1000 * name.getScreenCTM().a;
        return [within.length, size(names.find((name) => name.getAttribute('aria-label') === 'Moria'))]";
    let found = browser.run(height);
    let (shown, size) = (found[0].as_u64().unwrap(), found[1].as_f64().unwrap());
    assert!(shown > 3 && size >= 10.0, "{shown} names of {size} pixels");
    let view = "return document.querySelector('#map').getAttribute('viewBox')";
    let near = browser.text(view);
    browser.run("document.querySelector('#whole').click()");
    let whole = browser.text(view);
    assert_ne!(near, whole);
    assert_eq!(browser.run("return document.querySelector('#farther').disabled"), json!(true));
    browser.run("document.querySelector('#nearer').click()");
    let nearer = browser.text(view);
    assert_ne!(nearer, whole);
    // The same by keys, and by dragging with a finger, which then touches no place.
    for (key, expected) in [("0", &whole), ("+", &nearer), ("-", &whole), ("+", &nearer)] {
        browser.press(key);
        assert_eq!(&browser.text(view), expected, "{key}");
    }
    let dragged = "const map = document.querySelector('#map');
        const cell = document.querySelector('#places path');
        const { left, top } = map.getBoundingClientRect();
        for (const [kind, by] of [['pointerdown', 0], ['pointermove', 30], ['pointermove', 60], ['pointerup', 60]]) {
          const at = { clientX: left + 200 - by, clientY: top + 90 };
          cell.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerId: 7, ...at }));
        }
        cell.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        return document.querySelector('#place').hidden";
    assert_eq!(browser.run(dragged), json!(true));
    assert_ne!(browser.text(view), nearer);
    browser.resize(1280, 900);
    browser.open(&file, "#120");
    assert_eq!(browser.text(view), whole);
}
