import type {App} from '#app/core/app.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {reportFailure, requestFromServer} from '#app/requests/server-request.ts';
import {deleteScheduledMessage, scheduleMessage} from '#state/actions/messages.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {withDraftsKey, withUndoKey} from '#ui/core/toast-message.ts';
import {isUncertain} from '#wire/failure.ts';
import {momentText} from '#wording/moment-text.ts';
import {type CheckedMessage, checkedMessage} from './check-message.ts';
import {chosenTime, scheduleRows, timePlaceholder} from './schedule-times.ts';
import {afterSending} from './send-message.ts';
import {restoreIfWriting} from './sync-with-drafts.ts';

/** Opens a picker for the time of sending: presets, or a time in words. */
export function openSchedulePicker(app: App): void {
  const message = checkedMessage(app);
  if (message === undefined) return;
  openPicker(app, {
    id: 'schedule',
    title: 'Schedule message',
    placeholder: timePlaceholder(app),
    hint: {Enter: 'schedules', 'g s': 'lists scheduled messages'},
    rows: scheduleRows,
    accept: (from, {key}) => {
      from.closeOverlay();
      schedule(from, message, chosenTime(from, key));
    },
  });
}

/** Schedules the message. Its text stays a draft until the server confirms. */
function schedule(app: App, message: CheckedMessage, at: number): void {
  const saver = app.composerPersistence;
  saver.scheduleSave();
  if (!saver.flush()) return;
  const {draftId} = app.screen.composer;
  afterSending(app, message.conversation);
  scheduleDraft(app, message, at, draftId);
}

function scheduleDraft(app: App, message: CheckedMessage, at: number, draftId: string | undefined): void {
  const {context, drafts} = app.session;
  const reversal = app.undoStack.awaitReversal();
  const answered = app.undoStack.awaitAnswer();
  const when = momentText(app.frame, at * 1000);
  const title = conversationTitle(app.state, message.conversation);
  app.toast(composed`Scheduling for ${when}: ${title}…`);
  const release = draftId === undefined ? () => {} : drafts.hold(draftId);
  scheduleMessage(context, {...message, at}).then(
    (id) => {
      release();
      const isUnchanged = drafts.get(draftId ?? '')?.content === message.content;
      if (draftId !== undefined && isUnchanged) drafts.remove(draftId);
      const label = composed`Scheduled for ${when}: ${title}`;
      let restored: string | undefined;
      answered(() =>
        app.undoStack.push({
          label,
          undo: () => unscheduleToComposer(app, id, message, (draft) => (restored = draft)),
          redo: () => scheduleAgain(app, message, at, restored),
        }),
      );
      reversal?.confirm();
      app.toast(withUndoKey(label));
    },
    (error: unknown) => {
      release();
      reversal?.fail();
      const progressText = `Scheduling for ${when}, saved as a draft`;
      answered(() => reportFailure(app, error, {failureText: 'Not scheduled, saved as a draft', progressText}));
      if (isUncertain(error) || context.signal.aborted) return;
      const draft = draftId === undefined ? undefined : drafts.get(draftId);
      if (draft !== undefined) restoreIfWriting(app, draft);
    },
  );
}

/** Schedules a message again that is a draft since the undo, unless the draft was changed. */
function scheduleAgain(app: App, message: CheckedMessage, at: number, draftId: string | undefined): undefined {
  const {composer} = app.screen;
  const isInComposer = composer.isOpen && composer.draftId === draftId;
  const text = isInComposer ? composer.field.text : app.session.drafts.get(draftId ?? '')?.content;
  if (text !== message.content) throw new Error('the draft was changed or sent since.');
  if (isInComposer) schedule(app, message, at);
  else scheduleDraft(app, message, at, draftId);
}

function unscheduleToComposer(
  app: App,
  id: number,
  {conversation, content}: CheckedMessage,
  onRestored: (draftId: string | undefined) => void,
): string {
  requestFromServer(app, {
    send: () => deleteScheduledMessage(app.session.context, id),
    doneText: () => {
      const draft = app.session.drafts.edit(undefined, {target: conversation, content});
      onRestored(draft?.id);
      if (draft !== undefined) restoreIfWriting(app, draft);
      return withDraftsKey(
        composed`Unscheduled: the message to ${conversationTitle(app.state, conversation)} is a draft again`,
      );
    },
    failureText: 'Still scheduled',
  });
  return 'Unscheduling…';
}
