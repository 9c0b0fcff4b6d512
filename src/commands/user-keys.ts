import {parse, TomlError} from 'smol-toml';
import {keyName, parseKeyName} from '#terminal/input/key.ts';
import {type KeyContext, keyContextNames} from './context-names.ts';
import {keyConflicts} from './key-conflicts.ts';
import {type KeyChanges, keyPresets, type PresetName, presetNames} from './key-presets.ts';
import {defaultKeymap, type KeyBinding, type Keymap, withBindings} from './keymap.ts';

/** The result of reading `keys.toml`: the default keys with the user's changes. */
export interface UserKeys {
  readonly keymap: Keymap;
  /** A sentence for each line that cannot be used and for each pair of keys that conflict. */
  readonly problems: readonly string[];
}

const unbound = '-';

/**
 * Reads `keys.toml`: an optional `preset = "…"`, then a table per context with `"key" = "command"`, or `"-"` to unbind a key.
 * A line with an error is reported and skipped; all others apply.
 */
export function parseUserKeys(text: string, source: string, commandIds: ReadonlySet<string>): UserKeys {
  const problems: string[] = [];
  const tables = tablesOf(text, source, problems);
  const preset = presetOf(tables, source, problems);
  const bindings = [...presetBindings(preset), ...fileBindings(tables, {source, commandIds, problems})];
  return {
    keymap: withBindings(defaultKeymap, bindings),
    problems: [...problems, ...keyConflicts(bindings)],
  };
}

/** Returns the bindings of a preset. */
export function presetBindings(preset: PresetName): readonly KeyBinding[] {
  const source = `preset ${preset}`;
  return keyContextNames.flatMap((context) =>
    Object.entries(contextChanges(keyPresets[preset], context)).map(([sequence, id]) => {
      return {context, sequence, id: id === unbound ? undefined : id, source};
    }),
  );
}

function contextChanges(changes: KeyChanges, context: KeyContext): Readonly<Record<string, string>> {
  return changes[context] ?? {};
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
  if (preset === undefined) return 'zulip';
  const known = presetNames.find((name) => name === preset);
  if (known === undefined) {
    problems.push(`${source}: no preset “${String(preset)}”. Presets: ${presetNames.join(', ')}.`);
  }
  return known ?? 'zulip';
}

interface FileContext {
  readonly source: string;
  readonly commandIds: ReadonlySet<string>;
  readonly problems: string[];
}

function fileBindings(tables: Readonly<Record<string, unknown>>, file: FileContext): readonly KeyBinding[] {
  return Object.entries(tables).flatMap(([name, table]) => {
    if (name === 'preset') return [];
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
  id: unknown,
  {source, commandIds, problems}: FileContext,
): readonly KeyBinding[] {
  const sequence = sequenceOf(written);
  if (sequence === undefined) problems.push(`${source}: ${context} “${written}” is not a key.`);
  else if (id === unbound) return [{context, sequence, id: undefined, source}];
  else if (typeof id === 'string' && commandIds.has(id)) return [{context, sequence, id, source}];
  else problems.push(`${source}: ${context} “${written}”: there is no command “${String(id)}”.`);
  return [];
}

/** Returns the sequence in the spelling of keymaps; undefined when one of its words is not a key. */
function sequenceOf(written: string): string | undefined {
  const keys = written.trim().split(/\s+/).map(parseKeyName);
  return keys.every((key) => key !== undefined) ? keys.map(keyName).join(' ') : undefined;
}
