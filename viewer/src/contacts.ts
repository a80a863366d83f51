// Bodies that roll and blades that glide: the point of contact, its ways on the surface and on the body,
// and the surface where no body shows it.

import * as THREE from "three";

import { CONTACT, WORN } from "./color.ts";
import { locate, mix, rotate, slerp } from "./motion.ts";
import { standard, vector } from "./parts.ts";
import type { Contact, Payload, Quaternion, Run, Vector } from "./payload.ts";
import type { Trails } from "./trails.ts";

const LOOKS = 200; // frames at which the rim of a bowl is measured
const RIM = 0.2; // of a bowl above the highest contact, in radians
const DOT = 0.011; // size of the point of contact, in sizes of the scene

interface Pose {
  readonly q: ArrayLike<number>;
  readonly p: ArrayLike<number>;
}

const WORLD: Pose = { q: [1, 0, 0, 0], p: [0, 0, 0] };

function back(q: ArrayLike<number>): Quaternion {
  return [q[0]!, -q[1]!, -q[2]!, -q[3]!];
}

function plus(a: ArrayLike<number>, b: ArrayLike<number>): Vector {
  return [a[0]! + b[0]!, a[1]! + b[1]!, a[2]! + b[2]!];
}

/** A point of space in the axes of a body, from its centre of mass. */
function inside({ q, p }: Pose, x: Vector): Vector {
  return rotate(back(q), [x[0] - p[0]!, x[1] - p[1]!, x[2] - p[2]!]);
}

/** The point of contact in space: the support function of the shape, as src/poinsot/core/tree/loops/contact.py has it. */
export function touch(contact: Contact, A: Pose, B: Pose): Vector {
  const c = plus(B.p, rotate(B.q, contact.at));
  if (contact.kind === "skate") return c;
  const { semi_axes: a, rod, radius, sphere } = contact;
  if (sphere !== 0) {
    const p = plus(A.p, rotate(A.q, contact.point));
    const d: Vector = [c[0] - p[0], c[1] - p[1], c[2] - p[2]];
    const share = (-Math.sign(sphere) * radius) / Math.hypot(...d);
    return plus(c, d.map((x) => share * x));
  }
  const n = rotate(A.q, rotate(contact.axes, [0, 0, 1]));
  const g = rotate(back(contact.seat), rotate(back(B.q), n));
  const d = g.map((x, i) => a[i]! * a[i]! * x);
  const t = Math.sqrt(d[0]! * g[0] + d[1]! * g[1] + d[2]! * g[2]) || 1;
  const rho = g.map((x, i) => -d[i]! / t - radius * x - (i === 2 ? Math.sign(x) * rod : 0));
  return plus(c, rotate(B.q, rotate(contact.seat, rho)));
}

export class Contacts {
  private readonly dots: { dot: THREE.Mesh; contact: Contact }[] = [];
  private readonly parts: THREE.Object3D[] = [];
  private readonly payload: Payload;
  private readonly run: Run;

  constructor(payload: Payload, run: Run, bodies: readonly THREE.Group[], scene: THREE.Scene, trails: Trails, reach: readonly number[]) {
    [this.payload, this.run] = [payload, run];
    const { size } = trails;
    for (const contact of run.contacts) {
      const [on, body] = [bodies[contact.on] ?? scene, bodies[contact.body] ?? scene];
      const dot = new THREE.Mesh(new THREE.SphereGeometry(DOT * size, 20, 10), new THREE.MeshBasicMaterial({ color: CONTACT }));
      scene.add(dot);
      this.dots.push({ dot, contact });
      const wide = reach[contact.body] ?? size;
      const thick = Math.min(0.006 * size, 0.03 * wide);
      for (const [number, parent, long, tube, color] of [
        [contact.on, on, size, 0.006 * size, CONTACT],
        [contact.body, body, wide, thick, WORN],
      ] as const) {
        const place = (row: number, share: number): Vector => {
          const at = this.last(contact, row, share);
          return inside(this.pose(number, at.row, at.share), this.place(contact, at.row, at.share));
        };
        trails.add(place, parent, long, tube, color);
      }
      const made = contact.kind === "skate" ? blade(contact, wide) : contact.sphere ? this.round(contact, run) : null;
      if (!made) continue;
      this.parts.push(made);
      (contact.kind === "skate" ? body : on).add(made);
    }
  }

  /** The pose of a body, or of the world, at a row or between it and the next. */
  private pose(body: number, row: number, share: number): Pose {
    const one = this.run.bodies[body];
    if (!one) return WORLD;
    return { q: slerp(this.payload.table(one.quaternion), row, share, []), p: mix(this.payload.table(one.position), row, share, []) };
  }

  /** The point of contact in space. */
  place(contact: Contact, row: number, share: number): Vector {
    return touch(contact, this.pose(contact.on, row, share), this.pose(contact.body, row, share));
  }

  /** When two bodies touched last: a way does not go on while they are apart. */
  private last(contact: Contact, row: number, share: number): { row: number; share: number } {
    const times = this.payload.table(this.run.time);
    const now = mix(times, row, share, [])[0]!;
    const apart = released(contact, now);
    return apart ? locate(times, apart[0] ?? -Infinity) : { row, share };
  }

  /** A sphere as glass, or so much of a bowl as is needed. */
  private round(contact: Contact, run: Run): THREE.Mesh {
    const radius = Math.abs(contact.sphere);
    const rows = this.payload.table(run.time).rows;
    const down = vector(run.gravity).length() > 0 ? vector(run.gravity).normalize() : new THREE.Vector3(0, 0, -1);
    const on = this.pose(contact.on, 0, 0);
    const away = vector(rotate(back(on.q), down.toArray()) as Vector);
    let angle = 0.5;
    for (let i = 0; i < LOOKS && i < rows; i++) {
      const row = Math.floor((i * (rows - 1)) / Math.max(1, Math.min(LOOKS, rows) - 1));
      const x = inside(this.pose(contact.on, row, 0), this.place(contact, row, 0));
      angle = Math.max(angle, vector(x).sub(vector(contact.point)).angleTo(away));
    }
    const shown = contact.sphere > 0 ? Math.PI : Math.min(Math.PI, angle + RIM);
    const glass = standard(GLASS, 0.25);
    Object.assign(glass, { transparent: true, opacity: 0.28, side: THREE.DoubleSide, depthWrite: false });
    const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 96, 48, 0, 2 * Math.PI, 0, shown), glass);
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), away);
    mesh.position.set(...contact.point);
    return mesh;
  }

  draw(time: number, row: number, share: number, zoom: number): void {
    for (const { dot, contact } of this.dots) {
      dot.position.set(...this.place(contact, row, share));
      dot.scale.setScalar(released(contact, time) ? 0 : zoom);
    }
  }

  show(visible: boolean): void {
    for (const part of [...this.parts, ...this.dots.map(({ dot }) => dot)]) part.visible = visible;
  }
}

const GLASS = "#8fa6bd";

/** The time in which events had released a contact, if it is one of those. */
function released(contact: Contact, time: number): Contact["open"][number] | undefined {
  return contact.open.find(([from, to]) => time >= (from ?? -Infinity) && time < (to ?? Infinity));
}

/** A blade from the point where it touches up to the height of the centre of mass. */
function blade(contact: Contact, reach: number): THREE.Mesh {
  const normal = rotate(contact.seat, [0, 0, 1]);
  const tall = Math.max(0.12 * reach, -(normal[0] * contact.at[0] + normal[1] * contact.at[1] + normal[2] * contact.at[2]));
  const shape = new THREE.BoxGeometry(0.5 * reach, 0.03 * reach, tall).translate(0, 0, tall / 2);
  const mesh = new THREE.Mesh(shape, standard("#5f6b78", 0.3));
  const [w, x, y, z] = contact.seat;
  mesh.quaternion.set(x, y, z, w);
  mesh.position.set(...contact.at);
  mesh.castShadow = true;
  return mesh;
}

/** The plane of the world on which something rolls: where the ground is. */
export function floor(run: Run): { point: THREE.Vector3; normal: THREE.Vector3 } | null {
  const found = run.contacts.find((one) => one.on < 0 && one.sphere === 0);
  return found ? { point: vector(found.point), normal: vector(rotate(found.axes, [0, 0, 1])) } : null;
}
