import {type Infer, int, ints, object, s, timestamp} from '#wire/schema.ts';

const required = {
  scheduled_message_id: int,
  content: s.string(),
  rendered_content: s.string(),
  scheduled_delivery_timestamp: timestamp,
};
const optional = {failed: s.boolean()};

export const scheduledMessage = s.variant('type', [
  object({...required, type: s.literal('stream'), to: int, topic: s.string()}, optional),
  object({...required, type: s.literal('private'), to: ints}, {...optional, topic: s.string()}),
]);
export type WireScheduledMessage = Infer<typeof scheduledMessage>;
