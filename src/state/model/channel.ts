import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {
  channelOptional,
  channelRequired,
  isMutedSubscription,
  type WireChannel,
  type WireSubscription,
} from '#wire/objects/channel.ts';
import type {Patch} from './patch.ts';

const convertedFields = [
  'stream_id',
  'invite_only',
  'subscribers',
  'partial_subscribers',
  'is_default',
  'rendered_description',
] as const;
type ConvertedField = (typeof convertedFields)[number];
type CopiedField = Exclude<keyof WireChannel, ConvertedField>;
type CopiedFields = CamelKeys<Pick<WireChannel, CopiedField>>;

/** A channel as all its users see it. The user's own settings are its `Subscription`. */
export interface Channel extends CopiedFields {
  readonly id: number;
  readonly isPrivate: boolean;
}

/** The user's own settings for a channel; they outlive unsubscribing, as they do on the server. */
export interface Subscription {
  readonly channelId: number;
  readonly isSubscribed: boolean;
  readonly color: string;
  readonly isMuted: boolean;
  readonly pinToTop: boolean;
  /** Null: as in the account's settings. */
  readonly desktopNotifications: boolean | null;
  readonly audibleNotifications: boolean | null;
  readonly pushNotifications: boolean | null;
  readonly emailNotifications: boolean | null;
  readonly wildcardMentionsNotify: boolean | null;
}

/** The known subscribers of a channel. */
export interface Subscribers {
  readonly ids: SortedSet<number>;
  /** False: there are more subscribers. */
  readonly complete: boolean;
  /** The channel became visible: the next event about its subscribers lists all of them. */
  readonly awaitsList?: true;
}

const convertedNames = new Set<string>(convertedFields);
const copiedNames = Object.keys({...channelRequired, ...channelOptional}).filter(
  (name): name is CopiedField => !convertedNames.has(name),
);

/** Returns the known fields of a channel, a subscription or a patch of one; unknown fields are dropped. */
export function channelFields(wire: Patch<WireChannel>): Partial<Channel> {
  const known: Record<string, unknown> = {};
  for (const name of copiedNames) if (wire[name] !== undefined) known[name] = wire[name];
  return {
    ...camelKeys(known as Partial<Pick<WireChannel, CopiedField>>),
    ...(wire.stream_id !== undefined && {id: wire.stream_id}),
    ...(wire.invite_only !== undefined && {isPrivate: wire.invite_only}),
  };
}

/** The complete list, where there is one, is newer than the count: a new subscription has the count from before it. */
export function channelFromWire(wire: WireChannel): Channel {
  const subscriberCount = wire.subscribers?.length ?? wire.subscriber_count;
  return {
    ...channelFields(wire),
    id: wire.stream_id,
    name: wire.name,
    description: wire.description,
    isPrivate: wire.invite_only,
    ...(subscriberCount !== undefined && {subscriberCount}),
  };
}

/** Returns undefined when the response has no list of subscribers. */
export function subscribersFromWire(
  wire: Pick<WireChannel, 'subscribers' | 'partial_subscribers'>,
): Subscribers | undefined {
  const ids = wire.subscribers ?? wire.partial_subscribers;
  if (ids === undefined) return undefined;
  // Thousands of lists arrive at once, and inserting ascending ids is several times as fast.
  const ascending = ids.toSorted((a, b) => a - b);
  return {ids: SortedSet.from(ascending), complete: wire.subscribers !== undefined};
}

export function subscriptionFromWire(wire: WireSubscription, isSubscribed: boolean): Subscription {
  return {
    channelId: wire.stream_id,
    isSubscribed,
    color: wire.color,
    isMuted: isMutedSubscription(wire),
    pinToTop: wire.pin_to_top,
    desktopNotifications: wire.desktop_notifications ?? null,
    audibleNotifications: wire.audible_notifications ?? null,
    pushNotifications: wire.push_notifications ?? null,
    emailNotifications: wire.email_notifications ?? null,
    wildcardMentionsNotify: wire.wildcard_mentions_notify ?? null,
  };
}
