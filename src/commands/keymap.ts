import {type Key, parseKeyName} from '#terminal/input/key.ts';
import {isNormalMode} from '#ui/composer/composer-state.ts';
import type {AppReader} from '#ui/core/app.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {focusedTextInput} from '#ui/text-input.ts';
import {byContext, type Command, type KeyContext, keyContextNames} from './command.ts';
import {defaultKeys} from './default-keys.ts';

/** The commands of all keys: for each context, sequence of key names → command id. */
export type Keymap = Readonly<Record<KeyContext, ReadonlyMap<string, string>>>;

/** A key that a file or preset binds to a command, or unbinds when there is no id. */
export interface KeyBinding {
  readonly context: KeyContext;
  readonly sequence: string;
  readonly id: string | undefined;
  /** The name of the file or preset. */
  readonly source: string;
}

/** The result of looking up the keys pressed so far. */
export type KeyResolution =
  | {readonly kind: 'command'; readonly id: string; readonly context: KeyContext}
  /** The keys are the beginning of a sequence. */
  | {readonly kind: 'prefix'}
  | {readonly kind: 'none'};

/** A key that can follow the keys pressed so far, and the command it runs. */
export interface KeyContinuation {
  readonly key: string;
  readonly id: string;
}

function keymapOf(bound: (context: KeyContext) => readonly (readonly [sequence: string, id: string])[]): Keymap {
  return byContext((context) => new Map(bound(context)));
}

export const defaultKeymap: Keymap = keymapOf((context) =>
  Object.entries(defaultKeys[context]).flatMap(([id, keys]) => keys.map((key) => [key, id] as const)),
);

/** Returns the keymap with changes applied; later changes win. */
export function withBindings(keymap: Keymap, changes: readonly Omit<KeyBinding, 'source'>[]): Keymap {
  return keymapOf((context) => {
    const bound = new Map(keymap[context]);
    for (const change of changes) {
      if (change.context !== context) continue;
      if (change.id === undefined) bound.delete(change.sequence);
      else bound.set(change.sequence, change.id);
    }
    return [...bound];
  });
}

/** Looks up the keys pressed so far in `contexts`, of which the innermost is first. */
export function resolveKeys(keymap: Keymap, contexts: readonly KeyContext[], keys: readonly string[]): KeyResolution {
  const sequence = keys.join(' ');
  for (const context of contexts) {
    const id = keymap[context].get(sequence);
    if (id !== undefined) return {kind: 'command', id, context};
  }
  return continuations(keymap, contexts, keys).length > 0 ? {kind: 'prefix'} : {kind: 'none'};
}

/** Returns the keys that can follow the keys pressed so far. */
export function continuations(
  keymap: Keymap,
  contexts: readonly KeyContext[],
  keys: readonly string[],
): readonly KeyContinuation[] {
  const start = `${keys.join(' ')} `;
  const idsByKey = new Map<string, string>();
  for (const context of contexts) {
    for (const [sequence, id] of keymap[context]) {
      const key = sequence.slice(start.length);
      if (sequence.startsWith(start) && !idsByKey.has(key)) idsByKey.set(key, id);
    }
  }
  return [...idsByKey].map(([key, id]) => ({key, id}));
}

/** Returns the keys of a command in the given contexts, in the order of the keymap. */
export function keysForCommand(
  keymap: Keymap,
  id: string,
  contexts: readonly KeyContext[] = keyContextNames,
): readonly string[] {
  const keys = contexts.flatMap((context) =>
    [...keymap[context]].filter(([, bound]) => bound === id).map(([key]) => key),
  );
  return [...new Set(keys)];
}

/** Returns the contexts whose keys are active now, the innermost first. */
export function activeContexts(screen: ScreenState): readonly KeyContext[] {
  if (screen.overlays.at(-1)?.kind === 'form') return ['form', 'global'];
  if (screen.overlays.length > 0) return ['menu', 'global'];
  if (isFiltering(screen)) return ['menu', 'global'];
  switch (screen.focus) {
    case 'composer':
      return isNormalMode(screen.composer) ? ['normal', 'composer', 'global'] : ['composer', 'global'];
    case 'banner':
    case 'connection':
      return ['banner', 'nav', 'global'];
    case 'main':
      return mainContexts(screen);
    default:
      return conversationLists;
  }
}

/** Every conversation list has the keys of the inbox. */
const conversationLists: readonly KeyContext[] = ['inbox', 'list', 'nav', 'global'];

function mainContexts({view}: ScreenState): readonly KeyContext[] {
  switch (view.kind) {
    case 'messages':
      return ['msgs', 'nav', 'global'];
    case 'drafts':
      return ['drafts', 'list', 'nav', 'global'];
    case 'channels':
      return ['browser', 'list', 'nav', 'global'];
    default:
      return conversationLists;
  }
}

/** Whether the user types into the filter of a list. */
function isFiltering({lists}: ScreenState): boolean {
  return Object.values(lists).some((list) => list.isFiltering);
}

/** What keys do: move and run commands, write text, or choose in an overlay. The status line shows it. */
type InputMode = 'NAV' | 'WRITE' | 'NORMAL' | 'PICK';

export function inputMode(screen: ScreenState): InputMode {
  if (screen.overlays.at(-1)?.kind === 'form') return 'WRITE';
  if (screen.overlays.length > 0) return 'PICK';
  if (isFiltering(screen)) return 'WRITE';
  if (screen.focus !== 'composer') return 'NAV';
  return isNormalMode(screen.composer) ? 'NORMAL' : 'WRITE';
}

/** Whether letters are text of the focused input, and not commands. */
export function isTyping(app: Pick<AppReader, 'screen' | 'frame'>): boolean {
  return focusedTextInput(app) !== undefined && inputMode(app.screen) !== 'NORMAL';
}

/** Whether a key is text of the focused input, and so runs no command. */
export function isTyped(app: Pick<AppReader, 'screen' | 'frame'>, key: Key): boolean {
  const isText = key.text !== undefined && key.ctrl !== true && key.alt !== true;
  return isText && app.screen.prefix.length === 0 && isTyping(app);
}

/** Returns the command that a sequence of keys would run now; undefined when there is none, or another sequence has begun. */
export function commandOfKeys(
  keymap: Keymap,
  app: Pick<AppReader, 'screen' | 'frame'>,
  sequence: string,
): string | undefined {
  const keys = sequence.split(' ');
  const first = parseKeyName(keys[0] ?? '');
  if (first === undefined || app.screen.prefix.length > 0 || isTyped(app, first)) return undefined;
  const contexts = activeContexts(app.screen);
  const isReached = keys
    .slice(1)
    .every((_key, at) => resolveKeys(keymap, contexts, keys.slice(0, at + 1)).kind === 'prefix');
  const resolved = resolveKeys(keymap, contexts, keys);
  return isReached && resolved.kind === 'command' ? resolved.id : undefined;
}

/** One command in one context, with all its keys there. */
export interface KeyTableRow {
  readonly context: KeyContext;
  readonly id: string;
  readonly keys: readonly string[];
  readonly title: string;
}

/** The headings of the contexts in the key help. */
export const contextTitles: Readonly<Record<KeyContext, string>> = {
  global: 'Everywhere',
  nav: 'Navigation',
  msgs: 'Messages',
  list: 'Lists',
  inbox: 'Inbox and conversation lists',
  drafts: 'Drafts',
  browser: 'All channels',
  banner: 'Banners',
  composer: 'Composer',
  normal: 'Composer, normal mode',
  menu: 'Menus',
  form: 'Forms',
};

/** The reasons why a command of a context cannot run outside of it. */
export const contextReasons: Readonly<Record<KeyContext, string>> = {
  global: 'Not available here',
  nav: 'Only outside of text fields',
  msgs: 'Only in the message pane',
  list: 'Only in lists',
  inbox: 'Only in conversation lists',
  drafts: 'Only in drafts',
  browser: 'Only in the list of all channels',
  banner: 'Only in banners',
  composer: 'Only in the composer',
  normal: 'Only in the normal mode of the composer',
  menu: 'Only in menus',
  form: 'Only in forms',
};

/** Returns all keys by context, in the order of the keymap. A command without a record has its id as title. */
export function keyTable(
  keymap: Keymap,
  commands: ReadonlyMap<string, Pick<Command, 'title'>>,
  contexts: readonly KeyContext[] = keyContextNames,
): readonly KeyTableRow[] {
  return contexts.flatMap((context) => {
    const keys = new Map<string, string[]>();
    for (const [sequence, id] of keymap[context]) {
      const known = keys.get(id);
      if (known === undefined) keys.set(id, [sequence]);
      else known.push(sequence);
    }
    return [...keys].map(([id, sequences]): KeyTableRow => {
      return {context, id, keys: sequences, title: commands.get(id)?.title ?? id};
    });
  });
}
