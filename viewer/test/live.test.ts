import assert from "node:assert/strict";
import { test } from "node:test";

import type { Packed } from "../src/codec.ts";
import { GrowingTable, LiveData, parts } from "../src/growing.ts";
import { mix } from "../src/motion.ts";
import type { Header } from "../src/payload.ts";
import { DEAD, PLAYING, readFrame, socketAddress, type Hello } from "../src/protocol.ts";

/** A frame as src/poinsot/live/messages.py writes it: one run with one pose. */
function frame(scene: number, numbers: number[], pose: number[]): ArrayBuffer {
  const buffer = new ArrayBuffer(24 + 8 * numbers.length + 4 * pose.length);
  const view = new DataView(buffer);
  [0x314e4950, 7, scene, 3].forEach((x, i) => view.setUint32(4 * i, x, true));
  [PLAYING | DEAD, 1, pose.length / 7, numbers.length].forEach((x, i) => view.setUint16(16 + 2 * i, x, true));
  numbers.forEach((x, i) => view.setFloat64(24 + 8 * i, x, true));
  pose.forEach((x, i) => view.setFloat32(24 + 8 * numbers.length + 4 * i, x, true));
  return buffer;
}

const POSE = [1, 0, 0, 0, 5, 6, 7];

test("a frame is read, and nothing else", () => {
  const buffer = frame(2, [0.5, NaN], POSE);
  const found = readFrame(buffer)!;
  assert.deepEqual([found.number, found.scene, found.seen, found.flags, found.runs, found.poses, found.count], [7, 2, 3, 9, 1, 1, 2]);
  assert.deepEqual([...found.numbers], [0.5, NaN]);
  assert.deepEqual([...found.places], POSE);
  assert.equal(readFrame(buffer.slice(0, 30)), null);
  assert.equal(readFrame(new ArrayBuffer(0)), null);
  const other = buffer.slice(0);
  new DataView(other).setUint32(0, 1, true);
  assert.equal(readFrame(other), null);
});

test("the socket is that of the page", () => {
  assert.equal(socketAddress("http://127.0.0.1:8765/abc/#theme=dark"), "ws://127.0.0.1:8765/abc/socket");
  assert.equal(socketAddress("http://127.0.0.1:8765/abc"), "ws://127.0.0.1:8765/abc/socket");
});

test("a table keeps its last rows", () => {
  const table = new GrowingTable(2, 5);
  for (let i = 0; i < 23; i++) {
    table.push([0, i, -i], 1);
    const rows = Math.min(5, i + 1);
    assert.equal(table.rows, rows);
    for (let row = 0; row < rows; row++) assert.deepEqual(mix(table, row, 0, []), [i - rows + 1 + row, -(i - rows + 1 + row) ]);
  }
  table.cut(2);
  table.push([99, 98]);
  assert.deepEqual([table.rows, ...mix(table, 2, 0, []), ...mix(table, 1, 0.5, [])], [3, 99, 98, 59, 39.5]);
});

function hello(scene: number): Hello {
  const arrays: Packed[] = [[0], [1, 0, 0, 0], [0, 0, 0]].map((row, i) => ({ kind: "fixed", rows: 1, columns: row.length, order: 0, scale: 1, offset: row, at: [0, 4, 20][i]! }));
  const body = { name: "a", mass: 1, shape: { kind: "none" }, quaternion: 1, position: 2, spin: null };
  const run = { name: "rk4", time: 0, momentum: null, bodies: [body], ghosts: [], thrusts: [], plots: [] };
  const numbers = [["time", 0, 1, false], ["w-body", 1, 3, true]].map(([key, at, count, curve]) => ({ key, title: key, unit: "", labels: [], at, count, log: false, curve }));
  return { is: "hello", protocol: 1, scene, title: "x", page: { format: 1, arrays, runs: [run] } as unknown as Header, data: "", numbers, sliders: [], panels: [], methods: [], sequences: [], features: {} } as unknown as Hello;
}

test("frames become the rows of a run; going back forgets, another scene is ignored", () => {
  const data = new LiveData(hello(1), new Uint8Array(32), null, 0);
  const [run] = data.payload.header.runs;
  const take = (scene: number, time: number): boolean => data.push(readFrame(frame(scene, [time, 1, 2, time], POSE))!);
  assert.deepEqual(data.span, [0, 0]);
  assert.deepEqual([take(1, 0.1), take(1, 0.2), take(2, 0.3)], [true, true, false]);
  assert.deepEqual(data.span, [0, 0.2]);
  assert.deepEqual(mix(data.payload.table(run!.bodies[0]!.position), 2, 0, []), [5, 6, 7]);
  assert.deepEqual(mix(data.payload.table(run!.bodies[0]!.spin!), 2, 0, []), [1, 2, 0.2]);
  assert.deepEqual(run!.plots.map(({ key }) => key), ["w-body"]);
  take(1, 0.15);
  assert.deepEqual([...data.runs[0]!.time.data.subarray(0, 3)], [0, 0.1, 0.15]);
  assert.deepEqual(data.newest("w-body"), [1, 2, 0.15]);
  assert.equal(data.newest("residual"), undefined);
  const next = new LiveData(hello(2), new Uint8Array(32), data, 0); // other numbers: the curves go on
  assert.deepEqual(next.span, [0, 0.15]);
  assert.equal(next.push(readFrame(frame(1, [0.2, 1, 2, 3], POSE))!), false);
});

test("numbers of many bodies have a plot for each body", () => {
  const labels = Array.from({ length: 20 }, (_, i) => `link${i >> 2}.quaternion.${"wxyz"[i & 3]!}`);
  const all = { key: "q", title: "coordinates", unit: "", labels, at: 3, count: 20, log: false, curve: true };
  assert.deepEqual(parts(all).map(([one, from]) => [one.key, one.title, one.labels.length, one.count, from])[1], ["q 4", "coordinates: link1", 4, 4, 4]);
  assert.equal(parts(all).reduce((sum, [one]) => sum + one.count, 0), 20);
  assert.deepEqual(parts({ ...all, labels: labels.slice(0, 4), count: 4 }).map(([one]) => [one.key, one.title, one.labels[0]]), [["q", "coordinates: link0", "quaternion.w"]]);
  assert.equal(parts({ ...all, labels: ["a.angle", "b.angle"], count: 2 })[0]![0].title, "coordinates");
  assert.equal(parts({ ...all, labels: labels.map((_, i) => `x${i > 2 ? "y" : ""}`) }).length, 3); // three of x, then twelve and five of xy
});
