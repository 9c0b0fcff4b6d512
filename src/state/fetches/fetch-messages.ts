import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, conversationKey, directConversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationNarrow, type Narrow, narrowIs, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {SessionContext} from '#state/session-context.ts';
import {attachmentFromWire} from '#state/slices/attachments.ts';
import type {AccountState} from '#state/state.ts';
import {type KeyedUnreadMessage, keyedUnreadMessage} from '#state/unreads/keyed-unread-message.ts';
import {invariant} from '#std/invariant.ts';
import type {ServerEvent} from '#wire/events.ts';
import {isRefusal} from '#wire/failure.ts';
import type {NarrowTerm} from '#wire/narrow.ts';
import {
  cancelFetches,
  fetchOnce,
  fetchPage,
  fetchWithRetries,
  type GetMessagesResult,
  maxPageSize,
  messagesRequest,
  type PageRequest,
  singleMessageRequest,
  wireNarrow,
} from './fetch-page.ts';
import type {FetchKey} from './fetch-state.ts';

/** The number of attempts after which a response is used although an event changed its subject meanwhile. */
const maxAttempts = 3;

export function fetchTopics(context: SessionContext, channelId: number): Promise<void> {
  const args = {stream_id: channelId, allow_empty_topic_name: true};
  return fetchCurrent(context, ['topics', channelId], {
    subject: ({topics}) => topics.get(channelId),
    send: (signal) => context.api.getTopics(args, {signal}),
    use: (response, isCurrent) => {
      const topics = response.topics.map(({name, max_id: maxId}) => ({name, maxId}));
      context.cache.apply({type: 'topics_fetched', channelId, topics, isCurrent});
    },
  });
}

export function fetchSubscribers(context: SessionContext, channelId: number): Promise<void> {
  return fetchCurrent(context, ['subscribers', channelId], {
    subject: ({subscribers}) => subscribers.get(channelId),
    send: (signal) => context.api.getSubscribers({stream_id: channelId}, {signal}),
    use: ({subscribers: userIds}) => {
      context.cache.apply({type: 'subscribers_fetched', channelId, userIds});
    },
  });
}

interface CurrentFetch<T, R> {
  /** What the response is about. */
  readonly subject: (state: AccountState) => unknown;
  readonly send: (signal: AbortSignal) => Promise<T>;
  /** `isCurrent`: the subject did not change meanwhile. */
  readonly use: (response: T, isCurrent: boolean) => R;
}

/** Fetches, and repeats the request when its subject changed meanwhile: the response may be older than the change. */
function fetchCurrent<T, R>(
  context: SessionContext,
  key: FetchKey,
  {subject, send, use}: CurrentFetch<T, R>,
): Promise<R> {
  const readVersion = () => ({queueId: context.queueId(), subject: subject(context.cache.state)});
  return fetchOnce(context, key, async (signal) => {
    for (let attempt = 1; ; attempt++) {
      const before = readVersion();
      const response = await fetchWithRetries(context, signal, () => send(signal));
      const after = readVersion();
      const isCurrent = after.subject === before.subject;
      if (after.queueId !== before.queueId || !(isCurrent || attempt >= maxAttempts)) continue;
      signal.throwIfAborted();
      return use(response, isCurrent);
    }
  });
}

export interface UploadSpace {
  /** The bytes that all files of the organization use; undefined if the server does not say. */
  readonly used: number | undefined;
}

/** Fetches the user's uploaded files, which events keep current afterwards, and the space that files use. */
export function fetchAttachments(context: SessionContext): Promise<UploadSpace> {
  return fetchCurrent(context, ['attachments'], {
    subject: ({attachments}) => attachments,
    send: (signal) => context.api.getAttachments({}, {signal}),
    use: ({attachments, upload_space_used: used}) => {
      context.cache.apply({type: 'attachments_fetched', attachments: attachments.map(attachmentFromWire)});
      return {used};
    },
  });
}

/** Fetches those of the messages that exist; does nothing on servers that return them only one by one. */
export async function fetchMessagesByIds(context: SessionContext, ids: readonly number[]): Promise<void> {
  const {abilities} = context.cache.state.server;
  if (ids.length === 0 || !abilities.messagesByIds) return;
  await fetchPage(context, {send: messagesRequest(context, {message_ids: [...ids]})}, context.signal);
}

/** Enough to fill the list of recent conversations when one conversation was very busy. */
const recentMessageCount = 200;

const recentArgs = {anchor: 'newest', num_before: recentMessageCount, num_after: 0} as const;

/**
 * Requests the newest messages of all conversations before the state of a new registration is applied. Call it when the new
 * queue exists and none of its events were read, so that no event is missing between request and `fetchRecentMessages`.
 */
export function requestRecentMessages(context: SessionContext): Promise<GetMessagesResult> {
  const response = messagesRequest(context, recentArgs)(context.signal);
  // `fetchRecentMessages` handles the failure.
  response.catch(() => {});
  return response;
}

/** Fetches the newest messages of all conversations. `requested` is the response of a request that was already sent. */
export function fetchRecentMessages(context: SessionContext, requested?: Promise<GetMessagesResult>): Promise<void> {
  let first = requested;
  const send: PageRequest['send'] = (signal) => {
    const response = first ?? messagesRequest(context, recentArgs)(signal);
    first = undefined;
    return response;
  };
  return fetchOnce(context, ['recent'], async (signal) => void (await fetchPage(context, {send}, signal)));
}

const newestDirectKey = 'newest direct';

/** Fetches the id of the newest message of a direct conversation, to correct the list of these conversations. */
function fetchNewestDirect(context: SessionContext, conversation: Conversation): Promise<void> {
  const key = conversationKey(conversation);
  const args = {narrow: [...conversationNarrow(conversation)], anchor: 'newest' as const, num_before: 1, num_after: 0};
  return fetchCurrent(context, [newestDirectKey, key], {
    subject: ({directs}) => directs.get(key),
    send: messagesRequest(context, args),
    use: ({messages}, isCurrent) => {
      if (isCurrent) context.cache.apply({type: 'newest_direct_fetched', key, maxId: messages.at(-1)?.id});
    },
  });
}

/** Fetches the newest message of direct conversations whose newest one was deleted. */
export function refetchDirects(context: SessionContext, events: readonly ServerEvent[]): void {
  if (!events.some((event) => event.type === 'delete_message' && event.message_type === 'private')) return;
  // Their responses may be from before this deletion.
  cancelFetches(context, newestDirectKey);
  for (const {userIds, isGuess} of context.cache.base.directs.values()) {
    // After a failure, the next registration tells it.
    if (isGuess) fetchNewestDirect(context, {kind: 'direct', userIds}).catch(() => {});
  }
}

/** Older ones are loaded when their conversation is opened. */
const maxAlertedMessages = 200;

/**
 * Fetches the unread messages that contain an alert word. A registration lists unread messages and mentions,
 * but alert words are flags of the messages themselves.
 */
export async function fetchAlertedMessages(context: SessionContext): Promise<void> {
  if (context.cache.state.alertWords.length === 0) return;
  const narrow = [...narrowIs('alerted'), ...narrowIs('unread')];
  const args = {narrow, anchor: 'newest', num_before: maxAlertedMessages, num_after: 0} as const;
  await fetchPage(context, {send: messagesRequest(context, args)}, context.signal);
}

/** Fetches one message from the server, even if it is loaded. */
export function fetchMessage(context: SessionContext, messageId: number): Promise<Message> {
  return fetchOnce(context, ['message', messageId], async (signal) => {
    const [message] = await fetchPage(context, {send: singleMessageRequest(context, messageId)}, signal);
    invariant(message !== undefined, 'a response without its message');
    return message;
  });
}

/** Asks the server which live messages of a timeline match a narrow that the client cannot evaluate. */
export function fetchNarrowMatches(context: SessionContext, {narrow, undecidedIds}: Timeline): Promise<void> {
  const {api, cache} = context;
  return fetchOnce(context, ['timeline', narrowKey(narrow), 'matches'], async (signal) => {
    let pendingIds = undecidedIds.toArray();
    while (pendingIds.length > 0) {
      const versions = new Map(pendingIds.map((id) => [id, cache.base.messages.byId.get(id)]));
      const args = {msg_ids: pendingIds, narrow: wireNarrow(narrow, cache.state.self.userId)};
      const {messages} = await fetchWithRetries(context, signal, () => api.matchNarrow(args, {signal}));
      signal.throwIfAborted();
      // Messages that changed while the request was in flight are asked about again.
      const isUnchanged = (id: number) => cache.base.messages.byId.get(id) === versions.get(id);
      const decidedIds = pendingIds.filter(isUnchanged);
      const matches = Object.entries(messages)
        .map(([id, match]) => ({id: Number(id), content: match.match_content, topic: match.match_subject}))
        .filter(({id}) => isUnchanged(id));
      cache.apply({type: 'matches_fetched', narrow, decidedIds, matches});
      pendingIds = pendingIds.filter((id) => !decidedIds.includes(id));
    }
  });
}

interface ResolvedNarrow {
  /** The terms without `near` and `with`. */
  readonly narrow: Narrow;
  /** The message to open at, if the narrow names one. */
  readonly near: number | undefined;
}

const conversationOperators = new Set(['channel', 'topic', 'dm']);

/**
 * Resolves `near` and `with`. `near` is only the position to open at. `with` stands for the conversation that
 * its message is in now; if the message is inaccessible, the narrow's other conversation terms count.
 */
export async function resolveNarrow(context: SessionContext, requested: Narrow): Promise<ResolvedNarrow> {
  const selfId = context.cache.state.self.userId;
  const near = messageIdOf(requested.find(({operator}) => operator === 'near'));
  const withId = messageIdOf(requested.find(({operator}) => operator === 'with'));
  const terms = requested
    .filter(({operator}) => operator !== 'near' && operator !== 'with')
    .map((term) => withoutSelf(term, selfId));
  if (withId === undefined) return {narrow: terms, near};
  const others = terms.filter(({operator}) => !conversationOperators.has(operator));
  const conversation = await conversationWith(context, withId, others.length < terms.length);
  const narrow = conversation === undefined ? terms : [...conversationNarrow(conversation), ...others];
  return {narrow, near: near ?? (conversation === undefined ? undefined : withId)};
}

function messageIdOf(term: NarrowTerm | undefined): number | undefined {
  const id = Number(term?.operand);
  return term !== undefined && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function withoutSelf(term: NarrowTerm, selfId: number): NarrowTerm {
  if (term.operator !== 'dm' || !Array.isArray(term.operand)) return term;
  const people = term.operand.map(Number);
  return people.every(Number.isSafeInteger)
    ? {...term, operand: [...directConversation(people, selfId).userIds]}
    : term;
}

async function conversationWith(context: SessionContext, messageId: number, mayBeMissing: boolean) {
  const loaded = context.cache.state.messages.byId.get(messageId);
  if (loaded !== undefined) return conversationOf(loaded);
  try {
    return conversationOf(await fetchMessage(context, messageId));
  } catch (error) {
    if (mayBeMissing && isRefusal(error)) return undefined;
    throw error;
  }
}

/** Messages of a narrow, oldest first. */
export interface NarrowMessages {
  readonly messages: readonly KeyedUnreadMessage[];
  /** Whether these are all; otherwise there are more, and older ones. */
  readonly isComplete: boolean;
}

/** Fetches the newest messages of a narrow without adding them to the state: for counting them, and for an exact undo. */
export async function fetchNarrowMessages(
  context: SessionContext,
  narrow: Narrow,
  maxCount: number,
): Promise<NarrowMessages> {
  const pages: KeyedUnreadMessage[][] = [];
  let count = 0;
  let range: {anchor: number | 'newest'; include_anchor: boolean} = {anchor: 'newest', include_anchor: true};
  for (;;) {
    const args = {...range, num_before: maxPageSize, num_after: 0, narrow: [...narrow]};
    const {messages, found_oldest} = await messagesRequest(context, args)(context.signal);
    const anchor = range.anchor;
    const older = messages.filter(({id}) => anchor === 'newest' || id < anchor);
    pages.unshift(older.map((wire) => keyedUnreadMessage(context.cache.state, wire)));
    count += older.length;
    const [first] = older;
    if (found_oldest === true || first === undefined) return {messages: pages.flat(), isComplete: true};
    if (count >= maxCount) return {messages: pages.flat(), isComplete: false};
    range = {anchor: first.id, include_anchor: false};
  }
}

/** Asks the server for the user of an address. */
export async function fetchUserIdByEmail({api}: SessionContext, email: string): Promise<number> {
  return (await api.getUserByEmail({email})).user.user_id;
}
