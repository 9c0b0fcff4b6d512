import {existsSync, lstatSync} from 'node:fs';
import {join} from 'node:path';
import type {Command} from '#commands/command.ts';
import {commandTable} from '#commands/command-table.ts';
import {defaultKeymap, withWritingKeys} from '#commands/keymap.ts';
import {parseUserKeys, type UserKeys} from '#commands/user-keys.ts';
import {displayPath, type Paths} from '#config/paths.ts';
import {ConfigError, orConfigError, readSmallFile} from '#config/private-files.ts';
import {readSettings} from '#config/settings.ts';
import type {CliIo} from './io.ts';

/** Returns the default keymap with the changes of `keys.toml`. `own` are the ids of the user's own commands. */
export function loadUserKeys(
  {config}: Pick<Paths, 'config'>,
  {home, env}: Pick<CliIo, 'env' | 'home'>,
  own: readonly string[] = [],
): UserKeys {
  const file = join(config, 'keys.toml');
  const {typing} = readSettings(config, env).settings;
  const usual = typing === 'on' ? withWritingKeys(defaultKeymap) : defaultKeymap;
  if (!existsSync(file)) return {keymap: usual, problems: []};
  const text = orConfigError(() => readSmallFile(file));
  if (text instanceof ConfigError) return {keymap: usual, problems: [text.message]};
  return parseUserKeys(text, displayPath(file, home), new Set([...commandTable.keys(), ...own]), typing);
}

/** Returns all commands and keys, with those of `commands.toml` and `keys.toml`. */
export async function loadCommandsAndKeys(
  paths: Pick<Paths, 'config' | 'state'>,
  io: Pick<CliIo, 'env' | 'home' | 'restriction'>,
): Promise<UserKeys & {readonly commands: ReadonlyMap<string, Command>}> {
  const hasOwn = lstatSync(join(paths.config, 'commands.toml'), {throwIfNoEntry: false}) !== undefined;
  if (!hasOwn || io.restriction !== undefined) return {...loadUserKeys(paths, io), commands: commandTable};
  const {loadOwnCommands} = await import('#cli/own-commands/load-own-commands.ts');
  const own = loadOwnCommands(paths, io);
  const user = loadUserKeys(
    paths,
    io,
    own.commands.map(({id}) => id),
  );
  const commands = new Map([...commandTable, ...own.commands.map((command) => [command.id, command] as const)]);
  const keyed = own.addKeys(user.keymap, commands);
  return {keymap: keyed.keymap, problems: [...own.problems, ...keyed.problems, ...user.problems], commands};
}
