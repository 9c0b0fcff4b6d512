import {requestFromServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {createReminder, deleteReminder} from '#state/actions/schedule.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Reminder} from '#state/model/personal.ts';
import {reminderNote} from './panel-item.ts';
import {openTimePicker} from './scheduled-actions.ts';

/** Opens the reminder's message, fetching it if needed. */
export function goToRemindedMessage(app: App, {reminderTargetMessageId: id}: Reminder): void {
  const message = app.state.messages.byId.get(id);
  if (message !== undefined) {
    openConversation(app, conversationOf(message), {anchor: id});
    return;
  }
  const {view} = app.screen;
  app.session.fetchMessage(id).then(
    (found) => {
      // The user may have opened another view meanwhile.
      if (app.screen.view === view) openConversation(app, conversationOf(found), {anchor: id});
    },
    () => app.toast('The reminder’s message was not found.', 'warning'),
  );
}

/**
 * Replaces the reminder, because the server cannot change one: the new one is created before the old one is deleted.
 */
export function changeReminderTime(app: App, reminder: Reminder): void {
  openTimePicker(app, 'Remind me', (opened, at) => {
    const {context} = opened.session;
    requestFromServer(opened, {
      send: () => remindAgain(opened, reminder, at).then(() => deleteReminder(context, reminder.id)),
      doneText: () => 'Reminder changed',
      failureText: 'Not changed',
    });
  });
}

function remindAgain(app: App, reminder: Reminder, at: number): Promise<number> {
  const note = reminderNote(reminder);
  const {reminderTargetMessageId: messageId} = reminder;
  return createReminder(app.session.context, {messageId, at, ...(note !== '' && {note})});
}

export function deleteReminders(app: App, reminders: readonly Reminder[]): void {
  if (reminders.length === 0) return;
  const label = reminders.length === 1 ? 'Deleted the reminder' : `Deleted ${reminders.length} reminders`;
  app.undoStack.push({
    label,
    undo: () => {
      requestFromServer(app, {
        send: () =>
          Promise.all(reminders.map((reminder) => remindAgain(app, reminder, reminder.scheduledDeliveryTimestamp))),
        doneText: () => 'Reminder set again',
        failureText: 'Reminder not set',
      });
      return 'Setting the reminder again…';
    },
  });
  requestFromServer(app, {
    send: () => Promise.all(reminders.map(({id}) => deleteReminder(app.session.context, id))),
    doneText: () => `${label} · z undo`,
    failureText: 'Not deleted',
  });
}
