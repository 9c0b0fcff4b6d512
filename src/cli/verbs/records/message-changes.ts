import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

const messageNote = 'MESSAGE is the id of a message (“parley read --json” prints it) or its link.';

/** The verbs that change messages. */
export const messageChangeRecords = {
  react: {
    summary: 'add or remove a reaction',
    usage: ['MESSAGE EMOJI [--remove]'],
    arguments: {min: 2, max: 2},
    options: {...commonOptions, remove: {type: 'flag', summary: 'remove your reaction'}},
    notes: [messageNote, 'EMOJI is a name such as tada, or the emoji itself.'],
  },
  edit: {
    summary: 'edit a message, or move it to another topic or channel',
    usage: [
      'MESSAGE -m TEXT',
      'MESSAGE [-] < FILE',
      'MESSAGE [--topic TOPIC] [--to CHANNEL] [--propagate one|later|all]',
    ],
    arguments: {min: 1, max: 2},
    options: {
      ...commonOptions,
      message: {
        type: 'text',
        short: 'm',
        value: 'TEXT',
        verbatim: true,
        summary: 'new text in Markdown (default: standard input, unless the message is moved)',
      },
      topic: {type: 'text', value: 'TOPIC', summary: 'move to this topic'},
      to: {type: 'text', value: 'CHANNEL', summary: 'move to this channel: #channel or #channel>topic'},
      propagate: {
        type: 'choice',
        choices: ['one', 'later', 'all'],
        summary: 'move only this message (one), or also the later or all messages of its topic',
      },
      notify: {
        type: 'choice',
        choices: ['none', 'old', 'new', 'both'],
        summary: 'which of the two topics gets a notice about the move (new)',
      },
    },
    notes: [messageNote],
  },
  delete: {
    summary: 'delete messages for everyone',
    usage: ['MESSAGE…'],
    arguments: {min: 1, max: 100},
    options: commonOptions,
    notes: [messageNote, 'This cannot be undone. If one of them may not be deleted, none is.'],
  },
  star: {
    summary: 'star messages',
    usage: ['MESSAGE…'],
    arguments: {min: 1, max: 1000},
    options: commonOptions,
    notes: [messageNote],
  },
  unstar: {
    summary: 'remove the star of messages',
    usage: ['MESSAGE…'],
    arguments: {min: 1, max: 1000},
    options: commonOptions,
    notes: [messageNote],
  },
} as const satisfies Readonly<Record<string, Verb>>;
