import type {ActionContext, ReadContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {listUsers} from '#server/db/users.ts';
import {accessibleUserIds} from '#server/permissions/user-access.ts';
import type {WireUser} from '#wire/objects/user.ts';
import {profileDataByUser} from './profile-data.ts';
import {unknownUserView} from './unknown-user.ts';
import {userView} from './user.ts';

export interface UserListOptions {
  readonly clientGravatar: boolean;
  readonly profileData: boolean;
  /** The users to list; undefined means all. */
  readonly ids?: readonly number[] | undefined;
  /** Whether users that the viewer may not access are listed as unknown users instead of left out. */
  readonly placeholders: boolean;
}

/** Returns the users and bots of the organization, active or not, as `viewer` may see them, with a few queries. */
export function userViews(act: ReadContext, viewer: UserRow, options: UserListOptions): WireUser[] {
  const {clientGravatar, ids, placeholders} = options;
  const allowed = accessibleUserIds(act, viewer);
  const profiles = options.profileData ? profileDataByUser(act, ids) : undefined;
  const views: WireUser[] = [];
  for (const user of listUsers(act.server.db, ids)) {
    if (allowed === 'everyone' || allowed.has(user.id)) {
      const profileData = profiles === undefined ? undefined : (profiles.get(user.id) ?? {});
      views.push(userView(act, viewer, user, {clientGravatar, profileData}));
    } else if (placeholders) {
      views.push(unknownUserView(act, user.id));
    }
  }
  return views;
}

/** Returns the server's system bots. */
export function systemBotViews(
  act: Pick<ActionContext, 'server'>,
  viewer: UserRow,
  options: {clientGravatar: boolean},
): WireUser[] {
  return act.server.db
    .all<UserRow & Record<string, unknown>>('SELECT * FROM user WHERE is_system_bot = 1 ORDER BY id')
    .map((bot) => userView(act, viewer, bot, options));
}
