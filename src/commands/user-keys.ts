import {parse, TomlError} from 'smol-toml';
import {keyName, parseKeyName} from '#terminal/input/key.ts';
import {type KeyContext, keyContextNames} from './context-names.ts';
import {keyConflicts} from './key-conflicts.ts';
import {type KeyChanges, keyPresets, type PresetName, presetNames} from './key-presets.ts';
import {defaultKeymap, type KeyBinding, type Keymap, withBindings} from './keymap.ts';

/** Somebody's own keys over the default ones. */
export interface UserKeys {
  readonly keymap: Keymap;
  /** Sentences about what could not be understood, and about keys that stand in each other's way. */
  readonly problems: readonly string[];
}

const unbound = '-';

/**
 * `keys.toml`: tables by context, `"key" = "command"`, `"-"` for none; `preset = "…"` before them. What is wrong costs a
 * sentence each and leaves everything else as it is.
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

/** The keys of a preset alone. */
export function presetBindings(preset: PresetName): readonly KeyBinding[] {
  const source = `preset ${preset}`;
  return keyContextNames.flatMap((context) =>
    Object.entries(changesIn(keyPresets[preset], context)).map(([sequence, id]) => {
      return {context, sequence, id: id === unbound ? undefined : id, source};
    }),
  );
}

function changesIn(changes: KeyChanges, context: KeyContext): Readonly<Record<string, string>> {
  return changes[context] ?? {};
}

function tablesOf(text: string, source: string, problems: string[]): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    const place = error instanceof TomlError ? `, line ${error.line}` : '';
    problems.push(`${source}${place}: this is not TOML. The default keys are used.`);
    return {};
  }
}

function presetOf(tables: Readonly<Record<string, unknown>>, source: string, problems: string[]): PresetName {
  const {preset} = tables;
  if (preset === undefined) return 'zulip';
  const known = presetNames.find((name) => name === preset);
  if (known === undefined) {
    problems.push(`${source}: there is no preset “${String(preset)}”. There are ${presetNames.join(', ')}.`);
  }
  return known ?? 'zulip';
}

interface FileParts {
  readonly source: string;
  readonly commandIds: ReadonlySet<string>;
  readonly problems: string[];
}

function fileBindings(tables: Readonly<Record<string, unknown>>, parts: FileParts): readonly KeyBinding[] {
  return Object.entries(tables).flatMap(([name, table]) => {
    if (name === 'preset') return [];
    const context = keyContextNames.find((known) => known === name);
    if (context === undefined || typeof table !== 'object' || table === null) {
      parts.problems.push(
        `${parts.source}: “${name}” is no place for keys. There are ${keyContextNames.join(', ')}.`,
      );
      return [];
    }
    return Object.entries(table).flatMap(([written, id]) => bindingOf(context, written, id, parts));
  });
}

function bindingOf(
  context: KeyContext,
  written: string,
  id: unknown,
  {source, commandIds, problems}: FileParts,
): readonly KeyBinding[] {
  const sequence = sequenceOf(written);
  if (sequence === undefined) problems.push(`${source}: “${written}” in ${context} is no key.`);
  else if (id === unbound) return [{context, sequence, id: undefined, source}];
  else if (typeof id === 'string' && commandIds.has(id)) return [{context, sequence, id, source}];
  else problems.push(`${source}: ${context} “${written}”: there is no command “${String(id)}”.`);
  return [];
}

/** As keymaps are written; a sequence has spaces between its keys. */
function sequenceOf(written: string): string | undefined {
  const words = written.trim().split(/\s+/);
  const keys = words.map(parseKeyName);
  return keys.every((key) => key !== undefined) ? keys.map(keyName).join(' ') : undefined;
}
