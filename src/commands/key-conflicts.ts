import {byContext, type KeyContext, keyContextNames} from './context-names.ts';
import {defaultKeymap, type KeyBinding} from './keymap.ts';

/** The contexts around each, the nearest first. */
const around: Readonly<Record<KeyContext, readonly KeyContext[]>> = {
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
};

interface BoundKey {
  readonly context: KeyContext;
  readonly sequence: string;
  readonly id: string;
  readonly source: string;
}

const defaults = 'default keys';

/** Keys that stand in each other's way once all bindings are made; at least one of each pair is somebody's own. */
export function keyConflicts(bindings: readonly KeyBinding[]): readonly string[] {
  const bound = boundKeys(bindings);
  const all = keyContextNames.flatMap((context) => [...bound[context].values()]);
  return [
    ...doubles(bindings),
    ...all.flatMap((one) => hiddenBy(one, bound)),
    ...all.flatMap((one) => cutOff(one, all)),
  ];
}

type BoundKeys = Readonly<Record<KeyContext, Map<string, BoundKey>>>;

function boundKeys(bindings: readonly KeyBinding[]): BoundKeys {
  return byContext((context) => {
    const keys = new Map<string, BoundKey>();
    for (const [sequence, id] of defaultKeymap[context])
      keys.set(sequence, {context, sequence, id, source: defaults});
    for (const {sequence, id, source} of bindings.filter((one) => one.context === context)) {
      if (id === undefined) keys.delete(sequence);
      else keys.set(sequence, {context, sequence, id, source});
    }
    return keys;
  });
}

/** One file that says two things of one key, in two spellings. */
function doubles(bindings: readonly KeyBinding[]): readonly string[] {
  const seen = new Map<string, KeyBinding>();
  return bindings.flatMap((binding) => {
    const place = `${binding.source} ${binding.context} ${binding.sequence}`;
    const before = seen.get(place);
    seen.set(place, binding);
    if (before === undefined || before.id === binding.id) return [];
    const {context, sequence, source} = binding;
    return [
      `${source}: ${context} “${sequence}” is bound twice, to ${named(before.id)} and to ${named(binding.id)}.`,
    ];
  });
}

function named(id: string | undefined): string {
  return id === undefined ? 'nothing' : `“${id}”`;
}

/** The same key has another meaning further out, where it can no longer be reached. */
function hiddenBy(inner: BoundKey, bound: BoundKeys): readonly string[] {
  return around[inner.context].flatMap((context) => {
    const outer = bound[context].get(inner.sequence);
    if (outer === undefined || outer.id === inner.id || isUsual(inner, outer)) return [];
    return [`${boundKeyText(inner)} hides ${boundKeyText(outer)}.`];
  });
}

/** A key that acts at once is never the beginning of a sequence. */
function cutOff(short: BoundKey, all: readonly BoundKey[]): readonly string[] {
  return all
    .filter(
      (long) =>
        long.sequence.startsWith(`${short.sequence} `) &&
        (long.context === short.context ||
          around[long.context].includes(short.context) ||
          around[short.context].includes(long.context)) &&
        !isUsual(short, long),
    )
    .map((long) => `${boundKeyText(short)} acts before ${boundKeyText(long)} can be completed.`);
}

function isUsual(a: BoundKey, b: BoundKey): boolean {
  return a.source === defaults && b.source === defaults;
}

function boundKeyText({context, sequence, id, source}: BoundKey): string {
  return `${context} “${sequence}” (${id}, ${source})`;
}
