import {group, groupSettings} from '#wire/objects/group.ts';
import {
  anyPresences,
  bot,
  legacyPresence,
  modernPresence,
  mutedUser,
  presences,
  role,
  user,
  userStatus,
  userStatuses,
  type WirePresences,
} from '#wire/objects/user.ts';
import {type Infer, int, ints, nullableInt, nullableText, object, s} from '#wire/schema.ts';
import {channelKeys, event, eventsByOp, ownAccountKeys, userKeys} from './event-schema.ts';

const personUpdate = object(
  {user_id: int},
  {
    full_name: s.string(),
    avatar_url: nullableText,
    avatar_url_medium: nullableText,
    avatar_source: s.string(),
    avatar_version: int,
    timezone: s.string(),
    email: s.string(),
    bot_owner_id: nullableInt,
    role,
    delivery_email: nullableText,
    custom_profile_field: object({id: int, value: nullableText}, {rendered_value: s.string()}),
    new_email: s.string(),
    is_active: s.boolean(),
    is_imported_stub: s.boolean(),
    date_joined: s.string(),
  },
);
/** Each event contains one group of these fields. */
export type PersonUpdate = Infer<typeof personUpdate>;

const goneBot = object({bot: object({user_id: int})});
const members = object({group_id: int, user_ids: ints});
const subgroups = object({group_id: int, direct_subgroup_ids: ints});

export const peopleEvents = {
  realm_user: eventsByOp('realm_user', {
    add: object({person: user}),
    /** The guest can no longer see the user; below level 222, the user was deactivated. */
    remove: object({person: object({user_id: int}, {full_name: s.string()})}),
    update: object({person: personUpdate}),
  }),
  /** `remove` is legacy. */
  realm_bot: eventsByOp('realm_bot', {add: object({bot}), update: object({bot}), delete: goneBot, remove: goneBot}),
  user_group: eventsByOp('user_group', {
    add: object({group}),
    update: object({
      group_id: int,
      data: object({}, {name: s.string(), description: s.string(), deactivated: s.boolean(), ...groupSettings}),
    }),
    add_members: members,
    remove_members: members,
    add_subgroups: subgroups,
    remove_subgroups: subgroups,
    remove: object({group_id: int}),
  }),
  /** May contain only the changed fields; an empty text clears a field. */
  user_status: event('user_status', {user_id: int, ...userStatus.entries}),
  /** Has `presences` if the client has the capability for it, the other fields otherwise. */
  presence: event(
    'presence',
    {},
    {presences, user_id: int, email: s.string(), server_timestamp: s.number(), presence: legacyPresence},
  ),
  /** Contains the whole list. */
  muted_users: event('muted_users', {muted_users: s.array(mutedUser)}),
};

/** The parts of a registration's response about the same. */
export const peopleParts = {
  realm_users: s.array(user),
  realm_non_active_users: s.array(user),
  cross_realm_bots: s.array(user),
  realm_bots: s.array(bot),
  realm_user_groups: s.array(group),
  user_status: userStatuses,
  muted_users: s.array(mutedUser),
  presences: anyPresences,
  presence_last_update_id: int,
};

/** The keys of a registration's response that these events change, see `fetch-types.ts`. */
export const peopleEventKeys = {
  // Deactivated users leave groups and channels without another event.
  realm_user: [...userKeys, ...ownAccountKeys, ...channelKeys, 'realm_user_groups', 'user_status', 'presences'],
  realm_bot: ['realm_bots'],
  user_group: ['realm_user_groups'],
  user_status: ['user_status'],
  presence: ['presences', 'presence_last_update_id'],
  muted_users: ['muted_users'],
} as const satisfies Record<keyof typeof peopleEvents, readonly string[]>;

/** Returns the presences by user id, for both forms of the event. */
export function presencesOf(event: Infer<typeof peopleEvents.presence>): WirePresences {
  if (event.presences !== undefined) return event.presences;
  if (event.user_id === undefined || event.presence === undefined) return {};
  return {[event.user_id]: modernPresence(event.presence)};
}
