// The chronicle: every record in words, and what of it is shown.

/** The sentences of a record. */
function sentences(record) {
  return record.told.map(([kind, deep, text]) => element("p", text, deep ? "deep" : kind));
}

class Story {
  constructor(data) {
    this.data = data;
    this.place = null;
    this.items = data.records.map((record, seq) => {
      const item = document.createElement("li");
      const link = element("a", `#${seq}`);
      link.href = `#${seq}`;
      item.append(link, ` ${record.seat}: ${record.said}`, ...sentences(record));
      return item;
    });
    byId("chronicle").append(...this.items);
    this.offer("of-seat", data.records.map((record) => record.seat));
    this.offer("of-topic", data.records.flatMap((record) => record.topics ?? []));
    byId("filter").addEventListener("input", () => this.sift());
    byId("filter").addEventListener("submit", (event) => event.preventDefault());
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
    byId("now").replaceChildren(element("strong", head), said, ...sentences(record));
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
