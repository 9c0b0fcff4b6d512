import type {Env} from './env.ts';

/** How the programs name themselves. */
const namesByText = [
  [/^alacritty/i, 'alacritty'],
  [/^apple_terminal/i, 'apple'],
  [/^contour/i, 'contour'],
  [/^foot/i, 'foot'],
  [/^(?:xterm-)?ghostty/i, 'ghostty'],
  [/^iterm/i, 'iterm'],
  [/^(?:xterm-)?kitty/i, 'kitty'],
  [/^konsole/i, 'konsole'],
  [/^mintty/i, 'mintty'],
  [/^mlterm/i, 'mlterm'],
  [/^rio\b/i, 'rio'],
  [/^rxvt/i, 'rxvt'],
  [/^tmux/i, 'tmux'],
  [/^screen/i, 'screen'],
  [/^vte\b/i, 'vte'],
  [/^wezterm/i, 'wezterm'],
  [/^windows terminal/i, 'windows-terminal'],
  [/^(?:xterm\.js|vscode)/i, 'xterm.js'],
  [/^xterm\(/i, 'xterm'],
] as const satisfies readonly (readonly [RegExp, string])[];

/** The terminal programs that differ in a feature that Parley uses. The last two do not name themselves. */
type ProgramName = (typeof namesByText)[number][1] | 'conemu' | 'mosh';

export interface TerminalProgram {
  readonly name: ProgramName;
  /** The version that it reports; empty when it reports none. */
  readonly version: string;
}

/** Parses the name that a terminal reports: `kitty(0.31.0)`, `tmux 3.4`, `VTE(7200)`. */
export function programFromName(text: string): TerminalProgram | undefined {
  const name = namesByText.find(([pattern]) => pattern.test(text))?.[1];
  if (name === undefined) return undefined;
  const version = /[\s(]([0-9][^\s()]*)/.exec(text)?.[1] ?? '';
  return {name, version: name === 'vte' ? vteVersion(version) : version};
}

/** The variables that only one program sets. */
const variableOwners: Readonly<Record<string, ProgramName>> = {
  KITTY_WINDOW_ID: 'kitty',
  WEZTERM_PANE: 'wezterm',
  WT_SESSION: 'windows-terminal',
  ConEmuPID: 'conemu',
};

/**
 * Returns the program that environment variables name. A multiplexer comes first: the variables of the
 * terminal around it date from its start and may describe a window that no longer exists.
 */
export function programFromEnv(env: Env): TerminalProgram | undefined {
  const term = env.TERM ?? '';
  const termProgram = env.TERM_PROGRAM ?? '';
  if (env.TMUX || /^tmux/.test(term)) return {name: 'tmux', version: termProgram === 'tmux' ? versionOf(env) : ''};
  if (env.STY || /^screen/.test(term)) return {name: 'screen', version: ''};
  const named = programFromName(termProgram);
  if (named !== undefined && named.name !== 'tmux') return {name: named.name, version: versionOf(env)};
  // ssh usually forwards variables that start with LC_.
  const local = programFromName(env.LC_TERMINAL ?? '');
  if (local !== undefined) return {name: local.name, version: env.LC_TERMINAL_VERSION ?? ''};
  const owner = Object.entries(variableOwners).find(([variable]) => env[variable])?.[1];
  if (owner !== undefined) return {name: owner, version: ''};
  if (env.KONSOLE_VERSION) return {name: 'konsole', version: konsoleVersion(env.KONSOLE_VERSION)};
  if (env.VTE_VERSION) return {name: 'vte', version: vteVersion(env.VTE_VERSION)};
  if (env.ALACRITTY_WINDOW_ID) return {name: 'alacritty', version: ''};
  if (env.XTERM_VERSION) return programFromName(env.XTERM_VERSION);
  // Most terminals set TERM to `xterm`; other values name the program.
  return programFromName(term);
}

function versionOf(env: Env): string {
  return env.TERM_PROGRAM_VERSION ?? '';
}

/** Converts `7200` to 0.72.0. */
function vteVersion(text: string): string {
  const number = Number(text);
  return Number.isInteger(number) ? `0.${Math.floor(number / 100)}.${number % 100}` : text;
}

/** Converts `221203` to 22.12.3. */
function konsoleVersion(text: string): string {
  const parts = /^(\d+)(\d\d)(\d\d)$/.exec(text)?.slice(1).map(Number);
  return parts?.join('.') ?? text;
}

/** Returns whether a version (`3.3a`, `0.72.0`, `next-3.5`) is at minimum this one; false when it cannot be parsed. */
export function isAtLeast(version: string, minimum: readonly number[]): boolean {
  const numbers = version.match(/\d+/g)?.map(Number);
  if (numbers === undefined) return false;
  for (const [i, required] of minimum.entries()) {
    const number = numbers[i] ?? 0;
    if (number !== required) return number > required;
  }
  return true;
}

/** The way a terminal shows a notification: OSC 99, OSC 777, OSC 9, or only the bell. */
export type NotificationKind = 'kitty' | 'urxvt' | 'iterm' | 'bell';

/** The version from which a feature exists; true for all. */
type Since = true | readonly number[];

/** The features of a program that are known without asking. Features not listed do not exist or need configuration. */
interface KnownFeatures {
  readonly trueColor?: Since;
  readonly hyperlinks?: Since;
  /** Whether OSC 52 sets the clipboard without configuration; `never` when it certainly does not. */
  readonly clipboard?: Since | 'never';
  readonly notifications?: NotificationKind;
  /** OSC 9;4. */
  readonly progress?: Since;
  /** Whether it orders right-to-left text itself; `words`: only the letters of each word. */
  readonly bidi?: Since | 'words';
}

const features: Readonly<Record<ProgramName, KnownFeatures>> = {
  alacritty: {trueColor: true, hyperlinks: true, clipboard: true},
  apple: {clipboard: 'never', bidi: true},
  conemu: {trueColor: true, clipboard: 'never', progress: true},
  contour: {trueColor: true, hyperlinks: true, clipboard: true},
  foot: {trueColor: true, hyperlinks: true, clipboard: true, notifications: 'urxvt'},
  ghostty: {
    trueColor: true,
    hyperlinks: true,
    clipboard: true,
    notifications: 'urxvt',
    progress: [1, 2],
  },
  iterm: {trueColor: true, hyperlinks: true, notifications: 'iterm'},
  kitty: {trueColor: true, hyperlinks: true, clipboard: true, notifications: 'kitty', bidi: 'words'},
  konsole: {trueColor: true, hyperlinks: true, bidi: true},
  mintty: {trueColor: true, hyperlinks: [2, 9, 7], bidi: true},
  mlterm: {trueColor: true, bidi: true},
  mosh: {},
  rio: {trueColor: true, hyperlinks: true, clipboard: true},
  rxvt: {notifications: 'urxvt', clipboard: 'never'},
  screen: {},
  tmux: {hyperlinks: [3, 4], progress: [3, 7]},
  vte: {trueColor: [0, 36], hyperlinks: [0, 50], bidi: [0, 58]},
  wezterm: {trueColor: true, hyperlinks: true, clipboard: true, notifications: 'urxvt'},
  'windows-terminal': {trueColor: true, hyperlinks: true, clipboard: true, progress: true},
  xterm: {},
  'xterm.js': {trueColor: true, hyperlinks: true, clipboard: true},
};

/** Returns the features of a program; `clipboard` is undefined when it is not known. */
export function featuresOf(program: TerminalProgram | undefined) {
  const known: KnownFeatures = program === undefined ? {} : features[program.name];
  const has = (since: Since | undefined) =>
    since === true || (since !== undefined && isAtLeast(program?.version ?? '', since));
  const {clipboard} = known;
  return {
    trueColor: has(known.trueColor),
    hyperlinks: has(known.hyperlinks),
    clipboard: clipboard === 'never' ? false : has(clipboard) || undefined,
    notifications: known.notifications ?? ('bell' satisfies NotificationKind),
    progress: has(known.progress),
    bidi: known.bidi === 'words' ? ('words' as const) : has(known.bidi) ? ('own' as const) : ('none' as const),
  };
}
