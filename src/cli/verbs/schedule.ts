import {requireParameters} from '#api/encode-request.ts';
import {conversationNeeds, withFetchedUsers} from '#cli/account-access/with-state.ts';
import {conversationFromFlags} from '#cli/messages/destination-arguments.ts';
import {messageId} from '#cli/messages/fetch-messages.ts';
import {conversationJson, messageExcerpt} from '#cli/messages/message-text.ts';
import {idArguments, timeArgument, timeText} from '#cli/name-arguments.ts';
import {cutTableText} from '#cli/table-lines.ts';
import {createReminder, scheduleMessage} from '#state/actions/messages.ts';
import {sameConversation} from '#state/model/conversation.ts';
import {normalizedContent} from '#state/outbox/normalize-text.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {SessionContext} from '#state/session-context.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {FetchType} from '#wire/fetch-types.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {changeEach, partly, sessionVerb, stateVerb} from './account-verb.ts';
import {checkSending, messageText, requireRecipient} from './send.ts';
import type {VerbRunner} from './verb-table.ts';

export const schedule: VerbRunner<'schedule'> = sessionVerb(
  async (verbArguments, io) => ({
    ...scheduleNeeds(verbArguments.values.to),
    at: timeArgument(verbArguments.values.at, io),
    content: await messageText(verbArguments, io),
  }),
  async ({state, io, session, values}, {at, content}) => {
    const conversation = conversationFromFlags(state, values.to, values.topic);
    checkSending({state, io}, conversation, content);
    const text = normalizedContent(content, state).trim();
    const same = [...state.scheduled.values()].filter(
      (one) => one.content.trim() === text && sameConversation(one.conversation, conversation),
    );
    const equal = same.find(({scheduledDeliveryTimestamp: time}) => time === at);
    const id = equal?.id ?? (await scheduleMessage(session, {conversation, content, at}));
    const [other] = same;
    return {
      json: {id, at, conversation: conversationJson(state, conversation)},
      text: composed`${scheduledText(equal)} for ${timeText(at)}: ${printableLine(conversationTitle(state, conversation))}.`,
      notice: equal === undefined && other !== undefined ? alsoText(other) : undefined,
    };
  },
);

function scheduleNeeds(to: readonly string[]) {
  const {fetch, people} = requireRecipient(to);
  return {fetch: [...fetch, 'scheduled_messages'] as const, people};
}

/** What exists already is not created again: an earlier run may not have learned that it was. */
function scheduledText(equal: object | undefined): string {
  return equal === undefined ? 'Scheduled' : 'Already scheduled';
}

function alsoText({id, scheduledDeliveryTimestamp: at}: {id: number; scheduledDeliveryTimestamp: number}): string {
  return `The same text is also scheduled for ${timeText(at)}: “parley schedule delete ${id}” deletes that.`;
}

export const scheduleList: VerbRunner<'schedule list'> = stateVerb(
  {fetch: [...conversationNeeds, 'scheduled_messages'], people: 'self'},
  async (context) => {
    const all = inOrder(context.state.scheduled.values());
    const people = all.flatMap(({conversation}) => (conversation.kind === 'direct' ? conversation.userIds : []));
    const {state, io} = await withFetchedUsers(context, people);
    const rows = all.map(({id, scheduledDeliveryTimestamp: at, content, conversation, failed}) => {
      const text = composed`${conversationTitle(state, conversation)}: ${content}${failed ? ' (could not be sent)' : ''}`;
      return [String(id), timeText(at), text];
    });
    return {
      json: all.map(({id, scheduledDeliveryTimestamp: at, content, conversation, failed}) => {
        return {id, at, content, conversation: conversationJson(state, conversation), failed};
      }),
      text: rows.length === 0 ? 'No scheduled messages.' : cutTableText(io, rows),
    };
  },
);

function inOrder<T extends {readonly id: number; readonly scheduledDeliveryTimestamp: number}>(all: Iterable<T>): T[] {
  return [...all].sort((a, b) => a.scheduledDeliveryTimestamp - b.scheduledDeliveryTimestamp || a.id - b.id);
}

export const scheduleDelete = deleteVerb('scheduled_messages', 'scheduled message', ({api}, id) =>
  api.deleteScheduledMessage({scheduled_message_id: id}),
);

export const remindDelete = deleteVerb('reminders', 'reminder', ({api}, id) => api.deleteReminder({reminder_id: id}));

function deleteVerb(
  fetched: FetchType,
  noun: string,
  remove: (session: SessionContext, id: number) => Promise<unknown>,
): VerbRunner<'schedule delete' | 'remind delete'> {
  return sessionVerb(
    ({words}) => ({fetch: [fetched], people: 'self', ids: idArguments(words)}),
    async ({io, session}, {ids}) => {
      await changeEach(io, ids, (id) => remove(session, id), partly(ids, 'deleted'));
      return {json: {deleted: ids}, text: `Deleted ${countedNoun(ids.length, noun)}.`};
    },
  );
}

export const remind: VerbRunner<'remind'> = sessionVerb(
  ({values}, io) => ({fetch: ['reminders'], people: 'self', at: timeArgument(values.at, io)}),
  async (context, {at}) => {
    const {api, session, state, values, words} = context;
    const note = values.note?.trim();
    const reminder = {messageId: await messageId(context, words[0] ?? ''), at, ...(note && {note})};
    if (note) requireParameters(endpoints.createReminder, ['note'], api.connection.level);
    const about = [...state.reminders.values()].filter((one) => one.reminderTargetMessageId === reminder.messageId);
    const isEqual = ({scheduledDeliveryTimestamp: time, content}: (typeof about)[number]) =>
      time === at && content.includes(note ?? '');
    const equal = about.find(isEqual);
    const id = equal?.id ?? (await createReminder(session, reminder));
    const [other] = about;
    const isSecond = equal === undefined && other !== undefined;
    return {
      json: {id, ...reminder},
      text: `You ${equal === undefined ? '' : 'already '}get a reminder at ${timeText(at)}.`,
      notice: isSecond ? `You also get one at ${timeText(other.scheduledDeliveryTimestamp)}.` : undefined,
    };
  },
);

export const remindList: VerbRunner<'remind list'> = stateVerb(
  {fetch: ['reminders'], people: 'self'},
  async ({state, io}) => {
    const all = inOrder(state.reminders.values()).map((reminder) => {
      const {id, scheduledDeliveryTimestamp: at, reminderTargetMessageId: target, content, failed} = reminder;
      return {id, at, messageId: target, content, failed};
    });
    const rows = all.map(({id, at, messageId: target, content}) => {
      return [String(id), timeText(at), `message ${target}`, messageExcerpt(state, content, undefined)];
    });
    return {json: all, text: rows.length === 0 ? 'No reminders.' : cutTableText(io, rows)};
  },
);
