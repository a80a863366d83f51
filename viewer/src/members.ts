// Other members of an ensemble: the same mechanism as glass, moving together with the one that is solid.

import * as THREE from "three";

import { memberColor } from "./color.ts";
import { detail, tinted } from "./geometry.ts";
import { mix, rotate, slerp } from "./motion.ts";
import { rod } from "./parts.ts";
import type { Member, Payload, Run, Vector } from "./payload.ts";
import type { Trails } from "./trails.ts";

const POINTS = 100; // of a trail
const TRAIL = 0.2; // its length, in that of the solid member: many long ones would hide everything
const BRIGHT = 6; // members whose glass is as dense as that of a reference; more of them are clearer

export class Members {
  private readonly all: { member: Member; groups: THREE.Group[] }[] = [];
  private readonly payload: Payload;

  constructor(payload: Payload, run: Run, bodies: readonly THREE.Group[], scene: THREE.Scene, thick: (body: number) => number) {
    this.payload = payload;
    const { members } = run;
    const opacity = Math.max(0.12, 0.4 * Math.min(1, Math.sqrt(BRIGHT / Math.max(1, members.length))));
    members.forEach((member, i) => {
      const color = memberColor(i, members.length);
      const glass = new THREE.MeshStandardMaterial({ color, transparent: true, opacity, depthWrite: false, roughness: 0.5 });
      const groups = run.bodies.map((body, k) => {
        const [shape, turn] = member.shapes?.[k] ?? [null, body.rotation];
        const solid = bodies[k]!.children[0] as THREE.Mesh;
        const geometry = shape ? tinted(shape, payload, new THREE.Color(color), detail(run.bodies.length), false) : solid.geometry;
        const mesh = new THREE.Mesh(geometry, glass);
        const [w, x, y, z] = turn;
        mesh.quaternion.set(x, y, z, w);
        const group = new THREE.Group().add(mesh);
        scene.add(group);
        return group;
      });
      for (const one of member.rods ?? run.rods) {
        const made = rod(one.from, one.to, thick(one.body), color);
        made.material = glass;
        groups[one.body]!.add(made);
      }
      this.all.push({ member, groups });
    });
  }

  /** The ways of the points that leave trails. */
  addTrails(run: Run, trails: Trails, scene: THREE.Scene): void {
    this.all.forEach(({ member }, i) => {
      for (const { body, at } of run.trails) {
        const place = (row: number, share: number): Vector => this.place(member, body, at, row, share);
        trails.add(place, scene, TRAIL * trails.size, 0.003 * trails.size, memberColor(i, this.all.length), POINTS);
      }
    });
  }

  /** A point of a body of a member, in space. */
  private place(member: Member, body: number, at: Vector, row: number, share: number): Vector {
    const { quaternion, position } = member.bodies[body]!;
    const [x, y, z] = rotate(slerp(this.payload.table(quaternion), row, share, []), at);
    const p = mix(this.payload.table(position), row, share, []);
    return [p[0]! + x, p[1]! + y, p[2]! + z];
  }

  draw(row: number, share: number): void {
    const [q, p] = [[] as number[], [] as number[]];
    for (const { member, groups } of this.all) {
      groups.forEach((group, k) => {
        slerp(this.payload.table(member.bodies[k]!.quaternion), row, share, q);
        mix(this.payload.table(member.bodies[k]!.position), row, share, p);
        group.quaternion.set(q[1]!, q[2]!, q[3]!, q[0]!);
        group.position.set(p[0]!, p[1]!, p[2]!);
      });
    }
  }

  show(visible: boolean): void {
    for (const { groups } of this.all) for (const group of groups) group.visible = visible;
  }

  /** Where a body of a member is drawn. */
  position(member: number, body: number): number[] {
    return this.all[member]!.groups[body]!.position.toArray();
  }
}
