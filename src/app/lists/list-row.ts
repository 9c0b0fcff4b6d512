import type {View} from '#app/core/view.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {deepEqual} from '#std/deep-equal.ts';

/** What a row stands for: what opening it shows, and what verbs such as mute and follow are about. */
export type RowTarget =
  | {readonly kind: 'view'; readonly view: View}
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  | {readonly kind: 'channel'; readonly channelId: number}
  | {readonly kind: 'person'; readonly userId: number};

/**
 * One row of a list, with everything that it shows: the same object while it says the same, so that it is laid out and
 * painted once.
 */
export interface ListRow {
  /** Unique in its list, and the same for as long as it stands for the same thing. */
  readonly key: string;
  /** `item` can have the cursor; a `title` only while its group is folded; a `space` never. */
  readonly kind: 'item' | 'title' | 'space';
  /** What the filter looks at. */
  readonly label: string;
  /** The group that folds it away, or whose title it is. */
  readonly group?: string | undefined;
  readonly target?: RowTarget | undefined;
}

/** Gives the row from before wherever the new one says the same. Remembers the rows of the last time only. */
export class RowCache<R extends ListRow> {
  #rows = new Map<string, R>();

  reuse(rows: readonly R[]): readonly R[] {
    const now = new Map<string, R>();
    for (const row of rows) {
      const before = this.#rows.get(row.key);
      now.set(row.key, before !== undefined && sameRow(before, row) ? before : row);
    }
    this.#rows = now;
    return [...now.values()];
  }
}

/** Lists have thousands of rows: what is no object is compared as it is. Both come from the same place in the code. */
function sameRow<R extends ListRow>(before: R, now: R): boolean {
  if (before === now) return true;
  for (const name in now) {
    const [left, right] = [before[name], now[name]];
    if (left !== right && !(typeof left === 'object' && deepEqual(left, right))) return false;
  }
  return true;
}
