import {pastMomentOf} from '#cli/name-arguments.ts';
import {cutTableText} from '#cli/table-lines.ts';
import type {VerbRunner} from '#cli/verbs/verb-table.ts';
import {changesText} from '#state/selectors/administration-text.ts';
import {existingDataDirectory} from './data-directory.ts';
import {withOperator} from './operator.ts';

/** Shows who changed what in the organization, and whom it was done to. */
export const serveLog: VerbRunner<'serve log'> = async ({values}, io) => {
  const directory = existingDataDirectory(values.data, io);
  const since = values.since === undefined ? 0 : Math.floor(pastMomentOf(values.since, io.clock.now()) / 1000);
  const params = {since, actor: values.actor ?? null};
  const entries = await withOperator(directory, io, (operator) => operator.run('administrationLog', params));
  const json = entries.map(({time, ...entry}) => ({...entry, time: new Date(time * 1000).toISOString()}));
  const rows = json.map(({time, actor, action, target, target_email: email, fields, changes = {}}) => {
    const ids = Object.entries(target).map(([name, id]) => `${name}=${id}`);
    const others = fields.filter((field) => !Object.hasOwn(changes, field));
    const values = [changesText(changes), ...others].filter((part) => part !== '');
    return [time, actor ?? '', action, email ?? ids.join(' '), values.join(', ')];
  });
  return {json, text: rows.length === 0 ? 'Nothing was changed.' : cutTableText(io, rows)};
};
