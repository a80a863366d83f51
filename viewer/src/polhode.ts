// Poinsot's construction for one body: the ellipsoid w.J w = 2 T rolls on the plane w.L = 2 T.  The point of
// contact draws the polhode on the ellipsoid and the herpolhode on the plane.  Everything is measured in w.

import * as THREE from "three";

import type { Table } from "./codec.ts";
import { MOMENTUM, SPIN } from "./color.ts";
import { mix, rotate, slerp } from "./motion.ts";
import { Arrow, vector } from "./parts.ts";
import type { Body, Payload, Run } from "./payload.ts";

const SHOWN = 3000; // samples of a curve

export class Polhode {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -10, 10);
  private readonly body: Body;
  private readonly spin: Table;
  private readonly quaternion: Table;
  private readonly solid = new THREE.Group(); // rotates with the body
  private readonly arrow = new Arrow(SPIN, 0.018);
  private readonly curves: THREE.Line[];
  private readonly unit: number;

  constructor(payload: Payload, run: Run, index: number) {
    this.body = run.bodies[index]!;
    this.spin = payload.table(this.body.spin!);
    this.quaternion = payload.table(this.body.quaternion);
    const { radii, momentum, reach } = this.start();
    this.unit = 1 / (run.kept ? Math.max(...radii) : reach);
    this.curves = [this.curve("#c0392b", false), this.curve("#2e86c1", true)];
    this.solid.add(this.curves[0]!);
    this.scene.add(this.solid, this.curves[1]!, this.arrow);
    if (run.kept) this.addEllipsoid(radii, momentum);
    this.scene.add(new THREE.HemisphereLight("#ffffff", "#8896a6", 2.4));
    this.show(0, 0);
  }

  /** Semi-axes of the ellipsoid and the momentum at the first sample; the largest w. */
  private start(): { radii: number[]; momentum: THREE.Vector3; reach: number } {
    const { moments, axes } = this.body;
    const rotation = new THREE.Quaternion(axes[1], axes[2], axes[3], axes[0]);
    const w = new THREE.Vector3(...(mix(this.spin, 0, 0, []) as [number, number, number]));
    w.applyQuaternion(rotation.clone().invert());
    const twice = moments[0] * w.x ** 2 + moments[1] * w.y ** 2 + moments[2] * w.z ** 2;
    const momentum = new THREE.Vector3(moments[0] * w.x, moments[1] * w.y, moments[2] * w.z).applyQuaternion(rotation);
    const q = mix(this.quaternion, 0, 0, []);
    momentum.set(...rotate(q, momentum.toArray()));
    let reach = 1e-300;
    for (let row = 0; row < this.spin.rows; row++) reach = Math.max(reach, Math.hypot(...mix(this.spin, row, 0, [])));
    return { radii: moments.map((J) => Math.sqrt(twice / Math.max(J, 1e-300))), momentum: momentum.divideScalar(Math.max(twice, 1e-300)), reach };
  }

  private addEllipsoid(radii: number[], momentum: THREE.Vector3): void {
    const [w, x, y, z] = this.body.axes;
    const skin = new THREE.Mesh(
      new THREE.SphereGeometry(1, 48, 32),
      new THREE.MeshStandardMaterial({ color: "#7fb3d5", transparent: true, opacity: 0.5, roughness: 0.5, depthWrite: false }),
    );
    skin.scale.set(...(radii.map((r) => 0.995 * r * this.unit) as [number, number, number]));
    skin.quaternion.set(x, y, z, w);
    this.solid.add(skin);
    const distance = this.unit / Math.max(momentum.length(), 1e-300); // 2T / |L|
    const normal = momentum.clone().normalize();
    const plane = new THREE.Mesh(
      new THREE.CircleGeometry(1, 64),
      new THREE.MeshBasicMaterial({ color: MOMENTUM, transparent: true, opacity: 0.16, side: THREE.DoubleSide, depthWrite: false }),
    );
    plane.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    plane.position.copy(normal).multiplyScalar(distance);
    this.scene.add(plane);
  }

  private curve(color: string, space: boolean): THREE.Line {
    const rows = this.spin.rows;
    const points = new Float32Array(3 * rows);
    for (let row = 0; row < rows; row++) {
      const w = mix(this.spin, row, 0, []);
      const x = space ? rotate(mix(this.quaternion, row, 0, []), w) : w;
      for (let axis = 0; axis < 3; axis++) points[3 * row + axis] = x[axis]! * this.unit;
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color, depthTest: false }));
    line.frustumCulled = false;
    line.renderOrder = 1; // on top of the ellipsoid, which is glass
    return line;
  }

  show(row: number, share: number): void {
    const q = slerp(this.quaternion, row, share, []);
    this.solid.quaternion.set(q[1]!, q[2]!, q[3]!, q[0]!);
    const w = vector(rotate(q, mix(this.spin, row, share, [])));
    this.arrow.point(w, w.length() * this.unit);
    const first = Math.max(0, row - SHOWN);
    for (const curve of this.curves) curve.geometry.setDrawRange(first, row + 1 - first);
  }

  /** Look in the direction of the main camera. */
  aim(camera: THREE.Camera): void {
    const back = new THREE.Vector3(0, 0, 1).applyQuaternion(camera.quaternion);
    this.camera.position.copy(back.multiplyScalar(3));
    this.camera.quaternion.copy(camera.quaternion);
    const half = 1.4;
    Object.assign(this.camera, { left: -half, right: half, top: half, bottom: -half });
    this.camera.updateProjectionMatrix();
  }
}
