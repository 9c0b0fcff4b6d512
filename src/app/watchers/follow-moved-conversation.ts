import type {App} from '#app/core/app.ts';
import {renameMovedRows, renameRow} from '#app/inbox/rename-row.ts';
import {redirectViews, timelineState} from '#app/navigation/navigation.ts';
import {movedFrom, movedTo} from '#state/messages/event-conversations.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {
  type Conversation,
  conversationKey,
  sameConversation,
  type TopicConversation,
} from '#state/model/conversation.ts';
import {conversationNarrow, narrowKey} from '#state/model/narrow.ts';
import {
  conversationTitle,
  isResolved,
  topicDisplayName,
  unresolvedName,
  userName,
} from '#state/selectors/names/names.ts';
import type {SessionListener} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {sameTarget, movedDestination as targetMovedTo} from '#ui/composer/destination.ts';
import {shownConversation, type View} from '#ui/core/frame.ts';
import {isMove} from '#wire/events/messages.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';

/**
 * Follows a conversation that another user renames or moves. Only when all of its messages move: when some of
 * them are moved away, a toast says so and the view stays. `getApp` is called late, because the session is
 * created before the app.
 */
export function movedConversationListener(getApp: () => App): SessionListener {
  return {
    onEvents: (events) => {
      for (const event of events) if (event.type === 'update_message' && isMove(event)) handleMove(getApp(), event);
      if (events.some(changesConversations)) renameMovedRows(getApp());
    },
    onRegistered: () => renameMovedRows(getApp()),
  };
}

/** Whether the event moves messages, or makes messages unread where the server has them. */
function changesConversations(event: ServerEvent): boolean {
  if (event.type === 'update_message') return isMove(event);
  return event.type === 'update_message_flags' && event.flag === 'read' && event.op === 'remove';
}

function handleMove(app: App, event: EventOf<'update_message'>): void {
  const [from, to] = [movedFrom(event), movedTo(event)];
  if (from === undefined || to === undefined) return;
  const shown = shownConversation(app.screen);
  const isShown = shown !== undefined && sameConversation(shown, from);
  if (!isWholeConversation(app.state, event, from)) {
    if (isShown) toastUnlessOwn(app, event, movedMessagesText(app.state, event, to));
    return;
  }
  renameRow(app, conversationKey(from), to);
  const isWriting = isShown && app.screen.composer.isOpen;
  if (isWriting) {
    app.set({movedConversation: {from, to}});
    return;
  }
  followWithDrafts(app, from, to);
  if (isShown) toastUnlessOwn(app, event, movedConversationText(app.state, event, from, to));
}

/** Shows a toast unless the user did it in this or another client. */
function toastUnlessOwn(app: App, {user_id: userId}: EventOf<'update_message'>, text: string): void {
  if (userId !== app.state.self.userId) app.toast(text);
}

/** Whether the whole conversation moved: the server says so, or no messages are left. */
function isWholeConversation(
  state: AccountState,
  {propagate_mode: mode}: EventOf<'update_message'>,
  from: Conversation,
): boolean {
  return mode === 'change_all' || isEmptied(state, from);
}

function isEmptied({timelines}: AccountState, conversation: Conversation): boolean {
  const timeline = timelines.get(narrowKey(conversationNarrow(conversation)));
  return timeline?.hasOldest === true && timeline.hasNewest && timeline.ids.size === 0;
}

/** Redirects the views of the conversation, and moves its drafts along. */
function followWithDrafts(app: App, from: Conversation, to: Conversation): void {
  const {isReadOnly, isExploring} = app.info;
  if (!isReadOnly && !isExploring && !sameConversation(from, to)) {
    app.composerPersistence.flush();
    const {isOpen, draftId} = app.screen.composer;
    for (const {id, content} of app.session.drafts.forConversation(from)) {
      if (!isOpen || id !== draftId) app.session.drafts.edit(id, {target: to, content});
    }
  }
  redirectViews(app, from, to);
}

function movedConversationText(
  state: AccountState,
  event: EventOf<'update_message'>,
  from: TopicConversation,
  to: TopicConversation,
): string {
  const mover = moverName(state, event);
  const [did, was] =
    from.channelId !== to.channelId
      ? [composed`moved this conversation to ${conversationTitle(state, to)}`, 'This conversation was moved to']
      : renamedTopicText(state, from, to);
  return mover === undefined ? composed`${was} ${conversationTitle(state, to)}` : `${mover} ${did}`;
}

function renamedTopicText(
  state: AccountState,
  from: TopicConversation,
  to: TopicConversation,
): readonly [did: string, was: string] {
  if (unresolvedName(from.topic) !== unresolvedName(to.topic)) {
    return [composed`renamed this topic to ${topicDisplayName(state, to.topic)}`, 'This topic is now'];
  }
  return isResolved(to.topic)
    ? ['resolved this topic', 'This topic was resolved:']
    : ['unresolved this topic', 'This topic was unresolved:'];
}

function movedMessagesText(state: AccountState, event: EventOf<'update_message'>, to: TopicConversation): string {
  const count = event.message_ids.length;
  const what = `${count} message${count === 1 ? '' : 's'}`;
  const mover = moverName(state, event);
  const title = conversationTitle(state, to);
  if (mover === undefined) return composed`${what} ${count === 1 ? 'was' : 'were'} moved to ${title}`;
  return composed`${mover} moved ${what} to ${title}`;
}

function moverName(state: AccountState, {user_id: userId}: EventOf<'update_message'>): string | undefined {
  return typeof userId === 'number' && state.users.has(userId) ? userName(state, userId) : undefined;
}

/** Finishes moves that waited while the user was writing, and finds conversations that moved while offline. */
export function watchMovedConversations(app: App): void {
  const checked = new WeakSet<View>();
  app.afterPaint(() => {
    settleMoveAfterWriting(app);
    findVanishedConversation(app, checked);
  });
}

/** Finishes a move after the user followed it, stayed, or closed the composer. */
function settleMoveAfterWriting(app: App): void {
  const {movedConversation, composer} = app.screen;
  if (movedConversation === undefined) return;
  const {from, to} = movedConversation;
  const shown = shownConversation(app.screen);
  const isAtOrigin = shown !== undefined && sameConversation(shown, from);
  const writesToNew = composer.isOpen && sameTarget(composer.target, to);
  const canChoose = composer.editing !== undefined || targetMovedTo(app.state, composer) !== undefined;
  if (isAtOrigin && composer.isOpen && !writesToNew && canChoose) return;
  app.set({movedConversation: undefined});
  const stays = composer.isOpen && !writesToNew;
  if (isAtOrigin && !stays) followWithDrafts(app, from, to);
}

/**
 * Follows the shown conversation when it is empty although the cursor was on one of its messages: it may have
 * moved while the client was offline. The message itself says where it is now.
 */
function findVanishedConversation(app: App, checked: WeakSet<View>): void {
  const {view, movedConversation} = app.frames.paintedFrame.screen;
  const from = shownConversation({view});
  if (from?.kind !== 'topic' || movedConversation !== undefined || checked.has(view) || app.screen.view !== view)
    return;
  const {selected} = timelineState(app, view);
  if (typeof selected !== 'number' || !isEmptied(app.state, from) || app.screen.composer.isOpen) return;
  checked.add(view);
  const known = app.state.messages.byId.get(selected);
  const lookup = known === undefined ? app.session.fetchMessage(selected) : Promise.resolve(known);
  lookup.then(
    (message) => {
      const to = conversationOf(message);
      const shown = app.screen.view === view && isEmptied(app.state, from);
      if (!shown || conversationKey(to) === conversationKey(from)) return;
      followWithDrafts(app, from, to);
      app.toast(composed`This conversation moved to ${conversationTitle(app.state, to)}`);
    },
    // The message was deleted, or the user may no longer read it.
    () => {},
  );
}
