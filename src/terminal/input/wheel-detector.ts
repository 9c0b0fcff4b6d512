import type {InputEvent} from './input-events.ts';
import {sameBurstMs} from './paste-detector.ts';

/** A turn of the wheel is at least so many arrows at once. */
const fewest = 3;

/** Marks arrows that are a turned wheel. Sideways there is no wheel, so Left and Right are always keys. */
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
    const lengths = runLengths(names.map((name) => this.#counted(name)));
    return events.map((event, index) =>
      event.kind === 'key' && (lengths[index] ?? 0) >= fewest ? {...event, isWheel: true} : event,
    );
  }

  #counted(name: string | undefined): number {
    const before = name === this.#name ? this.#count : 0;
    this.#name = name;
    this.#count = name === undefined ? 0 : before + 1;
    return this.#count;
  }
}

/** For each place how long its run becomes: counts go up by one within it, and are 0 outside. */
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
