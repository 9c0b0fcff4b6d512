import {
  type ConversationUnreadIds,
  type FlagsAction,
  groupByConversation,
  type MarkOlderReadAction,
} from '#state/actions/message-flags.ts';
import {messagesRequest} from '#state/fetches/fetch-page.ts';
import {narrowIs} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import {keyedUnreadMessage} from '#state/unreads/keyed-unread-message.ts';
import {encodePendingChange, type PendingChange} from './pending-change-sender.ts';

/** The result: how many messages were marked read, and what prevented more. */
export interface OlderReadOutcome {
  readonly count: number;
  /** A sentence for the user. */
  readonly problem: string | undefined;
}

interface OlderReadWaiter {
  readonly resolve: (outcome: OlderReadOutcome) => void;
  readonly onPage: (count: number) => void;
}

/** The maximum number of messages per request. */
const pageSize = 1000;
/** Longer than any marking can be undone. */
const maxAgeMs = 14 * 24 * 3_600_000;

const indexKey = 'older';
const pageKey = (id: string, page: number) => `older ${id} ${page}`;

interface OlderReadPage {
  readonly places: readonly ConversationUnreadIds[];
  /** The oldest message on the page; undefined when it is empty. */
  readonly oldest: number | undefined;
  /** No older page exists. */
  readonly isLast: boolean;
}

/**
 * Marks the unread messages of a view up to a given one as read, page by page, and stores which messages
 * these were, so that undo restores exactly those.
 */
export class OlderReadMarker {
  readonly #context: SessionContext;
  /** The number of pages that this process has marked, by action. */
  readonly #marked = new Map<string, number>();
  readonly #waiters = new Map<string, OlderReadWaiter>();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** Registers an action, whose pages are stored for as long as it can be undone; expired ones are removed. */
  register(id: string, pendingIds: ReadonlySet<string>): void {
    const {clock, store} = this.#context;
    const isExpired = (entry: RegisteredMarking) => entry.at < clock.now() - maxAgeMs && !pendingIds.has(entry.id);
    const all = this.#registered();
    const keyValues = new Map<string, string | undefined>();
    for (const entry of all.filter(isExpired))
      for (const name of this.#pageKeys(entry.id)) keyValues.set(name, undefined);
    const remaining = all.filter((entry) => !isExpired(entry));
    store.keyValues.setAll(keyValues.set(indexKey, JSON.stringify([...remaining, {id, at: clock.now()}])));
  }

  /**
   * Marks the next page; returns true when nothing is left to do. When the action was undone meanwhile, the
   * next call finds out.
   */
  async markNextPage(record: PendingChange, action: MarkOlderReadAction): Promise<boolean> {
    if (action.isTakenBack) return true;
    // The page is on disk, but perhaps not marked: the process that wrote it may have died in between.
    await this.#markPage(action);
    if (action.isNamed) return true;
    const page = await this.#fetchUnreadPage(action);
    if (page.oldest === undefined) return true;
    const next: MarkOlderReadAction = {
      ...action,
      before: page.oldest,
      pages: action.pages + 1,
      isNamed: page.isLast,
    };
    const keyValues = new Map([[pageKey(action.id, action.pages), JSON.stringify(page.places)]]);
    if (!this.#context.store.pendingChanges.replace(record, encodePendingChange(next, record.inverse), keyValues))
      return false;
    await this.#markPage(next);
    if (!next.isNamed) this.#waiters.get(next.id)?.onPage(this.inverse(next.id).ids.length);
    return next.isNamed;
  }

  /** Stops the action. Pages in flight at that moment count as marked. */
  stop(record: PendingChange, action: MarkOlderReadAction): boolean {
    const body = encodePendingChange({...action, isTakenBack: true}, record.inverse);
    return this.#context.store.pendingChanges.replace(record, body);
  }

  /** Returns the action that makes exactly the marked messages unread again. */
  inverse(id: string): FlagsAction {
    const places = this.#pageKeys(id).flatMap((name) => this.#readPage(name) ?? []);
    return {kind: 'flags', op: 'remove', flag: 'read', ids: places.flatMap(({ids}) => ids), places};
  }

  remove(id: string): void {
    const remaining = this.#registered().filter((entry) => entry.id !== id);
    const keyValues = new Map<string, string | undefined>([[indexKey, JSON.stringify(remaining)]]);
    for (const name of this.#pageKeys(id)) keyValues.set(name, undefined);
    this.#context.store.keyValues.setAll(keyValues);
    this.#marked.delete(id);
    this.#waiters.delete(id);
  }

  /**
   * Resolves when the action finishes; never, when it is undone or another process runs it. `onPage` gets the number of marked
   * messages after each page but the last.
   */
  outcome(id: string, onPage: (count: number) => void): Promise<OlderReadOutcome> {
    return new Promise((resolve) => this.#waiters.set(id, {resolve, onPage}));
  }

  /** Reports the end of an action. Returns false when no caller waits: an earlier process started it. */
  finish({id}: MarkOlderReadAction, problem: string | undefined): boolean {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    this.#marked.delete(id);
    waiter?.resolve({count: this.inverse(id).ids.length, problem});
    return waiter !== undefined;
  }

  async #markPage({id, pages}: MarkOlderReadAction): Promise<void> {
    const {api, signal} = this.#context;
    if (pages === 0 || this.#marked.get(id) === pages) return;
    const messages = (this.#readPage(pageKey(id, pages - 1)) ?? []).flatMap(({ids}) => ids);
    if (messages.length > 0) await api.updateFlags({messages, op: 'add', flag: 'read'}, {signal});
    this.#marked.set(id, pages);
  }

  async #fetchUnreadPage({narrow, before}: MarkOlderReadAction): Promise<OlderReadPage> {
    const {cache, signal} = this.#context;
    const range = {anchor: before - 1, num_before: pageSize - 1, num_after: 0};
    const terms = [...narrow, ...narrowIs('unread')];
    const response = await messagesRequest(this.#context, {...range, narrow: terms})(signal);
    const {state} = cache;
    const older = response.messages.filter(({id}) => id < before);
    const unread = older.filter(({flags}) => !flags.includes('read'));
    return {
      places: groupByConversation(unread.map((wire) => keyedUnreadMessage(state, wire))),
      oldest: older[0]?.id,
      isLast: response.found_oldest === true,
    };
  }

  #pageKeys(id: string): readonly string[] {
    const keys: string[] = [];
    while (this.#context.store.keyValues.get(pageKey(id, keys.length)) !== undefined)
      keys.push(pageKey(id, keys.length));
    return keys;
  }

  /** The JSON is trusted, because only this class writes it. */
  #readPage(name: string): readonly ConversationUnreadIds[] | undefined {
    const json = this.#context.store.keyValues.get(name);
    return json === undefined ? undefined : JSON.parse(json);
  }

  #registered(): readonly RegisteredMarking[] {
    const json = this.#context.store.keyValues.get(indexKey);
    return json === undefined ? [] : JSON.parse(json);
  }
}

interface RegisteredMarking {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
