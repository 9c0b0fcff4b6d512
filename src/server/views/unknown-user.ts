import type {ActionContext} from '#server/context.ts';
import {dummyEmail} from '#server/db/users.ts';
import {Role} from '#server/permissions/system-groups.ts';
import type {WireUser} from '#wire/objects/user.ts';
import {avatarUrl, hostOf, isoTime} from './user.ts';

/** Stands for somebody the viewer may not know of, where the client cannot live with a gap in the list. */
export function unknownUserView({world}: Pick<ActionContext, 'world'>, id: number): WireUser {
  return {
    user_id: id,
    delivery_email: null,
    email: dummyEmail(id, hostOf(world)),
    full_name: 'Unknown user',
    date_joined: isoTime(Number(world.db.value(`SELECT value FROM meta WHERE key = 'created_at'`) ?? 0)),
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
