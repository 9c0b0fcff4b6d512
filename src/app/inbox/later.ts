import type {ConversationKey} from '#state/model/conversation.ts';
import type {Unreads} from '#state/model/unread.ts';

/** When a conversation that was put off comes back. */
export type Until =
  /** When nothing else is left to look at, or with the next start. */
  | {readonly kind: 'session'}
  /** Milliseconds since the epoch. */
  | {readonly kind: 'time'; readonly at: number}
  | {readonly kind: 'message'}
  /** It is back, and stays until it is read. */
  | {readonly kind: 'back'};

/** A conversation that was put off. It stays unread: only this program's inbox is without it for a while. */
export interface LaterEntry {
  readonly key: ConversationKey;
  readonly until: Until;
  /** The newest message that was unread then: whatever comes after it is news. */
  readonly newestId: number;
}

export type Laters = ReadonlyMap<ConversationKey, LaterEntry>;

/** Whether the inbox leaves it out. A mention is never left out. */
export function isPutOff(unreads: Unreads, entry: LaterEntry, now: number): boolean {
  const {until, newestId, key} = entry;
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

function isMentionedSince({mentions, byId}: Unreads, {key, newestId}: LaterEntry): boolean {
  for (const id of mentions.from(newestId + 1)) if (byId.get(id) === key) return true;
  return false;
}

export function withLaters(laters: Laters, entries: readonly LaterEntry[]): Laters {
  if (entries.length === 0) return laters;
  return new Map([...laters, ...entries.map((entry) => [entry.key, entry] as const)]);
}

export function withoutLaters(laters: Laters, keys: readonly ConversationKey[]): Laters {
  if (!keys.some((key) => laters.has(key))) return laters;
  const left = new Map(laters);
  for (const key of keys) left.delete(key);
  return left;
}

/** What was put off until there is nothing else is back. */
export function released(laters: Laters): Laters {
  const waiting = [...laters.values()].filter(({until}) => until.kind === 'session');
  return withLaters(
    laters,
    waiting.map((entry) => ({...entry, until: {kind: 'back'}})),
  );
}

/** What was read meanwhile is forgotten. */
export function pruned(laters: Laters, {conversations}: Unreads): Laters {
  return withoutLaters(
    laters,
    [...laters.keys()].filter((key) => !conversations.has(key)),
  );
}

/** As the disk has it; nothing for what cannot be read. */
export function laterEntryFrom(value: unknown): readonly LaterEntry[] {
  if (!isObject(value)) return [];
  const {key, until, newestId} = value;
  const when = untilFrom(until);
  if (typeof key !== 'string' || typeof newestId !== 'number' || when === undefined) return [];
  return [{key, until: when, newestId}];
}

function untilFrom(value: unknown): Until | undefined {
  if (!isObject(value)) return undefined;
  const {kind, at} = value;
  if (kind === 'time') return typeof at === 'number' ? {kind, at} : undefined;
  return kind === 'session' || kind === 'message' || kind === 'back' ? {kind} : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
