import {channel, subscription} from './channels.ts';
import {includeIf, type Json, selfId} from './people.ts';
import {firstId, versionFields} from './register.ts';

function reaction(level: number, userId: number, emoji: Json): Json {
  return {
    ...emoji,
    user_id: userId,
    ...includeIf(level < 328 || (level >= 339 && level < 484), {
      user: {email: `user${userId}@chat.example.com`, id: userId, full_name: `Person ${userId}`},
    }),
  };
}

const thumbsUp = {emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji'};
const extra = {emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji'};

/** Returns a message as in events and responses; responses also have `flags`. */
export function message(level: number, id: number, fields: Json = {}): Json {
  return {
    id,
    type: 'stream',
    stream_id: 1,
    display_recipient: 'general',
    subject: 'Trees',
    topic_links: [],
    sender_id: 11,
    sender_email: 'user11@chat.example.com',
    sender_full_name: 'Otto Ō',
    sender_realm_str: '',
    avatar_url: null,
    client: 'website',
    content: 'An *oak*, see #12',
    content_type: 'text/x-markdown',
    timestamp: 1_700_000_020,
    recipient_id: 4711,
    is_me_message: false,
    reactions: [reaction(level, 12, thumbsUp), reaction(level, 77, extra)],
    submessages: [],
    ...fields,
  };
}

export function direct(level: number, id: number, people: readonly number[], fields: Json = {}): Json {
  const {stream_id: _channel, ...common} = message(level, id);
  return {
    ...common,
    type: 'private',
    subject: '',
    display_recipient: people.map((person) => ({
      id: person,
      email: `user${person}@chat.example.com`,
      full_name: `Person ${person}`,
      is_mirror_dummy: false,
    })),
    ...fields,
  };
}

function messageEvents(level: number): Json[] {
  const moved = {user_id: 11, edit_timestamp: 1_700_000_050, rendering_only: false, flags: []};
  const flags = (op: string) => ({type: 'update_message_flags', op, operation: op});
  return [
    {
      type: 'message',
      flags: ['has_alert_word', level >= 224 ? 'stream_wildcard_mentioned' : 'wildcard_mentioned'],
      message: message(level, firstId + 500_000, {
        topic_links: [{text: '#12', url: 'https://tickets.example/12'}],
        submessages: [{id: 5, message_id: firstId + 500_000, sender_id: 11, msg_type: 'widget', content: '{}'}],
      }),
    },
    // From an unknown sender, to a group.
    {
      type: 'message',
      flags: [],
      message: direct(level, firstId + 500_002, [selfId, 11, 88], {sender_id: 88}),
    },
    // A note to self sent by this client: only this queue gets the local id.
    {
      type: 'message',
      flags: ['read'],
      message: direct(level, firstId + 500_003, [selfId], {sender_id: selfId}),
      local_message_id: '100.01',
    },
    {type: 'reaction', op: 'add', message_id: firstId + 500_000, ...reaction(level, 13, extra)},
    {type: 'reaction', op: 'remove', message_id: firstId + 500_000, ...reaction(level, 12, thumbsUp)},
    // A rendering update after a link preview was fetched, not an edit.
    {
      type: 'update_message',
      ...moved,
      user_id: null,
      rendering_only: true,
      message_id: firstId + 500_000,
      message_ids: [firstId + 500_000],
      stream_id: 1,
      stream_name: 'general',
      content: 'An *oak*, see #12',
      rendered_content: '<p>An <em>oak</em></p><div class="message_embed"></div>',
      flags: ['has_alert_word'],
    },
    {
      type: 'update_message',
      ...moved,
      message_id: firstId + 500_000,
      message_ids: [firstId + 500_000, firstId + 3],
      stream_id: 1,
      stream_name: 'general',
      new_stream_id: 2,
      propagate_mode: 'change_later',
      orig_subject: 'Trees',
      subject: '✔ Trees',
      topic_links: [],
    },
    // The newest servers also send fields that do not apply.
    ...(level >= 500
      ? [
          {
            type: 'update_message',
            ...moved,
            message_id: firstId + 500_002,
            message_ids: [firstId + 500_002],
            content: 'Better',
            rendered_content: '<p>Better</p>',
            orig_content: 'Good',
            orig_rendered_content: '<p>Good</p>',
            is_me_message: false,
            stream_id: null,
            stream_name: null,
            new_stream_id: null,
            propagate_mode: null,
            orig_subject: null,
            subject: null,
            topic_links: null,
          },
        ]
      : []),
    {...flags('add'), flag: 'starred', messages: [firstId + 500_000, 5], all: false},
    {...flags('add'), flag: 'read', messages: [firstId + 1], all: false},
    {
      ...flags('remove'),
      flag: 'read',
      messages: [firstId + 500_003, firstId - 9],
      all: false,
      message_details: {
        [firstId + 500_003]: {type: 'private', user_ids: []},
        [firstId - 9]: {
          type: 'stream',
          stream_id: 1,
          topic: 'old',
          mentioned: true,
          unmuted_stream_msg: true,
        },
      },
    },
    {
      type: 'submessage',
      message_id: firstId + 500_000,
      submessage_id: 6,
      sender_id: 12,
      msg_type: 'widget',
      content: '[]',
    },
    {type: 'delete_message', message_type: 'private', message_ids: [firstId + 90_001]},
    {
      type: 'delete_message',
      message_type: 'stream',
      message_ids: [firstId + 2, firstId + 400_000],
      stream_id: 1,
      topic: 'trees',
    },
  ];
}

function typingEvents(level: number): Json[] {
  const sender = {user_id: 11, email: 'user11@chat.example.com'};
  const me = {user_id: selfId, email: 'meg@example.com'};
  const word = level >= 215 ? 'direct' : 'private';
  return [
    {type: 'typing', op: 'start', message_type: word, sender, recipients: [sender, me]},
    {type: 'typing', op: 'start', message_type: 'stream', sender, stream_id: 1, topic: 'Trees'},
    {type: 'typing', op: 'stop', message_type: word, sender, recipients: [sender, me]},
    ...(level >= 351
      ? [
          {
            type: 'typing_edit_message',
            op: 'start',
            sender_id: 11,
            message_id: firstId + 500_000,
            recipient: {type: 'channel', channel_id: 2, topic: '✔ Trees'},
          },
        ]
      : []),
  ];
}

function peopleEvents(level: number): Json[] {
  const update = (person: Json) => ({type: 'realm_user', op: 'update', person});
  const report = {client: 'website', status: 'active', timestamp: 1_700_000_100, pushable: false};
  return [
    {
      type: 'realm_user',
      op: 'add',
      person: {
        user_id: 14,
        email: 'user14@chat.example.com',
        full_name: 'New Person',
        avatar_url: null,
        avatar_version: 1,
        is_admin: false,
        is_owner: false,
        is_guest: false,
        role: 400,
        is_active: true,
        is_bot: false,
        timezone: '',
        date_joined: '2023-11-14T22:13:20+00:00',
        profile_data: {},
        ...includeIf(level < 363, {is_billing_admin: false}),
        ...includeIf(level >= 163, {delivery_email: null}),
      },
    },
    update({user_id: 14, full_name: 'Neue Person'}),
    update({user_id: 14, role: 300}),
    update({user_id: 14, email: 'user14@chat.example.com', timezone: 'Asia/Kolkata'}),
    update({user_id: 14, new_email: 'neu@chat.example.com'}),
    update({user_id: 14, delivery_email: null}),
    update({user_id: 14, custom_profile_field: {id: 1, value: '123', rendered_value: null}}),
    update({user_id: 14, custom_profile_field: {id: 6, value: null}}),
    update({
      user_id: 14,
      avatar_source: 'U',
      avatar_url: '/user_avatars/1/x.png',
      avatar_url_medium: null,
      avatar_version: 2,
    }),
    update({user_id: 20, bot_owner_id: 11}),
    update({user_id: 11, is_billing_admin: true}),
    level >= 222
      ? update({user_id: 12, is_active: false})
      : {type: 'realm_user', op: 'remove', person: {user_id: 12, full_name: 'Person 12'}},
    {type: 'realm_bot', op: 'update', bot: {user_id: 20, default_sending_stream: 'general'}},
    {type: 'user_status', user_id: 11, status_text: ''},
    {
      type: 'user_status',
      user_id: 13,
      emoji_name: 'oak',
      emoji_code: '1f333',
      reaction_type: 'unicode_emoji',
    },
    level >= 419
      ? {
          type: 'presence',
          presences: {'11': {active_timestamp: 1_700_000_100, idle_timestamp: 1_700_000_100}},
        }
      : {
          type: 'presence',
          user_id: 11,
          server_timestamp: 1_700_000_100.25,
          presence:
            level < 178 ? {website: report, ZulipMobile: {...report, client: 'ZulipMobile'}} : {website: report},
          ...includeIf(level < 178, {email: 'user11@chat.example.com'}),
        },
    {type: 'muted_users', muted_users: []},
    {type: 'user_group', op: 'add_members', group_id: 9, user_ids: [14]},
    ...(level >= 131 ? [{type: 'user_group', op: 'add_subgroups', group_id: 9, direct_subgroup_ids: [3]}] : []),
    {type: 'user_group', op: 'update', group_id: 9, data: {name: 'tree friends'}},
  ];
}

function channelEvents(level: number): Json[] {
  const update = (id: number, property: string, value: unknown, more: Json = {}) => ({
    type: 'stream',
    op: 'update',
    stream_id: id,
    name: `channel ${id}`,
    property,
    value,
    ...more,
  });
  const own = (property: string, value: unknown) => ({
    type: 'subscription',
    op: 'update',
    stream_id: 1,
    property,
    value,
  });
  return [
    {type: 'stream', op: 'create', streams: [channel(level, 6)]},
    {type: 'subscription', op: 'add', subscriptions: [subscription(level, 6, {subscribers: [selfId, 11]})]},
    {type: 'subscription', op: 'peer_add', stream_ids: [6], user_ids: [12, 77]},
    {type: 'subscription', op: 'peer_remove', stream_ids: [6], user_ids: [11]},
    own('in_home_view', false),
    ...(level >= 139 ? [own('is_muted', true)] : []),
    own('color', '#c2c2c2'),
    own('push_notifications', null),
    update(6, 'description', 'New', {rendered_description: '<p>New</p>'}),
    update(6, 'invite_only', true, {history_public_to_subscribers: false, is_web_public: false}),
    update(6, 'message_retention_days', null),
    update(6, 'stream_post_policy', 2),
    update(6, 'a_property_of_tomorrow', {any: 'thing'}),
    ...(level >= 320 ? [update(6, 'can_remove_subscribers_group', {direct_members: [10], direct_subgroups: [2]})] : []),
    {type: 'stream', op: 'delete', streams: [{stream_id: 4}], ...includeIf(level >= 343, {stream_ids: [4]})},
    {type: 'subscription', op: 'remove', subscriptions: [{name: 'Größe & Gewicht', stream_id: 2}]},
    {type: 'default_streams', default_streams: level >= 330 ? [1] : [channel(level, 1)]},
    {
      type: 'default_stream_groups',
      default_stream_groups: [{id: 1, name: 'a', description: '', streams: [1]}],
    },
    level >= 134
      ? {
          type: 'user_topic',
          stream_id: 1,
          topic_name: 'Noise',
          last_updated: 1_700_000_200,
          visibility_policy: 0,
        }
      : {type: 'muted_topics', muted_topics: []},
  ];
}

function otherEvents(level: number): Json[] {
  const file = {id: 1, name: 'tree.png', path_id: '1/aa/tree.png', size: 12_345};
  return [
    {type: 'realm', op: 'update', property: 'name', value: 'Oak People'},
    {type: 'realm', op: 'update_dict', property: 'icon', data: {icon_url: '/x.png', icon_source: 'U'}},
    {type: 'realm', op: 'update_dict', property: 'default', data: {message_content_edit_limit_seconds: 600}},
    {type: 'realm', op: 'update_dict', property: 'default', data: {authentication_methods: {Email: true}}},
    {type: 'realm', op: 'update', property: 'plan_type', value: 3, extra_data: {upload_quota: 0}},
    {
      type: 'realm_emoji',
      op: 'update',
      realm_emoji: {
        '3': {id: '3', name: 'oak', source_url: '/3.png', deactivated: false, author_id: 11, still_url: null},
      },
    },
    {type: 'realm_linkifiers', realm_linkifiers: []},
    {type: 'realm_domains', op: 'add', realm_domain: {domain: 'example.com', allow_subdomains: false}},
    {
      type: 'user_settings',
      op: 'update',
      property: 'default_language',
      value: 'en',
      language_name: 'English',
    },
    {type: 'user_settings', op: 'update', property: 'enter_sends', value: true},
    {type: 'alert_words', alert_words: ['beech']},
    {
      type: 'attachment',
      op: 'add',
      attachment: {
        ...file,
        create_time: level >= 443 ? 1_700_000_000 : 1_700_000_000_000,
        ...(level >= 472 ? {message_ids: [firstId]} : {messages: [{id: firstId, date_sent: 1_700_000_000_000}]}),
      },
      upload_space_used: 12_345,
    },
    {
      type: 'drafts',
      op: 'add',
      drafts: [{id: 9, type: 'private', to: [11], topic: '', content: 'x', timestamp: 5}],
    },
    {type: 'drafts', op: 'remove', draft_id: 8},
    {type: 'has_zoom_token', value: true},
    {type: 'heartbeat'},
    {
      type: 'restart',
      ...versionFields(level),
      server_generation: 1_700_000_300,
      ...includeIf(level < 240, {immediate: true}),
    },
  ];
}

/** Returns an example of every event at this level; ids start at 0 and have gaps. */
export function zulipEvents(level: number): Json[] {
  const bodies = [
    ...messageEvents(level),
    ...typingEvents(level),
    ...peopleEvents(level),
    ...channelEvents(level),
    ...otherEvents(level),
  ];
  return bodies.map((body, i) => ({...body, id: i * 2}));
}
