import type {ConversationKey} from '#state/model/conversation.ts';
import type {Unreads} from '#state/model/unread.ts';

/** When a conversation that was put off comes back. */
export type SnoozeUntil =
  /** When nothing else is left to look at, or in the next session. */
  | {readonly kind: 'session'}
  /** Milliseconds since the epoch. */
  | {readonly kind: 'time'; readonly at: number}
  | {readonly kind: 'message'}
  /** It is back, and stays until it is read. */
  | {readonly kind: 'back'};

/** A conversation that was put off. It stays unread: only this program's inbox is without it for a while. */
export interface Snooze {
  readonly key: ConversationKey;
  readonly until: SnoozeUntil;
  /** The newest message that was unread then: whatever comes after it is news. */
  readonly newestId: number;
  /** When it was put off, in milliseconds since the epoch. */
  readonly since: number;
}

export type Snoozes = ReadonlyMap<ConversationKey, Snooze>;

/** Whether the inbox leaves it out. A mention is never left out, nor is what came after all that was put off had been read. */
export function isSnoozed(unreads: Unreads, entry: Snooze, now: number): boolean {
  const {until, newestId, key} = entry;
  if (!isLeft(unreads, entry)) return false;
  switch (until.kind) {
    case 'back':
      return false;
    case 'time':
      if (until.at <= now) return false;
      break;
    case 'message':
      if ((unreads.conversations.get(key)?.ids.last() ?? 0) > newestId) return false;
      break;
    case 'session':
      break;
  }
  return !isMentionedSince(unreads, entry);
}

/** Something of what was put off is still unread. */
function isLeft({conversations}: Unreads, {key, newestId}: Snooze): boolean {
  const first = conversations.get(key)?.ids.first();
  return first !== undefined && first <= newestId;
}

function isMentionedSince({mentions, byId}: Unreads, {key, newestId}: Snooze): boolean {
  for (const id of mentions.from(newestId + 1)) if (byId.get(id) === key) return true;
  return false;
}

export function withSnoozes(laters: Snoozes, entries: readonly Snooze[]): Snoozes {
  if (entries.length === 0) return laters;
  return new Map([...laters, ...entries.map((entry) => [entry.key, entry] as const)]);
}

export function withoutSnoozes(laters: Snoozes, keys: readonly ConversationKey[]): Snoozes {
  if (!keys.some((key) => laters.has(key))) return laters;
  const left = new Map(laters);
  for (const key of keys) left.delete(key);
  return left;
}

/** What was put off until the end, before that moment, is back. */
export function wakeSessionSnoozes(laters: Snoozes, before: number): Snoozes {
  const waiting = [...laters.values()].filter(({until, since}) => until.kind === 'session' && since < before);
  return withSnoozes(laters, waiting.map(awake));
}

function awake(entry: Snooze): Snooze {
  return {...entry, until: {kind: 'back'}};
}

/**
 * As things are now: what was read is forgotten, a topic that was renamed or moved is put off under its new name, and what is
 * back stays, whatever becomes of the clock or of the message that brought it. The same object when nothing changes.
 */
export function refreshSnoozes(laters: Snoozes, unreads: Unreads, now: number): Snoozes {
  const before = [...laters.values()];
  const after = before.flatMap((entry) => {
    const found = isLeft(unreads, entry) ? entry : movedSnooze(laters, unreads, entry);
    if (found === undefined) return [];
    return found.until.kind === 'back' || isSnoozed(unreads, found, now) ? [found] : [awake(found)];
  });
  const isSame = after.length === before.length && after.every((entry, at) => entry === before[at]);
  return isSame ? laters : new Map(after.map((entry) => [entry.key, entry]));
}

/** All of it is elsewhere; what was put off there already has its own time. */
function movedSnooze(laters: Snoozes, unreads: Unreads, entry: Snooze): Snooze | undefined {
  const key = unreads.byId.get(entry.newestId);
  return key === undefined || laters.has(key) ? undefined : {...entry, key};
}

/** As the disk has it; nothing for what cannot be read. */
export function parseSnooze(value: unknown): readonly Snooze[] {
  if (!isObject(value)) return [];
  const {key, until, newestId, since} = value;
  const when = parseUntil(until);
  if (typeof key !== 'string' || typeof newestId !== 'number' || when === undefined) return [];
  return [{key, until: when, newestId, since: typeof since === 'number' ? since : 0}];
}

function parseUntil(value: unknown): SnoozeUntil | undefined {
  if (!isObject(value)) return undefined;
  const {kind, at} = value;
  if (kind === 'time') return typeof at === 'number' ? {kind, at} : undefined;
  return kind === 'session' || kind === 'message' || kind === 'back' ? {kind} : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
