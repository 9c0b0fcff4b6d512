import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {messagesView, shownConversation, viewChannelId} from '#app/core/view.ts';
import {ageText} from '#app/format/age-text.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import {unreadCountSpans} from '#app/format/unread-count.ts';
import {leftRightLine, type UiLine} from '#app/layout/ui-line.ts';
import {conversationKey} from '#state/model/conversation.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {lastSenderIds} from '#state/selectors/lists/conversation-properties.ts';
import {draftConversations} from '#state/selectors/lists/draft-conversations.ts';
import {recentConversations} from '#state/selectors/lists/recent-conversations.ts';
import {type TopicRow, topicRows} from '#state/selectors/lists/topic-rows.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {channelUnreads} from '#state/selectors/unreads/unread-counts.ts';
import {shownUnreads} from '#state/selectors/unreads/view-unreads.ts';
import {type ConversationRow, conversationLine, conversationRow, peopleText, snippetOf} from './conversation-row.ts';
import {focusedList} from './focused-list.ts';
import {RowCache} from './list-row.ts';
import type {ListSource} from './list-source.ts';
import {emptyNavigationRow} from './navigation-row.ts';
import {recentInputs} from './recent-list.ts';

const rowCache = new RowCache<ConversationRow>();
/** Number of rows beside a feed of several conversations, or beside a direct conversation. */
const maxAdjacentRows = 60;

/** The list beside the shown conversation: the topics of its channel, or else direct or recent conversations. */
export const topicList: ListSource<ConversationRow> = {
  rows: memoByFrame(
    (frame) => [
      ...recentInputs(frame),
      viewChannelId(frame.screen.view),
      adjacentListKind(frame),
      frame.screen.view.kind,
    ],
    (frame) => rowCache.reuse(adjacentRows(frame)),
  ),
  line: conversationLine,
  headLines: memoByFrame(
    (frame, columns: number) => {
      const {account, screen, display} = frame;
      const channelId = viewChannelId(screen.view);
      const name = channelId === undefined ? undefined : channelName(account, channelId);
      const counts = channelId === undefined ? undefined : channelUnreads(account, channelId);
      return [focusedList(screen) === 'topics', adjacentListKind(frame), channelId, name, counts, display, columns];
    },
    (frame, columns: number) => [titleLine(frame, columns)],
  ),
  shownRowKey: ({account, screen}) => {
    const conversation = shownConversation(screen);
    const channelId = viewChannelId(screen.view);
    if (screen.view.kind === 'topics') return topicRows(account, screen.view.channelId)[0]?.key;
    if (conversation !== undefined) return conversationKey(conversation);
    return channelId === undefined ? undefined : feedKey(channelId);
  },
  keyPrefix: ({screen}) => {
    const channelId = viewChannelId(screen.view);
    return channelId === undefined ? '' : `c${channelId}:`;
  },
  emptyText: ({account, screen}) => {
    const channelId = viewChannelId(screen.view);
    if (channelId === undefined) return 'No conversations yet.';
    return account.topics.get(channelId)?.complete === true ? 'No topics yet. c begins one.' : 'Loading topics…';
  },
};

type AdjacentListKind = 'direct' | 'recent' | undefined;

/** Returns the kind of conversations listed; undefined beside a channel, which lists its topics. */
function adjacentListKind({screen}: Frame): AdjacentListKind {
  if (viewChannelId(screen.view) !== undefined) return undefined;
  return shownConversation(screen)?.kind === 'direct' ? 'direct' : 'recent';
}

function adjacentRows(frame: Frame): readonly ConversationRow[] {
  const {account, screen} = frame;
  const channelId = viewChannelId(screen.view);
  if (channelId !== undefined) return [feedRow(channelId), ...topicsOf(frame, channelId)];
  const filter = adjacentListKind(frame) === 'direct' ? ({kind: 'direct', unmuted: true} as const) : {unmuted: true};
  return recentConversations(account, filter, maxAdjacentRows).map((recent) => conversationRow(frame, recent));
}

/** Returns the key of the row for all messages. It cannot equal a topic's key: topic names have no NUL character. */
function feedKey(channelId: number): string {
  return `c${channelId}:\u0000feed`;
}

function feedRow(channelId: number): ConversationRow {
  const view = messagesView(channelNarrow(channelId));
  return {
    ...emptyNavigationRow,
    key: feedKey(channelId),
    label: 'All messages',
    target: {kind: 'view', view},
    people: '',
    age: '',
    snippet: '',
  };
}

function topicsOf(frame: Frame, channelId: number): readonly ConversationRow[] {
  const drafts = draftConversations(frame.account);
  return topicRows(frame.account, channelId).map((topic) => topicRow(frame, topic, drafts.has(topic.key)));
}

/**
 * Returns a topic's row. Fields without space in a side pane are left empty there: a channel can have
 * thousands of topics.
 */
function topicRow(frame: Frame, topic: TopicRow, hasDraft: boolean): ConversationRow {
  const {account, minute, screen} = frame;
  const {key, conversation, lastMessageId} = topic;
  const isWide = screen.view.kind === 'topics';
  const at = account.messages.byId.get(lastMessageId)?.timestamp;
  return {
    ...emptyNavigationRow,
    key,
    label: topic.display,
    target: {kind: 'conversation', conversation},
    count: topic.unreadCount,
    mentions: topic.mentions,
    isQuiet: topic.isMuted,
    isMuted: topic.isMuted,
    isFollowed: topic.isFollowed,
    isResolved: topic.isResolved,
    hasDraft,
    people: isWide ? peopleText(account, conversation, lastSenderIds(account, key)) : '',
    age: isWide && at !== undefined ? ageText(at * 1000, minute) : '',
    snippet: isWide ? snippetOf(frame, lastMessageId) : '',
  };
}

function titleLine(frame: Frame, columns: number): UiLine {
  const {account, screen, display} = frame;
  const isFocused = focusedList(screen) === 'topics';
  const channelId = viewChannelId(screen.view);
  const role = isFocused ? 'title' : 'section';
  const {ellipsis} = uiGlyphs(display);
  if (channelId === undefined) {
    const text = adjacentListKind(frame) === 'direct' ? 'DIRECT MESSAGES' : 'RECENT';
    return leftRightLine([{text: `  ${text}`, role}], [], columns, {ellipsis});
  }
  return leftRightLine(
    [{text: `  #${channelName(account, channelId)}`, role}],
    [...unreadCountSpans(shownUnreads(channelUnreads(account, channelId))), {text: ' ', role: 'text'}],
    columns,
    {ellipsis},
  );
}
