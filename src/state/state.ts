import type {ChannelTopics} from '#state/model/channel-topics.ts';
import type {Attachment} from '#state/slices/attachments.ts';
import type {Bot} from '#state/slices/bots.ts';
import type {DirectSummary} from '#state/slices/directs.ts';
import type {ServerDraft} from '#state/slices/drafts.ts';
import type {Emoji, UnicodeEmoji} from '#state/slices/emoji.ts';
import type {EventLog} from '#state/slices/event-log.ts';
import type {Folder} from '#state/slices/folders.ts';
import type {Linkifier} from '#state/slices/linkifiers.ts';
import type {LoadedMessages, MessageArrivals} from '#state/slices/messages.ts';
import type {NavigationView} from '#state/slices/navigation-views.ts';
import type {Playground} from '#state/slices/playgrounds.ts';
import type {Presences} from '#state/slices/presences.ts';
import type {ProfileField} from '#state/slices/profile-fields.ts';
import type {Realm} from '#state/slices/realm.ts';
import type {Reminder} from '#state/slices/reminders.ts';
import type {ScheduledMessage} from '#state/slices/scheduled.ts';
import type {ServerInfo} from '#state/slices/server.ts';
import type {AccountSettings} from '#state/slices/settings.ts';
import type {Snippet} from '#state/slices/snippets.ts';
import type {UserStatus} from '#state/slices/statuses.ts';
import type {TypingState} from '#state/slices/typing.ts';
import type {UserTopic} from '#state/slices/user-topics.ts';
import type {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {Domain} from '#wire/objects/organization.ts';
import type {Channel, Subscribers, Subscription} from './model/channel.ts';
import type {ConnectionStatus} from './model/connection.ts';
import type {ConversationKey} from './model/conversation.ts';
import type {LocalDraft} from './model/draft.ts';
import type {NarrowKey} from './model/narrow.ts';
import type {OutboxEntry} from './model/outbox.ts';
import type {Timeline} from './model/timeline.ts';
import type {Unreads} from './model/unread.ts';
import type {Group, Users} from './model/user.ts';

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
