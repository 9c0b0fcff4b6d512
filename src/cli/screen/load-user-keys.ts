import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {commandTable} from '#commands/command-table.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import {parseUserKeys, type UserKeys} from '#commands/user-keys.ts';
import {ConfigError, orConfigError} from '#config/config-error.ts';
import {displayPath, type Paths} from '#config/paths.ts';
import {readSmallFile} from '#config/private-files.ts';

/** Returns the default keymap with the changes of `keys.toml`. */
export function loadUserKeys({config}: Pick<Paths, 'config'>, home: string): UserKeys {
  const file = join(config, 'keys.toml');
  if (!existsSync(file)) return {keymap: defaultKeymap, problems: []};
  const text = orConfigError(() => readSmallFile(file));
  if (text instanceof ConfigError) return {keymap: defaultKeymap, problems: [text.message]};
  return parseUserKeys(text, displayPath(file, home), new Set(commandTable.keys()));
}
