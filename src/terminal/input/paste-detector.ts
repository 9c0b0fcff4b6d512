import type {InputEvent, KeyEvent} from './input-events.ts';

/** Nobody presses two keys within so many milliseconds. */
export const sameBurstMs = 10;
/** A paste of several lines may pause so long on its way. */
const pauseMs = 120;
/** So many characters that came together were not typed. */
const fewest = 3;

/**
 * Finds pastes in terminals that do not mark them: an Enter with text after it that came together with that text ends a
 * line, it does not send. A single line with Enter at its end is sent, so that Enter is kept back for a moment in case
 * more follows.
 */
export class PasteDetector {
  #held: readonly InputEvent[] = [];
  #lastAt = Number.NEGATIVE_INFINITY;
  #characters = 0;
  #hasLines = false;

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** All that is certain by now, in order. */
  detect(events: readonly InputEvent[], now: number): readonly InputEvent[] {
    // What is kept back is asked about, however late: the program may have been busy.
    if (!this.isHolding && now - this.#lastAt > (this.#hasLines ? pauseMs : sameBurstMs)) this.#forget();
    this.#lastAt = now;
    const all = this.#held.length === 0 ? events : [...this.#held, ...events];
    this.#held = [];
    const ready = stretches(all).flatMap((stretch) => this.#marked(stretch));
    const end = this.#hasLines || this.#characters < fewest ? ready.length : lineEnd(ready);
    this.#held = ready.slice(end);
    return this.#held.length === 0 ? ready : ready.slice(0, end);
  }

  /** Nothing followed. */
  release(): readonly InputEvent[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  #marked(stretch: readonly InputEvent[]): readonly InputEvent[] {
    if (!stretch.every(isPasteable)) {
      this.#forget();
      return stretch;
    }
    this.#characters += stretch.filter(isCharacter).length;
    const lastCharacter = stretch.findLastIndex(isCharacter);
    const firstEnter = stretch.findIndex(isEnter);
    if (this.#characters >= fewest && firstEnter >= 0 && firstEnter < lastCharacter) this.#hasLines = true;
    return this.#hasLines ? stretch.map(inBurst) : stretch;
  }

  #forget(): void {
    this.#characters = 0;
    this.#hasLines = false;
  }
}

/** What a paste can hold and what it cannot, each in one piece. */
function stretches(events: readonly InputEvent[]): InputEvent[][] {
  const found: InputEvent[][] = [];
  for (const event of events) {
    const last = found.at(-1);
    const first = last?.[0];
    if (last !== undefined && first !== undefined && isPasteable(first) === isPasteable(event))
      last.push(event);
    else found.push([event]);
  }
  return found;
}

/** Where the Enters at the end begin. */
function lineEnd(events: readonly InputEvent[]): number {
  return events.findLastIndex((event) => !isEnter(event)) + 1;
}

function inBurst(event: InputEvent): InputEvent {
  return isEnter(event) || isPlain(event, 'Tab') ? {...event, isBurst: true} : event;
}

function isPasteable(event: InputEvent): boolean {
  return isCharacter(event) || isEnter(event) || isPlain(event, 'Tab') || isLineFeed(event);
}

function isCharacter(event: InputEvent): boolean {
  return event.kind === 'key' && event.key.text !== undefined;
}

function isEnter(event: InputEvent): event is KeyEvent {
  return isPlain(event, 'Enter');
}

function isLineFeed(event: InputEvent): boolean {
  return event.kind === 'key' && event.key.name === 'j' && event.key.ctrl === true && !event.key.alt;
}

function isPlain(event: InputEvent, name: string): event is KeyEvent {
  return (
    event.kind === 'key' && event.key.name === name && !event.key.ctrl && !event.key.alt && !event.key.shift
  );
}
