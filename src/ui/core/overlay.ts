import type {FetchRequest} from '#state/fetches/kept-queries.ts';
import type {Key} from '#terminal/input/key.ts';
import type {UiRole} from '#theme/roles.ts';
import type {TextField} from '#ui/text/text-field.ts';
import type {FormState} from './form.ts';
import type {Frame, PaneLine} from './frame.ts';
import type {Owner} from './owner.ts';

/**
 * An overlay over the panes: a picker (choose a row), a card (read lines) or a form (change values). All are data that one
 * component positions.
 */
export type OverlayState = PickerState | CardState | FormState;

/** An open picker with its text field, cursor and scroll position. */
export interface PickerState {
  readonly kind: 'picker';
  readonly picker: Picker;
  readonly field: TextField;
  /** The row with the cursor. */
  readonly cursor: number;
  /** The first row shown. */
  readonly top: number;
  /** The most rows without a query: the picker does not become smaller while the user types. */
  readonly openedRows: number;
}

export interface PickerRow {
  /** Unique among the rows. */
  readonly key: string;
  readonly label: string;
  /** Dimmed text behind the label. */
  readonly detail?: string | undefined;
  /** Text at the right edge: a key or a count. */
  readonly right?: string | undefined;
  /** The role of `right`; that of a key by default. */
  readonly rightRole?: UiRole | undefined;
  /** A colour such as `#76ce90`, drawn before the label. */
  readonly swatch?: string | undefined;
  /** The colour of the channel with whose name the label begins. */
  readonly tint?: string | undefined;
  /** The role of the label. */
  readonly role?: UiRole | undefined;
  /** The parts of the label that match the query. */
  readonly matched?: readonly (readonly [start: number, end: number])[] | undefined;
  /** The reason why the row cannot be chosen now; shown when the user tries. */
  readonly disabled?: string | undefined;
  /** Shown below the rows while the row has the cursor, in pickers with `helpLines`. */
  readonly help?: string | undefined;
  /** Whether the row is a title between rows, or a rule when its label is empty. The cursor skips it. */
  readonly isTitle?: true | undefined;
}

/** The key that chose a row: Enter, Tab, or a key of the menu. */
export type Acceptance = 'enter' | 'tab' | 'other';

/** Keys and their effects, in the order in which they are shown: `{Enter: 'opens', Esc: 'closes'}`. */
export type KeyEffects = Readonly<Record<string, string>>;

/** The definition of a picker: its texts, its rows, and what its keys do. A row may have further fields for these functions. */
export interface Picker<R extends PickerRow = PickerRow> {
  /** Identifies the open picker, such as `palette`. */
  readonly id: string;
  readonly title: string;
  /** Replaces `title` where the title depends on the query. */
  readonly titleFor?: ((query: string) => string) | undefined;
  /** Whether it is about all organizations or none: others name theirs where several are shown together. */
  readonly isGeneral?: true | undefined;
  readonly placeholder?: string | undefined;
  /** Whether the picker has no text field: a key chooses the row that shows it at its right. */
  readonly isMenu?: true | undefined;
  /** Preferred width; on a small screen the picker fills it. */
  readonly columns?: number | undefined;
  /** Whether its rows are in two columns where there is room: down the first one, then down the second one. */
  readonly isTwoColumns?: true | undefined;
  /** The least height of a picker whose rows come and go while the user types. */
  readonly rowsShown?: number | undefined;
  /** The number of lines for the help of the row with the cursor; none by default. */
  readonly helpLines?: number | undefined;
  /**
   * Returns the rows from the frame, the query and the position of the text cursor alone. A picker that shows
   * anything else is replaced when that changes (`refreshPicker`). Called again when one of the arguments
   * changes, not for every key.
   */
  readonly rows: (frame: Frame, query: string, cursor: number) => readonly R[];
  /** Returns the row for the cursor after the query changed: the first row by default. */
  startAt?(frame: Frame, query: string, rows: readonly R[]): number;
  /** The text shown when there are no rows. */
  readonly empty?: string | ((frame: Frame) => string) | undefined;
  /** Handles the chosen row. It decides whether to close the picker: `app.closeOverlay()`. */
  accept(app: Owner, row: R, how: Acceptance): void;
  /** Handles a key that chooses no row; returns whether it did. */
  onKey?(app: Owner, key: Key, row: R | undefined): boolean;
  /** Runs when the cursor moves to another row, for example to show what the row would change. */
  onRow?(app: Owner, row: R): void;
  /** Runs when the query changes, for example to fetch more from the server. */
  readonly onQuery?: ((app: Owner, query: string) => void) | undefined;
  /** Returns the channel whose topics the rows list: they are fetched. */
  readonly topicsOf?: ((frame: Frame, query: string) => number | undefined) | undefined;
  readonly onClose?: ((app: Owner) => void) | undefined;
  /** What is fetched while it is open, for `fetched`. */
  readonly reads?: readonly FetchRequest[] | undefined;
  /** The line below the rows: keys, or a sentence. */
  readonly hint?: KeyEffects | string | undefined;
  /** Replaces `hint` where the hint depends on the query. */
  readonly hintFor?: ((query: string) => KeyEffects) | undefined;
  /** Replaces `hint` where the hint depends on the row with the cursor. */
  hintForRow?(frame: Frame, row: R | undefined): KeyEffects;
}

/** An open card with its scroll position. */
export interface CardState {
  readonly kind: 'card';
  readonly card: Card;
  /** Number of lines scrolled off above. */
  readonly top: number;
}

/** The definition of a card: its texts, its lines, and what its keys do. */
export interface Card {
  readonly id: string;
  readonly title: string;
  /** Replaces `title` where the title depends on what is fetched. */
  readonly titleFor?: ((frame: Frame) => string) | undefined;
  /** Whether it is about all organizations or none: others name theirs where several are shown together. */
  readonly isGeneral?: true | undefined;
  readonly columns?: number | undefined;
  /** Whether it covers the whole screen. Its lines may depend on the screen's size. */
  readonly isFullScreen?: true | undefined;
  /** Returns the lines from the width and the frame's account, fetches, display, minute and presences alone; see `Picker.rows`. */
  readonly lines: (frame: Frame, width: number) => readonly PaneLine[];
  readonly onKey?: ((app: Owner, key: Key) => boolean) | undefined;
  readonly onClose?: ((app: Owner) => void) | undefined;
  /** What is fetched while it is open, for `fetched`. */
  readonly reads?: readonly FetchRequest[] | undefined;
  readonly hint?: KeyEffects | undefined;
}

export function readsOf(overlay: OverlayState): readonly FetchRequest[] {
  if (overlay.kind === 'form') return [];
  return (overlay.kind === 'picker' ? overlay.picker.reads : overlay.card.reads) ?? [];
}
