import {messageFlag, propagateMode, topicLink} from '#wire/objects/message.ts';
import {type Infer, int, ints, nullableInt, object, s, timestamp} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

export const updateMessageEvent = object(
  {...eventFields('update_message'), message_id: int, message_ids: ints, flags: s.array(messageFlag)},
  {
    user_id: nullableInt,
    rendering_only: s.boolean(),
    edit_timestamp: timestamp,
    stream_id: int,
    stream_name: s.string(),
    new_stream_id: int,
    propagate_mode: propagateMode,
    orig_subject: s.string(),
    subject: s.string(),
    topic_links: s.array(topicLink),
    orig_content: s.string(),
    orig_rendered_content: s.string(),
    prev_rendered_content_version: int,
    content: s.string(),
    rendered_content: s.string(),
    is_me_message: s.boolean(),
  },
);
export type UpdateMessageEvent = Infer<typeof updateMessageEvent>;

/** Returns whether only the rendering changed, without an edit. Servers below level 114 omit `user_id` instead. */
export function isRenderingOnly(event: UpdateMessageEvent): boolean {
  return event.rendering_only ?? (event.user_id === undefined || event.user_id === null);
}

/** Returns whether the messages moved to another topic or channel. */
export function isMove(event: UpdateMessageEvent): boolean {
  return event.new_stream_id !== undefined || event.subject !== undefined;
}
