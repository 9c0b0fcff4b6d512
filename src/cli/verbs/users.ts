import {withApi} from '#cli/account-access/with-api.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {type User, userFromWire} from '#state/model/user.ts';
import {compareNames} from '#state/selectors/names/compare-names.ts';
import {printableLine} from '#std/printable.ts';
import {roleName} from './role-name.ts';
import type {VerbRunner} from './run.ts';

export const users: VerbRunner<'users'> = ({values, words}, io, signal) =>
  withApi(values, io, signal, async ({api}) => {
    const {members} = await api.getUsers({client_gravatar: true});
    const query = words.join(' ').trim();
    const found = members
      .map(userFromWire)
      .filter((user) => (user.isActive || values.all) && fits(user, query))
      .sort((a, b) => compareNames(a.fullName, b.fullName) || a.id - b.id);
    if (values.json) printJson(io, found.map(userJson));
    else if (found.length > 0) print(io, userLines(found).join('\n'));
    if (found.length > 0 || query === '') return exitCodes.ok;
    printNotice(
      io,
      `Nobody here fits “${query}”.${values.all ? '' : ' --all looks among those who have left, too.'}`,
    );
    return exitCodes.failed;
  });

function fits({fullName, email, deliveryEmail = ''}: User, query: string): boolean {
  const wanted = query.normalize('NFC').toLowerCase();
  return [fullName, email, deliveryEmail].some((text) =>
    text.normalize('NFC').toLowerCase().includes(wanted),
  );
}

/** Numbers and addresses first: names are as wide as they like. */
function userLines(found: readonly User[]): string[] {
  const rows = found.map((user) => ({
    id: String(user.id),
    email: printableLine(user.deliveryEmail ?? user.email),
    name: `${printableLine(user.fullName)}${remark(user)}`,
  }));
  const [ids, emails] = [widest(rows.map(({id}) => id)), widest(rows.map(({email}) => email))];
  return rows.map(({id, email, name}) => `${id.padStart(ids)}  ${email.padEnd(emails)}  ${name}`);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, {length}) => Math.max(most, length), 0);
}

function remark(user: User): string {
  const role = roleName(user.role);
  const remarks = [
    ...(user.isBot ? ['bot'] : role === 'member' ? [] : [role]),
    ...(user.isActive ? [] : ['has left']),
  ];
  return remarks.length === 0 ? '' : ` (${remarks.join(', ')})`;
}

function userJson(user: User) {
  const {id, fullName, email, deliveryEmail, role, isActive, isBot, timezone, dateJoined} = user;
  return {
    id,
    fullName,
    email: deliveryEmail ?? email,
    role: roleName(role),
    isActive,
    isBot,
    timezone,
    dateJoined: dateJoined ?? null,
  };
}
