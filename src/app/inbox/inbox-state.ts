import type {Undoable} from '#app/core/undo-stack.ts';
import type {Snoozes} from '#app/inbox/snooze/snooze.ts';
import type {RowKey, TopLine} from '#app/timeline/timeline-state.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {InboxOrder} from './inbox-order.ts';

/** What keys in the inbox are about: a topic, people, a folded group, or nothing, for all is done or was read before. */
export type InboxCursorContext = 'topic' | 'direct' | 'group' | 'done' | 'nothing';

export type TriageActionKind =
  | 'done'
  | 'replied'
  | 'muted'
  | 'later'
  | 'followed'
  | 'reacted'
  | 'starred'
  | 'other';

/** Something done in the inbox, for the account of it at the end. */
export interface TriageLogEntry {
  readonly actionKind: TriageActionKind;
  readonly keys: readonly ConversationKey[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Undefined for what cannot be taken back: an answer that was sent where nothing was unread. */
  readonly undoable: Undoable | undefined;
}

/** What somebody had in sight of the messages of a conversation. */
export interface ViewedLines {
  /** The width at which lines were counted. */
  readonly columns: number;
  /** By message: how many of its lines, from the first on without a gap. */
  readonly lines: ReadonlyMap<RowKey, number>;
}

export interface PreviewPosition {
  readonly key: ConversationKey;
  /** What is at the top. */
  readonly top: TopLine;
  /** What was in sight before. */
  readonly viewed: ViewedLines;
}

export interface InboxState {
  /** Where each row stands for as long as the inbox is open. */
  readonly order: InboxOrder;
  /** The row that had the cursor when the last rows were placed in it. */
  readonly settledAt: ConversationKey | undefined;
  /** It was shown at some time. */
  readonly isVisited: boolean;
  /** The order lasts: somebody has begun, or there is nothing more to wait for. */
  readonly isOrderSettled: boolean;
  readonly snoozes: Snoozes;
  /** The same in a session that leaves no traces, or where the disk did not take it: it lasts as long as the program. */
  readonly unsavedLaters: Snoozes | undefined;
  /** Looked at and left unread: offered again when nothing else is left. */
  readonly skipped: ReadonlySet<ConversationKey>;
  /** Where one is in the preview of a conversation, once somebody paged in it. */
  readonly preview: PreviewPosition | undefined;
  /** What was done since this session began, oldest first, without what was taken back. */
  readonly log: readonly TriageLogEntry[];
  /** Milliseconds since the epoch; undefined before the first visit. */
  readonly startedAt: number | undefined;
}

export function newInboxState(): InboxState {
  return {
    order: InboxOrder.begin(),
    settledAt: undefined,
    isVisited: false,
    isOrderSettled: false,
    snoozes: new Map(),
    unsavedLaters: undefined,
    skipped: new Set(),
    preview: undefined,
    log: [],
    startedAt: undefined,
  };
}
