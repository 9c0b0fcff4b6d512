import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {type StateContext, withFetchedUsers, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {type CliIo, print, printJson, printNotice} from '#cli/io.ts';
import {outputColumns} from '#cli/messages/columns.ts';
import {conversationJson} from '#cli/messages/message-json.ts';
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
import type {VerbRunner} from './run.ts';
import {inboxNeeds, inboxRowLines, usersInUnreadDirects} from './unread.ts';

const headings: Readonly<Record<InboxGroupId, string>> = {
  mentions: 'Mentions',
  direct: 'Direct messages',
  followed: 'Followed topics',
  pinned: 'Pinned channels',
  channels: 'Channels',
  muted: 'Muted',
};

/** Rows whose first unread message is fetched: more than a screen shows. */
const mostSnippets = 200;

export const inbox: VerbRunner<'inbox'> = ({values}, io, signal) =>
  withState(values, io, signal, {fetch: inboxNeeds, people: 'self'}, async (bare) => {
    const world = await withFetchedUsers(bare, usersInUnreadDirects(bare.state));
    const state = await withSnippets(world);
    const groups = inboxGroups(state).filter(({rows}) => rows.length > 0);
    if (values.json) printJson(io, {groups: groups.map((group) => groupJson(state, group))});
    else printGroups(io, state, groups, outputStyle(io, values.color));
    if (state.unreads.oldMissing)
      printNotice(io, 'The server counts only the newest unread messages: there are more.');
    return exitCodes.ok;
  });

/** With the first unread message of each conversation, and the newest of all, as the screen has them. */
function withSnippets(world: StateContext): Promise<AccountState> {
  const rows = inboxGroups(world.state).flatMap((group) => group.rows);
  if (rows.length === 0) return Promise.resolve(world.state);
  const ids = rows.slice(0, mostSnippets).map(({oldestUnreadId}) => oldestUnreadId);
  return withSessionContext(world, async (context) => {
    const hasAll = context.cache.state.server.abilities.messagesByIds;
    // What only adorns the list must not keep it away.
    await Promise.allSettled([fetchRecentMessages(context), ...(hasAll ? [fetchIds(context, ids)] : [])]);
    world.signal.throwIfAborted();
    return context.cache.state;
  });
}

function fetchIds(context: SessionContext, ids: readonly number[]): Promise<unknown> {
  const question = {message_ids: [...ids], apply_markdown: false, client_gravatar: true};
  const ask = (signal: AbortSignal) => context.api.getMessages(question, {signal});
  return fetchPage(context, {send: ask}, context.signal);
}

function printGroups(
  io: CliIo,
  state: AccountState,
  groups: readonly InboxGroup[],
  style: OutputStyle,
): void {
  if (groups.length === 0) print(io, 'Nothing waits for you.');
  for (const {id, rows, messageCount} of groups) {
    print(io, style.heading(`${headings[id]} (${messageCount})`));
    const [lines, bare] = [inboxRowLines(rows, style), inboxRowLines(rows, plainStyle)];
    for (const [place, row] of rows.entries()) {
      const snippet = snippetOf(state, row, io, textColumns(bare[place] ?? ''));
      print(io, `${lines[place]}${snippet === '' ? '' : `  ${style.faint(snippet)}`}`);
    }
  }
}

/** As much of the first unread message as fits on the line after so many columns. */
function snippetOf(state: AccountState, row: InboxRow, io: CliIo, taken: number): string {
  if (row.snippet === undefined || row.snippet === '') return '';
  const message = state.messages.byId.get(row.oldestUnreadId);
  const {conversation} = row;
  // Of the only other person there, the name is on the line already.
  const isTwo = conversation.kind === 'direct' && conversation.userIds.length === 1;
  const who =
    message === undefined || isTwo ? '' : `${userName(state, message.senderId, message.senderName)}: `;
  const room = outputColumns(io) - taken - 2;
  return room < 10 ? '' : truncateToColumns(printableLine(who + row.snippet), room);
}

function groupJson(state: AccountState, {id, rows, messageCount}: InboxGroup) {
  return {
    group: id,
    messageCount,
    rows: rows.map((row) => ({
      conversation: conversationJson(state, row.conversation),
      count: row.count,
      hasMention: row.hasMention,
      hasAlertWord: row.hasAlertWord,
      isFollowed: row.isFollowed,
      isResolved: row.isResolved,
      hasDraft: row.hasDraft,
      oldestUnreadId: row.oldestUnreadId,
      newestUnreadId: row.newestUnreadId,
      oldestUnreadAt: row.oldestUnreadAt ?? null,
      snippet: row.snippet ?? null,
    })),
  };
}
