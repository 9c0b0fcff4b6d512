import {channelSlug, encodeNarrowOperand} from '#content/narrow-link.ts';
import type {ServerContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow, MessageRow} from '#server/db/rows.ts';
import {organization} from '#server/permissions/has-permission.ts';

/** Returns the URL of a message, and the Markdown that links to it from another message. */
export function messageLinks(
  server: ServerContext,
  row: MessageRow,
  channel?: Pick<ChannelRow, 'name'>,
): {message_url: string; message_link: string} {
  if (row.channel_id === null) {
    const members = server.db.pluck('SELECT user_id FROM dm_member WHERE dm_id = ? ORDER BY user_id', row.dm_id);
    const people = members.length > 2 ? `${members.join(',')}-group` : members.join(',');
    const url = `${server.url}/#narrow/dm/${people}/near/${row.id}`;
    return {message_url: url, message_link: url};
  }
  const {name} = channel ?? findChannel(server.db, row.channel_id) ?? {name: ''};
  const topic = encodeNarrowOperand(row.topic);
  const slug = channelSlug(row.channel_id, name);
  const url = `${server.url}/#narrow/channel/${slug}/topic/${topic}/near/${row.id}`;
  const shownTopic = row.topic === '' ? organization({server}).empty_topic_display_name : row.topic;
  return {message_url: url, message_link: `[#${name} > ${shownTopic} @ 💬](${url})`};
}
