import type {InputEvent} from './input-events.ts';
import {sameBurstMs} from './paste-detector.ts';

/** A turn of the wheel is at least this many arrows at once. */
const minArrows = 3;

/** Marks arrow keys that come from a turned wheel. Left and Right are always keys, because no wheel sends them. */
export class WheelDetector {
  #name: string | undefined;
  #count = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  detect(events: readonly InputEvent[], now: number): readonly InputEvent[] {
    if (now - this.#lastAt > sameBurstMs) this.#count = 0;
    this.#lastAt = now;
    const names = events.map(arrowName);
    if (names.every((name) => name === undefined)) {
      if (events.length > 0) this.#count = 0;
      return events;
    }
    const lengths = runLengths(names.map((name) => this.#countArrow(name)));
    return events.map((event, index) =>
      event.kind === 'key' && (lengths[index] ?? 0) >= minArrows ? {...event, isWheel: true} : event,
    );
  }

  #countArrow(name: string | undefined): number {
    const previous = name === this.#name ? this.#count : 0;
    this.#name = name;
    this.#count = name === undefined ? 0 : previous + 1;
    return this.#count;
  }
}

/** Returns the length of the run that each position belongs to: counts rise by one within a run and are 0 outside. */
function runLengths(counts: readonly number[]): number[] {
  const lengths = [...counts];
  for (let at = lengths.length - 2; at >= 0; at--) {
    const [count = 0, next = 0] = [counts[at], counts[at + 1]];
    if (count > 0 && next === count + 1) lengths[at] = lengths[at + 1] ?? count;
  }
  return lengths;
}

function arrowName(event: InputEvent): string | undefined {
  if (event.kind !== 'key') return undefined;
  const {name, ctrl, alt, shift} = event.key;
  return (name === 'Up' || name === 'Down') && !ctrl && !alt && !shift ? name : undefined;
}
