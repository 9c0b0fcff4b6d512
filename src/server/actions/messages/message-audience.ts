import type {ActionContext, ReadContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationMembers} from '#server/db/messages.ts';
import {type ChannelRow, type IdSet, type Ids, type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import {flagsSql} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import {check} from '#server/errors.ts';
import type {EventQueue} from '#server/event-queues/event-queues.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {canReadChannel, subscribersOf} from '#server/permissions/channel.ts';
import {topicDisplayName} from '#server/permissions/has-permission.ts';
import {canReadMessage} from '#server/permissions/read-message.ts';
import {flagNames} from '#server/views/message.ts';
import type {OutgoingBody} from '#wire/events.ts';
import type {ContentEdit} from './edit-message.ts';
import type {CompletedMove} from './move-messages.ts';

/** Returns a message that the user may read and that is not in an archived channel, whose messages cannot change. */
export function requireChangeableMessage(act: ReadContext, user: UserRow, id: number): MessageRow {
  const message = act.server.db.find<MessageRow>('message', {id});
  const isArchived = message?.channel_id != null && findChannel(act.server.db, message.channel_id)?.is_archived === 1;
  check(message !== undefined && !isArchived && canReadMessage(act, user, message), 'Invalid message(s)');
  return message;
}

/** Returns those of the users, except guests, who were subscribed when one of these messages was sent. */
function receivers(
  {db}: ActionContext['server'],
  userIds: IdSet,
  channelId: number,
  [from, to]: readonly [number, number],
): number[] {
  const sql = `SELECT DISTINCT p.user_id FROM json_each(?) AS wanted
    CROSS JOIN subscription_period AS p ON p.user_id = wanted.value
    CROSS JOIN user AS u ON u.id = p.user_id
    WHERE p.channel_id = ? AND p.since_id <= ? AND (p.until_id IS NULL OR p.until_id > ?) AND u.role < ?`;
  return db.pluck(sql, JSON.stringify([...userIds]), channelId, to, from, Role.guest);
}

/** Returns the connected users who get events about a message: those who may read it and are subscribed or received it. */
export function messageAudience(act: ReadContext, row: MessageRow): Set<number> {
  if (row.channel_id === null) return new Set(directConversationMembers(act.server.db, row.dm_id ?? 0));
  const channel = findChannel(act.server.db, row.channel_id);
  return channel === undefined ? new Set() : new Set(channelMessageReaders(act, channel, [row.id]).keys());
}

/**
 * Returns for each of the users, by default the connected ones, the messages among `ids` (ascending, of one channel) that
 * they may see. The lists are shared.
 */
export function channelMessageReaders(
  act: ReadContext,
  channel: ChannelRow,
  ids: Ids,
  among: IdSet = new Set(act.server.queues.connectedUsers()),
): Map<number, Ids> {
  const {server} = act;
  const audience = among.intersection(subscribersOf({server}, channel.id));
  if (channel.history_public_to_subscribers === 0) return protectedAudience(server, channel.id, ids, audience);
  const others = among.difference(audience);
  const range = [ids[0] ?? 0, ids.at(-1) ?? 0] as const;
  if (channel.invite_only === 0) for (const id of receivers(server, others, channel.id, range)) audience.add(id);
  for (const id of usersWithFlags(server, ids)) {
    const user = audience.has(id) || !others.has(id) ? undefined : findUser(server.db, id);
    if (user !== undefined && canReadChannel(act, user, channel)) audience.add(id);
  }
  return new Map([...audience].map((id) => [id, ids]));
}

/**
 * Returns the users with flags on these messages, such as a star on a message that they did not receive. The index is
 * named, because outdated statistics can make SQLite look up each message for each user.
 */
function usersWithFlags({db}: ActionContext['server'], ids: Ids): number[] {
  const sql = `SELECT DISTINCT user_id FROM user_message INDEXED BY user_message_by_message
     WHERE message_id IN (SELECT value FROM json_each(?))`;
  return db.pluck(sql, JSON.stringify(ids));
}

function protectedAudience(
  {db}: ActionContext['server'],
  channelId: number,
  ids: Ids,
  subscribed: IdSet,
): Map<number, Ids> {
  const sql = 'SELECT user_id, since_id, until_id FROM subscription_period WHERE channel_id = ?';
  const periods = db.all<{user_id: number; since_id: number; until_id: number | null}>(sql, channelId);
  const byUser = new Map<number, Set<number>>();
  for (const {user_id, since_id, until_id} of periods) {
    if (!subscribed.has(user_id)) continue;
    const seen = byUser.get(user_id) ?? new Set();
    for (const id of ids) if (id >= since_id && (until_id === null || id < until_id)) seen.add(id);
    byUser.set(user_id, seen);
  }
  const audience = new Map<number, Ids>();
  for (const [user, seen] of byUser) {
    if (seen.size > 0) audience.set(user, seen.size === ids.length ? ids : ids.filter((id) => seen.has(id)));
  }
  return audience;
}

type UpdateBody = OutgoingBody<'update_message'>;

interface MessageUpdate {
  /** The row before the edit. */
  readonly message: MessageRow;
  readonly edit: ContentEdit | undefined;
  readonly moved: CompletedMove | undefined;
}

/** Emits an edit or move to all readers, each with their own flags. Readers with equal bodies share one. */
export function emitMessageUpdate(act: RequestContext, update: MessageUpdate): void {
  const {message, moved} = update;
  const readers =
    moved?.readers ?? new Map([...messageAudience(act, message)].map((id) => [id, [message.id] as const]));
  const channel = message.channel_id === null ? undefined : findChannel(act.db, message.channel_id);
  const bodies = new Map<string, UpdateBody>();
  act.emit('update_message', new Set(readers.keys()), (reader) => {
    const ids = readers.get(reader.userId) ?? [];
    const anchor = ids.includes(message.id) ? message.id : ids[0];
    if (anchor === undefined) return undefined;
    const flags = personalFlags(act, reader.userId, anchor);
    const view = {anchor, ids, flags, ...readerView(act, reader, channel, moved)};
    const key = JSON.stringify([flags, view.namesEmpty, view.knowsOrigin, ids === moved?.ids ? 0 : ids]);
    const body = bodies.get(key) ?? updateBody(act, update, channel, view);
    bodies.set(key, body);
    return body;
  });
}

/**
 * Returns the flags, without the common name of both wildcards. A message that is not among the user's own is just read
 * here, not historical.
 */
function personalFlags({db}: ActionContext, userId: number, messageId: number): string[] {
  const sql = `SELECT ${flagsSql('?1')} FROM message AS m WHERE m.id = ?2`;
  return flagNames(db.value<number>(sql, userId, messageId) ?? 0).filter((name) => name !== 'wildcard_mentioned');
}

interface ReaderUpdateView {
  readonly anchor: number;
  readonly ids: Ids;
  readonly flags: readonly string[];
  readonly namesEmpty: boolean;
  /** False for readers of the destination who could not read the messages at their origin. */
  readonly knowsOrigin: boolean;
}

function readerView(
  act: ActionContext,
  {options, userId}: EventQueue,
  channel: ChannelRow | undefined,
  moved: CompletedMove | undefined,
): Pick<ReaderUpdateView, 'namesEmpty' | 'knowsOrigin'> {
  const namesEmpty = options.capabilities.empty_topic_name !== true;
  if (channel === undefined || moved === undefined || moved.from.id === moved.to.id) {
    return {namesEmpty, knowsOrigin: true};
  }
  return {namesEmpty, knowsOrigin: readsOrigin(act, userId, channel, moved)};
}

function readsOrigin(act: ActionContext, userId: number, channel: ChannelRow, moved: CompletedMove): boolean {
  if (channel.history_public_to_subscribers === 0) return channelMessageReaders(act, channel, moved.ids).has(userId);
  const reader = findUser(act.db, userId);
  return reader !== undefined && canReadChannel(act, reader, channel);
}

function updateBody(
  act: RequestContext,
  update: MessageUpdate,
  channel: ChannelRow | undefined,
  view: ReaderUpdateView,
): UpdateBody {
  const {message, edit, moved} = update;
  return {
    user_id: act.actor.id,
    rendering_only: false,
    message_id: view.anchor,
    message_ids: view.ids,
    flags: view.flags,
    edit_timestamp: act.now,
    ...(channel === undefined ? {} : {stream_id: channel.id}),
    ...(channel === undefined || !view.knowsOrigin ? {} : {stream_name: channel.name}),
    ...(edit === undefined || view.anchor !== message.id ? {} : contentFields(act, message, edit)),
    ...(moved === undefined ? {} : moveFields(act, moved, view)),
  };
}

function contentFields({server}: ActionContext, message: MessageRow, edit: ContentEdit): Partial<UpdateBody> {
  return {
    orig_content: message.content,
    orig_rendered_content: server.renderer.messageHtml(message),
    content: edit.content,
    rendered_content: server.renderer.messageHtml({...message, content: edit.content}),
    is_me_message: (edit.traits & Trait.me) !== 0,
  };
}

function moveFields(act: ActionContext, moved: CompletedMove, view: ReaderUpdateView): Partial<UpdateBody> {
  const shown = (topic: string) => topicDisplayName(act, topic, !view.namesEmpty);
  const retitled = moved.topic !== moved.oldTopic || !view.knowsOrigin;
  return {
    propagate_mode: moved.mode,
    ...(view.knowsOrigin ? {orig_subject: shown(moved.oldTopic)} : {}),
    ...(retitled ? {subject: shown(moved.topic), topic_links: act.server.renderer.topicLinks(moved.topic)} : {}),
    ...(moved.to.id === moved.from.id ? {} : {new_stream_id: moved.to.id}),
  };
}
