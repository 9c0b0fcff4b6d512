import {accessSync, constants, statSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {parse, TomlError, type TomlTable} from 'smol-toml';
import {ConfigError} from './config-error.ts';
import {withTomlValue} from './edit-toml.ts';
import {ensurePrivateDirectory, readSmallFile, writePrivateFile} from './private-files.ts';
import {type ConfigSettings, settingsFile, settingTable} from './settings.ts';

/**
 * Writes one setting into `config.toml`. Comments, order, and what nobody here knows stay as they are; so do links to the file
 * and who may read it. Throws a sentence, and then nothing was changed. Reads the file anew each time: of two programs, one
 * after the other keeps what both wrote.
 */
export function changeSetting<K extends keyof ConfigSettings>(
  directory: string,
  key: K,
  value: ConfigSettings[K],
): void {
  const file = join(directory, settingsFile);
  const {name, default: usual} = settingTable[key];
  const mode = modeOf(file);
  const before = mode === undefined ? '' : readSmallFile(file);
  const path = name.split('.');
  const known = valueAt(parsed(before, file), path);
  if (known === value || (known === undefined && value === usual)) return;
  const after = withTomlValue(before, path, value);
  if (!isOnlyChange(before, after, path, value)) {
    throw new ConfigError(`${file}: “${name}” is written in a way that Parley does not change.`);
  }
  if (mode === undefined) ensurePrivateDirectory(directory);
  else refuseReadOnly(file);
  writePrivateFile(file, after, mode);
}

/** Undefined when there is no file yet, or only a link to where it shall be. */
function modeOf(file: string): number | undefined {
  const stats = statSync(file, {throwIfNoEntry: false});
  return stats === undefined ? undefined : stats.mode & 0o777;
}

function parsed(text: string, file: string): TomlTable {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason] = error.message.split('\n', 1);
    throw new ConfigError(`${file}, line ${error.line}: ${reason}.`);
  }
}

function valueAt(table: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (within, name) => (isTable(within) && Object.hasOwn(within, name) ? within[name] : undefined),
    table,
  );
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The last word: read again, the text says this value, and about everything else what it said before. */
function isOnlyChange(
  before: string,
  after: string,
  path: readonly string[],
  value: string | number | boolean,
): boolean {
  try {
    const [wanted, made] = [parse(before), parse(after)];
    if (valueAt(made, path) !== value) return false;
    forget(wanted, path);
    forget(made, path);
    return isDeepStrictEqual(made, wanted);
  } catch {
    return false;
  }
}

/** Also tables that hold nothing else. */
function forget(table: TomlTable, [name = '', ...rest]: readonly string[]): void {
  const within = table[name];
  if (rest.length > 0 && isTable(within)) forget(within, rest);
  if (rest.length === 0 || (isTable(within) && Object.keys(within).length === 0)) delete table[name];
}

/** Replacing a file needs no right to write it, but whoever made it read-only meant it. */
function refuseReadOnly(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch {
    throw new ConfigError(`${file} is read-only.`);
  }
}
