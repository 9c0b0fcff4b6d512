import {trackRoleChannelAccess} from '#server/actions/events/channel-events.ts';
import {
  emitAvatarUpdate,
  emitSystemGroupChanges,
  emitUserEvent,
  emitUserUpdate,
  emitVisibleEmails,
  trackUserAccess,
} from '#server/actions/events/user-events.ts';
import {accountProblem, checkedFullName, isEmailAddress, nameFor} from '#server/actions/inputs.ts';
import {sendNotice} from '#server/actions/messages/send-message.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findProfileField, type ProfileFieldRow} from '#server/db/organization-items.ts';
import {fold, type Ids, type UserRow} from '#server/db/rows.ts';
import {findUser, listBots, reloadUser} from '#server/db/users.ts';
import {badRequest, check, required, unauthorizedPrincipal} from '#server/errors.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {
  hasPermission,
  isAdmin,
  isGuest,
  isOnlyOwner,
  isOwner,
  organization,
} from '#server/permissions/has-permission.ts';
import {
  canSeeEmail,
  emailVisibility,
  requireAccessibleUser,
  requireAccessibleUserByEmail,
  requireAdmin,
} from '#server/permissions/user-access.ts';
import {type Route, route, slicedRoute} from '#server/route.ts';
import {apiEmail, botView, userView} from '#server/views/user.ts';
import {isRendered, ownUserView, profileDataByUser, userViews} from '#server/views/users.ts';
import {parseJson} from '#std/parse-json.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {type ProfileInput, profileFieldTypes, type WireUser} from '#wire/objects/user.ts';

export const userRoutes: readonly Route[] = [
  slicedRoute(endpoints.getUsers, 'account', function* (call, params) {
    const members = userViews(call, call.actor, {
      clientGravatar: params.client_gravatar,
      profileData: params.include_custom_profile_fields,
      ids: params.user_ids,
      placeholders: false,
    });
    // The response is encoded after a pause.
    yield;
    return {members};
  }),
  route(endpoints.getOwnUser, 'account', (call) => ownUserView(call, call.actor)),
  route(endpoints.getUser, 'account', (call, params) => ({
    user: requestedUser(call, requireAccessibleUser(call, call.actor, params.user_id), params),
  })),
  route(endpoints.getUserByEmail, 'account', (call, params) => ({
    user: requestedUser(call, requireAccessibleUserByEmail(call, call.actor, params.email), params),
  })),
  route(endpoints.updateUser, 'account', (call, params) =>
    updateUser(call, call.actor, requireAccessibleUser(call, call.actor, params.user_id), params),
  ),
  route(endpoints.updateUserByEmail, 'account', (call, params) =>
    updateUser(call, call.actor, requireAccessibleUserByEmail(call, call.actor, params.email), params),
  ),

  route(endpoints.updateProfileData, 'person', (call, {data}) => setProfileData(call, call.actor, call.actor, data)),
  route(endpoints.removeProfileData, 'person', (call, {data: ids}) => {
    for (const id of ids) writeProfileValue(call, call.actor, editableField(call, call.actor, id), null);
  }),
];

type ReadParams = Omit<ParamsOf<typeof endpoints.getUser>, 'user_id'>;

function requestedUser(call: RequestContext, user: UserRow, params: ReadParams): WireUser {
  if (user.is_system_bot === 1) throw badRequest('No such user');
  const profileData = params.include_custom_profile_fields
    ? (profileDataByUser(call, [user.id]).get(user.id) ?? {})
    : undefined;
  return userView(call, call.actor, user, {clientGravatar: params.client_gravatar, profileData});
}

interface UserChanges {
  readonly full_name?: string | undefined;
  readonly role?: number | undefined;
  readonly profile_data?: readonly ProfileInput[] | undefined;
  readonly new_email?: string | undefined;
}

/** Changes another user's account, as an administrator, or a bot as its owner. */
export function updateUser(act: ActionContext, actor: UserRow, target: UserRow, changes: UserChanges): void {
  if (target.is_system_bot === 1) throw badRequest('No such user');
  if (target.bot_owner_id !== actor.id) requireAdmin(actor);
  let user = target;
  const {new_email: newEmail, full_name: fullName} = changes;
  if (newEmail !== undefined && newEmail !== user.delivery_email) {
    if (!hasPermission(act, actor, organization(act).can_change_user_emails_group)) {
      throw badRequest('User not authorized to change user emails');
    }
    if (!isNewAddress(act, newEmail)) throw badRequest('Invalid new email address.');
    const problem = isOwnAddress(user, newEmail) ? undefined : accountProblem(act, newEmail);
    if (problem !== undefined) throw badRequest(`New email value error: ${problem}`);
    user = changeEmail(act, user, newEmail);
  }
  if (changes.role !== undefined) user = changeRole(act, actor, user, changes.role);
  if (fullName !== undefined && fullName.trim() !== '') user = changeFullName(act, actor, user, fullName);
  if (changes.profile_data !== undefined) setProfileData(act, actor, user, changes.profile_data);
}

/** Other than at registration, the host needs a dot. */
function isNewAddress(act: ActionContext, input: string): boolean {
  return isEmailAddress(act, input) && /@.+\../.test(input);
}

export function changeFullName(act: ActionContext, actor: UserRow, user: UserRow, input: string): UserRow {
  const fullName = checkedFullName(act, input, user.id);
  if (fullName === user.full_name) return user;
  act.db.run('UPDATE user SET full_name = ?, name_key = ? WHERE id = ?', fullName, fold(fullName), user.id);
  emitUserUpdate(act, user, {full_name: fullName});
  const after = reloadUser(act, user.id);
  sendAccountNotice(act, actor, after, [{name: 'full name', before: user.full_name, after: fullName}]);
  return after;
}

/** Returns whether the text is another spelling of the user's own address, which is not checked again. */
export function isOwnAddress(user: UserRow, input: string): boolean {
  return fold(input.trim()) === user.email_key;
}

/**
 * Changes the email address, which the caller checked, and emits what depends on it: the address to those who may see
 * it, the API email, the avatar.
 */
export function changeEmail(act: ActionContext, user: UserRow, input: string): UserRow {
  const email = input.trim();
  act.db.run('UPDATE user SET delivery_email = ?, email_key = ? WHERE id = ?', email, fold(email), user.id);
  const after = reloadUser(act, user.id);
  const body = {op: 'update', person: {user_id: user.id, delivery_email: email}};
  emitUserEvent(act, 'realm_user', after, (viewer) => (canSeeEmail(viewer, after) ? body : undefined));
  if (emailVisibility(after) === 1 || after.is_bot === 1) {
    emitUserUpdate(act, after, {new_email: apiEmail(act.server, after)});
  }
  if (after.avatar_source !== 'U') emitAvatarUpdate(act, after, (viewer) => canSeeEmail(viewer, after));
  return after;
}

const roleNames: ReadonlyMap<number, string> = new Map([
  [Role.owner, 'Organization owner'],
  [Role.admin, 'Organization administrator'],
  [Role.moderator, 'Moderator'],
  [Role.member, 'Member'],
  [Role.guest, 'Guest'],
]);

function checkRole(act: ActionContext, actor: UserRow, target: UserRow, role: number): void {
  if ((role === Role.owner || isOwner(target)) && !isOwner(actor)) {
    throw unauthorizedPrincipal('Must be an organization owner');
  }
  if (!isAdmin(actor)) throw unauthorizedPrincipal('Must be an organization administrator');
  check(!isGuest(target) || !isAdmin({...target, role}), 'Guests cannot be organization administrators');
  check(!isOnlyOwner(act, target), 'The owner permission cannot be removed from the only organization owner.');
}

function changeRole(act: ActionContext, actor: UserRow, target: UserRow, role: number): UserRow {
  if (role === target.role) return target;
  checkRole(act, actor, target, role);
  return trackUserAccess(act, () =>
    trackRoleChannelAccess(act, target, () => {
      act.db.run('UPDATE user SET role = ? WHERE id = ?', role, target.id);
      const after = reloadUser(act, target.id);
      emitUserUpdate(act, after, {role});
      const names = {before: roleNames.get(target.role) ?? '', after: roleNames.get(role) ?? ''};
      sendAccountNotice(act, actor, after, [{name: 'role', ...names}]);
      emitSystemGroupChanges(act, target, after);
      emitVisibleEmails(act, target, after);
      emitVisibleBots(act, target, after);
      return after;
    }),
  );
}

/** Emits the bots of other users to a user who became an administrator, or removes them when they stop being one. */
function emitVisibleBots(act: ActionContext, before: UserRow, after: UserRow): void {
  if (isAdmin(before) === isAdmin(after) || !act.server.queues.isConnected(after.id)) return;
  for (const bot of listBots(act.db)) {
    if (bot.bot_owner_id === after.id) continue;
    const body = isAdmin(after) ? {op: 'add', bot: botView(act, bot)} : {op: 'delete', bot: {user_id: bot.id}};
    act.emit('realm_bot', [after.id], body);
  }
}

/** A changed part of an account; the values are Markdown, empty for none. */
export interface AccountChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Tells a person what somebody else changed in their account. */
export function sendAccountNotice(
  act: ActionContext,
  actor: UserRow,
  person: UserRow,
  changes: readonly AccountChange[],
): void {
  if (actor.id === person.id || person.is_bot === 1 || person.is_active === 0 || changes.length === 0) return;
  const parts = changes.map(
    ({name, before, after}) => `- **Old ${name}:** ${before || '*None*'}\n- **New ${name}:** ${after || '*None*'}`,
  );
  const opening = `${nameFor(act, person, actor)} has made the following changes to your account.`;
  sendNotice(act, {kind: 'direct', userIds: [person.id]}, `${opening}\n${parts.join('\n\n---\n\n')}`);
}

const shortTextLength = 50;
const paragraphLength = 500;

/**
 * Writes several custom profile fields, all of them or none. An empty value from somebody else clears the field; an own
 * empty value is stored. Cleared fields come first, each with a notice of its own, as on Zulip's servers.
 */
export function setProfileData(
  act: ActionContext,
  actor: UserRow,
  target: UserRow,
  data: readonly ProfileInput[],
): void {
  const isCleared = ({value}: ProfileInput) =>
    value === null || (value.length === 0 && (actor.id !== target.id || value !== ''));
  const write = ({id, value}: ProfileInput): AccountChange[] => {
    const field = editableField(act, actor, id);
    const text = value === null || isCleared({id, value}) ? null : value === '' ? '' : storedText(act, field, value);
    const before = writeProfileValue(act, target, field, text);
    if (before === text) return [];
    const shown = (stored: string | null) => shownValue(act, target, field, stored);
    return [{name: field.name, before: shown(before), after: shown(text)}];
  };
  for (const input of data.filter(isCleared)) sendAccountNotice(act, actor, target, write(input));
  const set = data.filter((input) => !isCleared(input));
  sendAccountNotice(act, actor, target, set.flatMap(write));
}

/** Returns a stored value as Markdown for the reader. */
function shownValue(act: ActionContext, reader: UserRow, field: ProfileFieldRow, text: string | null): string {
  if (text === null || text === '') return '';
  if (field.type === profileFieldTypes.dropdown) return JSON.parse(field.field_data)[text]?.text ?? text;
  if (field.type !== profileFieldTypes.user) return text;
  return (parsedIds(text) ?? []).map((id) => nameFor(act, reader, findUser(act.db, id))).join(', ');
}

/** Clears all profile fields of a user, also those that only administrators may edit. */
export function clearAllProfileData(act: ActionContext, target: UserRow): void {
  const sql = 'SELECT f.* FROM profile_value AS v JOIN profile_field AS f ON f.id = v.field_id WHERE v.user_id = ?';
  const fields = act.db.all<ProfileFieldRow>(sql, target.id);
  for (const field of fields) writeProfileValue(act, target, field, null);
}

function editableField(act: ActionContext, actor: UserRow, id: number): ProfileFieldRow {
  const field = required(findProfileField(act.db, id), `Field id ${id} not found.`);
  if (field.editable_by_user === 0 && !isAdmin(actor)) {
    throw badRequest('You are not allowed to change this field. Contact an administrator to update it.');
  }
  return field;
}

/** Writes a value and returns the one before. */
function writeProfileValue(
  act: ActionContext,
  target: UserRow,
  field: ProfileFieldRow,
  text: string | null,
): string | null {
  const {db, server} = act;
  const sql = 'SELECT value FROM profile_value WHERE user_id = ? AND field_id = ?';
  const before = db.value<string>(sql, target.id, field.id) ?? null;
  if (before === text) return before;
  if (text === null) {
    db.run('DELETE FROM profile_value WHERE user_id = ? AND field_id = ?', target.id, field.id);
  } else {
    db.replaceRow('profile_value', {user_id: target.id, field_id: field.id, value: text});
  }
  const rendered =
    text !== null && text !== '' && isRendered(field.type)
      ? {rendered_value: server.renderer.descriptionHtml(text)}
      : {};
  emitUserUpdate(act, target, {custom_profile_field: {id: field.id, value: text, ...rendered}});
  return before;
}

/** Returns the value as stored; throws if it is invalid for the type of field. */
function storedText(act: ActionContext, field: ProfileFieldRow, value: string | Ids): string {
  if (field.type === profileFieldTypes.user) return storedUsers(act, value);
  if (typeof value !== 'string') throw badRequest(`${field.name} is not a string`);
  switch (field.type) {
    case profileFieldTypes.paragraph:
      return limited(field, value, paragraphLength);
    case profileFieldTypes.dropdown:
      if (!choicesOf(field).has(value)) {
        throw badRequest(`'${value}' is not a valid choice for '${field.name}'.`);
      }
      return value;
    case profileFieldTypes.date:
      if (!isDate(value)) throw badRequest(`${field.name} is not a date`);
      return value;
    case profileFieldTypes.url:
      if (!isWebAddress(value)) throw badRequest(`${field.name} is not a URL`);
      return value;
    default:
      return limited(field, value, shortTextLength);
  }
}

function limited({name}: ProfileFieldRow, value: string, length: number): string {
  if (value.includes('\0')) throw badRequest(`${name} must not contain null bytes`);
  if (Array.from(value).length > length) throw badRequest(`${name} is too long (limit: ${length} characters)`);
  return value;
}

function choicesOf({field_data}: ProfileFieldRow): ReadonlySet<string> {
  return new Set(field_data === '' ? [] : Object.keys(JSON.parse(field_data)));
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(value) && !/\s/.test(value) && URL.canParse(value);
}

function storedUsers(act: ActionContext, value: string | Ids): string {
  const ids = required(typeof value === 'string' ? parsedIds(value) : value, 'User IDs is not a list');
  for (const id of ids) {
    const user = findUser(act.db, id);
    if (user === undefined || user.is_system_bot === 1) throw badRequest(`Invalid user IDs: ${id}`);
    if (user.is_active === 0) throw badRequest(`User with ID ${id} is deactivated`);
    if (user.is_bot === 1) throw badRequest(`User with ID ${id} is a bot`);
  }
  return JSON.stringify([...new Set(ids)]);
}

/** Parses a list of ids that came as JSON text, which is also its format in responses. */
function parsedIds(text: string): number[] | undefined {
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch {
    return undefined;
  }
  return Array.isArray(parsed) && parsed.every(Number.isSafeInteger) ? parsed : undefined;
}
