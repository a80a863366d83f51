// Colours of runs and bodies; the same as in the static figures where both have them.
// Twelve for curves: as many as an arm on a free base has coordinates.

export const RUNS = [
  "#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#5d6d7e", "#a04000", "#117a65", "#d4448c", "#6c7a00", "#3f51b5", "#8d6e63",
];
export const RUNS_DARK = [
  "#ff7a6b", "#64b5f6", "#66d08c", "#f5b94f", "#c792ea", "#a9b7c6", "#ff9e64", "#4fd6be", "#ff8ac2", "#c6d14a", "#9fa8ff", "#bca18f",
];
export const BODIES = ["#3f7fbf", "#e08e45", "#4fa37a", "#c45c5c", "#8a6fb8", "#5f9ea8", "#c9a227", "#7a8793"];
export const AXES = ["#d9483b", "#3a9d5d", "#3b6fd9"];
export const MOMENTUM = "#8e44ad";
export const SPIN = "#f39c12";
export const THRUST = "#e74c3c";
export const CONTACT = "#d6336c"; // a point of contact, and its way on the surface
export const WORN = "#ffe3ec"; // its way on the body

export function runColor(index: number, dark: boolean): string {
  return (dark ? RUNS_DARK : RUNS)[index % RUNS.length]!;
}

export function bodyColor(index: number, count: number): string {
  if (count <= BODIES.length) return BODIES[index]!;
  const hue = 215 - (190 * index) / Math.max(1, count - 1); // a long chain runs through the colours once
  return `hsl(${hue.toFixed(0)}, 48%, 52%)`;
}

/** Members of an ensemble run through the colours from blue to pink. */
export function memberColor(index: number, count: number): string {
  return `hsl(${(195 + (130 * index) / Math.max(1, count - 1)).toFixed(0)}, 60%, 55%)`;
}
