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
type SendGetMessages = (args: GetMessagesArgs) => Promise<GetMessagesResult>;

/** Mentions are few, so they are fetched in small pages that grow. */
const firstMentionPage = 20;
const maxPageSize = 1000;

/**
 * Returns a request for a page of the combined feed. The server leaves out everything in muted topics and channels, but
 * includes messages of muted users; the feed shows mentions everywhere and nothing else of muted users. So mentions are
 * fetched in addition, and a page without visible messages is extended. Without muting it is a single request.
 */
export function combinedFeedRequest(
  context: SessionContext,
  args: GetMessagesArgs,
  state: AccountState,
): PageRequest['send'] {
  return async (signal) => {
    const sendFeed: SendGetMessages = (pageArgs) =>
      messagesRequest(context, {...pageArgs, narrow: [...combinedFeedNarrow]})(signal);
    const sendMentions: SendGetMessages = (pageArgs) =>
      messagesRequest(context, {...pageArgs, narrow: narrowIs('mentioned').slice()})(signal);
    const page = await pageWithUnmuted(state, sendFeed, withUnreadAnchor(state, args));
    return hasMutedConversations(state) ? withMentions(page, await mentionsIn(page, sendMentions)) : page;
  };
}

/** Starts at the first unread message, which may be a mention that the server's `first_unread` ignores. */
function withUnreadAnchor(state: AccountState, args: GetMessagesArgs): GetMessagesArgs {
  if (args.anchor !== 'first_unread' || state.unreads.oldMissing) return args;
  return {...args, anchor: firstUnreadId(state, combinedFeedNarrow) ?? args.anchor};
}

function hasMutedConversations({userTopics, subscriptions}: AccountState): boolean {
  for (const {policy} of userTopics.values()) if (policy === visibilityPolicies.muted) return true;
  for (const {isMuted} of subscriptions.values()) if (isMuted) return true;
  return false;
}

async function pageWithUnmuted(
  state: AccountState,
  send: SendGetMessages,
  args: GetMessagesArgs,
): Promise<GetMessagesResult> {
  const isVisible = ({sender_id, flags}: FetchedMessage) =>
    !state.mutedUsers.has(sender_id) || flags.includes('mentioned');
  let page = await send(args);
  while (!page.messages.some(isVisible)) {
    const [first, last] = [page.messages[0]?.id, page.messages.at(-1)?.id];
    if (first === undefined || last === undefined) break;
    if ((args.num_before ?? 0) > 0 && page.found_oldest === false) {
      const older = await send(argsBeyond(first, {num_before: maxPageSize, num_after: 0}));
      page = {
        ...page,
        messages: [...older.messages, ...page.messages],
        found_oldest: isEnd(older, 'found_oldest'),
      };
    } else if ((args.num_after ?? 0) > 0 && page.found_newest === false) {
      const newer = await send(argsBeyond(last, {num_before: 0, num_after: maxPageSize}));
      page = {
        ...page,
        messages: [...page.messages, ...newer.messages],
        found_newest: isEnd(newer, 'found_newest'),
      };
    } else break;
  }
  return page;
}

function argsBeyond(anchor: number, counts: Pick<GetMessagesArgs, 'num_before' | 'num_after'>): GetMessagesArgs {
  return {anchor, include_anchor: false, ...counts};
}

function isEnd(response: GetMessagesResult, end: 'found_oldest' | 'found_newest'): boolean {
  return response.messages.length === 0 || response[end] !== false;
}

/**
 * Fetches all mentions between the first and the last message of a page, or beyond them where the page reaches an end.
 */
async function mentionsIn(page: GetMessagesResult, send: SendGetMessages): Promise<readonly FetchedMessage[]> {
  const {messages} = page;
  const low = page.found_oldest === true ? 0 : messages[0]?.id;
  const high = page.found_newest === true ? ('newest' as const) : messages.at(-1)?.id;
  if (low === undefined || high === undefined) return [];
  const found: FetchedMessage[] = [];
  let args: GetMessagesArgs = {anchor: high, num_before: firstMentionPage, num_after: 0};
  for (;;) {
    const response = await send(args);
    const first = response.messages[0]?.id;
    found.push(...response.messages.filter(({id}) => id >= low));
    if (first === undefined || first <= low || isEnd(response, 'found_oldest')) return found;
    args = argsBeyond(first, {num_before: Math.min(found.length * 2, maxPageSize), num_after: 0});
  }
}

function withMentions(page: GetMessagesResult, sendMentions: readonly FetchedMessage[]): GetMessagesResult {
  const byId = new Map([...page.messages, ...sendMentions].map((message) => [message.id, message]));
  return {...page, messages: [...byId.values()].sort((a, b) => a.id - b.id)};
}
