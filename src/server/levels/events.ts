import {findUser} from '#server/db/users.ts';
import type {EventBody} from '#server/events/emit.ts';
import {apiEmail, userView} from '#server/views/user.ts';
import type {Change, Past, SentEvent} from './change.ts';
import {olderFlags} from './objects.ts';

const event = (
  level: number,
  type: string,
  before: (body: EventBody, past: Past) => EventBody | undefined,
): Change => ({
  kind: 'event',
  level,
  type,
  before(body, past): readonly SentEvent[] {
    const older = before(body, past);
    return older === undefined ? [] : [{type, body: older}];
  },
});

/** Event types with the level that brought each; an older server sends none of them. */
const eventTypes: Readonly<Record<string, number>> = {
  user_topic: 134,
  scheduled_messages: 179,
  saved_snippets: 297,
  typing_edit_message: 351,
  channel_folder: 389,
  navigation_view: 390,
  reminders: 399,
  has_webex_token: 493,
  has_conference_token: 493,
};

const capabilities: Readonly<Record<string, number>> = {
  user_list_incomplete: 232,
  include_deactivated_groups: 294,
  archived_channels: 315,
  empty_topic_name: 334,
  simplified_presence_events: 419,
  individual_emoji_changes: 491,
};

export const eventChanges: readonly Change[] = [
  ...Object.entries(eventTypes).map(([type, level]): Change => ({kind: 'eventType', level, type})),
  ...Object.entries(capabilities).map(([name, level]): Change => ({kind: 'capability', level, name})),

  event(475, 'realm_user', (body) =>
    'date_joined' in ((body.person ?? {}) as EventBody) ? undefined : body,
  ),
  event(464, 'realm', (body) => {
    const data = (body.data ?? {}) as EventBody;
    return 'description' in data ? {op: 'update', property: 'description', value: data.description} : body;
  }),
  event(343, 'stream', (body) =>
    body.op === 'delete' && Array.isArray(body.stream_ids)
      ? {op: 'delete', streams: body.stream_ids.map((id) => ({stream_id: id}))}
      : body,
  ),
  event(224, 'message', (body) =>
    Array.isArray(body.flags) ? {...body, flags: olderFlags(body.flags)} : body,
  ),
  event(224, 'update_message', (body) =>
    Array.isArray(body.flags) ? {...body, flags: olderFlags(body.flags)} : body,
  ),
  event(222, 'realm_user', olderDeactivation),
  event(219, 'user_topic', (body) => (body.visibility_policy === 3 ? {...body, visibility_policy: 0} : body)),
  event(215, 'typing', (body) =>
    body.message_type === 'direct' ? {...body, message_type: 'private'} : body,
  ),
  event(170, 'user_topic', (body) => (body.visibility_policy === 2 ? {...body, visibility_policy: 0} : body)),
  event(139, 'subscription', (body) =>
    body.op === 'update' && body.property === 'is_muted' ? undefined : body,
  ),
];

/** Before 222 a deactivated account was removed, and a reactivated one added. */
function olderDeactivation(body: EventBody, {world}: Past): EventBody {
  const person = (body.person ?? {}) as EventBody;
  if (body.op !== 'update' || !('is_active' in person)) return body;
  const user = findUser(world.db, Number(person.user_id));
  if (user === undefined) return body;
  if (person.is_active === true) {
    const {delivery_email: _hidden, ...added} = userView({world}, user, user, {clientGravatar: true});
    return {op: 'add', person: added};
  }
  return {op: 'remove', person: {user_id: user.id, email: apiEmail(world, user), full_name: user.full_name}};
}
