import {channel} from '#wire/objects/channel.ts';
import {type FieldPatch, propertyPatch} from '#wire/property-patch.ts';
import {type Infer, int, ints, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const channelCreate = object({...eventFieldsWithOp('stream', 'create'), streams: s.array(channel)});
export const channelDelete = object(eventFieldsWithOp('stream', 'delete'), {
  stream_ids: ints,
  streams: s.array(object({stream_id: int})),
});
export const channelUpdate = object(
  {...eventFieldsWithOp('stream', 'update'), stream_id: int, property: s.string(), value: s.unknown()},
  {
    name: s.string(),
    rendered_description: s.string(),
    history_public_to_subscribers: s.boolean(),
    is_web_public: s.boolean(),
  },
);

export type ChannelDeleteEvent = Infer<typeof channelDelete>;
export type ChannelUpdateEvent = Infer<typeof channelUpdate>;
export type ChannelEvent = Infer<typeof channelCreate> | ChannelDeleteEvent | ChannelUpdateEvent;

/** Returns the ids of deleted channels; servers below level 343 send channels instead of ids. */
export function deletedChannelIds(event: Pick<ChannelDeleteEvent, 'stream_ids' | 'streams'>): number[] {
  return event.stream_ids ?? event.streams?.map((entry) => entry.stream_id) ?? [];
}

/** Returns the change as a checked patch of the channel, with its accompanying fields; undefined for an unknown property. */
export function channelPatch(event: ChannelUpdateEvent): FieldPatch<typeof channel.entries> | undefined {
  const patch = propertyPatch(channel.entries, event.property, event.value);
  if (patch === undefined) return undefined;
  for (const name of ['rendered_description', 'history_public_to_subscribers', 'is_web_public'] as const) {
    if (event[name] !== undefined) Object.assign(patch, {[name]: event[name]});
  }
  return patch;
}
