import {requireParameters} from '#api/encode-request.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {changeEach, changeOnce} from '#cli/make-change.ts';
import {messageId} from '#cli/messages/message-arguments.ts';
import {idArguments} from '#cli/name-arguments.ts';
import {printTable} from '#cli/table-lines.ts';
import {timeArgument, timeText} from '#cli/time-argument.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {createReminder, deleteReminder} from '#state/actions/schedule.ts';
import type {Reminder} from '#state/model/personal.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {endpoints} from '#wire/endpoints.ts';

const needs = {fetch: ['reminders'], people: 'self'} as const;

export const remind: VerbRunner<'remind'> = async ({values, words}, io, signal) => {
  const at = timeArgument(values.at, io);
  return withState(values, io, signal, needs, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const {note} = values;
      const reminder = {
        messageId: await messageId(verbContext, words[0] ?? ''),
        at,
        ...(note !== undefined && note.trim() !== '' && {note: note.trim()}),
      };
      if ('note' in reminder) requireParameters(endpoints.createReminder, ['note'], verbContext.api.connection.level);
      const check = 'List the reminders with “parley remind list”.';
      const id = await changeOnce(() => createReminder(context, reminder), check);
      if (values.json) printJson(io, {id, ...reminder});
      else print(io, `You get a reminder at ${timeText(at)}.`);
      return exitCodes.ok;
    }),
  );
};

export const remindList: VerbRunner<'remind list'> = ({values}, io, signal) =>
  withState(values, io, signal, needs, async ({state}) => {
    const all = [...state.reminders.values()].sort(
      (a, b) => a.scheduledDeliveryTimestamp - b.scheduledDeliveryTimestamp || a.id - b.id,
    );
    if (values.json) printJson(io, all.map(reminderJson));
    else if (all.length === 0) print(io, 'No reminders.');
    else printTable(io, all.map(reminderCells));
    return exitCodes.ok;
  });

function reminderCells({id, scheduledDeliveryTimestamp: at, reminderTargetMessageId, content}: Reminder): string[] {
  return [String(id), timeText(at), `message ${reminderTargetMessageId}`, content];
}

function reminderJson(reminder: Reminder) {
  const {id, scheduledDeliveryTimestamp: at, reminderTargetMessageId, content, failed} = reminder;
  return {id, at, messageId: reminderTargetMessageId, content, failed};
}

export const remindDelete: VerbRunner<'remind delete'> = ({values, words}, io, signal) => {
  const ids = idArguments(words);
  return withState(values, io, signal, needs, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      await changeEach(
        ids,
        (id) => deleteReminder(context, id),
        (done) => printNotice(io, `${done} of ${ids.length} were deleted before this failure:`),
      );
      if (values.json) printJson(io, {deleted: ids});
      else print(io, `Deleted ${countedNoun(ids.length, 'reminder')}.`);
      return exitCodes.ok;
    }),
  );
};
