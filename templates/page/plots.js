// The game in numbers: plots as SVG, each with what it shows in words.

const WIDE = 420;
const HIGH = 170;
const AREA = { left: 40, right: WIDE - 10, top: 10, bottom: HIGH - 24 };
/** Dice with fewer faces than these say nothing by themselves. */
const FACES_LEAST = 30;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 4", "1 4"];

/** A number as short as can be: `3`, `2.5`. */
const brief = (number) => String(Math.round(number * 10) / 10).replace("-", "−");

/** Lines of a scale that fit between two numbers. */
function ticks(least, most) {
  const rough = (most - least) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 5, 10].map((factor) => factor * power).find((wide) => wide >= rough), 1);
  const found = [];
  for (let tick = Math.ceil(least / step) * step; tick <= most; tick += step) found.push(tick);
  return found;
}

/** A plot: its area, scales, and what was drawn in it. */
class Plot {
  constructor(title, across, [least, most]) {
    Object.assign(this, { title, across, parts: [], legend: [] });
    this.least = Math.min(least, 0);
    this.most = Math.max(most, least + 1);
  }

  x(value) {
    return AREA.left + (AREA.right - AREA.left) * value / Math.max(this.across, 1);
  }

  y(value) {
    return AREA.bottom - (AREA.bottom - AREA.top) * (value - this.least) / (this.most - this.least);
  }

  path(points) {
    const point = ([x, y]) => `${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`;
    return `M${points.map(point).join("L")}`;
  }

  /** A line that keeps its height until the next point. */
  steps(points) {
    return points.flatMap(([x, y], place) => (place ? [[x, points[place - 1][1]], [x, y]] : [[x, y]]))
      .concat([[this.across, points.at(-1)?.[1] ?? 0]]);
  }

  line(name, number, points) {
    const kind = `of-${name}`;
    if (points.length > 0) {
      this.parts.push(`<path d="${this.path(this.steps(points))}" class="line ${kind}" `
        + `stroke-dasharray="${DASHES[number % DASHES.length]}"/>`);
    }
    this.legend.push([kind, number, `${name} ${brief(points.at(-1)?.[1] ?? 0)}`]);
  }

  /** Where nineteen of twenty games would stay. */
  band(points) {
    const edge = (sign) => this.steps(points.map(([x, deviation]) => [x, sign * 2 * deviation]));
    const [above, below] = [edge(1), edge(-1)];
    if (points.length > 0) this.parts.push(`<path d="${this.path([...above, ...below.reverse()])}Z" class="band"/>`);
  }

  /** The plot as an element; `at` names the records below it. */
  figure(at, said) {
    const figure = document.createElement("figure");
    const scale = ticks(this.least, this.most).map((tick) => `<path d="M${AREA.left} ${this.y(tick)}H${AREA.right}" `
      + `class="${tick === 0 ? "axis" : "grid"}"/><text x="${AREA.left - 5}" y="${this.y(tick) + 4}" `
      + `text-anchor="end">${brief(tick)}</text>`).join("");
    const below = at.map(([x, text, anchor]) =>
      `<text x="${this.x(x)}" y="${HIGH - 8}" text-anchor="${anchor}">${text}</text>`).join("");
    figure.innerHTML = `<svg viewBox="0 0 ${WIDE} ${HIGH}" role="img">${scale}${this.parts.join("")}`
      + `<path class="now"/>${below}</svg>`;
    const keys = this.legend.map(([kind, number, text]) => {
      const key = element("span", text);
      key.insertAdjacentHTML("afterbegin", `<svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true">`
        + `<path d="M0 4H24" class="line ${kind}" stroke-dasharray="${DASHES[number % DASHES.length]}"/></svg>`);
      return key;
    });
    const legend = element("p", "", "legend");
    legend.append(...keys);
    figure.firstElementChild.setAttribute("aria-label", `${this.title}. ${said}`);
    figure.prepend(element("figcaption", this.title));
    figure.append(legend);
    return figure;
  }
}

/** All plots of a game. */
class Figures {
  /** `go` is told which record the reader has touched. */
  constructor(data, go) {
    this.records = data.records;
    this.last = data.records.length - 1;
    this.marks = [];
    this.go = go;
    const seen = new Set(data.records.flatMap(({ counted = [] }) => counted.map(({ seat }) => seat)));
    // In the order of the table, so that a seat has the same line in every plot; an army of nobody's comes last.
    const seats = [...data.seats.map(([seat]) => seat), ...seen].filter((seat, place, all) =>
      seen.has(seat) && all.indexOf(seat) === place);
    const figures = [...this.tables(data), this.lost(seats), ...seats.map((seat) => this.luck(seat)),
      ...this.faces(data), ...this.pace(data)];
    byId("figures").append(...figures.filter((figure) => figure));
  }

  /** A figure whose points are records: the reader steps to one by touching it, and sees where he is. */
  overRecords(plot, said) {
    const figure = plot.figure([[0, "#0", "start"], [this.last, `#${this.last}`, "end"]], said);
    const svg = figure.querySelector("svg");
    svg.addEventListener("click", (event) => {
      const { left, width } = svg.getBoundingClientRect();
      const x = (event.clientX - left) / width * WIDE;
      this.go(Math.round((x - AREA.left) / (AREA.right - AREA.left) * this.last));
    });
    this.marks.push([plot, svg.querySelector(".now")]);
    return figure;
  }

  mark(seq) {
    for (const [plot, line] of this.marks) line.setAttribute("d", `M${plot.x(seq)} ${AREA.top}V${AREA.bottom}`);
  }

  /** Lines over the records, from the points of each. */
  lines(title, lines) {
    const all = lines.flatMap(([, points]) => points.map(([, y]) => y));
    if (all.length === 0) return null;
    const plot = new Plot(title, this.last, [Math.min(...all), Math.max(...all)]);
    lines.forEach(([name, points], number) => plot.line(name, number, points));
    return this.overRecords(plot, `At the end: ${plot.legend.map(([, , text]) => text).join(", ")}.`);
  }

  /** The numbers of the table, as the log shows them. */
  tables({ plots, records }) {
    let first = 0;
    return plots.map(([title, names]) => {
      const begins = first;
      first += names.length;
      return this.lines(title, names.map((name, place) => {
        const points = records.flatMap(({ map }, seq) => {
          const number = map?.numbers?.[begins + place];
          return number === undefined || number === null ? [] : [[seq, number]];
        });
        return [name, points];
      }));
    });
  }

  /** What was counted of a seat, summed up record by record. */
  summed(seat, what, value) {
    let sum = 0;
    return this.records.flatMap(({ counted = [] }, seq) => {
      const found = counted.filter((one) => one.is === what && one.seat === seat);
      sum += found.reduce((all, one) => all + value(one), 0);
      return found.length > 0 ? [[seq, sum]] : [];
    });
  }

  lost(seats) {
    return this.lines("Units lost", seats.map((seat) => [seat, this.summed(seat, "lost", ({ units }) => units)]));
  }

  /** Hits above or below what was to be expected of the same rolls, and how far chance goes. */
  luck(seat) {
    const mean = ({ sum, ways }) => sum / ways;
    const above = this.summed(seat, "hits", (roll) => roll.hits - mean(roll));
    if (above.length === 0) return null;
    const hits = this.summed(seat, "hits", (roll) => roll.hits).at(-1)[1];
    const variances = this.summed(seat, "hits", (roll) => roll.squares / roll.ways - mean(roll) ** 2);
    const band = variances.map(([seq, variance]) => [seq, Math.sqrt(variance)]);
    const most = Math.max(...above.map(([, y]) => Math.abs(y)), 2 * band.at(-1)[1]);
    const plot = new Plot(`Hits of ${seat} against expectation`, this.last, [-most, most]);
    plot.band(band);
    plot.line(seat, 0, above);
    const expected = hits - above.at(-1)[1];
    plot.legend = [[`of-${seat}`, 0, `${hits} hits, ${brief(expected)} expected; 19 games of 20 end in the grey`]];
    return this.overRecords(plot, `${hits} hits, ${brief(expected)} expected, and between `
      + `${brief(expected - 2 * band.at(-1)[1])} and ${brief(expected + 2 * band.at(-1)[1])} in 19 games of 20.`);
  }

  /** How often each face of the six-sided dice fell, by what they were thrown for; what is rare is counted together. */
  faces({ records }) {
    const groups = new Map();
    const six = records.flatMap(({ dice = [] }) => dice).filter(([, sides]) => sides === 6);
    for (const [label, , faces] of six) groups.set(label, [...(groups.get(label) ?? []), ...faces]);
    const rare = [...groups].filter(([, faces]) => faces.length < FACES_LEAST);
    const shown = [...groups].filter(([, faces]) => faces.length >= FACES_LEAST);
    if (rare.length > 0) shown.push(["all others", rare.flatMap(([, faces]) => faces)]);
    return shown.map(([label, faces]) => {
      const counts = [1, 2, 3, 4, 5, 6].map((face) => faces.filter((fallen) => fallen === face).length);
      const expected = faces.length / 6;
      const deviation = Math.sqrt(expected * 5 / 6);
      const plot = new Plot(`Dice: ${label}`, 6, [0, Math.max(...counts, expected + 2 * deviation)]);
      const [high, low] = [plot.y(expected + 2 * deviation), plot.y(Math.max(expected - 2 * deviation, 0))];
      plot.parts.push(`<rect x="${AREA.left}" y="${high}" width="${AREA.right - AREA.left}" height="${low - high}" `
        + `class="band"/><path d="M${AREA.left} ${plot.y(expected)}H${AREA.right}" class="expected"/>`);
      counts.forEach((count, face) => plot.parts.push(bar(plot, face + 0.2, 0.6, 0, count, "of-face")));
      const all = counted(faces.length, "die", "dice");
      plot.legend = [["expected", 0, `${all}, ${brief(expected)} of each face expected`]];
      const below = counts.map((_, face) => [face + 0.5, face + 1, "middle"]);
      return plot.figure(below, `${counts.map((count, face) => `${count} times ${face + 1}`).join(", ")}.`);
    });
  }

  /** Letters and days, turn by turn, those of the seats upon one another. */
  pace({ pace }) {
    const seats = pace[0]?.shares.map(({ seat }) => seat) ?? [];
    const stacked = (title, value, unit) => {
      const sums = pace.map(({ shares }) => shares.reduce((sum, share) => sum + value(share), 0));
      if (Math.max(0, ...sums) === 0) return null;
      const plot = new Plot(title, pace.length, [0, Math.max(...sums)]);
      pace.forEach(({ shares }, turn) => {
        let base = 0;
        shares.forEach((share) => {
          plot.parts.push(bar(plot, turn + 0.1, 0.8, base, base + value(share), `of-${share.seat}`));
          base += value(share);
        });
      });
      const totals = seats.map((seat, number) => pace.reduce((sum, { shares }) => sum + value(shares[number]), 0));
      plot.legend = seats.map((seat, number) => [`of-${seat}`, 0, `${seat} ${brief(totals[number])}${unit}`]);
      const below = [[0.5, pace[0].turn, "start"], [pace.length - 0.5, pace.at(-1).turn, "end"]];
      const said = plot.legend.map(([, , text]) => text).join(", ");
      return plot.figure(below, `${said}, in ${counted(pace.length, "turn")}.`);
    };
    return [stacked("Letters by turn", ({ letters }) => letters, ""),
      stacked("Days waited for, by turn", ({ waited }) => waited / 86400, " days")];
  }
}

function bar(plot, x, width, from, to, kind) {
  const [left, right, top, bottom] = [plot.x(x), plot.x(x + width), plot.y(to), plot.y(from)];
  return `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${(right - left).toFixed(1)}" `
    + `height="${(bottom - top).toFixed(1)}" class="bar ${kind}"/>`;
}
