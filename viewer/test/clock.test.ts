import assert from "node:assert/strict";
import { test } from "node:test";

import { Clock, naturalSpeed, speedName, SPEEDS } from "../src/clock.ts";

test("a clock stands until it is started, and then runs with its speed", () => {
  const clock = new Clock(1, 11);
  clock.advance(1);
  assert.equal(clock.time, 1);
  clock.toggle();
  clock.speed = 2;
  clock.advance(1.5);
  assert.equal(clock.time, 4);
});

test("at the end it begins anew, or stops", () => {
  const clock = new Clock(0, 10);
  clock.toggle();
  clock.advance(12);
  assert.equal(clock.time, 2);
  clock.loop = false;
  clock.advance(100);
  assert.deepEqual([clock.time, clock.playing], [10, false]);
  clock.toggle();
  assert.deepEqual([clock.time, clock.playing], [0, true]);
});

test("a run of one frame does not play", () => {
  const clock = new Clock(3, 3);
  clock.toggle();
  clock.advance(1);
  assert.deepEqual([clock.time, clock.playing], [3, false]);
});

test("seeking stays inside", () => {
  const clock = new Clock(0, 10);
  for (const [wanted, found] of [[-1, 0], [4, 4], [99, 10], [NaN, 0]] as const) {
    clock.seek(wanted);
    assert.equal(clock.time, found);
  }
});

test("speeds go up and down one by one", () => {
  const clock = new Clock(0, 10);
  clock.change(1);
  assert.equal(clock.speed, 2);
  clock.change(-1);
  clock.change(-1);
  assert.equal(clock.speed, 0.5);
  for (let i = 0; i < 30; i++) clock.change(1);
  assert.equal(clock.speed, SPEEDS.at(-1));
  clock.speed = 1e6; // the whole run in twenty seconds
  clock.change(-1);
  assert.equal(clock.speed, SPEEDS.at(-1));
});

test("short runs are slowed down, endless ones are hurried", () => {
  assert.equal(naturalSpeed(20), 1);
  assert.equal(naturalSpeed(100), 1);
  assert.equal(naturalSpeed(86400), 86400 / 20);
  assert.ok(0.01 / naturalSpeed(0.01) >= 0.5);
  assert.equal(naturalSpeed(0), 1);
  assert.equal(speedName(0.125), "1/8×");
  assert.equal(speedName(4), "4×");
});
