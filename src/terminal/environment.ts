import type {Env} from './env.ts';
import {programFromEnv, type TerminalProgram} from './terminal-program.ts';

/**
 * The kind of terminal, by the sequences it accepts: `none` is no terminal, `dumb` can only print, the
 * `linux` console prints OSC as text, `serial` is an old device, and `xterm` is every other, which ignores
 * unknown sequences.
 */
export type TerminalKind = 'none' | 'dumb' | 'serial' | 'linux' | 'xterm';

/** Facts about the terminal from environment variables, before it was queried. */
export interface TerminalEnvironment {
  readonly kind: TerminalKind;
  readonly term: string;
  readonly inTmux: boolean;
  /** Whether tmux runs on this machine, so that its command works; over ssh it does not. */
  readonly hasTmuxCommand: boolean;
  readonly inScreen: boolean;
  readonly overSsh: boolean;
  readonly isMosh: boolean;
  /** A guess: ssh does not forward most variables. The terminal's reply is more reliable. */
  readonly program: TerminalProgram | undefined;
  /** Whether the locale is UTF-8; undefined when no locale is set, as is usual over ssh. */
  readonly hasUtf8Locale: boolean | undefined;
  /** The background from COLORFGBG, which some terminals set. */
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

/** Parses `15;0` or `12;default;8`: the last number is the background among the 16 colours. */
function backgroundOf(colors = ''): 'dark' | 'light' | undefined {
  const number = /;(\d+)$/.exec(colors)?.[1];
  if (number === undefined) return undefined;
  return ['0', '1', '2', '3', '4', '5', '6', '8'].includes(number) ? 'dark' : 'light';
}

/** Returns whether the terminal can show a full screen. */
export function canDraw({kind}: TerminalEnvironment): boolean {
  return kind !== 'none' && kind !== 'dumb';
}

/** Returns whether OSC and DCS are understood, or at least ignored. */
export function acceptsControlStrings({kind}: TerminalEnvironment): boolean {
  return kind === 'xterm';
}

/** Returns how long a lone ESC waits for the rest of a sequence: network packets may split it. */
export function escapeTimeoutMs({overSsh, isMosh}: TerminalEnvironment): number {
  return overSsh || isMosh ? 150 : 50;
}
