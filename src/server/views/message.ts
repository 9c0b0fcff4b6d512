import {escapeHtml} from '#content/html-text.ts';
import type {ActionContext, ReadContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {type ChannelRow, Flag, type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import {flagsSql} from '#server/db/unread-messages.ts';
import {dummyEmail, findUser} from '#server/db/users.ts';
import {highlightHtml, type TextSearch} from '#server/narrow/search-stream.ts';
import {receivedAmong} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {isSpectator} from '#server/permissions/spectator.ts';
import {canAccessUser} from '#server/permissions/user-access.ts';
import type {FetchedMessage, WireMessage} from '#wire/objects/message.ts';
import {type StoredEdit, visibleEdits} from './message-details.ts';
import {apiEmail, avatarUrl, canSeeEmail, hostOf, unknownUserView} from './user.ts';

/** The choices of a client that change how messages are sent to it. */
export interface MessageViewOptions {
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  /** Whether the empty topic is sent as an empty string instead of by its display name. */
  readonly emptyTopicName: boolean;
  /** Set for a message that was just sent as plain text: it has no reactions and no widget yet. */
  readonly fresh?: {readonly channel: Pick<ChannelRow, 'id' | 'name'> | undefined} | undefined;
}

type MessageView = WireMessage & Record<string, unknown>;

interface SenderView {
  readonly sender_email: string;
  readonly sender_full_name: string;
  readonly avatar_url: string | null;
}

/** Returns the placeholder for a sender that the viewer may not access. */
export function unknownSender(act: Pick<ActionContext, 'server'>, id: number): SenderView {
  const {email, full_name, avatar_url} = unknownUserView(act, id);
  return {sender_email: email, sender_full_name: full_name, avatar_url: avatar_url ?? null};
}

/** Returns messages as everyone who may read them sees them, without personal flags; see `messageFlagNames`. */
export function messageViews(
  act: ReadContext,
  viewer: UserRow,
  rows: readonly MessageRow[],
  options: MessageViewOptions,
): MessageView[] {
  const builder = new MessageViewBuilder(act, viewer, rows, options);
  return rows.map((row) => builder.view(row));
}

class MessageViewBuilder {
  readonly #act: ReadContext;
  readonly #viewer: UserRow;
  readonly #options: MessageViewOptions;
  readonly #reactions: Map<number, unknown[]>;
  readonly #submessages: Map<number, unknown[]>;
  readonly #senders = new Map<number, UserRow | undefined>();
  readonly #channelNames = new Map<number, string>();
  readonly #participantsByDm = new Map<number, unknown[]>();

  constructor(act: ReadContext, viewer: UserRow, rows: readonly MessageRow[], options: MessageViewOptions) {
    this.#act = act;
    this.#viewer = viewer;
    this.#options = options;
    this.#senders.set(viewer.id, viewer);
    if (rows.length > 1) this.#loadSenders(rows);
    const {channel} = options.fresh ?? {};
    if (channel !== undefined) this.#channelNames.set(channel.id, channel.name);
    const ids = options.fresh === undefined ? JSON.stringify(rows.map((row) => row.id)) : '[]';
    this.#reactions = this.#grouped(
      `SELECT message_id, emoji_name, emoji_code, reaction_type, user_id FROM reaction
       WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
      ids,
    );
    for (const list of this.#reactions.values()) {
      for (const reaction of list as {message_id?: number}[]) delete reaction.message_id;
    }
    this.#submessages = this.#grouped(
      `SELECT id, message_id, sender_id, msg_type, content FROM submessage
       WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
      ids,
    );
  }

  view(row: MessageRow): MessageView {
    const {server} = this.#act;
    const sender = this.#sender(row.sender_id);
    const html = this.#options.applyMarkdown;
    return {
      id: row.id,
      sender_id: row.sender_id,
      ...this.#senderView(row.sender_id, sender),
      sender_realm_str: '',
      client: row.client,
      content: html ? server.renderer.messageHtml(row) : row.content,
      content_type: html ? 'text/html' : 'text/x-markdown',
      timestamp: row.sent_at,
      subject: row.channel_id === null ? '' : this.#topic(row.topic),
      topic_links: row.channel_id === null ? [] : server.renderer.topicLinks(row.topic),
      is_me_message: (row.traits & Trait.me) !== 0,
      reactions: this.#reactions.get(row.id) ?? [],
      submessages: this.#submessages.get(row.id) ?? [],
      ...this.#recipient(row),
      ...this.#history(row),
    } as MessageView;
  }

  /** Returns the sender's fields, or a placeholder when the viewer may not access the sender. */
  #senderView(id: number, sender: UserRow | undefined): SenderView {
    if (sender === undefined || !canAccessUser(this.#act, this.#viewer, sender)) {
      return unknownSender(this.#act, id);
    }
    const seesEmail = canSeeEmail(this.#viewer, sender);
    return {
      sender_email: isSpectator(this.#viewer)
        ? dummyEmail(id, hostOf(this.#act.server))
        : apiEmail(this.#act.server, sender),
      sender_full_name: sender.full_name,
      avatar_url: avatarUrl(sender, {clientGravatar: this.#options.clientGravatar, seesEmail}),
    };
  }

  #recipient(row: MessageRow): Record<string, unknown> {
    if (row.channel_id !== null) {
      return {
        type: 'stream',
        stream_id: row.channel_id,
        display_recipient: this.#channelName(row.channel_id),
        recipient_id: row.channel_id * 2,
      };
    }
    const dmId = row.dm_id ?? 0;
    return {type: 'private', display_recipient: this.#participants(dmId), recipient_id: dmId * 2 + 1};
  }

  #editView(row: MessageRow, edit: StoredEdit): StoredEdit {
    const {prev_content: before, prev_rendered_content: html, topic, prev_topic} = edit;
    return {
      ...edit,
      ...(before === undefined ? {} : {prev_rendered_content: html ?? this.#html(row, before)}),
      ...(topic === undefined ? {} : {topic: this.#topic(topic)}),
      ...(prev_topic === undefined ? {} : {prev_topic: this.#topic(prev_topic)}),
    };
  }

  #html(row: MessageRow, content: string): string {
    return this.#act.server.renderer.renderUncached(content, findUser(this.#act.server.db, row.sender_id));
  }

  #history(row: MessageRow): Record<string, unknown> {
    const isHidden = organization(this.#act).message_edit_history_visibility_policy === 'none';
    // An edited message of which only moves are shown, and which was not moved, has an empty history.
    const edits = row.edit_history === null || isHidden ? undefined : visibleEdits(this.#act, this.#viewer, row);
    return {
      ...(edits === undefined ? {} : {edit_history: edits.map((edit) => this.#editView(row, edit))}),
      ...(row.last_edit_at === null ? {} : {last_edit_timestamp: row.last_edit_at}),
      ...(row.last_moved_at === null ? {} : {last_moved_timestamp: row.last_moved_at}),
    };
  }

  #topic(topic: string): string {
    return topic === '' && !this.#options.emptyTopicName ? organization(this.#act).empty_topic_display_name : topic;
  }

  #loadSenders(rows: readonly MessageRow[]): void {
    const ids = JSON.stringify([...new Set(rows.map((row) => row.sender_id))]);
    const sql = 'SELECT * FROM user WHERE id IN (SELECT value FROM json_each(?))';
    for (const user of this.#act.server.db.all<UserRow>(sql, ids)) this.#senders.set(user.id, user);
  }

  #sender(id: number): UserRow | undefined {
    if (!this.#senders.has(id)) this.#senders.set(id, findUser(this.#act.server.db, id));
    return this.#senders.get(id);
  }

  #channelName(id: number): string {
    const name = this.#channelNames.get(id) ?? findChannel(this.#act.server.db, id)?.name ?? '';
    this.#channelNames.set(id, name);
    return name;
  }

  #participants(dmId: number): unknown[] {
    let participants = this.#participantsByDm.get(dmId);
    if (participants === undefined) {
      participants = this.#act.server.db
        .pluck('SELECT user_id FROM dm_member WHERE dm_id = ? ORDER BY user_id', dmId)
        .flatMap((id) => {
          const user = this.#sender(id);
          if (user === undefined) return [];
          const email = apiEmail(this.#act.server, user);
          return [{id, email, full_name: user.full_name, is_mirror_dummy: false}];
        });
      this.#participantsByDm.set(dmId, participants);
    }
    return participants;
  }

  #grouped(sql: string, ids: string): Map<number, unknown[]> {
    const groups = new Map<number, unknown[]>();
    if (ids === '[]') return groups;
    for (const row of this.#act.server.db.all<{message_id: number}>(sql, ids)) {
      const group = groups.get(row.message_id);
      if (group === undefined) groups.set(row.message_id, [row]);
      else group.push(row);
    }
    return groups;
  }
}

/** Returns the API names of the stored flags of a user on a message. */
export function flagNames(bits: number): string[] {
  const names: string[] = [];
  if ((bits & Flag.unread) === 0) names.push('read');
  if (bits & Flag.starred) names.push('starred');
  if (bits & Flag.collapsed) names.push('collapsed');
  if (bits & Flag.mentioned) names.push('mentioned');
  if (bits & Flag.channelWildcard) names.push('stream_wildcard_mentioned');
  if (bits & Flag.topicWildcard) names.push('topic_wildcard_mentioned');
  if (bits & (Flag.channelWildcard | Flag.topicWildcard)) names.push('wildcard_mentioned');
  if (bits & Flag.alertWord) names.push('has_alert_word');
  if (bits & Flag.historical) names.push('historical');
  return names;
}

/** Returns a user's flags on each message by id, with `historical` for messages they never received. */
export function messageFlagNames(
  act: Pick<ActionContext, 'server'>,
  userId: number,
  rows: readonly MessageRow[],
): Map<number, string[]> {
  const stored = new Map<number, number>();
  const ids = JSON.stringify(rows.map((row) => row.id));
  const sql = `SELECT m.id, ${flagsSql('?1')} AS flags FROM message AS m
    WHERE m.id IN (SELECT value FROM json_each(?2))`;
  for (const row of act.server.db.all<{id: number; flags: number}>(sql, userId, ids)) stored.set(row.id, row.flags);
  const received = receivedAmong(act, userId, rows);
  const flags = new Map<number, string[]>();
  for (const row of rows) {
    const bits = stored.get(row.id) ?? 0;
    // A message that was marked unread counts as received.
    const isReceived = (bits & Flag.unread) !== 0 || received.has(row.id);
    flags.set(row.id, flagNames(isReceived ? bits : bits | Flag.historical));
  }
  return flags;
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

interface MatchFields {
  match_content: string;
  match_subject: string;
}

/** Returns content and topic of each message as HTML with the search matches highlighted. */
export function matchFields(
  act: Pick<ActionContext, 'server'>,
  rows: readonly MessageRow[],
  searches: readonly TextSearch[],
  {emptyTopicName}: Pick<MessageViewOptions, 'emptyTopicName'> = {emptyTopicName: true},
): Map<number, MatchFields> {
  const emptyTopic = emptyTopicName ? '' : escapeHtml(organization(act).empty_topic_display_name);
  return new Map(
    rows.map((row) => {
      const topic = highlightHtml(escapeHtml(row.topic), searches);
      const match_content = highlightHtml(act.server.renderer.messageHtml(row), searches);
      return [row.id, {match_content, match_subject: topic === '' && row.channel_id !== null ? emptyTopic : topic}];
    }),
  );
}
