// The panels beside the picture: the apparatus, and "what if" for a free body.

import { Apparatus } from "./apparatus.ts";
import type { Layout } from "./layout.ts";
import type { Payload, Run, RunApparatus } from "./payload.ts";
import { readingsAt } from "./readings.ts";
import { numberName } from "./ticks.ts";
import { WhatIf } from "./whatif.ts";

type Read = [Run, RunApparatus["bodies"][number]];

/** Bodies whose numbers are known, run by run. */
function readable(runs: readonly Run[]): Read[] {
  return runs.flatMap((run) => (run.apparatus?.bodies ?? []).map((body): Read => [run, body]));
}

export class Side {
  apparatus: Apparatus | null;
  private readonly root: HTMLElement;

  /** `load` shows other data, `update` the same again. */
  constructor({ side, chips }: Layout, payload: Payload, load: (payload: Payload) => void, update: () => void) {
    this.root = side;
    const { runs } = payload.header;
    const names = readable(runs).map(([run, body]) => (runs.length > 1 ? `${run.name}: ${body.name}` : body.name));
    this.apparatus = names.length ? new Apparatus(names, runs.find((run) => run.apparatus)!.apparatus!.sequences, update) : null;
    const whatIf = runs.length === 1 && runs[0]!.free ? new WhatIf(payload, (other) => load(other ?? payload)) : null;
    for (const [name, part] of [["what-if", whatIf], ["apparatus", this.apparatus]] as const) {
      chips.get(name)!.hidden = !part;
      if (part) this.root.append(part.root);
      if (part) part.root.hidden = true;
    }
  }

  /** Take the apparatus of a live run. */
  adopt(apparatus: Apparatus, { chips }: Layout): void {
    this.apparatus = apparatus;
    chips.get("apparatus")!.hidden = false;
    this.root.append(apparatus.root);
  }

  private part(name: string): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(`#${name}`);
  }

  shows(name: string): boolean {
    return this.part(name)?.hidden === false;
  }

  flip(name: string): void {
    const part = this.part(name);
    if (part) part.hidden = !part.hidden;
    this.root.hidden = [...this.root.children].every((one) => (one as HTMLElement).hidden);
  }

  /** The numbers of a time. */
  show(payload: Payload, now: number): void {
    const { apparatus } = this;
    if (!apparatus || apparatus.root.hidden || payload.live) return;
    const [run, body] = readable(payload.header.runs)[Number(apparatus.body.value)] ?? [];
    if (!run?.apparatus || !body) return apparatus.show({}, "of the run, not of what if");
    const { readings, time } = readingsAt(payload, run.apparatus, run.apparatus.bodies.indexOf(body), apparatus.sequence.value, now);
    apparatus.show(readings, `at t = ${numberName(time, 8)} s`);
  }
}
