import {channelSlug, encodeNarrowOperand, escapeLinkText} from '#content/narrow-link.ts';
import type {Channel} from '#state/model/channel.ts';
import type {AccountState} from '#state/state.ts';
import {lineWithoutControls} from '#std/printable.ts';

/** Characters that would end the short form early, or be parsed as markup in it. */
const unsafeCharacters = /[`>*&[\]]|\$\$/;

/**
 * Returns `#**channel**`, `#**channel>topic**` or `#**channel>topic@id**`; a Markdown link for names that do not fit
 * in these.
 */
export function channelLinkText(
  {server, realm}: Pick<AccountState, 'server' | 'realm'>,
  channel: Pick<Channel, 'id' | 'name'>,
  topic?: string,
  messageId?: number,
): string {
  const isSafe =
    !unsafeCharacters.test(channel.name) &&
    !(topic !== undefined && (unsafeCharacters.test(topic) || /@\d+$/.test(topic)));
  const isShort = isSafe && (messageId === undefined || server.abilities.messageLinks);
  const name = lineWithoutControls(channel.name);
  const target = messageId === undefined ? '' : `@${messageId}`;
  if (isShort) return `#**${name}${topic === undefined ? '' : `>${topic}${target}`}**`;
  const shownTopic = topic === '' ? (realm.emptyTopicDisplayName ?? 'general chat') : topic;
  const label = topic === undefined ? name : `${name} > ${shownTopic}${messageId === undefined ? '' : ' @ 💬'}`;
  return `[#${escapeLinkText(label)}](${narrowUrl(channel, topic, messageId)})`;
}

function narrowUrl(channel: Pick<Channel, 'id' | 'name'>, topic?: string, messageId?: number): string {
  const topicPart = topic === undefined ? '' : `/topic/${encodeNarrowOperand(topic)}`;
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  return `#narrow/channel/${channelSlug(channel.id, channel.name)}${topicPart}${near}`;
}

/** Returns a link to a direct conversation, or to a message in it. There is no short form. */
export function directLinkText(title: string, userIds: readonly number[], messageId?: number): string {
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  const people = `${userIds.join(',')}-${userIds.length > 2 ? 'group' : 'dm'}`;
  return `[${escapeLinkText(lineWithoutControls(title))}](#narrow/dm/${people}${near})`;
}
