// How near the map is seen: with buttons, keys and fingers, so that its names can be read on a small screen.

/** Names of this height, in pixels, can be read; with less, the page begins with a part of the map. On a wide screen it
 * begins with the whole: there one comes nearer at will. */
const READABLE = 10;
const WIDE_SCREEN = "(min-width: 60rem)";
/** How far the pointer moves before it drags the map and does not touch a place. */
const SLIP = 6;

class Zoom {
  constructor(board) {
    const { frame, letter, places } = board.data.still;
    Object.assign(this, { board, svg: board.svg, places, letter, pointers: new Map(), dragged: false });
    const [left, top, width, height] = frame;
    this.whole = { left, top, width, height };
    this.view = { ...this.whole };
    byId("nearer").addEventListener("click", () => this.by(1 / 1.5));
    byId("farther").addEventListener("click", () => this.by(1.5));
    byId("whole").addEventListener("click", () => this.show(this.whole));
    this.svg.addEventListener("pointerdown", (event) => this.down(event));
    this.svg.addEventListener("pointermove", (event) => this.moved(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      this.svg.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    }
    // The touch that ends a drag chooses nothing.
    this.svg.addEventListener("click", (event) => this.dragged && event.stopPropagation(), true);
    this.svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.by(Math.exp(event.deltaY / 200), this.under(event));
    }, { passive: false });
    this.show(this.view);
  }

  /** Begins where a record changed something, if the names of the whole map are too small to be read. */
  begin(seq) {
    if (matchMedia(WIDE_SCREEN).matches) return;
    const wide = this.svg.getBoundingClientRect().width;
    if (wide === 0 || this.letter * wide / this.whole.width >= READABLE) return;
    const seqs = Array.from({ length: seq + 1 }, (_, back) => seq - back);
    const last = seqs.find((one) => this.changed(one).length > 0);
    this.near(this.letter * wide / (READABLE + 0.2), last === undefined ? this.center() : this.changed(last)[0]);
  }

  /** The middles of the places that a record changed; none where it changed most of the map. */
  changed(seq) {
    const changed = Object.keys(this.board.data.records[seq].map?.standing ?? {});
    return changed.length < this.places.length / 2 ? changed.map((place) => this.places[place].at) : [];
  }

  /** Follows what a record changes. */
  stepped(seq) {
    const changed = this.changed(seq);
    if (this.isNear() && changed.length > 0 && !changed.some((at) => this.isShown(at))) this.center(changed[0]);
  }

  /** Shows a place that has been reached by keys. */
  reach(place) {
    if (this.isNear() && !this.isShown(this.places[place].at)) this.center(this.places[place].at);
  }

  isNear() {
    return this.view.width < this.whole.width;
  }

  isShown([x, y]) {
    const { left, top, width, height } = this.view;
    return x > left && x < left + width && y > top && y < top + height;
  }

  /** The middle of what is shown, which may be moved. */
  center(at) {
    const { left, top, width, height } = this.view;
    if (at) this.show({ ...this.view, left: at[0] - width / 2, top: at[1] - height / 2 });
    return [left + width / 2, top + height / 2];
  }

  by(factor, at = this.center()) {
    const { left, top, width } = this.view;
    const wide = this.within(width * factor);
    const part = wide / width;
    this.show({ left: at[0] - (at[0] - left) * part, top: at[1] - (at[1] - top) * part, width: wide });
  }

  near(wide, [x, y]) {
    const width = this.within(wide);
    const height = width * this.whole.height / this.whole.width;
    this.show({ left: x - width / 2, top: y - height / 2, width });
  }

  within(wide) {
    return Math.min(this.whole.width, Math.max(this.whole.width / 8, wide));
  }

  /** Shows a part of the map, which stays within the whole. */
  show({ left, top, width }) {
    const { whole } = this;
    const height = width * whole.height / whole.width;
    const inside = (from, long, least, most) => Math.min(Math.max(from, least), least + most - long);
    const [x, y] = [inside(left, width, whole.left, whole.width), inside(top, height, whole.top, whole.height)];
    this.view = { left: x, top: y, width, height };
    this.svg.setAttribute("viewBox", [x, y, width, height].map((one) => one.toFixed(2)).join(" "));
    this.svg.classList.toggle("near", this.isNear());
    byId("farther").disabled = byId("whole").disabled = !this.isNear();
  }

  /** Where on the map a pointer is. */
  under({ clientX, clientY }) {
    const shown = this.svg.getBoundingClientRect();
    const { left, top, width, height } = this.view;
    return [left + width * (clientX - shown.left) / shown.width, top + height * (clientY - shown.top) / shown.height];
  }

  down(event) {
    if (this.pointers.size === 0) this.dragged = false;
    this.pointers.set(event.pointerId, { at: this.under(event), x: event.clientX, y: event.clientY, now: event });
    this.apart = null;
  }

  moved(event) {
    const held = this.pointers.get(event.pointerId);
    if (!held) return;
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > SLIP) this.dragged = true;
    if (!this.dragged) return;
    const [x, y] = this.under(event);
    const { left, top } = this.view;
    if (this.pointers.size === 1) {
      if (this.isNear()) this.show({ ...this.view, left: left + held.at[0] - x, top: top + held.at[1] - y });
    } else {
      Object.assign(held, { now: event });
      const [one, other] = [...this.pointers.values()].map(({ now }) => now ?? event);
      const apart = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const between = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
      if (this.apart) this.by(this.apart / Math.max(apart, 1), this.under(between));
      this.apart = apart;
    }
  }

  /** Whether it was one of its keys. */
  pressed(key) {
    if (key === "+" || key === "=") this.by(1 / 1.5);
    else if (key === "-") this.by(1.5);
    else if (key === "0") this.show(this.whole);
    else return false;
    return true;
  }
}
