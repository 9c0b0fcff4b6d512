import {type AccountIdentity, type AccountStore, identityKey, type SavedStatePart} from '#state/account-store.ts';
import {disposeOnAbort, guardBackgroundTask} from '#state/guard-background-task.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {ServerEvent} from '#wire/events.ts';
import {MessageSaver} from './message-saver.ts';
import {QuietTimer} from './quiet-timer.ts';
import {formatStamp, type SavedSliceName, savedSliceNames, sliceFromText, sliceToBytes} from './saved-slices.ts';
import {yieldToEventLoop} from './yield-to-event-loop.ts';

/** Enough for the first views; the rest of the saved messages serves search. */
const messagesAtStart = 2000;

/** Saves the state and the messages, so that the next start can show them before the server responds. */
export class Persistence {
  readonly #context: SessionContext;
  readonly #snapshot: StateSaver;
  readonly #messages: MessageSaver;

  /** `onSaved` runs after messages were written, with all whose versions are on disk. */
  constructor(context: SessionContext, onSaved: (saved: SortedMap<number, Message>) => void) {
    const {cache, signal} = context;
    this.#context = context;
    this.#snapshot = new StateSaver(context);
    this.#messages = new MessageSaver(context, onSaved);
    disposeOnAbort(signal, [
      cache.subscribe(
        savedSliceNames,
        guardBackgroundTask(context, () => this.#snapshot.scheduleSave()),
      ),
      cache.subscribe(
        ['messages'],
        guardBackgroundTask(context, () => this.#messages.scheduleSave()),
      ),
      () => this.#snapshot.stop(),
      () => this.#messages.stop(),
    ]);
  }

  /** Receives every batch of events. */
  onEvents(events: readonly ServerEvent[]): void {
    this.#messages.onEvents(events);
  }

  /** Runs after the state of a new registration is applied. */
  onRegistered(): void {
    this.#messages.removeHidden();
    this.#snapshot.onRegistered();
    const {cache, store} = this.#context;
    const {server, realm, self} = cache.base;
    const identity: AccountIdentity = {url: server.url, organization: realm.uuid ?? '', userId: self.userId};
    if (identity.organization !== '') store.keyValues.set(identityKey, JSON.stringify(identity));
  }

  /** Postpones saving, because the user is typing. */
  noteActivity(): void {
    this.#snapshot.noteActivity();
    this.#messages.noteActivity();
  }

  /** Saves everything synchronously. */
  beforeStop(): void {
    this.#messages.saveNow();
    this.#snapshot.saveNow();
  }

  /** Resolves when no write is running. */
  async idle(): Promise<void> {
    await Promise.all([this.#snapshot.idle(), this.#messages.idle()]);
  }
}

/**
 * Returns the state saved on disk, to be shown until the server responds; undefined when there is none, or
 * its format is another.
 */
export function restoreState(store: Pick<AccountStore, 'savedState' | 'messages'>): AccountState | undefined {
  const saved = store.savedState.load();
  if (saved === undefined || saved.parts.format !== formatStamp) return undefined;
  const slices: Record<string, unknown> = {};
  for (const name of savedSliceNames) {
    const slice = sliceFromText(name, saved.parts[name]);
    if (slice === undefined) return undefined;
    slices[name] = slice;
  }
  const state: AccountState = {
    ...initialState,
    ...slices, // Each slice has the type that its decoder returns.
    connection: {phase: 'starting', savedAt: saved.savedAt},
  };
  return {...state, messages: withMessages(initialState.messages, store.messages.newest(messagesAtStart))};
}

/** Searches the saved messages, newest first. */
export function searchSavedMessages(
  store: Pick<AccountStore, 'messages'>,
  query: string,
  limit = 100,
): readonly Message[] {
  return store.messages.search(query, limit);
}

const saveDelayMs = 2000;
const minIntervalMs = 30_000;
/** More entries than this at once would delay key presses. */
const chunkSize = 250;

/**
 * Saves the server's state periodically and before the session stops; pending changes are stored separately.
 * Unchanged slices are not encoded again.
 */
class StateSaver {
  readonly #context: SessionContext;
  readonly #parts = new Map<SavedSliceName, {readonly slice: unknown; readonly part: SavedStatePart}>();
  /** False until the first registration: a state without one must not overwrite the saved state. */
  #isRegistered = false;
  #isDue = false;
  /** A save is running, in small steps. */
  #isSaving = false;
  #savedAt = Number.NEGATIVE_INFINITY;
  readonly #timer: QuietTimer;
  #run: Promise<void> = Promise.resolve();

  constructor(context: SessionContext) {
    this.#context = context;
    this.#timer = new QuietTimer(context);
  }

  onRegistered(): void {
    this.#isRegistered = true;
    this.scheduleSave();
  }

  scheduleSave(): void {
    this.#isDue = true;
    if (!this.#isRegistered) return;
    const waitMs = Math.max(saveDelayMs, this.#savedAt + minIntervalMs - this.#context.clock.monotonic());
    this.#timer.start(waitMs, () => {
      this.#run = this.#save();
    });
  }

  /** Postpones a scheduled save while the user is typing. */
  noteActivity(): void {
    this.#timer.noteActivity();
  }

  /** Saves synchronously before the session stops. */
  saveNow(): void {
    this.stop();
    const isDue = this.#isDue || this.#isSaving;
    // A running save would finish too late, or overwrite this one.
    this.#isSaving = false;
    if (!this.#isRegistered || !isDue) return;
    const {cache, store} = this.#context;
    const {base: state} = cache;
    for (const name of savedSliceNames) {
      if (!this.#has(name, state)) this.#put(name, state, store.savedState.packNow(sliceToBytes(name, state[name])));
    }
    this.#write(state);
  }

  stop(): void {
    this.#timer.stop();
  }

  /** Resolves when no write is running. */
  idle(): Promise<void> {
    return this.#run;
  }

  async #save(): Promise<void> {
    const {cache, clock, store, signal, log} = this.#context;
    this.#isDue = false;
    this.#isSaving = true;
    this.#savedAt = clock.monotonic();
    // Slices are immutable, so this state stays consistent however long saving takes.
    const {base: state} = cache;
    try {
      for (const name of savedSliceNames) {
        if (this.#has(name, state)) continue;
        const slice = state[name];
        const isLarge = name !== 'topics' && slice instanceof SortedMap && slice.size > chunkSize;
        const text = isLarge ? await chunkedJson(slice) : sliceToBytes(name, state[name]);
        const part = await store.savedState.pack(text);
        // `saveNow` ran in the meantime.
        if (!this.#isSaving) return;
        this.#put(name, state, part);
        await yieldToEventLoop();
      }
      if (this.#isSaving && !signal.aborted) this.#write(state);
      this.#isSaving = false;
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
    const parts = new Map<string, SavedStatePart>([['format', store.savedState.packNow(Buffer.from(formatStamp))]]);
    for (const [name, {part}] of this.#parts) parts.set(name, part);
    store.savedState.save(parts, connection.phase === 'offline' ? connection.since : clock.now());
  }
}

async function chunkedJson(map: SortedMap<number, unknown> | SortedMap<string, unknown>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let chunk: unknown[] = [];
  const flushChunk = () => {
    pieces.push(Buffer.from(`${pieces.length === 0 ? '[' : ','}${JSON.stringify(chunk).slice(1, -1)}`));
    chunk = [];
  };
  for (const entry of map) {
    chunk.push(entry);
    if (chunk.length < chunkSize) continue;
    flushChunk();
    await yieldToEventLoop();
  }
  if (chunk.length > 0) flushChunk();
  return Buffer.concat([...pieces, Buffer.from(']')]);
}
