// A sentence for the seat that is asked, composed by touches: on the words that may come next, and on the map. Which
// these are the page has from the menu of the question; here nothing is known of the rules.

/** So many numbers are buttons; for more there is a field. */
const NUMBERS = 12;

class Composer {
  constructor(board, data) {
    Object.assign(this, { board, asked: data.asked, firsts: [], trail: [], listeners: [] });
    if (!this.asked) return;
    const { seat, question, what, hides, menu, to } = this.asked;
    this.menu = menu;
    byId("composing").textContent = `What ${seat} may say`;
    byId("asked").textContent = what ? `${question}: ${what}` : question;
    const notes = [
      hides && `What ${seat} holds in hand is not in this page, and cards of the hand are not offered.`,
      !menu.whole && "Not everything that may be said is offered here.",
      "A letter understands more: plans, orders, other words.",
    ];
    byId("notes").textContent = notes.filter(Boolean).join(" ");
    byId("mail").hidden = !to;
    byId("undo").addEventListener("click", () => this.back());
    byId("anew").addEventListener("click", () => this.anew());
    byId("copy").addEventListener("click", () => this.copy());
    this.anew();
  }

  anew() {
    this.trail = [this.onward({ node: this.menu.nodes.length - 1, said: [], wanted: null, part: null })];
    this.tell();
  }

  back() {
    if (this.trail.length > 1) this.trail.pop();
    this.tell();
  }

  get state() {
    return this.trail.at(-1);
  }

  word(number) {
    return this.menu.words[number];
  }

  place(number) {
    return this.menu.places[number] ?? null;
  }

  /** The places that can be the next one named, from a node on. */
  firstsOf(node) {
    if (this.firsts[node]) return this.firsts[node];
    const found = new Set();
    this.firsts[node] = found;
    for (const [way, next] of this.menu.nodes[node][1]) {
      for (const place of this.firstsBy(way, next)) found.add(place);
    }
    return found;
  }

  firstsBy(way, next) {
    const named = this.named(way).map((word) => this.place(word)).filter((place) => place !== null);
    return named.length > 0 ? named : this.firstsOf(next);
  }

  /** The words of which a way names one. */
  named(way) {
    if (typeof way === "number") return [way];
    return way[0] === "number" ? [] : way[2];
  }

  /** The ways on from a state that lead to the place that is wanted, if one is. */
  ways({ node, wanted }) {
    const ways = this.menu.nodes[node][1];
    return wanted === null ? ways : ways.filter(([way, next]) => [...this.firstsBy(way, next)].includes(wanted));
  }

  ends({ node, wanted }) {
    return wanted === null && this.menu.nodes[node][0] === 1;
  }

  /** Goes on as long as there is one way only. */
  onward(state) {
    let now = state;
    for (;;) {
      const ways = this.ways(now);
      if (this.ends(now) || now.part || ways.length !== 1) return now;
      const next = this.along(now, ways[0]);
      if (next === null) return now;
      now = next;
    }
  }

  /** The state behind a way that is one word; null for any other. */
  along({ said, wanted }, [way, next]) {
    if (typeof way !== "number") return null;
    const left = wanted !== null && this.place(way) === wanted ? null : wanted;
    return { node: next, said: [...said, this.word(way)], wanted: left, part: null };
  }

  take(state) {
    this.trail.push(this.onward(state));
    this.tell();
  }

  /** A part of a split or list: `number` of it for a name. */
  addPart(way, next, word, number) {
    const before = this.state.part?.way === way ? this.state.part : { way, used: [], left: way[1], next };
    const said = number === null ? [this.word(word)] : [String(number), this.word(word)];
    const part = { ...before, used: [...before.used, word], left: before.left - (number ?? 1) };
    const glue = before.used.length > 0 ? [","] : [];
    this.take({ node: next, said: [...this.state.said, ...glue, ...said], wanted: null, part });
  }

  /** The names that a split or list still takes. */
  open(way) {
    const { part } = this.state;
    if (part?.way !== way) return way[2];
    return part.left > 0 ? way[2].filter((word) => !part.used.includes(word)) : [];
  }

  /** The splits and lists of the state: those that may begin, and the one that may go on. */
  parts() {
    const begun = this.state.part ? [[this.state.part.way, this.state.part.next]] : [];
    return [...begun, ...this.ways(this.state).filter(([way]) => typeof way !== "number" && way[0] !== "number")];
  }

  /** A place has been touched. Gives whether the sentence goes on by it. */
  touched(place) {
    if (!this.asked || byId("compose").hidden) return false;
    for (const [way, next] of this.parts()) {
      const word = this.open(way).find((one) => this.place(one) === place);
      if (word === undefined) continue;
      if (way[0] === "split") this.askNumber(way, next, word);
      else this.addPart(way, next, word, null);
      return true;
    }
    const state = { ...this.state, wanted: place };
    if (this.ways(state).length === 0) return false;
    this.take({ ...state, part: null });
    return true;
  }

  /** How many of a split go to a name. */
  askNumber(way, next, word) {
    const most = this.state.part?.way === way ? this.state.part.left : way[1];
    if (most === 1) return this.addPart(way, next, word, 1);
    const back = this.button("back", () => this.tell());
    this.offer([element("span", `How many to ${this.word(word)}?`),
      ...this.numbers(1, most, (number) => this.addPart(way, next, word, number)), back]);
    byId("next").querySelector("button, input")?.focus({ preventScroll: true });
  }

  numbers(least, most, say) {
    if (most - least < NUMBERS) {
      const count = Array.from({ length: most - least + 1 }, (_, more) => least + more);
      return count.map((number) => this.button(String(number), () => say(number)));
    }
    const field = document.createElement("input");
    Object.assign(field, { type: "number", min: least, max: most, value: most });
    field.setAttribute("aria-label", `A number from ${least} to ${most}`);
    const given = () => {
      const number = Math.round(Number(field.value));
      if (number >= least && number <= most) say(number);
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") given();
    });
    return [field, this.button(`up to ${most}: say it`, given)];
  }

  button(text, act) {
    const made = element("button", text);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }

  /** What a button for a way says: its word, and those that must follow. */
  label(state, way) {
    const behind = this.onward(this.along(state, way));
    return this.spoken(behind.said.slice(state.said.length));
  }

  spoken(words) {
    return words.join(" ").replaceAll(" ,", ",");
  }

  buttons() {
    const { state } = this;
    const made = [];
    for (const [way, next] of this.parts()) {
      const add = (word) => {
        if (way[0] === "split") this.askNumber(way, next, word);
        else this.addPart(way, next, word, null);
      };
      made.push(...this.open(way).map((word) => this.button(this.word(word), () => add(word))));
    }
    for (const way of this.ways(state)) {
      if (typeof way[0] === "number") {
        made.push(this.button(this.label(state, way), () => this.take(this.along(state, way))));
      } else if (way[0][0] === "number") {
        const behind = (number) => ({ node: way[1], said: [...state.said, String(number)], wanted: state.wanted });
        const say = (number) => this.take({ ...behind(number), part: null });
        made.push(...this.numbers(way[0][1], way[0][2], say));
      }
    }
    return made;
  }

  /** Shows what may come next. With the keyboard, one stays where one was. */
  offer(elements) {
    const next = byId("next");
    const isHere = next.contains(document.activeElement);
    next.replaceChildren(...elements);
    if (isHere) (next.querySelector("button, input") ?? byId("copy")).focus({ preventScroll: true });
  }

  /** The sentence, how it may go on, and what can be done with it. */
  tell() {
    const { state } = this;
    const { said, wanted } = state;
    const sentence = this.spoken(said);
    const isDone = this.ends(state) && said.length > 0;
    const later = wanted === null ? "" : ` … ${this.board.data.still.names[wanted]}`;
    byId("sentence").textContent = said.length + later.length > 0 ? `${sentence}${later}${isDone ? "" : " …"}` : "…";
    byId("sentence").className = isDone ? "done" : "";
    byId("undo").disabled = byId("anew").disabled = this.trail.length < 2;
    byId("copy").disabled = !isDone;
    const buttons = this.buttons();
    const hint = isDone ? "Complete, or go on:" : "Goes on with:";
    this.offer(buttons.length > 0 ? [element("span", hint, "small"), ...buttons]
      : [element("span", "Complete.", "small")]);
    byId("copied").textContent = "";
    this.link(isDone ? sentence : null);
    this.mark();
  }

  /** The link that opens an answer with the sentence. */
  link(sentence) {
    const { to, subject } = this.asked;
    const mail = byId("mail");
    mail.removeAttribute("href");
    mail.setAttribute("aria-disabled", String(sentence === null));
    if (sentence === null || !to) return;
    const address = encodeURIComponent(to).replaceAll("%40", "@");
    mail.href = `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${sentence}\r\n`)}`;
  }

  async copy() {
    const sentence = this.spoken(this.state.said);
    try {
      await navigator.clipboard.writeText(sentence);
      byId("copied").textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(byId("sentence"));
      byId("copied").textContent = "Marked, to be copied with Ctrl+C.";
    }
  }

  /** Marks the places that can come next, once the sentence has begun. */
  mark() {
    const isBegun = this.trail.length > 1 && !byId("compose").hidden;
    const places = new Set();
    if (isBegun && this.state.wanted === null) {
      for (const place of this.firstsOf(this.state.node)) places.add(place);
      for (const [way] of this.parts()) this.open(way).forEach((word) => places.add(this.place(word)));
    }
    places.delete(null);
    const { outlines } = this.board.data.still;
    this.board.offered.innerHTML = [...places].map((place) => `<path d="${outlines[place]}"/>`).join("");
  }

  /** The question is that of the last record. */
  stepped(isLast) {
    byId("compose").hidden = !this.asked || !isLast;
    if (this.asked) this.mark();
  }
}
