import {resolveChannelRecipient, resolveUserRecipients} from '#server/actions/inputs/recipients.ts';
import {deleteMessage} from '#server/actions/messages/delete-message.ts';
import {editMessage} from '#server/actions/messages/edit-message.ts';
import {requireChangeableMessage} from '#server/actions/messages/message-audience.ts';
import {addReaction, removeReaction} from '#server/actions/messages/reactions.ts';
import {reportMessage} from '#server/actions/messages/report-message.ts';
import {type SendDestination, sendMessage} from '#server/actions/messages/send-message.ts';
import {checkedWidgetContent, sendSubmessage} from '#server/actions/messages/submessages.ts';
import {sendChannelTyping, sendDirectTyping, sendEditTyping} from '#server/actions/messages/typing.ts';
import {answerAsWelcomeBot} from '#server/actions/messages/welcome-bot.ts';
import {addAttachment, deleteAttachment} from '#server/actions/uploads/attachments.ts';
import type {RequestContext} from '#server/context.ts';
import {type AttachmentRow, attachmentsOf, uploadSpaceUsed} from '#server/db/organization-items.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import {ApiError, badRequest, notFoundError} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route, slicedRoute} from '#server/http/route.ts';
import {canSeeChannel} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {requireReadableMessage} from '#server/permissions/message.ts';
import {imageSize, isImageType} from '#server/uploads/image.ts';
import {displayFilename, findUpload, newPathId, temporaryPath} from '#server/uploads/upload-path.ts';
import {messageHistory, messageLinks, readReceipts} from '#server/views/message-details.ts';
import {attachmentView} from '#server/views/organization-items.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';

export const messagesRoutes: readonly Route[] = [
  route(endpoints.sendMessage, send),

  slicedRoute(endpoints.editMessage, function* (call, params) {
    const message = requireChangeableMessage(call, call.actor, params.message_id);
    const detached = yield* editMessage(call, call.actor, message, params);
    return {detached_uploads: detached};
  }),

  route(endpoints.deleteMessage, (call, params) =>
    deleteMessage(call, call.actor, requireChangeableMessage(call, call.actor, params.message_id)),
  ),

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

  route(endpoints.addReaction, (call, params) =>
    addReaction(call, call.actor, requireChangeableMessage(call, call.actor, params.message_id), params),
  ),

  route(endpoints.removeReaction, (call, params) =>
    removeReaction(call, call.actor, requireChangeableMessage(call, call.actor, params.message_id), params),
  ),

  route(endpoints.getReadReceipts, (call, params) => {
    const message = requireReadableMessage(call, call.actor, params.message_id);
    if (!organization(call).enable_read_receipts) {
      throw badRequest('Read receipts are disabled in this organization.');
    }
    return {user_ids: readReceipts(call, call.actor, message)};
  }),

  route(endpoints.sendTyping, (call, params) => sendTyping(call, params)),

  route(endpoints.sendEditTyping, (call, params) => {
    const message = requireChangeableMessage(call, call.actor, params.message_id);
    sendEditTyping(call, call.actor, params.op, message);
  }),

  route(endpoints.reportMessage, (call, params) => {
    const {message_id, report_type: type, description = ''} = params;
    reportMessage(call, call.actor, () => requireReadableMessage(call, call.actor, message_id), {type, description});
  }),

  route(endpoints.sendSubmessage, (call, params) => {
    const message = requireChangeableMessage(call, call.actor, params.message_id);
    sendSubmessage(call, call.actor, message, params);
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
    id: sent.id,
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

function sendTyping(call: RequestContext, params: ParamsOf<typeof endpoints.sendTyping>): void {
  const {actor} = call;
  if (params.type === 'private' && call.server.level >= levels.typeDirect) throw badRequest('Invalid type');
  if (params.type === undefined || params.type === 'direct' || params.type === 'private') {
    if (params.to == null) throw badRequest("Missing 'to' argument");
    sendDirectTyping(call, actor, params.op, params.to);
    return;
  }
  if (params.stream_id == null) throw badRequest("Missing 'stream_id' argument");
  if (params.topic === undefined) throw badRequest('Missing topic');
  sendChannelTyping(call, actor, params.op, params.stream_id, params.topic);
}

export const uploadsRoutes: readonly Route[] = [
  asyncRoute(endpoints.uploadFile, async (request) => {
    const {name, path_id} = await storeUpload(request);
    const url = `/user_uploads/${path_id}`;
    return {url, uri: url, filename: name};
  }),

  route(endpoints.getTemporaryUrl, (call, {realm_id, filename}) => ({
    url: temporaryPath(call.server, readableUpload(call, `${realm_id}/${filename}`).path_id),
  })),

  // Images are served unchanged, so there is never a thumbnail to wait for.
  route(endpoints.getThumbnailStatus, (call, {realm_id, filename}) => {
    readableUpload(call, `${realm_id}/${filename}`);
  }),

  route(endpoints.getAttachments, (call) => ({
    attachments: attachmentsOf(call.db, call.actor.id).map((row) => attachmentView(call, row)),
    upload_space_used: uploadSpaceUsed(call.db),
  })),

  route(endpoints.deleteAttachment, (call, {attachment_id}) => deleteAttachment(call, call.actor, attachment_id)),
];

async function storeUpload({
  server,
  upload,
  runAction,
}: AsyncRequestContext): Promise<Pick<AttachmentRow, 'name' | 'path_id'>> {
  if (upload === undefined) throw badRequest('You must specify a file to upload');
  const file = {
    name: displayFilename(upload.filename),
    path_id: newPathId(upload.filename),
    size: upload.file.size,
    content_type: upload.contentType,
    dimensions: isImageType(upload.contentType) ? imageSize(upload.file.head) : undefined,
  };
  await upload.file.keep(file.path_id);
  try {
    runAction((call) => addAttachment(call, call.actor, file));
  } catch (error) {
    await server.files.delete(file.path_id);
    throw error;
  }
  return file;
}

function readableUpload(call: RequestContext, pathId: string): AttachmentRow {
  const file = findUpload(call.server, call.actor, pathId);
  if (file === 'missing') throw notFoundError('File not found');
  if (file === 'forbidden') throw new ApiError('BAD_REQUEST', 'You do not have access to this file', 403);
  return file;
}
