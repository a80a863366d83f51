// Shapes as triangles.  Every face is tinted by where it lies on the body, so that a spin can be seen.

import * as THREE from "three";

import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

import type { Payload, Shape } from "./payload.ts";

const SECTORS = 8;
const SPOKES = 5;
const THIN = 0.06; // of the radius: the rim of a wheel without a tube

function shapeGeometry(shape: Shape, payload: Payload, around: number): THREE.BufferGeometry {
  switch (shape.kind) {
    case "box":
      return new THREE.BoxGeometry(...shape.size);
    case "cylinder":
      return new THREE.CylinderGeometry(shape.radius, shape.radius, shape.length, around).rotateX(Math.PI / 2);
    case "capsule":
      return new THREE.CapsuleGeometry(shape.radius, shape.length, around / 4, around).rotateX(Math.PI / 2);
    case "sphere":
      return new THREE.SphereGeometry(shape.radius, around, around / 2).rotateX(Math.PI / 2);
    case "ellipsoid":
      return new THREE.SphereGeometry(1, around, around / 2).rotateX(Math.PI / 2); // scaled when it is tinted
    case "cone": // its centroid is the origin
      return new THREE.ConeGeometry(shape.radius, shape.length, around).rotateX(Math.PI / 2).translate(0, 0, shape.length / 4);
    case "torus":
      return new THREE.TorusGeometry(shape.radius, shape.tube, around / 2, around);
    case "wheel":
      return wheelGeometry(shape.tube ? shape.radius : (1 - THIN) * shape.radius, shape.tube || THIN * shape.radius, around);
    case "mesh":
      return meshGeometry(shape.vertices, shape.faces, payload);
    default:
      return new THREE.SphereGeometry(1e-9, 4, 2); // nothing to be seen
  }
}

function wheelGeometry(radius: number, tube: number, around: number): THREE.BufferGeometry {
  const [rim, hub] = [new THREE.TorusGeometry(radius, tube, around / 4, around), 1.6 * tube];
  const parts: THREE.BufferGeometry[] = [rim, new THREE.CylinderGeometry(hub, hub, 2.2 * tube, around / 2).rotateX(Math.PI / 2)];
  for (let i = 0; i < SPOKES; i++) {
    const spoke = new THREE.CylinderGeometry(0.35 * tube, 0.35 * tube, radius, 8).translate(0, radius / 2, 0);
    parts.push(spoke.rotateZ((2 * Math.PI * i) / SPOKES));
  }
  return joined(parts);
}

/** Parts as one, without what only some of them have. */
function joined(parts: THREE.BufferGeometry[]): THREE.BufferGeometry {
  const plain = parts.map((part) => (part.index ? part.toNonIndexed() : part));
  for (const part of plain) part.deleteAttribute("uv");
  return mergeGeometries(plain);
}

function meshGeometry(vertices: number, faces: number, payload: Payload): THREE.BufferGeometry {
  const [points, corners] = [payload.table(vertices), payload.table(faces)];
  const positions = new Float32Array(9 * corners.rows);
  for (let face = 0; face < corners.rows; face++) {
    for (let corner = 0; corner < 3; corner++) {
      const vertex = Math.round(corners.data[corner * corners.rows + face]!);
      for (let axis = 0; axis < 3; axis++) {
        positions[9 * face + 3 * corner + axis] = points.data[axis * points.rows + vertex]!;
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Faces around a round shape: fewer where there are many bodies, always a multiple of the sectors. */
export function detail(bodies: number): number {
  return bodies <= 8 ? 64 : bodies <= 24 ? 32 : 16;
}

/** The shape with a colour for every triangle: lighter and darker sectors around z, and one that stands out if it is marked. */
export function tinted(shape: Shape, payload: Payload, color: THREE.Color, around: number, mark = true): THREE.BufferGeometry {
  const kind = shape.kind;
  if (shape.kind === "shapes") {
    return joined(
      shape.parts.map((part) => {
        const [w, x, y, z] = part.rotation;
        const pose = new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion(x, y, z, w)).setPosition(...part.at);
        return tinted(part.shape, payload, color, around, mark).applyMatrix4(pose);
      }),
    );
  }
  const plain = shapeGeometry(shape, payload, around);
  const geometry = plain.index ? plain.toNonIndexed() : plain;
  const at = geometry.getAttribute("position");
  const colors = new Float32Array(3 * at.count);
  const tint = new THREE.Color();
  for (let i = 0; i < at.count; i += 3) {
    const x = (at.getX(i) + at.getX(i + 1) + at.getX(i + 2)) / 3;
    const y = (at.getY(i) + at.getY(i + 1) + at.getY(i + 2)) / 3;
    const z = (at.getZ(i) + at.getZ(i + 1) + at.getZ(i + 2)) / 3;
    tint.copy(color);
    if (kind === "box") tintBox(tint, i / 6, mark);
    else if (kind !== "mesh") tintRound(tint, x, y, kind === "sphere" || kind === "ellipsoid" ? z : 0, mark);
    for (let k = i; k < i + 3; k++) tint.toArray(colors, 3 * k);
  }
  geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  return shape.kind === "ellipsoid" ? geometry.scale(...shape.radii) : geometry;
}

/** Triangles of a box come in pairs: +x, -x, +y, -y, +z, -z. */
function tintBox(tint: THREE.Color, side: number, mark: boolean): void {
  const face = Math.floor(side);
  if (face === 0 && mark) tint.set("#f4d58d"); // +x: so that a flip is seen
  else if (face === 4) tint.offsetHSL(0, 0.1, -0.14);
  else if (face % 2 === 1) tint.offsetHSL(0, 0, -0.05);
  else tint.offsetHSL(0, 0, 0.06);
}

function tintRound(tint: THREE.Color, x: number, y: number, z: number, mark: boolean): void {
  const sector = Math.floor(((Math.atan2(y, x) / (2 * Math.PI) + 1) % 1) * SECTORS);
  if (sector === 0 && mark) tint.set("#f4d58d");
  else tint.offsetHSL(0, 0, sector % 2 ? 0.07 : -0.05);
  if (z < 0) tint.offsetHSL(0, 0, -0.04);
}
