import type {AccountFlags} from '#cli/account-access/lazy-account.ts';
import {
  conversationNeeds,
  type StateContext,
  withFetchedUsers,
  withSessionContext,
  withState,
} from '#cli/account-access/with-state.ts';
import type {CliIo} from '#cli/io.ts';
import {
  type InboxOverview,
  inboxMessageIds,
  inboxOverview,
  type UnreadOverview,
  unreadOverview,
} from '#cli/messages/unread-overview.ts';
import {fetchRecentMessages} from '#state/fetches/fetch-messages.ts';
import {fetchPage} from '#state/fetches/fetch-page.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import type {FetchType} from '#wire/fetch-types.ts';

/** The data that finding the unread messages of a conversation requires. */
export const unreadNeeds = [
  ...conversationNeeds,
  'message',
  'update_message_flags',
  'user_topic',
  'muted_topics',
] as const satisfies FetchType[];

/** The data that building the inbox requires. */
export const inboxNeeds = {
  fetch: [...unreadNeeds, 'user_settings', 'channel_folders', 'drafts', 'alert_words'],
  people: 'self',
} as const;

/** Registers with the server for what `parley unread` prints. */
export function fetchUnreadOverview(flags: AccountFlags, io: CliIo, signal: AbortSignal): Promise<UnreadOverview> {
  return withState(flags, io, signal, inboxNeeds, async (context) =>
    unreadOverview((await withNamedDirects(context)).state),
  );
}

/** Fetches the users in direct message conversations with unread messages. */
function withNamedDirects(context: StateContext): Promise<StateContext> {
  const users = [...context.state.unreads.conversations.values()].flatMap(({conversation}) =>
    conversation.kind === 'direct' ? conversation.userIds : [],
  );
  return withFetchedUsers(context, users);
}

/** Fetches what `parley inbox` prints. */
export function fetchInboxOverview(flags: AccountFlags, io: CliIo, signal: AbortSignal): Promise<InboxOverview> {
  return withState(flags, io, signal, inboxNeeds, async (context) =>
    inboxOverview(await withPreviews(await withNamedDirects(context))),
  );
}

/** Adds the first and the last unread message of each conversation, and the newest messages, as the screen does. */
function withPreviews(verbContext: StateContext): Promise<AccountState> {
  const ids = inboxMessageIds(verbContext.state);
  if (ids.length === 0) return Promise.resolve(verbContext.state);
  return withSessionContext(verbContext, async (context) => {
    const hasAll = context.cache.state.server.abilities.messagesByIds;
    // Previews are optional: if they fail, the list is printed without them.
    await Promise.allSettled([fetchRecentMessages(context), ...(hasAll ? [fetchIds(context, ids)] : [])]);
    verbContext.signal.throwIfAborted();
    return context.cache.state;
  });
}

function fetchIds(context: SessionContext, ids: readonly number[]): Promise<unknown> {
  const query = {message_ids: [...ids], apply_markdown: false, client_gravatar: true};
  const send = (signal: AbortSignal) => context.api.getMessages(query, {signal});
  return fetchPage(context, {send}, context.signal);
}
