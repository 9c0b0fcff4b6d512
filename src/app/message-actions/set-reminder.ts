import {requestFromServer, serverProblem} from '#app/actions/server-request.ts';
import {chosenTime, scheduleRows, timePlaceholder} from '#app/compose/schedule-message.ts';
import type {App} from '#app/core/app.ts';
import {momentText} from '#app/format/moment-text.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {createReminder, deleteReminder} from '#state/actions/schedule.ts';
import type {Message} from '#state/model/message.ts';

export function remindProblem(app: App): string | undefined {
  return serverProblem(app, 'reminders');
}

/** Asks when to remind the user of a message: presets, or a time in words. */
export function openReminderPicker(app: App, {id}: Pick<Message, 'id'>): void {
  openPicker(app, {
    id: 'remind',
    title: 'Remind me of this message',
    placeholder: timePlaceholder(app),
    hint: 'Enter sets · g b lists reminders',
    rows: scheduleRows,
    accept: (from, {key}) => {
      from.closeOverlay();
      setReminder(from, id, chosenTime(from, key));
    },
  });
}

function setReminder(app: App, messageId: number, at: number): void {
  const label = `Reminder set for ${momentText(app.frame, at * 1000)}`;
  const {context} = app.session;
  requestFromServer(app, {
    progressText: 'Setting a reminder…',
    send: () => createReminder(context, {messageId, at}),
    doneText: (reminderId) => {
      app.undoStack.push({
        label,
        undo: () => {
          requestFromServer(app, {
            send: () => deleteReminder(context, reminderId),
            doneText: () => 'Reminder deleted',
            failureText: 'The reminder is still set',
          });
          return 'Deleting the reminder…';
        },
      });
      return `${label} · Z undo`;
    },
    failureText: 'Reminder not set',
  });
}
