import {refreshCompletionMenu} from '#app/completion-menu/refresh-completion-menu.ts';
import type {App} from '#app/core/app.ts';
import {isConversationShown} from '#app/panes/other-pane.ts';
import {fetchShownSubscribers} from '#app/panes/pane-focus.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import {fetchMessagesByIds} from '#state/fetches/fetch-messages.ts';
import {type RefreshedView, ViewRefresher} from '#state/fetches/view-refresher.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {canReadChannel, isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import type {Clock} from '#std/clock.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {sameArguments} from '#std/memo.ts';
import {bannerOfferAt} from '#ui/banner/banner-lines.ts';
import {completedTopics} from '#ui/completion-menu/completion-menu.ts';
import {type Frame, type ImageRequest, type PaneLine, type View, viewChannelId, viewKey} from '#ui/core/frame.ts';
import type {Outage} from '#ui/core/screen-state.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {isUndelivered, windowTitle} from '#ui/header/header-line.ts';
import {previewedMessages, previewRect} from '#ui/inbox/inbox-preview.ts';
import {inboxOrder} from '#ui/inbox/triage-rows.ts';
import {minForTwoPanes, shownOtherPane} from '#ui/layout/layout.ts';
import {mainList} from '#ui/list-table.ts';
import {bodyRows, listTop} from '#ui/lists/list-position.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {cardContent} from '#ui/overlays/card-content.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {directList, recentList} from '#ui/recent/recent-list.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';
import {watchMovedConversations} from './follow-moved-conversation.ts';

/** After this time the time of day says more than the seconds. */
const freshMs = 10_000;
/** Missed messages arrive this long after the connection is back. */
const catchUpMs = 400;

/**
 * Starts the background watchers of the screen: terminal title, lists of a channel, connection, moved conversations,
 * outbox, channels without a subscription, reminders, messages that must stay in memory, ages of recent conversations.
 */
export function startScreenWatchers(app: App): void {
  watchTitle(app);
  watchChannelLists(app);
  watchConnection(app);
  watchOutage(app);
  watchBannerFocus(app);
  watchMovedConversations(app);
  watchUnsentMessages(app);
  watchUnsubscribedView(app);
  fetchRemindedMessages(app);
  pinReferencedMessages(app);
  watchRecentRows(app);
  watchHiddenPane(app);
}

function watchTitle(app: App): void {
  let last: string | undefined;
  const update = () => {
    const title = windowTitle(app.frames.paintedFrame);
    if (title !== last) app.device.setTitle(title);
    last = title;
  };
  app.afterPaint(update);
  update();
}

function watchConnection(app: App): void {
  let before: ConnectionStatus = app.state.connection;
  let newestKnown = app.state.maxMessageId;
  let cancel = () => {};
  const update = () => {
    const {connection, maxMessageId} = app.state;
    if (connection.phase === before.phase) return;
    if (connection.phase === 'offline') {
      newestKnown = maxMessageId;
      // The header has no room for what arrived instead of the expected response.
      if (connection.answered === 'webPage' || connection.answered === 'unreadable')
        app.toast(connection.problem, 'error');
    }
    cancel();
    if (before.phase === 'offline' && connection.phase === 'online') {
      cancel = app.clock.after(catchUpMs, () => app.toast(backOnlineText(app, newestKnown)));
    }
    before = connection;
  };
  app.onEnd(app.session.cache.subscribe(['connection'], update));
  app.onEnd(() => cancel());
}

/** Counts the seconds to the next attempt to connect, or without a response, while they are on screen. */
function watchOutage(app: App): void {
  let cancel = () => {};
  let isFocused = false;
  const count = () => {
    cancel();
    const {connection} = app.state;
    const now = app.clock.monotonic();
    const outage = outageAt(connection, app.clock);
    if (!deepEqual(outage, app.screen.outage)) app.set({outage});
    if (outage === undefined) return;
    if (connection.phase !== 'offline') {
      cancel = app.clock.after(1000, count);
      return;
    }
    const leftMs = Math.max(0, (connection.retryAt ?? now) - now);
    const isCountdownShown = outage.isFresh || connection.answered !== undefined || isFocused;
    if (isCountdownShown) cancel = app.clock.after(leftMs % 1000 || 1000, count);
  };
  app.onEnd(app.session.cache.subscribe(['connection'], count));
  app.afterPaint(() => {
    const wasFocused = isFocused;
    isFocused = app.frames.paintedFrame.screen.focus === 'connection';
    if (isFocused && !wasFocused) count();
  });
  app.onEnd(() => cancel());
  count();
}

function outageAt(connection: ConnectionStatus, clock: Clock): Outage | undefined {
  const now = clock.monotonic();
  if (connection.phase === 'offline') {
    const leftMs = Math.max(0, (connection.retryAt ?? now) - now);
    const retryIn = leftMs === 0 ? undefined : Math.ceil(leftMs / 1000);
    return {isFresh: Math.abs(clock.now() - connection.since) < freshMs, retryIn};
  }
  const since = 'silentSince' in connection ? connection.silentSince : undefined;
  if (since === undefined) return undefined;
  return {isFresh: false, retryIn: undefined, silentFor: Math.floor((now - since) / 1000)};
}

/**
 * Moves the focus to the messages when the focused banner disappears. The connection line keeps the focus
 * after it recovers, so that a late Enter does nothing else.
 */
function watchBannerFocus(app: App): void {
  app.afterPaint(() => {
    const frame = app.frames.paintedFrame;
    if (frame.screen.focus !== 'banner' || bannerOfferAt(frame, screenLayout(frame), 'banner') !== undefined) return;
    app.set({focus: 'main'});
  });
}

/** Fetches the messages of reminders, whose conversations the reminder list shows. */
function fetchRemindedMessages(app: App): void {
  const requested = new Set<number>();
  app.afterPaint(() => {
    const {screen, account} = app.frames.paintedFrame;
    if (screen.view.kind !== 'drafts' || screen.view.tab !== 'reminders') return;
    for (const {reminderTargetMessageId: id} of account.reminders.values()) {
      if (requested.has(id) || account.messages.byId.has(id)) continue;
      requested.add(id);
      ignoreFailure(app.session.fetchMessage(id));
    }
  });
}

/** Returns `Back online · 31 new in 6 conversations`. */
function backOnlineText({state}: App, newestKnown: number): string {
  const conversations = new Set<string>();
  let count = 0;
  for (const [id, key] of state.unreads.byId.entries(newestKnown + 1)) {
    if (id <= newestKnown) continue;
    count += 1;
    conversations.add(key);
  }
  if (count === 0) return 'Back online';
  return `Back online · ${count} new in ${conversations.size} conversation${conversations.size === 1 ? '' : 's'}`;
}

/** Keeps messages in memory that the screen refers to without showing them in a view. */
export function pinReferencedMessages(app: App): void {
  app.onEnd(app.session.pinMessages(() => referencedIds(app)));
}

/** Returns the messages that are replied to or edited, that say where an undone conversation is, or why a row is gone. */
function* referencedIds({screen, frame, undoStack}: App): Iterable<number> {
  const {anchor, editing} = screen.composer;
  if (anchor !== undefined) yield anchor.messageId;
  if (editing !== undefined) yield editing.messageId;
  const {removedRow} = inboxOrder(frame);
  if (removedRow !== undefined) yield removedRow.row.oldestUnreadId;
  yield* undoStack.nearMessageIds();
}

/** Says that the terminal has become too small for two panes, and what shows the hidden one. */
function watchHiddenPane(app: App): void {
  let wasShown = app.screen.otherPane !== undefined;
  app.afterPaint(() => {
    const {screen} = app.frames.paintedFrame;
    const {otherPane, panes} = screen;
    const isShown = shownOtherPane(screen) !== undefined;
    if (wasShown && !isShown && otherPane?.isZoomed === false && !panes.isBare) {
      const {columns, rows} = {...minForTwoPanes.beside, ...minForTwoPanes.below};
      const need = otherPane.direction === 'beside' ? `${columns} columns` : `${rows} rows`;
      const offer = {label: 'shows the other one', commands: ['pane.other']};
      app.toast({text: `Two panes need ${need}: one of them is hidden`, offer});
    }
    wasShown = isShown;
  });
}

/** The lists whose rows show the age of their conversation's last message. */
const timedLists: readonly ListSource[] = [recentList, directList, topicList];

/** Rows above and below the visible ones that one request includes. */
const aroundRows = 100;

/** Fetches the last messages of listed conversations that are not loaded: their rows show its age. */
function watchRecentRows(app: App): void {
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

/** Failures within this time are reported together. */
const batchMs = 3000;

/**
 * Reports messages that could not be sent, unless their conversation is on screen, where the message itself shows it.
 */
export function watchUnsentMessages(app: App): void {
  let known = new Set(undeliveredEntries(app.state).map(({id}) => id));
  let [reported, reportedAt]: [readonly OutboxEntry[], number] = [[], Number.NEGATIVE_INFINITY];
  const update = () => {
    const before = known;
    const now = undeliveredEntries(app.state);
    known = new Set(now.map(({id}) => id));
    const newlyFailed = now.filter(
      (entry) => !before.has(entry.id) && !isConversationShown(app.screen, entry.conversation),
    );
    if (newlyFailed.length === 0) return;
    const at = app.clock.monotonic();
    reported = at - reportedAt < batchMs ? [...reported, ...newlyFailed] : newlyFailed;
    reportedAt = at;
    app.toast(undeliveredText(app.state, reported), 'error');
  };
  app.onEnd(app.session.cache.subscribe(['outbox'], update));
}

function undeliveredEntries({outbox}: AccountState): readonly OutboxEntry[] {
  return outbox.filter(isUndelivered);
}

/** Returns `Not sent to #web › css: You may not write there. · g o opens the outbox`. */
function undeliveredText(state: AccountState, [first, ...others]: readonly OutboxEntry[]): ToastMessage {
  const hint = 'g o opens the outbox';
  if (first === undefined || others.length > 0) return {text: `${others.length + 1} messages were not sent`, hint};
  const {status, conversation, problem} = first;
  const what = status === 'failed' ? 'Not sent' : 'Perhaps not sent';
  const why = problem === undefined ? '' : `: ${problem}`;
  return {text: `${what} to ${conversationTitle(state, conversation)}${why}`, hint};
}

/** Refreshes the shown views while they are about a channel without a subscription, of which no events arrive. */
function watchUnsubscribedView(app: App): void {
  const [focused, other] = [new ViewRefresher(app.clock), new ViewRefresher(app.clock)];
  const update = () => {
    const frame = app.frames.paintedFrame;
    const {account, screen} = frame;
    const isLookedAt = screen.hasWindowFocus !== false && account.connection.phase === 'online';
    const view = shownOtherPane(screen)?.view;
    focused.show(refreshedView(app, frame, screen.view), isLookedAt);
    other.show(view === undefined ? undefined : refreshedView(app, frame, view), isLookedAt);
  };
  app.afterPaint(update);
  app.onEnd(() => focused.stop());
  app.onEnd(() => other.stop());
}

function refreshedView({session}: App, {account, minute}: Frame, view: View): RefreshedView | undefined {
  const channelId = viewChannelId(view);
  const channel = channelId === undefined ? undefined : account.channels.get(channelId);
  if (channel === undefined || isSubscribed(account, channel.id) || !canReadChannel(account, channel, minute)) {
    return undefined;
  }
  const refresh = () =>
    view.kind === 'messages' ? session.timelines.refresh(view.narrow) : session.fetchTopics(channel.id);
  return {key: viewKey(view), refresh};
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

/** Tells the app's loader after each paint which images are on the screen. */
export function watchImages(app: App): void {
  let lines: readonly (readonly PaneLine[])[] = [];
  app.afterPaint(() => {
    if (app.imageLoader === undefined) return;
    const frame = app.frames.paintedFrame;
    const other = otherPaneFrame(frame);
    const shown = [imageLines(frame), other === undefined ? noLines : imageLines(other)];
    if (sameArguments(shown, lines)) return;
    lines = shown;
    app.imageLoader.setVisible(imagesIn(lines.flat()));
  });
}

const noLines: readonly PaneLine[] = [];

/** Returns the lines of the part of the screen that may show images: the viewer covers all others. */
function imageLines(frame: Frame): readonly PaneLine[] {
  if (frame.display.images === undefined) return noLines;
  const card = cardContent(frame);
  if (card?.layout.isFullScreen === true) return card.lines;
  const rect = previewRect(frame);
  const shown = mainTimelineNow(frame) ?? (rect && previewedMessages(frame, rect));
  return shown?.lines ?? noLines;
}

/** Returns the images of lines, each box once. */
export function imagesIn(lines: readonly PaneLine[]): readonly ImageRequest[] {
  const requests = new Map<string, ImageRequest>();
  for (const {spans} of lines) {
    for (const {image} of spans) {
      if (image === undefined) continue;
      const {href, columns, rows, isEmoji} = image;
      requests.set(`${columns} ${rows} ${href}`, {href, columns, rows, ...(isEmoji && {isEmoji})});
    }
  }
  return [...requests.values()];
}
