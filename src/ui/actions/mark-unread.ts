import {markUnreadFrom} from '#state/actions/mark-read.ts';
import type {FlagsAction} from '#state/actions/message-flags.ts';
import {type Conversation, conversationKey, topicKey} from '#state/model/conversation.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {errorText} from '#std/error-text.ts';
import type {App} from '#ui/core/app.ts';
import {undoKeyOffer} from '#ui/core/key-offer.ts';
import type {UndoRecord} from '#ui/core/undo-record.ts';
import type {MessagesView} from '#ui/core/view.ts';
import {focusedList} from '#ui/lists/focused-list.ts';
import {selectedRow} from '#ui/message-pane/selection.ts';
import {changeTimeline} from '#ui/navigation/navigation.ts';
import {performAllUndoable, performUndoable} from '#ui/undo/perform-undoable.ts';
import {actionTargets, targetsTitle} from './action-target.ts';

const unreadLabel = 'Marked unread from here on';

/**
 * Marks messages unread: in a conversation from the selected message on, in a list the newest message of each target.
 */
export function markUnread(app: App): void {
  const {view} = app.screen;
  if (focusedList(app.screen) !== undefined) markTargetsUnread(app);
  else if (view.kind === 'messages') markUnreadHere(app, view);
}

/** Marks unread from the selected message on. The messages on screen then stay unread until the next visit. */
function markUnreadHere(app: App, view: MessagesView): void {
  const id = selectedRow(app);
  if (typeof id !== 'number') return;
  changeTimeline(app, view, (state) => ({...state, isPeek: true}));
  const timeline = timelineOf(app.state, view.narrow);
  if (timeline?.hasNewest !== true || timeline.isStale) {
    fetchAndMark(app, view, id);
    return;
  }
  const action: FlagsAction = {kind: 'flags', op: 'remove', flag: 'read', ids: [...timeline.ids.from(id)]};
  if (!performUndoable(app, action, unreadLabel)) app.toast('Already unread.');
}

/** Fetches the following messages first, because not all of them are loaded. */
function fetchAndMark(app: App, view: MessagesView, id: number): void {
  const {context, pendingChanges} = app.session;
  markUnreadFrom(context, pendingChanges, view.narrow, id).then(
    (change) => {
      if (change === undefined) return;
      const steps = [{kind: 'deed', inverse: change.inverse} as const];
      const record: UndoRecord = {label: unreadLabel, at: app.clock.now(), keys: [], steps};
      app.undoStack.pushRecord(record);
      app.toast(`${unreadLabel}${undoKeyOffer()}`);
    },
    (error: unknown) => {
      app.toast(`Could not mark unread: ${errorText(error)}`, 'error');
    },
  );
}

function markTargetsUnread(app: App): void {
  const targets = actionTargets(app).flatMap((target) => (target.kind === 'conversation' ? [target] : []));
  const actions = targets.flatMap(({conversation}) => newestUnreadActions(app.state, conversation));
  const isDone =
    actions.length > 0 && performAllUndoable(app, actions, `Marked ${targetsTitle(app.state, targets)} unread`);
  if (!isDone) app.toast('Nothing there can be marked unread.');
}

/** Returns the action for the newest message, including its conversation because the message may not be loaded. */
function newestUnreadActions(state: AccountState, conversation: Conversation): readonly FlagsAction[] {
  const id = newestMessageId(state, conversation);
  if (id === undefined) return [];
  const places = [{conversation, ids: [id], mentions: []}];
  return [{kind: 'flags', op: 'remove', flag: 'read', ids: [id], places}];
}

function newestMessageId({messages, topics, directs}: AccountState, conversation: Conversation): number | undefined {
  const key = conversationKey(conversation);
  const listed =
    conversation.kind === 'topic'
      ? topics.get(conversation.channelId)?.byKey.get(topicKey(conversation.topic))?.maxId
      : directs.get(key)?.maxId;
  return messages.byConversation.get(key)?.last() ?? listed;
}
