// A plot against time, of one quantity of all runs, with a cursor where the clock stands.

import { runColor } from "./color.ts";
import { nearest } from "./motion.ts";
import type { Payload } from "./payload.ts";
import type { Table } from "./codec.ts";
import { baseOf, linearTicks, logTicks, numberName, tickName, timeName, timeUnit } from "./ticks.ts";

const FLOOR = 1e-17; // what a logarithm shows of zero
const DASHES = [[], [6, 4], [2, 3], [8, 3, 2, 3]];
const LEFT = 58;
const [RIGHT, TOP, BOTTOM] = [12, 10, 24];

export interface Line {
  readonly label: string;
  readonly run: number;
  readonly part: number;
  readonly time: Table;
  readonly values: Float64Array;
}

/** Quantities that any of the runs has, in order. */
export function quantities(payload: Payload): Map<string, { title: string; unit: string; log: boolean }> {
  const found = new Map<string, { title: string; unit: string; log: boolean }>();
  for (const run of payload.header.runs) for (const plot of run.plots) if (!found.has(plot.key)) found.set(plot.key, plot);
  return found;
}

export function linesOf(payload: Payload, key: string): Line[] {
  const many = payload.header.runs.length > 1;
  return payload.header.runs.flatMap((run, index) =>
    run.plots
      .filter((plot) => plot.key === key)
      .flatMap((plot) => {
        const table = payload.table(plot.values);
        return Array.from({ length: table.columns }, (_, part): Line => {
          const own = plot.labels[part] ?? "";
          return {
            label: many ? [run.name, own].filter(Boolean).join(" ") : own || run.name,
            run: index,
            part,
            time: payload.table(plot.time),
            values: table.data.subarray(part * table.stride, part * table.stride + table.rows),
          };
        });
      }),
  );
}

export class Plot {
  key: string;
  lines: Line[] = [];
  hover: number | null = null; // time under the pointer
  marks: readonly number[] = []; // times at which something changed
  private log = false;
  private low = 0;
  private high = 1;
  private picture: HTMLCanvasElement | null = null;
  readonly canvas: HTMLCanvasElement;
  private payload: Payload;
  private span: readonly [number, number];

  constructor(canvas: HTMLCanvasElement, payload: Payload, key: string, span: readonly [number, number]) {
    this.canvas = canvas;
    this.payload = payload;
    this.span = span;
    this.key = key;
    this.choose(key);
  }

  load(payload: Payload, span: readonly [number, number]): void {
    [this.payload, this.span] = [payload, span];
    this.choose(this.key);
  }

  choose(key: string): void {
    this.key = key;
    this.log = quantities(this.payload).get(key)?.log ?? false;
    this.lines = linesOf(this.payload, key);
    [this.low, this.high] = this.range();
    this.picture = null;
  }

  private range(): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (const { values } of this.lines) {
      for (const raw of values) {
        if (!Number.isFinite(raw)) continue;
        const x = this.log ? Math.max(FLOOR, raw) : raw;
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
    }
    if (!(low <= high)) return this.log ? [FLOOR, 1] : [0, 1];
    if (this.log) {
      const bottom = Math.floor(Math.log10(low) + 1e-9);
      return [10 ** bottom, 10 ** Math.max(bottom + 2, Math.ceil(Math.log10(high) - 1e-9))];
    }
    const margin = high > low ? 0.06 * (high - low) : Math.max(1e-12, 0.05 * Math.abs(high));
    return [low - margin, high + margin];
  }

  private x(time: number): number {
    const [start, end] = this.span;
    return LEFT + ((this.canvas.clientWidth - LEFT - RIGHT) * (time - start)) / Math.max(1e-300, end - start);
  }

  private y(value: number): number {
    const place = this.log
      ? Math.log(Math.max(FLOOR, value) / this.low) / Math.log(this.high / this.low)
      : (value - this.low) / (this.high - this.low);
    return this.canvas.clientHeight - BOTTOM - place * (this.canvas.clientHeight - TOP - BOTTOM);
  }

  /** The time at a place on the canvas. */
  timeAt(x: number): number {
    const [start, end] = this.span;
    const share = (x - LEFT) / Math.max(1, this.canvas.clientWidth - LEFT - RIGHT);
    return start + Math.min(1, Math.max(0, share)) * (end - start);
  }

  /** What the lines say at a time. */
  read(time: number): { label: string; value: number }[] {
    return this.lines.map(({ label, time: times, values }) => ({
      label,
      value: time > (times.data[times.rows - 1] ?? 0) * (1 + 1e-9) + 1e-12 ? NaN : (values[nearest(times, time)] ?? NaN),
    }));
  }

  refresh(): void {
    this.picture = null;
  }

  draw(time: number): void {
    const ratio = Math.min(2, window.devicePixelRatio);
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!width || !height) return;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.picture = null;
    }
    this.picture ??= this.paint(ratio, width, height);
    const c = this.canvas.getContext("2d")!;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    c.drawImage(this.picture, 0, 0);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.cursor(c, time, height);
    if (this.hover !== null) this.readOut(c, this.hover, width, height);
  }

  /** Names and colours of the curves, if there is something to tell apart. */
  legend(): { label: string; color: string; dash: number }[] {
    const dash = (part: number): number => (this.payload.header.runs.length > 1 ? part % DASHES.length : 0);
    return this.lines.length > 1 ? this.lines.map((line) => ({ label: line.label, color: this.color(line), dash: dash(line.part) })) : [];
  }

  private color(line: Line): string {
    const dark = document.documentElement.dataset["theme"] === "dark";
    return runColor(this.payload.header.runs.length > 1 ? line.run : line.part, dark);
  }

  /** Axes and curves: what does not change while the clock runs. */
  private paint(ratio: number, width: number, height: number): HTMLCanvasElement {
    const picture = document.createElement("canvas");
    [picture.width, picture.height] = [this.canvas.width, this.canvas.height];
    const c = picture.getContext("2d")!;
    c.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const [ink, grid] = [style.getPropertyValue("--quiet"), style.getPropertyValue("--line")];
    c.font = `11px ${style.getPropertyValue("--font")}`;
    c.lineWidth = 1;
    const rows = Math.max(2, Math.floor((height - TOP - BOTTOM) / 34));
    const base = this.log ? 0 : baseOf(this.low, this.high);
    const ticks = this.log ? logTicks(this.low, this.high, rows) : linearTicks(this.low - base, this.high - base, rows);
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (const tick of ticks) {
      const y = Math.round(this.y(base + tick)) + 0.5;
      c.strokeStyle = grid;
      c.beginPath();
      c.moveTo(LEFT, y);
      c.lineTo(width - RIGHT, y);
      c.stroke();
      c.fillStyle = ink;
      c.fillText(tickName(tick, this.log), LEFT - 7, y);
    }
    if (base) {
      c.textAlign = "left";
      c.fillText(`${String(base)} +`, LEFT + 4, TOP + 1);
    }
    c.textAlign = "center";
    c.textBaseline = "top";
    const { name, seconds } = timeUnit(this.span[1] - this.span[0]);
    const [start, end] = [this.span[0] / seconds, this.span[1] / seconds];
    for (const tick of linearTicks(start, end, Math.max(2, Math.floor(width / 110)))) {
      c.fillStyle = ink;
      c.fillText(`${numberName(tick)} ${name}`, Math.min(width - RIGHT - 12, this.x(tick * seconds)), height - BOTTOM + 7);
    }
    c.save();
    c.beginPath();
    c.rect(LEFT, TOP - 2, width - LEFT - RIGHT, height - TOP - BOTTOM + 4);
    c.clip();
    c.strokeStyle = ink;
    c.setLineDash([2, 4]);
    for (const time of this.marks) {
      c.beginPath();
      c.moveTo(this.x(time), TOP);
      c.lineTo(this.x(time), height - BOTTOM);
      c.stroke();
    }
    c.setLineDash([]);
    for (const line of this.lines) this.curve(c, line);
    c.restore();
    return picture;
  }

  private curve(c: CanvasRenderingContext2D, line: Line): void {
    c.strokeStyle = this.color(line);
    c.lineWidth = 1.5;
    c.lineJoin = "round";
    c.setLineDash(this.payload.header.runs.length > 1 ? DASHES[line.part % DASHES.length]! : []);
    c.beginPath();
    let pen = false;
    line.values.forEach((value, i) => {
      if (!Number.isFinite(value)) {
        pen = false;
        return;
      }
      const [x, y] = [this.x(line.time.data[i]!), this.y(value)];
      if (pen) c.lineTo(x, y);
      else c.moveTo(x, y);
      pen = true;
    });
    c.stroke();
    c.setLineDash([]);
  }

  private cursor(c: CanvasRenderingContext2D, time: number, height: number): void {
    const style = getComputedStyle(document.documentElement);
    const x = Math.min(this.canvas.clientWidth - RIGHT, this.x(time)); // a live curve follows a little later
    c.strokeStyle = style.getPropertyValue("--accent");
    c.lineWidth = 1.2;
    c.beginPath();
    c.moveTo(x, TOP - 4);
    c.lineTo(x, height - BOTTOM);
    c.stroke();
    this.read(time).forEach(({ value }, i) => {
      if (!Number.isFinite(value)) return;
      c.fillStyle = this.color(this.lines[i]!);
      c.beginPath();
      c.arc(x, this.y(value), 3, 0, 2 * Math.PI);
      c.fill();
    });
  }

  private readOut(c: CanvasRenderingContext2D, time: number, width: number, height: number): void {
    const style = getComputedStyle(document.documentElement);
    const rows = this.read(time).filter(({ value }) => Number.isFinite(value));
    const texts = [`t = ${timeName(time, this.span[1] - this.span[0])}`, ...rows.map(({ label, value }) => `${label}  ${numberName(value, 6)}`)];
    c.font = `11px ${style.getPropertyValue("--font")}`;
    const wide = Math.max(...texts.map((text) => c.measureText(text).width)) + 24;
    const x = this.x(time);
    const left = x + 10 + wide > width ? x - 10 - wide : x + 10;
    c.strokeStyle = style.getPropertyValue("--quiet");
    c.setLineDash([3, 3]);
    c.beginPath();
    c.moveTo(x, TOP);
    c.lineTo(x, height - BOTTOM);
    c.stroke();
    c.setLineDash([]);
    c.fillStyle = style.getPropertyValue("--panel");
    c.globalAlpha = 0.94;
    c.fillRect(left, TOP, wide, 15 * texts.length + 8);
    c.globalAlpha = 1;
    c.strokeRect(left, TOP, wide, 15 * texts.length + 8);
    c.textAlign = "left";
    c.textBaseline = "middle";
    texts.forEach((text, i) => {
      const y = TOP + 12 + 15 * i;
      const line = this.lines.find((one) => i > 0 && one.label === rows[i - 1]!.label);
      if (line) {
        c.fillStyle = this.color(line);
        c.fillRect(left + 7, y - 4, 8, 8);
      }
      c.fillStyle = style.getPropertyValue("--ink");
      c.fillText(text, left + (i ? 20 : 7), y);
    });
  }
}
