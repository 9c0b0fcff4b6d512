import type {Reply} from '#test/support/api-client.ts';
import {type OracleState, tokensIn, type VisibilityOracle} from './visibility-oracle.ts';

/** Inspects all data that a user receives and records what the user should not see. */
export class LeakInspector {
  readonly #oracle: VisibilityOracle;
  readonly problems: string[] = [];
  /** What each viewer received since the latest observation, and between it and the one before. */
  readonly #heard = new Map<
    number,
    {readonly state: OracleState; readonly events: readonly Reply[]; readonly sinceBefore: readonly Reply[]}
  >();

  constructor(oracle: VisibilityOracle) {
    this.#oracle = oracle;
  }

  /** Inspects a response; `ownText` is text of the request, which the response may repeat. */
  answer(viewer: number, where: string, body: unknown, ownText = ''): void {
    this.#search(viewer, where, body, [this.#oracle.now], new Set(tokensIn(ownText)));
  }

  event(viewer: number, event: Reply): void {
    const moments = [this.#oracle.before, this.#oracle.now];
    const where = `event ${JSON.stringify(event)}`;
    this.#search(viewer, where, event, moments, new Set());
    this.#checkRecipient(viewer, where, event, moments);
  }

  /** Checks that messages which became unreadable were deleted by events. */
  disappearance(viewer: number, events: readonly Reply[]): void {
    const {before, now} = this.#oracle;
    const deleted = new Set(
      events.flatMap(({message_ids = [], type}) => (type === 'delete_message' ? message_ids : [])),
    );
    const lost = new Set(events.flatMap(channelsLost));
    const changedRole = events.some(({person}) => person?.user_id === viewer && person.role !== undefined);
    for (const {id, channel} of before.messages.values()) {
      const had = channel === null || before.subscribed.has(`${viewer}:${channel}`);
      if (!had || !this.#oracle.reads(before, viewer, id) || this.#oracle.reads(now, viewer, id)) continue;
      const stayed = now.messages.get(id)?.channel === channel;
      const told = deleted.has(id) || (stayed && (lost.has(channel ?? 0) || changedRole));
      this.expect(viewer, told, `keeps message ${id} after ${JSON.stringify(events)}`);
    }
  }

  /**
   * Checks that changes of messages which the viewer could read before and after were told by events, now or since the
   * observation before: the server sends reminders and scheduled messages by itself, also while events are fetched.
   */
  changes(viewer: number, newEvents: readonly Reply[]): void {
    const {before, now} = this.#oracle;
    const known = this.#heard.get(viewer);
    const isSame = known?.state === now;
    const sinceBefore = isSame ? known.sinceBefore : (known?.events ?? []);
    const events = [...(isSame ? known.events : []), ...newEvents];
    this.#heard.set(viewer, {state: now, events, sinceBefore});
    const told = (id: number, ...types: string[]) =>
      [...sinceBefore, ...events].some(
        ({type, message_id, message_ids, message}) =>
          types.includes(type) && [message?.id, message_id, ...(message_ids ?? [])].includes(id),
      );
    for (const message of now.messages.values()) {
      const {id} = message;
      const old = before.messages.get(id);
      if (!this.#oracle.hears(now, viewer, id)) continue;
      const expectTold = (isChanged: boolean, ...types: string[]) =>
        this.expect(
          viewer,
          !isChanged || told(id, ...types),
          `misses ${types[0]} of ${id} in ${JSON.stringify(events)}`,
        );
      expectTold(old === undefined, 'message');
      if (old === undefined || !this.#oracle.hears(before, viewer, id)) continue;
      expectTold(old.text !== message.text, 'update_message');
      expectTold(old.topic !== message.topic || old.channel !== message.channel, 'update_message');
      expectTold(old.reactions !== message.reactions, 'reaction');
      expectTold(old.votes !== message.votes, 'submessage');
    }
  }

  expect(viewer: number, holds: boolean, sentence: string): void {
    if (!holds) this.problems.push(`${this.#name(viewer)}: ${sentence}`);
  }

  #search(
    viewer: number,
    where: string,
    value: unknown,
    moments: readonly OracleState[],
    allowed: ReadonlySet<string>,
    isText = false,
  ): void {
    if (typeof value === 'string') {
      for (const token of tokensIn(value)) {
        // A user name in a message's text is part of the message.
        if (allowed.has(token) || (isText && token.startsWith('xnam'))) continue;
        if (!this.#oracle.mayKnow(viewer, token, moments)) this.#leak(viewer, token, where);
      }
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const record = value as Reply;
    if (typeof record.id === 'number' && 'sender_id' in record && 'display_recipient' in record) {
      this.#expectReadable(viewer, where, [record.id], moments);
    }
    const bySystem = this.#oracle.now.systemBots.has(record.sender_id);
    for (const [key, inner] of Object.entries(record)) {
      if (texts.has(key) && bySystem) continue;
      this.#search(viewer, where, key, moments, allowed);
      this.#search(viewer, where, inner, moments, allowed, isText || texts.has(key));
    }
  }

  /** Checks that the viewer was allowed to receive the event. */
  #checkRecipient(viewer: number, where: string, event: Reply, moments: readonly OracleState[]): void {
    const oracle = this.#oracle;
    const ids: number[] = [event.message?.id, event.message_id, ...(event.message_ids ?? [])];
    const own = event.type === 'update_message_flags' && event.op === 'add' && event.flag === 'read';
    if (event.type === 'update_message_flags' && !own) ids.push(...event.messages);
    const known = ids.filter((id) => id !== undefined);
    this.#expectReadable(viewer, where, known, event.type === 'delete_message' ? [oracle.before] : moments);
    if (event.type === 'message' || (event.type === 'update_message' && event.content !== undefined)) {
      this.#expectReadable(viewer, where, known, [oracle.now]);
    }
    if (event.type === 'stream' || event.type === 'subscription') {
      const channels: number[] = [
        ...(event.stream_id === undefined ? [] : [event.stream_id]),
        ...(event.stream_ids ?? []),
        ...(event.streams ?? event.subscriptions ?? []).map((channel: Reply) => channel.stream_id),
      ];
      for (const id of channels) {
        const sees = moments.some((state) => oracle.seesChannel(state, viewer, id));
        this.expect(viewer, sees, `hears of channel ${id}: ${where}`);
      }
    }
    if (event.type === 'typing' && event.stream_id !== undefined) {
      this.expect(viewer, oracle.readsChannel(oracle.now, viewer, event.stream_id), where);
    }
    if (event.type === 'typing' && event.recipients !== undefined) {
      this.expect(
        viewer,
        event.recipients.some((one: Reply) => one.user_id === viewer),
        where,
      );
    }
    const subject = event.user_id ?? event.person?.user_id;
    const isPlaceholder = event.person?.full_name === 'Unknown user';
    if (['user_status', 'realm_user'].includes(event.type) && !isPlaceholder) {
      const knows = moments.some((state) => oracle.knowsUser(state, viewer, subject));
      this.expect(viewer, knows, `hears of user ${subject}: ${where}`);
    }
  }

  #expectReadable(viewer: number, where: string, ids: readonly number[], moments: readonly OracleState[]): void {
    for (const id of ids) {
      const reads = moments.some((state) => this.#oracle.reads(state, viewer, id));
      this.expect(viewer, reads, `gets message ${id} in ${where}`);
    }
  }

  #leak(viewer: number, token: string, where: string): void {
    this.problems.push(`${this.#name(viewer)} learns ${token} from ${where}`);
  }

  #name(viewer: number): string {
    return this.#oracle.now.users.get(viewer)?.name ?? String(viewer);
  }
}

/** Returns the channels that an event removes from its reader or whose history it closes. */
function channelsLost(event: Reply): number[] {
  if (event.type === 'stream' && event.op === 'delete') return event.stream_ids;
  if (event.type === 'stream' && event.property === 'invite_only') return [event.stream_id];
  if (event.type !== 'subscription' || event.op !== 'remove') return [];
  return event.subscriptions.map((channel: Reply) => channel.stream_id);
}

const texts = new Set([
  'content',
  'rendered_content',
  'raw_content',
  'match_content',
  'orig_content',
  'orig_rendered_content',
  'prev_content',
  'prev_rendered_content',
]);
