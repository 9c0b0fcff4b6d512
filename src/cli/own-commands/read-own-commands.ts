import type {KeyContext} from '#commands/command.ts';
import {type FilePosition, type FileProblem, type FileTable, readTableFile} from '#config/table-file.ts';
import {printableLine} from '#std/printable.ts';

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
export function readOwnCommands(text: string): {
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
