// The picture as a PNG file, with the names of the runs and the time.

import type { App } from "./app.ts";
import { runColor } from "./color.ts";
import { numberName } from "./ticks.ts";

export function picture(app: App): HTMLCanvasElement {
  app.stage.render(); // in the same task: the drawing buffer is not kept
  const from = app.stage.canvas;
  const made = document.createElement("canvas");
  [made.width, made.height] = [from.width, from.height];
  const ratio = from.width / Math.max(1, from.clientWidth);
  const c = made.getContext("2d")!;
  const style = getComputedStyle(document.documentElement);
  const dark = document.documentElement.dataset["theme"] === "dark";
  c.fillStyle = style.getPropertyValue("--back");
  c.fillRect(0, 0, made.width, made.height);
  c.drawImage(from, 0, 0);
  c.scale(ratio, ratio);
  c.textBaseline = "top";
  const { runs } = app.payload.header;
  app.stage.fields().forEach((field, i) => {
    c.font = `600 15px ${style.getPropertyValue("--font")}`;
    c.fillStyle = runs.length > 1 ? runColor(i, dark) : style.getPropertyValue("--ink");
    c.fillText(runs[i]!.name, field.x + 12, field.y + 10);
  });
  c.font = `13px ${style.getPropertyValue("--font")}`;
  c.fillStyle = style.getPropertyValue("--quiet");
  c.textBaseline = "bottom";
  c.fillText(`t = ${numberName(app.clock.time)} s`, 12, from.clientHeight - 10);
  return made;
}

export function savePicture(app: App): void {
  picture(app).toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `poinsot-frame-${app.frame}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, "image/png");
}
