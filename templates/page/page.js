// The page of one game. What it shows is in it: the data and the log, compressed. Nothing is loaded.

const byId = (id) => document.getElementById(id);

/** The bytes that an element of the page holds. */
async function unpacked(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

/** The map. It is drawn once, and then only what differs between two records is changed. */
class Board {
  constructor(data) {
    const { frame, lettering, sea, outlines, cover, names } = data.still;
    this.data = data;
    this.svg = byId("map");
    this.svg.setAttribute("viewBox", frame.join(" "));
    const cells = outlines.map((path, place) => `<path d="${path}"><title>${names[place]}</title></path>`).join("");
    const sites = outlines.map(() => "<g></g>").join("");
    this.svg.innerHTML = `<g ${lettering} font-weight="500" text-anchor="middle">${sea}<g>${cells}</g>`
      + `<g pointer-events="none">${cover}<g></g><g>${sites}</g></g></g>`;
    const above = this.svg.firstElementChild.lastElementChild;
    this.sites = [...above.lastElementChild.children];
    this.ways = above.lastElementChild.previousElementSibling;
    this.cells = [...this.svg.querySelectorAll("path")].filter((path) => path.firstElementChild?.tagName === "title");
    this.shown = { sites: [], grounds: [], ways: -1, lines: null };
  }

  /** What the map shows after a record. */
  after(seq) {
    const state = { sites: [], grounds: [], ways: -1, lines: [] };
    for (const { map } of this.data.records.slice(0, seq + 1)) {
      if (!map) continue;
      for (const place in map.sites) state.sites[place] = map.sites[place];
      for (const place in map.grounds) state.grounds[place] = map.grounds[place];
      state.ways = map.ways ?? state.ways;
      state.lines = map.lines ?? state.lines;
    }
    return state;
  }

  show(seq) {
    const { drawings } = this.data;
    const now = this.after(seq);
    now.sites.forEach((marks, place) => {
      if (marks === this.shown.sites[place]) return;
      let svg = "";
      for (let at = 0; at < marks.length; at += 3) {
        svg += `<g transform="translate(${marks[at + 1] / 10} ${marks[at + 2] / 10})">${drawings[marks[at]]}</g>`;
      }
      this.sites[place].innerHTML = svg;
    });
    now.grounds.forEach((colour, place) => this.cells[place].setAttribute("fill", colour));
    if (now.ways !== this.shown.ways) this.ways.innerHTML = drawings[now.ways] ?? "";
    if (now.lines !== this.shown.lines) byId("lines").replaceChildren(...now.lines.map((line) => element("li", line)));
    this.svg.setAttribute("aria-label", `The map after record ${seq}. ${now.lines.join(". ")}`);
    this.shown = now;
  }
}

/** The sentences of a record. */
function sentences(record) {
  return record.told.map(([kind, deep, text]) => element("p", text, deep ? "deep" : kind));
}

class Story {
  constructor(data) {
    this.data = data;
    this.items = data.records.map((record, seq) => {
      const item = document.createElement("li");
      const link = element("a", `#${seq}`);
      link.href = `#${seq}`;
      item.append(link, ` ${record.seat}: ${record.said}`, ...sentences(record));
      return item;
    });
    byId("chronicle").append(...this.items);
  }

  show(seq) {
    const record = this.data.records[seq];
    const when = `${record.at.slice(0, 10)} ${record.at.slice(11, 16)}`;
    const how = record.via ? ` (${record.via})` : "";
    const head = `#${seq}, ${when}${record.moment ? `, ${record.moment}` : ""}`;
    const said = element("p", `${record.seat}: ${record.said}${how}`);
    byId("now").replaceChildren(element("strong", head), said, ...sentences(record));
    this.here?.classList.remove("here");
    this.here?.firstElementChild.removeAttribute("aria-current");
    this.here = this.items[seq];
    this.here.classList.add("here");
    this.here.firstElementChild.setAttribute("aria-current", "true");
    // Only the list scrolls, never the page.
    const list = byId("chronicle");
    list.scrollTop += this.here.getBoundingClientRect().top - list.getBoundingClientRect().top - 40;
  }
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
  const { seq, why, checker } = await examined(log, data.records, tell);
  byId("checked").textContent = "Checked by your browser";
  if (why !== null) return failed("The log in this page is damaged, at record ", seq, `: ${why}.`);
  const { throws, head, counts } = checker;
  verdict.textContent = `The chain of ${counted(seq, "record")} holds. ${counted(throws, "throw")} recomputed, each as `
    + `the log has it, from ${counted(counts.codes ?? 0, "code")} of the players and the host's chain. `
    + `${counted(counts.cards ?? 0, "card")} shown, each as it lay. The last record has the hash ${head}.`;
  verdict.className = "good";
  byId("unchecked").append(...leftOut(checker).map((text) => element("li", text)));
  byId("left-out").hidden = false;
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
  let at = -1;

  const go = (wanted) => {
    const seq = Math.max(0, Math.min(last, wanted));
    if (seq === at) return;
    at = seq;
    board.show(seq);
    story.show(seq);
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
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
    const other = event.target.closest?.("a, summary") || event.altKey || event.ctrlKey || event.metaKey;
    if (other || !(event.key in steps)) return;
    event.preventDefault();
    go(at + steps[event.key]);
  });
  byId("save").addEventListener("click", async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await unpacked("log")], { type: "application/yaml" }));
    link.download = "log.yaml";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  go(linked());
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
