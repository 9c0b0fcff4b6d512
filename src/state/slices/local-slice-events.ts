import type {TopicSummary} from '#state/model/channel-topics.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {EventOf} from '#wire/events.ts';
import type {Attachment} from './attachments.ts';
import type {UnicodeEmoji} from './emoji.ts';
import type {Presence} from './presences.ts';

/** The fields of local events that change one slice, by type. Those that change several are in `state/local-events.ts`. */
export interface LocalSliceEvents {
  /** A request for messages was sent; until its response arrives, events about messages are logged. */
  fetch_started: Record<never, never>;
  timeline_closed: {
    readonly narrow: Narrow;
  };
  topics_fetched: {
    readonly channelId: number;
    readonly topics: readonly TopicSummary[];
    /** False: events changed the topics while the list was on its way. */
    readonly isCurrent: boolean;
  };
  /** The newest message of a direct conversation was fetched; undefined when there is none. */
  newest_direct_fetched: {
    readonly key: ConversationKey;
    readonly maxId: number | undefined;
  };
  subscribers_fetched: {
    readonly channelId: number;
    readonly userIds: readonly number[];
  };
  attachments_fetched: {
    readonly attachments: readonly Attachment[];
  };
  presences_fetched: {
    readonly presences: readonly (readonly [userId: number, presence: Presence])[];
    readonly lastUpdateId: number | undefined;
    /** The server's clock minus ours, in seconds; undefined when the response does not contain it. */
    readonly serverOffset: number | undefined;
  };
  /** A typing event with the time of its arrival in milliseconds; see `withReceiptTime`. */
  typing_received: {
    readonly event: EventOf<'typing'> | EventOf<'typing_edit_message'>;
    readonly now: number;
  };
  /** Typing indicators that expire at or before `now` (milliseconds) are removed. */
  typing_expired: {
    readonly now: number;
  };
  outbox_changed: {
    readonly outbox: readonly OutboxEntry[];
  };
  local_drafts_changed: {
    readonly localDrafts: readonly LocalDraft[];
  };
  /** The server's names of Unicode emoji were loaded. */
  unicode_emoji_loaded: {
    readonly emoji: UnicodeEmoji;
  };
  connection_changed: {
    readonly connection: ConnectionStatus;
  };
}
