/*
 * Users as Zulip servers send them. Written from Zulip's documentation, independently of the server in this repository,
 * so that errors shared by the embedded server and the client show.
 */

export type Json = Record<string, unknown>;

/** The account of all examples: an ordinary member. */
export const selfId = 10;

/** Returns the fields if the condition holds, else no fields. */
export function includeIf<T extends Json>(condition: boolean, fields: T): Partial<T> {
  return condition ? fields : {};
}

/** A user record of a registration's lists, which omit `is_active` because the list implies it. */
function person(level: number, id: number, fields: Json): Json {
  return {
    user_id: id,
    email: `user${id}@chat.example.com`,
    full_name: `Person ${id}`,
    date_joined: '2019-10-20T07:50:53.728864+00:00',
    is_owner: false,
    is_admin: false,
    is_guest: false,
    role: 400,
    is_bot: false,
    timezone: '',
    avatar_version: 1,
    ...includeIf(level < 363, {is_billing_admin: false}),
    ...includeIf(level >= 163, {delivery_email: null}),
    ...includeIf(level >= 433, {is_imported_stub: false}),
    ...includeIf(level >= 490, {is_deleted: false}),
    ...(fields.is_bot === true ? {bot_owner_id: null} : {profile_data: {}}),
    ...fields,
  };
}

export function activePeople(level: number): Json[] {
  return [
    person(level, selfId, {
      full_name: 'Meg Hall',
      avatar_url: null,
      timezone: 'Europe/Berlin',
      ...includeIf(level >= 163, {delivery_email: 'meg@example.com'}),
      profile_data: {
        '1': {value: '+49 30 1234'},
        '2': {value: 'likes *trees*', rendered_value: '<p>likes <em>trees</em></p>'},
        '6': {value: '[11,12]'},
      },
    }),
    // With the capability, the server omits avatars of long inactive users.
    person(level, 11, {full_name: 'Otto Ō', is_owner: true, is_admin: true, role: 100}),
    person(level, 12, {avatar_url: 'https://secure.gravatar.com/avatar/0?d=identicon&version=1', role: 300}),
    person(level, 13, {full_name: 'Gäst', is_guest: true, role: 600, avatar_url: null}),
    person(level, 20, {full_name: 'Build Bot', is_bot: true, bot_type: 2, bot_owner_id: selfId}),
    person(level, 21, {full_name: 'Orphan Bot', is_bot: true, bot_type: 1, bot_owner_id: null}),
  ];
}

export function formerPeople(level: number): Json[] {
  return [
    person(level, 30, {full_name: 'Left Long Ago', avatar_url: null}),
    ...(level >= 490 ? [person(level, 31, {full_name: 'Deleted user 31', is_deleted: true})] : []),
    ...(level >= 433 ? [person(level, 32, {is_imported_stub: true})] : []),
  ];
}

/** System bots, which unlike others have `is_active`. */
export function systemBots(level: number): Json[] {
  return ['notification-bot', 'welcome-bot'].map((name, i) =>
    person(level, 3 + i, {
      email: `${name}@zulip.com`,
      full_name: name,
      is_active: true,
      is_bot: true,
      bot_type: 1,
      is_system_bot: true,
      avatar_url: `/static/images/${name}.png`,
      ...includeIf(level >= 163, {delivery_email: `${name}@zulip.com`}),
    }),
  );
}

export function ownBots(level: number): Json[] {
  return [
    {
      user_id: 20,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
      services: [],
      ...includeIf(level < 474, {
        email: 'build-bot@chat.example.com',
        full_name: 'Build Bot',
        api_key: 'x'.repeat(32),
        avatar_url: 'https://chat.example.com/avatar/20',
        bot_type: 2,
        owner_id: selfId,
        is_active: true,
      }),
    },
  ];
}

export function groups(level: number): Json[] {
  // Up to release 7.
  const role = (name: string) => `${level <= 185 ? '@' : ''}role:${name}`;
  const made = (id: number, name: string, members: number[], subgroups: number[], isSystem: boolean): Json => ({
    id,
    name,
    description: isSystem ? 'Made by the server' : '',
    members,
    is_system_group: isSystem,
    ...includeIf(level >= 131, {direct_subgroup_ids: subgroups}),
    ...includeIf(level >= 198, {can_mention_group: 1}),
    ...includeIf(level >= 283, {
      can_manage_group: level >= 305 ? {direct_members: [11], direct_subgroups: []} : 7,
    }),
    ...includeIf(level >= 290, {deactivated: false}),
    ...includeIf(level >= 292, {
      creator_id: isSystem ? null : 11,
      date_created: isSystem ? null : 1_717_484_476,
    }),
    ...includeIf(level >= 301, {can_join_group: 8}),
    ...includeIf(level >= 305, {can_add_members_group: {direct_members: [11], direct_subgroups: [5]}}),
    ...includeIf(level >= 308, {can_leave_group: 1}),
    ...includeIf(level >= 324, {can_remove_members_group: 8}),
  });

  return [
    made(1, role('everyone'), [13], [2], true),
    made(2, role('members'), [10, 12], [3], true),
    made(3, role('owners'), [11], [], true),
    made(8, role('nobody'), [], [], true),
    made(9, 'tree lovers', [10, 11], [], false),
  ];
}
