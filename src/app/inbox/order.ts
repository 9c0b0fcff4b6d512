import type {ConversationKey} from '#state/model/conversation.ts';
import type {InboxGroup} from '#state/selectors/inbox.ts';
import {type InboxGroupId, type InboxRow, inboxGroupIds} from '#state/selectors/inbox-index.ts';

/** Where a conversation stands, for as long as the order lasts. */
export interface Placed {
  readonly group: InboxGroupId;
  readonly at: number;
  /** The newest unread message when it was placed: what is newer was added since. */
  readonly newestId: number;
  /** It came after the order was made. */
  readonly isNew: boolean;
}

export interface ArrangedRow {
  /** As it is now, or, for one that is no longer unread, as it was last. */
  readonly row: InboxRow;
  readonly placed: Placed;
  readonly isGone: boolean;
}

export interface ArrangedGroup {
  readonly id: InboxGroupId;
  readonly rows: readonly ArrangedRow[];
}

type Side = 'heard' | 'muted';

/**
 * The order of the inbox while somebody works in it: made from the rows of its beginning and never changed, so that no key
 * ever meets another conversation than the one that was under the cursor. Whatever comes later is added to the end of its
 * group, and what goes and comes back is where it was. A conversation moves only when it is muted or unmuted.
 *
 * It remembers what it has seen: one of these belongs to one screen.
 */
export class InboxOrder {
  readonly #places = {heard: new Map<ConversationKey, Placed>(), muted: new Map<ConversationKey, Placed>()};
  readonly #last = new Map<ConversationKey, InboxRow>();
  #count = 0;
  #first: ConversationKey | undefined;

  /** The row at the top when the order was made: where the cursor begins. */
  get first(): ConversationKey | undefined {
    return this.#first;
  }

  /** How many conversations were there, one time or another, without the muted. */
  get size(): number {
    return this.#places.heard.size;
  }

  /**
   * The rows where they stand. `keep` is shown even if it is no longer unread. While nothing is settled, because the server
   * is still being asked and nobody has begun, the order is made anew each time.
   */
  arranged(
    groups: readonly InboxGroup[],
    isSettled: boolean,
    keep?: ConversationKey,
  ): readonly ArrangedGroup[] {
    if (!isSettled) this.#forget();
    const arranged = new Map<InboxGroupId, ArrangedRow[]>(inboxGroupIds.map((id) => [id, []]));
    const isFirst = this.#count === 0;
    const add = (row: InboxRow, placed: Placed, isGone: boolean) =>
      arranged.get(placed.group)?.push({row, placed, isGone});
    for (const {rows} of groups) for (const row of rows) add(row, this.#place(row, isFirst), false);
    const gone = keep === undefined ? undefined : this.#goneRow(keep);
    if (gone !== undefined) add(gone.row, gone.placed, true);
    return inboxGroupIds.map((id) => ({
      id,
      rows: (arranged.get(id) ?? []).sort((a, b) => a.placed.at - b.placed.at),
    }));
  }

  #forget(): void {
    this.#places.heard.clear();
    this.#places.muted.clear();
    this.#count = 0;
  }

  #place(row: InboxRow, isFirst: boolean): Placed {
    const side = this.#places[sideOf(row)];
    this.#last.set(row.key, row);
    let placed = side.get(row.key);
    if (placed === undefined) {
      placed = {group: row.group, at: this.#count++, newestId: row.newestUnreadId, isNew: !isFirst};
      side.set(row.key, placed);
      this.#first ??= row.group === 'muted' ? undefined : row.key;
    }
    return placed;
  }

  #goneRow(key: ConversationKey): {readonly row: InboxRow; readonly placed: Placed} | undefined {
    const row = this.#last.get(key);
    const placed = row === undefined ? undefined : this.#places[sideOf(row)].get(key);
    return row === undefined || placed === undefined ? undefined : {row, placed};
  }
}

function sideOf({group}: InboxRow): Side {
  return group === 'muted' ? 'muted' : 'heard';
}
