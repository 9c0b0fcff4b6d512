import {rescheduleMessage, type ScheduleChange} from '#state/actions/schedule.ts';
import {type Conversation, directConversation, sameConversation, topicConversation} from '#state/model/conversation.ts';
import type {ScheduledMessage} from '#state/model/personal.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, FormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {undoKeyOffer} from '#ui/core/key-offer.ts';
import {momentText} from '#ui/format/moment-text.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {featureProblem} from '#wire/server-features.ts';

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
  const form: Form<ScheduledValues> = {
    id: `scheduled ${id}`,
    title: 'Scheduled message',
    columns: 76,
    initial: ({account}) => valuesOf(account.scheduled.get(id)),
    fields: (frame, values) => {
      const message = frame.account.scheduled.get(id);
      return message === undefined ? [] : scheduledFields(frame, values, message);
    },
    save: async (from, _changes, values) => {
      const before = from.state.scheduled.get(id);
      if (before === undefined) throw new Error('This message was sent or deleted meanwhile.');
      await rescheduleMessage(from.session.context, id, changeOf(before, values, from.state.self.userId));
      pushUndo(from, before);
      return `Changed: ${momentText(from.frame, values.at ?? 0)}${undoKeyOffer()}`;
    },
  };
  openForm(app, form);
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
  const disabled = featureProblem(account.server.level, 'changeScheduled');
  const destination: readonly FormField[] =
    kind === 'topic'
      ? [
          {
            kind: 'channels',
            key: 'channelIds',
            label: 'Channel',
            disabled,
            isOffered: (id) => account.channels.get(id)?.isArchived !== true,
            validate: ({length}) => (length === 1 ? undefined : 'Choose one channel'),
          },
          {kind: 'text', key: 'topic', label: 'Topic', disabled, maxLength: account.server.maxTopicLength},
        ]
      : [
          {
            kind: 'people',
            key: 'userIds',
            label: 'People',
            disabled,
            emptyText: 'only you',
            isOffered: (id) => id !== account.self.userId,
          },
        ];
  return [
    {
      kind: 'choice',
      key: 'kind',
      label: 'To',
      disabled,
      choices: [
        {value: 'topic', label: 'a channel'},
        {value: 'direct', label: 'people'},
      ],
    },
    ...destination,
    {
      kind: 'text',
      key: 'content',
      label: 'Text',
      isMultiline: true,
      isRequired: true,
      disabled,
      maxLength: account.server.maxMessageLength,
    },
    {
      kind: 'date',
      key: 'at',
      label: 'Send',
      direction: 'future',
      disabled,
      help: failed === true ? 'It could not be sent: choose a new time.' : 'For example: tomorrow 9:00, in 2 hours.',
      validate: (at) => {
        const isOld = at === scheduledDeliveryTimestamp * 1000 && failed !== true;
        return isOld || (at ?? 0) > minute ? undefined : 'Choose a time in the future';
      },
    },
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

function pushUndo(app: App, {id, conversation, content, scheduledDeliveryTimestamp: at}: ScheduledMessage): void {
  app.undoStack.push({
    label: `Changed the message to ${conversationTitle(app.state, conversation)}`,
    undo: () => {
      requestFromServer(app, {
        send: () => rescheduleMessage(app.session.context, id, {conversation, content, at}),
        doneText: () => 'The scheduled message is as before',
        failureText: 'Not undone',
      });
      return 'Undoing…';
    },
  });
}
