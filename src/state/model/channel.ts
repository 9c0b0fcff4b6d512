import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {channelOptional, channelRequired, type WireChannel} from '#wire/objects/channel.ts';
import {isMutedSubscription, type WireSubscription} from '#wire/objects/subscription.ts';
import type {Patch} from './patch.ts';

const otherwiseKept = [
  'stream_id',
  'invite_only',
  'subscribers',
  'partial_subscribers',
  'is_default',
  'rendered_description',
] as const;
type OtherwiseKept = (typeof otherwiseKept)[number];
type SpelledName = Exclude<keyof WireChannel, OtherwiseKept>;
type Spelled = CamelKeys<Pick<WireChannel, SpelledName>>;

/** A channel as everybody sees it. What is one's own about it is a `Subscription`. */
export interface Channel extends Spelled {
  readonly id: number;
  readonly isPrivate: boolean;
}

/** One's own settings for a channel; kept after unsubscribing, since the server keeps them too. */
export interface Subscription {
  readonly channelId: number;
  readonly isSubscribed: boolean;
  readonly color: string;
  readonly isMuted: boolean;
  readonly pinToTop: boolean;
  /** Null: as in the user's settings. */
  readonly desktopNotifications: boolean | null;
  readonly audibleNotifications: boolean | null;
  readonly pushNotifications: boolean | null;
  readonly emailNotifications: boolean | null;
  readonly wildcardMentionsNotify: boolean | null;
}

/** Who subscribes, as far as the server told. */
export interface Subscribers {
  readonly ids: SortedSet<number>;
  /** False: there are more. */
  readonly complete: boolean;
}

const left = new Set<string>(otherwiseKept);
const spelledNames = Object.keys({...channelRequired, ...channelOptional}).filter(
  (name): name is SpelledName => !left.has(name),
);

/** Works for a whole channel, for a subscription and for a patch of one; takes nothing but what it knows. */
export function channelFields(wire: Patch<WireChannel>): Partial<Channel> {
  const known: Record<string, unknown> = {};
  for (const name of spelledNames) if (wire[name] !== undefined) known[name] = wire[name];
  return {
    ...camelKeys(known as Partial<Pick<WireChannel, SpelledName>>), // Copied name by name.
    ...(wire.stream_id !== undefined && {id: wire.stream_id}),
    ...(wire.invite_only !== undefined && {isPrivate: wire.invite_only}),
  };
}

/** Servers below level 394 do not count, but list everybody. */
export function channelFromWire(wire: WireChannel): Channel {
  const subscriberCount = wire.subscriber_count ?? wire.subscribers?.length;
  return {
    ...channelFields(wire),
    id: wire.stream_id,
    name: wire.name,
    description: wire.description,
    isPrivate: wire.invite_only,
    ...(subscriberCount !== undefined && {subscriberCount}),
  };
}

/** Undefined when the server did not say. */
export function subscribersFromWire(
  wire: Pick<WireChannel, 'subscribers' | 'partial_subscribers'>,
): Subscribers | undefined {
  const ids = wire.subscribers ?? wire.partial_subscribers;
  if (ids === undefined) return undefined;
  // Thousands of lists come at once, and ascending ones are put in several times as fast.
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
