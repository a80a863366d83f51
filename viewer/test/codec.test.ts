import assert from "node:assert/strict";
import { test } from "node:test";

import { fromBase64, inflate, unpack } from "../src/codec.ts";

/** What Python's `Packer` makes of integers: differences, zigzag, byte planes. */
function packed(columns: number[][], order: number): Uint8Array {
  const words = columns.flatMap((column) => {
    let x = Int32Array.from(column);
    for (let turn = 0; turn < order; turn++) x = x.map((one, i) => (one - (i ? x[i - 1]! : 0)) | 0);
    return [...x].map((one) => ((one << 1) ^ (one >> 31)) >>> 0);
  });
  const bytes = new Uint8Array(4 * words.length);
  for (let plane = 0; plane < 4; plane++) {
    words.forEach((word, i) => (bytes[plane * words.length + i] = (word >>> (8 * plane)) & 255));
  }
  return bytes;
}

test("fixed tables come back, for every order of differences", () => {
  const columns = [[0, 5, -7, 2 ** 24, -(2 ** 31)], [1, 1, 1, 1, 2 ** 31 - 1]];
  for (const order of [0, 1, 2, 3]) {
    const table = unpack(packed(columns, order), { kind: "fixed", rows: 5, columns: 2, order, scale: 0.5, offset: [10, 0], at: 0 });
    assert.deepEqual([...table.data], columns.flatMap((column, i) => column.map((x) => x / 2 + (i ? 0 : 10))));
  }
});

test("floats keep their bits, also those that are not numbers", () => {
  const values = Float32Array.from([1.5, -1e-30, NaN, Infinity, 0]);
  const bits = [...new Int32Array(values.buffer)];
  const table = unpack(packed([bits], 1), { kind: "float32", rows: 5, columns: 1, order: 1, scale: 1, offset: [0], at: 0 });
  assert.deepEqual([...table.data], [...values]);
});

test("doubles keep all their bits", () => {
  const values = Float64Array.from([Math.PI, -1e-300, NaN, -0, 5e-324, 1e308]);
  const bytes = new Uint8Array(values.buffer);
  const planes = Uint8Array.from({ length: 48 }, (_, i) => bytes[8 * (i % 6) + Math.floor(i / 6)]!);
  const table = unpack(planes, { kind: "float64", rows: 3, columns: 2, order: 0, scale: 1, offset: [0, 0], at: 0 });
  assert.deepEqual([...table.data], [...values]);
});

test("data that are cut off are an error, not numbers", () => {
  const bytes = packed([[1, 2, 3]], 0);
  assert.throws(() => unpack(bytes.slice(0, 11), { kind: "fixed", rows: 3, columns: 1, order: 0, scale: 1, offset: [0], at: 0 }), /cut off/);
});

test("base64 and zlib", async () => {
  const bytes = await inflate(fromBase64("eJxLTEpOSU1LBwAK2wK9\n"));
  assert.equal(new TextDecoder().decode(bytes).slice(0, 3), "abc");
});
