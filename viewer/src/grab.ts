// The hand in a live simulation: drag a body, push it, click on the ground.

import * as THREE from "three";

import type { App } from "./app.ts";
import { THRUST } from "./color.ts";
import { numberName } from "./ticks.ts";

const STILL = 5; // pixels within which a pointer has not moved

export interface Hand {
  allows(feature: string): boolean;
  send(message: { readonly do: string } & Record<string, unknown>): void;
  later(message: { readonly do: string } & Record<string, unknown>): void; // only the newest of its kind is sent
}

export class Grab {
  impulse = 1; // N s
  private readonly app: App;
  private readonly hand: Hand;
  private held: { body: number; point: THREE.Vector3; plane: THREE.Plane; target: THREE.Vector3 } | null = null;
  private pressed: [number, number] | null = null; // beside all bodies
  private pointer: [number, number] = [0, 0];
  private readonly line: THREE.Line;
  private readonly marker: THREE.Mesh;

  constructor(app: App, hand: Hand) {
    [this.app, this.hand] = [app, hand];
    const points = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3));
    this.line = new THREE.Line(points, new THREE.LineBasicMaterial({ color: THRUST, depthTest: false }));
    this.line.frustumCulled = false;
    this.line.renderOrder = 2;
    const ring = new THREE.RingGeometry(0.7, 1, 48);
    this.marker = new THREE.Mesh(ring, new THREE.MeshBasicMaterial({ color: THRUST, side: THREE.DoubleSide, depthTest: false, transparent: true, opacity: 0.8 }));
    this.marker.visible = this.line.visible = false;
    const scene = app.page.canvas.parentElement!;
    const first = { capture: true }; // before the camera sees it
    scene.addEventListener("pointerdown", (event) => this.down(event), first);
    scene.addEventListener("pointermove", (event) => this.move(event), first);
    for (const kind of ["pointerup", "pointercancel"] as const) scene.addEventListener(kind, (event) => this.up(event), first);
  }

  private place(event: PointerEvent): [number, number] {
    const box = this.app.page.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private down(event: PointerEvent): void {
    this.pressed = null;
    if (event.button !== 0 || event.target !== this.app.page.canvas) return;
    const at = this.place(event);
    const hit = this.app.stage.pick(...at);
    if (!hit) {
      this.pressed = at;
      return;
    }
    if (hit.run !== 0 || !this.hand.allows("drag")) return;
    event.stopPropagation();
    this.app.page.canvas.setPointerCapture(event.pointerId);
    this.app.page.tip.hidden = true;
    const group = this.app.stage.worlds[0]!.bodies[hit.body]!;
    const { ray } = this.app.stage.ray(...at)!;
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(ray.ray.direction.clone().negate(), hit.point);
    this.held = { body: hit.body, point: group.worldToLocal(hit.point.clone()), plane, target: hit.point.clone() };
    this.pull();
  }

  private move(event: PointerEvent): void {
    this.pointer = this.place(event);
    if (!this.held) return;
    event.stopPropagation();
    const aimed = this.app.stage.ray(...this.pointer);
    if (aimed?.ray.ray.intersectPlane(this.held.plane, this.held.target)) this.pull();
  }

  private pull(): void {
    const { body, point, target } = this.held!;
    this.hand.later({ do: "drag", body, point: point.toArray(), target: target.toArray() });
  }

  private up(event: PointerEvent): void {
    const at = this.place(event);
    if (this.held) {
      event.stopPropagation();
      this.held = null;
      this.hand.send({ do: "release" });
    } else if (this.pressed && Math.hypot(at[0] - this.pressed[0], at[1] - this.pressed[1]) < STILL && this.hand.allows("target")) this.aim(at);
    this.pressed = null;
    this.app.stage.dirty = true;
  }

  /** Send the simulation to a point of the ground. */
  private aim(at: [number, number]): void {
    const aimed = this.app.stage.ray(...at);
    if (!aimed) return;
    const { world, ray } = aimed;
    const on = world.ground?.position ?? world.center;
    const point = ray.ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(world.up, on), new THREE.Vector3());
    if (!point) return;
    this.hand.send({ do: "target", point: point.toArray() });
    this.marker.position.copy(point);
    this.marker.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), world.up);
    this.marker.scale.setScalar(0.06 * world.size);
    this.marker.visible = true;
    world.scene.add(this.marker);
  }

  /** Push the body under the pointer away from the eye, along the ground if there is one; say what was done. */
  push(): string {
    const hit = this.app.stage.pick(...this.pointer);
    if (!hit || hit.run !== 0) return "Put the pointer on a body to push it.";
    if (!this.hand.allows("impulse")) return "This simulation cannot be pushed from here.";
    const { world, ray } = this.app.stage.ray(...this.pointer)!;
    const way = ray.ray.direction.clone();
    if (world.run.gravity.some((x) => x !== 0)) way.addScaledVector(world.up, -way.dot(world.up));
    const group = world.bodies[hit.body]!;
    const impulse = way.normalize().multiplyScalar(this.impulse).toArray();
    this.hand.send({ do: "impulse", body: hit.body, point: group.worldToLocal(hit.point.clone()).toArray(), impulse });
    return `${world.run.bodies[hit.body]!.name}: pushed with ${numberName(this.impulse, 3)} N s.`;
  }

  /** The spring from the grabbed point to the pointer. */
  draw(): void {
    this.line.visible = this.held !== null;
    if (!this.held) return;
    const world = this.app.stage.worlds[0]!;
    if (this.line.parent !== world.scene) world.scene.add(this.line);
    const end = world.bodies[this.held.body]!.localToWorld(this.held.point.clone());
    const place = this.line.geometry.getAttribute("position") as THREE.BufferAttribute;
    place.setXYZ(0, ...end.toArray());
    place.setXYZ(1, ...this.held.target.toArray());
    place.needsUpdate = true;
  }
}
