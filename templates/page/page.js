// The page of one game. What it shows is in it: the data and the log, compressed. Nothing is loaded.

/** The bytes that an element of the page holds. */
async function unpacked(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

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
}

begin().catch((error) => {
  byId("trouble").textContent = `The page cannot be read: ${error.message}`;
  byId("trouble").hidden = false;
});
