import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {type CliIo, exitCodes, PlainFailure, printNotice} from '#cli/io.ts';
import {cutTableText} from '#cli/table-lines.ts';
import type {VerbResult} from '#cli/verbs/verb-table.ts';
import {errorText} from '#std/error-text.ts';
import {ownValue} from '#std/own-value.ts';
import {orList} from '#std/similar-names.ts';
import {roles} from '#wire/objects/user.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {fileName, savedUrl, writeZuliprc} from './data-directory.ts';
import type {Operator} from './operator.ts';
import {parseCsv} from './parse-csv.ts';

const columns = ['name', 'email', 'role', 'channels', 'groups'] as const;

/** Creates or invites the people of a table. Nothing is changed if one of them is refused. */
export async function importPeople(
  operator: Operator,
  io: CliIo,
  file: string,
  {invites, isTrial}: {readonly invites: boolean; readonly isTrial: boolean},
): Promise<VerbResult> {
  const users = usersOf(textOf(resolve(io.cwd, file)), file);
  const {done, problems} = await operator.run('importUsers', {users, invites, isTrial});
  if (problems.length > 0) return refusal(io, problems);
  const rows = done.map(({email, link}) => [email, link ?? '']);
  const verb = isTrial ? (invites ? 'Would invite' : 'Would create') : invites ? 'Invited' : 'Created';
  const links = isTrial || invites ? '' : ' Each link lets the person set a password, once, for three days.';
  return {
    json: {dry_run: isTrial, users: done, problems},
    text: `${verb} ${countedNoun(done.length, 'account')}.${links}\n${cutTableText(io, rows)}`,
  };
}

/** Makes the same change to several accounts, or to none if one of them is refused. */
export async function changePeople(
  operator: Operator,
  io: CliIo,
  directory: string,
  {
    change,
    emails,
    role,
    isTrial,
  }: {readonly change: string; readonly emails: string[]; readonly role: number; readonly isTrial: boolean},
): Promise<VerbResult> {
  const {done, problems} = await operator.run('changeUsers', {change, emails, role, isTrial});
  if (problems.length > 0) return refusal(io, problems);
  const isKept = change === 'key' && !isTrial;
  for (const {email, key} of isKept ? done : []) {
    writeZuliprc(join(directory, 'zuliprc', `${fileName(email)}.zuliprc`), {
      email,
      key: key ?? '',
      site: savedUrl(directory),
    });
  }
  const text = isTrial
    ? `Would change ${countedNoun(done.length, 'account')}`
    : `Changed ${countedNoun(done.length, 'account')}`;
  return {
    json: {dry_run: isTrial, changed: done.map(({email}) => email), problems},
    text: isKept ? `${text}. The new keys are in ${join(directory, 'zuliprc')}.` : `${text} (${change}).`,
  };
}

function refusal(io: CliIo, problems: readonly {readonly email: string; readonly problem: string}[]): VerbResult {
  for (const {email, problem} of problems) printNotice(io, `${email}: ${problem}`);
  printNotice(io, 'Nothing was changed.');
  return {json: {problems, users: [], changed: []}, text: undefined, exitCode: exitCodes.failed};
}

function usersOf(text: string, file: string) {
  const [header = [], ...rows]: readonly (readonly string[])[] = parseCsv(text);
  const names = header.map((name) => name.trim().toLowerCase());
  const unknown = names.find((name) => !columns.some((column) => column === name));
  if (unknown !== undefined)
    throw new PlainFailure(`${file} has the column “${unknown}”. Columns are ${columns.join(', ')}.`);
  for (const needed of ['name', 'email']) {
    if (!names.includes(needed)) throw new PlainFailure(`${file} has no column “${needed}” in its first line.`);
  }
  return rows.map((row, at) => {
    const value = (column: (typeof columns)[number]) => row[names.indexOf(column)]?.trim() ?? '';
    const list = (column: 'channels' | 'groups') =>
      value(column)
        .split(';')
        .map((name) => name.trim())
        .filter((name) => name !== '');
    const role = ownValue<number>(roles, value('role') === '' ? 'member' : value('role'));
    if (role === undefined) {
      throw new PlainFailure(
        `${file}, line ${at + 2}: a role is ${orList(Object.keys(roles))}, not “${value('role')}”.`,
      );
    }
    return {name: value('name'), email: value('email'), role, channels: list('channels'), groups: list('groups')};
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new PlainFailure(`The table cannot be read: ${errorText(error)}.`);
  }
}
