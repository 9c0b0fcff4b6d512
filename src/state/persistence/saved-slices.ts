import {initialState} from '#state/initial-state.ts';
import {textOfTopics, topicsOfText} from '#state/model/channel-topics.ts';
import {conversationFromJson, conversationKey} from '#state/model/conversation.ts';
import {draftTargetFromJson} from '#state/model/draft.ts';
import type {ConversationUnreads, Unreads} from '#state/model/unread.ts';
import {type Users, usersFromText} from '#state/model/user.ts';
import type {AccountState, ChannelTopics, SliceName} from '#state/state.ts';
import {buildUnreads} from '#state/unreads/unreads.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

/** Converts JSON from disk to a value of the state; undefined when it is invalid. */
type Decoder<T> = (json: unknown) => T | undefined;

type JsonKind = 'number' | 'string' | 'boolean' | 'object' | 'array';
type FieldCheck = JsonKind | Decoder<unknown>;

/**
 * Returns a decoder that checks the listed fields and copies the rest unchecked. That suffices because only
 * Parley writes these files, under a stamp that names their format, and the store verifies their checksums.
 */
function objectDecoder<T extends object>(checks: {readonly [K in keyof T]?: FieldCheck}): Decoder<T> {
  const fields = Object.entries<FieldCheck | undefined>(checks);
  return (json) => {
    if (!isRecord(json)) return undefined;
    let result: Record<string, unknown> = json;
    for (const [name, check] of fields) {
      if (check === undefined) continue;
      if (typeof check === 'string') {
        if (!isKind(json[name], check)) return undefined;
        continue;
      }
      const value = check(json[name]);
      if (value === undefined) return undefined;
      if (value === json[name]) continue;
      if (result === json) result = {...json};
      result[name] = value;
    }
    return result as T; // The fields are checked above.
  };
}

function mapDecoder<K extends number | string, V>(
  key: K extends number ? 'number' : 'string',
  value: Decoder<V>,
): Decoder<SortedMap<K, V>> {
  return (json) => {
    if (!Array.isArray(json)) return undefined;
    const entries: [K, V][] = [];
    for (const entry of json) {
      if (!Array.isArray(entry) || typeof entry[0] !== key) return undefined;
      const decoded = value(entry[1]);
      if (decoded === undefined) return undefined;
      entries.push([entry[0], decoded]);
    }
    return SortedMap.from(entries);
  };
}

const numberSetDecoder: Decoder<SortedSet<number>> = (json) =>
  Array.isArray(json) && json.every(Number.isSafeInteger) ? SortedSet.from<number>(json) : undefined;

function listDecoder<T>(item: Decoder<T>): Decoder<readonly T[]> {
  return (json) => {
    if (!Array.isArray(json)) return undefined;
    const items: T[] = [];
    for (const element of json) {
      const decoded = item(element);
      if (decoded === undefined) return undefined;
      items.push(decoded);
    }
    return items;
  };
}

const numberDecoder: Decoder<number> = (json) => (typeof json === 'number' ? json : undefined);
const stringDecoder: Decoder<string> = (json) => (typeof json === 'string' ? json : undefined);

function isKind(value: unknown, kind: JsonKind): boolean {
  if (kind === 'array') return Array.isArray(value);
  return kind === 'object' ? isRecord(value) : typeof value === kind;
}

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

/** Returns only the data that the indexes are rebuilt from. */
function unreadsToSave({conversations, mentions, oldMissing}: Unreads): unknown {
  const rows = [...conversations.values()].map((row) => [row.conversation, row.ids.toArray()]);
  return {rows, mentions, oldMissing};
}

const unreads: Decoder<Unreads> = (json) => {
  if (!isRecord(json) || !Array.isArray(json.rows) || typeof json.oldMissing !== 'boolean') return undefined;
  const mentions = numberSetDecoder(json.mentions);
  const rows = json.rows.flatMap((row) => unreadRow(row) ?? []);
  if (mentions === undefined || rows.length < json.rows.length) return undefined;
  const index = buildUnreads(rows, mentions, json.oldMissing);
  // Parley never saves a message in two conversations, so a mismatch means damage.
  const count = rows.reduce((sum, {ids}) => sum + ids.size, 0);
  return index.byId.size === count && index.conversations.size === rows.length ? index : undefined;
};

const unreadRow: Decoder<ConversationUnreads> = (json) => {
  const decoded = Array.isArray(json) ? conversationFromJson(json[0]) : undefined;
  const ids = Array.isArray(json) ? numberSetDecoder(json[1]) : undefined;
  if (decoded === undefined || ids === undefined || ids.size === 0) return undefined;
  return {key: conversationKey(decoded), conversation: decoded, ids};
};

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

/** Returns a line for each channel: its id, whether its topics are complete or until when they were, and the topics. */
function topicLines(topics: AccountState['topics']): string {
  const completeness = (known: ChannelTopics) => (known.complete ? 'complete' : (known.completeUntil ?? 'incomplete'));
  return [...topics].map(([id, known]) => `${id} ${completeness(known)} ${textOfTopics(known)}`).join('\n');
}

function topicsFromLines(text: string): AccountState['topics'] | undefined {
  const entries: [number, ChannelTopics][] = [];
  for (const line of text === '' ? [] : text.split('\n')) {
    const [, id, completeness, until, topics] = /^(\d+) (complete|incomplete|([\d.]+)) (\[.*\])$/su.exec(line) ?? [];
    if (topics === undefined) return undefined;
    const completeUntil = until === undefined ? undefined : Number(until);
    entries.push([Number(id), topicsOfText(topics, {complete: completeness === 'complete', completeUntil})]);
  }
  return SortedMap.from(entries);
}
