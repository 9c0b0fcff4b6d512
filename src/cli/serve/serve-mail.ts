import {type CliIo, UsageError} from '#cli/io.ts';
import {cutTableText} from '#cli/table-lines.ts';
import type {VerbResult, VerbRunner} from '#cli/verbs/verb-table.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {existingDataDirectory} from './data-directory.ts';
import {type Operator, withOperator} from './operator.ts';

/** Tries the mail server of a running server, or shows or repeats what waits to be sent. */
export const serveMail: VerbRunner<'serve mail'> = async ({values, words: [name = '', to]}, io) => {
  const directory = existingDataDirectory(values.data, io);
  const isKnown = name === 'test' ? to !== undefined : ['queue', 'retry'].includes(name) && to === undefined;
  if (!isKnown) throw new UsageError('Use “parley serve mail” with queue, retry or test ADDRESS.');
  return withOperator(directory, io, async (operator): Promise<VerbResult> => {
    if (name === 'queue') return listQueue(operator, io);
    if (to === undefined) {
      const {count} = await operator.run('retryMails', {});
      return {json: {count}, text: count === 0 ? 'No e-mail waits.' : `Trying ${countedNoun(count, 'e-mail')} now.`};
    }
    await operator.run('testMail', {to});
    return {json: {to}, text: `The mail server took an e-mail to ${to}.`};
  });
};

async function listQueue(operator: Operator, io: CliIo): Promise<VerbResult> {
  const mails = await operator.run('mailQueue', {});
  const timeOf = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString());
  const json = mails.map(({id, kind, recipient, attempts, error, created_at, due_at}) => ({
    ...{id, kind, recipient, attempts, error},
    created: timeOf(created_at),
    next_attempt: timeOf(due_at),
  }));
  const rows = json.map(({id, kind, recipient, attempts, next_attempt: next, error}) => [
    ...[String(id), kind, recipient, `${attempts} failed`, next === null ? 'given up' : `next ${next}`, error ?? ''],
  ]);
  return {json, text: rows.length === 0 ? 'No e-mail waits.' : cutTableText(io, rows)};
}
