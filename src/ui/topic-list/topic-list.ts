import {conversationKey} from '#state/model/conversation.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {draftConversations, lastSenderIds} from '#state/selectors/lists/conversation-properties.ts';
import {type TopicRow, topicRows} from '#state/selectors/lists/conversation-rows.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {channelUnreads, shownUnreads} from '#state/selectors/unreads/unread-counts.ts';
import {composed} from '#std/composed-text.ts';
import {type Frame, memoByFrame, messagesView, shownConversation, viewChannelId} from '#ui/core/frame.ts';
import {unreadCountSpans} from '#ui/format/unread-count-spans.ts';
import {leftRightLine, type UiLine} from '#ui/layout/ui-line.ts';
import {fetchNote, isFocusedList, type ListNote, type ListSource, memoRows} from '#ui/lists/list-source.ts';
import {emptyNavigationRow, navigationLine} from '#ui/lists/navigation-row.ts';
import {type ConversationRow, conversationLine, peopleText, recentInputs, snippetOf} from '#ui/recent/recent-list.ts';
import {ageText} from '#wording/moment-text.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';

/** The topics of a channel: beside its messages, or as a view of its own. */
export const topicList: ListSource<ConversationRow> = {
  id: 'topics',
  views: ['topics'],
  pane: 'topics',
  rows: memoRows(
    (frame) => [...recentInputs(frame), viewChannelId(frame.screen.view), frame.screen.view.kind],
    channelRows,
  ),
  line: (row, context) => (context.columns < 48 ? navigationLine : conversationLine)(row, context),
  headLines: memoByFrame(
    (frame, columns: number) => {
      const {account, screen, display} = frame;
      const channelId = viewChannelId(screen.view);
      const name = channelId === undefined ? undefined : channelName(account, channelId);
      const counts = channelId === undefined ? undefined : channelUnreads(account, channelId);
      return [isFocusedList(topicList, screen), channelId, name, counts, display, columns];
    },
    (frame, columns: number) => titleLines(frame, columns),
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
  note: topicsNote,
  emptyText: () => '',
};

/** Returns what the list says below its topics. */
function topicsNote(frame: Frame): ListNote | undefined {
  const {account, screen} = frame;
  const channelId = viewChannelId(screen.view);
  if (channelId === undefined) return undefined;
  const isEmpty = topicRows(account, channelId).length === 0;
  if (account.topics.get(channelId)?.complete !== true) {
    return fetchNote(frame, {noun: 'topics', fetch: ['topics', channelId], isEmpty});
  }
  return isEmpty ? {text: 'No topics yet. c begins one.', role: 'dim'} : undefined;
}

function channelRows(frame: Frame): readonly ConversationRow[] {
  const channelId = viewChannelId(frame.screen.view);
  return channelId === undefined ? [] : [feedRow(channelId), ...topicsOf(frame, channelId)];
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
    missingMessageId: undefined,
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
    missingMessageId: isWide && at === undefined ? lastMessageId : undefined,
    snippet: isWide ? snippetOf(frame, lastMessageId) : '',
  };
}

function titleLines({account, screen, display}: Frame, columns: number): readonly UiLine[] {
  const channelId = viewChannelId(screen.view);
  if (channelId === undefined) return [];
  const role = isFocusedList(topicList, screen) ? 'title' : 'section';
  const counts = unreadCountSpans(shownUnreads(channelUnreads(account, channelId)));
  const {ellipsis} = uiGlyphs(display);
  const name = [{text: composed`  #${channelName(account, channelId)}`, role}] as const;
  return [leftRightLine(name, [...counts, {text: ' ', role: 'text'}], columns, {ellipsis})];
}

declare module '#ui/lists/list-state.ts' {
  interface ListIds {
    topics: true;
  }
}
