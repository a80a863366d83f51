// The data of a page, as Python wrote them: a JSON header and a binary part.
// Points of a body are in body axes, from its centre of mass; quaternions are (w, x, y, z).

import { fromBase64, inflate, unpack, type Packed, type Table } from "./codec.ts";

export type Vector = readonly [number, number, number];
export type Quaternion = readonly [number, number, number, number];

export type Shape =
  | { readonly kind: "box"; readonly size: Vector }
  | { readonly kind: "cylinder"; readonly radius: number; readonly length: number }
  | { readonly kind: "capsule"; readonly radius: number; readonly length: number }
  | { readonly kind: "sphere"; readonly radius: number }
  | { readonly kind: "ellipsoid"; readonly radii: Vector }
  | { readonly kind: "cone"; readonly radius: number; readonly length: number }
  | { readonly kind: "torus" | "wheel"; readonly radius: number; readonly tube: number }
  | { readonly kind: "shapes"; readonly parts: readonly { shape: Shape; at: Vector; rotation: Quaternion }[] }
  | { readonly kind: "none" } // a frame without mass
  | { readonly kind: "mesh"; readonly vertices: number; readonly faces: number };

export interface Body {
  readonly name: string;
  readonly mass: number;
  readonly shape: Shape;
  readonly plain: boolean; // it has no shape of its own: the ellipsoid of its inertia
  readonly glass: boolean; // transparent, because it hides what it carries
  readonly rotation: Quaternion; // of the shape's axes in the body
  readonly moments: Vector; // principal moments about the pivot of a ball joint, else about the centre of mass
  readonly axes: Quaternion; // principal axes in the body
  readonly quaternion: number; // arrays
  readonly position: number;
  readonly spin: number | null;
}

export interface Joint {
  readonly kind: string;
  readonly body: number;
  readonly parent: number; // -1 is the world
  readonly at: Vector; // in the parent
  readonly axes: readonly Vector[]; // in the parent
}

export interface Slider {
  readonly name: string;
  readonly parent: number; // -1 is the world
  readonly at: Vector; // joint frame in the frame of the parent
  readonly rotation: Quaternion;
  readonly body_at: Vector; // body frame in the child frame of the joint
  readonly body_rotation: Quaternion;
  readonly center: Vector; // centre of mass in the body frame
  readonly pose: readonly [number, number, number, number, number, number, number]; // of a joint that stays as it is
  readonly kind: "turn" | "slide" | "";
  readonly axis: Vector;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A frame that has a name. */
export interface Mark {
  readonly name: string;
  readonly body: number; // -1 is the world
  readonly at: Vector;
  readonly rotation: Quaternion;
}

export interface Rod {
  readonly body: number;
  readonly from: Vector;
  readonly to: Vector;
}

export interface Spring {
  readonly kind: string;
  readonly a: number;
  readonly b: number;
  readonly at_a: Vector;
  readonly at_b: Vector;
}

/** A body that rolls or glides on another one: see src/poinsot/view/contacts.py. */
export interface Contact {
  readonly name: string;
  readonly kind: "rolling" | "skate";
  readonly body: number;
  readonly on: number; // -1 is the world
  readonly point: Vector;
  readonly axes: Quaternion;
  readonly at: Vector;
  readonly seat: Quaternion;
  readonly semi_axes: Vector;
  readonly rod: number;
  readonly radius: number;
  readonly sphere: number; // 0: a plane, negative: inside of a sphere
  readonly open: readonly (readonly [number | null, number | null])[];
}

export interface Thrust {
  readonly body: number;
  readonly at: Vector;
  readonly values: number; // a table: the force in body axes
}

export interface Ghost {
  readonly quaternion: number;
  readonly position: number;
}

/** Another member of an ensemble: see src/poinsot/view/crowd.py. */
export interface Member {
  readonly name: string;
  readonly bodies: readonly Ghost[];
  readonly shapes: readonly (readonly [Shape, Quaternion])[] | null;
  readonly rods: readonly Rod[] | null;
}

export interface TrailPoint {
  readonly body: number;
  readonly at: Vector; // in body axes, from the centre of mass
}

export interface Plot {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly log: boolean;
  readonly labels: readonly string[];
  readonly time: number;
  readonly values: number;
}

/** Numbers as Python computed them: see src/poinsot/view/apparatus.py. */
export interface RunApparatus {
  readonly columns: readonly (readonly [string, number])[]; // keys and widths
  readonly sequences: readonly string[];
  readonly time: number;
  readonly bodies: readonly { readonly name: string; readonly values: number }[];
  readonly residual: { readonly time: number; readonly values: number } | null;
}

export interface Run {
  readonly name: string;
  readonly title: string;
  readonly command: string;
  readonly error: string;
  readonly note: string;
  readonly gravity: Vector;
  readonly samples: number; // of the run
  readonly stride: number; // every stride-th of them is shown
  readonly time: number;
  readonly momentum: number | null;
  readonly kept: boolean; // the mechanism conserves the whole angular momentum
  readonly bodies: readonly Body[];
  readonly joints: readonly Joint[];
  readonly rods: readonly Rod[];
  readonly marks?: readonly Mark[];
  readonly springs: readonly Spring[];
  readonly contacts: readonly Contact[];
  readonly trails: readonly TrailPoint[]; // points whose ways are drawn
  readonly ground: number | boolean | null; // height of the ground, or whether there is one; null: as usual
  readonly thrusts: readonly Thrust[]; // forces of a controller
  readonly ghosts: readonly Ghost[]; // the reference of a controller: one for each body, or none
  readonly members: readonly Member[];
  readonly plots: readonly Plot[];
  readonly apparatus: RunApparatus | null;
  readonly sliders?: readonly Slider[]; // of a robot that stands still
  readonly free: { readonly body: number; readonly quaternion: Quaternion; readonly spin: Vector } | null; // the start of a free body
  readonly report: { readonly rows: readonly (readonly string[])[]; readonly cost: string; readonly contacts: readonly string[] };
  readonly versions: Readonly<Record<string, string>>;
}

export interface Header {
  readonly format: number;
  readonly live?: boolean; // there are no runs: a server sends them
  readonly demonstration?: string; // there are no runs: the page is this one
  readonly title: string;
  readonly notes: string;
  readonly overlay: boolean; // runs are shown in one picture at first
  readonly arrays: readonly Packed[];
  readonly runs: readonly Run[];
  readonly others: readonly { readonly name: string; readonly address: string; readonly shown: boolean }[];
}

export class Payload {
  readonly header: Header;
  readonly live: boolean; // tables grow
  private readonly bytes: Uint8Array;
  private readonly found = new Map<number, Table>();

  constructor(header: Header, bytes: Uint8Array, live = false) {
    if (header.format !== 1) throw new Error(`this page reads format 1, but the data have format ${header.format}`);
    this.header = header;
    this.bytes = bytes;
    this.live = live;
  }

  /** The same arrays with another run in the place of the only one. */
  derive(run: Run): Payload {
    return new Payload({ ...this.header, runs: [run] }, this.bytes);
  }

  /** Another table in the place of an array. */
  put(id: number, table: Table): void {
    this.found.set(id, table);
  }

  /** An array by its number. */
  table(id: number): Table {
    const known = this.found.get(id);
    if (known) return known;
    const packed = this.header.arrays[id];
    if (!packed) throw new Error(`array ${id} is missing`);
    const table = unpack(this.bytes, packed);
    this.found.set(id, table);
    return table;
  }
}

/** From the two script elements of the page. */
export async function fromPage(page: Document): Promise<Payload> {
  const header = JSON.parse(page.getElementById("poinsot-header")!.textContent) as Header;
  const data = page.getElementById("poinsot-data")!.textContent.trim();
  return new Payload(header, !data ? new Uint8Array() : await inflate(fromBase64(data)), header.live);
}
