// Demonstration: the momentum surfaces of the discrete Lagrangian of the spherical pendulum in pitch and cone angle.
// With L = A/2 (delta'^2 + cos^2 delta eta'^2) - B cos delta cos eta in the middle of a step,
//   p0 = -D1 Ld(q0, q1),   p1 = D2 Ld(q0, q1)                                                        (1)
// A step looks for the q1 at which both surfaces p0(q1) have the height of the given momentum.

import * as THREE from "three";

import { axes, ball, Board, curve, glass, setPoints } from "./board.ts";
import { numberName } from "./ticks.ts";

const [A, B] = [1.44, 11.772]; // m l^2 and m g l
const DEGREE = Math.PI / 180;
const GRID = 64;
const HALF = 2; // of the scene
const COLORS = ["#c0392b", "#2471a3"] as const;

export interface Start {
  readonly q: readonly [number, number]; // delta, eta
  readonly p: readonly [number, number];
  readonly h: number;
}

/** Both components of p0, then of p1 (1), for the end q1 of a step. */
export function momenta({ q, h }: Start, d1: number, e1: number): [number, number, number, number] {
  const [d, e, v, w] = [(q[0] + d1) / 2, (q[1] + e1) / 2, (d1 - q[0]) / h, (e1 - q[1]) / h];
  const [c, s] = [Math.cos(d), Math.sin(d)];
  const [P, Q] = [A * v, -A * c * s * w * w + B * s * Math.cos(e)];
  const [R, S] = [A * c * c * w, B * c * Math.sin(e)];
  return [P - (h / 2) * Q, R - (h / 2) * S, P + (h / 2) * Q, R + (h / 2) * S];
}

/** The end of a step by Newton's method from q0, and the number of iterations; null if it finds none. */
export function step(start: Start): { q: [number, number]; p: [number, number]; iterations: number } | null {
  let [d, e] = start.q;
  for (let iterations = 1; iterations <= 50; iterations++) {
    const [a, b] = momenta(start, d, e);
    const [r, t] = [a - start.p[0], b - start.p[1]];
    const [ad, ae, bd, be] = slope(start, d, e);
    const det = ad * be - ae * bd;
    if (!(Math.abs(det) > 0)) return null;
    const [u, w] = [(be * r - ae * t) / det, (ad * t - bd * r) / det];
    [d, e] = [d - u, e - w];
    if (Math.hypot(u, w) <= 1e-13 * (1 + Math.hypot(d, e))) {
      const [, , p, s] = momenta(start, d, e);
      return { q: [d, e], p: [p, s], iterations };
    }
  }
  return null;
}

/** The derivative of p0 with respect to q1, row by row. */
function slope({ q, h }: Start, d1: number, e1: number): [number, number, number, number] {
  const [d, e, w] = [(q[0] + d1) / 2, (q[1] + e1) / 2, (e1 - q[1]) / h];
  const [c, s] = [Math.cos(d), Math.sin(d)];
  const cross = -2 * A * c * s * w;
  const [dd, de, ee] = [-A * (c * c - s * s) * w * w + B * c * Math.cos(e), -B * s * Math.sin(e), B * c * Math.cos(e)];
  return [A / h - (h / 4) * dd, (-h / 2) * (de / 2 + cross / h), cross / 2 - (h / 4) * de, (A * c * c) / h - (h / 4) * ee];
}

/** Pieces of the curve on which a function on a grid is zero, in grid units (marching squares). */
export function zeros(value: (i: number, k: number) => number, count: number): [number, number][] {
  const found: [number, number][] = [];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < count; k++) {
      const corners = [[i, k], [i + 1, k], [i + 1, k + 1], [i, k + 1]] as const;
      const heights = corners.map(([a, b]) => value(a, b));
      const cuts = corners.flatMap(([a, b], n): [number, number][] => {
        const [x, y] = [heights[n]!, heights[(n + 1) % 4]!];
        const [c, d] = corners[(n + 1) % 4]!;
        return x < 0 !== y < 0 ? [[a + ((c - a) * x) / (x - y), b + ((d - b) * x) / (x - y)]] : [];
      });
      if (cuts.length === 2) found.push(...cuts);
    }
  }
  return found;
}

export function momentumSurfaces(root: HTMLElement, title: string, notes: string): Board {
  const surfaces = COLORS.map((color) => glass(new THREE.BufferGeometry(), color, 0.45));
  const levels = COLORS.map((color) => curve(color, true));
  const floors = COLORS.map((color) => curve(color, true));
  const [here, there] = [ball(0.05, "#5b6875"), ball(0.07, "#8e44ad")];
  const drop = curve("#8e44ad");
  const board = new Board(root, title, notes, 2.1, (own) => {
    const { values } = own;
    const start: Start = { q: [values["delta"]! * DEGREE, values["eta"]! * DEGREE], p: [values["p"]!, values["s"]!], h: values["h"]! };
    const reach = values["reach"]! * DEGREE;
    const at = (i: number, k: number): [number, number] => [start.q[0] + ((2 * i) / GRID - 1) * reach, start.q[1] + ((2 * k) / GRID - 1) * reach];
    const heights = Array.from({ length: (GRID + 1) ** 2 }, (_, n) => momenta(start, ...at(Math.floor(n / (GRID + 1)), n % (GRID + 1))));
    const place = (i: number, k: number, z: number): [number, number, number] => [HALF * ((2 * i) / GRID - 1), HALF * ((2 * k) / GRID - 1), z];
    for (const which of [0, 1] as const) {
      const most = Math.max(1e-12, ...heights.map((one) => Math.abs(one[which])), Math.abs(start.p[which]));
      const height = (i: number, k: number): number => heights[i * (GRID + 1) + k]![which];
      fill(surfaces[which]!, (i, k) => place(i, k, height(i, k) / most));
      const pieces = zeros((i, k) => height(i, k) - start.p[which], GRID);
      setPoints(levels[which]!, pieces.map(([i, k]) => place(i, k, start.p[which] / most)));
      setPoints(floors[which]!, pieces.map(([i, k]) => place(i, k, -1.2)));
    }
    const end = step(start);
    here.position.set(0, 0, -1.2);
    there.visible = drop.visible = end !== null && Math.abs(end.q[0] - start.q[0]) <= reach && Math.abs(end.q[1] - start.q[1]) <= reach;
    if (end) there.position.set((HALF * (end.q[0] - start.q[0])) / reach, (HALF * (end.q[1] - start.q[1])) / reach, -1.2);
    setPoints(drop, [there.position.toArray(), [there.position.x, there.position.y, 1]]);
    const pair = (x: readonly number[], factor = 1): string => x.map((one) => numberName(factor * one, 5)).join(", ");
    own.say([
      ["δ₁, η₁ [°]", end ? pair(end.q, 1 / DEGREE) : "Newton finds none"],
      ["p₁", end ? pair(end.p) : "–"],
      ["iterations", end ? String(end.iterations) : "–"],
      ["red, blue", "p of δ, p of η at q₀"],
    ]);
  });
  board.scene.add(...surfaces, ...levels, ...floors, here, there, drop);
  const corner = axes(0.8);
  corner.position.set(-HALF, -HALF, -1.2);
  board.scene.add(corner);
  board.add("delta", "δ₀", "°", -85, 85, 10);
  board.add("eta", "η₀", "°", -180, 180, 5);
  board.add("p", "p of δ", "kg m²/s", -20, 20, 3);
  board.add("s", "p of η", "kg m²/s", -20, 20, 2);
  board.add("h", "step h", "s", 0.01, 1, 0.2);
  board.add("reach", "shown: ±", "°", 10, 180, 90);
  board.start();
  return board;
}

/** A surface over the grid. */
function fill(mesh: THREE.Mesh, point: (i: number, k: number) => [number, number, number]): void {
  const plane = new THREE.PlaneGeometry(1, 1, GRID, GRID);
  const places = plane.getAttribute("position") as THREE.BufferAttribute;
  for (let i = 0; i <= GRID; i++) for (let k = 0; k <= GRID; k++) places.setXYZ(i * (GRID + 1) + k, ...point(i, k));
  plane.computeVertexNormals();
  mesh.geometry.dispose();
  mesh.geometry = plane;
}
