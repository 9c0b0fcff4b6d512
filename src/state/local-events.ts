import type {TypingEditEvent, TypingEvent} from '#wire/events/typing.ts';
import type {LoggedEvent} from './messages/event-log.ts';
import type {ConnectionStatus} from './model/connection.ts';
import type {LocalDraft} from './model/draft.ts';
import type {Message} from './model/message.ts';
import type {Narrow} from './model/narrow.ts';
import type {OutboxEntry} from './model/outbox.ts';
import type {Presence} from './model/personal.ts';
import type {AccountState, TopicSummary} from './state.ts';

/** A new registration, or what the disk remembered. What this machine holds (outbox, drafts) stays. */
export interface StateReplaced {
  readonly type: 'state_replaced';
  readonly state: AccountState;
}

/** A request for messages left; until it lands, events about messages are logged. */
export interface FetchStarted {
  readonly type: 'fetch_started';
}

export interface FetchFailed {
  readonly type: 'fetch_failed';
  readonly narrow: Narrow | undefined;
  readonly problem: string;
}

/** Messages from an answer. Lands the flight that began with `fetch_started`. */
export interface MessagesFetched {
  readonly type: 'messages_fetched';
  readonly messages: readonly Message[];
  /** Those of them that the server has as unread. */
  readonly unreadIds: readonly number[];
  /** The newest logged event when the request left. */
  readonly since: LoggedEvent | undefined;
  /** Which timeline they extend, and how; undefined when they are just messages. */
  readonly page: TimelinePage | undefined;
}

export interface TimelinePage {
  readonly narrow: Narrow;
  /** `replace` begins the timeline anew; `older` and `newer` join at its ends. */
  readonly joins: 'replace' | 'older' | 'newer';
  readonly anchor: number | undefined;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  readonly matches: readonly {readonly id: number; readonly content: string; readonly topic: string}[];
}

/** A view wants its messages; it begins empty, or with what is loaded already. */
export interface TimelineOpened {
  readonly type: 'timeline_opened';
  readonly narrow: Narrow;
}

/** What the disk has of a view, while the server cannot be asked. */
export interface SavedMessagesLoaded {
  readonly type: 'messages_recalled';
  readonly narrow: Narrow;
  readonly messages: readonly Message[];
}

export interface TimelineLoading {
  readonly type: 'timeline_loading';
  readonly narrow: Narrow;
  readonly loading: 'first' | 'older' | 'newer';
}

export interface TimelineClosed {
  readonly type: 'timeline_closed';
  readonly narrow: Narrow;
}

/** The server's word on live messages that could not be judged here. */
export interface MatchesFetched {
  readonly type: 'matches_fetched';
  readonly narrow: Narrow;
  readonly decidedIds: readonly number[];
  readonly matches: readonly {readonly id: number; readonly content: string; readonly topic: string}[];
}

export interface TopicsFetched {
  readonly type: 'topics_fetched';
  readonly channelId: number;
  readonly topics: readonly TopicSummary[];
}

export interface SubscribersFetched {
  readonly type: 'subscribers_fetched';
  readonly channelId: number;
  readonly userIds: readonly number[];
}

export interface PresencesFetched {
  readonly type: 'presences_fetched';
  readonly presences: readonly (readonly [userId: number, presence: Presence])[];
  readonly lastUpdateId: number | undefined;
  /** Server clock minus ours, seconds; undefined when the answer did not say. */
  readonly serverOffset: number | undefined;
}

/** A typing event and when it was heard, in milliseconds; see `stamped`. */
export interface TypingReceived {
  readonly type: 'typing_heard';
  readonly event: TypingEvent | TypingEditEvent;
  readonly now: number;
}

/** Whoever was last heard of before `now` (milliseconds) no longer types. */
export interface TypingExpired {
  readonly type: 'typing_expired';
  readonly now: number;
}

export interface OutboxChanged {
  readonly type: 'outbox_changed';
  readonly outbox: readonly OutboxEntry[];
}

export interface LocalDraftsChanged {
  readonly type: 'local_drafts_changed';
  readonly localDrafts: readonly LocalDraft[];
}

export interface ConnectionChanged {
  readonly type: 'connection_changed';
  readonly connection: ConnectionStatus;
}

export type LocalEvent =
  | StateReplaced
  | FetchStarted
  | FetchFailed
  | MessagesFetched
  | TimelineOpened
  | SavedMessagesLoaded
  | TimelineLoading
  | TimelineClosed
  | MatchesFetched
  | TopicsFetched
  | SubscribersFetched
  | PresencesFetched
  | TypingReceived
  | TypingExpired
  | OutboxChanged
  | LocalDraftsChanged
  | ConnectionChanged;
