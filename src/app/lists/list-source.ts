import type {Frame} from '#app/core/frame.ts';
import type {UiGlyphs} from '#app/format/ui-glyphs.ts';
import type {Rect} from '#app/layout/layout.ts';
import type {UiLine, UiSpan} from '#app/layout/ui-line.ts';
import type {UiRole} from '#theme/roles.ts';
import type {ListRow} from './list-row.ts';

/** What a row is laid out with. */
export interface RowContext {
  readonly columns: number;
  readonly glyphs: UiGlyphs;
  /** The pane of the list has the keys. */
  readonly isFocused: boolean;
  /** Of a title: its group shows nothing else. */
  readonly isFolded: boolean;
  /** What the rows above and below are called; as it was when the row was first laid out. */
  readonly neighbours?: readonly string[];
  /** The row's label in this role, with what the filter found in it brought out. */
  readonly label: (role: UiRole, text?: string) => readonly UiSpan[];
}

/** What makes one list different from another. Everything else about lists is the same for all of them. */
export interface ListSource<R extends ListRow = ListRow> {
  /** All rows, titles before their groups. Cheap while nothing changed: it is asked for with every picture. */
  rows(frame: Frame): readonly R[];
  /** One row at a width; the bar of the cursor and the mark of a selection stand before it. */
  line(row: R, room: RowContext): UiLine;
  /** Above the rows; not scrolled. */
  headLines?(frame: Frame, columns: number): readonly UiLine[];
  /** The row of what the main pane shows: where the cursor begins, and stays while the list does not have the keys. */
  shownRowKey?(frame: Frame): string | undefined;
  /** How the keys of its rows begin just now. A cursor that was left among others counts for nothing. */
  keyPrefix?(frame: Frame): string;
  /** Which part of its pane it has, if that shows something else beside it. */
  bodyRect?(frame: Frame, pane: Rect): Rect;
  /** Instead of rows, when there are none. */
  emptyText(frame: Frame): string;
}
