import {byId, type Infer, object, s} from '#wire/schema.ts';
import {reactionType} from './reaction.ts';

const fields = {
  status_text: s.string(),
  emoji_name: s.string(),
  emoji_code: s.string(),
  reaction_type: reactionType,
  away: s.boolean(),
};

/** A user's status; an empty field equals an absent one. */
export const userStatus = object({}, fields);
export type WireUserStatus = Infer<typeof userStatus>;

export const userStatuses = byId(userStatus);
