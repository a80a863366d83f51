// The time that is shown.  All runs of a page follow one clock.

export const SPEEDS = [1 / 64, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 64, 256] as const;
export const WHOLE = 20; // seconds in which a whole run may be shown
const LONG = 120; // seconds that a page may take to play
const SHORT = 3;

export class Clock {
  time: number;
  playing = false;
  loop = true;
  speed: number;
  start: number;
  end: number;

  constructor(start: number, end: number) {
    this.start = this.time = start;
    this.end = end;
    this.speed = naturalSpeed(end - start);
  }

  /** Go on by so many seconds of the wall clock. */
  advance(seconds: number): void {
    if (!this.playing) return;
    const span = this.end - this.start;
    let passed = this.time - this.start + seconds * this.speed;
    if (passed >= span) {
      if (this.loop && span > 0) passed %= span;
      else {
        passed = span;
        this.playing = false;
      }
    }
    this.time = this.start + passed;
  }

  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, Number.isFinite(time) ? time : this.start));
  }

  /** Play or pause; at the end play begins anew. */
  toggle(): void {
    if (!this.playing && this.time >= this.end) this.time = this.start;
    this.playing = !this.playing && this.end > this.start;
  }

  setSpeed(speed: number): void {
    this.speed = speed;
  }

  /** The next speed up (1) or down (-1). */
  change(direction: number): void {
    const found = SPEEDS.findIndex((speed) => speed >= this.speed);
    const at = found < 0 ? SPEEDS.length : found;
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + direction))]!);
  }
}

/** Real time, unless that would be over at once or take long: then the whole run in twenty seconds. */
export function naturalSpeed(span: number): number {
  if (!(span > 0)) return 1;
  if (span < SHORT) return SPEEDS.findLast((speed) => span / speed >= SHORT) ?? SPEEDS[0];
  return span <= LONG ? 1 : span / WHOLE;
}

/** "1/8x", "4x". */
export function speedName(speed: number): string {
  return speed < 1 ? `1/${Math.round(1 / speed)}×` : `${speed}×`;
}
