import type {Key} from './key.ts';

/** An event from the terminal. Events are in the order of their bytes. */
export type InputEvent = KeyEvent | PasteEvent | FocusEvent | MouseEvent | ReplyEvent | UnknownEvent;

export interface KeyEvent {
  readonly kind: 'key';
  readonly key: Key;
  /** Whether it is an Enter or Tab within text that arrived too fast to be typed: part of a paste without brackets. */
  readonly isBurst?: true;
  /** Whether it is an arrow key from a turned wheel, as terminals without mouse reports send it. */
  readonly isWheel?: true;
}

export interface PasteEvent {
  readonly kind: 'paste';
  /** The text as the terminal sent it; the receiver handles line ends and control characters. */
  readonly text: string;
  /** Whether the paste was longer than the limit and was cut. */
  readonly truncated?: true;
}

interface FocusEvent {
  readonly kind: 'focus';
  readonly gained: boolean;
}

export interface MouseEvent {
  readonly kind: 'mouse';
  readonly action: 'press' | 'release' | 'drag' | 'move' | 'wheel';
  /** Older reports do not say which button is released: then it is `none`. */
  readonly button: 'left' | 'middle' | 'right' | 'other' | 'none';
  /** Set when the action is `wheel`. */
  readonly wheel?: 'up' | 'down' | 'left' | 'right';
  /** The cell, counted from 0 at the top left. */
  readonly x: number;
  readonly y: number;
  readonly ctrl?: true;
  readonly alt?: true;
  readonly shift?: true;
}

interface ReplyEvent {
  readonly kind: 'reply';
  readonly reply: TerminalReply;
}

/**
 * An unknown sequence; it never becomes text. `bytes` has one character per byte, is limited, and is for
 * `keys --probe`.
 */
interface UnknownEvent {
  readonly kind: 'unknown';
  readonly bytes: string;
}

/** A reply of the terminal to a query. */
export type TerminalReply =
  /** DA1: the class first, then features (4 is sixel, 52 the clipboard). */
  | {readonly type: 'attributes'; readonly codes: readonly number[]}
  /** DA2. */
  | {readonly type: 'secondary_attributes'; readonly codes: readonly number[]}
  | {readonly type: 'kitty_flags'; readonly flags: number}
  | {readonly type: 'modify_other_keys'; readonly level: number}
  /** OSC 10, 11, 12: foreground, background, cursor; components from 0 to 255. */
  | {readonly type: 'color'; readonly slot: number; readonly color: RgbColor}
  | {readonly type: 'color_scheme'; readonly scheme: 'dark' | 'light'}
  /** DECRPM: 0 unknown, 1 set, 2 reset, 3 always set, 4 never set. */
  | {readonly type: 'mode'; readonly mode: number; readonly state: number}
  /** DECRPM of a mode of the ANSI standard, which are numbered apart. */
  | {readonly type: 'ansi_mode'; readonly mode: number; readonly state: number}
  /** XTVERSION, such as `XTerm(388)`. */
  | {readonly type: 'version'; readonly text: string}
  | {readonly type: 'color_count'; readonly count: number}
  /** The position of the cursor, from 1 as the terminal counts. */
  | {readonly type: 'cursor'; readonly row: number; readonly column: number}
  /** DSR: the terminal has processed the query. */
  | {readonly type: 'status'}
  /** The size in pixels of the text area or of one cell (also as iTerm2 reports it), or the text area in cells. */
  | {
      readonly type: 'size';
      readonly of: 'area' | 'cell' | 'grid' | 'iterm_cell';
      readonly width: number;
      readonly height: number;
    }
  /** OSC 99: the text after the number. */
  | {readonly type: 'notifications'; readonly text: string}
  /** The reply of the graphics protocol: the text after `G`. */
  | {readonly type: 'graphics'; readonly text: string};

export interface RgbColor {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}
