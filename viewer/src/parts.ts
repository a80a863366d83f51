// Small things in a scene: arrows, joints, springs, frames, trails.

import * as THREE from "three";

import { AXES } from "./color.ts";
import type { Joint, Vector } from "./payload.ts";

const Z = new THREE.Vector3(0, 0, 1);
const LETTERS = 48; // height of the letters of a name in pixels of its picture
const NAME = 0.021; // the same on the screen, at the distance 1

export function standard(color: string, roughness = 0.5): THREE.MeshStandardMaterial {
  return new THREE.MeshStandardMaterial({ color, roughness, metalness: 0.15 });
}

export function vector(x: Vector): THREE.Vector3 {
  return new THREE.Vector3(...x);
}

/** A rod of a given radius between two points. */
export function rod(from: Vector, to: Vector, radius: number, color: string): THREE.Mesh {
  const [a, b] = [vector(from), vector(to)];
  const mesh = new THREE.Mesh(
    new THREE.CylinderGeometry(radius, radius, a.distanceTo(b), 16).rotateX(Math.PI / 2),
    standard(color, 0.35),
  );
  mesh.position.copy(a).add(b).multiplyScalar(0.5);
  mesh.quaternion.setFromUnitVectors(Z, b.sub(a).normalize());
  return mesh;
}

/** An arrow that can be pointed. */
export class Arrow extends THREE.Group {
  private readonly shaft: THREE.Mesh;
  private readonly head: THREE.Mesh;
  private readonly thick: number;

  constructor(color: string, thick: number) {
    super();
    this.thick = thick;
    const material = standard(color, 0.4);
    material.emissive.set(color).multiplyScalar(0.25);
    const shaft = new THREE.CylinderGeometry(thick, thick, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(2.6 * thick, 7 * thick, 24).rotateX(Math.PI / 2).translate(0, 0, -3.5 * thick);
    this.shaft = new THREE.Mesh(shaft, material);
    this.head = new THREE.Mesh(head, material);
    this.add(this.shaft, this.head);
  }

  /** Along `direction`, `length` long; `zoom` makes it thinner for a camera that is near. */
  point(direction: THREE.Vector3, length: number, zoom = 1): void {
    const size = direction.length();
    this.scale.setScalar(size > 0 && length > 0 ? zoom : 0);
    if (!(size > 0 && length > 0)) return;
    this.quaternion.setFromUnitVectors(Z, direction.clone().divideScalar(size));
    this.shaft.scale.z = Math.max(1e-6, length / zoom - 6 * this.thick);
    this.head.position.z = length / zoom;
  }
}

/** The three axes of a frame, red green blue. */
export function frame(size: number): THREE.Group {
  const group = new THREE.Group();
  AXES.forEach((color, axis) => {
    const arrow = new Arrow(color, 0.016 * size);
    arrow.point(new THREE.Vector3().setComponent(axis, 1), size);
    group.add(arrow);
  });
  return group;
}

/** A frame with its name beside it, whose letters have the same size at every distance. */
export function mark(name: string, size: number): THREE.Group {
  const group = frame(size);
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) return group;
  const font = `600 ${LETTERS}px system-ui, sans-serif`;
  pen.font = font;
  [canvas.width, canvas.height] = [Math.ceil(pen.measureText(name).width) + LETTERS / 2, 1.5 * LETTERS];
  pen.font = font; // a canvas forgets it when its size changes
  pen.textBaseline = "middle";
  pen.lineWidth = LETTERS / 6;
  pen.strokeStyle = "#ffffffd0";
  pen.fillStyle = "#1f2a36";
  pen.strokeText(name, LETTERS / 4, 0.75 * LETTERS);
  pen.fillText(name, LETTERS / 4, 0.75 * LETTERS);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const words = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false, transparent: true, sizeAttenuation: false }));
  words.scale.set((NAME * canvas.width) / LETTERS, (NAME * canvas.height) / LETTERS, 1);
  words.center.set(0, 0);
  group.add(words);
  return group;
}

/**
 * A joint as a small solid: pin, slide, screw, cross, plate, block or ball; an octahedron for an unknown kind.
 * `reach` is the radius of the body that it carries: a screw is long enough to be seen on both sides of a nut.
 */
export function jointGlyph(joint: Joint, size: number, reach: number, around: number): THREE.Group {
  const group = new THREE.Group();
  const steel = standard("#8d99a6", 0.3);
  const add = (geometry: THREE.BufferGeometry, axis: Vector | undefined): void => {
    const mesh = new THREE.Mesh(geometry, steel);
    if (axis) mesh.quaternion.setFromUnitVectors(Z, vector(axis).normalize());
    group.add(mesh);
  };
  const pin = (radius: number, length: number): THREE.BufferGeometry =>
    new THREE.CylinderGeometry(radius, radius, length, around).rotateX(Math.PI / 2);
  const [first, second] = joint.axes;
  const [thick, long] = [Math.max(size, 0.15 * reach), Math.max(3 * size, 1.1 * reach)]; // of a screw
  switch (joint.kind) {
    case "revolute":
      add(pin(0.55 * size, 1.8 * size), first);
      break;
    case "prismatic":
      add(new THREE.BoxGeometry(size, size, 3 * size), first);
      break;
    case "cylindrical":
      add(pin(0.6 * size, 3 * size), first);
      break;
    case "helical":
      add(pin(0.4 * thick, long), first);
      add(new THREE.TubeGeometry(new Thread(0.44 * thick, 0.94 * long), 16 * THREADS, 0.12 * thick, 8), first);
      break;
    case "universal":
      add(pin(0.35 * size, 2.2 * size), first);
      add(pin(0.35 * size, 2.2 * size), second);
      break;
    case "planar":
      add(new THREE.BoxGeometry(3 * size, 3 * size, 0.25 * size), first);
      break;
    case "fixed":
      add(new THREE.BoxGeometry(1.2 * size, 1.2 * size, 1.2 * size), undefined);
      break;
    case "spherical":
    case "axis":
    case "plane":
    case "distance":
      add(new THREE.SphereGeometry(0.75 * size, around, Math.ceil(around / 2)), undefined);
      break;
    default: // a kind that this page does not know
      add(new THREE.OctahedronGeometry(0.8 * size), undefined);
  }
  group.position.copy(vector(joint.at));
  return group;
}

const THREADS = 9;

/** The thread of a screw along z: a right-handed helix about the origin. */
class Thread extends THREE.Curve<THREE.Vector3> {
  private readonly radius: number;
  private readonly length: number;

  constructor(radius: number, length: number) {
    super();
    [this.radius, this.length] = [radius, length];
  }

  override getPoint(t: number, target = new THREE.Vector3()): THREE.Vector3 {
    const angle = 2 * Math.PI * THREADS * t;
    return target.set(this.radius * Math.cos(angle), this.radius * Math.sin(angle), this.length * (t - 0.5));
  }
}

const COILS = 9;
const POINTS = 16 * COILS;
const ASPECT = 14; // length of a coil by its radius, where its wire is round

/** A coil (spring), a piston (damper) or a rod (a loop that keeps a distance) between two points that move. */
export class Coil extends THREE.Group {
  private readonly radius: number;
  private readonly line: THREE.Mesh | null = null;
  private readonly parts: THREE.Mesh[] = [];

  constructor(kind: string, radius: number) {
    super();
    this.radius = radius;
    if (kind === "damper") {
      this.parts = [
        new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 0.5, 20).rotateX(Math.PI / 2).translate(0, 0, 0.3), standard("#6c7a89")),
        new THREE.Mesh(new THREE.CylinderGeometry(0.35 * radius, 0.35 * radius, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), standard("#b0bac4")),
      ];
      this.add(...this.parts);
    } else if (kind === "rod") {
      this.parts = [new THREE.Mesh(new THREE.CylinderGeometry(0.35 * radius, 0.35 * radius, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), standard("#b0bac4"))];
      this.add(...this.parts);
    } else {
      const path = new Helix();
      this.line = new THREE.Mesh(new THREE.TubeGeometry(path, POINTS, 0.2, 6), standard("#b7793e", 0.35));
      this.add(this.line);
    }
  }

  between(a: THREE.Vector3, b: THREE.Vector3): void {
    const way = b.clone().sub(a);
    const length = way.length();
    this.visible = length > 1e-9;
    if (!this.visible) return;
    this.position.copy(a);
    this.quaternion.setFromUnitVectors(Z, way.divideScalar(length));
    if (this.line) this.line.scale.set(this.radius, this.radius, length / ASPECT);
    else for (const part of this.parts) part.scale.z = length;
  }
}

class Helix extends THREE.Curve<THREE.Vector3> {
  constructor() {
    super();
  }

  override getPoint(t: number, target = new THREE.Vector3()): THREE.Vector3 {
    const inside = Math.min(1, Math.max(0, (t - 0.08) / 0.84));
    const wide = Math.min(1, 12 * inside, 12 * (1 - inside));
    const angle = 2 * Math.PI * COILS * inside;
    return target.set(wide * Math.cos(angle), wide * Math.sin(angle), ASPECT * t);
  }
}

const SIDES = 5;

/** A tube along the way of a point, thinner towards its old end. */
export class Trail extends THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial> {
  private readonly at: THREE.BufferAttribute;
  private readonly points: number;
  private readonly thick: number;

  constructor(points: number, thick: number, color: string) {
    const geometry = new THREE.BufferGeometry();
    const at = new THREE.BufferAttribute(new Float32Array(3 * SIDES * points), 3).setUsage(THREE.DynamicDrawUsage);
    const faces: number[] = [];
    for (let i = 0; i + 1 < points; i++) {
      for (let k = 0; k < SIDES; k++) {
        const [a, b] = [SIDES * i + k, SIDES * i + ((k + 1) % SIDES)];
        faces.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
      }
    }
    geometry.setAttribute("position", at);
    geometry.setIndex(faces);
    super(geometry, new THREE.MeshBasicMaterial({ color }));
    [this.at, this.points, this.thick] = [at, points, thick];
    this.frustumCulled = false;
  }

  /** Point i of the way is place(i), 0 the oldest.  Numbers are from the newest: an orbit is large. */
  draw(place: (i: number) => Vector, zoom: number): void {
    const out = this.at.array as Float32Array;
    const { x, y, z } = this.position.set(...place(this.points - 1));
    const [along, side, other] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    let here = new THREE.Vector3(...place(0));
    let next = here;
    side.set(1, 0, 0);
    for (let i = 0; i < this.points; i++) {
      next = i + 1 < this.points ? new THREE.Vector3(...place(i + 1)) : here;
      if (next.distanceToSquared(here) > 0) along.copy(next).sub(here).normalize();
      other.crossVectors(along, side); // the last side, made perpendicular: the tube does not twist
      if (other.lengthSq() < 1e-12) other.crossVectors(along, new THREE.Vector3(0.3, 0.5, 0.8));
      other.normalize();
      side.crossVectors(other, along).normalize();
      const radius = zoom * this.thick * (i / this.points) ** 0.7;
      for (let k = 0; k < SIDES; k++) {
        const [c, s] = [radius * Math.cos((2 * Math.PI * k) / SIDES), radius * Math.sin((2 * Math.PI * k) / SIDES)];
        const j = 3 * (SIDES * i + k);
        out[j] = here.x - x + c * side.x + s * other.x;
        out[j + 1] = here.y - y + c * side.y + s * other.y;
        out[j + 2] = here.z - z + c * side.z + s * other.z;
      }
      here = next;
    }
    this.at.needsUpdate = true;
  }
}
