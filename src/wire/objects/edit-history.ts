import {type Infer, int, nullableInt, object, s, timestamp} from '#wire/schema.ts';

/** An entry of a message's `edit_history`, which is sorted newest first. */
export const editHistoryEntry = object(
  {timestamp},
  {
    user_id: nullableInt,
    prev_content: s.string(),
    prev_rendered_content: s.string(),
    prev_rendered_content_version: int,
    content_html_diff: s.string(),
    prev_topic: s.string(),
    prev_subject: s.string(),
    topic: s.string(),
    prev_stream: int,
    stream: int,
  },
);
export type EditHistoryEntry = Infer<typeof editHistoryEntry>;

/** Returns the topic before this edit; the field is `prev_subject` below level 118. */
export function previousTopic(entry: EditHistoryEntry): string | undefined {
  return entry.prev_topic ?? entry.prev_subject;
}

/** An element of `message_history`, which is sorted oldest first and contains the values after each edit. */
export const messageSnapshot = object(
  {
    topic: s.string(),
    content: s.string(),
    rendered_content: s.string(),
    timestamp,
    user_id: nullableInt,
  },
  {
    prev_topic: s.string(),
    stream: int,
    prev_stream: int,
    prev_content: s.string(),
    prev_rendered_content: s.string(),
    content_html_diff: s.string(),
  },
);
export type MessageSnapshot = Infer<typeof messageSnapshot>;
