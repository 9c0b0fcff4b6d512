import {createReminder, deleteReminder} from '#state/actions/schedule.ts';
import type {Reminder} from '#state/model/personal.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {openReminderForm} from '#ui/message-actions/reminder-form.ts';
import {openMessage} from '#ui/navigation/open-message.ts';
import {undoOffer} from '#ui/undo/undo-request.ts';
import {reminderNote} from './panel-item.ts';

/** Opens the reminder's message, fetching it if needed. */
export function goToRemindedMessage(app: App, {reminderTargetMessageId: id}: Reminder): void {
  openMessage(app, id, 'The reminder’s message was not found.');
}

export function editReminder(app: App, reminder: Reminder): void {
  const {id, reminderTargetMessageId: messageId, scheduledDeliveryTimestamp: at} = reminder;
  openReminderForm(app, {messageId, at, note: reminderNote(reminder)}, id);
}

function remindAgain(app: App, reminder: Reminder, at: number): Promise<number> {
  const {reminderTargetMessageId: messageId} = reminder;
  return createReminder(app.session.context, {messageId, at, note: reminderNote(reminder)});
}

export function deleteReminders(app: App, reminders: readonly Reminder[]): void {
  if (reminders.length === 0) return;
  const label = reminders.length === 1 ? 'Deleted the reminder' : `Deleted ${reminders.length} reminders`;
  requestFromServer(app, {
    send: () => Promise.all(reminders.map(({id}) => deleteReminder(app.session.context, id))),
    doneText: () =>
      undoOffer(app, {
        label,
        undo: () =>
          Promise.all(reminders.map((reminder) => remindAgain(app, reminder, reminder.scheduledDeliveryTimestamp))),
        undoneText: 'Reminder set again',
        failureText: 'Reminder not set',
      }),
    failureText: 'Not deleted',
  });
}
