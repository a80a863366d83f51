// The apparatus: momentum and angular velocity of one body in space and in its own axes, energies, angles and
// residual, as Python computed them.  A finished run and a live one feed the same panel.

import { AXES, MOMENTUM, SPIN } from "./color.ts";
import { button, choice, element } from "./dom.ts";

export type Readings = Readonly<Record<string, ArrayLike<number> | undefined>>;

interface Row {
  readonly key: string; // of the readings
  readonly labels: readonly string[];
  readonly unit: string;
  readonly digits: number;
}

const XYZ = ["x", "y", "z"];
const ROWS: readonly (Row & { readonly group: string })[] = [
  { group: "L", key: "L-space", labels: XYZ, unit: "kg m²/s", digits: 7 },
  { group: "L", key: "L-body", labels: XYZ, unit: "kg m²/s", digits: 7 },
  { group: "ω", key: "w-space", labels: XYZ, unit: "rad/s", digits: 7 },
  { group: "ω", key: "w-body", labels: XYZ, unit: "rad/s", digits: 7 },
  { group: "|L|", key: "L-sizes", labels: ["|L| space", "|L| body"], unit: "kg m²/s", digits: 15 },
  { group: "energy", key: "kinetic", labels: ["½ ω·Iω", "½ L·ω", "½ L·I⁻¹L"], unit: "J", digits: 15 },
  { group: "angles", key: "angles", labels: [], unit: "°", digits: 9 },
  { group: "residual", key: "residual", labels: ["residual"], unit: "", digits: 5 },
];
const TITLES: Readonly<Record<string, string>> = { "L-space": "L space", "L-body": "L body", "w-space": "ω space", "w-body": "ω body" };
const GROUPS = [...new Set(ROWS.map((row) => row.group))];
const FRAMES = ["space", "body"] as const;
const NAMES: Readonly<Record<string, readonly string[]>> = { zyx: ["yaw", "pitch", "roll"], xyz: ["roll", "pitch", "yaw"] };
const TURNS = ["precession", "nutation", "spin"];

/** What the three angles of a sequence are called. */
export function angleNames(sequence: string): readonly string[] {
  return NAMES[sequence.toLowerCase()] ?? (sequence[0] === sequence[2] ? TURNS : [...sequence].map((axis) => `about ${axis}`));
}

/** A number with so many digits, in a width that does not jump. */
export function digits(x: number, count: number): string {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  return size !== 0 && (size < 1e-4 || size >= 1e6) ? x.toExponential(Math.min(count, 9) - 1) : x.toPrecision(count);
}

/** A point of space on a small canvas: seen from a corner, z upwards. */
export function project(x: ArrayLike<number>): [number, number] {
  const [a, b, c] = [x[0]!, x[1]!, x[2]!];
  return [0.8 * a + 0.6 * b, 0.24 * (0.6 * a - 0.8 * b) - 0.97 * c];
}

export class Apparatus {
  readonly root: HTMLElement;
  readonly body: HTMLSelectElement;
  readonly sequence: HTMLSelectElement;
  readings: Readings = {};
  private readonly table = element("table");
  private readonly time = element("span", { class: "quiet" });
  private readonly canvases = FRAMES.map((name) => element("canvas", { "aria-label": `momentum and angular velocity in ${name} axes` }));
  private readonly cells = new Map<string, HTMLTableCellElement[]>();
  private readonly off = new Set<string>();
  private readonly most = new Map<string, number>(); // the largest vector so far, which is drawn in full length

  constructor(bodies: readonly string[], sequences: readonly string[], changed: () => void) {
    const names = bodies.map((name, i): [string, string] => [String(i), name]);
    this.body = choice("apparatus-body", "body", names);
    this.sequence = choice("apparatus-sequence", "sequence of the angles", sequences.map((one) => [one, one]));
    const switches = GROUPS.map((group) => {
      const one = button("", group);
      one.setAttribute("aria-pressed", "true");
      one.addEventListener("click", () => {
        if (!this.off.delete(group)) this.off.add(group);
        one.setAttribute("aria-pressed", String(!this.off.has(group)));
        this.build();
        this.paint();
      });
      return one;
    });
    for (const select of [this.body, this.sequence]) {
      select.addEventListener("change", () => {
        this.most.clear();
        this.build();
        changed();
      });
    }
    const pictures = this.canvases.map((canvas, i) => element("figure", {}, element("figcaption", {}, `${FRAMES[i]} axes`), canvas));
    this.root = element(
      "section",
      { id: "apparatus" },
      element("h2", {}, "Apparatus"),
      element("p", { class: "pickers" }, this.body, this.sequence, this.time),
      element("p", { class: "chips" }, ...switches),
      element("div", { class: "pictures" }, ...pictures),
      this.table,
    );
    this.build();
  }

  private build(): void {
    this.cells.clear();
    const rows = ROWS.filter(({ group }) => !this.off.has(group)).flatMap((row) => {
      const labels = row.key === "angles" ? angleNames(this.sequence.value) : row.labels;
      const cells = labels.map(() => element("td"));
      this.cells.set(row.key, cells);
      const title = TITLES[row.key];
      if (title) return [element("tr", { title: row.unit }, element("th", {}, title), ...cells)];
      return cells.map((cell, i) => {
        cell.colSpan = 2;
        return element("tr", {}, element("th", {}, labels[i]!), cell, element("td", { class: "unit" }, row.unit));
      });
    });
    this.table.replaceChildren(...rows);
    this.root.querySelector<HTMLElement>(".pictures")!.hidden = this.off.has("L") && this.off.has("ω");
  }

  /** Choose body and sequence from outside. */
  choose(body: string, sequence: string): void {
    if (this.body.value === body && this.sequence.value === sequence) return;
    [this.body.value, this.sequence.value] = [body, sequence];
    this.most.clear();
    this.build();
  }

  /** Show numbers; `time` says of when they are. */
  show(readings: Readings, time: string): void {
    this.readings = readings;
    this.time.textContent = time;
    for (const { key, digits: count } of ROWS) {
      const values = readings[key];
      this.cells.get(key)?.forEach((cell, i) => {
        const raw = values?.[i] ?? NaN;
        const x = key === "angles" ? (raw * 180) / Math.PI : raw;
        cell.textContent = digits(x, count);
        cell.title = Number.isFinite(x) ? String(x) : "not known here";
      });
    }
    this.paint();
  }

  private paint(): void {
    this.canvases.forEach((canvas, i) => {
      const ratio = Math.min(2, window.devicePixelRatio);
      const side = canvas.clientWidth;
      if (!side) return;
      canvas.width = canvas.height = Math.round(side * ratio);
      const c = canvas.getContext("2d")!;
      c.setTransform(0.4 * side * ratio, 0, 0, 0.4 * side * ratio, 0.5 * side * ratio, 0.5 * side * ratio);
      AXES.forEach((color, axis) => this.arrow(c, [0, 1, 2].map((k) => (k === axis ? 0.8 : 0)), color, 0.018, XYZ[axis]!));
      for (const [group, symbol, color, wide] of [["L", "L", MOMENTUM, 0.065], ["ω", "w", SPIN, 0.03]] as const) {
        const x = this.readings[`${symbol}-${FRAMES[i]!}`];
        if (!x || this.off.has(group)) continue;
        const size = Math.hypot(x[0]!, x[1]!, x[2]!);
        const most = Math.max(this.most.get(symbol) ?? 0, size);
        this.most.set(symbol, most);
        if (size > 0) this.arrow(c, [x[0]! / most, x[1]! / most, x[2]! / most], color, wide, group);
      }
    });
  }

  private arrow(c: CanvasRenderingContext2D, tip: readonly number[], color: string, wide: number, name: string): void {
    const [x, y] = project(tip);
    const length = Math.hypot(x, y);
    c.strokeStyle = c.fillStyle = color;
    c.lineWidth = wide;
    c.beginPath();
    c.moveTo(0, 0);
    c.lineTo(x, y);
    c.stroke();
    if (length > 0) {
      const [u, v, head] = [x / length, y / length, 0.05 + 1.4 * wide];
      c.beginPath();
      c.moveTo(x + head * u, y + head * v);
      c.lineTo(x - 0.6 * head * v, y + 0.6 * head * u);
      c.lineTo(x + 0.6 * head * v, y - 0.6 * head * u);
      c.fill();
    }
    c.font = "0.16px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    const away = length > 0 ? 1 + 0.2 / length : 1;
    c.fillText(name, away * x + (name === "L" ? -0.1 : 0), away * y); // L and ω are often parallel
  }
}
