import {byContext, type KeyContext, keyContextNames} from './context-names.ts';
import {defaultKeymap, type KeyBinding} from './keymap.ts';

/** The contexts that are active around each context, the innermost first. */
const outerContexts: Readonly<Record<KeyContext, readonly KeyContext[]>> = {
  global: [],
  nav: ['global'],
  msgs: ['nav', 'global'],
  list: ['nav', 'global'],
  inbox: ['list', 'nav', 'global'],
  drafts: ['list', 'nav', 'global'],
  browser: ['list', 'nav', 'global'],
  banner: ['nav', 'global'],
  composer: ['global'],
  menu: ['global'],
  form: ['global'],
};

interface BoundKey {
  readonly context: KeyContext;
  readonly sequence: string;
  readonly id: string;
  /** The file or preset that binds the key. */
  readonly source: string;
}

const defaultSource = 'default keys';

/** Returns a sentence for each pair of keys that conflict with the bindings applied, unless both are default keys. */
export function keyConflicts(bindings: readonly KeyBinding[]): readonly string[] {
  const bound = boundKeys(bindings);
  const all = keyContextNames.flatMap((context) => [...bound[context].values()]);
  return [
    ...boundTwice(bindings),
    ...all.flatMap((one) => hiddenKeys(one, bound)),
    ...all.flatMap((one) => unreachableSequences(one, all)),
  ];
}

type BoundKeys = Readonly<Record<KeyContext, Map<string, BoundKey>>>;

function boundKeys(bindings: readonly KeyBinding[]): BoundKeys {
  return byContext((context) => {
    const keys = new Map<string, BoundKey>();
    for (const [sequence, id] of defaultKeymap[context])
      keys.set(sequence, {context, sequence, id, source: defaultSource});
    for (const {sequence, id, source} of bindings.filter((one) => one.context === context)) {
      if (id === undefined) keys.delete(sequence);
      else keys.set(sequence, {context, sequence, id, source});
    }
    return keys;
  });
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
function hiddenKeys(inner: BoundKey, bound: BoundKeys): readonly string[] {
  return outerContexts[inner.context].flatMap((context) => {
    const outer = bound[context].get(inner.sequence);
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
        (long.context === short.context ||
          outerContexts[long.context].includes(short.context) ||
          outerContexts[short.context].includes(long.context)) &&
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
