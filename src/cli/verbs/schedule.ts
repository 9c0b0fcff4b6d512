import {requireParameters} from '#api/encode-request.ts';
import {conversationNeeds, withFetchedUsers} from '#cli/account-access/with-state.ts';
import {conversationFromFlags} from '#cli/messages/destination-arguments.ts';
import {messageId} from '#cli/messages/message-arguments.ts';
import {conversationJson} from '#cli/messages/message-json.ts';
import {idArguments, timeArgument, timeText} from '#cli/name-arguments.ts';
import {cutTableText} from '#cli/table-lines.ts';
import {createReminder, deleteReminder, scheduleMessage, unscheduleMessage} from '#state/actions/schedule.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {SessionContext} from '#state/session-context.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {FetchType} from '#wire/fetch-types.ts';
import {changeEach, changeOnce, partly, sessionVerb, stateVerb} from './account-verb.ts';
import {checkSending, messageText, requireRecipient} from './send.ts';
import type {VerbRunner} from './verb-runner.ts';

export const schedule: VerbRunner<'schedule'> = sessionVerb(
  async (verbArguments, io) => ({
    ...requireRecipient(verbArguments.values.to),
    at: timeArgument(verbArguments.values.at, io),
    content: await messageText(verbArguments, io),
  }),
  async ({state, io, session, values}, {at, content}) => {
    const conversation = conversationFromFlags(state, values.to, values.topic);
    checkSending({state, io}, conversation, content);
    const check = 'List the scheduled messages with “parley schedule list”.';
    const id = await changeOnce(() => scheduleMessage(session, {conversation, content, at}), check);
    return {
      json: {id, at, conversation: conversationJson(state, conversation)},
      text: `Scheduled for ${timeText(at)}: ${printableLine(conversationTitle(state, conversation))}.`,
    };
  },
);

export const scheduleList: VerbRunner<'schedule list'> = stateVerb(
  {fetch: [...conversationNeeds, 'scheduled_messages'], people: 'self'},
  async (context) => {
    const all = inOrder(context.state.scheduled.values());
    const people = all.flatMap(({conversation}) => (conversation.kind === 'direct' ? conversation.userIds : []));
    const {state, io} = await withFetchedUsers(context, people);
    const rows = all.map(({id, scheduledDeliveryTimestamp: at, content, conversation, failed}) => {
      const text = `${conversationTitle(state, conversation)}: ${content}${failed ? ' (could not be sent)' : ''}`;
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

export const scheduleDelete = deleteVerb('scheduled_messages', 'scheduled message', unscheduleMessage);
export const remindDelete = deleteVerb('reminders', 'reminder', deleteReminder);

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
    const {api, session, values, words} = context;
    const note = values.note?.trim();
    const reminder = {messageId: await messageId(context, words[0] ?? ''), at, ...(note && {note})};
    if (note) requireParameters(endpoints.createReminder, ['note'], api.connection.level);
    const check = 'List the reminders with “parley remind list”.';
    const id = await changeOnce(() => createReminder(session, reminder), check);
    return {json: {id, ...reminder}, text: `You get a reminder at ${timeText(at)}.`};
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
      return [String(id), timeText(at), `message ${target}`, content];
    });
    return {json: all, text: rows.length === 0 ? 'No reminders.' : cutTableText(io, rows)};
  },
);
