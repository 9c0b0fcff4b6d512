import {conversationNeeds, withFetchedUsers, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {printJson, printNotice, printStyled} from '#cli/io.ts';
import {conversationJson} from '#cli/messages/message-json.ts';
import {type OutputStyle, outputStyle} from '#cli/messages/output-style.ts';
import {inboxGroups} from '#state/selectors/inbox/inbox.ts';
import type {InboxGroup} from '#state/selectors/inbox/inbox-groups.ts';
import type {InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import {mentionCounts, unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {UnreadCounts} from '#state/selectors/unreads/unread-tally.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {unreadCountText} from '#ui/format/unread-count.ts';
import type {VerbRunner} from './verb-runner.ts';

/** The data that building the inbox requires. */
export const inboxNeeds = [
  ...conversationNeeds,
  'message',
  'update_message_flags',
  'user_topic',
  'muted_topics',
  'user_settings',
  'channel_folders',
  'drafts',
  'alert_words',
] as const;

export const unread: VerbRunner<'unread'> = ({values}, io, signal) =>
  withState(values, io, signal, {fetch: inboxNeeds, people: 'self'}, async (verbContext) => {
    const {state} = await withFetchedUsers(verbContext, usersInUnreadDirects(verbContext.state));
    const groups = inboxGroups(state);
    const rows = groups.flatMap(({id, rows}) => (id === 'muted' && !values.muted ? [] : rows));
    const counts = unreadCounts(state);
    if (values.json)
      printJson(
        io,
        unreadJson(
          state,
          counts,
          groups.flatMap((group) => group.rows),
        ),
      );
    else {
      const lines = inboxRowLines(rows, outputStyle(io, values.color));
      await printStyled(io, [totalLine(counts, unmutedCount(groups)), ...lines].join('\n'));
    }
    if (state.unreads.oldMissing)
      printNotice(io, 'The server reports only the newest unread messages. There are more.');
    return exitCodes.ok;
  });

/** Returns the users in direct message conversations with unread messages. */
export function usersInUnreadDirects({unreads}: AccountState): number[] {
  return [...unreads.conversations.values()].flatMap(({conversation}) =>
    conversation.kind === 'direct' ? conversation.userIds : [],
  );
}

function unmutedCount(groups: readonly InboxGroup[]): number {
  return groups.reduce((sum, {id, rows}) => sum + (id === 'muted' ? 0 : rows.length), 0);
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

export function inboxRowLines(rows: readonly InboxRow[], {name}: Pick<OutputStyle, 'name'>): string[] {
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
