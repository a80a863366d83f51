// The picture as a PNG file, with the names of the runs and the time.

import type { App } from "./app.ts";
import { runColor } from "./color.ts";
import { timeName } from "./ticks.ts";

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
  const { runs, title } = app.payload.header;
  const fields = app.stage.fields();
  c.font = `600 17px ${style.getPropertyValue("--font")}`;
  c.fillStyle = style.getPropertyValue("--ink");
  c.fillText(title, 12, 10, from.clientWidth - 24);
  runs.forEach((run, i) => {
    const [field, below] = [fields[i] ?? fields[0]!, fields[i] ? 0 : 20 * i];
    c.font = `${runs.length > 1 ? 600 : 400} 14px ${style.getPropertyValue("--font")}`;
    c.fillStyle = runs.length > 1 ? runColor(i, dark) : style.getPropertyValue("--quiet");
    c.fillText(run.name, field.x + 12, field.y + (field.y ? 10 : 34) + below);
  });
  c.font = `13px ${style.getPropertyValue("--font")}`;
  c.fillStyle = style.getPropertyValue("--quiet");
  c.textBaseline = "bottom";
  c.fillText(`t = ${timeName(app.clock.time, app.clock.end - app.clock.start)}`, 12, from.clientHeight - 10);
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
