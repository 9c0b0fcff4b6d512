import type {ActionContext, ReadContext, RequestContext, ServerAccess} from '#server/context.ts';
import {subscribedChannelIds} from '#server/db/channels.ts';
import type {Database} from '#server/db/database.ts';
import {hasReceivedFromTopic, nextMessageId} from '#server/db/messages.ts';
import {alertWordWatchers} from '#server/db/personal-items.ts';
import {Flag, fold, type IdSet, type Ids, type UserRow} from '#server/db/rows.ts';
import {endUnreadByRule, flagsSql, unreadSql} from '#server/db/unread-messages.ts';
import {badRequest, check} from '#server/errors.ts';
import {byCapability} from '#server/event-queues/event-queues.ts';
import {compileNarrow, findMessageRange} from '#server/narrow/compile.ts';
import {TopicPolicies} from '#server/narrow/message-streams.ts';
import {topicKey} from '#server/narrow/terms.ts';
import {requireOpenChannel} from '#server/permissions/channel.ts';
import {groupIndex, isInGroup, organization, type Person} from '#server/permissions/has-permission.ts';
import {receivedAmong} from '#server/permissions/read-message.ts';
import {topicParticipants} from '#server/permissions/send-message.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import {type Route, route, slicedRoute} from '#server/route.ts';
import {batches} from '#std/batches.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {MessageDetails} from '#wire/events/messages.ts';
import {editableFlags} from '#wire/objects/message.ts';

export const flagRoutes: readonly Route[] = [
  slicedRoute(endpoints.updateFlags, 'account', function* (call, params) {
    const ignored = yield* changeFlags(call, flagChange(params), params.messages);
    return {messages: params.messages, ignored_because_not_subscribed_channels: ignored};
  }),
  route(endpoints.updateFlagsForNarrow, 'account', updateFlagsForNarrow),
  slicedRoute(endpoints.markAllAsRead, 'account', function* (call) {
    yield* markAllRead(call);
    return {complete: true};
  }),
  slicedRoute(endpoints.markChannelAsRead, 'account', function* (call, params) {
    requireOpenChannel(call, call.actor, params.stream_id);
    yield* markRead(call, {channelId: params.stream_id});
  }),
  slicedRoute(endpoints.markTopicAsRead, 'account', function* (call, params) {
    const {stream_id: channelId, topic_name} = params;
    requireOpenChannel(call, call.actor, channelId);
    const key = topicKey(call, topic_name);
    // The topic without a name always exists.
    if (topic_name !== '' && !hasReceivedFromTopic(call.db, call.actor.id, channelId, key)) {
      throw badRequest(`No such topic '${topic_name}'`);
    }
    yield* markRead(call, {channelId, topicKey: key});
  }),
];

type EditableFlag = (typeof editableFlags)[number];

type FlagOp = 'add' | 'remove';

interface FlagChange {
  readonly op: FlagOp;
  readonly flag: EditableFlag;
}

/**
 * Emits a flag change to the user's own clients only, because flags are private. As on Zulip's servers, a change of no
 * message is emitted too, and a change of all messages does not list them.
 */
export function emitFlagChange(
  act: ActionContext,
  actor: Pick<UserRow, 'id'>,
  {op, flag}: FlagChange,
  changed: Ids | 'all',
): void {
  const messages = changed === 'all' ? [] : changed;
  const body = {op, operation: op, flag, messages, all: changed === 'all'};
  if (flag !== 'read' || op === 'add') {
    act.emit('update_message_flags', [actor.id], body);
    return;
  }
  // Computed now: at delivery, later changes of this action would already be visible.
  const details = unreadDetails(act, actor, messages);
  act.emit(
    'update_message_flags',
    [actor.id],
    byCapability('empty_topic_name', (isKnown) => ({
      ...body,
      message_details: isKnown ? details : withTopicNames(act, details),
    })),
  );
}

type Details = Record<string, MessageDetails>;

interface UnreadMessageRow {
  readonly id: number;
  readonly flags: number;
  readonly channel_id: number | null;
  readonly dm_key: string | null;
  readonly topic: string;
  readonly topic_key: string;
}

/** Returns the details that a client needs to count messages as unread without fetching them. */
function unreadDetails({db}: ActionContext, actor: Pick<UserRow, 'id'>, ids: Ids): Details {
  const policies = new TopicPolicies(db, actor.id);
  const sql = `SELECT m.id, um.flags, m.channel_id, dm.key AS dm_key, m.topic, m.topic_key
     FROM json_each(?) AS wanted CROSS JOIN message AS m ON m.id = wanted.value
     JOIN user_message AS um ON um.user_id = ? AND um.message_id = m.id LEFT JOIN dm ON dm.id = m.dm_id`;
  const rows = db.all<UnreadMessageRow>(sql, JSON.stringify(ids), actor.id);
  return Object.fromEntries(rows.map((row) => [row.id, detailsOf(row, actor.id, policies)]));
}

function detailsOf(row: UnreadMessageRow, userId: number, policies: TopicPolicies): MessageDetails {
  const isMuted = row.channel_id !== null && policies.isMutedTopic(row.channel_id, row.topic_key);
  const mentioned = countsAsMention(row.flags, isMuted) ? {mentioned: true} : {};
  if (row.channel_id === null) {
    const people = (row.dm_key ?? '').split(',').map(Number);
    return {type: 'private', user_ids: people.filter((id) => id !== userId), ...mentioned};
  }
  const {channel_id: stream_id, topic} = row;
  return {type: 'stream', stream_id, topic, unmuted_stream_msg: !isMuted, ...mentioned};
}

/**
 * Returns whether the message counts as a mention: personal ones always, wildcards only in topics that are not muted.
 */
export function countsAsMention(flags: number, isMuted: boolean): boolean {
  if (flags & Flag.mentioned) return true;
  return !isMuted && (flags & (Flag.channelWildcard | Flag.topicWildcard)) !== 0;
}

function withTopicNames(act: ServerAccess, details: Details): Details {
  const emptyName = organization(act).empty_topic_display_name;
  return Object.fromEntries(
    Object.entries(details).map(([id, detail]) =>
      detail.type === 'stream' && detail.topic === '' ? [id, {...detail, topic: emptyName}] : [id, detail],
    ),
  );
}

/** The flag bits of one message per user: `base` for most users, `special` for the others. */
export interface PersonalFlags {
  readonly base: number;
  readonly special: ReadonlyMap<number, number>;
}

/** Bits that follow from a message's text; an edit recomputes these and leaves the others alone. */
export const textFlagBits =
  Flag.mentioned | Flag.mentionedByName | Flag.channelWildcard | Flag.topicWildcard | Flag.alertWord;

/** Makes messages that the user did not receive and acted on, such as by a star, appear among their own from now on. */
export function keepAsHistorical(act: Pick<ActionContext, 'server' | 'db'>, userId: number, ids: Ids): void {
  const received = receivedAmong(
    act,
    userId,
    ids.map((id) => ({id})),
  );
  const sql = `INSERT INTO user_message (user_id, message_id, flags) SELECT ?1, value, ?2 FROM json_each(?3) WHERE TRUE
     ON CONFLICT DO UPDATE SET flags = flags | excluded.flags`;
  act.db.run(sql, userId, Flag.historical, JSON.stringify(ids.filter((id) => !received.has(id))));
}

export function flagBitsFor(flags: PersonalFlags, userId: number): number {
  return flags.special.get(userId) ?? flags.base;
}

type FlaggedTopic = {readonly channelId: number; readonly topicKey: string};

/** Returns the flags that recipients get from the text: mentions, wildcards, alert words. */
export function flagsFromText(
  act: ReadContext,
  recipients: IdSet,
  {mentions, alertText}: MessageAnalysis,
  topic: FlaggedTopic | undefined,
): PersonalFlags & {readonly special: Map<number, number>} {
  const base = mentions.channelWildcard ? Flag.channelWildcard : 0;
  const special = new Map<number, number>();
  const add = (id: number, bits: number) => {
    if (recipients.has(id)) special.set(id, (special.get(id) ?? base) | bits);
  };
  for (const id of mentions.userIds) add(id, Flag.mentioned | Flag.mentionedByName);
  if (mentions.groupIds.size > 0) {
    for (const id of membersAmong(act, recipients, mentions.groupIds)) add(id, Flag.mentioned);
  }
  if (mentions.topicWildcard && topic !== undefined) {
    for (const id of topicParticipants(act, topic.channelId, topic.topicKey)) add(id, Flag.topicWildcard);
  }
  for (const id of alertWordUsers(act, alertText)) add(id, Flag.alertWord);
  return {base, special};
}

function membersAmong({server, now}: ReadContext, recipients: IdSet, groups: IdSet): number[] {
  const index = server.derivedFacts.get(groupIndex);
  const waiting = {now, days: organization({server}).waiting_period_threshold};
  // One JSON text takes a fraction of the time of fifty thousand rows.
  const sql = `SELECT json_group_array(json_object('id', id, 'role', role, 'joined_at', joined_at))
     FROM user WHERE id IN (SELECT value FROM json_each(?))`;
  const text = server.db.value<string>(sql, JSON.stringify([...recipients]));
  const people: Person[] = JSON.parse(text ?? '[]');
  return people
    .filter((person) => [...groups].some((group) => isInGroup(index, person, group, waiting)))
    .map(({id}) => id);
}

function* alertWordUsers({server}: ServerAccess, text: string): Iterable<number> {
  const watchers = server.derivedFacts.get(alertWordWatchers);
  if (watchers.size === 0) return;
  const folded = fold(text);
  for (const [word, ids] of watchers) if (containsWord(folded, word)) yield* ids;
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** Returns whether the text contains the word on its own, not as part of a longer word. */
export function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + 1)) {
    const before = at === 0 ? '' : text.charAt(at - 1);
    const after = text.charAt(at + word.length);
    if (!wordCharacter.test(before) && !wordCharacter.test(after)) return true;
  }
  return false;
}

interface FlagResult {
  /** The ids of the messages whose flag changed, ascending. */
  readonly changed: Ids;
  /** Only for marking unread: the channels that were skipped because the user is not subscribed. */
  readonly ignoredChannels: Ids;
}

/** The flags that only the server changes. `wildcard_mentioned` is not stored: it stands for two of them. */
const serverFlags: ReadonlySet<string> = new Set([
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'group_mentioned',
  'has_alert_word',
  'historical',
]);

/** Returns the change of a flag that clients may change. */
function flagChange({flag: name, op}: {readonly flag: string; readonly op: string}): FlagChange {
  const flag = editableFlags.find((editable) => editable === name);
  check(!serverFlags.has(name), `Flag not editable: '${name}'`);
  check(flag !== undefined, `Invalid flag: '${name}'`);
  if (op !== 'add' && op !== 'remove') throw badRequest(`Invalid message flag operation: '${op}'`);
  return {op, flag};
}

/**
 * Sets or clears one of the actor's own flags. Setting a star, or marking as unread, is refused for messages that do not
 * exist or cannot be read; clearing skips them.
 */
export function changeFlag(act: ActionContext, actor: UserRow, {op, flag}: FlagChange, messageIds: Ids): FlagResult {
  const bit = {read: Flag.unread, starred: Flag.starred, collapsed: Flag.collapsed}[flag];
  let ignoredChannels: Ids = [];
  let changed: number[];
  if (setsBit({op, flag})) {
    const readable = requireReadable(act, actor, messageIds);
    const split = flag === 'read' ? splitBySubscription(act, actor, readable) : undefined;
    ignoredChannels = split?.ignoredChannels ?? [];
    changed = setBit(act.db, actor.id, bit, split?.ids ?? readable);
    if (flag !== 'read') keepAsHistorical(act, actor.id, changed);
  } else {
    changed = withBit(act.db, actor.id, bit, messageIds);
    clearBit(act.db, actor.id, bit, changed);
  }
  const isChanged = new Set(changed);
  // A message that is named twice is twice in the event, as on Zulip's servers.
  const named = messageIds.filter((id) => isChanged.has(id)).sort((a, b) => a - b);
  emitFlagChange(act, actor, {op, flag}, named);
  return {changed, ignoredChannels};
}

function setsBit({op, flag}: FlagChange): boolean {
  return flag === 'read' ? op === 'remove' : op === 'add';
}

/** The messages of one event when a request changes many. */
const messagesPerEvent = 2000;

/**
 * Same as `changeFlag`, in slices, and returns the ignored channels. All messages are checked before the first is changed.
 * After a crash the flags of some are changed, and the request can be repeated.
 */
function* changeFlags(act: RequestContext, change: FlagChange, messageIds: Ids): Generator<void, number[]> {
  // Ascending, because marking a message read makes rows for earlier unread ones.
  const ascending = messageIds.toSorted((a, b) => a - b);
  const [first = [], ...others] = batches(ascending, messagesPerEvent);
  for (const ids of setsBit(change) ? others : []) {
    requireReadable(act, act.actor, ids);
    yield;
  }
  const ignored = new Set<number>();
  for (const ids of [first, ...others]) {
    for (const id of changeFlag(act, act.actor, change, ids).ignoredChannels) ignored.add(id);
    yield;
  }
  return [...ignored].sort((a, b) => a - b);
}

const readingAll = {op: 'add', flag: 'read'} as const;

/** Marks all messages of a channel or of one of its topics read. */
function* markRead(
  act: RequestContext,
  {channelId, topicKey}: {readonly channelId: number; readonly topicKey?: string},
): Generator<void, void> {
  const sql = `SELECT json_group_array(u.id) FROM ${unreadSql} AS u CROSS JOIN message AS m ON m.id = u.id
     WHERE m.channel_id = ?2 AND (?3 IS NULL OR m.topic_key = ?3)`;
  const list = act.db.value<string>(sql, act.actor.id, channelId, topicKey ?? null);
  const ids: number[] = JSON.parse(list ?? '[]');
  if (ids.length > 0) yield* changeFlags(act, readingAll, ids);
}

/** The rows that one action deletes or changes. */
const rowsPerSlice = 10_000;

/**
 * Marks all messages read that exist now. The event about all comes with the first slice, because clients apply it to every
 * message they know: one that is sent between two slices stays unread. After a crash some may be unread.
 */
function* markAllRead(act: RequestContext): Generator<void, void> {
  const {db} = act;
  const end = nextMessageId(db);
  // First, so that no row without the flag is left where the rule says "unread".
  db.run('UPDATE subscription SET unread_since = ? WHERE user_id = ?', end, act.actor.id);
  emitFlagChange(act, act.actor, readingAll, 'all');
  for (let last: number | undefined = 0; last !== undefined; ) {
    const sql = `SELECT message_id FROM user_message WHERE user_id = ? AND message_id > ? AND message_id < ?
         AND flags & ${Flag.unread} ORDER BY message_id LIMIT ?`;
    const ids: number[] = db.pluck(sql, act.actor.id, last, end, rowsPerSlice);
    // Clients that registered between two slices got these as unread.
    if (last > 0 && ids.length > 0) emitFlagChange(act, act.actor, readingAll, ids);
    clearRows(db, act.actor.id, Flag.unread, ids);
    last = ids.at(-1);
    yield;
  }
}

/** Returns those of the messages that exist, if the user may read all. */
function requireReadable(act: ActionContext, actor: UserRow, ids: Ids): number[] {
  const readable = compileNarrow(act, actor, [], {amongIds: ids}).messageIds.idsBeyond(0, 'newer', ids.length);
  check(readable.length >= new Set(ids).size, 'Invalid message(s)');
  return readable;
}

/**
 * Leaves out messages of channels without a subscription: only subscribed channels and direct conversations have unread
 * messages.
 */
function splitBySubscription(
  {db}: ActionContext,
  actor: UserRow,
  ids: Ids,
): {ids: number[]; ignoredChannels: number[]} {
  const subscribed = new Set(subscribedChannelIds(db, actor.id));
  const ignored = new Set<number>();
  const sql = `SELECT m.id, m.channel_id FROM json_each(?) AS wanted CROSS JOIN message AS m ON m.id = wanted.value`;
  const rows = db.all<{id: number; channel_id: number | null}>(sql, JSON.stringify(ids));
  const accepted = rows.filter(({channel_id}) => {
    if (channel_id === null || subscribed.has(channel_id)) return true;
    ignored.add(channel_id);
    return false;
  });
  return {ids: accepted.map(({id}) => id), ignoredChannels: [...ignored].sort((a, b) => a - b)};
}

/**
 * Returns the ids of the messages that have the bit. Ids are passed as JSON text, because rows cost a microsecond each.
 */
function withBit(db: Database, userId: number, bit: number, ids: Ids): number[] {
  const sql = `SELECT json_group_array(m.id) FROM (SELECT DISTINCT value FROM json_each(?2)) AS wanted
     CROSS JOIN message AS m ON m.id = wanted.value WHERE ${flagsSql('?1')} & ?3`;
  const list = db.value<string>(sql, userId, JSON.stringify(ids), bit);
  const matching: number[] = JSON.parse(list ?? '[]');
  return matching.sort((a, b) => a - b);
}

function clearBit(db: Database, userId: number, bit: number, ids: Ids): void {
  if (ids.length === 0) return;
  if (bit === Flag.unread) endUnreadByRule(db, userId, ids);
  clearRows(db, userId, bit, ids);
}

/** Clears the bit in rows; those without any flag left are deleted. */
function clearRows(db: Database, userId: number, bit: number, ids: Ids): void {
  const list = JSON.stringify(ids);
  const chosen = 'user_id = ? AND message_id IN (SELECT value FROM json_each(?))';
  db.run(`DELETE FROM user_message WHERE ${chosen} AND flags = ?`, userId, list, bit);
  db.run(`UPDATE user_message SET flags = flags & ~CAST(? AS INTEGER) WHERE ${chosen}`, bit, userId, list);
}

function setBit(db: Database, userId: number, bit: number, ids: Ids): number[] {
  const already = new Set(withBit(db, userId, bit, ids));
  const changed = ids.filter((id) => !already.has(id)).sort((a, b) => a - b);
  if (changed.length === 0) return changed;
  const sql = `INSERT OR REPLACE INTO user_message (user_id, message_id, flags)
     SELECT ?1, m.id, ${flagsSql('?1')} | ?2 FROM json_each(?3) AS wanted CROSS JOIN message AS m ON m.id = wanted.value`;
  db.run(sql, userId, bit, JSON.stringify(changed));
  return changed;
}

/** The maximum number of messages whose flags one request may change. */
const maxFlagged = 5000;

function updateFlagsForNarrow(call: RequestContext, params: ParamsOf<typeof endpoints.updateFlagsForNarrow>) {
  const change = flagChange(params);
  const before = Math.min(params.num_before, Math.max(maxFlagged - params.num_after, maxFlagged / 2));
  const range = findMessageRange(call, call.actor, params.narrow, {
    anchor: params.anchor,
    includeAnchor: params.include_anchor,
    before,
    after: Math.min(params.num_after, maxFlagged - before),
  });
  const {changed, ignoredChannels} = changeFlag(call, call.actor, change, range.ids);
  return {
    processed_count: range.ids.length,
    updated_count: changed.length,
    first_processed_id: range.ids[0] ?? null,
    last_processed_id: range.ids.at(-1) ?? null,
    found_oldest: range.foundOldest,
    found_newest: range.foundNewest,
    ignored_because_not_subscribed_channels: [...ignoredChannels],
  };
}
