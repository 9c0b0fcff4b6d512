import {role, user} from '#wire/objects/user.ts';
import {type Infer, int, nullableInt, nullableText, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const personUpdate = object(
  {user_id: int},
  {
    full_name: s.string(),
    avatar_url: nullableText,
    avatar_url_medium: nullableText,
    avatar_source: s.string(),
    avatar_version: int,
    timezone: s.string(),
    email: s.string(),
    bot_owner_id: nullableInt,
    role,
    delivery_email: nullableText,
    custom_profile_field: object({id: int, value: nullableText}, {rendered_value: s.string()}),
    new_email: s.string(),
    is_active: s.boolean(),
    is_imported_stub: s.boolean(),
    date_joined: s.string(),
  },
);
/** Each event contains one group of these fields. */
export type PersonUpdate = Infer<typeof personUpdate>;

export const realmUserAdd = object({...eventFieldsWithOp('realm_user', 'add'), person: user});
/** The guest can no longer see the user; below level 222, the user was deactivated. */
export const realmUserRemove = object({
  ...eventFieldsWithOp('realm_user', 'remove'),
  person: object({user_id: int}, {full_name: s.string()}),
});
export const realmUserUpdate = object({...eventFieldsWithOp('realm_user', 'update'), person: personUpdate});

export type RealmUserEvent = Infer<typeof realmUserAdd> | Infer<typeof realmUserRemove> | Infer<typeof realmUserUpdate>;
