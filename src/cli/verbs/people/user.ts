import {requireParameters} from '#api/encode-request.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {type StateContext, withFetchedUsers, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {changeEach, changeRepeatably} from '#cli/make-change.ts';
import {isEmailAddress, requirePermission, userArgument} from '#cli/name-arguments.ts';
import {namesUsers, splitOption} from '#cli/permission-arguments.ts';
import {tableLines} from '#cli/table-lines.ts';
import {UsageError} from '#cli/usage-error.ts';
import {roleName} from '#cli/verbs/role-name.ts';
import {userJson} from '#cli/verbs/users.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {reactivateUser, type UserChange, updateUser, updateUserByEmail} from '#state/actions/people.ts';
import {type User, userFromWire} from '#state/model/user.ts';
import {foldName} from '#state/model/users.ts';
import {didYouMean} from '#state/selectors/names/similar-names.ts';
import {profileValueText, userIdsIn} from '#state/selectors/people/profile-value.ts';
import {allowedIf, isAdministrator} from '#state/selectors/permissions/permission.ts';
import type {AccountState, ProfileField} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {endpoints} from '#wire/endpoints.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';
import {roles} from '#wire/objects/user.ts';

/** Users are fetched only for a name or id: an e-mail address is looked up by the server. */
function peopleFor(word: string): 'all' | 'self' {
  return isEmailAddress(word) ? 'self' : 'all';
}

export const userShow: VerbRunner<'user show'> = ({values, words, matching}, io, signal) => {
  const [word = ''] = words;
  const needs = {fetch: ['custom_profile_fields'], people: peopleFor(word)} as const;
  return withState(values, io, signal, needs, async (context) => {
    const {api, state} = context;
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
    if (values.json)
      printJson(io, {...userJson(user), botOwnerId: user.botOwnerId ?? null, fields: fields.map(fieldJson)});
    else print(io, tableLines([...userRows(user), ...texts]).join('\n'));
    return exitCodes.ok;
  });
};

function fieldJson({field: {id, name}, value}: {readonly field: ProfileField; readonly value: string}) {
  return {id, name, value};
}

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

export const userUpdate: VerbRunner<'user update'> = ({values, words}, io, signal) => {
  const [word = ''] = words;
  const people = namesUsers(values.field) ? 'all' : peopleFor(word);
  return withState(values, io, signal, {fetch: ['realm', 'custom_profile_fields'], people}, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const {state} = verbContext;
      requireAdministrator(verbContext);
      const change = changeFrom(state, values);
      if (Object.keys(change).length === 0)
        throw new UsageError('Give at least one of --name, --role, --email, --field.');
      requireParameters(endpoints.updateUser, Object.keys(change), verbContext.api.connection.level);
      if (isEmailAddress(word)) await changeRepeatably(() => updateUserByEmail(context, word, change));
      else {
        const {id} = userArgument(state, word);
        await changeRepeatably(() => updateUser(context, id, change));
      }
      if (values.json) printJson(io, {user: word, changed: Object.keys(change)});
      else print(io, `Changed ${printableLine(word)}.`);
      return exitCodes.ok;
    }),
  );
};

function requireAdministrator({state}: StateContext): void {
  requirePermission(allowedIf(isAdministrator(state), 'Only administrators can change other users.'));
}

function changeFrom(state: AccountState, values: VerbArguments<'user update'>['values']): UserChange {
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
  const {id, type} = profileField(state, name);
  if (value === '') return {id, value: null};
  if (type !== profileFieldTypes.user) return {id, value};
  return {id, value: value.split(',').map((user) => userArgument(state, user.trim()).id)};
}

function profileField({profileFields}: AccountState, text: string): ProfileField {
  const field =
    profileFields.find(({name}) => foldName(name) === foldName(text)) ??
    profileFields.find(({id}) => String(id) === text);
  if (field !== undefined) return field;
  const names = profileFields.map(({name}) => name);
  throw new PlainFailure(`There is no profile field called “${text}”.${didYouMean(names, text)}`);
}

export const userDeactivate: VerbRunner<'user deactivate'> = ({values, words}, io, signal) =>
  withState(values, io, signal, {fetch: ['realm'], people: 'all'}, async (verbContext) => {
    const {api, state} = verbContext;
    const users = words.map((word) => userArgument(state, word));
    const isOwnBot = (user: User) => user.botOwnerId === state.self.userId;
    if (!users.every(isOwnBot)) requireAdministrator(verbContext);
    const {comment} = values;
    const extra = comment === undefined ? {} : {deactivation_notification_comment: comment};
    await changeUsers(verbContext, users, 'Deactivated', ({id}) => api.deactivateUser({user_id: id, ...extra}));
    if (values.json) printJson(io, {deactivated: users.map(({id}) => id)});
    else print(io, `Deactivated ${userNames(users)}.`);
    return exitCodes.ok;
  });

export const userReactivate: VerbRunner<'user reactivate'> = ({values, words}, io, signal) =>
  withState(values, io, signal, {fetch: ['realm'], people: 'all'}, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      requireAdministrator(verbContext);
      const users = words.map((word) => userArgument(verbContext.state, word));
      await changeUsers(verbContext, users, 'Reactivated', ({id}) => reactivateUser(context, id));
      if (values.json) printJson(io, {reactivated: users.map(({id}) => id)});
      else print(io, `Reactivated ${userNames(users)}.`);
      return exitCodes.ok;
    }),
  );

function changeUsers(
  {io}: StateContext,
  users: readonly User[],
  done: string,
  change: (user: User) => Promise<unknown>,
): Promise<void> {
  return changeEach(users, change, (count) =>
    printNotice(io, `${done} ${userNames(users.slice(0, count))}. Then this failed:`),
  );
}

function userNames(users: readonly User[]): string {
  return users.map(({fullName}) => printableLine(fullName)).join(', ');
}
