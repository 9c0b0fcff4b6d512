import {channel, defaultChannelGroup} from '#wire/objects/channel.ts';
import {type Infer, ints, object, s} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Contains the whole list; servers below level 330 send channels instead of ids. */
export const defaultStreamsEvent = object({
  ...eventFields('default_streams'),
  default_streams: s.union([ints, s.array(channel)]),
});
export type DefaultStreamsEvent = Infer<typeof defaultStreamsEvent>;

export const defaultStreamGroupsEvent = object({
  ...eventFields('default_stream_groups'),
  default_stream_groups: s.array(defaultChannelGroup),
});
