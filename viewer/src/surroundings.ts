// Light and ground of a scene.

import * as THREE from "three";

import type { Run } from "./payload.ts";

const FLIGHT = 3; // room for a free body, in its sizes

/** How large a scene is, and where. */
export interface Extent {
  readonly center: THREE.Vector3;
  readonly up: THREE.Vector3;
  readonly size: number;
  readonly low: number;
}

/** The height of the lowest corner of a box. */
export function lowest(box: THREE.Box3, up: THREE.Vector3): number {
  const corner = (x: number, axis: "x" | "y" | "z"): number => x * up[axis];
  return (["x", "y", "z"] as const).reduce(
    (sum, axis) => sum + Math.min(corner(box.min[axis], axis), corner(box.max[axis], axis)),
    0,
  );
}

/** Balls that bodies cannot leave, or will not soon: of a live run only the start is known. */
export function room(run: Run, bodies: readonly THREE.Object3D[], reach: (body: number) => number): THREE.Sphere[] {
  const far: number[] = []; // from the joint on the world to the centre of a body, along the bodies between
  const roots: THREE.Vector3[] = [];
  const flight = run.gravity.some((x) => x !== 0) ? FLIGHT : 0; // without gravity, many only rotate
  return run.joints.map((joint) => {
    const at = new THREE.Vector3(...joint.at);
    const center = bodies[joint.body]!.position;
    const length = at.length();
    const parent = bodies[joint.parent];
    if (parent) at.applyQuaternion(parent.quaternion).add(parent.position);
    const free = joint.kind === "free";
    roots[joint.body] = free ? center.clone() : parent ? roots[joint.parent] ?? at : at;
    far[joint.body] = free ? flight * reach(joint.body) : (parent ? (far[joint.parent] ?? 0) + length : 0) + at.distanceTo(center);
    return new THREE.Sphere(roots[joint.body]!, far[joint.body]! + reach(joint.body));
  });
}

/** Sun, sky, and a lamp that the camera carries; the lamp is returned. */
export function addLight(scene: THREE.Scene, { center, up, size }: Extent, shadows: boolean): THREE.DirectionalLight {
  scene.add(new THREE.HemisphereLight("#ffffff", "#c3ccd6", 1.9));
  const sun = new THREE.DirectionalLight("#fff6e8", 1.5);
  const side = new THREE.Vector3(0.5, -0.65, 0).addScaledVector(up, 1.3).normalize();
  sun.position.copy(center).addScaledVector(side, 4 * size);
  sun.target.position.copy(center);
  sun.castShadow = shadows;
  sun.shadow.mapSize.set(1024, 1024);
  const half = 1.6 * size;
  Object.assign(sun.shadow.camera, { left: -half, right: half, top: half, bottom: -half, near: 0.5 * size, far: 9 * size });
  sun.shadow.bias = -1e-3;
  sun.shadow.normalBias = 0.02 * size;
  const lamp = new THREE.DirectionalLight("#ffffff", 1.1);
  lamp.target.position.copy(center);
  scene.add(sun, sun.target, lamp, lamp.target);
  return lamp;
}

/**
 * A grid that catches shadows: at a given height, or at zero if everything stands or flies above it, or else
 * below everything.
 */
export function addGround(scene: THREE.Scene, { center, up, size, low }: Extent, given: number | null): THREE.Object3D {
  const group = new THREE.Group();
  const disc = new THREE.Mesh(new THREE.CircleGeometry(7 * size, 96), new THREE.ShadowMaterial({ opacity: 0.26 }));
  disc.receiveShadow = true;
  group.add(disc);
  const cell = 10 ** Math.floor(Math.log10(size));
  const cells = 2 * Math.round(Math.min(20, (1.6 * size) / cell));
  const grid = new THREE.GridHelper(cells * cell, cells, "#8a97a5", "#8a97a5").rotateX(Math.PI / 2);
  const lines = grid.material as THREE.LineBasicMaterial;
  lines.transparent = true;
  lines.opacity = 0.35;
  group.add(grid);
  const usual = low > -0.12 * size && low < 1.5 * size ? Math.min(0, low) : low - 0.06 * size;
  const height = given ?? usual;
  group.position.copy(center).addScaledVector(up, height - center.dot(up));
  group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
  scene.add(group);
  return group;
}

/** Give back what the graphics hold of a scene. */
export function dispose(scene: THREE.Scene): void {
  scene.traverse((part) => {
    const { geometry, material } = part as Partial<THREE.Mesh>;
    geometry?.dispose();
    for (const one of [material ?? []].flat()) one.dispose();
  });
  scene.clear();
}
