import assert from "node:assert/strict";
import { test } from "node:test";

import { angleNames, digits } from "../src/apparatus.ts";
import { toPlace, toValue, typed } from "../src/entry.ts";

test("a slider goes from end to end, linear or logarithmic", () => {
  for (const log of [false, true]) {
    const scale = { low: 1e-3, high: 10, log, whole: false };
    assert.deepEqual([toValue(0, scale), toValue(1000, scale)], [1e-3, 10]);
    for (const place of [1, 250, 999]) assert.ok(Math.abs(toPlace(toValue(place, scale), scale) - place) <= 1);
  }
  assert.equal(toValue(500, { low: 1e-3, high: 10, log: true, whole: false }), 0.1);
  assert.equal(toValue(333, { low: 0, high: 10, log: false, whole: true }), 3);
  assert.deepEqual([toPlace(-5, { low: 0, high: 1, log: false, whole: false }), toPlace(NaN, { low: 0, high: 1, log: false, whole: false })], [0, 0]);
});

test("what is typed is a number or nothing", () => {
  assert.deepEqual(["1e-3", " 2,5 ", "", "x", "Infinity", "1 2"].map(typed), [1e-3, 2.5, null, null, null, null]);
});

test("numbers of the apparatus have their digits", () => {
  assert.deepEqual([digits(1 / 3, 15), digits(1.23456789e-7, 5), digits(NaN, 3), digits(0, 3)], ["0.333333333333333", "1.2346e-7", "–", "0.00"]);
  assert.deepEqual([angleNames("ZYX")[0], angleNames("zxz")[1], angleNames("YXZ")[2]], ["yaw", "nutation", "about Z"]);
});
