// The scene of one run: its bodies where they are at a time.

import * as THREE from "three";

import { Arrows } from "./arrows.ts";
import type { Table } from "./codec.ts";
import { bodyColor } from "./color.ts";
import { Contacts, floor } from "./contacts.ts";
import { detail, tinted } from "./geometry.ts";
import { Members } from "./members.ts";
import { locate, mix, slerp } from "./motion.ts";
import { Coil, frame, jointGlyph, mark, rod, vector } from "./parts.ts";
import type { Body, Payload, Run, Vector } from "./payload.ts";
import { addGround, addLight, lowest, room, shine } from "./surroundings.ts";
import { Tracking } from "./tracking.ts";
import { Trails } from "./trails.ts";

export interface Shown {
  trails: boolean;
  arrows: boolean;
  ground: boolean;
  frames: boolean;
  joints: boolean;
  marks: boolean;
  members: boolean;
}

const LOOKS = 200; // frames at which the extent is measured
const MANY = 24; // bodies from which on edges are left out
const TINY = 0.006; // size of a body in sizes of the scene below which a dot marks it
const FAR = 0.02; // size of all bodies in sizes of the scene below which shadows would be coarse

/** How a run is drawn over another one: in its scene and in one colour, as glass if it is not the first. */
export interface Over {
  readonly host: World | null;
  readonly color: string;
}

export class World {
  readonly scene: THREE.Scene;
  readonly run: Run;
  readonly times: Table;
  readonly center = new THREE.Vector3();
  readonly up: THREE.Vector3;
  size = 1;
  near = 1; // size of all bodies together, at any time
  zoom = 1; // how much smaller arrows and trails are, for a camera that is near
  low = 0; // the lowest point, along `up`
  readonly bodies: THREE.Group[] = [];
  readonly balls: THREE.Sphere[] = [];
  readonly lamp: THREE.DirectionalLight | null = null;
  private readonly sun: THREE.DirectionalLight | null = null;
  row = 0;
  share = 0;
  private readonly payload: Payload;
  private readonly frames: THREE.Object3D[] = [];
  private readonly joints: THREE.Object3D[] = [];
  readonly marks: THREE.Object3D[] = []; // frames that have names
  private readonly coils: { coil: Coil; a: number; b: number; at: [Vector, Vector] }[] = [];
  private readonly dots: THREE.Points[] = [];
  private readonly over: Over | null;
  private trails!: Trails;
  private arrows: Arrows | null = null;
  private tracking: Tracking | null = null;
  contacts!: Contacts;
  members!: Members;
  ground: THREE.Object3D | null = null;

  constructor(payload: Payload, run: Run, over: Over | null = null) {
    this.payload = payload;
    this.over = over;
    this.scene = over?.host?.scene ?? new THREE.Scene();
    this.run = run;
    this.times = payload.table(run.time);
    const pull = vector(run.gravity);
    this.up = pull.length() > 0 ? pull.normalize().negate() : new THREE.Vector3(0, 0, 1);
    run.bodies.forEach((body, i) => this.addBody(body, i));
    this.measure();
    this.addParts();
    if (!over?.host) {
      const { lamp, sun } = addLight(this.scene, this, this.near > FAR * this.size);
      [this.lamp, this.sun] = [lamp, sun];
      const plane = floor(run);
      const wanted = run.ground ?? (plane !== null || vector(run.gravity).length() > 0);
      if (wanted !== false) this.ground = addGround(this.scene, this, typeof wanted === "number" ? wanted : plane);
    }
    this.show(this.times.data[0] ?? 0);
  }

  private addBody(body: Body, index: number): void {
    const group = new THREE.Group();
    const color = new THREE.Color(this.color(index));
    const [glass, opacity] = this.over?.host ? [true, 0.45] : [body.glass, body.glass ? 0.3 : 1];
    const geometry = tinted(body.shape, this.payload, color, detail(this.run.bodies.length), !this.over);
    const material = new THREE.MeshStandardMaterial({
      vertexColors: true,
      roughness: 0.42,
      metalness: 0.12,
      flatShading: body.shape.kind === "mesh",
      transparent: glass,
      opacity,
      depthWrite: !glass,
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = !glass;
    const [w, x, y, z] = body.rotation;
    mesh.quaternion.set(x, y, z, w);
    mesh.userData["body"] = index;
    group.add(mesh);
    if (this.run.bodies.length < MANY && ["box", "cylinder", "cone", "shapes"].includes(body.shape.kind)) {
      const line = new THREE.LineBasicMaterial({ color: color.clone().multiplyScalar(0.35) });
      mesh.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), line));
    }
    this.bodies.push(group);
    this.scene.add(group);
  }

  private color(body: number): string {
    return this.over?.color ?? bodyColor(body, this.run.bodies.length);
  }

  /** How large the motion is, and where. */
  private measure(): void {
    const box = new THREE.Box3();
    const rows = this.times.rows;
    for (let i = 0; i < LOOKS && i < rows; i++) {
      this.place(Math.floor((i * (rows - 1)) / Math.max(1, Math.min(LOOKS, rows) - 1)), 0);
      for (const group of this.bodies) {
        group.updateMatrixWorld(true);
        box.expandByObject(group);
      }
    }
    for (const joint of this.run.joints) if (joint.parent < 0 && joint.kind !== "free") box.expandByPoint(vector(joint.at));
    if (this.payload.live) this.balls.push(...room(this.run, this.bodies, (i) => this.reach(i)));
    for (const ball of this.balls) box.union(ball.getBoundingBox(new THREE.Box3()));
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    box.getCenter(this.center);
    this.measureBalls();
    const far = this.balls.map((ball) => ball.center.distanceTo(this.center) + ball.radius);
    this.size = Math.max(1e-9, Math.min(Math.max(1e-9, ...far), 0.5 * box.getSize(new THREE.Vector3()).length()));
    this.low = lowest(box, this.up);
    this.near = Math.min(this.size, this.together());
  }

  /** The largest radius of all bodies around their middle. */
  private together(): number {
    const [at, middle] = [new THREE.Vector3(), new THREE.Vector3()];
    const rows = this.times.rows;
    let most = 1e-9;
    for (let i = 0; i < LOOKS && i < rows; i++) {
      this.place(Math.floor((i * (rows - 1)) / Math.max(1, Math.min(LOOKS, rows) - 1)), 0);
      this.middle(middle);
      this.bodies.forEach((group, k) => (most = Math.max(most, at.copy(group.position).sub(middle).length() + this.reach(k))));
    }
    return most;
  }

  /** Balls that hold the bodies at a few times, and the joints on the world: what a camera must see. */
  private measureBalls(): void {
    for (const bodies of [this.run.bodies, ...this.run.members.map((one) => one.bodies)]) {
      bodies.forEach((body, i) => {
        const table = this.payload.table(body.position);
        const radius = this.reach(i);
        const every = Math.max(1, Math.floor(table.rows / LOOKS));
        for (let row = 0; row < table.rows; row += every) {
          const center = new THREE.Vector3(...(mix(table, row, 0, []) as [number, number, number]));
          this.balls.push(new THREE.Sphere(center, radius));
        }
      });
    }
    for (const one of this.run.contacts) if (one.sphere > 0 && one.on < 0) this.balls.push(new THREE.Sphere(vector(one.point), one.sphere));
    for (const one of this.run.joints) {
      if (one.parent < 0 && one.kind !== "free") this.balls.push(new THREE.Sphere(vector(one.at), 0));
    }
  }

  private addParts(): void {
    const { run, size } = this;
    const reach = run.bodies.map((_, i) => this.reach(i));
    const solid = reach.filter((radius) => radius > 1e-8).sort((a, b) => a - b);
    const typical = solid[solid.length >> 1] ?? size;
    const joint = Math.max(0.009 * size, Math.min(0.16 * typical, 0.04 * size));
    const thick = (body: number): number => (run.bodies[body]!.plain ? 0.55 : 0.3) * joint; // a rod may be the body
    for (const one of run.rods) {
      const part = rod(one.from, one.to, thick(one.body), this.color(one.body));
      part.castShadow = true;
      this.bodies[one.body]!.add(part);
    }
    this.members = new Members(this.payload, run, this.bodies, this.scene, thick);
    for (const one of run.joints) {
      if (one.kind === "free") continue;
      const glyph = jointGlyph(one, joint, reach[one.body] ?? 0, detail(run.bodies.length) / 2);
      glyph.traverse((part) => (part.castShadow = true));
      (this.bodies[one.parent] ?? this.scene).add(glyph);
      this.joints.push(glyph);
    }
    for (const one of this.over?.host ? [] : (run.marks ?? [])) {
      const made = mark(one.name, Math.max(0.08 * size, Math.min(0.8 * typical, 0.15 * size)));
      const [w, x, y, z] = one.rotation;
      made.quaternion.set(x, y, z, w);
      made.position.set(...one.at);
      (this.bodies[one.body] ?? this.scene).add(made);
      this.marks.push(made);
    }
    for (const one of run.springs) {
      const coil = new Coil(one.kind, 0.45 * joint + 0.012 * size);
      this.coils.push({ coil, a: one.a, b: one.b, at: [one.at_a, one.at_b] });
      this.scene.add(coil);
    }
    this.frames.push(frame(0.3 * size), ...run.bodies.map((_, i) => frame(1.25 * reach[i]!)));
    this.scene.add(this.frames[0]!);
    this.bodies.forEach((group, i) => group.add(this.frames[i + 1]!));
    const shaft = 0.011 * size;
    run.bodies.forEach((body, i) => {
      if (reach[i]! < TINY * size && body.shape.kind !== "none") this.addDot(i);
    });
    if (!this.over) this.arrows = new Arrows(this.payload, run, this.bodies, this.scene, reach, shaft);
    this.tracking = new Tracking(run, this.payload, this.bodies, this.scene, shaft);
    this.trails = new Trails(this.payload, run, size, this.scene, (i) => this.color(i));
    this.members.addTrails(run, this.trails, this.scene);
    this.contacts = new Contacts(this.payload, run, this.bodies, this.scene, this.trails, reach);
  }

  /** A mark of constant size for a body that is too small. */
  private addDot(index: number): void {
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(3), 3));
    const dot = new THREE.Points(geometry, new THREE.PointsMaterial({ color: this.color(index), size: 9, sizeAttenuation: false }));
    dot.frustumCulled = false;
    this.dots.push(dot);
    this.bodies[index]!.add(dot);
  }

  /** The radius of a body around its centre of mass. */
  private reach(index: number): number {
    const geometry = (this.bodies[index]!.children[0] as THREE.Mesh).geometry;
    geometry.computeBoundingSphere();
    return Math.max(1e-9, geometry.boundingSphere!.radius);
  }

  /** Bodies into the pose of a row, or between it and the next. */
  private place(row: number, share: number): void {
    const q: number[] = [];
    const p: number[] = [];
    this.run.bodies.forEach((body, i) => {
      slerp(this.payload.table(body.quaternion), row, share, q);
      mix(this.payload.table(body.position), row, share, p);
      this.bodies[i]!.quaternion.set(q[1]!, q[2]!, q[3]!, q[0]!);
      this.bodies[i]!.position.set(p[0]!, p[1]!, p[2]!);
    });
  }

  /** Everything at a time. */
  show(time: number): void {
    const { row, share } = locate(this.times, time);
    [this.row, this.share] = [row, share];
    if (!this.times.rows) return;
    this.place(row, share);
    const [a, b] = [new THREE.Vector3(), new THREE.Vector3()];
    for (const one of this.coils) {
      a.set(...one.at[0]);
      b.set(...one.at[1]);
      for (const [end, body] of [[a, one.a], [b, one.b]] as const) {
        const group = this.bodies[body];
        if (group) end.applyQuaternion(group.quaternion).add(group.position);
      }
      one.coil.between(a, b);
    }
    const unit = this.zoom * this.size;
    if (this.sun) shine(this.sun, this.zoom < 1 ? this.middle(a) : this.center, this.up, this.zoom < 1 ? 1.3 * this.near : this.size);
    for (const dot of this.dots) dot.visible = this.zoom === 1;
    this.tracking?.draw(row, share, 0.6 * unit, this.zoom);
    const far = this.near < FAR * this.size && this.zoom === 1;
    this.arrows?.draw(row, share, unit, (this.bodies.length > 1 ? 0.5 : far ? 0.35 : 0.8) * unit, this.zoom);
    const now = this.times.data[row]! + share * ((this.times.data[row + 1] ?? 0) - this.times.data[row]!);
    this.contacts.draw(now, row, share, this.zoom);
    this.members.draw(row, share);
    this.trails.draw(now, this.zoom);
  }

  toggle(shown: Shown): void {
    this.trails.show(shown.trails);
    this.contacts.show(shown.joints);
    this.members.show(shown.members);
    this.arrows?.show(shown.arrows);
    for (const { arrow } of this.tracking?.thrusts ?? []) arrow.visible = shown.arrows;
    if (this.ground) this.ground.visible = shown.ground;
    for (const part of ["frames", "joints", "marks"] as const) for (const one of this[part]) one.visible = shown[part];
  }

  /** The middle of all bodies now. */
  middle(out: THREE.Vector3): THREE.Vector3 {
    out.set(0, 0, 0);
    for (const group of this.bodies) out.add(group.position);
    return out.divideScalar(Math.max(1, this.bodies.length));
  }
}
