// The panel of a live simulation: how it goes, what it is told, and a slider for every number.

import { button, choice, element } from "./dom.ts";
import { Entry } from "./entry.ts";
import type { Hello, Slider, Status, ToServer } from "./protocol.ts";
import { numberName } from "./ticks.ts";

const LINES = 6; // notices that stay

type Send = (message: ToServer) => void;

export class Controls {
  readonly root: HTMLElement;
  readonly step = button("step", "one step");
  readonly reset = button("reset", "reset");
  impulse: (size: number) => void = () => undefined;
  private readonly light = element("span", { id: "light", role: "status" });
  private readonly state = element("p", { class: "quiet" });
  private readonly random = button("random", "random start");
  private readonly record = button("record", "record");
  private readonly drive = button("drive", "take the wheel");
  private readonly method = choice("method", "method", []);
  private readonly compare = choice("compare", "compare with", []);
  private readonly panels = element("div", { id: "panels" });
  private readonly log = element("ul", { id: "log", "aria-live": "polite" });
  private readonly entries = new Map<string, Entry>();
  private readonly open = new Set<string>();
  private known = ""; // the sliders that are there
  private readonly later: Send;
  private status: Status | null = null;
  private words = { connection: "connecting", speed: "", rate: "" };

  /** `later` sends only the newest message for the same number. */
  constructor(send: Send, later: Send) {
    this.later = later;
    const row = element("p", { class: "buttons" }, this.random, this.record, this.drive);
    const methods = element("p", { class: "pickers" }, element("label", {}, "method ", this.method), element("label", {}, "compare ", this.compare));
    this.root = element("section", { id: "live" }, element("p", { class: "state" }, this.light), this.state, row, methods, this.log, this.panels);
    this.step.textContent = "step";
    this.step.addEventListener("click", () => send({ do: "step", count: 1 }));
    this.reset.addEventListener("click", () => send({ do: "reset" }));
    this.random.addEventListener("click", () => send({ do: "random" }));
    this.record.addEventListener("click", () => send({ do: "record", on: !this.status?.recording }));
    this.drive.addEventListener("click", () => send({ do: "drive", on: !this.status?.drives }));
    this.method.addEventListener("change", () => send({ do: "method", name: this.method.value }));
    this.compare.addEventListener("change", () => send({ do: "compare", method: this.compare.value || null }));
    this.show();
  }

  /** What a hello offers. */
  offer(hello: Hello, push: number): void {
    const names = hello.methods.map(({ name, title }): [string, string] => [name, title]);
    for (const [select, more] of [[this.method, []], [this.compare, [["", "nothing"]]]] as const) {
      select.replaceChildren(...[...more, ...names].map(([value, title]) => element("option", { value: value!, title: title! }, value! || title!)));
    }
    this.random.hidden = !hello.features["random"];
    this.record.hidden = !hello.features["record"];
    this.compare.parentElement!.hidden = !hello.features["compare"];
    const offered = JSON.stringify([hello.sliders.map(({ value, ...rest }) => rest), hello.features]);
    if (offered !== this.known) this.build(hello, push);
    this.known = offered;
    hello.sliders.forEach((one) => this.entries.get(keyOf(one))?.set(one.value));
    if (this.status) this.tell(this.status);
  }

  private build(hello: Hello, push: number): void {
    const names = [...hello.panels, ...hello.sliders.map(({ panel }) => panel)];
    const parts = new Map([...new Set(names)].map((name) => [name, element("details", {}, element("summary", {}, name))]));
    if (!this.open.size && parts.size) this.open.add(hello.panel ?? [...parts.keys()][0]!);
    this.entries.clear();
    for (const one of hello.sliders) {
      const label = one.restart ? `${one.label} ↺` : one.label;
      const entry = new Entry(label, one.unit, one, one.value, (value) => this.later({ do: "set", path: one.path, value, index: one.index }));
      if (one.restart) entry.root.title = "a change begins the motion anew";
      this.entries.set(keyOf(one), entry);
      parts.get(one.panel)!.append(entry.root);
    }
    if (hello.features["impulse"]) {
      const scale = { low: push / 20, high: 20 * push, log: true, whole: false };
      const entry = new Entry("impulse (key i)", "N s", scale, push, (value) => this.impulse(value));
      parts.set("hand", element("details", {}, element("summary", {}, "hand"), entry.root));
    }
    for (const [name, part] of parts) {
      part.open = this.open.has(name);
      part.addEventListener("toggle", () => (part.open ? this.open.add(name) : this.open.delete(name)));
    }
    this.panels.replaceChildren(...parts.values());
  }

  /** What a status says. */
  tell(status: Status): void {
    this.status = status;
    this.method.value = status.method;
    this.compare.value = status.compare ?? "";
    this.record.textContent = status.recording ? "stop and save" : "record";
    this.record.setAttribute("aria-pressed", String(status.recording));
    this.drive.textContent = status.drives ? "hand over" : "take the wheel";
    this.drive.hidden = status.drives && status.clients < 2;
    for (const one of [this.step, this.reset, this.random, this.record, this.method, this.compare]) one.disabled = !status.drives;
    for (const [key, entry] of this.entries) {
      const [path, index] = JSON.parse(key) as [string, number | null];
      const value = status.values[path];
      const x = typeof value === "object" ? value[index ?? 0] : value;
      if (x !== undefined) entry.set(x);
      entry.disabled = !status.drives;
    }
    this.show();
  }

  /** How the connection is: "" if it works. */
  connection(text: string): void {
    this.words.connection = text;
    this.show();
  }

  /** Whether the simulation is as fast as asked. */
  pace(asked: number, reached: number | null): void {
    this.words.speed = reached === null ? "" : `slower than asked: ${numberName(reached, 2)}× instead of ${numberName(asked, 3)}×`;
    this.show();
  }

  /** How many pictures a second there are (null: it stands still), and how long a change takes. */
  rate(pictures: number | null, latency: number | null): void {
    this.words.rate = `${pictures === null ? "paused" : `${pictures.toFixed(0)} frames/s`}${latency === null ? "" : `, answers in ${latency.toFixed(0)} ms`}`;
    this.show();
  }

  private show(): void {
    const { connection, speed, rate } = this.words;
    this.light.dataset["light"] = connection ? "off" : speed ? "slow" : "good";
    this.light.textContent = connection || speed || "as fast as asked";
    const { status } = this;
    const who = status && !status.drives ? "you look on" : "";
    const many = status && status.clients > 1 ? `${status.clients} look` : "";
    this.state.textContent = [status ? `step ${numberName(status.step, 4)} s` : "", rate, many, who].filter(Boolean).join(" · ");
  }

  /** A line for the person. */
  note(text: string, bad = false): void {
    this.log.prepend(element("li", bad ? { class: "error" } : {}, text));
    while (this.log.children.length > LINES) this.log.lastElementChild!.remove();
  }
}

function keyOf({ path, index }: Slider): string {
  return JSON.stringify([path, index]);
}
