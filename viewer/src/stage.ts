// The picture: one canvas, a field for each run, one camera for all of them.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

import { runColor } from "./color.ts";
import type { Payload } from "./payload.ts";
import { Polhode } from "./polhode.ts";
import { dispose } from "./surroundings.ts";
import { World, type Shown } from "./world.ts";

export const VIEWS = ["corner", "front", "side", "top"] as const;
export type View = (typeof VIEWS)[number];
const ROAM = 0.15; // size of what rolls, in sizes of the scene, below which it is followed
const PART = 0.42; // of a field that the inset takes

interface Field {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The renderer of a canvas; null in a browser without WebGL, of which three.js would only complain. */
function rendererOf(canvas: HTMLCanvasElement): THREE.WebGLRenderer | null {
  const context = canvas.getContext("webgl2", { antialias: true, alpha: true });
  if (!context) return null;
  const made = new THREE.WebGLRenderer({ canvas, context });
  made.shadowMap.enabled = true;
  made.shadowMap.type = THREE.PCFShadowMap;
  made.setScissorTest(true);
  made.setClearColor(0x000000, 0);
  return made;
}

function draw(renderer: THREE.WebGLRenderer, scene: THREE.Scene, camera: THREE.Camera, field: Field, full: number): void {
  const bottom = full - field.y - field.height;
  renderer.setViewport(field.x, bottom, field.width, field.height);
  renderer.setScissor(field.x, bottom, field.width, field.height);
  renderer.render(scene, camera);
}

export class Stage {
  worlds: World[] = [];
  readonly canvas: HTMLCanvasElement;
  readonly controls: OrbitControls;
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
  follow = false;
  polhode = false;
  overlay = false; // all runs in one picture
  dirty = true;
  plain = 0; // 1: without shadows, 2: and coarse, where pictures would be too few
  rendered = 0;
  private readonly renderer: THREE.WebGLRenderer | null; // null: this browser cannot draw the scene
  private insets: (Polhode | null)[] = [];
  private readonly target = new THREE.Vector3();
  private size = 1;
  private near = 1; // what a camera that follows must see
  private payload!: Payload;
  private merged: World[] | null = null;
  private readonly old: THREE.Scene[] = [];
  private readonly eye = new THREE.PerspectiveCamera();

  constructor(canvas: HTMLCanvasElement, payload: Payload) {
    this.canvas = canvas;
    this.renderer = rendererOf(canvas);
    this.load(payload);
    this.camera.up.copy(this.worlds[0]!.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.look("corner");
  }

  /** Build the scenes of these data in the place of others; the camera stays. */
  load(payload: Payload): void {
    this.old.push(...[...this.worlds, ...(this.merged ?? [])].map(({ scene }) => scene));
    this.payload = payload;
    this.merged = null;
    this.worlds = payload.header.runs.map((run) => new World(payload, run));
    this.insets = payload.header.runs.map((run) => {
      const body = run.bodies.findIndex((one) => one.spin !== null);
      return body < 0 || !this.worlds[0]!.times.rows ? null : new Polhode(payload, run, body);
    });
    this.size = Math.max(...this.worlds.map((world) => world.size));
    this.near = Math.max(...this.worlds.map((world) => world.near));
    this.simplify(this.plain);
  }

  /** Draw with less: see `plain`. */
  simplify(plain: number): void {
    this.plain = plain;
    for (const world of [...this.worlds, ...(this.merged ?? [])]) {
      if (plain) world.scene.traverse((part) => part instanceof THREE.DirectionalLight && (part.castShadow = false));
    }
    if (plain > 1) this.resize();
    this.dirty = true;
  }

  /** The worlds that are drawn: one for each field, or all in the scene of the first. */
  private get drawn(): World[] {
    if (!this.overlay) return this.worlds;
    if (!this.merged) {
      this.merged = [];
      this.payload.header.runs.forEach((run, i) => {
        this.merged!.push(new World(this.payload, run, { host: this.merged![0] ?? null, color: runColor(i, false) }));
      });
    }
    return this.merged;
  }

  setOverlay(overlay: boolean, shown: Shown): void {
    this.overlay = overlay;
    this.toggle(shown);
    this.place();
  }

  /** Whether there are pictures; times, plots and labels do without. */
  get draws(): boolean {
    return this.renderer !== null;
  }

  /** A preset: from a corner, along y, along x, from above. */
  look(view: View): void {
    const up = this.worlds[0]!.up;
    const upright = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
    const from = { corner: [0.75, -1, 0.3], front: [0, -1, 0.001], side: [1, 0, 0.001], top: [0, -0.001, 1] }[view];
    const direction = new THREE.Vector3(...(from as [number, number, number])).normalize().applyQuaternion(upright);
    this.stand(direction);
  }

  /** Place the camera in a direction from what it looks at, where it sees everything. */
  private stand(direction: THREE.Vector3): void {
    this.target.copy(this.center());
    const distance = this.distance(direction, this.worlds[0]!.up);
    this.controls.target.copy(this.target);
    this.camera.position.copy(this.target).addScaledVector(direction, distance);
    [this.camera.near, this.camera.far] = [distance / 200, distance * 20 + 20 * this.size];
    this.controls.update();
    this.dirty = true;
  }

  /** How far away the camera must stand, in a direction from its target, to see everything. */
  private distance(direction: THREE.Vector3, up: THREE.Vector3): number {
    const { width, height } = this.fields()[0] ?? { width: 1, height: 1 };
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = (tall * width) / Math.max(1, height);
    const right = new THREE.Vector3().crossVectors(up, direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right);
    const away = new THREE.Vector3();
    if (this.follow) return Math.max(1.5 * this.near, (1.3 * this.near) / Math.min(tall, wide));
    let most = 1.5 * this.size;
    for (const world of this.worlds) {
      for (const { center, radius } of world.balls) {
        away.subVectors(center, this.target);
        const depth = away.dot(direction);
        const across = Math.max((Math.abs(away.dot(right)) + radius) / wide, (Math.abs(away.dot(above)) + radius) / tall);
        most = Math.max(most, depth + 1.12 * across);
      }
    }
    return most;
  }

  private center(): THREE.Vector3 {
    const first = this.worlds[0]!;
    return this.follow ? first.middle(new THREE.Vector3()) : first.center.clone();
  }

  /** Whether something rolls so far that it would hardly be seen from where all of its way is. */
  get roams(): boolean {
    return this.payload.header.runs.some((run) => run.contacts.some((one) => one.sphere === 0)) && this.near < ROAM * this.size;
  }

  setFollow(follow: boolean): void {
    this.follow = follow;
    this.place();
  }

  /** The camera in its direction, after what it looks at has changed. */
  private place(): void {
    for (const world of [...this.worlds, ...(this.merged ?? [])]) world.zoom = this.follow ? Math.min(1, (1.3 * world.near) / world.size) : 1;
    this.stand(this.camera.position.clone().sub(this.controls.target).normalize());
  }

  toggle(shown: Shown): void {
    for (const world of this.overlay ? this.drawn : this.worlds) world.toggle(shown);
    this.dirty = true;
  }

  show(time: number): void {
    this.worlds.forEach((world, i) => {
      world.show(time);
      if (this.polhode) this.insets[i]?.show(world.row, world.share);
    });
    if (this.overlay) for (const world of this.drawn) world.show(time);
    this.dirty = true;
  }

  /** Fields of the runs in CSS pixels, from the upper left. */
  fields(): Field[] {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (this.overlay) return [{ x: 0, y: 0, width, height }];
    const count = this.worlds.length;
    const side = (columns: number): number => Math.min(width / columns, height / Math.ceil(count / columns));
    const columns = this.worlds.map((_, i) => i + 1).reduce((best, one) => (side(one) > side(best) ? one : best), 1);
    const rows = Math.ceil(count / columns);
    return this.worlds.map((_, i) => ({
      x: ((i % columns) * width) / columns,
      y: (Math.floor(i / columns) * height) / rows,
      width: width / columns,
      height: height / rows,
    }));
  }

  resize(): void {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!width || !height) return;
    this.renderer?.setPixelRatio(Math.min(2, window.devicePixelRatio) * (this.plain > 1 ? 0.5 : 1));
    this.renderer?.setSize(width, height, false);
    this.dirty = true;
  }

  render(): void {
    if (this.renderer) this.paint(this.renderer);
    for (const scene of this.old.splice(0)) dispose(scene); // now that the new ones share its programs
    this.dirty = false;
    this.rendered++;
  }

  private paint(renderer: THREE.WebGLRenderer): void {
    const full = this.canvas.clientHeight;
    this.fields().forEach((field, i) => {
      const world = this.drawn[i]!;
      this.aim(world, field);
      world.lamp!.position.copy(this.eye.position);
      draw(renderer, world.scene, this.eye, field, full);
      const inset = this.polhode && !this.overlay ? this.insets[i] : null;
      if (inset) {
        inset.aim(this.eye);
        const side = Math.max(110, PART * Math.min(field.width, 1.2 * field.height));
        const corner = { x: field.x + field.width - side, y: field.y + field.height - side, width: side, height: side };
        renderer.autoClear = false;
        renderer.setScissor(corner.x, full - corner.y - side, side, side);
        renderer.setClearColor(document.documentElement.dataset["theme"] === "dark" ? 0x0c1117 : 0xffffff, 0.4);
        renderer.clear();
        renderer.setClearColor(0x000000, 0);
        draw(renderer, inset.scene, inset.camera, corner, full);
        renderer.autoClear = true;
      }
    });
  }

  /** The eye as the camera sees this field: where the camera follows, every run is followed by itself. */
  private aim(world: World, field: Field): void {
    this.eye.copy(this.camera, false);
    if (this.follow) {
      const offset = this.camera.position.clone().sub(this.controls.target);
      this.eye.position.copy(world.middle(new THREE.Vector3())).add(offset);
    }
    this.eye.aspect = field.width / Math.max(1, field.height);
    this.eye.updateProjectionMatrix();
  }

  /** The run whose field is at a point of the canvas, and the ray from the eye there. */
  ray(x: number, y: number): { run: number; world: World; ray: THREE.Raycaster } | null {
    const run = this.fields().findIndex((f) => x >= f.x && x < f.x + f.width && y >= f.y && y < f.y + f.height);
    const field = this.fields()[run];
    const world = this.drawn[run];
    if (!field || !world) return null;
    this.aim(world, field);
    this.eye.updateMatrixWorld();
    const ray = new THREE.Raycaster();
    const point = new THREE.Vector2((2 * (x - field.x)) / field.width - 1, 1 - (2 * (y - field.y)) / field.height);
    ray.setFromCamera(point, this.eye);
    return { run, world, ray };
  }

  /** The run and the body under a point of the canvas, and where it is hit. */
  pick(x: number, y: number): { run: number; body: number; point: THREE.Vector3 } | null {
    const aimed = this.ray(x, y);
    if (!aimed) return null;
    const { run, world, ray } = aimed;
    for (const hit of ray.intersectObjects(world.bodies, true)) {
      for (let object: THREE.Object3D | null = hit.object; object; object = object.parent) {
        const body = world.bodies.indexOf(object as THREE.Group);
        if (body >= 0) return { run, body, point: hit.point };
      }
    }
    return null;
  }
}
