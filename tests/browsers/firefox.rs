//! Firefox ESR, controlled over Marionette: `LENGTH:[0, NUMBER, COMMAND, PARAMETERS]` to it, and `LENGTH:[1, NUMBER,
//! ERROR, RESULT]` back.

use super::{Browser, ready};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// It chooses its own port, stays in its folder, and makes no requests.
const SETTINGS: &str = r#"
user_pref("marionette.port", 0);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.places.interactions.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,");
user_pref("toolkit.telemetry.enabled", false);
user_pref("ui.useOverlayScrollbars", 1);
user_pref("widget.gtk.overlay-scrollbars.enabled", true);
"#;

/// Its windows cannot be narrower.
const NARROWEST: u32 = 500;

/// The browser with one page. It ends with the test.
pub struct Firefox {
    child: Child,
    to: TcpStream,
    from: BufReader<TcpStream>,
    messages: u64,
    file: PathBuf,
}

impl Firefox {
    /// Starts it with an empty profile in this folder.
    pub fn start(profile: &Path) -> Firefox {
        fs::create_dir_all(profile).unwrap();
        fs::write(profile.join("user.js"), SETTINGS).unwrap();
        let mut command = Command::new("firefox-esr");
        command.args(["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile"]);
        command.arg(profile).env("HOME", profile).env("MOZ_CRASHREPORTER_DISABLE", "1");
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let to = connected(&profile.join("MarionetteActivePort"));
        let from = BufReader::new(to.try_clone().unwrap());
        let mut browser = Firefox { child, to, from, messages: 0, file: PathBuf::new() };
        browser.read();
        browser.ask("WebDriver:NewSession", json!({"capabilities": {}}));
        browser.ask("WebDriver:SetTimeouts", json!({"script": 120_000}));
        browser
    }

    /// The next message.
    fn read(&mut self) -> Value {
        let mut length = Vec::new();
        self.from.read_until(b':', &mut length).unwrap();
        assert_eq!(length.pop(), Some(b':'), "Firefox has ended");
        let mut bytes = vec![0; String::from_utf8(length).unwrap().parse().unwrap()];
        self.from.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Sends a command and returns the answer.
    fn ask(&mut self, command: &str, parameters: Value) -> Value {
        self.messages += 1;
        let message = json!([0, self.messages, command, parameters]).to_string();
        self.to.write_all(format!("{}:{message}", message.len()).as_bytes()).unwrap();
        let mut answer = self.read();
        assert_eq!(answer[1], json!(self.messages));
        assert!(answer[2].is_null(), "{command}: {}", answer[2]);
        answer[3].take()
    }
}

/// Connects to the port in a file, as soon as the file has one.
fn connected(port: &Path) -> TcpStream {
    for _ in 0..3_000 {
        let found = fs::read_to_string(port).ok().and_then(|text| text.trim().parse::<u16>().ok());
        if let Some(stream) = found.and_then(|port| TcpStream::connect(("127.0.0.1", port)).ok()) {
            return stream;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("Firefox opens no port");
}

impl Browser for Firefox {
    fn open(&mut self, file: &Path, link: &str) {
        self.ask("WebDriver:Navigate", json!({"url": "about:blank"}));
        self.ask("WebDriver:Navigate", json!({"url": format!("file://{}{link}", file.display())}));
        self.file = file.to_owned();
        assert_eq!(self.run(&ready()), json!(true), "the page is ready");
    }

    fn run(&mut self, script: &str) -> Value {
        let script = format!("return (async () => {{ {script} }})()");
        self.ask("WebDriver:ExecuteScript", json!({"script": script, "args": []}))["value"].take()
    }

    fn press(&mut self, key: &str) {
        let letter = match key {
            "Tab" => '\u{e004}',
            "Enter" => '\u{e007}',
            "Escape" => '\u{e00c}',
            "PageUp" => '\u{e00e}',
            "PageDown" => '\u{e00f}',
            "End" => '\u{e010}',
            "Home" => '\u{e011}',
            "ArrowLeft" => '\u{e012}',
            "ArrowUp" => '\u{e013}',
            "ArrowRight" => '\u{e014}',
            "ArrowDown" => '\u{e015}',
            "0" => '0',
            "+" => '+',
            "-" => '-',
            other => panic!("{other} is no key of these tests"),
        };
        let pressed = ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": letter}));
        let keys = json!([{"type": "key", "id": "keys", "actions": pressed}]);
        self.ask("WebDriver:PerformActions", json!({"actions": keys}));
    }

    fn is_first(&self) -> bool {
        false
    }

    fn resize(&mut self, width: u32, height: u32) {
        let width = width.max(NARROWEST);
        // The size of the window is set, but the size of the page is wanted: the difference stays the same.
        for _ in 0..2 {
            let round = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]");
            let [wide, high] = [0, 1].map(|side| round[side].as_u64().unwrap());
            let size = json!({"width": u64::from(width) + wide, "height": u64::from(height) + high});
            self.ask("WebDriver:SetWindowRect", size);
        }
        let inner = self.run("return [innerWidth, innerHeight]");
        assert_eq!(inner, json!([width, height]), "the page has its size");
    }

    fn shown(&mut self) -> Vec<u8> {
        let taken = self.ask("WebDriver:TakeScreenshot", json!({"full": false, "hash": false}));
        BASE64.decode(taken["value"].as_str().unwrap().as_bytes()).unwrap()
    }

    fn complaints(&mut self) -> Vec<String> {
        let loaded = self.run("return performance.getEntriesByType('resource').map((entry) => entry.name)");
        let own = |name: &&Value| !name.as_str().is_some_and(|name| name.starts_with("data:"));
        let mut found: Vec<String> = loaded.as_array().unwrap().iter().filter(own).map(Value::to_string).collect();
        self.ask("Marionette:SetContext", json!({"value": "chrome"}));
        // The console belongs to the whole browser, which writes its own complaints there, too.
        let script = "return Services.console.getMessageArray()
            .filter((message) => message instanceof Ci.nsIScriptError && message.sourceName.startsWith(arguments[0]))
            .map((message) => message.errorMessage)";
        let arguments = json!([format!("file://{}", self.file.display())]);
        let written = self.ask("WebDriver:ExecuteScript", json!({"script": script, "args": arguments}));
        self.ask("Marionette:SetContext", json!({"value": "content"}));
        found.extend(written["value"].as_array().unwrap().iter().map(Value::to_string));
        found
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
