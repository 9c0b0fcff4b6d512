/**
 * The contexts in which keys are bound. Several are active at once, and the innermost wins. By default no context binds a key
 * of a context around it to another command, except `n` in the channel browser, where nothing is unread.
 */
export const keyContextNames = [
  'global',
  'nav',
  'msgs',
  'list',
  'inbox',
  'drafts',
  'browser',
  'banner',
  'composer',
  'menu',
  'form',
] as const;
export type KeyContext = (typeof keyContextNames)[number];

/** Returns a record with one value for each context. */
export function byContext<T>(makeValue: (context: KeyContext) => T): Readonly<Record<KeyContext, T>> {
  return {
    global: makeValue('global'),
    nav: makeValue('nav'),
    msgs: makeValue('msgs'),
    list: makeValue('list'),
    inbox: makeValue('inbox'),
    drafts: makeValue('drafts'),
    browser: makeValue('browser'),
    banner: makeValue('banner'),
    composer: makeValue('composer'),
    menu: makeValue('menu'),
    form: makeValue('form'),
  };
}

/**
 * A situation for which the hint line has hints: a key context; a part of one with other useful commands (`inbox direct`); or
 * an input mode, whose hints are at the end of every hint line.
 */
type HintContext =
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
  | 'msgs unsent'
  | AdditionalHints
  | 'drafts reminders'
  | 'browser archived'
  | 'menu card';

type ConversationList = 'inbox channels' | 'inbox topics' | 'inbox recent' | 'inbox directs';

type EmptyMessages = 'msgs unwritten' | 'msgs search' | 'msgs wider' | 'msgs channel' | 'msgs empty' | 'msgs unloaded';

/** Parts of a context whose hints come in addition to those of the whole context. */
const additionalHints = ['msgs poll', 'msgs todo'] as const;
type AdditionalHints = (typeof additionalHints)[number];

export function isAdditional(context: string): boolean {
  return additionalHints.some((one) => one === context);
}

/**
 * The rank of a command among the hints of a context, lowest first, optionally with another label or key than usual. `false`
 * hides the command in a part of a context whose other parts show it.
 */
export type HintRank = number | readonly [rank: number, label: string, key?: string] | false;

export type HintRanks = Readonly<Partial<Record<HintContext, HintRank>>>;

/** Returns the same rank for every conversation list except the inbox. */
export function inConversationLists(rank: number): HintRanks {
  return {'inbox channels': rank, 'inbox topics': rank, 'inbox recent': rank, 'inbox directs': rank};
}

/** Returns the same rank for every message view without messages. */
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
