import {chosenTime, scheduleRows, timePlaceholder} from '#app/composer/schedule-times.ts';
import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import {createReminder, deleteReminder} from '#state/actions/messages.ts';
import type {Message} from '#state/model/message.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {serverProblem} from '#ui/core/change-problem.ts';
import {formField} from '#ui/core/form.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {featureProblem} from '#wire/server-features.ts';
import {momentText} from '#wording/moment-text.ts';

/** What a reminder says; `at` is in UNIX seconds. */
interface ReminderContent {
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
  openForm<ReminderValues>(app, {
    id: replaced === undefined ? `remind ${messageId}` : `reminder ${replaced}`,
    title: replaced === undefined ? 'Remind me of this message' : 'Reminder',
    saveLabel: replaced === undefined ? 'Set the reminder' : undefined,
    ...(replaced === undefined && {isNew: true}),
    initial: () => ({at: at === undefined ? null : at * 1000, note: note ?? ''}),
    fields: ({account, minute}) => [
      formField('date', 'at', 'When', {
        direction: 'future',
        help: 'For example: tomorrow 9:00, in 2 hours.',
        validate: (value) => ((value ?? 0) > minute ? undefined : 'Choose a time in the future'),
      }),
      formField('text', 'note', 'Note', {
        isMultiline: true,
        maxLength: account.server.maxReminderNoteLength ?? usualMaxNoteLength,
        disabled: featureProblem(account.server.level, 'reminderNotes'),
      }),
    ],
    save: async (from, _changes, values) => {
      const next = {messageId, at: Math.ceil((values.at ?? 0) / 1000), note: values.note.trim()};
      const before = replaced === undefined || at === undefined ? undefined : {messageId, at, note: note ?? ''};
      const id = await replaceReminder(from, next, replaced);
      return reminderSet(from, {id, next, before});
    },
  });
}

/** Sets a reminder, and then deletes the one that it replaces. */
async function replaceReminder({session}: App, next: NewReminder, replaced: number | undefined): Promise<number> {
  const id = await createReminder(session.context, next);
  if (replaced !== undefined) await deleteReminder(session.context, replaced);
  return id;
}

type NewReminder = Parameters<typeof createReminder>[1];

interface SetReminder {
  readonly id: number;
  readonly next: NewReminder;
  /** The one that it replaced. */
  readonly before?: NewReminder | undefined;
}

/** Returns the toast about a reminder. Undo deletes it, and sets the one again that it replaced. */
function reminderSet(app: App, {id: firstId, next, before}: SetReminder): ToastMessage {
  let id = firstId;
  const {context} = app.session;
  return undoOffer(app, {
    label: `Reminder set for ${momentText(app.frame, next.at * 1000)}`,
    undo: async () => {
      const again = before && (await createReminder(context, before));
      await deleteReminder(context, id);
      return again;
    },
    redo: async (again) => {
      id = await replaceReminder(app, next, again);
    },
    undoingText: before === undefined ? 'Deleting the reminder…' : 'Restoring the reminder…',
    undoneText: before === undefined ? 'Reminder deleted' : 'The reminder is as before',
    failureText: before === undefined ? 'The reminder is still set' : 'The reminder was not restored',
  });
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
  requestFromServer(app, {
    progressText: 'Setting a reminder…',
    send: () => createReminder(app.session.context, {messageId, at}),
    doneText: (id) => reminderSet(app, {id, next: {messageId, at}}),
    failureText: 'Reminder not set',
  });
}
