// Demonstration: the branches of the logarithm of a rotation.
//   exp(x) = exp(x + 2 pi k x/|x|)   for every whole k                                               (1)
// The principal logarithm is the shortest of these vectors: it lies in the ball of radius pi and jumps to the
// other side where the angle passes half a turn.  On spheres of radius 2 pi, 4 pi, ... exp is singular.

import * as THREE from "three";

import { along, axes, ball, Board, curve, glass, setPoints } from "./board.ts";
import { numberName } from "./ticks.ts";

const DEGREE = Math.PI / 180;
const TURN = 2 * Math.PI;
const BRANCHES = [-2, -1, 0, 1, 2];

/** The unit vector of an azimuth and an elevation in radians. */
export function axisOf(azimuth: number, elevation: number): [number, number, number] {
  return [Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation)];
}

/** The quaternion of a rotation vector. */
export function exp(x: readonly number[]): [number, number, number, number] {
  const angle = Math.hypot(...x);
  const s = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), s * x[0]!, s * x[1]!, s * x[2]!];
}

/** The shortest rotation vector of a unit quaternion. */
export function log(q: readonly number[]): [number, number, number] {
  const sign = q[0]! < 0 ? -1 : 1;
  const size = Math.hypot(q[1]!, q[2]!, q[3]!);
  const ratio = size > 1e-12 ? (2 * sign * Math.atan2(size, Math.abs(q[0]!))) / size : 2 * sign;
  return [ratio * q[1]!, ratio * q[2]!, ratio * q[3]!];
}

/** All logarithms (1) of a rotation by `angle` about an axis, for k = -2 .. 2, as angles about the axis. */
export function branches(angle: number): number[] {
  const principal = angle - TURN * Math.round(angle / TURN);
  return BRANCHES.map((k) => principal + TURN * k);
}

export function logarithm(root: HTMLElement, title: string, notes: string): Board {
  const line = curve("#5b6875");
  const marks = BRANCHES.map((k) => ball(k ? 0.16 : 0.24, k ? "#5f9ea8" : "#c0392b"));
  const given = ball(0.2, "#8e44ad");
  const jump = curve("#c0392b");
  const frame = axes(1.6);
  const board = new Board(root, title, notes, 7, (own) => {
    const { values } = own;
    const axis = axisOf(values["azimuth"]! * DEGREE, values["elevation"]! * DEGREE);
    const angle = values["angle"]! * DEGREE;
    const x = axis.map((one) => one * angle);
    const principal = log(exp(x));
    setPoints(line, [axis.map((one) => -5 * Math.PI * one), axis.map((one) => 5 * Math.PI * one)]);
    branches(angle).forEach((size, i) => marks[i]!.position.set(size * axis[0], size * axis[1], size * axis[2]));
    given.position.set(x[0]!, x[1]!, x[2]!);
    setPoints(jump, [x, principal]);
    const q = exp(x);
    frame.quaternion.set(q[1], q[2], q[3], q[0]);
    const turns = Math.round(angle / TURN);
    own.say([
      ["x", x.map((one) => numberName(one, 4)).join(", ")],
      ["log(exp(x))", principal.map((one) => numberName(one, 4)).join(", ")],
      ["its length", `${numberName(Math.hypot(...principal), 5)} rad`],
      ["branch of x", `k = ${turns}`],
      ["quaternion", q.map((one) => numberName(one, 3)).join(", ")],
      ["", Math.abs(Math.abs(angle - TURN * turns) - Math.PI) < 0.06 ? "half a turn: two shortest logarithms" : ""],
      ["", turns !== 0 && Math.abs(angle - TURN * turns) < 0.06 ? "a full turn: exp is singular here" : ""],
    ]);
  });
  const spheres = [[Math.PI, "#c0392b", 0.16], [TURN, "#5b6875", 0.07], [2 * TURN, "#5b6875", 0.04]] as const;
  for (const [radius, color, opacity] of spheres) {
    board.scene.add(glass(new THREE.SphereGeometry(radius, 64, 48), color, opacity));
    const rim = curve(color);
    setPoints(rim, along((t) => [radius * Math.cos(TURN * t), radius * Math.sin(TURN * t), 0]));
    board.scene.add(rim);
  }
  board.scene.add(line, jump, given, frame, ...marks);
  board.add("angle", "angle", "°", -720, 720, 250);
  board.add("azimuth", "axis: azimuth", "°", -180, 180, 30);
  board.add("elevation", "elevation", "°", -90, 90, 35);
  board.start();
  return board;
}
