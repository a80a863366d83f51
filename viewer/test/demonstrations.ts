// Reads numbers from standard input and writes what the demonstrations compute of them; tests/view/test_demonstrations.py compares.

import { readFileSync } from "node:fs";

import { branches, exp, log } from "../src/logarithm.ts";
import { momenta, step, zeros, type Start } from "../src/momenta.ts";
import { direction } from "../src/pitchcone.ts";

const { angles, vectors, starts } = JSON.parse(readFileSync(0, "utf8")) as { angles: [number, number][]; vectors: number[][]; starts: (Start & { end: [number, number] })[] };
const circle = zeros((i, k) => Math.hypot(i - 10, k - 10) - 6.3, 20);
const found = {
  directions: angles.map(([delta, eta]) => direction(delta, eta)),
  quaternions: vectors.map(exp),
  logs: vectors.map((x) => log(exp(x))),
  branches: branches(4),
  momenta: starts.map((start) => momenta(start, ...start.end)),
  steps: starts.map(step),
  circle: circle.map(([i, k]) => Math.hypot(i - 10, k - 10)),
};
process.stdout.write(JSON.stringify(found));
