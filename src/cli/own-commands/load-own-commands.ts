import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {CliIo} from '#cli/io.ts';
import type {Command} from '#commands/command.ts';
import {type Keymap, withBindings} from '#commands/keymap.ts';
import {keySequence, rivalKey} from '#commands/user-keys.ts';
import {displayPath, expandPath, type Paths} from '#config/paths.ts';
import {
  ConfigError,
  commandFileProblem,
  ensurePrivateDirectory,
  orConfigError,
  readSmallFile,
  writePrivateFile,
} from '#config/private-files.ts';
import {fileProblemText} from '#config/table-file.ts';
import {actionTargets} from '#ui/actions/action-target.ts';
import type {App} from '#ui/core/app.ts';
import {selectedMessage} from '#ui/message-pane/selection.ts';
import {confirm} from '#ui/overlays/picker.ts';
import {type OwnCommand, readOwnCommands} from './read-own-commands.ts';
import {runOwnCommand} from './run-own-command.ts';

/**
 * Reads the user's own commands of `commands.toml`, if it is the user's own and nobody else can change it. Returns a sentence for
 * each part that cannot be used. `addKeys` adds the keys of the commands; keys that do something already are problems.
 */
export function loadOwnCommands(paths: Pick<Paths, 'config' | 'state'>, io: Pick<CliIo, 'env' | 'home'>) {
  const file = join(paths.config, 'commands.toml');
  const shown = displayPath(file, io.home);
  const text = orConfigError(() => {
    const problem = existsSync(file) ? commandFileProblem(file, 0o022) : 'it is a link to a file that does not exist.';
    if (problem !== undefined) throw new ConfigError(`The commands of ${shown} are not available: ${problem}`);
    return readSmallFile(file);
  });
  if (text instanceof ConfigError)
    return {commands: [], problems: [text.message], addKeys: (keymap: Keymap) => ({keymap, problems: []})};
  const {commands, problems} = readOwnCommands(text);
  const permission = permissionFor(text, join(paths.state, 'commands-allowed'));
  return {
    commands: commands.map((command) => record(command, permission, paths.config, io)),
    problems: problems.map((problem) => fileProblemText(shown, problem)),
    addKeys: (keymap: Keymap, builtIn: ReadonlyMap<string, Command>) => withOwnKeys(keymap, commands, builtIn, shown),
  };
}

type Permission = ReturnType<typeof permissionFor>;

/** The user's consent to run the programs of the file with this text, in a file with its checksum. */
function permissionFor(text: string, file: string) {
  const checksum = createHash('sha256').update(text).digest('hex');
  return {
    isGiven: () => {
      const saved = existsSync(file) ? orConfigError(() => readSmallFile(file)) : '';
      return typeof saved === 'string' && saved.trim() === checksum;
    },
    give: () => {
      ensurePrivateDirectory(dirname(file));
      writePrivateFile(file, `${checksum}\n`);
    },
  };
}

function record(
  own: OwnCommand,
  permission: Permission,
  folder: string,
  {env, home}: Pick<CliIo, 'env' | 'home'>,
): Command {
  const [program = '', ...args] = own.run;
  // A name without a slash is looked up in $PATH.
  const argv = [program.includes('/') ? expandPath(program, folder, home) : program, ...args];
  const running = new Set<App>();
  return {
    id: own.id,
    title: own.name,
    aliases: ['own command'],
    contexts: [own.context],
    disabledReason: (app) => {
      if (own.needs === 'message' && selectedMessage(app) === undefined) return 'Select a message first';
      return own.needs === 'conversation' && actionTargets(app).length === 0
        ? 'Select a conversation first'
        : undefined;
    },
    run: (app) => {
      const run = (from: App) => runOwnCommand(from, {...own, run: argv}, {env, home}, running);
      if (permission.isGiven()) run(app);
      else {
        confirm(app, {
          title: 'commands.toml has changed: allow it?',
          yes: 'Allow and run',
          detail: argv.join(' '),
          onYes: (from) => {
            const problem = orConfigError(() => permission.give());
            run(from);
            if (problem instanceof ConfigError) from.toast(problem.message, 'warning');
          },
        });
      }
    },
  };
}

function withOwnKeys(
  keymap: Keymap,
  commands: readonly OwnCommand[],
  builtIn: ReadonlyMap<string, Command>,
  file: string,
): {readonly keymap: Keymap; readonly problems: readonly string[]} {
  const problems: string[] = [];
  let all = keymap;
  for (const {id, name, key, context, keyPosition} of commands) {
    if (key === undefined) continue;
    const sequence = keySequence(key);
    const rival = sequence === undefined ? undefined : rivalKey(all, context, sequence);
    if (sequence !== undefined && rival === undefined) {
      all = withBindings(all, [{context, sequence, id}]);
      continue;
    }
    const other = rival === undefined ? '' : (builtIn.get(rival.id)?.title ?? rival.id);
    const text =
      rival === undefined
        ? `“${key}” is not a key.`
        : `“${rival.sequence}” runs “${other}” already. “${name}” has no key: choose another, or free this one in keys.toml.`;
    problems.push(fileProblemText(file, {...keyPosition, text}));
  }
  return {keymap: all, problems};
}
