import {directConversation} from '#state/model/conversation.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {topicRows} from '#state/selectors/lists/topic-rows.ts';
import {canReadChannel} from '#state/selectors/permissions/channel-permissions.ts';
import type {App} from '#ui/core/app.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {openConversation, openNarrow, openView} from '#ui/navigation/navigation.ts';
import {changeList} from './list-filter.ts';
import type {ListRow, RowTarget} from './list-source.ts';

/** Opens a row's target in the main pane. */
function openRowTarget(app: App, target: RowTarget): void {
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
export function openRow(app: App, id: ListId, row: ListRow): void {
  if (row.kind === 'title') setFolded(app, id, row, false);
  else if (row.target !== undefined) openRowTarget(app, row.target);
}

/** Folds or unfolds a row's group; returns false when nothing changed. */
export function setFolded(app: App, id: ListId, {group}: ListRow, isFolded: boolean): boolean {
  const {folded} = app.screen.lists[id];
  if (group === undefined || folded.has(group) === isFolded) return false;
  const next = new Set(folded);
  if (isFolded) next.add(group);
  else next.delete(group);
  changeList(app, id, (list) => ({...list, folded: next, cursor: isFolded ? `title ${group}` : list.cursor}));
  return true;
}
