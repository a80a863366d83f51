// Arrows of a run: the angular velocities of its bodies, and the angular momentum.

import * as THREE from "three";

import { MOMENTUM, SPIN } from "./color.ts";
import { largest, mix } from "./motion.ts";
import { Arrow } from "./parts.ts";
import type { Body, Payload, Run } from "./payload.ts";

const SPINS = 4; // bodies up to which each has an arrow

export class Arrows {
  private readonly spins: { arrow: Arrow; body: Body; most: number; reach: number }[] = [];
  private readonly momentum: { arrow: Arrow; most: number } | null = null;
  private readonly payload: Payload;
  private readonly run: Run;
  private readonly bodies: readonly THREE.Group[];

  constructor(payload: Payload, run: Run, bodies: readonly THREE.Group[], scene: THREE.Scene, reach: readonly number[], thick: number) {
    [this.payload, this.run, this.bodies] = [payload, run, bodies];
    run.bodies.forEach((body, i) => {
      if (body.spin === null || run.bodies.length > SPINS) return;
      const most = largest(payload.table(body.spin));
      if (!(most > 0) && !payload.live) return;
      const arrow = new Arrow(SPIN, 0.8 * thick);
      this.spins.push({ arrow, body, most, reach: reach[i]! });
      bodies[i]!.add(arrow);
    });
    if (run.momentum === null || run.contacts.length) return; // the ground takes momentum
    const most = largest(payload.table(run.momentum));
    if (!(most > 0) && !payload.live) return;
    this.momentum = { arrow: new Arrow(MOMENTUM, thick), most };
    scene.add(this.momentum.arrow);
  }

  /** Between two rows; the longest momentum is `long`, and spins are at least a quarter of `unit`. */
  draw(row: number, share: number, unit: number, long: number, zoom: number): void {
    const [a, x] = [new THREE.Vector3(), [] as number[]];
    for (const one of this.spins) {
      mix(this.payload.table(one.body.spin!), row, share, x);
      one.most = Math.max(one.most, a.set(x[0]!, x[1]!, x[2]!).length() || 0);
      one.arrow.point(a, (1.4 * Math.max(0.7 * one.reach, 0.25 * unit) * a.length()) / one.most, zoom);
    }
    if (!this.momentum) return;
    mix(this.payload.table(this.run.momentum!), row, share, x);
    const { arrow } = this.momentum;
    const most = (this.momentum.most = Math.max(this.momentum.most, a.set(x[0]!, x[1]!, x[2]!).length() || 0));
    arrow.point(a, (long * a.length()) / most, zoom);
    if (this.bodies.length === 1) arrow.position.copy(this.bodies[0]!.position);
  }

  show(visible: boolean): void {
    for (const { arrow } of this.spins) arrow.visible = visible;
    if (this.momentum) this.momentum.arrow.visible = visible;
  }
}
