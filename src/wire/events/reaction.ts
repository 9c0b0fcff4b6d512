import {reaction} from '#wire/objects/reaction.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

const {user, ...fields} = reaction.entries;

export const reactionEvent = object(
  {...eventFields('reaction'), op: s.picklist(['add', 'remove']), message_id: int, ...fields},
  {user},
);
export type ReactionEvent = Infer<typeof reactionEvent>;
