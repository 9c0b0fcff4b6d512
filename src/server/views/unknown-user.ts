import type {ActionContext} from '#server/context.ts';
import {dummyEmail} from '#server/db/users.ts';
import {Role} from '#server/permissions/system-groups.ts';
import type {WireUser} from '#wire/objects/user.ts';
import {avatarUrl, hostOf, isoTime} from './user.ts';

/** Returns the placeholder for a user that the viewer may not access, for clients that need a complete user list. */
export function unknownUserView({server}: Pick<ActionContext, 'server'>, id: number): WireUser {
  return {
    user_id: id,
    delivery_email: null,
    email: dummyEmail(id, hostOf(server)),
    full_name: 'Unknown user',
    date_joined: isoTime(Number(server.db.value(`SELECT value FROM meta WHERE key = 'created_at'`) ?? 0)),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    role: Role.member,
    timezone: '',
    avatar_url: avatarUrl(
      {id, avatar_source: 'G', avatar_version: 1, avatar_file: null, delivery_email: ''},
      {clientGravatar: false, seesEmail: false},
    ),
    avatar_version: 1,
    is_imported_stub: false,
    profile_data: {},
  };
}
