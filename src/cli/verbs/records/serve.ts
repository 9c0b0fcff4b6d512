import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

const data = {
  data: {type: 'text', value: 'DIR', completes: 'file', summary: 'the data directory of the organization'},
} as const;

/** The verbs of the person who runs a server on this machine. They need no account, and work while the server runs. */
export const serveRecords = {
  'serve check': {
    summary: 'check whether the data of an organization is whole',
    usage: ['--data DIR'],
    arguments: {min: 0, max: 0},
    options: {...data, json: commonOptions.json, help: commonOptions.help},
    notes: ['Prints one sentence for each problem; the exit code is then 1. Changes nothing.'],
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
