import {isConversationFollowed, isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import {channelName, isResolved, topicDisplayName} from '#state/selectors/names/names.ts';
import {withoutWeakMatches} from '#ui/completion-menu/find-people.ts';
import type {Frame} from '#ui/core/frame.ts';
import {memoByFrame} from '#ui/core/memo-by-frame.ts';
import {RowCache} from '#ui/lists/list-row.ts';
import {emptyNavigationRow, type NavigationRow, titleRow} from '#ui/lists/navigation-row.ts';
import {findConversations} from '#ui/search/find-conversations.ts';

const cache = new RowCache<NavigationRow>();
const maxTopics = 30;
const group = 'found topics';

/** Returns the topics of all channels that the filter of the sidebar finds. */
export const foundTopicRows = memoByFrame(
  ({account}, query: string) => [
    account.topics,
    account.messages,
    account.unreads,
    account.channels,
    account.users,
    account.userTopics,
    account.subscriptions,
    account.realm,
    query,
  ],
  (frame, query: string) => cache.reuse(topicRows(frame, query)),
);

function topicRows({account}: Frame, query: string): readonly NavigationRow[] {
  const found = withoutWeakMatches(findConversations(account, {query, limit: maxTopics, kind: 'topic'}));
  const rows = found.flatMap(({item: {key, conversation}}): NavigationRow[] => {
    if (conversation.kind !== 'topic') return [];
    const {channelId, topic} = conversation;
    return [
      {
        ...emptyNavigationRow,
        key,
        // The topic comes first, because the sidebar is narrow.
        label: `${topicDisplayName(account, topic)} · #${channelName(account, channelId)}`,
        group,
        target: {kind: 'conversation', conversation},
        count: account.unreads.conversations.get(key)?.ids.size ?? 0,
        isMuted: isConversationMuted(account, conversation, key),
        isFollowed: isConversationFollowed(account, conversation, key),
        isResolved: isResolved(topic),
      },
    ];
  });
  return rows.length === 0 ? [] : [titleRow(group, 'Topics'), ...rows];
}
