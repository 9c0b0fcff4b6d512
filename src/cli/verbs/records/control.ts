import {commonOptions, number, text, type Verb} from '#cli/verbs/verb.ts';

const {json, help} = commonOptions;
/** Which of several running programs is meant. */
const target = {
  account: text('NAME', 'the Parley that has this account open', {completes: 'account'}),
  pid: number('PID', [1, 999_999_999], 'the Parley with this process number'),
  json,
  help,
};
const newest =
  'Of several running Parleys it asks the one that was started last, unless --account or --pid names another.';

/** The verbs that read and control a running Parley. */
export const controlRecords = {
  'ctl status': {
    summary: 'print unread counts of a running Parley, for status bars',
    usage: ['[--format FORMAT]'],
    arguments: {min: 0, max: 0},
    options: {format: text('FORMAT', 'text with fields such as {unread}'), ...target},
    notes: [
      'Fields: account, organization, connection, unread, mentions, direct, unsent, all_unread, all_mentions, pid. What is between [ and ] is left out while its fields are 0 or empty.',
      'Reads a small file only. If no Parley runs, it prints a sentence on standard error and the exit code is 1.',
    ],
  },
  'ctl list': {
    summary: 'list the running Parleys and their accounts',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: {json, help},
  },
  'ctl commands': {
    summary: 'list the commands of a running Parley',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: target,
    notes: ['Those that cannot run now say why.', newest],
  },
  'ctl run': {
    mustNotRepeat: true,
    summary: 'run a command in a running Parley, as its palette does',
    usage: ['COMMAND'],
    arguments: {min: 1, max: 1},
    options: target,
    notes: ['COMMAND is an id that “ctl commands” lists. The exit code is 1 if the command was refused.', newest],
  },
  'ctl view': {
    summary: 'print the view and the selection of a running Parley',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: target,
    notes: [newest],
  },
  'ctl watch': {
    summary: 'print messages, unread counts and connection changes as they come',
    usage: ['[EVENT…]'],
    arguments: {min: 0, max: 3, completes: ['message', 'unread', 'connection']},
    options: target,
    notes: ['EVENT is message, unread or connection. With --json, one object on each line.', newest],
  },
  'ctl call': {
    mustNotRepeat: true,
    summary: 'call a method of the control socket',
    usage: ['METHOD [PARAMS]'],
    arguments: {min: 1, max: 2},
    options: target,
    notes: ['PARAMS is an object in JSON. The method rpc.discover lists all.', newest],
  },
} as const satisfies Readonly<Record<string, Verb>>;
