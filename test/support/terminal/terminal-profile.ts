/** What kind of terminal it is: what it calls itself, what it answers, what it understands. Nothing given: no answer. */
export interface TerminalProfile {
  readonly env: Readonly<Record<string, string>>;
  /** Its answer to DA1, between `ESC[?` and `c`. */
  readonly attributes?: string;
  /** Its answer to XTVERSION. */
  readonly version?: string;
  /** Says where the cursor is, and that all is well. */
  readonly reportsStatus: boolean;
  /** Tells its colours, and whether it is dark or light. */
  readonly reportsColours: boolean;
  /** Tells its size in pixels. */
  readonly reportsSize: boolean;
  readonly keyboard: 'kitty' | 'xterm' | 'plain';
  /** The private modes it knows when asked about them. */
  readonly modes: readonly number[];
  /** Shows a frame between `?2026h` and `?2026l` only when it is complete. */
  readonly isSynchronized: boolean;
  /** Notifications of kitty's kind. */
  readonly hasNotifications: boolean;
}

const commonModes = [1, 7, 25, 1000, 1002, 1003, 1004, 1006, 1007, 1049, 2004] as const;

/** As kitty, Ghostty or foot are: everything. */
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

/** xterm itself: modified keys in its own way, no synchronized output. */
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

/** Something on the other end of a line that never says anything by itself. */
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
