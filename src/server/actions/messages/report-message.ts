import {maxContentLength, silentMention, truncateText} from '#server/actions/inputs.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationMembers} from '#server/db/messages.ts';
import type {MessageRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest, check, notListed, required} from '#server/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {requireReadableMessage} from '#server/permissions/read-message.ts';
import {type Route, route} from '#server/route.ts';
import {messageLinks} from '#server/views/message-details.ts';
import {unknownUserName} from '#server/views/user.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {sendNotice} from './send-message.ts';

export const reportRoutes: readonly Route[] = [route(endpoints.reportMessage, 'account', reportMessage)];

/** The reasons for a report; the keys are part of the API. */
export const reportTypes = [
  {key: 'spam', name: 'Spam'},
  {key: 'harassment', name: 'Harassment'},
  {key: 'inappropriate', name: 'Inappropriate content'},
  {key: 'norms', name: 'Violates community norms'},
  {key: 'other', name: 'Other reason'},
] as const;

const maxDescriptionLength = 1000;

/** The report must be short enough to be sent. */
const maxSnippetLength = maxContentLength - maxDescriptionLength - 500;

/** Reports a message in the organization's channel for moderation requests. */
function reportMessage(act: RequestContext, params: ParamsOf<typeof endpoints.reportMessage>): void {
  const {actor} = act;
  const {message_id, report_type: type, description = ''} = params;
  const known = reportTypes.find(({key}) => key === type);
  const reason = required(known, () => notListed('report_type'));
  if (Array.from(description).length > maxDescriptionLength) {
    throw badRequest(`description is too long (limit: ${maxDescriptionLength} characters)`);
  }
  if (type === 'other' && description === '') throw badRequest('An explanation is required.');
  const channel = findChannel(act.db, organization(act).moderation_request_channel_id);
  check(channel !== undefined && channel.is_archived !== 1, 'Message reporting is not enabled in this organization.');
  const message = requireReadableMessage(act, actor, message_id);
  act.db.insertRow('report', {
    message_id: message.id,
    reporter_id: actor.id,
    report_type: type,
    description,
    reported_at: act.now,
  });
  const sender = findUser(act.db, message.sender_id);
  const topic =
    channel.topics_policy === 'empty_topic_only' ? '' : `${sender?.full_name ?? unknownUserName} moderation`;
  const text = reportText(act, message, {reason: reason.name, description});
  sendNotice(act, {kind: 'channel', channel, topic}, text);
}

function reportText(
  act: RequestContext,
  message: MessageRow,
  {reason, description}: {reason: string; description: string},
): string {
  const sentAt = new Date(message.sent_at * 1000).toISOString().replace(/\.\d+Z$/, '+00:00');
  const content = truncateText(message.content, maxSnippetLength, '\n[message truncated]');
  const fence = fenceFor(content);
  return [
    `${silentMention(act.actor)} reported a message sent by ${namesOfSender(act, message)} at <time:${sentAt}>.`,
    `\`\`\`quote\n**${reason}**. ${description}\n\`\`\`\n`,
    `${fence} spoiler ${originalLink(act, message)}\n${content}\n${fence}`,
  ].join('\n');
}

/** Names the author and, where the mention of the author does not, the recipients of a direct message. */
function namesOfSender(act: RequestContext, {sender_id, dm_id}: MessageRow): string {
  const members = dm_id === null ? [] : directConversationMembers(act.db, dm_id);
  const mention = (id: number) => silentMention(findUser(act.db, id) ?? {full_name: unknownUserName, id});
  const others = members.filter((id) => id !== sender_id).map(mention);
  if (dm_id === null || (members.length <= 2 && sender_id !== act.actor.id)) return mention(sender_id);
  return `${mention(sender_id)} to ${others.length === 0 ? mention(sender_id) : new Intl.ListFormat('en').format(others)}`;
}

function originalLink(act: ActionContext, message: MessageRow): string {
  const channel = message.channel_id === null ? undefined : findChannel(act.db, message.channel_id);
  if (channel === undefined) return `[Original message](${messageLinks(act.server, message).message_url})`;
  return `Original message at #**${channel.name}>${message.topic}@${message.id}**`;
}

/** Returns a fence that is longer than all fences in the text. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^`{3,}/gm)].map(([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
}
