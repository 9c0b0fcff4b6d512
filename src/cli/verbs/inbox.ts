import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {type StateContext, withFetchedUsers, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {type CliIo, outputColumns, print, printJson, printNotice, printStyled} from '#cli/io.ts';
import {conversationJson} from '#cli/messages/message-json.ts';
import {messageExcerpt} from '#cli/messages/message-text.ts';
import {type OutputStyle, outputStyle, plainStyle} from '#cli/messages/output-style.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {fetchRecentMessages} from '#state/fetches/fetch-messages.ts';
import {fetchPage} from '#state/fetches/fetch-page.ts';
import {inboxGroups} from '#state/selectors/inbox/inbox.ts';
import type {InboxGroup} from '#state/selectors/inbox/inbox-groups.ts';
import type {InboxGroupId, InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import {userName} from '#state/selectors/names/names.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {inboxNeeds, inboxRowLines, usersInUnreadDirects} from './unread.ts';
import type {VerbRunner} from './verb-runner.ts';

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

export const inbox: VerbRunner<'inbox'> = ({values}, io, signal) =>
  withState(values, io, signal, {fetch: inboxNeeds, people: 'self'}, async (initialContext) => {
    const verbContext = await withFetchedUsers(initialContext, usersInUnreadDirects(initialContext.state));
    const state = await withSnippets(verbContext);
    const groups = inboxGroups(state).filter(({rows}) => rows.length > 0);
    if (values.json) printJson(io, {groups: groups.map((group) => groupJson(state, group))});
    else printGroups(io, state, groups, outputStyle(io, values.color));
    if (state.unreads.oldMissing)
      printNotice(io, 'The server reports only the newest unread messages. There are more.');
    return exitCodes.ok;
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

function printGroups(io: CliIo, state: AccountState, groups: readonly InboxGroup[], style: OutputStyle): void {
  if (groups.length === 0) print(io, 'No unread messages.');
  for (const {id, rows, messageCount} of groups) {
    const counts = `${countedNoun(rows.length, 'conversation')}, ${countedNoun(messageCount, 'message')}`;
    void printStyled(io, style.heading(`${headings[id]} (${counts})`));
    const [lines, initialContext] = [inboxRowLines(rows, style), inboxRowLines(rows, plainStyle)];
    for (const [at, row] of rows.entries()) {
      const snippet = snippetOf(state, row, io, textColumns(initialContext[at] ?? ''));
      void printStyled(io, `${lines[at]}${snippet === '' ? '' : `  ${style.faint(snippet)}`}`);
    }
  }
}

/** Returns as much of the first unread message as fits on the line after `usedColumns`. */
function snippetOf(state: AccountState, row: InboxRow, io: CliIo, usedColumns: number): string {
  if (row.snippet === undefined || row.snippet === '') return '';
  const message = state.messages.byId.get(row.oldestUnreadId);
  const {conversation} = row;
  // In a conversation with one other user the name is on the line already.
  const isOneToOne = conversation.kind === 'direct' && conversation.userIds.length === 1;
  const sender =
    message === undefined || isOneToOne ? '' : `${userName(state, message.senderId, message.senderName)}: `;
  const text = sender + messageExcerpt(state, row.snippet, row.snippetFacts);
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
