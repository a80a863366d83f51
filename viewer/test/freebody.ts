// Reads cases of free bodies from standard input and writes their motion; tests/view/test_what_if.py compares.

import { readFileSync } from "node:fs";

import { FreeBody } from "../src/freebody.ts";
import type { Quaternion, Vector } from "../src/payload.ts";

interface Case {
  moments: Vector;
  axes: Quaternion;
  quaternion: Quaternion;
  spin: Vector;
  times: number[];
}

const cases = JSON.parse(readFileSync(0, "utf8")) as Case[];
const found = cases.map(({ moments, axes, quaternion, spin, times }) => {
  const body = new FreeBody(moments, axes, quaternion, spin);
  return { quaternion: body.attitudes(times), spin: times.map((t) => body.spin(t)), L: body.L, energy: body.energy };
});
process.stdout.write(JSON.stringify(found));
