import type {ConversationKey} from '#state/model/conversation.ts';
import type {InboxSort} from '#state/selectors/inbox/inbox.ts';
import type {Snoozes} from '#ui/inbox/snooze/snooze.ts';
import type {RowKey, TopLine} from '#ui/message-pane/timeline-state.ts';
import {InboxOrder} from './inbox-order.ts';

/**
 * The target of keys in the inbox: a topic, a direct conversation, a folded group, or nothing because all was
 * marked done here or was read before.
 */
export type InboxCursorContext = 'topic' | 'direct' | 'group' | 'done' | 'nothing';

/** The kinds of actions that the summary counts. */
export type TriageActionKind = 'done' | 'replied' | 'muted' | 'snoozed' | 'followed' | 'reacted' | 'starred' | 'other';

/** An action in the inbox, for the summary at the end. */
export interface TriageLogEntry {
  readonly actionKind: TriageActionKind;
  readonly keys: readonly ConversationKey[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The action in the undo history. Undefined when it cannot be undone: a reply in a conversation without unread messages. */
  readonly undoable: object | undefined;
}

/** The lines of a conversation's messages that were on screen. */
export interface ViewedLines {
  /** The width at which lines were counted. */
  readonly columns: number;
  /** Number of viewed lines by message, from its first line without a gap. */
  readonly lines: ReadonlyMap<RowKey, number>;
}

/** The scroll position in the preview of a conversation. */
export interface PreviewPosition {
  readonly key: ConversationKey;
  readonly top: TopLine;
  /** The lines viewed before. */
  readonly viewed: ViewedLines;
}

/** The state of the inbox and its triage session. */
interface InboxState {
  /** The position of each row while the inbox is open. */
  readonly order: InboxOrder;
  /** The row under the cursor when rows were last positioned. */
  readonly positionedCursor?: ConversationKey | undefined;
  /** Whether the inbox was ever shown. */
  readonly isVisited: boolean;
  /** Whether the order is frozen: the user has started, or the first fetches are done. */
  readonly isOrderFrozen: boolean;
  readonly snoozes: Snoozes;
  /**
   * The snoozes that are not on disk, because the session leaves no traces or writing failed: they last until
   * the program ends.
   */
  readonly unsavedSnoozes?: Snoozes | undefined;
  /** Conversations that were skipped and stay unread: offered again when nothing else is left. */
  readonly skipped: ReadonlySet<ConversationKey>;
  /** Set once the user scrolled in the preview of a conversation. */
  readonly preview?: PreviewPosition | undefined;
  /** The actions of this session, oldest first, without undone ones. */
  readonly log: readonly TriageLogEntry[];
  /** Milliseconds since the epoch; undefined before the first visit. */
  readonly startedAt?: number | undefined;
}

export function newInboxState(sort: InboxSort = 'priority'): InboxState {
  return {
    order: InboxOrder.begin(sort),
    isVisited: false,
    isOrderFrozen: false,
    snoozes: new Map(),
    skipped: new Set(),
    log: [],
  };
}

declare module '#ui/core/screen-state.ts' {
  interface ScreenState {
    readonly inbox: InboxState;
  }
}
