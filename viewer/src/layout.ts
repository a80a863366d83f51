// The page: bar of tools, picture, transport, plots, details.

import { SPEEDS, speedName, WHOLE } from "./clock.ts";
import { runColor } from "./color.ts";
import { details } from "./details.ts";
import { button, choice, element } from "./dom.ts";
import type { Header } from "./payload.ts";
import type { quantities } from "./plot.ts";
import { VIEWS } from "./stage.ts";
import type { Shown } from "./world.ts";

export const CHIPS: readonly (keyof Shown | "polhode" | "follow" | "overlay" | "errors" | "apparatus" | "what-if")[] = [
  "trails", "arrows", "ground", "frames", "joints", "marks", "members", "polhode", "follow", "overlay", "errors", "apparatus", "what-if",
];

export const NO_WEBGL =
  "No picture: this browser has no WebGL. Turn on hardware acceleration (or WebGL) in its settings, or open the page in another browser. Plots and report work without.";
export const LOST = "No picture: the graphics of this browser stopped. Reload the page. Plots and report work without.";

export interface Layout {
  readonly canvas: HTMLCanvasElement;
  readonly side: HTMLElement; // panels beside the picture
  labels: HTMLElement[];
  readonly tip: HTMLElement;
  readonly notice: HTMLElement; // why there is no picture
  readonly play: HTMLButtonElement;
  readonly slider: HTMLInputElement;
  readonly now: HTMLOutputElement;
  readonly speed: HTMLSelectElement;
  readonly loop: HTMLButtonElement;
  readonly view: HTMLSelectElement;
  readonly chips: Map<string, HTMLButtonElement>;
  readonly plots: { canvas: HTMLCanvasElement; select: HTMLSelectElement; legend: HTMLElement }[];
  readonly theme: HTMLButtonElement;
  readonly snapshot: HTMLButtonElement;
  readonly full: HTMLButtonElement;
  readonly help: HTMLButtonElement;
}

export function layout(root: HTMLElement, header: Header, frames: number, known: ReturnType<typeof quantities>, span: number): Layout {
  const chips = new Map(CHIPS.map((name) => [name as string, button(`show-${name}`, name)]));
  const view = choice("view", "camera", VIEWS.map((name) => [name, name]));
  const theme = button("theme", "light or dark", "theme");
  const snapshot = button("snapshot", "save a picture", "camera");
  const full = button("full", "full screen", "full");
  const help = button("keys", "keys", "help");
  const others = header.others.length
    ? choice("others", "runs in this folder", header.others.map(({ name, address }) => [address, name]))
    : null;
  if (others) {
    others.value = header.others.find(({ shown }) => shown)?.address ?? others.value;
    others.addEventListener("change", () => location.assign(others.value));
  }
  const top = element(
    "header",
    {},
    element("h1", {}, header.title),
    ...(others ? [others] : []),
    element("nav", { class: "chips" }, ...chips.values()),
    element("div", { class: "tools" }, view, theme, snapshot, full, help),
  );

  const canvas = element("canvas", { id: "stage", tabindex: "0", "aria-label": "the motion in three dimensions" });
  const labels = labelsOf(header);
  const tip = element("div", { id: "tip", role: "status" });
  tip.hidden = true;
  const notice = element("p", { id: "notice", class: "error", role: "alert" });
  notice.hidden = true;
  const side = element("aside", { id: "side" });
  side.hidden = true;
  const stage = element("div", { id: "middle" }, element("section", { id: "scene" }, canvas, ...labels, tip, notice), side);

  const play = button("play", "play or pause (space)", "play");
  const slider = element("input", { id: "time", type: "range", min: "0", max: String(Math.max(0, frames - 1)), step: "1", value: "0", "aria-label": "frame" });
  const now = element("output", { id: "now" });
  const speed = choice("speed", "speed", [
    ...SPEEDS.map((one): [string, string] => [String(one), speedName(one)]),
    ...(span > 0 ? [[String(span / WHOLE), `whole run in ${WHOLE} s`] as [string, string]] : []),
  ]);
  const loop = button("loop", "loop", "loop");
  const bar = element("section", { id: "bar" }, play, slider, now, speed, loop);

  const plots = [0, 1].map((i) => ({
    canvas: element("canvas", { id: `plot-${i}`, "aria-label": "plot" }),
    legend: element("span", { class: "legend" }),
    select: choice(`quantity-${i}`, "quantity", [...known].map(([key, { title, unit }]) => [key, unit ? `${title} [${unit}]` : title])),
  }));
  const figures = plots.map(({ canvas: plot, select, legend }) => element("figure", {}, element("figcaption", {}, select, legend), plot));
  const section = element("section", { id: "plots" }, ...figures);
  if (!known.size) section.hidden = true;
  root.replaceChildren(top, stage, bar, section, details(header));
  return { canvas, side, labels, tip, notice, play, slider, now, speed, loop, view, chips, plots, theme, snapshot, full, help };
}

/** Names of the runs, in the corners of their fields. */
export function labelsOf({ runs }: Header): HTMLElement[] {
  return runs.map((run, i) => {
    const label = element("div", { class: "label" }, element("b", {}, run.name), element("span", { class: "live" }));
    if (runs.length > 1) label.dataset["run"] = String(i);
    if (run.error) label.append(element("span", { class: "error" }, run.error));
    return label;
  });
}

/** Say why there is no picture, and leave its room to the plots; without a reason, show it again. */
export function withoutPicture(notice: HTMLElement, why: string): void {
  notice.textContent = why;
  notice.hidden = !why;
  document.documentElement.toggleAttribute("data-flat", Boolean(why));
}

/** Names of the runs in the colours of their curves. */
export function colorLabels(labels: readonly HTMLElement[], dark: boolean): void {
  for (const label of labels) {
    const run = label.dataset["run"];
    if (run !== undefined) label.style.setProperty("--run", runColor(Number(run), dark));
  }
  document.querySelectorAll<HTMLElement>(".card.many h2").forEach((head, i) => {
    head.style.setProperty("--run", runColor(i, dark));
  });
}
