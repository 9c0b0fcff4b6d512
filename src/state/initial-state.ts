import {noUnreads} from '#state/model/unread.ts';
import {emptyEventLog} from '#state/slices/event-log.ts';
import {camelKeys} from '#std/camel.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {realmDefaults} from '#wire/objects/realm.ts';
import {settingDefaults} from '#wire/objects/user-settings.ts';
import {serverFeatures} from '#wire/server-features.ts';
import {noUsers} from './model/user.ts';
import type {AccountState} from './state.ts';

const {realm_empty_topic_display_name: emptyTopicDisplayName, ...serverDefaults} = realmDefaults;

/** The state before anything is known. */
export const initialState: AccountState = {
  self: {userId: 0},
  server: {
    ...camelKeys(serverDefaults),
    url: '',
    level: 0,
    abilities: serverFeatures(0),
    version: undefined,
    extraEmojiType: 'extra_emoji',
  },
  realm: {emptyTopicDisplayName},
  settings: camelKeys(settingDefaults),
  users: noUsers,
  bots: SortedMap.empty(),
  groups: SortedMap.empty(),
  channels: SortedMap.empty(),
  formerChannels: SortedMap.empty(),
  subscriptions: SortedMap.empty(),
  subscribers: SortedMap.empty(),
  defaultChannels: SortedSet.empty(),
  folders: SortedMap.empty(),
  messages: {byId: SortedMap.empty(), byConversation: SortedMap.empty()},
  unreads: noUnreads,
  starred: SortedSet.empty(),
  timelines: SortedMap.empty(),
  topics: SortedMap.empty(),
  directs: SortedMap.empty(),
  userTopics: SortedMap.empty(),
  mutedUsers: SortedMap.empty(),
  presences: {byUser: SortedMap.empty(), lastUpdateId: -1, serverOffset: 0},
  statuses: SortedMap.empty(),
  typing: {conversations: SortedMap.empty(), edits: SortedMap.empty()},
  drafts: SortedMap.empty(),
  scheduled: SortedMap.empty(),
  reminders: SortedMap.empty(),
  snippets: SortedMap.empty(),
  navigationViews: SortedMap.empty(),
  alertWords: [],
  emoji: SortedMap.empty(),
  unicodeEmoji: undefined,
  linkifiers: [],
  playgrounds: [],
  domains: [],
  profileFields: [],
  lastInviteChange: 0,
  videoTokens: {},
  attachments: SortedMap.empty(),
  maxMessageId: -1,
  arrivals: {newest: -1, awaited: SortedSet.empty()},
  outbox: [],
  localDrafts: [],
  connection: {phase: 'starting', savedAt: undefined},
  log: emptyEventLog,
};

/** Returns whether the state came from the server, in this run or in an earlier one whose state was saved. */
export function hasServerState({self}: AccountState): boolean {
  return self.userId > 0;
}
