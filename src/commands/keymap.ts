import {byContext, type KeyContext, keyContextNames} from './context-names.ts';
import {defaultKeys} from './default-keys.ts';

/** What each key does: for each context, sequence of key names → command id. */
export type Keymap = Readonly<Record<KeyContext, ReadonlyMap<string, string>>>;

/** One key of a file, where it came from, and what it is to do; without an id it does nothing. */
export interface KeyBinding {
  readonly context: KeyContext;
  readonly sequence: string;
  readonly id: string | undefined;
  /** The file or the preset. */
  readonly source: string;
}

export type KeyResolution =
  | {readonly kind: 'command'; readonly id: string; readonly context: KeyContext}
  /** More keys are needed. */
  | {readonly kind: 'prefix'}
  | {readonly kind: 'none'};

export interface KeyContinuation {
  readonly key: string;
  readonly id: string;
}

function keymapOf(
  bound: (context: KeyContext) => readonly (readonly [sequence: string, id: string])[],
): Keymap {
  return byContext((context) => new Map(bound(context)));
}

export const defaultKeymap: Keymap = keymapOf((context) =>
  Object.entries(defaultKeys[context]).flatMap(([id, keys]) => keys.map((key) => [key, id] as const)),
);

/** What was bound and unbound over it; later ones win. */
export function withBindings(
  keymap: Keymap,
  changes: readonly {
    readonly context: KeyContext;
    readonly sequence: string;
    readonly id: string | undefined;
  }[],
): Keymap {
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

/** `contexts` with the innermost first. `keys` are those pressed so far. */
export function resolveKeys(
  keymap: Keymap,
  contexts: readonly KeyContext[],
  keys: readonly string[],
): KeyResolution {
  const sequence = keys.join(' ');
  for (const context of contexts) {
    const id = keymap[context].get(sequence);
    if (id !== undefined) return {kind: 'command', id, context};
  }
  return continuations(keymap, contexts, keys).length > 0 ? {kind: 'prefix'} : {kind: 'none'};
}

/** The keys that may follow. */
export function continuations(
  keymap: Keymap,
  contexts: readonly KeyContext[],
  keys: readonly string[],
): readonly KeyContinuation[] {
  const start = `${keys.join(' ')} `;
  const found = new Map<string, string>();
  for (const context of contexts) {
    for (const [sequence, id] of keymap[context]) {
      const key = sequence.slice(start.length);
      if (sequence.startsWith(start) && !found.has(key)) found.set(key, id);
    }
  }
  return [...found].map(([key, id]) => ({key, id}));
}

/** The keys of a command, shortest first, of all contexts or of these. */
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
