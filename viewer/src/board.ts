// A demonstration: a scene that can be turned, sliders beside it, and numbers below them.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

import { AXES } from "./color.ts";
import { element } from "./dom.ts";
import { Entry } from "./entry.ts";
import { NO_WEBGL } from "./layout.ts";
import { Arrow } from "./parts.ts";

const FOV = 32; // degrees
const NARROW = Math.tan((FOV * Math.PI) / 360);

export class Board {
  readonly scene = new THREE.Scene();
  readonly values: Record<string, number> = {};
  private readonly camera = new THREE.PerspectiveCamera(FOV, 1, 0.1, 200);
  private readonly side = element("aside", { id: "side" });
  private readonly table = element("table");
  private readonly entries = new Map<string, Entry>();
  private readonly renderer: THREE.WebGLRenderer | null;
  private readonly changed: (board: Board) => void;
  rows: readonly (readonly [string, string])[] = [];

  /** `changed` is called when a slider was moved, and at first by `start`. */
  constructor(root: HTMLElement, title: string, notes: string, size: number, changed: (board: Board) => void) {
    this.changed = changed;
    const canvas = element("canvas", { id: "stage", tabindex: "0", "aria-label": "the scene in three dimensions" });
    const scene = element("section", { id: "scene" }, canvas);
    document.documentElement.dataset["demonstration"] = "1";
    root.replaceChildren(
      element("header", {}, element("h1", {}, title)),
      element("div", { id: "middle" }, scene, this.side),
      element("section", { id: "details" }, element("p", { class: "notes" }, notes)),
    );
    this.side.append(this.table);
    const context = canvas.getContext("webgl2", { antialias: true, alpha: true });
    this.renderer = context ? new THREE.WebGLRenderer({ canvas, context }) : null;
    if (!this.renderer) scene.append(element("p", { id: "notice", class: "error", role: "alert" }, NO_WEBGL));
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(2.2 * size, -3.2 * size, 1.5 * size);
    const controls = new OrbitControls(this.camera, canvas);
    controls.update();
    controls.addEventListener("change", () => this.draw());
    this.scene.add(new THREE.HemisphereLight("#ffffff", "#c3ccd6", 2.4));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** A slider for a value with this name. */
  add(name: string, label: string, unit: string, low: number, high: number, value: number): void {
    this.values[name] = value;
    const entry = new Entry(label, unit, { low, high, log: false, whole: false }, value, (x) => {
      this.values[name] = x;
      this.start();
    });
    this.entries.set(name, entry);
    this.table.before(entry.root);
  }

  /** Set a value from outside. */
  set(name: string, value: number): void {
    this.values[name] = value;
    this.entries.get(name)?.set(value);
    this.start();
  }

  start(): void {
    this.changed(this);
    this.draw();
  }

  say(rows: readonly (readonly [string, string])[]): void {
    this.rows = rows;
    this.table.replaceChildren(...rows.filter(([, value]) => value).map(([name, value]) => element("tr", {}, element("th", {}, name), element("td", {}, value))));
  }

  private draw(): void {
    const canvas = this.renderer?.domElement;
    if (!canvas?.clientWidth || !canvas.clientHeight) return;
    this.renderer!.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer!.setSize(canvas.clientWidth, canvas.clientHeight, false);
    this.camera.aspect = canvas.clientWidth / canvas.clientHeight;
    this.camera.fov = this.camera.aspect < 1 ? (360 / Math.PI) * Math.atan(NARROW / this.camera.aspect) : FOV;
    this.camera.updateProjectionMatrix();
    this.renderer!.render(this.scene, this.camera);
  }
}

/** Axes x, y, z of this length. */
export function axes(length: number): THREE.Group {
  const group = new THREE.Group();
  AXES.forEach((color, axis) => {
    const arrow = new Arrow(color, 0.008 * length);
    arrow.point(new THREE.Vector3().setComponent(axis, 1), length);
    group.add(arrow);
  });
  return group;
}

/** Glass of this shape. */
export function glass(geometry: THREE.BufferGeometry, color: string, opacity = 0.25): THREE.Mesh {
  return new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color, transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false }));
}

/** A small ball. */
export function ball(radius: number, color: string): THREE.Mesh {
  return new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), new THREE.MeshStandardMaterial({ color }));
}

/** A curve whose points can be set again; `pieces`: they are ends of separate pieces. */
export function curve(color: string, pieces = false): THREE.Line {
  const material = new THREE.LineBasicMaterial({ color });
  const made = pieces ? new THREE.LineSegments(new THREE.BufferGeometry(), material) : new THREE.Line(new THREE.BufferGeometry(), material);
  made.frustumCulled = false;
  return made;
}

export function setPoints(line: THREE.Line, points: readonly (readonly number[])[]): void {
  line.geometry.dispose();
  line.geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points.flat(), 3));
}

/** Points along a circle or arc: t from 0 to 1. */
export function along(point: (t: number) => readonly number[], count = 128): (readonly number[])[] {
  return Array.from({ length: count + 1 }, (_, i) => point(i / count));
}
