import {manualTopics} from '#content/manual/manual-topics.ts';
import type {OptionTable, OptionValues, Verb} from './verb.ts';
import {type CommonOptions, commonOptions} from './verb.ts';

const narrowNote = [
  'NARROW is #channel, #channel>topic, @name, an e-mail address, me, a link, or search words such as is:starred or sender:me.',
];
const count = {type: 'number', short: 'n', value: 'N', min: 1, max: 5000} as const;
const to = {
  type: 'text',
  value: 'WHERE',
  many: true,
  summary: '#channel>topic, @name or an e-mail address; repeat it for a group of users',
} as const;
const topic = {type: 'text', value: 'TOPIC', summary: 'topic, if WHERE does not contain it'} as const;
const message = {type: 'text', short: 'm', value: 'TEXT', verbatim: true} as const;
const queue = {
  type: 'flag',
  summary: 'if the server cannot be reached, save the message to send it later (exit code 0)',
} as const;

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

const raw = {type: 'flag', summary: 'print the Markdown source instead of the rendered text'} as const;

/** Lists every verb. Parsing, `--help`, completions, the man page and the table in the manual are derived from it. */
export const verbTable = {
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
  send: {
    summary: 'send a message',
    usage: ['--to WHERE… -m TEXT', '--to WHERE… [-] < FILE'],
    arguments: {min: 0, max: 1},
    options: {
      ...commonOptions,
      to,
      topic,
      message: {...message, summary: 'message text in Markdown (default: standard input)'},
      queue,
    },
    notes: [
      'Exit code 0 means that the server has the message. Without --queue, a message that could not be sent is not saved: send it again. If the response was lost and the message cannot be found on the server, it stays in the outbox as unconfirmed: see “parley outbox”.',
      'A message saved by --queue is sent with the next “parley send” or “parley tail”. After ten minutes (ask_after_offline_minutes) it needs “parley outbox send ID” instead. --queue works only for destinations that were used before.',
    ],
  },
  unread: {
    summary: 'print unread counts',
    usage: ['[--muted]'],
    arguments: {min: 0, max: 0},
    options: {...commonOptions, muted: {type: 'flag', summary: 'list muted conversations too'}},
  },
  inbox: {
    summary: 'list unread conversations in inbox order',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: commonOptions,
  },
  read: {
    summary: 'print messages, oldest first',
    usage: ['[NARROW] [-n N] [--since WHEN | --before ID | --unread] [--raw]'],
    arguments: {min: 0, max: 100},
    options: {
      ...commonOptions,
      count: {
        ...count,
        summary: 'number of messages: the last N (20); with --since or --unread the first N (all)',
      },
      since: {
        type: 'text',
        value: 'WHEN',
        summary: 'start at this time: 2h, 3d, 2026-05-01, 2026-05-01T09:30',
      },
      before: {
        type: 'number',
        value: 'ID',
        min: 1,
        max: 2 ** 53 - 1,
        summary: 'messages before this one',
      },
      unread: {type: 'flag', summary: 'only unread messages'},
      'mark-read': {type: 'flag', summary: 'mark the printed messages as read'},
      raw,
    },
    notes: [
      ...narrowNote,
      'Without NARROW: all conversations. With --json: one object per message, each on its own line.',
    ],
  },
  tail: {
    summary: 'print messages as they arrive',
    usage: ['[NARROW] [-n N] [--raw]'],
    arguments: {min: 0, max: 100},
    options: {
      ...commonOptions,
      count: {...count, min: 0, max: 100, summary: 'number of earlier messages to print first (10)'},
      raw,
    },
    notes: [
      ...narrowNote,
      'Reconnects after lost connections and server restarts, without missing or repeating messages. Stop it with Ctrl-C.',
    ],
  },
  search: {
    summary: 'search messages',
    usage: ['QUERY [-n N] [--local] [--raw]'],
    arguments: {min: 1, max: 100},
    options: {
      ...commonOptions,
      count: {...count, summary: 'number of newest matches (20)'},
      local: {type: 'flag', summary: 'search the messages saved on this machine, without the server'},
      raw,
    },
    notes: [
      'QUERY is words, "phrases", and operators such as channel:NAME, topic:NAME, sender:NAME, has:link, is:starred.',
      'Exit code 1 when no message matches.',
    ],
  },
  'mark-read': {
    summary: 'mark messages as read',
    usage: ['NARROW [--dry-run]', '--all [--dry-run]'],
    arguments: {min: 0, max: 100},
    options: {
      ...commonOptions,
      all: {type: 'flag', summary: 'all messages in all conversations'},
      'dry-run': {type: 'flag', summary: 'only print how many messages it would mark'},
    },
    notes: narrowNote,
  },
  drafts: {
    summary: 'list, show, send or delete drafts',
    usage: ['[list]', 'show ID', 'send ID', 'delete ID…'],
    arguments: {min: 0, max: 100, completes: ['list', 'show', 'send', 'delete']},
    options: commonOptions,
    notes: ['ID is an id from the list, or an unambiguous beginning of it.'],
  },
  outbox: {
    summary: 'list, send or discard unsent messages',
    usage: ['[list]', 'send ID…', 'discard ID…'],
    arguments: {min: 0, max: 100, completes: ['list', 'send', 'discard']},
    options: commonOptions,
    notes: ['ID is an id from the list, or an unambiguous beginning of it.'],
  },
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
  upload: {
    summary: 'upload files, and print or send their links',
    usage: ['FILE… [--to WHERE… [-m TEXT]]', '- --name NAME < FILE'],
    arguments: {min: 1, max: 50, completes: 'file'},
    options: {
      ...commonOptions,
      to,
      topic,
      message: {...message, summary: 'text above the links'},
      name: {type: 'text', value: 'NAME', summary: 'name of the file, when there is only one'},
    },
    notes: ['The links are in Markdown and can be pasted into a message.'],
  },
  api: {
    summary: 'call an endpoint of the Zulip API',
    usage: ['METHOD PATH [KEY=VALUE…]'],
    arguments: {min: 2, max: 200, completes: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']},
    options: commonOptions,
    notes: [
      'VALUE is sent unchanged; @FILE is the content of a file, - is standard input, @@TEXT is “@TEXT”. In a POST, file=@FILE uploads a file.',
      'Prints the response as JSON, also when the server rejects the request; the exit code then tells the reason.',
    ],
  },
  accounts: {
    parsesOwnArguments: true,
    summary: 'list accounts, choose the default, or remove one',
    usage: ['', 'default NAME', 'remove NAME'],
    arguments: {min: 0, max: 2, completes: ['list', 'default', 'remove']},
    options: {
      json: commonOptions.json,
      yes: {type: 'flag', short: 'y', summary: 'do not prompt'},
      help: commonOptions.help,
    },
  },
  login: {
    parsesOwnArguments: true,
    summary: 'add an account',
    usage: ['[URL]', '--zuliprc FILE'],
    arguments: {min: 0, max: 1},
    options: {
      name: {type: 'text', value: 'NAME', summary: 'name of the account in Parley'},
      email: {type: 'text', value: 'EMAIL', summary: 'your e-mail address on the server'},
      'password-stdin': {type: 'flag', summary: 'read the password from standard input'},
      'key-stdin': {type: 'flag', summary: 'read the API key from standard input'},
      zuliprc: {type: 'text', value: 'FILE', completes: 'file', summary: 'read everything from a zuliprc'},
      'cert-bundle': {
        type: 'text',
        value: 'FILE',
        completes: 'file',
        summary: 'trust the certificate authorities in FILE',
      },
      insecure: {type: 'flag', summary: 'accept any certificate'},
      help: commonOptions.help,
    },
  },
  doctor: {
    parsesOwnArguments: true,
    summary: 'check the machine, the account and the terminal',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: {
      json: commonOptions.json,
      account: commonOptions.account,
      config: commonOptions.config,
      help: commonOptions.help,
    },
  },
  serve: {
    parsesOwnArguments: true,
    summary: 'run an organization on this machine',
    usage: ['[--data DIR | --memory] [--world demo|empty] …'],
    arguments: {min: 0, max: 0},
    options: {
      host: {type: 'text', value: 'HOST', summary: 'address to listen on'},
      port: {type: 'text', value: 'PORT', summary: 'port to listen on'},
      url: {type: 'text', value: 'URL', summary: 'address that users open'},
      data: {type: 'text', value: 'DIR', completes: 'file', summary: 'store everything in DIR'},
      memory: {type: 'flag', summary: 'store nothing on disk'},
      world: {type: 'choice', choices: ['demo', 'empty'], summary: 'content of a new organization'},
      size: {type: 'choice', choices: ['small', 'large', 'huge'], summary: 'size of the demo'},
      bots: {type: 'choice', choices: ['on', 'quiet', 'off'], summary: 'activity of the demo bots'},
      'feature-level': {type: 'text', value: 'N', summary: 'behave like an older server'},
      'ready-file': {
        type: 'text',
        value: 'FILE',
        completes: 'file',
        summary: 'write a description of the server once it is ready',
      },
      'rate-limit': {type: 'choice', choices: ['on', 'off'], summary: 'limit requests'},
      'while-used': {type: 'text', value: 'SECONDS', summary: 'stop when unused for this long'},
      'test-hooks': {type: 'flag', summary: 'let tests cause faults'},
      help: commonOptions.help,
    },
  },
  render: {
    summary: 'show Markdown from standard input as a message',
    usage: ['[--width N] [--world FILE] < FILE'],
    arguments: {min: 0, max: 0},
    options: {
      width: {
        type: 'number',
        value: 'N',
        min: 1,
        max: 1000,
        summary: 'width in columns (default: as the terminal, else 80)',
      },
      color: {
        type: 'choice',
        choices: ['never', '16', '256', 'true'],
        summary: 'number of colours (default: detected)',
      },
      world: {
        type: 'text',
        value: 'FILE',
        completes: 'file',
        summary: 'JSON with the users, channels and settings of an organization',
      },
      expanded: {type: 'flag', summary: 'show spoilers'},
      json: commonOptions.json,
      help: commonOptions.help,
    },
    notes: [
      'FILE may have "realm_url", "users" ({"id", "full_name"}), "groups" ({"id", "name", "members"}), "channels" ({"id", "name"}), "linkifiers" ({"pattern", "url_template"}), "emoji" or "custom_emoji" ({"id", "name", "source_url"}), "self" (an id), "sender" (a name, for /me), "alert_words", "time_zone", "hour12", "translate_emoticons", "default_code_language".',
      'With --json: {"lines": […], "links": [{"text", "url"}…]}, with spoilers shown, without link numbers and file marks, and 300 columns wide unless --width is given.',
    ],
  },
  help: {
    summary: 'show a chapter of the manual, or the options of a verb',
    usage: ['[TOPIC | VERB]'],
    arguments: {min: 0, max: 1, completes: manualTopics.map(({id}) => id)},
    options: {
      color: {
        type: 'choice',
        choices: ['never', '16', '256', 'true'],
        summary: 'number of colours (default: detected)',
      },
      help: commonOptions.help,
    },
    notes: manualTopics.map(({id, summary}) => `parley help ${id}: ${summary}.`),
  },
  man: {
    summary: 'print the man page',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: {help: commonOptions.help},
    notes: ['“parley man | man -l -” shows it. A package installs it as share/man/man1/parley.1.'],
  },
  completion: {
    summary: 'print a completion script for a shell',
    usage: ['bash|zsh|fish'],
    arguments: {min: 1, max: 1, completes: ['bash', 'zsh', 'fish']},
    options: {help: commonOptions.help},
    notes: [
      'bash: eval "$(parley completion bash)" in ~/.bashrc. zsh: the same in ~/.zshrc, after compinit. fish: parley completion fish > ~/.config/fish/completions/parley.fish',
    ],
  },
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof verbTable;
export type SelfParsingVerbName = {
  [N in VerbName]: (typeof verbTable)[N] extends {readonly parsesOwnArguments: true} ? N : never;
}[VerbName];

/** The verbs that open the screen. */
export const screenVerbs = ['open', 'triage', 'demo'] as const;
export type ScreenVerbName = (typeof screenVerbs)[number];

export function isScreenVerb(name: string): name is ScreenVerbName {
  return screenVerbs.some((verb) => verb === name);
}

/** The parsed arguments of a verb: its options by name, and the positional words. */
export interface VerbArguments<N extends VerbName> {
  readonly values: OptionValues<(typeof verbTable)[N]['options']>;
  readonly words: readonly string[];
}

/** The options that select an account. */
export type AccountOptions = Pick<CommonOptions, 'account' | 'config'>;

export const verbNames = Object.keys(verbTable) as readonly VerbName[];

export function isVerbName(name: string): name is VerbName {
  return Object.hasOwn(verbTable, name);
}

/** Returns the record without its literal types, for code that treats all verbs alike. */
export function verbOf(name: VerbName): Verb & {readonly options: OptionTable} {
  return verbTable[name];
}
