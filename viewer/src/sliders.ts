// Sliders for the joints of a robot that stands still: the page computes where the bodies are.
// The frames are those of src/poinsot/view/sliders.py.

import type { App } from "./app.ts";
import { element } from "./dom.ts";
import { rotate } from "./motion.ts";
import type { Quaternion, Slider, Vector } from "./payload.ts";
import type { View } from "./stage.ts";
import { numberName } from "./ticks.ts";

interface Pose {
  readonly q: Quaternion;
  readonly r: Vector;
}

const HOME: Pose = { q: [1, 0, 0, 0], r: [0, 0, 0] };

function times(a: Quaternion, b: Quaternion): Quaternion {
  const [w, x, y, z] = a;
  const [s, i, j, k] = b;
  return [w * s - x * i - y * j - z * k, w * i + x * s + y * k - z * j, w * j - x * k + y * s + z * i, w * k + x * j - y * i + z * s];
}

function beyond(a: Pose, b: Pose): Pose {
  const [x, y, z] = rotate(a.q, b.r);
  return { q: times(a.q, b.q), r: [a.r[0] + x, a.r[1] + y, a.r[2] + z] };
}

/** The pose of the child frame of a joint in its joint frame. */
export function jointPose(slider: Slider, value: number): Pose {
  const [x, y, z] = slider.axis;
  if (slider.kind === "turn") {
    const s = Math.sin(value / 2);
    return { q: [Math.cos(value / 2), s * x, s * y, s * z], r: [0, 0, 0] };
  }
  if (slider.kind === "slide") return { q: [1, 0, 0, 0], r: [value * x, value * y, value * z] };
  const [w, i, j, k, a, b, c] = slider.pose;
  return { q: [w, i, j, k], r: [a, b, c] };
}

/** Poses of all bodies; parents come before their children. */
export function bodyPoses(sliders: readonly Slider[], values: readonly number[]): Pose[] {
  const found: Pose[] = [];
  sliders.forEach((one, i) => {
    const joint = beyond(found[one.parent] ?? HOME, { q: one.rotation, r: one.at });
    found.push(beyond(beyond(joint, jointPose(one, values[i]!)), { q: one.body_rotation, r: one.body_at }));
  });
  return found;
}

/** Put the sliders on the page, if the first run has some, and move its bodies with them. */
export function addSliders(app: App, root: HTMLElement): void {
  const [run] = app.payload.header.runs;
  const sliders = run?.sliders ?? [];
  if (!run || !sliders.length) return;
  document.documentElement.dataset["posture"] = "1";
  const values = sliders.map((one) => one.value);
  const move = (): void => {
    bodyPoses(sliders, values).forEach((pose, i) => {
      const [body, center] = [run.bodies[i]!, rotate(pose.q, sliders[i]!.center)];
      const [q, p] = [app.payload.table(body.quaternion), app.payload.table(body.position)];
      pose.q.forEach((x, k) => (q.data[k * q.stride] = x));
      center.forEach((x, k) => (p.data[k * p.stride] = x + pose.r[k]!));
    });
    app.update();
  };
  const panel = element("section", { id: "sliders", "aria-label": "joints" });
  sliders.forEach((one, i) => {
    if (!one.kind) return;
    const step = String((one.high - one.low) / 400);
    const input = element("input", { type: "range", min: String(one.low), max: String(one.high), step, value: String(one.value), "aria-label": one.name });
    const shown = element("output", {}, numberName(one.value, 3));
    input.addEventListener("input", () => {
      values[i] = Number(input.value);
      shown.textContent = numberName(values[i]!, 3);
      move();
    });
    input.addEventListener("change", () => app.look(app.page.view.value as View)); // all of it in the picture
    panel.append(element("label", {}, element("span", {}, one.name), input, shown));
  });
  root.hidden = false;
  root.append(panel);
}
