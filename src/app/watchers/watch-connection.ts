import type {App} from '#app/core/app.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import type {Clock} from '#std/clock.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {Outage} from '#ui/core/screen-state.ts';

/** After this time the time of day says more than the seconds. */
const freshMs = 10_000;

/** Missed messages arrive this long after the connection is back. */
const catchUpMs = 400;

export function watchConnection(app: App): void {
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
export function watchOutage(app: App): void {
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
