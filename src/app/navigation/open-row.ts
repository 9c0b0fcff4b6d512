import type {App} from '#app/core/app.ts';
import {setFolded} from '#app/lists/move-in-list.ts';
import {directConversation} from '#state/model/conversation.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {topicRows} from '#state/selectors/lists/conversation-rows.ts';
import {canReadChannel} from '#state/selectors/permissions/channel-permissions.ts';
import type {ListRow, ListSource, RowTarget} from '#ui/lists/list-source.ts';
import {openConversation, openNarrow, openView} from './navigation.ts';

/** Opens a row's target in the main pane. */
export function openRowTarget(app: App, target: RowTarget): void {
  switch (target.kind) {
    case 'view':
      openView(app, target.view);
      return;
    case 'conversation':
      openConversation(app, target.conversation);
      return;
    case 'channel':
      openChannel(app, target.channelId);
      return;
    case 'person':
      openConversation(app, directConversation([target.userId], app.state.self.userId));
  }
}

/** The values of the account's setting for what a channel opens. */
const channelViews = {topTopic: 1, feed: 2, topics: 3, topUnread: 4} as const;

function openChannel(app: App, channelId: number): void {
  const {state} = app;
  const channel = state.channels.get(channelId);
  if (channel === undefined || !canReadChannel(state, channel, app.clock.now())) {
    app.toast('You cannot read this channel. Ask a member to add you.', 'warning');
    return;
  }
  const channelView = state.settings.webChannelDefaultView ?? channelViews.topTopic;
  if (channelView === channelViews.topics) {
    openView(app, {kind: 'topics', channelId});
    return;
  }
  const topics = channelView === channelViews.feed ? [] : topicRows(state, channelId);
  const unread = channelView === channelViews.topUnread ? topics.find(({unreadCount}) => unreadCount > 0) : undefined;
  const topic = unread ?? topics[0];
  if (topic === undefined) openNarrow(app, channelNarrow(channelId));
  else openConversation(app, topic.conversation);
}

/** Opens a row's target, or unfolds the group of a title. */
export function openRow(app: App, list: ListSource, row: ListRow): void {
  if (row.kind === 'title') setFolded(app, list, row, false);
  else if (row.target !== undefined) openRowTarget(app, row.target);
}
