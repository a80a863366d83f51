// Where a body is at a time: frames, and what lies between two of them.

import type { Table } from "./codec.ts";

/** The last row at or before `time`, and the share of the way to the next. */
export function locate(times: Table, time: number): { row: number; share: number } {
  const { data, rows } = times;
  let low = 0;
  let high = rows - 1;
  if (rows < 2 || time <= data[0]!) return { row: 0, share: 0 };
  if (time >= data[high]!) return { row: high, share: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (data[middle]! <= time) low = middle;
    else high = middle;
  }
  return { row: low, share: (time - data[low]!) / (data[high]! - data[low]!) };
}

/** The row nearest to `time`. */
export function nearest(times: Table, time: number): number {
  const { row, share } = locate(times, time);
  return share > 0.5 ? row + 1 : row;
}

/** Row `row` of a table, or between it and the next one, into `out`. */
export function mix(table: Table, row: number, share: number, out: number[]): number[] {
  const { stride, columns, data } = table;
  for (let c = 0; c < columns; c++) {
    const a = data[c * stride + row]!;
    out[c] = share > 0 ? a + share * (data[c * stride + row + 1]! - a) : a;
  }
  return out;
}

/** The same for unit quaternions: on the sphere, the short way. */
export function slerp(table: Table, row: number, share: number, out: number[]): number[] {
  mix(table, row, 0, out);
  if (!(share > 0)) return out;
  const next = mix(table, row + 1, 0, []);
  let cosine = out[0]! * next[0]! + out[1]! * next[1]! + out[2]! * next[2]! + out[3]! * next[3]!;
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, sign * cosine);
  const angle = Math.acos(cosine);
  const sine = Math.sin(angle);
  const a = sine > 1e-6 ? Math.sin((1 - share) * angle) / sine : 1 - share;
  const b = sign * (sine > 1e-6 ? Math.sin(share * angle) / sine : share);
  for (let c = 0; c < 4; c++) out[c] = a * out[c]! + b * next[c]!;
  return out;
}

/** R(q) x for q = (w, x, y, z). */
export function rotate(q: ArrayLike<number>, x: ArrayLike<number>): [number, number, number] {
  const [w, i, j, k] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const [a, b, c] = [x[0]!, x[1]!, x[2]!];
  const [u, v, s] = [2 * (j * c - k * b), 2 * (k * a - i * c), 2 * (i * b - j * a)];
  return [a + w * u + j * s - k * v, b + w * v + k * u - i * s, c + w * s + i * v - j * u];
}

/** The largest length of the rows. */
export function largest(table: Table): number {
  let most = 0;
  for (let row = 0; row < table.rows; row++) {
    const x = mix(table, row, 0, []);
    most = Math.max(most, Math.hypot(...x) || 0); // what is not known does not count
  }
  return most;
}
