import {accessSync, constants, statSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {parse, TomlError, type TomlTable} from 'smol-toml';
import {ConfigError} from './config-error.ts';
import {withTomlValue} from './edit-toml.ts';
import {ensurePrivateDirectory, readSmallFile, writePrivateFile} from './private-files.ts';
import {type ConfigSettings, settingsFile, settingTable} from './settings.ts';

/**
 * Writes one setting into `config.toml`. Comments, order, unknown settings, symbolic links and the file mode
 * stay as they are. Throws a ConfigError and changes nothing when the file cannot be edited safely. Reads the
 * file again on each call, so that two programs that write one after the other keep each other's changes.
 */
export function changeSetting<K extends keyof ConfigSettings>(
  directory: string,
  key: K,
  value: ConfigSettings[K],
): void {
  const file = join(directory, settingsFile);
  const {name, default: defaultValue} = settingTable[key];
  const mode = modeOf(file);
  const before = mode === undefined ? '' : readSmallFile(file);
  const path = name.split('.');
  const current = valueAt(parseToml(before, file), path);
  if (current === value || (current === undefined && value === defaultValue)) return;
  const after = withTomlValue(before, path, value);
  if (!isOnlyChange(before, after, path, value)) {
    throw new ConfigError(
      `${file}: Parley cannot change “${name}” without touching other settings. Edit the file yourself.`,
    );
  }
  if (mode === undefined) ensurePrivateDirectory(directory);
  else refuseReadOnly(file);
  writePrivateFile(file, after, mode);
}

/** Returns the permission bits of the file, or undefined when it does not exist or is a dangling link. */
function modeOf(file: string): number | undefined {
  const stats = statSync(file, {throwIfNoEntry: false});
  return stats === undefined ? undefined : stats.mode & 0o777;
}

function parseToml(text: string, file: string): TomlTable {
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
    (parent, name) => (isTable(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined),
    table,
  );
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Returns whether `after` has the new value and is otherwise equal to `before`: the final check before writing. */
function isOnlyChange(
  before: string,
  after: string,
  path: readonly string[],
  value: string | number | boolean,
): boolean {
  try {
    const [expected, actual] = [parse(before), parse(after)];
    if (valueAt(actual, path) !== value) return false;
    removeValue(expected, path);
    removeValue(actual, path);
    return isDeepStrictEqual(actual, expected);
  } catch {
    return false;
  }
}

/** Deletes the value at the path, and the tables that become empty. */
function removeValue(table: TomlTable, [name = '', ...rest]: readonly string[]): void {
  const within = table[name];
  if (rest.length > 0 && isTable(within)) removeValue(within, rest);
  if (rest.length === 0 || (isTable(within) && Object.keys(within).length === 0)) delete table[name];
}

/** Throws when the file is read-only. Replacing it would not need write permission, but the user protected it. */
function refuseReadOnly(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch {
    throw new ConfigError(`${file} is read-only. Make it writable to save settings: chmod u+w.`);
  }
}
