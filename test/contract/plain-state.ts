import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {levels} from '#wire/levels.ts';

export type Plain = Record<string, unknown>;

/** The parts of the state that a registration does not contain: local and fetched data. */
const unregistered = [
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

/** Returns the part of the state that a registration contains as plain data, without values that may differ. */
export function plainState(state: AccountState): Plain {
  const {maxMessageId: _hint, presences, ...rest} = state;
  const slices: Record<string, unknown> = {...rest, presences: presences.byUser};
  for (const name of unregistered) delete slices[name];
  slices.channels = [...state.channels.values()].map((channel) => withoutHints(channel, state.server.level));
  return plain(slices) as Plain;
}

/** Returns the loaded messages as plain data. */
export function plainMessages({messages}: AccountState): unknown {
  // The order of flags does not matter; facts are what this client found out.
  const sorted = [...messages.byId.values()].map(({facts: _facts, ...one}) => ({...one, flags: one.flags.toSorted()}));
  return plain({byId: sorted, byConversation: messages.byConversation});
}

/** Removes values for which no events are sent: they follow from recent messages. */
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
