import assert from "node:assert/strict";
import { test } from "node:test";

import { baseOf, linearTicks, logTicks, numberName, tickName, timeName } from "../src/ticks.ts";

test("ticks are round, inside, and about as many as wanted", () => {
  assert.deepEqual(linearTicks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(linearTicks(-0.3, 0.31, 4).map((x) => Number(x.toFixed(6))), [-0.2, 0, 0.2]);
  assert.deepEqual(linearTicks(3, 3, 5), [3]);
  assert.deepEqual(linearTicks(0, NaN, 5), [0]);
});

test("powers of ten", () => {
  assert.deepEqual(logTicks(1e-4, 1, 9), [1e-4, 1e-3, 1e-2, 0.1, 1].map((x) => 10 ** Math.round(Math.log10(x))));
  assert.ok(logTicks(1e-17, 1, 4).length <= 5);
  assert.equal(tickName(1e-12, true), "10⁻¹²");
  assert.equal(tickName(100, true), "10²");
  assert.equal(tickName(-1e6, false), "-1e6");
  assert.equal(tickName(1.25e-5, false), "1.25e-5");
});

test("numbers are short", () => {
  assert.equal(numberName(0.1 + 0.2), "0.3");
  assert.equal(numberName(1e-9), "1.000e-9");
  assert.equal(numberName(0), "0");
  assert.equal(numberName(NaN), "NaN");
});

test("times are read in the unit of their span", () => {
  assert.equal(timeName(90, 100), "90 s");
  assert.equal(timeName(90, 1200), "1.5 min");
  assert.equal(timeName(5400, 20000), "1.5 h");
  assert.equal(timeName(129600, 1e6), "1.5 d");
});

test("numbers that differ in their last digits are named by the difference", () => {
  assert.equal(baseOf(0, 1), 0);
  assert.equal(baseOf(6.229876, 6.229878), 6.229877);
  assert.ok(Math.abs(baseOf(-5 - 1e-13, -5 + 1e-13) + 5) < 1e-12);
  assert.ok(Number.isFinite(baseOf(5, 5)));
  assert.deepEqual(linearTicks(6.229876803546246, 6.229876803546247, 4), [6.229876803546246]);
});
