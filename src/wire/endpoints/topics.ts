import {endpoint, fallback, flag, json, number, optional, pathId, raw, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {topic} from '#wire/objects/topic.ts';
import {visibilityPolicy} from '#wire/objects/user-topic.ts';
import {object, s} from '#wire/schema.ts';

/** Lists a channel's topics, newest first. */
export const getTopics = endpoint('topic.list', 'GET /users/me/{stream_id}/topics', {
  auth: 'optional',
  params: {
    stream_id: pathId,
    allow_empty_topic_name: since(levels.emptyTopic, fallback(flag, false)),
  },
  result: object({topics: s.array(topic)}),
});

export const setUserTopic = endpoint('user-topic.set', 'POST /user_topics', {
  since: levels.setUserTopic,
  params: {stream_id: number, topic: text, visibility_policy: json(visibilityPolicy)},
});

/** Mutes a topic. Deprecated. The channel is given by either its id or its name. */
export const muteTopic = endpoint('user-topic.mute', 'PATCH /users/me/subscriptions/muted_topics', {
  params: {
    stream_id: optional(number),
    stream: optional(text),
    topic: text,
    op: raw(s.picklist(['add', 'remove'])),
  },
});

/** Deletes a topic. Repeat until `complete`; between levels 154 and 210 an unfinished run returns `partially_completed`. */
export const deleteTopic = endpoint('topic.delete', 'POST /streams/{stream_id}/delete_topic', {
  params: {stream_id: pathId, topic_name: text},
  result: object({}, {complete: s.boolean()}),
});
