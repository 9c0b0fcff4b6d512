import {resolveChannelRecipient, resolveUserRecipients} from '#server/actions/inputs.ts';
import {editMessage} from '#server/actions/messages/edit-message.ts';
import {requireChangeableMessage} from '#server/actions/messages/message-audience.ts';
import {checkedWidgetContent} from '#server/actions/messages/reactions.ts';
import {answerAsWelcomeBot, type SendDestination, sendMessage} from '#server/actions/messages/send-message.ts';
import type {RequestContext} from '#server/context.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {type Route, route, slicedRoute} from '#server/http/route.ts';
import {canSeeChannel, requireReadableMessage} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {check} from '#server/required.ts';
import {messageHistory, messageLinks, readReceipts} from '#server/views/message-details.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';

export const messagesRoutes: readonly Route[] = [
  route(endpoints.sendMessage, send),

  slicedRoute(endpoints.editMessage, function* (call, params) {
    const message = requireChangeableMessage(call, call.actor, params.message_id);
    const detached = yield* editMessage(call, message, params);
    return {detached_uploads: detached};
  }),

  route(endpoints.getMessageHistory, (call, params) => {
    if (organization(call).message_edit_history_visibility_policy === 'none') {
      throw badRequest('Message edit history is disabled in this organization');
    }
    const message = requireReadableMessage(call, call.actor, params.message_id);
    const options = {allowEmptyTopicName: params.allow_empty_topic_name};
    return {message_history: messageHistory(call, call.actor, message, options)};
  }),

  route(endpoints.renderMessage, (call, params) => ({
    rendered: call.server.renderer.renderUncached(params.content, call.actor),
  })),

  route(endpoints.getReadReceipts, (call, params) => {
    const message = requireReadableMessage(call, call.actor, params.message_id);
    check(organization(call).enable_read_receipts, 'Read receipts are disabled in this organization.');
    return {user_ids: readReceipts(call, call.actor, message)};
  }),
];

function send(call: RequestContext, params: ParamsOf<typeof endpoints.sendMessage>) {
  const {queue_id: queueId, local_id: localId} = params;
  const destination = destinationOf(call, params);
  if (params.forged === 'yes' || params.forged === 'true') throw badRequest('User not authorized for this query');
  if (params.sender !== undefined) throw badRequest('Invalid mirrored message');
  const sent = sendMessage(call, call.actor, {
    destination,
    content: params.content,
    ...(params.widget_content === undefined ? {} : {widget: checkedWidgetContent(params.widget_content)}),
    client: params.client ?? call.client,
    ...(params.read_by_sender === undefined ? {} : {readBySender: params.read_by_sender}),
    ...(queueId === undefined || localId === undefined ? {} : {echo: {queueId, localId}}),
  });
  answerAsWelcomeBot(call, call.actor, sent.row);
  const {automaticVisibilityPolicy: policy} = sent;
  return {
    id: sent.row.id,
    ...(policy === undefined ? {} : {automatic_new_visibility_policy: policy}),
    ...messageLinks(call.server, sent.row, namedChannel(call, destination)),
  };
}

function namedChannel(call: RequestContext, destination: SendDestination): ChannelRow | null {
  const channel = destination.kind === 'channel' ? destination.channel : null;
  return channel !== null && canSeeChannel(call, call.actor, channel) ? channel : null;
}

function destinationOf(call: RequestContext, params: ParamsOf<typeof endpoints.sendMessage>): SendDestination {
  if (params.type === 'direct' || params.type === 'private') {
    return {kind: 'direct', userIds: resolveUserRecipients(call, call.actor, params.to === undefined ? [] : params.to)};
  }
  if (params.to === undefined) throw badRequest('Missing channel');
  if (params.topic === undefined) throw badRequest('Missing topic');
  const channel = resolveChannelRecipient(call, params.to);
  return {kind: 'channel', channel, topic: params.topic};
}
