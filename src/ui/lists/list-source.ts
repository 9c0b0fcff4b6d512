import type {UiRole} from '#theme/roles.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {UiGlyphs} from '#ui/format/ui-glyphs.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {blankLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import type {ListRow} from './list-row.ts';

/** The context in which a row is laid out. */
export interface RowContext {
  readonly columns: number;
  readonly glyphs: UiGlyphs;
  /** Whether the list has the focus. */
  readonly isFocused: boolean;
  /** Whether the group of this title is folded. */
  readonly isFolded: boolean;
  /** Whether this is the first row on the screen, or no heading is shown above it. */
  readonly isTop?: boolean;
  /** The labels of the rows above and below, as of when the row was first laid out. */
  readonly neighbours?: readonly string[];
  /** Returns the row's label in this role, with the filter's matches highlighted. */
  readonly label: (role: UiRole, text?: string) => readonly UiSpan[];
}

/**
 * The definition of a list: its rows and how a row is painted. Moving, filtering, folding and scrolling are
 * shared by all lists.
 */
export interface ListSource<R extends ListRow = ListRow> {
  /** Returns all rows, titles before their groups. Must be cheap while nothing changed: called for every paint. */
  rows(frame: Frame): readonly R[];
  /** Returns rows that only a filter finds, shown after the others. Cheap while nothing changed. */
  foundRows?(frame: Frame, query: string): readonly R[];
  /** Returns one row at a width, without the cursor bar and the selection mark before it. */
  line(row: R, context: RowContext): UiLine;
  /** Returns the lines above the rows, which do not scroll. */
  headLines?(frame: Frame, columns: number): readonly UiLine[];
  /**
   * Returns the row of the view in the main pane: the cursor starts there, and stays there while the list is unfocused.
   */
  shownRowKey?(frame: Frame): string | undefined;
  /** Returns the current prefix of its row keys. A cursor key with another prefix, from an earlier view, is ignored. */
  keyPrefix?(frame: Frame): string;
  /** Returns the list's part of its pane, where the pane shows something else as well. */
  bodyRect?(frame: Frame, pane: Rect): Rect;
  /** Returns what is said below the rows: that more are loading, or why they could not be loaded. */
  note?(frame: Frame): ListNote | undefined;
  /** Returns the text shown when there are no rows. */
  emptyText(frame: Frame): string;
}

/** A text below the rows of a list. */
export interface ListNote {
  readonly text: string;
  readonly role: UiRole;
}

/** From this screen height on there is a blank line between the head of a list and its rows. */
const spacedHeadFromRows = 16;

/** Adds a blank line below the head of a list, where the screen is high enough. */
export function withSpaceBelow({screen}: Frame, head: readonly UiLine[]): readonly UiLine[] {
  return screen.size.rows < spacedHeadFromRows ? head : [...head, blankLine];
}
