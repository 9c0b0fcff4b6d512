import type {SavedStatePart} from '#state/account-store.ts';
import {guardBackgroundTask} from '#state/guard-background-task.ts';
import {formatStamp} from '#state/persistence/saved-slices.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {type SavedSliceName, savedSliceNames, sliceToJson} from './saved-slices.ts';
import {yieldToEventLoop} from './yield-to-event-loop.ts';

const soonMs = 2000;
const leastApartMs = 30_000;
/** Written when no key has come for so long, or else so much later. */
const quietMs = 1000;
const mostLateMs = 20_000;
/** More than this at once would be felt by whoever is typing. */
const chunkSize = 250;

/**
 * Keeps what the server said for the next start, now and then and at the end; what was done here is kept by itself. Slices
 * that did not change are not written anew.
 */
export class StateSaver {
  readonly #context: SessionContext;
  readonly #parts = new Map<SavedSliceName, {readonly slice: unknown; readonly part: SavedStatePart}>();
  /** What was never heard from the server must not replace what was. */
  #isReal = false;
  #isDue = false;
  /** Being written down, a piece at a time. */
  #isUnderWay = false;
  #savedAt = Number.NEGATIVE_INFINITY;
  #activeAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;
  #run: Promise<void> = Promise.resolve();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  onRegistered(): void {
    this.#isReal = true;
    this.scheduleSave();
  }

  scheduleSave(): void {
    const {clock} = this.#context;
    this.#isDue = true;
    if (!this.#isReal || this.#cancelTimer !== undefined) return;
    const waitMs = Math.max(soonMs, this.#savedAt + leastApartMs - clock.now());
    const latest = clock.now() + waitMs + mostLateMs;
    const task = guardBackgroundTask(this.#context, () => {
      if (this.#isActive() && clock.now() < latest) {
        this.#cancelTimer = clock.after(quietMs, task);
        return;
      }
      this.#cancelTimer = undefined;
      this.#run = this.#save();
    });
    this.#cancelTimer = clock.after(waitMs, task);
  }

  /** Somebody is at the keys, and is not kept waiting for this. */
  noteActivity(): void {
    this.#activeAt = this.#context.clock.now();
  }

  #isActive(): boolean {
    return this.#context.clock.now() - this.#activeAt < quietMs;
  }

  /** At once, for the last time: nobody is typing any more. */
  saveNow(): void {
    this.stop();
    const isDue = this.#isDue || this.#isUnderWay;
    // What is under way would come too late, or after this.
    this.#isUnderWay = false;
    if (!this.#isReal || !isDue) return;
    const {cache, store} = this.#context;
    const {base: state} = cache;
    for (const name of savedSliceNames) {
      if (!this.#has(name, state)) this.#put(name, state, store.savedState.packNow(wholeJson(name, state)));
    }
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
    const {cache, clock, store, signal, log} = this.#context;
    this.#isDue = false;
    this.#isUnderWay = true;
    this.#savedAt = clock.now();
    // Slices never change in place, so this stays one moment however long it takes to write it down.
    const {base: state} = cache;
    try {
      for (const name of savedSliceNames) {
        if (this.#has(name, state)) continue;
        const slice = state[name];
        const isLarge = slice instanceof SortedMap && slice.size > chunkSize;
        const json = isLarge ? await chunkedJson(slice) : wholeJson(name, state);
        const part = await store.savedState.pack(json);
        // At the end there was no time to wait for this.
        if (!this.#isUnderWay) return;
        this.#put(name, state, part);
        await yieldToEventLoop();
      }
      if (this.#isUnderWay && !signal.aborted) this.#write(state);
      this.#isUnderWay = false;
    } catch (error) {
      log('The state could not be saved', error);
    }
  }

  #has(name: SavedSliceName, state: AccountState): boolean {
    return this.#parts.get(name)?.slice === state[name];
  }

  #put(name: SavedSliceName, state: AccountState, part: SavedStatePart): void {
    this.#parts.set(name, {slice: state[name], part});
  }

  #write({connection}: AccountState): void {
    const {store, clock} = this.#context;
    const parts = new Map<string, SavedStatePart>([
      ['format', store.savedState.packNow(Buffer.from(formatStamp))],
    ]);
    for (const [name, {part}] of this.#parts) parts.set(name, part);
    store.savedState.save(parts, connection.phase === 'offline' ? connection.since : clock.now());
  }
}

function wholeJson<K extends SavedSliceName>(name: K, state: AccountState): Uint8Array {
  return Buffer.from(JSON.stringify(sliceToJson(name, state[name])));
}

async function chunkedJson(
  map: SortedMap<number, unknown> | SortedMap<string, unknown>,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let chunk: unknown[] = [];
  const close = () => {
    pieces.push(Buffer.from(`${pieces.length === 0 ? '[' : ','}${JSON.stringify(chunk).slice(1, -1)}`));
    chunk = [];
  };
  for (const entry of map) {
    chunk.push(entry);
    if (chunk.length < chunkSize) continue;
    close();
    await yieldToEventLoop();
  }
  if (chunk.length > 0) close();
  return Buffer.concat([...pieces, Buffer.from(']')]);
}
