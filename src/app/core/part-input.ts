import type {Key} from '#terminal/input/key.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Focus, Rect} from '#ui/core/screen-state.ts';
import type {TextField} from '#ui/text/text-field.ts';
import type {App} from './app.ts';

/** A cell of the screen, from 0. */
export interface CellPosition {
  readonly x: number;
  readonly y: number;
}

/** A press of the left mouse button. */
export interface Click {
  readonly cell: CellPosition;
  /** The frame that the user clicked on. */
  readonly painted: Frame;
  /** Whether the part had the focus already. */
  readonly hadFocus: boolean;
  /** Runs a command, as if the key had been pressed. */
  run(commandId: string, key?: Key): void;
}

/** What the mouse does in a part of the screen, and the texts that are typed in it. */
export interface PartInput {
  /** What has the focus while the part has it. */
  readonly focus?: Focus;
  /** Whether the part is at a cell. */
  isAt(frame: Frame, cell: CellPosition): boolean;
  click?(app: App, click: Click): void;
  /** Scrolls by one line; the focus does not change. Without it, the part below scrolls. */
  wheel?(app: App, step: 1 | -1, cell: CellPosition): void;
  readonly texts?: readonly TextInput[];
}

/** A text that the user types in a part of the screen. */
export interface TextInput {
  readonly kind: 'picker' | 'filter' | 'form' | 'composer';
  /** Whether it receives typed characters now, if nothing lies over the part. */
  isTyped(app: Pick<App, 'screen' | 'frame'>): boolean;
  insert(app: App, text: string): void;
  /** Changes the field by an editing key. Undefined for a text with keys of its own. */
  edit?(app: App, change: (field: TextField) => TextField): void;
  /** Inserts pasted text that may have several lines; without it, they become one. */
  paste?(app: App, text: string): void;
}

export function isIn(rect: Rect | undefined, {x, y}: CellPosition): boolean {
  return rect !== undefined && x >= rect.x && x < rect.x + rect.columns && y >= rect.y && y < rect.y + rect.rows;
}
