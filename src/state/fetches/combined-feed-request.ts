import {combinedFeedNarrow, narrowIs} from '#state/model/narrow.ts';
import {firstUnreadId} from '#state/selectors/timeline.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {messagesRequest, type PageRequest} from './fetch-page.ts';
import type {GetMessagesArgs} from './page-args.ts';

type GetMessagesResult = ResultOf<Endpoints['getMessages']>;
type SendGetMessages = (question: GetMessagesArgs) => Promise<GetMessagesResult>;

/** Mentions are few: asked for in small pages that grow. */
const fewMentions = 20;
const mostAtOnce = 1000;

/**
 * For a part of the combined feed. The server leaves out whatever is in muted places and gives what muted people wrote; the
 * feed shows mentions wherever they are and nothing else of muted people. So mentions are asked for beside the page, and a
 * page of which nothing would be shown is asked for further on. Where nothing is muted it is one question.
 */
export function combinedFeedRequest(
  context: SessionContext,
  question: GetMessagesArgs,
  state: AccountState,
): PageRequest['send'] {
  return async (signal) => {
    const inFeed: SendGetMessages = (each) =>
      messagesRequest(context, {...each, narrow: [...combinedFeedNarrow]})(signal);
    const mentions: SendGetMessages = (each) =>
      messagesRequest(context, {...each, narrow: narrowIs('mentioned').slice()})(signal);
    const page = await pageWithUnmuted(state, inFeed, begunAtUnread(state, question));
    return hasMutedConversations(state) ? withMentions(page, await mentionsIn(page, mentions)) : page;
  };
}

/** The first unread message may be a mention that the server does not count here. */
function begunAtUnread(state: AccountState, question: GetMessagesArgs): GetMessagesArgs {
  if (question.anchor !== 'first_unread' || state.unreads.oldMissing) return question;
  return {...question, anchor: firstUnreadId(state, combinedFeedNarrow) ?? question.anchor};
}

function hasMutedConversations({userTopics, subscriptions}: AccountState): boolean {
  for (const {policy} of userTopics.values()) if (policy === visibilityPolicies.muted) return true;
  for (const {isMuted} of subscriptions.values()) if (isMuted) return true;
  return false;
}

async function pageWithUnmuted(
  state: AccountState,
  ask: SendGetMessages,
  question: GetMessagesArgs,
): Promise<GetMessagesResult> {
  const isHeard = ({sender_id, flags}: FetchedMessage) =>
    !state.mutedUsers.has(sender_id) || flags.includes('mentioned');
  let page = await ask(question);
  while (!page.messages.some(isHeard)) {
    const [first, last] = [page.messages[0]?.id, page.messages.at(-1)?.id];
    if (first === undefined || last === undefined) break;
    if ((question.num_before ?? 0) > 0 && page.found_oldest === false) {
      const older = await ask(beyond(first, {num_before: mostAtOnce, num_after: 0}));
      page = {
        ...page,
        messages: [...older.messages, ...page.messages],
        found_oldest: isEnd(older, 'found_oldest'),
      };
    } else if ((question.num_after ?? 0) > 0 && page.found_newest === false) {
      const newer = await ask(beyond(last, {num_before: 0, num_after: mostAtOnce}));
      page = {
        ...page,
        messages: [...page.messages, ...newer.messages],
        found_newest: isEnd(newer, 'found_newest'),
      };
    } else break;
  }
  return page;
}

function beyond(anchor: number, counts: Pick<GetMessagesArgs, 'num_before' | 'num_after'>): GetMessagesArgs {
  return {anchor, include_anchor: false, ...counts};
}

function isEnd(answer: GetMessagesResult, end: 'found_oldest' | 'found_newest'): boolean {
  return answer.messages.length === 0 || answer[end] !== false;
}

/** All mentions between the first and the last message of a page, or beyond them where nothing else is. */
async function mentionsIn(page: GetMessagesResult, ask: SendGetMessages): Promise<readonly FetchedMessage[]> {
  const {messages} = page;
  const low = page.found_oldest === true ? 0 : messages[0]?.id;
  const high = page.found_newest === true ? ('newest' as const) : messages.at(-1)?.id;
  if (low === undefined || high === undefined) return [];
  const found: FetchedMessage[] = [];
  let question: GetMessagesArgs = {anchor: high, num_before: fewMentions, num_after: 0};
  for (;;) {
    const answer = await ask(question);
    const first = answer.messages[0]?.id;
    found.push(...answer.messages.filter(({id}) => id >= low));
    if (first === undefined || first <= low || isEnd(answer, 'found_oldest')) return found;
    question = beyond(first, {num_before: Math.min(found.length * 2, mostAtOnce), num_after: 0});
  }
}

function withMentions(page: GetMessagesResult, mentions: readonly FetchedMessage[]): GetMessagesResult {
  const byId = new Map([...page.messages, ...mentions].map((message) => [message.id, message]));
  return {...page, messages: [...byId.values()].sort((a, b) => a.id - b.id)};
}
