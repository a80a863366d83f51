// "What if" for a free body: other moments and another spin, by the closed form, without a server.

import type { Table } from "./codec.ts";
import { button, element } from "./dom.ts";
import { Entry } from "./entry.ts";
import { FreeBody } from "./freebody.ts";
import { rotate } from "./motion.ts";
import type { Body, Payload, Quaternion, Run, Shape, Vector } from "./payload.ts";

export interface Question {
  readonly moments: Vector;
  readonly spin: Vector; // at the start, about the principal axes
}

/** The body of a run as it is: its moments, and its spin about the principal axes. */
export function asIs(run: Run): Question {
  const { moments, axes } = run.bodies[run.free!.body]!;
  const [w, x, y, z] = axes;
  return { moments, spin: rotate([w, -x, -y, -z], run.free!.spin) };
}

/** Whether a rigid body can have these moments. */
export function possible([a, b, c]: Vector): boolean {
  return a > 0 && b > 0 && c > 0 && a <= (1 + 1e-12) * (b + c) && b <= (1 + 1e-12) * (c + a) && c <= (1 + 1e-12) * (a + b);
}

function columns(rows: readonly (readonly number[])[], count: number): Table {
  const data = new Float64Array(count * rows.length);
  rows.forEach((row, i) => row.forEach((x, c) => (data[c * rows.length + i] = x)));
  return { rows: rows.length, columns: count, stride: rows.length, data };
}

/** The data of a page with one free body, with other moments and spin; curves that do not follow are empty. */
export function answer(payload: Payload, question: Question): Payload {
  const run = payload.header.runs[0]!;
  const body = run.bodies[run.free!.body]!;
  const motion = new FreeBody(question.moments, body.axes, run.free!.quaternion, rotate(body.axes, question.spin));
  const was = new FreeBody(asIs(run).moments, body.axes, run.free!.quaternion, run.free!.spin);
  const times = payload.table(run.time);
  const since = Array.from({ length: times.rows }, (_, i) => times.data[i]! - times.data[0]!);
  const gain = motion.L.map((x, k) => x - was.L[k]!);
  const made = payload.derive({ ...run, name: "what if: closed form", apparatus: null, bodies: [shaped(body, question.moments)] });
  made.put(body.quaternion, columns(motion.attitudes(since), 4));
  if (body.spin !== null) made.put(body.spin, columns(since.map((t) => motion.spin(t)), 3));
  const shifted = (id: number, shift: readonly number[]): void => {
    const { rows, columns: count, data } = payload.table(id);
    const moved = columns(Array.from({ length: rows }, (_, i) => shift.map((x, c) => data[c * rows + i]! + x)), count);
    made.put(id, moved);
  };
  if (run.momentum !== null) shifted(run.momentum, gain);
  for (const plot of run.plots) {
    const [time, values] = [payload.table(plot.time), payload.table(plot.values)];
    if (plot.key === `spin of ${body.name}`) {
      made.put(plot.values, columns(Array.from({ length: time.rows }, (_, i) => motion.spin(time.data[i]! - times.data[0]!)), 3));
    } else if (plot.key === "energy") {
      shifted(plot.values, [motion.energy - was.energy, 0, motion.energy - was.energy]);
    } else if (plot.key === "angular-momentum") shifted(plot.values, gain);
    else if (plot.key !== `place of ${body.name}` && plot.key !== "linear-momentum") {
      made.put(plot.values, { ...values, data: new Float64Array(values.data.length).fill(NaN) });
    }
  }
  return made;
}

/** The body with these moments; one without a shape of its own is the ellipsoid that has them. */
function shaped(body: Body, moments: Vector): Body {
  if (!body.plain || body.shape.kind !== "ellipsoid") return { ...body, moments };
  const [a, b, c] = moments;
  const radius = (x: number): number => Math.sqrt(Math.max(0, 2.5 * x) / body.mass);
  const radii = [radius(b + c - a), radius(c + a - b), radius(a + b - c)];
  const most = Math.max(...radii);
  const shape: Shape = { kind: "ellipsoid", radii: radii.map((x) => Math.max(x, 0.04 * most)) as unknown as Vector };
  return { ...body, moments, shape, rotation: body.axes as Quaternion };
}

export class WhatIf {
  readonly root: HTMLElement;
  private question: Question;
  private readonly first: Question;
  private readonly entries: Entry[] = [];
  private readonly note = element("p", { class: "quiet", role: "status" });

  /** `show` is given other data, or null for those of the run. */
  constructor(payload: Payload, show: (other: Payload | null) => void) {
    this.first = this.question = asIs(payload.header.runs[0]!);
    const back = button("what-if-reset", "as it was");
    this.root = element("section", { id: "what-if" }, element("h2", {}, "What if"), this.note);
    const size = Math.max(...this.first.moments);
    const fast = Math.max(1e-300, Math.hypot(...this.first.spin));
    const scales = { moments: { low: size / 50, high: 2 * size }, spin: { low: -1.5 * fast, high: 1.5 * fast } };
    for (const [what, symbol, unit] of [["moments", "I", "kg m²"], ["spin", "ω", "rad/s"]] as const) {
      for (const k of [0, 1, 2]) {
        const entry = new Entry(`${symbol}${"₁₂₃"[k]!}`, unit, { ...scales[what], log: false, whole: false }, this.first[what][k]!, (value) => {
          const changed = [...this.question[what]];
          changed[k] = value;
          this.ask({ ...this.question, [what]: changed as unknown as Vector });
        });
        this.entries.push(entry);
        this.root.append(entry.root);
      }
    }
    this.root.append(back);
    back.addEventListener("click", () => {
      this.question = this.first;
      [...this.first.moments, ...this.first.spin].forEach((x, i) => this.entries[i]!.set(x));
      this.say("");
      show(null);
    });
    this.ask = (question) => {
      this.question = question;
      const good = possible(question.moments);
      this.say(good ? "The closed form with these numbers, computed on this page." : "No rigid body has these moments: each is at most the sum of the other two.");
      if (good) show(answer(payload, question));
    };
    this.say("");
  }

  readonly ask: (question: Question) => void;

  private say(text: string): void {
    this.note.textContent = text || "Principal moments, and the spin about these axes at the start. The motion is the closed form (Jacobi's functions).";
  }
}
