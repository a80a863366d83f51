// What the apparatus shows of a finished run: the numbers of the nearest frame that has some.

import type { Readings } from "./apparatus.ts";
import { mix, nearest } from "./motion.ts";
import type { Payload, RunApparatus } from "./payload.ts";

const VECTORS: readonly (readonly [string, string, number])[] = [
  ["L-space", "L_space.x", 3], ["L-body", "L_body.x", 3], ["w-space", "w_space.x", 3], ["w-body", "w_body.x", 3],
  ["L-sizes", "|L_space|", 2], ["kinetic", "w.Iw/2", 3],
];

/** Numbers of a body with the angles of a sequence, and of when they are. */
export function readingsAt(payload: Payload, from: RunApparatus, body: number, sequence: string, time: number): { readings: Readings; time: number } {
  const times = payload.table(from.time);
  const row = nearest(times, time);
  const all = mix(payload.table(from.bodies[body]!.values), row, 0, []);
  const part = (column: string, count: number): number[] => {
    const at = from.columns.indexOf(column);
    return all.slice(at, at + count);
  };
  const found: Record<string, number[]> = { angles: part(`${sequence}.0`, 3) };
  for (const [key, column, count] of VECTORS) found[key] = part(column, count);
  if (from.residual) {
    const known = payload.table(from.residual.time);
    const near = nearest(known, times.data[row]!);
    found["residual"] = [payload.table(from.residual.values).data[near]!];
  }
  return { readings: found, time: times.data[row]! };
}
