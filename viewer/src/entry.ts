// A number with a slider and a text field.

import { element } from "./dom.ts";
import { numberName } from "./ticks.ts";

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
  readonly whole: boolean;
}

const STEPS = 1000; // of a slider

/** The place of a value on the slider. */
export function toPlace(x: number, { low, high, log }: Scale): number {
  const share = log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low);
  return Math.round(STEPS * Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)));
}

/** The value at a place of the slider; both ends are exact. */
export function toValue(place: number, { low, high, log, whole }: Scale): number {
  const share = place / STEPS;
  if (share <= 0) return low;
  if (share >= 1) return high;
  const x = log ? low * (high / low) ** share : low + share * (high - low);
  return whole ? Math.round(x) : Number(x.toPrecision(4));
}

/** What was typed as a number; null if it is none. */
export function typed(text: string): number | null {
  const x = Number(text.trim().replace(",", "."));
  return text.trim() && Number.isFinite(x) ? x : null;
}

export class Entry {
  readonly root: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly scale: Scale;
  private held = false; // a slider that is moved is not set from outside

  constructor(label: string, unit: string, scale: Scale, value: number, changed: (value: number) => void) {
    this.scale = scale;
    const name = unit ? `${label} [${unit}]` : label;
    this.slider = element("input", { type: "range", min: "0", max: String(STEPS), step: "1", "aria-label": name });
    this.field = element("input", { type: "text", inputmode: "decimal", "aria-label": `${name}, as text`, spellcheck: "false" });
    this.root = element("label", { class: "entry" }, element("span", { title: name }, label, " ", element("i", {}, unit)), this.slider, this.field);
    this.root.addEventListener("click", (event) => event.target === this.root && event.preventDefault());
    this.set(value);
    this.slider.addEventListener("pointerdown", () => (this.held = true));
    for (const end of ["pointerup", "pointercancel", "blur"]) this.slider.addEventListener(end, () => (this.held = false));
    this.slider.addEventListener("input", () => {
      const x = toValue(Number(this.slider.value), scale);
      this.write(x);
      changed(x);
    });
    this.field.addEventListener("change", () => {
      const x = typed(this.field.value);
      this.field.setAttribute("aria-invalid", String(x === null));
      if (x === null) return;
      this.slider.value = String(toPlace(x, scale));
      changed(x);
    });
  }

  private write(x: number): void {
    this.field.value = numberName(x, 8);
    this.field.removeAttribute("aria-invalid");
  }

  /** Show a value, unless it is just being changed. */
  set(value: number): void {
    if (this.held || document.activeElement === this.field) return;
    this.slider.value = String(toPlace(value, this.scale));
    this.write(value);
  }

  set disabled(off: boolean) {
    this.slider.disabled = this.field.disabled = off;
  }
}
