import {type AccountIdentity, type AccountStore, identityKey, type SavedStatePart} from '#state/account-store.ts';
import {mayHideChannels} from '#state/events/message-appliers.ts';
import {initialState} from '#state/initial-state.ts';
import {replayEvents} from '#state/messages/event-log.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {canReadChannel} from '#state/selectors/permissions/channel-permissions.ts';
import {
  disposeOnAbort,
  guardBackgroundTask,
  type SessionContext,
  watchSlices,
  yieldToEventLoop,
} from '#state/session-context.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {deletedIds, isRenderingOnly} from '#wire/events/messages.ts';
import type {ServerEvent} from '#wire/events.ts';
import {dropReadMarks, loggedReadMarks, logReadMarks, withLoggedReadMarks} from './read-log.ts';
import {formatStamp, savedSliceNames, sliceFromText, sliceToBytes} from './saved-slices.ts';

/** A task waits until no key was pressed for this long, but at most `maxDelayMs`. */
const quietMs = 1000;
const maxDelayMs = 20_000;

/** Runs a task that would delay key presses: after a delay, and not while the user is typing. */
class QuietTimer {
  readonly #context: SessionContext;
  #activeAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
    disposeOnAbort(context.signal, [() => this.stop()]);
  }

  /** Postpones the task, because the user is typing. */
  noteActivity(): void {
    this.#activeAt = this.#context.clock.monotonic();
  }

  /** Does nothing while a task is waiting. */
  start(waitMs: number, run: () => void): void {
    if (this.#cancel !== undefined) return;
    const {clock} = this.#context;
    const latest = clock.monotonic() + waitMs + maxDelayMs;
    const task = guardBackgroundTask(this.#context, () => {
      const isActive = clock.monotonic() - this.#activeAt < quietMs;
      this.#cancel = isActive && clock.monotonic() < latest ? clock.after(quietMs, task) : undefined;
      if (this.#cancel === undefined) run();
    });
    this.#cancel = clock.after(waitMs, task);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/** Enough for the first views; the rest of the saved messages serves search. */
const messagesAtStart = 2000;

/** Saves the state and the messages, so that the next start can show them before the server responds. */
export class Persistence {
  readonly #context: SessionContext;
  readonly #snapshot: StateSaver;
  readonly #messages: MessageSaver;

  /** `onSaved` runs after messages were written, with all whose versions are on disk. */
  constructor(context: SessionContext, onSaved: (saved: SortedMap<number, Message>) => void) {
    this.#context = context;
    this.#snapshot = new StateSaver(context);
    this.#messages = new MessageSaver(context, onSaved);
    watchSlices(context, savedSliceNames, () => this.#snapshot.scheduleSave());
    watchSlices(context, ['messages'], () => this.#messages.scheduleSave());
  }

  /** Receives every batch of events. */
  onEvents(events: readonly ServerEvent[]): void {
    this.#messages.onEvents(events);
    if (!logReadMarks(this.#context.store, events)) this.#snapshot.scheduleSave('soon');
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
    this.#snapshot.timer.noteActivity();
    this.#messages.timer.noteActivity();
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
export function restoreState(
  store: Pick<AccountStore, 'savedState' | 'messages' | 'keyValues'>,
): AccountState | undefined {
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
  const messages = withMessages(initialState.messages, store.messages.newest(messagesAtStart));
  return withLoggedReadMarks({...state, messages}, store);
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
  readonly #parts = new Map<SliceName, {readonly slice: unknown; readonly part: SavedStatePart}>();
  /** False until the first registration: a state without one must not overwrite the saved state. */
  #isRegistered = false;
  #isDue = false;
  /** A save is running, in small steps. */
  #isSaving = false;
  #savedAt = Number.NEGATIVE_INFINITY;
  readonly timer: QuietTimer;
  #run: Promise<void> = Promise.resolve();

  constructor(context: SessionContext) {
    this.#context = context;
    this.timer = new QuietTimer(context);
  }

  onRegistered(): void {
    this.#isRegistered = true;
    this.scheduleSave();
  }

  scheduleSave(when: 'soon' | 'paced' = 'paced'): void {
    this.#isDue = true;
    if (!this.#isRegistered) return;
    const pausedMs = this.#savedAt + minIntervalMs - this.#context.clock.monotonic();
    const waitMs = when === 'soon' ? saveDelayMs : Math.max(saveDelayMs, pausedMs);
    if (when === 'soon') this.timer.stop();
    this.timer.start(waitMs, () => {
      this.#run = this.#save();
    });
  }

  /** Saves synchronously before the session stops. */
  saveNow(): void {
    this.timer.stop();
    const isDue = this.#isDue || this.#isSaving;
    // A running save would finish too late, or overwrite this one.
    this.#isSaving = false;
    if (!this.#isRegistered || !isDue) return;
    const {cache, store} = this.#context;
    const {base: state} = cache;
    const marks = loggedReadMarks(store);
    for (const name of savedSliceNames) {
      if (!this.#has(name, state)) this.#put(name, state, store.savedState.packNow(sliceToBytes(name, state[name])));
    }
    this.#write(state, marks);
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
    const marks = loggedReadMarks(store);
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
      if (this.#isSaving && !signal.aborted) this.#write(state, marks);
      this.#isSaving = false;
    } catch (error) {
      log('The state could not be saved', error);
    }
  }

  #has(name: SliceName, state: AccountState): boolean {
    return this.#parts.get(name)?.slice === state[name];
  }

  #put(name: SliceName, state: AccountState, part: SavedStatePart): void {
    this.#parts.set(name, {slice: state[name], part});
  }

  /** Writes the state, which contains these logged read marks. */
  #write({connection}: AccountState, marks: ReturnType<typeof loggedReadMarks>): void {
    const {store, clock} = this.#context;
    const parts = new Map<string, SavedStatePart>([['format', store.savedState.packNow(Buffer.from(formatStamp))]]);
    for (const [name, {part}] of this.#parts) parts.set(name, part);
    store.savedState.save(parts, connection.phase === 'offline' ? connection.since : clock.now());
    dropReadMarks(store, marks);
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

const messageDelayMs = 1000;
/** Each message is added to a search index: more than this at once would delay key presses. */
const batchSize = 40;

/** More saved messages than this are removed instead of changed. */
const maxUpdated = 500;

/** Saves every message that was seen, in its current version, for the next start and for offline search. */
class MessageSaver {
  readonly #context: SessionContext;
  #saved: SortedMap<number, Message> = SortedMap.empty();
  readonly timer: QuietTimer;
  /** Messages still to be written, oldest first. */
  #unsaved: Message[] = [];
  #run: Promise<void> = Promise.resolve();
  #isDraining = false;
  #hasFailed = false;
  readonly #onSaved: (saved: SortedMap<number, Message>) => void;

  /** `onSaved` runs after each write with all messages whose versions are on disk. */
  constructor(context: SessionContext, onSaved: (saved: SortedMap<number, Message>) => void) {
    this.#context = context;
    this.timer = new QuietTimer(context);
    this.#onSaved = onSaved;
    // Messages loaded at the start came from disk.
    this.#saved = context.cache.base.messages.byId;
  }

  scheduleSave(): void {
    this.timer.start(messageDelayMs, () => {
      this.#collect();
      if (!this.#isDraining) this.#run = this.#drain();
    });
  }

  /** Saves the rest synchronously, before the session stops. */
  saveNow(): void {
    this.#collect();
    this.#save(this.#unsaved.length);
  }

  /** Resolves when no write is running. */
  idle(): Promise<void> {
    return this.#run;
  }

  #collect(): void {
    this.timer.stop();
    const {byId} = this.#context.cache.base.messages;
    // Messages that are no longer loaded stay saved; deletions arrive as events.
    byId.changesSince(this.#saved, (_id, now) => {
      if (now !== undefined) this.#unsaved.push(now);
    });
    this.#saved = byId;
  }

  async #drain(): Promise<void> {
    const {signal} = this.#context;
    this.#isDraining = true;
    while (this.#unsaved.length > 0 && !signal.aborted) {
      this.#save(batchSize);
      if (this.#unsaved.length > 0) await yieldToEventLoop();
    }
    this.#isDraining = false;
    if (!this.#hasFailed) guardBackgroundTask(this.#context, () => this.#onSaved(this.#saved))();
  }

  /** Saves the next messages, except those that were removed meanwhile. */
  #save(count: number): void {
    const {store, cache} = this.#context;
    const messages = this.#unsaved.splice(0, count).filter(({id}) => cache.base.messages.byId.has(id));
    if (!store.messages.save(messages)) this.#hasFailed = true;
  }

  /** Updates messages that are on disk but not loaded. */
  onEvents(events: readonly ServerEvent[]): void {
    const {store, cache} = this.#context;
    const {byId} = cache.base.messages;
    const deleted = events.flatMap((event) => (event.type === 'delete_message' ? deletedIds(event) : []));
    store.messages.remove(deleted);
    const changed = new Set(events.flatMap(changedIds)).difference(new Set(deleted));
    const unloaded = [...changed].filter((id) => !byId.has(id));
    if (unloaded.length > maxUpdated) store.messages.remove(unloaded);
    else this.#updateSaved(unloaded, events);
    if (events.some(mayHideChannels)) this.removeHidden();
  }

  #updateSaved(ids: readonly number[], events: readonly ServerEvent[]): void {
    const {store, cache} = this.#context;
    const saved = store.messages.byIds(ids);
    const {subscriptions} = cache.base;
    const since = events.map((event) => ({event, subscriptions}));
    const {messages} = replayEvents(saved, [], since);
    const changed = saved.flatMap((before) => {
      const after = messages.get(before.id);
      return after === undefined || after === before ? [] : [after];
    });
    // An outdated version must not stay.
    if (!store.messages.save(changed)) store.messages.remove(changed.map(({id}) => id));
  }

  /** Removes the messages of channels that the user may not read any more. */
  removeHidden(): void {
    const {store, cache, clock} = this.#context;
    const {base} = cache;
    for (const id of store.messages.channelIds()) {
      const channel = base.channels.get(id);
      const isReadable =
        channel === undefined
          ? !base.server.abilities.deletedChannelsAreGone
          : canReadChannel(base, channel, clock.now());
      if (!isReadable) store.messages.removeChannel(id);
    }
  }
}

/** Returns the messages that an event changes. Whether they are read is not part of saved messages. */
function changedIds(event: ServerEvent): readonly number[] {
  switch (event.type) {
    case 'update_message':
      return isRenderingOnly(event) ? [] : [event.message_id, ...event.message_ids];
    case 'update_message_flags':
      return event.flag === 'read' ? [] : event.messages;
    case 'reaction':
    case 'submessage':
      return [event.message_id];
    default:
      return [];
  }
}
