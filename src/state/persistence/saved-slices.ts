import {initialState} from '#state/initial-state.ts';
import {conversationFromJson} from '#state/model/conversation.ts';
import {draftTargetFromJson} from '#state/model/draft.ts';
import type {Unreads} from '#state/model/unread.ts';
import {type Users, usersFromText} from '#state/model/user.ts';
import {
  type Decoder,
  type FieldCheck,
  listDecoder,
  mapDecoder,
  numberDecoder,
  numberSetDecoder,
  objectDecoder,
  stringDecoder,
} from '#state/slices/saved-json.ts';
import {topicLines, topicsFromLines} from '#state/slices/topics.ts';
import {unreads, unreadsToSave} from '#state/slices/unreads.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import {parsedJson} from '#std/parse-json.ts';

/** The slices that are saved elsewhere, or that are valid only for a moment. */
type UnsavedSliceName =
  | 'messages'
  | 'timelines'
  | 'arrivals'
  | 'presences'
  | 'typing'
  | 'attachments'
  | 'lastInviteChange'
  | 'unicodeEmoji'
  | 'outbox'
  | 'localDrafts'
  | 'connection'
  | 'formerChannels'
  | 'log';

export type SavedSliceName = Exclude<SliceName, UnsavedSliceName>;

type Checks<T> = {readonly [K in keyof T]?: FieldCheck};
type ValueOf<K extends SliceName> = AccountState[K] extends {values(): Iterable<infer V>} ? V : never;
type ItemOf<K extends SliceName> = AccountState[K] extends readonly (infer T)[] ? T : never;

/** Returns the decoder of a map slice, by the checks of its values. */
function mapOf<K extends SliceName>(key: 'number' | 'string', checks: Checks<ValueOf<K>>): Decoder<AccountState[K]> {
  return mapDecoder(key, objectDecoder(checks)) as unknown as Decoder<AccountState[K]>;
}

/** Returns the decoder of a list slice, by the checks of its items. */
function listOf<K extends SliceName>(checks: Checks<ItemOf<K>>): Decoder<AccountState[K]> {
  return listDecoder(objectDecoder(checks)) as unknown as Decoder<AccountState[K]>;
}

/** A new slice does not compile until it has a decoder here or is listed as unsaved. Users and topics have own formats. */
const sliceDecoders: {readonly [K in Exclude<SavedSliceName, 'users' | 'topics'>]: Decoder<AccountState[K]>} = {
  self: objectDecoder<AccountState['self']>({userId: 'number'}),
  server: objectDecoder<AccountState['server']>({url: 'string', level: 'number', extraEmojiType: 'string'}),
  realm: objectDecoder<AccountState['realm']>({emptyTopicDisplayName: 'string'}),
  settings: objectDecoder<AccountState['settings']>({}),
  bots: mapOf<'bots'>('number', {}),
  groups: mapOf<'groups'>('number', {
    id: 'number',
    name: 'string',
    members: numberSetDecoder,
    subgroupIds: numberSetDecoder,
  }),
  channels: mapOf<'channels'>('number', {id: 'number', name: 'string', isPrivate: 'boolean'}),
  subscriptions: mapOf<'subscriptions'>('number', {
    channelId: 'number',
    isSubscribed: 'boolean',
    color: 'string',
    isMuted: 'boolean',
  }),
  subscribers: mapOf<'subscribers'>('number', {ids: numberSetDecoder, complete: 'boolean'}),
  defaultChannels: numberSetDecoder,
  folders: mapOf<'folders'>('number', {id: 'number', name: 'string'}),
  unreads,
  starred: numberSetDecoder,
  directs: mapOf<'directs'>('string', {userIds: 'array', maxId: 'number'}),
  userTopics: mapOf<'userTopics'>('string', {
    channelId: 'number',
    topic: 'string',
    policy: 'number',
    lastUpdated: 'number',
  }),
  mutedUsers: mapOf<'mutedUsers'>('number', {id: 'number', timestamp: 'number'}),
  statuses: mapOf<'statuses'>('number', {}),
  drafts: mapOf<'drafts'>('number', {
    id: 'number',
    target: draftTargetFromJson,
    content: 'string',
    timestamp: 'number',
  }),
  scheduled: mapOf<'scheduled'>('number', {id: 'number', conversation: conversationFromJson, content: 'string'}),
  reminders: mapOf<'reminders'>('number', {id: 'number', content: 'string'}),
  snippets: mapOf<'snippets'>('number', {id: 'number', title: 'string', content: 'string'}),
  navigationViews: mapOf<'navigationViews'>('string', {fragment: 'string'}),
  alertWords: listDecoder(stringDecoder),
  emoji: mapOf<'emoji'>('string', {id: 'string', name: 'string'}),
  linkifiers: listOf<'linkifiers'>({pattern: 'string', urlTemplate: 'string'}),
  playgrounds: listOf<'playgrounds'>({name: 'string'}),
  domains: listOf<'domains'>({domain: 'string'}),
  profileFields: listOf<'profileFields'>({id: 'number', name: 'string', type: 'number'}),
  videoTokens: objectDecoder({}),
  maxMessageId: numberDecoder,
};

export const savedSliceNames = ['users', 'topics', ...Object.keys(sliceDecoders)] as readonly SavedSliceName[];

/** Incremented whenever the shape of a value inside a saved slice changes. */
const version = 4;

/**
 * The stamp of the saved format; state saved under another stamp is ignored. New slices and settings change
 * it automatically.
 */
export const formatStamp = JSON.stringify([
  version,
  [...savedSliceNames].sort(),
  Object.keys(initialState.server).sort(),
  Object.keys(initialState.settings).sort(),
]);

/** Returns the slice as UTF-8 text. Sorted maps and sets convert themselves to JSON. */
export function sliceToBytes<K extends SavedSliceName>(name: K, slice: AccountState[K]): Uint8Array {
  if (name === 'users') return (slice as Users).toBytes();
  if (name === 'topics') return Buffer.from(topicLines(slice as AccountState['topics']));
  return Buffer.from(JSON.stringify(name === 'unreads' ? unreadsToSave(slice as Unreads) : slice));
}

/** Returns the slice of a saved text; undefined when it is missing or invalid. */
export function sliceFromText<K extends SavedSliceName>(name: K, text: string | undefined): AccountState[K] | undefined;
export function sliceFromText(name: SavedSliceName, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (name === 'users') return usersFromText(text);
  return name === 'topics' ? topicsFromLines(text) : sliceDecoders[name](parsedJson(text));
}
