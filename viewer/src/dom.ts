// Elements of the page.  Text is set as text, never as HTML: a name in a model cannot become markup.

type Attributes = Readonly<Record<string, string>>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const PATHS: Readonly<Record<string, string>> = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  loop: "M7 7h9l-2.5-2.5 1.2-1.2L19.4 8l-4.7 4.7-1.2-1.2L16 9H8v4H6V8a1 1 0 0 1 1-1zm10 10H8l2.5 2.5-1.2 1.2L4.6 16l4.7-4.7 1.2 1.2L8 15h8v-4h2v5a1 1 0 0 1-1 1z",
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z",
  camera: "M9 5l-1.5 2H4v12h16V7h-3.500L15 5zm3 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zm0 1.800a2.200 2.200 0 1 0 0 4.400 2.200 2.200 0 0 0 0-4.400z",
  full: "M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z",
  help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm-1 13h2v2h-2zm1-10c2.200 0 3.800 1.400 3.800 3.400 0 2.300-2.800 2.700-2.800 4.600h-2c0-3 2.800-3 2.800-4.600 0-.9-.7-1.500-1.800-1.500s-1.900.7-1.900 1.900h-2C8.100 7.500 9.700 6 12 6z",
};

/** A small picture for a button. */
export function icon(name: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg"; // a name, not an address: nothing is fetched
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", PATHS[name] ?? "");
  svg.append(path);
  return svg;
}

export function button(id: string, label: string, picture?: string): HTMLButtonElement {
  const made = element("button", { id, type: "button", title: label, "aria-label": label });
  if (picture) made.append(icon(picture));
  else made.textContent = label;
  return made;
}

export function choice(id: string, label: string, options: readonly (readonly [string, string])[]): HTMLSelectElement {
  const made = element("select", { id, title: label, "aria-label": label });
  for (const [value, text] of options) made.append(element("option", { value }, text));
  return made;
}
