import {mayHideChannels} from '#state/events/channel-access.ts';
import type {Message} from '#state/model/message.ts';
import {canReadChannel} from '#state/selectors/permissions/channel-permissions.ts';
import type {SessionContext} from '#state/session-context.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {deletedIds} from '#wire/events/delete-message.ts';
import {isRenderingOnly} from '#wire/events/update-message.ts';
import type {UpdateMessageFlagsEvent} from '#wire/events/update-message-flags.ts';
import type {ServerEvent} from '#wire/events.ts';
import {QuietTimer} from './quiet-timer.ts';
import {yieldToEventLoop} from './yield-to-event-loop.ts';

const saveDelayMs = 1000;
/** Each message is added to a search index: more than this at once would delay key presses. */
const batchSize = 40;

/** Saves every message that was seen, in its current version, for the next start and for offline search. */
export class MessageSaver {
  readonly #context: SessionContext;
  #saved: SortedMap<number, Message> = SortedMap.empty();
  readonly #timer: QuietTimer;
  /** Messages still to be written, oldest first. */
  #unsaved: Message[] = [];
  #run: Promise<void> = Promise.resolve();
  #isDraining = false;

  constructor(context: SessionContext) {
    this.#context = context;
    this.#timer = new QuietTimer(context);
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
  }

  /** Saves the next messages, except those that were removed meanwhile. */
  #save(count: number): void {
    const {store, cache} = this.#context;
    const messages = this.#unsaved.splice(0, count).filter(({id}) => cache.base.messages.byId.has(id));
    if (messages.length > 0) store.messages.save(messages);
  }

  stop(): void {
    this.#timer.stop();
  }

  /** Updates messages that are on disk but not loaded. */
  onEvents(events: readonly ServerEvent[]): void {
    const {store} = this.#context;
    for (const event of events) {
      if (event.type === 'delete_message') store.messages.remove(deletedIds(event));
      else if (event.type === 'update_message' && !isRenderingOnly(event)) {
        // The saved copy is outdated, and not worth updating.
        store.messages.remove(this.#notLoaded(event.message_ids));
      } else if (event.type === 'update_message_flags') this.#updateFlag(event);
    }
    if (events.some(mayHideChannels)) this.removeHidden();
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

  #updateFlag({op, flag: updateFlag, messages}: UpdateMessageFlagsEvent): void {
    // Unread state is not part of saved messages.
    if (updateFlag === 'read') return;
    const {store} = this.#context;
    const saved = store.messages.byIds(this.#notLoaded(messages));
    const changed = saved
      .filter(({flags}) => flags.includes(updateFlag) !== (op === 'add'))
      .map((message): Message => {
        const others = message.flags.filter((other) => other !== updateFlag);
        return {...message, flags: op === 'add' ? [...others, updateFlag] : others};
      });
    if (changed.length > 0) store.messages.save(changed);
  }

  #notLoaded(ids: readonly number[]): number[] {
    const {byId} = this.#context.cache.base.messages;
    return ids.filter((id) => !byId.has(id));
  }
}
