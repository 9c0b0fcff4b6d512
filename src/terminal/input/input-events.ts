import type {Key} from './key.ts';

/** What a terminal sends us, as plain values and in the order of its bytes. */
export type InputEvent = KeyEvent | PasteEvent | FocusEvent | MouseEvent | ReplyEvent | UnknownEvent;

export interface KeyEvent {
  readonly kind: 'key';
  readonly key: Key;
  /** An Enter or Tab amid text that came faster than anyone types: part of a paste without brackets. */
  readonly isBurst?: true;
  /** An arrow that is a turned wheel, as terminals without mouse reports send it. */
  readonly isWheel?: true;
}

export interface PasteEvent {
  readonly kind: 'paste';
  /** As the terminal sent it: line ends and control characters are for the reader to settle. */
  readonly text: string;
  /** More was pasted than is kept. */
  readonly truncated?: true;
}

export interface FocusEvent {
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

export interface ReplyEvent {
  readonly kind: 'reply';
  readonly reply: TerminalReply;
}

/** A sequence that means nothing here; never text. `bytes` is one character per byte, bounded, for `keys --probe`. */
export interface UnknownEvent {
  readonly kind: 'unknown';
  readonly bytes: string;
}

/** What a terminal answers when it is asked about itself. */
export type TerminalReply =
  /** DA1: `codes` has the class first, then abilities (4 is sixel, 52 the clipboard). */
  | {readonly type: 'attributes'; readonly codes: readonly number[]}
  /** DA2. */
  | {readonly type: 'secondary_attributes'; readonly codes: readonly number[]}
  | {readonly type: 'kitty_flags'; readonly flags: number}
  | {readonly type: 'modify_other_keys'; readonly level: number}
  /** OSC 10, 11, 12: foreground, background, cursor; components from 0 to 255. */
  | {readonly type: 'color'; readonly slot: number; readonly color: RgbColor}
  | {readonly type: 'color_scheme'; readonly scheme: 'dark' | 'light'}
  /** DECRPM: 0 not known, 1 set, 2 reset, 3 always set, 4 never set. */
  | {readonly type: 'mode'; readonly mode: number; readonly state: number}
  /** XTVERSION, such as `XTerm(388)`. */
  | {readonly type: 'version'; readonly text: string}
  /** Where the cursor is, counted from 1 as the terminal does. */
  | {readonly type: 'cursor'; readonly row: number; readonly column: number}
  /** DSR: it has come to the question, which is all that it says. */
  | {readonly type: 'status'}
  /** In pixels: of the window's text area, of one cell; in cells: of the text area. */
  | {
      readonly type: 'size';
      readonly of: 'area' | 'cell' | 'grid';
      readonly width: number;
      readonly height: number;
    }
  /** OSC 99: what follows the number. */
  | {readonly type: 'notifications'; readonly text: string}
  /** The graphics protocol's answer: what follows `G`. */
  | {readonly type: 'graphics'; readonly text: string};

export interface RgbColor {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}
