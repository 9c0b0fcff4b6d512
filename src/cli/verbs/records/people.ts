import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

const userNote = 'USER is @name, an e-mail address or an id.';
const roleChoices = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const;

const users = {
  summary: 'list the users and bots of the organization',
  usage: ['[QUERY] [--all]'],
  arguments: {min: 0, max: 100},
  options: {...commonOptions, all: {type: 'flag', summary: 'include deactivated users'}},
  notes: ['QUERY is part of a name or e-mail address. Exit code 1 when no user matches.'],
} as const satisfies Verb;

/** What an invitation says about the new users. */
const invitation = {
  role: {type: 'choice', choices: roleChoices, summary: 'role of the new users (member)'},
  channel: {
    type: 'text',
    value: 'CHANNEL',
    many: true,
    summary: 'subscribe the new users to this channel (default: the default channels)',
  },
  group: {type: 'text', value: 'GROUP', many: true, summary: 'add the new users to this group'},
  expires: {type: 'text', value: 'DAYS', summary: 'days until the invitation expires; or: never'},
  welcome: {type: 'text', value: 'TEXT', verbatim: true, summary: 'text of the welcome message'},
} as const;

const inviteIdNote = 'ID is an id from the list: a number for an e-mail address, link-N for a link.';

/** The verbs about users. */
export const peopleRecords = {
  users,
  whoami: {
    summary: 'print the current account',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: commonOptions,
  },
  status: {
    summary: 'print or set your status',
    usage: ['', 'TEXT [--emoji EMOJI]', '--clear', '--away | --back'],
    arguments: {min: 0, max: 100},
    options: {
      ...commonOptions,
      emoji: {type: 'text', value: 'EMOJI', summary: 'emoji of the status: a name such as tada, or the emoji itself'},
      clear: {type: 'flag', summary: 'remove the text and the emoji'},
      away: {type: 'flag', summary: 'go invisible: others see you as offline'},
      back: {type: 'flag', summary: 'turn off invisible mode'},
      user: {type: 'text', value: 'USER', summary: 'the status of this user; only administrators can set it'},
    },
    notes: [userNote],
  },
  'user list': users,
  'user show': {
    acceptsPartialNames: true,
    summary: 'print the profile of a user',
    usage: ['USER'],
    arguments: {min: 1, max: 1},
    options: commonOptions,
    notes: [userNote],
  },
  'user update': {
    summary: 'change the name, role, e-mail address or profile of a user',
    usage: ['USER [--name NAME] [--role ROLE] [--email EMAIL] [--field NAME=VALUE…]'],
    arguments: {min: 1, max: 1},
    options: {
      ...commonOptions,
      name: {type: 'text', value: 'NAME', summary: 'new full name'},
      role: {type: 'choice', choices: roleChoices, summary: 'new role'},
      email: {type: 'text', value: 'EMAIL', summary: 'new e-mail address; only owners with a special permission'},
      field: {
        type: 'text',
        value: 'NAME=VALUE',
        many: true,
        summary: 'set a profile field; an empty value clears it',
      },
    },
    notes: [userNote, 'Only administrators can do this. The VALUE of a field of users is @name[,@name].'],
  },
  'user deactivate': {
    summary: 'deactivate users',
    usage: ['USER… [--comment TEXT]'],
    arguments: {min: 1, max: 100},
    options: {
      ...commonOptions,
      comment: {type: 'text', value: 'TEXT', verbatim: true, summary: 'notify the users by e-mail, with this text'},
    },
    notes: [userNote],
  },
  'user reactivate': {
    summary: 'reactivate users',
    usage: ['USER…'],
    arguments: {min: 1, max: 100},
    options: commonOptions,
    notes: [userNote],
  },
  invite: {
    mustNotRepeat: true,
    summary: 'invite people to the organization by e-mail',
    usage: ['EMAIL… [--role ROLE] [--channel CHANNEL…] [--expires DAYS]'],
    arguments: {min: 1, max: 1000},
    options: {
      ...commonOptions,
      ...invitation,
      quiet: {type: 'flag', summary: 'do not notify you when they join'},
    },
    notes: [
      'A server that sends no e-mail, such as parley serve, answers with the links, which are printed for you to pass on.',
    ],
  },
  'invite link': {
    mustNotRepeat: true,
    summary: 'create a link with which people can join the organization, and print it',
    usage: ['[--role ROLE] [--channel CHANNEL…] [--expires DAYS]'],
    arguments: {min: 0, max: 0},
    options: {...commonOptions, ...invitation},
  },
  'invite list': {
    summary: 'list invitations that were not used yet',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: commonOptions,
  },
  'invite revoke': {
    summary: 'revoke invitations',
    usage: ['ID…'],
    arguments: {min: 1, max: 100},
    options: commonOptions,
    notes: [inviteIdNote],
  },
  'invite resend': {
    mustNotRepeat: true,
    summary: 'send the e-mail of invitations again',
    usage: ['ID…'],
    arguments: {min: 1, max: 100},
    options: commonOptions,
    notes: [inviteIdNote],
  },
} as const satisfies Readonly<Record<string, Verb>>;
