// Demonstration: the chart of pitch and cone angle on the sphere of directions,
//   n = (sin delta, cos delta sin eta, cos delta cos eta)                                             (1)
// Directions of equal pitch lie on a cone about the x axis, those of equal cone angle on a great circle through
// the poles of the chart, the ends of the x axis.

import * as THREE from "three";

import { along, axes, ball, Board, curve, glass, setPoints } from "./board.ts";
import { numberName } from "./ticks.ts";

const DEGREE = Math.PI / 180;

/** The direction (1) of a pitch and a cone angle in radians. */
export function direction(delta: number, eta: number): [number, number, number] {
  return [Math.sin(delta), Math.cos(delta) * Math.sin(eta), Math.cos(delta) * Math.cos(eta)];
}

export function pitchCone(root: HTMLElement, title: string, notes: string): Board {
  const cone = glass(new THREE.BufferGeometry(), "#e08e45", 0.35);
  const [circle, great, pitch, turn] = [curve("#c0392b"), curve("#2471a3"), curve("#c0392b"), curve("#2471a3")];
  const rod = curve("#5b6875");
  const tip = ball(0.035, "#8e44ad");
  const board = new Board(root, title, notes, 1.3, (own) => {
    const { values } = own;
    const [delta, eta] = [values["delta"]! * DEGREE, values["eta"]! * DEGREE];
    const n = direction(delta, eta);
    const [height, radius] = [Math.sin(delta), Math.cos(delta)];
    cone.geometry.dispose();
    cone.geometry = new THREE.CylinderGeometry(radius, 1e-6, Math.max(1e-6, Math.abs(height)), 96, 1, true);
    cone.geometry.translate(0, Math.abs(height) / 2, 0).rotateZ(height < 0 ? Math.PI / 2 : -Math.PI / 2);
    setPoints(circle, along((t) => direction(delta, 2 * Math.PI * t)));
    setPoints(great, along((t) => direction(2 * Math.PI * t, eta)));
    setPoints(pitch, along((t) => direction(delta * t, eta), 32));
    setPoints(turn, along((t) => direction(0, eta * t), 32));
    setPoints(rod, [[0, 0, 0], n]);
    tip.position.set(...n);
    own.say([
      ["direction n", n.map((x) => numberName(x, 4)).join(", ")],
      ["|dn/dδ|", "1"],
      ["|dn/dη| = cos δ", numberName(radius, 5)],
      ["to the pole", `${numberName(90 - Math.abs(((values["delta"]! + 90) % 180) - 90), 4)}°`],
      ["", radius < 0.05 ? "near a pole: η is hardly determined" : ""],
    ]);
  });
  const sphere = glass(new THREE.SphereGeometry(1, 64, 48), "#7fb3d5", 0.2);
  board.scene.add(sphere, cone, circle, great, pitch, turn, rod, tip, axes(1.35));
  for (const pole of [-1, 1]) {
    const mark = ball(0.025, "#c0392b");
    mark.position.x = pole;
    board.scene.add(mark);
  }
  board.add("delta", "pitch δ", "°", -90, 90, 35);
  board.add("eta", "cone η", "°", -180, 180, 50);
  board.start();
  return board;
}
