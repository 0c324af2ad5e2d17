//! The checker of logs as a page, `games/check.html`, in real browsers: a sound log, a spoilt one, and rubbish.

use crate::browsers::{self, Browser};
use crate::page::log;
use data_encoding::BASE64;
use ground::hash::sha256;
use report::checker;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("games/check.html")
}

/// The page that stands in the repository is the one that the program writes, and it holds the module to the byte.
/// `RINGMAIL_BLESS=1 cargo test --test program check_page` writes it anew.
#[test]
fn the_checker_is_written_as_it_is_kept() {
    let ran = Command::new(env!("CARGO_BIN_EXE_ringmail")).args(["verify", "--page"]).output().unwrap();
    assert!(ran.status.success());
    if std::env::var_os("RINGMAIL_BLESS").is_some() {
        fs::write(kept(), &ran.stdout).unwrap();
    }
    let page = String::from_utf8(ran.stdout).unwrap();
    assert!(page == fs::read_to_string(kept()).unwrap(), "games/check.html is another one");
    let module = page.split_once("<script id=\"checker\">").unwrap().1.split_once("</script>").unwrap().0;
    assert_eq!(sha256(module.as_bytes()), checker::hash());
    assert!(String::from_utf8_lossy(&ran.stderr).contains(&checker::hash().to_string()));
    let policy = page.split_once("content=\"").unwrap().1.split_once('"').unwrap().0.replace("&#x2f;", "/");
    assert!(policy.contains("default-src 'none'"), "{policy}");
    assert!(policy.contains(&format!("script-src 'sha256-{}'", BASE64.encode(&checker::hash().0))), "{policy}");
    for remote in ["https://", "http://", "src=\"", "url(", "@import"] {
        assert!(!page.contains(remote), "{remote}");
    }
}

/// Chooses files, and returns what the page says of them.
fn said_of(browser: &mut dyn Browser, files: &[(&str, &[u8])]) -> String {
    let file = |(name, bytes): &(&str, &[u8])| {
        let bytes = BASE64.encode(bytes);
        format!("chosen.items.add(new File([Uint8Array.from(atob('{bytes}'), (one) => one.charCodeAt(0))], '{name}'));")
    };
    let files: String = files.iter().map(file).collect();
    let checked = browsers::until("document.documentElement.dataset.checked");
    browser.text(&format!(
        "const chosen = new DataTransfer();
         {files}
         const input = document.querySelector('#files');
         input.files = chosen.files;
         input.dispatchEvent(new Event('change'));
         await (async () => {{ {checked} }})();
         return document.querySelector('main').innerText"
    ))
}

#[test]
fn a_log_is_checked_in_a_browser() {
    let sound = fs::read(log("two-towers")).unwrap();
    let text = String::from_utf8(sound.clone()).unwrap();
    let at = text.find("faces: [").unwrap() + 8;
    let other = if &text[at..=at] == "6" { "5" } else { "6" };
    let spoilt = format!("{}{other}{}", &text[..at], &text[at + 1..]);
    let spoilt_at = text[..at].matches("\n...\n").count();
    let records: Vec<&str> = text.split_inclusive("\n...\n").collect();
    let head = sha256(records[57].as_bytes());
    let other = sha256(b"another history");
    let letter =
        |head| format!("From: host@play.example\r\nMessage-ID: <two-towers.57.{head}.red@play.example>\r\n\r\n");
    // A text of the log is never markup.
    let marked = text.replacen("two-towers", "<b>two</b>", 1);
    browsers::each(|browser, _| {
        browser.open(&kept(), "");
        let hash = browser.text("return document.querySelector('#hash').textContent.replaceAll(' ', '')");
        assert_eq!(hash, checker::hash().to_string());
        let said = said_of(browser, &[("log.yaml", &sound)]);
        let counts = ["No fault was found.", "364 records follow", "293 throws", "red wins: "];
        assert!(counts.iter().all(|part| said.contains(part)), "{said}");
        let said = said_of(browser, &[("log.yaml", spoilt.as_bytes())]);
        let found = format!("Record #{spoilt_at} is wrong: throw ");
        assert!(
            said.contains(&found) && said.contains("follows from its seed") && said.contains("exit code 5"),
            "{said}"
        );
        let said = said_of(browser, &[("photo.jpg", b"\xff\xd8\xff\xe0 not a log")]);
        assert!(said.contains("This is no log: "), "{said}");
        let said = said_of(browser, &[("log.yaml", &sound), ("here.eml", letter(head).as_bytes())]);
        assert!(said.contains("1 letter") && !said.contains("another record"), "{said}");
        let said = said_of(browser, &[("log.yaml", &sound), ("there.eml", letter(other).as_bytes())]);
        assert!(said.contains("A letter names another record than this log has, at #57"), "{said}");
        let said = said_of(browser, &[("log.yaml", marked.as_bytes())]);
        assert!(said.contains("<b>two</b>"), "{said}");
        assert_eq!(browser.complaints(), [] as [&str; 0]);
        browser.resize(390, 844);
        let widths = "return [document.documentElement.scrollWidth, innerWidth]";
        let found: Value = browser.run(widths);
        assert!(found[0].as_u64() <= found[1].as_u64(), "{found}");
        assert_ne!(found, json!(null));
    });
}
