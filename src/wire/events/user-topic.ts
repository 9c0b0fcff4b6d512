import {mutedTopic, userTopic} from '#wire/objects/user-topic.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** A changed visibility policy; with policy none the record is deleted. */
export const userTopicEvent = object({...eventFields('user_topic'), ...userTopic.entries});
export type UserTopicEvent = Infer<typeof userTopicEvent>;

/** Legacy event of servers below level 134; contains the whole list. */
export const mutedTopicsEvent = object({...eventFields('muted_topics'), muted_topics: s.array(mutedTopic)});
export type MutedTopicsEvent = Infer<typeof mutedTopicsEvent>;
