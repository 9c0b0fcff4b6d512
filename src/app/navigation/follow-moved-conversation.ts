import {flushComposer} from '#app/compose/composer-saver.ts';
import {sameTarget, movedDestination as targetMovedTo} from '#app/compose/destination.ts';
import type {App} from '#app/core/app.ts';
import {shownConversation, type View} from '#app/core/view.ts';
import {renameMovedRows, renameRow} from '#app/inbox/rename-row.ts';
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
import {isMove, type UpdateMessageEvent} from '#wire/events/update-message.ts';
import type {ServerEvent} from '#wire/events.ts';
import {redirectViews, timelineState} from './navigation.ts';

/**
 * Stays with a conversation that others rename or move. Only when all of it goes: whoever reads on where some messages were
 * taken out is told, and stays. `appOf` is asked when it is needed: the session comes first.
 */
export function movedConversationListener(appOf: () => App): SessionListener {
  return {
    onEvents: (events) => {
      for (const event of events)
        if (event.type === 'update_message' && isMove(event)) handleMove(appOf(), event);
      if (events.some(changesConversations)) renameMovedRows(appOf());
    },
    onRegistered: () => renameMovedRows(appOf()),
  };
}

/** Where messages are: moved, or unread again where the server has them. */
function changesConversations(event: ServerEvent): boolean {
  if (event.type === 'update_message') return isMove(event);
  return event.type === 'update_message_flags' && event.flag === 'read' && event.op === 'remove';
}

function handleMove(app: App, event: UpdateMessageEvent): void {
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

/** Whoever did it knows. */
function toastUnlessOwn(app: App, {user_id: by}: UpdateMessageEvent, text: string): void {
  if (by !== app.state.self.userId) app.toast(text);
}

/** The server says so, or there is nothing left. */
function isWholeConversation(
  state: AccountState,
  {propagate_mode: mode}: UpdateMessageEvent,
  from: Conversation,
): boolean {
  return mode === 'change_all' || isEmptied(state, from);
}

function isEmptied({timelines}: AccountState, conversation: Conversation): boolean {
  const timeline = timelines.get(narrowKey(conversationNarrow(conversation)));
  return timeline?.hasOldest === true && timeline.hasNewest && timeline.ids.size === 0;
}

/** What was begun there goes along, too. */
function followWithDrafts(app: App, from: Conversation, to: Conversation): void {
  const {isReadOnly, isExploring} = app.info;
  if (!isReadOnly && !isExploring && !sameConversation(from, to)) {
    flushComposer(app);
    const {isOpen, draftId} = app.screen.composer;
    for (const {id, content} of app.session.drafts.forConversation(from)) {
      if (!isOpen || id !== draftId) app.session.drafts.edit(id, {target: to, content});
    }
  }
  redirectViews(app, from, to);
}

function movedConversationText(
  state: AccountState,
  event: UpdateMessageEvent,
  from: TopicConversation,
  to: TopicConversation,
): string {
  const by = moverName(state, event);
  const [did, was] =
    from.channelId !== to.channelId
      ? [`moved this conversation to ${conversationTitle(state, to)}`, 'This conversation was moved to']
      : renamedTopicText(state, from, to);
  return by === undefined ? `${was} ${conversationTitle(state, to)}` : `${by} ${did}`;
}

function renamedTopicText(
  state: AccountState,
  from: TopicConversation,
  to: TopicConversation,
): readonly [did: string, was: string] {
  if (unresolvedName(from.topic) !== unresolvedName(to.topic)) {
    return [`renamed this topic to ${topicDisplayName(state, to.topic)}`, 'This topic is now'];
  }
  return isResolved(to.topic)
    ? ['resolved this topic', 'This topic was resolved:']
    : ['took this topic up again', 'This topic was taken up again:'];
}

function movedMessagesText(state: AccountState, event: UpdateMessageEvent, to: TopicConversation): string {
  const count = event.message_ids.length;
  const what = `${count} message${count === 1 ? '' : 's'}`;
  const by = moverName(state, event);
  const title = conversationTitle(state, to);
  if (by === undefined) return `${what} ${count === 1 ? 'was' : 'were'} moved to ${title}`;
  return `${by} moved ${what} to ${title}`;
}

function moverName(state: AccountState, {user_id: by}: UpdateMessageEvent): string | undefined {
  return typeof by === 'number' && state.users.has(by) ? userName(state, by) : undefined;
}

/** What waits for somebody who writes, and what was not heard. */
export function watchMovedConversations(app: App): void {
  const asked = new WeakSet<View>();
  app.onEnd(
    app.frames.subscribe(() => {
      settleMoveAfterWriting(app);
      findVanishedConversation(app, asked);
    }),
  );
}

/** Whoever was writing has followed, stayed, or closed what they wrote in. */
function settleMoveAfterWriting(app: App): void {
  const {movedConversation: moved, composer} = app.screen;
  if (moved === undefined) return;
  const {from, to} = moved;
  const shown = shownConversation(app.screen);
  const isThere = shown !== undefined && sameConversation(shown, from);
  const goesThere = composer.isOpen && sameTarget(composer.target, to);
  const mayAnswer = composer.editing !== undefined || targetMovedTo(app.state, composer) !== undefined;
  if (isThere && composer.isOpen && !goesThere && mayAnswer) return;
  app.set({movedConversation: undefined});
  const stays = composer.isOpen && !goesThere;
  if (isThere && !stays) followWithDrafts(app, from, to);
}

/**
 * Nothing is left of the conversation that is shown, where there was a message at the cursor: it may have gone while nobody
 * was listening. Its message knows where it is.
 */
function findVanishedConversation(app: App, asked: WeakSet<View>): void {
  const {view, movedConversation: moved} = app.frames.paintedFrame.screen;
  const from = shownConversation({view});
  if (from?.kind !== 'topic' || moved !== undefined || asked.has(view) || app.screen.view !== view) return;
  const {selected} = timelineState(app, view);
  if (typeof selected !== 'number' || !isEmptied(app.state, from) || app.screen.composer.isOpen) return;
  asked.add(view);
  const known = app.state.messages.byId.get(selected);
  const found = known === undefined ? app.session.fetchMessage(selected) : Promise.resolve(known);
  found.then(
    (message) => {
      const to = conversationOf(message);
      const shown = app.screen.view === view && isEmptied(app.state, from);
      if (!shown || conversationKey(to) === conversationKey(from)) return;
      followWithDrafts(app, from, to);
      app.toast(`This conversation is now ${conversationTitle(app.state, to)}`);
    },
    // It was deleted, or is no longer ours to read.
    () => {},
  );
}
