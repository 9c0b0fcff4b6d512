import {type InboxRow, inboxGroups} from '#state/selectors/inbox/inbox.ts';
import {userName} from '#state/selectors/names/names.ts';
import {mentionCounts, unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {conversationJson, messageExcerpt} from './message-text.ts';

export type UnreadOverview = ReturnType<typeof unreadOverview>;

/** Returns what `parley unread` prints, as plain data: a running Parley sends it through its control socket. */
export function unreadOverview(state: AccountState) {
  const {total, all, directs, mentions, muted} = unreadCounts(state);
  const mentioning = mentionCounts(state);
  const rows = inboxGroups(state).flatMap((group) => group.rows);
  return {
    json: {
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
    },
    rows: rows.map(({title, count, mentions: shownMentions, group}) => ({
      title,
      count,
      mentions: shownMentions,
      isMuted: group === 'muted',
    })),
  };
}

export type InboxOverview = ReturnType<typeof inboxOverview>;

/** Returns what `parley inbox` prints, as plain data. */
export function inboxOverview(state: AccountState) {
  const groups = inboxGroups(state).filter(({rows}) => rows.length > 0);
  return {
    isComplete: !state.unreads.oldMissing,
    json: {groups: groups.map(({id, rows, messageCount}) => ({group: id, messageCount, rows: rows.map(rowJson)}))},
    groups: groups.map(({id, rows, messageCount}) => ({
      id,
      messageCount,
      rows: rows.map((row) => ({title: row.title, count: row.count, mentions: row.mentions, preview: previewOf(row)})),
    })),
  };

  function rowJson(row: InboxRow) {
    return {
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
    };
  }

  /** Returns the first unread message on one line; an empty text if it is not loaded. */
  function previewOf({snippet, snippetFacts, oldestUnreadId, conversation}: InboxRow): string {
    if (snippet === undefined || snippet === '') return '';
    const message = state.messages.byId.get(oldestUnreadId);
    // In a conversation with one other user the name is on the line already.
    const isOneToOne = conversation.kind === 'direct' && conversation.userIds.length === 1;
    const sender =
      message === undefined || isOneToOne ? '' : composed`${userName(state, message.senderId, message.senderName)}: `;
    return composed`${sender}${messageExcerpt(state, snippet, snippetFacts)}`;
  }
}

/** The number of rows whose first and last unread message `parley inbox` fetches: more than a screen shows. */
const maxPreviews = 200;

/** Returns the ids of the messages that the previews and times of the inbox are read from. */
export function inboxMessageIds(state: AccountState): readonly number[] {
  const rows = inboxGroups(state).flatMap((group) => group.rows);
  const shown = rows.slice(0, maxPreviews);
  return [...new Set(shown.flatMap(({oldestUnreadId, newestUnreadId}) => [oldestUnreadId, newestUnreadId]))];
}

/** Returns what `parley status` prints about the account's own status, as plain data. */
export function ownStatus({self: {userId}, settings, statuses}: AccountState) {
  const {statusText: text = '', emojiName = '', away = false} = statuses.get(userId) ?? {};
  return {userId, text, emojiName, isAway: settings.presenceEnabled === false || away};
}
