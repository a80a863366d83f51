import assert from "node:assert/strict";
import { test } from "node:test";

import type { Table } from "../src/codec.ts";
import { locate, mix, nearest, rotate, slerp } from "../src/motion.ts";

function table(...rows: number[][]): Table {
  const columns = rows[0]!.length;
  const data = new Float64Array(rows.length * columns);
  rows.forEach((row, i) => row.forEach((x, c) => (data[c * rows.length + i] = x)));
  return { rows: rows.length, columns, stride: rows.length, data };
}

const close = (a: readonly number[], b: readonly number[]): void => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]!) < 1e-12, `${a} ${b}`));

test("a time is found between its frames", () => {
  const times = table([0], [1], [3], [4]);
  assert.deepEqual(locate(times, 2), { row: 1, share: 0.5 });
  assert.deepEqual(locate(times, -5), { row: 0, share: 0 });
  assert.deepEqual(locate(times, 4), { row: 3, share: 0 });
  assert.deepEqual(locate(times, 9), { row: 3, share: 0 });
  assert.deepEqual(locate(table([7]), 9), { row: 0, share: 0 });
  assert.equal(nearest(times, 2.6), 2);
  assert.equal(nearest(times, 1.4), 1);
});

test("on a frame the numbers are those of the frame", () => {
  assert.deepEqual(mix(table([1, 2], [3, 4]), 0, 0, []), [1, 2]);
  assert.deepEqual(mix(table([1, 2], [3, 4]), 0, 0.5, []), [2, 3]);
});

test("rotations are mixed on the sphere, the short way", () => {
  const turn = (angle: number): number[] => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
  close(slerp(table(turn(0), turn(1)), 0, 0.25, []), turn(0.25));
  close(slerp(table(turn(0.5), turn(1).map((x) => -x)), 0, 0.5, []), turn(0.75));
  close(slerp(table(turn(0.5), turn(0.5)), 0, 0.5, []), turn(0.5));
});

test("a quaternion turns a vector", () => {
  const half = Math.SQRT1_2;
  close(rotate([half, 0, 0, half], [1, 0, 0]), [0, 1, 0]);
  close(rotate([half, half, 0, 0], [0, 1, 0]), [0, 0, 1]);
});
