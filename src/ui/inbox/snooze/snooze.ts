import {type ConversationKey, directKey} from '#state/model/conversation.ts';
import type {Unreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {isRecord} from '#std/parse-json.ts';

/** The time at which a snoozed conversation returns. The kinds are the names on disk. */
export type SnoozeUntil =
  /** Returns when nothing else is unread, or in the next session. */
  | {readonly kind: 'session'}
  /** Milliseconds since the epoch. */
  | {readonly kind: 'time'; readonly at: number}
  | {readonly kind: 'message'}
  /** Returns with a message of this person after `afterId`, in the conversation or directly to the user. */
  | {readonly kind: 'person'; readonly userId: number; readonly afterId: number}
  /** The snooze is over; the conversation stays marked until it is read. */
  | {readonly kind: 'back'};

/** A snoozed conversation. It stays unread on the server: only this program's inbox hides it. */
export interface Snooze {
  readonly key: ConversationKey;
  readonly until: SnoozeUntil;
  /** The newest unread message when it was snoozed: later ones are new. */
  readonly newestId: number;
  /** The time of the snooze, in milliseconds since the epoch. */
  readonly since: number;
}

export type Snoozes = ReadonlyMap<ConversationKey, Snooze>;

/** What decides whether a snooze is over. */
export type SnoozeFacts = Pick<AccountState, 'unreads' | 'messages'>;

/**
 * Whether the inbox hides the conversation. A mention is never hidden, nor are messages that arrived after
 * all snoozed ones were read.
 */
export function isSnoozed(facts: SnoozeFacts, entry: Snooze, now: number): boolean {
  const {unreads} = facts;
  const {until, newestId, key} = entry;
  if (!isStillUnread(unreads, entry)) return false;
  switch (until.kind) {
    case 'back':
      return false;
    case 'time':
      if (until.at <= now) return false;
      break;
    case 'message':
      if ((unreads.conversations.get(key)?.ids.last() ?? 0) > newestId) return false;
      break;
    case 'person':
      if (hasWrittenSince(facts, until, key)) return false;
      break;
    case 'session':
      break;
  }
  return !isMentionedSince(unreads, entry);
}

/**
 * Whether the person has written. Senders of messages that are not loaded are unknown; each registration loads the newest
 * messages of all conversations.
 */
function hasWrittenSince(
  {unreads, messages}: SnoozeFacts,
  {userId, afterId}: Extract<SnoozeUntil, {kind: 'person'}>,
  key: ConversationKey,
): boolean {
  const direct = directKey([userId]);
  if ((unreads.conversations.get(direct)?.ids.last() ?? 0) > afterId) return true;
  return [key, direct].some((one) => {
    const ids = messages.byConversation.get(one)?.from(afterId + 1) ?? [];
    return Iterator.from(ids).some((id) => messages.byId.get(id)?.senderId === userId);
  });
}

/** Whether some of the snoozed messages are still unread. */
function isStillUnread({conversations}: Unreads, {key, newestId}: Snooze): boolean {
  const first = conversations.get(key)?.ids.first();
  return first !== undefined && first <= newestId;
}

function isMentionedSince({mentions, byId}: Unreads, {key, newestId}: Snooze): boolean {
  for (const id of mentions.from(newestId + 1)) if (byId.get(id) === key) return true;
  return false;
}

export function withSnoozes(snoozes: Snoozes, entries: readonly Snooze[]): Snoozes {
  if (entries.length === 0) return snoozes;
  return new Map([...snoozes, ...entries.map((entry) => [entry.key, entry] as const)]);
}

export function withoutSnoozes(snoozes: Snoozes, keys: readonly ConversationKey[]): Snoozes {
  if (!keys.some((key) => snoozes.has(key))) return snoozes;
  const left = new Map(snoozes);
  for (const key of keys) left.delete(key);
  return left;
}

/** Ends the snoozes of these conversations. */
export function endSnoozes(snoozes: Snoozes, keys: readonly ConversationKey[]): Snoozes {
  return withSnoozes(snoozes, keys.flatMap((key) => snoozes.get(key) ?? []).map(ended));
}

/** Ends the snoozes until the end of the session that were set before a time. */
export function wakeSessionSnoozes(snoozes: Snoozes, before: number): Snoozes {
  const due = [...snoozes.values()].filter(({until, since}) => until.kind === 'session' && since < before);
  return withSnoozes(snoozes, due.map(ended));
}

function ended(entry: Snooze): Snooze {
  return {...entry, until: {kind: 'back'}};
}

/**
 * Updates the snoozes to the current unread messages: removes those of read conversations, renames those of
 * renamed topics, and marks those that are due as over, so that they stay over whatever happens to the clock
 * or the message. Returns the same object when nothing changes.
 */
export function refreshSnoozes(snoozes: Snoozes, facts: SnoozeFacts, now: number): Snoozes {
  const {unreads} = facts;
  const before = [...snoozes.values()];
  const after = before.flatMap((entry) => {
    const current = isStillUnread(unreads, entry) ? entry : movedSnooze(snoozes, unreads, entry);
    if (current === undefined) return [];
    return current.until.kind === 'back' || isSnoozed(facts, current, now) ? [current] : [ended(current)];
  });
  const isSame = after.length === before.length && after.every((entry, at) => entry === before[at]);
  return isSame ? snoozes : new Map(after.map((entry) => [entry.key, entry]));
}

/**
 * Returns the snooze under the key of the conversation to which all its messages moved, unless that one has
 * its own snooze.
 */
function movedSnooze(snoozes: Snoozes, unreads: Unreads, entry: Snooze): Snooze | undefined {
  const key = unreads.byId.get(entry.newestId);
  return key === undefined || snoozes.has(key) ? undefined : {...entry, key};
}

/** Parses a saved snooze; returns nothing for what cannot be parsed. */
export function parseSnooze(value: unknown): readonly Snooze[] {
  if (!isRecord(value)) return [];
  const {key, until, newestId, since} = value;
  const when = parseUntil(until);
  if (typeof key !== 'string' || typeof newestId !== 'number' || when === undefined) return [];
  return [{key, until: when, newestId, since: typeof since === 'number' ? since : 0}];
}

function parseUntil(value: unknown): SnoozeUntil | undefined {
  if (!isRecord(value)) return undefined;
  const {kind, at, userId, afterId} = value;
  if (kind === 'time') return typeof at === 'number' ? {kind, at} : undefined;
  if (kind === 'person' && typeof userId === 'number' && typeof afterId === 'number') return {kind, userId, afterId};
  return kind === 'session' || kind === 'message' || kind === 'back' ? {kind} : undefined;
}
