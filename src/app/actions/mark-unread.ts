import type {App} from '#app/core/app.ts';
import type {UndoRecord} from '#app/core/undo-stack.ts';
import type {MessagesView} from '#app/core/view.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {changeTimeline} from '#app/navigation/navigation.ts';
import {selectedRow} from '#app/timeline/selection.ts';
import {performAllUndoable, performUndoable} from '#app/undo/perform-undoable.ts';
import {applyUndoRecord} from '#app/undo/undo-record.ts';
import {markUnreadFrom} from '#state/actions/mark-read.ts';
import type {FlagsAction} from '#state/actions/message-flags.ts';
import {type Conversation, conversationKey, topicKey} from '#state/model/conversation.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {actionTargets, targetsTitle} from './action-target.ts';

const fromHere = 'Marked unread from here on';

/** Among messages from the selected one on; in a list the newest message of each conversation that is at hand. */
export function markUnread(app: App): void {
  const {view} = app.screen;
  if (focusedList(app.screen) !== undefined) markTargetsUnread(app);
  else if (view.kind === 'messages') markUnreadHere(app, view);
}

/** What is shown then stays unread until the next visit. */
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
  if (!performUndoable(app, action, fromHere)) app.toast('All of it is unread already.');
}

/** What follows is not all known, so that it has to be asked for first. */
function fetchAndMark(app: App, view: MessagesView, id: number): void {
  const {context, pendingChanges: deeds} = app.session;
  markUnreadFrom(context, deeds, view.narrow, id).then(
    (done) => {
      if (done === undefined) return;
      const steps = [{kind: 'deed', inverse: done.inverse} as const];
      const kept: UndoRecord = {label: fromHere, at: app.clock.now(), keys: [], steps};
      app.undoStack.push({label: fromHere, record: kept, undo: () => applyUndoRecord(app, kept)});
      app.toast(`${fromHere} · Z undo`);
    },
    (error: unknown) => {
      app.toast(`Not done: ${error instanceof Error ? error.message : String(error)}`, 'error');
    },
  );
}

function markTargetsUnread(app: App): void {
  const subjects = actionTargets(app).flatMap((subject) =>
    subject.kind === 'conversation' ? [subject] : [],
  );
  const actions = subjects.flatMap(({conversation}) => newestAction(app.state, conversation));
  const isDone =
    actions.length > 0 &&
    performAllUndoable(app, actions, `Marked ${targetsTitle(app.state, subjects)} unread`);
  if (!isDone) app.toast('Nothing there can be marked unread.');
}

/** Its place goes with it, because it may not be loaded. */
function newestAction(state: AccountState, conversation: Conversation): readonly FlagsAction[] {
  const id = newestOf(state, conversation);
  if (id === undefined) return [];
  const places = [{conversation, ids: [id], mentions: []}];
  return [{kind: 'flags', op: 'remove', flag: 'read', ids: [id], places}];
}

function newestOf({messages, topics, directs}: AccountState, conversation: Conversation): number | undefined {
  const key = conversationKey(conversation);
  const listed =
    conversation.kind === 'topic'
      ? topics.get(conversation.channelId)?.byKey.get(topicKey(conversation.topic))?.maxId
      : directs.get(key)?.maxId;
  return messages.byConversation.get(key)?.last() ?? listed;
}
