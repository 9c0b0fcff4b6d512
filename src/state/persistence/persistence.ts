import type {AccountStore} from '#state/account-store.ts';
import {disposeOnAbort, guardBackgroundTask} from '#state/guard-background-task.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {formatStamp} from '#state/persistence/saved-slices.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import type {SortedMap} from '#std/sorted-map.ts';
import type {ServerEvent} from '#wire/events.ts';
import {MessageSaver} from './message-saver.ts';
import {savedSliceNames, sliceFromText} from './saved-slices.ts';
import {StateSaver} from './state-saver.ts';

/** Enough for the first views; the rest of the saved messages serves search. */
const messagesAtStart = 2000;

/** Saves the state and the messages, so that the next start can show them before the server responds. */
export class Persistence {
  readonly #snapshot: StateSaver;
  readonly #messages: MessageSaver;

  /** `onSaved` runs after messages were written, with all whose versions are on disk. */
  constructor(context: SessionContext, onSaved: (saved: SortedMap<number, Message>) => void) {
    const {cache, signal} = context;
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
