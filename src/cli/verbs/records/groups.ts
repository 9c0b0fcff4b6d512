import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

const description = {
  type: 'text',
  short: 'd',
  value: 'TEXT',
  verbatim: true,
  summary: 'description',
} as const;
const permission = {
  type: 'text',
  value: 'NAME=WHO',
  many: true,
  summary: 'who may do something; see below',
} as const;
const subgroup = {
  type: 'text',
  value: 'GROUP',
  many: true,
  summary: 'a group whose members belong to it too',
} as const;
const groupNote = 'GROUP is the name of a group or its id.';
const permissionNote =
  'NAME is one of: add_members, join, leave, manage, mention, remove_members. WHO is a list of groups (everyone, members, fullmembers, moderators, administrators, owners, nobody, or a group of the organization) and @users, separated by commas.';
const one = {arguments: {min: 1, max: 1}, options: commonOptions, notes: [groupNote]} as const;
const members = {
  usage: ['GROUP USER… [--subgroup GROUP…]'],
  arguments: {min: 1, max: 1000},
  options: {...commonOptions, subgroup},
  notes: [groupNote, 'USER is @name, an e-mail address or an id.'],
} as const;

/** The verbs about groups of users. */
export const groupRecords = {
  'group list': {
    summary: 'list groups of users',
    usage: ['[--all]'],
    arguments: {min: 0, max: 0},
    options: {...commonOptions, all: {type: 'flag', summary: 'include deactivated groups and those of roles'}},
  },
  'group show': {
    acceptsPartialNames: true,
    summary: 'print a group, its members and its permissions',
    usage: ['GROUP'],
    ...one,
  },
  'group create': {
    mustNotRepeat: true,
    summary: 'create a group of users',
    usage: ['NAME [-d TEXT] [--user USER…] [--subgroup GROUP…]'],
    arguments: {min: 1, max: 1},
    options: {
      ...commonOptions,
      description,
      user: {type: 'text', value: 'USER', many: true, summary: 'a member: @name, an e-mail address or an id'},
      subgroup,
      permission,
    },
    notes: [permissionNote],
  },
  'group edit': {
    summary: 'change the name, description or permissions of a group',
    usage: ['GROUP [--name NAME] [-d TEXT] [--permission NAME=WHO…]'],
    arguments: {min: 1, max: 1},
    options: {
      ...commonOptions,
      name: {type: 'text', value: 'NAME', summary: 'new name'},
      description,
      permission,
    },
    notes: [groupNote, permissionNote],
  },
  'group add': {...members, summary: 'add members to a group'},
  'group remove': {...members, summary: 'remove members from a group'},
  'group deactivate': {summary: 'deactivate a group', usage: ['GROUP'], ...one},
  'group reactivate': {summary: 'reactivate a group', usage: ['GROUP'], ...one},
} as const satisfies Readonly<Record<string, Verb>>;
