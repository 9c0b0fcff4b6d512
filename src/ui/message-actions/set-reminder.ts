import {createReminder} from '#state/actions/schedule.ts';
import type {Message} from '#state/model/message.ts';
import {requestFromServer, serverProblem} from '#ui/actions/server-request.ts';
import {chosenTime, scheduleRows, timePlaceholder} from '#ui/composer/schedule-message.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {undoKeyOffer} from '#ui/core/key-offer.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {momentText} from '#ui/format/moment-text.ts';
import {openedPicker, openPicker} from '#ui/overlays/picker.ts';
import {openReminderForm, undoReminder} from './reminder-form.ts';

export function remindProblem(app: AppReader): string | undefined {
  return serverProblem(app, 'reminders');
}

/** Asks when to remind the user of a message: presets, or a time in words. */
export function openReminderPicker(app: App, {id}: Pick<Message, 'id'>): void {
  openPicker(app, {
    id: 'remind',
    title: 'Remind me of this message',
    placeholder: timePlaceholder(app),
    hint: 'Enter sets · g b lists reminders',
    rows: (frame, query) => [...scheduleRows(frame, query), noteRow],
    accept: (from, {key}) => {
      const written = openedPicker(from)?.field.text.trim() ?? '';
      from.closeOverlay();
      if (key === noteRow.key)
        openReminderForm(from, {messageId: id, ...(written !== '' && {at: chosenTime(from, written)})});
      else setReminder(from, id, chosenTime(from, key));
    },
  });
}

const noteRow: PickerRow = {key: 'with a note', label: 'With a note…'};

function setReminder(app: App, messageId: number, at: number): void {
  const label = `Reminder set for ${momentText(app.frame, at * 1000)}`;
  const {context} = app.session;
  requestFromServer(app, {
    progressText: 'Setting a reminder…',
    send: () => createReminder(context, {messageId, at}),
    doneText: (reminderId) => {
      app.undoStack.push({label, undo: () => undoReminder(app, reminderId, undefined)});
      return `${label}${undoKeyOffer()}`;
    },
    failureText: 'Reminder not set',
  });
}
