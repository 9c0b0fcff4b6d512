import type {AccountStore} from '#state/account-store.ts';
import {guardBackgroundTask} from '#state/guard-background-task.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {formatStamp} from '#state/persistence/saved-slices.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import type {ServerEvent} from '#wire/events.ts';
import {MessageSaver} from './message-saver.ts';
import {savedSliceNames, sliceDecoders} from './saved-slices.ts';
import {StateSaver} from './state-saver.ts';

/** Enough for what one sees first; the rest of the disk is there for searching. */
const messagesAtStart = 2000;

/** Keeps what is known, so that the next start has something to show before the network answers. */
export class Persistence {
  readonly #snapshot: StateSaver;
  readonly #messages: MessageSaver;

  constructor(context: SessionContext) {
    const {cache, signal} = context;
    this.#snapshot = new StateSaver(context);
    this.#messages = new MessageSaver(context);
    const quit = [
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
    ];
    const quitAll = () => {
      for (const leave of quit) leave();
    };
    signal.addEventListener('abort', quitAll, {once: true});
  }

  /** Every batch of events. */
  onEvents(events: readonly ServerEvent[]): void {
    this.#messages.onEvents(events);
  }

  /** After the state of a new registration is in. */
  onRegistered(): void {
    this.#snapshot.onRegistered();
  }

  /** Somebody is at the keys. */
  noteActivity(): void {
    this.#snapshot.noteActivity();
  }

  /** Before the end: all of it, at once. */
  beforeStop(): void {
    this.#messages.saveNow();
    this.#snapshot.saveNow();
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await Promise.all([this.#snapshot.idle(), this.#messages.idle()]);
  }
}

/** What the disk remembers, to be shown until the server is heard; undefined when there is nothing that can be used. */
export function restoreState(store: Pick<AccountStore, 'savedState' | 'messages'>): AccountState | undefined {
  const saved = store.savedState.load();
  if (saved === undefined || saved.parts.format !== formatStamp) return undefined;
  const slices: Record<string, unknown> = {};
  for (const name of savedSliceNames) {
    const slice = sliceDecoders[name](parsed(saved.parts[name]));
    if (slice === undefined) return undefined;
    slices[name] = slice;
  }
  const known: AccountState = {
    ...initialState,
    ...slices, // Each is what its decoder says it is.
    connection: {phase: 'starting', savedAt: saved.savedAt},
  };
  return {...known, messages: withMessages(initialState.messages, store.messages.newest(messagesAtStart))};
}

/** Among all messages ever seen on this machine, as far as they are kept; newest first. */
export function searchSavedMessages(
  store: Pick<AccountStore, 'messages'>,
  query: string,
  limit = 100,
): readonly Message[] {
  return store.messages.search(query, limit);
}

function parsed(json: string | undefined): unknown {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
