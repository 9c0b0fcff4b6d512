import type {KeyContext} from './context-names.ts';

/**
 * A place that the hint line tells apart: a context; a part of one where less can be done or other things matter; or a mode,
 * whose hints end every line.
 */
export type HintPlace =
  | KeyContext
  | 'NAV'
  | 'WRITE'
  | 'inbox direct'
  | 'inbox one'
  | 'inbox one-direct'
  | 'inbox group'
  | 'inbox done'
  | 'inbox nothing'
  | 'inbox people'
  | ConversationList
  | EmptyMessages
  | 'drafts reminders'
  | 'menu card';

type ConversationList = 'inbox channels' | 'inbox topics' | 'inbox recent' | 'inbox directs';

type EmptyMessages =
  | 'msgs unwritten'
  | 'msgs search'
  | 'msgs wider'
  | 'msgs channel'
  | 'msgs empty'
  | 'msgs unloaded';

/**
 * Where a command stands among the hints of a place, the lowest rank first; another label or key where the usual one says
 * less. `false` leaves it out of a part where its context has it.
 */
export type HintRank = number | readonly [rank: number, label: string, key?: string] | false;

export type HintRanks = Readonly<Partial<Record<HintPlace, HintRank>>>;

/** Returns the same rank for every list of conversations but the inbox. */
export function inConversationLists(rank: number): HintRanks {
  return {'inbox channels': rank, 'inbox topics': rank, 'inbox recent': rank, 'inbox directs': rank};
}

/** Returns the same rank for every message view that has no messages. */
export function inEmptyMessages(rank: number): HintRanks {
  return {
    'msgs unwritten': rank,
    'msgs search': rank,
    'msgs wider': rank,
    'msgs channel': rank,
    'msgs empty': rank,
    'msgs unloaded': rank,
  };
}
