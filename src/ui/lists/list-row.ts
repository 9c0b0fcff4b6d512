import type {Conversation} from '#state/model/conversation.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {View} from '#ui/core/view.ts';

/** The target of a row: what opening it shows, and what commands such as mute and follow act on. */
export type RowTarget =
  | {readonly kind: 'view'; readonly view: View}
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  | {readonly kind: 'channel'; readonly channelId: number}
  | {readonly kind: 'person'; readonly userId: number};

/**
 * One row of a list with everything that it shows. The object stays the same while its content does, so that
 * it is laid out and painted once.
 */
export interface ListRow {
  /** Unique in its list; stays the same as long as the row has the same target. */
  readonly key: string;
  /** An `item` can have the cursor; a `title` only while its group is folded; a `heading` of some items and a `space` never. */
  readonly kind: 'item' | 'title' | 'heading' | 'space';
  /** The text that the filter searches. */
  readonly label: string;
  /** Further text that the filter searches from its start: an email address. */
  readonly searchText?: string | undefined;
  /** The group that the row belongs to, or whose title it is. */
  readonly group?: string | undefined;
  readonly target?: RowTarget | undefined;
}

/** Replaces new rows by the previous objects where their content is equal. Remembers only the rows of the last call. */
export class RowCache<R extends ListRow> {
  #rows = new Map<string, R>();

  reuse(rows: readonly R[]): readonly R[] {
    const reused = new Map<string, R>();
    for (const row of rows) {
      const previous = this.#rows.get(row.key);
      reused.set(row.key, previous !== undefined && sameRow(previous, row) ? previous : row);
    }
    this.#rows = reused;
    return [...reused.values()];
  }
}

/**
 * Whether two rows are equal. Lists have thousands of rows: fields that are no objects are compared by
 * identity. Both rows have the same fields because the same code creates them.
 */
function sameRow<R extends ListRow>(previous: R, row: R): boolean {
  if (previous === row) return true;
  for (const name in row) {
    const [left, right] = [previous[name], row[name]];
    if (left !== right && !(typeof left === 'object' && deepEqual(left, right))) return false;
  }
  return true;
}
