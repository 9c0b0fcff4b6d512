import type {CamelKeys} from '#std/camel.ts';
import type {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {WireAttachment} from '#wire/objects/attachment.ts';
import type {WireBot} from '#wire/objects/bot.ts';
import type {Domain} from '#wire/objects/domain.ts';
import type {WireEmoji} from '#wire/objects/emoji.ts';
import type {WireFolder} from '#wire/objects/folder.ts';
import type {WireLinkifier} from '#wire/objects/linkifier.ts';
import type {WirePlayground} from '#wire/objects/playground.ts';
import type {WireProfileField} from '#wire/objects/profile-field.ts';
import type {WireRealm} from '#wire/objects/realm.ts';
import type {WireUserSettings as WireSettings} from '#wire/objects/user-settings.ts';
import type {ServerFeatures} from '#wire/server-features.ts';
import type {EventLog} from './messages/event-log.ts';
import type {Channel, Subscribers, Subscription} from './model/channel.ts';
import type {ConnectionStatus} from './model/connection.ts';
import type {ConversationKey} from './model/conversation.ts';
import type {LocalDraft} from './model/draft.ts';
import type {Group} from './model/group.ts';
import type {Message} from './model/message.ts';
import type {NarrowKey} from './model/narrow.ts';
import type {OutboxEntry} from './model/outbox.ts';
import type {
  NavigationView,
  Presence,
  Reminder,
  ScheduledMessage,
  ServerDraft,
  Snippet,
  UserStatus,
  UserTopic,
} from './model/personal.ts';
import type {Timeline} from './model/timeline.ts';
import type {Unreads} from './model/unread.ts';
import type {User} from './model/user.ts';

/** The organization's settings: `realm_name` is `name` here. Present-day names are filled in where a server has older ones. */
export type Realm = CamelKeys<{
  [K in keyof WireRealm as K extends 'realm_rendered_description'
    ? never
    : K extends `realm_${infer Name}`
      ? Name
      : never]: WireRealm[K];
}>;

/** Names that only stood for something else, or only for the moment of the answer. */
type NotServerField = `realm_${string}` | 'jitsi_server_url' | 'server_timestamp';
type ServerFields = CamelKeys<{
  [K in keyof WireRealm as K extends NotServerField ? never : K]: WireRealm[K];
}>;

/** Facts about the server, with what a client assumes where an older one is silent already filled in. */
export interface ServerInfo extends ServerFields {
  readonly url: string;
  readonly level: number;
  readonly abilities: ServerFeatures;
  readonly version: string | undefined;
  /** What this server calls the built-in extra emoji. */
  readonly extraEmojiType: string;
}

export type AccountSettings = CamelKeys<WireSettings>;
export type Folder = CamelKeys<Omit<WireFolder, 'rendered_description'>>;
export type Emoji = CamelKeys<WireEmoji>;
export type Linkifier = CamelKeys<Omit<WireLinkifier, 'url_format' | 'url_template'>> & {
  readonly urlTemplate: string;
};
export type Playground = CamelKeys<Omit<WirePlayground, 'url_prefix' | 'url_template'>> & {
  readonly urlTemplate: string;
};
export type ProfileField = CamelKeys<WireProfileField>;
/** Without its secrets, and without what is in its user record. */
export type Bot = CamelKeys<
  Pick<
    WireBot,
    'user_id' | 'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams'
  >
>;
export type Attachment = CamelKeys<Omit<WireAttachment, 'messages' | 'message_ids'>> & {
  readonly messageIds: readonly number[];
};

/** The loaded messages. `byConversation` holds exactly the ids of `byId`, by their conversation. */
export interface LoadedMessages {
  readonly byId: SortedMap<number, Message>;
  readonly byConversation: SortedMap<ConversationKey, SortedSet<number>>;
  /** Those that only this machine's disk tells of: nobody kept them up to date, and the server's word takes their place. */
  readonly savedOnlyIds?: SortedSet<number>;
}

export interface Presences {
  readonly byUser: SortedMap<number, Presence>;
  /** Where the next presence request continues; -1 before the first. */
  readonly lastUpdateId: number;
  /** Server clock minus ours, seconds. */
  readonly serverOffset: number;
}

export interface TopicSummary {
  readonly name: string;
  readonly maxId: number;
}

/** The topics of a channel by `topicKey`; all of them once `complete`. */
export interface ChannelTopics {
  readonly byKey: SortedMap<string, TopicSummary>;
  readonly complete: boolean;
}

/** Which messages came by event. Only the event says whether a message is unread, and it may come after an answer. */
export interface MessageArrivals {
  /** The newest message that an event told of; -1 before the first. */
  readonly newest: number;
  /** Messages from answers whose event may be on its way. */
  readonly awaited: SortedSet<number>;
}

/** Who writes where: user id → when to stop believing it, in milliseconds since the epoch. */
export interface TypingState {
  readonly conversations: SortedMap<ConversationKey, SortedMap<number, number>>;
  /** People who edit a message of theirs, by message. */
  readonly edits: SortedMap<number, SortedMap<number, number>>;
}

/** Everything the client knows. Each property is a slice of the cache, replaced and never changed in place. */
export interface AccountState {
  readonly self: {readonly userId: number};
  readonly server: ServerInfo;
  readonly realm: Realm;
  readonly settings: AccountSettings;
  readonly users: SortedMap<number, User>;
  readonly bots: SortedMap<number, Bot>;
  readonly groups: SortedMap<number, Group>;
  readonly channels: SortedMap<number, Channel>;
  readonly subscriptions: SortedMap<number, Subscription>;
  readonly subscribers: SortedMap<number, Subscribers>;
  readonly defaultChannels: SortedSet<number>;
  readonly folders: SortedMap<number, Folder>;
  readonly messages: LoadedMessages;
  readonly unreads: Unreads;
  readonly starred: SortedSet<number>;
  readonly timelines: SortedMap<NarrowKey, Timeline>;
  readonly topics: SortedMap<number, ChannelTopics>;
  /** The newest message of each direct conversation; the server names those of the ~1000 latest messages. */
  readonly directs: SortedMap<ConversationKey, {readonly userIds: readonly number[]; readonly maxId: number}>;
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
  /** In the order they apply. */
  readonly linkifiers: readonly Linkifier[];
  readonly playgrounds: readonly Playground[];
  readonly domains: readonly Domain[];
  readonly profileFields: readonly ProfileField[];
  /** By provider: `zoom`, `webex`, `conference`. */
  readonly videoTokens: Readonly<Record<string, boolean>>;
  /** Kept up by events only; asking for the list is a fetch. */
  readonly attachments: SortedMap<number, Attachment>;
  /** The newest message id seen by any means. */
  readonly maxMessageId: number;
  readonly arrivals: MessageArrivals;
  /** What this machine holds: never touched by a new registration. */
  readonly outbox: readonly OutboxEntry[];
  readonly localDrafts: readonly LocalDraft[];
  readonly connection: ConnectionStatus;
  /** The latest events about messages, while a fetch is in the air; see `event-log.ts`. */
  readonly log: EventLog;
}

export type SliceName = keyof AccountState;
