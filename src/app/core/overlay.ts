import type {TextField} from '#app/text/text-field.ts';
import type {Key} from '#terminal/input/key.ts';
import type {UiRole} from '#theme/roles.ts';
import type {App} from './app.ts';
import type {Frame} from './frame.ts';
import type {PaneLine} from './pane-line.ts';

/** What lies over the panes. A picker chooses among rows, a card shows lines; both are data that one component places. */
export type OverlayState = PickerState | CardState;

export interface PickerState {
  readonly kind: 'picker';
  readonly picker: Picker;
  readonly field: TextField;
  /** The row with the cursor. */
  readonly cursor: number;
  /** The first row shown. */
  readonly top: number;
  /** How many rows there were when it was opened: it does not become smaller while somebody types. */
  readonly openedRows: number;
}

export interface PickerRow {
  /** Unique among the rows. */
  readonly key: string;
  readonly label: string;
  /** Behind the label, quieter. */
  readonly detail?: string | undefined;
  /** At the right edge: a key, a count. */
  readonly right?: string | undefined;
  /** Of what is at the right; a key's unless told. */
  readonly rightRole?: UiRole | undefined;
  /** Of the label. */
  readonly role?: UiRole | undefined;
  /** Where the query is found in the label. */
  readonly matched?: readonly (readonly [start: number, end: number])[] | undefined;
  /** Why it cannot be chosen now; shown when somebody tries. */
  readonly disabled?: string | undefined;
  /** A title between rows, a line where it has no label; never has the cursor. */
  readonly isTitle?: true | undefined;
}

export type Acceptance = 'enter' | 'tab' | 'other';

/** What makes one picker different from another. */
export interface Picker {
  /** Such as `palette`; tells which one is open. */
  readonly id: string;
  readonly title: string;
  /** In place of the title, where that depends on what is typed. */
  readonly titleFor?: ((query: string) => string) | undefined;
  readonly placeholder?: string | undefined;
  /** Without a field for typing: a key chooses the row that has it at its right. */
  readonly isMenu?: true | undefined;
  /** How wide and high it would like to be; the whole of a small screen. */
  readonly columns?: number | undefined;
  readonly rowsShown?: number | undefined;
  /**
   * Made from nothing but the frame, the text and where the cursor is in it. What else they show is part of the function, and
   * changes with another one (`refreshPicker`). Asked again when one of these changes; not for every key.
   */
  readonly rows: (frame: Frame, query: string, cursor: number) => readonly PickerRow[];
  /** Where the cursor is after the text changed: on the first row unless told. */
  readonly startAt?: ((frame: Frame, query: string, rows: readonly PickerRow[]) => number) | undefined;
  /** Said where there are no rows. */
  readonly empty?: string | undefined;
  /** Closing is the picker's own choice: `app.closeOverlay()`. */
  readonly accept: (app: App, row: PickerRow, how: Acceptance) => void;
  /** A key that is not of the menu; true when it was for this picker. */
  readonly onKey?: ((app: App, key: Key, row: PickerRow | undefined) => boolean) | undefined;
  /** When the text changes: to ask a server for more, say. */
  readonly onQuery?: ((app: App, query: string) => void) | undefined;
  readonly onClose?: ((app: App) => void) | undefined;
  /** Below the rows: keys and what they do. */
  readonly hint?: string | undefined;
  /** In place of the hint, where that depends on what is typed. */
  readonly hintFor?: ((query: string) => string) | undefined;
}

export interface CardState {
  readonly kind: 'card';
  readonly card: Card;
  /** Lines above the first one shown. */
  readonly top: number;
}

export interface Card {
  readonly id: string;
  readonly title: string;
  readonly columns?: number | undefined;
  /** Made from nothing but the frame and the width. What else they show is part of the function, as with a picker. */
  readonly lines: (frame: Frame, width: number) => readonly PaneLine[];
  readonly onKey?: ((app: App, key: Key) => boolean) | undefined;
  readonly onClose?: ((app: App) => void) | undefined;
  readonly hint?: string | undefined;
}
