import {type RefreshedView, ViewRefresher} from '#state/fetches/view-refresher.ts';
import {canReadChannel, isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {viewChannelId, viewKey} from '#ui/core/view.ts';

/** Refreshes the shown view while it is about a channel without a subscription, of which no events arrive. */
export function watchUnsubscribedView(app: App): void {
  const refresher = new ViewRefresher(app.clock);
  const update = () => {
    const {account, screen} = app.frames.paintedFrame;
    const isLookedAt = screen.hasWindowFocus !== false && account.connection.phase === 'online';
    refresher.show(refreshedView(app, app.frames.paintedFrame), isLookedAt);
  };
  app.onEnd(app.frames.subscribe(update));
  app.onEnd(() => refresher.stop());
}

function refreshedView({session}: App, {account, screen, minute}: Frame): RefreshedView | undefined {
  const {view} = screen;
  const channelId = viewChannelId(view);
  const channel = channelId === undefined ? undefined : account.channels.get(channelId);
  if (channel === undefined || isSubscribed(account, channel.id) || !canReadChannel(account, channel, minute)) {
    return undefined;
  }
  const refresh = () =>
    view.kind === 'messages' ? session.timelines.refresh(view.narrow) : session.fetchTopics(channel.id);
  return {key: viewKey(view), refresh};
}
