// The page of one game. What it shows is in it: the data and the log, compressed. Nothing is loaded.

/** The bytes that an element of the page holds. */
async function unpacked(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Checks the log in the page, and says what came of it. */
async function check(data) {
  const verdict = byId("verdict");
  if (!globalThis.crypto?.subtle) {
    verdict.textContent = "The log is not checked: the browser offers no cryptography here. Open the page from disk.";
    return;
  }
  let log;
  try {
    log = await unpacked("log");
  } catch {
    return failed("The log in this page is damaged: it cannot be unpacked.");
  }
  // What is said is read out once, at the end.
  const tell = (seq) => { byId("checked").textContent = `Checked by your browser: ${seq} records so far`; };
  const { seq, why, checker } = await examined(log, data.records, data.decks, tell);
  byId("checked").textContent = "Checked by your browser";
  if (why !== null) return failed("The log in this page is damaged, at record ", seq, `: ${why}.`);
  const { throws, head, counts } = checker;
  verdict.textContent = `The chain of ${counted(seq, "record")} holds. ${counted(throws, "throw")} recomputed, each as `
    + `the log has it, from ${counted(counts.codes ?? 0, "code")} of the players and the host's chain. `
    + `${counted(counts.cards ?? 0, "card")} shown, each as it lay. ${inTheEnd(counts)}`
    + `The last record has the hash ${head}.`;
  verdict.className = "good";
  byId("unchecked").append(...leftOut(checker).map((text) => element("li", text)));
  byId("left-out").hidden = false;
}

/** What the end has shown, and who signed. */
function inTheEnd({ masked: decks, opened, shared, choices, stopped, signed }) {
  const said = [
    decks && `${counted(decks, "deck")} lay as the published root says`,
    shared && `${counted(shared, "share")} of it add up`,
    opened && `${counted(opened, "commitment")} to standing orders hold`,
    stopped && `${counted(stopped, "line")} of receipts were what was fixed`,
    choices && `${counted(choices, "sealed choice")} were what was sealed`,
    signed && `${counted(signed, "signature")} hold`,
  ].filter(Boolean);
  return said.map((one) => `${one}. `).join("");
}

function failed(text, seq, why = "") {
  const verdict = byId("verdict");
  verdict.className = "bad";
  verdict.textContent = text;
  if (seq === undefined) return;
  const link = element("a", `#${seq}`);
  link.href = `#${seq}`;
  verdict.append(link, why);
}

async function begin() {
  const data = JSON.parse(new TextDecoder().decode(await unpacked("data")));
  const last = data.records.length - 1;
  const board = new Board(data);
  const story = new Story(data);
  const slider = byId("slider");
  const places = new Places(board, () => {
    byId("at-place").hidden = places.chosen === null;
    byId("at-place").lastElementChild.textContent = `changed at ${data.still.names[places.chosen]}`;
    byId("here").checked &&= places.chosen !== null;
    story.place = byId("here").checked ? places.chosen : null;
    story.sift();
    if (places.chosen !== null) zoom.reach(places.chosen);
  }, (place) => composer.touched(place));
  const zoom = new Zoom(board);
  const composer = new Composer(board, data);
  const figures = new Figures(data, (seq) => go(seq));
  let at = -1;
  let isBegun = false;

  const go = (wanted) => {
    const seq = Math.max(0, Math.min(last, wanted));
    if (seq === at) return;
    at = seq;
    board.show(seq);
    story.show(seq);
    places.stepped();
    composer.stepped(seq === last);
    if (isBegun) zoom.stepped(seq);
    figures.mark(seq);
    slider.value = seq;
    const { moment } = data.records[seq];
    slider.setAttribute("aria-valuetext", `record ${seq}${moment ? `, ${moment}` : ""}`);
    byId("back").disabled = seq === 0;
    byId("on").disabled = seq === last;
    if (location.hash !== `#${seq}`) history.replaceState(null, "", `#${seq}`);
  };
  const linked = () => (/^#\d{1,9}$/.test(location.hash) ? Number(location.hash.slice(1)) : last);

  for (const [piece, text] of data.still.key) {
    const item = document.createElement("li");
    item.innerHTML = piece;
    item.append(text);
    byId("key").append(item);
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  byId("back").addEventListener("click", () => go(at - 1));
  byId("on").addEventListener("click", () => go(at + 1));
  addEventListener("hashchange", () => go(linked()));
  addEventListener("keydown", (event) => {
    if (event.target.matches?.("select, input:not([type=range]):not([type=checkbox])")) return;
    if (!event.ctrlKey && !event.metaKey && !event.altKey && zoom.pressed(event.key)) return event.preventDefault();
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
    const isOther = event.target.closest?.("a, summary, select, [type=search]");
    if (isOther || event.altKey || event.ctrlKey || event.metaKey || !(event.key in steps)) return;
    event.preventDefault();
    go(at + steps[event.key]);
  });
  byId("here").addEventListener("input", () => {
    story.place = byId("here").checked ? places.chosen : null;
  });
  byId("save").addEventListener("click", async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await unpacked("log")], { type: "application/yaml" }));
    link.download = "log.yaml";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  go(linked());
  zoom.begin(at);
  isBegun = true;
  document.documentElement.dataset.ready = "yes";
  // The page is drawn first.
  await new Promise((done) => setTimeout(done, 50));
  await check(data);
  document.documentElement.dataset.checked = "yes";
}

begin().catch((error) => {
  byId("trouble").textContent = `The page cannot be read: ${error.message}`;
  byId("trouble").hidden = false;
});
