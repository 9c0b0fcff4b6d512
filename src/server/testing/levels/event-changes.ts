import {findUser} from '#server/db/users.ts';
import type {SentEvent} from '#server/downgrade.ts';
import type {EventBody} from '#server/event-queues/event-queues.ts';
import {apiEmail, userView} from '#server/views/user.ts';
import {
  type DowngradeContext,
  type LevelChange,
  type ObjectName,
  objectChanges,
  olderFlags,
  olderObject,
  valueChanges,
  without,
} from './object-changes.ts';
import {olderChannelGroups, olderChannels} from './response-changes.ts';

const event = (
  level: number,
  type: string,
  before: (body: EventBody, context: DowngradeContext) => EventBody | undefined,
): LevelChange => ({
  kind: 'event',
  level,
  type,
  before(body, context): readonly SentEvent[] {
    const older = before(body, context);
    return older === undefined ? [] : [{type, body: older}];
  },
});

/** Event types with the level that added each; older servers do not send them. */
const eventTypeLevels: Readonly<Record<string, number>> = {
  user_topic: 134,
  scheduled_messages: 179,
  saved_snippets: 297,
  typing_edit_message: 351,
  channel_folder: 389,
  navigation_view: 390,
  reminders: 399,
  device: 468,
  onboarding_steps: 233,
  has_webex_token: 493,
  has_conference_token: 493,
};

/** Client capabilities with the level that added each; older servers ignore them. */
const capabilityLevels: Readonly<Record<string, number>> = {
  user_list_incomplete: 232,
  include_deactivated_groups: 294,
  archived_channels: 315,
  empty_topic_name: 334,
  simplified_presence_events: 419,
  individual_emoji_changes: 491,
};

/** The event type that updates one property of an object. */
const updateEventTypes: Partial<Record<ObjectName, string>> = {channel: 'stream', settings: 'user_settings'};

export const eventChanges: readonly LevelChange[] = [
  ...Object.entries(eventTypeLevels).map(([type, level]): LevelChange => ({kind: 'eventType', level, type})),
  ...Object.entries(capabilityLevels).map(
    ([name, level]): LevelChange => ({kind: 'capability', level, name, before: false}),
  ),
  // URL formats went to every client; the templates that replaced them go to clients with the capability.
  {kind: 'capability', level: 176, name: 'linkifier_url_template', before: true},
  ...objectChanges.flatMap(withoutProperties),
  ...valueChanges.flatMap(({level, object, property, before}) => {
    const type = updateEventTypes[object];
    if (type === undefined) return [];
    return event(level, type, (body) => (body.property === property ? {...body, value: before(body.value)} : body));
  }),

  event(475, 'realm_user', (body) =>
    body.op === 'update' && 'date_joined' in ((body.person ?? {}) as EventBody) ? undefined : body,
  ),
  {kind: 'event', level: 464, type: 'realm', before: olderDescription},
  // An archived channel was deleted, also for clients that show archived channels.
  event(378, 'stream', (body) =>
    body.property === 'is_archived' && body.value === true ? {op: 'delete', stream_ids: [body.stream_id]} : body,
  ),
  // Clients removed deactivated users from subscriber lists themselves.
  event(377, 'subscription', (body, {server}) =>
    body.op === 'peer_remove' &&
    Array.isArray(body.user_ids) &&
    body.user_ids.every((id) => findUser(server.db, Number(id))?.is_active === 0)
      ? undefined
      : body,
  ),
  event(343, 'stream', (body) =>
    body.op === 'delete' && Array.isArray(body.stream_ids)
      ? {op: 'delete', streams: body.stream_ids.map((id) => ({stream_id: id}))}
      : body,
  ),
  event(330, 'default_streams', (body, context) => ({
    ...body,
    default_streams: olderChannels((body.default_streams ?? []) as unknown[], context),
  })),
  event(330, 'default_stream_groups', (body, context) => ({
    ...body,
    default_stream_groups: olderChannelGroups((body.default_stream_groups ?? []) as EventBody[], context),
  })),
  event(256, 'stream', (body) => (body.property === 'first_message_id' ? undefined : body)),
  event(224, 'message', (body) => (Array.isArray(body.flags) ? {...body, flags: olderFlags(body.flags)} : body)),
  event(224, 'update_message', (body) => (Array.isArray(body.flags) ? {...body, flags: olderFlags(body.flags)} : body)),
  event(222, 'realm_user', olderDeactivation),
  event(219, 'user_topic', (body) => (body.visibility_policy === 3 ? {...body, visibility_policy: 0} : body)),
  event(215, 'typing', (body) => (body.message_type === 'direct' ? {...body, message_type: 'private'} : body)),
  event(170, 'user_topic', (body) => (body.visibility_policy === 2 ? {...body, visibility_policy: 0} : body)),
  event(139, 'subscription', (body) => (body.op === 'update' && body.property === 'is_muted' ? undefined : body)),
  event(131, 'user_group', ({direct_subgroup_ids, ...body}) =>
    direct_subgroup_ids === undefined ? body : {...body, subgroup_ids: direct_subgroup_ids},
  ),
  event(127, 'user_group', (body) => (String(body.op).endsWith('_subgroups') ? undefined : body)),
];

/** Rewrites a description change: before 464 it had an event of its own, without the rendered form. */
function olderDescription(body: EventBody): readonly SentEvent[] {
  const data = (body.data ?? {}) as EventBody;
  if (!('description' in data)) return [{type: 'realm', body}];
  const otherData = without(data, ['description', 'rendered_description']);
  const update = {op: 'update', property: 'description', value: data.description};
  return [
    {type: 'realm', body: update},
    ...(Object.keys(otherData).length === 0 ? [] : [{type: 'realm', body: {...body, data: otherData}}]),
  ];
}

/** Returns the event changes that follow from removed fields: older servers send no updates of fields they lack. */
function withoutProperties(change: LevelChange): LevelChange[] {
  if (change.kind !== 'fields') return [];
  const {level, names} = change;
  if (change.object === 'group') {
    return [
      event(level, 'user_group', (body) => {
        if (body.op !== 'update') return body;
        const data = without(body.data as EventBody, names);
        return Object.keys(data).length === 0 ? undefined : {...body, data};
      }),
    ];
  }
  if (change.object === 'user') {
    return [
      event(level, 'realm_user', (body) => {
        const person = (body.person ?? {}) as EventBody;
        return body.op === 'update' && Object.keys(person).length < 2 ? undefined : body;
      }),
    ];
  }
  const type = updateEventTypes[change.object];
  if (type === undefined) return [];
  return [event(level, type, (body) => (names.includes(String(body.property)) ? undefined : body))];
}

/** Rewrites (de)activation events: before 222 a deactivated user was removed, and a reactivated one added. */
function olderDeactivation(body: EventBody, context: DowngradeContext): EventBody {
  const {server} = context;
  const person = (body.person ?? {}) as EventBody;
  if (body.op !== 'update' || !('is_active' in person)) return body;
  const user = findUser(server.db, Number(person.user_id));
  if (user === undefined) return body;
  if (person.is_active === true) {
    const {delivery_email: _hidden, ...added} = userView({server}, user, user, {clientGravatar: true});
    return {op: 'add', person: olderObject('user', added, context)};
  }
  return {op: 'remove', person: {user_id: user.id, email: apiEmail(server, user), full_name: user.full_name}};
}
