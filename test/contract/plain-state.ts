import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {levels} from '#wire/levels.ts';

export type Plain = Record<string, unknown>;

/** Slices that no registration tells: what this machine holds, and what is fetched. */
const fetched = [
  'messages',
  'timelines',
  'topics',
  'typing',
  'log',
  'attachments',
  'arrivals',
  'outbox',
  'localDrafts',
  'connection',
] as const;

/** What a registration tells, as plain data, without what legitimately differs between two of them. */
export function plainState(state: AccountState): Plain {
  const {maxMessageId: _hint, presences, ...rest} = state;
  const kept: Record<string, unknown> = {...rest, presences: presences.byUser};
  for (const name of fetched) delete kept[name];
  kept.channels = [...state.channels.values()].map((channel) => withoutHints(channel, state.server.level));
  return plain(kept) as Plain;
}

/** The loaded messages as plain data. */
export function plainMessages({messages}: AccountState): unknown {
  // Flags are in no order.
  const sorted = [...messages.byId.values()].map((one) => ({...one, flags: one.flags.toSorted()}));
  return plain({byId: sorted, byConversation: messages.byConversation});
}

/** Nobody is told when these change: they follow from what was sent lately. */
function withoutHints(channel: object, level: number): Plain {
  const copy: Plain = {...channel};
  delete copy.streamWeeklyTraffic;
  delete copy.isRecentlyActive;
  if (level < levels.firstMessageUpdates) delete copy.firstMessageId;
  return copy;
}

function plain(value: unknown): unknown {
  if (value instanceof SortedMap || value instanceof SortedSet) return [...value].map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => [key, plain(inner)]),
  );
}
