import {channelSlug, encodeNarrowOperand} from '#content/narrow-link.ts';
import type {ServerContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow, MessageRow} from '#server/db/rows.ts';

/** The characters that the `#**channel>topic**` syntax cannot contain. */
const breaksSyntax = /[`>*&[\]]|\$\$/;

/** Returns the URL of a message, and the Markdown that links to it from another message. */
export function messageLinks(
  server: Pick<ServerContext, 'db' | 'url'>,
  row: MessageRow,
  channel?: Pick<ChannelRow, 'name'>,
): {message_url: string; message_link: string} {
  if (row.channel_id === null) {
    const members = server.db.pluck('SELECT user_id FROM dm_member WHERE dm_id = ? ORDER BY user_id', row.dm_id);
    const people = members.length > 2 ? `${members.join(',')}-group` : `${members.join(',')}-dm`;
    const url = `${server.url}/#narrow/dm/${people}/near/${row.id}`;
    return {message_url: url, message_link: `[direct message](${url})`};
  }
  const {name} = channel ?? findChannel(server.db, row.channel_id) ?? {name: ''};
  const topic = encodeNarrowOperand(row.topic);
  const slug = channelSlug(row.channel_id, name);
  const url = `${server.url}/#narrow/channel/${slug}/topic/${topic}/near/${row.id}`;
  const plain = !breaksSyntax.test(name) && !breaksSyntax.test(row.topic);
  return {
    message_url: url,
    message_link: plain ? `#**${name}>${row.topic}@${row.id}**` : `[#${name} > ${row.topic} @ 💬](${url})`,
  };
}
