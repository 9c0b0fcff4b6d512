import {mutedTopic, userTopic} from '#wire/objects/user-topic.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Policy none means: forget the record. */
export const userTopicEvent = object({...eventFields('user_topic'), ...userTopic.entries});
export type UserTopicEvent = Infer<typeof userTopicEvent>;

/** Legacy: the whole list, on servers below level 134. */
export const mutedTopicsEvent = object({...eventFields('muted_topics'), muted_topics: s.array(mutedTopic)});
export type MutedTopicsEvent = Infer<typeof mutedTopicsEvent>;
