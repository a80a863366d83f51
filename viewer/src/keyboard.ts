// Keys, and the list of them.

import { element } from "./dom.ts";

export interface Key {
  readonly keys: readonly string[];
  readonly shown: string;
  readonly text: string;
  readonly act: (event: KeyboardEvent) => void;
}

export function listen(keys: readonly Key[]): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target as HTMLElement | null;
    if (target instanceof HTMLSelectElement || target?.matches("input[type=text]")) return; // letters are for the list or field
    const key = keys.find((one) => one.keys.includes(event.key));
    if (!key) return;
    event.preventDefault();
    key.act(event);
  });
}

export function help(keys: readonly Key[]): HTMLDialogElement {
  const list = element("dl");
  for (const { shown, text } of keys) list.append(element("dt", {}, element("kbd", {}, shown)), element("dd", {}, text));
  const close = element("button", { type: "submit" }, "close");
  const dialog = element("dialog", { id: "help" }, element("h2", {}, "Keys"), list, element("p", { class: "quiet" }, "Drag to rotate, scroll to zoom, drag with the right button to move. Click or drag in a plot to go to that time."), element("form", { method: "dialog" }, close));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
