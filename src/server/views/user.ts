import {createHash} from 'node:crypto';
import {userSettings} from '#server/accounts/settings.ts';
import type {Act, World} from '#server/call.ts';
import type {UserRow} from '#server/db/rows.ts';
import {dummyEmail} from '#server/db/users.ts';
import {isAdmin, isGuest, isModerator, isOwner} from '#server/permissions/holds.ts';
import type {User} from '#wire/objects/user.ts';

/** Whether `viewer` may see the real address of `target`, by the choice `target` made. */
export function canSeeEmail(viewer: UserRow, target: UserRow): boolean {
  if (target.is_bot === 1 || viewer.id === target.id) return true;
  switch (userSettings(target).email_address_visibility) {
    case 1:
      return true;
    case 2:
      return !isGuest(viewer);
    case 3:
      return isAdmin(viewer);
    case 5:
      return isModerator(viewer);
    default:
      return false;
  }
}

/** One address per person for everybody: real when everybody may see it, else the dummy. */
export function apiEmail(world: World, user: UserRow): string {
  const open = user.is_bot === 1 || userSettings(user).email_address_visibility === 1;
  return open ? user.delivery_email : dummyEmail(user.id, hostOf(world));
}

export function hostOf(world: World): string {
  return new URL(world.url).hostname;
}

export function avatarUrl(
  user: Pick<UserRow, 'id' | 'avatar_source' | 'avatar_version' | 'avatar_file' | 'delivery_email'>,
  options: {clientGravatar: boolean; seesEmail: boolean},
): string | null {
  if (user.avatar_source === 'U' && user.avatar_file !== null) {
    return `/user_avatars/${user.avatar_file}?v=${user.avatar_version}`;
  }
  if (options.clientGravatar && options.seesEmail) return null;
  const hash = createHash('md5').update(user.delivery_email.toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=${user.avatar_version}`;
}

/** A user as `viewer` may see them. */
export function userView(
  act: Pick<Act, 'world'>,
  viewer: UserRow,
  user: UserRow,
  options: {clientGravatar: boolean; profileData?: User['profile_data'] | undefined},
): User {
  const seesEmail = canSeeEmail(viewer, user);
  return {
    user_id: user.id,
    delivery_email: seesEmail ? user.delivery_email : null,
    email: apiEmail(act.world, user),
    full_name: user.full_name,
    date_joined: new Date(user.joined_at * 1000).toISOString().replace('.000Z', '+00:00'),
    is_active: user.is_active === 1,
    is_owner: isOwner(user),
    is_admin: isAdmin(user),
    is_guest: isGuest(user),
    is_bot: user.is_bot === 1,
    bot_type: user.bot_type,
    ...(user.is_bot === 1 ? {bot_owner_id: user.bot_owner_id} : {}),
    role: user.role,
    timezone: user.timezone,
    avatar_url: avatarUrl(user, {clientGravatar: options.clientGravatar, seesEmail}),
    avatar_version: user.avatar_version,
    is_imported_stub: user.is_imported_stub === 1,
    ...(user.is_deleted === 1 ? {is_deleted: true} : {}),
    ...(user.is_system_bot === 1 ? {is_system_bot: true} : {}),
    ...(options.profileData === undefined || user.is_bot === 1 ? {} : {profile_data: options.profileData}),
  };
}
