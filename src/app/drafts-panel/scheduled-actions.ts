import {pushSent} from '#app/composer/deliver-message.ts';
import {restoreDraft} from '#app/composer/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openReminderForm} from '#app/message-actions/reminders.ts';
import {confirm} from '#app/overlays/picker.ts';
import {reportFailure, undoOffer} from '#app/requests/server-request.ts';
import {
  createReminder,
  deleteReminder,
  deleteScheduledMessage,
  rescheduleMessage,
  type ScheduleChange,
  scheduleMessage,
} from '#state/actions/messages.ts';
import {type Conversation, directConversation, sameConversation, topicConversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {Reminder} from '#state/slices/reminders.ts';
import type {ScheduledMessage} from '#state/slices/scheduled.ts';
import {composed} from '#std/composed-text.ts';
import {type FormField, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {reminderNote} from '#ui/drafts-panel/panel-rows.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {isUncertain} from '#wire/failure.ts';
import {featureProblem} from '#wire/server-features.ts';
import {momentText} from '#wording/moment-text.ts';
import {deleteItems} from './delete-items.ts';

/**
 * Turns a scheduled message into a draft. The draft is on disk before the request to unschedule, so that nothing is
 * lost in between.
 */
export function unscheduleToDraft(app: App, message: ScheduledMessage): void {
  replaceByDraft(app, message, (draft) => {
    const label = composed`Unscheduled: ${conversationTitle(app.state, message.conversation)}`;
    app.undoStack.pushPermanent(label, {problem: 'It is a draft now: schedule it again there'});
    restoreDraft(app, draft);
  });
}

/** Asks, unschedules the message, then puts it into the outbox: it is never in both. */
export function sendScheduledNow(app: App, message: ScheduledMessage): void {
  const {conversation, content} = message;
  const title = conversationTitle(app.state, conversation);
  confirm(app, {
    title: composed`Send to ${title} now?`,
    yes: 'Send',
    detail: excerpt(content, messageContext(app.state)),
    onYes: (opened) =>
      replaceByDraft(opened, message, (draft) => {
        const {id} = opened.session.outbox.send({conversation, content, draftId: draft.id});
        pushSent(opened, id, conversation);
        opened.toast(composed`Sent to ${title}`);
      }),
  });
}

type Draft = NonNullable<ReturnType<App['session']['drafts']['edit']>>;

function replaceByDraft(app: App, {id, conversation, content}: ScheduledMessage, then: (draft: Draft) => void): void {
  const {drafts, context} = app.session;
  const draft = drafts.edit(undefined, {target: conversation, content});
  if (draft === undefined) return;
  const answered = app.undoStack.awaitAnswer();
  deleteScheduledMessage(context, id).then(
    () => answered(() => then(draft)),
    (error: unknown) => {
      // If the message may be unscheduled, the draft is the only copy.
      if (!isUncertain(error)) drafts.remove(draft.id);
      const texts = {failureText: 'Still scheduled', progressText: 'Unscheduling, saved as a draft'};
      answered(() => reportFailure(app, error, texts));
    },
  );
}

/** Unschedules messages. Undo schedules them again, if their time has not passed. */
export function deleteScheduled(app: App, messages: readonly ScheduledMessage[]): void {
  const titleOf = (items: readonly ScheduledMessage[]) =>
    items.length === 1 && items[0] !== undefined
      ? conversationTitle(app.state, items[0].conversation)
      : `${items.length} messages`;
  deleteItems(app, messages, {
    labelOf: (items) => composed`Unscheduled: ${titleOf(items)}`,
    progressText: 'Unscheduling…',
    failureText: 'Still scheduled',
    remove: ({id}) => deleteScheduledMessage(app.session.context, id),
    restoringText: 'Scheduling again…',
    restoredText: (items) => composed`Scheduled again: ${titleOf(items)}`,
    restore: (message) => scheduleAgain(app, message),
  });
}

/** Schedules a message again; if the server refuses, saves it as a draft and resolves with undefined. */
async function scheduleAgain(app: App, message: ScheduledMessage): Promise<ScheduledMessage | undefined> {
  const {conversation, content, scheduledDeliveryTimestamp: at} = message;
  try {
    return {...message, id: await scheduleMessage(app.session.context, {conversation, content, at})};
  } catch (error) {
    app.session.drafts.edit(undefined, {target: conversation, content});
    const texts = {failureText: 'Saved as a draft', progressText: 'Scheduling again, saved as a draft'};
    reportFailure(app, error, {...texts, isUndo: true});
    return undefined;
  }
}

export function editReminder(app: App, reminder: Reminder): void {
  const {id, reminderTargetMessageId: messageId, scheduledDeliveryTimestamp: at} = reminder;
  openReminderForm(app, {messageId, at, note: reminderNote(reminder)}, id);
}

export function deleteReminders(app: App, reminders: readonly Reminder[]): void {
  const {context} = app.session;
  deleteItems(app, reminders, {
    labelOf: ({length}) => (length === 1 ? 'Deleted the reminder' : `Deleted ${length} reminders`),
    progressText: 'Deleting…',
    failureText: 'Not deleted',
    remove: ({id}) => deleteReminder(context, id),
    restoringText: 'Setting again…',
    restoredText: ({length}) => (length === 1 ? 'Reminder set again' : `${length} reminders set again`),
    restore: async (reminder) => {
      const {reminderTargetMessageId: messageId, scheduledDeliveryTimestamp: at} = reminder;
      const id = await createReminder(context, {messageId, at, note: reminderNote(reminder)});
      return {...reminder, id};
    },
  });
}

type ScheduledValues = {
  kind: 'topic' | 'direct';
  channelIds: readonly number[];
  topic: string;
  userIds: readonly number[];
  content: string;
  at: number | null;
};

/** Opens the form for a scheduled message: its destination, text and time. */
export function openScheduledForm(app: App, {id}: ScheduledMessage): void {
  openForm<ScheduledValues>(app, {
    id: `scheduled ${id}`,
    title: 'Scheduled message',
    columns: 76,
    disabledReason: ({account}) => featureProblem(account.server.level, 'changeScheduled'),
    initial: ({account}) => valuesOf(account.scheduled.get(id)),
    fields: (frame, values) => {
      const message = frame.account.scheduled.get(id);
      return message === undefined ? [] : scheduledFields(frame, values, message);
    },
    save: async (from, _changes, values) => {
      const before = from.state.scheduled.get(id);
      if (before === undefined) throw new Error('This message was sent or deleted meanwhile.');
      await rescheduleMessage(from.session.context, id, changeOf(before, values, from.state.self.userId));
      const {conversation, content, scheduledDeliveryTimestamp: at} = before;
      const offer = undoOffer(from, {
        label: composed`Changed the message to ${conversationTitle(from.state, conversation)}`,
        undo: () => rescheduleMessage(from.session.context, id, {conversation, content, at}),
        undoingText: 'Undoing…',
        undoneText: 'The scheduled message is as before',
        failureText: 'Not undone',
      });
      return {...offer, text: `Changed: ${momentText(from.frame, values.at ?? 0)}`};
    },
  });
}

function valuesOf(message: ScheduledMessage | undefined): ScheduledValues {
  const {conversation, content = '', scheduledDeliveryTimestamp: at = 0} = message ?? {};
  const isDirect = conversation?.kind === 'direct';
  return {
    kind: isDirect ? 'direct' : 'topic',
    channelIds: conversation?.kind === 'topic' ? [conversation.channelId] : [],
    topic: conversation?.kind === 'topic' ? conversation.topic : '',
    userIds: isDirect ? conversation.userIds : [],
    content,
    at: at * 1000,
  };
}

function scheduledFields(
  {account, minute}: Frame,
  {kind}: ScheduledValues,
  {failed, scheduledDeliveryTimestamp}: ScheduledMessage,
): readonly FormField[] {
  const destination: readonly FormField[] =
    kind === 'topic'
      ? [
          formField('channels', 'channelIds', 'Channel', {
            validate: ({length}) => (length === 1 ? undefined : 'Choose one channel'),
          }),
          formField('text', 'topic', 'Topic', {maxLength: account.server.maxTopicLength}),
        ]
      : [
          formField('people', 'userIds', 'People', {
            emptyText: 'only you',
            isOffered: (id) => id !== account.self.userId,
          }),
        ];
  return [
    formField('choice', 'kind', 'To', {
      choices: [
        {value: 'topic', label: 'a channel'},
        {value: 'direct', label: 'people'},
      ],
    }),
    ...destination,
    formField('text', 'content', 'Text', {
      isMultiline: true,
      isRequired: true,
      maxLength: account.server.maxMessageLength,
    }),
    formField('date', 'at', 'Send', {
      direction: 'future',
      help: failed === true ? 'It could not be sent: choose a new time.' : 'For example: tomorrow 9:00, in 2 hours.',
      validate: (at) => {
        const isOld = at === scheduledDeliveryTimestamp * 1000 && failed !== true;
        return isOld || (at ?? 0) > minute ? undefined : 'Choose a time in the future';
      },
    }),
  ];
}

/** Returns what differs. A failed message always gets a time, because its old one has passed. */
function changeOf(before: ScheduledMessage, values: ScheduledValues, selfId: number): ScheduleChange {
  const {kind, channelIds, topic, userIds, content} = values;
  const conversation: Conversation =
    kind === 'topic' ? topicConversation(channelIds[0] ?? 0, topic) : directConversation(userIds, selfId);
  const at = Math.ceil((values.at ?? 0) / 1000);
  return {
    ...(!sameConversation(conversation, before.conversation) && {conversation}),
    ...(content !== before.content && {content}),
    ...((at !== before.scheduledDeliveryTimestamp || before.failed === true) && {at}),
  };
}
