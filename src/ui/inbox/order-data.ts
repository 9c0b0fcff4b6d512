import type {ConversationKey} from '#state/model/conversation.ts';
import type {InboxGroup} from '#state/selectors/inbox/inbox-groups.ts';
import type {ArrangedGroup, ArrangedRow, KnownRows} from './arranged-row.ts';

/** The rows of an order. */
export interface OrderRows {
  /** The groups that the rows come from. */
  readonly source: readonly InboxGroup[];
  /** The same groups, with the position of each row. */
  readonly groups: readonly ArrangedGroup[];
  /** Number of assigned positions. */
  readonly count: number;
  /** Number of conversations of this session, without muted ones. */
  readonly sessionSize: number;
  /** Every conversation that was in the inbox; undefined when these are only those in the groups. */
  readonly known: KnownRows | undefined;
  /** The first row when the order was created. */
  readonly firstKey: ConversationKey | undefined;
  /** The row that was muted or unmuted and stays in its group only because the cursor is on it. */
  readonly stayingKey: ConversationKey | undefined;
  /** The row under the cursor, when it is no longer unread. */
  readonly removedRow: ArrangedRow | undefined;
}

/** The conversations of an order by their keys, over time. */
export interface OrderKeys {
  /** Conversations that return when they appear, and are not new: they were handled earlier. */
  readonly returningKeys: ReadonlySet<ConversationKey>;
  /** Conversations that were in the inbox before this order was created, without muted ones. */
  readonly sessionKeys: ReadonlySet<ConversationKey>;
  /** The current key of each renamed conversation, by its former key. */
  readonly renames: ReadonlyMap<ConversationKey, ConversationKey>;
}

/** The rows of an empty order. */
export const noRows: OrderRows = {
  source: [],
  groups: [],
  count: 0,
  sessionSize: 0,
  known: undefined,
  firstKey: undefined,
  stayingKey: undefined,
  removedRow: undefined,
};
