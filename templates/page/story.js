// The chronicle: every record in words, and what of it is shown.

/** The sentences of a record, as this reader was told it; without one, as everybody was. */
function sentences(record, reader) {
  const told = record.knew?.[reader]?.told ?? record.told;
  return told.map(([kind, deep, text]) => element("p", text, deep ? "deep" : kind));
}

class Story {
  constructor(data) {
    this.data = data;
    this.place = null;
    this.reader = "";
    this.items = data.records.map(() => document.createElement("li"));
    this.tell(this.items.keys());
    byId("chronicle").append(...this.items);
    this.offerReaders();
    this.offer("of-seat", data.records.map((record) => record.seat));
    this.offer("of-topic", data.records.flatMap((record) => record.topics ?? []));
    byId("filter").addEventListener("input", () => this.sift());
    byId("filter").addEventListener("submit", (event) => event.preventDefault());
  }

  /** Writes records anew. */
  tell(seqs) {
    for (const seq of seqs) {
      const record = this.data.records[seq];
      const link = element("a", `#${seq}`);
      link.href = `#${seq}`;
      this.items[seq].replaceChildren(link, ` ${record.seat}: ${record.said}`, ...sentences(record, this.reader));
    }
  }

  /** The seats of which the page holds what they knew. */
  offerReaders() {
    const known = this.data.records.flatMap(({ knew = {} }) => Object.keys(knew));
    if (known.length === 0) return;
    byId("known-to").hidden = false;
    this.offer("reader", known);
    byId("reader").addEventListener("input", (event) => {
      event.stopPropagation();
      this.reader = byId("reader").value;
      this.tell(this.data.records.flatMap(({ knew }, seq) => (knew ? [seq] : [])));
      this.sift();
      this.show(this.items.indexOf(this.here));
    });
  }

  /** The cards that the reader held after a record; nothing where none is chosen. */
  hand(seq) {
    const held = this.data.records.slice(0, seq + 1).findLast(({ knew }) => knew?.[this.reader]?.hand);
    if (!this.reader) return [];
    const cards = held?.knew[this.reader].hand ?? [];
    return [element("p", `${this.reader} held: ${cards.length > 0 ? cards.join("; ") : "no card"}.`, "hand")];
  }

  /** Offers each of these words once. */
  offer(id, words) {
    const options = [...new Set(words)].sort().map((word) => {
      const option = element("option", word);
      option.value = word;
      return option;
    });
    byId(id).append(...options);
  }

  /** Shows what the reader wants to see. */
  sift() {
    const [seat, topic] = ["of-seat", "of-topic"].map((id) => byId(id).value);
    const words = byId("with").value.trim().toLowerCase();
    let found = 0;
    this.data.records.forEach((record, seq) => {
      const item = this.items[seq];
      const isWanted = (!seat || record.seat === seat)
        && (!topic || (record.topics ?? []).includes(topic))
        && (this.place === null || this.place in (record.map?.standing ?? {}))
        && (!words || item.textContent.toLowerCase().includes(words));
      item.hidden = !isWanted;
      found += isWanted;
    });
    const isAll = found === this.items.length;
    byId("found").textContent = isAll ? "" : `${found} of ${this.items.length} records`;
    this.scroll();
  }

  show(seq) {
    const record = this.data.records[seq];
    const when = `${record.at.slice(0, 10)} ${record.at.slice(11, 16)}`;
    const how = record.via ? ` (${record.via})` : "";
    const head = `#${seq}, ${when}${record.moment ? `, ${record.moment}` : ""}`;
    const said = element("p", `${record.seat}: ${record.said}${how}`);
    byId("now").replaceChildren(element("strong", head), said, ...sentences(record, this.reader),
      ...this.hand(seq));
    this.here?.classList.remove("here");
    this.here?.firstElementChild.removeAttribute("aria-current");
    this.here = this.items[seq];
    this.here.classList.add("here");
    this.here.firstElementChild.setAttribute("aria-current", "true");
    this.scroll();
  }

  /** Only the list scrolls, never the page. */
  scroll() {
    const list = byId("chronicle");
    const item = this.here?.hidden ? this.items.slice(0, this.items.indexOf(this.here)).findLast((one) => !one.hidden)
      : this.here;
    if (item) list.scrollTop += item.getBoundingClientRect().top - list.getBoundingClientRect().top - 40;
  }
}
