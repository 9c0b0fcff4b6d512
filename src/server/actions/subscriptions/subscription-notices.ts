import {sendNotice} from '#server/actions/messages/send-message.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {organization} from '#server/permissions/has-permission.ts';

/** Above this number of users, no direct notices are sent. */
const maxNotices = 100;
const channelEventsTopic = 'channel events';
const newChannelsTopic = 'new channels';

export interface AddedSubscribers {
  readonly channel: ChannelRow;
  readonly added: readonly number[];
}

/** Sends each user a notice that the actor subscribed them. Returns false, without sending, if there are too many. */
export function sendSubscriptionNotices(
  act: ActionContext,
  actor: UserRow,
  subscriptions: readonly AddedSubscribers[],
): boolean {
  const names = new Map<number, string[]>();
  for (const {channel, added} of subscriptions) {
    for (const id of added) names.set(id, [...(names.get(id) ?? []), channel.name]);
  }
  if (names.size > maxNotices) return false;
  for (const [id, channels] of names) {
    if (id === actor.id || findUser(act.db, id)?.is_bot !== 0) continue;
    sendNotice(act, {kind: 'direct', userIds: [id]}, noticeText(actor, channels));
  }
  return true;
}

function noticeText(actor: UserRow, channels: readonly string[]): string {
  const who = mention(actor);
  const [only] = channels;
  if (channels.length === 1 && only !== undefined) return `${who} subscribed you to #**${only}**.`;
  const list = channels.toSorted().map((name) => `* #**${name}**`);
  return `${who} subscribed you to the following channels:\n\n${list.join('\n')}`;
}

function mention({full_name, id}: UserRow): string {
  return `@_**${full_name}|${id}**`;
}

/** Announces new channels in the organization's channel for announcements and, if the organization wants it, in themselves. */
export function sendCreationNotices(
  act: ActionContext,
  actor: UserRow,
  created: readonly ChannelRow[],
  announce: boolean,
): void {
  if (created.length === 0) return;
  const settings = organization(act);
  const announcements = announce ? findChannel(act.db, settings.new_stream_announcements_stream_id) : undefined;
  if (announcements !== undefined && announcements.is_archived === 0) {
    const destination = {kind: 'channel', channel: announcements, topic: newChannelsTopic} as const;
    const what = created.length > 1 ? 'the following channels:' : 'a new channel';
    const names = created.map(({name}) => `#**${name}**`).join(', ');
    sendNotice(act, destination, `${mention(actor)} created ${what} ${names}.`, {actor, linksPublicOnly: true});
  }
  if (settings.send_channel_events_messages) for (const channel of created) announceInside(act, actor, channel);
}

function announceInside(act: ActionContext, actor: UserRow, channel: ChannelRow): void {
  const history = channel.history_public_to_subscribers === 1 ? 'shared' : 'protected';
  const openKind = channel.is_web_public === 1 ? 'Web-public' : 'Public';
  const kind = channel.invite_only === 1 ? `Private, ${history} history` : openKind;
  const description = channel.description === '' ? '*No description.*' : channel.description;
  const quoted = `\`\`\`\` quote\n${description}\n\`\`\`\``;
  const topic = channel.topics_policy === 'empty_topic_only' ? '' : channelEventsTopic;
  const text = `**${kind}** channel created by ${mention(actor)}. **Description:**\n${quoted}`;
  const destination = {kind: 'channel', channel: findChannel(act.db, channel.id) ?? channel, topic} as const;
  sendNotice(act, destination, text, {actor});
}
