// What a controlled run shows besides its bodies: thrusts as arrows, and the reference as glass.

import * as THREE from "three";

import { THRUST } from "./color.ts";
import { largest, mix, slerp } from "./motion.ts";
import { Arrow, vector } from "./parts.ts";
import type { Payload, Run } from "./payload.ts";

export class Tracking {
  readonly thrusts: { arrow: Arrow; values: number }[] = [];
  private readonly ghosts: THREE.Group[] = [];
  private strongest: number; // of all thrusts
  private readonly run: Run;
  private readonly payload: Payload;

  constructor(run: Run, payload: Payload, bodies: THREE.Group[], scene: THREE.Scene, thick: number) {
    this.run = run;
    this.payload = payload;
    this.strongest = Math.max(0, ...run.thrusts.map((one) => largest(payload.table(one.values))));
    for (const one of run.thrusts) {
      const arrow = new Arrow(THRUST, 0.7 * thick);
      arrow.position.copy(vector(one.at));
      this.thrusts.push({ arrow, values: one.values });
      bodies[one.body]!.add(arrow);
    }
    if (run.ghosts.length) for (const body of bodies) this.addGhost(body, scene);
  }

  /** A body as glass, where the reference wants it. */
  private addGhost(body: THREE.Group, scene: THREE.Scene): void {
    const solid = body.children[0] as THREE.Mesh;
    const material = new THREE.MeshStandardMaterial({ color: "#9aa5b1", transparent: true, opacity: 0.28, depthWrite: false });
    const mesh = new THREE.Mesh(solid.geometry, material);
    mesh.quaternion.copy(solid.quaternion);
    const group = new THREE.Group();
    group.add(mesh);
    this.ghosts.push(group);
    scene.add(group);
  }

  /** Thrusts and reference between two rows; the strongest thrust is `long`. */
  draw(row: number, share: number, long: number, zoom: number): void {
    const [a, x, q] = [new THREE.Vector3(), [] as number[], [] as number[]];
    this.ghosts.forEach((group, i) => {
      const { quaternion, position } = this.run.ghosts[i]!;
      slerp(this.payload.table(quaternion), row, share, q);
      mix(this.payload.table(position), row, share, x);
      group.quaternion.set(q[1]!, q[2]!, q[3]!, q[0]!);
      group.position.set(x[0]!, x[1]!, x[2]!);
    });
    for (const { arrow, values } of this.thrusts) {
      mix(this.payload.table(values), row, share, x);
      this.strongest = Math.max(this.strongest, a.set(x[0]!, x[1]!, x[2]!).length() || 0);
      arrow.point(a, (long * a.length()) / this.strongest, zoom);
    }
  }
}
