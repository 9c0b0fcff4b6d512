import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {channelOf, messagesView, shownConversation} from '#app/core/view.ts';
import {ageText} from '#app/format/age-text.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import {joined, type UiLine} from '#app/layout/ui-line.ts';
import {conversationKey} from '#state/model/conversation.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {lastSenders} from '#state/selectors/lists/conversation-properties.ts';
import {draftConversations} from '#state/selectors/lists/draft-conversations.ts';
import {recentConversations} from '#state/selectors/lists/recent-conversations.ts';
import {type TopicRow, topicRows} from '#state/selectors/lists/topic-rows.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {channelUnreads} from '#state/selectors/unreads/unread-counts.ts';
import {peopleText, snippetOf, type WideRow, wideLine, wideRow} from './conversation-row.ts';
import {focusedList} from './focused-list.ts';
import {RowKeeper} from './list-row.ts';
import type {ListSource} from './list-source.ts';
import {countSpans, noPlace} from './navigation-row.ts';
import {recentInputs} from './recent-list.ts';

const keeper = new RowKeeper<WideRow>();
/** What stands beside a feed of several conversations, or beside a direct one. */
const mostBeside = 60;

/** The conversations around the one that is shown: the topics of its channel, or else those of its kind. */
export const topicList: ListSource<WideRow> = {
  rows: memoByFrame(
    (frame) => [
      ...recentInputs(frame),
      channelOf(frame.screen.view),
      kindBeside(frame),
      frame.screen.view.kind,
    ],
    (frame) => keeper.kept(rowsBeside(frame)),
  ),
  line: wideLine,
  head: (frame, columns) => [titleLine(frame, columns)],
  home: ({account, screen}) => {
    const conversation = shownConversation(screen);
    const channelId = channelOf(screen.view);
    if (screen.view.kind === 'topics') return topicRows(account, screen.view.channelId)[0]?.key;
    if (conversation !== undefined) return conversationKey(conversation);
    return channelId === undefined ? undefined : feedKey(channelId);
  },
  scope: ({screen}) => {
    const channelId = channelOf(screen.view);
    return channelId === undefined ? '' : `c${channelId}:`;
  },
  empty: ({account, screen}) => {
    const channelId = channelOf(screen.view);
    if (channelId === undefined) return 'No conversations yet.';
    return account.topics.get(channelId)?.complete === true
      ? 'No topics yet. c begins one.'
      : 'Loading topics…';
  },
};

type Beside = 'direct' | 'recent' | undefined;

/** Undefined beside a channel. */
function kindBeside({screen}: Frame): Beside {
  if (channelOf(screen.view) !== undefined) return undefined;
  return shownConversation(screen)?.kind === 'direct' ? 'direct' : 'recent';
}

function rowsBeside(frame: Frame): readonly WideRow[] {
  const {account, screen} = frame;
  const channelId = channelOf(screen.view);
  if (channelId !== undefined) return [feedRow(channelId), ...topicsOf(frame, channelId)];
  const filter =
    kindBeside(frame) === 'direct' ? ({kind: 'direct', unmuted: true} as const) : {unmuted: true};
  return recentConversations(account, filter, mostBeside).map((recent) => wideRow(frame, recent));
}

/** Not a topic's key: the name of none can end with what is no character. */
function feedKey(channelId: number): string {
  return `c${channelId}:\u0000feed`;
}

function feedRow(channelId: number): WideRow {
  const view = messagesView(channelNarrow(channelId));
  return {
    ...noPlace,
    key: feedKey(channelId),
    label: 'All messages',
    target: {kind: 'view', view},
    people: '',
    age: '',
    snippet: '',
  };
}

function topicsOf(frame: Frame, channelId: number): readonly WideRow[] {
  const drafts = draftConversations(frame.account);
  return topicRows(frame.account, channelId).map((topic) => topicRow(frame, topic, drafts.has(topic.key)));
}

/** What has no room in a pane is left out there: a channel may have thousands of topics. */
function topicRow(frame: Frame, topic: TopicRow, hasDraft: boolean): WideRow {
  const {account, minute, screen} = frame;
  const {key, conversation, lastMessageId} = topic;
  const isWide = screen.view.kind === 'topics';
  const at = account.messages.byId.get(lastMessageId)?.timestamp;
  return {
    ...noPlace,
    key,
    label: topic.display,
    target: {kind: 'conversation', conversation},
    count: topic.unreadCount,
    mentions: topic.hasMention ? 1 : 0,
    isMuted: topic.isMuted,
    isFollowed: topic.isFollowed,
    isResolved: topic.isResolved,
    hasDraft,
    people: isWide ? peopleText(account, conversation, lastSenders(account, key)) : '',
    age: isWide && at !== undefined ? ageText(at * 1000, minute) : '',
    snippet: isWide ? snippetOf(frame, lastMessageId) : '',
  };
}

function titleLine(frame: Frame, columns: number): UiLine {
  const {account, screen, looks} = frame;
  const isFocused = focusedList(screen) === 'topics';
  const channelId = channelOf(screen.view);
  const role = isFocused ? 'title' : 'section';
  const {ellipsis} = uiGlyphs(looks);
  if (channelId === undefined) {
    const text = kindBeside(frame) === 'direct' ? 'DIRECT MESSAGES' : 'RECENT';
    return joined([{text: `  ${text}`, role}], [], columns, {ellipsis});
  }
  const {unmuted, mentions} = channelUnreads(account, channelId);
  const counted = {count: unmuted, mentions, isWhole: false, isQuiet: false};
  return joined(
    [{text: `  #${channelName(account, channelId)}`, role}],
    [...countSpans(counted), {text: ' ', role: 'text'}],
    columns,
    {ellipsis},
  );
}
