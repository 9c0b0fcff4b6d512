import {channelSlug, encodeNarrowOperand, escapeLinkText} from '#content/narrow-link.ts';
import {settingSql} from '#server/accounts/user-settings.ts';
import type {ReadContext, ServerAccess, ServerContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {type ChannelRow, Flag, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {flagsByUserSql} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import {organization, topicDisplayName} from '#server/permissions/has-permission.ts';
import {canReadMessage} from '#server/permissions/read-message.ts';
import type {MessageSnapshot} from '#wire/objects/message.ts';

/** One edit as stored in `message.edit_history`, where the newest is first. */
export interface StoredEdit {
  readonly timestamp: number;
  readonly user_id: number | null;
  readonly prev_content?: string;
  /** The HTML of an imported version whose names may have changed since; otherwise the text is rendered. */
  readonly prev_rendered_content?: string;
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
}

/** Returns the stored edits of a message, newest first, without regard to permissions. */
export function storedEdits(row: Pick<MessageRow, 'edit_history'>): readonly StoredEdit[] {
  return row.edit_history === null ? [] : JSON.parse(row.edit_history);
}

/** Returns the edits that the organization lets `viewer` see: all, only moves without old contents, or none. */
export function visibleEdits(act: ReadContext, viewer: UserRow, row: MessageRow): readonly StoredEdit[] {
  const edits = withoutHiddenTopics(act, viewer, row);
  switch (organization(act).message_edit_history_visibility_policy) {
    case 'all':
      return edits;
    case 'moves':
      return edits
        .filter((edit) => edit.prev_topic !== undefined || edit.prev_stream !== undefined)
        .map(({prev_content, prev_rendered_content, ...move}) => move);
    default:
      return [];
  }
}

/** Returns the edits without the topics the message had in channels that `viewer` cannot read. */
function withoutHiddenTopics(act: ReadContext, viewer: UserRow, row: MessageRow): readonly StoredEdit[] {
  let isHidden = false;
  return storedEdits(row).map((edit) => {
    // Newest first: everything older than a move out of a hidden channel happened in it, or before it.
    if (isHidden) {
      const {prev_topic, topic, ...rest} = edit;
      return rest;
    }
    isHidden = edit.prev_stream !== undefined && !canReadMessage(act, viewer, {...row, channel_id: edit.prev_stream});
    if (!isHidden) return edit;
    const {prev_topic, ...move} = edit;
    return move;
  });
}

/** Returns the versions of a message, oldest first, each with the values after its edit. */
export function messageHistory(
  act: ReadContext,
  viewer: UserRow,
  row: MessageRow,
  options: {readonly allowEmptyTopicName: boolean},
): MessageSnapshot[] {
  const edits = visibleEdits(act, viewer, row);
  const {renderer, db} = act.server;
  const author = findUser(db, row.sender_id);
  const htmlBefore = ({prev_content, prev_rendered_content}: StoredEdit) =>
    prev_content === undefined ? undefined : (prev_rendered_content ?? renderer.renderUncached(prev_content, author));
  const displayTopic = (topic: string) =>
    topic === '' && row.channel_id !== null && !options.allowEmptyTopicName
      ? organization(act).empty_topic_display_name
      : topic;
  const snapshots: MessageSnapshot[] = [];
  let {topic, content} = row;
  let rendered = renderer.messageHtml(row);
  // From the newest back: each edit stores the values before it, so the values after it are known here.
  for (const edit of edits) {
    const before = htmlBefore(edit);
    snapshots.push({
      topic: displayTopic(topic),
      content,
      rendered_content: rendered,
      timestamp: edit.timestamp,
      user_id: edit.user_id,
      ...(edit.prev_topic === undefined ? {} : {prev_topic: displayTopic(edit.prev_topic)}),
      ...(edit.prev_stream === undefined ? {} : {prev_stream: edit.prev_stream, stream: edit.stream}),
      ...(before === undefined || edit.prev_content === undefined
        ? {}
        : {
            prev_content: edit.prev_content,
            prev_rendered_content: before,
            content_html_diff: renderer.htmlDiff(before, rendered),
          }),
    });
    topic = edit.prev_topic ?? topic;
    content = edit.prev_content ?? content;
    rendered = before ?? rendered;
  }
  snapshots.push({
    topic: displayTopic(topic),
    content,
    rendered_content: rendered,
    timestamp: row.sent_at,
    user_id: row.sender_id,
  });
  return snapshots.reverse();
}

/**
 * Returns the ids of the users who have read a message and send read receipts, without its sender and without users
 * whom the viewer muted or who muted the viewer.
 */
export function readReceipts(act: ServerAccess, viewer: UserRow, message: MessageRow): number[] {
  const received =
    message.channel_id === null
      ? 'SELECT user_id FROM dm_member WHERE dm_id = ?2'
      : `SELECT user_id FROM subscription_period
         WHERE channel_id = ?2 AND since_id <= ?1 AND (until_id IS NULL OR until_id > ?1)`;
  const list = act.server.db.value<string>(
    `SELECT json_group_array(id) FROM user
     WHERE ${settingSql('send_read_receipts')} AND (id IN (${received}) OR id IN (SELECT user_id FROM user_message WHERE message_id = ?1 AND flags & ${Flag.historical}))
       AND is_active = 1 AND id <> ?3
       AND id NOT IN (SELECT user_id FROM ${flagsByUserSql} WHERE flags & ${Flag.unread})
       AND id NOT IN (SELECT muted_id FROM muted_user WHERE user_id = ?4)
       AND id NOT IN (SELECT user_id FROM muted_user WHERE muted_id = ?4)`,
    message.id,
    message.channel_id ?? message.dm_id,
    message.sender_id,
    viewer.id,
  );
  const readers: number[] = JSON.parse(list ?? '[]');
  return readers.sort((a, b) => a - b);
}

/**
 * Returns the URL of a message, and the Markdown that links to it from another message. With `null` they do not
 * name the channel, which a bot may not see although it may post there.
 */
export function messageLinks(
  server: ServerContext,
  row: MessageRow,
  channel?: Pick<ChannelRow, 'name'> | null,
): {message_url: string; message_link: string} {
  if (row.channel_id === null) {
    const members = server.db.pluck('SELECT user_id FROM dm_member WHERE dm_id = ? ORDER BY user_id', row.dm_id);
    const people = members.length > 2 ? `${members.join(',')}-group` : members.join(',');
    const url = `${server.url}/#narrow/dm/${people}/near/${row.id}`;
    return {message_url: url, message_link: url};
  }
  const topic = encodeNarrowOperand(row.topic);
  const named = channel === undefined ? findChannel(server.db, row.channel_id) : channel;
  const slug = named == null ? row.channel_id : channelSlug(row.channel_id, named.name);
  const url = `${server.url}/#narrow/channel/${slug}/topic/${topic}/near/${row.id}`;
  if (named == null) return {message_url: url, message_link: url};
  const shownTopic = topicDisplayName({server}, row.topic, false);
  return {
    message_url: url,
    message_link: `[#${escapeLinkText(named.name)} > ${escapeLinkText(shownTopic)} @ 💬](${url})`,
  };
}
