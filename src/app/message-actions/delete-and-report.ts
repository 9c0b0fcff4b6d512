import {isEmptyComposer} from '#app/composer/check-message.ts';
import {restoreDraft} from '#app/composer/open-composer.ts';
import {chosenTime, scheduleRows, timePlaceholder} from '#app/composer/schedule-times.ts';
import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {confirm, openPicker} from '#app/overlays/picker.ts';
import {requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import {createReminder, deleteMessage} from '#state/actions/messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import {canDeleteMessage} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {serverProblem} from '#ui/core/change-problem.ts';
import {type FormChoice, formField} from '#ui/core/form.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {type ToastMessage, withUndoKey} from '#ui/core/toast-message.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {cachedBody, newBody} from '#ui/message-pane/lines/typeset.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {featureProblem} from '#wire/server-features.ts';
import {momentText} from '#wording/moment-text.ts';

export function deleteProblem(app: AppReader, message: Message): string | undefined {
  return refusalReason(canDeleteMessage(app.state, message, app.clock.now()));
}

/** Asks for confirmation, because the message is deleted for everyone and permanently. */
export function confirmDelete(app: App, message: Message): void {
  const {id, content, facts, senderId, senderName} = message;
  const isOwn = senderId === app.state.self.userId;
  confirm(app, {
    title: isOwn ? 'Delete your message?' : `Delete the message from ${userName(app.state, senderId, senderName)}?`,
    yes: 'Delete for everyone',
    detail: excerpt(content, messageContext(app.state), facts),
    onYes: (from) =>
      requestFromServer(from, {
        progressText: 'Deleting…',
        send: () => deleteMessage(from.session.context, id),
        doneText: () => (isOwn ? deletedOwn(from, message) : 'Deleted the message'),
        permanentText: 'Deleting a message cannot be undone',
        place: conversationTitle(app.state, conversationOf(message)),
        failureText: 'Not deleted',
      }),
  });
}

/** Records that the user deleted an own message: undo puts its text into the composer. Returns the toast, which says so. */
function deletedOwn(app: App, message: Message): ToastMessage {
  const [label, target] = ['Deleted the message', conversationOf(message)];
  app.undoStack.push({
    label,
    record: {label, at: app.clock.now(), keys: [], steps: [], place: conversationTitle(app.state, target)},
    undo: () => {
      const wasWriting = !isEmptyComposer(app.screen.composer);
      const draft = app.session.drafts.edit(undefined, {target, content: message.content});
      if (draft === undefined) return undefined;
      restoreDraft(app, draft);
      return `The deleted text is in the composer${wasWriting ? '; what you were writing is a draft' : ''}`;
    },
  });
  return withUndoKey(label, 'takes its text back');
}

type ReportValues = {readonly type: string; readonly description: string};

const maxDescriptionLength = 1000;
/** The reason that needs an explanation. */
const otherReason = 'other';

/** Returns why messages cannot be reported. Servers that can list the reasons. */
export function reportProblem({state}: AppReader): string | undefined {
  if (state.server.serverReportMessageTypes === undefined) return 'Reporting messages needs Zulip 12.';
  const channel = state.realm.moderationRequestChannelId ?? -1;
  return channel < 0 ? 'This organization has no channel for reports.' : undefined;
}

/** Opens the form that reports a message to the moderators. */
export function openReportForm(app: App, {id, senderId}: Message): void {
  openForm<ReportValues>(app, {
    id: `report ${id}`,
    title: `Report the message of ${userName(app.state, senderId)} to the moderators`,
    isNew: true,
    saveLabel: 'Send the report',
    initial: ({account}) => ({type: account.server.serverReportMessageTypes?.[0]?.key ?? '', description: ''}),
    fields: ({account}, {type}) => [
      formField('choice', 'type', 'Reason', {
        choices: (account.server.serverReportMessageTypes ?? []).map(
          ({key, name}): FormChoice => ({value: key, label: name}),
        ),
      }),
      formField('text', 'description', 'Explanation', {
        help: 'The moderators see it with the message and your name.',
        isMultiline: true,
        maxLength: maxDescriptionLength,
        ...(type === otherReason && {isRequired: true}),
      }),
    ],
    save: async ({session}, _changes, {type, description}) => {
      await session.context.api.reportMessage({
        message_id: id,
        report_type: type,
        ...(description !== '' && {description}),
      });
      return 'Reported to the moderators';
    },
  });
}

/**
 * Expands a message with its spoilers, or folds it. A message with nothing to expand is collapsed to one line, which
 * other clients show too.
 */
export function toggleCollapsed(app: App, message: Message): void {
  const {id} = message;
  const isExpanded = app.screen.expandedMessageIds.has(id);
  const isCollapsed = message.flags.includes('collapsed');
  if (isCollapsed && !isExpanded) {
    performUndoable(app, {kind: 'flags', op: 'remove', flag: 'collapsed', ids: [id]}, 'Expanded the message');
  } else if (isExpanded || hasMore(app, message)) {
    app.update((screen) => {
      const expanded = new Set(screen.expandedMessageIds);
      if (!expanded.delete(id)) expanded.add(id);
      return {...screen, expandedMessageIds: expanded};
    });
  } else {
    performUndoable(app, {kind: 'flags', op: 'add', flag: 'collapsed', ids: [id]}, 'Collapsed the message');
  }
}

/** Whether part of the message is hidden. */
function hasMore(app: App, message: Message): boolean {
  const typeset = mainTimelineNow(app.frame)?.typeset;
  const body = typeset === undefined ? undefined : cachedBody(typeset, message);
  if (typeset === undefined || body === undefined) return false;
  const whole = newBody(typeset, message, {
    ...body.bodyOptions,
    isExpanded: true,
    isHidden: false,
    isCollapsed: false,
  });
  return whole.lines.length !== body.lines.length || body.bodyOptions.isHidden;
}

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
  if (replaced !== undefined) await session.context.api.deleteReminder({reminder_id: replaced});
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
      const again = before === undefined ? undefined : await createReminder(context, before);
      await context.api.deleteReminder({reminder_id: id});
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
