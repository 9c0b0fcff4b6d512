import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {conversationNeeds, withFetchedUsers, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {changeEach, changeOnce} from '#cli/make-change.ts';
import {conversationFromFlags, mayNamePeople} from '#cli/messages/destination-arguments.ts';
import {contentFrom} from '#cli/messages/message-content.ts';
import {conversationJson} from '#cli/messages/message-json.ts';
import {idArguments} from '#cli/name-arguments.ts';
import {printTable} from '#cli/table-lines.ts';
import {timeArgument, timeText} from '#cli/time-argument.ts';
import {UsageError} from '#cli/usage-error.ts';
import {checkSending, sendNeeds} from '#cli/verbs/send.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {scheduleMessage, unscheduleMessage} from '#state/actions/schedule.ts';
import type {ScheduledMessage} from '#state/model/personal.ts';
import {isBlank} from '#state/outbox/normalize-text.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';

export const schedule: VerbRunner<'schedule'> = async ({values, words}, io, signal) => {
  if (values.to.length === 0) throw new UsageError('Name the recipient: --to "#channel>topic" or --to @name.');
  const at = timeArgument(values.at, io);
  const content = await contentFrom({message: values.message, word: words[0]}, io);
  if (isBlank(content)) throw new UsageError('The message is empty.');
  const people = values.to.some(mayNamePeople) ? 'all' : 'self';
  return withState(values, io, signal, {fetch: sendNeeds, people}, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const {state} = verbContext;
      const conversation = conversationFromFlags(state, values.to, values.topic);
      checkSending(verbContext, conversation, content);
      const check = 'List the scheduled messages with “parley schedule list”.';
      const id = await changeOnce(() => scheduleMessage(context, {conversation, content, at}), check);
      if (values.json) printJson(io, {id, at, conversation: conversationJson(state, conversation)});
      else print(io, `Scheduled for ${timeText(at)}: ${printableLine(conversationTitle(state, conversation))}.`);
      return exitCodes.ok;
    }),
  );
};

export const scheduleList: VerbRunner<'schedule list'> = ({values}, io, signal) => {
  const fetch = [...conversationNeeds, 'scheduled_messages'] as const;
  return withState(values, io, signal, {fetch, people: 'self'}, async (verbContext) => {
    const all = [...verbContext.state.scheduled.values()].sort(
      (a, b) => a.scheduledDeliveryTimestamp - b.scheduledDeliveryTimestamp || a.id - b.id,
    );
    const people = all.flatMap(({conversation}) => (conversation.kind === 'direct' ? conversation.userIds : []));
    const {state} = await withFetchedUsers(verbContext, people);
    if (values.json) {
      printJson(
        io,
        all.map((each) => scheduledJson(state, each)),
      );
    } else if (all.length === 0) print(io, 'No scheduled messages.');
    else
      printTable(
        io,
        all.map((each) => scheduledCells(state, each)),
      );
    return exitCodes.ok;
  });
};

function scheduledCells(state: AccountState, message: ScheduledMessage): string[] {
  const failed = message.failed ? ' (could not be sent)' : '';
  const text = `${conversationTitle(state, message.conversation)}: ${message.content}${failed}`;
  return [String(message.id), timeText(message.scheduledDeliveryTimestamp), text];
}

function scheduledJson(state: AccountState, message: ScheduledMessage) {
  const {id, scheduledDeliveryTimestamp: at, content, conversation, failed} = message;
  return {id, at, content, conversation: conversationJson(state, conversation), failed};
}

export const scheduleDelete: VerbRunner<'schedule delete'> = ({values, words}, io, signal) => {
  const ids = idArguments(words);
  return withState(values, io, signal, {fetch: ['scheduled_messages'], people: 'self'}, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      await changeEach(
        ids,
        (id) => unscheduleMessage(context, id),
        (done) => printNotice(io, `${done} of ${ids.length} were deleted before this failure:`),
      );
      if (values.json) printJson(io, {deleted: ids});
      else print(io, `Deleted ${countedNoun(ids.length, 'scheduled message')}.`);
      return exitCodes.ok;
    }),
  );
};
