import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

/** The options of the verbs that open the screen. */
const screenOptions = {
  account: commonOptions.account,
  config: commonOptions.config,
  explore: {type: 'flag', summary: 'mark nothing as read and do not appear online'},
  'read-only': {type: 'flag', summary: 'do not change anything'},
  plain: {
    type: 'flag',
    summary: 'use lines of text instead of a full screen, for screen readers and any terminal',
  },
  theme: {
    type: 'choice',
    choices: ['default', 'dark', 'light', 'auto'],
    summary: 'colour theme for this session',
  },
  color: {
    type: 'choice',
    choices: ['never', '16', '256', 'true'],
    summary: 'number of colours (default: detected)',
  },
  'no-alt-screen': {type: 'flag', summary: 'leave the last screen in the terminal on exit'},
  'or-demo': {type: 'flag', summary: 'without an account, open the demo directly'},
  help: commonOptions.help,
} as const;

/** The verbs that open the screen or are about its keys. */
export const screenRecords = {
  open: {
    parsesOwnArguments: true,
    summary: 'open Parley, at WHERE if given; “parley WHERE” does the same',
    usage: ['[WHERE]'],
    arguments: {min: 0, max: 100},
    options: screenOptions,
    notes: [
      'WHERE is #channel, #channel>topic, @name[,name], the link of a conversation or message, or search words. If WHERE is also a command, use “open”: “parley open inbox” searches for the word.',
      'Without a terminal it prints unread counts or, with WHERE, the last messages.',
    ],
  },
  triage: {
    parsesOwnArguments: true,
    summary: 'go through unread conversations one at a time',
    usage: ['[--plain]'],
    arguments: {min: 0, max: 0},
    options: screenOptions,
  },
  demo: {
    parsesOwnArguments: true,
    summary: 'open the built-in demo organization',
    usage: ['[WHERE]'],
    arguments: {min: 0, max: 100},
    options: screenOptions,
  },
  keys: {
    summary: 'list the keys and their commands',
    usage: ['[--markdown]', '--probe'],
    arguments: {min: 0, max: 0},
    options: {
      markdown: {type: 'flag', summary: 'print Markdown tables'},
      probe: {type: 'flag', summary: 'show what this terminal sends for each key'},
      json: commonOptions.json,
      help: commonOptions.help,
    },
    notes: ['Change keys in keys.toml, next to config.toml.'],
  },
} as const satisfies Readonly<Record<string, Verb>>;
