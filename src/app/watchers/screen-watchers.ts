import {bannerOfferAt} from '#app/chrome/banner.ts';
import {windowTitle} from '#app/chrome/header.ts';
import type {App} from '#app/core/app.ts';
import {viewKey} from '#app/core/view.ts';
import {fetchShownSubscribers} from '#app/layout/pane-focus.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {watchMovedConversations} from '#app/navigation/follow-moved-conversation.ts';
import {ignoreFailure} from '#app/navigation/navigation.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import {watchUnsentMessages} from './unsent-messages.ts';
import {watchUnsubscribedView} from './unsubscribed-view.ts';

/** After this time the time of day says more than the seconds. */
const freshMs = 10_000;
/** Missed messages arrive this long after the connection is back. */
const catchUpMs = 400;

/**
 * Starts the background watchers of the screen: terminal title, people pane, connection, moved conversations,
 * outbox, channels without a subscription, reminders.
 */
export function startScreenWatchers(app: App): void {
  watchTitle(app);
  watchPeoplePane(app);
  watchConnection(app);
  watchOutage(app);
  watchBannerFocus(app);
  watchMovedConversations(app);
  watchUnansweredSends(app);
  watchUnsentMessages(app);
  watchUnsubscribedView(app);
  fetchRemindedMessages(app);
}

function watchTitle(app: App): void {
  let last: string | undefined;
  const update = () => {
    const title = windowTitle(app.frames.paintedFrame);
    if (title !== last) app.device.setTitle(title);
    last = title;
  };
  app.onEnd(app.frames.subscribe(update));
  update();
}

/** Fetches the subscribers of a channel when the people pane shows them. */
function watchPeoplePane(app: App): void {
  let last: string | undefined;
  app.onEnd(
    app.frames.subscribe(() => {
      const {screen} = app.frames.paintedFrame;
      const shown = `${viewKey(screen.view)} ${screen.panes.people} ${screen.size.columns}`;
      if (shown === last) return;
      last = shown;
      fetchShownSubscribers(app);
    }),
  );
}

function watchConnection(app: App): void {
  let before: ConnectionStatus = app.state.connection;
  let newestKnown = app.state.maxMessageId;
  let cancel = () => {};
  const update = () => {
    const {connection, maxMessageId} = app.state;
    if (connection.phase === before.phase) return;
    if (connection.phase === 'offline') newestKnown = maxMessageId;
    cancel();
    if (before.phase === 'offline' && connection.phase === 'online') {
      cancel = app.clock.after(catchUpMs, () => app.toast(backOnlineText(app, newestKnown)));
    }
    before = connection;
  };
  app.onEnd(app.session.cache.subscribe(['connection'], update));
  app.onEnd(() => cancel());
}

/** Counts down to the next attempt to connect, while the countdown is on screen. */
function watchOutage(app: App): void {
  let cancel = () => {};
  let isFocused = false;
  const count = () => {
    cancel();
    const {connection} = app.state;
    if (connection.phase !== 'offline') {
      if (app.screen.outage !== undefined) app.set({outage: undefined});
      return;
    }
    const now = app.clock.now();
    const isFresh = now - connection.since < freshMs;
    const leftMs = Math.max(0, (connection.retryAt ?? now) - now);
    const retryIn = leftMs === 0 ? undefined : Math.ceil(leftMs / 1000);
    const {outage} = app.screen;
    if (outage?.isFresh !== isFresh || outage.retryIn !== retryIn) app.set({outage: {isFresh, retryIn}});
    const isCountdownShown = isFresh || connection.answered !== undefined || isFocused;
    if (isCountdownShown) cancel = app.clock.after(leftMs % 1000 || 1000, count);
  };
  app.onEnd(app.session.cache.subscribe(['connection'], count));
  app.onEnd(
    app.frames.subscribe(() => {
      const wasFocused = isFocused;
      isFocused = app.frames.paintedFrame.screen.focus === 'connection';
      if (isFocused && !wasFocused) count();
    }),
  );
  app.onEnd(() => cancel());
  count();
}

/**
 * Moves the focus to the messages when the focused banner disappears. The connection line keeps the focus
 * after it recovers, so that a late Enter does nothing else.
 */
function watchBannerFocus(app: App): void {
  app.onEnd(
    app.frames.subscribe(() => {
      const frame = app.frames.paintedFrame;
      if (frame.screen.focus !== 'banner' || bannerOfferAt(frame, screenLayout(frame), 'banner') !== undefined) return;
      app.set({focus: 'main'});
    }),
  );
}

/**
 * A server that does not answer a sent message for this long may be gone; the next heartbeat would show that
 * only after minutes.
 */
const unansweredMs = 8000;

function watchUnansweredSends(app: App): void {
  const requested = new Set<string>();
  let cancel = () => {};
  const update = () => {
    cancel();
    const now = app.clock.now();
    const waiting = app.state.outbox.filter(({id, status}) => status === 'sending' && !requested.has(id));
    const [first] = waiting.sort((a, b) => (a.sentAt ?? now) - (b.sentAt ?? now));
    if (first === undefined) return;
    const left = Math.max(0, (first.sentAt ?? now) + unansweredMs - now);
    cancel = app.clock.after(left, () => {
      requested.add(first.id);
      app.session.wake('unanswered');
      update();
    });
  };
  app.onEnd(app.session.cache.subscribe(['outbox'], update));
  app.onEnd(() => cancel());
  update();
}

/** Fetches the messages of reminders, whose conversations the reminder list shows. */
function fetchRemindedMessages(app: App): void {
  const requested = new Set<number>();
  app.onEnd(
    app.frames.subscribe(() => {
      const {screen, account} = app.frames.paintedFrame;
      if (screen.view.kind !== 'drafts' || screen.view.tab !== 'reminders') return;
      for (const {reminderTargetMessageId: id} of account.reminders.values()) {
        if (requested.has(id) || account.messages.byId.has(id)) continue;
        requested.add(id);
        ignoreFailure(app, app.session.fetchMessage(id));
      }
    }),
  );
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
