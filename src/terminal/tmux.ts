import type {RunProgram} from './run-program.ts';
import {isAtLeast, programFromName, type TerminalProgram} from './terminal-program.ts';

/** An option of tmux that a feature of Parley depends on. */
interface TmuxOption {
  readonly name: string;
  /** The scope of the option. */
  readonly scope: '-g' | '-s';
  /** The first version that has the option. */
  readonly since: readonly number[];
  readonly isGood: (value: string) => boolean;
  readonly line: string;
}

const isOn = (value: string) => /^(?:on|all|always)$/.test(value);

const options: readonly TmuxOption[] = [
  {name: 'focus-events', scope: '-g', since: [1, 9], isGood: isOn, line: 'set -g focus-events on'},
  {name: 'set-clipboard', scope: '-s', since: [1, 5], isGood: isOn, line: 'set -s set-clipboard on'},
  {name: 'allow-passthrough', scope: '-g', since: [3, 3], isGood: isOn, line: 'set -g allow-passthrough on'},
  {name: 'extended-keys', scope: '-s', since: [3, 2], isGood: isOn, line: 'set -s extended-keys on'},
  {
    name: 'terminal-features',
    scope: '-s',
    since: [3, 2],
    isGood: (value) => /hyperlinks/.test(value) && /extkeys/.test(value),
    line: "set -as terminal-features ',xterm*:extkeys:hyperlinks'",
  },
  {
    name: 'escape-time',
    scope: '-s',
    since: [1, 2],
    isGood: (value) => Number(value) <= 50,
    line: 'set -s escape-time 10',
  },
];

/** The version and the options of tmux; undefined where tmux does not report them. */
export interface TmuxSetup {
  readonly version: string | undefined;
  readonly values: ReadonlyMap<string, string | undefined>;
}

export async function tmuxSetup(run: RunProgram): Promise<TmuxSetup> {
  const [version, ...values] = await Promise.all([
    tmuxOutput(run, ['-V']),
    ...options.map(({scope, name}) => tmuxOutput(run, ['show-options', `${scope}v`, name])),
  ]);
  return {
    version: version === undefined ? undefined : programFromName(version)?.version,
    values: new Map(options.map(({name}, i) => [name, values[i]])),
  };
}

/** Returns the configuration lines that would enable more features; none when all are enabled. */
export function tmuxAdvice({version, values}: TmuxSetup): string[] {
  return options
    .filter(({name, since, isGood}) => {
      if (version !== undefined && !isAtLeast(version, since)) return false;
      const value = values.get(name) ?? '';
      return value === '' || !isGood(value);
    })
    .map(({line}) => line);
}

/** Returns the terminal around tmux, which shows the notifications that are passed through. */
export async function outerProgram(run: RunProgram): Promise<TerminalProgram | undefined> {
  const text = await tmuxOutput(run, ['display-message', '-p', '#{client_termtype}']);
  return text === undefined ? undefined : programFromName(text);
}

/** Returns whether tmux passes sequences on to the terminal around it. */
export async function passesThrough(run: RunProgram): Promise<boolean> {
  return isOn((await tmuxOutput(run, ['show-options', '-gv', 'allow-passthrough'])) ?? '');
}

async function tmuxOutput(run: RunProgram, args: readonly string[]): Promise<string | undefined> {
  const outcome = await run('tmux', args);
  return outcome.kind === 'ended' && outcome.code === 0 ? outcome.output.trim() : undefined;
}
