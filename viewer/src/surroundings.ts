// Light and ground of a scene.

import * as THREE from "three";

import type { Run } from "./payload.ts";

const FLIGHT = 3; // room for a free body, in its sizes

/** How large a scene is, and where. */
export interface Extent {
  readonly center: THREE.Vector3;
  readonly up: THREE.Vector3;
  readonly size: number;
  readonly near: number;
  readonly low: number;
}

/** A plane on which bodies roll. */
export interface Plane {
  readonly point: THREE.Vector3;
  readonly normal: THREE.Vector3;
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

/** Sun, sky, and a lamp that the camera carries; lamp and sun are returned. */
export function addLight(scene: THREE.Scene, extent: Extent, shadows: boolean): { lamp: THREE.DirectionalLight; sun: THREE.DirectionalLight } {
  scene.add(new THREE.HemisphereLight("#ffffff", "#c3ccd6", 1.9));
  const sun = new THREE.DirectionalLight("#fff6e8", 1.5);
  sun.castShadow = shadows;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.bias = -1e-3;
  shine(sun, extent.center, extent.up, extent.size);
  const lamp = new THREE.DirectionalLight("#ffffff", 1.1);
  lamp.target.position.copy(extent.center);
  scene.add(sun, sun.target, lamp, lamp.target);
  return { lamp, sun };
}

/** Let the sun shine on a place, with shadows of all that is as far away as `size`. */
export function shine(sun: THREE.DirectionalLight, center: THREE.Vector3, up: THREE.Vector3, size: number): void {
  const side = new THREE.Vector3(0.5, -0.65, 0).addScaledVector(up, 1.3).normalize();
  sun.position.copy(center).addScaledVector(side, 4 * size);
  sun.target.position.copy(center);
  const half = 1.6 * size;
  Object.assign(sun.shadow.camera, { left: -half, right: half, top: half, bottom: -half, near: 0.5 * size, far: 9 * size });
  sun.shadow.normalBias = 0.02 * size;
  sun.shadow.camera.updateProjectionMatrix();
}

/** Lines around the cells of a grid, in pieces of a cell: some drivers lose a line that goes on behind the camera. */
function squares(cells: number, cell: number): THREE.BufferGeometry {
  const at: number[] = [];
  const place = (i: number): number => (i - cells / 2) * cell;
  for (let i = 0; i <= cells; i++) {
    for (let k = 0; k < cells; k++) at.push(place(i), place(k), 0, place(i), place(k + 1), 0, place(k), place(i), 0, place(k + 1), place(i), 0);
  }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(at, 3));
}

/**
 * A grid that catches shadows: at a given height or plane, or at zero if everything stands or flies above it,
 * or else below everything.
 */
export function addGround(scene: THREE.Scene, { center, up, size, near, low }: Extent, given: number | Plane | null): THREE.Object3D {
  const group = new THREE.Group();
  const disc = new THREE.Mesh(new THREE.CircleGeometry(7 * size, 96), new THREE.ShadowMaterial({ opacity: 0.26, depthWrite: false }));
  disc.receiveShadow = true;
  group.add(disc);
  const plane = given !== null && typeof given === "object" ? given : null;
  const cell = 10 ** (plane ? Math.ceil(Math.log10(Math.max(0.3 * near, size / 25))) : Math.floor(Math.log10(size)));
  const cells = 2 * Math.round(Math.min(plane ? 60 : 20, (1.6 * size) / cell));
  const grid = new THREE.LineSegments(squares(cells, cell), new THREE.LineBasicMaterial({ color: "#8a97a5", transparent: true, opacity: 0.35 }));
  group.add(grid);
  const usual = low > -0.12 * size && low < 1.5 * size ? Math.min(0, low) : low - 0.06 * size;
  const normal = plane?.normal ?? up;
  const height = typeof given === "number" ? given : plane ? plane.point.dot(normal) : usual;
  group.position.copy(center).addScaledVector(normal, height - center.dot(normal));
  group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
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
