import type {Context} from '#state/context.ts';
import {guarded} from '#state/guarded.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {formatStamp} from './format.ts';
import {type SavedName, savedNames, sliceToSave} from './slices.ts';
import {turn} from './turn.ts';

const soonMs = 2000;
const leastApartMs = 30_000;
/** More than this at once would be felt by whoever is typing. */
const chunkSize = 1000;

/**
 * Keeps what the server said for the next start, now and then and at the end; what was done here is kept by itself. Slices
 * that did not change are not written anew.
 */
export class SnapshotSaver {
  readonly #context: Context;
  readonly #texts = new Map<SavedName, {readonly slice: unknown; readonly text: string}>();
  /** What was never heard from the server must not replace what was. */
  #isReal = false;
  #isDue = false;
  /** Being written down, a piece at a time. */
  #isUnderWay = false;
  #savedAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;
  #run: Promise<void> = Promise.resolve();

  constructor(context: Context) {
    this.#context = context;
  }

  registered(): void {
    this.#isReal = true;
    this.changed();
  }

  changed(): void {
    const {clock} = this.#context;
    this.#isDue = true;
    if (!this.#isReal || this.#cancelTimer !== undefined) return;
    const waitMs = Math.max(soonMs, this.#savedAt + leastApartMs - clock.now());
    const task = guarded(this.#context, () => {
      this.#cancelTimer = undefined;
      this.#run = this.#save();
    });
    this.#cancelTimer = clock.after(waitMs, task);
  }

  /** At once, for the last time: nobody is typing any more. */
  finish(): void {
    this.stop();
    const isDue = this.#isDue || this.#isUnderWay;
    // What is under way would come too late, or after this.
    this.#isUnderWay = false;
    if (!this.#isReal || !isDue) return;
    const {base: state} = this.#context.cache;
    for (const name of savedNames) this.#text(name, state, JSON.stringify);
    this.#write(state);
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Resolves when nothing is being written. */
  idle(): Promise<void> {
    return this.#run;
  }

  async #save(): Promise<void> {
    const {cache, clock, signal, log} = this.#context;
    this.#isDue = false;
    this.#isUnderWay = true;
    this.#savedAt = clock.now();
    // Slices never change in place, so this stays one moment however long it takes to write it down.
    const {base: state} = cache;
    try {
      for (const name of savedNames) {
        const slice = state[name];
        if (this.#texts.get(name)?.slice === slice) continue;
        if (slice instanceof SortedMap && slice.size > chunkSize) {
          const text = await chunkedText(slice);
          this.#text(name, state, () => text);
        } else {
          this.#text(name, state, JSON.stringify);
        }
        await turn();
      }
      if (this.#isUnderWay && !signal.aborted) this.#write(state);
      this.#isUnderWay = false;
    } catch (error) {
      log('The state could not be saved', error);
    }
  }

  #text(name: SavedName, state: AccountState, write: (value: unknown) => string): void {
    const slice = state[name];
    if (this.#texts.get(name)?.slice === slice) return;
    this.#texts.set(name, {slice, text: write(sliceToSave(name, slice))});
  }

  #write({connection}: AccountState): void {
    const {store, clock} = this.#context;
    const parts: Record<string, string> = {format: formatStamp};
    for (const [name, {text}] of this.#texts) parts[name] = text;
    store.snapshot.save(parts, connection.phase === 'offline' ? connection.since : clock.now());
  }
}

async function chunkedText(map: SortedMap<number, unknown> | SortedMap<string, unknown>): Promise<string> {
  const pieces: string[] = [];
  let chunk: unknown[] = [];
  for (const entry of map) {
    chunk.push(entry);
    if (chunk.length < chunkSize) continue;
    pieces.push(JSON.stringify(chunk).slice(1, -1));
    chunk = [];
    await turn();
  }
  if (chunk.length > 0) pieces.push(JSON.stringify(chunk).slice(1, -1));
  return `[${pieces.join()}]`;
}
