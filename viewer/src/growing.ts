// The data of a page that grow: the last frames of a live simulation as tables, which the page draws as it
// draws those of a finished run.

import type { Table } from "./codec.ts";
import { locate } from "./motion.ts";
import { Payload, type Run } from "./payload.ts";
import type { Frame, Hello, Numbers } from "./protocol.ts";

const LINES = 12; // of a plot: there are as many colors
const ROWS = 1800; // half a minute at sixty frames a second

/** A table of the last rows that were pushed. */
export class GrowingTable implements Table {
  rows = 0;
  readonly columns: number;
  readonly stride: number;
  data: Float64Array;
  private first = 0;
  private readonly memory: Float64Array;
  private readonly most: number;

  constructor(columns: number, most = ROWS) {
    this.columns = columns;
    this.most = most;
    this.stride = 2 * most;
    this.data = this.memory = new Float64Array(columns * this.stride);
  }

  /** Add a row, which starts at `at` in `values`; the oldest one goes if there are too many. */
  push(values: ArrayLike<number>, at = 0): void {
    if (this.rows === this.most) {
      this.first++;
      this.rows--;
    }
    if (this.first + this.rows === this.stride) {
      for (let c = 0; c < this.columns; c++) {
        const begin = c * this.stride;
        this.memory.copyWithin(begin, begin + this.first, begin + this.stride);
      }
      this.first = 0;
    }
    for (let c = 0; c < this.columns; c++) this.memory[c * this.stride + this.first + this.rows] = values[at + c] ?? NaN;
    this.rows++;
    this.data = this.memory.subarray(this.first);
  }

  /** Forget the rows from this one on. */
  cut(row: number): void {
    this.rows = Math.max(0, Math.min(this.rows, row));
  }
}

interface RunTables {
  readonly time: GrowingTable;
  readonly numbers: GrowingTable[]; // in the order of the hello
  readonly poses: { readonly quaternion: GrowingTable; readonly position: GrowingTable }[];
}

export class LiveData {
  readonly hello: Hello;
  readonly payload: Payload;
  readonly runs: RunTables[];
  private readonly entries: readonly Numbers[];

  /** `bytes`: the data of the hello, inflated; tables of `before` go on if they fit; `body`: whose spin is known. */
  constructor(hello: Hello, bytes: Uint8Array, before: LiveData | null, body: number) {
    this.hello = hello;
    this.entries = hello.numbers;
    const same = before !== null && JSON.stringify([before.hello.numbers, before.shape()]) === JSON.stringify([hello.numbers, this.shape()]);
    this.runs = same
      ? before.runs
      : hello.page.runs.map((run) => ({
          time: new GrowingTable(1),
          numbers: hello.numbers.map(({ count }) => new GrowingTable(count)),
          poses: [...run.bodies, ...run.ghosts].map(() => ({ quaternion: new GrowingTable(4), position: new GrowingTable(3) })),
        }));
    const tables: [number, Table][] = [];
    let next = hello.page.arrays.length;
    const put = (table: Table): number => {
      tables.push([next, table]);
      return next++;
    };
    const made = hello.page.runs.map((run, i) => this.describe(run, this.runs[i]!, put, body));
    this.payload = new Payload({ ...hello.page, title: hello.title, runs: made }, bytes, true);
    for (const [id, table] of tables) this.payload.put(id, table);
    if (!same) this.begin(hello, bytes);
  }

  private shape(): number[][] {
    return this.hello.page.runs.map((run) => [run.bodies.length, run.ghosts.length]);
  }

  private describe(run: Run, tables: RunTables, put: (table: Table) => number, spinning: number): Run {
    const column = (key: string): GrowingTable | undefined => tables.numbers[this.entries.findIndex((one) => one.key === key)];
    const time = put(tables.time);
    const pose = (i: number): { quaternion: number; position: number } => ({ quaternion: put(tables.poses[i]!.quaternion), position: put(tables.poses[i]!.position) });
    const [momentum, spin, thrusts] = [column("angular-momentum"), column("w-body"), column("thrusts")];
    return {
      ...run,
      time,
      momentum: momentum ? put(momentum) : null,
      bodies: run.bodies.map((body, i) => ({ ...body, ...pose(i), spin: spin && i === spinning ? put(spin) : null })),
      ghosts: run.ghosts.map((_, i) => pose(run.bodies.length + i)),
      thrusts: thrusts ? run.thrusts.map((one, i) => ({ ...one, values: put(new Columns(thrusts, 3 * i, 3)) })) : [],
      plots: this.entries.flatMap((one, i) => (one.curve ? parts(one) : []).map(([part, from]) => ({ ...part, time, values: put(new Columns(tables.numbers[i]!, from, part.count)) }))),
      apparatus: null,
      free: null,
    };
  }

  /** The start, as the hello has it: there is something to see before the first frame. */
  private begin(hello: Hello, bytes: Uint8Array): void {
    const start = new Payload(hello.page, bytes);
    hello.page.runs.forEach((run, i) => {
      const tables = this.runs[i]!;
      tables.time.push(start.table(run.time).data);
      for (const one of tables.numbers) one.push([]);
      [...run.bodies, ...run.ghosts].forEach((one, k) => {
        tables.poses[k]!.quaternion.push(start.table(one.quaternion).data);
        tables.poses[k]!.position.push(start.table(one.position).data);
      });
    });
  }

  /** Take a frame; those after its time are forgotten, because the motion went back.  Return whether it fits. */
  push(frame: Frame): boolean {
    const { runs, entries } = this;
    const width = entries.reduce((most, one) => Math.max(most, one.at + one.count), 0);
    if (frame.scene !== this.hello.scene || frame.runs !== runs.length || frame.poses !== runs[0]!.poses.length || frame.count < width) return false;
    runs.forEach((tables, i) => {
      const base = i * frame.count;
      const time = frame.numbers[base + this.entry("time")!.at]!;
      this.forget(tables, time);
      tables.time.push([time]);
      entries.forEach((one, k) => tables.numbers[k]!.push(frame.numbers, base + one.at));
      tables.poses.forEach(({ quaternion, position }, k) => {
        quaternion.push(frame.places, 7 * (i * frame.poses + k));
        position.push(frame.places, 7 * (i * frame.poses + k) + 4);
      });
    });
    return true;
  }

  private forget({ time, numbers, poses }: RunTables, from: number): void {
    const last = time.data[time.rows - 1];
    if (last === undefined || last < from) return;
    const { row } = locate(time, from);
    const keep = time.data[row]! < from ? row + 1 : row;
    for (const table of [time, ...numbers, ...poses.flatMap((one) => [one.quaternion, one.position])]) table.cut(keep);
  }

  private entry(key: string): Numbers | undefined {
    return this.entries.find((one) => one.key === key);
  }

  /** The newest numbers of a key; nothing if there is no such key. */
  newest(key: string, run = 0): number[] | undefined {
    const table = this.runs[run]?.numbers[this.entries.findIndex((one) => one.key === key)];
    return table?.rows ? Array.from({ length: table.columns }, (_, c) => table.data[c * table.stride + table.rows - 1]!) : undefined;
  }

  /** First and last time that the curves show. */
  get span(): [number, number] {
    const { data, rows } = this.runs[0]!.time;
    return [data[0] ?? 0, data[rows - 1] ?? 0];
  }
}

/** Numbers that one plot can show, and where they begin: those of many bodies, body by body. */
export function parts(all: Numbers): [Numbers, number][] {
  const owner = (label: string): string => label.split(".")[0]!;
  const same = all.labels.length > 1 && all.labels.every((label) => label.includes(".") && owner(label) === owner(all.labels[0]!));
  if (all.count <= LINES && !same) return [[all, 0]];
  const found: [Numbers, number][] = [];
  for (let from = 0, to = 0; from < all.count; from = to) {
    while (to < Math.min(all.count, from + LINES) && owner(all.labels[to]!) === owner(all.labels[from]!)) to++;
    const name = owner(all.labels[from]!);
    const labels = all.labels.slice(from, to).map((label) => label.slice(name.length + 1).replace(/^joint\./, "") || label);
    found.push([{ ...all, key: all.count > LINES ? `${all.key} ${from}` : all.key, title: `${all.title}: ${name}`, labels, count: to - from }, from]);
  }
  return found;
}

/** Some columns of a table that grows. */
class Columns implements Table {
  readonly columns: number;
  private readonly of: GrowingTable;
  private readonly from: number;

  constructor(of: GrowingTable, from: number, columns: number) {
    [this.of, this.from, this.columns] = [of, from, columns];
  }

  get rows(): number {
    return this.of.rows;
  }

  get stride(): number {
    return this.of.stride;
  }

  get data(): Float64Array {
    return this.of.data.subarray(this.from * this.of.stride);
  }
}
