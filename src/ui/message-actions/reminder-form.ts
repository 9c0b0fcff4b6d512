import {createReminder, deleteReminder} from '#state/actions/schedule.ts';
import type {Message} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import {requestFromServer, serverProblem} from '#ui/actions/server-request.ts';
import {chosenTime, scheduleRows, timePlaceholder} from '#ui/composer/schedule-message.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Form} from '#ui/core/form.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {momentText} from '#ui/format/moment-text.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openedPicker, openPicker} from '#ui/overlays/picker.ts';
import {featureProblem} from '#wire/server-features.ts';

/** What a reminder says; `at` is in UNIX seconds. */
export interface ReminderContent {
  readonly messageId: number;
  readonly at: number;
  readonly note: string;
}

const usualMaxNoteLength = 1000;

type ReminderValues = {at: number | null; note: string};

/** Opens the form for a reminder. With `replaced`, the id of a reminder, the new one takes its place: servers cannot change one. */
export function openReminderForm(
  app: App,
  {messageId, at, note}: Partial<ReminderContent> & Pick<ReminderContent, 'messageId'>,
  replaced?: number,
): void {
  const form: Form<ReminderValues> = {
    id: replaced === undefined ? `remind ${messageId}` : `reminder ${replaced}`,
    title: replaced === undefined ? 'Remind me of this message' : 'Reminder',
    saveLabel: replaced === undefined ? 'Set the reminder' : undefined,
    ...(replaced === undefined && {isNew: true}),
    initial: () => ({at: at === undefined ? null : at * 1000, note: note ?? ''}),
    fields: ({account, minute}) => [
      {
        kind: 'date',
        key: 'at',
        label: 'When',
        direction: 'future',
        help: 'For example: tomorrow 9:00, in 2 hours.',
        validate: (value) => ((value ?? 0) > minute ? undefined : 'Choose a time in the future'),
      },
      {
        kind: 'text',
        key: 'note',
        label: 'Note',
        isMultiline: true,
        maxLength: account.server.maxReminderNoteLength ?? usualMaxNoteLength,
        disabled: noteProblem(account),
      },
    ],
    save: async (from, _changes, values) => {
      const next = {messageId, at: Math.ceil((values.at ?? 0) / 1000), note: values.note.trim()};
      const {context} = from.session;
      const id = await createReminder(context, next);
      if (replaced !== undefined) await deleteReminder(context, replaced);
      const label = `Reminder set for ${momentText(from.frame, next.at * 1000)}`;
      const before = replaced === undefined || at === undefined ? undefined : {messageId, at, note: note ?? ''};
      from.undoStack.push({label, undo: () => undoReminder(from, id, before)});
      return withUndoKey(label);
    },
  };
  openForm(app, form);
}

function noteProblem({server}: AccountState): string | undefined {
  return featureProblem(server.level, 'reminderNotes');
}

/** Deletes the reminder, and sets the one again that it replaced. */
function undoReminder(app: App, id: number, before: ReminderContent | undefined): string {
  const {context} = app.session;
  requestFromServer(app, {
    send: async () => {
      if (before !== undefined) await createReminder(context, before);
      await deleteReminder(context, id);
    },
    doneText: () => (before === undefined ? 'Reminder deleted' : 'The reminder is as before'),
    failureText: before === undefined ? 'The reminder is still set' : 'The reminder was not restored',
  });
  return before === undefined ? 'Deleting the reminder…' : 'Restoring the reminder…';
}

export function remindProblem(app: AppReader): string | undefined {
  return serverProblem(app, 'reminders');
}

/** Asks when to remind the user of a message: presets, or a time in words. */
export function openReminderPicker(app: App, {id}: Pick<Message, 'id'>): void {
  openPicker(app, {
    id: 'remind',
    title: 'Remind me of this message',
    placeholder: timePlaceholder(app),
    hint: {Enter: 'sets', 'g b': 'lists reminders'},
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
      return withUndoKey(label);
    },
    failureText: 'Reminder not set',
  });
}
