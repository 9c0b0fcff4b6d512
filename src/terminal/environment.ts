import type {Env} from './env.ts';
import {programFromEnv, type TerminalProgram} from './terminal-program.ts';

/**
 * What may be sent: `none` is no terminal at all, `dumb` can only print; the `linux` console takes OSC for text; `serial`
 * is an old device that knows nothing newer than itself; `xterm` is everybody else, and ignores what it does not know.
 */
export type TerminalKind = 'none' | 'dumb' | 'serial' | 'linux' | 'xterm';

/** What is known before anything was asked. */
export interface TerminalEnvironment {
  readonly kind: TerminalKind;
  readonly term: string;
  readonly inTmux: boolean;
  /** tmux runs on this machine, so its command reaches it; over ssh it does not. */
  readonly hasTmuxCommand: boolean;
  readonly inScreen: boolean;
  readonly overSsh: boolean;
  readonly isMosh: boolean;
  /** A guess: most variables are not passed on by ssh. What the terminal answers is better. */
  readonly program: TerminalProgram | undefined;
  /** What the locale says; undefined when it says nothing, as is usual over ssh. */
  readonly hasUtf8Locale: boolean | undefined;
  /** What some terminals put into COLORFGBG. */
  readonly background: 'dark' | 'light' | undefined;
}

export function terminalEnvironment(env: Env, isTty: boolean): TerminalEnvironment {
  const term = env.TERM ?? '';
  const program = programFromEnv(env);
  return {
    kind: kindOf(term, isTty),
    term,
    inTmux: program?.name === 'tmux',
    hasTmuxCommand: program?.name === 'tmux' && Boolean(env.TMUX),
    inScreen: program?.name === 'screen',
    overSsh: Boolean(env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT),
    isMosh: Object.keys(env).some((name) => name.startsWith('MOSH_') && Boolean(env[name])),
    program,
    hasUtf8Locale: utf8Locale(env),
    background: program?.name === 'tmux' ? undefined : backgroundOf(env.COLORFGBG),
  };
}

function kindOf(term: string, isTty: boolean): TerminalKind {
  if (!isTty) return 'none';
  if (term === '' || term === 'dumb' || term === 'unknown') return 'dumb';
  if (/^linux/.test(term)) return 'linux';
  return /^(?:vt\d|ansi|cons25|network|dialup)/.test(term) ? 'serial' : 'xterm';
}

function utf8Locale(env: Env): boolean | undefined {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return /^(?:|C|POSIX)$/.test(locale) ? undefined : /utf-?8/i.test(locale);
}

/** `15;0`, `12;default;8`: the last is the background's number among the sixteen. */
function backgroundOf(colors = ''): 'dark' | 'light' | undefined {
  const number = /;(\d+)$/.exec(colors)?.[1];
  if (number === undefined) return undefined;
  return ['0', '1', '2', '3', '4', '5', '6', '8'].includes(number) ? 'dark' : 'light';
}

/** Whether there is something to draw a screen on. */
export function canDraw({kind}: TerminalEnvironment): boolean {
  return kind !== 'none' && kind !== 'dumb';
}

/** Whether OSC and DCS are understood or at least swallowed. */
export function acceptsControlStrings({kind}: TerminalEnvironment): boolean {
  return kind === 'xterm';
}

/** How long a lone ESC may wait for the rest of a sequence: packets of a connection come apart. */
export function escapeTimeoutMs({overSsh, isMosh}: TerminalEnvironment): number {
  return overSsh || isMosh ? 150 : 50;
}
