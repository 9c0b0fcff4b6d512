import {escapeHtml} from '#content/html-text.ts';
import type {ReadContext, ServerAccess} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {type ChannelRow, Flag, type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import {flagsSql} from '#server/db/unread-messages.ts';
import {dummyEmail, findUser} from '#server/db/users.ts';
import {highlightHtml, type TextSearch} from '#server/narrow/search-stream.ts';
import {organization, topicDisplayName} from '#server/permissions/has-permission.ts';
import {receivedAmong} from '#server/permissions/read-message.ts';
import {isSpectator} from '#server/permissions/spectator.ts';
import {canAccessUser, canSeeEmail, hostOf} from '#server/permissions/user-access.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import type {FetchedMessage, WireMessage} from '#wire/objects/message.ts';
import {type StoredEdit, visibleEdits} from './message-details.ts';
import {apiEmail, avatarUrl, unknownUserView} from './user.ts';

/** The choices of a client that change how messages are sent to it. */
export interface MessageViewOptions {
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  /** Whether the empty topic is sent as an empty string instead of by its display name. */
  readonly emptyTopicName: boolean;
  /** Set for a message that was just sent as plain text: it has no reactions and no widget yet. */
  readonly fresh?: {readonly channel: Pick<ChannelRow, 'id' | 'name'> | undefined} | undefined;
}

interface SenderView {
  readonly sender_email: string;
  readonly sender_full_name: string;
  readonly avatar_url: string | null;
}

/** Returns the placeholder for a sender that the viewer may not access. */
export function unknownSender(act: ServerAccess, id: number): SenderView {
  const {email, full_name, avatar_url} = unknownUserView(act, id);
  return {sender_email: email, sender_full_name: full_name, avatar_url: avatar_url ?? null};
}

/** Returns messages as everyone who may read them sees them, without personal flags; see `messageFlagNames`. */
export function messageViews(
  act: ReadContext,
  viewer: UserRow,
  rows: readonly MessageRow[],
  options: MessageViewOptions,
): WireMessage[] {
  const {server} = act;
  const {db, renderer} = server;
  const {applyMarkdown: html, clientGravatar, emptyTopicName, fresh} = options;
  const usersById = new Map<number, UserRow | undefined>([[viewer.id, viewer]]);
  if (rows.length > 1) {
    const ids = JSON.stringify([...new Set(rows.map((row) => row.sender_id))]);
    const sql = 'SELECT * FROM user WHERE id IN (SELECT value FROM json_each(?))';
    for (const user of db.all<UserRow>(sql, ids)) usersById.set(user.id, user);
  }
  const userOf = (id: number) => {
    if (!usersById.has(id)) usersById.set(id, findUser(db, id));
    return usersById.get(id);
  };
  const channelNames = new Map(fresh?.channel === undefined ? [] : [[fresh.channel.id, fresh.channel.name]]);
  const participantsByDm = new Map<number, ReturnType<typeof participants>>();
  const byMessage = <T extends {message_id: number}>(sql: string) =>
    Map.groupBy(
      fresh === undefined ? db.all<T>(sql, JSON.stringify(rows.map((row) => row.id))) : [],
      ({message_id}) => message_id,
    );
  const reactions = byMessage<WireMessage['reactions'][number] & {message_id: number}>(
    `SELECT message_id, emoji_name, emoji_code, reaction_type, user_id FROM reaction
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  );
  const submessages = byMessage<NonNullable<WireMessage['submessages']>[number]>(
    `SELECT id, message_id, sender_id, msg_type, content FROM submessage
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  );
  const topicOf = (topic: string) => topicDisplayName(act, topic, emptyTopicName);
  /** Returns the sender's fields, or a placeholder when the viewer may not access the sender. */
  const senderView = (id: number): SenderView => {
    const sender = userOf(id);
    if (sender === undefined || !canAccessUser(act, viewer, sender)) return unknownSender(act, id);
    return {
      sender_email: isSpectator(viewer) ? dummyEmail(id, hostOf(server)) : apiEmail(server, sender),
      sender_full_name: sender.full_name,
      avatar_url: avatarUrl(sender, {clientGravatar, seesEmail: canSeeEmail(viewer, sender)}),
    };
  };
  const participants = (dmId: number) =>
    db.pluck('SELECT user_id FROM dm_member WHERE dm_id = ? ORDER BY user_id', dmId).flatMap((id) => {
      const user = userOf(id);
      if (user === undefined) return [];
      return [{id, email: apiEmail(server, user), full_name: user.full_name, is_mirror_dummy: false}];
    });
  const recipient = ({channel_id: id, dm_id: dmId}: MessageRow) =>
    id === null
      ? {
          type: 'private' as const,
          display_recipient: getOrCreate(participantsByDm, dmId ?? 0, () => participants(dmId ?? 0)),
          recipient_id: (dmId ?? 0) * 2 + 1,
        }
      : {
          type: 'stream' as const,
          stream_id: id,
          display_recipient: getOrCreate(channelNames, id, () => findChannel(db, id)?.name ?? ''),
          recipient_id: id * 2,
        };
  const editView = (row: MessageRow, edit: StoredEdit): StoredEdit => {
    const {prev_content: before, prev_rendered_content, topic, prev_topic} = edit;
    const rendered = () => prev_rendered_content ?? renderer.renderUncached(before ?? '', findUser(db, row.sender_id));
    return {
      ...edit,
      ...(before === undefined ? {} : {prev_rendered_content: rendered()}),
      ...(topic === undefined ? {} : {topic: topicOf(topic)}),
      ...(prev_topic === undefined ? {} : {prev_topic: topicOf(prev_topic)}),
    };
  };
  const history = (row: MessageRow) => {
    const isHidden = organization(act).message_edit_history_visibility_policy === 'none';
    // An edited message of which only moves are shown, and which was not moved, has an empty history.
    const edits = row.edit_history === null || isHidden ? undefined : visibleEdits(act, viewer, row);
    return {
      ...(edits === undefined ? {} : {edit_history: edits.map((edit) => editView(row, edit))}),
      ...(row.last_edit_at === null ? {} : {last_edit_timestamp: row.last_edit_at}),
      ...(row.last_moved_at === null ? {} : {last_moved_timestamp: row.last_moved_at}),
    };
  };
  const view = (row: MessageRow) => ({
    id: row.id,
    sender_id: row.sender_id,
    ...senderView(row.sender_id),
    sender_realm_str: '',
    client: row.client,
    content: html ? renderer.messageHtml(row) : row.content,
    content_type: html ? 'text/html' : 'text/x-markdown',
    timestamp: row.sent_at,
    subject: row.channel_id === null ? '' : topicOf(row.topic),
    topic_links: row.channel_id === null ? [] : renderer.topicLinks(row.topic),
    is_me_message: (row.traits & Trait.me) !== 0,
    reactions: (reactions.get(row.id) ?? []).map(({message_id, ...reaction}) => reaction),
    submessages: submessages.get(row.id) ?? [],
    ...recipient(row),
    ...history(row),
  });
  return rows.map(view);
}

/** Returns the API names of the stored flags of a user on a message. */
export function flagNames(bits: number): string[] {
  const names = flagTable.filter(([flag]) => bits & flag).map(([, name]) => name);
  return bits & Flag.unread ? names : ['read', ...names];
}

const flagTable: readonly (readonly [bits: number, name: string])[] = [
  [Flag.starred, 'starred'],
  [Flag.collapsed, 'collapsed'],
  [Flag.mentioned, 'mentioned'],
  [Flag.channelWildcard, 'stream_wildcard_mentioned'],
  [Flag.topicWildcard, 'topic_wildcard_mentioned'],
  [Flag.channelWildcard | Flag.topicWildcard, 'wildcard_mentioned'],
  [Flag.alertWord, 'has_alert_word'],
  [Flag.historical, 'historical'],
];

/** Returns a user's flags on each message by id, with `historical` for messages they never received. */
export function messageFlagNames(
  act: ServerAccess,
  userId: number,
  rows: readonly MessageRow[],
): Map<number, string[]> {
  const ids = JSON.stringify(rows.map((row) => row.id));
  const sql = `SELECT m.id, ${flagsSql('?1')} AS flags FROM message AS m
    WHERE m.id IN (SELECT value FROM json_each(?2))`;
  const stored = new Map(
    act.server.db.all<{id: number; flags: number}>(sql, userId, ids).map(({id, flags}) => [id, flags]),
  );
  const received = receivedAmong(act, userId, rows);
  return new Map(
    rows.map(({id}) => {
      const bits = stored.get(id) ?? 0;
      // A message that was marked unread counts as received.
      const isReceived = (bits & Flag.unread) !== 0 || received.has(id);
      return [id, flagNames(isReceived ? bits : bits | Flag.historical)];
    }),
  );
}

/** Returns messages with the viewer's flags and, for a search, with the matches highlighted. */
export function fetchedMessageViews(
  act: ReadContext,
  viewer: UserRow,
  rows: readonly MessageRow[],
  searches: readonly TextSearch[],
  options: MessageViewOptions,
): FetchedMessage[] {
  const flags = isSpectator(viewer) ? undefined : messageFlagNames(act, viewer.id, rows);
  const matches = searches.length === 0 ? undefined : matchFields(act, rows, searches, options);
  return messageViews(act, viewer, rows, options).map((view) => ({
    ...view,
    flags: flags === undefined ? ['read'] : (flags.get(view.id) ?? []),
    ...matches?.get(view.id),
  }));
}

/** Returns content and topic of each message as HTML with the search matches highlighted. */
export function matchFields(
  act: ServerAccess,
  rows: readonly MessageRow[],
  searches: readonly TextSearch[],
  {emptyTopicName}: Pick<MessageViewOptions, 'emptyTopicName'> = {emptyTopicName: true},
): Map<number, {match_content: string; match_subject: string}> {
  const emptyTopic = emptyTopicName ? '' : escapeHtml(organization(act).empty_topic_display_name);
  return new Map(
    rows.map((row) => {
      const topic = highlightHtml(escapeHtml(row.topic), searches);
      const match_content = highlightHtml(act.server.renderer.messageHtml(row), searches);
      return [row.id, {match_content, match_subject: topic === '' && row.channel_id !== null ? emptyTopic : topic}];
    }),
  );
}
