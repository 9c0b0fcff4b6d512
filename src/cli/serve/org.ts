import {type CliIo, print, printJson} from '#cli/io.ts';
import {printTable} from '#cli/table-lines.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {existingDataDirectory} from './data-argument.ts';
import {type Operator, withOperator} from './operator.ts';

type OrgAction = (operator: Operator, io: CliIo, json: boolean, words: readonly string[]) => Promise<undefined>;

/** The actions by name, with the number of words after it. */
const actions: Readonly<Record<string, readonly [words: number, run: OrgAction]>> = {
  show: [0, show],
  limits: [0, limits],
  set: [2, set],
};

/** Shows or changes the settings of the organization. */
export const org: VerbRunner<'serve org'> = async ({values, words: [name = '', ...words]}, io) => {
  const directory = existingDataDirectory(values.data, io);
  const [count, run] = (Object.hasOwn(actions, name) ? actions[name] : undefined) ?? [];
  if (run === undefined || words.length !== count) {
    throw new UsageError('Use “parley serve org” with show, limits or set NAME VALUE.');
  }
  return withOperator(directory, io, (operator) => run(operator, io, values.json, words));
};

async function show(operator: Operator, io: CliIo, json: boolean): Promise<undefined> {
  const settings = await operator.run('settings', {});
  if (json) printJson(io, settings);
  else
    printTable(
      io,
      Object.entries(settings).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
}

async function limits(operator: Operator, io: CliIo, json: boolean): Promise<undefined> {
  const known = await operator.run('limits', {});
  const {uploadQuotaMib, uploadedBytes, guestQuotaMib, fileMib, rates} = known;
  if (json) {
    printJson(io, known);
    return;
  }
  const perMinute = (kind: 'user' | 'address' | 'web') => {
    if (rates === undefined) return 'limited while the server runs';
    return rates === null ? 'not limited' : `${rates[kind]} a minute`;
  };
  printTable(io, [
    ['uploads', `${Math.ceil(uploadedBytes / 2 ** 20)} of ${uploadQuotaMib} MiB used (upload_quota_mib)`],
    ['uploads of a guest', `${guestQuotaMib} MiB`],
    ['one file', `${fileMib} MiB`],
    ['requests of a user', perMinute('user')],
    ['requests without an account', perMinute('address')],
    ['requests for pages and files', perMinute('web')],
  ]);
}

async function set(operator: Operator, io: CliIo, json: boolean, words: readonly string[]): Promise<undefined> {
  const [name = '', value = ''] = words;
  const {changed} = await operator.run('setSetting', {name, value});
  if (json) printJson(io, {name, value, changed});
  else print(io, changed ? `Changed ${name}.` : `${name} has this value already.`);
}
