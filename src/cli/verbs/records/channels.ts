import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

const user = {
  type: 'text',
  value: 'USER',
  many: true,
  summary: 'these users instead of you: @name, an e-mail address or an id',
} as const;
const channelNote = 'CHANNEL is the name of a channel, with or without #, or its id.';

/** The settings that a channel gets when it is created, and that can be changed later. */
const settings = {
  description: {type: 'text', short: 'd', value: 'TEXT', verbatim: true, summary: 'description in Markdown'},
  privacy: {
    type: 'choice',
    choices: ['public', 'private', 'protected', 'web-public'],
    summary: 'who can read it; protected: private, and new subscribers do not see older messages',
  },
  topics: {
    type: 'choice',
    choices: ['inherit', 'allow-empty', 'require', 'only-empty'],
    summary: 'whether messages need a topic; inherit: as in the organization',
  },
  retention: {type: 'text', value: 'DAYS', summary: 'delete messages after DAYS; or: unlimited, default'},
  folder: {type: 'text', value: 'NAME', summary: 'folder of the channel; empty: none'},
  default: {type: 'choice', choices: ['yes', 'no'], summary: 'whether new users are subscribed'},
  push: {type: 'choice', choices: ['yes', 'no'], summary: 'whether subscribers get mobile notifications by default'},
  permission: {
    type: 'text',
    value: 'NAME=WHO',
    many: true,
    summary: 'who may do something; see below',
  },
} as const;

const permissionNote =
  'NAME is one of: add_subscribers, administer_channel, create_topic, delete_any_message, delete_own_message, move_messages_out_of_channel, move_messages_within_channel, remove_subscribers, resolve_topics, send_message, subscribe. WHO is a list of groups (everyone, members, fullmembers, moderators, administrators, owners, nobody, or a group of the organization) and @users, separated by commas.';

const visibility = (summary: string, what = 'CHANNEL[>TOPIC]…') =>
  ({
    summary,
    usage: [what],
    arguments: {min: 1, max: 100},
    options: commonOptions,
  }) as const;

/** The verbs about channels and topics. */
export const channelRecords = {
  mute: {
    ...visibility('mute channels, topics or users', 'CHANNEL[>TOPIC]… | @USER…'),
    notes: ['Write “parley mute "#channel>topic"” with quotes, because > is special in shells.'],
  },
  unmute: visibility('unmute channels, topics or users', 'CHANNEL[>TOPIC]… | @USER…'),
  follow: visibility('follow topics', 'CHANNEL>TOPIC…'),
  unfollow: visibility('stop following topics', 'CHANNEL>TOPIC…'),
  subscribe: {
    summary: 'subscribe to channels',
    usage: ['CHANNEL… [--user USER…]'],
    arguments: {min: 1, max: 100},
    options: {...commonOptions, user},
    notes: [channelNote, 'It creates no channel: use “parley channel create”.'],
  },
  unsubscribe: {
    summary: 'unsubscribe from channels',
    usage: ['CHANNEL… [--user USER…]'],
    arguments: {min: 1, max: 100},
    options: {...commonOptions, user},
    notes: [channelNote],
  },
  'channel list': {
    summary: 'list channels',
    usage: ['[QUERY] [--subscribed] [--archived]'],
    arguments: {min: 0, max: 100},
    options: {
      ...commonOptions,
      subscribed: {type: 'flag', summary: 'only those that you are subscribed to'},
      archived: {type: 'flag', summary: 'include archived channels'},
    },
    notes: ['QUERY is part of a name or description. Exit code 1 when no channel matches.'],
  },
  'channel members': {
    acceptsPartialNames: true,
    summary: 'list the subscribers of a channel',
    usage: ['CHANNEL'],
    arguments: {min: 1, max: 1},
    options: commonOptions,
    notes: [channelNote],
  },
  'channel create': {
    mustNotRepeat: true,
    summary: 'create a channel and subscribe to it',
    usage: ['NAME [-d TEXT] [--privacy PRIVACY] [--user USER…] …'],
    arguments: {min: 1, max: 1},
    options: {
      ...commonOptions,
      ...settings,
      user: {...user, summary: 'subscribe these users too: @name, an e-mail address or an id'},
      announce: {type: 'flag', summary: 'announce the channel to the organization'},
    },
    notes: [permissionNote],
  },
  'channel edit': {
    summary: 'change the settings of a channel',
    usage: ['CHANNEL [--name NAME] [-d TEXT] [--privacy PRIVACY] …'],
    arguments: {min: 1, max: 1},
    options: {...commonOptions, name: {type: 'text', value: 'NAME', summary: 'new name'}, ...settings},
    notes: [channelNote, permissionNote],
  },
  'channel archive': {
    summary: 'archive channels',
    usage: ['CHANNEL…'],
    arguments: {min: 1, max: 100},
    options: commonOptions,
    notes: [channelNote],
  },
  'channel unarchive': {
    summary: 'make archived channels active again',
    usage: ['CHANNEL…'],
    arguments: {min: 1, max: 100},
    options: commonOptions,
    notes: [channelNote],
  },
} as const satisfies Readonly<Record<string, Verb>>;
