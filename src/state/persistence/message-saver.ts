import {mayHideChannels} from '#state/events/message-appliers.ts';
import {guardBackgroundTask} from '#state/guard-background-task.ts';
import {replayEvents} from '#state/messages/event-log.ts';
import type {Message} from '#state/model/message.ts';
import {canReadChannel} from '#state/selectors/permissions/channel-permissions.ts';
import type {SessionContext} from '#state/session-context.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {deletedIds, isRenderingOnly} from '#wire/events/messages.ts';
import type {ServerEvent} from '#wire/events.ts';
import {QuietTimer} from './quiet-timer.ts';
import {yieldToEventLoop} from './yield-to-event-loop.ts';

const saveDelayMs = 1000;
/** Each message is added to a search index: more than this at once would delay key presses. */
const batchSize = 40;

/** More saved messages than this are removed instead of changed. */
const maxUpdated = 500;

/** Saves every message that was seen, in its current version, for the next start and for offline search. */
export class MessageSaver {
  readonly #context: SessionContext;
  #saved: SortedMap<number, Message> = SortedMap.empty();
  readonly #timer: QuietTimer;
  /** Messages still to be written, oldest first. */
  #unsaved: Message[] = [];
  #run: Promise<void> = Promise.resolve();
  #isDraining = false;
  #hasFailed = false;
  readonly #onSaved: (saved: SortedMap<number, Message>) => void;

  /** `onSaved` runs after each write with all messages whose versions are on disk. */
  constructor(context: SessionContext, onSaved: (saved: SortedMap<number, Message>) => void) {
    this.#context = context;
    this.#timer = new QuietTimer(context);
    this.#onSaved = onSaved;
    // Messages loaded at the start came from disk.
    this.#saved = context.cache.base.messages.byId;
  }

  scheduleSave(): void {
    this.#timer.start(saveDelayMs, () => {
      this.#collect();
      if (!this.#isDraining) this.#run = this.#drain();
    });
  }

  /** Postpones saving while the user is typing. */
  noteActivity(): void {
    this.#timer.noteActivity();
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
    this.stop();
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

  stop(): void {
    this.#timer.stop();
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
