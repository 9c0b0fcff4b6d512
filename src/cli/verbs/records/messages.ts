import {
  again,
  allAccounts,
  allAccountsNote,
  choice,
  flag,
  idNote,
  number,
  takes,
  takesNothing,
  text,
  type Verb,
  yes,
} from '#cli/verbs/verb.ts';

const narrowNote =
  'NARROW is #channel, #channel>topic, @name, an e-mail address, me, a link, view:NAME (a view of the sidebar), or search words such as is:starred or sender:me. OR joins searches: channel:ops OR is:mentioned.';
const count = {type: 'number', short: 'n', value: 'N', min: 1, max: 5000} as const;

const to = text('WHERE', '#channel>topic, @name or an e-mail address; repeat it for a group of users', {
  many: true,
});

const topic = text('TOPIC', 'topic, if WHERE does not contain it');

const message = {type: 'text', short: 'm', value: 'TEXT', verbatim: true} as const;

/** The text of a message to send. */
const messageText = {...message, summary: 'message text in Markdown (default: standard input)'} as const;

const queue = flag('if the server cannot be reached, save the message to send it later (exit code 0)');

const raw = flag('print the Markdown source, also of spoilers, instead of the rendered text');
const messageNote = 'MESSAGE is the id of a message (“parley read --json” prints it) or its link.';
const at = text('WHEN', 'the time: tomorrow 9:00, fri 14:00, in 2 hours, 2026-05-12 14:30');
const prefixNote = 'ID is an id from the list, or an unambiguous beginning of it.';
const outboxCheck = 'See “parley outbox”.';
const scheduleCheck = 'List the scheduled messages with “parley schedule list”.';
const remindCheck = 'List the reminders with “parley remind list”.';

/** The verbs about messages, scheduled messages and reminders. */
export const messageRecords = {
  send: {
    check: outboxCheck,
    mustNotRepeat: true,
    summary: 'send a message',
    ...takes(['--to WHERE… -m TEXT', '--to WHERE… [-] < FILE'], [0, 1], {to, topic, message: messageText, queue}),
    notes: [
      'Exit code 0 means that the server has the message. Without --queue, a message that could not be sent is not saved: send it again. If the response was lost and the message cannot be found on the server, it stays in the outbox as unconfirmed: see “parley outbox”.',
      'A message saved by --queue is sent with the next “parley send” or “parley tail”. After ten minutes (ask_after_offline_minutes) it needs “parley outbox send ID” instead. --queue works only for destinations that were used before.',
    ],
  },
  unread: {
    spansAccounts: true,
    summary: 'print unread counts',
    ...takes('[--muted] [--all]', [0, 0], {muted: flag('list muted conversations too'), all: allAccounts}),
    notes: [allAccountsNote],
  },
  inbox: {
    spansAccounts: true,
    summary: 'list unread conversations in inbox order',
    ...takes('[--all]', [0, 0], {all: allAccounts}),
    notes: [allAccountsNote],
  },
  'catch-up': {
    spansAccounts: true,
    summary: 'print what mattered in unread conversations',
    ...takes('[--since WHEN] [--all]', [0, 0], {
      since: text('WHEN', 'look at unread messages from this time on: 1w (default), 3d, 2026-05-01'),
      all: allAccounts,
    }),
    notes: [
      'What matters first: mentions, questions in direct messages, most reactions, resolved topics. Nothing is marked as read.',
      allAccountsNote,
    ],
  },
  read: {
    check: again,
    acceptsPartialNames: true,
    summary: 'print messages, oldest first',
    ...takes('[NARROW] [-n N] [--since WHEN | --before ID | --unread] [--raw]', [0, 100], {
      count: {...count, summary: 'number of messages: the last N (20); with --since or --unread the first N (all)'},
      since: text('WHEN', 'start at this time: 2h, 3d, 2026-05-01, 2026-05-01T09:30'),
      before: number('ID', [1, 2 ** 53 - 1], 'messages before this one'),
      unread: flag('only unread messages'),
      'mark-read': flag('mark the printed messages as read', {changes: true}),
      raw,
    }),
    notes: [
      narrowNote,
      'Without NARROW: all conversations. With --json: one object per message, each on its own line.',
    ],
  },
  tail: {
    acceptsPartialNames: true,
    summary: 'print messages as they arrive',
    ...takes('[NARROW] [-n N] [--raw]', [0, 100], {
      count: {...count, min: 0, max: 100, summary: 'number of earlier messages to print first (10)'},
      raw,
    }),
    notes: [
      narrowNote,
      'Reconnects after lost connections and server restarts, without missing or repeating messages. Stop it with Ctrl-C.',
    ],
  },
  search: {
    acceptsPartialNames: true,
    spansAccounts: true,
    summary: 'search messages',
    ...takes('QUERY [-n N] [--local] [--raw] [--all]', [1, 100], {
      count: {...count, summary: 'number of newest matches (20)'},
      local: flag('search the messages saved on this machine, without the server'),
      raw,
      all: allAccounts,
    }),
    notes: [
      'QUERY is words, "phrases", and operators such as channel:NAME, topic:NAME, sender:NAME, has:link, is:starred. OR joins searches.',
      'after:WHEN and before:WHEN take days and times such as yesterday, mon, 2h, 2026-05-12 or "12 May 14:00".',
      'Exit code 1 when no message matches.',
      allAccountsNote,
    ],
  },
  export: {
    needsMachine: true,
    acceptsPartialNames: true,
    summary: 'save conversations in a folder, with their files',
    ...takes(
      ['NARROW OUT [--format html|md|jsonl] [--max-file MB]', '--all OUT [--format html|md|jsonl] [--max-file MB]'],
      [1, 100, 'file'],
      {
        all: flag('all conversations that you are in'),
        format: choice(['html', 'md', 'jsonl'], 'pages for a browser (html), Markdown (md), or only the data (jsonl)'),
        'max-file': number('MB', [0, 1024], 'do not save files that are larger than this (100)'),
      },
    ),
    notes: [
      narrowNote,
      'OUT is a new folder, or that of an earlier export of the same NARROW: then messages that are new are added, and an export that was interrupted is continued. Messages that were edited, moved or deleted after they were saved stay as they were; export to a new folder for a new copy.',
      'OUT has messages.jsonl (what “parley read --json” prints, and the rendering, versions, votes and files of each message), files (uploaded files), and the pages. Uploaded files keep the endings of pictures (not SVG), audio, video, PDF, office documents, .csv, .json, .zip and .gz. All others get .txt at the end of their names, because a browser might run scripts in them.',
    ],
  },
  'mark-read': {
    check: again,
    summary: 'mark messages as read',
    ...takes(['NARROW [--dry-run]', '--all [--dry-run]'], [0, 100], {
      all: flag('all messages in all conversations'),
      'dry-run': flag('only print how many messages it would mark'),
    }),
    notes: [narrowNote],
  },
  drafts: {
    check: 'List the drafts with “parley drafts”.',
    summary: 'list, show, send or delete drafts',
    ...takes(['[list]', 'show ID', 'send ID', 'delete ID…'], [0, 100, ['list', 'show', 'send', 'delete']], {yes}),
    asks: {question: 'Delete these drafts?', word: 'delete'},
    notes: [prefixNote],
  },
  outbox: {
    check: outboxCheck,
    summary: 'list, send or discard unsent messages',
    ...takes(['[list]', 'send ID…', 'discard ID…'], [0, 100, ['list', 'send', 'discard']], {yes}),
    asks: {question: 'Discard these unsent messages?', word: 'discard'},
    notes: [prefixNote],
  },
  upload: {
    check:
      'No message was sent. List your files with “parley api GET attachments”: if it is there, send its link, [NAME](/user_uploads/PATH_ID).',
    summary: 'upload files, and print or send their links',
    ...takes(['FILE… [--to WHERE… [-m TEXT]]', '- --name NAME < FILE'], [1, 50, 'file'], {
      to,
      topic,
      message: {...message, summary: 'text above the links'},
      name: text('NAME', 'name of the file, when there is only one'),
    }),
    notes: ['The links are in Markdown and can be pasted into a message.'],
  },
  download: {
    summary: 'write an uploaded file to standard output',
    ...takes('LINK > FILE', [1, 1]),
    notes: ['LINK is the link of a file in a message, or its address on the server.'],
  },
  react: {
    check: again,
    summary: 'add or remove a reaction',
    ...takes('MESSAGE EMOJI [--remove]', [2, 2], {remove: flag('remove your reaction')}),
    notes: [messageNote, 'EMOJI is a name such as tada, or the emoji itself.'],
  },
  edit: {
    check: 'Read the message and its topic before you run it again.',
    summary: 'edit a message, or move it to another topic or channel',
    ...takes(
      ['MESSAGE -m TEXT', 'MESSAGE [-] < FILE', 'MESSAGE [--topic TOPIC] [--to CHANNEL] [--propagate one|later|all]'],
      [1, 2],
      {
        message: text('TEXT', 'new text in Markdown (default: standard input, unless the message is moved)', {
          short: 'm',
          verbatim: true,
        }),
        topic: text('TOPIC', 'move to this topic'),
        to: text('CHANNEL', 'move to this channel: #channel or #channel>topic'),
        propagate: choice(
          ['one', 'later', 'all'],
          'move only this message (one), or also the later or all messages of its topic',
        ),
        notify: choice(['none', 'old', 'new', 'both'], 'which of the two topics gets a notice about the move (new)'),
      },
    ),
    notes: [messageNote],
  },
  delete: {
    check: 'Run it again if the message is still there.',
    summary: 'delete messages for everyone',
    ...takes('MESSAGE…', [1, 100], {yes}),
    asks: {question: 'Delete these messages for everyone?'},
    notes: [messageNote, 'This cannot be undone. If one of them may not be deleted, none is.'],
  },
  star: {check: again, summary: 'star messages', ...takes('MESSAGE…', [1, 1000]), notes: [messageNote]},
  unstar: {check: again, summary: 'remove the star of messages', ...takes('MESSAGE…', [1, 1000]), notes: [messageNote]},
  schedule: {
    check: scheduleCheck,
    mustNotRepeat: true,
    summary: 'send a message later',
    ...takes(['--to WHERE… --at WHEN -m TEXT', '--to WHERE… --at WHEN [-] < FILE'], [0, 1], {
      to,
      topic,
      at,
      message: messageText,
    }),
    notes: ['The server sends it, whether or not Parley runs then.'],
  },
  'schedule list': {summary: 'list scheduled messages', ...takesNothing},
  'schedule delete': {
    check: scheduleCheck,
    summary: 'delete scheduled messages, so that they are not sent',
    ...takes('ID…', [1, 100], {yes}),
    asks: {question: 'Delete these scheduled messages?'},
    notes: [idNote],
  },
  remind: {
    check: remindCheck,
    mustNotRepeat: true,
    summary: 'get a reminder about a message',
    ...takes('MESSAGE --at WHEN [--note TEXT]', [1, 1], {
      at,
      note: text('TEXT', 'a note that the reminder contains', {verbatim: true}),
    }),
    notes: [messageNote],
  },
  rules: {
    summary: 'list the rules of triage and what is wrong with them',
    ...takesNothing,
    notes: ['The rules are in rules.toml, next to config.toml. The exit code is 1 if one of them cannot be used.'],
  },
  'rules test': {
    summary: 'show what the rules would have done',
    ...takes('[--since WHEN]', [0, 0], {
      since: text('WHEN', 'with the messages since this time (3d): 2h, 3d, 2026-05-01, 2026-05-01T09:30'),
    }),
    notes: ['Changes nothing.'],
  },
  'remind list': {summary: 'list reminders', ...takesNothing},
  'remind delete': {
    check: remindCheck,
    summary: 'delete reminders',
    ...takes('ID…', [1, 100], {yes}),
    asks: {question: 'Delete these reminders?'},
    notes: [idNote],
  },
} as const satisfies Readonly<Record<string, Verb>>;
