import {endpoint, fallback, flag, json, loose, optional, pathId, raw, since} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {subscription, subscriptionProperties} from '#wire/objects/subscription.ts';
import {int, ints, namedObject, object, openEnum, s, strings, textUpTo} from '#wire/schema.ts';
import {newChannelParams} from './channels.ts';

// The server's sentences name the first of the possible types.
const notText = '{name}["list[str]"]{path} is not a string';
const principals = json(s.array(s.union([int, s.string()], notText), '{at}["list[str]"] is not a list'));
// Keyed by user id since level 289, by e-mail before.
const namesByUser = s.record(s.string(), strings);
const newSubscriptions = s.array(
  object({name: s.string()}, {description: s.nullable(textUpTo(1024)), color: s.nullable(s.string())}),
);
const propertyValue = s.union([s.boolean(), s.string()]);

export const getSubscriptions = endpoint('subscription.list', 'GET /users/me/subscriptions', {
  params: {include_subscribers: fallback(raw(s.picklist(['true', 'false', 'partial'])), 'false')},
  result: object({subscriptions: s.array(subscription)}),
});

/** Subscribes users; creates the channels that do not exist. */
export const subscribe = endpoint('subscription.add', 'POST /users/me/subscriptions', {
  params: {
    subscriptions: json(newSubscriptions),
    principals: optional(principals),
    authorization_errors_fatal: fallback(flag, true),
    send_new_subscription_messages: since(levels.subscriptionNotices, fallback(flag, true)),
    ...newChannelParams,
  },
  result: object(
    {subscribed: namesByUser, already_subscribed: namesByUser},
    {unauthorized: strings, new_subscription_messages_sent: s.boolean()},
  ),
});

const removed = {removed: strings, not_removed: strings};

export const unsubscribe = endpoint('subscription.remove', 'DELETE /users/me/subscriptions', {
  params: {subscriptions: json(strings), principals: optional(principals)},
  result: object(removed),
});

export const changeSubscriptions = endpoint('subscription.change', 'PATCH /users/me/subscriptions', {
  params: {
    add: fallback(json(newSubscriptions), []),
    delete: fallback(json(strings), []),
  },
  result: object(
    {},
    {
      subscribed: namesByUser,
      already_subscribed: namesByUser,
      new_subscription_messages_sent: s.boolean(),
      ...removed,
    },
  ),
});

/** A subscription's property: `color` is text, every other property a boolean. */
export const updateSubscription = endpoint('subscription.update', 'PATCH /users/me/subscriptions/{stream_id}', {
  params: {
    stream_id: pathId,
    property: raw(openEnum(...subscriptionProperties)),
    value: loose(propertyValue),
  },
});

export const updateSubscriptions = endpoint('subscription.update-many', 'POST /users/me/subscriptions/properties', {
  params: {
    subscription_data: json(
      s.array(
        namedObject('SubscriptionPropertyChangeRequest', {
          stream_id: int,
          property: openEnum(...subscriptionProperties),
          value: propertyValue,
        }),
      ),
    ),
  },
  result: object({}, {subscription_data: s.array(s.unknown())}),
});

export const getSubscriptionStatus = endpoint('subscription.status', 'GET /users/{user_id}/subscriptions/{stream_id}', {
  params: {user_id: pathId, stream_id: pathId},
  result: object({is_subscribed: s.boolean()}),
});

export const getUserChannels = endpoint('subscription.of-user', 'GET /users/{user_id}/channels', {
  since: levels.userChannels,
  params: {user_id: pathId},
  result: object({subscribed_channel_ids: ints}),
});
