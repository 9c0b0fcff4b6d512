import type {Channel, Subscribers, Subscription} from '#state/model/channel.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import type {Group} from '#state/model/group.ts';
import type {
  NavigationView,
  Reminder,
  ScheduledMessage,
  ServerDraft,
  Snippet,
  UserStatus,
  UserTopic,
} from '#state/model/personal.ts';
import type {ConversationUnreads, Unreads} from '#state/model/unread.ts';
import type {User} from '#state/model/user.ts';
import type {
  AccountState,
  Bot,
  ChannelTopics,
  Emoji,
  Folder,
  Linkifier,
  Playground,
  ProfileField,
  Realm,
  Server,
  Settings,
  SliceName,
  Topic,
} from '#state/state.ts';
import {builtUnreads} from '#state/unreads/build-unreads.ts';
import type {Domain} from '#wire/objects/domain.ts';
import {type Decoder, isRecord, list, map, number, numberSet, shaped, text} from './decoders.ts';

/** Kept elsewhere, or true for a moment only. */
type UnsavedName =
  | 'messages'
  | 'timelines'
  | 'arrivals'
  | 'presences'
  | 'typing'
  | 'attachments'
  | 'outbox'
  | 'localDrafts'
  | 'connection'
  | 'log';

export type SavedName = Exclude<SliceName, UnsavedName>;

const conversation: Decoder<Conversation> = (json) => {
  if (!isRecord(json)) return undefined;
  const {kind, channelId, topic, userIds} = json;
  if (kind === 'topic' && typeof channelId === 'number' && typeof topic === 'string') {
    return {kind, channelId, topic};
  }
  if (kind !== 'direct' || !Array.isArray(userIds) || !userIds.every(Number.isSafeInteger)) return undefined;
  return {kind, userIds};
};

const target: Decoder<DraftTarget> = (json) =>
  isRecord(json) && json.kind === 'none' && typeof json.topic === 'string'
    ? {kind: json.kind, topic: json.topic}
    : conversation(json);

/** Only what cannot be worked out again: the indexes follow from the conversations. */
function unreadsToSave({conversations, mentions, oldMissing}: Unreads): unknown {
  const rows = [...conversations.values()].map((row) => [row.conversation, row.ids.toArray()]);
  return {rows, mentions, oldMissing};
}

const unreads: Decoder<Unreads> = (json) => {
  if (!isRecord(json) || !Array.isArray(json.rows) || typeof json.oldMissing !== 'boolean') return undefined;
  const mentions = numberSet(json.mentions);
  const rows = json.rows.flatMap((row) => unreadRow(row) ?? []);
  if (mentions === undefined || rows.length < json.rows.length) return undefined;
  const index = builtUnreads(rows, mentions, json.oldMissing);
  // A message that is in two places was never saved by us.
  const count = rows.reduce((sum, {ids}) => sum + ids.size, 0);
  return index.byId.size === count && index.conversations.size === rows.length ? index : undefined;
};

const unreadRow: Decoder<ConversationUnreads> = (json) => {
  const where = Array.isArray(json) ? conversation(json[0]) : undefined;
  const ids = Array.isArray(json) ? numberSet(json[1]) : undefined;
  if (where === undefined || ids === undefined || ids.size === 0) return undefined;
  return {key: conversationKey(where), conversation: where, ids};
};

const numbered = {id: 'number'} as const;

/** A new slice does not compile until it is said how it is kept, or that it is not. */
export const sliceDecoders: {readonly [K in SavedName]: Decoder<AccountState[K]>} = {
  self: shaped<AccountState['self']>({userId: 'number'}),
  server: shaped<Server>({url: 'string', level: 'number', extraEmojiType: 'string'}),
  realm: shaped<Realm>({emptyTopicDisplayName: 'string'}),
  settings: shaped<Settings>({}),
  users: map(
    'number',
    shaped<User>({
      id: 'number',
      fullName: 'string',
      email: 'string',
      role: 'number',
      isActive: 'boolean',
      profile: 'object',
    }),
  ),
  bots: map('number', shaped<Bot>({})),
  groups: map(
    'number',
    shaped<Group>({...numbered, name: 'string', members: numberSet, subgroupIds: numberSet}),
  ),
  channels: map('number', shaped<Channel>({...numbered, name: 'string', isPrivate: 'boolean'})),
  subscriptions: map(
    'number',
    shaped<Subscription>({channelId: 'number', isSubscribed: 'boolean', color: 'string', isMuted: 'boolean'}),
  ),
  subscribers: map('number', shaped<Subscribers>({ids: numberSet, complete: 'boolean'})),
  defaultChannels: numberSet,
  folders: map('number', shaped<Folder>({...numbered, name: 'string'})),
  unreads,
  starred: numberSet,
  topics: map(
    'number',
    shaped<ChannelTopics>({
      byKey: map('string', shaped<Topic>({name: 'string', maxId: 'number'})),
      complete: 'boolean',
    }),
  ),
  directs: map(
    'string',
    shaped<{userIds: readonly number[]; maxId: number}>({userIds: 'array', maxId: 'number'}),
  ),
  userTopics: map(
    'string',
    shaped<UserTopic>({channelId: 'number', topic: 'string', policy: 'number', lastUpdated: 'number'}),
  ),
  mutedUsers: map('number', shaped<{id: number; timestamp: number}>({...numbered, timestamp: 'number'})),
  statuses: map('number', shaped<UserStatus>({})),
  drafts: map('number', shaped<ServerDraft>({...numbered, target, content: 'string', timestamp: 'number'})),
  scheduled: map('number', shaped<ScheduledMessage>({...numbered, conversation, content: 'string'})),
  reminders: map('number', shaped<Reminder>({...numbered, content: 'string'})),
  snippets: map('number', shaped<Snippet>({...numbered, title: 'string', content: 'string'})),
  navigationViews: map('string', shaped<NavigationView>({fragment: 'string'})),
  alertWords: list(text),
  emoji: map('string', shaped<Emoji>({id: 'string', name: 'string'})),
  linkifiers: list(shaped<Linkifier>({pattern: 'string', urlTemplate: 'string'})),
  playgrounds: list(shaped<Playground>({name: 'string'})),
  domains: list(shaped<Domain>({domain: 'string'})),
  profileFields: list(shaped<ProfileField>({...numbered, name: 'string', type: 'number'})),
  videoTokens: shaped<Record<string, boolean>>({}),
  maxMessageId: number,
};

export const savedNames = Object.keys(sliceDecoders) as readonly SavedName[];

/** The slice as JSON can say it. Sorted maps and sets say it themselves. */
export function sliceToSave<K extends SavedName>(name: K, slice: AccountState[K]): unknown {
  // Only one slice is kept in another shape than it has.
  return name === 'unreads' ? unreadsToSave(slice as Unreads) : slice;
}
