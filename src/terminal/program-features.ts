import {isAtLeast, type ProgramName, type TerminalProgram} from './terminal-program.ts';

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
  /** Whether it orders right-to-left text itself. */
  readonly bidi?: Since;
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
  kitty: {trueColor: true, hyperlinks: true, clipboard: true, notifications: 'kitty'},
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
    bidi: has(known.bidi),
  };
}
