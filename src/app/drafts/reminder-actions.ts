import {requestFromServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {createReminder, deleteReminder} from '#state/actions/schedule.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Reminder} from '#state/model/personal.ts';
import {reminderNote} from './panel-item.ts';
import {openTimePicker} from './scheduled-actions.ts';

/** To the message that it is about, which may have to be asked for first. */
export function goToRemindedMessage(app: App, {reminderTargetMessageId: id}: Reminder): void {
  const message = app.state.messages.byId.get(id);
  if (message !== undefined) {
    openConversation(app, conversationOf(message), {anchor: id});
    return;
  }
  const {view} = app.screen;
  app.session.fetchMessage(id).then(
    (found) => {
      // Whoever went elsewhere meanwhile stays there.
      if (app.screen.view === view) openConversation(app, conversationOf(found), {anchor: id});
    },
    () => app.toast('The message of this reminder cannot be found.', 'warning'),
  );
}

/** The server has no way to move one: the new one is there before the old one goes. */
export function changeReminderTime(app: App, reminder: Reminder): void {
  openTimePicker(app, 'Remind me', (opened, at) => {
    const {context} = opened.session;
    requestFromServer(opened, {
      send: () => remindAgain(opened, reminder, at).then(() => deleteReminder(context, reminder.id)),
      doneText: () => 'You are reminded then',
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
          Promise.all(
            reminders.map((reminder) => remindAgain(app, reminder, reminder.scheduledDeliveryTimestamp)),
          ),
        doneText: () => 'You are reminded again',
        failureText: 'You are not reminded',
      });
      return 'Asking for it again…';
    },
  });
  requestFromServer(app, {
    send: () => Promise.all(reminders.map(({id}) => deleteReminder(app.session.context, id))),
    doneText: () => `${label} · z undo`,
    failureText: 'It is still there',
  });
}
