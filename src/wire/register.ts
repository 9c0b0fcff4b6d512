import {channelParts} from '#wire/events/channels.ts';
import {messageParts} from '#wire/events/messages.ts';
import {organizationParts} from '#wire/events/organization.ts';
import {peopleParts} from '#wire/events/people.ts';
import {personalParts} from '#wire/events/personal.ts';
import {realm} from '#wire/objects/realm.ts';
import {versionFields} from '#wire/objects/server-settings.ts';
import {ownAccount} from '#wire/objects/user.ts';
import {fallback, flag, json, number, optional, raw, since} from './endpoint.ts';
import {levels} from './levels.ts';
import {termPair} from './narrow.ts';
import {type Infer, int, nullableText, object, s, strings} from './schema.ts';

const clientCapabilities = object(
  {notification_settings_null: s.boolean()},
  {
    bulk_message_deletion: s.boolean(),
    user_avatar_url_field_optional: s.boolean(),
    stream_typing_notifications: s.boolean(),
    user_settings_object: s.boolean(),
    linkifier_url_template: s.boolean(),
    user_list_incomplete: s.boolean(),
    include_deactivated_groups: s.boolean(),
    archived_channels: s.boolean(),
    empty_topic_name: s.boolean(),
    simplified_presence_events: s.boolean(),
    individual_emoji_changes: s.boolean(),
  },
);
export type ClientCapabilities = Infer<typeof clientCapabilities>;

/** The client's capabilities: all. Older servers ignore unknown names, so one set is enough for all. */
export const fullClientCapabilities: Required<ClientCapabilities> = Object.fromEntries(
  Object.keys(clientCapabilities.entries).map((name) => [name, true]),
) as Required<ClientCapabilities>;

const idleTimeout = s.union(
  [
    s.pipe(
      s.number(),
      s.safeInteger('{at}["constrained-int"] is not an integer'),
      s.minValue(1, '{at}["constrained-int"] is too small'),
    ),
    s.literal('mobile'),
  ],
  '{at}["constrained-int"] is not an integer',
);

const tooShort = '{at} is too short (minimum 2 items)';
const registeredTerm = s.pipe(s.array(s.unknown()), s.minLength(2, tooShort), termPair);

export const registerParams = {
  event_types: optional(json(strings)),
  fetch_event_types: optional(json(strings)),
  apply_markdown: fallback(flag, false),
  /** True by default; not allowed without a login. */
  client_gravatar: optional(flag),
  include_subscribers: fallback(raw(s.picklist(['true', 'false', 'partial'])), 'false'),
  slim_presence: fallback(flag, false),
  presence_history_limit_days: since(levels.presenceHistory, optional(number)),
  all_public_streams: fallback(flag, false),
  narrow: fallback(json(s.array(registeredTerm)), []),
  idle_queue_timeout: since(levels.idleQueueTimeout, optional(json(idleTimeout))),
  client_capabilities: optional(json(clientCapabilities)),
};

/** The initial state of the organization; the requested types decide which parts are present. */
export const snapshot = object(
  {queue_id: nullableText, last_event_id: int},
  {
    idle_queue_timeout_secs: int,
    stop_words: strings,
    ...versionFields,
    ...realm.entries,
    ...ownAccount,
    ...messageParts,
    ...channelParts,
    ...peopleParts,
    ...personalParts,
    ...organizationParts,
  },
);
export type Snapshot = Infer<typeof snapshot>;

/** Returns the ids of the default channels; servers below level 330 send channels instead of ids. */
export function defaultChannelIds(snapshot: Pick<Snapshot, 'realm_default_streams'>): number[] {
  return (snapshot.realm_default_streams ?? []).map((entry) => (typeof entry === 'number' ? entry : entry.stream_id));
}
