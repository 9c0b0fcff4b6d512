import type {Env} from './env.ts';

/** The programs that draw terminals, as far as they differ in something Parley uses. */
export type ProgramName =
  | 'alacritty'
  | 'apple'
  | 'conemu'
  | 'contour'
  | 'foot'
  | 'ghostty'
  | 'iterm'
  | 'kitty'
  | 'konsole'
  | 'mintty'
  | 'rio'
  | 'rxvt'
  | 'screen'
  | 'tmux'
  | 'vte'
  | 'wezterm'
  | 'windows-terminal'
  | 'xterm'
  | 'xterm.js';

export interface TerminalProgram {
  readonly name: ProgramName;
  /** As it says it; empty when it does not. */
  readonly version: string;
}

const namesByText: readonly (readonly [RegExp, ProgramName])[] = [
  [/^alacritty/i, 'alacritty'],
  [/^apple_terminal/i, 'apple'],
  [/^contour/i, 'contour'],
  [/^foot/i, 'foot'],
  [/^(?:xterm-)?ghostty/i, 'ghostty'],
  [/^iterm/i, 'iterm'],
  [/^(?:xterm-)?kitty/i, 'kitty'],
  [/^konsole/i, 'konsole'],
  [/^mintty/i, 'mintty'],
  [/^rio\b/i, 'rio'],
  [/^rxvt/i, 'rxvt'],
  [/^tmux/i, 'tmux'],
  [/^screen/i, 'screen'],
  [/^vte\b/i, 'vte'],
  [/^wezterm/i, 'wezterm'],
  [/^windows terminal/i, 'windows-terminal'],
  [/^(?:xterm\.js|vscode)/i, 'xterm.js'],
  [/^xterm\(/i, 'xterm'],
];

/** What a terminal answers when it is asked for its name: `kitty(0.31.0)`, `tmux 3.4`, `VTE(7200)`. */
export function programFromName(text: string): TerminalProgram | undefined {
  const name = namesByText.find(([pattern]) => pattern.test(text))?.[1];
  if (name === undefined) return undefined;
  const version = /[\s(]([0-9][^\s()]*)/.exec(text)?.[1] ?? '';
  return {name, version: name === 'vte' ? vteVersion(version) : version};
}

/**
 * What the variables say. A multiplexer's comes first: those of the terminal around it are left over from the moment
 * when it was started, and speak of a window that may be gone.
 */
export function programFromEnv(env: Env): TerminalProgram | undefined {
  const term = env.TERM ?? '';
  const said = env.TERM_PROGRAM ?? '';
  if (env.TMUX || /^tmux/.test(term)) return {name: 'tmux', version: said === 'tmux' ? versionOf(env) : ''};
  if (env.STY || /^screen/.test(term)) return {name: 'screen', version: ''};
  const named = programFromName(said);
  if (named !== undefined && named.name !== 'tmux') return {name: named.name, version: versionOf(env)};
  // Some of what begins with LC_ is passed on by ssh.
  const local = programFromName(env.LC_TERMINAL ?? '');
  if (local !== undefined) return {name: local.name, version: env.LC_TERMINAL_VERSION ?? ''};
  if (env.KITTY_WINDOW_ID) return {name: 'kitty', version: ''};
  if (env.WEZTERM_PANE) return {name: 'wezterm', version: ''};
  if (env.WT_SESSION) return {name: 'windows-terminal', version: ''};
  if (env.ConEmuPID) return {name: 'conemu', version: ''};
  if (env.KONSOLE_VERSION) return {name: 'konsole', version: konsoleVersion(env.KONSOLE_VERSION)};
  if (env.VTE_VERSION) return {name: 'vte', version: vteVersion(env.VTE_VERSION)};
  if (env.ALACRITTY_WINDOW_ID) return {name: 'alacritty', version: ''};
  if (env.XTERM_VERSION) return programFromName(env.XTERM_VERSION);
  // `xterm` is what everybody claims to be; the others are their own.
  return programFromName(term);
}

function versionOf(env: Env): string {
  return env.TERM_PROGRAM_VERSION ?? '';
}

/** `7200` is 0.72.0. */
function vteVersion(text: string): string {
  const number = Number(text);
  return Number.isInteger(number) ? `0.${Math.floor(number / 100)}.${number % 100}` : text;
}

/** `221203` is 22.12.3. */
function konsoleVersion(text: string): string {
  const parts = /^(\d+)(\d\d)(\d\d)$/.exec(text)?.slice(1).map(Number);
  return parts?.join('.') ?? text;
}

/** Whether a version (`3.3a`, `0.72.0`, `next-3.5`) is this one or later; false when it cannot be told. */
export function isAtLeast(version: string, least: readonly number[]): boolean {
  const numbers = version.match(/\d+/g)?.map(Number);
  if (numbers === undefined) return false;
  for (const [i, wanted] of least.entries()) {
    const number = numbers[i] ?? 0;
    if (number !== wanted) return number > wanted;
  }
  return true;
}
