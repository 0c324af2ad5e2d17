// The map, and its places: what stands on them, and what they touch.

const byId = (id) => document.getElementById(id);

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

/** The map. It is drawn once, and then only what differs between two records is changed. */
class Board {
  constructor(data) {
    const { letters, sea, outlines, cover } = data.still;
    this.data = data;
    this.svg = byId("map");
    const cell = (path) => `<path d="${path}" tabindex="-1" role="button" aria-pressed="false"><title></title></path>`;
    const sites = outlines.map(() => "<g></g>").join("");
    this.svg.innerHTML = `<g>${letters}${sea}`
      + `<g id="places">${outlines.map(cell).join("")}</g>`
      + `<g pointer-events="none">${cover}<g></g><g>${sites}</g><g id="offered"></g><g id="marked"></g></g></g>`;
    const above = this.svg.firstElementChild.lastElementChild;
    this.marked = above.lastElementChild;
    this.offered = this.marked.previousElementSibling;
    this.sites = [...this.offered.previousElementSibling.children];
    this.ways = this.offered.previousElementSibling.previousElementSibling;
    this.cells = [...this.svg.querySelector("#places").children];
    this.cells[0].setAttribute("tabindex", "0");
    this.shown = { sites: [], grounds: [], standing: [], ways: -1, lines: null };
  }

  /** What the map shows after a record. */
  after(seq) {
    const state = { sites: [], grounds: [], standing: [], ways: -1, lines: [] };
    for (const { map } of this.data.records.slice(0, seq + 1)) {
      if (!map) continue;
      for (const what of ["sites", "grounds", "standing"]) {
        for (const place in map[what]) state[what][place] = map[what][place];
      }
      state.ways = map.ways ?? state.ways;
      state.lines = map.lines ?? state.lines;
    }
    return state;
  }

  show(seq) {
    const { drawings, still } = this.data;
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
    now.standing.forEach((text, place) => {
      if (text === this.shown.standing[place]) return;
      this.cells[place].firstElementChild.textContent = `${still.names[place]}: ${text}`;
    });
    if (now.ways !== this.shown.ways) this.ways.innerHTML = drawings[now.ways] ?? "";
    if (now.lines !== this.shown.lines) byId("lines").replaceChildren(...now.lines.map((line) => element("li", line)));
    this.svg.setAttribute("aria-label", `The map after record ${seq}. ${now.lines.join(". ")}`);
    this.shown = now;
  }
}

/** How a border that is no open one is told. */
const CROSSINGS = { bridge: "over a bridge", ship: "by ship", river: "a river", ridge: "closed" };

/** The place that the reader has chosen, what it touches, and the way there by keyboard. */
class Places {
  /** `changed` is called when another place is chosen, or none; `touched` when one is touched, and gives whether it was
   * meant for something else. */
  constructor(board, changed, touched) {
    Object.assign(this, { board, changed, touched, chosen: null, focused: 0 });
    this.places = board.data.still.places;
    board.cells.forEach((cell, place) => {
      // A touch does not take the keys from the records.
      cell.addEventListener("mousedown", (event) => event.preventDefault());
      cell.addEventListener("click", () => this.touch(place));
      cell.addEventListener("focus", () => {
        this.focused = place;
        this.choose(place);
      });
    });
    byId("places").addEventListener("keydown", (event) => this.pressed(event));
  }

  pressed(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Enter" || event.key === " ") {
      this.touch(this.focused);
    } else if (event.key === "Escape") {
      this.board.cells[this.focused].blur();
      this.choose(null);
    } else if (event.key in ways) {
      const next = this.towards(ways[event.key]);
      if (next !== null) this.focus(next);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  touch(place) {
    if (this.touched(place)) this.choose(place);
    else this.choose(place === this.chosen ? null : place);
  }

  /** The place next to the focused one on this side. */
  towards([right, down]) {
    const [x, y] = this.places[this.focused].at;
    let best = [Infinity, null];
    this.places.forEach(({ at }, place) => {
      const along = (at[0] - x) * right + (at[1] - y) * down;
      const across = Math.abs((at[0] - x) * down) + Math.abs((at[1] - y) * right);
      const far = along + 2 * across;
      if (along > 0 && across <= 2 * along && far < best[0]) best = [far, place];
    });
    return best[1];
  }

  /** Only one place at a time is a stop of the Tab key. */
  focus(place) {
    this.board.cells[this.focused].setAttribute("tabindex", "-1");
    this.board.cells[place].setAttribute("tabindex", "0");
    this.board.cells[place].focus();
  }

  choose(place) {
    if (place === this.chosen) return;
    for (const cell of this.board.cells) cell.setAttribute("aria-pressed", "false");
    this.chosen = place;
    if (place !== null) this.board.cells[place].setAttribute("aria-pressed", "true");
    this.mark();
    this.tell();
    this.changed();
  }

  /** The map shows another record. */
  stepped() {
    if (this.chosen !== null && this.board.shown.standing[this.chosen] !== this.told) this.tell();
  }

  mark() {
    const { outlines } = this.board.data.still;
    const line = (place, kind) => `<path d="${outlines[place]}" class="${kind}"/>`;
    const near = this.chosen === null ? [] : this.places[this.chosen].near;
    const lines = near.map(([place, how]) => line(place, this.isClosed(how) ? "closed" : "near"));
    if (this.chosen !== null) lines.push(line(this.chosen, "chosen"));
    this.board.marked.innerHTML = lines.join("");
  }

  isClosed(how) {
    return how === "river" || how === "ridge";
  }

  /** The chosen place in words. */
  tell() {
    const told = byId("place");
    told.hidden = this.chosen === null;
    if (told.hidden) return;
    const { names } = this.board.data.still;
    const list = (title, near) => {
      if (near.length === 0) return [];
      const line = element("p", `${title}: `);
      near.sort(([one], [other]) => names[one].localeCompare(names[other], "en")).forEach(([place, how], index) => {
        const link = element("button", names[place], "link");
        link.type = "button";
        link.addEventListener("click", () => this.choose(place));
        const one = element("span", "", "one");
        one.append(link, CROSSINGS[how] ? ` (${CROSSINGS[how]})` : "", index < near.length - 1 ? "," : ".");
        line.append(one, " ");
      });
      return [line];
    };
    const { near } = this.places[this.chosen];
    this.told = this.board.shown.standing[this.chosen];
    told.replaceChildren(
      element("strong", names[this.chosen]), `: ${this.told}.`,
      ...list("Neighbours", near.filter(([, how]) => !this.isClosed(how))),
      ...list("No way to", near.filter(([, how]) => this.isClosed(how))),
    );
  }
}
