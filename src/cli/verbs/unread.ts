import {
  conversationNeeds,
  type StateContext,
  withFetchedUsers,
  withSessionContext,
} from '#cli/account-access/with-state.ts';
import {type CliIo, outputColumns} from '#cli/io.ts';
import {
  conversationJson,
  messageExcerpt,
  type OutputStyle,
  outputStyle,
  plainStyle,
} from '#cli/messages/message-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {fetchRecentMessages} from '#state/fetches/fetch-messages.ts';
import {fetchPage} from '#state/fetches/fetch-page.ts';
import {type InboxGroup, type InboxGroupId, type InboxRow, inboxGroups} from '#state/selectors/inbox/inbox.ts';
import {userName} from '#state/selectors/names/names.ts';
import {mentionCounts, type UnreadCounts, unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import type {FetchType} from '#wire/fetch-types.ts';
import {countedNoun, unreadCountText} from '#wording/counted-noun.ts';
import {stateVerb} from './account-verb.ts';
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

/** Returns the notice for a server that reports only some of the unread messages. */
export function missingNotice({unreads}: AccountState, more = 'There are more.'): string | undefined {
  return unreads.oldMissing ? `The server reports only the newest unread messages. ${more}` : undefined;
}

export const unread: VerbRunner<'unread'> = stateVerb(inboxNeeds, async (context) => {
  const {io, values} = context;
  const {state} = await withNamedDirects(context);
  const groups = inboxGroups(state);
  const rowsOf = (isShown: (group: InboxGroup) => boolean) => groups.filter(isShown).flatMap(({rows}) => rows);
  const counts = unreadCounts(state);
  const lines = inboxRowLines(
    rowsOf(({id}) => id !== 'muted' || values.muted),
    outputStyle(io, values.color),
  );
  const unmuted = rowsOf(({id}) => id !== 'muted').length;
  return {
    json: unreadJson(
      state,
      counts,
      rowsOf(() => true),
    ),
    text: [totalLine(counts, unmuted), ...lines].join('\n'),
    isStyled: true,
    notice: missingNotice(state),
  };
});

/** Fetches the users in direct message conversations with unread messages. */
function withNamedDirects(context: StateContext): Promise<StateContext> {
  const users = [...context.state.unreads.conversations.values()].flatMap(({conversation}) =>
    conversation.kind === 'direct' ? conversation.userIds : [],
  );
  return withFetchedUsers(context, users);
}

function totalLine({total, directs, mentions, muted}: UnreadCounts, conversations: number): string {
  if (total === 0) return muted === 0 ? 'No unread messages.' : `No unread messages except ${muted} muted.`;
  const details = [
    ...(directs > 0 ? [`${directs} in direct messages`] : []),
    ...(mentions > 0 ? [`${mentions} mentioning you`] : []),
    ...(muted > 0 ? [`${muted} more muted`] : []),
  ];
  const counted = `${countedNoun(total, 'unread message')} in ${countedNoun(conversations, 'conversation')}`;
  return `${counted}${details.length === 0 ? '' : `: ${details.join(', ')}`}`;
}

function inboxRowLines(rows: readonly InboxRow[], {name}: Pick<OutputStyle, 'name'>): string[] {
  const counts = rows.map(unreadCountText);
  const width = Math.max(3, ...counts.map(({length}) => length));
  return rows.map(({title, mentions}, at) => {
    const text = printableLine(title);
    return composed`${(counts[at] ?? '').padStart(width)}  ${mentions > 0 ? name(text) : text}`;
  });
}

function unreadJson(state: AccountState, counts: UnreadCounts, rows: readonly InboxRow[]) {
  const {total, all, directs, mentions, muted} = counts;
  const mentioning = mentionCounts(state);
  return {
    total,
    all,
    directs,
    mentions,
    muted,
    isComplete: !state.unreads.oldMissing,
    conversations: rows.map((row) => ({
      conversation: conversationJson(state, row.conversation),
      count: row.count,
      mentions: mentioning.get(row.key) ?? 0,
      isMuted: row.group === 'muted',
      oldestUnreadId: row.oldestUnreadId,
      newestUnreadId: row.newestUnreadId,
    })),
  };
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
    notice: missingNotice(state),
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
