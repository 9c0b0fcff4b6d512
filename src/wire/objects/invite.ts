import {type Infer, int, object, s, timestamp} from '#wire/schema.ts';
import {role} from './user.ts';

export const invite = object(
  {id: int, is_multiuse: s.boolean()},
  {
    invited_by_user_id: int,
    invited: timestamp,
    expiry_date: s.nullable(timestamp),
    invited_as: role,
    email: s.string(),
    link_url: s.string(),
    notify_referrer_on_join: s.boolean(),
  },
);
export type Invite = Infer<typeof invite>;

/** The link of an invitation by e-mail. A server that sends no mail hands it to the inviter. */
export const inviteLink = object({email: s.string(), link_url: s.string()});
export type InviteLink = Infer<typeof inviteLink>;
