import {withApi} from '#cli/account-access/with-api.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {tableLines} from '#cli/table-lines.ts';
import {type User, userFromWire} from '#state/model/user.ts';
import {compareNames} from '#state/selectors/names/compare-names.ts';
import {roleName} from './role-name.ts';
import type {VerbRunner} from './verb-runner.ts';

export const users: VerbRunner<'users' | 'user list'> = ({values, words}, io, signal) =>
  withApi(values, io, signal, async ({api}) => {
    const {members} = await api.getUsers({client_gravatar: true});
    const query = words.join(' ').trim();
    const users = members
      .map(userFromWire)
      .filter((user) => (user.isActive || values.all) && matches(user, query))
      .sort((a, b) => compareNames(a.fullName, b.fullName) || a.id - b.id);
    if (values.json) printJson(io, users.map(userJson));
    else if (users.length > 0) print(io, userLines(users).join('\n'));
    if (users.length > 0 || query === '') return exitCodes.ok;
    printNotice(io, `No users match “${query}”.${values.all ? '' : ' Use --all to include deactivated users.'}`);
    return exitCodes.failed;
  });

function matches({fullName, email, deliveryEmail = ''}: User, query: string): boolean {
  const lowerQuery = query.normalize('NFC').toLowerCase();
  return [fullName, email, deliveryEmail].some((text) => text.normalize('NFC').toLowerCase().includes(lowerQuery));
}

/** Formats users as lines. Ids and addresses come first, because names vary most in width. */
export function userLines(users: readonly User[]): string[] {
  return tableLines(
    users.map((user) => [String(user.id), user.deliveryEmail ?? user.email, `${user.fullName}${roleText(user)}`]),
  );
}

function roleText(user: User): string {
  const role = roleName(user.role);
  const parts = [
    ...(user.isBot ? ['bot'] : role === 'member' ? [] : [role]),
    ...(user.isActive ? [] : ['deactivated']),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

export function userJson(user: User) {
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
