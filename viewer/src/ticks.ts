// Axes of a plot: round numbers, and how to write them.

/** About `count` round numbers between `low` and `high`. */
export function linearTicks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= raw) ?? 10);
  if (Math.max(Math.abs(low), Math.abs(high)) / step > 2 ** 50) return [low]; // they would not differ
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * span; i++) ticks.push(i * step + 0); // not -0
  return ticks;
}

/** What is left out of the numbers on an axis, because they differ in their last digits only; else 0. */
export function baseOf(low: number, high: number): number {
  const middle = (low + high) / 2;
  return high - low < 1e-4 * Math.abs(middle) ? Number(middle.toPrecision(Math.min(15, Math.ceil(Math.log10(Math.abs(middle) / (high - low || 1e-300)))))) : 0;
}

/** Powers of ten between `low` and `high` (both positive), at most about `count`. */
export function logTicks(low: number, high: number, count: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, count)));
  const ticks: number[] = [];
  for (let i = first; i <= last; i += step) ticks.push(10 ** i);
  return ticks;
}

const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number on an axis: 0.25, 1200, 10⁻⁶. */
export function tickName(x: number, log: boolean): string {
  if (log) {
    const power = Math.round(Math.log10(x));
    const digits = [...String(Math.abs(power))].map((one) => SUPER[Number(one)]).join("");
    return `10${power < 0 ? "⁻" : ""}${digits}`;
  }
  return numberName(x, 6).replace(/\.?0*e\+?/, "e"); // -1e6, not -1.000e+6: the margin is narrow
}

/** Short and readable, with at most so many digits. */
export function numberName(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return x.toExponential(Math.min(3, digits - 1));
  return String(Number(x.toPrecision(digits)));
}

const UNITS = [["d", 86400, 3 * 86400], ["h", 3600, 3 * 3600], ["min", 60, 600]] as const; // seconds, and the least span

/** The unit in which a span of time is read: s, min, h or d. */
export function timeUnit(span: number): { name: string; seconds: number } {
  const found = UNITS.find(([, , least]) => span >= least);
  return found ? { name: found[0], seconds: found[1] } : { name: "s", seconds: 1 };
}

/** A time within a span, with its unit. */
export function timeName(time: number, span: number): string {
  const { name, seconds } = timeUnit(span);
  return `${numberName(time / seconds, time < 100 * seconds ? 4 : 6)} ${name}`;
}
