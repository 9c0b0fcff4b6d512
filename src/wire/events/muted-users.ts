import {mutedUser} from '#wire/objects/muted-user.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {typed} from './event-fields.ts';

/** The whole list. */
export const mutedUsersEvent = object({...typed('muted_users'), muted_users: s.array(mutedUser)});
export type MutedUsersEvent = Infer<typeof mutedUsersEvent>;
