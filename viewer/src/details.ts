// Below the picture: what each run kept, what it cost, and the command that made it.

import { runColor } from "./color.ts";
import { button, element } from "./dom.ts";
import type { Header, Run } from "./payload.ts";

export function details(header: Header): HTMLElement {
  const section = element("section", { id: "details" });
  if (header.notes) section.append(element("p", { class: "notes" }, header.notes));
  const cards = element("div", { class: "cards" });
  header.runs.forEach((run, i) => cards.append(card(run, i, header.runs.length > 1)));
  section.append(cards, versions(header.runs));
  return section;
}

function card(run: Run, index: number, many: boolean): HTMLElement {
  const head = element("h2", {}, run.name);
  if (many) head.style.setProperty("--run", runColor(index, false));
  const made = element("article", { class: many ? "card many" : "card" }, head, element("p", { class: "quiet" }, run.title));
  if (run.error) made.append(element("p", { class: "error" }, run.error));
  for (const line of run.report.contacts) made.append(element("p", { class: "caution" }, line));
  if (run.note) made.append(element("p", { class: "quiet" }, run.note));
  const table = element("table", {}, element("thead", {}, row("th", ["", "band", "relative", "slope × T", ""])));
  const body = element("tbody");
  for (const cells of run.report.rows) body.append(row("td", cells));
  table.append(body);
  if (run.report.rows.length) made.append(element("div", { class: "scroll" }, table));
  made.append(element("p", { class: "quiet" }, run.report.cost));
  if (run.command) {
    const copy = button("", "copy");
    copy.className = "copy";
    copy.addEventListener("click", () => {
      void navigator.clipboard?.writeText(run.command).then(
        () => (copy.textContent = "copied"),
        () => (copy.textContent = "not allowed here"), // in the frame of a notebook
      );
    });
    made.append(element("div", { class: "command" }, element("code", {}, run.command), copy));
  }
  return made;
}

function row(kind: "th" | "td", cells: readonly string[]): HTMLTableRowElement {
  return element("tr", {}, ...cells.map((text, i) => element(i === 0 && kind === "td" ? "th" : kind, {}, text)));
}

function versions(runs: readonly Run[]): HTMLElement {
  const all = new Set(
    runs.map((run) =>
      Object.entries(run.versions)
        .filter(([name]) => name !== "source")
        .map(([name, version]) => `${name} ${version}`)
        .join(", "),
    ),
  );
  return element("p", { class: "quiet versions" }, [...all].filter(Boolean).join("; "));
}
