import type {Env} from './env.ts';
import type {Charset} from './output-charset.ts';
import {programFromEnv, type TerminalProgram} from './terminal-program.ts';

/**
 * The kind of terminal, by the sequences it accepts: `none` is no terminal, `dumb` can only print or has other sequences, the
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
  /** A guess: ssh does not forward most variables. The terminal's reply is more reliable. */
  readonly program: TerminalProgram | undefined;
  /** Whether the program is certainly on this machine. Then each key arrives in one piece. */
  readonly isLocalProgram: boolean;
  /** The character set of the locale; undefined when no locale is set, as is usual over ssh. */
  readonly charset: Charset | undefined;
  /** The background from COLORFGBG, which some terminals set. */
  readonly background: 'dark' | 'light' | undefined;
}

export function terminalEnvironment(env: Env, isTty: boolean): TerminalEnvironment {
  const term = env.TERM ?? '';
  const program = programFromEnv(env);
  const overSsh = Boolean(env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT);
  return {
    kind: kindOf(term, isTty),
    term,
    ...multiplexer(program),
    hasTmuxCommand: program?.name === 'tmux' && Boolean(env.TMUX),
    overSsh,
    program,
    isLocalProgram: Boolean(env.TMUX || env.STY) || (!overSsh && program !== undefined),
    charset: localeCharset(env),
    background: program?.name === 'tmux' ? undefined : backgroundOf(env.COLORFGBG),
  };
}

function multiplexer(program: TerminalProgram | undefined): Pick<TerminalEnvironment, 'inTmux' | 'inScreen'> {
  return {inTmux: program?.name === 'tmux', inScreen: program?.name === 'screen'};
}

/** Corrects the guessed program by what the terminal reported: `screen-256color` is also the TERM of many a tmux. */
export function withReportedProgram(
  environment: TerminalEnvironment,
  program: TerminalProgram | undefined,
): TerminalEnvironment {
  return program === environment.program ? environment : {...environment, program, ...multiplexer(program)};
}

function kindOf(term: string, isTty: boolean): TerminalKind {
  if (!isTty) return 'none';
  if (term === '' || /^(?:dumb|unknown|vt52)(?:-|$)/.test(term)) return 'dumb';
  if (/^linux/.test(term)) return 'linux';
  return /^(?:vt\d|ansi|cons25|network|dialup)/.test(term) ? 'serial' : 'xterm';
}

function localeCharset(env: Env): Charset | undefined {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  if (/^(?:|C|POSIX)$/.test(locale)) return undefined;
  if (/utf-?8/i.test(locale)) return 'utf-8';
  return /8859-?15?(?:@|$)|@euro$/i.test(locale) ? 'latin-1' : 'ascii';
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

/**
 * Returns how long a lone ESC waits for the rest of a sequence. A network, a container or a virtual console may split it; a
 * multiplexer or terminal on this machine writes it at once.
 */
export function escapeTimeoutMs({isLocalProgram}: TerminalEnvironment): number {
  return isLocalProgram ? 50 : 150;
}
