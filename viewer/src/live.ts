// A live simulation on the page: what comes over the socket is drawn, what the person does goes back.

import { App } from "./app.ts";
import { Apparatus, type Readings } from "./apparatus.ts";
import { Clock } from "./clock.ts";
import { fromBase64, inflate } from "./codec.ts";
import { Controls } from "./controls.ts";
import { element } from "./dom.ts";
import { Grab, type Hand } from "./grab.ts";
import { LiveData } from "./growing.ts";
import { DEAD, PLAYING, readFrame, socketAddress, type Frame, type FromServer, type Hello, type Status, type ToServer } from "./protocol.ts";
import { numberName } from "./ticks.ts";

const SCROLL = 90; // ms between two pictures of the curves
const RATE = 1000; // ms over which frames are counted
const FEW = 28; // pictures a second below which they are made simpler
const QUIET = 30; // ms between two messages for the same number
const [SOON, LATE] = [500, 5000]; // ms until the next attempt to connect
const KEYS = [[".", "one step of the method"], ["r", "reset"], ["i", "push the body under the pointer"]] as const;
const SHOWN = ["L-space", "L-body", "w-space", "w-body", "L-sizes", "kinetic", "angles", "residual"];

/** The clock of the server: what one asks of it is sent there. */
class LiveClock extends Clock {
  private readonly send: (message: ToServer) => void;
  private readonly later: (message: ToServer) => void;

  constructor(send: (message: ToServer) => void, later: (message: ToServer) => void) {
    super(0, 0);
    [this.send, this.later] = [send, later];
  }

  override advance(): void {}

  override toggle(): void {
    this.send({ do: this.playing ? "pause" : "play" });
  }

  override seek(time: number): void {
    if (Number.isFinite(time)) this.later({ do: "scrub", time: Math.min(this.end, Math.max(this.start, time)) });
  }

  override setSpeed(speed: number): void {
    super.setSpeed(speed);
    this.send({ do: "speed", value: speed });
  }
}

export class Live implements Hand {
  app: App | null = null;
  status: Status | null = null;
  data: LiveData | null = null;
  drawn = 0; // frames
  latency: number | null = null; // ms from a message to the first picture that knows it
  readonly latencies: number[] = [];
  readonly said: string[] = []; // notices and errors, for tests
  private apparatus: Apparatus | null = null;
  private grab: Grab | null = null;
  private readonly controls: Controls;
  private readonly clock: LiveClock;
  private readonly root: HTMLElement;
  private readonly begun: (app: App) => void;
  private socket: WebSocket | null = null;
  private queue: Promise<void> = Promise.resolve();
  private bytes: Uint8Array = new Uint8Array();
  private wait = SOON;
  private id = 0;
  private readonly sent: { id: number; time: number }[] = [];
  private readonly pending = new Map<string, ToServer>();
  private flushed = 0;
  private news = false;
  private scrolled = 0;
  private counted = { time: 0, drawn: 0 };
  private ticks = 0; // of the browser, since then
  private marks: number[] = [];

  /** `begun` is called when there is something to see. */
  constructor(root: HTMLElement, begun: (app: App) => void) {
    [this.root, this.begun] = [root, begun];
    const [send, later] = [(message: ToServer) => this.send(message), (message: ToServer) => this.later(message)];
    this.controls = new Controls(send, later);
    this.clock = new LiveClock(send, later);
    document.documentElement.dataset["live"] = "1";
    root.replaceChildren(element("p", { class: "notes", role: "status" }, "Waiting for the simulation."));
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(socketAddress(location.href));
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.wait = SOON;
      this.controls.connection("");
    });
    socket.addEventListener("message", (event: MessageEvent<string | ArrayBuffer>) => {
      this.queue = this.queue.then(() => this.hear(event.data)).catch((error: unknown) => this.note(`This page failed: ${String(error)}`, true));
    });
    socket.addEventListener("close", () => {
      this.controls.connection("no connection, trying again");
      if (!this.app) this.root.replaceChildren(element("p", { class: "notes error", role: "status" }, "The simulation does not answer. Is it still running? Trying again."));
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(LATE, 2 * this.wait);
    });
    this.socket = socket;
  }

  send(message: ToServer): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.flush(); // in the order in which things were done
    this.post(message);
  }

  private post(message: ToServer): void {
    this.id += 1;
    this.sent.push({ id: this.id, time: performance.now() });
    this.socket!.send(JSON.stringify({ ...message, id: this.id }));
  }

  later(message: ToServer): void {
    this.pending.set(JSON.stringify([message.do, message["path"], message["index"]]), message);
    if (performance.now() - this.flushed > QUIET) this.flush();
  }

  private flush(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.flushed = performance.now();
    for (const message of this.pending.values()) this.post(message);
    this.pending.clear();
  }

  allows(feature: string): boolean {
    return Boolean(this.status?.drives && this.data?.hello.features[feature]);
  }

  private note(text: string, bad = false): void {
    this.said.push(text);
    this.controls.note(text, bad);
  }

  private async hear(data: string | ArrayBuffer): Promise<void> {
    if (typeof data !== "string") {
      const frame = readFrame(data);
      if (frame && this.data?.push(frame)) this.take(frame);
      return;
    }
    const message = JSON.parse(data) as FromServer;
    if (message.is === "hello") await this.greet(message);
    else if (message.is === "status") this.tell(message);
    else if (message.is === "light") this.controls.pace(message.asked, message.reached);
    else if (message.is === "segment") {
      this.marks = message.restart ? [] : [...this.marks.filter((time) => time < message.time), message.time];
      this.note(`t = ${numberName(message.time, 5)} s: ${message.text}`);
    } else this.note(message.text, message.is === "error");
  }

  private async greet(hello: Hello): Promise<void> {
    this.bytes = await inflate(fromBase64(hello.data));
    this.data = new LiveData(hello, this.bytes, this.data, this.status?.body ?? 0);
    document.title = hello.title;
    if (this.app) {
      this.app.load(this.data.payload);
      this.app.page.side.querySelector("#apparatus")?.remove();
    } else this.begin();
    this.addApparatus(hello);
    const world = this.app!.stage.worlds[0]!;
    const mass = hello.page.runs[0]!.bodies.reduce((sum, body) => sum + body.mass, 0);
    const push = Number((0.3 * mass * Math.sqrt((Math.hypot(...world.run.gravity) || 1) * world.size)).toPrecision(2)) || 1;
    if (this.grab!.impulse === 1) this.grab!.impulse = push;
    this.controls.offer(hello, push);
    this.news = true;
  }

  private begin(): void {
    const app = new App(this.root, this.data!.payload, this.clock);
    this.app = app;
    this.grab = new Grab(app, this);
    this.controls.impulse = (size) => (this.grab!.impulse = size);
    app.page.play.after(this.controls.step, this.controls.reset);
    app.page.loop.hidden = true;
    app.page.side.prepend(this.controls.root);
    app.page.side.hidden = false;
    app.before = () => this.tick();
    document.addEventListener("keydown", (event) => this.key(event));
    for (const [key, text] of KEYS) document.querySelector("#help dl")?.append(element("dt", {}, element("kbd", {}, key)), element("dd", {}, text));
    this.begun(app);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).matches?.("input[type=text], select")) return;
    if (event.key === "i") this.note(this.grab!.push());
    else if (event.key === ".") this.send({ do: "step", count: 1 });
    else if (event.key === "r") this.send({ do: "reset" });
  }

  private addApparatus(hello: Hello): void {
    const hidden = this.apparatus?.root.hidden ?? false;
    const ask = (): void => this.send({ do: "apparatus", body: Number(this.apparatus!.body.value), sequence: this.apparatus!.sequence.value });
    this.apparatus = new Apparatus(hello.page.runs[0]!.bodies.map(({ name }) => name), hello.sequences, ask);
    if (this.status) [this.apparatus.body.value, this.apparatus.sequence.value] = [String(this.status.body), this.status.sequence];
    this.apparatus.root.hidden = hidden;
    this.app!.side.adopt(this.apparatus, this.app!.page);
    this.app!.refreshChips();
  }

  private tell(status: Status): void {
    const other = this.status && (this.status.body !== status.body || this.status.sequence !== status.sequence);
    this.status = status;
    this.clock.playing = status.playing;
    this.clock.speed = status.speed;
    this.controls.tell(status);
    if (!this.app || !this.data) return;
    if (this.apparatus) this.apparatus.choose(String(status.body), status.sequence);
    if (other) {
      this.data = new LiveData(this.data.hello, this.bytes, this.data, status.body);
      this.app.load(this.data.payload);
    }
    this.app.update();
  }

  private take(frame: Frame): void {
    const [first, last] = this.data!.newest("span") ?? this.data!.span;
    const [, now] = this.data!.span;
    Object.assign(this.clock, { time: now, playing: Boolean(frame.flags & PLAYING), start: Math.min(first!, now), end: Math.max(last!, now) });
    document.documentElement.toggleAttribute("data-dead", Boolean(frame.flags & DEAD));
    while (this.sent.length && this.sent[0]!.id <= frame.seen) {
      this.latency = performance.now() - this.sent.shift()!.time;
      this.latencies.push(this.latency);
      if (this.latencies.length > 1000) this.latencies.shift();
    }
    this.news = true;
  }

  /** Before each picture: return whether there is something new. */
  private tick(): boolean {
    const now = performance.now();
    if (this.pending.size && now - this.flushed > QUIET) this.flush();
    this.ticks += 1;
    if (now - this.counted.time > RATE) this.count(now);
    if (!this.news) return false;
    this.news = false;
    this.drawn += 1;
    if (now - this.scrolled > SCROLL * (1 + this.app!.stage.plain) || !this.clock.playing) {
      this.scrolled = now;
      for (const plot of this.app!.panels.plots) plot.marks = this.marks;
      this.app!.panels.scroll(this.data!.payload, this.data!.span);
      this.showReadings();
    }
    this.grab!.draw();
    return true;
  }

  /** Say how many pictures there are; where the browser is slow, draw simpler ones. */
  private count(now: number): void {
    const seconds = (now - this.counted.time) / 1000;
    const { stage } = this.app!;
    this.controls.rate(this.clock.playing ? (this.drawn - this.counted.drawn) / seconds : null, this.latency);
    if (this.clock.playing && this.counted.time && this.ticks / seconds < FEW && stage.plain < 2) stage.simplify(stage.plain + 1);
    this.counted = { time: now, drawn: this.drawn };
    this.ticks = 0;
  }

  /** The newest numbers of the apparatus. */
  get readings(): Readings {
    return Object.fromEntries(SHOWN.map((key) => [key, this.data?.newest(key)]));
  }

  private showReadings(): void {
    if (!this.apparatus || this.apparatus.root.hidden) return;
    this.apparatus.show(this.readings, `at t = ${numberName(this.clock.time, 8)} s`);
  }
}
