import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {App} from '#app/core/app.ts';
import {confirm} from '#app/overlays/picker.ts';
import {actionTargets} from '#app/targets/action-target.ts';
import type {CliIo} from '#cli/io.ts';
import type {Command, KeyContext} from '#commands/command.ts';
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
import {
  type FilePosition,
  type FileProblem,
  type FileTable,
  fileProblemText,
  readTableFile,
} from '#config/table-file.ts';
import {printableLine} from '#std/printable.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {runOwnCommand} from './run-own-command.ts';

/** What a command is about; without it, it cannot run. */
const needs = ['message', 'conversation', 'nothing'] as const;
/** Where the output goes. */
const outputs = ['toast', 'pager', 'composer', 'nothing'] as const;

/** What the program gets on standard input: all that is known, or only the text of the messages. */
const inputs = ['json', 'text'] as const;

/** A command of `commands.toml`. */
export interface OwnCommand {
  readonly id: string;
  readonly name: string;
  /** The program and its arguments. No shell reads them. */
  readonly run: readonly string[];
  readonly needs: (typeof needs)[number];
  readonly input: (typeof inputs)[number];
  readonly output: (typeof outputs)[number];
  readonly seconds: number;
  readonly key: string | undefined;
  /** Where the key works. */
  readonly context: KeyContext;
  readonly keyPosition: FilePosition;
}

const keys = {
  name: 'text',
  run: 'texts',
  key: 'text',
  needs,
  input: inputs,
  output: outputs,
  seconds: 'number',
} as const;
const maxSeconds = 600;
const defaultSeconds = 30;

/** Reads `commands.toml`. A table with a problem costs only itself. */
function readOwnCommands(text: string): {
  readonly commands: readonly OwnCommand[];
  readonly problems: readonly FileProblem[];
} {
  const {tables, problems: wrong} = readTableFile(text, 'command', keys);
  const problems = [...wrong];
  const commands = new Map<string, OwnCommand>();
  for (const table of tables) {
    const command = commandOf(table);
    if ('text' in command) problems.push(command);
    else if (commands.has(command.id)) {
      problems.push({...table.positionOf('name'), text: `another command has the id “${command.id}”.`});
    } else commands.set(command.id, command);
  }
  return {commands: [...commands.values()], problems};
}

function commandOf({values, positionOf}: FileTable<typeof keys>): OwnCommand | FileProblem {
  const {run, key, needs: need = 'message', input = 'json', output = 'toast', seconds = defaultSeconds} = values;
  const name = printableLine(values.name ?? '');
  const problem = (at: string, text: string) => ({...positionOf(at), text});
  const id = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  if (values.name === undefined) return problem('name', 'the command has no “name”.');
  if (id === '') return problem('name', 'the “name” has no letter and no digit.');
  if (run === undefined) return problem('run', 'the command has no “run”: a list with the program and its arguments.');
  if (run.some((word) => word.includes('\0')))
    return problem('run', '“run” has a character that no argument can have.');
  if (run.length === 1 && /\s/.test(run[0]?.trim() ?? '')) {
    return problem('run', '“run” is a list, because no shell reads it: ["program", "argument"].');
  }
  if (seconds > maxSeconds) return problem('seconds', `“seconds” is at most ${maxSeconds}.`);
  if (output === 'composer' && need === 'nothing') {
    return problem('output', 'output into the composer needs a message or a conversation.');
  }
  const context = need === 'message' ? 'msgs' : 'nav';
  return {
    id: `own.${id}`,
    name,
    run,
    needs: need,
    input,
    output,
    seconds,
    key,
    context,
    keyPosition: positionOf('key'),
  };
}

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
