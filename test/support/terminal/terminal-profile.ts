/** The profile of a terminal: its name, its replies and its features. Missing values mean no reply. */
export interface TerminalProfile {
  readonly env: Readonly<Record<string, string>>;
  /** The reply to DA1, between `ESC[?` and `c`. */
  readonly attributes?: string;
  /** The reply to XTVERSION. */
  readonly version?: string;
  /** Whether it reports the cursor position and its status. */
  readonly reportsStatus: boolean;
  /** Whether it reports its colours and colour scheme. */
  readonly reportsColours: boolean;
  /** Whether it reports its size in pixels. */
  readonly reportsSize: boolean;
  readonly keyboard: 'kitty' | 'xterm' | 'plain';
  /** The private modes that it reports. */
  readonly modes: readonly number[];
  /** Whether it shows a frame between `?2026h` and `?2026l` only when it is complete. */
  readonly isSynchronized: boolean;
  /** Whether it supports notifications like kitty. */
  readonly hasNotifications: boolean;
  /** Whether it says that it orders right-to-left text, which can be switched off. */
  readonly ordersText?: boolean;
}

const commonModes = [1, 7, 25, 1000, 1002, 1003, 1004, 1006, 1007, 1049, 2004] as const;

/** A terminal like kitty, Ghostty or foot, with all features. */
export const modern: TerminalProfile = {
  env: {TERM: 'xterm-256color', COLORTERM: 'truecolor'},
  attributes: '62;22;52',
  version: 'kitty(0.42.1)',
  reportsStatus: true,
  reportsColours: true,
  reportsSize: true,
  keyboard: 'kitty',
  modes: [...commonModes, 2026, 2031],
  isSynchronized: true,
  hasNotifications: true,
};

/** xterm: its own format for modified keys, no synchronized output. */
export const xterm: TerminalProfile = {
  env: {TERM: 'xterm-256color'},
  attributes: '64;1;2;6;9;15;18;21;22',
  version: 'XTerm(390)',
  reportsStatus: true,
  reportsColours: true,
  reportsSize: true,
  keyboard: 'xterm',
  modes: commonModes,
  isSynchronized: false,
  hasNotifications: false,
};

/** The Linux console. */
export const linuxConsole: TerminalProfile = {
  env: {TERM: 'linux'},
  attributes: '6',
  reportsStatus: true,
  reportsColours: false,
  reportsSize: false,
  keyboard: 'plain',
  modes: [],
  isSynchronized: false,
  hasNotifications: false,
};

/** A terminal that never replies. */
export const mute: TerminalProfile = {
  env: {TERM: 'xterm-256color'},
  reportsStatus: false,
  reportsColours: false,
  reportsSize: false,
  keyboard: 'plain',
  modes: [],
  isSynchronized: false,
  hasNotifications: false,
};
