import {manualTopics} from '#content/manual/manual-topics.ts';
import type {OptionTable, OptionValues, Verb} from './verb.ts';
import {type CommonOptions, commonOptions} from './verb.ts';

const narrowNote = [
  'NARROW is #channel, #channel>topic, @name, an e-mail address, me, a link, or search words such as is:starred or sender:me.',
];
const count = {type: 'number', short: 'n', value: 'N', least: 1, most: 5000} as const;
const to = {
  type: 'text',
  value: 'WHERE',
  many: true,
  summary: '#channel>topic, @name or an e-mail address; several people make one conversation',
} as const;
const topic = {type: 'text', value: 'TOPIC', summary: 'the topic, if WHERE does not name it'} as const;
const message = {type: 'text', short: 'm', value: 'TEXT', verbatim: true} as const;
const queue = {
  type: 'flag',
  summary: 'if the server cannot be reached, keep it for the next Parley to send (exit code 0)',
} as const;

/** How the screen is opened, whatever it opens. */
const screen = {
  account: commonOptions.account,
  config: commonOptions.config,
  explore: {type: 'flag', summary: 'only look: nothing is marked read, nobody sees you'},
  'read-only': {type: 'flag', summary: 'change nothing at all'},
  plain: {type: 'flag', summary: 'lines instead of a screen, for screen readers and any terminal'},
  theme: {type: 'choice', choices: ['default', 'dark', 'light', 'auto'], summary: 'the colours, this time'},
  color: {
    type: 'choice',
    choices: ['never', '16', '256', 'true'],
    summary: 'how many colours (as the terminal says)',
  },
  'no-alt-screen': {type: 'flag', summary: 'leave the last picture behind at the end'},
  'or-demo': {type: 'flag', summary: 'without an account, the demo at once'},
  help: commonOptions.help,
} as const;

/** Every verb there is. Parsing, `--help`, completions and README's table all come from here. */
export const verbTable = {
  open: {
    isOwn: true,
    summary: 'the screen, at WHERE if that is given; “parley WHERE” is the same',
    usage: ['[WHERE]'],
    arguments: {least: 0, most: 100},
    options: screen,
    notes: [
      'WHERE is #channel, #channel>topic, @name[,name], the link of a conversation or of a message, or search words. A word that is a command is the command: “parley open inbox” looks for the word.',
      'Where there is no terminal it prints what is unread; with WHERE, the last messages there.',
    ],
  },
  triage: {
    isOwn: true,
    summary: 'what is unread, one conversation at a time',
    usage: ['[--plain]'],
    arguments: {least: 0, most: 0},
    options: screen,
  },
  demo: {
    isOwn: true,
    summary: 'the screen, on the organization that Parley brings itself',
    usage: ['[WHERE]'],
    arguments: {least: 0, most: 100},
    options: screen,
  },
  keys: {
    summary: 'the keys and what they do',
    usage: ['[--markdown]', '--probe'],
    arguments: {least: 0, most: 0},
    options: {
      markdown: {type: 'flag', summary: 'as a table for a document'},
      probe: {type: 'flag', summary: 'show what this terminal sends for each key'},
      json: commonOptions.json,
      help: commonOptions.help,
    },
    notes: ['keys.toml beside config.toml changes them.'],
  },
  send: {
    summary: 'send a message, once and for sure',
    usage: ['--to WHERE… -m TEXT', '--to WHERE… [-] < FILE'],
    arguments: {least: 0, most: 1},
    options: {
      ...commonOptions,
      to,
      topic,
      message: {...message, summary: 'the message, in Markdown; else standard input is read'},
      queue,
    },
    notes: [
      'Exit code 0 means that the server has it. Without --queue a message that cannot be sent is not kept: send it again. If the answer got lost, and the message cannot be found there, it stays in the outbox as unconfirmed: “parley outbox” shows it.',
      'What --queue keeps goes out with the next “parley send” or “parley tail”; after ten minutes (ask_after_offline_minutes) it waits for “parley outbox send ID” instead. It can be kept for places that were written to before.',
    ],
  },
  unread: {
    summary: 'how much is unread, and where',
    usage: ['[--muted]'],
    arguments: {least: 0, most: 0},
    options: {...commonOptions, muted: {type: 'flag', summary: 'list muted conversations too'}},
  },
  inbox: {
    summary: 'the conversations that wait for you, in the order of the inbox',
    usage: [''],
    arguments: {least: 0, most: 0},
    options: commonOptions,
  },
  read: {
    summary: 'print messages, oldest first',
    usage: ['[NARROW] [-n N] [--since WHEN | --before ID | --unread]'],
    arguments: {least: 0, most: 100},
    options: {
      ...commonOptions,
      count: {...count, summary: 'how many: the last N (20); with --since or --unread the first N (all)'},
      since: {type: 'text', value: 'WHEN', summary: 'from then on: 2h, 3d, 2026-05-01, 2026-05-01T09:30'},
      before: {
        type: 'number',
        value: 'ID',
        least: 1,
        most: 2 ** 53 - 1,
        summary: 'those before this message',
      },
      unread: {type: 'flag', summary: 'only unread messages'},
      'mark-read': {type: 'flag', summary: 'mark what was printed as read'},
    },
    notes: [
      ...narrowNote,
      'Without NARROW: all conversations. With --json: one object per line and message.',
    ],
  },
  tail: {
    summary: 'print messages as they arrive',
    usage: ['[NARROW] [-n N]'],
    arguments: {least: 0, most: 100},
    options: {
      ...commonOptions,
      count: {...count, least: 0, most: 100, summary: 'how many of the last messages to begin with (10)'},
    },
    notes: [
      ...narrowNote,
      'It goes on through lost connections and restarts of the server: nothing is left out, nothing comes twice. Ctrl-C ends it.',
    ],
  },
  search: {
    summary: 'find messages',
    usage: ['QUERY [-n N] [--local]'],
    arguments: {least: 1, most: 100},
    options: {
      ...commonOptions,
      count: {...count, summary: 'how many, the newest (20)'},
      local: {type: 'flag', summary: 'search what is kept on this machine, without the server'},
    },
    notes: [
      'QUERY is words, "phrases", and operators such as channel:NAME, topic:NAME, sender:NAME, has:link, is:starred.',
      'Exit code 1 when nothing is found.',
    ],
  },
  'mark-read': {
    summary: 'mark what is unread now as read',
    usage: ['NARROW [--dry-run]', '--all [--dry-run]'],
    arguments: {least: 0, most: 100},
    options: {
      ...commonOptions,
      all: {type: 'flag', summary: 'everything, in all conversations'},
      'dry-run': {type: 'flag', summary: 'only say how many it would be'},
    },
    notes: narrowNote,
  },
  drafts: {
    summary: 'the drafts: list, show, send or delete them',
    usage: ['[list]', 'show ID', 'send ID', 'delete ID…'],
    arguments: {least: 0, most: 100, completes: ['list', 'show', 'send', 'delete']},
    options: commonOptions,
    notes: ['ID is as listed, or as much of it as no other begins with.'],
  },
  outbox: {
    summary: 'messages that are not sent yet: list, send or discard them',
    usage: ['[list]', 'send ID…', 'discard ID…'],
    arguments: {least: 0, most: 100, completes: ['list', 'send', 'discard']},
    options: commonOptions,
    notes: ['ID is as listed, or as much of it as no other begins with.'],
  },
  users: {
    summary: 'the people and bots of the organization',
    usage: ['[QUERY] [--all]'],
    arguments: {least: 0, most: 100},
    options: {...commonOptions, all: {type: 'flag', summary: 'those who have left, too'}},
    notes: ['QUERY is a part of a name or of an e-mail address. Exit code 1 when nobody is found.'],
  },
  whoami: {
    summary: 'the account in use',
    usage: [''],
    arguments: {least: 0, most: 0},
    options: commonOptions,
  },
  upload: {
    summary: 'upload files, and print their links or send them',
    usage: ['FILE… [--to WHERE… [-m TEXT]]', '- --name NAME < FILE'],
    arguments: {least: 1, most: 50, completes: 'file'},
    options: {
      ...commonOptions,
      to,
      topic,
      message: {...message, summary: 'the words above the links'},
      name: {type: 'text', value: 'NAME', summary: 'what to call the file, if it is one'},
    },
    notes: ['Each link is Markdown, ready to be put into a message.'],
  },
  api: {
    summary: 'call any endpoint of the server',
    usage: ['METHOD PATH [KEY=VALUE…]'],
    arguments: {least: 2, most: 200, completes: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']},
    options: commonOptions,
    notes: [
      'VALUE is sent as it is; @FILE is the contents of a file, - is standard input, @@TEXT is “@TEXT”. In a POST, file=@FILE uploads.',
      'Prints the answer as JSON. When the server refuses, its answer is printed too and the exit code says why.',
    ],
  },
  accounts: {
    isOwn: true,
    summary: 'the accounts on this machine: list them, choose the default, remove one',
    usage: ['', 'default NAME', 'remove NAME'],
    arguments: {least: 0, most: 2, completes: ['list', 'default', 'remove']},
    options: {
      json: commonOptions.json,
      yes: {type: 'flag', short: 'y', summary: 'do not ask'},
      help: commonOptions.help,
    },
  },
  login: {
    isOwn: true,
    summary: 'add an account',
    usage: ['[URL]', '--zuliprc FILE'],
    arguments: {least: 0, most: 1},
    options: {
      name: {type: 'text', value: 'NAME', summary: 'what to call the account here'},
      email: {type: 'text', value: 'EMAIL', summary: 'who you are there'},
      'password-stdin': {type: 'flag', summary: 'read the password from standard input'},
      'key-stdin': {type: 'flag', summary: 'read the API key from standard input'},
      zuliprc: {type: 'text', value: 'FILE', completes: 'file', summary: 'take everything from a zuliprc'},
      'cert-bundle': {
        type: 'text',
        value: 'FILE',
        completes: 'file',
        summary: 'trust the authorities in FILE',
      },
      insecure: {type: 'flag', summary: 'trust any certificate'},
      help: commonOptions.help,
    },
  },
  doctor: {
    isOwn: true,
    summary: 'is everything as it should be?',
    usage: [''],
    arguments: {least: 0, most: 0},
    options: {
      json: commonOptions.json,
      account: commonOptions.account,
      config: commonOptions.config,
      help: commonOptions.help,
    },
  },
  serve: {
    isOwn: true,
    summary: 'serve an organization on this machine',
    usage: ['[--data DIR | --memory] [--world demo|empty] …'],
    arguments: {least: 0, most: 0},
    options: {
      host: {type: 'text', value: 'HOST', summary: 'address to listen on'},
      port: {type: 'text', value: 'PORT', summary: 'port to listen on'},
      url: {type: 'text', value: 'URL', summary: 'how people reach it'},
      data: {type: 'text', value: 'DIR', completes: 'file', summary: 'keep everything there'},
      memory: {type: 'flag', summary: 'keep nothing'},
      world: {type: 'choice', choices: ['demo', 'empty'], summary: 'what a new organization holds'},
      size: {type: 'choice', choices: ['small', 'large', 'huge'], summary: 'how big a demo'},
      bots: {type: 'choice', choices: ['on', 'quiet', 'off'], summary: 'whether the bots of the demo talk'},
      'feature-level': {type: 'text', value: 'N', summary: 'answer as an older server would'},
      'ready-file': {type: 'text', value: 'FILE', completes: 'file', summary: 'written once it listens'},
      'rate-limit': {type: 'choice', choices: ['on', 'off'], summary: 'limit requests'},
      'while-used': {type: 'text', value: 'SECONDS', summary: 'stop once nobody used it for so long'},
      'test-hooks': {type: 'flag', summary: 'faults on demand'},
      help: commonOptions.help,
    },
  },
  render: {
    summary: 'show Markdown from standard input as a message',
    usage: ['[--width N] [--world FILE] < FILE'],
    arguments: {least: 0, most: 0},
    options: {
      width: {
        type: 'number',
        value: 'N',
        least: 1,
        most: 1000,
        summary: 'columns (those of the screen, else 80)',
      },
      color: {
        type: 'choice',
        choices: ['never', '16', '256', 'true'],
        summary: 'how many colours (as the terminal says)',
      },
      world: {
        type: 'text',
        value: 'FILE',
        completes: 'file',
        summary: 'whom and what names may mean, as JSON',
      },
      expanded: {type: 'flag', summary: 'with spoilers open'},
      json: commonOptions.json,
      help: commonOptions.help,
    },
    notes: [
      'FILE may have "realm_url", "users" ({"id", "full_name"}), "groups" ({"id", "name", "members"}), "channels" ({"id", "name"}), "linkifiers" ({"pattern", "url_template"}), "emoji" ({"id", "name", "source_url"}), "self" (an id), "sender" (a name, for /me), "alert_words", "time_zone", "hour12", "translate_emoticons", "default_code_language".',
      'With --json: {"lines": […], "links": [{"text", "url"}…]}, the lines with spoilers open, without numbers for the links or marks for files and, unless --width says otherwise, 300 columns wide.',
    ],
  },
  help: {
    summary: 'show a chapter of the manual, or the options of a verb',
    usage: ['[TOPIC | VERB]'],
    arguments: {least: 0, most: 1, completes: manualTopics.map(({id}) => id)},
    options: {
      color: {
        type: 'choice',
        choices: ['never', '16', '256', 'true'],
        summary: 'how many colours (as the terminal says)',
      },
      help: commonOptions.help,
    },
    notes: manualTopics.map(({id, summary}) => `parley help ${id}: ${summary}.`),
  },
  completion: {
    summary: 'print a completion script for a shell',
    usage: ['bash|zsh|fish'],
    arguments: {least: 1, most: 1, completes: ['bash', 'zsh', 'fish']},
    options: {help: commonOptions.help},
    notes: [
      'bash: eval "$(parley completion bash)" in ~/.bashrc. zsh: the same in ~/.zshrc, after compinit. fish: parley completion fish > ~/.config/fish/completions/parley.fish',
    ],
  },
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof verbTable;
export type SelfParsingVerbName = {
  [N in VerbName]: (typeof verbTable)[N] extends {readonly isOwn: true} ? N : never;
}[VerbName];

/** Those that open the screen. */
export const screenVerbs = ['open', 'triage', 'demo'] as const;
export type ScreenVerbName = (typeof screenVerbs)[number];

export function isScreenVerb(name: string): name is ScreenVerbName {
  return screenVerbs.some((verb) => verb === name);
}

/** What a verb is given: its options by name, and the rest of the command line. */
export interface VerbArguments<N extends VerbName> {
  readonly values: OptionValues<(typeof verbTable)[N]['options']>;
  readonly words: readonly string[];
}

/** The options that say as whom. */
export type AccountOptions = Pick<CommonOptions, 'account' | 'config'>;

export const verbNames = Object.keys(verbTable) as readonly VerbName[];

export function isVerbName(name: string): name is VerbName {
  return Object.hasOwn(verbTable, name);
}

/** The record without its literal types, for those who treat all verbs alike. */
export function verbOf(name: VerbName): Verb & {readonly options: OptionTable} {
  return verbTable[name];
}
