// What the page and a live simulation say to each other: src/poinsot/live/messages.py defines it.

import type { Header } from "./payload.ts";

export const [PLAYING, SLOW, RECORDING, DEAD, DRAGGED] = [1, 2, 4, 8, 16] as const; // flags of a frame
const MAGIC = 0x314e4950;
const HEAD = 24; // bytes

export interface Numbers {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly labels: readonly string[];
  readonly at: number; // first column
  readonly count: number;
  readonly log: boolean;
  readonly curve: boolean;
}

export interface Slider {
  readonly path: string;
  readonly index: number | null;
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
  readonly whole: boolean;
  readonly restart: boolean;
  readonly panel: string;
}

export interface Hello {
  readonly is: "hello";
  readonly protocol: number;
  readonly scene: number;
  readonly title: string;
  readonly page: Header;
  readonly data: string;
  readonly numbers: readonly Numbers[];
  readonly sliders: readonly Slider[];
  readonly panels: readonly string[];
  readonly panel?: string; // that is open at first
  readonly methods: readonly { readonly name: string; readonly title: string }[];
  readonly sequences: readonly string[];
  readonly features: Readonly<Record<string, boolean>>;
}

export interface Status {
  readonly is: "status";
  readonly playing: boolean;
  readonly speed: number;
  readonly drives: boolean;
  readonly clients: number;
  readonly recording: boolean;
  readonly method: string;
  readonly step: number;
  readonly compare: string | null;
  readonly body: number;
  readonly sequence: string;
  readonly values: Readonly<Record<string, number | readonly number[]>>;
}

export type FromServer =
  | Hello
  | Status
  | { readonly is: "segment"; readonly time: number; readonly text: string; readonly restart: boolean }
  | { readonly is: "light"; readonly asked: number; readonly reached: number | null }
  | { readonly is: "notice"; readonly text: string }
  | { readonly is: "error"; readonly text: string; readonly dead: boolean };

export type ToServer = { readonly do: string } & Readonly<Record<string, unknown>>;

export interface Frame {
  readonly number: number;
  readonly scene: number;
  readonly seen: number; // the newest message that it knows
  readonly flags: number;
  readonly runs: number;
  readonly poses: number; // of a run
  readonly count: number; // numbers of a run
  readonly numbers: Float64Array; // run by run
  readonly places: Float32Array; // quaternion and position, pose by pose
}

/** A frame out of a binary message; null if it is none. */
export function readFrame(buffer: ArrayBuffer): Frame | null {
  if (buffer.byteLength < HEAD) return null;
  const view = new DataView(buffer);
  const at = (byte: number): number => view.getUint32(byte, true);
  const short = (byte: number): number => view.getUint16(byte, true);
  const [runs, poses, count] = [short(18), short(20), short(22)];
  const middle = HEAD + 8 * runs * count;
  if (at(0) !== MAGIC || buffer.byteLength !== middle + 4 * 7 * runs * poses) return null;
  return {
    number: at(4),
    scene: at(8),
    seen: at(12),
    flags: short(16),
    runs,
    poses,
    count,
    numbers: new Float64Array(buffer, HEAD, runs * count), // 24 is a multiple of 8; the machine is little-endian
    places: new Float32Array(buffer, middle, 7 * runs * poses),
  };
}

/** The address of the socket of a page. */
export function socketAddress(page: string): string {
  const address = new URL("socket", page.replace(/[?#].*$/, "").replace(/\/?$/, "/"));
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}
