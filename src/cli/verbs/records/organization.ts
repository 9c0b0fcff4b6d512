import {
  again,
  choice,
  flag,
  idNote,
  roleChoices,
  takes,
  takesNothing,
  text,
  userNote,
  type Verb,
  yes,
} from '#cli/verbs/verb.ts';

const user = text('USER', 'these users instead of you: @name, an e-mail address or an id', {many: true});
const channelCheck = 'List the channels with “parley channel list --archived”.';
const userCheck = 'List the users with “parley users --all”.';
const inviteCheck = 'List the invitations with “parley invite list”.';
const groupCheck = 'List the groups with “parley group list --all”.';
const linkifierCheck = 'List the linkifiers with “parley linkifier list”.';
const channelNote = 'CHANNEL is the name of a channel, with or without #, or its id.';

const permission = text('NAME=WHO', 'who may do something; see below', {many: true});

/** The settings that a channel gets when it is created, and that can be changed later. */
const settings = {
  description: text('TEXT', 'description in Markdown', {short: 'd', verbatim: true}),
  privacy: choice(
    ['public', 'private', 'protected', 'web-public'],
    'who can read it; protected: private, and new subscribers do not see older messages',
  ),
  topics: choice(
    ['inherit', 'allow-empty', 'require', 'only-empty'],
    'whether messages need a topic; inherit: as in the organization',
  ),
  retention: text('DAYS', 'delete messages after DAYS; or: unlimited, default'),
  folder: text('NAME', 'folder of the channel; empty: none'),
  default: choice(['yes', 'no'], 'whether new users are subscribed'),
  push: choice(['yes', 'no'], 'whether subscribers get mobile notifications by default'),
  permission,
} as const;

const whoNote =
  'WHO is a list of groups (everyone, members, fullmembers, moderators, administrators, owners, nobody, or a group of the organization) and @users, separated by commas.';
const permissionNote = `NAME is one of: add_subscribers, administer_channel, create_topic, delete_any_message, delete_own_message, move_messages_out_of_channel, move_messages_within_channel, remove_subscribers, resolve_topics, send_message, subscribe. ${whoNote}`;

const visibility = (summary: string, what = 'CHANNEL[>TOPIC]…') =>
  ({
    check: again,
    summary,
    ...takes(what, [1, 100]),
  }) as const;

const users = {
  summary: 'list the users and bots of the organization',
  ...takes('[QUERY] [--all]', [0, 100], {all: flag('include deactivated users')}),
  notes: ['QUERY is part of a name or e-mail address. Exit code 1 when no user matches.'],
} as const satisfies Verb;

/** What an invitation says about the new users. */
const invitation = {
  role: choice(roleChoices, 'role of the new users (member)'),
  channel: text('CHANNEL', 'subscribe the new users to this channel (default: the default channels)', {many: true}),
  group: text('GROUP', 'add the new users to this group', {many: true}),
  expires: text('DAYS', 'days until the invitation expires; or: never'),
  welcome: text('TEXT', 'text of the welcome message', {verbatim: true}),
} as const;

const inviteIdNote = 'ID is an id from the list: a number for an e-mail address, link-N for a link.';
const description = text('TEXT', 'description', {short: 'd', verbatim: true});
const subgroup = text('GROUP', 'a group whose members belong to it too', {many: true});
const groupNote = 'GROUP is the name of a group or its id.';
const groupPermissionNote = `NAME is one of: add_members, join, leave, manage, mention, remove_members. ${whoNote}`;
const group = {...takes('GROUP', [1, 1]), notes: [groupNote]} as const;
const members = {
  ...takes('GROUP USER… [--subgroup GROUP…]', [1, 1000], {subgroup}),
  notes: [groupNote, userNote],
} as const;
const linkifierNote =
  'PATTERN is a regular expression with named groups, such as #(?P<id>[0-9]+); URL is a URL template, such as https://tracker.example/{id}.';

/** The optional fields of a linkifier. */
const linkifier = {
  example: text('TEXT', 'a text that matches; needed for --reverse', {verbatim: true}),
  reverse: text('TEXT', 'the text that a pasted URL becomes, such as #{id}; empty: none', {verbatim: true}),
  alternative: text('URL', 'another template of URLs that become that text when they are pasted', {many: true}),
} as const;

/** The verbs about channels, users, groups and the organization. */
export const organizationRecords = {
  mute: {
    ...visibility('mute channels, topics or users', 'CHANNEL[>TOPIC]… | @USER…'),
    notes: ['Write “parley mute "#channel>topic"” with quotes, because > is special in shells.'],
  },
  unmute: visibility('unmute channels, topics or users', 'CHANNEL[>TOPIC]… | @USER…'),
  follow: visibility('follow topics', 'CHANNEL>TOPIC…'),
  unfollow: visibility('stop following topics', 'CHANNEL>TOPIC…'),
  subscribe: {
    check: again,
    summary: 'subscribe to channels',
    ...takes('CHANNEL… [--user USER…]', [1, 100], {user}),
    notes: [channelNote, 'It creates no channel: use “parley channel create”.'],
  },
  unsubscribe: {
    check: again,
    summary: 'unsubscribe from channels',
    ...takes('CHANNEL… [--user USER…]', [1, 100], {user}),
    notes: [channelNote],
  },
  'channel list': {
    summary: 'list channels',
    ...takes('[QUERY] [--subscribed] [--archived]', [0, 100], {
      subscribed: flag('only those that you are subscribed to'),
      archived: flag('include archived channels'),
    }),
    notes: ['QUERY is part of a name or description. Exit code 1 when no channel matches.'],
  },
  'channel members': {
    acceptsPartialNames: true,
    summary: 'list the subscribers of a channel',
    ...takes('CHANNEL', [1, 1]),
    notes: [channelNote],
  },
  'channel create': {
    check: channelCheck,
    mustNotRepeat: true,
    summary: 'create a channel and subscribe to it',
    ...takes('NAME [-d TEXT] [--privacy PRIVACY] [--user USER…] …', [1, 1], {
      ...settings,
      user: {...user, summary: 'subscribe these users too: @name, an e-mail address or an id'},
      announce: flag('announce the channel to the organization'),
    }),
    notes: [permissionNote],
  },
  'channel edit': {
    check: again,
    summary: 'change the settings of a channel',
    ...takes('CHANNEL [--name NAME] [-d TEXT] [--privacy PRIVACY] …', [1, 1], {
      name: text('NAME', 'new name'),
      ...settings,
    }),
    notes: [channelNote, permissionNote],
  },
  'channel archive': {
    check: channelCheck,
    summary: 'archive channels',
    ...takes('CHANNEL…', [1, 100]),
    notes: [channelNote],
  },
  'channel unarchive': {
    check: channelCheck,
    summary: 'make archived channels active again',
    ...takes('CHANNEL…', [1, 100]),
    notes: [channelNote],
  },
  users,
  'ssh-keys': {
    check: 'List your keys with “parley ssh-keys”.',
    summary: 'list, add and remove the keys with which you log in over SSH',
    ...takes(['', 'add [FILE]', 'remove FINGERPRINT'], [0, 2, ['add', 'remove']]),
    notes: [
      'FILE is a public key of OpenSSH, such as ~/.ssh/id_ed25519.pub; without it, the key is read from standard input.',
      'A removed key ends its connections. Only servers of Parley have such keys: see “parley help ssh”.',
    ],
  },
  whoami: {summary: 'print the current account', ...takesNothing},
  status: {
    check: again,
    summary: 'print or set your status',
    ...takes(['', 'TEXT [--emoji EMOJI]', '--clear', '--away | --back'], [0, 100], {
      emoji: text('EMOJI', 'emoji of the status: a name such as tada, or the emoji itself'),
      clear: flag('remove the text and the emoji'),
      away: flag('go invisible: others see you as offline'),
      back: flag('turn off invisible mode'),
      user: text('USER', 'the status of this user; only administrators can set it'),
    }),
    notes: [userNote],
  },
  'user list': users,
  'user show': {
    acceptsPartialNames: true,
    summary: 'print the profile of a user',
    ...takes('USER', [1, 1]),
    notes: [userNote],
  },
  'user update': {
    check: again,
    summary: 'change the name, role, e-mail address or profile of a user',
    ...takes('USER [--name NAME] [--role ROLE] [--email EMAIL] [--field NAME=VALUE…]', [1, 1], {
      name: text('NAME', 'new full name'),
      role: choice(roleChoices, 'new role'),
      email: text('EMAIL', 'new e-mail address; only owners with a special permission'),
      field: text('NAME=VALUE', 'set a profile field; an empty value clears it', {many: true}),
    }),
    notes: [userNote, 'Only administrators can do this. The VALUE of a field of users is @name[,@name].'],
  },
  'user deactivate': {
    check: userCheck,
    summary: 'deactivate users',
    ...takes('USER… [--comment TEXT]', [1, 100], {
      comment: text('TEXT', 'notify the users by e-mail, with this text', {verbatim: true}),
    }),
    notes: [userNote],
  },
  'user reactivate': {check: userCheck, summary: 'reactivate users', ...takes('USER…', [1, 100]), notes: [userNote]},
  invite: {
    check: `${inviteCheck} Running it again invites them again.`,
    mustNotRepeat: true,
    summary: 'invite people to the organization by e-mail',
    ...takes('EMAIL… [--role ROLE] [--channel CHANNEL…] [--expires DAYS]', [1, 1000], {
      ...invitation,
      quiet: flag('do not notify you when they join'),
    }),
    notes: [
      'A server that sends no e-mail, such as parley serve, answers with the links, which are printed for you to pass on.',
    ],
  },
  'invite link': {
    check: `${inviteCheck} Running it again creates another link.`,
    mustNotRepeat: true,
    summary: 'create a link with which people can join the organization, and print it',
    ...takes('[--role ROLE] [--channel CHANNEL…] [--expires DAYS]', [0, 0], invitation),
  },
  'invite list': {summary: 'list invitations that were not used yet', ...takesNothing},
  'invite revoke': {
    check: inviteCheck,
    summary: 'revoke invitations',
    ...takes('ID…', [1, 100]),
    notes: [inviteIdNote],
  },
  'invite resend': {
    check: 'You can run it again, but then the e-mail may arrive twice.',
    mustNotRepeat: true,
    summary: 'send the e-mail of invitations again',
    ...takes('ID…', [1, 100]),
    notes: [inviteIdNote],
  },
  'group list': {
    summary: 'list groups of users',
    ...takes('[--all]', [0, 0], {all: flag('include deactivated groups and those of roles')}),
  },
  'group show': {acceptsPartialNames: true, summary: 'print a group, its members and its permissions', ...group},
  'group create': {
    check: groupCheck,
    mustNotRepeat: true,
    summary: 'create a group of users',
    ...takes('NAME [-d TEXT] [--user USER…] [--subgroup GROUP…]', [1, 1], {
      description,
      user: text('USER', 'a member: @name, an e-mail address or an id', {many: true}),
      subgroup,
      permission,
    }),
    notes: [groupPermissionNote],
  },
  'group edit': {
    check: again,
    summary: 'change the name, description or permissions of a group',
    ...takes('GROUP [--name NAME] [-d TEXT] [--permission NAME=WHO…]', [1, 1], {
      name: text('NAME', 'new name'),
      description,
      permission,
    }),
    notes: [groupNote, groupPermissionNote],
  },
  'group add': {check: again, ...members, summary: 'add members to a group'},
  'group remove': {check: again, ...members, summary: 'remove members from a group'},
  'group deactivate': {check: groupCheck, summary: 'deactivate a group', ...group},
  'group reactivate': {check: groupCheck, summary: 'reactivate a group', ...group},
  log: {
    summary: 'list what was changed in the organization, by whom and to whom; for owners',
    ...takes('[--since WHEN] [--actor USER]', [0, 0], {
      since: text('WHEN', 'changes since this time: 2h, 3d, 2026-05-01'),
      actor: text('USER', 'changes by this person, or by “operator”'),
    }),
  },
  'linkifier list': {summary: 'list linkifiers, in the order in which they apply', ...takesNothing},
  'linkifier add': {
    check: linkifierCheck,
    mustNotRepeat: true,
    summary: 'add a linkifier',
    ...takes('PATTERN URL [--example TEXT --reverse TEXT] [--alternative URL…]', [2, 2], {...linkifier}),
    notes: [linkifierNote],
  },
  'linkifier edit': {
    check: again,
    summary: 'change a linkifier',
    ...takes('ID [--pattern PATTERN] [--url URL] [--example TEXT] [--reverse TEXT] [--alternative URL…]', [1, 1], {
      pattern: text('PATTERN', 'new pattern', {verbatim: true}),
      url: text('URL', 'new URL template'),
      ...linkifier,
    }),
    notes: [idNote, linkifierNote],
  },
  'linkifier remove': {
    check: linkifierCheck,
    summary: 'remove linkifiers',
    ...takes('ID…', [1, 100], {yes}),
    asks: {question: 'Remove these linkifiers?'},
    notes: [idNote],
  },
  'linkifier reorder': {
    check: again,
    summary: 'change the order in which linkifiers apply',
    ...takes('ID…', [1, 1000]),
    notes: [`${idNote} Those that are not named follow in their present order.`],
  },
} as const satisfies Readonly<Record<string, Verb>>;
