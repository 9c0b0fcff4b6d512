import {findChannel} from '#server/db/channels.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {channelView} from '#server/views/channel.ts';
import {apiEmail} from '#server/views/user.ts';
import {levels} from '#wire/levels.ts';
import type {Json} from './downgrade.ts';
import {type DowngradeContext, type LevelChange, removedResponseFields, reshaped, without} from './level-change.ts';
import {olderObject} from './object-changes.ts';

export const responseChanges: readonly LevelChange[] = [
  removedResponseFields(182, 'export.request', 'id'),
  removedResponseFields(levels.clientDevices, 'queue.register', 'devices'),
  removedResponseFields(levels.onboardingSteps, 'queue.register', 'onboarding_steps'),
  removedResponseFields(171, 'key.fetch', 'user_id'),
  removedResponseFields(171, 'key.dev-fetch', 'user_id'),
  removedResponseFields(508, 'message.send', 'message_url', 'message_link'),
  removedResponseFields(218, 'message.send', 'automatic_new_visibility_policy'),
  removedResponseFields(285, 'message.edit', 'detached_uploads'),
  removedResponseFields(355, 'flag.update', 'ignored_because_not_subscribed_channels'),
  removedResponseFields(355, 'flag.update-narrow', 'ignored_because_not_subscribed_channels'),
  removedResponseFields(211, 'flag.mark-all-read', 'complete'),
  removedResponseFields(211, 'topic.delete', 'complete'),
  removedResponseFields(285, 'upload.create', 'filename'),
  removedResponseFields(272, 'upload.create', 'url'),
  removedResponseFields(257, 'server.settings', 'realm_url'),
  removedResponseFields(263, 'presence.update', 'presence_last_update_id'),
  reshaped(488, 'server.settings', (body) => ({
    ...body,
    authentication_methods: without(body.authentication_methods as Json, ['discord']),
  })),
  reshaped(497, 'presence.get', (body) => without(body, ['server_timestamp'])),
  reshaped(497, 'presence.get-by-email', (body) => without(body, ['server_timestamp'])),
  reshaped(497, 'presence.get', singlePresenceFormat),
  reshaped(497, 'presence.get-by-email', singlePresenceFormat),
  reshaped(397, 'subscription.add', (body) => without(body, ['new_subscription_messages_sent'])),
  ...['subscription.add', 'subscription.change'].map((endpoint) =>
    reshaped(289, endpoint, (body, context) => ({
      ...body,
      subscribed: byEmail(body.subscribed, context),
      already_subscribed: byEmail(body.already_subscribed, context),
    })),
  ),
  reshaped(330, 'queue.register', (state, context) =>
    Array.isArray(state.realm_default_streams)
      ? {...state, realm_default_streams: olderChannels(state.realm_default_streams, context)}
      : state,
  ),
  reshaped(330, 'queue.register', (state, context) =>
    Array.isArray(state.realm_default_stream_groups)
      ? {...state, realm_default_stream_groups: olderChannelGroups(state.realm_default_stream_groups, context)}
      : state,
  ),
  reshaped(219, 'queue.register', (state) => onlyPolicies(state, [1, 2])),
  reshaped(170, 'queue.register', (state) => onlyPolicies(state, [1])),
];

/** Returns the channel objects that an older server sends instead of ids. */
export function olderChannels(ids: readonly unknown[], context: DowngradeContext): Json[] {
  const {server} = context;
  const act = {server, now: Math.floor(server.clock.now() / 1000)};
  return ids.flatMap((id) => {
    const channel = findChannel(server.db, Number(id));
    return channel === undefined ? [] : [olderObject('channel', channelView(act, channel), context)];
  });
}

/** Returns groups of default channels with channel objects instead of ids. */
export function olderChannelGroups(groups: readonly Json[], context: DowngradeContext): Json[] {
  return groups.map((group) => ({...group, streams: olderChannels(group.streams as unknown[], context)}));
}

/** Removes one presence format: 487 replaced the legacy keys by the modern ones, 497 sends both. */
function singlePresenceFormat(body: Json, {level}: DowngradeContext): Json {
  const {active_timestamp, idle_timestamp, ...legacy} = (body.presence ?? {}) as Json;
  return {...body, presence: level >= 487 ? {active_timestamp, idle_timestamp} : legacy};
}

function byEmail(names: unknown, {server}: DowngradeContext): Json {
  const entries = Object.entries((names ?? {}) as Json).map(([id, channels]) => {
    const user = findUser(server.db, Number(id));
    return [user === undefined ? id : apiEmail(server, user), channels];
  });
  return Object.fromEntries(entries);
}

function onlyPolicies(state: Json, policies: readonly number[]): Json {
  if (!Array.isArray(state.user_topics)) return state;
  return {
    ...state,
    user_topics: state.user_topics.filter((topic: Json) => policies.includes(Number(topic.visibility_policy))),
  };
}

/** Error codes with the level that added each; older servers answer with a plain BAD_REQUEST. */
const codeLevels: Readonly<Record<string, number>> = {
  REACTION_ALREADY_EXISTS: 193,
  REACTION_DOES_NOT_EXIST: 193,
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 229,
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 229,
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: 172,
};

export const errorChanges: readonly LevelChange[] = [
  ...Object.entries(codeLevels).map(
    ([code, level]): LevelChange => ({
      kind: 'error',
      level,
      error: code,
      before: (error) => badRequest(error.message),
    }),
  ),
  {
    kind: 'error',
    level: 208,
    error: 'UNKNOWN_PRINCIPAL',
    before: (error) => new ApiError('UNAUTHORIZED_PRINCIPAL', error.message, 403),
  },
];
