import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

const data = {
  data: {type: 'text', value: 'DIR', completes: 'file', summary: 'the data directory of the organization'},
} as const;

/** The verbs of the person who runs a server on this machine. They need no account, and work while the server runs. */
export const serveRecords = {
  'serve backup': {
    summary: 'make a backup of an organization, also while its server runs',
    usage: ['OUT --data DIR [--keep N] [--full]'],
    arguments: {min: 1, max: 1, completes: 'file'},
    options: {
      ...data,
      keep: {type: 'number', value: 'N', min: 1, max: 100_000, summary: 'delete all but the newest N backups in OUT'},
      full: {type: 'flag', summary: 'copy all files, also those that the previous backup has'},
      json: commonOptions.json,
      help: commonOptions.help,
    },
    notes: [
      'OUT is a folder of backups: each run adds one, named by the time. Uploaded files that the previous backup has too are stored once (hard links).',
      'A backup contains all messages, and the secret that all API keys derive from. Keep it as private as the server.',
    ],
  },
  'serve restore': {
    summary: 'put a backup into a new data directory',
    usage: ['BACKUP --data DIR'],
    arguments: {min: 1, max: 1, completes: 'file'},
    options: {...data, json: commonOptions.json, help: commonOptions.help},
    notes: [
      'BACKUP is a backup, or a folder of backups: then the newest is used. All of it is checked before DIR appears; DIR must be new or empty.',
    ],
  },
  'serve check': {
    summary: 'check whether the data of an organization is whole',
    usage: ['--data DIR'],
    arguments: {min: 0, max: 0},
    options: {...data, json: commonOptions.json, help: commonOptions.help},
    notes: ['Prints one sentence for each problem; the exit code is then 1. Changes nothing.'],
  },
  'serve user': {
    mustNotRepeat: true,
    summary: 'list, create and change the users of an organization on this machine',
    usage: [
      'list --data DIR',
      'create EMAIL --name NAME [--role ROLE] --data DIR',
      'deactivate|reactivate EMAIL --data DIR',
      'role EMAIL ROLE --data DIR',
      'key EMAIL [--file FILE | --print] --data DIR',
      'password EMAIL [--stdin] --data DIR',
      'link EMAIL --data DIR',
    ],
    arguments: {
      min: 1,
      max: 3,
      completes: ['list', 'create', 'deactivate', 'reactivate', 'role', 'key', 'password', 'link'],
    },
    options: {
      ...data,
      name: {type: 'text', value: 'NAME', summary: 'full name of the new user'},
      role: {
        type: 'choice',
        choices: ['owner', 'administrator', 'moderator', 'member', 'guest'],
        summary: 'role of the new user (member)',
      },
      file: {type: 'text', value: 'FILE', completes: 'file', summary: 'write the zuliprc with the new key to FILE'},
      print: {type: 'flag', summary: 'print the new key instead'},
      stdin: {type: 'flag', summary: 'read the password from standard input'},
      json: commonOptions.json,
      help: commonOptions.help,
    },
    notes: [
      '“key” replaces the API key: the old one stops working at once. The new one goes into a file that only you can read, below DIR unless --file names another.',
      '“link” prints the address of a page on which the person sets a password. It works once, for three days.',
      'Needs no account. What changes is seen by everyone who is connected; people are told by the notification bot.',
    ],
  },
  'serve org': {
    summary: 'show or change the settings of an organization on this machine',
    usage: ['show --data DIR', 'limits --data DIR', 'set NAME VALUE --data DIR'],
    arguments: {min: 1, max: 3, completes: ['show', 'limits', 'set']},
    options: {...data, json: commonOptions.json, help: commonOptions.help},
    notes: [
      'NAME is a name that “show” lists. VALUE is a number, true, false, a text, or for permissions the name of a group, such as role:members.',
    ],
  },
  'serve export': {
    summary: 'write an organization as a data export of Zulip',
    usage: ['--data DIR OUT [--zulip-version 12.0] [--public-only | --consented] [--received-days N]'],
    arguments: {min: 1, max: 1, completes: 'file'},
    options: {
      ...data,
      'zulip-version': {type: 'text', value: 'VERSION', summary: 'version of the server that imports it (12.0)'},
      'public-only': {type: 'flag', summary: 'leave out private messages and what belongs to one person'},
      consented: {type: 'flag', summary: 'leave out the private data of people who did not agree to its export'},
      'received-days': {
        type: 'number',
        value: 'N',
        min: 0,
        max: 100_000,
        summary: 'name all receivers only of messages of the last N days',
      },
      json: commonOptions.json,
      help: commonOptions.help,
    },
    notes: [
      'Writes the directory OUT and the archive OUT.tar.gz, which must not exist. They contain everybody’s private messages and files unless --public-only or --consented is given: keep them as safe as the data directory.',
      'In a big organization, most of an export says who received which message. With --received-days, older messages that somebody has read stay in their channels but leave the person’s combined feed.',
      '“parley help moving” says how to import it into a Zulip server.',
    ],
  },
  'serve import': {
    summary: 'move an organization from a Zulip server to this machine',
    usage: ['FILE --data DIR'],
    arguments: {min: 1, max: 1, completes: 'file'},
    options: {
      data: {type: 'text', value: 'DIR', completes: 'file', summary: 'the new data directory'},
      'max-size': {
        type: 'number',
        value: 'GIB',
        min: 1,
        max: 100_000,
        summary: 'the size of the unpacked export above which the import stops, in GiB (50)',
      },
      json: commonOptions.json,
      help: commonOptions.help,
    },
    notes: [
      'FILE is an export of Zulip 7 to 12 or of “parley serve export”: the .tar.gz, or the directory it unpacks to. DIR must not exist, or be empty.',
      'Prints how many rows of each table were imported, and what was not. If something is wrong with the export, nothing is imported.',
    ],
  },
} as const satisfies Readonly<Record<string, Verb>>;
