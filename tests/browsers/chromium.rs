//! Chromium, controlled over two pipes by its DevTools protocol; a zero byte ends each message.

use super::{Browser, ready};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The browser with one page. It ends with the test.
pub struct Chromium {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    messages: u64,
    session: Option<String>,
    complaints: Vec<String>,
}

impl Chromium {
    /// Starts it with an empty profile in this folder.
    pub fn start(profile: &Path) -> Chromium {
        fs::create_dir_all(profile).unwrap();
        // The browser reads commands from file descriptor 3 and answers on file descriptor 4.
        let script = "exec chromium \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh", "--headless", "--no-sandbox", "--remote-debugging-pipe"]);
        command.args([
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-extensions",
            "--hide-scrollbars",
        ]);
        command.args(["--disable-background-networking", "--disable-component-update"]);
        command.arg(format!("--user-data-dir={}", profile.display())).env("HOME", profile);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut browser = Chromium { child, to, from, messages: 0, session: None, complaints: Vec::new() };
        let page = browser.ask("Target.createTarget", json!({"url": "about:blank"}));
        let wanted = json!({"targetId": page["targetId"], "flatten": true});
        let attached = browser.ask("Target.attachToTarget", wanted);
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Shows the page with this width.
    pub fn width(&mut self, width: u32, is_dark: bool) {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.ask("Emulation.setDeviceMetricsOverride", size);
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.ask("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// A picture of the whole page, as PNG.
    pub fn picture(&mut self) -> Vec<u8> {
        let taken = self.ask("Page.captureScreenshot", json!({"format": "png", "captureBeyondViewport": true}));
        BASE64.decode(taken["data"].as_str().unwrap().as_bytes()).unwrap()
    }

    /// Opens a page without a script.
    pub fn show(&mut self, file: &Path) {
        self.ask("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        let loaded = "await new Promise((done) => document.readyState === 'complete' ? done() : onload = done);
                      await document.fonts.ready; return location.protocol";
        let is_open = (0..10).any(|_| {
            let ran = self.try_to("Runtime.evaluate", evaluation(loaded));
            ran.is_ok_and(|ran| ran["result"]["value"] == "file:")
        });
        assert!(is_open, "{} is opened", file.display());
    }

    /// The page as it wants to be printed: a PDF.
    pub fn printed(&mut self) -> Vec<u8> {
        let printed = self.ask("Page.printToPDF", json!({"preferCSSPageSize": true}));
        BASE64.decode(printed["data"].as_str().unwrap().as_bytes()).unwrap()
    }

    /// Sends a command and returns the answer.
    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let answer = self.try_to(method, parameters);
        answer.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_to(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        self.messages += 1;
        let mut message = json!({"id": self.messages, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(message.to_string().as_bytes()).unwrap();
        self.to.write_all(&[0]).unwrap();
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).unwrap();
            assert_eq!(bytes.pop(), Some(0), "Chromium has ended");
            let mut message: Value = serde_json::from_slice(&bytes).unwrap();
            if message["id"] == json!(self.messages) {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].take()),
                };
            }
            self.note(&message);
        }
    }

    /// Notes an event of the page.
    fn note(&mut self, message: &Value) {
        let said = &message["params"];
        match message["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                let address = said["request"]["url"].as_str().unwrap_or("");
                let is_own = said["type"] == "Document" && address.starts_with("file://");
                if !is_own && !address.starts_with("data:") && !address.starts_with("blob:") {
                    self.complaints.push(format!("loads {address}"));
                }
            }
            Some("Log.entryAdded") => self.complaints.push(said["entry"].to_string()),
            Some("Runtime.consoleAPICalled") => self.complaints.push(said["args"].to_string()),
            Some("Runtime.exceptionThrown") => self.complaints.push(said["exceptionDetails"].to_string()),
            _ => {}
        }
    }
}

/// Runs a script as the body of an asynchronous function, and waits for its value.
fn evaluation(script: &str) -> Value {
    json!({"expression": format!("(async () => {{ {script} }})()"), "awaitPromise": true, "returnByValue": true})
}

impl Browser for Chromium {
    fn open(&mut self, file: &Path, link: &str) {
        // Goes to another page first, so that a link within the same page loads it anew.
        self.ask("Page.navigate", json!({"url": "about:blank"}));
        let opened = self.ask("Page.navigate", json!({"url": format!("file://{}{link}", file.display())}));
        assert!(opened.get("errorText").is_none(), "{opened}");
        // The script may still start in the old page, and then ends with it.
        let ready = (0..10).find_map(|_| self.try_to("Runtime.evaluate", evaluation(&ready())).ok());
        let ready = ready.expect("a page stays open");
        assert_eq!(ready["result"]["value"], json!(true), "the page is ready: {ready}");
    }

    fn run(&mut self, script: &str) -> Value {
        let ran = self.ask("Runtime.evaluate", evaluation(script));
        assert!(ran.get("exceptionDetails").is_none(), "{script}: {}", ran["exceptionDetails"]);
        ran["result"].get("value").cloned().unwrap_or(Value::Null)
    }

    fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "0" => 48,
            "+" => 187,
            "-" => 189,
            other => panic!("{other} is no key of these tests"),
        };
        for kind in ["rawKeyDown", "keyUp"] {
            let pressed = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            self.ask("Input.dispatchKeyEvent", pressed);
        }
    }

    fn is_first(&self) -> bool {
        true
    }

    fn resize(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.ask("Emulation.setDeviceMetricsOverride", size);
    }

    fn shown(&mut self) -> Vec<u8> {
        let taken = self.ask("Page.captureScreenshot", json!({"format": "png"}));
        BASE64.decode(taken["data"].as_str().unwrap().as_bytes()).unwrap()
    }

    fn complaints(&mut self) -> Vec<String> {
        // Every event before this answer has arrived before it.
        self.run("return null");
        self.complaints.clone()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
