import type {MessageFacts} from '#content/message-facts.ts';
import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {IdWindow} from '#state/model/timeline.ts';
import type {LoggedEvent} from '#state/slices/event-log.ts';
import type {LocalSliceEvents} from '#state/slices/local-slice-events.ts';
import type {ServerEvent} from '#wire/events.ts';
import type {AccountState, SliceEventType} from './state.ts';

/** What a search matched in a message: HTML with highlight spans. */
export interface NarrowMatch {
  readonly id: number;
  readonly content: string;
  readonly topic: string;
}

export interface TimelinePage {
  readonly narrow: Narrow;
  /** `replace` starts the timeline over; `older` and `newer` extend its ends; `refresh` replaces a part of it. */
  readonly joins: 'replace' | 'older' | 'newer' | 'refresh';
  readonly anchor: number | undefined;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  readonly matches: readonly NarrowMatch[];
}

/** The fields of local events, by type: here those of events that change several slices. */
interface LocalEventFields extends LocalSliceEvents {
  /** A new registration, or the state saved on disk, replaces the state. The outbox and local drafts stay. */
  state_replaced: {
    readonly state: AccountState;
    /** Until when events kept the replaced state current, by the time of day. */
    readonly knownUntil?: number | undefined;
  };
  fetch_failed: {
    readonly narrow: Narrow | undefined;
    readonly problem: string;
  };
  /** Messages arrived in a response, which ends the fetch that began with `fetch_started`. */
  messages_fetched: {
    readonly messages: readonly Message[];
    /** The ids of those messages that the server reports as unread. */
    readonly unreadIds: readonly number[];
    /** The newest logged event when the request was sent. */
    readonly since: LoggedEvent | undefined;
    /** The timeline that the messages extend, and how; undefined when they belong to no timeline. */
    readonly page: TimelinePage | undefined;
  };
  /** Facts about messages were looked up, or read from the server's rendering. */
  message_facts_found: {
    readonly found: readonly {readonly id: number; readonly content: string; readonly facts: MessageFacts}[];
  };
  /** A view was opened; its timeline starts empty, or with the messages that are already loaded. */
  timeline_opened: {
    readonly narrow: Narrow;
  };
  /** Messages of a view were loaded from disk because the server cannot be reached. */
  saved_messages_loaded: {
    readonly narrow: Narrow;
    readonly messages: readonly Message[];
  };
  timeline_loading: {
    readonly narrow: Narrow;
    readonly loading: 'first' | 'older' | 'newer';
  };
  /**
   * Messages that nothing needs leave memory. They must be on disk. Timelines keep the given windows, in which no message is
   * evicted.
   */
  messages_evicted: {
    readonly windows: readonly {readonly narrow: Narrow; readonly window: IdWindow}[];
    readonly ids: readonly number[];
  };
  /** Another part of a timeline is shown; `messages` are those of it that were evicted. */
  timeline_window_moved: {
    readonly narrow: Narrow;
    readonly window: IdWindow;
    readonly messages: readonly Message[];
  };
  /** Evicted messages are not on disk any more, or may be outdated there. */
  evicted_messages_lost: {
    /** Undefined: those of all timelines. */
    readonly narrow: Narrow | undefined;
  };
  /** The server decided which live messages match a narrow that the client cannot evaluate itself. */
  matches_fetched: {
    readonly narrow: Narrow;
    readonly decidedIds: readonly number[];
    readonly matches: readonly NarrowMatch[];
  };
}

export type LocalEventOf<T extends keyof LocalEventFields> = {readonly type: T} & LocalEventFields[T];
export type LocalEvent = {[T in keyof LocalEventFields]: LocalEventOf<T>}[keyof LocalEventFields];

export type StateEvent = ServerEvent | LocalEvent;
type StateEventOf<T extends StateEvent['type']> = Extract<StateEvent, {type: T}>;

/**
 * One applier for each event type that does not belong to one slice: a new event type does not compile without an applier, here
 * or in its slice.
 */
export type Appliers = {
  readonly [T in Exclude<StateEvent['type'], SliceEventType>]: (
    state: AccountState,
    event: StateEventOf<T>,
  ) => AccountState;
};
