// The ways of some points, as far back as they can be told apart.

import * as THREE from "three";

import type { Table } from "./codec.ts";
import { locate, mix, rotate, slerp } from "./motion.ts";
import { Trail } from "./parts.ts";
import type { Body, Payload, Run, Vector } from "./payload.ts";

const POINTS = 400;
const LENGTH = 8; // in sizes of the scene
const LATEST = 20; // of a live run: frames at which it is measured, and after which again
const SEEN = 2000; // frames at which the length of a way is measured

/** Where a point is at a row, or between it and the next. */
export type Place = (row: number, share: number) => Vector;

export class Trails {
  readonly size: number;
  private readonly group = new THREE.Group();
  private readonly all: { trail: Trail; place: Place; size: number; span: number; points: number }[] = [];
  private draws = 0;
  private visible = true;
  private readonly times: Table;
  private readonly payload: Payload;

  constructor(payload: Payload, run: Run, size: number, scene: THREE.Object3D, color: (body: number) => string) {
    this.payload = payload;
    this.times = payload.table(run.time);
    this.size = size;
    scene.add(this.group);
    for (const { body: index, at } of run.trails) {
      const body = run.bodies[index]!;
      this.add((row, share) => this.place(body, at, row, share), this.group, size, 0.006 * size, color(index));
    }
  }

  /** The way of a point in the axes of its parent; one that stands still has none. */
  add(place: Place, parent: THREE.Object3D, size: number, thick: number, color: string, points = POINTS): void {
    const span = this.payload.live ? 0 : this.span(place, size);
    if (span === null) return;
    const trail = new Trail(points, thick, color);
    this.all.push({ trail, place, size, span, points });
    parent.add(trail);
  }

  show(visible: boolean): void {
    this.visible = visible;
    for (const { trail } of this.all) trail.visible = visible;
  }

  /** The time in which a point goes as far as its trail is long; null if it stands still. */
  private span(place: Place, size: number): number | null {
    const begin = this.payload.live ? Math.max(0, this.times.rows - LATEST) : 0;
    const seen = this.payload.live ? this.times.rows : Math.min(this.times.rows, SEEN);
    let path = 0;
    let last: Vector | null = null;
    for (let row = begin; row < seen; row++) {
      const here = place(row, 0);
      if (last) path += Math.hypot(here[0] - last[0], here[1] - last[1], here[2] - last[2]);
      last = here;
    }
    const time = (this.times.data[seen - 1] ?? 0) - (this.times.data[begin] ?? 0);
    return path > 1e-6 * size && time > 0 ? (LENGTH * size * time) / path : null;
  }

  private place(body: Body, at: Vector, row: number, share: number): Vector {
    const q = slerp(this.payload.table(body.quaternion), row, share, []);
    const p = mix(this.payload.table(body.position), row, share, []);
    const [x, y, z] = rotate(q, at);
    return [p[0]! + x, p[1]! + y, p[2]! + z];
  }

  /** Up to a time; `zoom` makes them thinner for a camera that is near. */
  draw(time: number, zoom: number): void {
    if (!this.visible) return;
    const first = this.times.data[0]!;
    if (this.payload.live && this.draws++ % LATEST === 0) for (const one of this.all) one.span = this.span(one.place, one.size) ?? 0;
    for (const { trail, place, span, points } of this.all) {
      const from = Math.max(first, time - span);
      const point = (i: number): Vector => {
        const { row, share } = locate(this.times, from + ((time - from) * i) / (points - 1));
        return place(row, share);
      };
      trail.draw(point, zoom);
    }
  }
}
