import assert from "node:assert/strict";
import { test } from "node:test";

import type { Slider } from "../src/payload.ts";
import { bodyPoses } from "../src/sliders.ts";

const HALF = Math.SQRT1_2;
const still = { rotation: [1, 0, 0, 0], body_at: [0, 0, 0], body_rotation: [1, 0, 0, 0], center: [0, 0, 0], pose: [1, 0, 0, 0, 0, 0, 0], value: 0, low: -1, high: 1 } as const;

test("bodies follow their joints", () => {
  const arm: Slider = { ...still, name: "arm", parent: -1, at: [0, 0, 1], kind: "turn", axis: [0, 0, 1] };
  const rod: Slider = { ...still, name: "rod", parent: 0, at: [2, 0, 0], kind: "slide", axis: [1, 0, 0] };
  const held: Slider = { ...still, name: "held", parent: 1, at: [0, 0, 0], kind: "", axis: [0, 0, 1], pose: [HALF, 0, 0, HALF, 0, 1, 0], body_at: [1, 0, 0] };
  const [a, b, c] = bodyPoses([arm, rod, held], [Math.PI / 2, 0.5, 0]);
  const near = (x: readonly number[], y: readonly number[]): void => x.forEach((one, i) => assert.ok(Math.abs(one - y[i]!) < 1e-15, `${x} ${y}`));
  near(a!.r, [0, 0, 1]);
  near(b!.r, [0, 2.5, 1]);
  near(b!.q, [HALF, 0, 0, HALF]);
  near(c!.r, [-2, 2.5, 1]);
  near(c!.q, [0, 0, 0, 1]);
});
