import type {Undoable} from '#app/core/undo-stack.ts';
import type {Laters} from '#app/inbox/snooze/snooze.ts';
import type {RowKey, TopLine} from '#app/timeline/timeline-state.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {InboxOrder} from './inbox-order.ts';

/** What keys in the inbox are about: a topic, people, a folded group, or nothing, for all is done or was read before. */
export type InboxSpot = 'topic' | 'direct' | 'group' | 'done' | 'nothing';

export type TriageVerb =
  | 'done'
  | 'replied'
  | 'muted'
  | 'later'
  | 'followed'
  | 'reacted'
  | 'starred'
  | 'other';

/** Something done in the inbox, for the account of it at the end. */
export interface TriageAct {
  readonly verb: TriageVerb;
  readonly keys: readonly ConversationKey[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Undefined for what cannot be taken back: an answer that was sent where nothing was unread. */
  readonly done: Undoable | undefined;
}

/** What somebody had in sight of the messages of a conversation. */
export interface Seen {
  /** The width at which lines were counted. */
  readonly columns: number;
  /** By message: how many of its lines, from the first on without a gap. */
  readonly lines: ReadonlyMap<RowKey, number>;
}

export interface PreviewPlace {
  readonly key: ConversationKey;
  /** What is at the top. */
  readonly top: TopLine;
  /** What was in sight before. */
  readonly seen: Seen;
}

export interface InboxState {
  /** Where each row stands for as long as the inbox is open. */
  readonly order: InboxOrder;
  /** The row that had the cursor when the last rows were placed in it. */
  readonly settledAt: ConversationKey | undefined;
  /** It was shown at some time. */
  readonly isVisited: boolean;
  /** The order lasts: somebody has begun, or there is nothing more to wait for. */
  readonly isSettled: boolean;
  readonly laters: Laters;
  /** The same in a session that leaves no traces, or where the disk did not take it: it lasts as long as the program. */
  readonly unsavedLaters: Laters | undefined;
  /** Looked at and left unread: offered again when nothing else is left. */
  readonly kept: ReadonlySet<ConversationKey>;
  /** Where one is in the preview of a conversation, once somebody paged in it. */
  readonly preview: PreviewPlace | undefined;
  /** What was done since this session began, oldest first, without what was taken back. */
  readonly acts: readonly TriageAct[];
  /** Milliseconds since the epoch; undefined before the first visit. */
  readonly startedAt: number | undefined;
}

export function newInbox(): InboxState {
  return {
    order: InboxOrder.begin(),
    settledAt: undefined,
    isVisited: false,
    isSettled: false,
    laters: new Map(),
    unsavedLaters: undefined,
    kept: new Set(),
    preview: undefined,
    acts: [],
    startedAt: undefined,
  };
}
