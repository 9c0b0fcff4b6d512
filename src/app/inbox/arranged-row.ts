import type {InboxGroupId, InboxRow} from '#state/selectors/inbox/inbox-index.ts';

/** Where a conversation stands, for as long as the order lasts. */
export interface RowPosition {
  readonly group: InboxGroupId;
  readonly at: number;
  /** The newest unread message when it was placed: what is newer was added since. */
  readonly newestId: number;
  /** It came after the order was made, and was not there before either. */
  readonly isNew: boolean;
}

export interface ArrangedRow {
  /** As it is now, or, for one that is no longer unread, as it was last. */
  readonly row: InboxRow;
  readonly position: RowPosition;
  readonly isRemoved: boolean;
}

export interface ArrangedGroup {
  readonly id: InboxGroupId;
  readonly rows: readonly ArrangedRow[];
}
