import {commonOptions, type Verb} from '#cli/verbs/verb.ts';
import {messageText, to, topic} from './messages.ts';

const at = {
  type: 'text',
  value: 'WHEN',
  summary: 'the time: tomorrow 9:00, fri 14:00, in 2 hours, 2026-05-12 14:30',
} as const;
const idNote = 'ID is an id from the list.';

/** The verbs about scheduled messages and reminders. */
export const scheduleRecords = {
  schedule: {
    mustNotRepeat: true,
    summary: 'send a message later',
    usage: ['--to WHERE… --at WHEN -m TEXT', '--to WHERE… --at WHEN [-] < FILE'],
    arguments: {min: 0, max: 1},
    options: {...commonOptions, to, topic, at, message: messageText},
    notes: ['The server sends it, whether or not Parley runs then.'],
  },
  'schedule list': {
    summary: 'list scheduled messages',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: commonOptions,
  },
  'schedule delete': {
    summary: 'delete scheduled messages, so that they are not sent',
    usage: ['ID…'],
    arguments: {min: 1, max: 100},
    options: commonOptions,
    notes: [idNote],
  },
  remind: {
    mustNotRepeat: true,
    summary: 'get a reminder about a message',
    usage: ['MESSAGE --at WHEN [--note TEXT]'],
    arguments: {min: 1, max: 1},
    options: {
      ...commonOptions,
      at,
      note: {type: 'text', value: 'TEXT', verbatim: true, summary: 'a note that the reminder contains'},
    },
    notes: ['MESSAGE is the id of a message (“parley read --json” prints it) or its link.'],
  },
  'remind list': {
    summary: 'list reminders',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: commonOptions,
  },
  'remind delete': {
    summary: 'delete reminders',
    usage: ['ID…'],
    arguments: {min: 1, max: 100},
    options: commonOptions,
    notes: [idNote],
  },
} as const satisfies Readonly<Record<string, Verb>>;
