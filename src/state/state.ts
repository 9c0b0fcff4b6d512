import type {CamelKeys} from '#std/camel.ts';
import type {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {ServerEvent} from '#wire/events.ts';
import type {WireFolder} from '#wire/objects/channel.ts';
import type {Domain, WireEmoji, WireLinkifier, WirePlayground} from '#wire/objects/organization.ts';
import type {
  WireAttachment,
  WireNavigationView,
  WireReminder,
  WireScheduledMessage,
  WireSnippet,
} from '#wire/objects/personal.ts';
import type {WireRealm} from '#wire/objects/realm.ts';
import type {WireBot, WireProfileField, WireUserStatus} from '#wire/objects/user.ts';
import type {WireUserSettings as WireSettings} from '#wire/objects/user-settings.ts';
import type {ServerFeatures} from '#wire/server-features.ts';
import type {Channel, Subscribers, Subscription} from './model/channel.ts';
import type {ConnectionStatus} from './model/connection.ts';
import type {Conversation, ConversationKey} from './model/conversation.ts';
import type {DraftVersion, LocalDraft} from './model/draft.ts';
import type {Message} from './model/message.ts';
import type {NarrowKey} from './model/narrow.ts';
import type {OutboxEntry} from './model/outbox.ts';
import type {Timeline} from './model/timeline.ts';
import type {Unreads} from './model/unread.ts';
import type {Group, Users} from './model/user.ts';

/**
 * The organization's settings, without the prefix: `realm_name` is `name`. Values of older names are under
 * their current names.
 */
export type Realm = CamelKeys<{
  [K in keyof WireRealm as K extends 'realm_rendered_description'
    ? never
    : K extends `realm_${infer Name}`
      ? Name
      : never]: WireRealm[K];
}>;

/** Fields that are aliases of others, or that are valid only at the time of the response. */
type NotServerField = `realm_${string}` | 'jitsi_server_url' | 'server_timestamp';
type ServerFields = CamelKeys<{
  [K in keyof WireRealm as K extends NotServerField ? never : K]: WireRealm[K];
}>;

/** The server's properties, with defaults filled in where an older server sends none. */
export interface ServerInfo extends ServerFields {
  readonly url: string;
  readonly level: number;
  readonly abilities: ServerFeatures;
  readonly version: string | undefined;
  /** The reaction type of this server's built-in extra emoji. */
  readonly extraEmojiType: string;
}

export type AccountSettings = CamelKeys<WireSettings>;
export type Folder = CamelKeys<Omit<WireFolder, 'rendered_description'>>;
export type Emoji = CamelKeys<WireEmoji>;
/** The names of Unicode emoji that a server accepts: hex code → names, the canonical one first. */
export interface UnicodeEmoji {
  /** Where the list was downloaded. */
  readonly url: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
}
export type Linkifier = CamelKeys<Omit<WireLinkifier, 'url_format' | 'url_template'>> & {
  readonly urlTemplate: string;
};
export type Playground = CamelKeys<Omit<WirePlayground, 'url_prefix' | 'url_template'>> & {
  readonly urlTemplate: string;
};
export type ProfileField = CamelKeys<WireProfileField>;
/** A bot without its secrets and without the fields of its user record. */
export type Bot = CamelKeys<
  Pick<WireBot, 'user_id' | 'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams'>
>;
export type Attachment = CamelKeys<Omit<WireAttachment, 'messages' | 'message_ids'>> & {
  readonly messageIds: readonly number[];
};

/** The loaded messages. `byConversation` contains exactly the ids of `byId`, by conversation. */
export interface LoadedMessages {
  readonly byId: SortedMap<number, Message>;
  readonly byConversation: SortedMap<ConversationKey, SortedSet<number>>;
  /** Messages known from disk only: they may be outdated, and the server's version replaces them. */
  readonly savedOnlyIds?: SortedSet<number>;
}

export interface Presences {
  readonly byUser: SortedMap<number, Presence>;
  /** The position where the next presence request continues; -1 before the first. */
  readonly lastUpdateId: number;
  /** The server's clock minus ours, in seconds. */
  readonly serverOffset: number;
  /** Our time of the registration, in milliseconds, for what depends on the time where no clock is at hand. */
  readonly registeredAt?: number;
}

export interface TopicSummary {
  readonly name: string;
  readonly maxId: number;
}

/** The newest message of a direct conversation. */
interface DirectSummary {
  readonly userIds: readonly number[];
  readonly maxId: number;
  /** The newest message was deleted: whether there are others, and which is the newest, the session asks the server. */
  readonly isGuess?: true;
}

/** The topics of a channel by `topicKey`; `complete` when these are all topics that exist. */
export interface ChannelTopics {
  readonly byKey: SortedMap<string, TopicSummary>;
  readonly complete: boolean;
  /**
   * When an incomplete list was last complete, by the time of day: then the event queue was lost. Undefined if it never was,
   * or if an event said that something is missing.
   */
  readonly completeUntil?: number | undefined;
}

/**
 * The messages that arrived by event. Only the event says whether a message is unread, and it may arrive
 * after a response.
 */
export interface MessageArrivals {
  /** The newest message that arrived by event; -1 before the first. */
  readonly newest: number;
  /** Messages from responses whose events may still arrive. */
  readonly awaited: SortedSet<number>;
}

/** The typing indicators: user id → expiry in milliseconds since the epoch. */
export interface TypingState {
  readonly conversations: SortedMap<ConversationKey, SortedMap<number, number>>;
  /** Users who edit one of their messages, by message id. */
  readonly edits: SortedMap<number, SortedMap<number, number>>;
}

/** Everything the client knows about one account. Each property is a slice of the cache, replaced and never mutated. */
export interface AccountState {
  readonly self: {readonly userId: number};
  readonly server: ServerInfo;
  readonly realm: Realm;
  readonly settings: AccountSettings;
  readonly users: Users;
  readonly bots: SortedMap<number, Bot>;
  readonly groups: SortedMap<number, Group>;
  readonly channels: SortedMap<number, Channel>;
  /** The last known names of channels that the user can no longer see, since this program started. */
  readonly formerChannels: SortedMap<number, string>;
  readonly subscriptions: SortedMap<number, Subscription>;
  readonly subscribers: SortedMap<number, Subscribers>;
  readonly defaultChannels: SortedSet<number>;
  readonly folders: SortedMap<number, Folder>;
  readonly messages: LoadedMessages;
  readonly unreads: Unreads;
  readonly starred: SortedSet<number>;
  readonly timelines: SortedMap<NarrowKey, Timeline>;
  readonly topics: SortedMap<number, ChannelTopics>;
  /** The newest message of each direct conversation; the server lists those among the ~1000 latest messages. */
  readonly directs: SortedMap<ConversationKey, DirectSummary>;
  readonly userTopics: SortedMap<ConversationKey, UserTopic>;
  readonly mutedUsers: SortedMap<number, {readonly id: number; readonly timestamp: number}>;
  readonly presences: Presences;
  readonly statuses: SortedMap<number, UserStatus>;
  readonly typing: TypingState;
  readonly drafts: SortedMap<number, ServerDraft>;
  readonly scheduled: SortedMap<number, ScheduledMessage>;
  readonly reminders: SortedMap<number, Reminder>;
  readonly snippets: SortedMap<number, Snippet>;
  readonly navigationViews: SortedMap<string, NavigationView>;
  readonly alertWords: readonly string[];
  readonly emoji: SortedMap<string, Emoji>;
  /** The server's names of Unicode emoji; undefined until they are loaded, and for servers that do not say them. */
  readonly unicodeEmoji: UnicodeEmoji | undefined;
  /** In the order in which they apply. */
  readonly linkifiers: readonly Linkifier[];
  readonly playgrounds: readonly Playground[];
  readonly domains: readonly Domain[];
  readonly profileFields: readonly ProfileField[];
  /** The event that last changed the invitations, which are fetched on demand; 0 before the first. */
  readonly lastInviteChange: number;
  /** By provider: `zoom`, `webex`, `conference`. */
  readonly videoTokens: Readonly<Record<string, boolean>>;
  /** Fetched on demand and updated by events; before that, it has only what events named. */
  readonly attachments: SortedMap<number, Attachment>;
  /** The highest message id seen in any event or response. */
  readonly maxMessageId: number;
  readonly arrivals: MessageArrivals;
  /** Local data that a new registration never changes. */
  readonly outbox: readonly OutboxEntry[];
  readonly localDrafts: readonly LocalDraft[];
  readonly connection: ConnectionStatus;
  /** The latest events about messages while a fetch is in flight; see `event-log.ts`. */
  readonly log: EventLog;
}

export type SliceName = keyof AccountState;

/**
 * The events about messages that arrived while a fetch was in flight, newest first.
 *
 * The server may have built a response before an event that is already applied here, so a response is updated with the
 * events since its request. Appliers are idempotent: applying an event that the response already reflects does no harm.
 */
export interface EventLog {
  readonly fetchesInFlight: number;
  readonly last: LoggedEvent | undefined;
  /**
   * The latest events since the registration that changed topic, flags, reactions or votes of messages, by number. A server
   * may answer from a cache that is older than its events: a response does not undo them.
   */
  readonly changes?: SortedMap<number, MessageChange> | undefined;
}

export type MessageChange = Extract<
  ServerEvent,
  {type: 'update_message' | 'update_message_flags' | 'reaction' | 'submessage'}
>;

/** An event with the subscriptions when it arrived, which say whether the messages of a move stay the user's own. */
export interface EventInContext {
  readonly event: ServerEvent;
  readonly subscriptions: SortedMap<number, Subscription>;
}

export interface LoggedEvent extends EventInContext {
  readonly previous: LoggedEvent | undefined;
}

/** A draft as the server has it. */
export interface ServerDraft extends DraftVersion {
  readonly id: number;
}

export interface ScheduledMessage
  extends Omit<CamelKeys<WireScheduledMessage>, 'scheduledMessageId' | 'type' | 'to' | 'topic' | 'renderedContent'> {
  readonly id: number;
  readonly conversation: Conversation;
}

export interface Reminder extends Omit<CamelKeys<WireReminder>, 'reminderId' | 'type' | 'to' | 'renderedContent'> {
  readonly id: number;
}

type Snippet = CamelKeys<WireSnippet>;
export type NavigationView = CamelKeys<WireNavigationView>;
/** Contains only the fields that are set. */
export type UserStatus = CamelKeys<WireUserStatus>;

export interface UserTopic {
  readonly channelId: number;
  readonly topic: string;
  /** 1 muted, 2 unmuted, 3 followed. */
  readonly policy: number;
  /** UNIX seconds. */
  readonly lastUpdated: number;
}

/** UNIX seconds; both are undefined for a user who was never seen. */
export interface Presence {
  readonly activeAt: number | undefined;
  readonly idleAt: number | undefined;
}
