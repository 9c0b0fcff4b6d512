import {channelSlug, encodeNarrowOperand, escapeLinkText} from '#content/narrow-link.ts';
import type {ServerContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow, MessageRow} from '#server/db/rows.ts';
import {organization} from '#server/permissions/has-permission.ts';

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
  const shownTopic = row.topic === '' ? organization({server}).empty_topic_display_name : row.topic;
  return {
    message_url: url,
    message_link: `[#${escapeLinkText(named.name)} > ${escapeLinkText(shownTopic)} @ 💬](${url})`,
  };
}
