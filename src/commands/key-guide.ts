import type {Frame} from '#app/core/frame.ts';
import type {KeyGuide, KeyHint} from '#app/core/key-guide.ts';
import type {ScreenState} from '#app/core/screen.ts';
import type {InboxSpot} from '#app/inbox/inbox-state.ts';
import {inboxSpot} from '#app/inbox/spot.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {cursorRow} from '#app/lists/listing.ts';
import {emptyKind} from '#app/timeline/empty-kind.ts';
import type {Command} from './command.ts';
import type {Context} from './context-names.ts';
import {contextsOf, modeOf} from './contexts.ts';
import {continuations, type Keymap, keysOf} from './keymap.ts';

/** What is worth a hint, the most useful first. What has no record, or no key any more, is left out. */
const hinted: Readonly<Record<Context, readonly Hinted[]>> = {
  global: [],
  nav: [],
  msgs: [
    ...['reply', 'read.on', 'conv.done', 'unread.next.topic', 'react.picker', 'quote', 'links.open'],
    ...['msg.actions', 'pane.sidebar', 'view.inbox', 'back'],
  ],
  list: ['open', 'conv.done', 'topic.mute', 'topic.follow', 'select.toggle', 'filter.cycle', 'undo', 'back'],
  inbox: triageHints(['triage.later', 'topic.mute', 'triage.undo', 'open', 'select.toggle']),
  drafts: ['open', 'draft.send', 'draft.edit', 'draft.goto', 'draft.delete', 'draft.undo', 'back'],
  browser: ['open', 'channel.subscribe', 'channel.view', 'channel.new', 'filter.cycle', 'back'],
  banner: ['banner.accept', 'focus.next', 'back'],
  composer: [
    ...['compose.close', 'compose.recipient', 'compose.attach', 'compose.preview', 'compose.editor'],
    ...['compose.schedule', 'unread.next.smart'],
  ],
  menu: ['menu.accept', 'menu.close'],
};

function triageHints(more: readonly string[]): readonly Hinted[] {
  return ['triage.done', 'triage.readon', 'triage.reply', ['unread.next.topic', 'keep'], ...more];
}

function listHints(verbs: readonly string[]): readonly string[] {
  return ['open', 'triage.done', ...verbs, 'select.toggle', 'filter.cycle', 'triage.undo', 'back'];
}

/** A command, what to call it where its own word says less, and the key that says it best of several. */
type Hinted = string | readonly [id: string, label: string, key?: string];

/** Where less can be done than elsewhere in the context, or other things matter. */
const hintedAt: Readonly<Record<string, readonly Hinted[]>> = {
  'inbox direct': triageHints(['triage.later', 'triage.undo', 'open', 'select.toggle']),
  'inbox one': triageHints(['triage.later', 'topic.mute', 'triage.undo', 'open']),
  'inbox one-direct': triageHints(['triage.later', 'triage.undo', 'open']),
  'inbox group': [
    ['open', 'show them'],
    ['triage.done.group', 'mark all read'],
    'triage.undo',
    'filter.cycle',
  ],
  'inbox done': [
    ['triage.undo', 'undo last'],
    ['open', 'review what I did', 'l'],
    ['view.recent', 'recent conversations'],
    'back',
  ],
  'inbox nothing': [
    ['view.recent', 'recent'],
    ['compose.topic', 'new topic'],
    ['compose.dm', 'direct message'],
    'triage.undo',
  ],
  'inbox channels': listHints(['unread.next.topic', 'topic.mute']),
  'inbox topics': listHints(['unread.next.topic', 'topic.mute', 'topic.follow', 'triage.reply']),
  'inbox recent': listHints([
    'triage.reply',
    'unread.next.topic',
    'topic.mute',
    'topic.follow',
    'triage.later',
  ]),
  'inbox directs': listHints(['triage.reply', 'unread.next.topic', 'triage.later']),
  'inbox people': ['open', 'user.card', 'filter.cycle', 'filter.users', 'back'],
  'msgs unwritten': [
    ['reply', 'write the first'],
    ['compose.topic', 'new topic'],
    'pane.sidebar',
    'view.recent',
    'view.inbox',
    'back',
  ],
  'msgs search': [
    ['search.open', 'change the search'],
    ...['pane.sidebar', 'view.recent', 'view.inbox', 'back'],
  ],
  'msgs wider': [
    ['reply', 'search all public channels', 'Enter'],
    ['search.open', 'change the search'],
    'view.recent',
    'back',
  ],
  'msgs channel': [['compose.topic', 'new topic'], 'pane.sidebar', 'view.recent', 'view.inbox', 'back'],
  'msgs empty': [
    ['compose.topic', 'new topic'],
    ['compose.dm', 'direct message'],
    ...['pane.sidebar', 'view.recent', 'view.inbox', 'back'],
  ],
  'msgs unloaded': ['pane.sidebar', 'view.recent', 'view.inbox', 'back'],
  'menu card': ['menu.close'],
  'drafts reminders': ['open', 'draft.edit', 'draft.delete', 'draft.undo', 'back'],
};

/** One at a time there is nothing to select. */
const aloneAt: Readonly<Partial<Record<InboxSpot, string>>> = {topic: 'one', direct: 'one-direct'};

/** What tells two places of one context apart. */
function placeOf(frame: Frame): string {
  const {screen} = frame;
  if (screen.overlays.at(-1)?.kind === 'card') return 'card';
  if (screen.view.kind === 'drafts' && screen.focus === 'main') return screen.view.tab;
  const list = focusedList(screen);
  if (list === undefined) return emptyKind(frame) ?? '';
  if (list !== 'inbox') return list;
  const spot = inboxSpot(frame);
  return screen.view.kind === 'triage' ? (aloneAt[spot] ?? spot) : spot;
}

/** Where everything else is found; the last one is shown whatever the width. */
const ways: Readonly<Record<'NAV' | 'WRITE' | 'PICK', readonly (readonly [id: string, label: string])[]>> = {
  NAV: [
    ['palette.open', 'commands'],
    ['help.overlay', 'keys'],
  ],
  WRITE: [['help.keys', 'keys']],
  PICK: [],
};

/** Of several keys the one that says it best. */
const preferred: Readonly<Record<string, string>> = {reply: 'r'};

/** Short words for records whose own hint is none, or is meant for another place. */
const words: Readonly<Record<string, string>> = {
  'menu.accept': 'choose',
  'menu.close': 'close',
  'compose.recipient': 'destination',
  'compose.attach': 'attach',
  'compose.preview': 'preview',
  'compose.editor': 'editor',
  'compose.schedule': 'schedule',
};

/** What the same key does where that was done already. */
const unmuting: Readonly<Record<string, string>> = {'topic.mute': 'unmute'};

type RowKind = 'usual' | 'muted';

/** Of the row with the cursor, in a list. */
function rowKind(frame: Frame): RowKind {
  const list = focusedList(frame.screen);
  const row = list === undefined ? undefined : cursorRow(frame, list);
  return row !== undefined && 'isMuted' in row && row.isMuted === true ? 'muted' : 'usual';
}

const inboxContexts: readonly Context[] = ['inbox', 'list', 'nav', 'global'];

/** Hints, and what follows a prefix, from the records and the keymap alone: they say what the keys do, whoever changed them. */
export function keyGuide(keymap: Keymap, commands: ReadonlyMap<string, Command>): KeyGuide {
  const hintOf = (hint: Hinted, contexts: readonly Context[], isMuted = false): readonly KeyHint[] => {
    const [id, label, best] = typeof hint === 'string' ? [hint] : hint;
    const keys = keysOf(keymap, id, contexts);
    const key = keys.find((one) => one === (best ?? preferred[id])) ?? keys[0];
    const said = label ?? (isMuted ? unmuting[id] : undefined) ?? words[id] ?? commands.get(id)?.hint;
    return key === undefined || said === undefined || !commands.has(id)
      ? []
      : [{key: shortKey(key), label: said}];
  };
  const hintsFor = remembered((key: string): readonly KeyHint[] => {
    const [row, place, ...contexts] = key.split(' ') as [RowKind, string, ...Context[]]; // Joined just below.
    const [inner = 'global'] = contexts;
    const ids = hintedAt[`${inner} ${place}`] ?? hinted[inner];
    return ids.flatMap((hint) => hintOf(hint, contexts, row === 'muted'));
  });
  const waysFor = remembered((key: string): readonly KeyHint[] => {
    const [mode, ...contexts] = key.split(' ') as [keyof typeof ways, ...Context[]]; // Joined just below.
    return ways[mode].flatMap((way) => hintOf(way, contexts));
  });
  return {
    mode: modeOf,
    hints: (frame) => hintsFor([rowKind(frame), placeOf(frame), ...contextsOf(frame.screen)].join(' ')),
    inboxHints: (spot) => hintsFor(['usual', spot, ...inboxContexts].join(' ')),
    ways: (screen) => waysFor([modeOf(screen), ...contextsOf(screen)].join(' ')),
    continuations: (screen) => nextKeys(keymap, commands, screen),
  };
}

function nextKeys(
  keymap: Keymap,
  commands: ReadonlyMap<string, Command>,
  screen: ScreenState,
): readonly KeyHint[] {
  return continuations(keymap, contextsOf(screen), screen.prefix).flatMap(({key, id}) => {
    const command = commands.get(id);
    return command === undefined ? [] : [{key, label: shortTitle(command)}];
  });
}

/** Without what is said for those who read it at leisure. */
function shortTitle({title}: Command): string {
  const [short = title] = title.split(/[;:,] /);
  return short;
}

/** `Ctrl-J` is `^J` where room is short. */
function shortKey(key: string): string {
  return key
    .split(' ')
    .map((one) => one.replace(/^Ctrl-(?=.$)/, '^'))
    .join(' ');
}

function remembered<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
