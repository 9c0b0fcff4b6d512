import {checkedEmail} from '#server/accounts/email-address.ts';
import {checkedFullName} from '#server/accounts/full-name.ts';
import {trackRoleChannelAccess} from '#server/actions/channels/track-channel-access.ts';
import {emitSystemGroupChanges} from '#server/actions/events/system-group-events.ts';
import {
  emitAvatarUpdate,
  emitUserEvent,
  emitUserUpdate,
  emitVisibleEmails,
  trackUserAccess,
} from '#server/actions/events/user-events.ts';
import type {ActionContext} from '#server/context.ts';
import {listBots} from '#server/db/bots.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {badRequest, notListed, unauthorizedPrincipal} from '#server/http/errors.ts';
import {
  hasPermission,
  isAdmin,
  isGuest,
  isOnlyOwner,
  isOwner,
  organization,
} from '#server/permissions/has-permission.ts';
import {Role} from '#server/permissions/system-groups.ts';
import {botView} from '#server/views/bot.ts';
import {apiEmail, canSeeEmail, emailVisibility} from '#server/views/user.ts';
import type {ProfileInput} from '#wire/objects/user.ts';
import {reloadUser} from './create-user.ts';
import {setProfileData} from './profile-data.ts';

export interface UserChanges {
  readonly full_name?: string | undefined;
  readonly role?: number | undefined;
  readonly profile_data?: readonly ProfileInput[] | undefined;
  readonly new_email?: string | undefined;
}

/** Changes another user's account, as an administrator. */
export function updateUser(act: ActionContext, actor: UserRow, target: UserRow, changes: UserChanges): void {
  if (target.is_system_bot === 1) throw badRequest('No such user');
  let user = target;
  if (changes.new_email !== undefined && changes.new_email.trim() !== user.delivery_email) {
    if (!isOwner(actor)) throw unauthorizedPrincipal('Must be an organization owner');
    if (!hasPermission(act, actor, organization(act).can_change_user_emails_group)) {
      throw badRequest('User not authorized to change user emails');
    }
    user = changeEmail(act, user, changes.new_email);
  }
  if (changes.role !== undefined) user = changeRole(act, actor, user, changes.role);
  if (changes.full_name !== undefined) user = changeFullName(act, user, changes.full_name);
  if (changes.profile_data !== undefined) setProfileData(act, actor, user, changes.profile_data);
}

export function changeFullName(act: ActionContext, user: UserRow, input: string): UserRow {
  const fullName = checkedFullName(act, input, user.id);
  if (fullName === user.full_name) return user;
  act.db.run('UPDATE user SET full_name = ?, name_key = ? WHERE id = ?', fullName, fold(fullName), user.id);
  emitUserUpdate(act, user, {full_name: fullName});
  return reloadUser(act, user.id);
}

/**
 * Changes the email address and emits what depends on it: the address to those who may see it, the API email, the
 * avatar.
 */
export function changeEmail(act: ActionContext, user: UserRow, input: string): UserRow {
  if (input.trim() === user.delivery_email) return user;
  // Another spelling of the user's own address is not checked again.
  const email = fold(input.trim()) === user.email_key ? input.trim() : checkedEmail(act, input);
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

const roles: ReadonlySet<number> = new Set(Object.values(Role));

function checkRole(act: ActionContext, actor: UserRow, target: UserRow, role: number): void {
  if (!roles.has(role)) throw notListed('role');
  if ((role === Role.owner || isOwner(target)) && !isOwner(actor)) {
    throw unauthorizedPrincipal('Must be an organization owner');
  }
  if (isGuest(target) && isAdmin({...target, role})) {
    throw badRequest('Guests cannot be organization administrators');
  }
  if (isOnlyOwner(act, target)) {
    throw badRequest('The owner permission cannot be removed from the only organization owner.');
  }
}

function changeRole(act: ActionContext, actor: UserRow, target: UserRow, role: number): UserRow {
  if (role === target.role) return target;
  checkRole(act, actor, target, role);
  return trackUserAccess(act, () =>
    trackRoleChannelAccess(act, target, () => {
      act.db.run('UPDATE user SET role = ? WHERE id = ?', role, target.id);
      const after = reloadUser(act, target.id);
      emitUserUpdate(act, after, {role});
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
    act.emit({type: 'realm_bot', to: [after.id], body});
  }
}
