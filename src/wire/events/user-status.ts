import {userStatus} from '#wire/objects/user-status.ts';
import {type Infer, int, object} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

const {status_text, emoji_name, emoji_code, reaction_type, away} = userStatus.entries;

/** May contain only the changed fields; an empty text clears a field. */
export const userStatusEvent = object({
  ...eventFields('user_status'),
  user_id: int,
  status_text,
  emoji_name,
  emoji_code,
  reaction_type,
  away,
});
export type UserStatusEvent = Infer<typeof userStatusEvent>;
