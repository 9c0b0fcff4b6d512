import type {AccountFlags} from '#cli/account-access/lazy-account.ts';
import {
  conversationNeeds,
  type StateContext,
  withFetchedUsers,
  withSessionContext,
  withState,
} from '#cli/account-access/with-state.ts';
import {type CliIo, outputColumns} from '#cli/io.ts';
import {
  conversationJson,
  messageExcerpt,
  type OutputStyle,
  outputStyle,
  plainStyle,
} from '#cli/messages/message-text.ts';
import {type UnreadOverview, unreadOverview} from '#cli/messages/unread-overview.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {fetchRecentMessages} from '#state/fetches/fetch-messages.ts';
import {fetchPage} from '#state/fetches/fetch-page.ts';
import {type InboxGroup, type InboxGroupId, type InboxRow, inboxGroups} from '#state/selectors/inbox/inbox.ts';
import {userName} from '#state/selectors/names/names.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import type {FetchType} from '#wire/fetch-types.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {stateVerb} from './account-verb.ts';
import {inboxRowLines, missingNotice} from './unread.ts';
import type {VerbRunner} from './verb-table.ts';

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

const headings: Readonly<Record<InboxGroupId, string>> = {
  mentions: 'Mentions',
  direct: 'Direct messages',
  followed: 'Followed topics',
  pinned: 'Pinned channels',
  channels: 'Channels',
  muted: 'Muted',
};

/** The number of rows whose first unread message is fetched: more than a screen shows. */
const maxSnippets = 200;

export const inbox: VerbRunner<'inbox'> = stateVerb(inboxNeeds, async (context) => {
  const {io, values} = context;
  const state = await withSnippets(await withNamedDirects(context));
  const groups = inboxGroups(state).filter(({rows}) => rows.length > 0);
  const lines = groups.flatMap((group) => groupLines(io, state, group, outputStyle(io, values.color)));
  return {
    json: {groups: groups.map((group) => groupJson(state, group))},
    text: groups.length === 0 ? 'No unread messages.' : lines.join('\n'),
    isStyled: true,
    notice: missingNotice(!state.unreads.oldMissing),
  };
});

/** Adds the first and the last unread message of each conversation, and the newest messages, as the screen does. */
function withSnippets(verbContext: StateContext): Promise<AccountState> {
  const rows = inboxGroups(verbContext.state).flatMap((group) => group.rows);
  if (rows.length === 0) return Promise.resolve(verbContext.state);
  const shown = rows.slice(0, maxSnippets);
  const ids = [...new Set(shown.flatMap(({oldestUnreadId, newestUnreadId}) => [oldestUnreadId, newestUnreadId]))];
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

function groupLines(io: CliIo, state: AccountState, {id, rows, messageCount}: InboxGroup, style: OutputStyle) {
  const counts = `${countedNoun(rows.length, 'conversation')}, ${countedNoun(messageCount, 'message')}`;
  const lines = inboxRowLines(rows, style);
  const plainLines = inboxRowLines(rows, plainStyle);
  const rowLines = rows.map((row, at) => {
    const snippet = snippetOf(state, row, io, textColumns(plainLines[at] ?? ''));
    return composed`${lines[at]}${snippet === '' ? '' : composed`  ${style.faint(snippet)}`}`;
  });
  return [style.heading(`${headings[id]} (${counts})`), ...rowLines];
}

/** Returns as much of the first unread message as fits on the line after `usedColumns`. */
function snippetOf(state: AccountState, row: InboxRow, io: CliIo, usedColumns: number): string {
  if (row.snippet === undefined || row.snippet === '') return '';
  const message = state.messages.byId.get(row.oldestUnreadId);
  const {conversation} = row;
  // In a conversation with one other user the name is on the line already.
  const isOneToOne = conversation.kind === 'direct' && conversation.userIds.length === 1;
  const sender =
    message === undefined || isOneToOne ? '' : composed`${userName(state, message.senderId, message.senderName)}: `;
  const text = composed`${sender}${messageExcerpt(state, row.snippet, row.snippetFacts)}`;
  const room = outputColumns(io) - usedColumns - 2;
  return room < 10 ? '' : truncateToColumns(printableLine(text), room);
}

function groupJson(state: AccountState, {id, rows, messageCount}: InboxGroup) {
  return {
    group: id,
    messageCount,
    rows: rows.map((row) => ({
      conversation: conversationJson(state, row.conversation),
      count: row.count,
      hasMention: row.mentions > 0,
      hasAlertWord: row.hasAlertWord,
      isFollowed: row.isFollowed,
      isResolved: row.isResolved,
      hasDraft: row.hasDraft,
      oldestUnreadId: row.oldestUnreadId,
      newestUnreadId: row.newestUnreadId,
      oldestUnreadAt: row.oldestUnreadAt ?? null,
      newestUnreadAt: row.newestUnreadAt ?? null,
      snippet: row.snippet ?? null,
    })),
  };
}
