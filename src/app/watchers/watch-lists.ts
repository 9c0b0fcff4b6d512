import {refreshCompletionMenu} from '#app/completion-menu/refresh-completion-menu.ts';
import type {App} from '#app/core/app.ts';
import {fetchShownSubscribers} from '#app/panes/pane-focus.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import {fetchMessagesByIds} from '#state/fetches/fetch-messages.ts';
import {type RefreshedView, ViewRefresher} from '#state/fetches/view-refresher.ts';
import {canReadChannel, isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {completedTopics} from '#ui/completion-menu/completion-menu.ts';
import {type Frame, viewChannelId, viewKey} from '#ui/core/frame.ts';
import {mainList} from '#ui/list-table.ts';
import {bodyRows, listTop} from '#ui/lists/list-position.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {directList, recentList} from '#ui/recent/recent-list.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';

/** The lists whose rows show the age of their conversation's last message. */
const timedLists: readonly ListSource[] = [recentList, directList, topicList];

/** Rows above and below the visible ones that one request includes. */
const aroundRows = 100;

/** Fetches the last messages of listed conversations that are not loaded: their rows show its age. */
export function watchRecentRows(app: App): void {
  let requested = new Set<number>();
  let {server} = app.state;
  const update = () => {
    const list = mainList(app.screen.view);
    if (list === undefined || !timedLists.includes(list)) return;
    if (app.state.connection.phase !== 'online') return;
    if (app.state.server !== server) requested = new Set();
    server = app.state.server;
    const missing = missingIds(app, list, 0).filter((id) => !requested.has(id));
    if (missing.length === 0) return;
    const isOneRequest = server.abilities.messagesByIds;
    const ids = isOneRequest ? missingIds(app, list, aroundRows) : missing;
    for (const id of ids) requested.add(id);
    const fetch = isOneRequest
      ? fetchMessagesByIds(app.session.context, ids)
      : Promise.all(ids.map((id) => app.session.fetchMessage(id)));
    fetch.catch(() => {});
  };
  // The newest messages make most requests unnecessary.
  app.afterPaint(() => void app.session.recentMessages().then(update));
}

function missingIds({frame}: App, list: ListSource, around: number): readonly number[] {
  const room = bodyRows(frame, list, screenLayout(frame)) ?? 0;
  const top = listTop(frame, list, room);
  const rows = visibleRowsOf(frame, list).rows.slice(Math.max(0, top - around), top + room + around);
  return rows.flatMap((row) =>
    'missingMessageId' in row && typeof row.missingMessageId === 'number' ? [row.missingMessageId] : [],
  );
}

/** Refreshes the shown views while they are about a channel without a subscription, of which no events arrive. */
export function watchUnsubscribedView(app: App): void {
  const focused = new ViewRefresher(app.clock);
  const other = new ViewRefresher(app.clock);
  const show = (refresher: ViewRefresher, owner: App | undefined, frame: Frame | undefined) => {
    const view = owner && frame && refreshedView(owner, frame, () => app.isOnScreen);
    const isOnline = frame?.account.connection.phase === 'online';
    refresher.show(view, app.isOnScreen && app.screen.hasWindowFocus !== false && isOnline);
  };
  app.afterPaint(() => {
    const frame = app.frames.paintedFrame;
    const organization = frame.screen.otherPane?.organization;
    show(focused, app, frame);
    show(other, organization === undefined ? app : app.accounts.appAt?.(organization), otherPaneFrame(frame));
  });
  app.onEnd(() => focused.stop());
  app.onEnd(() => other.stop());
}

function refreshedView(
  {session, info}: App,
  {account, minute, screen}: Frame,
  isOnScreen: () => boolean,
): RefreshedView | undefined {
  const {view} = screen;
  const channelId = viewChannelId(view);
  const channel = channelId === undefined ? undefined : account.channels.get(channelId);
  if (channel === undefined || isSubscribed(account, channel.id) || !canReadChannel(account, channel, minute)) {
    return undefined;
  }
  const refresh = async () => {
    // An account that is not shown any more paints only when something arrives.
    if (!isOnScreen()) return;
    await (view.kind === 'messages' ? session.timelines.refresh(view.narrow) : session.fetchTopics(channel.id));
  };
  return {key: `${info.accountName} ${viewKey(view)}`, refresh};
}

/**
 * Fetches the topics and subscribers of the shown channel when a pane lists them, the topics that the user is about to
 * choose from, and those of all channels while the user looks for something by name.
 */
export function watchChannelLists(app: App): void {
  watchShownChannel(app);
  watchOfferedTopics(app);
  const isNeeded = () => showsAllTopics(app);
  app.afterPaint(() => {
    if (isNeeded()) app.session.topics.collectWhile(isNeeded);
  });
}

function watchShownChannel(app: App): void {
  let last: string | undefined;
  app.afterPaint(() => {
    const frame = app.frames.paintedFrame;
    const shown = `${viewChannelId(frame.screen.view)} ${listsTopics(frame)} ${screenLayout(frame).people !== undefined}`;
    if (shown === last) return;
    last = shown;
    fetchShownLists(app);
  });
}

/** Fetches the topics and subscribers of the shown channel that panes list, unless they are complete. */
export function fetchShownLists(app: App): void {
  const frame = app.frames.paintedFrame;
  const channelId = viewChannelId(frame.screen.view);
  if (channelId === undefined) return;
  if (listsTopics(frame)) ignoreFailure(app.session.fetchTopics(channelId));
  fetchShownSubscribers(app);
}

function listsTopics(frame: Frame): boolean {
  return frame.screen.view.kind === 'topics' || screenLayout(frame).topics !== undefined;
}

/** Fetches the topics of the channel that is named in a picker or in the composer. */
function watchOfferedTopics(app: App): void {
  let last: number | undefined;
  app.afterPaint(() => {
    const open = openedPicker(app);
    const {composer} = app.screen;
    const channelId =
      open === undefined ? completedTopics(composer) : open.picker.topicsOf?.(app.frame, open.field.text);
    if (channelId === last) return;
    last = channelId;
    if (channelId === undefined) return;
    const fetched = app.session.fetchTopics(channelId).then(() => {
      if (completedTopics(app.screen.composer) === channelId) refreshCompletionMenu(app);
    });
    ignoreFailure(fetched);
  });
}

/** Whether the screen finds, or lists, topics of all channels. */
function showsAllTopics(app: App): boolean {
  const {view, lists} = app.screen;
  const picker = openedPicker(app)?.picker.id;
  const {isFiltering, filter} = lists.channels;
  return picker === 'palette' || picker === 'search' || isFiltering || filter.text !== '' || view.kind === 'recent';
}
