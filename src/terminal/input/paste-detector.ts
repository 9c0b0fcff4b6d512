import type {InputEvent, KeyEvent} from './input-events.ts';

/** Keys that arrive within this time were not typed one by one. */
export const sameBurstMs = 10;
/** A paste of several lines may pause this long. */
const pauseMs = 120;
/** This many characters at once were not typed. */
const minCharacters = 3;

/**
 * Finds pastes in terminals that are not known to put brackets around them: an Enter that arrived together with text after it is a
 * line break, not a command to send. A single line with Enter at its end is sent; that Enter is held for a
 * moment in case more follows.
 */
export class PasteDetector {
  #held: readonly InputEvent[] = [];
  #lastAt = Number.NEGATIVE_INFINITY;
  #characters = 0;
  #hasLines = false;

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Returns the events that are certain now, in order. */
  detect(events: readonly InputEvent[], now: number): readonly InputEvent[] {
    // Held events belong to the burst however late the next arrive: the program may have been busy.
    if (!this.isHolding && now - this.#lastAt > (this.#hasLines ? pauseMs : sameBurstMs)) this.#reset();
    this.#lastAt = now;
    const all = this.#held.length === 0 ? events : [...this.#held, ...events];
    this.#held = [];
    const ready = pasteableRuns(all).flatMap((run) => this.#mark(run));
    const end = this.#hasLines || this.#characters < minCharacters ? ready.length : lineEnd(ready);
    this.#held = ready.slice(end);
    return this.#held.length === 0 ? ready : ready.slice(0, end);
  }

  /** Returns the held events, because nothing followed. */
  release(): readonly InputEvent[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  #mark(run: readonly InputEvent[]): readonly InputEvent[] {
    if (!run.every(isPasteable)) {
      this.#reset();
      return run;
    }
    this.#characters += run.filter(isCharacter).length;
    const lastCharacter = run.findLastIndex(isCharacter);
    const firstEnter = run.findIndex(isEnter);
    if (this.#characters >= minCharacters && firstEnter >= 0 && firstEnter < lastCharacter) this.#hasLines = true;
    return this.#hasLines ? run.map(inBurst) : run;
  }

  #reset(): void {
    this.#characters = 0;
    this.#hasLines = false;
  }
}

/** Splits events into runs that a paste can contain and runs that it cannot. */
function pasteableRuns(events: readonly InputEvent[]): InputEvent[][] {
  const runs: InputEvent[][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    const first = last?.[0];
    if (last !== undefined && first !== undefined && isPasteable(first) === isPasteable(event)) last.push(event);
    else runs.push([event]);
  }
  return runs;
}

/** Returns the index where the Enters at the end start. */
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
  return event.kind === 'key' && event.key.name === name && !event.key.ctrl && !event.key.alt && !event.key.shift;
}
