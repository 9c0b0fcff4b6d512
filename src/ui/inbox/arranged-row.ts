import type {ConversationKey} from '#state/model/conversation.ts';
import type {InboxGroupId, InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import type {SortedMap} from '#std/sorted-map.ts';

/** The position of a conversation in a frozen order. */
export interface RowPosition {
  readonly group: InboxGroupId;
  readonly at: number;
  /** The newest unread message when the position was assigned: newer ones were added since. */
  readonly newestId: number;
  /** Whether the conversation arrived after the order was created and was not in an earlier one. */
  readonly isNew: boolean;
}

/** A row of the inbox with its position. */
export interface ArrangedRow {
  /** The row as it is now, or its last version when it is no longer unread. */
  readonly row: InboxRow;
  readonly position: RowPosition;
  readonly isRemoved: boolean;
}

/** A group of the inbox with the positions of its rows. */
export interface ArrangedGroup {
  readonly id: InboxGroupId;
  readonly rows: readonly ArrangedRow[];
}

/** The two parts of the inbox. A conversation has a position in each, because muting moves it between them. */
export type InboxSide = 'unmuted' | 'muted';

/** The last version of a conversation that is or was in the inbox, and its positions. */
export interface KnownRow extends Readonly<Partial<Record<InboxSide, RowPosition>>> {
  /** The last version of the row. */
  readonly latest: ArrangedRow;
}

export type KnownRows = SortedMap<ConversationKey, KnownRow>;

export function positionAt({group, newestUnreadId}: InboxRow, at: number, isNew: boolean): RowPosition {
  return {group, at, newestId: newestUnreadId, isNew};
}

export function sideOf(group: InboxGroupId): InboxSide {
  return group === 'muted' ? 'muted' : 'unmuted';
}

/** Returns the keys together with those of all known unmuted rows. */
export function withUnmutedKeys(sessionKeys: ReadonlySet<ConversationKey>, known: KnownRows): Set<ConversationKey> {
  const all = new Set(sessionKeys);
  for (const [key, {unmuted}] of known) if (unmuted !== undefined) all.add(key);
  return all;
}

/**
 * Returns the position that a renamed conversation has on one side: its own, unless the other one was there
 * from the start.
 */
export function joinedPosition(
  side: InboxSide,
  {[side]: own}: KnownRow,
  existing: KnownRow | undefined,
): Partial<Record<InboxSide, RowPosition>> {
  const other = existing?.[side];
  const joined = own !== undefined && (other === undefined || other.isNew) ? own : other;
  return joined === undefined ? {} : {[side]: joined};
}

/** Returns the entry of a row that has only its current position. */
export function knownEntry(latest: ArrangedRow): [ConversationKey, KnownRow] {
  return [latest.row.key, {latest, [sideOf(latest.position.group)]: latest.position}];
}
