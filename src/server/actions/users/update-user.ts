import {trackRoleChannelAccess} from '#server/actions/events/channel-events.ts';
import {
  emitAvatarUpdate,
  emitSystemGroupChanges,
  emitUserEvent,
  emitUserUpdate,
  emitVisibleEmails,
  trackUserAccess,
} from '#server/actions/events/user-events.ts';
import {accountProblem, checkedFullName, isEmailAddress} from '#server/actions/inputs.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {listBots, reloadUser} from '#server/db/users.ts';
import {badRequest, check} from '#server/errors.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {
  hasPermission,
  isAdmin,
  isGuest,
  isOnlyOwner,
  isOwner,
  organization,
  requireAdministrator,
  requireOwner,
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
import {ownUserView, profileDataByUser, userViews} from '#server/views/users.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {ProfileInput, WireUser} from '#wire/objects/user.ts';
import {sendAccountNotice} from './account-notice.ts';
import {setProfileData} from './profile-data.ts';

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
];

type ReadParams = Omit<ParamsOf<typeof endpoints.getUser>, 'user_id'>;

function requestedUser(call: RequestContext, user: UserRow, params: ReadParams): WireUser {
  check(user.is_system_bot !== 1, 'No such user');
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
  check(target.is_system_bot !== 1, 'No such user');
  if (target.bot_owner_id !== actor.id) requireAdmin(actor);
  let user = target;
  const {new_email: newEmail, full_name: fullName} = changes;
  if (newEmail !== undefined && newEmail !== user.delivery_email) {
    check(
      hasPermission(act, actor, organization(act).can_change_user_emails_group),
      'User not authorized to change user emails',
    );
    check(isNewAddress(act, newEmail), 'Invalid new email address.');
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
  act.db.updateRow('user', user.id, {full_name: fullName, name_key: fold(fullName)});
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
function changeEmail(act: ActionContext, user: UserRow, input: string): UserRow {
  const email = input.trim();
  act.db.updateRow('user', user.id, {delivery_email: email, email_key: fold(email)});
  const after = reloadUser(act, user.id);
  const body = {op: 'update' as const, person: {user_id: user.id, delivery_email: email}};
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
  if (role === Role.owner || isOwner(target)) requireOwner(actor);
  requireAdministrator(actor);
  check(!isGuest(target) || !isAdmin({...target, role}), 'Guests cannot be organization administrators');
  check(!isOnlyOwner(act, target), 'The owner permission cannot be removed from the only organization owner.');
}

function changeRole(act: ActionContext, actor: UserRow, target: UserRow, role: number): UserRow {
  if (role === target.role) return target;
  checkRole(act, actor, target, role);
  return trackUserAccess(act, () =>
    trackRoleChannelAccess(act, target, () => {
      act.db.updateRow('user', target.id, {role});
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
    act.emit(
      'realm_bot',
      [after.id],
      isAdmin(after) ? {op: 'add', bot: botView(act, bot)} : {op: 'delete', bot: {user_id: bot.id}},
    );
  }
}
