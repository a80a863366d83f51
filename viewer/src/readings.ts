// What the apparatus shows of a finished run: the numbers of the nearest frame that has some.

import type { Readings } from "./apparatus.ts";
import { mix, nearest } from "./motion.ts";
import type { Payload, RunApparatus } from "./payload.ts";

/** Numbers of a body with the angles of a sequence, and of when they are. */
export function readingsAt(payload: Payload, from: RunApparatus, body: number, sequence: string, time: number): { readings: Readings; time: number } {
  const times = payload.table(from.time);
  const row = nearest(times, time);
  const all = mix(payload.table(from.bodies[body]!.values), row, 0, []);
  const found: Record<string, number[]> = {};
  let at = 0;
  for (const [key, count] of from.columns) found[key === sequence ? "angles" : key] = all.slice(at, (at += count));
  if (from.residual) {
    const known = payload.table(from.residual.time);
    const near = nearest(known, times.data[row]!);
    found["residual"] = [payload.table(from.residual.values).data[near]!];
  }
  return { readings: found, time: times.data[row]! };
}
