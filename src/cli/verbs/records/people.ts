import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

/** The verbs about users. */
export const peopleRecords = {
  users: {
    summary: 'list the users and bots of the organization',
    usage: ['[QUERY] [--all]'],
    arguments: {min: 0, max: 100},
    options: {...commonOptions, all: {type: 'flag', summary: 'include deactivated users'}},
    notes: ['QUERY is part of a name or e-mail address. Exit code 1 when no user matches.'],
  },
  whoami: {
    summary: 'print the current account',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: commonOptions,
  },
} as const satisfies Readonly<Record<string, Verb>>;
