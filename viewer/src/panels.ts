// The two plots below the picture: what each of them shows, and how they are clicked.

import { element } from "./dom.ts";
import type { Layout } from "./layout.ts";
import type { Payload } from "./payload.ts";
import { Plot, quantities } from "./plot.ts";

const LIVE = ["q", "energy-work"]; // what a live run shows at first
const ERRORS = ["energy-error", "momentum-error", "orthogonality"];

/** Offer these quantities, if others were offered. */
function fill(select: HTMLSelectElement, known: ReturnType<typeof quantities>): void {
  if ([...select.options].map(({ value }) => value).join() === [...known.keys()].join()) return;
  select.replaceChildren(...[...known].map(([key, { title, unit }]) => element("option", { value: key }, unit ? `${title} [${unit}]` : title)));
}

export class Panels {
  readonly plots: Plot[];
  errors: string[]; // keys of the errors that these runs have
  stale = true;
  private before: string[] = []; // what was shown before the errors
  private readonly page: Layout["plots"];

  constructor(page: Layout["plots"], payload: Payload, span: readonly [number, number]) {
    this.page = page;
    const known = quantities(payload);
    const [first = "", second = first] = known.keys();
    const usual = [first, known.has("energy") && first !== "energy" ? "energy" : second]; // what moves, and energy
    if (payload.live) LIVE.forEach((key, i) => (usual[i] = [...known.keys()].find((one) => one === key || one.startsWith(`${key} `)) ?? usual[i]!));
    this.errors = ERRORS.filter((key) => known.has(key));
    this.plots = page.map(({ canvas, select }, i) => {
      select.value = usual[i]!;
      return new Plot(canvas, payload, usual[i]!, span);
    });
  }

  /** Show other data; what was chosen stays if they have it. */
  load(payload: Payload, span: readonly [number, number]): void {
    const known = quantities(payload);
    this.errors = ERRORS.filter((key) => known.has(key));
    this.plots.forEach((plot, i) => {
      const { select } = this.page[i]!;
      fill(select, known);
      if (known.has(plot.key)) select.value = plot.key;
      else plot.key = select.value;
    });
    this.scroll(payload, span);
    this.legends();
  }

  /** Show data that have grown, from another time on. */
  scroll(payload: Payload, span: readonly [number, number]): void {
    for (const plot of this.plots) plot.load(payload, span);
    this.stale = true;
  }

  get showErrors(): boolean {
    return this.errors.length > 0 && this.plots[0]!.key === this.errors[0];
  }

  /** The errors in both plots, or what was there before. */
  flipErrors(): void {
    const back = this.showErrors;
    if (!back) this.before = this.plots.map((plot) => plot.key);
    this.plots.forEach((plot, i) => {
      plot.choose((back ? this.before : this.errors)[i] ?? plot.key);
      this.page[i]!.select.value = plot.key;
    });
    this.legends();
  }

  legends(): void {
    this.page.forEach(({ legend }, i) => {
      const parts = this.plots[i]!.legend().map(({ label, color, dash }) => {
        const part = element("span", { "data-dash": String(dash) }, label);
        part.style.setProperty("--run", color);
        return part;
      });
      legend.replaceChildren(...parts);
    });
  }

  refresh(): void {
    for (const plot of this.plots) plot.refresh();
  }

  draw(time: number): void {
    if (this.stale) for (const plot of this.plots) plot.draw(time);
    this.stale = false;
  }

  /** `seek` goes to a time, `changed` is called when a plot shows something else. */
  connect(seek: (time: number) => void, changed: () => void): void {
    this.plots.forEach((plot, i) => {
      const { canvas, select } = this.page[i]!;
      select.addEventListener("change", () => {
        plot.choose(select.value);
        this.legends();
        changed();
      });
      const place = (event: PointerEvent): number => plot.timeAt(event.clientX - canvas.getBoundingClientRect().left);
      canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        seek(place(event));
      });
      canvas.addEventListener("pointermove", (event) => {
        plot.hover = place(event);
        if (event.buttons) seek(plot.hover);
        else this.stale = true;
      });
      canvas.addEventListener("pointerleave", () => {
        plot.hover = null;
        this.stale = true;
      });
    });
  }
}
