import {channelSlug, encodeNarrowOperand} from '#content/narrow-link.ts';
import type {Channel} from '#state/model/channel.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';

/** What would end the short form early, or be read as markup inside it. */
const unfit = /[`>*&[\]]|\$\$/;
const references: Readonly<Record<string, string>> = {
  '`': '&#96;',
  '>': '&gt;',
  '*': '&#42;',
  '&': '&amp;',
  '[': '&#91;',
  ']': '&#93;',
  $: '&#36;',
};

/** `#**channel**`, `#**channel>topic**`, `#**channel>topic@id**`; a Markdown link where names do not fit into that. */
export function channelLinkText(
  {server, realm}: Pick<AccountState, 'server' | 'realm'>,
  channel: Pick<Channel, 'id' | 'name'>,
  topic?: string,
  messageId?: number,
): string {
  const isFit =
    !unfit.test(channel.name) && !(topic !== undefined && (unfit.test(topic) || /@\d+$/.test(topic)));
  const isShort = isFit && (messageId === undefined || server.abilities.messageLinks);
  const name = printableLine(channel.name);
  const target = messageId === undefined ? '' : `@${messageId}`;
  if (isShort) return `#**${name}${topic === undefined ? '' : `>${topic}${target}`}**`;
  const shownTopic = topic === '' ? (realm.emptyTopicDisplayName ?? 'general chat') : topic;
  const shown =
    topic === undefined ? name : `${name} > ${shownTopic}${messageId === undefined ? '' : ' @ 💬'}`;
  return `[#${escaped(shown)}](${placeLink(channel, topic, messageId)})`;
}

function placeLink(channel: Pick<Channel, 'id' | 'name'>, topic?: string, messageId?: number): string {
  const place = topic === undefined ? '' : `/topic/${encodeNarrowOperand(topic)}`;
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  return `#narrow/channel/${channelSlug(channel.id, channel.name)}${place}${near}`;
}

/** A link to a direct conversation, or to a message in it. There is no short form. */
export function directLinkText(title: string, userIds: readonly number[], messageId?: number): string {
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  const people = `${userIds.join(',')}-${userIds.length > 2 ? 'group' : 'dm'}`;
  return `[${escaped(printableLine(title))}](#narrow/dm/${people}${near})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[`>*&[\]]|\$(?=\$)|(?<=\$)\$/g, (sign) => references[sign] ?? sign);
}
