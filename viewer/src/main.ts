// Reads the data of the page, shows them, and obeys the part of the address behind "#":
//   #frame=120            stop at a frame        #view=top        a camera of the list
//   #theme=dark           light or dark          #polhode=1       also trails, arrows, ground, frames, joints, marks, members, follow, overlay, errors
//   #clean=1              the picture alone      #speed=4

import { App } from "./app.ts";
import type { Board } from "./board.ts";
import { element } from "./dom.ts";
import { hook, type Hook } from "./hook.ts";
import { CHIPS } from "./layout.ts";
import { Live } from "./live.ts";
import { logarithm } from "./logarithm.ts";
import { momentumSurfaces } from "./momenta.ts";
import { fromPage } from "./payload.ts";
import { pitchCone } from "./pitchcone.ts";
import { addSliders } from "./sliders.ts";
import { VIEWS, type View } from "./stage.ts";
import css from "./style.css";

declare global {
  interface Window {
    poinsot?: Hook;
    poinsotBoard?: Board; // of a demonstration
  }
}

const DEMONSTRATIONS: Readonly<Record<string, (root: HTMLElement, title: string, notes: string) => Board>> = {
  "pitch-cone": pitchCone,
  logarithm,
  "momentum-surfaces": momentumSurfaces,
};

function obey(app: App, words: URLSearchParams): void {
  const view = words.get("view") as View | null;
  if (view && VIEWS.includes(view)) app.look(view);
  for (const name of CHIPS) {
    const wanted = words.get(name);
    const on = app.page.chips.get(name)!.getAttribute("aria-pressed") === "true";
    if (wanted !== null && (wanted !== "0") !== on) app.flip(name);
  }
  const speed = Number(words.get("speed"));
  if (speed > 0) app.clock.setSpeed(speed);
  const frame = words.get("frame");
  if (frame !== null) app.set(Number(frame));
}

async function start(): Promise<void> {
  const root = document.getElementById("poinsot")!;
  const words = new URLSearchParams(location.hash.slice(1));
  document.head.append(element("style", {}, css));
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset["theme"] = words.get("theme") === "dark" || (!words.has("theme") && dark) ? "dark" : "light";
  if (words.has("clean")) document.documentElement.dataset["clean"] = "1";
  try {
    const payload = await fromPage(document);
    if (payload.header.live) {
      const live = new Live(root, (app) => {
        app.theme(document.documentElement.dataset["theme"]);
        obey(app, words);
        window.poinsot = hook(app, live);
      });
      return;
    }
    const { demonstration, title, notes } = payload.header;
    const show = DEMONSTRATIONS[demonstration ?? ""];
    if (show) {
      window.poinsotBoard = show(root, title, notes);
      return;
    }
    if (!payload.header.runs.length) throw new Error("there is no run to show");
    const app = new App(root, payload);
    app.theme(document.documentElement.dataset["theme"]);
    obey(app, words);
    window.addEventListener("hashchange", () => obey(app, new URLSearchParams(location.hash.slice(1))));
    window.poinsot = hook(app);
    addSliders(app, app.page.side);
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!words.has("frame") && !words.has("clean") && !still) window.poinsot.play();
  } catch (error) {
    root.replaceChildren(element("p", { class: "error" }, `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
  }
}

void start();
