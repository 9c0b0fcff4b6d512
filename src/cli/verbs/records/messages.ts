import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

const narrowNote = [
  'NARROW is #channel, #channel>topic, @name, an e-mail address, me, a link, or search words such as is:starred or sender:me.',
];
const count = {type: 'number', short: 'n', value: 'N', min: 1, max: 5000} as const;

export const to = {
  type: 'text',
  value: 'WHERE',
  many: true,
  summary: '#channel>topic, @name or an e-mail address; repeat it for a group of users',
} as const;

export const topic = {type: 'text', value: 'TOPIC', summary: 'topic, if WHERE does not contain it'} as const;

const message = {type: 'text', short: 'm', value: 'TEXT', verbatim: true} as const;

/** The text of a message to send. */
export const messageText = {
  ...message,
  summary: 'message text in Markdown (default: standard input)',
} as const;

const queue = {
  type: 'flag',
  summary: 'if the server cannot be reached, save the message to send it later (exit code 0)',
} as const;

const raw = {type: 'flag', summary: 'print the Markdown source instead of the rendered text'} as const;

/** The verbs that send, print and list messages. */
export const messageRecords = {
  send: {
    mustNotRepeat: true,
    summary: 'send a message',
    usage: ['--to WHERE… -m TEXT', '--to WHERE… [-] < FILE'],
    arguments: {min: 0, max: 1},
    options: {
      ...commonOptions,
      to,
      topic,
      message: messageText,
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
    acceptsPartialNames: true,
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
      'mark-read': {type: 'flag', changes: true, summary: 'mark the printed messages as read'},
      raw,
    },
    notes: [
      ...narrowNote,
      'Without NARROW: all conversations. With --json: one object per message, each on its own line.',
    ],
  },
  tail: {
    acceptsPartialNames: true,
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
    acceptsPartialNames: true,
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
  export: {
    acceptsPartialNames: true,
    summary: 'save conversations in a folder, with their files',
    usage: [
      'NARROW OUT [--format html|md|jsonl] [--max-file MB]',
      '--all OUT [--format html|md|jsonl] [--max-file MB]',
    ],
    arguments: {min: 1, max: 100, completes: 'file'},
    options: {
      ...commonOptions,
      all: {type: 'flag', summary: 'all conversations that you are in'},
      format: {
        type: 'choice',
        choices: ['html', 'md', 'jsonl'],
        summary: 'pages for a browser (html), Markdown (md), or only the data (jsonl)',
      },
      'max-file': {
        type: 'number',
        value: 'MB',
        min: 0,
        max: 1024,
        summary: 'do not save files that are larger than this (100)',
      },
    },
    notes: [
      ...narrowNote,
      'OUT is a new folder, or that of an earlier export of the same NARROW: then messages that are new are added, and an export that was interrupted is continued. Messages that were edited, moved or deleted after they were saved stay as they were; export to a new folder for a new copy.',
      'OUT has messages.jsonl (what “parley read --json” prints, and the rendering, versions, votes and files of each message), files (uploaded files), and the pages. Uploaded files keep the endings of pictures (not SVG), audio, video, PDF, office documents, .csv, .json, .zip and .gz. All others get .txt at the end of their names, because a browser might run scripts in them.',
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
} as const satisfies Readonly<Record<string, Verb>>;
