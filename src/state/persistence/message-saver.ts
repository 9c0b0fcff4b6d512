import {guardBackgroundTask} from '#state/guard-background-task.ts';
import type {Message} from '#state/model/message.ts';
import type {SessionContext} from '#state/session-context.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {deletedIds} from '#wire/events/delete-message.ts';
import {isRenderingOnly} from '#wire/events/update-message.ts';
import type {UpdateMessageFlagsEvent} from '#wire/events/update-message-flags.ts';
import type {ServerEvent} from '#wire/events.ts';
import {yieldToEventLoop} from './yield-to-event-loop.ts';

const soonMs = 1000;
/** Each goes into a search index: more than this at once would be felt by whoever is typing. */
const batchSize = 200;

/** Keeps every message that was seen, as it is now, for the next start and for searching without a server. */
export class MessageSaver {
  readonly #context: SessionContext;
  #saved: SortedMap<number, Message> = SortedMap.empty();
  #cancelTimer: (() => void) | undefined;
  /** Still to be written, oldest first. */
  #waiting: Message[] = [];
  #run: Promise<void> = Promise.resolve();
  #isDraining = false;

  constructor(context: SessionContext) {
    this.#context = context;
    // What is loaded at the start came from there.
    this.#saved = context.cache.base.messages.byId;
  }

  scheduleSave(): void {
    const task = guardBackgroundTask(this.#context, () => {
      this.#collect();
      if (!this.#isDraining) this.#run = this.#drain();
    });
    this.#cancelTimer ??= this.#context.clock.after(soonMs, task);
  }

  /** At once, for the last time. */
  saveNow(): void {
    this.#collect();
    const {store} = this.#context;
    if (this.#waiting.length > 0) store.messages.save(this.#waiting.splice(0));
  }

  /** Resolves when nothing is being written. */
  idle(): Promise<void> {
    return this.#run;
  }

  #collect(): void {
    this.stop();
    const {byId} = this.#context.cache.base.messages;
    // What is no longer loaded is still worth keeping; what was deleted is told by an event.
    byId.changesSince(this.#saved, (_id, now) => {
      if (now !== undefined) this.#waiting.push(now);
    });
    this.#saved = byId;
  }

  async #drain(): Promise<void> {
    const {store, signal} = this.#context;
    this.#isDraining = true;
    while (this.#waiting.length > 0 && !signal.aborted) {
      store.messages.save(this.#waiting.splice(0, batchSize));
      if (this.#waiting.length > 0) await yieldToEventLoop();
    }
    this.#isDraining = false;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** What happens to messages that are on disk only. */
  onEvents(events: readonly ServerEvent[]): void {
    const {store} = this.#context;
    for (const event of events) {
      if (event.type === 'delete_message') this.#forget(deletedIds(event));
      else if (event.type === 'update_message' && !isRenderingOnly(event)) {
        // Out of date now, and not worth the work of bringing it up to date.
        store.messages.remove(this.#notLoaded(event.message_ids));
      } else if (event.type === 'update_message_flags') this.#flag(event);
    }
  }

  #flag({op, flag, messages}: UpdateMessageFlagsEvent): void {
    // What is unread is the state's to know.
    if (flag === 'read') return;
    const {store} = this.#context;
    const kept = store.messages.byIds(this.#notLoaded(messages));
    const changed = kept
      .filter(({flags}) => flags.includes(flag) !== (op === 'add'))
      .map((message): Message => {
        const others = message.flags.filter((other) => other !== flag);
        return {...message, flags: op === 'add' ? [...others, flag] : others};
      });
    if (changed.length > 0) store.messages.save(changed);
  }

  #forget(ids: readonly number[]): void {
    const gone = new Set(ids);
    this.#waiting = this.#waiting.filter(({id}) => !gone.has(id));
    this.#context.store.messages.remove(ids);
  }

  #notLoaded(ids: readonly number[]): number[] {
    const {byId} = this.#context.cache.base.messages;
    return ids.filter((id) => !byId.has(id));
  }
}
