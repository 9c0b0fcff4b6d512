import {resolveChannelRecipient, resolveUserRecipients} from '#server/actions/inputs.ts';
import type {RequestContext} from '#server/context.ts';
import {findMessages} from '#server/db/messages.ts';
import type {ChannelRow, Ids, MessageRow} from '#server/db/rows.ts';
import {badRequest, check, notLoggedIn} from '#server/errors.ts';
import {type Anchor, compileNarrow, findMessageRange, type MessageRange} from '#server/narrow/compile.ts';
import type {TextSearch} from '#server/narrow/search-stream.ts';
import {canSeeChannel} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {requireReadableMessage} from '#server/permissions/read-message.ts';
import {isSpectator} from '#server/permissions/spectator.ts';
import {type Route, route, slicedRoute} from '#server/route.ts';
import {fetchedMessageViews, type MessageViewOptions, matchFields} from '#server/views/message.ts';
import {messageHistory, messageLinks, readReceipts} from '#server/views/message-details.ts';
import {batches} from '#std/batches.ts';
import type {ParamsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {normalizeTerm, type WireNarrow} from '#wire/narrow.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';
import {editMessage} from './edit-message.ts';
import {requireChangeableMessage} from './message-audience.ts';
import {answerAsWelcomeBot, type SendDestination, sendMessage} from './send-message.ts';
import {checkedWidgetContent} from './submessages.ts';

export const messagesRoutes: readonly Route[] = [
  route(endpoints.sendMessage, 'webhook', send),

  slicedRoute(endpoints.editMessage, 'account', function* (call, params) {
    const message = requireChangeableMessage(call, call.actor, params.message_id);
    const detached = yield* editMessage(call, message, params);
    return {detached_uploads: detached};
  }),

  route(endpoints.getMessageHistory, 'account', (call, params) => {
    check(
      organization(call).message_edit_history_visibility_policy !== 'none',
      'Message edit history is disabled in this organization',
    );
    const message = requireReadableMessage(call, call.actor, params.message_id);
    const options = {allowEmptyTopicName: params.allow_empty_topic_name};
    return {message_history: messageHistory(call, call.actor, message, options)};
  }),

  route(endpoints.renderMessage, 'account', (call, params) => ({
    rendered: call.server.renderer.renderUncached(params.content, call.actor),
  })),

  route(endpoints.getReadReceipts, 'account', (call, params) => {
    const message = requireReadableMessage(call, call.actor, params.message_id);
    check(organization(call).enable_read_receipts, 'Read receipts are disabled in this organization.');
    return {user_ids: readReceipts(call, call.actor, message)};
  }),
  slicedRoute(endpoints.getMessages, 'visitor', getMessages),
  route(endpoints.getMessage, 'visitor', (call, params) => {
    const row = readableMessage(call, params.message_id);
    const [message] = fetchedMessageViews(call, call.actor, [row], [], {
      applyMarkdown: params.apply_markdown,
      clientGravatar: true,
      emptyTopicName: params.allow_empty_topic_name,
    });
    check(message !== undefined, 'Invalid message(s)');
    return {message, raw_content: row.content};
  }),
  route(otherEndpoints.getMessagesSummary, 'account', () => {
    throw badRequest('AI features are not enabled on this server.');
  }),
  slicedRoute(endpoints.matchNarrow, 'account', function* (call, params) {
    const messages = {};
    const [first = [], ...others] = batches(params.msg_ids, messagesPerSlice);
    for (const ids of [first, ...others]) {
      const {messageIds: stream, searches} = compileNarrow(call, call.actor, params.narrow, {amongIds: ids});
      const rows = findMessages(call.db, stream.idsBeyond(0, 'newer', ids.length));
      Object.assign(messages, Object.fromEntries(matchFields(call, rows, searches)));
      yield;
    }
    return {messages};
  }),
];

function send(call: RequestContext, params: ParamsOf<typeof endpoints.sendMessage>) {
  const {queue_id: queueId, local_id: localId} = params;
  const destination = destinationOf(call, params);
  check(params.forged !== 'yes' && params.forged !== 'true', 'User not authorized for this query');
  check(params.sender === undefined, 'Invalid mirrored message');
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
  check(params.to !== undefined, 'Missing channel');
  check(params.topic !== undefined, 'Missing topic');
  const channel = resolveChannelRecipient(call, call.actor, params.to);
  return {kind: 'channel', channel, topic: params.topic};
}

function readableMessage(call: RequestContext, id: number): MessageRow {
  try {
    return requireReadableMessage(call, call.actor, id);
  } catch (error) {
    // A visitor may be able to read it after logging in.
    throw isSpectator(call.actor) ? notLoggedIn() : error;
  }
}

/** The operators that visitors may use. Others are about a user's own messages. */
const spectatorOperators: ReadonlySet<string> = new Set([
  'channel',
  'channels',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
]);

/** Throws 401 unless a visitor's narrow asks for web-public messages only. */
function checkSpectatorNarrow(narrow: WireNarrow): void {
  const terms = narrow.map(normalizeTerm);
  const isPublic = terms.some(
    ({operator, operand, negated}) => operator === 'channels' && operand === 'web-public' && negated !== true,
  );
  if (!isPublic || !terms.every(({operator}) => spectatorOperators.has(operator))) throw notLoggedIn();
}

/** The messages that are made into views at once. */
const messagesPerSlice = 250;

/** Returns views of the messages as they were when the request began; flags and reactions may be newer. */
function* viewsInSlices(
  call: RequestContext,
  rows: readonly MessageRow[],
  searches: readonly TextSearch[],
  options: MessageViewOptions,
): Generator<void, FetchedMessage[]> {
  const views: FetchedMessage[] = [];
  for (const part of batches(rows, messagesPerSlice)) {
    yield;
    views.push(...fetchedMessageViews(call, call.actor, part, searches, options));
  }
  return views;
}

function* getMessages(
  call: RequestContext,
  params: ParamsOf<typeof endpoints.getMessages>,
): Generator<void, ResultOf<typeof endpoints.getMessages>> {
  const {actor} = call;
  if (isSpectator(actor)) checkSpectatorNarrow(params.narrow);
  const query = messagesQuery(params);
  const options = {
    applyMarkdown: params.apply_markdown,
    clientGravatar: params.client_gravatar,
    emptyTopicName: params.allow_empty_topic_name,
  };
  if ('messageIds' in query) {
    const ids = query.messageIds;
    const {messageIds: stream, searches} = compileNarrow(call, actor, params.narrow, {amongIds: ids});
    const rows = findMessages(call.db, stream.idsBeyond(0, 'newer', ids.length));
    return {
      messages: yield* viewsInSlices(call, rows, searches, options),
      found_anchor: false,
      found_oldest: false,
      found_newest: false,
      history_limited: false,
    };
  }
  const range = findMessageRange(call, actor, params.narrow, query);
  return {
    messages: yield* viewsInSlices(call, findMessages(call.db, range.ids), range.searches, options),
    anchor: range.anchor,
    found_anchor: range.foundAnchor,
    found_oldest: range.foundOldest,
    found_newest: range.foundNewest,
    history_limited: false,
  };
}

type GetMessagesParams = ParamsOf<typeof endpoints.getMessages>;

const maxFetched = 5000;
const rangeParams = [
  'num_before',
  'num_after',
  'anchor',
  'message_ids',
  'include_anchor',
  'use_first_unread_anchor',
].join(', ');

/** Returns the requested list of ids or range around an anchor; throws if the request has both. */
function messagesQuery(params: GetMessagesParams): {messageIds: Ids} | MessageRange {
  const {num_before: before, num_after: after, include_anchor: includeAnchor, message_ids: ids} = params;
  if (ids !== undefined) {
    const hasRange =
      before > 0 || after > 0 || !includeAnchor || params.anchor !== undefined || params.use_first_unread_anchor;
    if (hasRange) {
      const message = `Unsupported parameter combination: ${rangeParams}`;
      throw badRequest(message, {parameters: rangeParams});
    }
    if (ids.length > maxFetched) throw tooManyError();
    return {messageIds: ids};
  }
  if (before + after > maxFetched) throw tooManyError();
  return {anchor: anchorOf(params), includeAnchor, before, after};
}

function tooManyError() {
  return badRequest(`Too many messages requested (maximum ${maxFetched}).`);
}

function anchorOf(params: GetMessagesParams): Anchor {
  if (params.use_first_unread_anchor) return 'first_unread';
  check(params.anchor !== undefined, "Missing 'anchor' argument.");
  if (params.anchor !== 'date') return params.anchor;
  check(params.anchor_date !== undefined, "Missing 'anchor_date' argument.");
  return {since: secondsOf(params.anchor_date)};
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const isoDateTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/i;

/** Parses a date as UNIX seconds. The default time is midnight, the default zone UTC. */
function secondsOf(text: string): number {
  const trimmed = text.trim();
  const [, date, time, zone] = isoDateTime.exec(trimmed) ?? [];
  const full = isoDate.test(trimmed) ? `${trimmed}T00:00:00Z` : `${date}T${time}${zoneOf(zone)}`;
  const milliseconds = Date.parse(full);
  check(!Number.isNaN(milliseconds), 'anchor_date is not an ISO 8601 datetime string');
  return Math.ceil(milliseconds / 1000);
}

function zoneOf(zone: string | undefined): string {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 'Z';
  return zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
}
