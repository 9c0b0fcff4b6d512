import {userSettings} from '#server/accounts/user-settings.ts';
import {cleanTopic} from '#server/actions/inputs.ts';
import {messageAudience, requireChangeableMessage} from '#server/actions/messages/message-audience.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationMembers} from '#server/db/messages.ts';
import type {Ids, MessageRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest, check} from '#server/errors.ts';
import {byCapability, type EventQueue} from '#server/event-queues/event-queues.ts';
import {checkCanStartEditing} from '#server/permissions/change-message.ts';
import {requireOpenChannel, subscribersOf} from '#server/permissions/channel.ts';
import {topicDisplayName} from '#server/permissions/has-permission.ts';
import {checkCanPost} from '#server/permissions/send-message.ts';
import {canAccessUser} from '#server/permissions/user-access.ts';
import {type Route, route} from '#server/route.ts';
import {apiEmail} from '#server/views/user.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';

export const typingRoutes: readonly Route[] = [
  route(endpoints.sendTyping, 'account', sendTyping),
  route(endpoints.sendEditTyping, 'account', (call, {op, message_id}) =>
    sendEditTyping(call, op, requireChangeableMessage(call, call.actor, message_id)),
  ),
];

type TypingOp = 'start' | 'stop';

function sendTyping(call: RequestContext, params: ParamsOf<typeof endpoints.sendTyping>): void {
  const {actor} = call;
  check(params.type !== 'private', 'Invalid type');
  if (params.type === undefined || params.type === 'direct') {
    if (params.to == null) throw badRequest("Missing 'to' argument");
    sendDirectTyping(call, actor, params.op, params.to);
    return;
  }
  if (params.stream_id == null) throw badRequest("Missing 'stream_id' argument");
  check(params.topic !== undefined, 'Missing topic');
  sendChannelTyping(call, actor, params.op, params.stream_id, params.topic);
}

/** Typing notifications are not sent in channels with more subscribers. */
const maxSubscribers = 100;

export function sendDirectTyping(act: ActionContext, actor: UserRow, op: TypingOp, userIds: Ids): void {
  check(userIds.length !== 0, "Empty 'to' list");
  checkTypingEnabled(userSettings(actor).send_private_typing_notifications, 'direct messages');
  const people = [...new Set([actor.id, ...userIds])]
    .sort((a, b) => a - b)
    .map((id) => {
      const user = findUser(act.db, id);
      check(user !== undefined && canAccessUser(act, actor, user), `Invalid user ID ${id}`);
      return user;
    });
  const named = (user: UserRow) => ({user_id: user.id, email: apiEmail(act.server, user)});
  act.emit(
    'typing',
    listeners(
      act,
      actor,
      people.filter((user) => user.is_active === 1).map((user) => user.id),
    ),
    {op, message_type: 'direct', sender: named(actor), recipients: people.map(named)},
  );
}

export function sendChannelTyping(
  act: ActionContext,
  actor: UserRow,
  op: TypingOp,
  channelId: number,
  topicName: string,
): void {
  checkTypingEnabled(userSettings(actor).send_stream_typing_notifications, 'channel messages');
  const channel = requireOpenChannel(act, actor, channelId);
  checkCanPost(act, actor, channel);
  const topic = cleanTopic(act, topicName);
  const subscribed = subscribersOf(act, channel.id);
  if (subscribed.size > maxSubscribers) return;
  const body = (name: string) => ({
    op,
    message_type: 'stream',
    sender: {user_id: actor.id, email: apiEmail(act.server, actor)},
    stream_id: channel.id,
    topic: name,
  });
  act.emit(
    'typing',
    listeners(act, actor, [...subscribed]),
    ifChannelTypingSupported(bodyWithTopicName(act, topic, body)),
  );
}

/** Emits that the author is editing the message, or stopped. Only authors may send it, as only they edit. */
function sendEditTyping(act: RequestContext, op: TypingOp, message: MessageRow): void {
  const {actor} = act;
  const settings = userSettings(actor);
  checkCanStartEditing(act, actor, message);
  const readers = [...messageAudience(act, message)];
  const common = {op, sender_id: actor.id, message_id: message.id};
  if (message.channel_id === null) {
    checkTypingEnabled(settings.send_private_typing_notifications, 'direct messages');
    const user_ids = directConversationMembers(act.db, message.dm_id ?? 0).filter((id) => hearsTyping(act, id));
    const body = {...common, recipient: {type: 'direct', user_ids}};
    act.emit('typing_edit_message', listeners(act, actor, readers), body);
    return;
  }
  checkTypingEnabled(settings.send_stream_typing_notifications, 'channel messages');
  const channel = findChannel(act.db, message.channel_id);
  if (channel === undefined || subscribersOf(act, channel.id).size > maxSubscribers) return;
  const body = (topic: string) => ({...common, recipient: {type: 'channel', channel_id: channel.id, topic}});
  act.emit('typing_edit_message', listeners(act, actor, readers), bodyWithTopicName(act, message.topic, body));
}

function checkTypingEnabled(enabled: boolean, where: string): void {
  check(enabled, `User has disabled typing notifications for ${where}`);
}

/** Returns the users who are connected, enabled typing notifications and may see the actor. */
function listeners(act: ActionContext, actor: UserRow, userIds: Ids): number[] {
  return userIds.filter((id) => {
    const user = act.server.queues.isConnected(id) ? findUser(act.db, id) : undefined;
    return user !== undefined && hearsTyping(act, id) && canAccessUser(act, user, actor);
  });
}

function hearsTyping({db}: ActionContext, userId: number): boolean {
  const user = findUser(db, userId);
  return user?.is_active === 1 && userSettings(user).receives_typing_notifications;
}

function bodyWithTopicName<B>(act: ActionContext, topic: string, body: (name: string) => B) {
  return byCapability('empty_topic_name', (isKnown) => body(topicDisplayName(act, topic, isKnown)));
}

function ifChannelTypingSupported<B>(body: (reader: EventQueue) => B) {
  return (reader: EventQueue) =>
    reader.options.capabilities.stream_typing_notifications === true ? body(reader) : undefined;
}
