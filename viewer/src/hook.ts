// `window.poinsot`: what tests and the video maker ask and say.

import type { App } from "./app.ts";
import type { Readings } from "./apparatus.ts";
import type { Live } from "./live.ts";
import { mix } from "./motion.ts";
import type { Payload } from "./payload.ts";
import { picture } from "./snapshot.ts";

export interface Hook {
  readonly ready: boolean;
  readonly draws: boolean; // false without WebGL
  readonly frames: number;
  readonly frame: number;
  readonly time: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly loop: boolean;
  readonly rendered: number; // pictures so far
  readonly distance: number; // of the camera from what it looks at
  readonly fields: number; // pictures side by side
  readonly runs: readonly string[];
  set(frame: number): void;
  seek(time: number): void;
  play(): void;
  pause(): void;
  quaternion(body?: number, run?: number): number[]; // as drawn, (w, x, y, z)
  position(body?: number, run?: number): number[];
  spin(body?: number, run?: number): number[];
  mark(number?: number, run?: number): number[]; // place of a frame that has a name, or nothing if it is hidden
  contact(number?: number, run?: number): readonly number[]; // the point of contact in space, as drawn
  member(number: number, body?: number): readonly number[]; // where a body of another member is drawn
  sample(run?: number): number; // the number of the shown frame in the run itself
  plot(index: number): { key: string; time: number; values: { label: string; value: number }[] };
  readonly live: Live | null;
  readonly apparatus: Readings; // the numbers that are shown
  picture(): string; // the scene at this moment, as a data address of a PNG
}

export function hook(app: App, live: Live | null = null): Hook {
  const { stage, clock } = app;
  const payload = (): Payload => app.payload; // that of a live run changes
  const group = (body: number, run: number) => stage.worlds[run]!.bodies[body]!;
  return {
    ready: true,
    live,
    draws: stage.draws,
    get frames() {
      return app.frames;
    },
    get frame() {
      return app.frame;
    },
    get time() {
      return clock.time;
    },
    get playing() {
      return clock.playing;
    },
    get speed() {
      return clock.speed;
    },
    get loop() {
      return clock.loop;
    },
    get rendered() {
      return stage.rendered;
    },
    get distance() {
      return stage.camera.position.distanceTo(stage.controls.target);
    },
    get fields() {
      return stage.fields().length;
    },
    runs: payload().header.runs.map((run) => run.name),
    set: (frame) => app.set(frame),
    seek: (time) => app.seek(time),
    play: () => {
      if (!clock.playing) app.toggle();
    },
    pause: () => {
      if (clock.playing) app.toggle();
    },
    quaternion: (body = 0, run = 0) => {
      const { w, x, y, z } = group(body, run).quaternion;
      return [w, x, y, z];
    },
    position: (body = 0, run = 0) => group(body, run).position.toArray(),
    mark: (number = 0, run = 0) => {
      const one = stage.worlds[run]!.marks[number];
      return one?.visible ? one.getWorldPosition(one.position.clone()).toArray() : [];
    },
    spin: (body = 0, run = 0) => {
      const id = payload().header.runs[run]!.bodies[body]!.spin;
      return id === null ? [] : mix(payload().table(id), stage.worlds[run]!.row, 0, []);
    },
    contact: (number = 0, run = 0) => {
      const { contacts, run: shown, row, share } = stage.worlds[run]!;
      return contacts.place(shown.contacts[number]!, row, share);
    },
    member: (number, body = 0) => stage.worlds[0]!.members.position(number, body),
    sample: (run = 0) => {
      const { samples, stride } = payload().header.runs[run]!;
      return Math.min(samples - 1, stride * stage.worlds[run]!.row);
    },
    plot: (index) => {
      const plot = app.panels.plots[index]!;
      return { key: plot.key, time: clock.time, values: plot.read(clock.time) };
    },
    get apparatus() {
      return live?.readings ?? app.side.apparatus?.readings ?? {};
    },
    picture: () => picture(app).toDataURL("image/png"),
  };
}
