import {execFile} from 'node:child_process';
import type {CliIo} from '#cli/io.ts';
import type {Check} from './doctor.ts';

/** What the terminal says about itself. */
export async function* terminalChecks(io: CliIo): AsyncGenerator<Check> {
  const {env} = io;
  yield termCheck(env.TERM, env.COLORTERM, io.columns);
  yield localeCheck(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
  if (env.SSH_CONNECTION || env.SSH_TTY) {
    yield {status: 'ok', what: 'ssh', detail: 'over ssh: COLORTERM is often not passed on'};
  }
  if (env.TMUX) yield tmuxCheck(await tmuxOptions(env));
  else if (env.STY) {
    const detail = 'inside GNU screen: no focus events, no hyperlinks; notifications are bells only';
    yield {status: 'warn', what: 'screen', detail};
  }
}

function termCheck(term = '', colorTerm = '', columns: number | undefined): Check {
  const size = columns === undefined ? '' : `, ${columns} columns`;
  const what = 'terminal';
  if (term === '' || term === 'dumb') {
    const detail = `TERM is ${term === '' ? 'not set' : 'dumb'}: there is nothing to draw on, only verbs work`;
    return {status: 'warn', what, detail};
  }
  return {status: 'ok', what, detail: `TERM=${term}, ${colours(term, colorTerm)}${size}`};
}

function colours(term: string, colorTerm: string): string {
  if (/^(?:truecolor|24bit)$/i.test(colorTerm)) return 'true colour';
  if (/256color|kitty|alacritty|foot|ghostty|wezterm/.test(term)) return '256 colours';
  return /^(?:vt\d+|ansi)/.test(term) ? 'no colours' : '16 colours';
}

function localeCheck(locale: string): Check {
  const what = 'locale';
  if (/utf-?8/i.test(locale)) return {status: 'ok', what, detail: locale};
  const said = locale === '' ? 'LANG is not set' : `LANG is ${locale}`;
  return {
    status: 'warn',
    what,
    detail: `${said}: set a UTF-8 locale, or text beyond ASCII may come out wrong`,
  };
}

interface TmuxOption {
  readonly name: string;
  /** `-g` or `-s`: where tmux keeps it. */
  readonly scope: '-g' | '-s';
  readonly isGood: (value: string) => boolean;
  readonly line: string;
}

const tmuxTable: readonly TmuxOption[] = [
  {name: 'focus-events', scope: '-g', isGood: (value) => value === 'on', line: 'set -g focus-events on'},
  {name: 'set-clipboard', scope: '-s', isGood: (value) => value === 'on', line: 'set -s set-clipboard on'},
  {
    name: 'allow-passthrough',
    scope: '-g',
    isGood: (value) => value === 'on' || value === 'all',
    line: 'set -g allow-passthrough on',
  },
  {
    name: 'extended-keys',
    scope: '-s',
    isGood: (value) => value === 'on' || value === 'always',
    line: 'set -s extended-keys on',
  },
  {
    name: 'terminal-features',
    scope: '-s',
    isGood: (value) => /hyperlinks/.test(value) && /extkeys/.test(value),
    line: "set -as terminal-features ',xterm*:extkeys:hyperlinks'",
  },
  {
    name: 'escape-time',
    scope: '-s',
    isGood: (value) => Number(value) <= 50,
    line: 'set -s escape-time 10',
  },
];

/** What tmux has now; undefined for an option that it does not tell. */
async function tmuxOptions(env: CliIo['env']): Promise<ReadonlyMap<string, string | undefined>> {
  const values = await Promise.all(
    tmuxTable.map(async ({name, scope}) => [name, await tmuxOption(scope, name, env)] as const),
  );
  return new Map(values);
}

function tmuxOption(scope: string, name: string, env: CliIo['env']): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('tmux', ['show-options', `${scope}v`, name], {env, timeout: 2_000}, (error, stdout) =>
      resolve(error === null ? stdout.trim() : undefined),
    );
  });
}

function tmuxCheck(values: ReadonlyMap<string, string | undefined>): Check {
  const wanted = tmuxTable.filter(({name, isGood}) => {
    const value = values.get(name);
    return value === undefined || value === '' || !isGood(value);
  });
  if (wanted.length === 0)
    return {status: 'ok', what: 'tmux', detail: 'set up for everything that Parley uses'};
  return {
    status: 'warn',
    what: 'tmux',
    detail: 'for notifications, the clipboard, links and keys add to ~/.tmux.conf:',
    lines: wanted.map(({line}) => line),
  };
}
