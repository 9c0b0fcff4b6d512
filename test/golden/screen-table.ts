/** A key by its name, a sequence such as `g r`, or text that is typed. */
export type Step = string | {readonly type: string};

/** A screen that is kept as text. */
export interface GoldenScreen {
  /** Part of the name of its file. */
  readonly name: string;
  /** What it shows, as the first line of its file. */
  readonly about: string;
  readonly sizes: readonly string[];
  /** What is pressed after the start, which shows the inbox. */
  readonly steps: readonly Step[];
  /** Whether the program is started again without its server. */
  readonly isOffline?: boolean;
  /** A fault of the server that begins before the steps (`test-hooks/fault`). */
  readonly fault?: Readonly<Record<string, unknown>>;
  /** What the screen must show before it is compared. */
  readonly shows: string;
}

const [large, usual, small] = ['200x50', '80x24', '40x15'];
const toWinch: readonly Step[] = ['Ctrl-G', {type: 'winch'}, 'Enter'];

export const goldenScreens: readonly GoldenScreen[] = [
  {
    name: 'inbox',
    about: 'What is unread, grouped by why it matters, with the messages of the selected conversation',
    sizes: [large, usual, small],
    steps: [],
    shows: 'pilot boat',
  },
  {
    name: 'messages',
    about: 'A conversation with code, a quotation, a poll, a list, a table, reactions and an image',
    sizes: [large, usual, small],
    steps: toWinch,
    shows: 'winch.png',
  },
  {
    name: 'messages-top',
    about: 'The same conversation from its beginning',
    sizes: [usual],
    steps: [...toWinch, 'Home'],
    shows: 'Overload',
  },
  {
    name: 'channel-list',
    about: 'The list of views, direct messages and channels, where it does not fit beside the messages',
    sizes: [usual, small],
    steps: ['Shift-Tab'],
    shows: 'engines',
  },
  {
    name: 'topic-list',
    about: 'The topics of a channel',
    sizes: [usual],
    steps: [...toWinch, 'y'],
    shows: 'berths',
  },
  {
    name: 'composer',
    about: 'A reply with bold text, and the people whose name begins with what follows the @',
    sizes: [usual, small],
    steps: [...toWinch, 'r', {type: 'The **brake** is on my list, ask @j'}],
    shows: 'Jonas Weiss',
  },
  {
    name: 'drafts',
    about: 'Drafts and scheduled messages',
    sizes: [usual],
    steps: ['d'],
    shows: 'three more',
  },
  {
    name: 'search',
    about: 'The search field with the operators that begin with what is typed',
    sizes: [usual],
    steps: ['/', {type: 'from:o'}],
    shows: 'Otto',
  },
  {
    name: 'search-results',
    about: 'The messages that a search found',
    sizes: [usual],
    steps: ['/', {type: 'pump'}, 'Enter'],
    shows: 'new pump',
  },
  {
    name: 'palette',
    about: 'The command palette with the commands that match',
    sizes: [usual],
    steps: [';', {type: 'mute'}],
    shows: 'Mute',
  },
  {
    name: 'go-anywhere',
    about: 'Conversations, channels, people and commands by name',
    sizes: [usual, small],
    steps: ['Ctrl-G', {type: 'ha'}],
    shows: 'harbour',
  },
  {
    name: 'user-card',
    about: 'The card of a person, from the list of people',
    sizes: [usual],
    steps: ['g u', 'u'],
    shows: 'Email',
  },
  {
    name: 'channel-card',
    about: 'The card of a channel',
    sizes: [usual],
    steps: [...toWinch, '#'],
    shows: 'Berths, tides',
  },
  {
    name: 'organization-settings',
    about: 'The settings of the organization, as its owner sees them',
    sizes: [usual],
    steps: [';', {type: 'organization settings'}, 'Enter'],
    shows: 'Profile of the organization',
  },
  {
    name: 'help',
    about: 'The keys that work in the inbox',
    sizes: [usual, small],
    steps: ['?'],
    shows: 'Enter',
  },
  {
    name: 'two-panes',
    about: 'Two conversations side by side',
    sizes: [large],
    steps: [...toWinch, 'Ctrl-W v', {type: 'tides'}, 'Enter'],
    shows: 'pilot boat',
  },
  {
    name: 'catch-up',
    about: 'What happened, by importance',
    sizes: [usual],
    steps: ['g k'],
    shows: 'pilot boat',
  },
  {
    name: 'recent',
    about: 'Conversations by their newest message',
    sizes: [usual],
    steps: ['t'],
    shows: 'winch',
  },
  {
    name: 'people',
    about: 'The list of people',
    sizes: [usual],
    steps: ['g u'],
    shows: 'Lea Park',
  },
  {
    name: 'message-menu',
    about: 'What can be done with a message',
    sizes: [usual],
    steps: [...toWinch, 'i'],
    shows: 'Quote',
  },
  {
    name: 'triage',
    about: 'One conversation after the other',
    sizes: [usual],
    steps: ['g t'],
    shows: 'pilot boat',
  },
  {
    name: 'offline',
    about: 'A start without the server: what the last run saved, and since when it cannot be reached',
    sizes: [usual, small],
    isOffline: true,
    steps: toWinch,
    shows: 'winch',
  },
  {
    name: 'refused-message',
    about: 'A message that the server refused, in its conversation',
    sizes: [usual],
    fault: {method: 'POST', path: '/messages', kind: 'status', status: 400, code: 'BAD_REQUEST'},
    steps: [...toWinch, 'r', {type: 'I bring the tools.'}, 'Enter'],
    shows: 'I bring the tools.',
  },
  {
    name: 'outbox',
    about: 'Messages that were not sent',
    sizes: [usual],
    fault: {method: 'POST', path: '/messages', kind: 'status', status: 400, code: 'BAD_REQUEST'},
    steps: [...toWinch, 'r', {type: 'I bring the tools.'}, 'Enter', 'Esc', 'g o'],
    shows: 'I bring the tools.',
  },
];
