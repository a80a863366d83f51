// The page at work: one clock, and everything that follows it.

import { Clock } from "./clock.ts";
import { icon } from "./dom.ts";
import { help, listen, type Key } from "./keyboard.ts";
import { CHIPS, colorLabels, labelsOf, layout, LOST, NO_WEBGL, withoutPicture, type Layout } from "./layout.ts";
import { locate, mix, nearest } from "./motion.ts";
import { Panels } from "./panels.ts";
import type { Payload } from "./payload.ts";
import { quantities } from "./plot.ts";
import { Side } from "./side.ts";
import { savePicture } from "./snapshot.ts";
import { Stage, VIEWS, type View } from "./stage.ts";
import { numberName, timeName } from "./ticks.ts";
import type { Shown } from "./world.ts";

const SHARES = 1000; // of the time slider of a live run

export class App {
  readonly clock: Clock;
  readonly stage: Stage;
  readonly panels: Panels;
  readonly page: Layout;
  payload: Payload;
  readonly side: Side;
  readonly primary: number; // the run that gives the frames
  readonly shown: Shown = { trails: true, arrows: true, ground: true, frames: false, joints: true, marks: true, members: true };
  private readonly keys: Key[];
  private last = 0;
  before: (() => boolean) | null = null; // called before each picture; true: something has changed

  constructor(root: HTMLElement, payload: Payload, clock: Clock | null = null) {
    this.payload = payload;
    const times = payload.header.runs.map((run) => payload.table(run.time));
    const ends = times.map((time) => time.data[time.rows - 1] ?? 0);
    this.primary = ends.indexOf(Math.max(...ends));
    const first = Math.min(...times.map((time) => time.data[0] ?? 0));
    this.clock = clock ?? new Clock(first, Math.max(...ends));
    const known = quantities(payload);
    this.page = layout(root, payload.header, payload.live ? SHARES + 1 : times[this.primary]!.rows, known, this.clock.end - first);
    this.stage = new Stage(this.page.canvas, payload);
    if (!this.stage.draws) withoutPicture(this.page.notice, NO_WEBGL);
    this.side = new Side(this.page, payload, (other) => this.load(other), () => this.update());
    this.panels = new Panels(this.page.plots, payload, [this.clock.start, this.clock.end]);
    this.keys = this.makeKeys();
    this.connect();
    this.resize();
    this.stage.look("corner");
    if (this.stage.roams) this.stage.setFollow(true);
    if (payload.header.overlay) this.stage.setOverlay(true, this.shown);
    this.refreshChips();
    this.resize();
    this.hideIdleChips();
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Show other data in the place of these: the same runs with other numbers. */
  load(payload: Payload): void {
    const known = this.payload.header.runs.length;
    this.payload = payload;
    this.stage.load(payload);
    this.panels.load(payload, [this.clock.start, this.clock.end]);
    if (payload.header.runs.length !== known) {
      for (const label of this.page.labels) label.remove();
      this.page.labels = labelsOf(payload.header);
      this.page.canvas.after(...this.page.labels);
      colorLabels(this.page.labels, document.documentElement.dataset["theme"] === "dark");
      this.hideIdleChips();
      if (known > 1) this.stage.setOverlay(false, this.shown);
      this.resize();
    }
    this.refreshChips();
    this.update();
  }

  get frame(): number {
    return nearest(this.stage.worlds[this.primary]!.times, this.clock.time);
  }

  get frames(): number {
    return this.stage.worlds[this.primary]!.times.rows;
  }

  /** Go to a frame and stay there. */
  set(frame: number): void {
    if (this.payload.live) return this.seek(this.clock.start + ((this.clock.end - this.clock.start) * frame) / SHARES);
    const { data, rows } = this.stage.worlds[this.primary]!.times;
    const row = Math.min(rows - 1, Math.max(0, Math.round(Number.isFinite(frame) ? frame : 0)));
    this.clock.playing = false;
    this.clock.seek(data[row] ?? this.clock.start);
    this.update();
  }

  seek(time: number): void {
    this.clock.playing = false;
    this.clock.seek(time);
    this.update();
  }

  toggle(): void {
    this.clock.toggle();
    this.update();
  }

  /** Show everything at the time of the clock. */
  update(): void {
    const { clock, page } = this;
    this.stage.show(clock.time);
    this.panels.stale = true;
    page.slider.value = String(this.payload.live ? (SHARES * (clock.time - clock.start)) / (clock.end - clock.start || 1) : this.frame);
    page.now.value = timeName(clock.time, clock.end - clock.start);
    const name = clock.playing ? "pause" : "play";
    if (page.play.dataset["shows"] !== name) {
      page.play.dataset["shows"] = name; // not at every frame: a click ends on what it began on
      page.play.replaceChildren(icon(name));
    }
    page.speed.value = String(clock.speed);
    page.loop.setAttribute("aria-pressed", String(clock.loop));
    this.side.show(this.payload, clock.time);
    this.payload.header.runs.forEach((run, i) => {
      const words = run.plots
        .filter((plot) => plot.key === "energy-error" || plot.key === "momentum-error")
        .map((plot) => {
          const at = locate(this.payload.table(plot.time), clock.time);
          const value = mix(this.payload.table(plot.values), at.row, 0, [])[0] ?? NaN;
          const name = plot.key === "energy-error" ? "ΔE" : "ΔL";
          return Number.isFinite(value) ? `${name} ${value > 0 ? value.toExponential(0) : "0"}` : "";
        });
      page.labels[i]!.querySelector("b")!.textContent = run.name;
      page.labels[i]!.querySelector(".live")!.textContent = words.join("  ");
    });
  }

  private tick(now: number): void {
    const passed = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (this.before?.()) this.update();
    if (this.clock.playing && !this.payload.live) {
      this.clock.advance(passed);
      this.update();
    }
    this.draw();
    requestAnimationFrame((next) => this.tick(next));
  }

  draw(): void {
    this.panels.draw(this.clock.time);
    if (this.stage.dirty) this.stage.render();
  }

  private resize(): void {
    this.stage.resize();
    const fields = this.stage.fields();
    this.page.labels.forEach((label, i) => {
      const [field, top] = [fields[i] ?? fields[0]!, fields[i] ? 0 : 42 * i]; // in one picture, one below the other
      Object.assign(label.style, { left: `${field.x}px`, top: `${field.y + top}px`, maxWidth: `${field.width}px` });
    });
    this.panels.refresh();
    this.update();
  }

  look(view: View): void {
    this.page.view.value = view;
    this.stage.look(view);
  }

  flip(name: (typeof CHIPS)[number]): void {
    if (name === "polhode") this.stage.polhode = !this.stage.polhode;
    else if (name === "follow") this.stage.setFollow(!this.stage.follow);
    else if (name === "overlay") this.stage.setOverlay(!this.stage.overlay, this.shown);
    else if (name === "errors") this.panels.flipErrors();
    else if (name === "apparatus" || name === "what-if") this.side.flip(name);
    else this.shown[name] = !this.shown[name];
    this.refreshChips();
    if (name === "overlay") this.resize();
    this.update();
  }

  refreshChips(): void {
    this.stage.toggle(this.shown);
    const others: Record<string, boolean> = { apparatus: this.side.shows("apparatus"), "what-if": this.side.shows("what-if"), polhode: this.stage.polhode, follow: this.stage.follow, overlay: this.stage.overlay, errors: this.panels.showErrors };
    for (const name of CHIPS) {
      const on = others[name] ?? this.shown[name as keyof Shown];
      this.page.chips.get(name)!.setAttribute("aria-pressed", String(on));
    }
  }

  /** Chips for things that these runs do not have. */
  private hideIdleChips(): void {
    const { runs } = this.payload.header;
    const { chips } = this.page;
    chips.get("ground")!.hidden = runs.every((run) => run.ground === false || (run.ground === null && !run.contacts.length && run.gravity.every((x) => x === 0)));
    chips.get("joints")!.hidden = runs.every((run) => !run.contacts.length && run.joints.every((joint) => joint.kind === "free"));
    for (const name of ["marks", "members"] as const) chips.get(name)!.hidden = runs.every((run) => !run[name]?.length);
    chips.get("overlay")!.hidden = runs.length < 2;
    chips.get("errors")!.hidden = !this.panels.errors.length;
    chips.get("polhode")!.hidden = this.payload.live || runs.every((run) => run.bodies.every((body) => body.spin === null));
  }

  theme(wanted?: string): void {
    const root = document.documentElement;
    root.dataset["theme"] = wanted ?? (root.dataset["theme"] === "dark" ? "light" : "dark");
    colorLabels(this.page.labels, root.dataset["theme"] === "dark");
    this.panels.refresh();
    this.panels.legends();
    this.update();
  }

  snapshot(): void {
    if (this.stage.draws) savePicture(this);
  }

  full(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen().catch(() => undefined);
  }

  private connect(): void {
    const { page } = this;
    page.play.addEventListener("click", () => this.toggle());
    page.slider.addEventListener("input", () => this.set(Number(page.slider.value)));
    page.speed.addEventListener("change", () => {
      this.clock.setSpeed(Number(page.speed.value));
      this.update();
    });
    page.loop.addEventListener("click", () => {
      this.clock.loop = !this.clock.loop;
      this.update();
    });
    page.view.addEventListener("change", () => this.look(page.view.value as View));
    for (const [name, chip] of page.chips) chip.addEventListener("click", () => this.flip(name as (typeof CHIPS)[number]));
    page.theme.addEventListener("click", () => this.theme());
    page.snapshot.addEventListener("click", () => this.snapshot());
    page.full.addEventListener("click", () => this.full());
    const dialog = help(this.keys);
    document.body.append(dialog);
    page.help.addEventListener("click", () => dialog.showModal());
    listen([...this.keys, { keys: ["?"], shown: "?", text: "this list", act: () => dialog.showModal() }]);
    this.panels.connect((time) => this.seek(time), () => (this.refreshChips(), this.update()));
    page.canvas.addEventListener("pointermove", (event) => this.hover(event));
    page.canvas.addEventListener("pointerleave", () => (page.tip.hidden = true));
    page.canvas.addEventListener("webglcontextlost", () => withoutPicture(page.notice, LOST));
    page.canvas.addEventListener("webglcontextrestored", () => withoutPicture(page.notice, ""));
    new ResizeObserver(() => this.resize()).observe(page.canvas);
    new ResizeObserver(() => this.update()).observe(page.plots[0]!.canvas);
  }

  /** What the body under the pointer is. */
  private hover(event: PointerEvent): void {
    const { tip, canvas } = this.page;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = event.buttons ? null : this.stage.pick(x, y);
    tip.hidden = !found;
    if (!found) return;
    const { row } = this.stage.worlds[found.run]!;
    const body = this.payload.header.runs[found.run]!.bodies[found.body]!;
    const p = mix(this.payload.table(body.position), row, 0, []).map((one) => numberName(one, 4));
    const lines = [`${body.name}, ${numberName(body.mass, 4)} kg`, `at (${p.join(", ")}) m`];
    if (body.spin !== null) {
      const w = mix(this.payload.table(body.spin), row, 0, []);
      lines.push(`rotates at ${numberName(Math.hypot(...w), 4)} rad/s`);
    }
    tip.textContent = lines.join("\n");
    tip.style.left = `${Math.min(x + 14, box.width - 190)}px`;
    tip.style.top = `${Math.min(y + 14, box.height - 70)}px`;
  }

  private makeKeys(): Key[] {
    const chip = (key: string, name: (typeof CHIPS)[number], text: string): Key => ({
      keys: [key], shown: key, text, act: () => this.flip(name),
    });
    return [
      { keys: [" ", "k"], shown: "space", text: "play or pause", act: () => this.toggle() },
      { keys: ["ArrowRight"], shown: "→", text: "next frame (shift: ten)", act: (event) => this.set(this.frame + (event.shiftKey ? 10 : 1)) },
      { keys: ["ArrowLeft"], shown: "←", text: "previous frame (shift: ten)", act: (event) => this.set(this.frame - (event.shiftKey ? 10 : 1)) },
      { keys: ["Home"], shown: "Home", text: "first frame", act: () => this.set(0) },
      { keys: ["End"], shown: "End", text: "last frame", act: () => this.set(this.frames - 1) },
      { keys: ["ArrowUp", "+"], shown: "↑", text: "faster", act: () => (this.clock.change(1), this.update()) },
      { keys: ["ArrowDown", "-"], shown: "↓", text: "slower", act: () => (this.clock.change(-1), this.update()) },
      { keys: ["l"], shown: "l", text: "loop", act: () => ((this.clock.loop = !this.clock.loop), this.update()) },
      ...VIEWS.map((view, i): Key => ({ keys: [String(i + 1)], shown: String(i + 1), text: `camera: ${view}`, act: () => this.look(view) })),
      chip("c", "follow", "camera follows the bodies"),
      chip("t", "trails", "trails"),
      chip("a", "arrows", "momentum (violet), angular velocity (orange), thrusts (red)"),
      chip("g", "ground", "ground"),
      chip("x", "frames", "frames"),
      chip("j", "joints", "joints"),
      chip("n", "marks", "frames that have names"),
      chip("p", "polhode", "polhode and herpolhode"),
      chip("o", "overlay", "all runs in one picture, or side by side"),
      chip("e", "errors", "errors in both plots, and back"),
      chip("m", "apparatus", "apparatus: momentum, energies, angles, residual as numbers"),
      chip("w", "what-if", "what if: other moments and spin of a free body"),
      { keys: ["d"], shown: "d", text: "dark or light", act: () => this.theme() },
      { keys: ["s"], shown: "s", text: "save a picture", act: () => this.snapshot() },
      { keys: ["f"], shown: "f", text: "full screen", act: () => this.full() },
    ];
  }
}
