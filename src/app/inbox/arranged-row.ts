import type {ConversationKey} from '#state/model/conversation.ts';
import type {InboxGroupId, InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import type {SortedMap} from '#std/sorted-map.ts';

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

export type InboxSide = 'heard' | 'muted';

/** What the order knows of a conversation that is or was in the inbox. */
export interface KnownRow extends Readonly<Partial<Record<InboxSide, RowPosition>>> {
  /** As it was last. */
  readonly shown: ArrangedRow;
}

export type KnownRows = SortedMap<ConversationKey, KnownRow>;

export function positionAt({group, newestUnreadId}: InboxRow, at: number, isNew: boolean): RowPosition {
  return {group, at, newestId: newestUnreadId, isNew};
}

export function sideOf(group: InboxGroupId): InboxSide {
  return group === 'muted' ? 'muted' : 'heard';
}
