import {channel, defaultChannelGroup, folder, mutedTopic, subscription, userTopic} from '#wire/objects/channel.ts';
import {type FieldPatch, propertyPatch} from '#wire/property-patch.ts';
import {type Infer, int, ints, object, s} from '#wire/schema.ts';
import {channelKeys, event, eventsByOp} from './event-schema.ts';

const peers = object({stream_ids: ints, user_ids: ints});

export const channelEvents = {
  stream: eventsByOp('stream', {
    create: object({streams: s.array(channel)}),
    delete: object({}, {stream_ids: ints, streams: s.array(object({stream_id: int}))}),
    update: object(
      {stream_id: int, property: s.string(), value: s.unknown()},
      {
        name: s.string(),
        rendered_description: s.string(),
        history_public_to_subscribers: s.boolean(),
        is_web_public: s.boolean(),
      },
    ),
  }),
  subscription: eventsByOp('subscription', {
    add: object({subscriptions: s.array(subscription)}),
    remove: object({subscriptions: s.array(object({stream_id: int}, {name: s.string()}))}),
    /** A changed property. Muting sends two events, for `is_muted` and for its inverse `in_home_view`, in any order. */
    update: object({stream_id: int, property: s.string(), value: s.unknown()}),
    peer_add: peers,
    peer_remove: peers,
  }),
  channel_folder: eventsByOp('channel_folder', {
    add: object({channel_folder: folder}),
    update: object({
      channel_folder_id: int,
      data: object(
        {},
        {name: s.string(), description: s.string(), rendered_description: s.string(), is_archived: s.boolean()},
      ),
    }),
    reorder: object({order: ints}),
  }),
  /** Contains the whole list; servers below level 330 send channels instead of ids. */
  default_streams: event('default_streams', {default_streams: s.union([ints, s.array(channel)])}),
  default_stream_groups: event('default_stream_groups', {default_stream_groups: s.array(defaultChannelGroup)}),
  /** A changed visibility policy; with policy none the record is deleted. */
  user_topic: event('user_topic', userTopic.entries),
  /** Legacy event of servers below level 134; contains the whole list. */
  muted_topics: event('muted_topics', {muted_topics: s.array(mutedTopic)}),
};

/** The parts of a registration's response about the same. */
export const channelParts = {
  subscriptions: s.array(subscription),
  unsubscribed: s.array(subscription),
  never_subscribed: s.array(channel),
  streams: s.array(channel),
  realm_default_streams: s.union([ints, s.array(channel)]),
  realm_default_stream_groups: s.array(defaultChannelGroup),
  channel_folders: s.array(folder),
  user_topics: s.array(userTopic),
  muted_topics: s.array(mutedTopic),
};

/** The keys of a registration's response that these events change, see `fetch-types.ts`. */
export const channelEventKeys = {
  subscription: [...channelKeys, 'unread_msgs'],
  stream: [...channelKeys, 'unread_msgs', 'realm_default_streams'],
  default_streams: ['realm_default_streams'],
  default_stream_groups: ['realm_default_stream_groups'],
  channel_folder: ['channel_folders'],
  user_topic: ['user_topics', 'unread_msgs'],
  muted_topics: ['muted_topics'],
} as const satisfies Record<keyof typeof channelEvents, readonly string[]>;

/** Returns the ids of deleted channels; servers below level 343 send channels instead of ids. */
export function deletedChannelIds(
  event: Pick<Infer<typeof channelEvents.stream.delete>, 'stream_ids' | 'streams'>,
): number[] {
  return event.stream_ids ?? event.streams?.map((entry) => entry.stream_id) ?? [];
}

/** Returns the change as a checked patch of the channel, with its accompanying fields; undefined for an unknown property. */
export function channelPatch(
  event: Infer<typeof channelEvents.stream.update>,
): FieldPatch<typeof channel.entries> | undefined {
  const patch = propertyPatch(channel.entries, event.property, event.value);
  if (patch === undefined) return undefined;
  for (const name of ['rendered_description', 'history_public_to_subscribers', 'is_web_public'] as const) {
    if (event[name] !== undefined) Object.assign(patch, {[name]: event[name]});
  }
  return patch;
}

/** Returns the change as a checked patch of the subscription; undefined for an unknown property. */
export function subscriptionPatch({property, value}: {readonly property: string; readonly value?: unknown}) {
  return propertyPatch(subscription.entries, property, value);
}
