import {parse, TomlError} from 'smol-toml';
import {keyName, parseKeyName} from '#terminal/input/key.ts';
import {type KeyContext, keyContextNames} from './command.ts';
import {defaultKeymap, type KeyBinding, type Keymap, keyContexts, withBindings, withWritingKeys} from './keymap.ts';

/** The result of reading `keys.toml`: the default keys with the user's changes. */
export interface UserKeys {
  readonly keymap: Keymap;
  /** A sentence for each line that cannot be used and for each pair of keys that conflict. */
  readonly problems: readonly string[];
}

const unbound = '-';

/** Commands that had another id in earlier versions: keymaps with the old one keep working. */
const renamedCommands: ReadonlyMap<unknown, string> = new Map([
  ['triage.later', 'triage.snooze'],
  ['msg.image', 'msg.attachment'],
  ['triage.done', 'conv.done'],
  ['triage.undo', 'undo'],
  ['draft.undo', 'undo'],
]);

/** Whether letters in a conversation start writing; `auto` is what `keys.toml` says. */
type TypingChoice = 'auto' | 'on' | 'off';

/**
 * Reads `keys.toml`: an optional `preset = "…"` and `typing`, which says whether letters in a conversation start writing, then a table per context with `"key" = "command"`, or `"-"` to unbind a key.
 * A line with an error is reported and skipped; all others apply.
 */
export function parseUserKeys(
  text: string,
  source: string,
  commandIds: ReadonlySet<string>,
  chosen: TypingChoice = 'auto',
): UserKeys {
  const problems: string[] = [];
  const tables = tablesOf(text, source, problems);
  const preset = presetOf(tables, source, problems);
  const bindings = [...presetBindings(preset), ...fileBindings(tables, {source, commandIds, problems})];
  const keymap = withBindings(defaultKeymap, bindings);
  const {typing = writingPresets.has(preset)} = tables;
  if (typeof typing !== 'boolean') problems.push(`${source}: “typing” must be true or false.`);
  return {
    keymap: (chosen === 'auto' ? typing === true : chosen === 'on') ? withWritingKeys(keymap) : keymap,
    problems: [...problems, ...keyConflicts(bindings)],
  };
}

export function presetBindings(preset: PresetName): readonly KeyBinding[] {
  const source = `preset ${preset}`;
  return keyContextNames.flatMap((context) =>
    Object.entries(keyPresets[preset][context] ?? {}).map(([sequence, id]) => {
      return {context, sequence, id: id === unbound ? undefined : id, source};
    }),
  );
}

function tablesOf(text: string, source: string, problems: string[]): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    const line = error instanceof TomlError ? `, line ${error.line}` : '';
    problems.push(`${source}${line}: not valid TOML. The default keys are used.`);
    return {};
  }
}

function presetOf(tables: Readonly<Record<string, unknown>>, source: string, problems: string[]): PresetName {
  const {preset} = tables;
  if (preset === undefined) return 'parley';
  const known = presetNames.find((name) => name === preset);
  if (known === undefined) {
    problems.push(`${source}: no preset “${String(preset)}”. Presets: ${presetNames.join(', ')}.`);
  }
  return known ?? 'parley';
}

interface FileContext {
  readonly source: string;
  readonly commandIds: ReadonlySet<string>;
  readonly problems: string[];
}

function fileBindings(tables: Readonly<Record<string, unknown>>, file: FileContext): readonly KeyBinding[] {
  return Object.entries(tables).flatMap(([name, table]) => {
    if (name === 'preset' || name === 'typing') return [];
    const context = keyContextNames.find((known) => known === name);
    if (context === undefined || typeof table !== 'object' || table === null) {
      file.problems.push(`${file.source}: no context “${name}”. Contexts: ${keyContextNames.join(', ')}.`);
      return [];
    }
    return Object.entries(table).flatMap(([written, id]) => bindingOf(context, written, id, file));
  });
}

function bindingOf(
  context: KeyContext,
  written: string,
  writtenId: unknown,
  {source, commandIds, problems}: FileContext,
): readonly KeyBinding[] {
  const sequence = keySequence(written);
  const id = renamedCommands.get(writtenId) ?? writtenId;
  if (sequence === undefined) problems.push(`${source}: ${context} “${written}” is not a key.`);
  else if (id === unbound) return [{context, sequence, id: undefined, source}];
  else if (typeof id === 'string' && commandIds.has(id)) return [{context, sequence, id, source}];
  else problems.push(`${source}: ${context} “${written}”: there is no command “${String(id)}”.`);
  return [];
}

/** Returns the sequence in the spelling of keymaps; undefined when one of its words is not a key. */
export function keySequence(written: string): string | undefined {
  const keys = written.trim().split(/\s+/).map(parseKeyName);
  return keys.every((key) => key !== undefined) ? keys.map(keyName).join(' ') : undefined;
}

type BoundKey = KeyBinding & {readonly id: string};

/** Whether both contexts are active at once. */
function areTogether(one: KeyContext, other: KeyContext): boolean {
  return one === other || keyContexts[one].outer.includes(other) || keyContexts[other].outer.includes(one);
}

/**
 * Returns a key that the sequence in this context would hide, be hidden by, or make impossible to complete; undefined when it is
 * free.
 */
export function rivalKey(
  keymap: Keymap,
  context: KeyContext,
  sequence: string,
): {readonly sequence: string; readonly id: string} | undefined {
  const near = keyContextNames.filter((one) => areTogether(one, context));
  const bound = near.flatMap((one) => [...keymap[one]].map(([key, id]) => ({sequence: key, id})));
  return bound.find(
    ({sequence: key}) => key === sequence || key.startsWith(`${sequence} `) || sequence.startsWith(`${key} `),
  );
}

const defaultSource = 'default keys';

/** Returns a sentence for each pair of keys that conflict with the bindings applied, unless both are default keys. */
export function keyConflicts(bindings: readonly KeyBinding[]): readonly string[] {
  const keymap = withBindings(defaultKeymap, bindings);
  const sources = new Map(bindings.map(({context, sequence, source}) => [`${context} ${sequence}`, source]));
  const all = keyContextNames.flatMap((context) =>
    [...keymap[context]].map(([sequence, id]): BoundKey => {
      return {context, sequence, id, source: sources.get(`${context} ${sequence}`) ?? defaultSource};
    }),
  );
  const bound = new Map(all.map((one) => [`${one.context} ${one.sequence}`, one]));
  return [
    ...boundTwice(bindings),
    ...all.flatMap((one) => hiddenKeys(one, bound)),
    ...all.flatMap((one) => unreachableSequences(one, all)),
  ];
}

/** Reports keys that one file binds to two commands, in two spellings. */
function boundTwice(bindings: readonly KeyBinding[]): readonly string[] {
  const seen = new Map<string, KeyBinding>();
  return bindings.flatMap((binding) => {
    const key = `${binding.source} ${binding.context} ${binding.sequence}`;
    const before = seen.get(key);
    seen.set(key, binding);
    if (before === undefined || before.id === binding.id) return [];
    const {context, sequence, source} = binding;
    return [
      `${source}: ${context} “${sequence}” is bound twice, to ${quotedId(before.id)} and to ${quotedId(binding.id)}.`,
    ];
  });
}

function quotedId(id: string | undefined): string {
  return id === undefined ? 'nothing' : `“${id}”`;
}

/** Reports keys of outer contexts that this key hides by binding them to another command. */
function hiddenKeys(inner: BoundKey, bound: ReadonlyMap<string, BoundKey>): readonly string[] {
  return keyContexts[inner.context].outer.flatMap((context) => {
    const outer = bound.get(`${context} ${inner.sequence}`);
    if (outer === undefined || outer.id === inner.id || areDefaults(inner, outer)) return [];
    return [`${boundKeyText(inner)} hides ${boundKeyText(outer)}.`];
  });
}

/** Reports sequences that cannot be completed because their first keys already run a command. */
function unreachableSequences(short: BoundKey, all: readonly BoundKey[]): readonly string[] {
  return all
    .filter(
      (long) =>
        long.sequence.startsWith(`${short.sequence} `) &&
        areTogether(long.context, short.context) &&
        !areDefaults(short, long),
    )
    .map((long) => `${boundKeyText(short)} acts before ${boundKeyText(long)} can be completed.`);
}

function areDefaults(a: BoundKey, b: BoundKey): boolean {
  return a.source === defaultSource && b.source === defaultSource;
}

function boundKeyText({context, sequence, id, source}: BoundKey): string {
  return `${context} “${sequence}” (${id}, ${source})`;
}

/** Changes to the default keys, by context: sequence → command, or `-` to unbind it. */
type KeyChanges = Readonly<Partial<Record<KeyContext, Readonly<Record<string, string>>>>>;

export const presetNames = ['parley', 'zulip', 'vim+', 'emacs', 'weechat', 'slack', 'gmail'] as const;
type PresetName = (typeof presetNames)[number];

/** The presets of programs in which the input line always has the keys. */
const writingPresets: ReadonlySet<PresetName> = new Set(['weechat', 'slack']);

/** Keys as in other programs. `parley` is the default. */
const keyPresets: Readonly<Record<PresetName, KeyChanges>> = {
  parley: {},
  /** `e` edits and `z` shows a message in its conversation, as in Zulip and in earlier versions of Parley. */
  zulip: {
    nav: {e: '-', E: 'conv.done', z: '-', Z: 'undo'},
    msgs: {e: 'msg.edit', E: '-', z: 'msg.zoom', '.': '-'},
    inbox: {e: 'conv.done', z: 'undo'},
    drafts: {e: 'draft.edit', E: '-', z: 'undo'},
    browser: {e: 'channel.edit', E: '-'},
  },
  /** `:` opens the command line, `i` replies, `u` undoes, `y y` copies, `d d` deletes. The composer has a normal mode. */
  'vim+': {
    nav: {
      ':': 'command.line',
      'g :': 'palette.open',
      ';': '-',
      u: 'undo',
      y: '-',
      'g y': 'view.topics',
      d: '-',
      'g e': 'move.last',
      'Ctrl-F': 'page.down',
    },
    msgs: {
      ':': '-',
      ';': 'react.picker',
      u: '-',
      'g U': 'user.card',
      i: 'reply',
      ',': 'msg.actions',
      'y y': 'msg.copytext',
      'y l': 'msg.copylink',
      'd d': 'msg.delete',
    },
    list: {u: '-', 'g U': 'user.card'},
    inbox: {':': '-', ';': 'triage.react'},
    normal: {
      h: 'normal.left',
      l: 'normal.right',
      j: 'normal.down',
      k: 'normal.up',
      w: 'normal.word.next',
      b: 'normal.word.left',
      e: 'normal.word.end',
      '0': 'normal.home',
      $: 'normal.end',
      'g g': 'normal.first',
      G: 'normal.last',
      x: 'normal.delete',
      'd d': 'normal.delete.line',
      'd w': 'normal.delete.word',
      D: 'normal.delete.end',
      p: 'normal.paste',
      u: 'normal.undo',
      U: 'normal.redo',
      i: 'normal.insert',
      a: 'normal.append',
      I: 'normal.insert.line',
      A: 'normal.append.line',
      o: 'normal.below',
      O: 'normal.above',
      ':': 'command.line',
      'c w': 'normal.change.word',
      C: 'normal.change.end',
    },
  },
  /** Lines, pages, buffers, windows and M-x; Ctrl-C Ctrl-C sends, and Ctrl-G closes instead of opening. */
  emacs: {
    global: {
      'Ctrl-G': '-',
      'Ctrl-C': '-',
      'Alt-x': 'palette.open',
      'Ctrl-X Ctrl-C': 'app.quit',
      'Ctrl-X b': 'go.anything',
      'Ctrl-X Ctrl-F': 'go.anything',
      'Ctrl-X o': 'pane.other',
      'Ctrl-X 0': 'pane.close',
      'Ctrl-X 1': 'pane.only',
      'Ctrl-X 2': 'pane.split.below',
      'Ctrl-X 3': 'pane.split.beside',
    },
    nav: {
      'Ctrl-N': 'move.down',
      'Ctrl-P': 'move.up',
      'Ctrl-V': 'page.down',
      'Alt-v': 'page.up',
      'Alt->': 'move.last',
      'Alt-<': 'move.first',
      'Ctrl-S': 'search.open',
      'Ctrl-C': 'app.cancel',
      'Ctrl-G': 'back',
      'Ctrl-X k': 'back',
      'Ctrl-X u': 'undo',
      'Ctrl-_': 'undo',
      'Ctrl-X h': 'help.overlay',
    },
    composer: {
      'Ctrl-X b': '-',
      'Ctrl-X o': '-',
      'Ctrl-B': 'edit.left',
      'Ctrl-D': 'edit.delete',
      'Ctrl-G': 'compose.close',
      'Ctrl-C Ctrl-C': 'compose.send',
      'Ctrl-C Ctrl-K': 'compose.close',
      'Ctrl-C Ctrl-A': 'compose.attach',
      'Ctrl-C b': 'format.bold',
      'Ctrl-C o': 'format.poll',
      'Ctrl-X Ctrl-S': 'compose.stash',
      'Ctrl-P': 'compose.up',
      'Ctrl-N': 'compose.down',
    },
    menu: {'Ctrl-G': 'menu.close', 'Ctrl-C': 'app.cancel'},
    form: {'Ctrl-G': 'form.close', 'Ctrl-C': 'app.cancel'},
  },
  /** Alt-1 to Alt-9 go to conversations instead of accounts; F5, F6 and Alt with arrows step through the conversations. */
  weechat: {
    global: {
      ...Object.fromEntries(Array.from({length: 9}, (_, at) => [`Alt-${at + 1}`, 'go.recent'])),
      'Alt-Up': 'conv.prev',
      'Alt-Down': 'conv.next',
      F5: 'conv.prev',
      F6: 'conv.next',
      F7: 'pane.other',
      F8: 'pane.other',
      'Alt-j': 'go.anything',
      'Alt-<': 'history.back',
      'Alt->': 'history.forward',
    },
    nav: {
      'Alt-Home': 'move.first',
      'Alt-End': 'move.last',
      'Alt-n': 'view.mentions',
      'g 1': 'account.pick',
    },
    composer: {'Alt-n': 'view.mentions'},
  },
  /** The switcher is on Ctrl-K also while writing; Alt with arrows steps through conversations, with Shift through unread ones. */
  slack: {
    global: {
      'Alt-Up': 'conv.prev',
      'Alt-Down': 'conv.next',
      'Alt-Shift-Up': 'unread.prev.smart',
      'Alt-Shift-Down': 'unread.next.smart',
      F6: 'focus.next',
    },
    nav: {'Ctrl-T': 'go.anything', 'Ctrl-F': 'search.open'},
    composer: {'Ctrl-K': 'go.anything', 'Ctrl-F': 'search.open', 'Ctrl-B': 'format.bold', 'Ctrl-U': 'compose.attach'},
  },
  /** `x` selects, `u` goes back, `s` stars, `#` deletes, `f` forwards, `a` replies. */
  gmail: {
    nav: {
      u: 'back',
      x: '-',
      s: '-',
      a: '-',
      '#': '-',
      'g #': 'channel.info',
      'g x': 'compose.dm',
      'g v': 'view.toggle',
      'g f': 'view.combined',
    },
    msgs: {u: '-', 'g U': 'user.card', s: 'msg.star', '#': 'msg.delete', f: 'forward', a: 'reply'},
    list: {u: '-', 'g U': 'user.card', x: 'select.toggle'},
    drafts: {'#': 'draft.delete'},
  },
};
