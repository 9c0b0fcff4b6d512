import type {Api} from '#api/api.ts';
import {requireParameters} from '#api/encode-request.ts';
import {type StateContext, withFetchedUsers} from '#cli/account-access/with-state.ts';
import {exitCodes, PlainFailure, UsageError} from '#cli/io.ts';
import {isEmailAddress, namesUsers, requirePermission, splitOption, userArgument} from '#cli/name-arguments.ts';
import {tableText} from '#cli/table-lines.ts';
import type {UserChange} from '#state/actions/accounts.ts';
import {foldName, type User, userFromWire} from '#state/model/user.ts';
import {compareNames} from '#state/selectors/names/names.ts';
import {dropdownChoices, profileValueText, userIdsIn} from '#state/selectors/people/people.ts';
import {allowedIf, isAdministrator} from '#state/selectors/permissions/permission.ts';
import type {ProfileField} from '#state/slices/profile-fields.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {didYouMean} from '#std/similar-names.ts';
import {endpoints} from '#wire/endpoints.ts';
import {profileFieldTypes, roles} from '#wire/objects/user.ts';
import {apiVerb, changeEach, sessionVerb, stateVerb} from './account-verb.ts';
import {roleName} from './role-name.ts';
import type {VerbArguments, VerbRunner} from './verb-table.ts';

export const users: VerbRunner<'users' | 'user list'> = apiVerb(async ({api, values, words}) => {
  const query = words.join(' ').trim();
  const lowerQuery = query.normalize('NFC').toLowerCase();
  const isShown = ({fullName, email, deliveryEmail = '', isActive}: User) =>
    (isActive || values.all) &&
    [fullName, email, deliveryEmail].some((text) => text.normalize('NFC').toLowerCase().includes(lowerQuery));
  const shown = (await fetchedUsers(api)).filter(isShown);
  const hint = values.all ? '' : ' Use --all to include deactivated users.';
  return {
    json: shown.map(userJson),
    text: shown.length === 0 ? undefined : userLines(shown),
    ...(shown.length === 0 &&
      query !== '' && {notice: composed`No users match “${query}”.${hint}`, exitCode: exitCodes.failed}),
  };
});

export {users as userList};

/** Fetches these users, or all, sorted by name. */
export async function fetchedUsers(api: Api, ids?: readonly number[]): Promise<User[]> {
  const {members} = await api.getUsers({...(ids !== undefined && {user_ids: [...ids]}), client_gravatar: true});
  return members.map(userFromWire).sort((a, b) => compareNames(a.fullName, b.fullName) || a.id - b.id);
}

/** Formats users as lines. Ids and addresses come first, because names vary most in width. */
export function userLines(shown: readonly User[]): string {
  return tableText(
    shown.map((user) => [
      String(user.id),
      user.deliveryEmail ?? user.email,
      composed`${user.fullName}${roleText(user)}`,
    ]),
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

export const whoami: VerbRunner<'whoami'> = apiVerb(async ({account, api}) => {
  const {user_id: userId, full_name: fullName, ...own} = await api.getOwnUser({});
  const {site} = account;
  const email = own.delivery_email ?? account.email;
  const role = roleName(own.role);
  return {
    json: {userId, fullName, email, role, isBot: own.is_bot ?? false, site, account: account.name},
    text: printableLine(composed`${fullName} (${email}), ${role}, at ${site}`),
  };
});

/** Users are fetched only for a name or id: an e-mail address is looked up by the server. */
function peopleFor([word = '']: readonly string[]): 'all' | 'self' {
  return isEmailAddress(word) ? 'self' : 'all';
}

export const userShow: VerbRunner<'user show'> = stateVerb(
  ({words}) => ({fetch: ['custom_profile_fields'], people: peopleFor(words)}),
  async (context) => {
    const {api, state, words, matching} = context;
    const [word = ''] = words;
    const options = {client_gravatar: true, include_custom_profile_fields: true};
    const {user: wire} = isEmailAddress(word)
      ? await api.getUserByEmail({email: word, ...options})
      : await api.getUser({user_id: userArgument(state, word, matching).id, ...options});
    const user = userFromWire(wire);
    const fields = state.profileFields.flatMap((field) => {
      const value = user.profile[field.id]?.value;
      return value === undefined ? [] : [{field, value}];
    });
    const named = await withFetchedUsers(
      context,
      fields.flatMap(({field, value}) => (field.type === profileFieldTypes.user ? userIdsIn(value) : [])),
    );
    const texts = fields.map(({field, value}) => [field.name, profileValueText(named.state, field, value)]);
    const fieldsJson = fields.map(({field: {id, name}, value}) => ({id, name, value}));
    return {
      json: {...userJson(user), botOwnerId: user.botOwnerId ?? null, fields: fieldsJson},
      text: tableText([...userRows(user), ...texts]),
    };
  },
);

function userRows(user: User): string[][] {
  const rows: [string, string | undefined][] = [
    ['Name', user.fullName],
    ['E-mail', user.deliveryEmail ?? user.email],
    ['Id', String(user.id)],
    ['Role', user.isBot ? 'bot' : roleName(user.role)],
    ['Active', user.isActive ? 'yes' : 'no (deactivated)'],
    ['Time zone', user.timezone === '' ? undefined : user.timezone],
    ['Joined', user.dateJoined?.slice(0, 10)],
  ];
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, value]]));
}

export const userUpdate: VerbRunner<'user update'> = sessionVerb(
  ({values, words}) => ({
    fetch: ['realm', 'custom_profile_fields'],
    people: namesUsers(values.field) ? 'all' : peopleFor(words),
  }),
  async ({api, state, session, values, words}) => {
    const [word = ''] = words;
    requireAdministrator(state);
    const change = userChange(state, values);
    const changed = Object.keys(change);
    if (changed.length === 0) throw new UsageError('Give at least one of --name, --role, --email, --field.');
    requireParameters(endpoints.updateUser, changed, api.connection.level);
    if (isEmailAddress(word)) await session.api.updateUserByEmail({email: word, ...change});
    else {
      const {id} = userArgument(state, word);
      await session.api.updateUser({user_id: id, ...change});
    }
    return {json: {user: word, changed}, text: composed`Changed ${printableLine(word)}.`};
  },
);

function requireAdministrator(state: AccountState): void {
  requirePermission(allowedIf(isAdministrator(state), 'Only administrators can change other users.'));
}

function userChange(state: AccountState, values: VerbArguments<'user update'>['values']): UserChange {
  const {name, role, email, field} = values;
  return {
    ...(name !== undefined && {full_name: name}),
    ...(role !== undefined && {role: roles[role]}),
    ...(email !== undefined && {new_email: email}),
    ...(field.length > 0 && {profile_data: field.map((text) => profileInput(state, text))}),
  };
}

/** Returns the value to set. An empty one clears the field. */
function profileInput(state: AccountState, text: string) {
  const [name, value] = splitOption('--field', text);
  const field = profileField(state, name);
  const {id, type} = field;
  if (value === '') return {id, value: null};
  if (type === profileFieldTypes.dropdown) return {id, value: choiceValue(field, value)};
  if (type !== profileFieldTypes.user) return {id, value};
  return {id, value: value.split(',').map((user) => userArgument(state, user.trim()).id)};
}

/** Returns the value of a choice, which is given by its label or its value. */
function choiceValue(field: ProfileField, text: string): string {
  const choices = dropdownChoices(field);
  const choice =
    choices.find(({label}) => foldName(label) === foldName(text)) ?? choices.find(({value}) => value === text);
  if (choice !== undefined) return choice.value;
  const labels = choices.map(({label}) => label);
  throw new PlainFailure(composed`“${field.name}” has no choice “${text}”. Choices: ${joined(labels)}.`);
}

function profileField({profileFields}: AccountState, text: string): ProfileField {
  const field =
    profileFields.find(({name}) => foldName(name) === foldName(text)) ??
    profileFields.find(({id}) => String(id) === text);
  if (field !== undefined) return field;
  const names = profileFields.map(({name}) => name);
  throw new PlainFailure(composed`There is no profile field called “${text}”.${didYouMean(names, text)}`);
}

const peopleNeeds = {fetch: ['realm'], people: 'all'} as const;

export const userDeactivate: VerbRunner<'user deactivate'> = stateVerb(peopleNeeds, async (context) => {
  const {api, state, words, values} = context;
  const users = words.map((word) => userArgument(state, word));
  if (!users.every(({botOwnerId}) => botOwnerId === state.self.userId)) requireAdministrator(state);
  const {comment} = values;
  const bot = users.find(({isBot}) => isBot);
  if (comment !== undefined && bot !== undefined)
    throw new UsageError(composed`--comment is sent by e-mail, and “${bot.fullName}” is a bot.`);
  const extra = comment === undefined ? {} : {deactivation_notification_comment: comment};
  const text = await changeUsers(context, users, 'Deactivated', ({id, isBot}) =>
    isBot ? api.deactivateBot({bot_id: id}) : api.deactivateUser({user_id: id, ...extra}),
  );
  return {json: {deactivated: users.map(({id}) => id)}, text};
});

export const userReactivate: VerbRunner<'user reactivate'> = sessionVerb(peopleNeeds, async (context) => {
  const {state, session, words} = context;
  requireAdministrator(state);
  const users = words.map((word) => userArgument(state, word));
  const text = await changeUsers(context, users, 'Reactivated', ({id}) => session.api.reactivateUser({user_id: id}));
  return {json: {reactivated: users.map(({id}) => id)}, text};
});

/** Changes users one after the other. Returns what was done as a sentence. */
async function changeUsers(
  {io}: StateContext,
  changed: readonly User[],
  done: string,
  change: (user: User) => Promise<unknown>,
): Promise<string> {
  const text = (some: readonly User[]) => `${done} ${joined(some.map(({fullName}) => printableLine(fullName)))}.`;
  await changeEach(io, changed, change, (some) => `${text(some)} Then this failed:`);
  return text(changed);
}
