import {focusedTextInput} from '#app/text-input.ts';
import {memoByObject} from '#std/memo.ts';
import {type Key, keyName, parseKeyName} from '#terminal/input/key.ts';
import {isNormalMode} from '#ui/composer/composer-state.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {View} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
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
type KeyResolution =
  | {readonly kind: 'command'; readonly id: string; readonly context: KeyContext}
  /** The keys are the beginning of a sequence. */
  | {readonly kind: 'prefix'}
  | {readonly kind: 'none'};

/** A key that can follow the keys pressed so far, and the command it runs. */
interface KeyContinuation {
  readonly key: string;
  readonly id: string;
}

export const defaultKeymap: Keymap = byContext((context) => {
  const bound = Object.entries(defaultKeys[context]);
  return new Map(bound.flatMap(([id, keys]) => keys.map((key) => [key, id] as const)));
});

/** Returns the keymap with changes applied; later changes win. */
export function withBindings(keymap: Keymap, changes: readonly Omit<KeyBinding, 'source'>[]): Keymap {
  return byContext((context) => {
    const bound = new Map(keymap[context]);
    for (const {sequence, id} of changes.filter((change) => change.context === context)) {
      if (id === undefined) bound.delete(sequence);
      else bound.set(sequence, id);
    }
    return bound;
  });
}

/** The command of keys that start writing, in keymaps where letters in a conversation are text. */
export const writingCommand = 'compose.type';

/** The characters after which Alt would begin a control sequence of the terminal. */
const withoutAlt = '[]OPX^_\\';
const printable = Array.from({length: 94}, (_, at) => String.fromCharCode(0x21 + at));

/**
 * Returns the keymap in which letters in a conversation start writing. Commands on letters are also on Alt with the letter, where
 * it is free, and after Ctrl-X; these come first, because they are the keys that hints name. `/` opens the palette.
 */
export function withWritingKeys(keymap: Keymap): Keymap {
  const isFree = (key: string) => (['global', 'nav', 'msgs'] as const).every((context) => !keymap[context].has(key));
  const moved = (context: KeyContext) =>
    [...keymap[context]].flatMap(([sequence, id]): readonly (readonly [string, string])[] => {
      const [first = '', ...rest] = sequence.split(' ');
      if (!printable.includes(first)) return [];
      const hasAlt = rest.length === 0 && !withoutAlt.includes(first) && isFree(`Alt-${first}`);
      return [...(hasAlt ? ([[`Alt-${first}`, id]] as const) : []), [`Ctrl-X ${sequence}`, id]];
    });
  const others = [...keymap.msgs].filter(([sequence]) => !printable.includes(sequence.split(' ')[0] ?? ''));
  const written = printable.map((key) => [key, key === '/' ? 'palette.open' : writingCommand] as const);
  return {
    ...keymap,
    nav: new Map([...moved('nav'), ...keymap.nav]),
    msgs: new Map([...moved('msgs'), ...others, ...written]),
  };
}

/** Whether a key starts writing: any text in a conversation, also letters that are not on the keyboards of commands. */
export function startsWriting(keymap: Keymap, screen: ScreenState, key: Key): boolean {
  const {text = '', ctrl, alt} = key;
  if (text.trim() === '' || ctrl === true || alt === true || screen.prefix.length > 0) return false;
  if (activeContexts(screen)[0] !== 'msgs') return false;
  const id = keymap.msgs.get(keyName(key));
  const isOther = id === undefined && keymap.msgs.get('a') === writingCommand;
  return id === writingCommand || isOther;
}

/** Looks up the keys pressed so far in `contexts`, of which the innermost is first. */
export function resolveKeys(keymap: Keymap, contexts: readonly KeyContext[], keys: readonly string[]): KeyResolution {
  const sequence = keys.join(' ');
  for (const context of contexts) {
    const id = keymap[context].get(sequence);
    if (id !== undefined) return {kind: 'command', id, context};
  }
  const isPrefix = contexts.some((context) => beginnings(keymap[context]).has(sequence));
  return {kind: isPrefix ? 'prefix' : 'none'};
}

/** Returns what the sequences of several keys begin with. */
const beginnings = memoByObject((bound: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const sequence of bound.keys()) {
    for (let end = sequence.indexOf(' '); end >= 0; end = sequence.indexOf(' ', end + 1))
      found.add(sequence.slice(0, end));
  }
  return found;
});

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
  return [...new Set(contexts.flatMap((context) => keysByCommand(keymap[context]).get(id) ?? []))];
}

/** Returns the keys of each command of a context. The palette asks for those of every command. */
const keysByCommand = memoByObject((commands: ReadonlyMap<string, string>) =>
  Map.groupBy(commands.keys(), (key) => commands.get(key)),
);

/** Returns the contexts whose keys are active now, the innermost first. */
export function activeContexts(screen: ScreenState): readonly KeyContext[] {
  return withOuter[innermostContext(screen)];
}

/** Returns the context whose keys come first. */
export function innermostContext(screen: ScreenState): KeyContext {
  const {overlays, focus, composer, view} = screen;
  if (overlays.at(-1)?.kind === 'form') return 'form';
  if (overlays.length > 0 || isFiltering(screen)) return 'menu';
  if (focus === 'composer') return isNormalMode(composer) ? 'normal' : 'composer';
  if (focus === 'banner' || focus === 'connection') return 'banner';
  // Every conversation list has the keys of the inbox.
  return (focus === 'main' ? mainContexts[view.kind] : undefined) ?? 'inbox';
}

const mainContexts: Readonly<Partial<Record<View['kind'], KeyContext>>> = {
  messages: 'msgs',
  drafts: 'drafts',
  channels: 'browser',
};

/** Whether the user types into the filter of a list. */
function isFiltering({lists}: ScreenState): boolean {
  for (const id in lists) if (lists[id as keyof typeof lists].isFiltering) return true;
  return false;
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
  return isText(key) && app.screen.prefix.length === 0 && isTyping(app);
}

function isText({text, ctrl, alt}: Key): boolean {
  return text !== undefined && ctrl !== true && alt !== true;
}

/**
 * Returns the command that a sequence of keys would run in these contexts, after no other keys; undefined when there is none.
 * `takesText` is true where letters are text of an input.
 */
export function commandOfKeys(
  keymap: Keymap,
  contexts: readonly KeyContext[],
  takesText: boolean,
  sequence: string,
): string | undefined {
  const keys = sequence.split(' ');
  const first = parseKeyName(keys[0] ?? '');
  if (first === undefined || (takesText && isText(first))) return undefined;
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

interface ContextTexts {
  /** The heading in the key help. */
  readonly title: string;
  /** Why its commands cannot run outside of it. */
  readonly reason: string;
  /** The contexts that are active around it, the innermost first. */
  readonly outer: readonly KeyContext[];
}

const inList = ['list', 'nav', 'global'] as const;

export const keyContexts: Readonly<Record<KeyContext, ContextTexts>> = {
  global: {title: 'Everywhere', reason: 'Not available here', outer: []},
  nav: {title: 'Navigation', reason: 'Only outside of text fields', outer: ['global']},
  msgs: {title: 'Messages', reason: 'Only in the message pane', outer: ['nav', 'global']},
  list: {title: 'Lists', reason: 'Only in lists', outer: ['nav', 'global']},
  inbox: {title: 'Conversation lists', reason: 'Only in conversation lists', outer: inList},
  drafts: {title: 'Drafts', reason: 'Only in drafts', outer: inList},
  browser: {title: 'All channels', reason: 'Only in the list of all channels', outer: inList},
  banner: {title: 'Banners', reason: 'Only in banners', outer: ['nav', 'global']},
  composer: {title: 'Composer', reason: 'Only in the composer', outer: ['global']},
  normal: {
    title: 'Composer, normal mode',
    reason: 'Only in the normal mode of the composer',
    outer: ['composer', 'global'],
  },
  menu: {title: 'Menus', reason: 'Only in menus', outer: ['global']},
  form: {title: 'Forms', reason: 'Only in forms', outer: ['global']},
};

/** Each context and those around it, the innermost first. */
export const withOuter = byContext((context): readonly KeyContext[] => [context, ...keyContexts[context].outer]);

/** Returns all keys by context, in the order of the keymap. A command without a record has its id as title. */
export function keyTable(
  keymap: Keymap,
  commands: ReadonlyMap<string, Pick<Command, 'title'>>,
  contexts: readonly KeyContext[] = keyContextNames,
): readonly KeyTableRow[] {
  return contexts.flatMap((context) => {
    return [...Map.groupBy(keymap[context], ([, id]) => id)].map(([id, bound]): KeyTableRow => {
      return {context, id, keys: bound.map(([sequence]) => sequence), title: commands.get(id)?.title ?? id};
    });
  });
}
