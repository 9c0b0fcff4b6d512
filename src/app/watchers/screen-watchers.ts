import type {App} from '#app/core/app.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import {bannerOfferAt} from '#ui/banner/banner-lines.ts';
import {windowTitle} from '#ui/header/header-line.ts';
import {inboxOrder} from '#ui/inbox/triage-rows.ts';
import {minForTwoPanes, shownOtherPane} from '#ui/layout/layout.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {watchMovedConversations} from './follow-moved-conversation.ts';
import {watchQuietTime} from './notifications.ts';
import {watchConnection, watchOutage} from './watch-connection.ts';
import {watchChannelLists, watchRecentRows, watchUnsubscribedView} from './watch-lists.ts';
import {watchUnsentMessages} from './watch-unsent.ts';

/**
 * Starts the background watchers of the screen: terminal title, lists of a channel, connection, moved conversations,
 * outbox, channels without a subscription, reminders, messages that must stay in memory, ages of recent conversations, quiet time.
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
  watchQuietTime(app);
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
