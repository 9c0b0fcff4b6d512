import type {MarkOlderReadAction} from '#state/actions/mark-older-read.ts';
import {
  type ConversationUnreadIds,
  type FlagsAction,
  groupByConversation,
} from '#state/actions/message-flags.ts';
import {messagesRequest} from '#state/fetches/fetch-page.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {mentionsUser} from '#state/messages/mentions.ts';
import {messageFromWire} from '#state/model/message.ts';
import {narrowIs} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import {encodePendingChange, type PendingChange} from './pending-change.ts';

/** How it ended: how many messages were marked read, and what was in the way of more. */
export interface OlderReadOutcome {
  readonly count: number;
  /** A sentence for the user. */
  readonly problem: string | undefined;
}

/** As many as go in one request. */
const perPage = 1000;
/** Longer than anybody can take something back. */
const longestMs = 14 * 24 * 3_600_000;

const indexNote = 'older';
const pageNote = (id: string, page: number) => `older ${id} ${page}`;

interface OlderReadPage {
  readonly places: readonly ConversationUnreadIds[];
  /** Of what is on it; undefined when that is nothing. */
  readonly oldest: number | undefined;
  /** Nothing older is left to ask for. */
  readonly isLast: boolean;
}

/** Marks read what is unread up to a message, page by page, and knows from its notes which messages these were. */
export class OlderReadMarker {
  readonly #context: SessionContext;
  /** How many pages this program has marked of each. */
  readonly #marked = new Map<string, number>();
  readonly #awaited = new Map<string, (outcome: OlderReadOutcome) => void>();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** What its notes say is needed for as long as it can be taken back; notes of long ago make room. */
  register(id: string, waiting: ReadonlySet<string>): void {
    const {clock, store} = this.#context;
    const isOver = (one: RegisteredMarking) => one.at < clock.now() - longestMs && !waiting.has(one.id);
    const all = this.#enlisted();
    const notes = new Map<string, string | undefined>();
    for (const one of all.filter(isOver))
      for (const name of this.#pageNotes(one.id)) notes.set(name, undefined);
    const left = all.filter((one) => !isOver(one));
    store.keyValues.setAll(notes.set(indexNote, JSON.stringify([...left, {id, at: clock.now()}])));
  }

  /** Marks the next page; true when nothing is left to do. What was taken back meanwhile is left for the next time. */
  async markNextPage(record: PendingChange, action: MarkOlderReadAction): Promise<boolean> {
    if (action.isTakenBack) return true;
    // On disk, and perhaps not with the server: the program that wrote it may have ended there.
    await this.#mark(action);
    if (action.isNamed) return true;
    const page = await this.#ask(action);
    if (page.oldest === undefined) return true;
    const next: MarkOlderReadAction = {
      ...action,
      before: page.oldest,
      pages: action.pages + 1,
      isNamed: page.isLast,
    };
    const notes = new Map([[pageNote(action.id, action.pages), JSON.stringify(page.places)]]);
    if (!this.#context.store.pendingChanges.replace(record, encodePendingChange(next, record.inverse), notes))
      return false;
    await this.#mark(next);
    return next.isNamed;
  }

  /** Nothing more is asked for or marked. What was in the air by then is among what was marked. */
  stop(record: PendingChange, action: MarkOlderReadAction): boolean {
    const body = encodePendingChange({...action, isTakenBack: true}, record.inverse);
    return this.#context.store.pendingChanges.replace(record, body);
  }

  /** Makes unread again what was marked so far, and nothing else. */
  inverse(id: string): FlagsAction {
    const places = this.#pageNotes(id).flatMap((name) => this.#page(name) ?? []);
    return {kind: 'flags', op: 'remove', flag: 'read', ids: places.flatMap(({ids}) => ids), places};
  }

  forget(id: string): void {
    const left = this.#enlisted().filter((one) => one.id !== id);
    const notes = new Map<string, string | undefined>([[indexNote, JSON.stringify(left)]]);
    for (const name of this.#pageNotes(id)) notes.set(name, undefined);
    this.#context.store.keyValues.setAll(notes);
    this.#marked.delete(id);
    this.#awaited.delete(id);
  }

  /** Never settles when it is taken back, or when another program does it. */
  outcome(id: string): Promise<OlderReadOutcome> {
    return new Promise((resolve) => this.#awaited.set(id, resolve));
  }

  /** False when nobody waits to hear of it: it was begun by a program before this one. */
  finish({id}: MarkOlderReadAction, problem: string | undefined): boolean {
    const resolve = this.#awaited.get(id);
    this.#awaited.delete(id);
    this.#marked.delete(id);
    resolve?.({count: this.inverse(id).ids.length, problem});
    return resolve !== undefined;
  }

  async #mark({id, pages}: MarkOlderReadAction): Promise<void> {
    const {api, signal} = this.#context;
    if (pages === 0 || this.#marked.get(id) === pages) return;
    const messages = (this.#page(pageNote(id, pages - 1)) ?? []).flatMap(({ids}) => ids);
    if (messages.length > 0) await api.updateFlags({messages, op: 'add', flag: 'read'}, {signal});
    this.#marked.set(id, pages);
  }

  async #ask({narrow, before}: MarkOlderReadAction): Promise<OlderReadPage> {
    const {cache, signal} = this.#context;
    const range = {anchor: before - 1, num_before: perPage - 1, num_after: 0};
    const terms = [...narrow, ...narrowIs('unread')];
    const answer = await messagesRequest(this.#context, {...range, narrow: terms})(signal);
    const {state} = cache;
    const found = answer.messages.filter(({id}) => id < before);
    const unread = found.filter(({flags}) => !flags.includes('read'));
    const placed = unread.map((wire) => {
      const message = messageFromWire(wire, wire.flags, state.self.userId);
      const {id, flags, conversationKey: key} = message;
      const conversation = conversationOf(message);
      return {id, key, conversation, isMention: mentionsUser(state, flags, conversation)};
    });
    return {
      places: groupByConversation(placed),
      oldest: found[0]?.id,
      isLast: answer.found_oldest === true,
    };
  }

  #pageNotes(id: string): readonly string[] {
    const names: string[] = [];
    while (this.#context.store.keyValues.get(pageNote(id, names.length)) !== undefined)
      names.push(pageNote(id, names.length));
    return names;
  }

  /** Only we write these. */
  #page(name: string): readonly ConversationUnreadIds[] | undefined {
    const json = this.#context.store.keyValues.get(name);
    return json === undefined ? undefined : JSON.parse(json);
  }

  #enlisted(): readonly RegisteredMarking[] {
    const json = this.#context.store.keyValues.get(indexNote);
    return json === undefined ? [] : JSON.parse(json);
  }
}

interface RegisteredMarking {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
