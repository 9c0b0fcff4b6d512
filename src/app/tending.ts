import type {ConnectionStatus} from '#state/model/connection.ts';
import type {App} from './app.ts';
import {windowTitle} from './header.ts';
import {quietly} from './navigation.ts';
import {askForPeople} from './panes.ts';
import {viewKey} from './view.ts';

/** After so long the time of day says more than the seconds. */
const countedSeconds = 10;
/** What was missed comes in a moment after the connection is back. */
const catchUpMs = 400;

/** What goes along with the frame around the messages: the terminal's title, the people pane, the connection's news. */
export function tendFrame(app: App): void {
  tendTitle(app);
  tendPeople(app);
  tendConnection(app);
  tendUnanswered(app);
  tendReminded(app);
}

function tendTitle(app: App): void {
  let last: string | undefined;
  const look = () => {
    const title = windowTitle(app.frames.current);
    if (title !== last) app.device.setTitle(title);
    last = title;
  };
  app.onEnd(app.frames.subscribe(look));
  look();
}

/** Whoever is in a channel is asked for when it is shown beside it. */
function tendPeople(app: App): void {
  let last: string | undefined;
  app.onEnd(
    app.frames.subscribe(() => {
      const {screen} = app.frames.current;
      const shown = `${viewKey(screen.view)} ${screen.panes.people} ${screen.size.columns}`;
      if (shown === last) return;
      last = shown;
      askForPeople(app);
    }),
  );
}

function tendConnection(app: App): void {
  let before: ConnectionStatus = app.state.connection;
  let newestKnown = app.state.maxMessageId;
  let cancel = () => {};
  const count = () => {
    const {connection} = app.state;
    cancel();
    if (connection.phase !== 'offline') return;
    const past = Math.round((app.clock.now() - connection.since) / 1000);
    const isCounted = past < countedSeconds;
    app.set({offlineSeconds: isCounted ? Math.max(1, past) : undefined});
    if (isCounted) cancel = app.clock.after(1000, count);
  };
  const look = () => {
    const {connection, maxMessageId} = app.state;
    if (connection.phase === before.phase) return;
    if (connection.phase === 'offline') {
      newestKnown = maxMessageId;
      count();
    } else {
      cancel();
      app.set({offlineSeconds: undefined});
      if (before.phase === 'offline' && connection.phase === 'online') {
        cancel = app.clock.after(catchUpMs, () => app.toast(backText(app, newestKnown)));
      }
    }
    before = connection;
  };
  app.onEnd(app.session.cache.subscribe(['connection'], look));
  app.onEnd(() => cancel());
  if (before.phase === 'offline') count();
}

/** A server that lets a message wait so long may be gone; to hear that from the next sign of life takes minutes. */
const unansweredMs = 8000;

function tendUnanswered(app: App): void {
  const asked = new Set<string>();
  let cancel = () => {};
  const look = () => {
    cancel();
    const now = app.clock.now();
    const waiting = app.state.outbox.filter(({id, status}) => status === 'sending' && !asked.has(id));
    const [first] = waiting.sort((a, b) => (a.sentAt ?? now) - (b.sentAt ?? now));
    if (first === undefined) return;
    const left = Math.max(0, (first.sentAt ?? now) + unansweredMs - now);
    cancel = app.clock.after(left, () => {
      asked.add(first.id);
      app.session.wake('unanswered');
      look();
    });
  };
  app.onEnd(app.session.cache.subscribe(['outbox'], look));
  app.onEnd(() => cancel());
  look();
}

/** Reminders tell where their messages are, which may have to be asked for. */
function tendReminded(app: App): void {
  const asked = new Set<number>();
  app.onEnd(
    app.frames.subscribe(() => {
      const {screen, account} = app.frames.current;
      if (screen.view.kind !== 'drafts' || screen.view.tab !== 'reminders') return;
      for (const {reminderTargetMessageId: id} of account.reminders.values()) {
        if (asked.has(id) || account.messages.byId.has(id)) continue;
        asked.add(id);
        quietly(app, app.session.fetchMessage(id));
      }
    }),
  );
}

/** `back · 31 new in 6 conversations` */
function backText({state}: App, newestKnown: number): string {
  const conversations = new Set<string>();
  let count = 0;
  for (const [id, key] of state.unreads.byId.entries(newestKnown + 1)) {
    if (id <= newestKnown) continue;
    count += 1;
    conversations.add(key);
  }
  if (count === 0) return 'back online';
  return `back · ${count} new in ${conversations.size} conversation${conversations.size === 1 ? '' : 's'}`;
}
