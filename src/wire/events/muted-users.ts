import {mutedUser} from '#wire/objects/muted-user.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Contains the whole list. */
export const mutedUsersEvent = object({...eventFields('muted_users'), muted_users: s.array(mutedUser)});
export type MutedUsersEvent = Infer<typeof mutedUsersEvent>;
