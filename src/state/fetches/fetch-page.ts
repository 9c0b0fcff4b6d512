import {failureMessage, isApiFailure} from '#api/failure.ts';
import type {LocalEvent, MessagesFetched, TimelinePage} from '#state/local-events.ts';
import type {LoggedEvent} from '#state/messages/event-log.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import type {WireTerm} from '#wire/narrow.ts';
import {type FetchedMessage, noAnchor} from '#wire/objects/message.ts';
import {fetchWithRetries} from './fetch-once.ts';
import type {GetMessagesArgs} from './page-args.ts';

type GetMessagesResult = ResultOf<Endpoints['getMessages']>;

/** Content as it was written, and the empty topic as it is. */
const asWritten = {apply_markdown: false, client_gravatar: true, allow_empty_topic_name: true} as const;

export interface PageRequest {
  readonly send: (signal: AbortSignal) => Promise<GetMessagesResult>;
  /** Which timeline the answer extends, and how; undefined when it is just messages. */
  readonly timeline?: {readonly narrow: Narrow; readonly joins: TimelinePage['joins']} | undefined;
  /** The message it was asked around, if that was known. */
  readonly anchor?: number | undefined;
}

/** For a part of a narrow. */
export function messagesRequest(context: SessionContext, question: GetMessagesArgs): PageRequest['send'] {
  return (signal) => {
    const narrow = wireNarrow(question.narrow ?? [], context.cache.state.self.userId);
    return context.api.getMessages({...asWritten, ...question, narrow}, {signal});
  };
}

export function singleMessageRequest(context: SessionContext, messageId: number): PageRequest['send'] {
  return async (signal) => {
    const args = {message_id: messageId, apply_markdown: false, allow_empty_topic_name: true};
    return {messages: [(await context.api.getMessage(args, {signal})).message]};
  };
}

/**
 * Messages, asked for and let in by the door. Between asking and answering, events about messages are logged, so that an
 * answer older than an event does not undo it.
 *
 * An answer that crosses a new registration is asked for again: what happened between the two queues is in no log.
 */
export async function fetchPage(
  context: SessionContext,
  request: PageRequest,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const {timeline} = request;
  for (;;) {
    signal.throwIfAborted();
    const queueId = context.queueId();
    context.cache.apply(
      {type: 'fetch_started'},
      ...(timeline === undefined ? [] : [loading(timeline.narrow, timeline.joins)]),
    );
    const since = context.cache.state.log.last;
    try {
      const answer = await fetchWithRetries(context, signal, () => request.send(signal));
      signal.throwIfAborted();
      if (context.queueId() === queueId) return applyFetchedPage(context, request, answer, since);
    } catch (error) {
      applyFetchFailed(context, signal.aborted ? undefined : timeline?.narrow, error);
      throw error;
    }
    applyFetchFailed(context, undefined, undefined);
  }
}

function applyFetchedPage(
  {cache}: SessionContext,
  request: PageRequest,
  answer: GetMessagesResult,
  since: LoggedEvent | undefined,
): readonly Message[] {
  const event = fetchedEvent(cache.state.self.userId, request, answer, since);
  cache.apply(event);
  return event.messages;
}

function fetchedEvent(
  selfId: number,
  {timeline, anchor}: PageRequest,
  answer: GetMessagesResult,
  since: LoggedEvent | undefined,
): MessagesFetched {
  const {messages, unreadIds, matches} = fromWire(answer.messages, selfId);
  const page = timeline && {...timeline, ...ends(answer, anchor), matches};
  return {type: 'messages_fetched', messages, unreadIds, since, page};
}

/**
 * A timeline of a state that is about to take the place of all that is known, as events to commit together with it: nobody
 * sees it empty in between. Asked for when the queue exists already and nothing of it was read.
 */
export async function preparePage(
  context: SessionContext,
  {narrow, selfId}: {readonly narrow: Narrow; readonly selfId: number},
  request: PageRequest,
  signal: AbortSignal,
): Promise<() => readonly LocalEvent[]> {
  const answer = await request.send(signal);
  return () => [
    {type: 'timeline_opened', narrow},
    {type: 'fetch_started'},
    fetchedEvent(selfId, request, answer, context.cache.state.log.last),
  ];
}

function loading(narrow: Narrow, joins: TimelinePage['joins']) {
  return {
    type: 'timeline_loading',
    narrow,
    loading: joins === 'replace' ? ('first' as const) : joins,
  } as const;
}

/** What did not arrive is no longer waited for. */
function applyFetchFailed({cache, log}: SessionContext, narrow: Narrow | undefined, error: unknown): void {
  if (narrow !== undefined && !isApiFailure(error)) log('Fetched messages could not be taken in', error);
  const problem = isApiFailure(error)
    ? failureMessage(error)
    : 'Parley could not make sense of the messages.';
  cache.apply({type: 'fetch_failed', narrow, problem});
}

function ends(answer: GetMessagesResult, known: number | undefined) {
  const anchor = known ?? answer.anchor;
  return {
    anchor: anchor === undefined || anchor >= noAnchor ? undefined : anchor,
    // Where there was nothing to give there is nothing more.
    foundOldest: answer.found_oldest ?? answer.messages.length === 0,
    foundNewest: answer.found_newest ?? answer.messages.length === 0,
  };
}

/** The server knows a conversation with nobody else by oneself. */
export function wireNarrow(narrow: readonly WireTerm[], selfId: number): WireTerm[] {
  return narrow.map((term) => {
    if (Array.isArray(term) || term.operator !== 'dm') return term;
    return Array.isArray(term.operand) && term.operand.length === 0 ? {...term, operand: [selfId]} : term;
  });
}

function fromWire(wire: readonly FetchedMessage[], selfId: number) {
  const messages: Message[] = [];
  const unreadIds: number[] = [];
  const matches: {id: number; content: string; topic: string}[] = [];
  for (const each of wire) {
    const flags = each.flags.filter((flag) => flag !== 'read');
    messages.push(messageFromWire(each, flags, selfId));
    if (flags.length === each.flags.length) unreadIds.push(each.id);
    const {match_content: content, match_subject: topic} = each;
    if (content !== undefined || topic !== undefined) {
      matches.push({id: each.id, content: content ?? '', topic: topic ?? ''});
    }
  }
  return {messages, unreadIds, matches};
}
