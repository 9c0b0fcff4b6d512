import {
  type EmojiReference,
  maxContentLength,
  requestedEmoji,
  resolveEmoji,
  silentMention,
  truncateText,
} from '#server/actions/inputs.ts';
import {autoFollow} from '#server/actions/topics/user-topics.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationMembers} from '#server/db/messages.ts';
import type {MessageRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError, badRequest, check, notListed, required} from '#server/errors.ts';
import {dictMismatchText} from '#server/param-decoder.ts';
import {requireReadableMessage} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {type Route, route} from '#server/route.ts';
import {messageLinks} from '#server/views/message-details.ts';
import {unknownUserName} from '#server/views/user.ts';
import {isRecord, parseJson} from '#std/parse-json.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {sameEmoji} from '#wire/objects/message.ts';
import {decode, int, object, type Schema, s} from '#wire/schema.ts';
import {keepAsHistorical} from './change-flags.ts';
import {messageAudience, requireChangeableMessage} from './message-audience.ts';
import {spacedJson} from './post-message.ts';
import {sendNotice} from './send-message.ts';

type StoredReaction = EmojiReference & {readonly id: number; readonly user_id: number};

export const reactionRoutes: readonly Route[] = [
  route(endpoints.addReaction, 'account', (call, params) => {
    const {actor} = call;
    const message = requireChangeableMessage(call, actor, params.message_id);
    const emoji = requestedEmoji(call, params, {isNameNeeded: true});
    const present = reactionsTo(call, message).filter((reaction) => sameEmoji(reaction, emoji));
    if (present.some((reaction) => reaction.user_id === actor.id)) {
      throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.');
    }
    const {emoji_code, reaction_type} = emoji;
    // An emoji that the message already has needs no check, and keeps the name of its first reaction.
    const emoji_name = present[0]?.emoji_name ?? resolveEmoji(call, params).emoji_name;
    const reaction = {message_id: message.id, user_id: actor.id, emoji_name, emoji_code, reaction_type};
    call.db.insertRow('reaction', reaction);
    keepAsHistorical(call, actor.id, [message.id]);
    autoFollowParticipant(call, message);
    call.emit('reaction', messageAudience(call, message), {op: 'add', ...reaction});
  }),
  route(endpoints.removeReaction, 'account', (call, params) => {
    const {actor} = call;
    const message = requireChangeableMessage(call, actor, params.message_id);
    const emoji = requestedEmoji(call, params);
    const found = reactionsTo(call, message).find((each) => each.user_id === actor.id && sameEmoji(each, emoji));
    const missing = () => new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.");
    const {id, user_id, ...reaction} = required(found, missing);
    call.db.run('DELETE FROM reaction WHERE id = ?', id);
    const body = {op: 'remove', message_id: message.id, user_id, ...reaction};
    call.emit('reaction', messageAudience(call, message), body);
  }),

  route(endpoints.sendSubmessage, 'account', (call, {message_id, msg_type, content}) => {
    const message = requireChangeableMessage(call, call.actor, message_id);
    const sender_id = call.actor.id;
    const isAuthor = message.sender_id === sender_id;
    const first = call.db.get<{sender_id: number; content: string}>(
      `SELECT sender_id, content FROM submessage WHERE message_id = ? AND msg_type = 'widget' ORDER BY id LIMIT 1`,
      message_id,
    );
    check(isAuthor || first?.sender_id === message.sender_id, 'You cannot attach a submessage to this message.');
    const data = parsed(content, 'Invalid json for submessage');
    const widget: unknown = first === undefined ? null : JSON.parse(first.content);
    checkEvent(isRecord(widget) ? String(widget.widget_type) : '', data, isAuthor);
    const submessage_id = call.db.insertRow('submessage', {message_id, sender_id, msg_type, content});
    autoFollowParticipant(call, message);
    call.emit('submessage', messageAudience(call, message), {msg_type, message_id, submessage_id, sender_id, content});
  }),

  route(endpoints.reportMessage, 'account', reportMessage),
];

function reactionsTo({db}: ActionContext, message: MessageRow): StoredReaction[] {
  const sql = `SELECT id, user_id, emoji_name, emoji_code, reaction_type FROM reaction
    WHERE message_id = ? ORDER BY id`;
  return db.all<StoredReaction>(sql, message.id);
}

/** Follows the topic for a user who reacted or voted, if their settings say so. */
export function autoFollowParticipant(act: RequestContext, message: MessageRow): void {
  if (message.channel_id === null) return;
  const topic = {channelId: message.channel_id, topic: message.topic, topicKey: message.topic_key};
  autoFollow(act, act.actor, topic, 'participated');
}

const index = s.pipe(int, s.minValue(0), s.maxValue(1000));

const text = s.string();

type Fields = Readonly<Record<string, Schema>>;

/** The fields of the submessages that each widget accepts, by their type. */
const widgetEvents: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  poll: {
    vote: {key: text, vote: s.pipe(int, s.values([1, -1], 'Invalid {at}'))},
    question: {question: text},
    new_option: {option: text, idx: index},
  },
  todo: {
    new_task: {key: index, task: text, desc: text, completed: s.boolean()},
    strike: {key: text},
    new_task_list_title: {title: text},
  },
};

const authorOnly: Readonly<Record<string, string>> = {
  question: "You can't edit a question unless you are the author.",
  new_task_list_title: "You can't edit the task list title unless you are the author.",
};

function parsed(content: string, problem: string): unknown {
  try {
    return parseJson(content);
  } catch {
    throw badRequest(problem);
  }
}

/** Checks what is sent to a poll or to-do list; other messages accept anything from their author. */
function checkEvent(widget: string, data: unknown, isAuthor: boolean): void {
  const events = Object.hasOwn(widgetEvents, widget) ? widgetEvents[widget] : undefined;
  if (events === undefined) return;
  const name = `${widget} data`;
  checkFields(name, {type: text}, data);
  const type = isRecord(data) ? String(data.type) : '';
  const fields = required(Object.hasOwn(events, type) ? events[type] : undefined, `Unknown type for ${name}: ${type}`);
  const refusal = isAuthor ? undefined : authorOnly[type];
  if (refusal !== undefined) throw badRequest(refusal);
  checkFields(name, {type: text, ...fields}, data);
  const other = Object.keys(data as object).filter((key) => key !== 'type' && !Object.hasOwn(fields, key));
  if (other.length > 0) throw badRequest(`Unexpected arguments: ${other.join(', ')}`);
}

function checkFields(name: string, fields: Fields, data: unknown): void {
  if (!isRecord(data)) throw badRequest(`${name} is not a dict`);
  const checked = decode(s.looseObject({...fields}), data);
  if (!checked.ok) throw badRequest(dictMismatchText(name, checked.mismatch));
}

const choice = object({short_name: text, long_name: text, reply: text});

const choices = object({type: s.literal('choices'), heading: text, choices: s.array(choice)});

/**
 * Returns the submessage for `widget_content`, with which a bot offers choices to click. Polls and to-do lists are made
 * by the text of a message only.
 */
export function checkedWidgetContent(source: string): string {
  const content = parsed(source, 'Widgets: API programmer sent invalid JSON content');
  if (!isRecord(content)) throw invalid('widget_content is not a dict');
  for (const name of ['widget_type', 'extra_data']) {
    if (!Object.hasOwn(content, name)) throw invalid(`${name} is not in widget_content`);
  }
  const {widget_type, extra_data} = content;
  if (!isRecord(extra_data)) throw invalid('extra_data is not a dict');
  if (widget_type !== 'zform') throw invalid(`unknown widget type: ${String(widget_type)}`);
  if (!Object.hasOwn(extra_data, 'type')) throw invalid('zform is missing type field');
  if (extra_data.type !== 'choices') throw invalid(`unknown zform type: ${String(extra_data.type)}`);
  const decoded = decode(choices, extra_data);
  if (!decoded.ok) throw invalid(dictMismatchText('extra_data', decoded.mismatch));
  return spacedJson(content);
}

function invalid(problem: string) {
  return badRequest(`Widgets: ${problem}`);
}

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
