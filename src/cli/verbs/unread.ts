import {
  conversationNeeds,
  type StateContext,
  withFetchedUsers,
  withSessionContext,
} from '#cli/account-access/with-state.ts';
import {type CliIo, outputColumns, printNotice, UsageError} from '#cli/io.ts';
import {mayNamePeople, narrowFromWords, savedViewsOf, viewNeeds} from '#cli/messages/destination-arguments.ts';
import {fetchMessages} from '#cli/messages/fetch-messages.ts';
import {
  conversationJson,
  messageExcerpt,
  type OutputStyle,
  outputStyle,
  plainStyle,
} from '#cli/messages/message-text.ts';
import {pastMomentOf} from '#cli/name-arguments.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {fetchRecentMessages} from '#state/fetches/fetch-messages.ts';
import {fetchPage} from '#state/fetches/fetch-page.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {conversationOfNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {type CatchUpCard, catchUpCards} from '#state/selectors/catch-up.ts';
import type {InboxGroup, InboxGroupId, InboxRow} from '#state/selectors/inbox/inbox.ts';
import {inboxGroups} from '#state/selectors/inbox/inbox.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import {searchText} from '#state/selectors/search/parse-search.ts';
import type {UnreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import {mentionCounts, unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {matchesNarrow} from '#state/timelines/narrow-membership.ts';
import {printableLine} from '#std/printable.ts';
import type {FetchType} from '#wire/fetch-types.ts';
import {countedNoun, unreadCountText} from '#wording/counted-noun.ts';
import {catchUpReasonText} from '#wording/moment-text.ts';
import {stateVerb} from './account-verb.ts';
import type {VerbRunner} from './verb-table.ts';

/** The data that finding the unread messages of a conversation requires. */
const unreadNeeds = [
  ...conversationNeeds,
  'message',
  'update_message_flags',
  'user_topic',
  'muted_topics',
] as const satisfies FetchType[];

/** The data that building the inbox requires. */
const inboxNeeds = {
  fetch: [...unreadNeeds, 'user_settings', 'channel_folders', 'drafts', 'alert_words'],
  people: 'self',
} as const;

/** Returns the notice for a server that reports only some of the unread messages. */
function missingNotice({unreads}: AccountState, more = 'There are more.'): string | undefined {
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
    return `${(counts[at] ?? '').padStart(width)}  ${mentions > 0 ? name(text) : text}`;
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
  const [lines, plainLines] = [inboxRowLines(rows, style), inboxRowLines(rows, plainStyle)];
  const rowLines = rows.map((row, at) => {
    const snippet = snippetOf(state, row, io, textColumns(plainLines[at] ?? ''));
    return `${lines[at]}${snippet === '' ? '' : `  ${style.faint(snippet)}`}`;
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

const idsPerRequest = 1000;

export const markRead: VerbRunner<'mark-read'> = stateVerb(
  ({values, words}) => {
    const text = words.join(' ').trim();
    if (text === '' && !values.all) throw new UsageError('Name the conversation to mark as read, or use --all.');
    if (text !== '' && values.all) throw new UsageError('Use either --all or a conversation, not both.');
    return {fetch: [...unreadNeeds, ...viewNeeds(words)], people: mayNamePeople(text) ? 'all' : 'self'};
  },
  async (context) => {
    const {state, values, words, matching} = context;
    const dryRun = values['dry-run'];
    const narrow = narrowFromWords(state, words, matching, () => savedViewsOf(context));
    const ids = await unreadIds(context, narrow);
    if (!dryRun) await markAsRead(context, ids);
    const done = `${countedNoun(ids.length, 'message')} ${dryRun ? 'would be marked' : 'marked'} as read`;
    return {
      json: {count: ids.length, messageIds: ids, dryRun},
      text: `${ids.length === 0 ? 'No unread messages' : done}${placeText(state, narrow)}.`,
      notice: missingNotice(state, 'Run the command again for older ones.'),
    };
  },
);

/** Returns the conversation or search that the words named. */
function placeText(state: AccountState, narrow: Narrow): string {
  const conversation = conversationOfNarrow(narrow);
  const place = conversation === undefined ? searchText(narrow, state) : conversationTitle(state, conversation);
  return place === '' ? '' : `: ${printableLine(place)}`;
}

/** Returns the ids of the messages in the narrow that are unread now; later messages stay unread. */
async function unreadIds(verbContext: StateContext, narrow: Narrow): Promise<readonly number[]> {
  const {state} = verbContext;
  const ids: number[] = [];
  for (const {ids: unreadOnes, conversation} of state.unreads.conversations.values()) {
    for (const id of unreadOnes) {
      const matches = matchesNarrow(state, narrow, {id, conversation, message: undefined});
      if (matches === undefined) return fetchUnreadIds(verbContext, narrow);
      if (matches) ids.push(id);
    }
  }
  return ids.sort((a, b) => a - b);
}

/** Asks the server, which alone knows the words and senders of messages that were not fetched. */
async function fetchUnreadIds({api, state}: StateContext, narrow: Narrow): Promise<readonly number[]> {
  const range = {kind: 'from', count: Number.MAX_SAFE_INTEGER} as const;
  const {messages} = await fetchMessages(api, state.self.userId, [...narrow, ...narrowIs('unread')], range);
  return messages.filter(({isUnread}) => isUnread).map(({message}) => message.id);
}

/** Marks exactly these messages as read. After a failure it prints how many were marked. */
export async function markAsRead({api, io}: StateContext, ids: readonly number[]): Promise<void> {
  let done = 0;
  try {
    while (done < ids.length) {
      const messages = ids.slice(done, done + idsPerRequest);
      await api.updateFlags({messages, op: 'add', flag: 'read'});
      done += messages.length;
    }
  } catch (error) {
    if (done > 0) printNotice(io, `${done} of ${ids.length} messages were marked as read before this failure:`);
    throw error;
  }
}

const defaultSince = '1w';
/** More unread messages are not looked at. */
const maxMessages = 5000;

export const catchUp: VerbRunner<'catch-up'> = stateVerb(
  ({values}, io) => ({...inboxNeeds, since: pastMomentOf(values.since ?? defaultSince, io.clock.now())}),
  async (context, {since}) => {
    const {io, values, api} = context;
    const range = {kind: 'from', count: maxMessages, since} as const;
    const {messages: listed, hasMore} = await fetchMessages(api, context.state.self.userId, narrowIs('unread'), range);
    const fetched = listed.map(({message}) => message);
    const users = fetched.flatMap((message) => [
      message.senderId,
      ...(message.kind === 'direct' ? message.userIds : []),
    ]);
    const {state: named}: StateContext = await withFetchedUsers(context, users);
    const state: AccountState = {...named, messages: withMessages(named.messages, fetched)};
    const cards = catchUpCards(state, {since: since / 1000, upTo: Number.POSITIVE_INFINITY});
    const style = outputStyle(io, values.color);
    const lines = cards.map((card) => cardLines(state, card, style, outputColumns(io)).join('\n'));
    return {
      json: {
        since: new Date(since).toISOString(),
        isComplete: !hasMore,
        conversations: cards.map((card) => cardJson(state, card)),
      },
      text: cards.length === 0 ? 'Nothing to catch up on.' : lines.join('\n\n'),
      isStyled: true,
      notice: hasMore ? `These are the first ${maxMessages} unread messages since then. There are more.` : undefined,
    };
  },
);

function cardLines(state: AccountState, card: CatchUpCard, style: OutputStyle, columns: number): readonly string[] {
  const title = style.heading(printableLine(conversationTitle(state, card.conversation)));
  const why = style.faint(`(${catchUpReasonText(card)})`);
  const quotes = card.messages.map(({senderId, senderName, content, facts}) => {
    const said = `${userName(state, senderId, senderName)}: ${messageExcerpt(state, content, facts)}`;
    return `  ${truncateToColumns(printableLine(said), columns - 2)}`;
  });
  const more = card.count - card.messages.length;
  const rest = more > 0 ? [style.faint(`  and ${countedNoun(more, 'more unread message')}`)] : [];
  return [`${unreadCountText(card)}  ${title} ${why}`, ...quotes, ...rest];
}

function cardJson(state: AccountState, card: CatchUpCard) {
  const {conversation, reasons, count, mentions, reactions, newestAt, messages} = card;
  return {
    conversation: conversationJson(state, conversation),
    reasons,
    count,
    mentions,
    reactions,
    newestAt,
    messages: messages.map(({id, senderId, senderName, timestamp, content}) => ({
      id,
      sender: userName(state, senderId, senderName),
      timestamp,
      content,
    })),
  };
}
