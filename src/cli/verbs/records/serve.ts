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
} as const satisfies Readonly<Record<string, Verb>>;
